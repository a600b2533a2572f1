// Tells, of one case of the case files, what mrtr.hpp makes of it (tests/cases/OBSERVATION.md).
#pragma once

#include <mrtr.hpp>
#include <stdexcept>

#include "text.hpp"

/// A case, or a field of one, that this driver does not know.
struct Unsupported : std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// A number that the language cannot hand to the library, such as -1.
struct NoNumber : std::runtime_error {
    using std::runtime_error::runtime_error;
};

Json observe_build(const Json &story);
Json observe_client(const Json &story);
Json observe_legacy(const Json &story);
Json observe_server(const Json &story);
Json observe_state(const Json &story);

/// Runs a handler in stages; the text of the result if it asks for something. Statuses and `done` go into `seen`.
std::optional<std::string> run_handler(const mrtr::Exchange &exchange, const Json &handler, Json &seen);

mrtr::Principal principal_of(const Json &value);

/// Sets `target` from a member that may be absent.
template <class T>
void number(T &target, const Json &options, const char *name) {
    if (!options.contains(name)) return;
    const Json &value = options.at(name);
    if (!value.is_number_unsigned()) throw NoNumber(name);
    const auto whole = value.get<std::uint64_t>();
    target = static_cast<T>(whole);
    if (target != whole) throw NoNumber(name);
}

/// Sets a flag from a member that may be absent.
inline void flag(std::uint32_t &target, const Json &options, const char *name) {
    if (options.contains(name)) target = options.at(name).get<bool>() ? 1 : 0;
}

/// Refuses options that are not among these.
inline void only(const Json &options, std::initializer_list<const char *> known) {
    for (const auto &[name, value] : options.items()) {
        bool found = false;
        for (const char *one : known) found = found || name == one;
        if (!found) throw Unsupported(name);
    }
}
