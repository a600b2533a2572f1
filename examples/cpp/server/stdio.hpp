// Standard input and output as the wire: the server is a child of its one client, and a message is a line.
#pragma once

#include "service.hpp"

/// Serves until the input ends, and what is under way then. Nobody else may write to standard output.
void serve_stdio(Service &service);
