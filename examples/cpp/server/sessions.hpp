// Sessions over HTTP: which POST belongs to which client of an older version. What a call of theirs asks goes out on the
// stream of its own response, the answer comes with a POST of its own.
#pragma once

#include <httplib.h>

#include "session.hpp"

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
