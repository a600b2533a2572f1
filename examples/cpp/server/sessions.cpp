#include "sessions.hpp"

#include <algorithm>
#include <random>

#include "headers.hpp"
#include "stream.hpp"

namespace {

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

void answer(httplib::Response &response, const std::string &body) { response.set_content(body, "application/json"); }

}  // namespace

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
    if (rpc::is_response(request.body)) return session->respond(request.body);
    const rpc::Message message = rpc::read(request.body);
    if (!message.id) return session->notified(message);
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
    const auto session = std::make_shared<Session>(random_id(), message, principal);
    {
        const std::lock_guard lock(mutex_);
        if (sessions_.size() == most) sessions_.pop_front();
        sessions_.push_back(session);
    }
    response.set_header(session_header, session->id());
    answer(response, rpc::response(*message.id, session->welcome()));
}

void Sessions::call(std::shared_ptr<Session> session, std::string body, httplib::Response &response) {
    const auto conversation = std::make_shared<Conversation>(service_, std::move(session), std::move(body));
    response.set_header("Cache-Control", "no-store");
    response.set_chunked_content_provider(stream::stream_type, [conversation](std::size_t, httplib::DataSink &sink) {
        conversation->hold({[&sink](const std::string &message) { stream::send(sink, message); },
                            [&sink] { return sink.is_writable(); }});
        sink.done();
        return true;
    });
}
