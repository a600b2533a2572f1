/* A form written field by field, and asked (B4, X4). */
#include "kit.h"

static void fields(mrtr_form form) {
    mrtr_field field;
    mrtr_choice choices[2];
    mrtr_slice fallback = mrtr_str("aisle");
    mrtr_error err;
    mrtr_error_info info;

    MRTR_INIT(field, &field);
    field.name = mrtr_str("seats");
    field.kind = MRTR_FIELD_INTEGER;
    field.required = 1;
    field.minimum = mrtr_str("1");
    field.maximum = mrtr_str("9");
    OK(mrtr_form_add(form, &field, NULL));

    memset(choices, 0, sizeof choices);
    choices[0].value = mrtr_str("window");
    choices[0].title = mrtr_str("By the window");
    choices[1].value = mrtr_str("aisle");
    MRTR_INIT(field, &field);
    field.name = mrtr_str("seat");
    field.kind = MRTR_FIELD_SELECT;
    field.choices = choices;
    field.choice_count = 2;
    field.defaults = &fallback;
    field.default_count = 1;
    OK(mrtr_form_add(form, &field, NULL));

    fallback = mrtr_str("roof");
    field.name = mrtr_str("other");
    STATUS(MRTR_BAD_SCHEMA, mrtr_form_add(form, &field, &err));
    MRTR_SIZE(&info);
    OK(mrtr_error_get(err, &info));
    CHECK(same(info.at, "/requestedSchema/properties/other/default"));
    mrtr_buf_free(&info.storage);
    OK(mrtr_error_free(err));

    field.kind = 7;
    STATUS(MRTR_BAD_ARGUMENT, mrtr_form_add(form, &field, NULL));
    field.kind = MRTR_FIELD_SELECT;
    field.required = 2;
    STATUS(MRTR_BAD_ARGUMENT, mrtr_form_add(form, &field, NULL));
}

int main(void) {
    mrtr_form form;
    mrtr_buf schema;
    mrtr_answer answer;
    mrtr_server server = new_server(MRTR_GATE_REFUSE, 0);
    mrtr_exchange x = begin(server, "{\"name\":\"t\",\"inputResponses\":{\"k\":{\"action\":\"accept\",\"content\":{\"seats\":2}}}}", "{\"elicitation\":{}}");

    OK(mrtr_form_new(&form, NULL));
    fields(form);
    OK(mrtr_form_schema(form, &schema, NULL));
    CHECK(same(view(&schema), "{\"type\":\"object\",\"properties\":{\"seats\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":9},"
                              "\"seat\":{\"type\":\"string\",\"oneOf\":[{\"const\":\"window\",\"title\":\"By the window\"},"
                              "{\"const\":\"aisle\",\"title\":\"aisle\"}],\"default\":\"aisle\"}},\"required\":[\"seats\"]}"));
    MRTR_SIZE(&answer);
    OK(mrtr_exchange_ask_form(x, mrtr_str("k"), mrtr_str("Which seats?"), view(&schema), &answer, NULL));
    CHECK(answer.status == MRTR_ANSWER_ACCEPTED && same(answer.content, "{\"seats\":2,\"seat\":\"aisle\"}"));
    mrtr_buf_free(&answer.storage);
    mrtr_buf_free(&schema);
    OK(mrtr_form_free(form));
    STATUS(MRTR_STALE_HANDLE, mrtr_form_free(form));
    OK(mrtr_exchange_free(x));
    OK(mrtr_server_free(server));
    return finish("form");
}
