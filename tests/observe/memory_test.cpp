// Observers and files of records without memory: the call that they observe is complete, what they have written can be read, and a second try
// works.
//
// Without memory: observe/coverage.hpp observe/explanation.hpp observe/recorder.hpp observe/record_text.hpp observe/statistics.hpp
// Without memory: observe/trace_writer.hpp observe/breakpoint.hpp observe/byte_stream.hpp observe/expect.hpp observe/followed_states.hpp
// Without memory: constant/constant_definition.hpp constant/observed_instance.hpp draw/svg.hpp

#include <hsm/constant/constant_definition.hpp>
#include <hsm/constant/observed_instance.hpp>
#include <hsm/crowd/crowd.hpp>
#include <hsm/draw/detail/run_program.hpp>
#include <hsm/draw/dot.hpp>
#include <hsm/draw/mermaid.hpp>
#include <hsm/draw/plantuml.hpp>
#include <hsm/draw/svg.hpp>
#include <hsm/draw/text.hpp>
#include <hsm/manage/manager.hpp>
#include <hsm/observe/breakpoint.hpp>
#include <hsm/observe/byte_stream.hpp>
#include <hsm/observe/chart_names.hpp>
#include <hsm/observe/convert.hpp>
#include <hsm/observe/coverage.hpp>
#include <hsm/observe/coverage_report.hpp>
#include <hsm/observe/expect.hpp>
#include <hsm/observe/explain.hpp>
#include <hsm/observe/explain_constant.hpp>
#include <hsm/observe/followed_states.hpp>
#include <hsm/observe/highlights.hpp>
#include <hsm/observe/recorder.hpp>
#include <hsm/observe/statistics.hpp>
#include <hsm/observe/trace_writer.hpp>
#include <tests/observe/hero.hpp>
#include <tests/observe/traces.hpp>
#include <tests/support/scarce_memory.hpp>
#include <tests/support/temporary_folder.hpp>

#include <doctest/doctest.h>

#include <optional>
#include <string>
#include <vector>

#if __has_include(<sys/wait.h>)
#include <sys/wait.h>
#endif

namespace {

using test::hero;
using test::hit;
using test::rest;
using test::memory::trial;
using test::memory::with_every_shortage;
using test::memory::with_many_shortages;

/// A file in memory whose memory is there already.
struct room {
    std::string bytes;
    hsm::string_sink sink{bytes};
    room() { bytes.reserve(1 << 16); }
};

std::string saved(const hsm::coverage& seen) {
    std::string bytes;
    hsm::string_sink sink(bytes);
    seen.save(sink);
    return bytes;
}

void play(hsm::instance<hero>& agent) {
    agent.start();
    agent.process(hit{});
    agent.tick(0.02);
    agent.process(rest{});
    agent.stop();
}

/// Throws where it is attached, as often as it is asked to.
struct reluctant final : hsm::observer {
    int refusals = 0, records = 0;
    void on_attached(const hsm::moment&) override {
        if (refusals > 0 && --refusals == 0) throw std::bad_alloc();
    }
    void on_record(const hsm::record&, const hsm::moment&) override { ++records; }
};

} // namespace

TEST_CASE("a trace writer that gets no memory leaves a readable file") {
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
        herd[first]->process(rest{});
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

TEST_CASE("the destructor of a trace writer needs no memory") {
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

TEST_CASE("coverage that gets no memory adds all counts or none") {
    const auto chart = test::hero_chart();
    hero h;
    hsm::instance agent{chart, h};
    hsm::coverage one(chart), other(chart);
    {
        const auto attached = one.watch(agent);
        play(agent);
    }
    {
        const auto attached = other.watch(agent);
        agent.start();
        agent.stop();
    }
    const auto before = saved(other), more = saved(one);
    REQUIRE(before != more);
    for (const bool from_file : {false, true}) {
        CAPTURE(from_file);
        const auto failures = with_every_shortage([&](trial& t) {
            hsm::coverage sum(chart);
            sum.merge(other);
            const auto add = [&] {
                if (!from_file) return sum.merge(one);
                hsm::memory_source source(more);
                sum.load(source);
            };
            if (!t.attempt(add)) {
                CHECK(saved(sum) == before);
                add();
            }
            CHECK(sum.entered(chart.view().root()) == one.entered(chart.view().root()) + other.entered(chart.view().root()));
        });
        CHECK(failures > 10);
    }
}

TEST_CASE("coverage, statistics, recorders and trace writers for which there is no memory are not created, and leave nothing behind") {
    const auto chart = test::hero_chart();
    std::string bytes;
    hsm::string_sink sink(bytes);
    const auto create = [&](int which) {
        if (which == 0) hsm::coverage seen(chart);
        if (which == 1) hsm::statistics figures;
        if (which == 2) hsm::recorder seen(100);
        if (which == 3) hsm::trace_writer trace(sink);
    };
    for (const int which : {0, 1, 2, 3}) {
        CAPTURE(which);
        CHECK(with_every_shortage([&](trial& t) { t.attempt([&] { create(which); }); }) > 0);
    }
}

TEST_CASE("attach to a crowd or a manager throws its observer's exception, and attaches to no machine") {
    const auto chart = test::hero_chart();
    hsm::crowd<hero> herd(chart);
    std::vector<hsm::agent_id> ids;
    for (int i = 0; i < 3; ++i) ids.push_back(herd.add(hero{}));
    hsm::manager all;
    hero h;
    for (const char* name : {"a", "b", "c"}) all.create(name, chart, h).start();
    for (const bool of_crowd : {false, true}) {
        CAPTURE(of_crowd);
        reluctant o;
        o.refusals = 2;
        const auto attach = [&] { return of_crowd ? herd.attach(o) : all.attach(o); };
        CHECK_THROWS_AS((void)attach(), std::bad_alloc);
        o.records = 0;
        for (const auto id : ids) herd[id]->process(hit{});
        all.update(0.01);
        CHECK(o.records == 0);
        const auto attached = attach();
        CHECK(o.records > 0);
        o.refusals = 1;
        if (of_crowd) {
            CHECK_THROWS_AS(herd.add(hero{}), std::bad_alloc);
            CHECK(herd.count() == 3);
            CHECK_NOTHROW(herd.add(hero{}));
        } else {
            CHECK_THROWS_AS(all.create("d", chart, h), std::bad_alloc);
            CHECK_FALSE(all.find("d"));
            CHECK_NOTHROW(all.create("d", chart, h));
        }
    }
}

namespace {

/// A machine, what has been recorded of it, and a text that a function makes of them.
struct recorded {
    hsm::chart<hero> chart = test::hero_chart();
    hero h;
    hsm::instance<hero> agent{chart, h};
    std::string trace;
    hsm::coverage seen{chart};
    hsm::statistics counts;
    hsm::recorder seen_records{1000};

    recorded() {
        hsm::string_sink sink(trace);
        hsm::trace_writer writer(sink);
        const auto traced = agent.attach(writer);
        const auto covered = agent.attach(seen);
        const auto counted = agent.attach(counts);
        const auto kept = agent.attach(seen_records);
        play(agent);
        agent.start();
        agent.process(hit{});
    }
    std::string converted(void (*convert)(hsm::trace_reader&, hsm::byte_sink&)) const {
        hsm::memory_source source(trace);
        hsm::trace_reader from(source);
        std::string text;
        hsm::string_sink to(text);
        convert(from, to);
        return text;
    }
};

struct reading {
    const char* header;
    const char* function;
    std::string (*text)(recorded&);
};

struct desk {
    bool lit = false;
};
constexpr auto lamp = hsm::constant_chart<desk>([](hsm::constant_fsm<desk>& root) {
    root.named("a lamp whose name does not fit into a string itself");
    auto& off = root.add("off");
    auto& on = root.add("on").on_enter([](desk& d) { d.lit = true; });
    off.to(on).on<hit>().when([](const desk& d) { return !d.lit; });
    on.to(off).on<rest>();
});

std::string active_states_of(const hsm::chart<hero>& chart, const hsm::recorder& seen) {
    const auto names = hsm::names_of(chart);
    const auto superstates = hsm::superstates_of(names);
    hsm::followed_states states(superstates);
    for (std::size_t i = 0; i < seen.size(); ++i) states.apply(seen[i]);
    std::string text;
    for (const auto s : states.active()) text += std::string(names.path(s)) + '\n';
    return text;
}

const reading readings[] = {
    {"observe/chart_names.hpp", "names of a chart",
     [](recorded& r) {
         const auto names = hsm::names_of(r.chart);
         std::string text;
         for (const auto& s : names.states) text += s.path + '\n';
         for (const auto& t : names.transitions) text += t.text + '\n';
         return text;
     }},
    {"observe/followed_states.hpp", "active states by records", [](recorded& r) { return active_states_of(r.chart, r.seen_records); }},
    {"observe/explain_constant.hpp", "explain an event of a constant instance",
     [](recorded&) {
         desk d{true};
         hsm::constant_instance<lamp> agent(d);
         agent.start();
         return to_string(hsm::explain(agent, hit{})) + to_string(hsm::why_not(agent, "on")) + to_string(hsm::possible(agent));
     }},
    {"constant/constant_definition.hpp", "compile the definition of a constant chart",
     [](recorded&) { return hsm::compile(hsm::definition_of(lamp)).find("on").path(); }},
    {"observe/explain.hpp", "explain an event", [](recorded& r) { return to_string(hsm::explain(r.agent, hit{})); }},
    {"observe/explain.hpp", "explain a name", [](recorded& r) { return to_string(hsm::explain(r.agent, "an event that this chart does not know")); }},
    {"observe/explain.hpp", "explain the next tick", [](recorded& r) { return to_string(hsm::explain(r.agent)); }},
    {"observe/explain.hpp", "why_not", [](recorded& r) { return to_string(hsm::why_not(r.agent, "dead")); }},
    {"observe/explain.hpp", "possible", [](recorded& r) { return to_string(hsm::possible(r.agent)); }},
    {"observe/trace_reader.hpp", "read a trace", [](recorded& r) { return test::lines_of(r.trace); }},
    {"observe/convert.hpp", "write_json_lines", [](recorded& r) { return r.converted(hsm::write_json_lines); }},
    {"observe/convert.hpp", "write_chrome_trace", [](recorded& r) { return r.converted(hsm::write_chrome_trace); }},
    {"observe/convert.hpp", "write_perfetto_trace", [](recorded& r) { return r.converted(hsm::write_perfetto_trace); }},
    {"observe/coverage_report.hpp", "coverage_text", [](recorded& r) { return hsm::coverage_text(r.seen); }},
    {"observe/highlights.hpp", "a drawing with statistics",
     [](recorded& r) { return hsm::draw::dot(r.chart, {.highlight = hsm::highlights_of(r.counts, r.chart)}).text; }},
    {"draw/dot.hpp", "dot", [](recorded& r) { return hsm::draw::dot(r.chart).text; }},
    {"draw/highlights.hpp", "active states",
     [](recorded& r) { return hsm::draw::dot(r.chart, {.highlight = hsm::draw::active(r.chart, r.agent.leaves())}).text; }},
    {"draw/mermaid.hpp", "mermaid", [](recorded& r) { return hsm::draw::mermaid(r.chart).text; }},
    {"draw/plantuml.hpp", "plantuml", [](recorded& r) { return hsm::draw::plantuml(r.chart).text; }},
    {"draw/text.hpp", "text", [](recorded& r) { return hsm::draw::text(r.chart).text; }},
    {"chart/view.hpp", "names of all parts",
     [](recorded& r) {
         std::string names;
         for (const auto state : r.chart.view().states()) names += std::string(state.path()) + '\n';
         for (const auto t : r.chart.view().transitions()) names += t.text() + '\n';
         return names;
     }},
    {"run/instance_base.hpp", "path", [](recorded& r) { return r.agent.path_of_leaves() + to_string(r.agent); }},
};

} // namespace

TEST_CASE("a function that reads a machine or a file returns the complete text or throws, and changes nothing") {
    for (const auto& each : readings) {
        CAPTURE(each.function);
        recorded r;
        const auto expected = each.text(r);
        REQUIRE(!expected.empty());
        with_many_shortages([&](trial& t) {
            std::string text;
            const bool done = t.attempt([&] { text = each.text(r); });
            if (done) CHECK(text == expected);
            CHECK(r.h.life == 1);
            CHECK(each.text(r) == expected);
        });
    }
}

namespace {
/// No other test uses it, so its chart is compiled for the first observed instance.
constexpr auto observed_lamp = hsm::constant_chart<desk>([](hsm::constant_fsm<desk>& root) {
    root.named("observed lamp");
    auto& off = root.add("off");
    off.to(root.add("on")).on<hit>();
});
} // namespace

TEST_CASE("an observed constant instance for which there is no memory is not created") {
    struct counter {
        int records = 0;
        void on_record(const hsm::record&, const hsm::moment&) { ++records; }
    };
    using observed = hsm::constant_instance<observed_lamp, hsm::queue<0>, counter>;
    desk d;
    counter seen;
    trial first(0, test::memory::shortage::lasting); // no chart has been compiled for it yet
    CHECK_FALSE(first.attempt([&] { observed agent(d, seen); }));
    with_every_shortage([&](trial& t) {
        t.attempt([&] { observed agent(d, seen); });
        seen.records = 0;
        observed agent(d, seen);
        agent.start();
        CHECK(agent.process(hit{}) == hsm::result::taken);
        CHECK(seen.records > 5);
    });
}

TEST_CASE("a breakpoint for which there is no memory is not added") {
    const auto chart = test::hero_chart();
    int stops = 0;
    const auto count = [&](const hsm::record&, const hsm::moment&) { ++stops; };
    using counting = hsm::breakpoint<decltype(count)>;
    const auto add = [&](counting& stop) { stop.at_entry("fight/slash").at_exit("idle").at_event<hit>().at_error(); };
    const auto stops_of = [&](counting& stop, trial* t) {
        stops = 0;
        hero h;
        hsm::instance agent{chart, h};
        hsm::attachment attached;
        const auto attach = [&] { attached = stop.watch(agent); };
        if (!t || !t->attempt(attach)) attach();
        agent.start();
        agent.process(hit{});
        return stops;
    };
    counting whole(chart, count);
    add(whole);
    const auto most = stops_of(whole, nullptr);
    REQUIRE(most > 2);
    CHECK(with_every_shortage([&](trial& t) {
              counting stop(chart, count);
              if (!t.attempt([&] { add(stop); })) {
                  CHECK(stops_of(stop, nullptr) <= most);
                  stop.clear();
                  add(stop);
              }
              CHECK(stops_of(stop, nullptr) == most);
          }) > 2);
    CHECK(with_every_shortage([&](trial& t) { CHECK(stops_of(whole, &t) == most); }) > 2);
}

TEST_CASE("an expectation that gets no memory throws std::bad_alloc, not an unmet expectation") {
    const auto chart = test::hero_chart();
    const auto right = [](hsm::recorder& seen) {
        hsm::expect(seen).event<hit>().takes("idle", "fight").exits("idle").enters("fight").enters("slash").nothing_else();
    };
    const auto wrong = [](hsm::recorder& seen) {
        try {
            hsm::expect(seen).event<hit>().exits("fight");
            FAIL("no error");
        } catch (const hsm::unmet_expectation&) {
        }
    };
    for (const bool is_met : {true, false}) {
        CAPTURE(is_met);
        const auto check = [&](hsm::recorder& seen) { is_met ? right(seen) : wrong(seen); };
        CHECK(with_many_shortages([&](trial& t) {
                  hero h;
                  hsm::instance agent{chart, h};
                  agent.start();
                  hsm::recorder seen(100), again(100);
                  const auto attached = agent.attach(seen), second = agent.attach(again);
                  agent.process(hit{});
                  t.attempt([&] { check(seen); });
                  check(again);
              }) > 10);
    }
}

TEST_CASE("a file is written and read completely, or the call throws") {
    const hsm::test::temporary_folder folder("memory_test");
    const auto path = (folder.path() / "a file whose name does not fit into a string itself").string();
    std::string content;
    with_every_shortage([&](trial& t) {
        content.clear();
        const auto round_trip = [&] {
            hsm::file_sink to(path);
            CHECK(to.write("text", 4));
            CHECK(to.close());
            hsm::file_source from(path);
            char text[8] = {};
            content.assign(text, from.read(text, sizeof text));
        };
        if (!t.attempt(round_trip)) round_trip();
        CHECK(content == "text");
    });
    CHECK(with_every_shortage([](trial& t) {
              std::string bytes = "first";
              hsm::string_sink to(bytes);
              const std::string more(100, 'x');
              const bool done = t.attempt([&] { static_cast<void>(to.write(more.data(), more.size())); });
              CHECK(bytes == (done ? "first" + more : "first"));
          }) > 0);
}

TEST_CASE("a picture is rendered or the call throws") {
    if (!hsm::draw::can_render()) return;
    const auto chart = test::hero_chart();
    with_many_shortages([&](trial& t) {
        std::string picture;
        const bool done = t.attempt([&] { picture = hsm::draw::svg(chart); });
        CHECK(picture.ends_with("</svg>\n") == done);
    });
}

#if __has_include(<sys/wait.h>)
TEST_CASE("a child process has ended when its call throws std::bad_alloc") {
    const std::vector<std::string> command = {"echo", "a text that does not fit into a string itself"};
    CHECK(with_every_shortage([&](trial& t) {
              std::string output;
              const bool done = t.attempt([&] { output = hsm::detail::run_program(command, {}).output; });
              CHECK(output.empty() != done);
              CHECK(waitpid(-1, nullptr, WNOHANG) == -1);
          }) > 2);
}
#endif
