// The stateless Streamable HTTP wire of 2026-07-28: one POST, one response, nothing kept in between.
#pragma once

#include <httplib.h>

#include "service.hpp"

/// Puts the service on `/mcp` of an HTTP server. The service must outlive it.
void serve_http(httplib::Server &http, Service &service);
