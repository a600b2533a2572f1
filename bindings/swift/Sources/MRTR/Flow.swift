import CMRTR
import Foundation

/// What a flow wants done next.
public enum Event: Sendable {
    /// Send this request.
    case send(Send)
    /// Tell the transport that a leg is no longer wanted.
    case cancelLeg(leg: UInt32, id: UInt64)
    /// Show this to the user (form, URL), run the model (sampling), or tell the roots.
    case ask(Ask)
    /// The answer is no longer wanted: take the question off the screen.
    case stopAsk(key: String)
    case round(UInt32)
    /// Progress of a leg; values never decrease (C15).
    case progress(leg: UInt32, value: Double)
    /// Something odd but harmless in what the server sent.
    case note(text: String, key: String?)
    /// Nothing to do before this time on the flow's clock (nil: before something is delivered).
    case sleep(until: UInt64?, pacing: Bool)
    /// The end; comes exactly once.
    case done(Done)
    /// The flow is over and everything was told.
    case idle
}

/// One request to send under the JSON-RPC id `id`.
public struct Send: Sendable {
    public let leg: UInt32
    public let id: UInt64
    public let method: String
    /// JSON text, to be sent byte for byte.
    public let params: Data
    /// On the flow's clock; nil if there is none.
    public let deadline: UInt64?
    /// The wait that was taken before it, in milliseconds.
    public let paced: UInt64
}

/// One question. `message`, `url` and the rest are the words of a server that is not trusted.
public struct Ask: Sendable {
    public enum Kind: UInt32, Sendable { case form = 1, url, sampling, roots }

    /// What may be odd about an address (C14).
    public struct Flags: OptionSet, Sendable {
        public let rawValue: UInt32
        public init(rawValue: UInt32) { self.rawValue = rawValue }
        public static let notHTTPS = Flags(rawValue: 1)
        public static let userInfo = Flags(rawValue: 2)
        public static let ipLiteral = Flags(rawValue: 4)
        public static let punycode = Flags(rawValue: 8)
        public static let mixedScript = Flags(rawValue: 16)
    }

    public let key: String
    public let kind: Kind
    public let ask: Data
    public let params: Data
    public let message: String?
    public let schema: Data?
    public let url: String?
    public let hostASCII: String?
    public let hostUnicode: String?
    public let flags: Flags
    public let round: UInt32
    public let previouslyDeclined: Bool
    /// Who asks: the host's own name for the server, and the call (C14).
    public let label: String?
    public let callMethod: String
    public let callTarget: String?
    /// What the server calls itself, as it came and for the eye; verified by nobody.
    public let serverName: String?
    public let serverShown: String?
    public let serverVersion: String?
    /// Fields of a form that look as if they asked for a secret, which no server may do by form.
    public let secretFields: [String]
}

/// How a call ended. No error is a complete call.
public struct Done: Sendable {
    public let result: Data?
    public let error: MRTRError?
    public let rounds: UInt32
    /// False for results that were got through rounds (C18).
    public let cacheable: Bool
}

/// What a handler says to an ask.
public enum Reply: Sendable {
    /// The value: form content, the whole result for sampling and roots.
    case value(Data)
    /// Consent to an address.
    case accept
    case decline
    case cancel
    /// Nothing is sent, the flow ends as refused (C8).
    case refuse
    /// Nobody was asked; never turned into a decline (C8).
    case unavailable
    /// The handler failed; never turned into an accept (C8).
    case fail(String)
}

/// One call as a state machine without I/O. Times are milliseconds of a clock that only goes forward; `Flow.systemClock`
/// is the system's. Safe to share.
public final class Flow: Sendable {
    /// As a time: the system's monotonic clock, which `Flow.now` reads.
    public static let systemClock = UInt64.max
    /// The clock of flows.
    public static var now: UInt64 { mrtr_monotonic_ms() }

    let handle: Handle
    /// The options of this call alone.
    let options: ClientOptions?
    /// What wakes the loop that drives it.
    let wakes: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init(_ id: UInt64, options: ClientOptions? = nil) {
        handle = Handle(id) { _ = mrtr_flow_free(mrtr_flow(id: $0)) }
        self.options = options
        (wakes, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
    }

    func wake() { signal.yield() }

    private var raw: mrtr_flow { mrtr_flow(id: handle.id) }

    /// What to do next. Call it until it says `sleep`, `done` or `idle`.
    public func next(at now: UInt64 = systemClock) throws -> Event {
        var out = mrtr_event()
        out.struct_size = size(mrtr_event.self)
        var error = mrtr_error()
        try check(mrtr_flow_next(raw, now, &out, &error), error)
        let event = read(out)
        mrtr_buf_free(&out.storage)
        return event
    }

    /// What happened so far, as JSON lines.
    public func traceLines() throws -> String { try trace(MRTR_TRACE_LINES) }

    /// The same as a sequence diagram in Mermaid's language, without content.
    public func traceMermaid() throws -> String { try trace(MRTR_TRACE_MERMAID) }

    private func trace(_ form: Int32) throws -> String {
        var buffer = mrtr_buf()
        var error = mrtr_error()
        try check(mrtr_trace_write(raw, UInt32(form), &buffer, &error), error)
        return String(decoding: take(buffer), as: UTF8.self)
    }

    /// The open asks of the round, shown or not, for a host that shows them on one page; answers to all are taken (C13).
    public func asks() throws -> [Ask] {
        var asks: [Ask] = []
        while true {
            var out = mrtr_event()
            out.struct_size = size(mrtr_event.self)
            var error = mrtr_error()
            try check(mrtr_flow_open_ask(raw, asks.count, &out, &error), error)
            defer { mrtr_buf_free(&out.storage) }
            guard case .ask(let ask) = read(out) else { return asks }
            asks.append(ask)
        }
    }

    /// The text of the result that answered a leg. Late or unknown legs are ignored (C10).
    public func deliver(leg: UInt32, result: Data, at now: UInt64 = systemClock) throws {
        try lend(result) { mrtr_flow_deliver(raw, leg, $0, now, $1) }
    }

    /// The text of the error object that answered a leg.
    public func deliver(leg: UInt32, error object: Data, at now: UInt64 = systemClock) throws {
        try lend(object) { mrtr_flow_deliver_error(raw, leg, $0, now, $1) }
    }

    /// The connection of a leg broke; the library never sends it again (D5).
    public func lost(leg: UInt32, at now: UInt64 = systemClock) throws {
        var error = mrtr_error()
        try check(mrtr_flow_lost(raw, leg, now, &error), error)
    }

    /// A progress notification of a leg.
    public func progress(leg: UInt32, value: Double, at now: UInt64 = systemClock) throws {
        var error = mrtr_error()
        try check(mrtr_flow_progress(raw, leg, value, now, &error), error)
    }

    /// What a handler said to an ask.
    public func reply(_ key: String, _ reply: Reply, at now: UInt64 = systemClock) throws {
        let loan = Loan()
        let k = loan.slice(key)
        var error = mrtr_error()
        let status = withExtendedLifetime((loan, self)) {
            switch reply {
            case .value(let value): mrtr_flow_answer(raw, k, loan.slice(value), now, &error)
            case .accept: mrtr_flow_answer(raw, k, loan.slice("{}"), now, &error)
            case .decline: mrtr_flow_decline(raw, k, now, &error)
            case .cancel: mrtr_flow_cancel_ask(raw, k, now, &error)
            case .refuse: mrtr_flow_refuse(raw, k, now, &error)
            case .unavailable: mrtr_flow_unavailable(raw, k, now, &error)
            case .fail(let why): mrtr_flow_fail(raw, k, loan.slice(why), now, &error)
            }
        }
        try check(status, error)
    }

    /// Ends the flow as cancelled (C10); `Client.drive` wakes if it sleeps.
    public func cancel(at now: UInt64 = systemClock) throws {
        defer { wake() }
        var error = mrtr_error()
        try check(mrtr_flow_cancel(raw, now, &error), error)
    }

    /// The flow as text, for `Client.resume` here or elsewhere. It holds answers: keep it as private as they are.
    public func save() throws -> String {
        var buffer = mrtr_buf()
        var error = mrtr_error()
        try check(mrtr_flow_save(raw, &buffer, &error), error)
        return String(decoding: take(buffer), as: UTF8.self)
    }

    private func lend(_ text: Data, _ call: (mrtr_slice, UnsafeMutablePointer<mrtr_error>) -> mrtr_status) throws {
        let loan = Loan()
        var error = mrtr_error()
        let slice = loan.slice(text)
        try check(withExtendedLifetime((loan, self)) { call(slice, &error) }, error)
    }
}

func limit(_ ms: UInt64) -> UInt64? { ms == UInt64.max ? nil : ms }

func read(_ out: mrtr_event) -> Event {
    switch Int32(bitPattern: out.type) {
    case MRTR_EVENT_IDLE: return .idle
    case MRTR_EVENT_SEND:
        return .send(
            Send(
                leg: out.leg, id: out.id, method: text(out.method) ?? "", params: data(out.params) ?? Data(),
                deadline: limit(out.until_ms), paced: out.paced_ms))
    case MRTR_EVENT_CANCEL_LEG: return .cancelLeg(leg: out.leg, id: out.id)
    case MRTR_EVENT_ASK: return .ask(readAsk(out))
    case MRTR_EVENT_STOP_ASK: return .stopAsk(key: text(out.key) ?? "")
    case MRTR_EVENT_ROUND: return .round(out.round)
    case MRTR_EVENT_PROGRESS: return .progress(leg: out.leg, value: out.progress)
    case MRTR_EVENT_SLEEP: return .sleep(until: limit(out.until_ms), pacing: out.pacing != 0)
    case MRTR_EVENT_DONE: return .done(readDone(out))
    default: return .note(text: text(out.text) ?? "", key: text(out.key))  // also events of a newer library
    }
}

private func readAsk(_ out: mrtr_event) -> Ask {
    Ask(
        key: text(out.key) ?? "", kind: Ask.Kind(rawValue: out.kind) ?? .form, ask: data(out.ask) ?? Data(),
        params: data(out.params) ?? Data(), message: text(out.message), schema: data(out.schema), url: text(out.url),
        hostASCII: text(out.host_ascii), hostUnicode: text(out.host_unicode), flags: Ask.Flags(rawValue: out.url_flags),
        round: out.round, previouslyDeclined: out.previously_declined != 0, label: text(out.label), callMethod: text(out.call_method) ?? "",
        callTarget: text(out.call_target), serverName: text(out.server_name), serverShown: text(out.server_shown),
        serverVersion: text(out.server_version), secretFields: names(out.secret_fields))
}

private func readDone(_ out: mrtr_event) -> Done {
    var error: MRTRError?
    if out.end != 0 {
        var facts = MRTRError(code: Code(rawValue: out.end), message: text(out.text) ?? "")
        facts.key = text(out.key)
        facts.rpc = data(out.rpc_error)
        facts.raw = data(out.result)
        facts.continuation = text(out.continuation)
        error = facts
    }
    return Done(result: data(out.result), error: error, rounds: out.round, cacheable: out.cacheable != 0)
}

// What is printed tells no content: params, asks and results hold what users answer.
extension Send: CustomStringConvertible, CustomReflectable {
    public var description: String { "Send(leg \(leg), \(method), \(params.count) bytes)" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Ask: CustomStringConvertible, CustomReflectable {
    public var description: String { "Ask(\(kind), round \(round))" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Done: CustomStringConvertible, CustomReflectable {
    public var description: String { "Done(\(error?.code.name ?? "complete"))" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}

extension Reply: CustomStringConvertible, CustomReflectable {
    public var description: String { "Reply" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
