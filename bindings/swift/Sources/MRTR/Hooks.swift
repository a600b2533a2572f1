import CMRTR
import Foundation

/// A claim-once store that any number of processes share (S11).
public protocol TokenGuard: Sendable {
    /// True if the id was not claimed before and is now, until `until` at least; false if it was. Atomic over all who share
    /// the store: of many claims of one id at once exactly one is true. What it throws refuses the token as `guardFailed`.
    /// Both times are those of the call, so their difference is how long to keep the id.
    func claim(tokenID: Data, until: Date, now: Date) throws -> Bool
}

/// The host's own protection of bytes, in place of keys: a key service, say (S13). `unseal` must authenticate.
public protocol StateCrypto: Sendable {
    /// What it throws fails the seal as `cryptoFailed`.
    func seal(_ plain: Data) throws -> Data
    /// What it throws refuses the token as `tampered`.
    func unseal(_ sealed: Data) throws -> Data
}

/// What a host does for its sealer, and hears of it: called on whichever thread seals or opens, many at once.
public struct SealerHooks: Sendable {
    /// Accepts each token once, over all processes that share its store.
    public var tokenGuard: (any TokenGuard)?
    /// Protects states in place of keys; claims stay the library's.
    public var crypto: (any StateCrypto)?
    /// Hears why a token was refused, and nothing of its content.
    public var onRefused: (@Sendable (Code) -> Void)?
    /// Hears what the guard or the crypto threw.
    public var onHookError: (@Sendable (any Error) -> Void)?

    public init() {}

    var isEmpty: Bool { tokenGuard == nil && crypto == nil && onRefused == nil }
}

private final class HookBox: Sendable {
    let hooks: SealerHooks
    init(_ hooks: SealerHooks) { self.hooks = hooks }

    static func of(_ user: UnsafeMutableRawPointer?) -> SealerHooks? {
        user.map { Unmanaged<HookBox>.fromOpaque($0).takeUnretainedValue().hooks }
    }
}

extension SealerHooks {
    /// The C table; its user data is a box that `destroy` lets go of.
    func table() -> mrtr_sealer_callbacks {
        var table = mrtr_sealer_callbacks()
        mrtr_sealer_callbacks_init(&table, size(mrtr_sealer_callbacks.self), UInt32(MRTR_ABI))
        table.user_data = Unmanaged.passRetained(HookBox(self)).toOpaque()
        table.destroy = { user in user.map { Unmanaged<HookBox>.fromOpaque($0).release() } }
        if tokenGuard != nil {
            table.claim = { user, id, until, now, claimed in
                guard let hooks = HookBox.of(user), let tokenGuard = hooks.tokenGuard, let id, let claimed else { return }
                hooks.safely {
                    let first = try tokenGuard.claim(
                        tokenID: Data(bytes: id, count: 16), until: instant(until), now: instant(now))
                    claimed.pointee = UInt32(first ? MRTR_CLAIM_FIRST : MRTR_CLAIM_USED)
                }
            }
        }
        if crypto != nil {
            table.seal = { user, plain, sealed in
                HookBox.of(user)?.change(plain, sealed) { try $0.seal($1) }
            }
            table.unseal = { user, sealed, plain in
                HookBox.of(user)?.change(sealed, plain) { try $0.unseal($1) }
            }
        }
        if onRefused != nil {
            table.refused = { user, reason in HookBox.of(user)?.onRefused?(Code(rawValue: reason)) }
        }
        return table
    }

    private func safely(_ work: () throws -> Void) {
        do { try work() } catch { onHookError?(error) }
    }

    private func change(
        _ bytes: mrtr_slice, _ out: UnsafeMutablePointer<mrtr_buf>?, by: (any StateCrypto, Data) throws -> Data
    ) {
        guard let crypto else { return }
        safely {
            let loan = Loan()
            let made = loan.slice(try by(crypto, data(bytes) ?? Data()))
            _ = withExtendedLifetime(loan) { mrtr_buf_copy(made, out, nil) }
        }
    }
}

private final class HearingBox: Sendable {
    let hear: @Sendable (Issued) -> Void
    init(_ hear: @escaping @Sendable (Issued) -> Void) { self.hear = hear }
}

/// The C table of a server's `onIssued`; its user data is a box that `destroy` lets go of.
func hearing(_ hear: @escaping @Sendable (Issued) -> Void) -> mrtr_server_callbacks {
    var table = mrtr_server_callbacks()
    mrtr_server_callbacks_init(&table, size(mrtr_server_callbacks.self), UInt32(MRTR_ABI))
    table.user_data = Unmanaged.passRetained(HearingBox(hear)).toOpaque()
    table.destroy = { user in user.map { Unmanaged<HearingBox>.fromOpaque($0).release() } }
    table.issued = { user, issued in
        guard let user, let raw = issued?.pointee else { return }
        let keys = UnsafeBufferPointer(start: raw.keys, count: raw.key_count).map { text($0) ?? "" }
        let told = Issued(
            flowID: bytes16(raw.flow_id), round: raw.round, method: text(raw.method) ?? "", keys: keys,
            expires: instant(raw.expires_ms))
        Unmanaged<HearingBox>.fromOpaque(user).takeUnretainedValue().hear(told)
    }
    return table
}

/// Numbers of a `Sealer` since it was made; never content.
public struct Counters: Sendable {
    public let sealed: UInt64
    public let sealedBytes: UInt64
    public let opened: UInt64
    public let openedBytes: UInt64
    public let refused: UInt64
    /// The refusals by their code.
    public let reasons: [Code: UInt64]
}

extension Sealer {
    /// What was sealed, opened and refused so far, also by servers that use the sealer.
    public func counters() throws -> Counters {
        var out = mrtr_sealer_counters()
        out.struct_size = size(mrtr_sealer_counters.self)
        var error = mrtr_error()
        try check(withExtendedLifetime(self) { mrtr_sealer_get_counters(mrtr_sealer(id: handle.id), &out, &error) }, error)
        return Counters(
            sealed: out.sealed, sealedBytes: out.sealed_bytes, opened: out.opened, openedBytes: out.opened_bytes,
            refused: out.refused,
            reasons: [
                .wrongType: out.wrong_type, .tooLarge: out.too_large, .malformed: out.malformed, .unknownKey: out.unknown_key,
                .tampered: out.tampered, .notYetValid: out.not_yet_valid, .expired: out.expired,
                .flowExpired: out.flow_expired, .tooManyRounds: out.too_many_rounds, .wrongAudience: out.wrong_audience,
                .wrongPrincipal: out.wrong_principal, .wrongRequest: out.wrong_request, .replayed: out.replayed,
                .guardFailed: out.guard_failed,
            ])
    }
}

/// For gateways: a backend's state inside ours, keys of asks that do not meet, and what is passed on (S14).
public enum Gateway {
    /// Host state that carries the `requestState` of a backend, any string, with the backend's name.
    public static func wrap(backend: String, state: String) throws -> Data {
        try made(mrtr_gateway_wrap, backend, state)
    }

    /// What `wrap` made; nil for anything else.
    public static func unwrap(_ hostState: Data) throws -> (backend: String, state: String)? {
        try parts(mrtr_gateway_unwrap, hostState)
    }

    /// The key of a backend's ask as the gateway's own client sees it.
    public static func prefix(backend: String, key: String) throws -> String {
        String(decoding: try made(mrtr_gateway_prefix, backend, key), as: UTF8.self)
    }

    /// What `prefix` made; nil for anything else, a key of the gateway's own, say.
    public static func split(_ prefixed: String) throws -> (backend: String, key: String)? {
        try parts(mrtr_gateway_split, Data(prefixed.utf8)).map { (backend: $0.backend, key: $0.state) }
    }

    /// The params of the request that goes on to a backend: the end client's own, `_meta` with its capabilities among them, byte
    /// for byte. Of its answers those of this backend are in it, under the backend's own keys; the state is the backend's, out of
    /// `hostState`. Open the gateway's own state before: nothing is checked here.
    public static func params(backend: String, params: Data?, hostState: Data? = nil) throws -> Data {
        try passed(backend) { loan, backend, out, error in
            mrtr_gateway_params(backend, loan.slice(optional: params), loan.slice(optional: hostState), out, error)
        }
    }

    /// The state of a backend's result as host state, ready to be sealed; nil if it asks nothing or has no state.
    public static func state(backend: String, result: Data) throws -> Data? {
        var has: UInt32 = 0
        let made = try passed(backend) { loan, backend, out, error in
            mrtr_gateway_state(backend, loan.slice(result), &has, out, error)
        }
        return has == 0 ? nil : made
    }

    /// A backend's result as the end client gets it: keys of asks with the backend's prefix, and `state`, the gateway's own token,
    /// in place of the backend's. A result that asks nothing comes back as it is.
    public static func result(backend: String, result: Data, state: String? = nil) throws -> Data {
        try passed(backend) { loan, backend, out, error in
            mrtr_gateway_result(backend, loan.slice(result), loan.slice(optional: state), out, error)
        }
    }

    private static func passed(
        _ backend: String, _ call: (Loan, mrtr_slice, UnsafeMutablePointer<mrtr_buf>, UnsafeMutablePointer<mrtr_error>) -> mrtr_status
    ) throws -> Data {
        let loan = Loan()
        var out = mrtr_buf()
        var error = mrtr_error()
        try check(withExtendedLifetime(loan) { call(loan, loan.slice(backend), &out, &error) }, error)
        return take(out)
    }

    private typealias Slices = UnsafeMutablePointer<mrtr_slice>

    private static func made(
        _ function: (mrtr_slice, mrtr_slice, UnsafeMutablePointer<mrtr_buf>?, UnsafeMutablePointer<mrtr_error>?) -> mrtr_status,
        _ backend: String, _ text: String
    ) throws -> Data {
        let loan = Loan()
        var out = mrtr_buf()
        var error = mrtr_error()
        let (first, second) = (loan.slice(backend), loan.slice(text))
        try check(withExtendedLifetime(loan) { function(first, second, &out, &error) }, error)
        return take(out)
    }

    private static func parts(
        _ function: (mrtr_slice, Slices?, Slices?, UnsafeMutablePointer<mrtr_error>?) -> mrtr_status, _ whole: Data
    ) throws -> (backend: String, state: String)? {
        let loan = Loan()
        var (first, second) = (mrtr_slice(), mrtr_slice())
        var error = mrtr_error()
        let slice = loan.slice(whole)
        return try withExtendedLifetime(loan) {
            try check(function(slice, &first, &second, &error), error)
            guard let backend = text(first), let rest = text(second) else { return nil }
            return (backend, rest)
        }
    }
}
