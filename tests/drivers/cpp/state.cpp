// Kind `state`: sealers, and steps that seal, open and configure.
#include <map>
#include <set>

#include "driver.hpp"

namespace {

using Sealers = std::map<std::string, mrtr::Sealer>;
using Tokens = std::map<std::string, std::string>;

mrtr::Sealer make_sealer(const Json &options) {
    only(options, {"keys", "cipher", "audience", "ephemeral", "singleUse", "ttlMs", "skewMs", "maxAgeMs", "maxRounds",
                   "maxStateBytes"});
    mrtr::SealerOptions made;
    std::vector<std::string> keys;
    for (const Json &key : options.value("keys", Json::array())) keys.push_back(unhex(text(key)));
    made.keys.assign(keys.begin(), keys.end());
    const std::string cipher = options.value("cipher", "aes256gcm");
    made.cipher = cipher == "aes256gcm"          ? MRTR_CIPHER_AES_256_GCM
                  : cipher == "chacha20poly1305" ? MRTR_CIPHER_CHACHA20_POLY1305
                  : cipher == "signed"           ? MRTR_CIPHER_SIGNED
                                                 : throw Unsupported("cipher " + cipher);
    const std::string audience = options.contains("audience") ? text(options["audience"]) : std::string();
    if (options.contains("audience")) made.audience = audience;
    flag(made.ephemeral, options, "ephemeral");
    flag(made.single_use, options, "singleUse");
    number(made.ttl_ms, options, "ttlMs");
    number(made.skew_ms, options, "skewMs");
    number(made.max_age_ms, options, "maxAgeMs");
    number(made.max_rounds, options, "maxRounds");
    number(made.max_state_bytes, options, "maxStateBytes");
    return mrtr::Sealer(made);
}

// The request of a step; owns the texts that it lends.
struct Bound {
    explicit Bound(const Json &said)
        : method(text(said.at("method"))), params(text(said.at("params"))), principal(principal_of(said.at("principal"))) {}
    mrtr::Request request() const { return {method, params, principal}; }
    std::string method, params;
    mrtr::Principal principal;
};

Json config(const Json &options) {
    try {
        make_sealer(options);
        return {{"outcome", "ok"}};
    } catch (const mrtr::Error &e) {
        return {{"outcome", e.name()}};
    } catch (const NoNumber &) {
        return {{"outcome", "config_error"}};  // the language's own refusal
    }
}

Json seal(const Json &step, const Sealers &sealers, Tokens &tokens) {
    const Json &said = step.at("seal");
    std::optional<std::string> state;
    if (said.contains("state")) state = text(said["state"]);
    if (said.contains("stateHex")) state = unhex(text(said["stateHex"]));
    std::optional<std::string> previous;
    if (said.contains("next")) {
        const auto token = tokens.find(said["next"]);
        if (token == tokens.end()) return {{"outcome", "no_token"}};
        previous = token->second;
    }
    try {
        const Bound bound(said);
        const std::string token =
            sealers.at(said.at("by")).seal(bound.request(), state, previous, said.at("atMs").get<std::uint64_t>());
        if (step.contains("as")) tokens[step["as"]] = token;
        return {{"outcome", "ok"}};
    } catch (const mrtr::Error &e) {
        return {{"outcome", e.name()}};
    }
}

std::string edited(const Json &edit, const std::string &token) {
    if (edit.contains("append")) return token + text(edit["append"]);
    if (edit.contains("text")) return text(edit["text"]);
    if (edit.contains("prefix")) return text(edit["prefix"]) + token.substr(token.find('.') + 1);
    if (edit.contains("insertAt")) return std::string(token).insert(edit["insertAt"][0], text(edit["insertAt"][1]));
    return token;
}

// The tokens of an edit that tries every variant; none for any other edit.
std::vector<std::string> variants(const Json &edit, const std::string &token) {
    std::vector<std::string> all;
    if (edit.contains("eachLastChar")) {
        for (const char c : std::string_view("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")) {
            if (c != token.back()) all.push_back(token.substr(0, token.size() - 1) + c);
        }
    } else if (edit.contains("eachLength")) {
        for (std::size_t length = 0; length < token.size(); ++length) all.push_back(token.substr(0, length));
    } else if (edit.contains("eachBit")) {
        for (std::size_t i = 0; i < 7 * token.size(); ++i) {
            all.push_back(token);
            all.back()[i / 7] = static_cast<char>(token[i / 7] ^ (1 << i % 7));
        }
    }
    return all;
}

Json open_once(const mrtr::Sealer &sealer, const Bound &bound, const std::string &token, std::uint64_t now_ms) {
    try {
        const mrtr::Opened opened = sealer.open(bound.request(), token, now_ms);
        Json seen = {{"outcome", "ok"}, {"round", opened.round}};
        if (opened.state) {
            const bool readable = is_utf8(*opened.state);
            seen[readable ? "state" : "stateHex"] = readable ? *opened.state : hex_of(*opened.state);
        }
        return seen;
    } catch (const mrtr::Error &e) {
        Json seen = {{"outcome", e.name()}};
        if (e.rpc()) seen["rpc"] = *e.rpc();
        return seen;
    }
}

Json open(const Json &said, const Sealers &sealers, const Tokens &tokens) {
    std::string token;
    if (said.contains("token")) {
        const auto found = tokens.find(said["token"]);
        if (found == tokens.end()) return {{"outcome", "no_token"}};
        token = found->second;
    }
    const Json edit = said.value("edit", Json::object());
    only(edit, {"append", "insertAt", "prefix", "text", "eachLastChar", "eachBit", "eachLength"});
    const Bound bound(said);
    const mrtr::Sealer &sealer = sealers.at(said.at("by"));
    const auto at = said.at("atMs").get<std::uint64_t>();
    const auto all = variants(edit, token);
    if (all.empty()) return open_once(sealer, bound, edited(edit, token), at);
    bool refused = true;
    std::set<std::string> told;
    for (const std::string &variant : all) {
        const Json seen = open_once(sealer, bound, variant, at);
        refused = refused && seen["outcome"] != "ok";
        told.insert(seen.value("rpc", ""));
    }
    return {{"outcome", refused ? "refused" : "accepted"}, {"rpc", told}};
}

}  // namespace

mrtr::Principal principal_of(const Json &value) {
    if (value.is_null()) return mrtr::nobody;
    if (value.is_string()) return mrtr::Principal::of(text(value));
    std::vector<std::string> parts;
    for (const Json &part : value) parts.push_back(text(part));
    return mrtr::Principal::from(std::move(parts));
}

Json observe_state(const Json &story) {
    Sealers sealers;
    for (const auto &[name, options] : story.at("sealers").items()) sealers.emplace(name, make_sealer(options));
    Tokens tokens;
    Json steps = Json::array();
    for (const Json &step : story.at("steps")) {
        if (step.contains("config")) {
            steps.push_back(config(step["config"]));
        } else if (step.contains("seal")) {
            steps.push_back(seal(step, sealers, tokens));
        } else {
            steps.push_back(open(step.at("open"), sealers, tokens));
        }
    }
    return {{"steps", steps}};
}
