#include "session.hpp"

#include <thread>

namespace {

using Json = nlohmann::json;

/// The versions that this client speaks, best first.
const std::vector<std::string_view> spoken{"2026-07-28"};

void wait_until(std::uint64_t until_ms) {
    const std::uint64_t now = mrtr_monotonic_ms();
    if (until_ms > now) std::this_thread::sleep_for(std::chrono::milliseconds(until_ms - now));
}

void progress(const mrtr::Flow &flow, std::uint32_t leg, std::string_view message) {
    const Json notification = Json::parse(message, nullptr, false);
    if (!notification.is_object() || notification.value("method", Json()) != "notifications/progress") return;
    const Json value = notification.value("/params/progress"_json_pointer, Json());
    if (value.is_number()) flow.progress(leg, value.get<double>());
}

}  // namespace

Session::Session(const std::string &server, std::uint32_t handles, Handler handler, std::string client_info,
                 std::optional<std::string> version, Trace trace, std::optional<std::uint64_t> leg_timeout_ms)
    : transport_(connect_to(server)),
      handles_(handles),
      handler_(std::move(handler)),
      client_info_(std::move(client_info)),
      trace_(std::move(trace)),
      leg_timeout_ms_(leg_timeout_ms),
      client_(client(version ? *version : spoken.front())) {}

mrtr::Client Session::client(std::string_view version) const {
    mrtr::ClientOptions options;
    options.handlers = handles_;
    options.protocol_version = version;
    options.client_info = client_info_;
    if (leg_timeout_ms_) options.leg_timeout_ms = *leg_timeout_ms_;
    return mrtr::Client(options);
}

std::string Session::call(const std::string &method, const std::string &params) {
    mrtr::event::Done done = drive(client_.begin(method, params));
    if (done.end == MRTR_RPC_ERROR && done.rpc_error) {
        const auto version = mrtr::retry_version(*done.rpc_error, spoken);
        if (version) {
            client_ = client(*version);
            done = drive(client_.begin(method, params));
        }
    }
    return done.value();
}

std::string Session::call_tool(const std::string &name, const std::string &arguments) {
    return call("tools/call", R"({"name":)" + Json(name).dump() + R"(,"arguments":)" + arguments + "}");
}

std::string Session::resume(const std::string &saved) { return drive(client_.resume(saved)).value(); }

std::vector<std::string> Session::list_tools() {
    std::vector<std::string> names;
    for (std::optional<std::string> params = "{}"; params;) {
        const Json page = Json::parse(call("tools/list", *params));
        for (const Json &tool : page.at("tools")) try {
                const std::string text = tool.dump();
                mrtr::check_tool(text);
                names.push_back(tool.at("name").get<std::string>());
                tools_[names.back()] = text;
            } catch (const mrtr::Error &) {
                continue;  // a tool to leave out
            }
        params.reset();
        if (page.contains("nextCursor")) params = Json{{"cursor", page["nextCursor"]}}.dump();
    }
    return names;
}

mrtr::event::Done Session::drive(const mrtr::Flow &flow) {
    namespace event = mrtr::event;
    for (;;) {
        if (done_) return *std::exchange(done_, std::nullopt);
        mrtr::Event next = flow.next();
        if (auto *done = std::get_if<event::Done>(&next)) return std::move(*done);
        if (const auto *leg = std::get_if<event::Send>(&next)) send(flow, *leg);
        if (const auto *ask = std::get_if<event::Ask>(&next)) handler_(flow, *ask);
        if (const auto *sleep = std::get_if<event::Sleep>(&next)) {
            if (sleep->until_ms == mrtr::no_limit) flow.cancel();  // a handler that did not answer never will
            else wait_until(sleep->until_ms);
        }
    }
}

void Session::send(const mrtr::Flow &flow, const mrtr::event::Send &leg) {
    Request request;
    request.id = leg.id;
    request.body = R"({"jsonrpc":"2.0","id":)" + std::to_string(leg.id) + R"(,"method":)" + Json(leg.method).dump() +
                   R"(,"params":)" + leg.params + "}";
    request.headers = mrtr::request_headers(leg.method, leg.params, tool_of(leg));
    request.until_ms = leg.until_ms;
    if (trace_) trace_("->", request.body);
    try {
        const std::string message = transport_->send(request, [&](std::string_view text) {
            progress(flow, leg.leg, text);
            return until(flow);
        });
        if (trace_) trace_("<-", message);
        const auto result = mrtr::json_member(message, "result"), error = mrtr::json_member(message, "error");
        if (error)
            flow.deliver_error(leg.leg, *error);
        else if (result)
            flow.deliver(leg.leg, *result);
        else
            flow.lost(leg.leg);
    } catch (const Late &) {
        return;  // the flow ends by its own clock
    } catch (const Broken &) {
        flow.lost(leg.leg);
    } catch (const mrtr::Error &) {
        flow.lost(leg.leg);  // no JSON-RPC message
    }
}

/// Until when the leg under way may take: only the flow's clock says that, and whether progress moves it.
std::uint64_t Session::until(const mrtr::Flow &flow) {
    while (!done_) {
        mrtr::Event next = flow.next();
        if (const auto *sleep = std::get_if<mrtr::event::Sleep>(&next)) return sleep->until_ms;
        if (auto *done = std::get_if<mrtr::event::Done>(&next)) done_ = std::move(*done);
    }
    return 0;
}

std::optional<std::string_view> Session::tool_of(const mrtr::event::Send &leg) const {
    if (leg.method != "tools/call") return std::nullopt;
    const auto name = mrtr::json_member(leg.params, "name");
    const auto known = tools_.find(name ? Json::parse(*name).get<std::string>() : "");
    return known == tools_.end() ? std::nullopt : std::optional<std::string_view>(known->second);
}
