/* What a host does for its sealer, and memory of its own (S7, S9, S11, S13, S14, J4). */
#include "check.h"

typedef struct host {
    uint32_t verdict;
    uint8_t id[16];
    uint64_t until, now;
    int claims, seals, unseals, destroyed, silent;
    mrtr_status reason;
} host;

static void claim(void *user, const uint8_t *id, uint64_t until, uint64_t now, uint32_t *claimed) {
    host *h = user;
    h->claims++;
    memcpy(h->id, id, 16);
    h->until = until;
    h->now = now;
    if (h->verdict) *claimed = h->verdict;
}

/* Crypto that hides nothing: every byte turned over. */
static void turn(mrtr_slice in, mrtr_buf *out) {
    uint8_t bytes[1024];
    mrtr_slice turned = {bytes, in.len};
    size_t at;
    for (at = 0; at < in.len && at < sizeof bytes; at++) bytes[at] = (uint8_t)~in.ptr[at];
    OK(mrtr_buf_copy(turned, out, NULL));
}
static void seal(void *user, mrtr_slice plain, mrtr_buf *sealed) {
    host *h = user;
    h->seals++;
    if (!h->silent) turn(plain, sealed);
}
static void unseal(void *user, mrtr_slice sealed, mrtr_buf *plain) {
    host *h = user;
    h->unseals++;
    if (!h->silent) turn(sealed, plain);
}
static void refused(void *user, mrtr_status reason) { ((host *)user)->reason = reason; }
static void destroy(void *user) { ((host *)user)->destroyed++; }

static mrtr_slice KEY;
static mrtr_request R;

static mrtr_sealer_options options(const mrtr_sealer_callbacks *table) {
    mrtr_sealer_options o;
    MRTR_INIT(sealer_options, &o);
    o.cipher = CIPHER_FOR_VALGRIND;
    o.keys = &KEY;
    o.key_count = 1;
    o.callbacks = table;
    return o;
}

static mrtr_sealer_callbacks table_of(host *h) {
    mrtr_sealer_callbacks t;
    MRTR_INIT(sealer_callbacks, &t);
    t.user_data = h;
    t.destroy = destroy;
    t.refused = refused;
    return t;
}

static void single_use(void) {
    host h = {0};
    mrtr_sealer_callbacks t = table_of(&h);
    mrtr_sealer_options o = options(&t);
    mrtr_sealer s;
    mrtr_server server;
    mrtr_server_options serving;
    mrtr_buf token;
    mrtr_opened out;
    mrtr_error err;
    mrtr_error_info info;
    mrtr_sealer_counters counters;
    MRTR_SIZE(&out);
    MRTR_SIZE(&info);
    MRTR_SIZE(&counters);
    t.claim = claim;
    OK(mrtr_sealer_new(&o, &s, NULL));
    OK(mrtr_sealer_seal(s, &R, mrtr_str("x"), none(), 1000, &token, NULL));

    h.verdict = MRTR_CLAIM_FIRST;
    OK(mrtr_sealer_open(s, &R, view(&token), 2000, &out, NULL));
    CHECK(h.claims == 1 && memcmp(h.id, out.token_id, 16) == 0);
    CHECK(h.until == 1000 + 600000 + 60000 && h.now == 2000);
    mrtr_buf_free(&out.storage);

    h.verdict = MRTR_CLAIM_USED;
    STATUS(MRTR_REPLAYED, mrtr_sealer_open(s, &R, view(&token), 2000, &out, NULL));
    CHECK(h.reason == MRTR_REPLAYED);
    /* Not acting, or rubbish, refuses; the wire says the same for both. */
    h.verdict = 0;
    STATUS(MRTR_GUARD_FAILED, mrtr_sealer_open(s, &R, view(&token), 2000, &out, &err));
    OK(mrtr_error_get(err, &info));
    CHECK(info.has_rpc && info.rpc_code == -32602 && holds(info.rpc, "Invalid or expired requestState") && !holds(info.rpc, "guard"));
    mrtr_buf_free(&info.storage);
    OK(mrtr_error_free(err));
    h.verdict = 7;
    STATUS(MRTR_GUARD_FAILED, mrtr_sealer_open(s, &R, view(&token), 2000, &out, NULL));
    CHECK(h.reason == MRTR_GUARD_FAILED && h.claims == 4);
    /* The claim comes last: what is refused for another reason is not claimed. */
    STATUS(MRTR_EXPIRED, mrtr_sealer_open(s, &R, view(&token), 900000, &out, NULL));
    CHECK(h.reason == MRTR_EXPIRED && h.claims == 4);

    OK(mrtr_sealer_get_counters(s, &counters, NULL));
    CHECK(counters.sealed == 1 && counters.sealed_bytes == token.len && counters.opened == 1 && counters.opened_bytes == token.len);
    CHECK(counters.refused == 4 && counters.replayed == 1 && counters.guard_failed == 2 && counters.expired == 1 && counters.tampered == 0);

    /* The functions live as long as anything that may call them, and end once. */
    MRTR_INIT(server_options, &serving);
    serving.sealer = s;
    OK(mrtr_server_new(&serving, &server, NULL));
    OK(mrtr_sealer_free(s));
    CHECK(h.destroyed == 0);
    OK(mrtr_server_free(server));
    CHECK(h.destroyed == 1);
    mrtr_buf_free(&token);
}

static void own_crypto(void) {
    host h = {0};
    mrtr_sealer_callbacks t = table_of(&h);
    mrtr_sealer_options o = options(&t);
    mrtr_sealer s;
    mrtr_buf token;
    mrtr_opened out;
    MRTR_SIZE(&out);
    t.seal = seal;
    STATUS(MRTR_BAD_ARGUMENT, mrtr_sealer_new(&o, &s, NULL));
    t.unseal = unseal;
    STATUS(MRTR_CONFIG_ERROR, mrtr_sealer_new(&o, &s, NULL)); /* with keys beside it */
    CHECK(h.destroyed == 0);
    o.keys = NULL;
    o.key_count = 0;
    OK(mrtr_sealer_new(&o, &s, NULL));
    OK(mrtr_sealer_seal(s, &R, mrtr_str("mine"), none(), 1000, &token, NULL));
    OK(mrtr_sealer_open(s, &R, view(&token), 1000, &out, NULL));
    CHECK(same(out.state, "mine") && h.seals == 1 && h.unseals == 1);
    mrtr_buf_free(&out.storage);
    /* Claims stay ours. */
    STATUS(MRTR_EXPIRED, mrtr_sealer_open(s, &R, view(&token), 601000, &out, NULL));
    h.silent = 1;
    STATUS(MRTR_TAMPERED, mrtr_sealer_open(s, &R, view(&token), 1000, &out, NULL));
    mrtr_buf_free(&token);
    STATUS(MRTR_CRYPTO_FAILED, mrtr_sealer_seal(s, &R, mrtr_str("mine"), none(), 1000, &token, NULL));
    CHECK(token.ptr == NULL);
    OK(mrtr_sealer_free(s));
    CHECK(h.destroyed == 1);
}

static void own_memory(void) {
    mrtr_sealer_options o = options(NULL);
    mrtr_sealer s;
    mrtr_opened out;
    mrtr_room room, small;
    mrtr_slice token;
    uint8_t text[1024], plain[1024];
    size_t len, need, at;
    MRTR_SIZE(&out);
    room.ptr = text;
    room.len = sizeof text;
    OK(mrtr_sealer_new(&o, &s, NULL));
    OK(mrtr_sealer_seal_into(s, &R, mrtr_str("secret state"), none(), 1000, room, &len, NULL));
    small = room;
    small.len = len - 1;
    memset(text, 0x55, sizeof text);
    STATUS(MRTR_SMALL_BUFFER, mrtr_sealer_seal_into(s, &R, mrtr_str("secret state"), none(), 1000, small, &need, NULL));
    CHECK(need == len);
    for (at = 0; at < sizeof text; at++) CHECK(text[at] == 0x55);
    small.ptr = NULL;
    small.len = 0;
    STATUS(MRTR_SMALL_BUFFER, mrtr_sealer_seal_into(s, &R, mrtr_str("secret state"), none(), 1000, small, &need, NULL));
    small.len = 1;
    STATUS(MRTR_NULL_ARGUMENT, mrtr_sealer_seal_into(s, &R, mrtr_str("secret state"), none(), 1000, small, &need, NULL));
    small = room;
    small.len = len;
    OK(mrtr_sealer_seal_into(s, &R, mrtr_str("secret state"), none(), 1000, small, &need, NULL));
    token.ptr = text;
    token.len = len;

    room.ptr = plain;
    room.len = len;
    OK(mrtr_sealer_open_into(s, &R, token, 1000, room, &out, NULL));
    CHECK(same(out.state, "secret state") && out.storage.ptr == NULL);
    CHECK(out.state.ptr >= plain && out.state.ptr + out.state.len <= plain + len);
    room.len = len - 1;
    STATUS(MRTR_SMALL_BUFFER, mrtr_sealer_open_into(s, &R, token, 1000, room, &out, NULL));
    room.len = len;
    /* Of a refused token nothing of the state is left. */
    memset(plain, 0, sizeof plain);
    STATUS(MRTR_EXPIRED, mrtr_sealer_open_into(s, &R, token, 900000, room, &out, NULL));
    token.ptr = plain;
    CHECK(!holds(token, "secret") && !holds(token, "state"));
    /* Memory that is read and written at once is refused. */
    token.ptr = text;
    room.ptr = text + len / 2;
    STATUS(MRTR_BAD_ARGUMENT, mrtr_sealer_open_into(s, &R, token, 1000, room, &out, NULL));
    STATUS(MRTR_BAD_ARGUMENT, mrtr_sealer_seal_into(s, &R, none(), token, 1000, room, &need, NULL));
    /* The length is looked at before anything else: these bytes are not even there. */
    token.len = (size_t)64 << 20;
    STATUS(MRTR_TOO_LARGE, mrtr_sealer_open_into(s, &R, token, 1000, room, &out, NULL));
    STATUS(MRTR_TOO_LARGE, mrtr_sealer_open(s, &R, token, 1000, &out, NULL));
    OK(mrtr_sealer_free(s));
}

static void gateway(void) {
    mrtr_slice lone = {(const uint8_t *)"\xED\xA0\x80 x", 5}, backend, state, key;
    mrtr_buf wrapped, prefixed;
    OK(mrtr_gateway_wrap(mrtr_str("b\xC3\xBCro"), lone, &wrapped, NULL));
    OK(mrtr_gateway_unwrap(view(&wrapped), &backend, &state, NULL));
    CHECK(same(backend, "b\xC3\xBCro") && state.len == 5 && memcmp(state.ptr, lone.ptr, 5) == 0);
    OK(mrtr_gateway_unwrap(mrtr_str("something else"), &backend, &state, NULL));
    CHECK(backend.ptr == NULL && state.ptr == NULL);
    mrtr_buf_free(&wrapped);
    STATUS(MRTR_NOT_UTF8, mrtr_gateway_wrap(mrtr_str("\xFF"), lone, &wrapped, NULL));
    STATUS(MRTR_NOT_UTF8, mrtr_gateway_wrap(mrtr_str("b"), mrtr_str("\xFF"), &wrapped, NULL));

    OK(mrtr_gateway_prefix(mrtr_str("a:b"), mrtr_str("c"), &prefixed, NULL));
    CHECK(same(view(&prefixed), "3:a:b:c"));
    OK(mrtr_gateway_split(view(&prefixed), &backend, &key, NULL));
    CHECK(same(backend, "a:b") && same(key, "c"));
    OK(mrtr_gateway_split(mrtr_str("region"), &backend, &key, NULL));
    CHECK(backend.ptr == NULL && key.ptr == NULL);
    mrtr_buf_free(&prefixed);
}

/* From the end client to a backend and back. */
static void passed_on(void) {
    static const char *ASKS = "{\"resultType\":\"input_required\",\"inputRequests\":{\"k\":{}},\"requestState\":\"S\"}";
    mrtr_buf state, out;
    uint32_t has = 7;
    OK(mrtr_gateway_state(mrtr_str("a"), mrtr_str("{\"resultType\":\"complete\"}"), &has, &state, NULL));
    CHECK(has == 0 && state.ptr == NULL);
    OK(mrtr_gateway_state(mrtr_str("a"), mrtr_str(ASKS), &has, &state, NULL));
    CHECK(has == 1);
    OK(mrtr_gateway_result(mrtr_str("a"), mrtr_str(ASKS), mrtr_str("T"), &out, NULL));
    CHECK(same(view(&out), "{\"resultType\":\"input_required\",\"inputRequests\":{\"1:a:k\":{}},\"requestState\":\"T\"}"));
    mrtr_buf_free(&out);
    OK(mrtr_gateway_params(mrtr_str("a"), mrtr_str("{\"_meta\":{\"x\":1.0},\"inputResponses\":{\"1:a:k\":{},\"k\":{}},\"requestState\":\"T\"}"), view(&state), &out, NULL));
    CHECK(same(view(&out), "{\"_meta\":{\"x\":1.0},\"inputResponses\":{\"k\":{}},\"requestState\":\"S\"}"));
    mrtr_buf_free(&out);
    STATUS(MRTR_BAD_ARGUMENT, mrtr_gateway_params(mrtr_str("b"), none(), view(&state), &out, NULL));
    OK(mrtr_gateway_params(mrtr_str("b"), none(), none(), &out, NULL));
    CHECK(same(view(&out), "{}"));
    mrtr_buf_free(&out);
    mrtr_buf_free(&state);
}

int main(void) {
    KEY = mrtr_str("0123456789abcdef0123456789abcdef");
    memset(&R, 0, sizeof R);
    MRTR_SIZE(&R);
    R.method = mrtr_str("tools/call");
    R.params = mrtr_str("{\"name\":\"book\",\"arguments\":{\"n\":1}}");
    R.principal.kind = MRTR_PRINCIPAL_NONE;
    single_use();
    own_crypto();
    own_memory();
    gateway();
    passed_on();
    return finish("sealer_hooks");
}
