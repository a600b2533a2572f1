/* Both halves of a multi round-trip request in one process, without a network.
 *
 *   cc -Iinclude examples/c/first.c -lmrtr -o first && ./first
 */
#include <stdio.h>
#include <stdlib.h>
#include "mrtr.h"

#define TEXT(slice) (int)(slice).len, (const char *)(slice).ptr

static const char *const REGION = "{\"type\":\"object\",\"properties\":{\"region\":{\"type\":\"string\",\"enum\":[\"eu\",\"us\"]}},\"required\":[\"region\"]}";

/* Every call that can fail goes through here; the error object says what is wrong. */
static void must(mrtr_status status, mrtr_error err) {
    mrtr_error_info info;
    if (status == MRTR_OK) return;
    MRTR_SIZE(&info);
    if (mrtr_error_get(err, &info) == MRTR_OK) fprintf(stderr, "%.*s: %.*s\n", TEXT(info.name), TEXT(info.message));
    exit(1);
}

/* Between two programs, this is the transport. */
static void respond(mrtr_flow flow, uint32_t leg, const char *text, size_t length) {
    mrtr_error err;
    mrtr_slice result = {(const uint8_t *)text, length};
    printf("  result: %.*s...\n", length < 100 ? (int)length : 100, text);
    must(mrtr_flow_deliver(flow, leg, result, MRTR_NOW, &err), err);
}

/* The server: a straight-line handler that is run from its start for every leg. */
static void serve(mrtr_server server, mrtr_flow flow, const mrtr_event *leg) {
    mrtr_error err;
    mrtr_exchange exchange;
    mrtr_answer region = {0}, consent = {0};
    mrtr_buf result = {0};
    char own[256];
    mrtr_request request = {0};
    MRTR_SIZE(&request);
    MRTR_SIZE(&region);
    MRTR_SIZE(&consent);
    request.method = leg->method;
    request.params = leg->params;
    request.principal.kind = MRTR_PRINCIPAL_NONE; /* a real server names issuer, subject and client */

    must(mrtr_exchange_begin(server, &request, MRTR_NOW, &exchange, &err), err);
    must(mrtr_exchange_ask_form(exchange, mrtr_str("region"), mrtr_str("Which region?"), mrtr_str(REGION), &region, &err), err);
    if (region.status == MRTR_ANSWER_ACCEPTED) /* the second question comes after the first answer */
        must(mrtr_exchange_ask_url(exchange, mrtr_str("terms"), mrtr_str("Do you agree?"), mrtr_str("https://example.com/terms"), &consent, &err), err);
    if (mrtr_exchange_pending(exchange) > 0) {
        must(mrtr_exchange_result(exchange, &result, &err), err);
        respond(flow, leg->leg, (const char *)result.ptr, result.len);
    } else { /* all is known: the server's own result */
        int n = snprintf(own, sizeof own, "{\"resultType\":\"complete\",\"content\":[],\"structuredContent\":%.*s}", TEXT(region.content));
        respond(flow, leg->leg, own, (size_t)n);
    }
    mrtr_buf_free(&result);
    mrtr_buf_free(&region.storage);
    mrtr_buf_free(&consent.storage);
    mrtr_exchange_free(exchange);
}

int main(void) {
    mrtr_error err;
    mrtr_sealer sealer;
    mrtr_server server;
    mrtr_client client;
    mrtr_flow flow;
    mrtr_event event;
    mrtr_sealer_options seal;
    mrtr_server_options serving;
    mrtr_client_options calling;
    int legs = 0, asks = 0, done = 0, good = 0;

    MRTR_INIT(sealer_options, &seal);
    seal.ephemeral = 1; /* a real server has keys that its whole fleet shares */
    must(mrtr_sealer_new(&seal, &sealer, &err), err);
    MRTR_INIT(server_options, &serving);
    serving.sealer = sealer;
    must(mrtr_server_new(&serving, &server, &err), err);
    MRTR_INIT(client_options, &calling);
    calling.handlers = MRTR_NEED_FORM | MRTR_NEED_URL;
    must(mrtr_client_new(&calling, &client, &err), err);
    must(mrtr_flow_begin(client, mrtr_str("tools/call"), mrtr_str("{\"name\":\"deploy\",\"arguments\":{}}"), NULL, MRTR_NOW, &flow, &err), err);

    while (!done) {
        MRTR_SIZE(&event);
        must(mrtr_flow_next(flow, MRTR_NOW, &event, &err), err);
        if (event.type == MRTR_EVENT_SEND) { /* a real client sends it over its transport */
            printf("leg %d\n", ++legs);
            serve(server, flow, &event);
        } else if (event.type == MRTR_EVENT_ASK) { /* a real client asks its user */
            printf("round %u asks: %.*s %.*s\n", (unsigned)event.round, TEXT(event.message), TEXT(event.host_unicode));
            must(mrtr_flow_answer(flow, event.key, mrtr_str("{\"region\":\"eu\"}"), MRTR_NOW, &err), err); /* a URL takes any value as consent */
            asks++;
        } else if (event.type == MRTR_EVENT_DONE) {
            printf("done: %.*s\n", TEXT(event.result));
            good = event.end == MRTR_OK && event.round == 2 && event.result.len > 0;
            done = 1;
        } else if (event.type == MRTR_EVENT_SLEEP || event.type == MRTR_EVENT_IDLE) {
            done = 1; /* nothing was left open here, so there is nothing to wait for */
        }
        mrtr_buf_free(&event.storage);
    }
    mrtr_flow_free(flow);
    mrtr_client_free(client);
    mrtr_server_free(server);
    mrtr_sealer_free(sealer);
    return good && legs == 3 && asks == 2 && mrtr_live_objects() == 0 ? 0 : 1;
}
