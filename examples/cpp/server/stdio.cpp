#include "stdio.hpp"

#include <algorithm>
#include <atomic>
#include <future>
#include <iostream>

#include "json_text.hpp"
#include "session.hpp"

namespace {

constexpr std::size_t max_message = 4 * 1024 * 1024;
constexpr std::size_t max_calls = 32;

// One byte more than a message may have, of a line that is longer; none at the end of the input.
std::optional<std::string> read_line() {
    std::string line;
    std::streambuf &input = *std::cin.rdbuf();
    for (int c = input.sbumpc();; c = input.sbumpc()) {
        if (c == std::char_traits<char>::eof()) return line.empty() ? std::nullopt : std::optional(line);
        if (c == '\n') return line;
        if (line.size() <= max_message) line += static_cast<char>(c);
    }
}

// A request of 2026-07-28 says so in its `_meta`; an older client says it once, with `initialize`.
bool is_of_this_era(const rpc::Message &message) {
    const auto meta = mrtr::json_member(message.params.value_or("{}"), "_meta");
    return meta && json_text::is_object(*meta) && mrtr::json_member(*meta, "io.modelcontextprotocol/protocolVersion");
}

class Stdio {
public:
    explicit Stdio(Service &service) : service_(service) {}

    void run() {
        while (const auto line = read_line()) take(*line);
        open_ = false;
        calls_.clear();  // a call's future waits for it
    }

private:
    void take(const std::string &body) try {
        if (body.size() > max_message) throw rpc::Failure(rpc::invalid_request, "The message is too long");
        if (rpc::is_response(body)) {
            if (session_) session_->respond(body);
            return;
        }
        const rpc::Message message = rpc::read(body);
        if (!message.id) return notified(message);
        const bool this_era = is_of_this_era(message);
        if (message.method == "initialize" && !this_era) return begin_session(message);
        begin_call(body, this_era ? nullptr : session_);
    } catch (const std::exception &e) {
        refuse(body, e);
    }

    void notified(const rpc::Message &message) {
        if (session_) session_->notified(message);
        if (message.method != "notifications/cancelled") return;
        const auto id = mrtr::json_member(message.params.value_or("{}"), "requestId");
        const std::lock_guard lock(mutex_);
        if (id) listening_.erase(std::string(*id));
    }

    void begin_session(const rpc::Message &message) {
        if (session_) throw rpc::Failure(rpc::invalid_request, "There is a session already");
        session_ = std::make_shared<Session>("stdio", message, mrtr::nobody);
        send(rpc::response(*message.id, session_->welcome()));
    }

    // On a thread of its own: an older client's call waits for messages that are read here.
    void begin_call(const std::string &body, const std::shared_ptr<Session> &session) {
        const auto over = [](const std::future<void> &call) { return call.wait_for(std::chrono::seconds(0)) == std::future_status::ready; };
        calls_.erase(std::remove_if(calls_.begin(), calls_.end(), over), calls_.end());
        if (calls_.size() == max_calls) throw rpc::Failure(rpc::internal_error, "Too many calls at once");
        calls_.push_back(std::async(std::launch::async, [this, body, session] { call(body, session); }));
    }

    void call(const std::string &body, const std::shared_ptr<Session> &session) try {
        const rpc::Message message = rpc::read(body);
        if (session && message.method == "ping") return send(rpc::response(*message.id, "{}"));
        if (session) return Conversation(service_, session, body).hold(channel_);
        mrtr::check_request(message.method, message.params, std::nullopt, {"2026-07-28"}, methods());
        if (message.method == "subscriptions/listen") return listen(message);
        const Notify notify = [this](std::string_view method, const Json &params) {
            send(rpc::notification(method, params.dump()));
        };
        send(rpc::response(*message.id, service_.serve(message, mrtr::nobody, notify)));
    } catch (const std::exception &e) {
        refuse(body, e);
    }

    // Until the client cancels it, or the server ends.
    void listen(const rpc::Message &message) {
        const std::string id(*message.id);
        const auto stream = service_.subscriptions().open(message);
        {
            const std::lock_guard lock(mutex_);
            listening_.insert(id);
        }
        send(stream->acknowledgement());
        while (open_ && listens(id)) {
            if (const auto news = stream->next()) send(*news);
        }
        if (listens(id)) send(stream->farewell());
    }

    bool listens(const std::string &id) {
        const std::lock_guard lock(mutex_);
        return listening_.count(id) != 0;
    }

    void refuse(const std::string &body, const std::exception &e) {
        send(rpc::error(rpc::id_of(body), rpc::tell(e).error_object));
    }

    void send(const std::string &message) {
        const std::lock_guard lock(output_);
        std::cout << message << std::endl;
    }

    Service &service_;
    const Channel channel_{[this](const std::string &message) { send(message); }, [this] { return open_.load(); }};
    std::mutex output_, mutex_;
    std::atomic<bool> open_{true};
    std::shared_ptr<Session> session_;      ///< of the reading thread
    std::set<std::string> listening_;       ///< raw ids of `subscriptions/listen`
    std::vector<std::future<void>> calls_;  ///< last: what they use outlives them
};

}  // namespace

void serve_stdio(Service &service) { Stdio(service).run(); }
