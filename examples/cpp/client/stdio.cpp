// A server as a child: a message is a line of its input or output.
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <sstream>

#include "transport.hpp"

extern char **environ;

namespace {

class Stdio : public Transport {
public:
    explicit Stdio(const std::string &command) {
        std::istringstream in(command);
        for (std::string word; in >> word;) words_.push_back(word);
        std::vector<char *> arguments;
        for (std::string &word : words_) arguments.push_back(word.data());
        arguments.push_back(nullptr);
        int input[2], output[2];
        if (words_.empty() || pipe(input) != 0 || pipe(output) != 0) throw Broken("no pipes for " + command);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, input[0], 0);
        posix_spawn_file_actions_adddup2(&actions, output[1], 1);
        for (const int end : {input[0], input[1], output[0], output[1]}) posix_spawn_file_actions_addclose(&actions, end);
        const int failed = posix_spawnp(&child_, arguments[0], &actions, nullptr, arguments.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        close(input[0]);
        close(output[1]);
        to_ = input[1];
        from_ = output[0];
        std::signal(SIGPIPE, SIG_IGN);
        if (failed != 0) throw Broken("cannot start " + words_.front());
    }

    ~Stdio() override {
        close(to_);  // the end of its input tells the child to end
        close(from_);
        waitpid(child_, nullptr, 0);
    }
    Stdio(const Stdio &) = delete;
    Stdio &operator=(const Stdio &) = delete;

    std::string send(const Request &request, const Notify &notify) override {
        const std::string id = std::to_string(request.id);
        write_line(request.body);
        try {
            return response(id, request.until_ms, notify);
        } catch (const Late &) {
            write_line(R"({"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":)" + id + "}}");
            throw;
        }
    }

private:
    std::string response(const std::string &id, std::uint64_t until_ms, const Notify &notify) {
        for (;;) {
            const std::string message = read_line(until_ms);
            if (mrtr::json_member(message, "method"))
                until_ms = notify(message);
            else if (mrtr::json_member(message, "id") == id)
                return message;  // what answers an earlier request comes too late
        }
    }

    void write_line(const std::string &message) {
        const std::string line = message + "\n";
        for (std::size_t at = 0; at < line.size();) {
            const ssize_t wrote = write(to_, line.data() + at, line.size() - at);
            if (wrote <= 0) throw Broken("the server does not read");
            at += static_cast<std::size_t>(wrote);
        }
    }

    std::string read_line(std::uint64_t until_ms) {
        for (;;) {
            const int left = left_ms(until_ms);
            if (left == 0) throw Late();
            const std::size_t end = read_.find('\n');
            if (end != read_.npos) {
                const std::string line = read_.substr(0, end);
                read_.erase(0, end + 1);
                return line;
            }
            pollfd wait{from_, POLLIN, 0};
            if (poll(&wait, 1, left) <= 0) continue;
            char buffer[4096];
            const ssize_t got = ::read(from_, buffer, sizeof buffer);
            if (got <= 0) throw Broken("the server ended");
            read_.append(buffer, static_cast<std::size_t>(got));
        }
    }

    std::vector<std::string> words_;
    pid_t child_ = 0;
    int to_ = -1, from_ = -1;
    std::string read_;
};

}  // namespace

std::unique_ptr<Transport> start(const std::string &command) { return std::make_unique<Stdio>(command); }
