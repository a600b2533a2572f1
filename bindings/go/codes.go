// Code generated from src/protocol/codes.toml. DO NOT EDIT.

package mrtr

import "strconv"

// Code says what went wrong. A number is never reused; a library newer than this file may have more.
type Code int32

// The error codes.
const (
	// CodeNullArgument: A required pointer, slice or handle is null.
	CodeNullArgument Code = 101
	// CodeStaleHandle: The handle was freed, or never was one of this library.
	CodeStaleHandle Code = 102
	// CodeWrongHandle: The handle belongs to another kind of object, or to another copy of the library.
	CodeWrongHandle Code = 103
	// CodeNotUtf8: A text is not UTF-8.
	CodeNotUtf8 Code = 104
	// CodeBadStructSize: The size in a struct is too small, or its tail beyond what this library knows is not zero.
	CodeBadStructSize Code = 105
	// CodeAbiMismatch: The header that the program was built with does not fit this library.
	CodeAbiMismatch Code = 106
	// CodeBadArgument: An argument is outside its range, or names something that does not exist.
	CodeBadArgument Code = 107
	// CodeWrongState: The object cannot do this now.
	CodeWrongState Code = 108
	// CodePanic: A fault inside the library was caught.
	CodePanic Code = 109
	// CodePoisoned: An earlier fault left the object unusable.
	CodePoisoned Code = 110
	// CodeUnsupported: This build of the library cannot do this.
	CodeUnsupported Code = 111
	// CodeBusy: The object is in use by another call.
	CodeBusy Code = 112
	// CodeSmallBuffer: The memory that was given for the result is too small.
	CodeSmallBuffer Code = 113
	// CodeBadJson: A text is not JSON, holds a member twice, or is not the kind of value that is needed.
	CodeBadJson Code = 201
	// CodeTooLarge: Something is longer or deeper than its limit.
	CodeTooLarge Code = 202
	// CodeTooMany: There are more entries than the limit allows.
	CodeTooMany Code = 203
	// CodeDuplicateKey: Two asks of one result have the same key.
	CodeDuplicateKey Code = 301
	// CodeEmptyResult: An input_required result needs an ask or a state.
	CodeEmptyResult Code = 302
	// CodeMethodNotAllowed: This method cannot be answered with input_required.
	CodeMethodNotAllowed Code = 303
	// CodeUnknownKind: An ask is no object, or its method is not one that can be asked.
	CodeUnknownKind Code = 304
	// CodeMissingParams: An ask lacks its params or a required member of them.
	CodeMissingParams Code = 305
	// CodeBadMode: The mode of an elicitation is neither form nor url.
	CodeBadMode Code = 306
	// CodeBadSchema: A form schema goes beyond what a form can show.
	CodeBadSchema Code = 307
	// CodeSecretField: A form asks for a secret.
	CodeSecretField Code = 308
	// CodeBadUrl: The URL of an ask cannot be shown to a user.
	CodeBadUrl Code = 309
	// CodeBadSampling: The params of a sampling ask contradict themselves.
	CodeBadSampling Code = 310
	// CodeMissingCapability: The client did not declare what the asks need.
	CodeMissingCapability Code = 311
	// CodeNoBackChannel: The client is of an older era, and there is no way to send it a request.
	CodeNoBackChannel Code = 312
	// CodeConfigError: An option is out of its range, or options contradict each other.
	CodeConfigError Code = 400
	// CodeMalformed: The state is no token of this library.
	CodeMalformed Code = 401
	// CodeUnknownKey: The state was sealed with a key that is not in the ring.
	CodeUnknownKey Code = 402
	// CodeTampered: The state was changed after it was sealed.
	CodeTampered Code = 403
	// CodeExpired: The state is older than its lifetime.
	CodeExpired Code = 404
	// CodeNotYetValid: The state was sealed in the future.
	CodeNotYetValid Code = 405
	// CodeFlowExpired: The whole flow took longer than it may.
	CodeFlowExpired Code = 406
	// CodeTooManyRounds: The flow went through more rounds than it may.
	CodeTooManyRounds Code = 407
	// CodeWrongPrincipal: The state was sealed for someone else.
	CodeWrongPrincipal Code = 408
	// CodeWrongRequest: The state was sealed for another method, target or arguments.
	CodeWrongRequest Code = 409
	// CodeWrongAudience: The state was sealed for another service.
	CodeWrongAudience Code = 410
	// CodeReplayed: The state was used before, and each may be used once.
	CodeReplayed Code = 411
	// CodeWrongType: requestState is neither a string nor null.
	CodeWrongType Code = 412
	// CodeNoRandom: The random source of the system failed.
	CodeNoRandom Code = 413
	// CodeGuardFailed: The store that remembers used states did not answer, so the state was refused.
	CodeGuardFailed Code = 414
	// CodeCryptoFailed: The crypto that the host brought did not seal.
	CodeCryptoFailed Code = 415
	// CodeInvalidParams: The params of the request are not what the method takes.
	CodeInvalidParams Code = 501
	// CodeMissingMeta: The request lacks a required member of _meta.
	CodeMissingMeta Code = 502
	// CodeHeaderMismatch: A header says something else than the request itself.
	CodeHeaderMismatch Code = 503
	// CodeUnsupportedVersion: The protocol version of the request is not served.
	CodeUnsupportedVersion Code = 504
	// CodeMethodNotFound: The method is not known.
	CodeMethodNotFound Code = 505
	// CodeNothingPending: Nothing is left to ask.
	CodeNothingPending Code = 506
	// CodeInvalidTool: A tool marks parameters for headers in a way that the protocol forbids.
	CodeInvalidTool Code = 507
	// CodeRpcError: The server answered with a JSON-RPC error.
	CodeRpcError Code = 601
	// CodeInputRequired: The server asks for what nobody here can answer, or the caller wants to answer by hand.
	CodeInputRequired Code = 602
	// CodeRefused: The user refused; nothing was sent.
	CodeRefused Code = 603
	// CodeUnavailable: Nobody could be asked.
	CodeUnavailable Code = 604
	// CodeHandlerFailed: A handler failed or gave an answer that does not fit its ask.
	CodeHandlerFailed Code = 605
	// CodeCancelled: The caller cancelled the flow.
	CodeCancelled Code = 606
	// CodeLegTimeout: The server did not answer in time.
	CodeLegTimeout Code = 607
	// CodeInputTimeout: A person did not answer in time.
	CodeInputTimeout Code = 608
	// CodeFlowTimeout: The whole flow took longer than it may.
	CodeFlowTimeout Code = 609
	// CodeRoundsExceeded: The server asked more often than it may.
	CodeRoundsExceeded Code = 610
	// CodePollBudgetExceeded: The server kept the client waiting longer than it may.
	CodePollBudgetExceeded Code = 611
	// CodeInvalidResult: The server's result breaks the protocol; nothing was shown or sent.
	CodeInvalidResult Code = 612
	// CodeLost: The connection was lost.
	CodeLost Code = 613
)

// String is the name of the code, such as "expired".
func (c Code) String() string {
	switch c {
	case CodeNullArgument:
		return "null_argument"
	case CodeStaleHandle:
		return "stale_handle"
	case CodeWrongHandle:
		return "wrong_handle"
	case CodeNotUtf8:
		return "not_utf8"
	case CodeBadStructSize:
		return "bad_struct_size"
	case CodeAbiMismatch:
		return "abi_mismatch"
	case CodeBadArgument:
		return "bad_argument"
	case CodeWrongState:
		return "wrong_state"
	case CodePanic:
		return "panic"
	case CodePoisoned:
		return "poisoned"
	case CodeUnsupported:
		return "unsupported"
	case CodeBusy:
		return "busy"
	case CodeSmallBuffer:
		return "small_buffer"
	case CodeBadJson:
		return "bad_json"
	case CodeTooLarge:
		return "too_large"
	case CodeTooMany:
		return "too_many"
	case CodeDuplicateKey:
		return "duplicate_key"
	case CodeEmptyResult:
		return "empty_result"
	case CodeMethodNotAllowed:
		return "method_not_allowed"
	case CodeUnknownKind:
		return "unknown_kind"
	case CodeMissingParams:
		return "missing_params"
	case CodeBadMode:
		return "bad_mode"
	case CodeBadSchema:
		return "bad_schema"
	case CodeSecretField:
		return "secret_field"
	case CodeBadUrl:
		return "bad_url"
	case CodeBadSampling:
		return "bad_sampling"
	case CodeMissingCapability:
		return "missing_capability"
	case CodeNoBackChannel:
		return "no_back_channel"
	case CodeConfigError:
		return "config_error"
	case CodeMalformed:
		return "malformed"
	case CodeUnknownKey:
		return "unknown_key"
	case CodeTampered:
		return "tampered"
	case CodeExpired:
		return "expired"
	case CodeNotYetValid:
		return "not_yet_valid"
	case CodeFlowExpired:
		return "flow_expired"
	case CodeTooManyRounds:
		return "too_many_rounds"
	case CodeWrongPrincipal:
		return "wrong_principal"
	case CodeWrongRequest:
		return "wrong_request"
	case CodeWrongAudience:
		return "wrong_audience"
	case CodeReplayed:
		return "replayed"
	case CodeWrongType:
		return "wrong_type"
	case CodeNoRandom:
		return "no_random"
	case CodeGuardFailed:
		return "guard_failed"
	case CodeCryptoFailed:
		return "crypto_failed"
	case CodeInvalidParams:
		return "invalid_params"
	case CodeMissingMeta:
		return "missing_meta"
	case CodeHeaderMismatch:
		return "header_mismatch"
	case CodeUnsupportedVersion:
		return "unsupported_version"
	case CodeMethodNotFound:
		return "method_not_found"
	case CodeNothingPending:
		return "nothing_pending"
	case CodeInvalidTool:
		return "invalid_tool"
	case CodeRpcError:
		return "rpc_error"
	case CodeInputRequired:
		return "input_required"
	case CodeRefused:
		return "refused"
	case CodeUnavailable:
		return "unavailable"
	case CodeHandlerFailed:
		return "handler_failed"
	case CodeCancelled:
		return "cancelled"
	case CodeLegTimeout:
		return "leg_timeout"
	case CodeInputTimeout:
		return "input_timeout"
	case CodeFlowTimeout:
		return "flow_timeout"
	case CodeRoundsExceeded:
		return "rounds_exceeded"
	case CodePollBudgetExceeded:
		return "poll_budget_exceeded"
	case CodeInvalidResult:
		return "invalid_result"
	case CodeLost:
		return "lost"
	}
	return "code " + strconv.Itoa(int(c))
}
