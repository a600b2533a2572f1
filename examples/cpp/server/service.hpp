// Serves one JSON-RPC request, whatever carried it and whichever version its client speaks.
#pragma once

#include <mrtr.hpp>

#include "registry.hpp"
#include "rpc.hpp"
#include "subscriptions.hpp"

/// The part of the params that this server reads itself; the library gets all of them as they came.
struct Params {
    std::optional<std::string> target;
    std::optional<Json> arguments, progress_token;
};

/// The methods of 2026-07-28 that this server has.
const std::vector<std::string_view> &methods();

/// The server behind the wire. Threads share it; it keeps nothing per request.
class Service {
public:
    explicit Service(mrtr::Sealer sealer);

    /// The text of the result for a request of 2026-07-28. Throws rpc::Failure or mrtr::Error.
    std::string serve(const rpc::Message &message, const mrtr::Principal &principal, const Notify &notify);
    /// Whether the response is to be a stream of notifications with the result at its end.
    bool streams(const rpc::Message &message) const;

    /// The same for an older client: begins its call, and runs the same handler in one round of it.
    mrtr::Legacy begin(const rpc::Message &message, const mrtr::Principal &principal, const mrtr::Peer &peer) const;
    std::string serve(const rpc::Message &message, const mrtr::Legacy &call, const Notify &notify);

    const Registry &registry() const noexcept { return registry_; }
    Subscriptions &subscriptions() noexcept { return subscriptions_; }

private:
    const mrtr::Server &server_for(const rpc::Message &message, const Params &params) const;
    const Handler &handler_for(const rpc::Message &message, const std::string &target) const;
    std::string run(const rpc::Message &message, const Params &params, const mrtr::Exchange &exchange,
                    const Notify &notify);

    mrtr::Sealer sealer_;
    mrtr::Server refusing_, filtering_;
    Registry registry_;
    Subscriptions subscriptions_;
};
