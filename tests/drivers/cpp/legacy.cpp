// Kind `legacy`: a call of a client of an older version, served by a handler in stages.
#include "driver.hpp"

namespace {

using Type = mrtr::LegacyStep::Type;

mrtr::Legacy begin(const Json &story) {
    std::string fixed_key(32, '\0');
    for (std::size_t at = 0; at < fixed_key.size(); ++at) fixed_key[at] = static_cast<char>(at);
    const bool filters = story.value("gate", "refuse") == "filter";
    const mrtr::Server server(mrtr::Sealer({fixed_key}),
                              mrtr::ServerOptions(filters ? mrtr::Gate::filter : mrtr::Gate::refuse));
    const std::string version = text(story.at("version")), caps = text(story.at("caps"));
    const std::string method = text(story.at("method")), params = text(story.at("params"));
    return mrtr::Legacy(server, {method, params, principal_of(story.at("principal"))},
                        {version, caps, story.at("backChannel").get<bool>()});
}

class Story {
public:
    explicit Story(const Json &story)
        : story_(story), call_(begin(story)), answers_(story.at("answers")), polls_(story.value("poll", 0)) {
        seen_ = {{"sent", Json::array()}, {"cancelled", Json::array()}, {"sleepsMs", Json::array()}, {"rounds", 0}};
    }

    Json tell() {
        for (;;) {
            const mrtr::LegacyStep step = call_.next(now_);
            switch (step.type) {
                case Type::run: handle(); break;
                case Type::send:
                    seen_["sent"].push_back({step.method, step.params ? Json(*step.params) : Json()});
                    sends_.push_back(step.ask);
                    break;
                case Type::cancel: seen_["cancelled"].push_back(step.ask); break;
                case Type::sleep:
                    seen_["sleepsMs"].push_back(step.until_ms - now_);
                    now_ = step.until_ms;
                    break;
                case Type::idle: respond(); break;
                case Type::done: return end(step);
            }
        }
    }

private:
    Json end(const mrtr::LegacyStep &step) {
        if (!step.result || step.refused != 0) seen_.erase("done");
        if (step.result) seen_["result"] = *step.result;
        if (step.rpc) seen_["rpc"] = *step.rpc;
        if (step.refused != 0) {
            const mrtr_slice name = mrtr_code_name(step.refused);
            seen_["refused"] = std::string(reinterpret_cast<const char *>(name.ptr), name.len);
        }
        return seen_;
    }

    void handle() {
        seen_["rounds"] = seen_["rounds"].get<int>() + 1;
        std::string result = R"({"content":[],"resultType":"complete"})";
        try {
            const mrtr::Exchange exchange = call_.exchange(now_);
            if (const auto state = exchange.state()) seen_["state"] = *state;
            if (polls_ > 0) {
                --polls_;
                exchange.set_state("polling");
                result = exchange.result();
            } else {
                Json told = {{"status", Json::object()}};
                if (const auto asks = run_handler(exchange, story_.at("handler"), told)) result = *asks;
                keys_.clear();
                for (const auto &[key, status] : told["status"].items()) {
                    if (status == "missing" || status == "invalid" || status == "stale") keys_.push_back(key);
                }
                if (told.contains("done")) seen_["done"] = told["done"];
            }
        } catch (const mrtr::Error &e) {
            return call_.failed(e.rpc().value());
        }
        call_.handled(result, now_);
    }

    // Nothing more to do: the client answers what it was sent, or cancels.
    void respond() {
        bool silent = true;
        const std::vector<std::uint32_t> sends = std::exchange(sends_, {});
        for (std::size_t at = 0; at < sends.size(); ++at) {
            Json &given = answers_.at(keys_.at(at));
            const Json answer = given.at(0);
            given.erase(0);
            if (answer.contains("never")) continue;
            silent = false;
            if (answer.contains("result")) {
                call_.deliver(sends[at], text(answer["result"]));
            } else {
                call_.deliver_error(sends[at]);
            }
        }
        if (!silent) return;
        if (!story_.value("cancel", false)) throw std::runtime_error("nothing is due any more");
        call_.cancel();
    }

    const Json &story_;
    mrtr::Legacy call_;
    Json answers_, seen_;
    int polls_;
    std::uint64_t now_ = 0;
    std::vector<std::string> keys_;
    std::vector<std::uint32_t> sends_;
};

}  // namespace

Json observe_legacy(const Json &story) { return Story(story).tell(); }
