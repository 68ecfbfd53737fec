// Observers and files of records without memory: the call that they observe is complete, what they have written can be read, and a second try
// works.

#include <hsm/crowd/crowd.hpp>
#include <hsm/observe/trace_writer.hpp>
#include <tests/observe/hero.hpp>
#include <tests/observe/traces.hpp>
#include <tests/support/scarce_memory.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <string>

namespace {

using test::hero;
using test::hit;
using test::memory::trial;
using test::memory::with_every_shortage;

/// A file in memory whose memory is there already.
struct room {
    std::string bytes;
    hsm::string_sink sink{bytes};
    room() { bytes.reserve(1 << 16); }
};

} // namespace

TEST_CASE("a trace writer without memory leaves a file that can be read") {
    const auto chart = test::hero_chart();
    const auto failures = with_every_shortage([&](trial& t) {
        room file;
        hsm::crowd<hero> herd(chart);
        const auto first = herd.add(hero{});
        std::optional<hsm::trace_writer> writer;
        hsm::attachment attached;
        const bool done = t.attempt([&] {
            writer.emplace(file.sink);
            attached = herd.attach(*writer);
            herd[first]->process(hit{});
            herd[herd.add(hero{})]->process(hit{});
            attached.detach();
            writer.reset();
        });
        attached.detach();
        writer.reset();
        std::string lines;
        if (!file.bytes.empty()) CHECK_NOTHROW(lines = test::lines_of(file.bytes));
        if (done) CHECK(lines.find("1 entered hero/fight/slash\n") != std::string::npos);

        room again;
        writer.emplace(again.sink);
        attached = herd.attach(*writer);
        herd[first]->process(test::rest{});
        CHECK(writer->close());
        CHECK(test::lines_of(again.bytes).find("0 active (attached): hero/") != std::string::npos);
    });
    CHECK(failures > 10);
}

TEST_CASE("a trace writer that could not be attached can be attached again") {
    const auto chart = test::hero_chart();
    const auto other_chart = test::two_regions_chart();
    const auto failures = with_every_shortage([&](trial& t) {
        room file;
        hsm::trace_writer writer(file.sink);
        hero h;
        hsm::instance agent{chart, h}, other{other_chart, h};
        const auto before = agent.attach(writer);
        hsm::trace_writer::track track(writer, "other");
        hsm::attachment attached;
        if (!t.attempt([&] { attached = other.attach(track); })) attached = other.attach(track);
        agent.start();
        other.start();
        CHECK(writer.close());
        CHECK(test::lines_of(file.bytes).find("1 entered hero/body/arms/low\n") != std::string::npos);
    });
    CHECK(failures > 5);
}

TEST_CASE("a trace writer is destroyed without memory") {
    const auto chart = test::hero_chart();
    with_every_shortage([&](trial& t) {
        room file;
        std::optional<hsm::trace_writer> writer(std::in_place, file.sink);
        hsm::crowd<hero> herd(chart);
        auto attached = herd.attach(*writer);
        const hsm::agent_id all[] = {herd.add(hero{}), herd.add(hero{}), herd.add(hero{})};
        for (int round = 0; round < 100; ++round)
            for (const auto id : all) herd[id]->process(hit{});
        attached.detach();
        CHECK(t.attempt([&] { writer.reset(); }));
        CHECK_FALSE(t.was_short());
        CHECK(test::lines_of(file.bytes).find("2 entered hero/fight/slash\n") != std::string::npos);
    });
}
