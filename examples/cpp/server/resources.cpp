// Resources: fixed ones, a family of them, and one that asks who is reading.
#include "registry.hpp"
#include "samples.hpp"

namespace {

std::string contents(Json one) {
    return complete({{"contents", Json::array({std::move(one)})}, {"ttlMs", 60000}, {"cacheScope", "public"}});
}

std::string static_text(Call &call) {
    return contents({{"uri", call.target},
                     {"mimeType", "text/plain"},
                     {"text", "This is the content of the static text resource."}});
}

std::string static_binary(Call &call) {
    return contents({{"uri", call.target}, {"mimeType", "image/png"}, {"blob", samples::red_pixel_png}});
}

// What was asked of the reader makes the text theirs alone, and not for a cache.
std::string entry_rules(Call &call) {
    static constexpr const char *form =
        R"({"type":"object","properties":{"passport":{"type":"string","title":"Passport issued by",)"
        R"("oneOf":[{"const":"eu","title":"A country of the EU"},{"const":"other","title":"Another country"}]}},)"
        R"("required":["passport"]})";
    const auto answer = call.exchange.ask_form("passport", "Which passport do you travel on?", form);
    std::string rules = "Nothing is known about your passport: ask at the border.";
    if (answer) {
        rules = parsed(answer.content()).at("passport") == "eu" ? "You need no visa." : "Bring a visa.";
    } else if (!answer.refused()) {
        return call.exchange.result();
    }
    const Json one = {{"uri", call.target}, {"mimeType", "text/plain"}, {"text", rules}};
    return complete({{"contents", Json::array({one})}, {"ttlMs", 0}, {"cacheScope", "private"}});
}

}  // namespace

void add_resources(Registry &registry) {
    registry.resources.push_back(
        {"test://static-text", "static-text", "A text that never changes", "text/plain", static_text});
    registry.resources.push_back(
        {"test://static-binary", "static-binary", "An image that never changes", "image/png", static_binary});
    registry.resources.push_back(
        {"trip://entry-rules", "entry-rules", "What a traveller needs at the border", "text/plain", entry_rules});

    Template data{"test://template/", "/data", "id", "data", "Data about one id", "application/json", {}};
    const auto id_of = [data](const std::string &uri) { return data.id(uri); };
    data.read = [id_of](Call &call) {
        const Json text = {{"id", id_of(call.target)}, {"data", "Data for id " + id_of(call.target)}};
        return contents({{"uri", call.target}, {"mimeType", "application/json"}, {"text", text.dump()}});
    };
    registry.templates.push_back(std::move(data));
}
