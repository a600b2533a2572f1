// Long-lived streams that tell clients when a list has changed (`subscriptions/listen`).
#pragma once

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "rpc.hpp"

/// One open stream: the kinds of notification it asked for, and the messages waiting to be sent.
class Subscription {
public:
    Subscription(std::string id, std::set<std::string> kinds) : id_(std::move(id)), kinds_(std::move(kinds)) {}
    /// The first message of the stream.
    std::string acknowledgement() const;
    /// The response that ends the stream in good order.
    std::string farewell() const;
    /// The next message; waits a moment for it.
    std::optional<std::string> next();
    /// The server is going down: nothing comes any more.
    bool closed();

private:
    friend class Subscriptions;
    void offer(const std::string &kind, const std::string &method);
    void close();

    const std::string id_;  ///< raw id of the request
    const std::set<std::string> kinds_;
    std::mutex mutex_;
    std::condition_variable arrived_;
    std::deque<std::string> waiting_;
    bool closed_ = false;
};

/// All open streams. Threads share it.
class Subscriptions {
public:
    static constexpr std::size_t max_streams = 16;

    /// Opens the stream of a `subscriptions/listen` request. Throws rpc::Failure.
    std::shared_ptr<Subscription> open(const rpc::Message &message);
    void tools_changed() { publish("toolsListChanged", "notifications/tools/list_changed"); }
    void prompts_changed() { publish("promptsListChanged", "notifications/prompts/list_changed"); }
    /// Ends all streams, and gives them a second to say so.
    void close();

private:
    void publish(const std::string &kind, const std::string &method);
    std::vector<std::shared_ptr<Subscription>> alive();

    std::mutex mutex_;
    std::vector<std::weak_ptr<Subscription>> open_;
};
