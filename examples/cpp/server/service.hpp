// Serves one JSON-RPC request of this era, whatever carried it.
#pragma once

#include <mrtr.hpp>

#include "registry.hpp"
#include "rpc.hpp"
#include "subscriptions.hpp"

/// What the carrier knows about a request beside its text.
struct Peer {
    std::optional<std::string> version_header;
    mrtr::Principal principal = mrtr::nobody;
};

/// The server behind the wire. Threads share it; it keeps nothing per request.
class Service {
public:
    explicit Service(mrtr::Sealer sealer);

    /// Checks that this is a request of this era. Throws what to refuse it with.
    void check(const rpc::Message &message, const Peer &peer) const;
    /// The text of the result. Throws rpc::Failure or mrtr::Error.
    std::string serve(const rpc::Message &message, const Peer &peer, const Notify &notify);
    /// Whether the response is to be a stream of notifications with the result at its end.
    bool streams(const rpc::Message &message) const;

    const Registry &registry() const noexcept { return registry_; }
    Subscriptions &subscriptions() noexcept { return subscriptions_; }

private:
    std::string serve_input(const rpc::Message &message, const Peer &peer, const Notify &notify);
    mrtr::Exchange begin(const rpc::Message &message, const Peer &peer, mrtr::Gate gate) const;

    mrtr::Sealer sealer_;
    mrtr::Server refusing_, filtering_;
    Registry registry_;
    Subscriptions subscriptions_;
};
