/* Runtimes in tests. */
#ifndef RUNTIMES_H
#define RUNTIMES_H

#include "kit.h"

#include <poll.h>

#define SECONDS(n) ((n) * 1000u)

static inline mrtr_runtime new_runtime(const mrtr_flow_callbacks *callbacks) {
    mrtr_runtime runtime;
    OK(mrtr_runtime_new(NULL, callbacks, &runtime, NULL));
    return runtime;
}

static inline mrtr_queue queue_of(mrtr_runtime runtime) {
    mrtr_queue queue;
    OK(mrtr_runtime_queue(runtime, &queue, NULL));
    return queue;
}

/* A flow by the library's clock. */
static inline mrtr_flow a_flow(mrtr_client client) {
    mrtr_flow flow;
    OK(mrtr_flow_begin(client, mrtr_str("tools/call"), mrtr_str("{\"name\":\"t\"}"), NULL, MRTR_NOW, &flow, NULL));
    return flow;
}

static inline mrtr_event take(mrtr_queue queue, mrtr_flow of, uint32_t type) {
    mrtr_event event;
    mrtr_flow flow;
    MRTR_SIZE(&event);
    OK(mrtr_queue_next(queue, SECONDS(20), &flow, &event, NULL));
    CHECK(event.type == type);
    CHECK(flow.id == of.id);
    return event;
}

static inline void expect_taken(mrtr_queue queue, mrtr_flow of, uint32_t type) {
    mrtr_event event = take(queue, of, type);
    mrtr_buf_free(&event.storage);
}

static inline void nothing_in(mrtr_queue queue, uint32_t type) {
    mrtr_event event;
    mrtr_flow flow = {77};
    MRTR_SIZE(&event);
    OK(mrtr_queue_next(queue, 0, &flow, &event, NULL));
    CHECK(event.type == type && flow.id == 0 && event.storage.ptr == NULL);
}

static inline int readable(int fd) {
    struct pollfd one = {fd, POLLIN, 0};
    return poll(&one, 1, 0) == 1;
}

static inline int drained(mrtr_runtime runtime, uint64_t timeout_ms) {
    uint32_t is;
    OK(mrtr_runtime_wait(runtime, timeout_ms, &is, NULL));
    return (int)is;
}

#endif
