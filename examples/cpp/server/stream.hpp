// Server-sent events on the response to a POST.
#pragma once

#include <httplib.h>

#include <string>

namespace stream {

inline constexpr const char *stream_type = "text/event-stream";

/// Sends one message; false if nobody reads any more.
inline bool send(httplib::DataSink &sink, const std::string &message) {
    const std::string event = "event: message\ndata: " + message + "\n\n";
    return sink.write(event.data(), event.size());
}

}  // namespace stream
