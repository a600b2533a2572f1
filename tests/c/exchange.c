/* Serving a request through the C ABI (B1-B3, B8, X1-X9, D8, D13, D19). */
#include "kit.h"

static const char *SCHEMA = "{\"type\":\"object\",\"properties\":{\"n\":{\"type\":\"string\"}},\"required\":[\"n\"]}";
static const char *FORMS = "{\"elicitation\":{\"form\":{}}}";

/* The text of the member `requestState` of a result, quotes included. */
static mrtr_slice token_of(const mrtr_buf *result) {
    mrtr_slice value;
    OK(mrtr_json_member(view(result), mrtr_str("requestState"), &value, NULL));
    return value;
}

static uint32_t ask_form(mrtr_exchange x, const char *key, char *content, size_t room) {
    mrtr_answer answer;
    MRTR_SIZE(&answer);
    OK(mrtr_exchange_ask_form(x, mrtr_str(key), mrtr_str("Name?"), mrtr_str(SCHEMA), &answer, NULL));
    if (content) snprintf(content, room, "%.*s", (int)answer.content.len, (const char *)answer.content.ptr);
    mrtr_buf_free(&answer.storage);
    return answer.status;
}

/* Two questions, one answered per leg; what was accepted is kept, the host's state rides along (X6, X9). */
static void two_rounds(void) {
    mrtr_server server = new_server(MRTR_GATE_REFUSE, 1);
    mrtr_exchange x = begin(server, "{\"name\":\"t\"}", FORMS);
    mrtr_exchange_info info;
    mrtr_buf result, state;
    uint32_t has;
    char params[4096], content[64];
    mrtr_slice token;
    static const uint8_t no_flow[16];
    uint8_t flow[16];
    MRTR_SIZE(&info);

    CHECK(ask_form(x, "a", NULL, 0) == MRTR_ANSWER_MISSING);
    CHECK(ask_form(x, "b", NULL, 0) == MRTR_ANSWER_MISSING);
    CHECK(mrtr_exchange_pending(x) == 2);
    OK(mrtr_exchange_get_info(x, &info, NULL));
    CHECK(info.round == 0 && info.has_token == 0);
    memcpy(flow, info.flow_id, sizeof flow);
    CHECK(memcmp(flow, no_flow, sizeof flow) != 0);
    OK(mrtr_exchange_set_state(x, mrtr_str("kept"), NULL));
    OK(mrtr_exchange_result(x, &result, NULL));
    CHECK(holds(view(&result), "\"resultType\":\"input_required\"") && holds(view(&result), "\"a\":{") && holds(view(&result), "\"b\":{"));
    OK(mrtr_exchange_free(x));

    token = token_of(&result);
    snprintf(params, sizeof params, "{\"name\":\"t\",\"inputResponses\":{\"a\":{\"action\":\"accept\",\"content\":{\"n\":\"Ada\"}}},\"requestState\":%.*s}", (int)token.len, (const char *)token.ptr);
    mrtr_buf_free(&result);
    x = begin(server, params, FORMS);
    OK(mrtr_exchange_get_info(x, &info, NULL));
    CHECK(info.round == 1 && info.has_token == 1 && info.first_seen_ms == 1000);
    CHECK(memcmp(flow, info.flow_id, sizeof flow) == 0); /* the id that the first request had already */
    OK(mrtr_exchange_state(x, &has, &state, NULL));
    CHECK(has == 1 && same(view(&state), "kept"));
    mrtr_buf_free(&state);
    CHECK(ask_form(x, "a", content, sizeof content) == MRTR_ANSWER_ACCEPTED && strcmp(content, "{\"n\":\"Ada\"}") == 0);
    CHECK(ask_form(x, "b", NULL, 0) == MRTR_ANSWER_MISSING);
    CHECK(mrtr_exchange_pending(x) == 1);
    OK(mrtr_exchange_result(x, &result, NULL));
    CHECK(!holds(view(&result), "\"a\":{"));
    OK(mrtr_exchange_free(x));

    token = token_of(&result);
    snprintf(params, sizeof params, "{\"name\":\"t\",\"inputResponses\":{\"b\":{\"action\":\"decline\"}},\"requestState\":%.*s}", (int)token.len, (const char *)token.ptr);
    mrtr_buf_free(&result);
    x = begin(server, params, FORMS);
    OK(mrtr_exchange_get_info(x, &info, NULL));
    CHECK(info.round == 2 && memcmp(flow, info.flow_id, sizeof flow) == 0);
    CHECK(ask_form(x, "a", content, sizeof content) == MRTR_ANSWER_ACCEPTED && strcmp(content, "{\"n\":\"Ada\"}") == 0);
    CHECK(ask_form(x, "b", content, sizeof content) == MRTR_ANSWER_DECLINED && content[0] == 0);
    CHECK(mrtr_exchange_pending(x) == 0);
    OK(mrtr_exchange_forget(x, mrtr_str("b"), NULL));
    CHECK(ask_form(x, "b", NULL, 0) == MRTR_ANSWER_MISSING);
    OK(mrtr_exchange_free(x));
    OK(mrtr_server_free(server));
}

/* An answer that does not fit is asked again, with reasons (X3, X4). */
static void invalid_answer(void) {
    mrtr_server server = new_server(MRTR_GATE_REFUSE, 1);
    mrtr_exchange x = begin(server, "{\"name\":\"t\",\"inputResponses\":{\"a\":{\"action\":\"accept\",\"content\":{\"n\":3}}}}", FORMS);
    mrtr_answer answer;
    MRTR_SIZE(&answer);
    OK(mrtr_exchange_ask(x, mrtr_str("a"), mrtr_str(FORM), &answer, NULL));
    CHECK(answer.status == MRTR_ANSWER_INVALID && answer.content.ptr == NULL);
    CHECK(answer.reasons.ptr != NULL && answer.reasons.ptr[0] == '[' && answer.reasons.len > 2);
    mrtr_buf_free(&answer.storage);
    CHECK(mrtr_exchange_pending(x) == 1);
    OK(mrtr_exchange_free(x));
    OK(mrtr_server_free(server));
}

/* All four kinds, answered on a first request without any state (X2, X5). */
static void kinds(void) {
    mrtr_server server = new_server(MRTR_GATE_REFUSE, 1);
    mrtr_exchange x = begin(server,
        "{\"name\":\"t\",\"inputResponses\":{\"u\":{\"action\":\"accept\"},"
        "\"s\":{\"role\":\"assistant\",\"model\":\"m\",\"content\":{\"type\":\"text\",\"text\":\"hi\"}},\"r\":{\"roots\":[]}}}",
        "{\"elicitation\":{\"url\":{}},\"sampling\":{},\"roots\":{}}");
    mrtr_answer answer;
    uint32_t yes = 7;
    MRTR_SIZE(&answer);
    OK(mrtr_exchange_ask_url(x, mrtr_str("u"), mrtr_str("Go \"there\""), mrtr_str("https://example.com/a?b=c"), &answer, NULL));
    CHECK(answer.status == MRTR_ANSWER_ACCEPTED && same(answer.content, "{}"));
    mrtr_buf_free(&answer.storage);
    OK(mrtr_exchange_ask_sampling(x, mrtr_str("s"), mrtr_str("{\"messages\":[{\"role\":\"user\",\"content\":{\"type\":\"text\",\"text\":\"x\"}}],\"maxTokens\":9}"), &answer, NULL));
    CHECK(answer.status == MRTR_ANSWER_ACCEPTED && holds(answer.content, "\"model\":\"m\""));
    mrtr_buf_free(&answer.storage);
    OK(mrtr_exchange_ask_roots(x, mrtr_str("r"), &answer, NULL));
    CHECK(answer.status == MRTR_ANSWER_ACCEPTED && same(answer.content, "{\"roots\":[]}"));
    mrtr_buf_free(&answer.storage);
    CHECK(mrtr_exchange_pending(x) == 0);
    OK(mrtr_exchange_can_ask(x, MRTR_NEED_URL | MRTR_NEED_ROOTS, &yes, NULL));
    CHECK(yes == 1);
    OK(mrtr_exchange_can_ask(x, MRTR_NEED_FORM, &yes, NULL));
    CHECK(yes == 0);
    STATUS(MRTR_BAD_ARGUMENT, mrtr_exchange_can_ask(x, 64, &yes, NULL));
    OK(mrtr_exchange_free(x));
    OK(mrtr_server_free(server));
}

/* The first error of any ask comes out of the result, too; so does a part that is no JSON. */
static void sticky_errors(void) {
    mrtr_server server = new_server(MRTR_GATE_REFUSE, 1);
    mrtr_exchange x = begin(server, "{\"name\":\"t\"}", FORMS);
    mrtr_buf result;
    mrtr_error err;
    mrtr_error_info info;
    MRTR_SIZE(&info);
    STATUS(MRTR_BAD_JSON, mrtr_exchange_ask_form(x, mrtr_str("k"), mrtr_str("m"), mrtr_str("{\"type\":"), NULL, NULL));
    STATUS(MRTR_BAD_JSON, mrtr_exchange_result(x, &result, &err));
    CHECK(result.ptr == NULL);
    OK(mrtr_error_get(err, &info));
    CHECK(same(info.key, "k") && info.rpc_code == -32603);
    mrtr_buf_free(&info.storage);
    OK(mrtr_error_free(err));
    OK(mrtr_exchange_free(x));
    OK(mrtr_server_free(server));
}

/* A key or a part that is no text is an argument that was refused: nothing was asked, and the exchange goes on (F2). Another
 * wording under the same key is an error that stands (B3). */
static void parts_of_questions(void) {
    mrtr_server server = new_server(MRTR_GATE_REFUSE, 1);
    mrtr_exchange x = begin(server, "{\"name\":\"t\"}", "{\"elicitation\":{\"form\":{},\"url\":{}}}");
    mrtr_slice bad = mrtr_str("\xFF"), schema = mrtr_str(SCHEMA);
    mrtr_buf result;
    STATUS(MRTR_NOT_UTF8, mrtr_exchange_ask_form(x, bad, mrtr_str("Name?"), schema, NULL, NULL));
    STATUS(MRTR_NOT_UTF8, mrtr_exchange_ask_form(x, mrtr_str("k"), bad, schema, NULL, NULL));
    STATUS(MRTR_NOT_UTF8, mrtr_exchange_ask_form(x, mrtr_str("k"), mrtr_str("Name?"), bad, NULL, NULL));
    STATUS(MRTR_NOT_UTF8, mrtr_exchange_ask_url(x, mrtr_str("k"), bad, mrtr_str("https://a.example"), NULL, NULL));
    STATUS(MRTR_NOT_UTF8, mrtr_exchange_ask_sampling(x, mrtr_str("k"), bad, NULL, NULL));
    STATUS(MRTR_NOT_UTF8, mrtr_exchange_ask(x, mrtr_str("k"), bad, NULL, NULL));
    CHECK(mrtr_exchange_pending(x) == 0);
    OK(mrtr_exchange_ask_url(x, mrtr_str("k"), mrtr_str("Pay?"), mrtr_str("https://a.example"), NULL, NULL));
    OK(mrtr_exchange_ask_url(x, mrtr_str("k"), mrtr_str("Pay?"), mrtr_str("https://a.example"), NULL, NULL));
    CHECK(mrtr_exchange_pending(x) == 1);
    STATUS(MRTR_DUPLICATE_KEY, mrtr_exchange_ask_url(x, mrtr_str("k"), mrtr_str("Pay"), mrtr_str("https://a.example"), NULL, NULL));
    STATUS(MRTR_DUPLICATE_KEY, mrtr_exchange_result(x, &result, NULL));
    OK(mrtr_exchange_free(x));
    OK(mrtr_server_free(server));
}

/* What the client did not declare: refused with -32021, or filtered and unaskable (B8, D8, D18). */
static void gates(void) {
    mrtr_server server = new_server(MRTR_GATE_REFUSE, 1);
    mrtr_exchange x = begin(server, "{\"name\":\"t\"}", "{}");
    mrtr_buf result;
    mrtr_error err;
    mrtr_error_info info;
    MRTR_SIZE(&info);
    CHECK(ask_form(x, "a", NULL, 0) == MRTR_ANSWER_MISSING);
    STATUS(MRTR_MISSING_CAPABILITY, mrtr_exchange_result(x, &result, &err));
    OK(mrtr_error_get(err, &info));
    CHECK(info.rpc_code == -32021 && info.http_status == 400 && holds(info.rpc, "{\"requiredCapabilities\":{\"elicitation\":{\"form\":{}}}}"));
    mrtr_buf_free(&info.storage);
    OK(mrtr_error_free(err));
    OK(mrtr_exchange_free(x));
    OK(mrtr_server_free(server));

    server = new_server(MRTR_GATE_FILTER, 1);
    x = begin(server, "{\"name\":\"t\"}", "{}");
    CHECK(ask_form(x, "a", NULL, 0) == MRTR_ANSWER_UNASKABLE);
    CHECK(mrtr_exchange_pending(x) == 0);
    STATUS(MRTR_MISSING_CAPABILITY, mrtr_exchange_require(x, NULL));
    OK(mrtr_exchange_free(x));
    OK(mrtr_server_free(server));
}

static void refused_requests(void) {
    mrtr_server server = new_server(MRTR_GATE_REFUSE, 1);
    mrtr_exchange x;
    mrtr_request r;
    mrtr_error err;
    mrtr_error_info info;
    MRTR_SIZE(&info);
    memset(&r, 0, sizeof r);
    MRTR_SIZE(&r);
    r.method = mrtr_str("tools/call");
    r.principal.kind = MRTR_PRINCIPAL_NONE;
    r.params = mrtr_str("{\"name\":\"t\",\"requestState\":\"mrtr1.AAAA\"}");
    STATUS(MRTR_MALFORMED, mrtr_exchange_begin(server, &r, MRTR_NOW, &x, &err));
    CHECK(x.id == 0);
    OK(mrtr_error_get(err, &info));
    CHECK(same(info.name, "malformed") && info.rpc_code == -32602 && holds(info.rpc, "invalid_request_state"));
    mrtr_buf_free(&info.storage);
    OK(mrtr_error_free(err));
    r.params = mrtr_str("{\"name\":\"t\",\"inputResponses\":[]}");
    STATUS(MRTR_INVALID_PARAMS, mrtr_exchange_begin(server, &r, MRTR_NOW, &x, &err));
    OK(mrtr_error_free(err));
    OK(mrtr_server_free(server));
}

/* Without a sealer the string goes out and comes in raw (D19). */
static void no_sealer(void) {
    mrtr_server server = new_server(MRTR_GATE_REFUSE, 0);
    mrtr_exchange x = begin(server, "{\"name\":\"t\",\"requestState\":\"mine\"}", FORMS);
    mrtr_buf state, result;
    uint32_t has;
    OK(mrtr_exchange_state(x, &has, &state, NULL));
    CHECK(has == 1 && same(view(&state), "mine"));
    mrtr_buf_free(&state);
    OK(mrtr_exchange_set_state(x, none(), NULL));
    OK(mrtr_exchange_state(x, &has, &state, NULL));
    CHECK(has == 0 && state.ptr == NULL);
    STATUS(MRTR_NOTHING_PENDING, mrtr_exchange_result(x, &result, NULL));
    OK(mrtr_exchange_set_state(x, mrtr_str("theirs"), NULL));
    CHECK(ask_form(x, "a", NULL, 0) == MRTR_ANSWER_MISSING);
    OK(mrtr_exchange_result(x, &result, NULL));
    CHECK(same(token_of(&result), "\"theirs\""));
    mrtr_buf_free(&result);
    OK(mrtr_exchange_free(x));
    OK(mrtr_server_free(server));
}

/* A result without an exchange (B1-B6). */
static void built_result(void) {
    mrtr_result_options o;
    mrtr_result result;
    mrtr_error err;
    mrtr_error_info info;
    mrtr_ask asks[2];
    MRTR_SIZE(&result);
    MRTR_SIZE(&info);
    MRTR_INIT(result_options, &o);
    o.method = mrtr_str("tools/call");
    STATUS(MRTR_EMPTY_RESULT, mrtr_result_build(&o, &result, NULL));
    asks[0].key = mrtr_str("a");
    asks[0].ask = mrtr_str("{\"method\":\"elicitation/create\",\"params\":{\"mode\":\"url\",\"message\":\"m\",\"url\":\"https://example.com/?token=1\",\"elicitationId\":\"x\"}}");
    asks[1] = asks[0];
    o.asks = asks;
    o.ask_count = 1;
    o.state = mrtr_str("");
    OK(mrtr_result_build(&o, &result, NULL));
    CHECK(holds(result.json, "\"requestState\":\"\"") && !holds(result.json, "elicitationId"));
    CHECK(result.warning_count == 2 && holds(result.warnings, "credential_in_url") && holds(result.warnings, "elicitation_id_dropped"));
    mrtr_buf_free(&result.storage);
    o.ask_count = 2;
    STATUS(MRTR_DUPLICATE_KEY, mrtr_result_build(&o, &result, NULL));
    o.ask_count = 1;
    asks[0].ask = mrtr_str("{\"method\":\"elicitation/create\",\"params\":{\"message\":\"m\",\"requestedSchema\":{\"type\":\"object\",\"properties\":{\"a\":{\"type\":\"object\"}}}}}");
    STATUS(MRTR_BAD_SCHEMA, mrtr_result_build(&o, &result, &err));
    OK(mrtr_error_get(err, &info));
    CHECK(same(info.key, "a") && same(info.at, "/requestedSchema/properties/a/type"));
    mrtr_buf_free(&info.storage);
    OK(mrtr_error_free(err));
    o.method = mrtr_str("tools/list");
    STATUS(MRTR_METHOD_NOT_ALLOWED, mrtr_result_build(&o, &result, NULL));
}

int main(void) {
    two_rounds();
    invalid_answer();
    kinds();
    sticky_errors();
    parts_of_questions();
    gates();
    refused_requests();
    no_sealer();
    built_result();
    return finish("exchange");
}
