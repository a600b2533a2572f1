// Streamable HTTP: one POST per request; the answer is the response, or a stream of events that ends with it.
#include <httplib.h>

#include <condition_variable>
#include <mutex>
#include <thread>

#include "transport.hpp"

namespace {

/// Takes the messages out of a stream of events, as its bytes come in.
class Events {
public:
    template <class Each>
    void take(std::string_view bytes, const Each &each) {
        for (const char c : bytes) {
            if (c != '\n') {
                line_ += c;
                continue;
            }
            if (!line_.empty() && line_.back() == '\r') line_.pop_back();
            if (line_.rfind("data:", 0) == 0) data_ += line_.substr(line_.rfind("data: ", 0) == 0 ? 6 : 5);
            if (line_.empty() && !data_.empty()) each(std::exchange(data_, {}));
            line_.clear();
        }
    }

private:
    std::string line_, data_;
};

/// Ends the request of a client when its time is over: the client's own timeout starts anew with each byte that comes.
class Watchdog {
public:
    Watchdog(httplib::Client &client, std::uint64_t until_ms) : until_ms_(until_ms), thread_([this, &client] { watch(client); }) {}
    ~Watchdog() {
        change([this] { ended_ = true; });
        thread_.join();
    }
    Watchdog(const Watchdog &) = delete;
    Watchdog &operator=(const Watchdog &) = delete;

    void move(std::uint64_t until_ms) {
        change([&] { until_ms_ = until_ms; });
    }

private:
    template <class How>
    void change(const How &how) {
        const std::lock_guard lock(mutex_);
        how();
        changed_.notify_one();
    }

    void watch(httplib::Client &client) {
        std::unique_lock lock(mutex_);
        for (int left; !ended_; changed_.wait_for(lock, std::chrono::milliseconds(left))) {
            left = left_ms(until_ms_);
            if (left == 0) return client.stop();
        }
    }

    std::uint64_t until_ms_;
    bool ended_ = false;
    std::mutex mutex_;
    std::condition_variable changed_;
    std::thread thread_;
};

class Http : public Transport {
public:
    Http(const std::string &origin, std::string path) : client_(origin), path_(std::move(path)) { client_.set_keep_alive(true); }

    std::string send(const Request &request, const Notify &notify) override {
        httplib::Request post;
        post.method = "POST";
        post.path = path_;
        post.body = request.body;
        post.headers = {{"Content-Type", "application/json"}, {"Accept", "application/json, text/event-stream"}};
        for (const mrtr::Header &header : request.headers) post.headers.emplace(header.name, header.value);
        std::string whole, response;
        std::uint64_t until_ms = request.until_ms;
        const int left = left_ms(until_ms);
        if (left == 0) throw Late();
        client_.set_connection_timeout(left / 1000, left % 1000 * 1000);
        client_.set_read_timeout(left / 1000, left % 1000 * 1000);
        Watchdog watchdog(client_, until_ms);
        Events events;
        bool streamed = false;
        post.response_handler = [&](const httplib::Response &head) {
            streamed = head.get_header_value("Content-Type").rfind("text/event-stream", 0) == 0;
            return true;
        };
        post.content_receiver = [&](const char *data, std::size_t size, std::uint64_t, std::uint64_t) {
            if (!streamed) whole.append(data, size);
            if (streamed) events.take({data, size}, [&](const std::string &message) {
                if (!mrtr::json_member(message, "method"))
                    response = message;
                else
                    watchdog.move(until_ms = notify(message));
            });
            return response.empty() && left_ms(until_ms) > 0;  // nothing that comes after the response matters
        };
        const httplib::Result result = client_.send(post);
        if (!response.empty()) return response;
        if (left_ms(until_ms) == 0) throw Late();
        if (!result) throw Broken(httplib::to_string(result.error()));
        if (streamed) throw Broken("the stream ended without a response");
        return whole;
    }

private:
    httplib::Client client_;
    std::string path_;
};

}  // namespace

std::unique_ptr<Transport> connect_to(const std::string &server) {
    const std::string scheme = "http://";
    if (server.rfind(scheme, 0) != 0) return start(server);
    const std::size_t slash = server.find('/', scheme.size());
    return std::make_unique<Http>(server.substr(0, slash), slash == server.npos ? "/" : server.substr(slash));
}
