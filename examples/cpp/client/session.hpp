// One server as a program sees it: calls with the right version, tools with their headers, asks to a handler.
#pragma once

#include <map>
#include <nlohmann/json.hpp>
#include <optional>

#include "transport.hpp"

/// Answers an ask by acting on the flow. What it does not answer, nobody was asked.
using Handler = std::function<void(const mrtr::Flow &flow, const mrtr::event::Ask &ask)>;
/// Sees each message: "->" or "<-", and its text.
using Trace = std::function<void(std::string_view direction, std::string_view text)>;

class Session {
public:
    /// `handles` has the bits of mrtr::need; `version` none = the newest that is spoken.
    Session(const std::string &server, std::uint32_t handles, Handler handler, std::string client_info,
            std::optional<std::string> version = std::nullopt, Trace trace = {},
            std::optional<std::uint64_t> leg_timeout_ms = std::nullopt);

    /// Calls and answers what is asked, until the call is complete; its result, byte for byte. Throws mrtr::Error.
    /// A server that refuses the version is asked once more with one that it names.
    std::string call(const std::string &method, const std::string &params);
    /// `call` for a tool; `arguments` is JSON text.
    std::string call_tool(const std::string &name, const std::string &arguments);
    /// Goes on from a continuation, perhaps one of another process.
    std::string resume(const std::string &saved);
    /// The names of the server's tools, all pages; those that break the rules for headers are left out.
    std::vector<std::string> list_tools();

private:
    mrtr::Client client(std::string_view version) const;
    mrtr::event::Done drive(const mrtr::Flow &flow);
    void send(const mrtr::Flow &flow, const mrtr::event::Send &leg);
    std::uint64_t until(const mrtr::Flow &flow);
    std::optional<std::string_view> tool_of(const mrtr::event::Send &leg) const;

    std::unique_ptr<Transport> transport_;
    std::uint32_t handles_;
    Handler handler_;
    std::string client_info_;
    Trace trace_;
    std::optional<std::uint64_t> leg_timeout_ms_;
    mrtr::Client client_;
    std::optional<mrtr::event::Done> done_;  ///< The end of a flow, when it came while a request was under way.
    std::map<std::string, std::string> tools_;
};
