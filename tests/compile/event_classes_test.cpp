#include <hsm/compile/detail/tables.hpp>
#include <hsm/define/event_range.hpp>

#include <doctest/doctest.h>

using namespace hsm::detail;

namespace {

template <class... Events> std::string classes_of(const Events&... events) {
    std::string text;
    for (const auto& e : event_classes({events...})) {
        text += text.empty() ? "" : "; ";
        for (const auto& i : values_of(e)) text += "[" + std::to_string(i.first) + " " + std::to_string(i.last) + "]";
    }
    return text;
}
auto from(unsigned char first, unsigned char last) { return key_of_values(hsm::range(first, last)); }
auto one(unsigned char value) { return key_of_value(value); }
auto others() { return key_of_values(hsm::otherwise<char>()); }

} // namespace

TEST_CASE("values that no transition distinguishes are one event") {
    CHECK(classes_of(from(10, 20)) == "[10 20]");
    CHECK(classes_of(from(10, 20), from(15, 30)) == "[10 14]; [15 20]; [21 30]");
    CHECK(classes_of(from(10, 20), one(15)) == "[10 14][16 20]; [15 15]");
    CHECK(classes_of(from(10, 20), from(21, 30)) == "[10 20]; [21 30]");
    CHECK(classes_of(from(10, 20), from(10, 20)) == "[10 20]");
    CHECK(classes_of(others(), one(0), one(255)) == "[0 0]; [1 254]; [255 255]");
}

TEST_CASE("overlapping or adjacent ranges of a list are merged") {
    CHECK(classes_of(key_of_values(hsm::any(hsm::range('0', '5'), hsm::range('3', '9')))) == "[48 57]");
    CHECK(classes_of(key_of_values(hsm::any('a', 'b', 'c'))) == "[97 99]");
}

TEST_CASE("otherwise of an enumeration covers all 64-bit values") {
    enum class e { a = 5 };
    CHECK(classes_of(key_of_value(e::a), key_of_values(hsm::otherwise<e>())) == "[-9223372036854775808 4][6 9223372036854775807]; [5 5]");
}

TEST_CASE("an event is named by its values, or as otherwise") {
    const auto keys = event_classes({others(), from('a', 'c'), one('b'), one(13)});
    REQUIRE(keys.size() == 4);
    CHECK(keys[0].name == "otherwise of bytes");
    CHECK(keys[1].name == "0x0d");
    CHECK(keys[2].name == "'a', 'c'");
    CHECK(keys[3].name == "'b'");
}
