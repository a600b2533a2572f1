// Error codes. Generated from src/protocol/codes.toml: do not edit.

/// What went wrong. A number is never reused; a library newer than this file may have more.
public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
    public let rawValue: Int32
    public init(rawValue: Int32) { self.rawValue = rawValue }

    /// A required pointer, slice or handle is null.
    public static let nullArgument = Code(rawValue: 101)
    /// The handle was freed, or never was one of this library.
    public static let staleHandle = Code(rawValue: 102)
    /// The handle belongs to another kind of object, or to another copy of the library.
    public static let wrongHandle = Code(rawValue: 103)
    /// A text is not UTF-8.
    public static let notUtf8 = Code(rawValue: 104)
    /// The size in a struct is too small, or its tail beyond what this library knows is not zero.
    public static let badStructSize = Code(rawValue: 105)
    /// The header that the program was built with does not fit this library.
    public static let abiMismatch = Code(rawValue: 106)
    /// An argument is outside its range, or names something that does not exist.
    public static let badArgument = Code(rawValue: 107)
    /// The object cannot do this now.
    public static let wrongState = Code(rawValue: 108)
    /// A fault inside the library was caught.
    public static let panic = Code(rawValue: 109)
    /// An earlier fault left the object unusable.
    public static let poisoned = Code(rawValue: 110)
    /// This build of the library cannot do this.
    public static let unsupported = Code(rawValue: 111)
    /// The object is in use by another call.
    public static let busy = Code(rawValue: 112)
    /// The memory that was given for the result is too small.
    public static let smallBuffer = Code(rawValue: 113)
    /// A text is not JSON, holds a member twice, or is not the kind of value that is needed.
    public static let badJson = Code(rawValue: 201)
    /// Something is longer or deeper than its limit.
    public static let tooLarge = Code(rawValue: 202)
    /// There are more entries than the limit allows.
    public static let tooMany = Code(rawValue: 203)
    /// Two asks of one result have the same key.
    public static let duplicateKey = Code(rawValue: 301)
    /// An input_required result needs an ask or a state.
    public static let emptyResult = Code(rawValue: 302)
    /// This method cannot be answered with input_required.
    public static let methodNotAllowed = Code(rawValue: 303)
    /// An ask is no object, or its method is not one that can be asked.
    public static let unknownKind = Code(rawValue: 304)
    /// An ask lacks its params or a required member of them.
    public static let missingParams = Code(rawValue: 305)
    /// The mode of an elicitation is neither form nor url.
    public static let badMode = Code(rawValue: 306)
    /// A form schema goes beyond what a form can show.
    public static let badSchema = Code(rawValue: 307)
    /// A form asks for a secret.
    public static let secretField = Code(rawValue: 308)
    /// The URL of an ask cannot be shown to a user.
    public static let badUrl = Code(rawValue: 309)
    /// The params of a sampling ask contradict themselves.
    public static let badSampling = Code(rawValue: 310)
    /// The client did not declare what the asks need.
    public static let missingCapability = Code(rawValue: 311)
    /// The client is of an older era, and there is no way to send it a request.
    public static let noBackChannel = Code(rawValue: 312)
    /// An option is out of its range, or options contradict each other.
    public static let configError = Code(rawValue: 400)
    /// The state is no token of this library.
    public static let malformed = Code(rawValue: 401)
    /// The state was sealed with a key that is not in the ring.
    public static let unknownKey = Code(rawValue: 402)
    /// The state was changed after it was sealed.
    public static let tampered = Code(rawValue: 403)
    /// The state is older than its lifetime.
    public static let expired = Code(rawValue: 404)
    /// The state was sealed in the future.
    public static let notYetValid = Code(rawValue: 405)
    /// The whole flow took longer than it may.
    public static let flowExpired = Code(rawValue: 406)
    /// The flow went through more rounds than it may.
    public static let tooManyRounds = Code(rawValue: 407)
    /// The state was sealed for someone else.
    public static let wrongPrincipal = Code(rawValue: 408)
    /// The state was sealed for another method, target or arguments.
    public static let wrongRequest = Code(rawValue: 409)
    /// The state was sealed for another service.
    public static let wrongAudience = Code(rawValue: 410)
    /// The state was used before, and each may be used once.
    public static let replayed = Code(rawValue: 411)
    /// requestState is neither a string nor null.
    public static let wrongType = Code(rawValue: 412)
    /// The random source of the system failed.
    public static let noRandom = Code(rawValue: 413)
    /// The store that remembers used states did not answer, so the state was refused.
    public static let guardFailed = Code(rawValue: 414)
    /// The crypto that the host brought did not seal.
    public static let cryptoFailed = Code(rawValue: 415)
    /// The params of the request are not what the method takes.
    public static let invalidParams = Code(rawValue: 501)
    /// The request lacks a required member of _meta.
    public static let missingMeta = Code(rawValue: 502)
    /// A header says something else than the request itself.
    public static let headerMismatch = Code(rawValue: 503)
    /// The protocol version of the request is not served.
    public static let unsupportedVersion = Code(rawValue: 504)
    /// The method is not known.
    public static let methodNotFound = Code(rawValue: 505)
    /// Nothing is left to ask.
    public static let nothingPending = Code(rawValue: 506)
    /// A tool marks parameters for headers in a way that the protocol forbids.
    public static let invalidTool = Code(rawValue: 507)
    /// The server answered with a JSON-RPC error.
    public static let rpcError = Code(rawValue: 601)
    /// The server asks for what nobody here can answer, or the caller wants to answer by hand.
    public static let inputRequired = Code(rawValue: 602)
    /// The user refused; nothing was sent.
    public static let refused = Code(rawValue: 603)
    /// Nobody could be asked.
    public static let unavailable = Code(rawValue: 604)
    /// A handler failed or gave an answer that does not fit its ask.
    public static let handlerFailed = Code(rawValue: 605)
    /// The caller cancelled the flow.
    public static let cancelled = Code(rawValue: 606)
    /// The server did not answer in time.
    public static let legTimeout = Code(rawValue: 607)
    /// A person did not answer in time.
    public static let inputTimeout = Code(rawValue: 608)
    /// The whole flow took longer than it may.
    public static let flowTimeout = Code(rawValue: 609)
    /// The server asked more often than it may.
    public static let roundsExceeded = Code(rawValue: 610)
    /// The server kept the client waiting longer than it may.
    public static let pollBudgetExceeded = Code(rawValue: 611)
    /// The server's result breaks the protocol; nothing was shown or sent.
    public static let invalidResult = Code(rawValue: 612)
    /// The connection was lost.
    public static let lost = Code(rawValue: 613)

    /// The name of the code, such as `expired`.
    public var description: String {
        switch rawValue {
        case 101: return "null_argument"
        case 102: return "stale_handle"
        case 103: return "wrong_handle"
        case 104: return "not_utf8"
        case 105: return "bad_struct_size"
        case 106: return "abi_mismatch"
        case 107: return "bad_argument"
        case 108: return "wrong_state"
        case 109: return "panic"
        case 110: return "poisoned"
        case 111: return "unsupported"
        case 112: return "busy"
        case 113: return "small_buffer"
        case 201: return "bad_json"
        case 202: return "too_large"
        case 203: return "too_many"
        case 301: return "duplicate_key"
        case 302: return "empty_result"
        case 303: return "method_not_allowed"
        case 304: return "unknown_kind"
        case 305: return "missing_params"
        case 306: return "bad_mode"
        case 307: return "bad_schema"
        case 308: return "secret_field"
        case 309: return "bad_url"
        case 310: return "bad_sampling"
        case 311: return "missing_capability"
        case 312: return "no_back_channel"
        case 400: return "config_error"
        case 401: return "malformed"
        case 402: return "unknown_key"
        case 403: return "tampered"
        case 404: return "expired"
        case 405: return "not_yet_valid"
        case 406: return "flow_expired"
        case 407: return "too_many_rounds"
        case 408: return "wrong_principal"
        case 409: return "wrong_request"
        case 410: return "wrong_audience"
        case 411: return "replayed"
        case 412: return "wrong_type"
        case 413: return "no_random"
        case 414: return "guard_failed"
        case 415: return "crypto_failed"
        case 501: return "invalid_params"
        case 502: return "missing_meta"
        case 503: return "header_mismatch"
        case 504: return "unsupported_version"
        case 505: return "method_not_found"
        case 506: return "nothing_pending"
        case 507: return "invalid_tool"
        case 601: return "rpc_error"
        case 602: return "input_required"
        case 603: return "refused"
        case 604: return "unavailable"
        case 605: return "handler_failed"
        case 606: return "cancelled"
        case 607: return "leg_timeout"
        case 608: return "input_timeout"
        case 609: return "flow_timeout"
        case 610: return "rounds_exceeded"
        case 611: return "poll_budget_exceeded"
        case 612: return "invalid_result"
        case 613: return "lost"
        default: return "code \(rawValue)"
        }
    }
}
