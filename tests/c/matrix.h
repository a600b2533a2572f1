/* What the generated calls of tests/abi_matrix.rs stand on: good and wrong handles of every kind, inputs, outputs. */
#ifndef MATRIX_H
#define MATRIX_H

#define _GNU_SOURCE
#include "kit.h"
#include <dlfcn.h>
#define SOME_HANDLE_ERROR (-1)

/* What went wrong is counted and shown with the call. */
static void expect_status(mrtr_status got, mrtr_status want, const char *what) {
    checks++;
    if (got == want || (want == SOME_HANDLE_ERROR && (got == MRTR_STALE_HANDLE || got == MRTR_WRONG_HANDLE))) return;
    faults++;
    fprintf(stderr, "%s: got %d, expected %d\n", what, (int)got, (int)want);
}

static void expect_empty(int empty, const char *what) {
    checks++;
    if (!empty) { faults++; fprintf(stderr, "%s: an out-parameter is set\n", what); }
}

/* One object of each kind, made by this copy of the library or by another one. */
typedef struct { mrtr_error error; mrtr_sealer sealer; mrtr_server server; mrtr_exchange exchange; mrtr_client client; mrtr_flow flow; mrtr_form form; mrtr_runtime runtime; mrtr_queue queue; mrtr_legacy legacy; } objects;

static void *library;
static void *find(const char *name) { return library ? dlsym(library, name) : dlsym(RTLD_DEFAULT, name); }
#define CALL(name) ((__typeof__(&name))find(#name))

static objects make(void) {
    objects o;
    mrtr_sealer_options sealing;
    mrtr_server_options serving;
    mrtr_client_options calling;
    mrtr_request r;
    mrtr_peer older;
    mrtr_sealer bad;
    memset(&r, 0, sizeof r);
    MRTR_SIZE(&r);
    r.method = mrtr_str("tools/call");
    r.params = mrtr_str("{\"name\":\"t\"}");
    r.principal.kind = MRTR_PRINCIPAL_NONE;
    CALL(mrtr_sealer_options_init)(&sealing, sizeof sealing, MRTR_ABI);
    STATUS(MRTR_CONFIG_ERROR, CALL(mrtr_sealer_new)(&sealing, &bad, &o.error));
    sealing.ephemeral = 1;
    sealing.cipher = CIPHER_FOR_VALGRIND;
    OK(CALL(mrtr_sealer_new)(&sealing, &o.sealer, NULL));
    CALL(mrtr_server_options_init)(&serving, sizeof serving, MRTR_ABI);
    serving.sealer = o.sealer;
    OK(CALL(mrtr_server_new)(&serving, &o.server, NULL));
    OK(CALL(mrtr_exchange_begin)(o.server, &r, 0, &o.exchange, NULL));
    CALL(mrtr_client_options_init)(&calling, sizeof calling, MRTR_ABI);
    calling.handlers = MRTR_NEED_FORM;
    OK(CALL(mrtr_client_new)(&calling, &o.client, NULL));
    OK(CALL(mrtr_flow_begin)(o.client, r.method, r.params, NULL, 0, &o.flow, NULL));
    OK(CALL(mrtr_form_new)(&o.form, NULL));
    memset(&older, 0, sizeof older);
    MRTR_SIZE(&older);
    older.version = mrtr_str("2025-11-25");
    OK(CALL(mrtr_legacy_begin)(o.server, &r, &older, &o.legacy, NULL));
    OK(CALL(mrtr_runtime_new)(NULL, NULL, &o.runtime, NULL));
    OK(CALL(mrtr_runtime_queue)(o.runtime, &o.queue, NULL));
    return o;
}

static void drop(objects o) {
    OK(CALL(mrtr_form_free)(o.form));
    OK(CALL(mrtr_legacy_free)(o.legacy));
    OK(CALL(mrtr_queue_free)(o.queue));
    OK(CALL(mrtr_runtime_free)(o.runtime));
    OK(CALL(mrtr_flow_free)(o.flow));
    OK(CALL(mrtr_client_free)(o.client));
    OK(CALL(mrtr_exchange_free)(o.exchange));
    OK(CALL(mrtr_server_free)(o.server));
    OK(CALL(mrtr_sealer_free)(o.sealer));
    OK(CALL(mrtr_error_free)(o.error));
}

static objects good, stale, foreign, none_of, made_up;
static mrtr_slice a_text, no_bytes, bad_text;
static mrtr_slice texts[1];
static uint8_t room_bytes[4096];
static mrtr_room a_room = {room_bytes, sizeof room_bytes};
static mrtr_request request_in;
static mrtr_request_check request_check_in;
static mrtr_sealer_options sealer_options_in;
static mrtr_server_options server_options_in;
static mrtr_client_options client_options_in;
static mrtr_result_options result_options_in;
static mrtr_flow_callbacks flow_callbacks_in;
static mrtr_field field_in;
static mrtr_peer peer_in;
static mrtr_discovery discovery_in;
static mrtr_sealer_callbacks sealer_callbacks_in;
static mrtr_server_callbacks server_callbacks_in;
static mrtr_runtime_options runtime_options_in;
static mrtr_error err;
static mrtr_error error_out; static mrtr_sealer sealer_out; static mrtr_server server_out; static mrtr_exchange exchange_out; static mrtr_client client_out; static mrtr_flow flow_out; static mrtr_form form_out; static mrtr_legacy legacy_out; static mrtr_legacy_step legacy_step_out;
static mrtr_runtime runtime_out; static mrtr_queue queue_out; static int32_t int32_out;
static mrtr_buf buf_out; static mrtr_slice slice_out; static uint32_t uint32_out; static uint64_t uint64_out; static size_t size_out;
static mrtr_sealer_counters sealer_counters_out;
static mrtr_version_info version_info_out; static mrtr_error_info error_info_out; static mrtr_opened opened_out; static mrtr_result result_out;
static mrtr_answer answer_out; static mrtr_exchange_info exchange_info_out; static mrtr_event event_out;

/* Before each call: inputs as they should be, outputs full of rubbish. */
static void prepare(void) {
    a_text = mrtr_str("x");
    no_bytes.ptr = NULL;
    no_bytes.len = 3;
    bad_text.ptr = (const uint8_t *)"\xC3(";
    bad_text.len = 2;
    texts[0] = mrtr_str("0123456789abcdef0123456789abcdef");
    memset(&request_in, 0, sizeof request_in);
    MRTR_SIZE(&request_in);
    request_in.method = mrtr_str("tools/call");
    request_in.principal.kind = MRTR_PRINCIPAL_NONE;
    MRTR_INIT(request_check, &request_check_in);
    MRTR_INIT(sealer_options, &sealer_options_in);
    sealer_options_in.ephemeral = 1;
    MRTR_INIT(server_options, &server_options_in);
    MRTR_INIT(client_options, &client_options_in);
    MRTR_INIT(result_options, &result_options_in);
    result_options_in.method = mrtr_str("tools/call");
    result_options_in.state = mrtr_str("s");
    MRTR_INIT(flow_callbacks, &flow_callbacks_in);
    MRTR_INIT(field, &field_in);
    memset(&peer_in, 0, sizeof peer_in);
    MRTR_SIZE(&peer_in);
    peer_in.version = mrtr_str("2025-11-25");
    MRTR_INIT(discovery, &discovery_in);
    memset(&legacy_step_out, 0x55, sizeof legacy_step_out); MRTR_SIZE(&legacy_step_out);
    field_in.kind = MRTR_FIELD_TEXT;
    MRTR_INIT(runtime_options, &runtime_options_in);
    err.id = 77;
    memset(&buf_out, 0x55, sizeof buf_out);
    memset(&slice_out, 0x55, sizeof slice_out);
    error_out.id = sealer_out.id = server_out.id = exchange_out.id = client_out.id = flow_out.id = form_out.id = runtime_out.id = queue_out.id = legacy_out.id = 77;
    int32_out = 77; uint32_out = 77; uint64_out = 77;
    memset(&version_info_out, 0x55, sizeof version_info_out); MRTR_SIZE(&version_info_out);
    memset(&error_info_out, 0x55, sizeof error_info_out); MRTR_SIZE(&error_info_out);
    memset(&opened_out, 0x55, sizeof opened_out); MRTR_SIZE(&opened_out);
    memset(&result_out, 0x55, sizeof result_out); MRTR_SIZE(&result_out);
    memset(&answer_out, 0x55, sizeof answer_out); MRTR_SIZE(&answer_out);
    memset(&exchange_info_out, 0x55, sizeof exchange_info_out); MRTR_SIZE(&exchange_info_out);
    memset(&event_out, 0x55, sizeof event_out); MRTR_SIZE(&event_out);
}

#endif
