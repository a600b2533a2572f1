// Prompts that need no input from the user.
#include "registry.hpp"
#include "samples.hpp"

namespace {

Json user(Json content) { return {{"role", "user"}, {"content", std::move(content)}}; }
Json text(std::string_view content) { return {{"type", "text"}, {"text", content}}; }
std::string messages(std::initializer_list<Json> list) { return complete({{"messages", Json::array_t(list)}}); }

std::string argument(const Call &call, const char *name) {
    const Json value = call.arguments.value(name, Json());
    return value.is_string() ? value.get<std::string>() : std::string();
}

std::string simple(Call &) { return messages({user(text("This is a simple prompt for testing."))}); }

std::string with_arguments(Call &call) {
    return messages({user(text("Prompt with arguments: arg1='" + argument(call, "arg1") + "', arg2='" +
                               argument(call, "arg2") + "'"))});
}

std::string with_embedded_resource(Call &call) {
    const Json resource = {{"uri", argument(call, "resourceUri")},
                           {"mimeType", "text/plain"},
                           {"text", "Embedded resource content for testing."}};
    return messages({user({{"type", "resource"}, {"resource", resource}}),
                     user(text("Please process the embedded resource above."))});
}

std::string with_image(Call &) {
    const Json image = {{"type", "image"}, {"data", samples::red_pixel_png}, {"mimeType", "image/png"}};
    return messages({user(image), user(text("Please analyze the image above."))});
}

Json takes(std::initializer_list<std::pair<const char *, const char *>> arguments) {
    Json list = Json::array();
    for (const auto &[name, description] : arguments) {
        list.push_back({{"name", name}, {"description", description}, {"required", true}});
    }
    return list;
}

}  // namespace

void add_prompts(Registry &registry) {
    registry.prompts.push_back({"test_simple_prompt", "A fixed text", takes({}), simple});
    registry.prompts.push_back({"test_prompt_with_arguments", "A text with two arguments in it",
                                takes({{"arg1", "First argument"}, {"arg2", "Second argument"}}), with_arguments});
    registry.prompts.push_back({"test_prompt_with_embedded_resource", "A text with a resource in it",
                                takes({{"resourceUri", "URI of the resource"}}), with_embedded_resource});
    registry.prompts.push_back({"test_prompt_with_image", "A text with an image", takes({}), with_image});
}
