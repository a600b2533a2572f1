/* Threads: shared objects are shared, calls on a flow take turns, a step runs once at a time, a free in the middle of a call waits for its end (F1, S7). */
#include "kit.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>

enum { ROUNDS = 200 };

static mrtr_sealer shared;
static atomic_int rotated;

/* A number of times, or, with an argument, until the keys have rotated. */
static void *seals(void *until) {
    mrtr_request r;
    mrtr_opened out;
    long bad = 0;
    int i;
    memset(&r, 0, sizeof r);
    MRTR_SIZE(&r);
    MRTR_SIZE(&out);
    r.method = mrtr_str("tools/call");
    r.principal.kind = MRTR_PRINCIPAL_NONE;
    for (i = 0; until ? !rotated : i < ROUNDS; i++) {
        mrtr_buf token;
        bad += mrtr_sealer_seal(shared, &r, mrtr_str("x"), none(), 0, &token, NULL) != MRTR_OK;
        bad += mrtr_sealer_open(shared, &r, view(&token), 0, &out, NULL) != MRTR_OK;
        mrtr_buf_free(&out.storage);
        mrtr_buf_free(&token);
    }
    return (void *)bad;
}

static void sharing(void) {
    mrtr_sealer_options o;
    pthread_t threads[4];
    int i;
    MRTR_INIT(sealer_options, &o);
    o.ephemeral = 1;
    o.cipher = CIPHER_FOR_VALGRIND;
    OK(mrtr_sealer_new(&o, &shared, NULL));
    for (i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, seals, NULL) == 0);
    for (i = 0; i < 4; i++) {
        void *bad = NULL;
        pthread_join(threads[i], &bad);
        CHECK(bad == NULL);
    }
    OK(mrtr_sealer_free(shared));
}

/* The ring goes round the steps of a rotation while two threads seal and open: nothing is refused that should open (S7). */
static void rotating(void) {
    static const char *SECRETS[3] = {"0123456789abcdef0123456789abcdef", "a new secret of at least 32 bytes", "and a third one, of 32 bytes also"};
    static const uint8_t STEPS[4][3] = {{0, 1, 2}, {1, 0, 2}, {1, 0, 2}, {0, 1, 2}};
    static const size_t COUNTS[4] = {2, 2, 3, 3};
    mrtr_sealer_options o;
    mrtr_sealer_counters counters;
    mrtr_slice keys[3];
    pthread_t threads[2];
    uint64_t before;
    int i, step;
    MRTR_SIZE(&counters);
    MRTR_INIT(sealer_options, &o);
    keys[0] = mrtr_str(SECRETS[0]);
    keys[1] = mrtr_str(SECRETS[1]);
    o.keys = keys;
    o.key_count = 2;
    o.cipher = CIPHER_FOR_VALGRIND;
    OK(mrtr_sealer_new(&o, &shared, NULL));
    for (i = 0; i < 2; i++) CHECK(pthread_create(&threads[i], NULL, seals, &rotated) == 0);
    for (step = 0; step < 40; step++) {
        size_t at, n = COUNTS[step % 4];
        for (at = 0; at < n; at++) keys[at] = mrtr_str(SECRETS[STEPS[step % 4][at]]);
        OK(mrtr_sealer_set_keys(shared, keys, n, NULL));
        OK(mrtr_sealer_get_counters(shared, &counters, NULL));
        before = counters.opened + counters.refused;
        do { /* none is passed over: tokens are opened between any two rings */
            sched_yield();
            OK(mrtr_sealer_get_counters(shared, &counters, NULL));
        } while (counters.opened + counters.refused < before + 4);
    }
    rotated = 1;
    for (i = 0; i < 2; i++) {
        void *bad = NULL;
        pthread_join(threads[i], &bad);
        CHECK(bad == NULL);
    }
    OK(mrtr_sealer_get_counters(shared, &counters, NULL));
    CHECK(counters.opened >= 160 && counters.sealed == counters.opened && counters.refused == 0);
    OK(mrtr_sealer_free(shared));
}

typedef struct {
    mrtr_flow flow;
    mrtr_status step, next, free;
    int destroyed;
} visit;

/* A second thread that comes while the first is inside a step. */
static void *visitor(void *user_data) {
    visit *v = user_data;
    mrtr_event e;
    MRTR_SIZE(&e);
    v->step = mrtr_flow_step(v->flow, 0, NULL, NULL, NULL);
    v->next = mrtr_flow_next(v->flow, 0, &e, NULL); /* between two events nobody is inside */
    if (v->next == MRTR_OK) mrtr_buf_free(&e.storage);
    v->free = mrtr_flow_free(v->flow);
    return NULL;
}

static void on_event(void *user_data, mrtr_flow flow, const mrtr_event *event) {
    visit *v = user_data;
    pthread_t thread;
    (void)flow;
    (void)event;
    CHECK(pthread_create(&thread, NULL, visitor, v) == 0);
    pthread_join(thread, NULL);
    CHECK(v->destroyed == 0); /* freed, but this call is still under way */
}

static void on_destroy(void *user_data) {
    ((visit *)user_data)->destroyed++;
}

static void visiting(void) {
    mrtr_client client = new_client(0);
    mrtr_flow_callbacks table;
    uint32_t done = 0;
    visit v;
    memset(&v, 0, sizeof v);
    v.flow = new_flow(client);
    MRTR_INIT(flow_callbacks, &table);
    table.user_data = &v;
    table.event = on_event;
    table.destroy = on_destroy;
    OK(mrtr_flow_set_callbacks(v.flow, &table, NULL));
    OK(mrtr_flow_step(v.flow, 0, NULL, &done, NULL));
    STATUS(MRTR_BUSY, v.step);
    STATUS(MRTR_OK, v.next);
    STATUS(MRTR_OK, v.free);
    CHECK(done == 1 && v.destroyed == 1);
    OK(mrtr_client_free(client));
}

/* Two threads on one flow: each call waits for its turn, none is turned away (C8: an answer may come from any thread). */
static void *asks(void *user_data) {
    mrtr_flow flow = *(mrtr_flow *)user_data;
    long bad = 0;
    int i;
    for (i = 0; i < ROUNDS; i++) {
        mrtr_event e;
        MRTR_SIZE(&e);
        bad += mrtr_flow_next(flow, 0, &e, NULL) != MRTR_OK;
        bad += mrtr_flow_progress(flow, 1, 1.0, 0, NULL) != MRTR_OK;
        mrtr_buf_free(&e.storage);
    }
    return (void *)bad;
}

static void turns(void) {
    mrtr_client client = new_client(0);
    mrtr_flow flow = new_flow(client);
    pthread_t threads[4];
    int i;
    for (i = 0; i < 4; i++) CHECK(pthread_create(&threads[i], NULL, asks, &flow) == 0);
    for (i = 0; i < 4; i++) {
        void *bad = NULL;
        pthread_join(threads[i], &bad);
        CHECK(bad == NULL);
    }
    OK(mrtr_flow_free(flow));
    OK(mrtr_client_free(client));
}

int main(void) {
    sharing();
    rotating();
    turns();
    visiting();
    return finish("threads");
}
