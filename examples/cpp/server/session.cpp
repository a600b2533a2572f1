#include "session.hpp"

#include <algorithm>
#include <thread>

#include "json_text.hpp"
#include "lists.hpp"

namespace {

using namespace std::chrono_literals;

// A request or notification to the client.
std::string message(std::optional<std::string> id, const std::string &method, const std::optional<std::string> &params) {
    std::string text = R"({"jsonrpc":"2.0")";
    if (id) text += ",\"id\":" + *id;
    text += ",\"method\":" + json_text::quote(method);
    if (params) text += ",\"params\":" + *params;
    return text + "}";
}

std::string_view member(const rpc::Message &message, std::string_view name, std::string_view otherwise) {
    return mrtr::json_member(message.params.value_or("{}"), name).value_or(otherwise);
}

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

Session::Session(std::string id, const rpc::Message &initialize, mrtr::Principal principal)
    : id_(std::move(id)),
      version_(member(initialize, "protocolVersion", "") == "\"2025-06-18\"" ? "2025-06-18" : "2025-11-25"),
      capabilities_(member(initialize, "capabilities", "{}")),
      principal_(std::move(principal)) {}

std::string Session::welcome() const {
    const std::string start = "{\"protocolVersion\":\"" + version_ + "\",\"capabilities\":" + lists::capabilities;
    return start + ",\"serverInfo\":" + lists::server_info() + ",\"instructions\":" + json_text::quote(lists::instructions) + "}";
}

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

void Session::respond(std::string_view response) {
    const auto result = mrtr::json_member(response, "result");
    const std::lock_guard lock(mutex_);
    const auto found = expected_.find(mrtr::json_member(response, "id").value_or("null"));
    if (found == expected_.end()) return;
    found->second.inbox->put({found->second.ask, result ? std::optional<std::string>(*result) : std::nullopt});
    expected_.erase(found);
}

void Session::notified(const rpc::Message &notification) {
    if (notification.method != "notifications/cancelled") return;
    const std::lock_guard lock(mutex_);
    const auto found = calls_.find(member(notification, "requestId", ""));
    if (found != calls_.end()) found->second->put({});
}

Conversation::Conversation(Service &service, std::shared_ptr<Session> session, std::string body)
    : service_(service), session_(std::move(session)), body_(std::move(body)), message_(rpc::read(body_)),
      call_(service_.begin(message_, session_->principal(), session_->peer())), inbox_(session_->begin(*message_.id)) {}

Conversation::~Conversation() { session_->end(*message_.id); }

void Conversation::hold(const Channel &channel) {
    using Type = mrtr::LegacyStep::Type;
    for (;;) {
        const mrtr::LegacyStep step = call_.next();
        switch (step.type) {
            case Type::run: run(channel); break;
            case Type::send: channel.send(message(session_->expect(inbox_, step.ask), step.method, step.params)); break;
            case Type::cancel: cancel(channel, step.ask); break;
            case Type::sleep: std::this_thread::sleep_for(20ms); break;
            case Type::idle: wait(channel); break;
            case Type::done: return end(channel, step);
        }
    }
}

void Conversation::run(const Channel &channel) {
    const Notify notify = [&channel](std::string_view method, const Json &params) {
        channel.send(rpc::notification(method, params.dump()));
    };
    try {
        call_.handled(service_.serve(message_, call_, notify));
    } catch (const std::exception &e) {
        call_.failed(rpc::tell(e).error_object);
    }
}

void Conversation::cancel(const Channel &channel, std::uint32_t ask) {
    const auto id = session_->forget(inbox_, ask);
    if (id) channel.send(message({}, "notifications/cancelled", "{\"requestId\":" + *id + "}"));
}

void Conversation::wait(const Channel &channel) {
    if (!channel.open()) return call_.cancel();
    const auto delivery = inbox_->take(500ms);
    if (!delivery) return;
    if (delivery->ask == 0) return call_.cancel();
    if (delivery->result) return call_.deliver(delivery->ask, *delivery->result);
    call_.deliver_error(delivery->ask);
}

void Conversation::end(const Channel &channel, const mrtr::LegacyStep &step) {
    if (step.result) channel.send(rpc::response(*message_.id, *step.result));
    if (step.rpc) channel.send(rpc::error(*message_.id, *step.rpc));
}
