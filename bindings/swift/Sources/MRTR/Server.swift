import CMRTR
import Foundation

/// What happens to an ask that the client did not declare (B8): -32021, or the ask is left out.
public enum Gate: UInt32, Sendable {
    case refuse = 1
    case filter = 2
}

/// Options of a `Server`; nil is the library's default.
public struct ServerOptions: Sendable {
    public var gate = Gate.refuse
    /// Lets URL asks be http, for development (B6).
    public var allowHTTP = false
    /// Form fields that may ask for a secret all the same (B5).
    public var allowSecret: [String] = []
    public var maxMessageBytes: UInt64?
    public var maxDepth: UInt64?
    public var maxAsks: UInt64?
    public var maxAnswers: UInt64?
    public var maxKeyBytes: UInt64?
    /// Hears of asks that went out with a result, on the thread that made it, many at once. Not called without a sealer.
    public var onIssued: (@Sendable (Issued) -> Void)?

    public init() {}
}

/// Asks that went out with a result; never their content.
public struct Issued: Sendable {
    public let flowID: Data
    /// Round of the state that went out: the exchange that its answers begin has the same.
    public let round: UInt32
    public let method: String
    public let keys: [String]
    /// Until when the state can come back: before it, not at it.
    public let expires: Date
}

/// What every exchange of a server shares. Safe to share.
public final class Server: Sendable {
    let handle: Handle

    /// Without a sealer the host protects its state itself: the text goes out and comes in raw (D19).
    public init(sealer: Sealer?, options: ServerOptions = ServerOptions()) throws {
        let loan = Loan()
        var raw = mrtr_server_options()
        mrtr_server_options_init(&raw, size(mrtr_server_options.self), UInt32(MRTR_ABI))
        raw.sealer = mrtr_sealer(id: sealer?.handle.id ?? 0)
        raw.gate = options.gate.rawValue
        raw.allow_http = flag(options.allowHTTP)
        raw.allow_secret = loan.list(options.allowSecret.map { loan.slice($0) })
        raw.allow_secret_count = options.allowSecret.count
        if let value = options.maxMessageBytes { raw.max_message_bytes = value }
        if let value = options.maxDepth { raw.max_depth = value }
        if let value = options.maxAsks { raw.max_asks = value }
        if let value = options.maxAnswers { raw.max_answers = value }
        if let value = options.maxKeyBytes { raw.max_key_bytes = value }
        var out = mrtr_server()
        var error = mrtr_error()
        if let hear = options.onIssued { raw.callbacks = loan.list([hearing(hear)]) }
        let status = withExtendedLifetime((loan, sealer)) { mrtr_server_new(&raw, &out, &error) }
        if status != 0, let table = raw.callbacks?.pointee { table.destroy(table.user_data) }
        try check(status, error)
        handle = Handle(out.id) { _ = mrtr_server_free(mrtr_server(id: $0)) }
    }

    /// Begins to serve one request; its params hold the retry fields and `_meta` as received.
    /// A state that does not hold throws here, before any handler runs (S10).
    public func begin(_ request: Request, at time: Date? = nil) throws -> Exchange {
        let loan = Loan()
        var raw = loan.request(request)
        var out = mrtr_exchange()
        var error = mrtr_error()
        let now = try wall(time)
        let status = withExtendedLifetime((loan, self)) {
            mrtr_exchange_begin(mrtr_server(id: handle.id), &raw, now, &out, &error)
        }
        try check(status, error)
        return Exchange(out.id)
    }
}

/// An `input_required` result without an exchange (B1-B8). Protect the state yourself, or use `Exchange`.
public struct ResultBuilder: Sendable {
    public var method: String
    public var asks: [(key: String, ask: Data)] = []
    /// Goes out as it is.
    public var state: String?
    /// The client's capabilities as JSON turn the gate on.
    public var capabilities: Data?
    public var gate = Gate.refuse
    public var allowHTTP = false
    public var allowSecret: [String] = []

    public init(method: String) { self.method = method }

    /// The result, and the names of what was odd but allowed (D11).
    public func build() throws -> (result: Data, warnings: [String]) {
        let loan = Loan()
        var raw = mrtr_result_options()
        mrtr_result_options_init(&raw, size(mrtr_result_options.self), UInt32(MRTR_ABI))
        raw.method = loan.slice(method)
        raw.asks = loan.list(asks.map { mrtr_ask(key: loan.slice($0.key), ask: loan.slice($0.ask)) })
        raw.ask_count = asks.count
        raw.state = loan.slice(optional: state)
        raw.capabilities = loan.slice(optional: capabilities)
        raw.gate = gate.rawValue
        raw.allow_http = flag(allowHTTP)
        raw.allow_secret = loan.list(allowSecret.map { loan.slice($0) })
        raw.allow_secret_count = allowSecret.count
        var out = mrtr_result()
        out.struct_size = size(mrtr_result.self)
        var error = mrtr_error()
        try check(withExtendedLifetime(loan) { mrtr_result_build(&raw, &out, &error) }, error)
        let built = (result: data(out.json) ?? Data(), warnings: names(out.warnings))
        mrtr_buf_free(&out.storage)
        return built
    }
}

/// Checks `_meta`, the version header and the method, in the order of the protocol (B9); throws what to answer with.
/// No `methods` = the method is not checked. With `headers`, all those of an HTTP request, each of them is checked, and
/// `headerVersion` is not looked at (E2); `inputSchema` of the called tool says which arguments are repeated in headers.
public func checkRequest(
    method: String, params: Data?, headerVersion: String? = nil, supported: [String] = ["2026-07-28"], methods: [String] = [],
    headers: [(name: String, value: String)]? = nil, inputSchema: Data? = nil
) throws {
    let loan = Loan()
    var raw = mrtr_request_check()
    mrtr_request_check_init(&raw, size(mrtr_request_check.self), UInt32(MRTR_ABI))
    raw.method = loan.slice(method)
    raw.params = loan.slice(optional: params)
    raw.header_version = loan.slice(optional: headerVersion)
    raw.supported = loan.list(supported.map { loan.slice($0) })
    raw.supported_count = supported.count
    raw.methods = loan.list(methods.map { loan.slice($0) })
    raw.method_count = methods.count
    if let headers {
        // One more, so that no headers have an address.
        let slices = (headers + [("", "")]).map { mrtr_header(name: loan.slice($0.name), value: loan.slice($0.value)) }
        raw.headers = loan.list(slices)
        raw.header_count = headers.count
        raw.input_schema = loan.slice(optional: inputSchema)
    }
    var error = mrtr_error()
    try check(withExtendedLifetime(loan) { mrtr_request_check_run(&raw, &error) }, error)
}

/// The raw text of one top-level member of a JSON object, nil if it has none: the way to take `params`, `result` or
/// `error` out of a message without printing it anew (J1).
public func member(of object: Data, _ name: String) throws -> Data? {
    let loan = Loan()
    var value = mrtr_slice()
    var error = mrtr_error()
    let (text, wanted) = (loan.slice(object), loan.slice(name))
    return try withExtendedLifetime(loan) {
        try check(mrtr_json_member(text, wanted, &value, &error), error)
        return data(value)
    }
}
