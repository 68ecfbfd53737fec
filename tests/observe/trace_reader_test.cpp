// A trace file built by hand, and invalid files.

#include <hsm/observe/trace_reader.hpp>

#include <hsm/observe/convert.hpp>
#include <hsm/observe/trace_error.hpp>
#include <hsm/observe/trace_writer.hpp>
#include <tests/observe/hero.hpp>
#include <tests/observe/traces.hpp>

#include <doctest/doctest.h>

#include <fstream>
#include <random>
#include <sstream>

using test::lines_of;

namespace {

static_assert(std::is_constructible_v<hsm::memory_source, std::string&> && std::is_constructible_v<hsm::memory_source, const char*>);
static_assert(!std::is_constructible_v<hsm::memory_source, std::string>);

std::string u16(unsigned n) { return {static_cast<char>(n & 255), static_cast<char>(n >> 8 & 255)}; }
std::string u32(unsigned n) { return u16(n & 0xffff) + u16(n >> 16); }
std::string u64(std::uint64_t n) { return u32(static_cast<unsigned>(n)) + u32(static_cast<unsigned>(n >> 32)); }
std::string text(const std::string& s) { return u32(static_cast<unsigned>(s.size())) + s; }
std::string chunk(unsigned kind, unsigned number, unsigned other, const std::string& payload) {
    return u32(kind) + u32(static_cast<unsigned>(payload.size())) + u32(number) + u32(other) + payload;
}
std::string rec(int kind, int what, unsigned state, unsigned number, std::uint64_t value) {
    return std::string{static_cast<char>(kind), static_cast<char>(what)} + u16(state) + u32(number) + u64(value);
}

const std::string head = "HSMTRACE" + u32(1) + u32(0);
const std::string none = u32(0);

/// lamp {off, on}, off -> on on press. The example of docs/reference/trace_format.md.
std::string lamp_names() {
    return "0123456789abcdef"                                                                  // fingerprint
           + u32(3) + u16(0xffff) + u16(0) + text("lamp") + u16(0) + u16(0) + text("lamp/off") // states
           + u16(0) + u16(0) + text("lamp/on")                                                 //
           + u32(1) + u16(1) + u16(2) + u32(0) + text("off -> on on press")                    // transitions
           + u32(1) + text("press") + none + none + none + none;                               // events, the others
}
std::string lamp() { return head + chunk(1, 0, 0, lamp_names()) + chunk(2, 0, 0, u32(7) + u32(1) + "the lamp"); }

const std::string pressed = rec(1, 8, 1, 7, 5'000'000) // call process
                            + rec(3, 0, 0xffff, 0, 0) + std::string{0, 14} + "with a finger " + std::string{0, 2} + "!?" +
                            std::string(12, '\0')                                                            // event
                            + rec(5, 3, 1, 0, 2) + rec(6, 0, 1, 0xffffffff, 0) + rec(8, 0, 2, 0xffffffff, 0) // transition, exited, entered
                            + rec(2, 0, 1, 7, 5'000'000);                                                    // call_end

hsm::code error_of(const std::string& bytes) {
    try {
        lines_of(bytes);
    } catch (const hsm::trace_error& e) {
        return e.number();
    }
    return {};
}
std::string message_of(const std::string& bytes) {
    try {
        lines_of(bytes);
    } catch (const hsm::trace_error& e) {
        return e.what();
    }
    return "none";
}

} // namespace

TEST_CASE("a handwritten file is read") {
    const auto bytes = lamp() + chunk(3, 0, 0, pressed) + chunk(4, 0, 0, "");
    CHECK(lines_of(bytes) == "0 process at 0.005000 s, agent 7\n"
                             "0 event press (call): with a finger !?\n"
                             "0 transition off -> on on press (event)\n"
                             "0 exited lamp/off\n"
                             "0 entered lamp/on\n"
                             "0 -> taken\n");
    hsm::memory_source source(bytes);
    hsm::trace_reader reader(source);
    while (reader.next()) {
    }
    CHECK(reader.complete());
    CHECK(reader.track(0).agent == 7);
    CHECK(reader.track(0).name == "the lamp");
}

TEST_CASE("the example of docs/reference/trace_format.md is a trace that matches its text") {
    std::ifstream document(HSM_TEST_DATA "/../../docs/reference/trace_format.md");
    REQUIRE(document);
    std::string bytes;
    bool in_example = false;
    for (std::string line; std::getline(document, line);) {
        if (line == "## An example") in_example = true;
        const auto digits = line.substr(0, 51);
        if (!in_example || digits.find_first_not_of("0123456789abcdef ") != std::string::npos) continue;
        std::istringstream words(digits);
        for (std::string word; words >> word;) bytes += static_cast<char>(std::stoi(word, nullptr, 16));
    }
    CHECK(bytes == lamp() + chunk(3, 0, 0, pressed) + chunk(4, 0, 0, ""));
}

TEST_CASE("an unclosed file is read to its end, and reported as incomplete") {
    const auto bytes = lamp() + chunk(3, 0, 0, pressed);
    hsm::memory_source whole(bytes);
    hsm::trace_reader reader(whole);
    int records = 0;
    while (reader.next()) ++records;
    CHECK(records == 6);
    CHECK_FALSE(reader.complete());
}

TEST_CASE("a file of another kind or version is refused immediately") {
    CHECK(error_of("") == hsm::code::not_a_trace);
    CHECK(error_of("<machine/>, and more of it") == hsm::code::not_a_trace);
    CHECK(message_of("HSMTRACE" + u32(2) + u32(0)) == "HSM-333 error at byte 8: the file has version 2, but this library reads version 1; hint: read "
                                                      "it with the version of the library that wrote it");
}

TEST_CASE("each contradiction is reported with its place") {
    using hsm::code;
    CHECK(message_of(head + "1234") ==
          "HSM-334 error at byte 16: the file ends within the head of a chunk; hint: the file is damaged, or not from a trace_writer");
    CHECK(message_of(head + chunk(9, 0, 0, "")).find("a chunk has kind 9, which does not exist") != std::string::npos);
    CHECK(message_of(head + chunk(3, 0, 0, pressed)).find("records belong to track 0, which the file does not define before them") !=
          std::string::npos);
    CHECK(message_of(lamp() + chunk(3, 0, 0, "12345")).find("not a multiple of 16") != std::string::npos);
    CHECK(message_of(lamp() + u32(3) + u32(32) + none + none + rec(6, 0, 1, 0, 0)).find("the file ends within records") != std::string::npos);
    CHECK(message_of(lamp() + chunk(3, 0, 0, rec(6, 0, 3, 0, 0))).find("at byte " + std::to_string(lamp().size() + 16)) != std::string::npos);
    CHECK(message_of(lamp() + chunk(3, 0, 0, rec(6, 0, 3, 0, 0))).find("a record names state 3") != std::string::npos);
    CHECK(message_of(lamp() + chunk(3, 0, 0, rec(5, 0, 1, 1, 0))).find("transition has number 1") != std::string::npos);
    CHECK(message_of(lamp() + chunk(3, 0, 0, rec(26, 0, 1, 1, 0))).find("a record has kind 26") != std::string::npos);
    CHECK(message_of(lamp() + chunk(3, 0, 0, rec(0, 15, 1, 1, 0))).find("continued beyond its maximum size") != std::string::npos);
    CHECK(message_of(lamp() + chunk(4, 0, 0, "") + chunk(4, 0, 0, "")).find("the file has data after its end chunk") != std::string::npos);
    CHECK(message_of(lamp() + chunk(4, 0, 0, "x")).find("the end chunk contains data") != std::string::npos);
    CHECK(message_of(head + chunk(1, 1, 0, lamp_names())).find("the file contains chart 1 instead of chart 0") != std::string::npos);
    CHECK(message_of(lamp() + chunk(2, 3, 0, u64(0))).find("the file contains track 3 instead of track 1") != std::string::npos);
    CHECK(message_of(lamp() + chunk(2, 1, 1, u64(0))).find("track 1 belongs to chart 1") != std::string::npos);
    CHECK(message_of(lamp() + chunk(2, 1, 0, "abc")).find("track 1 has no agent") != std::string::npos);
    CHECK(message_of(head + chunk(1, 0, 0, lamp_names() + "x")).find("do not fill their chunk exactly") != std::string::npos);
    CHECK(message_of(head + chunk(1, 0, 0, std::string(16, ' ') + u32(1) + u16(0) + u16(0) + text("a") + none + none + none + none + none + none))
              .find("do not form a tree") != std::string::npos);
    CHECK(error_of(head + u32(1) + u32(100) + none + none + "short") == code::broken_trace);
}

TEST_CASE("impossible sizes allocate nothing") {
    CHECK(error_of(head + u32(1) + u32(0xffffffff) + none + none) == hsm::code::large_trace);
    CHECK(error_of(head + u32(1) + u32(60 << 20) + none + none) == hsm::code::broken_trace);
    CHECK(error_of(head + chunk(1, 0, 0, std::string(16, ' ') + u32(0xffffffff))) == hsm::code::broken_trace);
    CHECK(error_of(head + chunk(1, 0, 0, std::string(16, ' ') + u32(1) + u16(0xffff) + u16(0) + u32(0xfffffff0))) == hsm::code::broken_trace);
}

TEST_CASE("the time of a machine neither decreases nor overflows, whatever its clock") {
    const auto most = static_cast<std::uint64_t>(INT64_MAX), least = static_cast<std::uint64_t>(INT64_MIN);
    std::string calls;
    for (const auto clock : {least, most, least, std::uint64_t(0), std::uint64_t(7), most, std::uint64_t(1)}) calls += rec(1, 8, 1, 0, clock);
    const auto bytes = lamp() + chunk(3, 0, 0, rec(1, 8, 1, 0, 5) + calls) + chunk(4, 0, 0, "");
    hsm::memory_source source(bytes);
    hsm::trace_reader trace(source);
    std::string lines, times;
    hsm::string_sink sink(lines);
    hsm::write_json_lines(trace, sink);
    std::istringstream each(lines);
    for (std::string line; std::getline(each, line);) times += line.substr(0, line.find(",\"kind\"")).substr(line.find("time")) + '\n';
    std::string expected = "time\":5\ntime\":5\n";
    for (int i = 0; i < 6; ++i) expected += "time\":9223372036854775807\n";
    CHECK(times == expected);
}

namespace {

/// Writes an extreme clock value at a random position.
void put_extreme(std::string& bytes, std::mt19937& dice) {
    const std::int64_t extremes[] = {INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX - 1, INT64_MAX};
    const auto extreme = u64(static_cast<std::uint64_t>(extremes[dice() % std::size(extremes)]));
    bytes.replace(dice() % (bytes.size() - extreme.size()), extreme.size(), extreme);
}

} // namespace

TEST_CASE("random bytes are read, or reported as an error") {
    const auto good = lamp() + chunk(3, 0, 0, pressed + pressed) + chunk(4, 0, 0, "");
    std::mt19937 dice(1);
    int read = 0, refused = 0;
    for (int i = 0; i < 20'000; ++i) {
        auto bytes = good;
        if (dice() % 2 == 0) {
            put_extreme(bytes, dice);
        } else {
            for (auto n = 1 + dice() % 4; n > 0; --n) bytes[dice() % bytes.size()] = static_cast<char>(dice());
        }
        if (dice() % 4 == 0) bytes.resize(dice() % bytes.size());
        try {
            lines_of(bytes);
            for (const auto convert : {hsm::write_json_lines, hsm::write_chrome_trace, hsm::write_perfetto_trace}) {
                hsm::memory_source source(bytes);
                hsm::trace_reader trace(source);
                std::string made;
                hsm::string_sink sink(made);
                convert(trace, sink);
            }
            ++read;
        } catch (const hsm::trace_error&) {
            ++refused;
        }
    }
    CHECK(read > 1000);
    CHECK(refused > 1000);
}
