import Foundation

/// Who is calling. Nobody is said by name, so that it is never an accident (S4).
public enum Principal: Sendable {
    case nobody
    /// Each part bound by itself: issuer, subject and client where there are three.
    case parts([String])

    /// A principal of one text.
    public static func user(_ name: String) -> Principal { .parts([name]) }
}

/// What a state is bound to.
public struct Request: Sendable {
    public var method: String
    /// The text of the params as received; nil if the request has none.
    public var params: Data?
    public var principal: Principal
    /// The client's capabilities as JSON; nil to read them from the params' `_meta` (B8).
    public var capabilities: Data?

    public init(method: String, params: Data?, principal: Principal, capabilities: Data? = nil) {
        self.method = method
        self.params = params
        self.principal = principal
        self.capabilities = capabilities
    }
}

/// Milliseconds of Unix time for the library; nil is the system's clock.
func wall(_ time: Date?) throws -> UInt64 {
    guard let time else { return UInt64.max }
    let ms = (time.timeIntervalSince1970 * 1000).rounded()
    guard ms.isFinite, ms >= 0, ms < 9e15 else {
        throw MRTRError(code: .badArgument, message: "a time before 1970 or beyond reckoning")
    }
    return UInt64(ms)
}

/// Whole milliseconds; what is negative or beyond range is refused, never wrapped around.
func milliseconds(_ name: String, _ duration: Duration) throws -> UInt64 {
    let (seconds, attoseconds) = duration.components
    let (ms, overflow) = seconds.multipliedReportingOverflow(by: 1000)
    guard !overflow, seconds >= 0, attoseconds >= 0, attoseconds % 1_000_000_000_000_000 == 0 else {
        throw MRTRError(code: .configError, message: "\(name): \(duration) is no whole number of milliseconds")
    }
    return UInt64(ms) + UInt64(attoseconds / 1_000_000_000_000_000)
}

func instant(_ ms: UInt64) -> Date { Date(timeIntervalSince1970: Double(ms) / 1000) }
