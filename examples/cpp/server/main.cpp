// An MCP server of 2026-07-28 that asks its users for what it is missing.
//
//   server [--port N]        over HTTP; N = 0, the default, takes a free port
//   server --stdio           over standard input and output, as the child of one client
//
// Over HTTP it prints its URL when it listens, and ends on SIGTERM or SIGINT; over stdio it ends with its input. The states that it hands out are sealed with the
// secret in MRTR_KEY, at least 32 bytes of text that all processes of a fleet share; without one it makes a secret of
// its own, and states die with the process. MRTR_SINGLE_USE=1 takes each state once, as far as this process remembers.
#include <csignal>
#include <cstdlib>
#include <iostream>
#include <thread>

#include "stdio.hpp"
#include "wire.hpp"

namespace {

int usage(const std::string &why) {
    std::cerr << "server: " << why << "\nusage: server [--port N | --stdio]\n";
    return 2;
}

std::optional<int> port_of(int argc, char **argv) {
    if (argc == 1) return 0;
    if (argc != 3 || std::string_view(argv[1]) != "--port") return std::nullopt;
    const std::string_view text = argv[2];
    if (text.empty() || text.size() > 5 || text.find_first_not_of("0123456789") != text.npos) return std::nullopt;
    const int port = std::atoi(argv[2]);
    return port <= 65535 ? std::optional<int>(port) : std::nullopt;
}

mrtr::Sealer make_sealer() {
    mrtr::SealerOptions options;
    const char *once = std::getenv("MRTR_SINGLE_USE");
    options.single_use = once != nullptr && std::string_view(once) == "1";
    const char *key = std::getenv("MRTR_KEY");
    if (key != nullptr) {
        options.keys = {std::string_view(key)};
    } else {
        std::cerr << "server: no MRTR_KEY: states will not outlive this process" << std::endl;
        options.ephemeral = 1;
    }
    return mrtr::Sealer(options);
}

// Blocked in every thread, so that main() can wait for them in peace.
sigset_t stop_signals() {
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    pthread_sigmask(SIG_BLOCK, &signals, nullptr);
    return signals;
}

int run_stdio() {
    std::signal(SIGPIPE, SIG_IGN);  // a client that reads no more ends its output too
    Service service(make_sealer());
    serve_stdio(service);
    return 0;
}

int run_http(int port) {
    const sigset_t signals = stop_signals();
    Service service(make_sealer());
    httplib::Server http;
    serve_http(http, service);
    if (port == 0) {
        port = http.bind_to_any_port("127.0.0.1");
    } else if (!http.bind_to_port("127.0.0.1", port)) {
        port = -1;
    }
    if (port <= 0) return usage("the port is taken");

    std::thread listener([&http] { http.listen_after_bind(); });
    std::cout << "http://localhost:" << port << "/mcp" << std::endl;
    int signal = 0;
    sigwait(&signals, &signal);
    service.subscriptions().close();
    http.stop();
    listener.join();
    return 0;
}

}  // namespace

int main(int argc, char **argv) {
    const bool stdio = argc == 2 && std::string_view(argv[1]) == "--stdio";
    const auto port = port_of(argc, argv);
    if (!stdio && !port) return usage("expected --stdio, or a port number from 0 to 65535");
    try {
        return stdio ? run_stdio() : run_http(*port);
    } catch (const std::exception &e) {
        std::cerr << "server: " << e.what() << std::endl;
        return 1;
    }
}
