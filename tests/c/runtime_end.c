/* The end of runtimes: in every order, one end for each flow, and in a forked child (C10, F4, F5). */
#define _GNU_SOURCE
#include "runtimes.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

static atomic_int destroyed;

static void on_destroy(void *user_data) {
    (void)user_data;
    destroyed++;
}

/* Without functions events are passed over, so that the flows stay open. */
static mrtr_flow_callbacks table(void) {
    mrtr_flow_callbacks callbacks;
    MRTR_INIT(flow_callbacks, &callbacks);
    callbacks.destroy = on_destroy;
    destroyed = 0;
    return callbacks;
}

static void in_this_order(const int *order, int with_dispatcher) {
    mrtr_flow_callbacks callbacks = table();
    mrtr_client client = new_client(MRTR_NEED_FORM);
    mrtr_runtime runtime;
    mrtr_queue queue = {0};
    mrtr_flow flow = a_flow(client), second = a_flow(client);
    int at, freed = 0, waited = 0;
    runtime = new_runtime(with_dispatcher ? &callbacks : NULL);
    if (!with_dispatcher) queue = queue_of(runtime);
    OK(mrtr_runtime_start(runtime, flow, NULL));
    OK(mrtr_runtime_start(runtime, second, NULL));
    for (at = 0; at < 5; at++) switch (order[at]) {
        case 0: OK(mrtr_flow_free(flow)); break;
        case 1: OK(mrtr_flow_free(second)); break;
        case 2: STATUS(freed ? MRTR_STALE_HANDLE : MRTR_OK, mrtr_runtime_close(runtime, NULL)); break;
        case 3: OK(mrtr_runtime_free(runtime)); freed = 1; break;
        case 4: OK(mrtr_queue_free(queue)); break;
        }
    while (with_dispatcher && destroyed == 0 && waited++ < 20000) usleep(1000);
    CHECK(destroyed == with_dispatcher);
    OK(mrtr_client_free(client));
}

static void all_orders(int *order, int from, int with_dispatcher) {
    int at;
    if (from == 5) {
        in_this_order(order, with_dispatcher);
        return;
    }
    for (at = from; at < 5; at++) {
        int kept = order[from];
        order[from] = order[at]; order[at] = kept;
        all_orders(order, from + 1, with_dispatcher);
        kept = order[from];
        order[from] = order[at]; order[at] = kept;
    }
}

/* ---- one end each, whoever is first ---- */

enum { MANY = 60 };
static mrtr_flow many[MANY];

static void *cancel_all(void *none_given) {
    int at;
    for (at = MANY - 1; at >= 0; at--) OK(mrtr_flow_cancel(many[at], 0, NULL));
    return none_given;
}

static void *complete_all(void *none_given) {
    int at;
    for (at = 0; at < MANY; at++) OK(mrtr_flow_deliver(many[at], 1, mrtr_str(COMPLETE), 0, NULL));
    return none_given;
}

static void one_end_each(void) {
    mrtr_client client = new_client(MRTR_NEED_FORM);
    mrtr_runtime runtime = new_runtime(NULL);
    mrtr_queue queue = queue_of(runtime);
    pthread_t first, second;
    int count[MANY] = {0}, at, over = 0;
    for (at = 0; at < MANY; at++) {
        many[at] = a_flow(client);
        OK(mrtr_runtime_start(runtime, many[at], NULL));
    }
    pthread_create(&first, NULL, cancel_all, NULL);
    pthread_create(&second, NULL, complete_all, NULL);
    usleep(2000);
    OK(mrtr_runtime_close(runtime, NULL));
    while (!over) {
        mrtr_event event;
        mrtr_flow flow;
        MRTR_SIZE(&event);
        OK(mrtr_queue_next(queue, SECONDS(20), &flow, &event, NULL));
        over = event.type == MRTR_EVENT_DRAINED || event.type == MRTR_EVENT_IDLE;
        if (over) CHECK(event.type == MRTR_EVENT_DRAINED);
        for (at = 0; at < MANY; at++) count[at] += event.type == MRTR_EVENT_DONE && many[at].id == flow.id;
        mrtr_buf_free(&event.storage);
    }
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    for (at = 0; at < MANY; at++) CHECK(count[at] == 1);
    nothing_in(queue, MRTR_EVENT_DRAINED);
    for (at = 0; at < MANY; at++) OK(mrtr_flow_free(many[at]));
    OK(mrtr_queue_free(queue));
    OK(mrtr_runtime_free(runtime));
    OK(mrtr_client_free(client));
}

/* ---- fork ---- */

static void a_child_is_told(void) {
    mrtr_client client = new_client(MRTR_NEED_FORM);
    mrtr_runtime runtime = new_runtime(NULL);
    mrtr_queue queue = queue_of(runtime);
    mrtr_flow flow = a_flow(client), other = a_flow(client), got;
    mrtr_event event;
    mrtr_buf saved;
    uint32_t is;
    int32_t fd;
    int status = 0;
    pid_t child;
    OK(mrtr_runtime_start(runtime, flow, NULL));
    child = fork();
    if (child == 0) {
        faults = 0;
        MRTR_SIZE(&event);
        STATUS(MRTR_WRONG_STATE, mrtr_runtime_start(runtime, other, NULL));
        STATUS(MRTR_WRONG_STATE, mrtr_runtime_close(runtime, NULL));
        STATUS(MRTR_WRONG_STATE, mrtr_runtime_wait(runtime, 0, &is, NULL));
        STATUS(MRTR_WRONG_STATE, mrtr_queue_next(queue, 0, &got, &event, NULL));
        STATUS(MRTR_WRONG_STATE, mrtr_queue_wake(queue, NULL));
        STATUS(MRTR_WRONG_STATE, mrtr_queue_fd(queue, &fd, NULL));
        STATUS(MRTR_WRONG_STATE, mrtr_flow_cancel(flow, 0, NULL));
        STATUS(MRTR_WRONG_STATE, mrtr_flow_next(flow, 0, &event, NULL));
        STATUS(MRTR_WRONG_STATE, mrtr_flow_save(flow, &saved, NULL));
        OK(mrtr_flow_free(flow));
        OK(mrtr_runtime_free(runtime));
        OK(mrtr_queue_free(queue));
        execlp(faults ? "false" : "true", "done", (char *)NULL);
        _exit(3);
    }
    CHECK(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    /* The parent goes on undisturbed. */
    expect_taken(queue, flow, MRTR_EVENT_SEND);
    OK(mrtr_flow_free(flow));
    OK(mrtr_flow_free(other));
    OK(mrtr_queue_free(queue));
    OK(mrtr_runtime_free(runtime));
    OK(mrtr_client_free(client));
}

int main(void) {
    int order[5] = {0, 1, 2, 3, 4};
    all_orders(order, 0, 0);
    all_orders(order, 0, 1);
    one_end_each();
    a_child_is_told();
    return finish("runtime_end");
}
