/* mrtr.h: multi round-trip requests (`input_required`) of MCP 2026-07-28, both halves.
 *
 * Generated from the library's source: do not edit. CONVENTIONS.md has the rules that all of it follows,
 * ABI.md what never changes.
 */
#ifndef MRTR_H
#define MRTR_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---- slice ---- */

/**
 * Borrowed bytes: a pointer and a length.
 *
 * As an argument it is read during the call only; nothing keeps the pointer.
 * `ptr` NULL with `len` 0 means *absent* where a value is optional and *empty* where it is required;
 * `ptr` NULL with another `len` is refused (`MRTR_NULL_ARGUMENT`).
 * As a member of a struct that the library filled, it points into that struct's `storage`
 * (or to static text, where the comment says so) and dies with it.
 */
typedef struct mrtr_slice {
    /** First byte; need not be NUL-terminated. */
    const uint8_t *ptr;
    /** Number of bytes. */
    size_t len;
} mrtr_slice;

/**
 * Memory of the caller's to write into, for functions whose name ends in `_into`.
 *
 * Written during the call only, and it must not overlap what else the call is given. `ptr` NULL with `len` 0 is no room at all.
 */
typedef struct mrtr_room {
    /** First byte. */
    uint8_t *ptr;
    /** Number of bytes. */
    size_t len;
} mrtr_room;

/* ---- buf ---- */

/**
 * Bytes that the library made and the caller owns.
 *
 * Zeroed when a function that fills one is entered, filled only if it succeeds.
 * Give it back with `mrtr_buf_free`, never with `free`.
 */
typedef struct mrtr_buf {
    /** First byte; not NUL-terminated. */
    uint8_t *ptr;
    /** Number of bytes. */
    size_t len;
    /** The library's own word; do not change it. */
    size_t cap;
} mrtr_buf;

/**
 * Frees a buffer and zeroes the struct, so that freeing it again does nothing.
 *
 * Ownership: `buf` stays the caller's struct; its bytes, and all slices that point into them, are gone.
 * Threads: any, one at a time for the same buffer.
 * Errors: none; NULL and a zeroed struct are fine.
 * Since: 0.1
 */
void mrtr_buf_free(struct mrtr_buf *buf);

/* ---- error ---- */

/** 0 (`MRTR_OK`) or one of the error codes of this header; numbers are never reused. */
typedef int32_t mrtr_status;

/**
 * Handle of an error object. `{0}` is none.
 *
 * Immutable; any thread may read it. Whoever receives one frees it with `mrtr_error_free`.
 */
typedef struct mrtr_error {
    /** The library's own word; 0 = none. */
    uint64_t id;
} mrtr_error;

/** Everything an error says. Absent members have `ptr` NULL. The end of a flow is an event, not an error: what was kept of it is there. */
typedef struct mrtr_error_info {
    /** Size of this struct as the caller knows it. */
    uint32_t struct_size;
    /** The error code. */
    mrtr_status code;
    /** JSON-RPC error code to send, if `has_rpc`. */
    int64_t rpc_code;
    /** HTTP status to send with it. */
    uint32_t http_status;
    /** 1 if the error has a JSON-RPC form. */
    uint32_t has_rpc;
    /** Name of the code, such as `expired`. */
    mrtr_slice name;
    /**
     * A sentence for the developer; never holds a secret, a token or a payload. What another party said is only in `rpc`, and in the message of
     * `MRTR_RPC_ERROR` (the server) and `MRTR_HANDLER_FAILED` (the host).
     */
    mrtr_slice message;
    /** The ask that it is about. */
    mrtr_slice key;
    /** JSON pointer to the spot. */
    mrtr_slice at;
    /** JSON text with more. */
    mrtr_slice data;
    /** The whole JSON-RPC error object as JSON text: send this. */
    mrtr_slice rpc;
    /** Owner of the bytes above; free it with `mrtr_buf_free`. */
    mrtr_buf storage;
} mrtr_error_info;

/** Success. */
#define MRTR_OK 0

/**
 * Reads an error object.
 *
 * Ownership: `out->storage` is the caller's; the error object stays as it was.
 * Threads: any.
 * Errors: `MRTR_NULL_ARGUMENT`, `MRTR_STALE_HANDLE`, `MRTR_WRONG_HANDLE`, `MRTR_BAD_STRUCT_SIZE`.
 * Since: 0.1
 */
mrtr_status mrtr_error_get(struct mrtr_error error, struct mrtr_error_info *out);

/**
 * The code of an error object: the shortest way to branch on one.
 *
 * Threads: any.
 * Errors: `MRTR_NULL_ARGUMENT` for `{0}`, `MRTR_STALE_HANDLE` and `MRTR_WRONG_HANDLE` for what is no error object.
 * Since: 0.1
 */
mrtr_status mrtr_error_code(struct mrtr_error error);

/**
 * Frees an error object. `{0}` is fine.
 *
 * Threads: any.
 * Errors: `MRTR_STALE_HANDLE` if it was freed before, `MRTR_WRONG_HANDLE`.
 * Since: 0.1
 */
mrtr_status mrtr_error_free(struct mrtr_error error);

/**
 * The name of an error code, such as `expired` for `MRTR_EXPIRED`; `ok` for 0, absent for a number that is none.
 *
 * Ownership: static text; nothing to free.
 * Threads: any.
 * Since: 0.1
 */
mrtr_slice mrtr_code_name(mrtr_status code);

/** A required pointer, slice or handle is null. */
#define MRTR_NULL_ARGUMENT 101

/** The handle was freed, or never was one of this library. */
#define MRTR_STALE_HANDLE 102

/** The handle belongs to another kind of object, or to another copy of the library. */
#define MRTR_WRONG_HANDLE 103

/** A text is not UTF-8. */
#define MRTR_NOT_UTF8 104

/** The size in a struct is too small, or its tail beyond what this library knows is not zero. */
#define MRTR_BAD_STRUCT_SIZE 105

/** The header that the program was built with does not fit this library. */
#define MRTR_ABI_MISMATCH 106

/** An argument is outside its range, or names something that does not exist. */
#define MRTR_BAD_ARGUMENT 107

/** The object cannot do this now. */
#define MRTR_WRONG_STATE 108

/** A fault inside the library was caught. */
#define MRTR_PANIC 109

/** An earlier fault left the object unusable. */
#define MRTR_POISONED 110

/** This build of the library cannot do this. */
#define MRTR_UNSUPPORTED 111

/** The object is in use by another call. */
#define MRTR_BUSY 112

/** The memory that was given for the result is too small. */
#define MRTR_SMALL_BUFFER 113

/** A text is not JSON, holds a member twice, or is not the kind of value that is needed. */
#define MRTR_BAD_JSON 201

/** Something is longer or deeper than its limit. */
#define MRTR_TOO_LARGE 202

/** There are more entries than the limit allows. */
#define MRTR_TOO_MANY 203

/** Two asks of one result have the same key. */
#define MRTR_DUPLICATE_KEY 301

/** An input_required result needs an ask or a state. */
#define MRTR_EMPTY_RESULT 302

/** This method cannot be answered with input_required. */
#define MRTR_METHOD_NOT_ALLOWED 303

/** An ask is no object, or its method is not one that can be asked. */
#define MRTR_UNKNOWN_KIND 304

/** An ask lacks its params or a required member of them. */
#define MRTR_MISSING_PARAMS 305

/** The mode of an elicitation is neither form nor url. */
#define MRTR_BAD_MODE 306

/** A form schema goes beyond what a form can show. */
#define MRTR_BAD_SCHEMA 307

/** A form asks for a secret. */
#define MRTR_SECRET_FIELD 308

/** The URL of an ask cannot be shown to a user. */
#define MRTR_BAD_URL 309

/** The params of a sampling ask contradict themselves. */
#define MRTR_BAD_SAMPLING 310

/** The client did not declare what the asks need. */
#define MRTR_MISSING_CAPABILITY 311

/** The client is of an older era, and there is no way to send it a request. */
#define MRTR_NO_BACK_CHANNEL 312

/** An option is out of its range, or options contradict each other. */
#define MRTR_CONFIG_ERROR 400

/** The state is no token of this library. */
#define MRTR_MALFORMED 401

/** The state was sealed with a key that is not in the ring. */
#define MRTR_UNKNOWN_KEY 402

/** The state was changed after it was sealed. */
#define MRTR_TAMPERED 403

/** The state is older than its lifetime. */
#define MRTR_EXPIRED 404

/** The state was sealed in the future. */
#define MRTR_NOT_YET_VALID 405

/** The whole flow took longer than it may. */
#define MRTR_FLOW_EXPIRED 406

/** The flow went through more rounds than it may. */
#define MRTR_TOO_MANY_ROUNDS 407

/** The state was sealed for someone else. */
#define MRTR_WRONG_PRINCIPAL 408

/** The state was sealed for another method, target or arguments. */
#define MRTR_WRONG_REQUEST 409

/** The state was sealed for another service. */
#define MRTR_WRONG_AUDIENCE 410

/** The state was used before, and each may be used once. */
#define MRTR_REPLAYED 411

/** requestState is neither a string nor null. */
#define MRTR_WRONG_TYPE 412

/** The random source of the system failed. */
#define MRTR_NO_RANDOM 413

/** The store that remembers used states did not answer, so the state was refused. */
#define MRTR_GUARD_FAILED 414

/** The crypto that the host brought did not seal. */
#define MRTR_CRYPTO_FAILED 415

/** The params of the request are not what the method takes. */
#define MRTR_INVALID_PARAMS 501

/** The request lacks a required member of _meta. */
#define MRTR_MISSING_META 502

/** A header says something else than the request itself. */
#define MRTR_HEADER_MISMATCH 503

/** The protocol version of the request is not served. */
#define MRTR_UNSUPPORTED_VERSION 504

/** The method is not known. */
#define MRTR_METHOD_NOT_FOUND 505

/** Nothing is left to ask. */
#define MRTR_NOTHING_PENDING 506

/** A tool marks parameters for headers in a way that the protocol forbids. */
#define MRTR_INVALID_TOOL 507

/** The server answered with a JSON-RPC error. */
#define MRTR_RPC_ERROR 601

/** The server asks for what nobody here can answer, or the caller wants to answer by hand. */
#define MRTR_INPUT_REQUIRED 602

/** The user refused; nothing was sent. */
#define MRTR_REFUSED 603

/** Nobody could be asked. */
#define MRTR_UNAVAILABLE 604

/** A handler failed or gave an answer that does not fit its ask. */
#define MRTR_HANDLER_FAILED 605

/** The caller cancelled the flow. */
#define MRTR_CANCELLED 606

/** The server did not answer in time. */
#define MRTR_LEG_TIMEOUT 607

/** A person did not answer in time. */
#define MRTR_INPUT_TIMEOUT 608

/** The whole flow took longer than it may. */
#define MRTR_FLOW_TIMEOUT 609

/** The server asked more often than it may. */
#define MRTR_ROUNDS_EXCEEDED 610

/** The server kept the client waiting longer than it may. */
#define MRTR_POLL_BUDGET_EXCEEDED 611

/** The server's result breaks the protocol; nothing was shown or sent. */
#define MRTR_INVALID_RESULT 612

/** The connection was lost. */
#define MRTR_LOST 613

/* ---- version ---- */

/** Major number of the ABI that this header describes; equals the number in the SONAME. */
#define MRTR_ABI_MAJOR 0

/** Level of the ABI that this header describes; grows with each addition. */
#define MRTR_ABI_LEVEL 1

/**
 * `MRTR_ABI_MAJOR` and `MRTR_ABI_LEVEL` in one word; every options struct carries it, so that a header
 * that does not fit the library is refused (`MRTR_ABI_MISMATCH`) when the first object is made.
 */
#define MRTR_ABI 1

/** Package version of this header. */
#define MRTR_VERSION_MAJOR 0

/** Package version of this header. */
#define MRTR_VERSION_MINOR 1

/** Package version of this header. */
#define MRTR_VERSION_PATCH 0

/**
 * "Now": the library reads the clock itself. For servers and sealers the system's clock (Unix time),
 * for clients and flows the system's monotonic clock, the one that `mrtr_monotonic_ms` reads.
 */
#define MRTR_NOW 18446744073709551615ull

/** A duration or time without a limit. */
#define MRTR_NO_LIMIT 18446744073709551615ull

/** A count of rounds without a limit. */
#define MRTR_UNLIMITED 4294967295

/** What library this is. */
typedef struct mrtr_version_info {
    /** Size of this struct as the caller knows it. */
    uint32_t struct_size;
    /** Major number of the library's ABI. */
    uint32_t abi_major;
    /** Level of the library's ABI. */
    uint32_t abi_level;
    /** Package version of the library. */
    uint32_t version_major;
    /** Package version of the library. */
    uint32_t version_minor;
    /** Package version of the library. */
    uint32_t version_patch;
    /** Package version as text; static. */
    mrtr_slice version;
} mrtr_version_info;

/**
 * Says which library is loaded.
 *
 * Ownership: nothing to free; `out->version` is static text.
 * Threads: any.
 * Errors: `MRTR_NULL_ARGUMENT`, `MRTR_BAD_STRUCT_SIZE`.
 * Since: 0.1
 */
mrtr_status mrtr_version(struct mrtr_version_info *out);

/**
 * 1 if the loaded library has a feature, 0 if it does not or never heard of it.
 *
 * Functions of a feature that is missing exist all the same and return `MRTR_UNSUPPORTED`.
 * Threads: any.
 * Since: 0.1
 */
uint32_t mrtr_has_feature(mrtr_slice name);

/**
 * Number of handles alive in this copy of the library, errors included: for leak tests.
 *
 * Threads: any; exact only while no other thread makes or frees one.
 * Since: 0.1
 */
uint64_t mrtr_live_objects(void);

/**
 * The clock that `MRTR_NOW` reads for clients and flows: milliseconds, never steps back, its zero has no meaning.
 *
 * Threads: any.
 * Since: 0.1
 */
uint64_t mrtr_monotonic_ms(void);

/** Package version of this header. */
#define MRTR_VERSION "0.1.0"

/* ---- json ---- */

/**
 * The raw text of one top-level member of a JSON object: `params` of a request, `result` or `error` of a response,
 * exactly as it was sent.
 *
 * Ownership: `*value` is a view into the bytes of `object`, the caller's own: nothing to free, good as long as they are.
 * Its `ptr` is NULL if there is no such member.
 * Threads: any.
 * Errors: `MRTR_BAD_JSON` for no JSON, no object, or a member that stands twice (J2); `MRTR_TOO_LARGE` beyond the default
 * limits (J4).
 * Since: 0.1
 */
mrtr_status mrtr_json_member(mrtr_slice object,
                             mrtr_slice name,
                             mrtr_slice *value,
                             mrtr_error *err);

/* ---- wire ---- */

/**
 * The HTTP headers of a request of this era: lines `Name: value`, each ended by CR LF, ready for a request's head. They are
 * `MCP-Protocol-Version` (as `_meta` in `params` has it), `Mcp-Method`, `Mcp-Name`, and a `Mcp-Param-…` for each argument that the tool marks.
 * What a header cannot carry is in Base64 between the protocol's marks.
 *
 * `params` are those of the leg to send. `tool` is the tool's definition from `tools/list`, JSON text; `ptr` NULL = none is known.
 * Ownership: `lines` is the caller's, to be freed with `mrtr_buf_free`.
 * Threads: any.
 * Errors: `MRTR_INVALID_TOOL` (see `mrtr_wire_check_tool`), `MRTR_INVALID_PARAMS` for a marked argument that is an object, an array or no
 * Unicode, `MRTR_BAD_JSON`, `MRTR_TOO_LARGE` beyond the default limits (J4).
 * Since: 0.1
 */
mrtr_status mrtr_wire_headers(mrtr_slice method,
                              mrtr_slice params,
                              mrtr_slice tool,
                              mrtr_buf *lines,
                              mrtr_error *err);

/**
 * Refuses a tool that marks parameters for headers in a way that the protocol forbids: a client leaves such a tool out of its list.
 *
 * `tool` is its definition from `tools/list`, JSON text.
 * Threads: any.
 * Errors: `MRTR_INVALID_TOOL` with the spot, `MRTR_BAD_JSON`, `MRTR_TOO_LARGE`.
 * Since: 0.1
 */
mrtr_status mrtr_wire_check_tool(mrtr_slice tool,
                                 mrtr_error *err);

/**
 * The protocol version to retry with after a server refused the one of a request (-32022): the first of `spoken` that the error names as
 * served. Retry once.
 *
 * `error_object` is the JSON text of the error, as `mrtr_event` has it in `rpc_error`. `spoken` are the versions that the host speaks, best first.
 * Ownership: `*version` is one of `spoken`, the caller's own: nothing to free. Its `ptr` is NULL if there is none, or if the error is another.
 * Threads: any.
 * Errors: `MRTR_BAD_JSON`, `MRTR_TOO_LARGE`.
 * Since: 0.1
 */
mrtr_status mrtr_wire_retry_version(mrtr_slice error_object,
                                    const mrtr_slice *spoken,
                                    size_t spoken_count,
                                    mrtr_slice *version,
                                    mrtr_error *err);

/* ---- ask ---- */

/** Form elicitation. */
#define MRTR_KIND_FORM 1

/** URL elicitation. */
#define MRTR_KIND_URL 2

/** Sampling: `sampling/createMessage`. */
#define MRTR_KIND_SAMPLING 3

/** Roots: `roots/list`. */
#define MRTR_KIND_ROOTS 4

/** Elicitation by form. */
#define MRTR_NEED_FORM 1

/** Elicitation by URL. */
#define MRTR_NEED_URL 2

/** Sampling. */
#define MRTR_NEED_SAMPLING 4

/** Sampling with tools. */
#define MRTR_NEED_SAMPLING_TOOLS 8

/** Sampling with context of other servers. */
#define MRTR_NEED_SAMPLING_CONTEXT 16

/** Roots. */
#define MRTR_NEED_ROOTS 32

/** One entry of `inputRequests`. Frozen: this struct never grows. */
typedef struct mrtr_ask {
    /** Its key; unique in a result. */
    mrtr_slice key;
    /** JSON text `{"method":…,"params":…}`. */
    mrtr_slice ask;
} mrtr_ask;

/* ---- form ---- */

/** A text. */
#define MRTR_FIELD_TEXT 1

/** A number. */
#define MRTR_FIELD_NUMBER 2

/** A whole number. */
#define MRTR_FIELD_INTEGER 3

/** `true` or `false`. */
#define MRTR_FIELD_BOOLEAN 4

/** One of `choices`. */
#define MRTR_FIELD_SELECT 5

/** Several of `choices`. */
#define MRTR_FIELD_MULTI_SELECT 6

/** A value to choose. Frozen: this struct never grows. */
typedef struct mrtr_choice {
    /** What the answer holds. */
    mrtr_slice value;
    /** What the user sees; `ptr` NULL = the value. */
    mrtr_slice title;
} mrtr_choice;

/** A field of a form: set `name` and `kind`, and of the rest what goes with the kind. */
typedef struct mrtr_field {
    /** Size of this struct as the caller knows it. */
    uint32_t struct_size;
    /** `MRTR_ABI`. */
    uint32_t abi;
    /** Name of the field in the answer. */
    mrtr_slice name;
    /** `MRTR_FIELD_*`. */
    uint32_t kind;
    /** 1 = an answer must have it. Default 0. */
    uint32_t required;
    /** What the user sees in place of the name; `ptr` NULL = none. */
    mrtr_slice title;
    /** What the user sees beside it; `ptr` NULL = none. */
    mrtr_slice description;
    /** Of a text: `email`, `uri`, `date` or `date-time`; `ptr` NULL = any. */
    mrtr_slice format;
    /** Least length of a text in code points, or least number of selections. Default 0. */
    uint64_t min_count;
    /** Greatest one. Default `MRTR_NO_LIMIT`. */
    uint64_t max_count;
    /** Least number, as text such as `0.5`; `ptr` NULL = none. */
    mrtr_slice minimum;
    /** Greatest number; `ptr` NULL = none. */
    mrtr_slice maximum;
    /** Values to choose. */
    const struct mrtr_choice *choices;
    /** Number of values. */
    size_t choice_count;
    /** What stands in for an absent value: one text, number, `true` or `false`; any number of texts for a multi-select. NULL = none. */
    const mrtr_slice *defaults;
    /** Number of default values. */
    size_t default_count;
} mrtr_field;

/**
 * Handle of a form that is being written. `{0}` is none.
 *
 * Any thread may use it; calls take turns.
 */
typedef struct mrtr_form {
    /** The library's own word; 0 = none. */
    uint64_t id;
} mrtr_form;

/**
 * Writes the defaults: nothing set, no bounds. Never writes beyond `size` bytes.
 *
 * Threads: any, one at a time for the same struct.
 * Since: 0.1
 */
void mrtr_field_init(struct mrtr_field *field, uint32_t size, uint32_t abi);

/**
 * Begins a form. Without any field it asks only to confirm.
 *
 * Ownership: free it with `mrtr_form_free`.
 * Threads: any.
 * Errors: `MRTR_NULL_ARGUMENT`, `MRTR_TOO_MANY`.
 * Since: 0.1
 */
mrtr_status mrtr_form_new(struct mrtr_form *out, mrtr_error *err);

/**
 * Adds a field; fields are shown in the order in which they were added. A field that is refused leaves the form as it was.
 *
 * Ownership: copied.
 * Threads: any; calls take turns.
 * Errors: `MRTR_BAD_SCHEMA` with the JSON pointer to the spot (`/requestedSchema/properties/age/minimum`), `MRTR_BAD_ARGUMENT`,
 * `MRTR_NOT_UTF8`, `MRTR_BAD_STRUCT_SIZE`, `MRTR_ABI_MISMATCH`, `MRTR_POISONED`. Fields that ask for secrets are refused when the
 * form is asked.
 * Since: 0.1
 */
mrtr_status mrtr_form_add(struct mrtr_form form,
                          const struct mrtr_field *field,
                          mrtr_error *err);

/**
 * The form as the JSON text that `mrtr_exchange_ask_form` takes. More fields may be added afterwards.
 *
 * Ownership: `schema` is the caller's, to be freed with `mrtr_buf_free`.
 * Threads: any; calls take turns.
 * Errors: `MRTR_POISONED`.
 * Since: 0.1
 */
mrtr_status mrtr_form_schema(struct mrtr_form form, mrtr_buf *schema, mrtr_error *err);

/**
 * Gives a form back. `{0}` is fine.
 *
 * Threads: any; a call under way ends undisturbed.
 * Errors: `MRTR_STALE_HANDLE` if it was freed before, `MRTR_WRONG_HANDLE`.
 * Since: 0.1
 */
mrtr_status mrtr_form_free(struct mrtr_form form);

/* ---- request ---- */

/** The host says that this request belongs to nobody in particular. */
#define MRTR_PRINCIPAL_NONE 1

/** The request belongs to somebody, named by parts: for example issuer, subject and client. */
#define MRTR_PRINCIPAL_PARTS 2

/** An HTTP header of a request. Frozen: this struct never grows. */
typedef struct mrtr_header {
    /** Its name, in any case. */
    mrtr_slice name;
    /** Its value as received. */
    mrtr_slice value;
} mrtr_header;

/** What `mrtr_request_check_run` holds a request against. */
typedef struct mrtr_request_check {
    /** Size of this struct as the caller knows it. */
    uint32_t struct_size;
    /** `MRTR_ABI`. */
    uint32_t abi;
    /** JSON-RPC method. */
    mrtr_slice method;
    /** JSON text of `params`; `ptr` NULL = absent. */
    mrtr_slice params;
    /** Value of the header `MCP-Protocol-Version`; `ptr` NULL = there was none. */
    mrtr_slice header_version;
    /** Protocol versions that the server speaks; none = 2026-07-28. */
    const mrtr_slice *supported;
    /** Number of versions. */
    size_t supported_count;
    /** Methods that the server has; NULL = do not check the method. */
    const mrtr_slice *methods;
    /** Number of methods. */
    size_t method_count;
    /** All HTTP headers of the request, to be held against it; then `header_version` is not looked at. NULL = the request came another way. */
    const struct mrtr_header *headers;
    /** Number of headers. */
    size_t header_count;
    /** With `headers`: JSON text of the `inputSchema` of the tool that is called, for arguments that are repeated in headers; `ptr` NULL = none. */
    mrtr_slice input_schema;
} mrtr_request_check;

/**
 * Who is asking. A state opens only for the principal that it was sealed for.
 *
 * `kind` 0 is refused, so that "nobody" is never an accident. Parts are told apart: ("a","bc") is not ("ab","c").
 * Frozen: this struct never grows.
 */
typedef struct mrtr_principal {
    /** `MRTR_PRINCIPAL_NONE` or `MRTR_PRINCIPAL_PARTS`. */
    uint32_t kind;
    /** 0. */
    uint32_t reserved;
    /** The parts, any bytes; at least one. */
    const mrtr_slice *parts;
    /** Number of parts. */
    size_t count;
} mrtr_principal;

/** One JSON-RPC request as the host received it. */
typedef struct mrtr_request {
    /** Size of this struct as the caller knows it. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /** JSON-RPC method. */
    mrtr_slice method;
    /** JSON text of `params`, whole; `ptr` NULL = absent. */
    mrtr_slice params;
    /** Who is asking. */
    struct mrtr_principal principal;
    /** JSON text of the client's capabilities instead of those in `params._meta`; `ptr` NULL = take those. */
    mrtr_slice capabilities;
} mrtr_request;

/**
 * Writes the defaults: nothing given, version 2026-07-28. Never writes beyond `size` bytes.
 *
 * Threads: any, one at a time for the same struct.
 * Since: 0.1
 */
void mrtr_request_check_init(struct mrtr_request_check *check, uint32_t size, uint32_t abi);

/**
 * Checks a request of this era in the order that clients expect: `_meta` missing, version header against `_meta`,
 * version not supported, method unknown. With `headers`, `Mcp-Method` is looked at before, `Mcp-Name` and `Mcp-Param-*` after.
 *
 * Ownership: nothing is kept.
 * Threads: any.
 * Errors: `MRTR_MISSING_META`, `MRTR_HEADER_MISMATCH`, `MRTR_UNSUPPORTED_VERSION`, `MRTR_METHOD_NOT_FOUND`,
 * `MRTR_INVALID_PARAMS`, `MRTR_BAD_JSON`; the error object has the JSON-RPC error and the HTTP status to send.
 * Since: 0.1
 */
mrtr_status mrtr_request_check_run(const struct mrtr_request_check *check,
                                   mrtr_error *err);

/* ---- peer ---- */

/** The peer can be asked. */
#define MRTR_CAN_ASK_YES 1

/** Requests of this method never ask. */
#define MRTR_CAN_ASK_METHOD 2

/** The peer's protocol version does not know such asks. */
#define MRTR_CAN_ASK_ERA 3

/** In the peer's protocol version asks are requests, and there is no way to send it one. */
#define MRTR_CAN_ASK_CHANNEL 4

/** The peer did not declare it. */
#define MRTR_CAN_ASK_UNDECLARED 5

/** The other side of a session, or of one request. Zero the struct, then set what is known. */
typedef struct mrtr_peer {
    /** Size of this struct as the caller knows it. */
    uint32_t struct_size;
    /** 1 = a request can be sent to it while it waits for its answer: a session with a stream. Of no account in 2026-07-28. */
    uint32_t back_channel;
    /** Protocol version that was agreed on, such as `2025-11-25`; `ptr` NULL = 2026-07-28. */
    mrtr_slice version;
    /** JSON text of the capabilities that it declared, in `initialize` or in this request; `ptr` NULL = none. */
    mrtr_slice capabilities;
} mrtr_peer;

/**
 * Whether a peer can be asked what needs all of `needs` (`MRTR_NEED_*`, or-ed) while a request of `method` is served:
 * `*can` is a `MRTR_CAN_ASK_*`.
 *
 * Threads: any.
 * Errors: `MRTR_UNSUPPORTED_VERSION`, `MRTR_BAD_ARGUMENT` for an unknown bit, `MRTR_BAD_JSON`, `MRTR_NOT_UTF8`.
 * Since: 0.1
 */
mrtr_status mrtr_peer_can_ask(const struct mrtr_peer *peer,
                              mrtr_slice method,
                              uint32_t needs,
                              uint32_t *can,
                              mrtr_error *err);

/* ---- sealer_callbacks ---- */

/** The token was not claimed before, and is now. */
#define MRTR_CLAIM_FIRST 1

/** The token was claimed before: it is refused as `MRTR_REPLAYED`. */
#define MRTR_CLAIM_USED 2

/**
 * Functions that a sealer calls, on whichever thread seals or opens with it, several threads at once. No lock is held, and every
 * function of the library may be called. They return nothing; no exception and no `longjmp` may leave them.
 */
typedef struct mrtr_sealer_callbacks {
    /** Size of this struct as the caller knows it. */
    uint32_t struct_size;
    /** `MRTR_ABI`. */
    uint32_t abi;
    /** Handed to each function as it is. */
    void *user_data;
    /**
     * Claims a token, so that it opens once: after all other checks, before `open` or `begin` returns. `token_id` has 16 bytes.
     * It sets `*claimed` to `MRTR_CLAIM_FIRST` if the id was not claimed before, and is now until `until_ms` at least, or to
     * `MRTR_CLAIM_USED`. Anything else, and not setting it, means that the store did not answer: the token is refused as
     * `MRTR_GUARD_FAILED`. Of any number of concurrent claims of one id exactly one may be the first.
     * Both times are those of `now_ms` of the call.
     */
    void (*claim)(void *user_data,
                  const uint8_t *token_id,
                  uint64_t until_ms,
                  uint64_t now_ms,
                  uint32_t *claimed);
    /**
     * Protects bytes in place of keys and cipher: fills `*sealed` with `mrtr_buf_copy`. Not doing so is `MRTR_CRYPTO_FAILED`.
     * Comes with `unseal`, and then there are no keys.
     */
    void (*seal)(void *user_data, mrtr_slice plain, mrtr_buf *sealed);
    /** Checks and opens what `seal` made: fills `*plain` with `mrtr_buf_copy`. Not doing so refuses the token as `MRTR_TAMPERED`. */
    void (*unseal)(void *user_data, mrtr_slice sealed, mrtr_buf *plain);
    /** A token was refused: why, and nothing of its content. */
    void (*refused)(void *user_data, mrtr_status reason);
    /** Called exactly once, after the last use of `user_data`; may be NULL. */
    void (*destroy)(void *user_data);
} mrtr_sealer_callbacks;

/**
 * Writes a table without functions. Never writes beyond `size` bytes.
 *
 * Threads: any, one at a time for the same struct.
 * Since: 0.1
 */
void mrtr_sealer_callbacks_init(struct mrtr_sealer_callbacks *callbacks, uint32_t size, uint32_t abi);

/**
 * Copies bytes into a buffer of the library's: how `seal` and `unseal` give bytes back.
 *
 * Ownership: `out` is whoever's it is meant for; that one frees it with `mrtr_buf_free`.
 * Threads: any.
 * Errors: `MRTR_NULL_ARGUMENT`.
 * Since: 0.1
 */
mrtr_status mrtr_buf_copy(mrtr_slice bytes, mrtr_buf *out, mrtr_error *err);

/* ---- sealer ---- */

/** AES-256-GCM: the default. */
#define MRTR_CIPHER_AES_256_GCM 1

/** ChaCha20-Poly1305: where the processor has no AES. */
#define MRTR_CIPHER_CHACHA20_POLY1305 2

/** Signed but readable (HMAC-SHA256): for debugging only, the state is not secret. */
#define MRTR_CIPHER_SIGNED 3

/** How to make a sealer. */
typedef struct mrtr_sealer_options {
    /** Size of this struct as the caller knows it. */
    uint32_t struct_size;
    /** `MRTR_ABI`. */
    uint32_t abi;
    /** `MRTR_CIPHER_*`; default AES-256-GCM. */
    uint32_t cipher;
    /** 1 = a random key of this process, lost with it; then no `keys`. Default 0. */
    uint32_t ephemeral;
    /** Secrets of at least 32 bytes. The first seals, every one opens. */
    const mrtr_slice *keys;
    /** Number of secrets. */
    size_t key_count;
    /** How long the token of one round lives. Default 600 000 ms. */
    uint64_t ttl_ms;
    /** How far the clock of the sealing machine may be ahead. Default 60 000 ms. */
    uint64_t skew_ms;
    /** How long a whole flow may last. Default 3 600 000 ms. */
    uint64_t max_age_ms;
    /** How many rounds a flow may have. Default 32. */
    uint32_t max_rounds;
    /** 1 = each token opens once, remembered in this process. Default 0. */
    uint32_t single_use;
    /** Most bytes of sealed plaintext. Default 64 KiB. */
    uint64_t max_state_bytes;
    /** Most bytes of a token that is looked at. Default 1 MiB. */
    uint64_t max_token_bytes;
    /** Name of the service that the states are for; `ptr` NULL = none. */
    mrtr_slice audience;
    /** How many used tokens are remembered at most when `single_use`; when full, requests are refused. Default 65 536. */
    uint64_t guard_capacity;
    /**
     * Functions of the host; NULL = none. The struct is copied; `user_data` is the sealer's until `destroy` was called.
     * If the sealer is not made, `destroy` is not called.
     */
    const mrtr_sealer_callbacks *callbacks;
} mrtr_sealer_options;

/**
 * Handle of a sealer. `{0}` is none.
 *
 * Any number of threads may use one at the same time.
 */
typedef struct mrtr_sealer {
    /** The library's own word; 0 = none. */
    uint64_t id;
} mrtr_sealer;

/** What a token held. */
typedef struct mrtr_opened {
    /** Size of this struct as the caller knows it. */
    uint32_t struct_size;
    /** Round of the token; the first one of a flow is 1. */
    uint32_t round;
    /** 1 if the host put a state in, even an empty one. */
    uint32_t has_state;
    /** 0. */
    uint32_t reserved;
    /** Random, different for each token. */
    uint8_t token_id[16];
    /** The same in all rounds of a flow, not guessable: usable as idempotency key. */
    uint8_t flow_id[16];
    /** Unix time in ms. */
    uint64_t issued_ms;
    /** Unix time in ms; from then on the token is refused. */
    uint64_t expires_ms;
    /** Unix time in ms of the flow's first token. */
    uint64_t flow_start_ms;
    /** The host's state bytes. */
    mrtr_slice state;
    /** Owner of the bytes above; free it with `mrtr_buf_free`. */
    mrtr_buf storage;
} mrtr_opened;

/**
 * Writes the default options. Never writes beyond `size` bytes.
 *
 * Threads: any, one at a time for the same struct.
 * Since: 0.1
 */
void mrtr_sealer_options_init(struct mrtr_sealer_options *options, uint32_t size, uint32_t abi);

/**
 * Makes a sealer.
 *
 * Ownership: free it with `mrtr_sealer_free`; keys and audience are copied, keys wiped when it dies.
 * Threads: any.
 * Errors: `MRTR_CONFIG_ERROR` (no key, short or equal keys, a duration of 0 or beyond 10 years), `MRTR_NO_RANDOM`,
 * `MRTR_BAD_ARGUMENT` (no such cipher, one of `seal` and `unseal` without the other, `claim` beside `single_use`),
 * `MRTR_ABI_MISMATCH`, `MRTR_BAD_STRUCT_SIZE`.
 * Since: 0.1
 */
mrtr_status mrtr_sealer_new(const struct mrtr_sealer_options *options,
                            struct mrtr_sealer *out,
                            mrtr_error *err);

/**
 * Replaces all keys at once. Calls that are under way end with the keys they began with.
 *
 * Ownership: the keys are copied; those replaced are wiped.
 * Threads: any, also while others seal and open.
 * Errors: `MRTR_CONFIG_ERROR`, and the old keys stay.
 * Since: 0.1
 */
mrtr_status mrtr_sealer_set_keys(struct mrtr_sealer sealer,
                                 const mrtr_slice *keys,
                                 size_t count,
                                 mrtr_error *err);

/**
 * Seals a state into a token for `requestState`. Servers that use an exchange do not need this.
 *
 * `state` with `ptr` NULL = no state of the host's. `previous` is the token that this request came with, so that the flow
 * goes on (round, flow id, age); `ptr` NULL = a new flow. `now_ms` is Unix time or `MRTR_NOW`.
 * Ownership: `token` is the caller's, to be freed with `mrtr_buf_free`.
 * Threads: any.
 * Errors: `MRTR_TOO_LARGE`, `MRTR_TOO_MANY_ROUNDS`, `MRTR_FLOW_EXPIRED`, `MRTR_BAD_JSON` (also duplicates inside `arguments`), `MRTR_INVALID_PARAMS` (a target that is no string),
 * `MRTR_CONFIG_ERROR` (a principal without parts), `MRTR_NO_RANDOM`, and for `previous` those of `mrtr_sealer_open`.
 * Since: 0.1
 */
mrtr_status mrtr_sealer_seal(struct mrtr_sealer sealer,
                             const mrtr_request *request,
                             mrtr_slice state,
                             mrtr_slice previous,
                             uint64_t now_ms,
                             mrtr_buf *token,
                             mrtr_error *err);

/**
 * Opens a token: checks that it is ours, in time, and meant for this request and principal.
 *
 * Ownership: `out->storage` is the caller's.
 * Threads: any.
 * Errors: the true reason (`MRTR_MALFORMED`, `MRTR_UNKNOWN_KEY`, `MRTR_TAMPERED`, `MRTR_EXPIRED`, `MRTR_NOT_YET_VALID`,
 * `MRTR_FLOW_EXPIRED`, `MRTR_TOO_MANY_ROUNDS`, `MRTR_WRONG_PRINCIPAL`, `MRTR_WRONG_REQUEST`, `MRTR_WRONG_AUDIENCE`,
 * `MRTR_REPLAYED`, `MRTR_TOO_LARGE`) for the host's eyes; the JSON-RPC error to send is the same for each.
 * Since: 0.1
 */
mrtr_status mrtr_sealer_open(struct mrtr_sealer sealer,
                             const mrtr_request *request,
                             mrtr_slice token,
                             uint64_t now_ms,
                             struct mrtr_opened *out,
                             mrtr_error *err);

/**
 * `mrtr_sealer_seal` into memory of the caller's: nothing is allocated once a thread has sealed before.
 *
 * `*len` is the length of the token. If there is less room than that, it is the room that is needed, nothing is written, and the
 * status is `MRTR_SMALL_BUFFER`; the next token may be as long again if the state is.
 * Threads: any.
 * Errors: `MRTR_SMALL_BUFFER`, and those of `mrtr_sealer_seal`.
 * Since: 0.1
 */
mrtr_status mrtr_sealer_seal_into(struct mrtr_sealer sealer,
                                  const mrtr_request *request,
                                  mrtr_slice state,
                                  mrtr_slice previous,
                                  uint64_t now_ms,
                                  mrtr_room room,
                                  size_t *len,
                                  mrtr_error *err);

/**
 * `mrtr_sealer_open` into memory of the caller's: nothing is allocated once a thread has opened before.
 *
 * `room` has as many bytes as the token, or more. `out->state` is a view into it, `out->storage` is empty; afterwards it holds the
 * state in the clear, and of a refused token nothing that was not in the token.
 * Threads: any.
 * Errors: `MRTR_SMALL_BUFFER` for less room, and those of `mrtr_sealer_open`.
 * Since: 0.1
 */
mrtr_status mrtr_sealer_open_into(struct mrtr_sealer sealer,
                                  const mrtr_request *request,
                                  mrtr_slice token,
                                  uint64_t now_ms,
                                  mrtr_room room,
                                  struct mrtr_opened *out,
                                  mrtr_error *err);

/**
 * Gives a sealer back. `{0}` is fine. Servers made with it keep what they need.
 *
 * Threads: any; calls under way end undisturbed.
 * Errors: `MRTR_STALE_HANDLE` if it was freed before, `MRTR_WRONG_HANDLE`.
 * Since: 0.1
 */
mrtr_status mrtr_sealer_free(struct mrtr_sealer sealer);

/* ---- counters ---- */

/** Counts since the sealer was made, of all threads and of the servers that use it. They wrap at 2^64. */
typedef struct mrtr_sealer_counters {
    /** Size of this struct as the caller knows it. */
    uint32_t struct_size;
    /** 0. */
    uint32_t reserved;
    /** Tokens sealed. */
    uint64_t sealed;
    /** Bytes of their texts. */
    uint64_t sealed_bytes;
    /** Tokens opened. */
    uint64_t opened;
    /** Bytes of their texts. */
    uint64_t opened_bytes;
    /** Tokens refused, for whatever reason; the reasons follow. */
    uint64_t refused;
    /** `MRTR_WRONG_TYPE`. */
    uint64_t wrong_type;
    /** `MRTR_TOO_LARGE`. */
    uint64_t too_large;
    /** `MRTR_MALFORMED`. */
    uint64_t malformed;
    /** `MRTR_UNKNOWN_KEY`. */
    uint64_t unknown_key;
    /** `MRTR_TAMPERED`. */
    uint64_t tampered;
    /** `MRTR_NOT_YET_VALID`. */
    uint64_t not_yet_valid;
    /** `MRTR_EXPIRED`. */
    uint64_t expired;
    /** `MRTR_FLOW_EXPIRED`. */
    uint64_t flow_expired;
    /** `MRTR_TOO_MANY_ROUNDS`. */
    uint64_t too_many_rounds;
    /** `MRTR_WRONG_AUDIENCE`. */
    uint64_t wrong_audience;
    /** `MRTR_WRONG_PRINCIPAL`. */
    uint64_t wrong_principal;
    /** `MRTR_WRONG_REQUEST`. */
    uint64_t wrong_request;
    /** `MRTR_REPLAYED`. */
    uint64_t replayed;
    /** `MRTR_GUARD_FAILED`. */
    uint64_t guard_failed;
} mrtr_sealer_counters;

/**
 * Reads the counters of a sealer. Calls that are under way may be in them or not.
 *
 * Threads: any.
 * Errors: `MRTR_BAD_STRUCT_SIZE`.
 * Since: 0.1
 */
mrtr_status mrtr_sealer_get_counters(mrtr_sealer sealer, struct mrtr_sealer_counters *out, mrtr_error *err);

/* ---- gateway ---- */

/**
 * Host state that carries the `requestState` of a backend, any string, with the backend's name: give it to `mrtr_sealer_seal`
 * or `mrtr_exchange_set_state`.
 *
 * `backend` is UTF-8, `state` the decoded string in UTF-8, or in WTF-8 if it holds a lone surrogate.
 * Ownership: `host_state` is the caller's, to be freed with `mrtr_buf_free`.
 * Threads: any.
 * Errors: `MRTR_NOT_UTF8`.
 * Since: 0.1
 */
mrtr_status mrtr_gateway_wrap(mrtr_slice backend,
                              mrtr_slice state,
                              mrtr_buf *host_state,
                              mrtr_error *err);

/**
 * What `mrtr_gateway_wrap` put together: the name of the backend and its state, exact to the code unit.
 *
 * Ownership: `*backend` and `*state` are views into the bytes of `host_state`, the caller's own: nothing to free.
 * Both have `ptr` NULL if the bytes are not of that function.
 * Threads: any.
 * Errors: `MRTR_NULL_ARGUMENT`.
 * Since: 0.1
 */
mrtr_status mrtr_gateway_unwrap(mrtr_slice host_state,
                                mrtr_slice *backend,
                                mrtr_slice *state,
                                mrtr_error *err);

/**
 * The key of a backend's ask as the gateway's own client sees it: `<length of the name>:<name>:<key>`, so that keys of two
 * backends never meet.
 *
 * `backend` is UTF-8, `key` UTF-8 or WTF-8.
 * Ownership: `prefixed` is the caller's, to be freed with `mrtr_buf_free`.
 * Threads: any.
 * Errors: `MRTR_NOT_UTF8`.
 * Since: 0.1
 */
mrtr_status mrtr_gateway_prefix(mrtr_slice backend,
                                mrtr_slice key,
                                mrtr_buf *prefixed,
                                mrtr_error *err);

/**
 * Backend and key of what `mrtr_gateway_prefix` made.
 *
 * Ownership: `*backend` and `*key` are views into the bytes of `prefixed`, the caller's own: nothing to free.
 * Both have `ptr` NULL if the key is not of that function: one of the gateway's own, say.
 * Threads: any.
 * Errors: `MRTR_NULL_ARGUMENT`.
 * Since: 0.1
 */
mrtr_status mrtr_gateway_split(mrtr_slice prefixed, mrtr_slice *backend, mrtr_slice *key, mrtr_error *err);

/**
 * The params of the request that goes on to a backend: the end client's own, `_meta` with its capabilities among them, byte for byte. Of its
 * answers those under this backend's prefix are in it, under the backend's own keys; the state is the backend's, out of `host_state`.
 *
 * `params` with `ptr` NULL = absent. `host_state` is what `mrtr_gateway_state` made for the same backend, as the gateway's own state brought it
 * back; `ptr` NULL = none. Open the gateway's state before: nothing is checked here.
 * Ownership: `passed` is the caller's, to be freed with `mrtr_buf_free`.
 * Threads: any.
 * Errors: `MRTR_BAD_JSON` for no object and for a member that stands twice (J2), `MRTR_INVALID_PARAMS` for answers that are no object,
 * `MRTR_BAD_ARGUMENT` for a host state of something else, `MRTR_TOO_LARGE`, `MRTR_NOT_UTF8`.
 * Since: 0.1
 */
mrtr_status mrtr_gateway_params(mrtr_slice backend,
                                mrtr_slice params,
                                mrtr_slice host_state,
                                mrtr_buf *passed,
                                mrtr_error *err);

/**
 * The state of a backend's result as host state (`mrtr_gateway_wrap`), ready to be sealed. `*has` is 0 if the result asks nothing or has no state.
 *
 * Ownership: `host_state` is the caller's, to be freed with `mrtr_buf_free`.
 * Threads: any.
 * Errors: `MRTR_BAD_JSON`, `MRTR_INVALID_RESULT` for a state that is no string, `MRTR_TOO_LARGE`, `MRTR_NOT_UTF8`.
 * Since: 0.1
 */
mrtr_status mrtr_gateway_state(mrtr_slice backend,
                               mrtr_slice result,
                               uint32_t *has,
                               mrtr_buf *host_state,
                               mrtr_error *err);

/**
 * A backend's result as the end client gets it: keys of asks with the backend's prefix, and `state`, the gateway's own token, in place of the
 * backend's; the rest byte for byte. A result that asks nothing comes back as it is.
 *
 * `state` with `ptr` NULL = none.
 * Ownership: `passed` is the caller's, to be freed with `mrtr_buf_free`.
 * Threads: any.
 * Errors: `MRTR_BAD_JSON`, `MRTR_INVALID_RESULT` for asks that are no object, `MRTR_TOO_LARGE`, `MRTR_NOT_UTF8`.
 * Since: 0.1
 */
mrtr_status mrtr_gateway_result(mrtr_slice backend,
                                mrtr_slice result,
                                mrtr_slice state,
                                mrtr_buf *passed,
                                mrtr_error *err);

/* ---- result ---- */

/** A missing capability refuses the whole result (-32021). */
#define MRTR_GATE_REFUSE 1

/** Asks that the client cannot take are left out. */
#define MRTR_GATE_FILTER 2

/** What the result is made of. */
typedef struct mrtr_result_options {
    /** Size of this struct as the caller knows it. */
    uint32_t struct_size;
    /** `MRTR_ABI`. */
    uint32_t abi;
    /** JSON-RPC method that is being answered. */
    mrtr_slice method;
    /** The asks, in order. */
    const mrtr_ask *asks;
    /** Number of asks. */
    size_t ask_count;
    /** Goes out as `requestState`, as it is; `ptr` NULL = none. */
    mrtr_slice state;
    /** JSON text of the client's capabilities; `ptr` NULL = no gate. */
    mrtr_slice capabilities;
    /** `MRTR_GATE_*`; default refuse. */
    uint32_t gate;
    /** 1 = `http` URLs are fine (development). Default 0. */
    uint32_t allow_http;
    /** Names of form fields that may look like secrets. */
    const mrtr_slice *allow_secret;
    /** Number of names. */
    size_t allow_secret_count;
    /** Most asks. Default 64. */
    uint64_t max_asks;
    /** Most bytes of the result. Default 4 MiB. 1 GiB and more count as 1 byte less than that. */
    uint64_t max_message_bytes;
} mrtr_result_options;

/** A result that was built. */
typedef struct mrtr_result {
    /** Size of this struct as the caller knows it. */
    uint32_t struct_size;
    /** Number of warnings. */
    uint32_t warning_count;
    /** JSON text of the result. */
    mrtr_slice json;
    /** JSON array of the warnings' names, such as `["many_fields"]`. */
    mrtr_slice warnings;
    /** Owner of the bytes above; free it with `mrtr_buf_free`. */
    mrtr_buf storage;
} mrtr_result;

/**
 * Writes the default options. Never writes beyond `size` bytes.
 *
 * Threads: any, one at a time for the same struct.
 * Since: 0.1
 */
void mrtr_result_options_init(struct mrtr_result_options *options, uint32_t size, uint32_t abi);

/**
 * Stamps a complete result: `resultType` at its end unless it is there, all else byte for byte.
 *
 * Ownership: `json` is the caller's, to be freed with `mrtr_buf_free`.
 * Threads: any.
 * Errors: `MRTR_BAD_JSON` for no object, `MRTR_INVALID_RESULT` for a result of another type, `MRTR_TOO_LARGE`, `MRTR_NOT_UTF8`.
 * Since: 0.1
 */
mrtr_status mrtr_result_complete(mrtr_slice result,
                                 mrtr_buf *json,
                                 mrtr_error *err);

/**
 * Builds an `input_required` result from asks and a state that the host protects itself.
 *
 * Ownership: `out->storage` is the caller's.
 * Threads: any.
 * Errors: `MRTR_METHOD_NOT_ALLOWED`, `MRTR_EMPTY_RESULT`, `MRTR_DUPLICATE_KEY`, `MRTR_UNKNOWN_KIND`, `MRTR_MISSING_PARAMS`, `MRTR_BAD_MODE`,
 * `MRTR_BAD_SCHEMA`, `MRTR_SECRET_FIELD`, `MRTR_BAD_URL`, `MRTR_BAD_SAMPLING`, `MRTR_MISSING_CAPABILITY`, `MRTR_TOO_MANY`, `MRTR_TOO_LARGE`,
 * `MRTR_BAD_JSON`; the error object names key and spot.
 * Since: 0.1
 */
mrtr_status mrtr_result_build(const struct mrtr_result_options *options,
                              struct mrtr_result *out,
                              mrtr_error *err);

/* ---- discovery ---- */

/** What `server/discover` tells of a server. */
typedef struct mrtr_discovery {
    /** Size of this struct as the caller knows it. */
    uint32_t struct_size;
    /** `MRTR_ABI`. */
    uint32_t abi;
    /** Protocol versions that it speaks, best first; none = 2026-07-28. */
    const mrtr_slice *supported;
    /** Number of versions. */
    size_t supported_count;
    /** JSON object of its capabilities; `ptr` NULL = `{}`. */
    mrtr_slice capabilities;
    /** JSON object with its name and version; `ptr` NULL = not told. */
    mrtr_slice server_info;
    /** How to use it, for the model; `ptr` NULL = none. */
    mrtr_slice instructions;
    /** How long the answer may be kept. Default `MRTR_NO_LIMIT` = not told. */
    uint64_t ttl_ms;
    /** `public` or `private`; `ptr` NULL = not told. */
    mrtr_slice cache_scope;
} mrtr_discovery;

/**
 * Writes the defaults: version 2026-07-28, nothing else told. Never writes beyond `size` bytes.
 *
 * Threads: any, one at a time for the same struct.
 * Since: 0.1
 */
void mrtr_discovery_init(struct mrtr_discovery *discovery, uint32_t size, uint32_t abi);

/**
 * The result of `server/discover`. What is given as JSON goes out byte for byte.
 *
 * Ownership: `json` is the caller's, to be freed with `mrtr_buf_free`.
 * Threads: any.
 * Errors: `MRTR_BAD_JSON` for what should be an object, `MRTR_NOT_UTF8`, `MRTR_BAD_STRUCT_SIZE`, `MRTR_ABI_MISMATCH`.
 * Since: 0.1
 */
mrtr_status mrtr_discovery_result(const struct mrtr_discovery *discovery,
                                  mrtr_buf *json,
                                  mrtr_error *err);

/* ---- server_callbacks ---- */

/**
 * Asks that went out with a result, and until when they can be answered; never their content. All of it lives until the
 * function returns.
 */
typedef struct mrtr_issued {
    /** Size of this struct as the library knows it. */
    uint32_t struct_size;
    /** Round of the state that went out: the request that brings its answers has this one. The first is 1. */
    uint32_t round;
    /** The same in all rounds of a flow: what `mrtr_exchange_info` says. */
    uint8_t flow_id[16];
    /** Unix time in ms; the state opens before that, not at it. What is held for the flow can be released then. */
    uint64_t expires_ms;
    /** Method of the request. */
    mrtr_slice method;
    /** Keys of the asks that wait, in the order in which they were stated. */
    const mrtr_slice *keys;
    /** Number of keys; at least 1. */
    size_t key_count;
} mrtr_issued;

/**
 * Functions that a server calls, on whichever thread makes the result, several threads at once. No lock is held, and every function of
 * the library may be called. They return nothing and decide nothing; no exception and no `longjmp` may leave them.
 */
typedef struct mrtr_server_callbacks {
    /** Size of this struct as the caller knows it. */
    uint32_t struct_size;
    /** `MRTR_ABI`. */
    uint32_t abi;
    /** Handed to each function as it is. */
    void *user_data;
    /**
     * `mrtr_exchange_result` sealed a state with asks that wait. Called once for each such result, before it is returned; not without a
     * sealer, and not for a state alone.
     */
    void (*issued)(void *user_data, const struct mrtr_issued *issued);
    /** Called exactly once, after the last use of `user_data`; may be NULL. */
    void (*destroy)(void *user_data);
} mrtr_server_callbacks;

/**
 * Writes a table without functions. Never writes beyond `size` bytes.
 *
 * Threads: any, one at a time for the same struct.
 * Since: 0.1
 */
void mrtr_server_callbacks_init(struct mrtr_server_callbacks *callbacks, uint32_t size, uint32_t abi);

/* ---- server ---- */

/** How to make a server. */
typedef struct mrtr_server_options {
    /** Size of this struct as the caller knows it. */
    uint32_t struct_size;
    /** `MRTR_ABI`. */
    uint32_t abi;
    /** Protects the state; `{0}` = the host does it, the state goes out and comes in raw. */
    mrtr_sealer sealer;
    /** `MRTR_GATE_*`; default refuse. */
    uint32_t gate;
    /** 1 = `http` URLs are fine (development). Default 0. */
    uint32_t allow_http;
    /** Most bytes of a request's params and of a result. Default 4 MiB. 1 GiB and more count as 1 byte less than that. */
    uint64_t max_message_bytes;
    /** Deepest nesting of JSON, the root counting 1. Default 64. */
    uint64_t max_depth;
    /** Most asks in a result. Default 64. */
    uint64_t max_asks;
    /** Most answers in a request. Default 64. */
    uint64_t max_answers;
    /** Most bytes of an ask's key. Default 64 KiB. */
    uint64_t max_key_bytes;
    /** Names of form fields that may look like secrets. */
    const mrtr_slice *allow_secret;
    /** Number of names. */
    size_t allow_secret_count;
    /**
     * Functions of the host; NULL = none. The struct is copied; `user_data` is the server's, and that of exchanges begun with it, until
     * `destroy` was called. If the server is not made, `destroy` is not called.
     */
    const mrtr_server_callbacks *callbacks;
} mrtr_server_options;

/**
 * Handle of a server. `{0}` is none.
 *
 * Any number of threads may use one at the same time.
 */
typedef struct mrtr_server {
    /** The library's own word; 0 = none. */
    uint64_t id;
} mrtr_server;

/**
 * Writes the default options. Never writes beyond `size` bytes.
 *
 * Threads: any, one at a time for the same struct.
 * Since: 0.1
 */
void mrtr_server_options_init(struct mrtr_server_options *options, uint32_t size, uint32_t abi);

/**
 * Makes a server.
 *
 * Ownership: free it with `mrtr_server_free`; the sealer may be freed before it.
 * Threads: any.
 * Errors: `MRTR_STALE_HANDLE` and `MRTR_WRONG_HANDLE` (the sealer), `MRTR_BAD_ARGUMENT`, `MRTR_CONFIG_ERROR`,
 * `MRTR_ABI_MISMATCH`, `MRTR_BAD_STRUCT_SIZE`.
 * Since: 0.1
 */
mrtr_status mrtr_server_new(const struct mrtr_server_options *options,
                            struct mrtr_server *out,
                            mrtr_error *err);

/**
 * Gives a server back. `{0}` is fine. Exchanges begun with it go on.
 *
 * Threads: any; calls under way end undisturbed.
 * Errors: `MRTR_STALE_HANDLE` if it was freed before, `MRTR_WRONG_HANDLE`.
 * Since: 0.1
 */
mrtr_status mrtr_server_free(struct mrtr_server server);

/* ---- exchange ---- */

/**
 * Handle of an exchange. `{0}` is none.
 *
 * Any thread may use it; calls take turns. No call that waits holds up another object.
 */
typedef struct mrtr_exchange {
    /** The library's own word; 0 = none. */
    uint64_t id;
} mrtr_exchange;

/** Where an exchange stands. */
typedef struct mrtr_exchange_info {
    /** Size of this struct as the caller knows it. */
    uint32_t struct_size;
    /** 0 on a first request, else the round of the state that came in. */
    uint32_t round;
    /** 1 if a sealed state came in. */
    uint32_t has_token;
    /** 0. */
    uint32_t reserved;
    /** The same in all rounds of a flow, the first request included, and not guessable: usable as idempotency key. Zero without a sealer. */
    uint8_t flow_id[16];
    /** Unix time in ms of the flow's first request with asks. */
    uint64_t first_seen_ms;
    /**
     * Until when the state of the last result can come back, Unix time in ms: it opens before that, not at it. 0 before a result, and
     * without a sealer. What was held for the flow can be released then.
     */
    uint64_t expires_ms;
} mrtr_exchange_info;

/**
 * Begins to serve a request: reads its retry fields, opens and checks its state.
 *
 * `now_ms` is Unix time or `MRTR_NOW`.
 * Ownership: the request is copied; free the exchange with `mrtr_exchange_free`. The server may be freed before it.
 * Threads: any.
 * Errors: a state that is refused gives its true reason as in `mrtr_sealer_open`; `MRTR_INVALID_PARAMS`, `MRTR_BAD_JSON`,
 * `MRTR_TOO_LARGE`, `MRTR_TOO_MANY`. The error object has the JSON-RPC error to send, and the handler must not run.
 * Since: 0.1
 */
mrtr_status mrtr_exchange_begin(mrtr_server server,
                                const mrtr_request *request,
                                uint64_t now_ms,
                                struct mrtr_exchange *out,
                                mrtr_error *err);

/**
 * Number of asks that still wait for an answer. 0: the handler has all it asked for. 0 for what is no exchange, too.
 *
 * Threads: any; calls take turns.
 * Since: 0.1
 */
uint32_t mrtr_exchange_pending(struct mrtr_exchange exchange);

/**
 * Whether the client declared everything in `needs` (`MRTR_NEED_*`, or-ed): `*yes` is 1 or 0.
 *
 * Threads: any; calls take turns.
 * Errors: `MRTR_BAD_ARGUMENT` for an unknown bit, `MRTR_POISONED`.
 * Since: 0.1
 */
mrtr_status mrtr_exchange_can_ask(struct mrtr_exchange exchange,
                                  uint32_t needs,
                                  uint32_t *yes,
                                  mrtr_error *err);

/**
 * Says that the handler cannot do without the asks that were unaskable: if there are any and nothing else waits, fails with the
 * -32021 to send.
 *
 * Threads: any; calls take turns.
 * Errors: `MRTR_MISSING_CAPABILITY`, `MRTR_POISONED`.
 * Since: 0.1
 */
mrtr_status mrtr_exchange_require(struct mrtr_exchange exchange,
                                  mrtr_error *err);

/**
 * Drops what was answered under a key, in this request and before: the question is asked anew, even if it was declined.
 *
 * Threads: any; calls take turns.
 * Errors: `MRTR_POISONED`, `MRTR_NOT_UTF8`.
 * Since: 0.1
 */
mrtr_status mrtr_exchange_forget(struct mrtr_exchange exchange,
                                 mrtr_slice key,
                                 mrtr_error *err);

/**
 * The host's own state, as the sealed state brought it or as it was set since. `*has` is 1 or 0; an empty state is a state.
 *
 * Ownership: `state` is the caller's, to be freed with `mrtr_buf_free`.
 * Threads: any; calls take turns.
 * Errors: `MRTR_POISONED`.
 * Since: 0.1
 */
mrtr_status mrtr_exchange_state(struct mrtr_exchange exchange,
                                uint32_t *has,
                                mrtr_buf *state,
                                mrtr_error *err);

/**
 * Sets the host's own state for the rounds to come; any bytes with a sealer, text without one. `ptr` NULL drops it.
 *
 * Ownership: copied.
 * Threads: any; calls take turns.
 * Errors: `MRTR_POISONED`. A state that is too large, or without a sealer no text, is refused by `mrtr_exchange_result`.
 * Since: 0.1
 */
mrtr_status mrtr_exchange_set_state(struct mrtr_exchange exchange,
                                    mrtr_slice state,
                                    mrtr_error *err);

/**
 * Where the exchange stands.
 *
 * Threads: any; calls take turns.
 * Errors: `MRTR_POISONED`, `MRTR_BAD_STRUCT_SIZE`.
 * Since: 0.1
 */
mrtr_status mrtr_exchange_get_info(struct mrtr_exchange exchange,
                                   struct mrtr_exchange_info *out,
                                   mrtr_error *err);

/**
 * The `input_required` result to send: what waits, and a fresh sealed state.
 *
 * Ownership: `json` is the caller's, to be freed with `mrtr_buf_free`.
 * Threads: any; calls take turns.
 * Errors: `MRTR_NOTHING_PENDING` when nothing waits and the host has set no state (answer the request yourself), the first error of any ask, `MRTR_MISSING_CAPABILITY`,
 * `MRTR_TOO_MANY`, `MRTR_TOO_LARGE`, `MRTR_TOO_MANY_ROUNDS`, `MRTR_FLOW_EXPIRED`, `MRTR_POISONED`. The error object has the JSON-RPC error to send.
 * Since: 0.1
 */
mrtr_status mrtr_exchange_result(struct mrtr_exchange exchange,
                                 mrtr_buf *json,
                                 mrtr_error *err);

/**
 * Gives an exchange back. `{0}` is fine.
 *
 * Threads: any; a call under way ends undisturbed.
 * Errors: `MRTR_STALE_HANDLE` if it was freed before, `MRTR_WRONG_HANDLE`.
 * Since: 0.1
 */
mrtr_status mrtr_exchange_free(struct mrtr_exchange exchange);

/* ---- answer ---- */

/** Not answered yet: it goes into the result. */
#define MRTR_ANSWER_MISSING 1

/** Answered, and the answer is valid: `content` has it. */
#define MRTR_ANSWER_ACCEPTED 2

/** The user said no. Not asked again. */
#define MRTR_ANSWER_DECLINED 3

/** The user dismissed it. Not asked again. */
#define MRTR_ANSWER_CANCELLED 4

/** Answered with something unusable: asked again; `reasons` says why. */
#define MRTR_ANSWER_INVALID 5

/** Answered, but the question has changed since: asked again. */
#define MRTR_ANSWER_STALE 6

/** The client cannot be asked this (`MRTR_GATE_FILTER` only): not asked. */
#define MRTR_ANSWER_UNASKABLE 7

/** What became of an ask. Members that do not apply have `ptr` NULL. */
typedef struct mrtr_answer {
    /** Size of this struct as the caller knows it. */
    uint32_t struct_size;
    /** `MRTR_ANSWER_*`. */
    uint32_t status;
    /** JSON text, only when accepted: a form's content object, `{}` for a URL, the whole result for sampling and roots. */
    mrtr_slice content;
    /** JSON array of sentences, only when invalid. */
    mrtr_slice reasons;
    /** JSON array of the names of warnings about the ask itself, if any. */
    mrtr_slice warnings;
    /** Owner of the bytes above; free it with `mrtr_buf_free`. */
    mrtr_buf storage;
} mrtr_answer;

/**
 * States that the handler needs an answer, and says what is known of it. What is missing is collected for `mrtr_exchange_result`.
 *
 * `ask` is the JSON text of one entry of `inputRequests`. `answer` may be NULL.
 * Ownership: `answer->storage` is the caller's.
 * Threads: any; calls take turns.
 * Errors: those of `mrtr_result_build`. The first error of any ask also comes out of `mrtr_exchange_result`, so that straight-line code
 * may look only there. `MRTR_POISONED`.
 * Since: 0.1
 */
mrtr_status mrtr_exchange_ask(mrtr_exchange exchange,
                              mrtr_slice key,
                              mrtr_slice ask,
                              struct mrtr_answer *answer,
                              mrtr_error *err);

/**
 * `mrtr_exchange_ask` for a form: `message` is plain text, `schema` the JSON text of `requestedSchema`.
 *
 * Ownership, threads, errors: as `mrtr_exchange_ask`.
 * Since: 0.1
 */
mrtr_status mrtr_exchange_ask_form(mrtr_exchange exchange,
                                   mrtr_slice key,
                                   mrtr_slice message,
                                   mrtr_slice schema,
                                   struct mrtr_answer *answer,
                                   mrtr_error *err);

/**
 * `mrtr_exchange_ask` for a URL: `message` and `url` are plain text. Accepted means consent, not that anything was completed there.
 *
 * Ownership, threads, errors: as `mrtr_exchange_ask`.
 * Since: 0.1
 */
mrtr_status mrtr_exchange_ask_url(mrtr_exchange exchange,
                                  mrtr_slice key,
                                  mrtr_slice message,
                                  mrtr_slice url,
                                  struct mrtr_answer *answer,
                                  mrtr_error *err);

/**
 * `mrtr_exchange_ask` for sampling: `params` is the JSON text of the params of `sampling/createMessage`.
 *
 * Ownership, threads, errors: as `mrtr_exchange_ask`.
 * Since: 0.1
 */
mrtr_status mrtr_exchange_ask_sampling(mrtr_exchange exchange,
                                       mrtr_slice key,
                                       mrtr_slice params,
                                       struct mrtr_answer *answer,
                                       mrtr_error *err);

/**
 * `mrtr_exchange_ask` for the client's roots.
 *
 * Ownership, threads, errors: as `mrtr_exchange_ask`.
 * Since: 0.1
 */
mrtr_status mrtr_exchange_ask_roots(mrtr_exchange exchange,
                                    mrtr_slice key,
                                    struct mrtr_answer *answer,
                                    mrtr_error *err);

/* ---- legacy ---- */

/** Nothing to do until something is handed over; after the end, nothing at all. */
#define MRTR_LEGACY_IDLE 0

/**
 * Run the handler in the exchange of `mrtr_legacy_exchange`, and hand over its result with `mrtr_legacy_handled` or
 * `mrtr_legacy_failed`: `params`.
 */
#define MRTR_LEGACY_RUN 1

/** Send the client a request, under an id of your own: `ask`, `method`, `params`. Hand over the response. */
#define MRTR_LEGACY_SEND 2

/** Nobody waits for this ask any more: send `notifications/cancelled` for it: `ask`. */
#define MRTR_LEGACY_CANCEL 3

/** Nothing to do before `until_ms`. */
#define MRTR_LEGACY_SLEEP 4

/** The call is over: answer it with `result`, or with the error object `rpc`, or, if it was cancelled, not at all. Comes exactly once. */
#define MRTR_LEGACY_DONE 5

/**
 * Handle of a call of a client of an older era. `{0}` is none.
 *
 * Any thread may use it; calls take turns.
 */
typedef struct mrtr_legacy {
    /** The library's own word; 0 = none. */
    uint64_t id;
} mrtr_legacy;

/** What to do next. Members that do not belong to its type are 0, their `ptr` NULL. */
typedef struct mrtr_legacy_step {
    /** Size of this struct as the caller knows it. */
    uint32_t struct_size;
    /** `MRTR_LEGACY_*`. */
    uint32_t type;
    /** SEND and CANCEL: number of the ask in this call, from 1. */
    uint32_t ask;
    /** DONE: why the library refused the call, such as `MRTR_NO_BACK_CHANNEL`; 0 if the handler ended it. */
    int32_t refused;
    /** SLEEP: wake then. */
    uint64_t until_ms;
    /** SEND: JSON-RPC method. */
    mrtr_slice method;
    /** RUN and SEND: JSON text of the params; a `roots/list` may have none. */
    mrtr_slice params;
    /** DONE: JSON text of the result. */
    mrtr_slice result;
    /** DONE: JSON text of the JSON-RPC error object. */
    mrtr_slice rpc;
    /** Owner of the bytes above; free it with `mrtr_buf_free`. */
    mrtr_buf storage;
} mrtr_legacy_step;

/**
 * Begins to serve a request of a client of an older era. Nothing happens before `mrtr_legacy_next`.
 *
 * `peer` is the session: its version, what it declared in `initialize`, and whether it can be reached; `request->capabilities` is not looked at.
 * Ownership: all is copied; free the call with `mrtr_legacy_free`. The server may be freed before it.
 * Threads: any.
 * Errors: `MRTR_BAD_ARGUMENT` for a peer of 2026-07-28, `MRTR_UNSUPPORTED_VERSION`, `MRTR_INVALID_PARAMS`, `MRTR_BAD_JSON`, `MRTR_TOO_LARGE`.
 * Since: 0.1
 */
mrtr_status mrtr_legacy_begin(mrtr_server server,
                              const mrtr_request *request,
                              const mrtr_peer *peer,
                              struct mrtr_legacy *out,
                              mrtr_error *err);

/**
 * What to do next. `now_ms` is Unix time or `MRTR_NOW`.
 *
 * Ownership: `step->storage` is the caller's.
 * Threads: any; calls take turns.
 * Errors: `MRTR_POISONED`, `MRTR_BAD_STRUCT_SIZE`.
 * Since: 0.1
 */
mrtr_status mrtr_legacy_next(struct mrtr_legacy legacy,
                             uint64_t now_ms,
                             struct mrtr_legacy_step *step,
                             mrtr_error *err);

/**
 * The exchange of the round, for the handler to run in: the state is opened and verified, and what can be asked is what this client
 * can answer, in its version and over its channel.
 *
 * Ownership: free the exchange with `mrtr_exchange_free`.
 * Threads: any; calls take turns.
 * Errors: those of `mrtr_exchange_begin`; hand the error's `rpc` to `mrtr_legacy_failed`.
 * Since: 0.1
 */
mrtr_status mrtr_legacy_exchange(struct mrtr_legacy legacy,
                                 uint64_t now_ms,
                                 mrtr_exchange *out,
                                 mrtr_error *err);

/**
 * Hands over the handler's result: a complete one, or the `input_required` of its exchange. What is wrong with it ends the call.
 *
 * Ownership: copied.
 * Threads: any; calls take turns.
 * Errors: `MRTR_WRONG_STATE` if no handler is to run, `MRTR_POISONED`, `MRTR_NOT_UTF8`.
 * Since: 0.1
 */
mrtr_status mrtr_legacy_handled(struct mrtr_legacy legacy,
                                mrtr_slice result,
                                uint64_t now_ms,
                                mrtr_error *err);

/**
 * Hands over the JSON-RPC error object that the handler or its exchange failed with. What has no place on the older wire is told in its words.
 *
 * Ownership: copied.
 * Threads: any; calls take turns.
 * Errors: `MRTR_WRONG_STATE` if no handler is to run, `MRTR_BAD_JSON`, `MRTR_POISONED`, `MRTR_NOT_UTF8`.
 * Since: 0.1
 */
mrtr_status mrtr_legacy_failed(struct mrtr_legacy legacy,
                               mrtr_slice rpc,
                               mrtr_error *err);

/**
 * Hands over the result of the client's response to an ask. A late or unknown one is passed over.
 *
 * Ownership: copied.
 * Threads: any; calls take turns.
 * Errors: `MRTR_POISONED`, `MRTR_NOT_UTF8`. A text that cannot be read ends the call.
 * Since: 0.1
 */
mrtr_status mrtr_legacy_deliver(struct mrtr_legacy legacy, uint32_t ask, mrtr_slice result, mrtr_error *err);

/**
 * Says that the client answered an ask with a JSON-RPC error: that ends the call. A late or unknown one is passed over.
 *
 * Threads: any; calls take turns.
 * Errors: `MRTR_POISONED`.
 * Since: 0.1
 */
mrtr_status mrtr_legacy_deliver_error(struct mrtr_legacy legacy,
                                      uint32_t ask,
                                      mrtr_error *err);

/**
 * Says that the client cancelled its call, or is gone: open asks are cancelled, and nothing is answered.
 *
 * Threads: any; calls take turns.
 * Errors: `MRTR_POISONED`.
 * Since: 0.1
 */
mrtr_status mrtr_legacy_cancel(struct mrtr_legacy legacy, mrtr_error *err);

/**
 * Gives a call back. `{0}` is fine. Nothing is sent for it any more: cancel it first if a client waits.
 *
 * Threads: any; a call under way ends undisturbed.
 * Errors: `MRTR_STALE_HANDLE` if it was freed before, `MRTR_WRONG_HANDLE`.
 * Since: 0.1
 */
mrtr_status mrtr_legacy_free(struct mrtr_legacy legacy);

/* ---- client ---- */

/** Elicitations one after the other, sampling and roots beside them. */
#define MRTR_ORDER_DEFAULT 0

/** One ask at a time. */
#define MRTR_ORDER_SERIAL 1

/** All asks of a round at once. */
#define MRTR_ORDER_CONCURRENT 2

/** How to make a client, or how one flow differs from its client. */
typedef struct mrtr_client_options {
    /** Size of this struct as the caller knows it. */
    uint32_t struct_size;
    /** `MRTR_ABI`. */
    uint32_t abi;
    /** What the host handles: `MRTR_NEED_*`, or-ed. The declared capabilities follow from it. Default 0. */
    uint32_t handlers;
    /** Most rounds with asks; `MRTR_UNLIMITED` needs a flow timeout. Default 10. */
    uint32_t max_rounds;
    /** Longest wait for the response to one leg. Default 60 000 ms; `MRTR_NO_LIMIT` = ten years. */
    uint64_t leg_timeout_ms;
    /** Longest wait for one answer. Default `MRTR_NO_LIMIT`. */
    uint64_t input_timeout_ms;
    /** Longest life of a flow. Default `MRTR_NO_LIMIT`. */
    uint64_t flow_timeout_ms;
    /** Longest row of state-only rounds. Default 300 000 ms. */
    uint64_t poll_budget_ms;
    /** First wait before a state-only retry. Default 50 ms. */
    uint64_t pacing_initial_ms;
    /** Longest wait before a state-only retry. Default 5 000 ms. */
    uint64_t pacing_max_ms;
    /** 1 = those waits vary at random. Default 1. */
    uint32_t jitter;
    /** 1 = an `input_required` result ends the flow and is handed back. Default 0. */
    uint32_t manual;
    /** `MRTR_ORDER_*`. */
    uint32_t order;
    /** 1 = results without `resultType`, and null members, are refused. Default 0. */
    uint32_t strict;
    /** 1 = `http` URLs may be shown (development). Default 0. */
    uint32_t allow_http;
    /** 1 = state-only retries count as rounds, and wait 50 to 250 ms. Default 0. */
    uint32_t state_only_counts;
    /** 1 = progress starts the leg's clock anew. Default 0. */
    uint32_t reset_on_progress;
    /** 1 = an elicitation that nobody can take is answered with cancel instead of ending the flow. Default 0. */
    uint32_t cancel_if_unavailable;
    /** Most bytes of params, of a result and of an answer. Default 4 MiB. 1 GiB and more count as 1 byte less than that. */
    uint64_t max_message_bytes;
    /** Deepest nesting of JSON, the root counting 1. Default 64. */
    uint64_t max_depth;
    /** Most asks in a result. Default 64. */
    uint64_t max_asks;
    /** Most bytes of an ask's key. Default 64 KiB. */
    uint64_t max_key_bytes;
    /** Most bytes of a `requestState`. Default 1 MiB. */
    uint64_t max_token_bytes;
    /** Protocol version to put into `_meta`; `ptr` NULL = 2026-07-28. */
    mrtr_slice protocol_version;
    /** JSON object for `_meta`: name and version of the client; `ptr` NULL = the caller's params have it. */
    mrtr_slice client_info;
    /**
     * Secrets of at least 32 bytes that seal continuations: the first seals, every one opens, and what is not sealed is refused.
     * None = continuations are readable. In the options of one flow they are ignored: the client's stay.
     */
    const mrtr_slice *continuation_keys;
    /** Number of secrets. */
    size_t continuation_key_count;
    /** The host's own name for the server, handed on with each ask; `ptr` NULL = none. */
    mrtr_slice label;
    /** Result types of extensions that the host reads itself; a result of one ends the flow as complete. */
    const mrtr_slice *result_types;
    /** Number of result types. */
    size_t result_type_count;
    /** `MRTR_TRACE_*`: what a flow writes down about itself (`mrtr_trace_write`). Default nothing. */
    uint32_t trace;
    /** 0. */
    uint32_t reserved;
} mrtr_client_options;

/**
 * Handle of a client. `{0}` is none.
 *
 * Any number of threads may use one at the same time.
 */
typedef struct mrtr_client {
    /** The library's own word; 0 = none. */
    uint64_t id;
} mrtr_client;

/**
 * Writes the default options. Never writes beyond `size` bytes.
 *
 * Threads: any, one at a time for the same struct.
 * Since: 0.1
 */
void mrtr_client_options_init(struct mrtr_client_options *options, uint32_t size, uint32_t abi);

/**
 * Makes a client.
 *
 * Ownership: free it with `mrtr_client_free`; texts are copied.
 * Threads: any.
 * Errors: `MRTR_CONFIG_ERROR`, `MRTR_BAD_ARGUMENT`, `MRTR_ABI_MISMATCH`, `MRTR_BAD_STRUCT_SIZE`.
 * Since: 0.1
 */
mrtr_status mrtr_client_new(const struct mrtr_client_options *options,
                            struct mrtr_client *out,
                            mrtr_error *err);

/**
 * The capabilities that the client declares, as JSON text: they follow from `handlers`.
 *
 * Ownership: `json` is the caller's, to be freed with `mrtr_buf_free`.
 * Threads: any.
 * Errors: only those of handles and arguments.
 * Since: 0.1
 */
mrtr_status mrtr_client_capabilities(struct mrtr_client client, mrtr_buf *json, mrtr_error *err);

/**
 * Gives a client back. `{0}` is fine. Flows begun with it go on.
 *
 * Threads: any; calls under way end undisturbed.
 * Errors: `MRTR_STALE_HANDLE` if it was freed before, `MRTR_WRONG_HANDLE`.
 * Since: 0.1
 */
mrtr_status mrtr_client_free(struct mrtr_client client);

/* ---- event ---- */

/** Nothing to do until something is delivered; after the end, nothing at all. */
#define MRTR_EVENT_IDLE 0

/** Send a request: `leg`, `id`, `method`, `params`, `until_ms`, `paced_ms`. */
#define MRTR_EVENT_SEND 1

/** Tell the transport that nobody waits for this leg any more: `leg`, `id`. */
#define MRTR_EVENT_CANCEL_LEG 2

/** Ask the user or the model: `key`, `kind`, `ask`, `params`, `round`, `previously_declined`, who asks (`label`, `call_method`, `call_target`, `server_*`), and by kind `message`, `schema`, `url` with its hosts and flags. */
#define MRTR_EVENT_ASK 3

/** Stop asking: `key`. */
#define MRTR_EVENT_STOP_ASK 4

/** A round of asks begins: `round`. */
#define MRTR_EVENT_ROUND 5

/** Progress of a leg, for the caller: `leg`, `progress`. */
#define MRTR_EVENT_PROGRESS 6

/** Something odd that harms nothing, for a log: `text`, perhaps `key`. */
#define MRTR_EVENT_NOTE 7

/** Nothing to do before `until_ms`; `pacing` is 1 if it is the wait before a state-only retry. */
#define MRTR_EVENT_SLEEP 8

/** The flow has ended: `end`, `result`, `rpc_error`, `key`, `text`, `round`, `continuation`, `cacheable`. Comes exactly once. */
#define MRTR_EVENT_DONE 9

/** Of a runtime, not of a flow: it is closed, all was taken, and nothing will come any more. */
#define MRTR_EVENT_DRAINED 10

/** The URL's scheme is not https. */
#define MRTR_URL_NOT_HTTPS 1

/** The URL has a user name or password in it. */
#define MRTR_URL_USER_INFO 2

/** The URL's host is an IP address. */
#define MRTR_URL_IP_LITERAL 4

/** The URL's host has a label in Punycode. */
#define MRTR_URL_PUNYCODE 8

/** A label of the URL's host mixes scripts. */
#define MRTR_URL_MIXED_SCRIPT 16

/** One event of a flow. Members that do not belong to its type are 0, their `ptr` NULL. */
typedef struct mrtr_event {
    /** Size of this struct as the caller knows it. */
    uint32_t struct_size;
    /** `MRTR_EVENT_*`. */
    uint32_t type;
    /** Number of the leg, from 1; `mrtr_flow_deliver` wants it back. */
    uint32_t leg;
    /** ASK and ROUND: number of the round; DONE: rounds that there were. */
    uint32_t round;
    /** JSON-RPC id to use for the leg; unique among the flows of the client. */
    uint64_t id;
    /** SEND: deadline of the leg; SLEEP: wake then. `MRTR_NO_LIMIT` = none. */
    uint64_t until_ms;
    /** SEND: the wait that was taken before it. */
    uint64_t paced_ms;
    /** ASK: `MRTR_KIND_*`. */
    uint32_t kind;
    /** ASK: `MRTR_URL_*`, or-ed. */
    uint32_t url_flags;
    /** ASK: 1 if the same question was declined in an earlier round. */
    uint32_t previously_declined;
    /** DONE: `MRTR_OK` = complete, else why it ended. */
    mrtr_status end;
    /** SLEEP: 1 = the wait before a state-only retry. */
    uint32_t pacing;
    /** DONE: 1 = the result may be cached. */
    uint32_t cacheable;
    /** PROGRESS: the value; never lower than one before. */
    double progress;
    /** SEND: method of the leg. ASK: method of the ask. */
    mrtr_slice method;
    /** SEND: JSON text of the leg's params. ASK: JSON text of the ask's params. */
    mrtr_slice params;
    /** ASK, STOP_ASK, NOTE, DONE: key of the ask. */
    mrtr_slice key;
    /** ASK: JSON text of the whole ask. */
    mrtr_slice ask;
    /** ASK, elicitation: the message, plain text. */
    mrtr_slice message;
    /** ASK, form: JSON text of the schema. */
    mrtr_slice schema;
    /** ASK, URL: the URL, plain text. The library never opens it. */
    mrtr_slice url;
    /** ASK, URL: its host in ASCII. */
    mrtr_slice host_ascii;
    /** ASK, URL: its host in Unicode. */
    mrtr_slice host_unicode;
    /** DONE: JSON text of the final result, byte for byte, or of the result that was refused. */
    mrtr_slice result;
    /** DONE: JSON text of the error object that the peer sent. */
    mrtr_slice rpc_error;
    /** DONE: text from which the flow can go on (`mrtr_flow_resume`). */
    mrtr_slice continuation;
    /** NOTE: what is odd. DONE: a sentence about the end. */
    mrtr_slice text;
    /** Owner of the bytes above; free it with `mrtr_buf_free`. */
    mrtr_buf storage;
    /** ASK: the host's own name for the server, from its options. */
    mrtr_slice label;
    /** ASK: method of the call that the ask belongs to. */
    mrtr_slice call_method;
    /** ASK: the tool or prompt name, or the URI, of that call. */
    mrtr_slice call_target;
    /** ASK: what the server calls itself, as it came. Not verified by anyone. */
    mrtr_slice server_name;
    /** ASK: the same for the eye: at most 80 characters, invisible and direction-turning ones escaped. */
    mrtr_slice server_shown;
    /** ASK: the server's version for the eye. */
    mrtr_slice server_version;
    /** ASK, form: JSON array of the names of fields that look as if they asked for a secret, which a server must not do by form. */
    mrtr_slice secret_fields;
} mrtr_event;

/* ---- flow ---- */

/**
 * Handle of a flow. `{0}` is none.
 *
 * Any thread may use it; calls take turns. No call that waits holds up another object.
 * Callbacks may call every function of their own flow except `mrtr_flow_step`. While a runtime drives it (`mrtr_runtime_start`),
 * `now_ms` is passed over in all calls: the runtime's clock counts.
 */
typedef struct mrtr_flow {
    /** The library's own word; 0 = none. */
    uint64_t id;
} mrtr_flow;

/**
 * Begins a call. Nothing is sent yet: ask `mrtr_flow_next` or `mrtr_flow_step` what to do.
 *
 * `params` is the JSON text of the params of the first leg; `ptr` NULL = none. `options` NULL = the client's.
 * Those given stand for all of the client's but `handlers` and `continuation_keys`: change a copy of the struct that made it.
 * `now_ms` is a monotonic clock of the host's, the same in all calls for this flow, or `MRTR_NOW` in all.
 * Ownership: all is copied; free the flow with `mrtr_flow_free`. The client may be freed before it.
 * Threads: any.
 * Errors: `MRTR_CONFIG_ERROR` (options out of range, params that are no object or hold a retry field twice), `MRTR_TOO_LARGE`,
 * `MRTR_ABI_MISMATCH`, `MRTR_BAD_STRUCT_SIZE`.
 * Since: 0.1
 */
mrtr_status mrtr_flow_begin(mrtr_client client,
                            mrtr_slice method,
                            mrtr_slice params,
                            const mrtr_client_options *options,
                            uint64_t now_ms,
                            struct mrtr_flow *out,
                            mrtr_error *err);

/**
 * Goes on with a flow that was saved or that ended with a continuation, perhaps in another process. Leg one is not sent again;
 * the unanswered asks of the round are shown again.
 *
 * Ownership: `saved` is copied; free the flow with `mrtr_flow_free`.
 * Threads: any.
 * Errors: `MRTR_CONFIG_ERROR` for a text that is not whole or not ours.
 * Since: 0.1
 */
mrtr_status mrtr_flow_resume(mrtr_client client,
                             mrtr_slice saved,
                             uint64_t now_ms,
                             struct mrtr_flow *out,
                             mrtr_error *err);

/**
 * What to do next: call it until it says `MRTR_EVENT_SLEEP` or `MRTR_EVENT_IDLE`, and again after each delivery and when the time has come.
 * Limits are looked at here: what was handed in before counts, however late it came.
 *
 * Ownership: `out->storage` is the caller's; free it before the struct is used again.
 * Threads: any; calls take turns.
 * Errors: `MRTR_POISONED`, `MRTR_BAD_STRUCT_SIZE`, `MRTR_WRONG_STATE` if a runtime drives the flow. How the flow ended is in the event, not here.
 * Since: 0.1
 */
mrtr_status mrtr_flow_next(struct mrtr_flow flow,
                           uint64_t now_ms,
                           mrtr_event *out,
                           mrtr_error *err);

/**
 * An open ask of the current round by its place, 0 and up, in the order of the text: for a host that shows a round on one page.
 * Asks that were not shown yet are among them, and may be answered. Nothing is taken: each is still shown by an event.
 *
 * `out` becomes an event of type `MRTR_EVENT_ASK`, or `MRTR_EVENT_IDLE` when there is no such ask.
 * Ownership: `out->storage` is the caller's; free it before the struct is used again.
 * Threads: any; calls take turns.
 * Errors: `MRTR_POISONED`, `MRTR_BAD_STRUCT_SIZE`.
 * Since: 0.1
 */
mrtr_status mrtr_flow_open_ask(struct mrtr_flow flow,
                               size_t at,
                               mrtr_event *out,
                               mrtr_error *err);

/**
 * Delivers the JSON text of the `result` of a leg. A leg that nobody waits for is ignored.
 *
 * Ownership: copied.
 * Threads: any; calls take turns.
 * Errors: `MRTR_POISONED`. A bad result is no error here: it ends the flow.
 * Since: 0.1
 */
mrtr_status mrtr_flow_deliver(struct mrtr_flow flow,
                              uint32_t leg,
                              mrtr_slice result,
                              uint64_t now_ms,
                              mrtr_error *err);

/**
 * Delivers the JSON text of the `error` object of a leg.
 *
 * Ownership, threads, errors: as `mrtr_flow_deliver`.
 * Since: 0.1
 */
mrtr_status mrtr_flow_deliver_error(struct mrtr_flow flow,
                                    uint32_t leg,
                                    mrtr_slice error_object,
                                    uint64_t now_ms,
                                    mrtr_error *err);

/**
 * Says that the connection was lost before a leg was answered. The library never sends a leg twice.
 *
 * Threads, errors: as `mrtr_flow_deliver`.
 * Since: 0.1
 */
mrtr_status mrtr_flow_lost(struct mrtr_flow flow, uint32_t leg, uint64_t now_ms, mrtr_error *err);

/**
 * Delivers a progress value of a leg.
 *
 * Threads, errors: as `mrtr_flow_deliver`.
 * Since: 0.1
 */
mrtr_status mrtr_flow_progress(struct mrtr_flow flow,
                               uint32_t leg,
                               double value,
                               uint64_t now_ms,
                               mrtr_error *err);

/**
 * Cancels a flow: it ends as `MRTR_CANCELLED`; a leg in flight is cancelled by an event. After the end it does nothing.
 *
 * Threads: any; calls take turns.
 * Errors: `MRTR_POISONED`.
 * Since: 0.1
 */
mrtr_status mrtr_flow_cancel(struct mrtr_flow flow,
                             uint64_t now_ms,
                             mrtr_error *err);

/**
 * Writes the flow down as text, for `mrtr_flow_resume`. It holds what the user answered: keep it as you would keep that.
 *
 * Ownership: `text` is the caller's, to be freed with `mrtr_buf_free`.
 * Threads: any; calls take turns.
 * Errors: `MRTR_WRONG_STATE` when there is nothing to go on from, `MRTR_POISONED`.
 * Since: 0.1
 */
mrtr_status mrtr_flow_save(struct mrtr_flow flow,
                           mrtr_buf *text,
                           mrtr_error *err);

/**
 * Gives a flow back. `{0}` is fine. One that has not ended just stops: no event, no callback but `destroy`. (The dispatcher of a runtime may be
 * about to call with the one event that it has in its hands.)
 *
 * Threads: any, callbacks included; a call under way ends first, and `destroy` runs after it.
 * Errors: `MRTR_STALE_HANDLE` if it was freed before, `MRTR_WRONG_HANDLE`.
 * Since: 0.1
 */
mrtr_status mrtr_flow_free(struct mrtr_flow flow);

/* ---- reply ---- */

/**
 * Answers an ask: for a form `value` is the JSON text of the content object, for sampling and roots of the whole result;
 * for a URL it means consent and is ignored (`ptr` NULL is fine).
 *
 * Ownership: copied.
 * Threads: any; calls take turns.
 * Errors: `MRTR_CONFIG_ERROR` for a key that was not asked, `MRTR_WRONG_STATE` for one that has its answer or a flow that is over, `MRTR_POISONED`. A value that does not fit the ask is no error here:
 * it ends the flow as `MRTR_HANDLER_FAILED`, and nothing is sent.
 * Since: 0.1
 */
mrtr_status mrtr_flow_answer(mrtr_flow flow,
                             mrtr_slice key,
                             mrtr_slice value,
                             uint64_t now_ms,
                             mrtr_error *err);

/**
 * The user said no to an elicitation; the server learns it.
 *
 * Threads, errors: as `mrtr_flow_answer`.
 * Since: 0.1
 */
mrtr_status mrtr_flow_decline(mrtr_flow flow, mrtr_slice key, uint64_t now_ms, mrtr_error *err);

/**
 * The user dismissed an elicitation; the server learns it.
 *
 * Threads, errors: as `mrtr_flow_answer`.
 * Since: 0.1
 */
mrtr_status mrtr_flow_cancel_ask(mrtr_flow flow, mrtr_slice key, uint64_t now_ms, mrtr_error *err);

/**
 * Refuses an ask: nothing is sent to anyone, the flow ends as `MRTR_REFUSED`.
 *
 * Threads, errors: as `mrtr_flow_answer`.
 * Since: 0.1
 */
mrtr_status mrtr_flow_refuse(mrtr_flow flow, mrtr_slice key, uint64_t now_ms, mrtr_error *err);

/**
 * Nobody could be asked: the flow ends as `MRTR_UNAVAILABLE`, or the ask is cancelled by policy.
 *
 * Threads, errors: as `mrtr_flow_answer`.
 * Since: 0.1
 */
mrtr_status mrtr_flow_unavailable(mrtr_flow flow, mrtr_slice key, uint64_t now_ms, mrtr_error *err);

/**
 * The handler of an ask failed, with a sentence about it: the flow ends as `MRTR_HANDLER_FAILED`.
 *
 * Ownership: `text` is copied.
 * Threads, errors: as `mrtr_flow_answer`.
 * Since: 0.1
 */
mrtr_status mrtr_flow_fail(mrtr_flow flow, mrtr_slice key, mrtr_slice text, uint64_t now_ms, mrtr_error *err);

/* ---- older ---- */

/**
 * The capabilities to declare in `initialize` of an older protocol version, as JSON text: they follow from `handlers`.
 *
 * Ownership: `json` is the caller's, to be freed with `mrtr_buf_free`.
 * Threads: any.
 * Errors: `MRTR_BAD_ARGUMENT` for a version that is none of the older era (2024-11-05 to 2025-11-25).
 * Since: 0.1
 */
mrtr_status mrtr_older_capabilities(mrtr_client client,
                                    mrtr_slice version,
                                    mrtr_buf *json,
                                    mrtr_error *err);

/**
 * A flow for a request that a server of 2025 made of its client: `elicitation/create`, `sampling/createMessage`, `roots/list`.
 * It asks by the same events as a call and sends no leg; it ends with the JSON-RPC response to send in `result`. `end` says what became of
 * the ask; without a `result` (it was cancelled) nothing is to be sent.
 *
 * `message` is the whole JSON-RPC request; its id is kept as it is. `version` is what was negotiated in `initialize`.
 * Ownership: all is copied; free the flow with `mrtr_flow_free`.
 * Threads: any.
 * Errors: `MRTR_BAD_JSON`, `MRTR_TOO_LARGE`, `MRTR_BAD_ARGUMENT` for what is no request, and for a version that is none of the older era.
 * A request that cannot be answered is no error here: the flow ends with the response that says so.
 * Since: 0.1
 */
mrtr_status mrtr_older_request(mrtr_client client,
                               mrtr_slice message,
                               mrtr_slice version,
                               uint64_t now_ms,
                               mrtr_flow *out,
                               mrtr_error *err);

/**
 * Says that a page is done which the error -32042 of an older server asked for (`notifications/elicitation/complete`); `elicitation_id`
 * with `ptr` NULL = the user says that all are. When all are done, the call is made again, unchanged. An id that nobody waits for is ignored.
 *
 * The error is delivered as any other (`mrtr_flow_deliver_error`) to a flow whose `protocol_version` is 2025-11-25. Its pages are asks;
 * a page that is declined ends the flow as `MRTR_REFUSED`.
 * Threads: any; calls take turns.
 * Errors: `MRTR_WRONG_STATE` without an id while the flow does not wait for pages, `MRTR_POISONED`.
 * Since: 0.1
 */
mrtr_status mrtr_older_complete(mrtr_flow flow,
                                mrtr_slice elicitation_id,
                                uint64_t now_ms,
                                mrtr_error *err);

/* ---- trace ---- */

/** A flow writes nothing down. */
#define MRTR_TRACE_OFF 0

/** A flow writes down what happened and when: methods, numbers, keys, kinds of answers. No params, results, questions or answers. */
#define MRTR_TRACE_EVENTS 1

/** A flow writes the texts down, too: they hold what people were asked and answered. */
#define MRTR_TRACE_CONTENT 2

/** JSON lines: `at` in ms of the flow's clock, `what`, and by what `number`, `key`, `word`, `content`. */
#define MRTR_TRACE_LINES 1

/** A sequence diagram in Mermaid's language; never has content. */
#define MRTR_TRACE_MERMAID 2

/**
 * Writes the trace of a flow, up to now: legs, rounds, asks, answers by their kind, waits, the end.
 *
 * `form` is `MRTR_TRACE_LINES` or `MRTR_TRACE_MERMAID`. A flow keeps 10 000 records at most.
 * Ownership: `text` is the caller's, to be freed with `mrtr_buf_free`.
 * Threads: any; calls take turns.
 * Errors: `MRTR_WRONG_STATE` if the client's option `trace` is off, `MRTR_BAD_ARGUMENT` for another `form`, `MRTR_POISONED`.
 * Since: 0.1
 */
mrtr_status mrtr_trace_write(mrtr_flow flow,
                             uint32_t form,
                             mrtr_buf *text,
                             mrtr_error *err);

/* ---- callbacks ---- */

/**
 * Functions that `mrtr_flow_step` or the dispatcher of a runtime calls, one per type of event.
 *
 * They return nothing and act through functions (`mrtr_flow_answer`, …); not acting means "later".
 * An event and its texts live during the call only (`storage` is empty in it). No lock is held, and every function of the library may be called
 * except `mrtr_flow_step` for the same flow. No exception and no `longjmp` may leave them.
 */
typedef struct mrtr_flow_callbacks {
    /** Size of this struct as the caller knows it. */
    uint32_t struct_size;
    /** `MRTR_ABI`. */
    uint32_t abi;
    /** Handed to each function as it is. */
    void *user_data;
    /** For each type whose own function is NULL. */
    void (*event)(void *user_data, mrtr_flow flow, const mrtr_event *event);
    /** `MRTR_EVENT_SEND`. */
    void (*send)(void *user_data, mrtr_flow flow, const mrtr_event *event);
    /** `MRTR_EVENT_CANCEL_LEG`. */
    void (*cancel_leg)(void *user_data, mrtr_flow flow, const mrtr_event *event);
    /** `MRTR_EVENT_ASK`. */
    void (*ask)(void *user_data, mrtr_flow flow, const mrtr_event *event);
    /** `MRTR_EVENT_STOP_ASK`. */
    void (*stop_ask)(void *user_data, mrtr_flow flow, const mrtr_event *event);
    /** `MRTR_EVENT_ROUND`. */
    void (*round)(void *user_data, mrtr_flow flow, const mrtr_event *event);
    /** `MRTR_EVENT_PROGRESS`. */
    void (*progress)(void *user_data, mrtr_flow flow, const mrtr_event *event);
    /** `MRTR_EVENT_NOTE`. */
    void (*note)(void *user_data, mrtr_flow flow, const mrtr_event *event);
    /** `MRTR_EVENT_DONE`. */
    void (*done)(void *user_data, mrtr_flow flow, const mrtr_event *event);
    /** Called exactly once, after the last use of `user_data`; may be NULL. */
    void (*destroy)(void *user_data);
} mrtr_flow_callbacks;

/**
 * Writes a table without functions. Never writes beyond `size` bytes.
 *
 * Threads: any, one at a time for the same struct.
 * Since: 0.1
 */
void mrtr_flow_callbacks_init(struct mrtr_flow_callbacks *callbacks, uint32_t size, uint32_t abi);

/**
 * Gives a flow its functions; those it had before are destroyed.
 *
 * Ownership: the struct is copied; `user_data` is the flow's until `destroy` was called. If this function fails, `destroy` is not called.
 * Threads: any; calls take turns.
 * Errors: `MRTR_POISONED`, `MRTR_ABI_MISMATCH`, `MRTR_BAD_STRUCT_SIZE`.
 * Since: 0.1
 */
mrtr_status mrtr_flow_set_callbacks(mrtr_flow flow,
                                    const struct mrtr_flow_callbacks *callbacks,
                                    mrtr_error *err);

/**
 * Calls the functions for all that is to be done now, and says when to come back: at `*until_ms` (`MRTR_NO_LIMIT` = after the next delivery),
 * or never when `*done` is 1. Both pointers may be NULL.
 *
 * Threads: any, one step at a time; functions are called on the calling thread. They may free the flow: then it stops there, `*done` is 1.
 * Errors: `MRTR_WRONG_STATE` without functions or if a runtime drives the flow, `MRTR_BUSY` (also when called by one of them), `MRTR_POISONED`.
 * Since: 0.1
 */
mrtr_status mrtr_flow_step(mrtr_flow flow,
                           uint64_t now_ms,
                           uint64_t *until_ms,
                           uint32_t *done,
                           mrtr_error *err);

/* ---- queue ---- */

/**
 * Handle of a queue. `{0}` is none.
 *
 * Any number of threads may use one at the same time. Each event is taken once; with one taker at a time the order of each flow holds.
 */
typedef struct mrtr_queue {
    /** The library's own word; 0 = none. */
    uint64_t id;
} mrtr_queue;

/**
 * Takes the next event and says of which flow it is; waits for one at most that long (0 = not at all, `MRTR_NO_LIMIT` = without end).
 *
 * `MRTR_EVENT_IDLE` with flow `{0}`: the time is over, or `mrtr_queue_wake` was called. `MRTR_EVENT_DRAINED` with flow `{0}`: the runtime is closed and all was taken,
 * or it was freed; from then on every call says so. `MRTR_EVENT_SLEEP` does not come: the runtime sleeps.
 * Ownership: `out->storage` is the caller's; free it before the struct is used again. `*flow` is the handle that the caller has already.
 * Threads: any.
 * Errors: `MRTR_BAD_STRUCT_SIZE`, `MRTR_WRONG_STATE` in a forked child, `MRTR_UNSUPPORTED`.
 * Since: 0.1
 */
mrtr_status mrtr_queue_next(struct mrtr_queue queue,
                            uint64_t timeout_ms,
                            mrtr_flow *flow,
                            mrtr_event *out,
                            mrtr_error *err);

/**
 * Lets a call that waits in `mrtr_queue_next` come back with `MRTR_EVENT_IDLE`, or the next one that would wait.
 *
 * Threads: any.
 * Errors: `MRTR_WRONG_STATE` in a forked child, `MRTR_UNSUPPORTED`.
 * Since: 0.1
 */
mrtr_status mrtr_queue_wake(struct mrtr_queue queue,
                            mrtr_error *err);

/**
 * A file descriptor for `poll`, `epoll`, `kqueue` or an event loop: readable while `mrtr_queue_next` would not wait. Never read, write or close it.
 *
 * Ownership: the queue's; it is closed with the last handle of the runtime, its queue and its flows.
 * Threads: any.
 * Errors: `MRTR_UNSUPPORTED` where there is no such thing (Windows) or the process has none left, `MRTR_WRONG_STATE` in a forked child.
 * Since: 0.1
 */
mrtr_status mrtr_queue_fd(struct mrtr_queue queue,
                          int32_t *fd,
                          mrtr_error *err);

/**
 * Gives a handle of a queue back. `{0}` is fine. Events stay for other handles of the same queue.
 *
 * Threads: any; calls under way end undisturbed.
 * Errors: `MRTR_STALE_HANDLE` if it was freed before, `MRTR_WRONG_HANDLE`.
 * Since: 0.1
 */
mrtr_status mrtr_queue_free(struct mrtr_queue queue);

/* ---- runtime ---- */

/** How to make a runtime. */
typedef struct mrtr_runtime_options {
    /** Size of this struct as the caller knows it. */
    uint32_t struct_size;
    /** `MRTR_ABI`. */
    uint32_t abi;
    /** Name of the dispatcher thread, for debuggers; Linux shows 15 bytes of it. `ptr` NULL = "mrtr". */
    mrtr_slice name;
} mrtr_runtime_options;

/**
 * Handle of a runtime. `{0}` is none.
 *
 * Any number of threads may use one at the same time. It is for hosts that want the library to keep the clocks of many flows: it has a thread
 * for timers, and its events come either to functions on one thread of its own, or into a queue that the host empties. Requests are still sent by the
 * host, and what comes of them is delivered through the functions of the flow (`mrtr_flow_deliver`, `mrtr_flow_answer`, …), from any thread.
 * A child after `fork` cannot use it, nor its flows: every call for them gives `MRTR_WRONG_STATE` there; it may only free and exec.
 */
typedef struct mrtr_runtime {
    /** The library's own word; 0 = none. */
    uint64_t id;
} mrtr_runtime;

/**
 * Writes the default options. Never writes beyond `size` bytes.
 *
 * Threads: any, one at a time for the same struct.
 * Since: 0.1
 */
void mrtr_runtime_options_init(struct mrtr_runtime_options *options, uint32_t size, uint32_t abi);

/**
 * Makes a runtime. With `callbacks` one thread of its own, the dispatcher, calls them for all its flows, one after the other;
 * with NULL the host empties its queue (`mrtr_runtime_queue`), and no thread of the library ever runs the host's code.
 *
 * `options` NULL = the defaults.
 * Ownership: free it with `mrtr_runtime_free`; texts and `callbacks` are copied. `user_data` is the runtime's until `destroy` was called, on the dispatcher,
 * after the last call: when the runtime is drained, or soon after it was freed. If this function fails, `destroy` is not called.
 * Threads: any. The functions are called with no lock held, and may use every function but `mrtr_runtime_wait`; while one of them blocks, the others wait.
 * Errors: `MRTR_UNSUPPORTED` without the feature "runtime" or without threads, `MRTR_CONFIG_ERROR`, `MRTR_ABI_MISMATCH`, `MRTR_BAD_STRUCT_SIZE`.
 * Since: 0.1
 */
mrtr_status mrtr_runtime_new(const struct mrtr_runtime_options *options,
                             const mrtr_flow_callbacks *callbacks,
                             struct mrtr_runtime *out,
                             mrtr_error *err);

/**
 * Gives a flow to a runtime, which begins with it: from now on its events come from there, and the runtime's clock counts, which is `MRTR_NOW`'s:
 * begin the flow with that time. Its end comes exactly once, unless the flow is freed before.
 *
 * Ownership: the flow stays the caller's, who frees it, best when its end has come.
 * Threads: any. Events may come to another thread before this returns, never to this one.
 * Errors: `MRTR_WRONG_STATE` if the runtime is closed or the flow has a runtime already, `MRTR_BUSY` while it is stepped, `MRTR_UNSUPPORTED`.
 * Since: 0.1
 */
mrtr_status mrtr_runtime_start(struct mrtr_runtime runtime,
                               mrtr_flow flow,
                               mrtr_error *err);

/**
 * The queue of a runtime that has no callbacks. Each call gives another handle of the same queue.
 *
 * Ownership: free it with `mrtr_queue_free`; the runtime may be freed before it.
 * Threads: any.
 * Errors: `MRTR_WRONG_STATE` if a dispatcher takes the events, `MRTR_UNSUPPORTED`.
 * Since: 0.1
 */
mrtr_status mrtr_runtime_queue(struct mrtr_runtime runtime, mrtr_queue *out, mrtr_error *err);

/**
 * The first step of the end: no flow is started any more, and those that run are cancelled; their ends still come. When all events were
 * taken, the runtime is drained: the queue says `MRTR_EVENT_DRAINED`, the dispatcher calls `destroy`, and nothing is ever called again. Twice does nothing.
 *
 * Threads: any, the callbacks included; it does not wait.
 * Errors: `MRTR_WRONG_STATE` in a forked child, `MRTR_UNSUPPORTED`.
 * Since: 0.1
 */
mrtr_status mrtr_runtime_close(struct mrtr_runtime runtime,
                               mrtr_error *err);

/**
 * Waits until a closed runtime is drained, at most that long (`MRTR_NO_LIMIT` = without end). `*drained` is 1 if it is, 0 if the time is over.
 * With a dispatcher, `destroy` has returned when it is 1.
 *
 * Threads: any but the dispatcher, which waits for nobody: `MRTR_BUSY`. Hold no lock that a callback wants.
 * Errors: `MRTR_BUSY`, `MRTR_WRONG_STATE` in a forked child, `MRTR_UNSUPPORTED`.
 * Since: 0.1
 */
mrtr_status mrtr_runtime_wait(struct mrtr_runtime runtime,
                              uint64_t timeout_ms,
                              uint32_t *drained,
                              mrtr_error *err);

/**
 * Gives a runtime back, best when it is drained. `{0}` is fine. Before that, what is left is thrown away: no end comes any more, and only a callback
 * that is running goes on. Its flows stand still and can be freed.
 *
 * Threads: any, the callbacks included; it does not wait for them.
 * Errors: `MRTR_STALE_HANDLE` if it was freed before, `MRTR_WRONG_HANDLE`.
 * Since: 0.1
 */
mrtr_status mrtr_runtime_free(struct mrtr_runtime runtime);

/* ---- convenience ---- */

#ifdef __cplusplus
#define MRTR_SIZE_OF_(pointer) static_cast<uint32_t>(sizeof *(pointer))
#define MRTR_BYTES_OF_(text) reinterpret_cast<const uint8_t *>(text)
#else
#define MRTR_SIZE_OF_(pointer) ((uint32_t)sizeof *(pointer))
#define MRTR_BYTES_OF_(text) ((const uint8_t *)(text))
#endif

/** Fills a struct with its defaults: `MRTR_INIT(sealer_options, &options)`. */
#define MRTR_INIT(name, pointer) mrtr_##name##_init((pointer), MRTR_SIZE_OF_(pointer), MRTR_ABI)

/** Tells the library how large a struct is that it fills: `mrtr_opened opened; MRTR_SIZE(&opened);`. Nothing else of it need be set. */
#define MRTR_SIZE(pointer) ((pointer)->struct_size = MRTR_SIZE_OF_(pointer))

/** A NUL-terminated text as a slice; NULL gives the absent slice. */
static inline mrtr_slice mrtr_str(const char *text) {
    mrtr_slice slice;
    slice.ptr = MRTR_BYTES_OF_(text);
    slice.len = text ? strlen(text) : 0;
    return slice;
}

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* MRTR_H */
