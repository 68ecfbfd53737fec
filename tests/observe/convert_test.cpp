// Traces as JSON lines, Chrome's trace events and Perfetto's protobuf: exact texts, and random runs that Python's json and protoc read.
//
//     HSM_CHARTS=1000       the number of runs, up to 1000; each has 20 inputs
//     HSM_SEED=17           the first seed

#include <hsm/observe/convert.hpp>

#include <hsm/chart/view.hpp>
#include <hsm/crowd/crowd.hpp>
#include <hsm/observe/trace_error.hpp>
#include <hsm/observe/trace_writer.hpp>
#include <tests/observe/hero.hpp>
#include <tests/support/differential/build.hpp>
#include <tests/support/differential/generate.hpp>
#include <tests/support/differential/play.hpp>
#include <tests/support/shell.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <unistd.h>

using test::hero;
using test::hit;

namespace {

namespace fs = std::filesystem;

using converter = void (*)(hsm::trace_reader&, hsm::byte_sink&);

std::string converted(converter c, std::string_view bytes) {
    hsm::memory_source source(bytes);
    hsm::trace_reader trace(source);
    std::string made;
    hsm::string_sink sink(made);
    c(trace, sink);
    return made;
}

/// Replaces line numbers, which change with the code.
std::string placeless(const std::string& text) { return std::regex_replace(text, std::regex(R"(hero\.hpp:\d+)"), "PLACE"); }

/// Returns the trace of a fight, with the states before and after it.
std::string trace_of_hero() {
    const auto chart = test::hero_chart();
    hero h;
    hsm::instance agent{chart, h};
    std::string bytes;
    hsm::string_sink sink(bytes);
    hsm::trace_writer writer(sink, {.describe_events = true, .name = "Arthur \"the\" k\xc3\xb6nig \xff"});
    using enum hsm::record_kind;
    const auto kinds = hsm::state_records | call | call_end | hsm::record_kind::event | hsm::record_kind::transition;
    const auto attached = agent.attach(writer, kinds);
    agent.start();
    agent.tick(0.001);
    agent.process(hit{2});
    agent.tick(0.0100005);
    agent.process(test::rest{});
    agent.stop();
    CHECK(writer.close());
    return bytes;
}

} // namespace

TEST_CASE("JSON lines: one object per record") {
    CHECK(placeless(converted(hsm::write_json_lines, trace_of_hero())) == R"({"machine":0,"time":0,"kind":"call","call":"none"}
{"machine":0,"time":0,"kind":"configuration","reason":"attached","active":[]}
{"machine":0,"time":0,"kind":"call_end","result":"taken"}
{"machine":0,"time":0,"kind":"call","call":"start"}
{"machine":0,"time":0,"kind":"transition","transition":null,"from":null,"to":"hero","reason":"start"}
{"machine":0,"time":0,"kind":"entered","state":"hero"}
{"machine":0,"time":0,"kind":"entered","state":"hero/idle"}
{"machine":0,"time":0,"kind":"configuration","reason":"start","active":["hero","hero/idle"]}
{"machine":0,"time":0,"kind":"call_end","result":"taken"}
{"machine":0,"time":1000000,"kind":"call","call":"tick"}
{"machine":0,"time":1000000,"kind":"call_end","result":"unhandled"}
{"machine":0,"time":1000000,"kind":"call","call":"process"}
{"machine":0,"time":1000000,"kind":"event","event":"test::hit","from":"call","text":"hit of 2"}
{"machine":0,"time":1000000,"kind":"transition","transition":"idle -> fight on test::hit [PLACE] / PLACE","from":"hero/idle","to":"hero/fight","reason":"event"}
{"machine":0,"time":1000000,"kind":"exited","state":"hero/idle"}
{"machine":0,"time":1000000,"kind":"entered","state":"hero/fight"}
{"machine":0,"time":1000000,"kind":"entered","state":"hero/fight/slash"}
{"machine":0,"time":1000000,"kind":"call_end","result":"taken"}
{"machine":0,"time":11000500,"kind":"call","call":"tick"}
{"machine":0,"time":11000500,"kind":"transition","transition":"slash -> block after 10ms","from":"hero/fight/slash","to":"hero/fight/block","reason":"time"}
{"machine":0,"time":11000500,"kind":"exited","state":"hero/fight/slash"}
{"machine":0,"time":11000500,"kind":"entered","state":"hero/fight/block"}
{"machine":0,"time":11000500,"kind":"call_end","result":"taken"}
{"machine":0,"time":11000500,"kind":"call","call":"process"}
{"machine":0,"time":11000500,"kind":"event","event":"test::rest","from":"call"}
{"machine":0,"time":11000500,"kind":"transition","transition":"fight -> idle on test::rest","from":"hero/fight","to":"hero/idle","reason":"event"}
{"machine":0,"time":11000500,"kind":"exited","state":"hero/fight/block"}
{"machine":0,"time":11000500,"kind":"exited","state":"hero/fight"}
{"machine":0,"time":11000500,"kind":"entered","state":"hero/idle"}
{"machine":0,"time":11000500,"kind":"call_end","result":"taken"}
{"machine":0,"time":11000500,"kind":"call","call":"stop"}
{"machine":0,"time":11000500,"kind":"exited","state":"hero/idle"}
{"machine":0,"time":11000500,"kind":"exited","state":"hero"}
{"machine":0,"time":11000500,"kind":"configuration","reason":"stop","active":[]}
{"machine":0,"time":11000500,"kind":"call_end","result":"taken"}
)");
}

TEST_CASE("Chrome's trace events: slices, instants and names") {
    CHECK(placeless(converted(hsm::write_chrome_trace, trace_of_hero())) == R"({"displayTimeUnit":"ms","traceEvents":[
{"ph":"M","name":"process_name","args":{"name":"Arthur \"the\" könig �"},"pid":1,"tid":1},
{"ph":"M","name":"thread_name","args":{"name":"hero"},"pid":1,"tid":1},
{"ph":"i","s":"t","cat":"transition","name":"start","args":{"from":"","to":"hero","reason":"start","event":""},"pid":1,"tid":1,"ts":0},
{"ph":"B","cat":"state","name":"hero","pid":1,"tid":1,"ts":0},
{"ph":"B","cat":"state","name":"idle","pid":1,"tid":1,"ts":0},
{"ph":"i","s":"t","cat":"transition","name":"idle -> fight on test::hit [PLACE] / PLACE","args":{"from":"hero/idle","to":"hero/fight","reason":"event","event":"hit of 2"},"pid":1,"tid":1,"ts":1000},
{"ph":"E","cat":"state","name":"idle","pid":1,"tid":1,"ts":1000},
{"ph":"B","cat":"state","name":"fight","pid":1,"tid":1,"ts":1000},
{"ph":"B","cat":"state","name":"slash","pid":1,"tid":1,"ts":1000},
{"ph":"i","s":"t","cat":"transition","name":"slash -> block after 10ms","args":{"from":"hero/fight/slash","to":"hero/fight/block","reason":"time","event":""},"pid":1,"tid":1,"ts":11000.500},
{"ph":"E","cat":"state","name":"slash","pid":1,"tid":1,"ts":11000.500},
{"ph":"i","s":"t","cat":"transition","name":"fight -> idle on test::rest","args":{"from":"hero/fight","to":"hero/idle","reason":"event","event":"test::rest"},"pid":1,"tid":1,"ts":11000.500},
{"ph":"i","s":"t","cat":"state","name":"block","pid":1,"tid":1,"ts":11000.500},
{"ph":"E","cat":"state","name":"fight","pid":1,"tid":1,"ts":11000.500},
{"ph":"i","s":"t","cat":"state","name":"idle","pid":1,"tid":1,"ts":11000.500},
{"ph":"E","cat":"state","name":"hero","pid":1,"tid":1,"ts":11000.500}
]}
)");
}

TEST_CASE("Chrome's trace events: a region has a name even without its states") {
    const auto chart = test::two_regions_chart();
    hero h;
    hsm::instance agent{chart, h};
    std::string bytes;
    hsm::string_sink sink(bytes);
    hsm::trace_writer writer(sink);
    const auto seen = agent.attach(writer, hsm::record_kind::transition);
    agent.start();
    agent.process(hit{});
    CHECK(writer.close());
    const auto text = converted(hsm::write_chrome_trace, bytes);
    CHECK(text.find(R"("thread_name","args":{"name":"hero/body/legs"})") != text.npos);
    CHECK(text.find(R"("thread_name","args":{"name":"hero/body/arms"})") != text.npos);
}

TEST_CASE("a failed write is an error, in every format") {
    struct full final : hsm::byte_sink {
        bool write(const void*, std::size_t) override { return false; }
    } nowhere;
    const auto bytes = trace_of_hero();
    for (const auto c : {hsm::write_json_lines, hsm::write_chrome_trace, hsm::write_perfetto_trace}) {
        hsm::memory_source source(bytes);
        hsm::trace_reader trace(source);
        CHECK_THROWS_WITH_AS(c(trace, nowhere), doctest::Contains("HSM-331"), hsm::trace_error);
    }
}

TEST_CASE("a reset machine starts from the beginning, and time continues") {
    const auto chart = test::hero_chart();
    hero h;
    hsm::instance agent{chart, h};
    std::string bytes;
    hsm::string_sink sink(bytes);
    hsm::trace_writer writer(sink);
    const auto attached = agent.attach(writer, hsm::state_records | hsm::record_kind::call);
    agent.start();
    agent.tick(2.0);
    agent.reset();
    agent.start();
    agent.tick(1.0);
    agent.process(hit{});
    writer.close();
    const auto lines = converted(hsm::write_json_lines, bytes);
    CHECK(lines.find(R"("time":3000000000,"kind":"entered","state":"hero/fight")") != std::string::npos);
}

TEST_CASE("random runs give the same intervals of states in all formats, for independent readers" * doctest::skip(!hsm::test::has_shell)) {
    using namespace differential;
    const auto number = [](const char* name, int otherwise) {
        const auto* const text = std::getenv(name);
        return text && *text ? std::atoi(text) : otherwise;
    };
    const auto folder = fs::temp_directory_path() / ("hsm_convert_test_" + std::to_string(::getpid()));
    fs::create_directories(folder);
    const int runs = std::min(number("HSM_CHARTS", 100), 1000), first = number("HSM_SEED", 1);
    const auto write = [&](int run, const char* ending, const std::string& text) {
        std::ofstream(folder / (std::to_string(run) + ending), std::ios::binary) << text;
    };
    for (int run = first; run < first + runs; ++run) {
        const auto p = generate(static_cast<std::uint64_t>(run), 20);
        const auto chart = build(p);
        std::string bytes, end;
        hsm::string_sink sink(bytes);
        hsm::trace_writer writer(sink);
        player played(p, chart);
        {
            const auto attached = played.machine().attach(writer);
            for (const auto& in : p.inputs) played.give(in);
            for (std::size_t s = 0; s < chart.state_count(); ++s)
                if (played.machine().is_in(chart.state(s))) end += chart.state(s).path() + '\n';
        }
        REQUIRE(writer.close());
        write(run, ".end", end);
        write(run, ".jsonl", converted(hsm::write_json_lines, bytes));
        write(run, ".json", converted(hsm::write_chrome_trace, bytes));
        write(run, ".pb", converted(hsm::write_perfetto_trace, bytes));
    }
    const auto intervals = folder / "intervals";
    const int status =
        std::system(("python3 " HSM_TEST_DATA "/../observe/read_back.py " + folder.string() + " > " + intervals.string() + " 2>&1").c_str());
    std::ifstream file(intervals);
    const std::string said{std::istreambuf_iterator<char>(file), {}};
    MESSAGE(said);
    CHECK(status == 0);
    if (status == 0) fs::remove_all(folder);
}
