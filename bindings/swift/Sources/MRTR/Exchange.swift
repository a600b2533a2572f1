import CMRTR
import Foundation

/// What is known of one ask.
public struct Answer: Sendable {
    /// The statuses of an answer (X3, D18). Missing, invalid and stale ones are asked (again) with this leg's result.
    public enum Status: UInt32, Sendable {
        case missing = 1
        case accepted, declined, cancelled, invalid, stale, unaskable
    }

    public let status: Status
    /// The accepted content byte for byte, `{}` for an accepted URL (X5); nil unless accepted and valid (X3).
    public let content: Data?
    /// Why an answer is invalid.
    public let reasons: [String]
    /// What was odd in the ask (D11).
    public let warnings: [String]

    /// Whether the user said yes.
    public var accepted: Bool { status == .accepted }
}

/// What a client may declare (B8).
public struct Needs: OptionSet, Sendable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    public static let form = Needs(rawValue: 1)
    public static let url = Needs(rawValue: 2)
    public static let sampling = Needs(rawValue: 4)
    public static let samplingTools = Needs(rawValue: 8)
    public static let samplingContext = Needs(rawValue: 16)
    public static let roots = Needs(rawValue: 32)
}

/// One request being served: a handler states what it needs, in order, and can be run again from the start on any
/// machine (X7). The library lets one thread in at a time.
public final class Exchange: Sendable {
    let handle: Handle

    init(_ id: UInt64) {
        handle = Handle(id) { _ = mrtr_exchange_free(mrtr_exchange(id: $0)) }
    }

    private var raw: mrtr_exchange { mrtr_exchange(id: handle.id) }

    /// States one ask, given as the JSON text of an `inputRequests` entry.
    public func ask(_ key: String, _ ask: Data) throws -> Answer {
        try answer(key) { mrtr_exchange_ask($0, $1, $2.slice(ask), $3, $4) }
    }

    /// Asks the user to fill a form of the requested schema.
    public func askForm(_ key: String, message: String, schema: Data) throws -> Answer {
        try answer(key) { mrtr_exchange_ask_form($0, $1, $2.slice(message), $2.slice(schema), $3, $4) }
    }

    /// Asks the user to open a page. Accepted means consent, never that the page was finished (X5).
    public func askURL(_ key: String, message: String, url: String) throws -> Answer {
        try answer(key) { mrtr_exchange_ask_url($0, $1, $2.slice(message), $2.slice(url), $3, $4) }
    }

    /// Asks the client's model, with the params of `sampling/createMessage`.
    public func askSampling(_ key: String, params: Data) throws -> Answer {
        try answer(key) { mrtr_exchange_ask_sampling($0, $1, $2.slice(params), $3, $4) }
    }

    /// Asks for the client's roots.
    public func askRoots(_ key: String) throws -> Answer {
        try answer(key) { mrtr_exchange_ask_roots($0, $1, $3, $4) }
    }

    private typealias Asking = (
        mrtr_exchange, mrtr_slice, Loan, UnsafeMutablePointer<mrtr_answer>, UnsafeMutablePointer<mrtr_error>
    ) -> mrtr_status

    private func answer(_ key: String, _ call: Asking) throws -> Answer {
        let loan = Loan()
        var out = mrtr_answer()
        out.struct_size = size(mrtr_answer.self)
        var error = mrtr_error()
        let status = withExtendedLifetime((loan, self)) { call(raw, loan.slice(key), loan, &out, &error) }
        try check(status, error)
        let content = data(out.content).flatMap { $0.isEmpty ? nil : $0 }
        let answer = Answer(
            status: Answer.Status(rawValue: out.status) ?? .missing, content: content, reasons: names(out.reasons),
            warnings: names(out.warnings))
        mrtr_buf_free(&out.storage)
        return answer
    }

    /// Whether this client declared all of these.
    public func canAsk(_ needs: Needs) throws -> Bool {
        var yes: UInt32 = 0
        var error = mrtr_error()
        try check(mrtr_exchange_can_ask(raw, needs.rawValue, &yes, &error), error)
        return yes != 0
    }

    /// Says that the handler cannot do without what was `unaskable`: throws the -32021 refusal if something was (D8).
    public func require() throws {
        var error = mrtr_error()
        try check(mrtr_exchange_require(raw, &error), error)
    }

    /// Drops what was answered under a key, in this request and before: it is asked anew, even if it was declined (X6).
    public func forget(_ key: String) throws {
        let loan = Loan()
        var error = mrtr_error()
        let slice = loan.slice(key)
        try check(withExtendedLifetime(loan) { mrtr_exchange_forget(raw, slice, &error) }, error)
    }

    /// How many asks go out with this leg's result. 0: the handler can answer for good.
    public var pending: Int { Int(mrtr_exchange_pending(raw)) }

    /// The host's own state that came back (X9); nil if it never set one.
    public func state() throws -> Data? {
        var has: UInt32 = 0
        var buffer = mrtr_buf()
        var error = mrtr_error()
        try check(mrtr_exchange_state(raw, &has, &buffer, &error), error)
        let bytes = take(buffer)
        return has != 0 ? bytes : nil
    }

    /// Keeps the host's own state until it is set anew (D13).
    public func setState(_ state: Data) throws {
        let loan = Loan()
        var error = mrtr_error()
        let slice = loan.slice(state)
        try check(withExtendedLifetime(loan) { mrtr_exchange_set_state(raw, slice, &error) }, error)
    }

    /// Where in its flow a request stands. `round` is 0 on a first request.
    public struct Info: Sendable {
        public let round: UInt32
        public let hasToken: Bool
        /// The same in every round: an idempotency key.
        public let flowID: Data
        public let firstSeen: Date
        /// Until when the state of the last result can come back; nil before a result.
        public let expires: Date?
    }

    public func info() throws -> Info {
        var out = mrtr_exchange_info()
        out.struct_size = size(mrtr_exchange_info.self)
        var error = mrtr_error()
        try check(mrtr_exchange_get_info(raw, &out, &error), error)
        return Info(
            round: out.round, hasToken: out.has_token != 0, flowID: bytes16(out.flow_id), firstSeen: instant(out.first_seen_ms),
            expires: out.expires_ms == 0 ? nil : instant(out.expires_ms))
    }

    /// The `input_required` result with a freshly sealed state. The first error of any ask is thrown here (again).
    /// With nothing pending it is a state alone (the client comes back after a while), or an error if there is none.
    public func result() throws -> Data {
        var buffer = mrtr_buf()
        var error = mrtr_error()
        try check(mrtr_exchange_result(raw, &buffer, &error), error)
        return take(buffer)
    }
}

// What is printed tells no content: answers are private.
extension Answer: CustomStringConvertible, CustomReflectable {
    public var description: String { "Answer(\(status))" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
