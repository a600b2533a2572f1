import CMRTR
import Foundation

/// Answers one ask. Throwing never becomes an accept (C8); the task is cancelled when the answer is no longer wanted.
public typealias Handler = @Sendable (Ask) async throws -> Reply

/// Sends one leg and returns the text of its result; throws `RPCError` for a JSON-RPC error, anything else for a broken
/// line. The task is cancelled when the leg is no longer wanted.
public typealias Transport = @Sendable (Leg) async throws -> Data

/// A leg was answered by a JSON-RPC error; `object` is its error object.
public struct RPCError: Error, Sendable {
    public let object: Data
    public init(object: Data) { self.object = object }
}

/// One request to send.
public struct Leg: Sendable {
    public let request: Send
    let flow: Flow

    /// Hands on a progress notification that arrived for this leg.
    public func progress(_ value: Double) {
        try? flow.progress(leg: request.leg, value: value)  // a late value is no fault
        flow.wake()
    }
}

/// What a flow writes down; `content` has what people were asked and answered, `events` has not.
public enum Trace: UInt32, Sendable { case off = 0, events, content }

/// Order of the asks of a round (C13).
public enum Order: UInt32, Sendable { case standard = 0, serial, concurrent }

/// Options of a `Client`, or of one call; nil is the library's default. Capabilities are derived from the handlers (C16).
public struct ClientOptions: Sendable {
    public var form: Handler?
    public var url: Handler?
    public var sampling: Handler?
    public var roots: Handler?
    public var samplingTools = false
    public var samplingContext = false
    /// Kinds without a handler, for hosts that drive `Flow` themselves.
    public var declare: Needs = []
    public var maxRounds: UInt32?
    public var legTimeout: Duration?
    public var inputTimeout: Duration?
    public var flowTimeout: Duration?
    public var pollBudget: Duration?
    public var pacingInitial: Duration?
    public var pacingMax: Duration?
    public var jitter = true
    public var manual = false
    public var strict = false
    public var allowHTTP = false
    public var stateOnlyCounts = false
    public var resetOnProgress = false
    public var cancelIfUnavailable = false
    public var order = Order.standard
    public var maxMessageBytes: UInt64?
    public var maxDepth: UInt64?
    public var maxAsks: UInt64?
    public var maxKeyBytes: UInt64?
    public var maxTokenBytes: UInt64?
    public var protocolVersion: String?
    /// JSON text.
    public var clientInfo: Data?
    /// The host's own name for the server; each ask has it.
    public var label: String?
    /// Secrets of at least 32 bytes that seal continuations: the first seals, every one opens (C11).
    public var continuationKeys: [Data] = []
    /// What flows write down about themselves.
    public var trace = Trace.off
    /// Result types of extensions that the host reads itself (C1).
    public var resultTypes: [String] = []
    /// These hear of what happens in `Client.call` and `Client.drive`, in the task that awaits them.
    public var onRound: (@Sendable (UInt32) -> Void)?
    public var onProgress: (@Sendable (Double) -> Void)?
    public var onNote: (@Sendable (String) -> Void)?

    public init() {}

    var needs: Needs {
        var needs = declare
        if form != nil { needs.insert(.form) }
        if url != nil { needs.insert(.url) }
        if sampling != nil { needs.insert(.sampling) }
        if roots != nil { needs.insert(.roots) }
        if samplingTools { needs.insert(.samplingTools) }
        if samplingContext { needs.insert(.samplingContext) }
        return needs
    }

    func handler(_ kind: Ask.Kind) -> Handler? {
        switch kind {
        case .form: form
        case .url: url
        case .sampling: sampling
        case .roots: roots
        }
    }

    func fill(_ raw: inout mrtr_client_options, _ loan: Loan) throws {
        mrtr_client_options_init(&raw, size(mrtr_client_options.self), UInt32(MRTR_ABI))
        raw.handlers = needs.rawValue
        if let maxRounds { raw.max_rounds = maxRounds }
        if let legTimeout { raw.leg_timeout_ms = try milliseconds("legTimeout", legTimeout) }
        if let inputTimeout { raw.input_timeout_ms = try milliseconds("inputTimeout", inputTimeout) }
        if let flowTimeout { raw.flow_timeout_ms = try milliseconds("flowTimeout", flowTimeout) }
        if let pollBudget { raw.poll_budget_ms = try milliseconds("pollBudget", pollBudget) }
        if let pacingInitial { raw.pacing_initial_ms = try milliseconds("pacingInitial", pacingInitial) }
        if let pacingMax { raw.pacing_max_ms = try milliseconds("pacingMax", pacingMax) }
        raw.jitter = flag(jitter)
        raw.manual = flag(manual)
        raw.strict = flag(strict)
        raw.allow_http = flag(allowHTTP)
        raw.state_only_counts = flag(stateOnlyCounts)
        raw.reset_on_progress = flag(resetOnProgress)
        raw.cancel_if_unavailable = flag(cancelIfUnavailable)
        raw.order = order.rawValue
        if let maxMessageBytes { raw.max_message_bytes = maxMessageBytes }
        if let maxDepth { raw.max_depth = maxDepth }
        if let maxAsks { raw.max_asks = maxAsks }
        if let maxKeyBytes { raw.max_key_bytes = maxKeyBytes }
        if let maxTokenBytes { raw.max_token_bytes = maxTokenBytes }
        if let protocolVersion { raw.protocol_version = loan.slice(protocolVersion) }
        if let clientInfo { raw.client_info = loan.slice(clientInfo) }
        if let label { raw.label = loan.slice(label) }
        raw.continuation_keys = loan.list(continuationKeys.map { loan.slice($0) })
        raw.continuation_key_count = continuationKeys.count
        raw.trace = trace.rawValue
        raw.result_types = loan.list(resultTypes.map { loan.slice($0) })
        raw.result_type_count = resultTypes.count
    }
}

/// The final result, byte for byte.
public struct CallResult: Sendable {
    public let json: Data
    public let rounds: UInt32
    public let cacheable: Bool
}

/// Handlers and options. Safe to share.
public final class Client: Sendable {
    let handle: Handle
    /// What it was made with: copy and change them for one call.
    public let options: ClientOptions

    public init(_ options: ClientOptions = ClientOptions()) throws {
        let loan = Loan()
        var raw = mrtr_client_options()
        try options.fill(&raw, loan)
        var out = mrtr_client()
        var error = mrtr_error()
        try check(withExtendedLifetime(loan) { mrtr_client_new(&raw, &out, &error) }, error)
        handle = Handle(out.id) { _ = mrtr_client_free(mrtr_client(id: $0)) }
        self.options = options
    }

    /// The capabilities that the client declares, as JSON.
    public func capabilities() throws -> Data {
        var buffer = mrtr_buf()
        var error = mrtr_error()
        try check(mrtr_client_capabilities(mrtr_client(id: handle.id), &buffer, &error), error)
        return take(buffer)
    }

    /// A call, not yet sent. `options` are its own, nil the client's; handlers and continuation keys stay the client's (C16).
    public func begin(method: String, params: Data, at now: UInt64 = Flow.systemClock, options own: ClientOptions? = nil) throws -> Flow {
        let loan = Loan()
        var out = mrtr_flow()
        var error = mrtr_error()
        let (m, p) = (loan.slice(method), loan.slice(params))
        let client = mrtr_client(id: handle.id)
        var raw = mrtr_client_options()
        if var own {
            own.continuationKeys = []
            try own.fill(&raw, loan)
        }
        let status = withExtendedLifetime((loan, self)) {
            own == nil ? mrtr_flow_begin(client, m, p, nil, now, &out, &error) : mrtr_flow_begin(client, m, p, &raw, now, &out, &error)
        }
        try check(status, error)
        return Flow(out.id, options: own)
    }

    /// Goes on from `Flow.save` or a continuation, without the first leg being sent again (C11).
    public func resume(_ saved: String, at now: UInt64 = Flow.systemClock) throws -> Flow {
        let loan = Loan()
        var out = mrtr_flow()
        var error = mrtr_error()
        let text = loan.slice(saved)
        let status = withExtendedLifetime((loan, self)) {
            mrtr_flow_resume(mrtr_client(id: handle.id), text, now, &out, &error)
        }
        try check(status, error)
        return Flow(out.id)
    }

    /// Sends, runs the handlers for what is asked, retries with the exact state and returns the final result. Any other
    /// end throws `MRTRError`, with a continuation where the call can be taken up again. Cancelling the task cancels the
    /// flow, which ends with `Code.cancelled`. `options` are this call's own, as in `begin`.
    public func call(
        method: String, params: Data, options: ClientOptions? = nil, transport: @escaping Transport
    ) async throws -> CallResult {
        try await drive(begin(method: method, params: params, options: options), transport: transport)
    }

    /// The loop of `call` for a flow that was begun or resumed elsewhere.
    public func drive(_ flow: Flow, transport: @escaping Transport) async throws -> CallResult {
        let driver = Driver(handlers: options, listeners: flow.options ?? options, flow: flow, transport: transport)
        return try await withTaskCancellationHandler {
            try await driver.run()
        } onCancel: {
            try? flow.cancel()  // already over: nothing to cancel
        }
    }
}

// What is printed tells no content.
extension CallResult: CustomStringConvertible, CustomReflectable {
    public var description: String { "CallResult(\(json.count) bytes, \(rounds) rounds)" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
