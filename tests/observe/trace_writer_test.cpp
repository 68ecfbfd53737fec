// The output of a trace_writer can be read by a trace_reader.

#include <hsm/observe/trace_writer.hpp>

#include <hsm/chart/view.hpp>
#include <hsm/crowd/crowd.hpp>
#include <hsm/observe/recorder.hpp>
#include <hsm/observe/trace_error.hpp>
#include <tests/observe/hero.hpp>
#include <tests/observe/traces.hpp>

#include <doctest/doctest.h>

#include <optional>

using hsm::record_kind;
using test::hero;
using test::hit;
using test::lines_of;

namespace {

/// Traced and then started.
struct traced {
    explicit traced(hsm::trace_options options = {}, hsm::record_kinds kinds = hsm::record_kinds::all())
        : chart(test::hero_chart()), agent(chart, context), sink(bytes) {
        writer.emplace(sink, std::move(options));
        attached = agent.attach(*writer, kinds);
        agent.start();
    }
    std::string close() {
        CHECK(writer->close());
        return bytes;
    }
    hero context;
    hsm::chart<hero> chart;
    hsm::instance<hero> agent;
    std::string bytes;
    hsm::string_sink sink;
    std::optional<hsm::trace_writer> writer;
    hsm::attachment attached;
};

/// Fails after `room` bytes.
class narrow_sink final : public hsm::byte_sink {
public:
    explicit narrow_sink(std::size_t room) : room_(room) {}
    bool write(const void*, std::size_t count) override {
        if (count > room_) return false;
        room_ -= count;
        return true;
    }

private:
    std::size_t room_;
};

} // namespace

TEST_CASE("a trace contains all records, the names and the fingerprint of the chart") {
    traced t;
    hsm::recorder seen(1000);
    const auto also = t.agent.attach(seen);
    for (int i = 0; i < 3; ++i) {
        t.agent.process(hit{0});
        t.agent.tick(0.01);
        t.agent.process(test::rest{});
    }
    const auto bytes = t.close();
    hsm::memory_source source(bytes);
    hsm::trace_reader reader(source);
    std::vector<hsm::record> read;
    while (const auto* const entry = reader.next()) read.push_back(entry->what);
    CHECK(reader.complete());
    CHECK(reader.offset() == bytes.size());
    REQUIRE(reader.track_count() == 1);
    CHECK(reader.names_of_track(0) == names_of(t.chart));
    CHECK(reader.names_of_track(0).fingerprint != std::array<std::uint8_t, 16>{});
    const std::vector<hsm::record> known(seen.begin(), seen.end());
    REQUIRE(read.size() > known.size());
    const auto both = known.size() - 3; // the records of its own attachment differ
    CHECK(std::equal(read.end() - static_cast<std::ptrdiff_t>(both), read.end(), known.end() - static_cast<std::ptrdiff_t>(both)));
}

TEST_CASE("the trace of a machine is printed as lines") {
    traced t({}, record_kind::transition | hsm::state_records);
    t.agent.process(hit{1});
    CHECK(lines_of(t.close()) == "0 active (attached): nothing\n"
                                 "0 transition nowhere -> hero (start)\n"
                                 "0 entered hero\n"
                                 "0 entered hero/idle\n"
                                 "0 active (start): hero/idle\n"
                                 "0 transition " +
                                     t.chart.view().transition(1).text() +
                                     " (event)\n"
                                     "0 exited hero/idle\n"
                                     "0 entered hero/fight\n"
                                     "0 entered hero/fight/slash\n");
}

TEST_CASE("describe supplies texts of payloads on request, also at the end of a buffer") {
    traced t({.describe_events = true, .name = "arthur"}, record_kind::event | record_kind::exited);
    std::string expected;
    for (int i = 0; i < 20000; ++i) {
        t.agent.process(hit{i});
        expected += "0 event test::hit (call): hit of " + std::to_string(i) + "\n";
        if (i == 0) expected += "0 exited hero/idle\n";
    }
    const auto bytes = t.close();
    CHECK(lines_of(bytes) == expected);
    hsm::memory_source source(bytes);
    hsm::trace_reader reader(source);
    reader.next();
    CHECK(reader.track(0).name == "arthur");
}

TEST_CASE("each agent of a crowd is a track") {
    const auto chart = test::hero_chart();
    hsm::crowd<hero> herd(chart);
    std::string bytes;
    hsm::string_sink sink(bytes);
    hsm::trace_writer writer(sink);
    const auto attached = herd.attach(writer, record_kind::call | record_kind::call_end | record_kind::entered);
    const auto first = herd.add(hero{}), second = herd.add(hero{});
    herd[second]->process(hit{});
    herd[first]->process(hit{});
    herd[second]->stop();
    CHECK(writer.close());
    hsm::memory_source source(bytes);
    hsm::trace_reader reader(source);
    std::string order;
    while (const auto* const entry = reader.next())
        if (entry->what.kind == record_kind::call && entry->what.what != 0) order += std::to_string(reader.track(entry->track).agent);
    CHECK(reader.track_count() == 2);
    CHECK(reader.chart_count() == 1);
    CHECK(order == "01101");
}

TEST_CASE("several instances have separate tracks in one file, also when one calls the other in a hook") {
    auto outer = hsm::make_fsm<hsm::instance<hero>>("outer");
    auto& a = outer->add("a");
    auto& b = outer->add("b");
    a.to(b).on<hit>().then([](hsm::instance<hero>& inner) { inner.process(hit{}); });
    const auto outer_chart = hsm::compile(std::move(outer));
    const auto chart = test::hero_chart();
    hero h;
    hsm::instance inner{chart, h};
    hsm::instance agent{outer_chart, inner};
    inner.start();
    agent.start();
    std::string bytes;
    hsm::string_sink sink(bytes);
    hsm::trace_writer writer(sink);
    hsm::trace_writer::track first(writer, "the outer one"), second(writer, "the inner one");
    const auto kinds = record_kind::exited | record_kind::entered;
    const auto seen = agent.attach(first, kinds), seen_too = inner.attach(second, kinds);
    agent.process(hit{});
    CHECK(writer.close());
    CHECK(lines_of(bytes) == "0 exited outer/a\n1 exited hero/idle\n1 entered hero/fight\n1 entered hero/fight/slash\n0 entered outer/b\n");
}

TEST_CASE("records after the end of an agent's inner call belong to the outer agent") {
    struct fighter {
        hsm::crowd<fighter>* herd;
        hsm::agent_id other;
    };
    auto root = hsm::make_fsm<fighter>("fighter");
    auto& a = root->add("a").on_exit([](fighter& f) {
        if (f.herd) (*f.herd)[f.other]->process(hit{});
    });
    auto& b = root->add("b");
    a.to(b).on<hit>();
    const auto chart = hsm::compile(std::move(root));
    hsm::crowd<fighter> herd(chart);
    const auto first = herd.add(fighter{}), second = herd.add(fighter{});
    herd.context(first) = {&herd, second};
    std::string bytes;
    hsm::string_sink sink(bytes);
    hsm::trace_writer writer(sink);
    const auto seen = herd.attach(writer, record_kind::call | record_kind::call_end | record_kind::entered);
    herd[first]->process(hit{});
    CHECK(writer.close());
    const auto lines = lines_of(bytes);
    CHECK(lines.substr(lines.find("process") - 2) == "0 process at 0.000000 s, agent 0\n1 process at 0.000000 s, agent 1\n"
                                                     "1 entered fighter/b\n1 -> taken\n0 entered fighter/b\n0 -> taken\n");
}

TEST_CASE("flush writes all earlier records, and a closed writer ignores later ones") {
    traced t({}, record_kind::entered);
    CHECK(t.writer->flush());
    const auto so_far = t.bytes.size();
    t.agent.process(hit{});
    CHECK(t.writer->flush());
    CHECK(t.bytes.size() == so_far + 16 + 2 * 16);
    CHECK(t.writer->close());
    const auto closed = t.bytes.size();
    t.agent.process(test::rest{});
    CHECK(t.writer->close());
    CHECK(t.bytes.size() == closed);
    CHECK(lines_of(t.bytes) == "0 entered hero\n0 entered hero/idle\n0 entered hero/fight\n0 entered hero/fight/slash\n");
}

TEST_CASE("failed, flush and close report a sink that fails") {
    const auto chart = test::hero_chart();
    hero h;
    hsm::instance agent{chart, h};
    narrow_sink sink(20);
    hsm::trace_writer writer(sink);
    CHECK_FALSE(writer.failed());
    const auto seen = agent.attach(writer);
    agent.start();
    CHECK(writer.failed());
    CHECK_FALSE(writer.flush());
    CHECK_FALSE(writer.close());
}

TEST_CASE("a file that cannot be opened is an error with its path") {
    CHECK_THROWS_WITH_AS(hsm::file_sink("/nowhere/at.all"), doctest::Contains("\"/nowhere/at.all\" cannot be opened"), hsm::trace_error);
    CHECK_THROWS_WITH_AS(hsm::file_source("/nowhere/at.all"), doctest::Contains("HSM-331"), hsm::trace_error);
}
