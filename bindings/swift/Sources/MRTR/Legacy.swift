import CMRTR
import Foundation

/// The other side of a session, or of one request.
public struct Peer: Sendable {
    /// Protocol version that was agreed on.
    public var version: String
    /// What it declared, in `initialize` or in this request; nil is nothing.
    public var capabilities: Data?
    /// A request can be sent to it while it waits for its answer. Of no account in 2026-07-28.
    public var backChannel: Bool

    public init(version: String = "2026-07-28", capabilities: Data? = nil, backChannel: Bool = false) {
        self.version = version
        self.capabilities = capabilities
        self.backChannel = backChannel
    }

    /// Whether a peer can be asked, and if not, why (E3).
    public enum CanAsk: UInt32, Sendable {
        case yes = 1
        case notOnThisMethod, notInItsEra, noChannel, undeclared
    }

    /// Whether it can be asked all of these while a request of `method` is served.
    public func canAsk(_ method: String, _ needs: Needs) throws -> CanAsk {
        let loan = Loan()
        var raw = loan.peer(self)
        let name = loan.slice(method)
        var can: UInt32 = 0
        var error = mrtr_error()
        try check(withExtendedLifetime(loan) { mrtr_peer_can_ask(&raw, name, needs.rawValue, &can, &error) }, error)
        return CanAsk(rawValue: can) ?? .undeclared
    }
}

extension Loan {
    func peer(_ peer: Peer) -> mrtr_peer {
        var out = mrtr_peer()
        out.struct_size = size(mrtr_peer.self)
        out.back_channel = flag(peer.backChannel)
        out.version = slice(peer.version)
        out.capabilities = slice(optional: peer.capabilities)
        return out
    }
}

/// What a `Legacy` call wants done next.
public enum LegacyStep: Sendable {
    /// Nothing to do until something is handed over; after the end, nothing at all.
    case idle
    /// Run the handler in `exchange`, then `handled` or `failed`.
    case run
    /// Send the client a request under an id of your own, then `deliver` or `deliverError`.
    case send(ask: UInt32, method: String, params: Data?)
    /// Send `notifications/cancelled` for the ask.
    case cancel(ask: UInt32)
    /// Nothing to do before this time.
    case sleep(until: Date)
    /// Answer with the result, or with the error object, or, if the call was cancelled, not at all. `refused` is why the
    /// library refused the call, nil if the handler ended it.
    case done(result: Data?, rpc: Data?, refused: Code?)
}

/// One call of a client of an older version, from its request to its end. Sans-I/O: `next` says what to do (L3).
public final class Legacy: Sendable {
    let handle: Handle

    /// The request's `capabilities` are not looked at.
    public init(_ server: Server, _ request: Request, peer: Peer) throws {
        let loan = Loan()
        var raw = loan.request(request)
        var other = loan.peer(peer)
        var out = mrtr_legacy()
        var error = mrtr_error()
        let status = withExtendedLifetime((loan, server)) {
            mrtr_legacy_begin(mrtr_server(id: server.handle.id), &raw, &other, &out, &error)
        }
        try check(status, error)
        handle = Handle(out.id) { _ = mrtr_legacy_free(mrtr_legacy(id: $0)) }
    }

    private var raw: mrtr_legacy { mrtr_legacy(id: handle.id) }

    /// What to do next.
    public func next(at time: Date? = nil) throws -> LegacyStep {
        var out = mrtr_legacy_step()
        out.struct_size = size(mrtr_legacy_step.self)
        var error = mrtr_error()
        try check(mrtr_legacy_next(raw, try wall(time), &out, &error), error)
        defer { mrtr_buf_free(&out.storage) }
        switch out.type {
        case UInt32(MRTR_LEGACY_RUN): return .run
        case UInt32(MRTR_LEGACY_SEND): return .send(ask: out.ask, method: text(out.method) ?? "", params: data(out.params))
        case UInt32(MRTR_LEGACY_CANCEL): return .cancel(ask: out.ask)
        case UInt32(MRTR_LEGACY_SLEEP): return .sleep(until: instant(out.until_ms))
        case UInt32(MRTR_LEGACY_DONE):
            return .done(result: data(out.result), rpc: data(out.rpc), refused: out.refused == 0 ? nil : Code(rawValue: out.refused))
        default: return .idle
        }
    }

    /// The exchange of the round, for the handler to run in. The `rpc` of what it throws goes to `failed`.
    public func exchange(at time: Date? = nil) throws -> Exchange {
        var out = mrtr_exchange()
        var error = mrtr_error()
        try check(mrtr_legacy_exchange(raw, try wall(time), &out, &error), error)
        return Exchange(out.id)
    }

    /// Hands over the handler's result: a complete one, or that of its exchange.
    public func handled(_ result: Data, at time: Date? = nil) throws {
        let now = try wall(time)
        try give(result) { mrtr_legacy_handled($0, $1, now, $2) }
    }

    /// Hands over the JSON-RPC error object that the handler or its exchange failed with.
    public func failed(_ rpc: Data) throws { try give(rpc) { mrtr_legacy_failed($0, $1, $2) } }

    /// Hands over the result of the client's response to an ask.
    public func deliver(ask: UInt32, _ result: Data) throws { try give(result) { mrtr_legacy_deliver($0, ask, $1, $2) } }

    /// Says that the client answered an ask with an error: that ends the call.
    public func deliverError(ask: UInt32) throws {
        var error = mrtr_error()
        try check(mrtr_legacy_deliver_error(raw, ask, &error), error)
    }

    /// Says that the client cancelled its call, or is gone.
    public func cancel() throws {
        var error = mrtr_error()
        try check(mrtr_legacy_cancel(raw, &error), error)
    }

    private func give(
        _ text: Data, _ call: (mrtr_legacy, mrtr_slice, UnsafeMutablePointer<mrtr_error>) -> mrtr_status
    ) throws {
        let loan = Loan()
        let slice = loan.slice(text)
        var error = mrtr_error()
        try check(withExtendedLifetime((loan, self)) { call(raw, slice, &error) }, error)
    }
}

/// A complete result of this era: `resultType` at its end unless it is there, all else byte for byte (E2).
public func completeResult(_ result: Data) throws -> Data {
    let loan = Loan()
    let slice = loan.slice(result)
    var out = mrtr_buf()
    var error = mrtr_error()
    try check(withExtendedLifetime(loan) { mrtr_result_complete(slice, &out, &error) }, error)
    return take(out)
}

/// What `server/discover` tells of a server (E2). What is JSON goes out byte for byte.
public struct Discovery: Sendable {
    public var supported = ["2026-07-28"]
    public var capabilities: Data?
    public var serverInfo: Data?
    public var instructions: String?
    /// How long the answer may be kept, in milliseconds, and by whom: `public` or `private`.
    public var ttl: UInt64?
    public var cacheScope: String?

    public init() {}

    public func result() throws -> Data {
        let loan = Loan()
        var raw = mrtr_discovery()
        mrtr_discovery_init(&raw, size(mrtr_discovery.self), UInt32(MRTR_ABI))
        raw.supported = loan.list(supported.map { loan.slice($0) })
        raw.supported_count = supported.count
        raw.capabilities = loan.slice(optional: capabilities)
        raw.server_info = loan.slice(optional: serverInfo)
        raw.instructions = loan.slice(optional: instructions)
        if let ttl { raw.ttl_ms = ttl }
        raw.cache_scope = loan.slice(optional: cacheScope)
        var out = mrtr_buf()
        var error = mrtr_error()
        try check(withExtendedLifetime(loan) { mrtr_discovery_result(&raw, &out, &error) }, error)
        return take(out)
    }
}
