// The client half: what a client can do, and the flows it begins.
#ifndef MRTR_CLIENT_HPP
#define MRTR_CLIENT_HPP

#include "flow.hpp"

namespace mrtr {

/// Options of a Client or of one flow: the fields of mrtr_client_options with the library's defaults, the
/// texts borrowed as C++ types. `handlers` takes the bits of mrtr::need.
struct ClientOptions : mrtr_client_options {
    ClientOptions() : mrtr_client_options{} {
        mrtr_client_options_init(this, static_cast<std::uint32_t>(sizeof(mrtr_client_options)), MRTR_ABI);
    }
    /// Absent = the library's.
    std::optional<std::string_view> protocol_version;
    /// `clientInfo` as JSON text.
    std::optional<std::string_view> client_info;
    /// The host's own name for the server; each ask has it.
    std::optional<std::string_view> label;
    /// Secrets of at least 32 bytes that seal continuations: the first seals, every one opens (C11).
    std::vector<std::string_view> continuation_keys;
    /// Result types of extensions that the host reads itself (C1).
    std::vector<std::string_view> result_types;

    /// The C form; valid as long as the texts and this object are.
    mrtr_client_options c() const {
        keys_ = detail::texts(continuation_keys);
        types_ = detail::texts(result_types);
        mrtr_client_options raw = *this;
        if (protocol_version) raw.protocol_version = detail::text(*protocol_version);
        if (client_info) raw.client_info = detail::text(*client_info);
        raw.label = detail::text(label);
        raw.continuation_keys = keys_.data();
        raw.continuation_key_count = keys_.size();
        raw.result_types = types_.data();
        raw.result_type_count = types_.size();
        return raw;
    }

private:
    mutable std::vector<mrtr_slice> keys_, types_;
};

/// What a client can do. Threads may share it; its flows outlive it.
class Client : public Handle<mrtr_client, mrtr_client_free> {
public:
    explicit Client(const ClientOptions &options) {
        const mrtr_client_options raw = options.c();
        detail::call(mrtr_client_new, &raw, out());
    }

    /// The capabilities to declare, as JSON text; they follow from `handlers` (C16).
    std::string capabilities() const {
        detail::Buffer json;
        detail::call(mrtr_client_capabilities, get(), &json.value);
        return json.take();
    }

    /// Begins a call. Nothing happens until Flow::next() or Flow::step().
    Flow begin(std::string_view method, std::string_view params, std::uint64_t now_ms = now) const {
        mrtr_flow flow{};
        detail::call(mrtr_flow_begin, get(), detail::text(method), detail::text(params),
                     static_cast<const mrtr_client_options *>(nullptr), now_ms, &flow);
        return Flow(flow);
    }
    /// The same with options of its own, a changed copy of the client's; `handlers` and continuation keys stay the client's (C16).
    Flow begin(std::string_view method, std::string_view params, const ClientOptions &options,
               std::uint64_t now_ms = now) const {
        const mrtr_client_options raw = options.c();
        mrtr_flow flow{};
        detail::call(mrtr_flow_begin, get(), detail::text(method), detail::text(params), &raw, now_ms, &flow);
        return Flow(flow);
    }
    /// The capabilities to declare in `initialize` of a version of 2025, as JSON text (L1).
    std::string older_capabilities(std::string_view version) const {
        detail::Buffer json;
        detail::call(mrtr_older_capabilities, get(), detail::text(version), &json.value);
        return json.take();
    }
    /// A flow for a JSON-RPC request that a server of 2025 made; its Done::result is the response to send (L1).
    Flow incoming(std::string_view message, std::string_view version, std::uint64_t now_ms = now) const {
        mrtr_flow flow{};
        detail::call(mrtr_older_request, get(), detail::text(message), detail::text(version), now_ms, &flow);
        return Flow(flow);
    }
    /// Goes on from Flow::save() or from a continuation; a damaged text is refused whole (C11).
    Flow resume(std::string_view saved, std::uint64_t now_ms = now) const {
        mrtr_flow flow{};
        detail::call(mrtr_flow_resume, get(), detail::text(saved), now_ms, &flow);
        return Flow(flow);
    }
};

}  // namespace mrtr

#endif
