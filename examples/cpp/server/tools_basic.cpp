// Tools that answer at once: the ones the official conformance suite calls.
#include <chrono>
#include <thread>

#include "registry.hpp"
#include "samples.hpp"
#include "subscriptions.hpp"

namespace {

constexpr const char *no_arguments = R"({"type":"object","properties":{},"additionalProperties":false})";

Json text(std::string_view content) { return {{"type", "text"}, {"text", content}}; }
Json image() { return {{"type", "image"}, {"data", samples::red_pixel_png}, {"mimeType", "image/png"}}; }
Json resource(std::string_view uri, std::string_view mime_type, std::string_view content) {
    return {{"type", "resource"}, {"resource", {{"uri", uri}, {"mimeType", mime_type}, {"text", content}}}};
}
std::string contents(std::initializer_list<Json> blocks) { return complete({{"content", Json::array_t(blocks)}}); }

std::string simple_text(Call &) { return text_result("This is a simple text response for testing."); }
std::string image_content(Call &) { return contents({image()}); }

std::string audio_content(Call &) {
    return contents({{{"type", "audio"}, {"data", samples::silence_wav}, {"mimeType", "audio/wav"}}});
}

std::string embedded_resource(Call &) {
    return contents({resource("test://embedded-resource", "text/plain", "This is an embedded resource content.")});
}

std::string multiple_content_types(Call &) {
    return contents({text("Multiple content types test:"), image(),
                     resource("test://mixed-content-resource", "application/json", R"({"test":"data","value":123})")});
}

std::string error_handling(Call &) { return tool_error("This tool intentionally returns an error for testing"); }

std::string with_progress(Call &call) {
    for (int done = 0; done <= 100; done += 50) {
        if (done > 0) std::this_thread::sleep_for(std::chrono::milliseconds(50));
        if (!call.progress_token) continue;
        call.notify("notifications/progress",
                    {{"progressToken", *call.progress_token}, {"progress", done}, {"total", 100}});
    }
    return text_result("The work is done.");
}

// Logging to clients is gone from this era unless a request asks for it; this server never does it.
std::string logging_tool(Call &) { return text_result("Nothing was logged to the client."); }

std::string trigger_tool_change(Call &call) {
    call.subscriptions.tools_changed();
    return text_result("Told the subscribers that the tools changed.");
}

std::string trigger_prompt_change(Call &call) {
    call.subscriptions.prompts_changed();
    return text_result("Told the subscribers that the prompts changed.");
}

std::string weather(Call &call) {
    const Json city = call.arguments.value("city", Json());
    if (!city.is_string()) return tool_error("Say which city: the argument `city` is a string.");
    return text_result("Fair weather in " + city.get<std::string>() + ".");
}

}  // namespace

void add_basic_tools(Registry &registry) {
    const auto add = [&](const char *name, const char *description, Handler run) {
        registry.tools.push_back({name, description, no_arguments, std::move(run)});
    };
    add("test_simple_text", "Returns one text", simple_text);
    add("test_image_content", "Returns an image of one pixel", image_content);
    add("test_audio_content", "Returns a moment of silence", audio_content);
    add("test_embedded_resource", "Returns an embedded resource", embedded_resource);
    add("test_multiple_content_types", "Returns a text, an image and a resource", multiple_content_types);
    add("test_error_handling", "Always fails", error_handling);
    add("test_tool_with_progress", "Reports its progress while it works", with_progress);
    registry.tools.back().streams = true;
    add("test_logging_tool", "Does something that could be logged", logging_tool);
    add("test_trigger_tool_change", "Tells subscribers that the tool list changed", trigger_tool_change);
    add("test_trigger_prompt_change", "Tells subscribers that the prompt list changed", trigger_prompt_change);
    registry.tools.push_back({"weather", "The weather in a city, as a gateway may route it by header",
                              R"({"type":"object","properties":{"city":{"type":"string","x-mcp-header":"City"}},)"
                              R"("required":["city"]})",
                              weather});
}
