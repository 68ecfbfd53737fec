// Queries about states that hold: `can`, explanations, and lists of what waits.

#include <tests/support/started.hpp>

#include <hsm/observe/explain.hpp>

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace test;

namespace {

struct hit {};

std::string path_of(const std::vector<hsm::held_transition>& list) {
    std::string text;
    for (const auto& each : list)
        text += std::string(text.empty() ? "" : ", ") + std::string(each.source.name()) + ">" + std::string(each.target.name()) +
                (each.transition ? "" : " requested");
    return text;
}

} // namespace

TEST_CASE("can and explanations cause no request and end none") {
    auto root = root_of();
    auto& a = root->add("A").hold().on_leave_requested([](recorder& r) { r.note("leave A"); });
    a.to(root->add("B")).on<hit>();
    a.to("B").when(&recorder::go);
    started m(std::move(root));
    CHECK(m.agent.can(hit{}).outcome == hsm::result::held);
    CHECK(hsm::explain(m.agent, hit{}).outcome == hsm::result::held);
    m.r.go = true;
    CHECK(!hsm::explain(m.agent).candidates.empty());
    CHECK(m.r.take() == "");
    CHECK(m.tick() == "leave A");
    m.r.go = false;
    CHECK(!hsm::explain(m.agent).candidates.empty());
    m.r.go = true;
    CHECK(m.tick() == "");
}

TEST_CASE("pending lists what waits, outermost level first") {
    auto root = root_of();
    auto& m = root->add_fsm("M").hold();
    std::string in_hook;
    auto& a = m.add("A").hold().on_leave_requested([&](recorder&, hsm::step<recorder>& s) { in_hook = path_of(s.pending()); });
    auto& b = m.add("B");
    a.to(b).on<hit>();
    m.to(root->add("C")).when(&recorder::go);
    started s(std::move(root));
    CHECK(s.agent.pending().empty());
    s.agent.process(hit{});
    CHECK(in_hook == "A>B");
    CHECK(path_of(s.agent.pending()) == "A>B");
    CHECK(s.agent.pending()[0].transition->target.written() == b.path());
    s.r.go = true;
    s.tick();
    CHECK(path_of(s.agent.pending()) == "M>C, A>B");
    s.change_to("C");
    CHECK(path_of(s.agent.pending()) == "A>C requested, M>C, A>B");
    s.agent.force_to("C");
    CHECK(s.agent.pending().empty());
}
