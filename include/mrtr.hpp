// libmrtr for C++17: multi round-trip requests of MCP 2026-07-28, server and client half.
//
// Header only, over the C functions of mrtr.h. In one page:
//  - Objects are move-only and free themselves. A moved-from or closed object is empty: using it throws
//    mrtr::Error (null_argument), freeing it again does nothing. Objects may die in any order.
//  - Text goes in as std::string_view, borrowed for the call, and comes out as std::string. An empty view is
//    empty text, never "absent"; where a text may be absent the parameter is a std::optional.
//  - Every failure is thrown as mrtr::Error (std::bad_alloc aside). A style without exceptions is to come.
//  - JSON stays text: nothing here reads or prints a number, reorders a member or owns a tree.
//  - A Sealer, Server, Client or Runtime may be shared by threads. An Exchange or Flow belongs to one thread at a time.
#ifndef MRTR_HPP
#define MRTR_HPP

#include "mrtr/base.hpp"
#include "mrtr/client.hpp"
#include "mrtr/flow.hpp"
#include "mrtr/form.hpp"
#include "mrtr/legacy.hpp"
#include "mrtr/request.hpp"
#include "mrtr/runtime.hpp"
#include "mrtr/sealer.hpp"
#include "mrtr/server.hpp"
#include "mrtr/wire.hpp"

#endif
