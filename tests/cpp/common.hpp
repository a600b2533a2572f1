// What the tests of mrtr.hpp share.
#pragma once

#include <mrtr.hpp>

#include "check.hpp"

/// The code of the mrtr::Error that `run` throws; 0 if it throws none.
template <class F>
mrtr_status thrown(F &&run) {
    try {
        run();
        return MRTR_OK;
    } catch (const mrtr::Error &e) {
        return e.code();
    }
}

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

/// The text of a string member without escapes, found by its name: enough for results that the library writes.
inline std::string member(std::string_view text, std::string_view name) {
    const std::string start = "\"" + std::string(name) + "\":\"";
    const std::size_t at = text.find(start);
    if (at == text.npos) return {};
    const std::size_t first = at + start.size();
    return std::string(text.substr(first, text.find('"', first) - first));
}

inline constexpr std::string_view key_a = "0123456789abcdef0123456789abcdef";
inline constexpr std::string_view key_b = "fedcba9876543210fedcba9876543210";

inline constexpr std::string_view params =
    R"({"name":"deploy","arguments":{"site":"north"},"_meta":{"io.modelcontextprotocol/clientCapabilities":)"
    R"({"elicitation":{"form":{}}}}})";

inline constexpr std::string_view name_form =
    R"({"type":"object","properties":{"name":{"type":"string"}},"required":["name"]})";

inline mrtr::Request request(std::string_view text = params) { return {"tools/call", text, mrtr::nobody}; }

/// The params of a retry: those of the first leg plus answers and state.
inline std::string retry(const std::string &answers, const std::string &state) {
    std::string text(params.substr(0, params.size() - 1));
    if (!answers.empty()) text += ",\"inputResponses\":" + answers;
    if (!state.empty()) text += ",\"requestState\":\"" + state + "\"";
    return text + "}";
}
