// Kind `client`: a flow under a fake clock that jumps to the next due thing.
#include <algorithm>
#include <functional>
#include <list>
#include <map>
#include <set>
#include <tuple>

#include "driver.hpp"

namespace {

using namespace mrtr;

mrtr::Client make_client(const Json &story) {
    const Json options = story.value("options", Json::object());
    only(options, {"maxRounds", "legTimeoutMs", "inputTimeoutMs", "flowTimeoutMs", "pollBudgetMs", "pacingInitialMs",
                   "pacingMaxMs", "jitter", "manual", "serial", "strict", "allowHttp", "stateOnlyCounts",
                   "resetOnProgress", "maxAsks", "maxTokenBytes", "maxMessageBytes", "cancelIfUnavailable"});
    ClientOptions made;
    static const std::map<std::string, std::uint32_t> bits = {
        {"elicitation.form", need::form},
        {"elicitation.url", need::url},
        {"sampling", need::sampling},
        {"sampling.tools", need::sampling | need::sampling_tools},
        {"sampling.context", need::sampling | need::sampling_context},
        {"roots", need::roots}};
    for (const Json &handler : story.at("handlers")) {
        const auto bit = bits.find(handler);
        if (bit == bits.end()) throw Unsupported("handler");
        made.handlers |= bit->second;
    }
    const std::string era = story.value("era", "2026-07-28");
    made.protocol_version = era;
    number(made.max_rounds, options, "maxRounds");
    number(made.leg_timeout_ms, options, "legTimeoutMs");
    number(made.input_timeout_ms, options, "inputTimeoutMs");
    number(made.flow_timeout_ms, options, "flowTimeoutMs");
    number(made.poll_budget_ms, options, "pollBudgetMs");
    number(made.pacing_initial_ms, options, "pacingInitialMs");
    number(made.pacing_max_ms, options, "pacingMaxMs");
    number(made.max_asks, options, "maxAsks");
    number(made.max_token_bytes, options, "maxTokenBytes");
    number(made.max_message_bytes, options, "maxMessageBytes");
    made.jitter = 0;
    flag(made.jitter, options, "jitter");
    flag(made.manual, options, "manual");
    flag(made.strict, options, "strict");
    flag(made.allow_http, options, "allowHttp");
    flag(made.state_only_counts, options, "stateOnlyCounts");
    flag(made.reset_on_progress, options, "resetOnProgress");
    flag(made.cancel_if_unavailable, options, "cancelIfUnavailable");
    if (options.contains("serial")) made.order = options["serial"].get<bool>() ? MRTR_ORDER_SERIAL : MRTR_ORDER_CONCURRENT;
    return Client(made);
}

Json flags_of(std::uint32_t bits) {
    static constexpr std::pair<std::uint32_t, const char *> names[] = {{url_flag::not_https, "not_https"},
                                                                       {url_flag::user_info, "user_info"},
                                                                       {url_flag::ip_literal, "ip_literal"},
                                                                       {url_flag::punycode, "punycode"},
                                                                       {url_flag::mixed_script, "mixed_script"}};
    Json list = Json::array();
    for (const auto &[bit, name] : names) {
        if ((bits & bit) != 0) list.push_back(name);
    }
    return list;
}

// What happens at one and the same time comes in this order; the flow's own timers come last.
enum class Rank { peer, answer, caller };

struct Due {
    std::uint64_t at;
    Rank rank;
    std::function<void()> act;
};

class Story {
public:
    explicit Story(const Json &story) : story_(story) {
        for (const char *list : {"sent", "shown", "stopped", "cancelledLegs", "gapsMs", "progress"}) {
            seen_[list] = Json::array();
        }
        seen_["legs"] = 0;
        seen_["rounds"] = 0;
        seen_["flags"] = seen_["again"] = Json::object();
        const Json given = story_.value("answers", Json::object());
        for (const auto &[key, answers] : given.items()) {
            auto &queue = answers_[text(key)];
            for (const Json &answer : answers) queue.push_back(answer);
        }
    }

    Json tell() try {
        client_.emplace(make_client(story_));
        seen_["declared"] = client_->capabilities();
        if (story_.contains("request")) {
            flow_.emplace(client_->incoming(text(story_["request"]), text(story_.at("era")), 0));
        } else {
            const Json &call = story_.at("call");
            flow_.emplace(client_->begin(text(call.at("method")), text(call.at("params")), 0));
        }
        for (const Json &page : story_.value("completed", Json::array())) {
            plan(page.at(0).get<std::uint64_t>(), Rank::caller, [this, page] {
                page.at(1).is_null() ? flow_->complete(std::nullopt, now_) : flow_->complete(text(page.at(1)), now_);
            });
        }
        if (story_.contains("cancelAtMs")) {
            plan(story_["cancelAtMs"].get<std::uint64_t>(), Rank::caller, [this] { flow_->cancel(now_); });
        }
        while (!end_) {
            const std::uint64_t timer = drain();
            if (!end_ && !advance(timer)) return {{"failed", "nothing is due any more and the flow has not ended"}};
        }
        return ended(end_->complete() ? "complete" : end_->name(), end_->key);
    } catch (const Error &e) {
        return ended(e.name(), e.key());
    } catch (const NoNumber &) {
        return ended("config_error", std::nullopt);  // the language's own refusal
    }

private:
    Json ended(const std::string &name, const std::optional<std::string> &key) {
        seen_["end"] = name;
        if (key) seen_["key"] = *key;
        seen_["endMs"] = now_;
        if (end_ && end_->result) seen_["result"] = *end_->result;
        seen_["continuation"] = end_ && end_->continuation;
        return seen_;
    }

    // Takes events until the flow waits; the time that it waits for.
    std::uint64_t drain() {
        for (;;) {
            const Event event = flow_->next(now_);
            if (const auto *done = std::get_if<event::Done>(&event)) {
                end_ = *done;
                return now_;
            }
            const auto *sleep = std::get_if<event::Sleep>(&event);
            if (sleep != nullptr || std::holds_alternative<event::Idle>(event)) {
                if (resume()) continue;
                return sleep != nullptr ? sleep->until_ms : no_limit;
            }
            std::visit([this](const auto &one) { take(one); }, event);
        }
    }

    void take(const event::Send &send) {
        const auto ordinal = seen_["legs"].get<std::size_t>() + 1;
        seen_["legs"] = ordinal;
        seen_["sent"].push_back(send.params);
        if (send.paced_ms != 0) seen_["gapsMs"].push_back(send.paced_ms);
        ordinals_[send.leg] = ordinal;
        const Json &legs = story_.at("legs");
        if (ordinal <= legs.size()) plan_leg(send.leg, legs[ordinal - 1]);
    }
    void take(const event::CancelLeg &cancel) { seen_["cancelledLegs"].push_back(ordinals_[cancel.leg]); }
    void take(const event::Ask &ask) {
        seen_["shown"].push_back(ask.key);
        asking_.insert(ask.key);
        if (ask.kind == Kind::url) seen_["flags"][ask.key] = flags_of(ask.url_flags);
        if (ask.previously_declined) seen_["again"][ask.key] = true;
        const auto &queue = answers_[ask.key];
        if (queue.empty() || queue.front().contains("never")) return;
        plan(now_ + queue.front().value("afterMs", std::uint64_t{0}), Rank::answer,
             [this, key = ask.key] { answer(key); });
    }
    void take(const event::StopAsk &stop) {
        seen_["stopped"].push_back(stop.key);
        asking_.erase(stop.key);
    }
    void take(const event::Round &) { seen_["rounds"] = seen_["rounds"].get<int>() + 1; }
    void take(const event::Progress &progress) { seen_["progress"].push_back(progress.value); }
    template <class Other>
    void take(const Other &) {}

    void plan(std::uint64_t at, Rank rank, std::function<void()> act) { due_.push_back({at, rank, std::move(act)}); }

    void plan_leg(std::uint32_t leg, const Json &fate) {
        for (const Json &step : fate.value("progress", Json::array())) {
            const auto value = step.at(1).get<double>();
            plan(now_ + step.at(0).get<std::uint64_t>(), Rank::peer,
                 [this, leg, value] { flow_->progress(leg, value, now_); });
        }
        const std::uint64_t at = now_ + fate.value("afterMs", std::uint64_t{0});
        if (fate.contains("result")) {
            plan(at, Rank::peer, [this, leg, result = text(fate["result"])] { flow_->deliver(leg, result, now_); });
        } else if (fate.contains("error")) {
            plan(at, Rank::peer, [this, leg, error = text(fate["error"])] { flow_->deliver_error(leg, error, now_); });
        } else if (fate.contains("lost")) {
            plan(at, Rank::peer, [this, leg] { flow_->lost(leg, now_); });
        }
    }

    void answer(const std::string &key) {
        if (asking_.erase(key) == 0) return;  // stopped before: the answer stays at the head of its list
        const Json given = answers_[key].front();
        answers_[key].pop_front();
        if (given.contains("value")) return flow_->answer(key, text(given["value"]), now_);
        if (given.contains("fail")) return flow_->fail(key, text(given["fail"]), now_);
        if (given.contains("decline")) return flow_->decline(key, now_);
        if (given.contains("cancel")) return flow_->cancel_ask(key, now_);
        if (given.contains("refuse")) return flow_->refuse(key, now_);
        if (given.contains("unavailable")) return flow_->unavailable(key, now_);
        throw Unsupported("answer");
    }

    // Jumps to the next due thing and does it; false if there is none.
    bool advance(std::uint64_t timer) {
        const auto earlier = [](const Due &a, const Due &b) { return std::tie(a.at, a.rank) < std::tie(b.at, b.rank); };
        const auto next = std::min_element(due_.begin(), due_.end(), earlier);  // the first of equals
        if (next != due_.end() && next->at <= timer) {
            const Due due = *next;
            due_.erase(next);
            now_ = std::max(now_, due.at);
            due.act();
            return true;
        }
        now_ = std::max(now_, timer == no_limit ? now_ : timer);
        return timer != no_limit;
    }

    // Exports the flow once the asks of its leg were shown, drops it, and goes on from the text with a new client.
    bool resume() {
        if (resumed_ || !story_.contains("resume") || asking_.empty()) return false;
        const Json &how = story_["resume"];
        if (seen_["legs"] != how.at("afterLeg")) return false;
        resumed_ = true;
        std::string saved = flow_->save();
        flow_.reset();
        client_.emplace(make_client(story_));
        due_.remove_if([](const Due &due) { return due.rank != Rank::caller; });
        asking_.clear();
        ordinals_.clear();
        saved.resize(saved.size() - how.value("truncate", std::size_t{0}));
        flow_.emplace(client_->resume(saved, now_));
        if (how.contains("answerKey")) flow_->answer(text(how["answerKey"]), "{}", now_);
        return true;
    }

    const Json &story_;
    Json seen_ = Json::object();
    std::uint64_t now_ = 0;
    std::list<Due> due_;
    std::map<std::string, std::list<Json>> answers_;
    std::set<std::string> asking_;
    std::map<std::uint32_t, std::size_t> ordinals_;
    bool resumed_ = false;
    std::optional<Client> client_;
    std::optional<Flow> flow_;
    std::optional<event::Done> end_;
};

}  // namespace

Json observe_client(const Json &story) { return Story(story).tell(); }
