/* Objects that several tests need. */
#ifndef KIT_H
#define KIT_H

#include "check.h"

static inline mrtr_server new_server(uint32_t gate, int with_sealer) {
    mrtr_sealer_options sealing;
    mrtr_server_options serving;
    mrtr_sealer sealer = {0};
    mrtr_server server;
    if (with_sealer) {
        MRTR_INIT(sealer_options, &sealing);
        sealing.ephemeral = 1;
        sealing.cipher = CIPHER_FOR_VALGRIND;
        OK(mrtr_sealer_new(&sealing, &sealer, NULL));
    }
    MRTR_INIT(server_options, &serving);
    serving.sealer = sealer;
    serving.gate = gate;
    OK(mrtr_server_new(&serving, &server, NULL));
    OK(mrtr_sealer_free(sealer)); /* the server keeps what it needs */
    return server;
}

static inline mrtr_exchange begin(mrtr_server server, const char *params, const char *capabilities) {
    mrtr_exchange exchange;
    mrtr_request r;
    memset(&r, 0, sizeof r);
    MRTR_SIZE(&r);
    r.method = mrtr_str("tools/call");
    r.params = mrtr_str(params);
    r.capabilities = mrtr_str(capabilities);
    r.principal.kind = MRTR_PRINCIPAL_NONE;
    OK(mrtr_exchange_begin(server, &r, 1000, &exchange, NULL));
    return exchange;
}

static inline mrtr_client new_client(uint32_t handlers) {
    mrtr_client_options o;
    mrtr_client client;
    MRTR_INIT(client_options, &o);
    o.handlers = handlers;
    o.jitter = 0;
    OK(mrtr_client_new(&o, &client, NULL));
    return client;
}

static inline mrtr_flow new_flow(mrtr_client client) {
    mrtr_flow flow;
    OK(mrtr_flow_begin(client, mrtr_str("tools/call"), mrtr_str("{\"name\":\"t\"}"), NULL, 0, &flow, NULL));
    return flow;
}

/* The next event has to be of this type; its texts are the caller's. */
static inline mrtr_event next(mrtr_flow flow, uint64_t now, uint32_t type) {
    mrtr_event event;
    MRTR_SIZE(&event);
    OK(mrtr_flow_next(flow, now, &event, NULL));
    CHECK(event.type == type);
    return event;
}

static inline void expect(mrtr_flow flow, uint64_t now, uint32_t type) {
    mrtr_event event = next(flow, now, type);
    mrtr_buf_free(&event.storage);
}

#define FORM "{\"method\":\"elicitation/create\",\"params\":{\"mode\":\"form\",\"message\":\"Name?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"string\"}},\"required\":[\"n\"]}}}"
#define ASKS_ONE "{\"resultType\":\"input_required\",\"inputRequests\":{\"a\":" FORM "},\"requestState\":\"s1\"}"
#define COMPLETE "{\"resultType\":\"complete\",\"content\":[]}"

#endif
