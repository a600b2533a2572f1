// What every part of mrtr.hpp stands on: errors, borrowed text, owned buffers and handles.
#ifndef MRTR_BASE_HPP
#define MRTR_BASE_HPP

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../mrtr.h"

namespace mrtr {

/// The system clock: Unix time on the server side, the monotonic clock on the client side.
inline constexpr std::uint64_t now = MRTR_NOW;
/// A limit that is off.
inline constexpr std::uint64_t no_limit = MRTR_NO_LIMIT;

namespace detail {

// The C side reads a null pointer as "absent", and the data() of an empty view may be null.
inline mrtr_slice text(std::string_view view) noexcept {
    static constexpr char empty[] = "";
    const char *data = view.data() == nullptr ? empty : view.data();
    return {reinterpret_cast<const std::uint8_t *>(data), view.size()};
}

inline mrtr_slice text(std::optional<std::string_view> view) noexcept {
    return view ? text(*view) : mrtr_slice{nullptr, 0};
}

inline std::vector<mrtr_slice> texts(const std::vector<std::string_view> &views) {
    std::vector<mrtr_slice> slices;
    slices.reserve(views.size());
    for (std::string_view view : views) slices.push_back(text(view));
    return slices;
}

inline std::string str(mrtr_slice slice) {
    return slice.ptr == nullptr ? std::string()
                                : std::string(reinterpret_cast<const char *>(slice.ptr), slice.len);
}

inline std::optional<std::string> maybe(mrtr_slice slice) {
    if (slice.ptr == nullptr) return std::nullopt;
    return str(slice);
}

// An out-struct of the C side: knows its size, owns the storage its views look into.
template <class T>
struct Out {
    T value{};
    Out() noexcept { value.struct_size = static_cast<std::uint32_t>(sizeof(T)); }
    Out(const Out &) = delete;
    Out &operator=(const Out &) = delete;
    ~Out() { mrtr_buf_free(&value.storage); }
};

// A buffer of the C side; take() copies it out, the destructor wipes and frees it.
struct Buffer {
    mrtr_buf value{};
    Buffer() noexcept = default;
    Buffer(const Buffer &) = delete;
    Buffer &operator=(const Buffer &) = delete;
    ~Buffer() { mrtr_buf_free(&value); }
    std::string take() const { return str({value.ptr, value.len}); }
};

}  // namespace detail

/// What went wrong. Cheap to copy; holds no handle.
class Error : public std::exception {
public:
    /// Everything known about a failure. An absent member is empty.
    struct Facts {
        mrtr_status code = 0;
        std::string name, message;
        std::optional<std::string> key, at, data, rpc, raw, continuation;
        std::int64_t rpc_code = 0;
        int http_status = 0;
    };

    explicit Error(Facts facts) : Error(std::make_shared<const Facts>(std::move(facts))) {}
    // Copies share; there is no move, so that no Error is ever without its facts.
    Error(const Error &) = default;
    Error &operator=(const Error &) = default;
    ~Error() override = default;

    /// `name: message (at) [key]`, for logs.
    const char *what() const noexcept override { return what_->c_str(); }
    /// One of the MRTR_* error codes.
    mrtr_status code() const noexcept { return facts_->code; }
    /// The code by name, such as `bad_json`.
    const std::string &name() const noexcept { return facts_->name; }
    const std::string &message() const noexcept { return facts_->message; }
    /// The ask that the error is about.
    const std::optional<std::string> &key() const noexcept { return facts_->key; }
    /// JSON pointer to the spot.
    const std::optional<std::string> &at() const noexcept { return facts_->at; }
    /// Further facts for programs, as JSON text.
    const std::optional<std::string> &data() const noexcept { return facts_->data; }
    /// The JSON-RPC error object to answer with, as JSON text; absent if the failure is not the peer's business.
    const std::optional<std::string> &rpc() const noexcept { return facts_->rpc; }
    std::int64_t rpc_code() const noexcept { return facts_->rpc_code; }
    /// HTTP status to answer with.
    int http_status() const noexcept { return facts_->http_status; }
    /// The peer's result as it came, where one is kept.
    const std::optional<std::string> &raw() const noexcept { return facts_->raw; }
    /// What Client::resume() goes on from.
    const std::optional<std::string> &continuation() const noexcept { return facts_->continuation; }

private:
    explicit Error(std::shared_ptr<const Facts> facts)
        : facts_(std::move(facts)), what_(std::make_shared<const std::string>(line(*facts_))) {}

    static std::string line(const Facts &facts) {
        std::string text = facts.name + ": " + facts.message;
        if (facts.at) text += " (at \"" + *facts.at + "\")";
        if (facts.key) text += " [" + *facts.key + "]";
        return text;
    }

    std::shared_ptr<const Facts> facts_;
    std::shared_ptr<const std::string> what_;
};

namespace detail {

[[noreturn]] inline void raise(mrtr_status status, mrtr_error error) {
    Out<mrtr_error_info> out;
    Error::Facts facts;
    facts.code = status;
    if (error.id != 0 && mrtr_error_get(error, &out.value) == MRTR_OK) {
        const mrtr_error_info &info = out.value;
        facts.name = str(info.name);
        facts.message = str(info.message);
        facts.key = maybe(info.key);
        facts.at = maybe(info.at);
        facts.data = maybe(info.data);
        facts.rpc = maybe(info.rpc);
        facts.rpc_code = info.rpc_code;
        facts.http_status = static_cast<int>(info.http_status);
    } else {
        facts.name = str(mrtr_code_name(status));
        facts.message = "the call was refused";
    }
    throw Error(std::move(facts));
}

struct ErrorSlot {
    mrtr_error handle{};
    ErrorSlot() noexcept = default;
    ErrorSlot(const ErrorSlot &) = delete;
    ErrorSlot &operator=(const ErrorSlot &) = delete;
    ~ErrorSlot() { mrtr_error_free(handle); }
};

// Calls a C function whose last parameter takes the error, and throws what it reports.
template <class... P, class... A>
void call(mrtr_status (*function)(P...), A... arguments) {
    ErrorSlot slot;
    const mrtr_status status = function(arguments..., &slot.handle);
    if (status != MRTR_OK) raise(status, slot.handle);
}

}  // namespace detail

/// Owner of one C handle; base of the classes below.
template <class H, mrtr_status (*Free)(H)>
class Handle {
public:
    Handle(const Handle &) = delete;
    Handle &operator=(const Handle &) = delete;
    Handle(Handle &&other) noexcept : handle_(other.release()) {}
    Handle &operator=(Handle &&other) noexcept {
        if (this != &other) {
            Free(handle_);
            handle_ = other.release();
        }
        return *this;
    }
    ~Handle() { Free(handle_); }

    /// The C handle, still owned here; {0} when empty.
    H get() const noexcept { return handle_; }
    /// Gives the C handle away.
    H release() noexcept { return std::exchange(handle_, H{0}); }
    explicit operator bool() const noexcept { return handle_.id != 0; }
    /// Frees now and leaves this empty. Throws stale_handle if the handle was freed behind its back.
    void close() {
        const mrtr_status status = Free(release());
        if (status != MRTR_OK) detail::raise(status, mrtr_error{0});
    }

protected:
    explicit Handle(H handle = H{0}) noexcept : handle_(handle) {}
    H *out() noexcept { return &handle_; }

private:
    H handle_;
};

/// The raw text of one top-level member of a JSON object, exactly as it stands there: `params` of a request, `result` or
/// `error` of a response. A view into `object`. Throws bad_json for no JSON, no object, or a member that stands twice.
inline std::optional<std::string_view> json_member(std::string_view object, std::string_view name) {
    mrtr_slice value{};
    detail::call(mrtr_json_member, detail::text(object), detail::text(name), &value);
    if (value.ptr == nullptr) return std::nullopt;
    return std::string_view(reinterpret_cast<const char *>(value.ptr), value.len);
}

/// Objects alive in this copy of the library; for leak tests.
inline std::uint64_t live_objects() noexcept { return mrtr_live_objects(); }
/// Whether the library was built with a feature, such as "runtime".
inline bool has_feature(std::string_view name) noexcept { return mrtr_has_feature(detail::text(name)) != 0; }
/// Version text of the loaded library.
inline std::string version() {
    mrtr_version_info info{};
    info.struct_size = static_cast<std::uint32_t>(sizeof info);
    const mrtr_status status = mrtr_version(&info);
    if (status != MRTR_OK) detail::raise(status, mrtr_error{0});
    return detail::str(info.version);
}

}  // namespace mrtr

#endif
