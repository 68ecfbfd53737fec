#include <hsm/define/event_data.hpp>

#include <doctest/doctest.h>

#include <limits>
#include <string>
#include <utility>

using hsm::data_kind;
using hsm::event_data;

namespace {
event_data read(std::string_view text) {
    event_data d = "as before";
    CHECK(hsm::read_json(text, d));
    return d;
}
bool fails(std::string_view text) {
    event_data d = "as before";
    return !hsm::read_json(text, d) && d.text() == "as before";
}
} // namespace

TEST_CASE("event data returns its value, and an empty value for every other kind") {
    CHECK(event_data().kind() == data_kind::nothing);
    CHECK_FALSE(event_data());
    CHECK(event_data(nullptr).kind() == data_kind::null);
    CHECK(event_data(false));
    CHECK(event_data(true).boolean());
    CHECK(event_data(3).number() == 3);
    CHECK(event_data("3").number(-1) == -1);
    CHECK(event_data(std::string("text")).text() == "text");
    const auto list = event_data::list({1, "two"});
    CHECK(list.items().size() == 2);
    CHECK(list[1].text() == "two");
    CHECK_FALSE(list[2]);
    const auto object = event_data::object({{"a", 1}, {"b", list}, {"a", 2}});
    CHECK(object["a"].number() == 2);
    CHECK(object["b"][0].number() == 1);
    CHECK_FALSE(object["c"]["d"][4]);
}

TEST_CASE("copies share their contents, and outlive the original") {
    event_data copy;
    {
        const auto original = event_data::object({{"list", event_data::list({1, 2})}});
        copy = original;
        CHECK(copy.members().data() == original.members().data());
    }
    CHECK(hsm::to_string(copy) == R"({"list":[1,2]})");
    const auto moved = std::move(copy);
    CHECK_FALSE(copy); // NOLINT: it is empty then
    CHECK(moved["list"].items().size() == 2);
}

TEST_CASE("event data is equal if the kind, the contents and their order are equal") {
    CHECK(event_data(1) == event_data(1.0));
    CHECK_FALSE(event_data(1) == event_data(true));
    CHECK_FALSE(event_data() == event_data(nullptr));
    CHECK(event_data::list({1, "a"}) == event_data::list({1, "a"}));
    CHECK_FALSE(event_data::object({{"a", 1}, {"b", 2}}) == event_data::object({{"b", 2}, {"a", 1}}));
}

TEST_CASE("event data is written as JSON and read back") {
    for (const auto* const text :
         {"null", "true", "false", "0", "-1.5", "1e+100", R"("a\"b\\c\nd\u0001")", "[]", "{}", R"([1,[2,{"a":null}],"x"])"}) {
        CAPTURE(text);
        CHECK(hsm::to_string(read(text)) == text);
    }
    CHECK(hsm::to_string(event_data()).empty());
    CHECK_FALSE(read(""));
    CHECK(hsm::to_string(std::numeric_limits<double>::infinity()) == "null");
    CHECK(read(" [ 1 , 2 ] ") == event_data::list({1, 2}));
    CHECK(read(R"("\u00e4\ud83d\ude00\/")").text() == "\xc3\xa4\xf0\x9f\x98\x80/");
}

TEST_CASE("invalid JSON is rejected and changes nothing") {
    for (const auto* const text : {" ", "nul", "[1,]", "[1", "{\"a\"}", "{\"a\":1,}", "{a:1}", "\"a", "\"\\x\"", "\"\\u12\"", "\"\\ud800\"",
                                   "\"\\udc00\"", "1 2", "inf", "nan", "+1", "--1", "'a'", "\"\n\""}) {
        CAPTURE(text);
        CHECK(fails(text));
    }
    CHECK(fails(std::string(100'000, '[')));
    CHECK(read(std::string(200, '[') + std::string(200, ']')).kind() == data_kind::list);
}
