/* One round of a flow through the C ABI: the result handed in and its form asks checked, each shown, answered, the answer checked,
 * the retry taken. For 1, 10, 64 and 1,000 asks in one result.
 *
 *   scripts/install.sh "$PWD/target/release-prefix" && cc -O2 -Iinclude benches/round.c -o target/round \
 *     -Ltarget/release-prefix/lib -lmrtr -Wl,-rpath,"$PWD/target/release-prefix/lib" && target/round
 */
#define _POSIX_C_SOURCE 200809L
#include <mrtr.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PARAMS "{\"name\":\"book_trip\",\"arguments\":{\"from\":\"Zurich\",\"to\":\"Lisboa\",\"date\":\"2026-08-14\",\"seats\":2}}"
#define ASK "{\"method\":\"elicitation/create\",\"params\":{\"mode\":\"form\",\"message\":\"Which seat would you like?\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"seat\":{\"type\":\"string\",\"minLength\":2,\"maxLength\":4},\"meal\":{\"type\":\"string\",\"enum\":[\"none\",\"meat\",\"fish\"]}},\"required\":[\"seat\"]}}}"
#define CONTENT "{\"seat\":\"12A\",\"meal\":\"none\"}"
enum { SAMPLES = 101, ASKS = 4 };
static const int COUNTS[ASKS] = {1, 10, 64, 1000};

static void ok(mrtr_status status) {
    if (status != MRTR_OK) {
        fprintf(stderr, "status %d\n", (int)status);
        exit(1);
    }
}

static char *result_of(int asks) {
    char *text = malloc((size_t)asks * 400 + 400);
    int at = sprintf(text, "{\"resultType\":\"input_required\",\"inputRequests\":{");
    for (int n = 0; n < asks; n++) at += sprintf(text + at, "%s\"seat%d\":" ASK, n ? "," : "", n);
    at += sprintf(text + at, "},\"requestState\":\"");
    memset(text + at, 's', 200);
    strcpy(text + at + 200, "\"}");
    return text;
}

/* Takes events up to the next leg, answering each ask; returns the number of that leg. */
static uint32_t until_leg(mrtr_flow flow, int *answered) {
    for (;;) {
        mrtr_event event;
        uint32_t type;
        MRTR_SIZE(&event);
        ok(mrtr_flow_next(flow, 0, &event, NULL));
        type = event.type;
        if (type == MRTR_EVENT_ASK) {
            ok(mrtr_flow_answer(flow, event.key, mrtr_str(CONTENT), 0, NULL));
            ++*answered;
        }
        mrtr_buf_free(&event.storage);
        if (type == MRTR_EVENT_SEND) return event.leg;
        if (type == MRTR_EVENT_DONE) exit(1);
    }
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(void) {
    mrtr_client client;
    mrtr_client_options options;
    MRTR_INIT(client_options, &options);
    options.handlers = MRTR_NEED_FORM;
    options.max_rounds = UINT32_MAX;
    options.flow_timeout_ms = UINT64_C(1) << 38;
    options.max_asks = 1000;
    ok(mrtr_client_new(&options, &client, NULL));
    for (int at = 0; at < ASKS; at++) {
        int asks = COUNTS[at], per = 2000 / asks + 1, answered = 0;
        char *result = result_of(asks);
        mrtr_slice text = mrtr_str(result);
        double samples[SAMPLES];
        mrtr_flow flow;
        uint32_t leg;
        ok(mrtr_flow_begin(client, mrtr_str("tools/call"), mrtr_str(PARAMS), NULL, 0, &flow, NULL));
        leg = until_leg(flow, &answered);
        for (int sample = 0; sample < SAMPLES; sample++) {
            double begin = now();
            for (int round = 0; round < per; round++) {
                ok(mrtr_flow_deliver(flow, leg, text, 0, NULL));
                leg = until_leg(flow, &answered);
            }
            samples[sample] = (now() - begin) / per;
        }
        if (answered != SAMPLES * per * asks) exit(1);
        qsort(samples, SAMPLES, sizeof *samples, compare);
        printf("a round of %4d asks: %8.2f us (lowest %.2f), %.2f each\n", asks, samples[SAMPLES / 2], samples[0], samples[SAMPLES / 2] / asks);
        ok(mrtr_flow_free(flow));
        free(result);
    }
    ok(mrtr_client_free(client));
    return 0;
}
