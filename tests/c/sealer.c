/* Sealing and opening through the C ABI (S1, S4, S6, S7, S9, S11, D13). */
#include "check.h"

static mrtr_request request(const char *method, const char *params) {
    mrtr_request r;
    memset(&r, 0, sizeof r);
    MRTR_SIZE(&r);
    r.method = mrtr_str(method);
    r.params = mrtr_str(params);
    r.principal.kind = MRTR_PRINCIPAL_NONE;
    return r;
}

static mrtr_sealer sealer_of(const char *secret, uint32_t single_use) {
    mrtr_sealer_options o;
    mrtr_sealer s;
    mrtr_slice key = mrtr_str(secret);
    MRTR_INIT(sealer_options, &o);
    o.keys = &key;
    o.key_count = 1;
    o.single_use = single_use;
    o.cipher = CIPHER_FOR_VALGRIND;
    OK(mrtr_sealer_new(&o, &s, NULL));
    return s;
}

static const char *SECRET = "0123456789abcdef0123456789abcdef";

static void round_trip(void) {
    mrtr_sealer s = sealer_of(SECRET, 0);
    mrtr_request r = request("tools/call", "{\"name\":\"book\",\"arguments\":{\"n\":1}}");
    mrtr_request same_request = request("tools/call", "{ \"arguments\" : {\"n\":1.0}, \"name\":\"book\" }");
    mrtr_buf token, second;
    mrtr_opened out;
    uint8_t flow[16];
    MRTR_SIZE(&out);

    OK(mrtr_sealer_seal(s, &r, mrtr_str("hello"), none(), 1000, &token, NULL));
    CHECK(token.len > 6 && memcmp(token.ptr, "mrtr1.", 6) == 0);
    OK(mrtr_sealer_open(s, &same_request, view(&token), 2000, &out, NULL));
    CHECK(same(out.state, "hello"));
    CHECK(out.has_state == 1 && out.round == 1 && out.issued_ms == 1000 && out.flow_start_ms == 1000);
    CHECK(out.expires_ms == 1000 + 600000);
    memcpy(flow, out.flow_id, sizeof flow);
    mrtr_buf_free(&out.storage);

    /* The next round of the same flow; without a state of its own the host's goes on (D13). */
    OK(mrtr_sealer_seal(s, &r, mrtr_str("more"), view(&token), 3000, &second, NULL));
    OK(mrtr_sealer_open(s, &r, view(&second), 3000, &out, NULL));
    CHECK(out.round == 2 && out.flow_start_ms == 1000 && memcmp(flow, out.flow_id, sizeof flow) == 0);
    CHECK(same(out.state, "more"));
    mrtr_buf_free(&out.storage);

    mrtr_buf_free(&second);
    CHECK(second.ptr == NULL && second.len == 0 && second.cap == 0);
    mrtr_buf_free(&second);
    mrtr_buf_free(&token);
    OK(mrtr_sealer_free(s));
    STATUS(MRTR_STALE_HANDLE, mrtr_sealer_free(s));
}

/* No state and an empty one differ (D13). */
static void empty_state(void) {
    mrtr_sealer s = sealer_of(SECRET, 0);
    mrtr_request r = request("tools/call", NULL);
    mrtr_buf token;
    mrtr_opened out;
    MRTR_SIZE(&out);
    OK(mrtr_sealer_seal(s, &r, none(), none(), 0, &token, NULL));
    OK(mrtr_sealer_open(s, &r, view(&token), 0, &out, NULL));
    CHECK(out.has_state == 0 && out.state.ptr == NULL);
    mrtr_buf_free(&out.storage);
    mrtr_buf_free(&token);
    OK(mrtr_sealer_seal(s, &r, mrtr_str(""), none(), 0, &token, NULL));
    OK(mrtr_sealer_open(s, &r, view(&token), 0, &out, NULL));
    CHECK(out.has_state == 1 && out.state.ptr != NULL && out.state.len == 0);
    mrtr_buf_free(&out.storage);
    mrtr_buf_free(&token);
    OK(mrtr_sealer_free(s));
}

/* The host learns the true reason; the wire answer is the same for each (S9). */
static void refusals(void) {
    mrtr_sealer s = sealer_of(SECRET, 0), other = sealer_of("another secret of thirty-two byte", 0);
    mrtr_request r = request("tools/call", "{\"name\":\"book\"}"), wrong = request("tools/call", "{\"name\":\"cook\"}"), who = r;
    mrtr_slice part = mrtr_str("alice");
    mrtr_buf token;
    mrtr_opened out;
    mrtr_error err;
    mrtr_error_info info;
    static const char *WIRE =
        "{\"code\":-32602,\"message\":\"Invalid or expired requestState\",\"data\":{\"reason\":\"invalid_request_state\"}}";
    int i;
    who.principal.kind = MRTR_PRINCIPAL_PARTS;
    who.principal.parts = &part;
    who.principal.count = 1;
    OK(mrtr_sealer_seal(s, &r, none(), none(), 1000, &token, NULL));
    for (i = 0; i < 6; i++) {
        static const mrtr_status EXPECTED[6] = {MRTR_EXPIRED, MRTR_WRONG_REQUEST, MRTR_WRONG_PRINCIPAL, MRTR_UNKNOWN_KEY, MRTR_MALFORMED, MRTR_TAMPERED};
        mrtr_slice text = view(&token);
        uint64_t now = i == 0 ? 601000 : 1000;
        const mrtr_request *with = i == 1 ? &wrong : i == 2 ? &who : &r;
        if (i == 4) text = mrtr_str("nonsense");
        if (i == 5) token.ptr[token.len - 5] = token.ptr[token.len - 5] == 'A' ? 'B' : 'A';
        MRTR_SIZE(&out);
        MRTR_SIZE(&info);
        STATUS(EXPECTED[i], mrtr_sealer_open(i == 3 ? other : s, with, text, now, &out, &err));
        CHECK(out.storage.ptr == NULL && out.state.ptr == NULL);
        STATUS(EXPECTED[i], mrtr_error_code(err));
        OK(mrtr_error_get(err, &info));
        CHECK(info.code == EXPECTED[i] && info.has_rpc == 1 && info.rpc_code == -32602);
        CHECK(same(info.rpc, WIRE));
        mrtr_buf_free(&info.storage);
        OK(mrtr_error_free(err));
        STATUS(MRTR_STALE_HANDLE, mrtr_error_free(err));
    }
    mrtr_buf_free(&token);
    OK(mrtr_sealer_free(other));
    OK(mrtr_sealer_free(s));
}

static void single_use(void) {
    mrtr_sealer s = sealer_of(SECRET, 1);
    mrtr_request r = request("tools/call", NULL);
    mrtr_buf token;
    mrtr_opened out;
    MRTR_SIZE(&out);
    OK(mrtr_sealer_seal(s, &r, none(), none(), 1000, &token, NULL));
    OK(mrtr_sealer_open(s, &r, view(&token), 1000, &out, NULL));
    mrtr_buf_free(&out.storage);
    STATUS(MRTR_REPLAYED, mrtr_sealer_open(s, &r, view(&token), 1000, &out, NULL));
    mrtr_buf_free(&token);
    OK(mrtr_sealer_free(s));
}

/* Keys are replaced at once; the old one still opens while it is in the ring (S7). */
static void rotation(void) {
    mrtr_sealer s = sealer_of(SECRET, 0);
    mrtr_request r = request("tools/call", NULL);
    mrtr_slice keys[2];
    mrtr_buf token;
    mrtr_opened out;
    MRTR_SIZE(&out);
    keys[0] = mrtr_str("a new secret of at least 32 bytes");
    keys[1] = mrtr_str(SECRET);
    OK(mrtr_sealer_seal(s, &r, none(), none(), 0, &token, NULL));
    OK(mrtr_sealer_set_keys(s, keys, 2, NULL));
    OK(mrtr_sealer_open(s, &r, view(&token), 0, &out, NULL));
    mrtr_buf_free(&out.storage);
    OK(mrtr_sealer_set_keys(s, keys, 1, NULL));
    STATUS(MRTR_UNKNOWN_KEY, mrtr_sealer_open(s, &r, view(&token), 0, &out, NULL));
    STATUS(MRTR_CONFIG_ERROR, mrtr_sealer_set_keys(s, keys, 0, NULL));
    mrtr_buf_free(&token);
    OK(mrtr_sealer_free(s));
}

static void bad_options(void) {
    mrtr_sealer_options o;
    mrtr_sealer s;
    mrtr_slice short_key = mrtr_str("too short");
    MRTR_INIT(sealer_options, &o);
    STATUS(MRTR_CONFIG_ERROR, mrtr_sealer_new(&o, &s, NULL));
    o.keys = &short_key;
    o.key_count = 1;
    STATUS(MRTR_CONFIG_ERROR, mrtr_sealer_new(&o, &s, NULL));
    MRTR_INIT(sealer_options, &o);
    o.ephemeral = 1;
    o.cipher = 9;
    STATUS(MRTR_BAD_ARGUMENT, mrtr_sealer_new(&o, &s, NULL));
    o.cipher = MRTR_CIPHER_CHACHA20_POLY1305;
    o.ttl_ms = 0;
    STATUS(MRTR_CONFIG_ERROR, mrtr_sealer_new(&o, &s, NULL));
    CHECK(s.id == 0);
    o.ttl_ms = 1;
    o.ephemeral = 2;
    STATUS(MRTR_BAD_ARGUMENT, mrtr_sealer_new(&o, &s, NULL));
    o.ephemeral = 1;
    OK(mrtr_sealer_new(&o, &s, NULL));
    OK(mrtr_sealer_free(s));
}

int main(void) {
    round_trip();
    empty_state();
    refusals();
    single_use();
    rotation();
    bad_options();
    return finish("sealer");
}
