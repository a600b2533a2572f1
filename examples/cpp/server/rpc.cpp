#include "rpc.hpp"

#include <iostream>

#include "json_text.hpp"

namespace rpc {
namespace {

// MCP ids are strings or whole numbers.
bool is_id(std::string_view value) {
    if (value.front() == '"') return true;
    const bool number = value.front() == '-' || (value.front() >= '0' && value.front() <= '9');
    return number && value.find_first_of(".eE") == value.npos;
}

std::string envelope(std::string_view member, std::string_view id, std::string_view value) {
    std::string text = R"({"jsonrpc":"2.0","id":)";
    text.append(id).append(",\"").append(member).append("\":").append(value).append("}");
    return text;
}

Failure bad_request(std::string message) { return Failure(invalid_request, std::move(message), {}, 400); }

}  // namespace

Failure::Failure(int code, std::string message, std::string data, int http_status)
    : code_(code), message_(std::move(message)), data_(std::move(data)), http_status_(http_status) {}

std::string Failure::json() const {
    std::string text = "{\"code\":" + std::to_string(code_) + ",\"message\":" + json_text::quote(message_);
    if (!data_.empty()) text += ",\"data\":" + data_;
    return text + "}";
}

Message read(std::string_view body) try {
    const std::size_t first = body.find_first_not_of(" \t\r\n");
    if (first != body.npos && body[first] == '[') throw bad_request("Batches are no part of this protocol");
    if (mrtr::json_member(body, "jsonrpc") != "\"2.0\"") throw bad_request(R"(Expected "jsonrpc":"2.0")");

    Message message;
    message.id = mrtr::json_member(body, "id");
    if (message.id && !is_id(*message.id)) throw bad_request("An id is a string or a whole number");
    const auto method = mrtr::json_member(body, "method");
    if (!method) throw bad_request("The message has no method; this server takes requests and notifications only");
    const auto name = json_text::string(*method);
    if (!name) throw bad_request("The method is not a readable string");
    message.method = *name;
    message.params = mrtr::json_member(body, "params");
    if (message.params && !json_text::is_object(*message.params)) {
        throw Failure(invalid_params, "The params are not an object", {}, 400);
    }
    return message;
} catch (const mrtr::Error &e) {
    throw Failure(parse_error, std::string("The body cannot be read: ") + e.what(), {}, 400);
}

bool is_response(std::string_view body) noexcept try {
    return !mrtr::json_member(body, "method") && mrtr::json_member(body, "id");
} catch (const std::exception &) {
    return false;
}

std::string_view id_of(std::string_view body) noexcept try {
    const auto id = mrtr::json_member(body, "id");
    return id && is_id(*id) ? *id : "null";
} catch (const std::exception &) {
    return "null";
}

std::string response(std::string_view id, std::string_view result) { return envelope("result", id, result); }

std::string error(std::string_view id, std::string_view error_object) {
    return envelope("error", id, error_object);
}

std::string notification(std::string_view method, std::string_view params) {
    std::string text = R"({"jsonrpc":"2.0","method":)";
    text.append(json_text::quote(method)).append(",\"params\":").append(params).append("}");
    return text;
}

Told tell(const std::exception &e) {
    if (const auto *failure = dynamic_cast<const Failure *>(&e)) return {failure->json(), failure->http_status()};
    const auto *error = dynamic_cast<const mrtr::Error *>(&e);
    // The true reason is for the log; the client gets what the library words for it, or nothing of it.
    std::cerr << "refused: " << e.what() << std::endl;
    if (error != nullptr && error->rpc()) return {*error->rpc(), error->http_status()};
    return {Failure(internal_error, "Internal error").json(), 500};
}

}  // namespace rpc
