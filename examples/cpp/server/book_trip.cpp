// `book_trip`: a booking in three legs, whichever process serves each of them.
//
//   leg 1   asks which account and which seat, and the day if the call did not say it
//   leg 2   fixes a price, and asks to confirm it; a client that can open pages is asked to go and pay as well
//   leg 3   books
#include <map>
#include <mutex>

#include "registry.hpp"

namespace {

constexpr const char *input_schema =
    R"({"type":"object","properties":{)"
    R"("destination":{"type":"string","description":"Where to, such as Lisbon"},)"
    R"("date":{"type":"string","format":"date","description":"Day to leave, such as 2027-03-14; asked if absent"}},)"
    R"("required":["destination"]})";

constexpr const char *account_form =
    R"({"type":"object","properties":{"account":{"type":"string","title":"Account",)"
    R"("enum":["personal","business"],"default":"personal"}},"required":["account"]})";

constexpr const char *seat_form =
    R"({"type":"object","properties":{"seat":{"type":"string","title":"Seat","oneOf":[)"
    R"({"const":"window","title":"By the window, 12.00 EUR more"},)"
    R"({"const":"aisle","title":"On the aisle, 8.00 EUR more"},)"
    R"({"const":"any","title":"Wherever there is room"}]}},"required":["seat"]})";

constexpr const char *date_form =
    R"({"type":"object","properties":{"date":{"type":"string","format":"date","title":"Day of departure"}},)"
    R"("required":["date"]})";

constexpr const char *confirm_form =
    R"({"type":"object","properties":{"confirm":{"type":"boolean","title":"Book this trip"}},)"
    R"("required":["confirm"]})";

struct Trip {
    std::string destination, date, account, seat;
};

// What has been booked, by booking number. A number is booked once, however often its last leg arrives.
class Bookings {
public:
    std::string book(const std::string &number, const std::string &summary) {
        const std::lock_guard lock(mutex_);
        return booked_.emplace(number, summary).first->second;
    }

private:
    std::mutex mutex_;
    std::map<std::string, std::string> booked_;
};

std::string euros(int cents) {
    const std::string rest = std::to_string(cents % 100);
    return std::to_string(cents / 100) + "." + (rest.size() == 1 ? "0" : "") + rest + " EUR";
}

// Fares change by the minute; a pretend one that depends on the name alone will do here.
int fare_cents(const Trip &trip) {
    unsigned sum = 0;
    for (const unsigned char c : trip.destination) sum = (sum * 31 + c) % 400;
    const int seat = trip.seat == "window" ? 1200 : trip.seat == "aisle" ? 800 : 0;
    return static_cast<int>(8900 + sum * 50) + seat;
}

// The price that the user is going to confirm is fixed once, and kept in the sealed state from then on: the later
// legs read it there, so it can neither change between question and booking nor be chosen by the client.
int quoted_cents(const mrtr::Exchange &exchange, const Trip &trip) {
    if (const auto state = exchange.state()) return parsed(*state).at("cents").get<int>();
    const int cents = fare_cents(trip);
    exchange.set_state(Json({{"cents", cents}}).dump());
    return cents;
}

std::string field(const mrtr::Answer &answer, const char *name) {
    return parsed(answer.content()).at(name).get<std::string>();
}

std::string describe(const Trip &trip) {
    const std::string seat = trip.seat == "any" ? "any seat" : trip.seat + " seat";
    return trip.destination + " on " + trip.date + ", " + seat + ", from the " + trip.account + " account";
}

// Leg 1. Nothing if something is still missing or was refused; `refused` tells which.
std::optional<Trip> choices(Call &call, std::string destination, bool &refused) {
    const mrtr::Exchange &exchange = call.exchange;
    Trip trip;
    trip.destination = std::move(destination);
    const std::string where = trip.destination;
    const auto account =
        exchange.ask_form("account", "Which account pays for the trip to " + where + "?", account_form);
    const auto seat =
        exchange.ask_form("seat", "Where would you like to sit on the way to " + where + "?", seat_form);
    refused = account.refused() || seat.refused();
    bool missing = !account || !seat;

    const Json date = call.arguments.value("date", Json());
    if (date.is_string()) {
        trip.date = date.get<std::string>();
    } else {
        const auto day = exchange.ask_form("date", "On which day do you leave for " + where + "?", date_form);
        refused = refused || day.refused();
        missing = missing || !day;
        if (day) trip.date = field(day, "date");
    }
    if (missing) return std::nullopt;
    trip.account = field(account, "account");
    trip.seat = field(seat, "seat");
    return trip;
}

std::string book_trip(Call &call, Bookings &bookings) {
    const mrtr::Exchange &exchange = call.exchange;
    const Json destination = call.arguments.value("destination", Json());
    if (!destination.is_string() || destination.get_ref<const std::string &>().empty()) {
        return tool_error("Say where to go: the argument `destination` is a text such as Lisbon.");
    }

    bool refused = false;
    const auto trip = choices(call, destination.get<std::string>(), refused);
    if (refused) return text_result("Nothing was booked: the questions were not answered.");
    if (!trip) return exchange.result();

    // The flow id is the same on every leg of this call and different for every other: it makes a booking number.
    const std::string number = mrtr::hex(exchange.info().flow_id);
    const std::string price = euros(quoted_cents(exchange, *trip));
    const std::string question = "Book " + describe(*trip) + ", for " + price + "?";
    const auto confirmed = exchange.ask_form("confirm", question, confirm_form);
    bool paying = true, pay_refused = false;
    if (exchange.can_ask(mrtr::need::url)) {
        const auto pay = exchange.ask_url("payment", "Open the bank's page to release " + price + "?",
                                          "https://bank.example/release/" + number);
        paying = static_cast<bool>(pay);
        pay_refused = pay.refused();
    }
    if (confirmed.refused() || pay_refused) return text_result("Nothing was booked: you did not agree.");
    if (confirmed && parsed(confirmed.content()).at("confirm") != true) {
        return text_result("Nothing was booked, as you wished.");
    }
    if (!confirmed || !paying) return exchange.result();

    const std::string summary = bookings.book(number, describe(*trip) + ", " + price);
    const Json booking = {{"booking", number}, {"destination", trip->destination}, {"date", trip->date},
                          {"seat", trip->seat}, {"account", trip->account}, {"price", price}};
    const std::string text = "Booked: " + summary + ". Booking number " + number + ".";
    return complete({{"content", Json::array({{{"type", "text"}, {"text", text}}})}, {"structuredContent", booking}});
}

}  // namespace

void add_book_trip(Registry &registry) {
    const auto bookings = std::make_shared<Bookings>();
    registry.tools.push_back({"book_trip", "Books a trip: asks for the account and the seat, then to confirm the price",
                              input_schema, [bookings](Call &call) { return book_trip(call, *bookings); }});
}
