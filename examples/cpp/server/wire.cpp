#include "wire.hpp"

#include "headers.hpp"
#include "sessions.hpp"
#include "stream.hpp"

namespace {

constexpr const char *json_type = "application/json";
using stream::send;
using stream::stream_type;
constexpr std::size_t max_body = 4 * 1024 * 1024;

void answer(httplib::Response &response, int status, const std::string &body) {
    response.status = status;
    response.set_content(body, json_type);
}

void refuse(httplib::Response &response, std::string_view id, const std::exception &e) {
    const rpc::Told told = rpc::tell(e);
    answer(response, told.http_status, rpc::error(id, told.error_object));
}

// An error that comes before there is any JSON-RPC to speak of.
void refuse(httplib::Response &response, int status, const std::string &why) {
    refuse(response, "null", rpc::Failure(rpc::invalid_request, why, {}, status));
}

// Whose request it is: a state sealed for one caller opens for no other. A real server puts the subject of a token
// that it has verified here; this one takes any token at its word, and callers without one are nobody.
mrtr::Principal principal_of(const httplib::Request &request) {
    const auto authorization = headers::get(request, "Authorization");
    static constexpr std::string_view bearer = "Bearer ";
    if (!authorization || authorization->compare(0, bearer.size(), bearer) != 0) return mrtr::nobody;
    return mrtr::Principal::of(authorization->substr(bearer.size()));
}

// A request on a stream of its own outlives the HTTP handler that it came through.
struct Streamed {
    std::string body;
    rpc::Message message;
    mrtr::Principal principal = mrtr::nobody;
    std::string_view id() const { return message.id.value_or("null"); }
};

void stream_result(httplib::Response &response, Service &service, std::string body, mrtr::Principal principal) {
    auto call = std::make_shared<Streamed>();
    call->body = std::move(body);
    call->message = rpc::read(call->body);
    call->principal = std::move(principal);
    response.set_header("Cache-Control", "no-store");
    response.set_chunked_content_provider(stream_type, [&service, call](std::size_t, httplib::DataSink &sink) {
        const Notify notify = [&sink](std::string_view method, const Json &params) {
            send(sink, rpc::notification(method, params.dump()));
        };
        try {
            send(sink, rpc::response(call->id(), service.serve(call->message, call->principal, notify)));
        } catch (const std::exception &e) {
            send(sink, rpc::error(call->id(), rpc::tell(e).error_object));
        }
        sink.done();
        return true;
    });
}

void stream_changes(httplib::Response &response, Service &service, const rpc::Message &message) {
    const auto stream = service.subscriptions().open(message);
    response.set_header("Cache-Control", "no-store");
    const auto acknowledged = std::make_shared<bool>(false);
    response.set_chunked_content_provider(stream_type, [stream, acknowledged](std::size_t, httplib::DataSink &sink) {
        if (!std::exchange(*acknowledged, true)) return send(sink, stream->acknowledgement());
        if (const auto message = stream->next()) return send(sink, *message);
        if (!stream->closed()) return sink.is_writable();
        send(sink, stream->farewell());
        sink.done();
        return true;
    });
}

void serve_message(Service &service, const httplib::Request &request, httplib::Response &response) {
    const rpc::Message message = rpc::read(request.body);
    if (!message.id) {  // a notification: nothing to answer, and nothing that this server waits for
        response.status = 202;
        return;
    }
    headers::check(request, message, service.registry());
    mrtr::Principal principal = principal_of(request);
    if (message.method == "subscriptions/listen") {
        stream_changes(response, service, message);
    } else if (service.streams(message) && headers::accepts(request, stream_type)) {
        stream_result(response, service, request.body, std::move(principal));
    } else {
        answer(response, 200, rpc::response(*message.id, service.serve(message, principal, [](auto, const auto &) {})));
    }
}

void post(Service &service, Sessions &sessions, const httplib::Request &request, httplib::Response &response) {
    const std::string type = request.get_header_value("Content-Type");
    if (type.substr(0, type.find(';')) != json_type) return refuse(response, 415, "Send application/json");
    if (!headers::accepts(request, json_type)) return refuse(response, 406, "Accept application/json");
    try {
        if (sessions.takes(request)) {
            sessions.serve(request, principal_of(request), response);
        } else {
            serve_message(service, request, response);
        }
    } catch (const std::exception &e) {
        refuse(response, rpc::id_of(request.body), e);
    }
}

const char *reason(int status) {
    switch (status) {
        case 404: return "There is nothing here but POST /mcp";
        case 413: return "The body is too large";
        default: return "The HTTP request cannot be served";
    }
}

}  // namespace

void serve_http(httplib::Server &http, Service &service) {
    http.set_payload_max_length(max_body);
    // One request a connection: a thread is held by work only, never by an idle client.
    http.set_keep_alive_max_count(1);
    http.new_task_queue = [] { return new httplib::ThreadPool(2 * Subscriptions::max_streams); };
    http.set_pre_routing_handler([](const httplib::Request &request, httplib::Response &response) {
        if (headers::is_local(request)) return httplib::Server::HandlerResponse::Unhandled;
        refuse(response, 403, "This server answers to localhost only");
        return httplib::Server::HandlerResponse::Handled;
    });
    const auto not_allowed = [](const httplib::Request &, httplib::Response &response) {
        response.set_header("Allow", "POST");
        refuse(response, 405, "Only POST is allowed");
    };
    const auto sessions = std::make_shared<Sessions>(service);
    http.Get("/mcp", not_allowed).Put("/mcp", not_allowed);
    http.Delete("/mcp", [sessions, not_allowed](const httplib::Request &request, httplib::Response &response) {
        if (!sessions->close(request, principal_of(request), response)) not_allowed(request, response);
    });
    http.Post("/mcp", [&service, sessions](const httplib::Request &request, httplib::Response &response) {
        post(service, *sessions, request, response);
    });
    http.set_error_handler([](const httplib::Request &, httplib::Response &response) {
        if (response.body.empty()) refuse(response, response.status, reason(response.status));
    });
}
