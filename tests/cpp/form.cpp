#include "common.hpp"

TEST(a_form_is_written_field_by_field) {
    mrtr::Form form{mrtr::Field::text("mail").title("E-mail").format("email").count(3, 40).required(),
                    mrtr::Field::integer("seats").minimum("1").maximum("9").fallback("2")};
    form.add(mrtr::Field::multi_select("bags").choice("cabin", "In the cabin").choice("hold").count(0, 2).fallback(
        std::vector<std::string_view>()));
    CHECK(form.schema() ==
          R"({"type":"object","properties":{"mail":{"type":"string","title":"E-mail","format":"email","minLength":3,)"
          R"("maxLength":40},"seats":{"type":"integer","minimum":1,"maximum":9,"default":2},)"
          R"("bags":{"type":"array","maxItems":2,"items":{"type":"string","anyOf":[)"
          R"({"const":"cabin","title":"In the cabin"},{"const":"hold","title":"hold"}]},"default":[]}},)"
          R"("required":["mail"]})");
    try {
        form.add(mrtr::Field::number("share").minimum("2").maximum("1"));
        check::fail("added");
    } catch (const mrtr::Error &e) {
        CHECK(e.code() == MRTR_BAD_SCHEMA && e.at() == "/requestedSchema/properties/share");
    }
}

TEST(a_form_can_be_asked) {
    const mrtr::Server server = mrtr::Server::unsealed();
    const mrtr::Exchange exchange =
        server.begin({"tools/call", R"({"name":"t","inputResponses":{"k":{"action":"accept","content":{}}}})",
                      mrtr::nobody, R"({"elicitation":{}})"});
    const mrtr::Form form{mrtr::Field::select("seat").choice("aisle").choice("window").fallback("aisle")};
    const auto answer = exchange.ask_form("k", "Where?", form);
    CHECK(answer && answer.content() == R"({"seat":"aisle"})");
}
