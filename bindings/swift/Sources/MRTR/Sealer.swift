import CMRTR
import Foundation

/// The ciphers: two that hide the state, and one that only signs it, for debugging (S1).
public enum Cipher: UInt32, Sendable {
    case aes256gcm = 1
    case chacha20poly1305 = 2
    case signed = 3
}

/// Options of a `Sealer`; nil is the library's default.
public struct SealerOptions: Sendable {
    public var cipher = Cipher.aes256gcm
    /// How long a token lives, how far in the future it may have been issued, how long a whole flow may take (S6).
    public var ttl: Duration?
    public var skew: Duration?
    public var maxAge: Duration?
    public var maxRounds: UInt32?
    public var maxStateBytes: UInt64?
    public var maxTokenBytes: UInt64?
    /// Binds tokens to a service name.
    public var audience: String?
    /// Accepts each token once, remembered in this process (S11).
    public var singleUse = false
    /// How many tokens it remembers; when it is full, requests are refused.
    public var guardCapacity: UInt64?
    /// What the host does for the sealer.
    public var hooks = SealerHooks()

    public init() {}
}

/// A state that came back.
public struct Opened: Sendable {
    /// What the host put in; nil if nothing.
    public let state: Data?
    /// Counts from 1.
    public let round: UInt32
    /// The same in every round, and not to be guessed: an idempotency key. `tokenID` is this token's own.
    public let flowID: Data
    public let tokenID: Data
    public let issued: Date
    public let expires: Date
    public let flowStart: Date
}

/// Seals and opens `requestState` (S1-S15). Safe to share.
public final class Sealer: Sendable {
    let handle: Handle

    /// The first key seals, every key opens; keys are secrets of at least 32 bytes (S7).
    public convenience init(keys: [Data], options: SealerOptions = SealerOptions()) throws {
        try self.init(keys: keys, ephemeral: false, options)
    }

    /// A key that dies with this process: only for a server of one process (S1).
    public static func ephemeral(options: SealerOptions = SealerOptions()) throws -> Sealer {
        try Sealer(keys: [], ephemeral: true, options)
    }

    private init(keys: [Data], ephemeral: Bool, _ options: SealerOptions) throws {
        let loan = Loan()
        var raw = mrtr_sealer_options()
        mrtr_sealer_options_init(&raw, size(mrtr_sealer_options.self), UInt32(MRTR_ABI))
        raw.keys = loan.list(keys.map { loan.slice($0) })
        raw.key_count = keys.count
        raw.cipher = options.cipher.rawValue
        raw.ephemeral = flag(ephemeral)
        raw.single_use = flag(options.singleUse)
        raw.audience = loan.slice(optional: options.audience)
        if let ttl = options.ttl { raw.ttl_ms = try milliseconds("ttl", ttl) }
        if let skew = options.skew { raw.skew_ms = try milliseconds("skew", skew) }
        if let age = options.maxAge { raw.max_age_ms = try milliseconds("maxAge", age) }
        if let rounds = options.maxRounds { raw.max_rounds = rounds }
        if let bytes = options.maxStateBytes { raw.max_state_bytes = bytes }
        if let bytes = options.maxTokenBytes { raw.max_token_bytes = bytes }
        if let capacity = options.guardCapacity { raw.guard_capacity = capacity }
        var out = mrtr_sealer()
        var error = mrtr_error()
        if !options.hooks.isEmpty { raw.callbacks = loan.list([options.hooks.table()]) }
        let status = withExtendedLifetime(loan) { mrtr_sealer_new(&raw, &out, &error) }
        if status != 0, let table = raw.callbacks?.pointee { table.destroy(table.user_data) }
        try check(status, error)
        handle = Handle(out.id) { _ = mrtr_sealer_free(mrtr_sealer(id: $0)) }
    }

    /// Replaces the key ring at once, for all threads. Rotate in three steps: old+new, new+old, new (S7).
    public func setKeys(_ keys: [Data]) throws {
        let loan = Loan()
        var error = mrtr_error()
        let list = loan.list(keys.map { loan.slice($0) })
        let status = withExtendedLifetime((loan, self)) {
            mrtr_sealer_set_keys(mrtr_sealer(id: handle.id), list, keys.count, &error)
        }
        try check(status, error)
    }

    /// Seals the host's state for a request; nil is none, empty is an empty state (D13). `previous` is the token of the
    /// round before, whose flow goes on.
    public func seal(_ request: Request, state: Data?, previous: String? = nil, at time: Date? = nil) throws -> String {
        let loan = Loan()
        var raw = loan.request(request)
        var token = mrtr_buf()
        var error = mrtr_error()
        let now = try wall(time)
        let (bytes, before) = (loan.slice(optional: state), loan.slice(optional: previous))
        let status = withExtendedLifetime((loan, self)) {
            mrtr_sealer_seal(mrtr_sealer(id: handle.id), &raw, bytes, before, now, &token, &error)
        }
        try check(status, error)
        return String(decoding: take(token), as: UTF8.self)
    }

    /// Opens a token that came back. A refusal throws: `code` is the true reason, `rpc` says the same for every cause (S9).
    public func open(_ request: Request, token: String, at time: Date? = nil) throws -> Opened {
        let loan = Loan()
        var raw = loan.request(request)
        var out = mrtr_opened()
        out.struct_size = size(mrtr_opened.self)
        var error = mrtr_error()
        let now = try wall(time)
        let slice = loan.slice(token)
        let status = withExtendedLifetime((loan, self)) {
            mrtr_sealer_open(mrtr_sealer(id: handle.id), &raw, slice, now, &out, &error)
        }
        try check(status, error)
        let opened = Opened(
            state: out.has_state != 0 ? data(out.state) ?? Data() : nil, round: out.round, flowID: bytes16(out.flow_id),
            tokenID: bytes16(out.token_id), issued: instant(out.issued_ms), expires: instant(out.expires_ms),
            flowStart: instant(out.flow_start_ms))
        mrtr_buf_free(&out.storage)
        return opened
    }
}

func bytes16<T>(_ tuple: T) -> Data { withUnsafeBytes(of: tuple) { Data($0) } }

// What is printed tells no content.
extension Opened: CustomStringConvertible, CustomReflectable {
    public var description: String { "Opened(round \(round), \(state?.count ?? 0) bytes)" }
    public var customMirror: Mirror { Mirror(self, children: [:]) }
}
