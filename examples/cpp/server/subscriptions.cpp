#include "subscriptions.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

#include "rpc.hpp"

namespace {

using Json = nlohmann::ordered_json;

constexpr const char *supported[] = {"toolsListChanged", "promptsListChanged"};

std::string tagged(const std::string &id, Json params) {
    params["_meta"] = {{"io.modelcontextprotocol/subscriptionId", Json::parse(id)}};
    return params.dump();
}

}  // namespace

std::string Subscription::acknowledgement() const {
    Json granted = Json::object();
    for (const std::string &kind : kinds_) granted[kind] = true;
    return rpc::notification("notifications/subscriptions/acknowledged", tagged(id_, {{"notifications", granted}}));
}

std::string Subscription::farewell() const {
    return rpc::response(id_, tagged(id_, {{"resultType", "complete"}}));
}

std::optional<std::string> Subscription::next() {
    std::unique_lock lock(mutex_);
    arrived_.wait_for(lock, std::chrono::milliseconds(200), [&] { return closed_ || !waiting_.empty(); });
    if (waiting_.empty()) return std::nullopt;
    std::string message = std::move(waiting_.front());
    waiting_.pop_front();
    return message;
}

bool Subscription::closed() {
    const std::lock_guard lock(mutex_);
    return closed_;
}

void Subscription::close() {
    {
        const std::lock_guard lock(mutex_);
        closed_ = true;
    }
    arrived_.notify_all();
}

void Subscription::offer(const std::string &kind, const std::string &method) {
    if (kinds_.count(kind) == 0) return;
    std::string message = rpc::notification(method, tagged(id_, Json::object()));
    {
        const std::lock_guard lock(mutex_);
        // "The list has changed" said twice says no more than once: a slow reader costs one message.
        if (std::find(waiting_.begin(), waiting_.end(), message) == waiting_.end()) {
            waiting_.push_back(std::move(message));
        }
    }
    arrived_.notify_one();
}

std::shared_ptr<Subscription> Subscriptions::open(const rpc::Message &message) {
    const auto wanted = mrtr::json_member(message.params.value_or("{}"), "notifications");
    const Json notifications = wanted ? Json::parse(*wanted, nullptr, false) : Json();
    if (!notifications.is_object()) {
        throw rpc::Failure(rpc::invalid_params, "params.notifications is not an object", {}, 400);
    }
    std::set<std::string> kinds;
    for (const char *kind : supported) {
        if (notifications.value(kind, Json(false)) == Json(true)) kinds.insert(kind);
    }
    auto stream = std::make_shared<Subscription>(std::string(*message.id), std::move(kinds));
    const std::lock_guard lock(mutex_);
    const auto gone = [](const std::weak_ptr<Subscription> &one) { return one.expired(); };
    open_.erase(std::remove_if(open_.begin(), open_.end(), gone), open_.end());
    if (open_.size() >= max_streams) throw rpc::Failure(rpc::internal_error, "Too many open streams", {}, 503);
    open_.push_back(stream);
    return stream;
}

void Subscriptions::publish(const std::string &kind, const std::string &method) {
    for (const auto &stream : alive()) stream->offer(kind, method);
}

void Subscriptions::close() {
    for (const auto &stream : alive()) stream->close();
    for (int i = 0; i < 100 && !alive().empty(); ++i) std::this_thread::sleep_for(std::chrono::milliseconds(10));
}

std::vector<std::shared_ptr<Subscription>> Subscriptions::alive() {
    const std::lock_guard lock(mutex_);
    std::vector<std::shared_ptr<Subscription>> streams;
    for (const auto &one : open_) {
        if (auto stream = one.lock()) streams.push_back(std::move(stream));
    }
    return streams;
}
