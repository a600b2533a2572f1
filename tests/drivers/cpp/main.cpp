#include <iostream>

#include "driver.hpp"

namespace {

Json observe(const Json &story) {
    if (story.value("era", "2026-07-28") != "2026-07-28" && story.at("kind") != "client") throw Unsupported("era");
    const std::string kind = story.at("kind");
    if (kind == "build") return observe_build(story);
    if (kind == "client") return observe_client(story);
    if (kind == "legacy") return observe_legacy(story);
    if (kind == "server") return observe_server(story);
    if (kind == "state") return observe_state(story);
    throw Unsupported("kind " + kind);
}

Json observation(const std::string &line) {
    Json seen;
    std::string name;
    try {
        const Json story = parse(line);
        name = text(story.at("name"));
        seen = observe(story);
    } catch (const Unsupported &e) {
        std::cerr << name << ": " << e.what() << "\n";
        seen = {{"unsupported", true}};
    } catch (const std::exception &e) {
        seen = {{"failed", e.what()}};
    }
    seen["name"] = name;
    return seen;
}

}  // namespace

int main() {
    std::ios::sync_with_stdio(false);
    for (std::string line; std::getline(std::cin, line);) std::cout << print(observation(line)) << std::endl;
    return 0;
}
