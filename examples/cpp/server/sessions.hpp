// Sessions of clients of 2025-11-25 and 2025-06-18: what they declared, and their calls that are under way.
//
// Their calls run the handlers of 2026-07-28. What a handler asks goes out as a request on the stream of the call's own
// response; the client's answer comes with a POST of its own, and finds the call by the request's id.
#pragma once

#include <httplib.h>

#include <condition_variable>
#include <deque>
#include <map>
#include <memory>
#include <mutex>

#include "service.hpp"

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
    Session(std::string id, std::string version, std::string capabilities, mrtr::Principal principal);

    const std::string &id() const noexcept { return id_; }
    const mrtr::Principal &principal() const noexcept { return principal_; }
    /// The client as the library sees it; looks into the session.
    mrtr::Peer peer() const { return {version_, capabilities_, true}; }

    /// A call begins, under the raw id of its request.
    std::shared_ptr<Inbox> begin(std::string_view id);
    void end(std::string_view id);
    /// A new id, as JSON, for a request to the client; the response goes to the inbox as one to `ask`.
    std::string expect(const std::shared_ptr<Inbox> &inbox, std::uint32_t ask);
    /// The id of an ask that nobody waits for any more.
    std::optional<std::string> forget(const std::shared_ptr<Inbox> &inbox, std::uint32_t ask);
    /// A response of the client, or a notification that it cancels a call.
    void respond(std::string_view id, std::optional<std::string_view> result);
    void cancel(std::string_view request_id);

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

/// All sessions. Threads share it.
class Sessions {
public:
    static constexpr std::size_t most = 256;  ///< a new one takes the place of the oldest

    explicit Sessions(Service &service) : service_(service) {}

    /// Whether a POST comes from a client of an older version: it begins a session, or names one.
    bool takes(const httplib::Request &request) const;
    /// Serves it. Throws rpc::Failure or mrtr::Error.
    void serve(const httplib::Request &request, const mrtr::Principal &principal, httplib::Response &response);
    /// Ends the session that a DELETE names; false if it names none.
    bool close(const httplib::Request &request, const mrtr::Principal &principal, httplib::Response &response);

private:
    std::shared_ptr<Session> find(const httplib::Request &request, const mrtr::Principal &principal);
    void open(const rpc::Message &message, const mrtr::Principal &principal, httplib::Response &response);
    void call(std::shared_ptr<Session> session, std::string body, httplib::Response &response);

    Service &service_;
    std::mutex mutex_;
    std::deque<std::shared_ptr<Session>> sessions_;
};
