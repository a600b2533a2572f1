/* A call of a client of 2025-11-25, served by a handler of this era (L3), and whom can be asked what (E3). */
#include "kit.h"

static mrtr_peer session(const char *version, uint32_t back_channel) {
    mrtr_peer peer;
    memset(&peer, 0, sizeof peer);
    MRTR_SIZE(&peer);
    peer.version = mrtr_str(version);
    peer.capabilities = mrtr_str("{\"elicitation\":{}}");
    peer.back_channel = back_channel;
    return peer;
}

/* The next step must be of this type. */
static mrtr_legacy_step step_of(mrtr_legacy call, uint32_t type) {
    mrtr_legacy_step step;
    MRTR_SIZE(&step);
    OK(mrtr_legacy_next(call, 1000, &step, NULL));
    CHECK(step.type == type);
    return step;
}

static void run(mrtr_legacy call, uint32_t expected) {
    mrtr_exchange x;
    mrtr_answer answer;
    mrtr_buf result;
    OK(mrtr_legacy_exchange(call, 1000, &x, NULL));
    MRTR_SIZE(&answer);
    OK(mrtr_exchange_ask_form(x, mrtr_str("k"), mrtr_str("Go on?"), mrtr_str("{\"type\":\"object\",\"properties\":{}}"), &answer, NULL));
    CHECK(answer.status == expected);
    mrtr_buf_free(&answer.storage);
    if (expected == MRTR_ANSWER_ACCEPTED) {
        OK(mrtr_result_complete(mrtr_str("{\"content\":[]}"), &result, NULL));
    } else {
        OK(mrtr_exchange_result(x, &result, NULL));
    }
    OK(mrtr_legacy_handled(call, view(&result), 1000, NULL));
    mrtr_buf_free(&result);
    OK(mrtr_exchange_free(x));
}

static void one_question(mrtr_server server, const mrtr_request *request) {
    mrtr_peer peer = session("2025-11-25", 1);
    mrtr_legacy call;
    mrtr_legacy_step step;
    uint32_t ask;
    OK(mrtr_legacy_begin(server, request, &peer, &call, NULL));
    STATUS(MRTR_WRONG_STATE, mrtr_legacy_handled(call, mrtr_str("{}"), 1000, NULL));
    step = step_of(call, MRTR_LEGACY_RUN);
    mrtr_buf_free(&step.storage);
    run(call, MRTR_ANSWER_MISSING);
    step = step_of(call, MRTR_LEGACY_SEND);
    CHECK(same(step.method, "elicitation/create") && holds(step.params, "Go on?"));
    ask = step.ask;
    mrtr_buf_free(&step.storage);
    step = step_of(call, MRTR_LEGACY_IDLE);
    mrtr_buf_free(&step.storage);
    OK(mrtr_legacy_deliver(call, ask + 1, mrtr_str("{}"), NULL));
    OK(mrtr_legacy_deliver(call, ask, mrtr_str("{\"action\":\"accept\"}"), NULL));
    OK(mrtr_legacy_deliver_error(call, ask, NULL));
    step = step_of(call, MRTR_LEGACY_RUN);
    mrtr_buf_free(&step.storage);
    run(call, MRTR_ANSWER_ACCEPTED);
    step = step_of(call, MRTR_LEGACY_DONE);
    CHECK(same(step.result, "{\"content\":[]}") && step.rpc.ptr == NULL && step.refused == 0);
    mrtr_buf_free(&step.storage);
    step = step_of(call, MRTR_LEGACY_IDLE);
    mrtr_buf_free(&step.storage);
    OK(mrtr_legacy_free(call));
}

static void no_channel(mrtr_server server, const mrtr_request *request) {
    mrtr_peer peer = session("2025-11-25", 0);
    mrtr_legacy call;
    mrtr_legacy_step step;
    OK(mrtr_legacy_begin(server, request, &peer, &call, NULL));
    step = step_of(call, MRTR_LEGACY_RUN);
    mrtr_buf_free(&step.storage);
    OK(mrtr_legacy_failed(call, mrtr_str("{\"code\":-32021,\"message\":\"m\"}"), NULL));
    step = step_of(call, MRTR_LEGACY_DONE);
    CHECK(step.refused == MRTR_NO_BACK_CHANNEL && holds(step.result, "\"reason\":\"no_back_channel\"") && holds(step.result, "\"isError\":true"));
    mrtr_buf_free(&step.storage);
    OK(mrtr_legacy_cancel(call, NULL));
    OK(mrtr_legacy_free(call));

    peer = session("2026-07-28", 0);
    STATUS(MRTR_BAD_ARGUMENT, mrtr_legacy_begin(server, request, &peer, &call, NULL));
    peer = session("2031-01-01", 0);
    STATUS(MRTR_UNSUPPORTED_VERSION, mrtr_legacy_begin(server, request, &peer, &call, NULL));
}

int main(void) {
    mrtr_server server = new_server(MRTR_GATE_REFUSE, 1);
    mrtr_request request;
    mrtr_peer peer = session("2025-06-18", 1);
    uint32_t can;
    memset(&request, 0, sizeof request);
    MRTR_SIZE(&request);
    request.method = mrtr_str("tools/call");
    request.params = mrtr_str("{\"name\":\"t\"}");
    request.principal.kind = MRTR_PRINCIPAL_NONE;

    one_question(server, &request);
    no_channel(server, &request);
    OK(mrtr_peer_can_ask(&peer, request.method, MRTR_NEED_FORM, &can, NULL));
    CHECK(can == MRTR_CAN_ASK_YES);
    OK(mrtr_peer_can_ask(&peer, request.method, MRTR_NEED_URL, &can, NULL));
    CHECK(can == MRTR_CAN_ASK_ERA);
    STATUS(MRTR_BAD_ARGUMENT, mrtr_peer_can_ask(&peer, request.method, 64, &can, NULL));
    OK(mrtr_server_free(server));
    return finish("legacy");
}
