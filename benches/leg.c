/* One leg of an exchange through the C ABI: the request read, its state opened, one form answer checked, the next
 * question asked, a fresh state sealed with 64 bytes of the host's, the result's text. And a flow of 32 such legs.
 *
 *   scripts/install.sh "$PWD/target/release-prefix" && cc -O2 -Iinclude benches/leg.c -o target/leg \
 *     -Ltarget/release-prefix/lib -lmrtr -Wl,-rpath,"$PWD/target/release-prefix/lib" && target/leg
 */
#define _POSIX_C_SOURCE 200809L
#include <mrtr.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define META "\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\",\"io.modelcontextprotocol/clientCapabilities\":{\"elicitation\":{}}}"
#define CALL "{\"name\":\"book_trip\",\"arguments\":{\"from\":\"Zurich\",\"to\":\"Lisboa\",\"date\":\"2026-08-14\",\"seats\":2,\"budget\":{\"amount\":420.50}}," META
#define SCHEMA "{\"type\":\"object\",\"properties\":{\"seat\":{\"type\":\"string\",\"enum\":[\"window\",\"aisle\"]}},\"required\":[\"seat\"]}"
#define ACCEPT "{\"action\":\"accept\",\"content\":{\"seat\":\"aisle\"}}"
enum { SAMPLES = 201, PER_SAMPLE = 100, ROUNDS = 32 };

static mrtr_server server;
static char params[1 << 16];
static char keys[ROUNDS + 1][16];

static void ok(mrtr_status status) {
    if (status != MRTR_OK) {
        fprintf(stderr, "status %d\n", (int)status);
        exit(1);
    }
}

static mrtr_exchange begin(const char *text) {
    mrtr_request request = {0};
    mrtr_exchange exchange;
    MRTR_SIZE(&request);
    request.method = mrtr_str("tools/call");
    request.params = mrtr_str(text);
    request.principal.kind = MRTR_PRINCIPAL_NONE;
    ok(mrtr_exchange_begin(server, &request, 1000, &exchange, NULL));
    return exchange;
}

static uint32_t ask(mrtr_exchange exchange, int number) {
    mrtr_answer answer;
    uint32_t status;
    MRTR_SIZE(&answer);
    ok(mrtr_exchange_ask_form(exchange, mrtr_str(keys[number]), mrtr_str("Which seat?"), mrtr_str(SCHEMA), &answer, NULL));
    status = answer.status;
    mrtr_buf_free(&answer.storage);
    return status;
}

/* Serves one leg whose handler asks one question after the other; the result is left in `result`. */
static void leg(const char *text, int questions, mrtr_buf *result) {
    static const unsigned char state[64] = {'s'};
    mrtr_exchange exchange = begin(text);
    int number = 0;
    while (number < questions && ask(exchange, number) == MRTR_ANSWER_ACCEPTED) number++;
    ok(mrtr_exchange_set_state(exchange, (mrtr_slice){state, sizeof state}, NULL));
    ok(mrtr_exchange_result(exchange, result, NULL));
    ok(mrtr_exchange_free(exchange));
}

/* The params of the retry that answers question `number`. */
static void retry(const mrtr_buf *result, int number) {
    mrtr_slice token;
    ok(mrtr_json_member((mrtr_slice){result->ptr, result->len}, mrtr_str("requestState"), &token, NULL));
    snprintf(params, sizeof params, CALL ",\"inputResponses\":{\"seat%d\":" ACCEPT "},\"requestState\":%.*s}", number, (int)token.len,
             (const char *)token.ptr);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e6 + (double)time.tv_nsec / 1e3;
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

int main(void) {
    mrtr_sealer_options sealing;
    mrtr_server_options serving;
    mrtr_buf result;
    double samples[SAMPLES], one, sum = 0;
    for (int at = 0; at <= ROUNDS; at++) snprintf(keys[at], sizeof keys[at], "seat%d", at);
    MRTR_INIT(sealer_options, &sealing);
    sealing.ephemeral = 1;
    sealing.max_rounds = ROUNDS + 2;
    MRTR_INIT(server_options, &serving);
    ok(mrtr_sealer_new(&sealing, &serving.sealer, NULL));
    ok(mrtr_server_new(&serving, &server, NULL));

    leg(CALL "}", 2, &result);
    retry(&result, 0);
    mrtr_buf_free(&result);
    for (int at = 0; at < SAMPLES; at++) {
        const double start = now();
        for (int turn = 0; turn < PER_SAMPLE; turn++) {
            leg(params, 2, &result);
            mrtr_buf_free(&result);
        }
        samples[at] = (now() - start) / PER_SAMPLE;
    }
    qsort(samples, SAMPLES, sizeof *samples, compare);
    one = samples[SAMPLES / 2];
    printf("one leg: %.2f us (lowest %.2f)\n", one, samples[0]);

    leg(CALL "}", ROUNDS + 1, &result);
    for (int round = 0; round < ROUNDS; round++) {
        retry(&result, round);
        mrtr_buf_free(&result);
        for (int at = 0; at < SAMPLES; at++) {
            const double start = now();
            leg(params, ROUNDS + 1, &result);
            samples[at] = now() - start;
            if (at + 1 < SAMPLES) mrtr_buf_free(&result);
        }
        qsort(samples, SAMPLES, sizeof *samples, compare);
        sum += samples[SAMPLES / 2];
    }
    mrtr_buf_free(&result);
    printf("a flow of %d rounds: %.1f us, %.2f legs a round\n", ROUNDS, sum, sum / ROUNDS / one);
    ok(mrtr_server_free(server));
    ok(mrtr_sealer_free(serving.sealer));
    return 0;
}
