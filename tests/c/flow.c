/* The step API through C (C1-C5, C8, C10-C12, C16, C18, D3). */
#include "kit.h"

static void one_round(void) {
    mrtr_client client = new_client(MRTR_NEED_FORM);
    mrtr_flow flow = new_flow(client);
    mrtr_buf text;
    mrtr_event e;
    uint64_t first_id;
    OK(mrtr_client_capabilities(client, &text, NULL));
    CHECK(same(view(&text), "{\"elicitation\":{\"form\":{}}}"));
    mrtr_buf_free(&text);
    OK(mrtr_client_free(client)); /* the flow goes on */

    e = next(flow, 0, MRTR_EVENT_SEND);
    CHECK(e.leg == 1 && same(e.method, "tools/call") && holds(e.params, "\"name\":\"t\"") && e.until_ms == 60000 && e.paced_ms == 0);
    first_id = e.id;
    mrtr_buf_free(&e.storage);
    e = next(flow, 0, MRTR_EVENT_SLEEP);
    CHECK(e.until_ms == 60000 && e.pacing == 0);
    mrtr_buf_free(&e.storage);
    OK(mrtr_flow_progress(flow, 1, 0.5, 10, NULL));
    e = next(flow, 10, MRTR_EVENT_PROGRESS);
    CHECK(e.leg == 1 && e.progress == 0.5);
    mrtr_buf_free(&e.storage);

    OK(mrtr_flow_deliver(flow, 1, mrtr_str(ASKS_ONE), 20, NULL));
    e = next(flow, 20, MRTR_EVENT_ROUND);
    CHECK(e.round == 1);
    mrtr_buf_free(&e.storage);
    e = next(flow, 20, MRTR_EVENT_ASK);
    CHECK(same(e.key, "a") && e.kind == MRTR_KIND_FORM && same(e.message, "Name?") && e.round == 1 && e.previously_declined == 0);
    CHECK(same(e.ask, FORM) && same(e.method, "elicitation/create") && holds(e.schema, "\"required\":[\"n\"]") && e.url.ptr == NULL);
    mrtr_buf_free(&e.storage);
    STATUS(MRTR_CONFIG_ERROR, mrtr_flow_answer(flow, mrtr_str("zz"), mrtr_str("{}"), 25, NULL));
    OK(mrtr_flow_answer(flow, mrtr_str("a"), mrtr_str("{\"n\":\"Ada\"}"), 30, NULL));

    e = next(flow, 30, MRTR_EVENT_SEND);
    CHECK(e.leg == 2 && e.id != first_id && holds(e.params, "\"requestState\":\"s1\""));
    CHECK(holds(e.params, "\"inputResponses\":{\"a\":{\"action\":\"accept\",\"content\":{\"n\":\"Ada\"}}}"));
    mrtr_buf_free(&e.storage);
    OK(mrtr_flow_deliver(flow, 1, mrtr_str("{}"), 35, NULL)); /* nobody waits for it any more */
    OK(mrtr_flow_deliver(flow, 2, mrtr_str(COMPLETE), 40, NULL));
    e = next(flow, 40, MRTR_EVENT_DONE);
    CHECK(e.end == MRTR_OK && same(e.result, COMPLETE) && e.cacheable == 0 && e.round == 1);
    CHECK(e.rpc_error.ptr == NULL && e.continuation.ptr == NULL && e.text.ptr == NULL);
    mrtr_buf_free(&e.storage);
    expect(flow, 40, MRTR_EVENT_IDLE);
    OK(mrtr_flow_cancel(flow, 50, NULL));
    expect(flow, 50, MRTR_EVENT_IDLE);
    OK(mrtr_flow_free(flow));
    STATUS(MRTR_STALE_HANDLE, mrtr_flow_free(flow));
}

/* Near the last time there is, a limit is a limit all the same: it does not read as MRTR_NO_LIMIT (C7). */
static void last_times(void) {
    const uint64_t last = MRTR_NO_LIMIT - 1;
    mrtr_client_options o;
    mrtr_client client;
    mrtr_flow flow;
    mrtr_event e;
    MRTR_INIT(client_options, &o);
    o.handlers = MRTR_NEED_FORM;
    o.leg_timeout_ms = o.input_timeout_ms = 2000;
    o.flow_timeout_ms = 3000;
    OK(mrtr_client_new(&o, &client, NULL));
    OK(mrtr_flow_begin(client, mrtr_str("tools/call"), mrtr_str("{\"name\":\"t\"}"), NULL, last - 1000, &flow, NULL));
    e = next(flow, last - 1000, MRTR_EVENT_SEND);
    CHECK(e.until_ms == last);
    mrtr_buf_free(&e.storage);
    OK(mrtr_flow_deliver(flow, 1, mrtr_str(ASKS_ONE), last - 500, NULL));
    expect(flow, last - 500, MRTR_EVENT_ROUND);
    expect(flow, last - 500, MRTR_EVENT_ASK);
    e = next(flow, last - 500, MRTR_EVENT_SLEEP);
    CHECK(e.until_ms == last);
    mrtr_buf_free(&e.storage);
    expect(flow, last, MRTR_EVENT_STOP_ASK);
    e = next(flow, last, MRTR_EVENT_DONE);
    CHECK(e.end == MRTR_FLOW_TIMEOUT);
    mrtr_buf_free(&e.storage);
    OK(mrtr_flow_free(flow));
    OK(mrtr_client_free(client));
}

/* Brings a flow to where it asks. */
static mrtr_flow asking(mrtr_client client) {
    mrtr_flow flow = new_flow(client);
    expect(flow, 0, MRTR_EVENT_SEND);
    OK(mrtr_flow_deliver(flow, 1, mrtr_str(ASKS_ONE), 0, NULL));
    expect(flow, 0, MRTR_EVENT_ROUND);
    expect(flow, 0, MRTR_EVENT_ASK);
    return flow;
}

static void ends_as(mrtr_flow flow, mrtr_status end, const char *key) {
    mrtr_event e = next(flow, 0, MRTR_EVENT_DONE);
    STATUS(end, e.end);
    CHECK(key == NULL ? e.key.ptr == NULL : same(e.key, key));
    mrtr_buf_free(&e.storage);
    OK(mrtr_flow_free(flow));
}

/* What handlers can say besides a value (C8, D3). */
static void other_answers(void) {
    mrtr_client client = new_client(MRTR_NEED_FORM);
    mrtr_slice a = mrtr_str("a");
    mrtr_flow flow = asking(client);
    mrtr_event e;
    OK(mrtr_flow_decline(flow, a, 0, NULL));
    e = next(flow, 0, MRTR_EVENT_SEND);
    CHECK(holds(e.params, "{\"action\":\"decline\"}"));
    mrtr_buf_free(&e.storage);
    OK(mrtr_flow_free(flow));

    flow = asking(client);
    OK(mrtr_flow_cancel_ask(flow, a, 0, NULL));
    e = next(flow, 0, MRTR_EVENT_SEND);
    CHECK(holds(e.params, "{\"action\":\"cancel\"}"));
    mrtr_buf_free(&e.storage);
    OK(mrtr_flow_free(flow));

    flow = asking(client);
    OK(mrtr_flow_refuse(flow, a, 0, NULL));
    ends_as(flow, MRTR_REFUSED, "a");
    flow = asking(client);
    OK(mrtr_flow_unavailable(flow, a, 0, NULL));
    ends_as(flow, MRTR_UNAVAILABLE, "a");
    flow = asking(client);
    OK(mrtr_flow_fail(flow, a, mrtr_str("the window was closed"), 0, NULL));
    ends_as(flow, MRTR_HANDLER_FAILED, "a");
    flow = asking(client);
    OK(mrtr_flow_answer(flow, a, mrtr_str("{\"n\":3}"), 0, NULL));
    ends_as(flow, MRTR_HANDLER_FAILED, "a");
    OK(mrtr_client_free(client));
}

/* Cancelling while a leg is in flight, and an answer that comes after it (C10). */
static void cancelling(void) {
    mrtr_client client = new_client(MRTR_NEED_FORM);
    mrtr_flow flow = new_flow(client);
    mrtr_event e;
    expect(flow, 0, MRTR_EVENT_SEND);
    OK(mrtr_flow_cancel(flow, 5, NULL));
    e = next(flow, 5, MRTR_EVENT_CANCEL_LEG);
    CHECK(e.leg == 1);
    mrtr_buf_free(&e.storage);
    ends_as(flow, MRTR_CANCELLED, NULL);

    flow = asking(client);
    OK(mrtr_flow_cancel(flow, 5, NULL));
    STATUS(MRTR_WRONG_STATE, mrtr_flow_answer(flow, mrtr_str("a"), mrtr_str("{\"n\":\"x\"}"), 6, NULL));
    OK(mrtr_flow_deliver(flow, 1, mrtr_str(COMPLETE), 6, NULL));
    e = next(flow, 6, MRTR_EVENT_STOP_ASK);
    CHECK(same(e.key, "a"));
    mrtr_buf_free(&e.storage);
    e = next(flow, 6, MRTR_EVENT_DONE);
    CHECK(e.end == MRTR_CANCELLED && e.continuation.ptr != NULL);
    mrtr_buf_free(&e.storage);
    expect(flow, 6, MRTR_EVENT_IDLE);
    OK(mrtr_flow_free(flow));
    OK(mrtr_client_free(client));
}

/* Another object goes on from the saved text; a damaged one is refused whole (C11). */
static void resuming(void) {
    mrtr_client client = new_client(MRTR_NEED_FORM), other = new_client(MRTR_NEED_FORM);
    mrtr_flow flow = asking(client), again;
    mrtr_buf saved;
    mrtr_slice cut;
    mrtr_event e;
    OK(mrtr_flow_save(flow, &saved, NULL));
    OK(mrtr_flow_free(flow));
    OK(mrtr_client_free(client));
    cut = view(&saved);
    cut.len--;
    STATUS(MRTR_CONFIG_ERROR, mrtr_flow_resume(other, cut, 0, &again, NULL));
    CHECK(again.id == 0);
    OK(mrtr_flow_resume(other, view(&saved), 0, &again, NULL));
    mrtr_buf_free(&saved);
    expect(again, 0, MRTR_EVENT_ROUND);
    e = next(again, 0, MRTR_EVENT_ASK);
    CHECK(same(e.key, "a"));
    mrtr_buf_free(&e.storage);
    OK(mrtr_flow_answer(again, mrtr_str("a"), mrtr_str("{\"n\":\"x\"}"), 0, NULL));
    e = next(again, 0, MRTR_EVENT_SEND);
    CHECK(holds(e.params, "\"requestState\":\"s1\""));
    mrtr_buf_free(&e.storage);
    OK(mrtr_flow_free(again));
    flow = new_flow(other);
    STATUS(MRTR_WRONG_STATE, mrtr_flow_save(flow, &saved, NULL));
    OK(mrtr_flow_free(flow));
    OK(mrtr_client_free(other));
}

/* The ends that keep what the peer sent (C1, C2, C12). */
static void kept_texts(void) {
    static const char *BAD = "{\"resultType\":\"Input_Required\"}";
    mrtr_client client = new_client(MRTR_NEED_FORM);
    mrtr_client_options o;
    mrtr_flow flow = new_flow(client);
    mrtr_event e;
    expect(flow, 0, MRTR_EVENT_SEND);
    OK(mrtr_flow_deliver(flow, 1, mrtr_str(BAD), 0, NULL));
    e = next(flow, 0, MRTR_EVENT_DONE);
    CHECK(e.end == MRTR_INVALID_RESULT && same(e.result, BAD) && e.text.len > 0);
    mrtr_buf_free(&e.storage);
    OK(mrtr_flow_free(flow));

    flow = new_flow(client);
    expect(flow, 0, MRTR_EVENT_SEND);
    OK(mrtr_flow_deliver_error(flow, 1, mrtr_str("{\"code\":-32000,\"message\":\"no\",\"data\":{\"a\":1e400}}"), 0, NULL));
    e = next(flow, 0, MRTR_EVENT_DONE);
    CHECK(e.end == MRTR_RPC_ERROR && holds(e.rpc_error, "-32000") && holds(e.rpc_error, "{\"a\":1e400}"));
    mrtr_buf_free(&e.storage);
    OK(mrtr_flow_free(flow));

    MRTR_INIT(client_options, &o);
    o.manual = 1;
    OK(mrtr_flow_begin(client, mrtr_str("tools/call"), none(), &o, 0, &flow, NULL));
    expect(flow, 0, MRTR_EVENT_SEND);
    OK(mrtr_flow_deliver(flow, 1, mrtr_str(ASKS_ONE), 0, NULL));
    e = next(flow, 0, MRTR_EVENT_DONE);
    CHECK(e.end == MRTR_INPUT_REQUIRED && same(e.result, ASKS_ONE) && e.continuation.ptr != NULL);
    mrtr_buf_free(&e.storage);
    OK(mrtr_flow_free(flow));

    o.max_rounds = MRTR_UNLIMITED;
    STATUS(MRTR_CONFIG_ERROR, mrtr_flow_begin(client, mrtr_str("tools/call"), none(), &o, 0, &flow, NULL));
    OK(mrtr_client_free(client));
}

/* The event's struct is checked before the event is taken: nothing gets lost. */
static void short_event(void) {
    mrtr_client client = new_client(0);
    mrtr_flow flow = new_flow(client);
    mrtr_event e;
    e.struct_size = 24;
    STATUS(MRTR_BAD_STRUCT_SIZE, mrtr_flow_next(flow, 0, &e, NULL));
    memset(&e, 0xAA, sizeof e); /* a size that nobody set is not believed */
    STATUS(MRTR_BAD_STRUCT_SIZE, mrtr_flow_next(flow, 0, &e, NULL));
    CHECK(e.type == 0xAAAAAAAAu);
    STATUS(MRTR_NULL_ARGUMENT, mrtr_flow_next(flow, 0, NULL, NULL));
    expect(flow, 0, MRTR_EVENT_SEND);
    OK(mrtr_flow_free(flow));
    OK(mrtr_client_free(client));
}

int main(void) {
    one_round();
    last_times();
    other_answers();
    cancelling();
    resuming();
    kept_texts();
    short_event();
    return finish("flow");
}
