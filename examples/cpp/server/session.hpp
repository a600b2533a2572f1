// One client of 2025-11-25 or 2025-06-18, whatever carries its messages: what it declared, and its calls that are under way.
//
// Its calls run the handlers of 2026-07-28. What a handler asks goes out as a request; the client's answer comes as a
// message of its own, and finds the call by the request's id.
#pragma once

#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>

#include "service.hpp"

/// Where the messages of a call go.
struct Channel {
    std::function<void(const std::string &)> send;
    std::function<bool()> open;  ///< false: nobody reads any more
};

/// What a client sent to a call that is under way.
struct Delivery {
    std::uint32_t ask = 0;               ///< 0: the call is cancelled
    std::optional<std::string> result;   ///< none: an error
};

/// The letter box of a call.
class Inbox {
public:
    void put(Delivery delivery);
    /// Waits for a delivery, at most until `wait` is over.
    std::optional<Delivery> take(std::chrono::milliseconds wait);

private:
    std::mutex mutex_;
    std::condition_variable filled_;
    std::deque<Delivery> deliveries_;
};

/// One client, from `initialize` to the end.
class Session {
public:
    /// Begins with the params of an `initialize`.
    Session(std::string id, const rpc::Message &initialize, mrtr::Principal principal);

    const std::string &id() const noexcept { return id_; }
    const mrtr::Principal &principal() const noexcept { return principal_; }
    /// The client as the library sees it; looks into the session.
    mrtr::Peer peer() const { return {version_, capabilities_, true}; }
    /// The result of `initialize`.
    std::string welcome() const;

    /// A call begins, under the raw id of its request.
    std::shared_ptr<Inbox> begin(std::string_view id);
    void end(std::string_view id);
    /// A new id, as JSON, for a request to the client; the response goes to the inbox as one to `ask`.
    std::string expect(const std::shared_ptr<Inbox> &inbox, std::uint32_t ask);
    /// The id of an ask that nobody waits for any more.
    std::optional<std::string> forget(const std::shared_ptr<Inbox> &inbox, std::uint32_t ask);
    /// Takes a response of the client.
    void respond(std::string_view response);
    /// Takes a notification: the client may cancel a call.
    void notified(const rpc::Message &notification);

private:
    struct Expected {
        std::shared_ptr<Inbox> inbox;
        std::uint32_t ask = 0;
    };
    std::string id_, version_, capabilities_;
    mrtr::Principal principal_;
    std::mutex mutex_;
    std::uint64_t last_ = 0;
    std::map<std::string, Expected, std::less<>> expected_;
    std::map<std::string, std::shared_ptr<Inbox>, std::less<>> calls_;
};

/// One call of an older client: what the library says is done, until it says that the call is over.
class Conversation {
public:
    /// Reads the request and begins its call. Throws rpc::Failure or mrtr::Error.
    Conversation(Service &service, std::shared_ptr<Session> session, std::string body);
    ~Conversation();
    Conversation(const Conversation &) = delete;
    Conversation &operator=(const Conversation &) = delete;

    /// Holds it to its end, its response included.
    void hold(const Channel &channel);

private:
    void run(const Channel &channel);
    void cancel(const Channel &channel, std::uint32_t ask);
    void wait(const Channel &channel);
    void end(const Channel &channel, const mrtr::LegacyStep &step);

    Service &service_;
    std::shared_ptr<Session> session_;
    std::string body_;
    rpc::Message message_;
    mrtr::Legacy call_;
    std::shared_ptr<Inbox> inbox_;
};
