"""Error codes. Generated from src/protocol/codes.toml: do not edit."""

from enum import IntEnum


class Code(IntEnum):
    """What went wrong. A number is never reused; a library newer than this file may have more."""

    NULL_ARGUMENT = 101  # A required pointer, slice or handle is null.
    STALE_HANDLE = 102  # The handle was freed, or never was one of this library.
    WRONG_HANDLE = 103  # The handle belongs to another kind of object, or to another copy of the library.
    NOT_UTF8 = 104  # A text is not UTF-8.
    BAD_STRUCT_SIZE = 105  # The size in a struct is too small, or its tail beyond what this library knows is not zero.
    ABI_MISMATCH = 106  # The header that the program was built with does not fit this library.
    BAD_ARGUMENT = 107  # An argument is outside its range, or names something that does not exist.
    WRONG_STATE = 108  # The object cannot do this now.
    PANIC = 109  # A fault inside the library was caught.
    POISONED = 110  # An earlier fault left the object unusable.
    UNSUPPORTED = 111  # This build of the library cannot do this.
    BUSY = 112  # The object is in use by another call.
    SMALL_BUFFER = 113  # The memory that was given for the result is too small.
    BAD_JSON = 201  # A text is not JSON, holds a member twice, or is not the kind of value that is needed.
    TOO_LARGE = 202  # Something is longer or deeper than its limit.
    TOO_MANY = 203  # There are more entries than the limit allows.
    DUPLICATE_KEY = 301  # Two asks of one result have the same key.
    EMPTY_RESULT = 302  # An input_required result needs an ask or a state.
    METHOD_NOT_ALLOWED = 303  # This method cannot be answered with input_required.
    UNKNOWN_KIND = 304  # An ask is no object, or its method is not one that can be asked.
    MISSING_PARAMS = 305  # An ask lacks its params or a required member of them.
    BAD_MODE = 306  # The mode of an elicitation is neither form nor url.
    BAD_SCHEMA = 307  # A form schema goes beyond what a form can show.
    SECRET_FIELD = 308  # A form asks for a secret.
    BAD_URL = 309  # The URL of an ask cannot be shown to a user.
    BAD_SAMPLING = 310  # The params of a sampling ask contradict themselves.
    MISSING_CAPABILITY = 311  # The client did not declare what the asks need.
    NO_BACK_CHANNEL = 312  # The client is of an older era, and there is no way to send it a request.
    CONFIG_ERROR = 400  # An option is out of its range, or options contradict each other.
    MALFORMED = 401  # The state is no token of this library.
    UNKNOWN_KEY = 402  # The state was sealed with a key that is not in the ring.
    TAMPERED = 403  # The state was changed after it was sealed.
    EXPIRED = 404  # The state is older than its lifetime.
    NOT_YET_VALID = 405  # The state was sealed in the future.
    FLOW_EXPIRED = 406  # The whole flow took longer than it may.
    TOO_MANY_ROUNDS = 407  # The flow went through more rounds than it may.
    WRONG_PRINCIPAL = 408  # The state was sealed for someone else.
    WRONG_REQUEST = 409  # The state was sealed for another method, target or arguments.
    WRONG_AUDIENCE = 410  # The state was sealed for another service.
    REPLAYED = 411  # The state was used before, and each may be used once.
    WRONG_TYPE = 412  # requestState is neither a string nor null.
    NO_RANDOM = 413  # The random source of the system failed.
    GUARD_FAILED = 414  # The store that remembers used states did not answer, so the state was refused.
    CRYPTO_FAILED = 415  # The crypto that the host brought did not seal.
    INVALID_PARAMS = 501  # The params of the request are not what the method takes.
    MISSING_META = 502  # The request lacks a required member of _meta.
    HEADER_MISMATCH = 503  # A header says something else than the request itself.
    UNSUPPORTED_VERSION = 504  # The protocol version of the request is not served.
    METHOD_NOT_FOUND = 505  # The method is not known.
    NOTHING_PENDING = 506  # Nothing is left to ask.
    INVALID_TOOL = 507  # A tool marks parameters for headers in a way that the protocol forbids.
    RPC_ERROR = 601  # The server answered with a JSON-RPC error.
    INPUT_REQUIRED = 602  # The server asks for what nobody here can answer, or the caller wants to answer by hand.
    REFUSED = 603  # The user refused; nothing was sent.
    UNAVAILABLE = 604  # Nobody could be asked.
    HANDLER_FAILED = 605  # A handler failed or gave an answer that does not fit its ask.
    CANCELLED = 606  # The caller cancelled the flow.
    LEG_TIMEOUT = 607  # The server did not answer in time.
    INPUT_TIMEOUT = 608  # A person did not answer in time.
    FLOW_TIMEOUT = 609  # The whole flow took longer than it may.
    ROUNDS_EXCEEDED = 610  # The server asked more often than it may.
    POLL_BUDGET_EXCEEDED = 611  # The server kept the client waiting longer than it may.
    INVALID_RESULT = 612  # The server's result breaks the protocol; nothing was shown or sent.
    LOST = 613  # The connection was lost.


NAMES: dict[int, str] = {code.value: code.name.lower() for code in Code}

REMEDIES: dict[int, str] = {
    101: "Pass a value; only arguments documented as optional may be null.",
    102: "Do not use a handle after freeing it; free it once.",
    103: "Pass the handle that the function asks for.",
    104: "Encode texts as UTF-8.",
    105: "Fill the struct with its init function, from the header of this library.",
    106: "Build again with the header of the library that is loaded.",
    107: "See the message; correct the argument.",
    108: "See the order of calls in the documentation of the function.",
    109: "Free the object and report the message.",
    110: "Free it and make a new one.",
    111: "Use a build with the feature that the message names.",
    112: "Call again when the other call has returned.",
    113: "Call again with the room that the function says it needs.",
    201: "Correct the text at the spot that the error names.",
    202: "Send less, or raise the limit that the message names.",
    203: "Send fewer, or raise the limit that the message names.",
    301: "Give each ask a key of its own.",
    302: "Add an ask or a state, or return a complete result.",
    303: "Ask only while serving tools/call, prompts/get or resources/read.",
    304: "Use elicitation/create, sampling/createMessage or roots/list.",
    305: "Add the member that the error names.",
    306: "Use form or url, or leave the mode out for a form.",
    307: "Correct the schema at the spot that the error names.",
    308: "Ask for secrets on a page of your own, by a URL ask; or allow the field by its name.",
    309: "Use an absolute https URL without user-info and control characters.",
    310: "Correct the params at the spot that the error names.",
    311: "Ask for less, filter the asks, or send the error on: it tells the client what is needed.",
    312: "Send the refusal on; serve such clients over a session with a stream.",
    400: "Correct the option that the message names.",
    401: "Nothing to do: the client has to start again.",
    402: "Keep a retired key in the ring until the last of its tokens has expired.",
    403: "Nothing to do: the client has to start again.",
    404: "Raise the lifetime if people need longer to answer.",
    405: "Set the clocks of the servers right, or raise the allowed skew.",
    406: "Raise the maximum age of a flow if it has to.",
    407: "Ask for more at once, or raise the maximum of rounds.",
    408: "Bind the same principal when sealing and opening.",
    409: "Nothing to do: a retry repeats the request.",
    410: "Give all servers of one service the same audience.",
    411: "Nothing to do: the client has to start again.",
    412: "Nothing to do: the client sent something else than it was given.",
    413: "Try again; if it lasts, the system is broken.",
    414: "Look after the store; the client may send the same request again when it answers.",
    415: "Look after the host's key service.",
    501: "The client has to correct the request.",
    502: "The client has to state protocol version and capabilities in every request.",
    503: "The client has to send headers that repeat the request.",
    504: "The client may retry with a version that the error names.",
    505: "The client has to call a method that the server offers.",
    506: "Return the complete result of the call.",
    507: "Leave the tool out of the list; report it to the server's makers.",
    601: "See the JSON-RPC error.",
    602: "Answer by the continuation.",
    603: "Do not ask again by yourself.",
    604: "Resume by the continuation when there is someone.",
    605: "Correct the handler; resume by the continuation.",
    606: "Resume by the continuation if it was not meant.",
    607: "Resume by the continuation, or allow more time for a leg.",
    608: "Resume by the continuation, or allow more time for input.",
    609: "Resume by the continuation, or allow more time for the flow.",
    610: "Resume by the continuation, or allow more rounds.",
    611: "Resume by the continuation later.",
    612: "Report the kept result to the server's makers.",
    613: "Resume by the continuation; the server may have seen the request.",
}
