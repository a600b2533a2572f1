// Calls a tool of an MCP server and answers what it asks: on the terminal, or from a file.
//
//   client [--trace] [--answers FILE] [--leg-timeout MS] SERVER TOOL [ARGUMENTS as JSON]
//
// SERVER is a URL, or a command line that starts one. FILE is a JSON object: an ask's key to its content, or to "accept",
// "decline" or "cancel".
#include <fstream>
#include <iostream>

#include "session.hpp"

namespace {

using Json = nlohmann::json;

struct Options {
    bool trace = false;
    std::optional<std::uint64_t> leg_timeout_ms;
    std::string answers, server, tool, arguments = "{}";
};

std::optional<Options> read(int argc, char **argv) {
    Options options;
    std::vector<std::string> words;
    for (int at = 1; at < argc; ++at) {
        const std::string word = argv[at];
        if (word == "--trace")
            options.trace = true;
        else if (word == "--answers" && at + 1 < argc)
            options.answers = argv[++at];
        else if (word == "--leg-timeout" && at + 1 < argc)
            options.leg_timeout_ms = std::stoull(argv[++at]);
        else
            words.push_back(word);
    }
    if (words.size() < 2 || words.size() > 3) return std::nullopt;
    options.server = words[0];
    options.tool = words[1];
    if (words.size() == 3) options.arguments = words[2];
    return options;
}

/// A server's text without what could repaint the terminal.
std::string plain(std::string text) {
    for (char &c : text)
        if (static_cast<unsigned char>(c) < ' ' || c == 127) c = '?';
    return text;
}

void reply(const mrtr::Flow &flow, const mrtr::event::Ask &ask, const Json &answer) {
    if (answer == "decline") return flow.decline(ask.key);
    if (answer == "cancel") return flow.cancel_ask(ask.key);
    flow.answer(ask.key, answer == "accept" ? "{}" : answer.dump());
}

/// Answers from a file; what is not in it nobody was asked.
Handler from_file(const std::string &path) {
    std::ifstream file(path);
    return [answers = Json::parse(file)](const mrtr::Flow &flow, const mrtr::event::Ask &ask) {
        if (!answers.contains(ask.key)) return flow.unavailable(ask.key);
        std::cout << "   ? " << plain(ask.key) << ": " << plain(ask.message) << " " << plain(ask.url) << "\n   = " << answers[ask.key] << '\n';
        reply(flow, ask, answers[ask.key]);
    };
}

/// Shows the server's words as its words, and takes the content of a form as one line of JSON.
void on_terminal(const mrtr::Flow &flow, const mrtr::event::Ask &ask) {
    std::cout << "\nThe server asks: " << plain(ask.message) << '\n';
    if (ask.kind == mrtr::Kind::url)
        std::cout << "  open " << plain(ask.url) << " (host " << plain(ask.host_ascii) << ") yourself, then say accept; or decline, cancel: ";
    else
        std::cout << "  schema " << plain(ask.schema) << "\n  content as JSON, or decline, cancel: ";
    std::string line;
    if (!std::getline(std::cin, line)) return flow.unavailable(ask.key);
    const bool word = line == "accept" || line == "decline" || line == "cancel";
    const Json answer = word ? Json(line) : Json::parse(line, nullptr, false);
    if (answer.is_discarded() || (line == "accept" && ask.kind != mrtr::Kind::url)) return on_terminal(flow, ask);
    reply(flow, ask, answer);
}

}  // namespace

int main(int argc, char **argv) try {
    const auto options = read(argc, argv);
    if (!options) {
        std::cerr << "usage: client [--trace] [--answers FILE] [--leg-timeout MS] SERVER TOOL [ARGUMENTS]\n";
        return 2;
    }
    Trace trace;
    if (options->trace) trace = [](std::string_view direction, std::string_view text) { std::cout << direction << ' ' << text << '\n'; };
    const Handler handler = options->answers.empty() ? Handler(on_terminal) : from_file(options->answers);
    Session session(options->server, mrtr::need::form | mrtr::need::url, handler, R"({"name":"libmrtr-cpp-example","version":"0.1.0"})",
                    std::nullopt, trace, options->leg_timeout_ms);
    session.list_tools();
    for (const Json &block : Json::parse(session.call_tool(options->tool, options->arguments)).value("content", Json::array()))
        std::cout << plain(block.value("text", block.dump())) << '\n';
    return 0;
} catch (const mrtr::Error &e) {
    std::cerr << e.what() << '\n';
    if (e.rpc()) std::cerr << "the server said " << *e.rpc() << '\n';
    return 1;
} catch (const std::exception &e) {
    std::cerr << "client: " << e.what() << '\n';
    return 1;
}
