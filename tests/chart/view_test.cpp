// A view lists the parts of a chart: states, transitions, events, conditions, guards, hooks, timers.

#include <tests/support/recorder.hpp>

#include <hsm/chart/view.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <vector>

using namespace std::chrono_literals;
using test::event;
using test::recorder;

namespace game {
struct hit {};
enum class signal { go, halt };
} // namespace game

namespace {

struct swing {
    float left = 1;
    bool finished() const { return left <= 0; }
};

int first_line = 0; ///< of the transitions that follow

hsm::chart<recorder> full() {
    auto root = hsm::make_fsm<recorder>("hero");
    root->condition("Armed", 3);
    auto& idle = root->add("idle").on_enter([](recorder&) {}).on_update([](recorder&) {});
    auto& fight = root->add_fsm("fight");
    auto& slash = fight.add<swing>("slash", 0.4f).hold().min_duration(20ms);
    auto& block = fight.add("block");
    auto& away = root->add_parallel("away");
    auto& legs = away.add_fsm("legs");
    legs.add("idle");
    auto& arms = away.add_fsm("arms");
    auto& swinging = arms.add("swinging");
    auto& dead = root->add_final("dead");
    first_line = __LINE__ + 1;
    idle.to(fight).on<game::hit>().when("Armed").when([](const recorder& r) { return r.go; }).then([](recorder&) {}).priority(2);
    idle.on(game::signal::go).then([](recorder&) {});
    idle.to(legs, swinging).on("flee");
    fight.dispatch(slash).when([](const recorder& r) { return r.ready; });
    fight.initial(block);
    slash.to(block).on_finished();
    block.to(slash).after(1500us);
    root->to(dead).when(hsm::any("Tired", "!Armed")).unless_in(fight);
    root->every(1s).then([](recorder&) {});
    arms.defer("flee");
    return hsm::compile(std::move(root));
}

std::string names(const auto& list) {
    std::string text;
    for (const auto each : list) text += (text.empty() ? "" : " ") + std::string(each.distinct_name());
    return text;
}

} // namespace

TEST_CASE("a view lists states with their kind, properties and position in the tree") {
    const auto chart = full();
    const auto view = chart.view();
    REQUIRE(view);
    CHECK(names(view.states()) == "hero hero/idle fight slash block away legs legs/idle arms swinging dead");
    CHECK(view.states().size() == chart.state_count());
    const auto fight = view.find("fight");
    REQUIRE(fight);
    CHECK(fight.number() == 2);
    CHECK(fight.path() == "hero/fight");
    CHECK(fight.kind() == hsm::state_kind::machine);
    CHECK(fight.superstate() == view.root());
    CHECK(!view.root().superstate());
    CHECK(names(fight.substates()) == "slash block");
    CHECK(fight.last() == 4);
    CHECK(fight.contains(view.find("slash")));
    CHECK(!fight.contains(view.find("away")));
    CHECK(fight.ref() == chart.find("fight"));
    CHECK(view.find("legs").is_region());
    CHECK(view.find("legs").region() == 1);
    CHECK(view.find("legs/idle").depth() == 3);
    CHECK(!view.find("idle")); // there are two
    CHECK(!view.find("nowhere"));
    CHECK(to_string(view.find("dead").kind()) == "final");
    const auto slash = view.find("slash");
    CHECK(slash.holds());
    CHECK(slash.holds_until_released());
    CHECK(slash.least_duration().fixed() == hsm::time_span(20ms));
    REQUIRE(slash.locals().size() == 1);
    CHECK(slash.locals()[0].ends_with("swing"));
    CHECK(slash.predicates().size() == 1);
    CHECK(view.state(1).hooks(hsm::hook_kind::enter).size() == 1);
    CHECK(view.state(1).hooks(hsm::hook_kind::exit).empty());
    CHECK(!view.state(99));
}

TEST_CASE("a view lists transitions in the order in which they are tried, as one line each") {
    const auto chart = full();
    const auto view = chart.view();
    std::string all;
    for (const auto t : view.transitions()) all += t.text() + "\n";
    const auto line = [](int n) { return "view_test.cpp:" + std::to_string(first_line + n); };
    CHECK(all == "hero -> dead unless in fight [Tired || !Armed]\n"
                 "hero every 1s / " +
                     line(8) +
                     "\n"
                     "hero/idle -> fight on game::hit [Armed && " +
                     line(0) + "] / " + line(0) +
                     "\n"
                     "hero/idle on go of game::signal / " +
                     line(1) +
                     "\n"
                     "hero/idle -> legs, swinging on flee\n"
                     "fight chooses -> slash [" +
                     line(3) +
                     "]\n"
                     "fight begins -> block\n"
                     "slash -> block when finished\n"
                     "block -> slash after 1500us\n"
                     "arms -> later on flee\n");
    const auto hit = view.transition(2);
    CHECK(hit.source().path() == "hero/idle");
    CHECK(hit.level() == view.root());
    CHECK(hit.priority() == 2);
    CHECK(hit.event().text() == "game::hit");
    CHECK(hit.trigger() == hsm::trigger_kind::event);
    CHECK(hit.same_as() == hit);
    CHECK(!hit.timer());
    REQUIRE(hit.guards().size() == 1);
    CHECK(hit.guards()[0].transition() == hit);
    CHECK(hit.guards()[0].state() == hit.source());
    CHECK(view.transition(4).targets().size() == 2);
    CHECK(view.transition(5).role() == hsm::transition_role::dispatch);
    CHECK(view.transition(9).defers());
    CHECK(view.transition(3).is_internal());
    CHECK(!view.transition(3).level());
}

TEST_CASE("a view finds events and conditions by number") {
    const auto chart = full();
    const auto view = chart.view();
    std::vector<std::string> texts;
    for (const auto e : view.events()) texts.push_back(e.text());
    std::sort(texts.begin(), texts.end());
    CHECK(texts == std::vector<std::string>{"flee", "game::hit", "go of game::signal"});
    CHECK(view.conditions().size() == chart.condition_count());
    CHECK(view.condition(0).text() == "is finished");
    CHECK(view.condition(3).name() == "Armed");
    CHECK(view.condition(3).owner() == view.root());
    const auto group = view.transition(0).conditions()[0];
    CHECK(group.is_any());
    CHECK(group.size() == 2);
}

TEST_CASE("a transition has one row for each of its events that other transitions distinguish") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).on(hsm::range('0', '9')).when([](const recorder& r) { return r.go; });
    a.to(a).on('5');
    const auto chart = hsm::compile(std::move(root));
    const auto view = chart.view();
    std::size_t written = 0;
    for (const auto t : view.transitions()) written += t.same_as() == t;
    CHECK(view.transitions().size() > 2);
    CHECK(written == 2);
    CHECK(view.guards().size() == 1);
}

namespace {
using texts = std::vector<std::string>;
texts listed(std::span<const std::string> from) { return {from.begin(), from.end()}; }
} // namespace

TEST_CASE("a view lists former names of states, conditions and events; the chart does not find them") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A").was("first").was("oldest");
    auto& m = root->add_fsm("M").was("machine");
    auto& b = m.add("B");
    root->condition("Armed").was("HasWeapon");
    root->about_event<game::hit>().was("punch").was("blow");
    m.about_event(game::signal::go).was("begin");
    root->about_event("start").was("commence");
    root->about_event("unexpected").was("nothing");
    a.to(m).on<game::hit>().when("Armed");
    b.to(a).on(game::signal::go);
    a.to(b).on("start");
    const auto chart = hsm::compile(std::move(root));
    const auto view = chart.view();
    CHECK(listed(view.find("A").former_names()) == texts{"first", "oldest"});
    CHECK(listed(view.find("M").former_names()) == texts{"machine"});
    CHECK(view.find("B").former_names().empty());
    CHECK(listed(view.condition(chart.condition("Armed").number()).former_names()) == texts{"HasWeapon"});
    CHECK(listed(view.event(0).former_names()) == texts{"punch", "blow"});
    CHECK(listed(view.event(1).former_names()) == texts{"commence"});
    CHECK(listed(view.event(2).former_names()) == texts{"begin"});
    CHECK(!chart.find("first"));
    CHECK(!chart.condition("HasWeapon").valid());
}

TEST_CASE("an empty chart has an empty view; threads that request the first view get the same one") {
    auto chart = full();
    std::vector<hsm::chart_view> seen(4);
    {
        std::vector<std::thread> threads;
        for (auto& each : seen) threads.emplace_back([&] { each = chart.view(); });
        for (auto& t : threads) t.join();
    }
    for (const auto& each : seen) CHECK(each == seen[0]);
    const auto other = std::move(chart);
    CHECK(!chart.view()); // NOLINT
    CHECK(other.view() == seen[0]);
}
