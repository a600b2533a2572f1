/* Functions instead of events: who is called, re-entrance, destroy exactly once (F1, F4). */
#include "kit.h"

typedef struct {
    int sent, asked, done, other, destroyed, note_step;
    mrtr_status step_inside, end;
    int free_in_done, replace_in_ask, answer_late;
} host;

static void on_send(void *user_data, mrtr_flow flow, const mrtr_event *event) {
    host *h = user_data;
    uint64_t until;
    h->sent++;
    CHECK(event->struct_size == sizeof *event && event->type == MRTR_EVENT_SEND && event->storage.ptr == NULL);
    /* Any function may be called from here but a step of the same flow. */
    h->step_inside = mrtr_flow_step(flow, 0, &until, NULL, NULL);
    OK(mrtr_flow_deliver(flow, event->leg, mrtr_str(h->sent == 1 ? ASKS_ONE : COMPLETE), 0, NULL));
}

static void on_other(void *user_data, mrtr_flow flow, const mrtr_event *event) {
    host *h = user_data;
    (void)flow;
    CHECK(event->type == MRTR_EVENT_ROUND || event->type == MRTR_EVENT_STOP_ASK || event->type == MRTR_EVENT_CANCEL_LEG || event->type == MRTR_EVENT_NOTE);
    h->other++;
}

static void on_destroy(void *user_data) {
    ((host *)user_data)->destroyed++;
}

static mrtr_flow_callbacks table_of(host *h);

static void on_ask(void *user_data, mrtr_flow flow, const mrtr_event *event) {
    host *h = user_data;
    h->asked++;
    if (h->replace_in_ask) {
        mrtr_flow_callbacks table = table_of(h);
        h->replace_in_ask = 0;
        OK(mrtr_flow_set_callbacks(flow, &table, NULL));
        CHECK(h->destroyed == 0); /* we are still inside one of the old ones */
    }
    if (!h->answer_late) OK(mrtr_flow_answer(flow, event->key, mrtr_str("{\"n\":\"x\"}"), 0, NULL));
}

static void on_done(void *user_data, mrtr_flow flow, const mrtr_event *event) {
    host *h = user_data;
    h->done++;
    h->end = event->end;
    if (h->free_in_done) {
        OK(mrtr_flow_free(flow));
        STATUS(MRTR_STALE_HANDLE, mrtr_flow_cancel(flow, 0, NULL));
        CHECK(h->destroyed == 0); /* not before the last use */
    }
}

static mrtr_flow_callbacks table_of(host *h) {
    mrtr_flow_callbacks table;
    MRTR_INIT(flow_callbacks, &table);
    table.user_data = h;
    table.event = on_other;
    table.send = on_send;
    table.ask = on_ask;
    table.done = on_done;
    table.destroy = on_destroy;
    return table;
}

static mrtr_flow flow_with(mrtr_client client, host *h) {
    mrtr_flow flow = new_flow(client);
    mrtr_flow_callbacks table = table_of(h);
    OK(mrtr_flow_set_callbacks(flow, &table, NULL));
    return flow;
}

static void whole_flow(mrtr_client client, int free_in_done) {
    host h = {0};
    mrtr_flow flow;
    uint64_t until = 1;
    uint32_t done = 9;
    h.free_in_done = free_in_done;
    flow = flow_with(client, &h);
    OK(mrtr_flow_step(flow, 0, &until, &done, NULL));
    CHECK(h.sent == 2 && h.asked == 1 && h.done == 1 && h.other == 1 && h.end == MRTR_OK);
    CHECK(done == 1 && until == MRTR_NO_LIMIT);
    STATUS(MRTR_BUSY, h.step_inside);
    if (free_in_done) {
        STATUS(MRTR_STALE_HANDLE, mrtr_flow_step(flow, 0, NULL, NULL, NULL));
    } else {
        OK(mrtr_flow_step(flow, 0, &until, &done, NULL));
        CHECK(done == 1 && h.done == 1 && h.destroyed == 0);
        OK(mrtr_flow_free(flow));
    }
    CHECK(h.destroyed == 1);
}

/* Not answering means later; an answer after the end is refused and harms nothing. */
static void later(mrtr_client client) {
    host h = {0};
    mrtr_flow flow;
    uint64_t until = 0;
    uint32_t done = 9;
    h.answer_late = 1;
    flow = flow_with(client, &h);
    OK(mrtr_flow_step(flow, 0, &until, &done, NULL));
    CHECK(done == 0 && until == MRTR_NO_LIMIT && h.asked == 1 && h.done == 0);
    OK(mrtr_flow_cancel(flow, 1, NULL));
    STATUS(MRTR_WRONG_STATE, mrtr_flow_answer(flow, mrtr_str("a"), mrtr_str("{\"n\":\"x\"}"), 2, NULL));
    OK(mrtr_flow_step(flow, 2, &until, &done, NULL));
    CHECK(done == 1 && h.done == 1 && h.end == MRTR_CANCELLED && h.sent == 1 && h.other == 2);
    OK(mrtr_flow_free(flow));
    CHECK(h.destroyed == 1);
}

/* Dropped in the middle: no event, only destroy. Two owners of one user_data are told twice, once each. */
static void dropped_and_replaced(mrtr_client client) {
    host h = {0}, g = {0};
    mrtr_flow flow = flow_with(client, &h);
    mrtr_flow_callbacks table = table_of(&g);
    OK(mrtr_flow_set_callbacks(flow, &table, NULL));
    CHECK(h.destroyed == 1 && g.destroyed == 0);
    OK(mrtr_flow_free(flow));
    CHECK(h.destroyed == 1 && g.destroyed == 1 && g.done == 0);

    memset(&h, 0, sizeof h);
    h.replace_in_ask = 1;
    flow = flow_with(client, &h);
    OK(mrtr_flow_step(flow, 0, NULL, NULL, NULL));
    CHECK(h.done == 1 && h.destroyed == 1);
    OK(mrtr_flow_free(flow));
    CHECK(h.destroyed == 2);
}

/* If giving functions fails, user_data stays the caller's. */
static void not_taken(mrtr_client client) {
    host h = {0};
    mrtr_flow flow = new_flow(client), nobody = {0};
    mrtr_flow_callbacks table = table_of(&h);
    STATUS(MRTR_WRONG_STATE, mrtr_flow_step(flow, 0, NULL, NULL, NULL));
    STATUS(MRTR_NULL_ARGUMENT, mrtr_flow_set_callbacks(nobody, &table, NULL));
    STATUS(MRTR_NULL_ARGUMENT, mrtr_flow_set_callbacks(flow, NULL, NULL));
    table.abi = 0;
    STATUS(MRTR_ABI_MISMATCH, mrtr_flow_set_callbacks(flow, &table, NULL));
    table = table_of(&h);
    table.struct_size = 24;
    STATUS(MRTR_BAD_STRUCT_SIZE, mrtr_flow_set_callbacks(flow, &table, NULL));
    OK(mrtr_flow_free(flow));
    CHECK(h.destroyed == 0);
}

int main(void) {
    mrtr_client client = new_client(MRTR_NEED_FORM);
    whole_flow(client, 0);
    whole_flow(client, 1);
    later(client);
    dropped_and_replaced(client);
    not_taken(client);
    OK(mrtr_client_free(client));
    return finish("callbacks");
}
