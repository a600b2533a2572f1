/* Many calls at once in one poll loop: a runtime keeps their clocks, its descriptor says when there is something to do.
 *
 *   cc -Iinclude examples/c/many.c -lmrtr -o many && ./many
 *
 * The server is played by a function here. A real host polls its sockets beside the descriptor and delivers what they bring. */
#include "mrtr.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

enum { CALLS = 3 };

static void must(mrtr_status status) {
    mrtr_slice name = mrtr_code_name(status);
    if (status == MRTR_OK) return;
    fprintf(stderr, "%.*s\n", (int)name.len, (const char *)name.ptr);
    exit(1);
}

/* Asks on the first leg of a call, and is content with the second. */
static const char *server(uint32_t leg) {
    if (leg > 1) return "{\"resultType\":\"complete\",\"content\":[{\"type\":\"text\",\"text\":\"booked\"}]}";
    return "{\"resultType\":\"input_required\",\"requestState\":\"s\",\"inputRequests\":{\"seat\":{\"method\":\"elicitation/create\",\"params\":"
           "{\"message\":\"Which seat?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"seat\":{\"type\":\"string\"}}}}}}}";
}

/* One event of one call; 1 if it was the call's end. */
static int act(mrtr_flow flow, const mrtr_event *event) {
    switch (event->type) {
    case MRTR_EVENT_SEND:
        must(mrtr_flow_deliver(flow, event->leg, mrtr_str(server(event->leg)), MRTR_NOW, NULL));
        return 0;
    case MRTR_EVENT_ASK:
        printf("asked: %.*s\n", (int)event->message.len, (const char *)event->message.ptr);
        must(mrtr_flow_answer(flow, event->key, mrtr_str("{\"seat\":\"12A\"}"), MRTR_NOW, NULL));
        return 0;
    case MRTR_EVENT_DONE:
        printf("ended: %.*s\n", (int)event->result.len, (const char *)event->result.ptr);
        must(mrtr_flow_free(flow));
        return 1;
    default:
        return 0;
    }
}

int main(void) {
    mrtr_client_options options;
    mrtr_client client;
    mrtr_runtime runtime;
    mrtr_queue queue;
    struct pollfd ready = {0, POLLIN, 0};
    uint32_t drained;
    int at, ended = 0;

    MRTR_INIT(client_options, &options);
    options.handlers = MRTR_NEED_FORM;
    must(mrtr_client_new(&options, &client, NULL));
    must(mrtr_runtime_new(NULL, NULL, &runtime, NULL));
    must(mrtr_runtime_queue(runtime, &queue, NULL));
    must(mrtr_queue_fd(queue, &ready.fd, NULL));
    for (at = 0; at < CALLS; at++) {
        mrtr_flow flow;
        must(mrtr_flow_begin(client, mrtr_str("tools/call"), mrtr_str("{\"name\":\"book\"}"), NULL, MRTR_NOW, &flow, NULL));
        must(mrtr_runtime_start(runtime, flow, NULL));
    }
    while (ended < CALLS && poll(&ready, 1, -1) > 0) {
        mrtr_flow flow;
        mrtr_event event;
        MRTR_SIZE(&event);
        must(mrtr_queue_next(queue, 0, &flow, &event, NULL));
        ended += act(flow, &event);
        mrtr_buf_free(&event.storage);
    }
    must(mrtr_runtime_close(runtime, NULL));
    must(mrtr_runtime_wait(runtime, MRTR_NO_LIMIT, &drained, NULL));
    must(mrtr_queue_free(queue));
    must(mrtr_runtime_free(runtime));
    must(mrtr_client_free(client));
    return 0;
}
