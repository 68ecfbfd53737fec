// Results and reasons have names.

#include <hsm/op/result.hpp>

#include <doctest/doctest.h>

#include <string>

TEST_CASE("to_string returns the name of each result") {
    using enum hsm::result;
    std::string all;
    for (const auto r : {taken, internal, deferred, held, refused, guarded, unhandled, queued, full, busy, inactive})
        all += std::string(to_string(r)) + " ";
    CHECK(all == "taken internal deferred held refused guarded unhandled queued full busy inactive ");
}

TEST_CASE("to_string returns the name of each reason") {
    using enum hsm::reason;
    std::string all;
    for (const auto r : {none, start, stop, event, poll, completion, entry, request}) all += std::string(to_string(r)) + " ";
    CHECK(all == "none start stop event poll completion entry request ");
}
