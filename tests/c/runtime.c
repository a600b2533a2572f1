/* Runtimes: both ways of delivery, their clocks, re-entrancy (C7, F4). */
#define _GNU_SOURCE
#include "runtimes.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

static void a_call_through_the_queue(void) {
    mrtr_client client = new_client(MRTR_NEED_FORM);
    mrtr_runtime runtime = new_runtime(NULL);
    mrtr_queue queue = queue_of(runtime);
    mrtr_flow flow = a_flow(client), none_such = {0};
    mrtr_event event;
    int32_t fd;
    OK(mrtr_queue_fd(queue, &fd, NULL));
    CHECK(!readable(fd));
    OK(mrtr_runtime_start(runtime, flow, NULL));
    CHECK(readable(fd));
    expect_taken(queue, flow, MRTR_EVENT_SEND);
    CHECK(!readable(fd));
    /* The runtime's clock counts, whatever time is handed in. */
    OK(mrtr_flow_deliver(flow, 1, mrtr_str(ASKS_ONE), 5, NULL));
    CHECK(readable(fd));
    expect_taken(queue, flow, MRTR_EVENT_ROUND);
    event = take(queue, flow, MRTR_EVENT_ASK);
    CHECK(same(event.key, "a"));
    mrtr_buf_free(&event.storage);
    nothing_in(queue, MRTR_EVENT_IDLE);
    OK(mrtr_flow_answer(flow, mrtr_str("a"), mrtr_str("{\"n\":\"x\"}"), 0, NULL));
    event = take(queue, flow, MRTR_EVENT_SEND);
    CHECK(event.leg == 2 && holds(event.params, "\"requestState\":\"s1\""));
    mrtr_buf_free(&event.storage);
    OK(mrtr_flow_deliver(flow, 2, mrtr_str(COMPLETE), 0, NULL));
    event = take(queue, flow, MRTR_EVENT_DONE);
    CHECK(event.end == MRTR_OK && same(event.result, COMPLETE));
    mrtr_buf_free(&event.storage);
    nothing_in(queue, MRTR_EVENT_IDLE);

    OK(mrtr_queue_wake(queue, NULL));
    CHECK(readable(fd));
    expect_taken(queue, none_such, MRTR_EVENT_IDLE);
    CHECK(!readable(fd));
    OK(mrtr_runtime_close(runtime, NULL));
    CHECK(readable(fd) && drained(runtime, 0));
    nothing_in(queue, MRTR_EVENT_DRAINED);
    nothing_in(queue, MRTR_EVENT_DRAINED);
    OK(mrtr_flow_free(flow));
    OK(mrtr_runtime_free(runtime));
    nothing_in(queue, MRTR_EVENT_DRAINED);
    OK(mrtr_queue_free(queue));
    OK(mrtr_client_free(client));
}

static void what_is_refused(void) {
    mrtr_client client = new_client(MRTR_NEED_FORM);
    mrtr_runtime runtime = new_runtime(NULL), other = new_runtime(NULL);
    mrtr_queue queue = queue_of(runtime);
    mrtr_flow flow = a_flow(client), late = a_flow(client);
    mrtr_event event;
    MRTR_SIZE(&event);
    OK(mrtr_runtime_start(runtime, flow, NULL));
    STATUS(MRTR_WRONG_STATE, mrtr_runtime_start(runtime, flow, NULL));
    STATUS(MRTR_WRONG_STATE, mrtr_runtime_start(other, flow, NULL));
    STATUS(MRTR_WRONG_STATE, mrtr_flow_next(flow, MRTR_NOW, &event, NULL));
    OK(mrtr_runtime_close(other, NULL));
    STATUS(MRTR_WRONG_STATE, mrtr_runtime_start(other, late, NULL));
    /* The flow that was refused is as before. */
    expect(late, 0, MRTR_EVENT_SEND);
    /* A flow that is freed sends nothing any more, and its runtime does not wait for it. */
    OK(mrtr_flow_free(flow));
    nothing_in(queue, MRTR_EVENT_IDLE);
    OK(mrtr_runtime_close(runtime, NULL));
    CHECK(drained(runtime, 0));
    OK(mrtr_flow_free(late));
    OK(mrtr_queue_free(queue));
    OK(mrtr_runtime_free(runtime));
    OK(mrtr_runtime_free(other));
    OK(mrtr_client_free(client));
}

static void the_runtime_keeps_the_clocks(void) {
    mrtr_client_options o;
    mrtr_client client;
    mrtr_runtime runtime = new_runtime(NULL);
    mrtr_queue queue = queue_of(runtime);
    mrtr_flow leg, person;
    mrtr_event event;
    MRTR_INIT(client_options, &o);
    o.handlers = MRTR_NEED_FORM;
    o.leg_timeout_ms = 150;
    o.input_timeout_ms = 50;
    OK(mrtr_client_new(&o, &client, NULL));
    leg = a_flow(client);
    person = a_flow(client);
    OK(mrtr_runtime_start(runtime, leg, NULL));
    expect_taken(queue, leg, MRTR_EVENT_SEND);
    OK(mrtr_runtime_start(runtime, person, NULL));
    expect_taken(queue, person, MRTR_EVENT_SEND);
    OK(mrtr_flow_deliver(person, 1, mrtr_str(ASKS_ONE), 0, NULL));
    expect_taken(queue, person, MRTR_EVENT_ROUND);
    expect_taken(queue, person, MRTR_EVENT_ASK);
    /* The shorter clock was set last and ends first. */
    expect_taken(queue, person, MRTR_EVENT_STOP_ASK);
    event = take(queue, person, MRTR_EVENT_DONE);
    CHECK(event.end == MRTR_INPUT_TIMEOUT && event.continuation.ptr != NULL);
    mrtr_buf_free(&event.storage);
    expect_taken(queue, leg, MRTR_EVENT_CANCEL_LEG);
    event = take(queue, leg, MRTR_EVENT_DONE);
    CHECK(event.end == MRTR_LEG_TIMEOUT);
    mrtr_buf_free(&event.storage);
    OK(mrtr_flow_free(leg));
    OK(mrtr_flow_free(person));
    OK(mrtr_queue_free(queue));
    OK(mrtr_runtime_free(runtime));
    OK(mrtr_client_free(client));
}

/* ---- the dispatcher ---- */

static pthread_t starter;
static atomic_int destroyed, ends, strangers, after_destroy;
static mrtr_runtime inside;

static void on_any(void *user_data, mrtr_flow flow, const mrtr_event *event) {
    char name[16] = "";
    (void)user_data;
    pthread_getname_np(pthread_self(), name, sizeof name);
    if (pthread_equal(pthread_self(), starter) || strcmp(name, "mrtr") != 0) strangers++;
    if (destroyed) after_destroy++;
    if (event->type == MRTR_EVENT_SEND)
        OK(mrtr_flow_deliver(flow, event->leg, mrtr_str(event->leg == 1 ? ASKS_ONE : COMPLETE), 0, NULL));
    if (event->type == MRTR_EVENT_ASK) {
        mrtr_status told = mrtr_flow_answer(flow, event->key, mrtr_str("{\"n\":\"x\"}"), 0, NULL);
        CHECK(told == MRTR_OK || told == MRTR_WRONG_STATE); /* closed meanwhile */
    }
    if (event->type == MRTR_EVENT_DONE) {
        uint32_t is = 77;
        ends++;
        CHECK(event->end == MRTR_OK || event->end == MRTR_CANCELLED);
        /* Everything may be called from here but waiting for this very thread. */
        STATUS(MRTR_BUSY, mrtr_runtime_wait(inside, MRTR_NO_LIMIT, &is, NULL));
        CHECK(is == 0);
        OK(mrtr_flow_cancel(flow, 0, NULL));
        OK(mrtr_flow_free(flow));
    }
}

static void on_destroy(void *user_data) {
    (void)user_data;
    destroyed++;
}

static mrtr_flow_callbacks table(void) {
    mrtr_flow_callbacks callbacks;
    MRTR_INIT(flow_callbacks, &callbacks);
    callbacks.event = on_any;
    callbacks.destroy = on_destroy;
    starter = pthread_self();
    destroyed = ends = 0;
    return callbacks;
}

static void calls_through_the_dispatcher(void) {
    enum { FLOWS = 20 };
    mrtr_flow_callbacks callbacks = table();
    mrtr_client client = new_client(MRTR_NEED_FORM);
    mrtr_queue queue;
    int at;
    inside = new_runtime(&callbacks);
    STATUS(MRTR_WRONG_STATE, mrtr_runtime_queue(inside, &queue, NULL));
    for (at = 0; at < FLOWS; at++) OK(mrtr_runtime_start(inside, a_flow(client), NULL));
    OK(mrtr_runtime_close(inside, NULL));
    CHECK(drained(inside, SECONDS(20)));
    CHECK(ends == FLOWS && destroyed == 1 && strangers == 0 && after_destroy == 0);
    OK(mrtr_runtime_free(inside));
    OK(mrtr_client_free(client));
}

/* A failure does not take `user_data`. */
static void a_runtime_that_cannot_be(void) {
    mrtr_flow_callbacks callbacks = table();
    mrtr_runtime_options options;
    mrtr_runtime runtime;
    MRTR_INIT(runtime_options, &options);
    options.name.ptr = (const uint8_t *)"a\0b";
    options.name.len = 3;
    STATUS(MRTR_CONFIG_ERROR, mrtr_runtime_new(&options, &callbacks, &runtime, NULL));
    CHECK(runtime.id == 0 && destroyed == 0);
}

static void freed_by_its_own_callback_on(void *user_data, mrtr_flow flow, const mrtr_event *event) {
    (void)user_data;
    if (event->type == MRTR_EVENT_SEND) {
        OK(mrtr_runtime_close(inside, NULL));
        OK(mrtr_runtime_free(inside));
        OK(mrtr_flow_free(flow));
    } else {
        after_destroy++; /* nothing may come after it was freed */
    }
}

static void freed_by_its_own_callback(void) {
    mrtr_flow_callbacks callbacks = table();
    mrtr_client client = new_client(MRTR_NEED_FORM);
    int waited = 0;
    callbacks.event = freed_by_its_own_callback_on;
    inside = new_runtime(&callbacks);
    OK(mrtr_runtime_start(inside, a_flow(client), NULL));
    while (destroyed == 0 && waited++ < 20000) usleep(1000);
    CHECK(destroyed == 1 && after_destroy == 0);
    OK(mrtr_client_free(client));
}

int main(void) {
    CHECK(mrtr_has_feature(mrtr_str("runtime")) == 1);
    a_call_through_the_queue();
    what_is_refused();
    the_runtime_keeps_the_clocks();
    calls_through_the_dispatcher();
    a_runtime_that_cannot_be();
    freed_by_its_own_callback();
    return finish("runtime");
}
