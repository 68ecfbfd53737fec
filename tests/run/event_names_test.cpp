// Prefixes of event names, also for names that are unknown when the chart is compiled.

#include <tests/support/two_regions.hpp>

#include <hsm/chart/view.hpp>
#include <hsm/crowd/crowd.hpp>
#include <hsm/run/mailbox.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace test;

namespace {

const auto note_name = [](recorder& r, const hsm::named_event& e) { r.note(e.name()); };
/// A reaction that records a token and the name of the event.
auto tracing_both(std::string token) {
    return [token = std::move(token)](recorder& r, hsm::step<recorder>& s) { r.note(token + ":" + std::string(s.event_name())); };
}

} // namespace

TEST_CASE("a prefix is whole parts of a name") {
    auto root = root_of();
    root->add("A");
    root->on(hsm::event_prefix("error")).then(note_name);
    started m(std::move(root));
    CHECK(m.process("error") == "error");
    CHECK(m.process("error.io") == "error.io");
    CHECK(m.process("error.io.disk") == "error.io.disk");
    CHECK(m.agent.process("errors") == hsm::result::unhandled);
    CHECK(m.agent.process("erro") == hsm::result::unhandled);
    CHECK(m.agent.process("an.error") == hsm::result::unhandled);
    CHECK(m.agent.process("") == hsm::result::unhandled);
}

TEST_CASE("a prefix may end with a dot or a star") {
    for (const auto* const written : {"error", "error.", "error.*"}) CHECK(hsm::event_prefix(written).text == "error");
    CHECK(hsm::event_prefix("*").text.empty());
    CHECK(hsm::any_name().text.empty());
}

TEST_CASE("a prefix owns its text") {
    const auto prefix = [](int n) { return hsm::event_prefix("error.of.the.input.device." + std::to_string(n) + ".*"); }(7);
    const std::string overwritten(40, '#'); // where the text was
    auto root = root_of();
    root->on(prefix).then(note_name);
    root->add("A");
    started m(std::move(root));
    CHECK(m.process("error.of.the.input.device.7.lost") == "error.of.the.input.device.7.lost");
}

TEST_CASE("any_name accepts all names, and no other events") {
    auto root = root_of();
    root->add("A");
    root->on(hsm::any_name()).then(note_name);
    started m(std::move(root));
    CHECK(m.process("x") == "x");
    CHECK(m.process("x.y") == "x.y");
    CHECK(m.agent.process("") == hsm::result::internal);
    CHECK(m.agent.process(event<1>{}) == hsm::result::unhandled);
}

TEST_CASE("a plain name matches only itself, also with a dot or a star in it") {
    auto root = root_of();
    root->add("A");
    root->on("error").then(tracing("plain"));
    root->on("*").then(tracing("star"));
    root->on("error.*").then(tracing("both"));
    started m(std::move(root));
    CHECK(m.process("error") == "plain");
    CHECK(m.process("*") == "star");
    CHECK(m.process("error.*") == "both");
    CHECK(m.agent.process("error.io") == hsm::result::unhandled);
}

TEST_CASE("several names and prefixes are one transition, whose guards are called once") {
    auto root = root_of();
    auto& a = traced(root->add("A"));
    traced(root->add("B"));
    int asked = 0;
    a.to("B").on(hsm::any("go", hsm::event_prefix("go.fast"), hsm::any_name())).when([&asked](const recorder& r) { return ++asked, r.go; });
    started m(std::move(root));
    CHECK(m.agent.process("go.fast.now") == hsm::result::guarded);
    CHECK(asked == 1);
    m.r.go = true;
    CHECK(m.process("something else") == "X A, E B");
    CHECK(asked == 2);
}

TEST_CASE("transitions by prefix and by name are tried by priority, then definition") {
    auto root = root_of();
    auto& a = root->add("A");
    a.on(hsm::any_name()).when(&recorder::go).then(tracing("any"));
    a.on("jump.high").when(&recorder::ready).then(tracing("jump.high"));
    a.on(hsm::event_prefix("jump")).then(tracing("jump.*"));
    a.on(hsm::event_prefix("jump.high")).then(tracing("important")).priority(1).when([](const recorder& r, const hsm::named_event& e) {
        return r.ready && e.name() != "jump.high";
    });
    started m(std::move(root));
    CHECK(m.process("jump.high") == "jump.*");
    CHECK(m.process("jump.high.twice") == "jump.*");
    m.r.ready = true;
    CHECK(m.process("jump.high") == "jump.high");
    CHECK(m.process("jump.high.twice") == "important");
    m.r.go = true;
    CHECK(m.process("jump.high") == "any");
    CHECK(m.process("jump") == "any");
}

TEST_CASE("the superstate or the substate comes first, depending on the order") {
    const auto make = [] {
        auto root = root_of();
        auto& machine = root->add_fsm("M");
        machine.add("A").on(hsm::event_prefix("x")).then(tracing_both("inner"));
        root->on(hsm::any_name()).then(tracing_both("outer"));
        return root;
    };
    started outer(make());
    CHECK(outer.process("x.y") == "outer:x.y");
    started inner(make(), substates_first);
    CHECK(inner.process("x.y") == "inner:x.y");
    CHECK(inner.process("xy") == "outer:xy");
}

TEST_CASE("the step contains the event's name in every hook of the transition") {
    auto root = root_of();
    const auto noting_name = [](std::string what) { return tracing_both(std::move(what)); };
    root->add("A").on_exit(noting_name("X")).to("B").on(hsm::event_prefix("go")).then(noting_name("T"));
    root->add("B").on_enter(noting_name("E"));
    started m(std::move(root));
    CHECK(m.process("go.there") == "X:go.there, T:go.there, E:go.there");
}

TEST_CASE("names are kept in the queues: internal, posted and the mailbox") {
    auto root = root_of();
    auto& a = root->add("A");
    a.on("start").then([](recorder&, hsm::step<recorder>& s) {
        std::string name = "x.internal";
        s.process(name);
        s.post("x.posted");
        name = "gone";
    });
    a.on(hsm::event_prefix("x")).then(note_name);
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent(chart, r, {.mailbox = 4});
    agent.start();
    agent.process("start");
    CHECK(r.take() == "x.internal");
    {
        const std::string name = "x.mailed";
        agent.mailbox().post(name);
        agent.mailbox().post("x");
    }
    agent.drain();
    CHECK(r.take() == "x.posted, x.mailed, x");
    CHECK(agent.post("y") == hsm::result::unhandled);
}

TEST_CASE("a deferred event and a pending event keep the name") {
    auto root = root_of();
    auto& a = root->add("A").defer("plain");
    auto& b = root->add("B");
    a.on(hsm::event_prefix("x")).when(&recorder::ready).then(note_name);
    a.to(b).on(hsm::event_prefix("go")).then(note_name);
    a.hold();
    b.on(hsm::any_name()).then(note_name);
    started m(std::move(root));
    CHECK(m.agent.process("plain") == hsm::result::deferred);
    {
        const std::string name = "go.away";
        CHECK(m.agent.process(name) == hsm::result::held);
    }
    m.agent.release();
    CHECK(m.decide() == "go.away, plain");
}

TEST_CASE("each region accepts a name by its own pattern") {
    auto root = root_of();
    auto& both = root->add_parallel("P");
    auto& left = both.add_fsm("L");
    auto& right = both.add_fsm("Q");
    traced(left.add("l1")).to("l2").on(hsm::event_prefix("a")).then(note_name);
    traced(left.add("l2"));
    traced(right.add("r1")).to("r2").on(hsm::any("a.b", "c")).then(note_name);
    traced(right.add("r2"));
    started m(std::move(root));
    SUBCASE("one of them") { CHECK(m.process("a.c") == "X l1, a.c, E l2"); }
    SUBCASE("both") { CHECK(m.process("a.b") == "X r1, X l1, a.b, a.b, E l2, E r2"); }
    SUBCASE("neither of them") { CHECK(m.agent.process("b") == hsm::result::unhandled); }
}

TEST_CASE("large charts find names and prefixes in lists and by parts") {
    for (const auto& how : {hsm::compile_options{.row_memory = 0}, hsm::compile_options{.program_memory = 0}}) {
        auto root = root_of();
        traced(root->add("A")).to("B").on(hsm::event_prefix("go")).then(note_name);
        traced(root->add("B")).to("A").on("go.back");
        root->on(hsm::any_name()).when(&recorder::go).then(note_name);
        started m(std::move(root), how);
        CHECK(m.process("go.now") == "X A, go.now, E B");
        CHECK(m.agent.process("go.on") == hsm::result::guarded);
        CHECK(m.process("go.back") == "X B, E A");
        m.r.go = true;
        CHECK(m.process("whatever") == "whatever");
    }
}

TEST_CASE("all agents of a crowd receive an unknown name") {
    auto root = root_of();
    root->add("A").on(hsm::event_prefix("x")).then(note_name);
    const auto chart = hsm::compile(std::move(root));
    hsm::crowd<recorder> crowd(chart);
    const auto one = crowd.add(), other = crowd.add();
    CHECK(crowd.process_all("x.y")[hsm::result::internal] == 2);
    CHECK(crowd.context(one).take() == "x.y");
    CHECK(crowd.context(other).take() == "x.y");
    CHECK(crowd.post_all("x.z")[hsm::result::queued] == 2);
    crowd.tick();
    CHECK(crowd.context(one).take() == "x.z");
}

TEST_CASE("a deferral of a plain name does not defer names that start with it") {
    auto root = root_of();
    root->add("A").defer("x").to("B").on("go");
    root->add("B").on(hsm::event_prefix("x")).then(note_name);
    started m(std::move(root));
    CHECK(m.agent.process("x.y") == hsm::result::unhandled);
    CHECK(m.agent.process("x") == hsm::result::deferred);
    CHECK(m.process("go") == "x");
}

TEST_CASE("each of many names is found, and an unknown name finds its longest prefix") {
    constexpr int names = 1000;
    auto root = root_of();
    auto& a = root->add("A");
    for (int i = 0; i < names; ++i) {
        const auto number = std::to_string(i);
        a.on("name." + number).then(note_name);
        if (i % 9 == 0) a.on("part." + number).then(tracing("itself"));
        if (i % 3 == 0) a.on(hsm::event_prefix("part." + number)).then(tracing("beginning"));
    }
    started m(std::move(root));
    for (int i = 0; i < names; ++i) {
        const auto number = std::to_string(i);
        CHECK(m.process("name." + number) == "name." + number);
        CHECK(m.process("name." + number + ".x") == "");
        const bool known = i % 3 == 0;
        CHECK(m.process("part." + number) == (i % 9 == 0 ? "itself" : known ? "beginning" : ""));
        CHECK(m.process("part." + number + ".x.y") == (known ? "beginning" : ""));
        CHECK(m.process("part." + number + "x") == "");
    }
    CHECK(m.process("part") == "");
    CHECK(m.process("") == "");
    CHECK(m.process(std::string(1'000'000, '.')) == ""); // takes no measurable time
    CHECK(m.process("part.3" + std::string(1'000'000, '.')) == "beginning");
}

TEST_CASE("a chart lists its patterns as written") {
    auto root = root_of();
    root->add("A").on(hsm::any("b", hsm::event_prefix("a")));
    root->on(hsm::any_name());
    const auto chart = hsm::compile(std::move(root));
    std::string names;
    for (const auto e : chart.view().events()) names += std::string(e.text()) + "; ";
    CHECK(names == "*; a.*; b; ");
}
