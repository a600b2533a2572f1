/* What a host hears of the asks that went out (X7), and that its functions may call the library (F4). */
#include "kit.h"

typedef struct host {
    mrtr_exchange exchange;
    int calls, destroyed;
    uint32_t round, pending;
    uint8_t flow[16];
    uint64_t expires;
    size_t keys;
} host;

static void issued(void *user, const mrtr_issued *told) {
    host *h = user;
    h->calls++;
    h->round = told->round;
    memcpy(h->flow, told->flow_id, 16);
    h->expires = told->expires_ms;
    h->keys = told->key_count;
    CHECK(told->struct_size == sizeof *told && same(told->method, "tools/call"));
    CHECK(told->key_count == 2 && same(told->keys[0], "b") && same(told->keys[1], "a"));
    /* No lock is held: the exchange answers, and may be freed. */
    h->pending = mrtr_exchange_pending(h->exchange);
    OK(mrtr_exchange_free(h->exchange));
}
static void destroy(void *user) { ((host *)user)->destroyed++; }

static mrtr_server_callbacks table_of(host *h) {
    mrtr_server_callbacks t;
    MRTR_INIT(server_callbacks, &t);
    t.user_data = h;
    t.issued = issued;
    t.destroy = destroy;
    return t;
}

static void ask(mrtr_exchange x, const char *key) {
    mrtr_answer answer;
    MRTR_SIZE(&answer);
    OK(mrtr_exchange_ask_roots(x, mrtr_str(key), &answer, NULL));
    mrtr_buf_free(&answer.storage);
}

static void told(void) {
    host h = {0};
    mrtr_server_callbacks t = table_of(&h);
    mrtr_sealer_options sealing;
    mrtr_server_options o;
    mrtr_sealer sealer;
    mrtr_server server;
    mrtr_exchange_info info;
    mrtr_buf result;
    MRTR_SIZE(&info);
    MRTR_INIT(sealer_options, &sealing);
    sealing.ephemeral = 1;
    sealing.cipher = CIPHER_FOR_VALGRIND;
    OK(mrtr_sealer_new(&sealing, &sealer, NULL));
    MRTR_INIT(server_options, &o);
    o.sealer = sealer;
    o.callbacks = &t;
    OK(mrtr_server_new(&o, &server, NULL));
    h.exchange = begin(server, "{\"name\":\"t\"}", "{\"roots\":{}}");
    OK(mrtr_exchange_get_info(h.exchange, &info, NULL));
    ask(h.exchange, "b");
    ask(h.exchange, "a");
    CHECK(h.calls == 0);
    OK(mrtr_exchange_result(h.exchange, &result, NULL));
    CHECK(h.calls == 1 && h.round == 1 && h.pending == 2 && h.keys == 2 && h.expires == 601000);
    CHECK(memcmp(h.flow, info.flow_id, 16) == 0 && holds(view(&result), "requestState"));
    mrtr_buf_free(&result);
    OK(mrtr_sealer_free(sealer));
    CHECK(h.destroyed == 0);
    OK(mrtr_server_free(server));
    CHECK(h.destroyed == 1);
}

/* A server that was not made leaves user_data alone; a table without `issued` is fine. */
static void not_made(void) {
    host h = {0};
    mrtr_server_callbacks t = table_of(&h);
    mrtr_server_options o;
    mrtr_server server;
    MRTR_INIT(server_options, &o);
    o.callbacks = &t;
    o.gate = 9;
    STATUS(MRTR_BAD_ARGUMENT, mrtr_server_new(&o, &server, NULL));
    o.gate = MRTR_GATE_REFUSE;
    t.struct_size = 3;
    STATUS(MRTR_BAD_STRUCT_SIZE, mrtr_server_new(&o, &server, NULL));
    CHECK(h.destroyed == 0);
    t.struct_size = sizeof t;
    t.issued = NULL;
    OK(mrtr_server_new(&o, &server, NULL));
    OK(mrtr_server_free(server));
    CHECK(h.destroyed == 1 && h.calls == 0);
}

int main(void) {
    told();
    not_made();
    return finish("issued");
}
