// A request as a server sees it: who asks, and whether it is a request of this era at all.
#ifndef MRTR_REQUEST_HPP
#define MRTR_REQUEST_HPP

#include "base.hpp"

namespace mrtr {

/// Says that a request comes from nobody in particular. Must be written out: it is never a default (S4).
struct Nobody {};
inline constexpr Nobody nobody{};

/// Who a request comes from; a state sealed for one principal opens for no other.
class Principal {
public:
    Principal(Nobody) noexcept {}
    /// One part or several, such as issuer and subject: Principal::of("https://id.example", "ada").
    template <class... Parts>
    static Principal of(const Parts &...parts) {
        return from({std::string(std::string_view(parts))...});
    }
    /// The same from a list. One without parts is refused as config_error where it is used.
    static Principal from(std::vector<std::string> parts) {
        Principal principal(nobody);
        principal.parts_ = std::move(parts);
        principal.someone_ = true;
        return principal;
    }

    bool is_nobody() const noexcept { return !someone_; }
    const std::vector<std::string> &parts() const noexcept { return parts_; }

private:
    std::vector<std::string> parts_;
    bool someone_ = false;
};

/// What a state is bound to. The texts are borrowed: keep them while the Request is in use.
struct Request {
    std::string_view method;
    /// The whole `params` as they came, retry fields and `_meta` included.
    std::optional<std::string_view> params;
    Principal principal;
    /// The client's capabilities as JSON text, if not those of the request's `_meta`.
    std::optional<std::string_view> capabilities = std::nullopt;
};

namespace detail {

// The C form of a Request; points into the Request and into itself, so it stays where it is.
class CRequest {
public:
    explicit CRequest(const Request &request) {
        for (const std::string &part : request.principal.parts()) parts_.push_back(text(std::string_view(part)));
        value_.struct_size = static_cast<std::uint32_t>(sizeof value_);
        value_.method = text(request.method);
        value_.params = text(request.params);
        value_.capabilities = text(request.capabilities);
        value_.principal.kind = request.principal.is_nobody() ? MRTR_PRINCIPAL_NONE : MRTR_PRINCIPAL_PARTS;
        value_.principal.parts = parts_.empty() ? nullptr : parts_.data();
        value_.principal.count = parts_.size();
    }
    CRequest(const CRequest &) = delete;
    CRequest &operator=(const CRequest &) = delete;
    const mrtr_request *get() const noexcept { return &value_; }

private:
    std::vector<mrtr_slice> parts_;
    mrtr_request value_{};
};

}  // namespace detail

/// Checks `_meta`, the `MCP-Protocol-Version` header and the method of a request, in the order of the protocol.
/// Throws an Error that has the JSON-RPC error object and the HTTP status to answer with (B9).
/// No versions = 2026-07-28. `methods` are those that the host serves; none = that is not checked.
inline void check_request(std::string_view method, std::optional<std::string_view> params,
                          std::optional<std::string_view> header_version,
                          const std::vector<std::string_view> &supported_versions,
                          const std::vector<std::string_view> &methods = {}) {
    const std::vector<mrtr_slice> supported = detail::texts(supported_versions);
    const std::vector<mrtr_slice> known = detail::texts(methods);
    mrtr_request_check check{};
    mrtr_request_check_init(&check, static_cast<std::uint32_t>(sizeof check), MRTR_ABI);
    check.method = detail::text(method);
    check.params = detail::text(params);
    check.header_version = detail::text(header_version);
    check.supported = supported.data();
    check.supported_count = supported.size();
    check.methods = known.empty() ? nullptr : known.data();
    check.method_count = known.size();
    detail::call(mrtr_request_check_run, &check);
}

/// A request as it came over HTTP; all texts are borrowed.
struct HttpRequest {
    std::string_view method;
    std::optional<std::string_view> params;
    /// Every header of it, names in any case.
    std::vector<std::pair<std::string_view, std::string_view>> headers;
    /// No versions = 2026-07-28; no methods = the method is not checked.
    std::vector<std::string_view> supported = {}, methods = {};
    /// JSON text of the `inputSchema` of the tool that is called, for arguments that are repeated in headers.
    std::optional<std::string_view> input_schema = std::nullopt;
};

/// Checks a request and all its headers, in the order of the protocol (E2): `Mcp-Method`, `_meta`, `MCP-Protocol-Version`, version,
/// method, `Mcp-Name`, `Mcp-Param-*`. Throws an Error that has what to answer with.
inline void check_http_request(const HttpRequest &request) {
    const std::vector<mrtr_slice> supported = detail::texts(request.supported), known = detail::texts(request.methods);
    std::vector<mrtr_header> headers;
    for (const auto &[name, value] : request.headers) headers.push_back({detail::text(name), detail::text(value)});
    static constexpr mrtr_header none{{nullptr, 0}, {nullptr, 0}};
    mrtr_request_check check{};
    mrtr_request_check_init(&check, static_cast<std::uint32_t>(sizeof check), MRTR_ABI);
    check.method = detail::text(request.method);
    check.params = detail::text(request.params);
    check.supported = supported.data();
    check.supported_count = supported.size();
    check.methods = known.empty() ? nullptr : known.data();
    check.method_count = known.size();
    check.headers = headers.empty() ? &none : headers.data();
    check.header_count = headers.size();
    check.input_schema = detail::text(request.input_schema);
    detail::call(mrtr_request_check_run, &check);
}

}  // namespace mrtr

#endif
