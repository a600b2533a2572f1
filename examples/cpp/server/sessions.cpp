#include "sessions.hpp"

#include <algorithm>
#include <random>
#include <thread>

#include "headers.hpp"
#include "json_text.hpp"
#include "lists.hpp"
#include "stream.hpp"

namespace {

using namespace std::chrono_literals;

constexpr const char *session_header = "Mcp-Session-Id";

std::string random_id() {
    std::random_device random;
    std::string id;
    for (int word = 0; word < 8; ++word) {
        for (std::uint32_t bits = random(), digit = 0; digit < 8; ++digit, bits >>= 4) id += "0123456789abcdef"[bits & 15];
    }
    return id;
}

bool same(const mrtr::Principal &a, const mrtr::Principal &b) {
    return a.is_nobody() == b.is_nobody() && a.parts() == b.parts();
}

// A request or notification to the client.
std::string message(std::optional<std::string> id, const std::string &method, const std::optional<std::string> &params) {
    std::string text = R"({"jsonrpc":"2.0")";
    if (id) text += ",\"id\":" + *id;
    text += ",\"method\":" + json_text::quote(method);
    if (params) text += ",\"params\":" + *params;
    return text + "}";
}

// One call of an older client: what the library says is done, until it says that the call is over.
class Conversation {
public:
    Conversation(Service &service, std::shared_ptr<Session> session, std::string body)
        : service_(service), session_(std::move(session)), body_(std::move(body)), message_(rpc::read(body_)),
          call_(service_.begin(message_, session_->principal(), session_->peer())),
          inbox_(session_->begin(*message_.id)) {}
    ~Conversation() { session_->end(*message_.id); }
    Conversation(const Conversation &) = delete;
    Conversation &operator=(const Conversation &) = delete;

    void hold(httplib::DataSink &sink) {
        using Type = mrtr::LegacyStep::Type;
        for (;;) {
            const mrtr::LegacyStep step = call_.next();
            switch (step.type) {
                case Type::run: run(sink); break;
                case Type::send:
                    stream::send(sink, message(session_->expect(inbox_, step.ask), step.method, step.params));
                    break;
                case Type::cancel: cancel(sink, step.ask); break;
                case Type::sleep: std::this_thread::sleep_for(20ms); break;
                case Type::idle: wait(sink); break;
                case Type::done: return end(sink, step);
            }
        }
    }

private:
    void run(httplib::DataSink &sink) {
        const Notify notify = [&sink](std::string_view method, const Json &params) {
            stream::send(sink, rpc::notification(method, params.dump()));
        };
        try {
            call_.handled(service_.serve(message_, call_, notify));
        } catch (const std::exception &e) {
            call_.failed(rpc::tell(e).error_object);
        }
    }

    void cancel(httplib::DataSink &sink, std::uint32_t ask) {
        const auto id = session_->forget(inbox_, ask);
        if (id) stream::send(sink, message({}, "notifications/cancelled", "{\"requestId\":" + *id + "}"));
    }

    void wait(httplib::DataSink &sink) {
        if (!sink.is_writable()) return call_.cancel();
        const auto delivery = inbox_->take(500ms);
        if (!delivery) return;
        if (delivery->ask == 0) return call_.cancel();
        if (delivery->result) return call_.deliver(delivery->ask, *delivery->result);
        call_.deliver_error(delivery->ask);
    }

    void end(httplib::DataSink &sink, const mrtr::LegacyStep &step) {
        if (step.result) stream::send(sink, rpc::response(*message_.id, *step.result));
        if (step.rpc) stream::send(sink, rpc::error(*message_.id, *step.rpc));
        sink.done();
    }

    Service &service_;
    std::shared_ptr<Session> session_;
    std::string body_;
    rpc::Message message_;
    mrtr::Legacy call_;
    std::shared_ptr<Inbox> inbox_;
};

void answer(httplib::Response &response, const std::string &body) { response.set_content(body, "application/json"); }

}  // namespace

void Inbox::put(Delivery delivery) {
    {
        const std::lock_guard lock(mutex_);
        deliveries_.push_back(std::move(delivery));
    }
    filled_.notify_one();
}

std::optional<Delivery> Inbox::take(std::chrono::milliseconds wait) {
    std::unique_lock lock(mutex_);
    if (!filled_.wait_for(lock, wait, [this] { return !deliveries_.empty(); })) return std::nullopt;
    Delivery first = std::move(deliveries_.front());
    deliveries_.pop_front();
    return first;
}

Session::Session(std::string id, std::string version, std::string capabilities, mrtr::Principal principal)
    : id_(std::move(id)), version_(std::move(version)), capabilities_(std::move(capabilities)),
      principal_(std::move(principal)) {}

std::shared_ptr<Inbox> Session::begin(std::string_view id) {
    const std::lock_guard lock(mutex_);
    const auto [place, fresh] = calls_.emplace(id, std::make_shared<Inbox>());
    if (!fresh) throw rpc::Failure(rpc::invalid_request, "This id is in use", {}, 400);
    return place->second;
}

void Session::end(std::string_view id) {
    const std::lock_guard lock(mutex_);
    const auto call = calls_.find(id);
    if (call == calls_.end()) return;
    for (auto next = expected_.begin(); next != expected_.end();) {
        next = next->second.inbox == call->second ? expected_.erase(next) : std::next(next);
    }
    calls_.erase(call);
}

std::string Session::expect(const std::shared_ptr<Inbox> &inbox, std::uint32_t ask) {
    const std::lock_guard lock(mutex_);
    const std::string id = "\"ask-" + std::to_string(++last_) + "\"";
    expected_[id] = {inbox, ask};
    return id;
}

std::optional<std::string> Session::forget(const std::shared_ptr<Inbox> &inbox, std::uint32_t ask) {
    const std::lock_guard lock(mutex_);
    const auto found = std::find_if(expected_.begin(), expected_.end(), [&](const auto &one) {
        return one.second.inbox == inbox && one.second.ask == ask;
    });
    if (found == expected_.end()) return std::nullopt;
    const std::string id = found->first;
    expected_.erase(found);
    return id;
}

void Session::respond(std::string_view id, std::optional<std::string_view> result) {
    const std::lock_guard lock(mutex_);
    const auto found = expected_.find(id);
    if (found == expected_.end()) return;
    found->second.inbox->put({found->second.ask, result ? std::optional<std::string>(*result) : std::nullopt});
    expected_.erase(found);
}

void Session::cancel(std::string_view request_id) {
    const std::lock_guard lock(mutex_);
    const auto found = calls_.find(request_id);
    if (found != calls_.end()) found->second->put({});
}

bool Sessions::takes(const httplib::Request &request) const {
    if (request.has_header(session_header)) return true;
    // This era knows no `initialize`: who says that it speaks it is told so.
    if (headers::get(request, "MCP-Protocol-Version") == "2026-07-28") return false;
    try {
        const auto method = mrtr::json_member(request.body, "method");
        return method && *method == "\"initialize\"";
    } catch (const mrtr::Error &) {
        return false;  // the check of this era says what is wrong
    }
}

void Sessions::serve(const httplib::Request &request, const mrtr::Principal &principal, httplib::Response &response) {
    // Opened first: an `initialize` names no session yet.
    if (!request.has_header(session_header)) return open(rpc::read(request.body), principal, response);
    const auto session = find(request, principal);
    response.status = 202;
    if (!mrtr::json_member(request.body, "method")) {
        const auto id = mrtr::json_member(request.body, "id");
        return session->respond(id.value_or("null"), mrtr::json_member(request.body, "result"));
    }
    const rpc::Message message = rpc::read(request.body);
    if (!message.id) {
        const auto gone = mrtr::json_member(message.params.value_or("{}"), "requestId");
        if (message.method == "notifications/cancelled" && gone) session->cancel(*gone);
        return;
    }
    response.status = 200;
    if (message.method == "ping") return answer(response, rpc::response(*message.id, "{}"));
    call(session, request.body, response);
}

bool Sessions::close(const httplib::Request &request, const mrtr::Principal &principal, httplib::Response &response) {
    if (!request.has_header(session_header)) return false;
    try {
        const auto session = find(request, principal);
        const std::lock_guard lock(mutex_);
        sessions_.erase(std::remove(sessions_.begin(), sessions_.end(), session), sessions_.end());
        response.status = 204;
    } catch (const rpc::Failure &e) {
        response.status = e.http_status();
        answer(response, rpc::error("null", e.json()));
    }
    return true;
}

std::shared_ptr<Session> Sessions::find(const httplib::Request &request, const mrtr::Principal &principal) {
    const std::string id = request.get_header_value(session_header);
    const std::lock_guard lock(mutex_);
    for (const auto &session : sessions_) {
        if (session->id() == id && same(session->principal(), principal)) return session;
    }
    throw rpc::Failure(rpc::invalid_request, "There is no such session", {}, 404);
}

void Sessions::open(const rpc::Message &message, const mrtr::Principal &principal, httplib::Response &response) {
    if (!message.id) throw rpc::Failure(rpc::invalid_request, "initialize is a request", {}, 400);
    const std::string_view params = message.params.value_or("{}");
    const auto wanted = mrtr::json_member(params, "protocolVersion");
    const std::string version = wanted == "\"2025-06-18\"" ? "2025-06-18" : "2025-11-25";
    const std::string capabilities(mrtr::json_member(params, "capabilities").value_or("{}"));
    const auto session = std::make_shared<Session>(random_id(), version, capabilities, principal);
    {
        const std::lock_guard lock(mutex_);
        if (sessions_.size() == most) sessions_.pop_front();
        sessions_.push_back(session);
    }
    response.set_header(session_header, session->id());
    std::string result = "{\"protocolVersion\":\"" + version + "\",\"capabilities\":" + lists::capabilities;
    result += ",\"serverInfo\":" + lists::server_info() + ",\"instructions\":" + json_text::quote(lists::instructions) + "}";
    answer(response, rpc::response(*message.id, result));
}

void Sessions::call(std::shared_ptr<Session> session, std::string body, httplib::Response &response) {
    const auto conversation = std::make_shared<Conversation>(service_, std::move(session), std::move(body));
    response.set_header("Cache-Control", "no-store");
    response.set_chunked_content_provider(stream::stream_type, [conversation](std::size_t, httplib::DataSink &sink) {
        conversation->hold(sink);
        return true;
    });
}
