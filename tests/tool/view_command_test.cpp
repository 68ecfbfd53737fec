// `hsm view`, and the machines of a trace on the page.

#include <tests/support/tool_run.hpp>

#include <hsm/chart/fingerprint.hpp>
#include <hsm/hsm.hpp>
#include <hsm/inspect/detail/hub.hpp>
#include <hsm/inspect/detail/trace_feed.hpp>
#include <hsm/observe/trace_writer.hpp>
#include <hsm/run/attachment.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <chrono>
#include <thread>

using namespace std::chrono_literals;
using tool_run::called;
using tool_run::file;

namespace {

struct house {};

hsm::chart<house> make_door() {
    auto root = hsm::make_fsm<house>("door");
    auto& closed = root->add("closed");
    auto& open = root->add("open");
    closed.to(open).on("push");
    open.to(closed).on("pull");
    return hsm::compile(std::move(root));
}

/// Returns the trace of a door that is pushed, then pulled, `times` times, and pushed once more.
std::string trace_of(const hsm::chart<house>& chart, int times) {
    std::string bytes;
    hsm::string_sink sink(bytes);
    hsm::trace_writer writer(sink);
    hsm::trace_writer::track front(writer, "front");
    house h;
    hsm::instance agent{chart, h};
    const auto traced = agent.attach(front, hsm::state_records);
    agent.start();
    for (int i = 0; i < times; ++i) {
        agent.process("push");
        agent.process("pull");
    }
    agent.process("push");
    writer.close();
    return bytes;
}

/// Returns the records of the page's machine 1 as a trace, when it has at least `size` bytes.
std::string wait_for_trace(const hsm::inspect::detail::hub& page, std::size_t size) {
    std::string text;
    for (const auto limit = std::chrono::steady_clock::now() + 30s; text.size() < size && std::chrono::steady_clock::now() < limit;
         std::this_thread::sleep_for(1ms))
        text = page.trace(1);
    return text;
}

std::vector<hsm::record> records_in(const std::string& trace) {
    hsm::memory_source source(trace);
    hsm::trace_reader reader(source);
    std::vector<hsm::record> all;
    while (const auto* const entry = reader.next()) all.push_back(entry->what);
    return all;
}

struct shown_trace {
    shown_trace(const std::string& trace, std::span<const hsm::chart_base> known, std::size_t ring) : page({.print = false, .most = {.ring = ring}}) {
        hsm::memory_source source(trace);
        hsm::trace_reader reader(source);
        hsm::inspect::detail::send_trace(reader, page.new_feed(), known, [] { return true; });
    }
    hsm::inspect::detail::hub page;
};

} // namespace

TEST_CASE("the page shows every record of a trace, also with a small ring") {
    const auto chart = make_door();
    const auto trace = trace_of(chart, 500);
    const auto written = records_in(trace);
    REQUIRE(written.size() > 2000);
    const shown_trace shown(trace, {}, 64);
    const auto stored = records_in(wait_for_trace(shown.page, trace.size()));
    REQUIRE(stored.size() > written.size());
    const auto same = [](const hsm::record& a, const hsm::record& b) {
        return a.kind == b.kind && a.what == b.what && a.state == b.state && a.number == b.number && a.value == b.value;
    };
    CHECK(std::equal(written.rbegin(), written.rend(), stored.rbegin(), same)); // before them: the state before the first record
}

TEST_CASE("the page knows the names of a trace, and the chart only if the program has it") {
    const auto chart = make_door();
    const auto key = chart.fingerprint().to_string();
    const auto trace = trace_of(chart, 0);
    shown_trace names_only(trace, {}, 64);
    wait_for_trace(names_only.page, 1);
    CHECK_FALSE(names_only.page.chart(key));
    const auto dictionary = nlohmann::json::parse(names_only.page.dictionary(key));
    CHECK(dictionary["name"] == "door");
    CHECK(dictionary["states"][2]["path"] == "door/open");
    CHECK(dictionary["states"][2]["parent"] == 0);

    const hsm::chart_base known[] = {chart};
    const shown_trace with_chart(trace, known, 64);
    wait_for_trace(with_chart.page, 1);
    CHECK(with_chart.page.chart(key));
}

TEST_CASE("view prints the URL of the page, and ends after the time of --seconds") {
    const file trace(trace_of(make_door(), 0), ".trace");
    const auto done = called({"view", trace.path(), "--seconds", "0"});
    CHECK(done.code == 0);
    CHECK(done.err == "");
    CHECK(done.out.starts_with("http://127.0.0.1:"));
    CHECK(done.out.find("/#") != std::string::npos);
    CHECK(done.out.ends_with('\n'));
}

TEST_CASE("view reports a file that is not a trace, and a port that is in use") {
    const file text("hello"), trace(trace_of(make_door(), 0), ".trace");
    const auto garbage = called({"view", text.path(), "--seconds", "0"});
    CHECK(garbage.code == 2);
    CHECK(garbage.out == "");
    CHECK(garbage.err.find("HSM-332") != std::string::npos);
    CHECK(called({"view", trace.path(), "--port", "65536"}).err == "hsm: error: --port takes a number up to 65535\n");

    const hsm::inspect::detail::hub other({.print = false});
    const auto url = other.url();
    const auto port = url.substr(17, url.find("/#") - 17);
    const auto used = called({"view", trace.path(), "--port", port, "--seconds", "0"});
    CHECK(used.code == 2);
    CHECK(used.err.find("HSM-401") != std::string::npos);
}
