// The view of a constant chart equals the view of the same definition compiled at run time.

#include <hsm/constant/constant_definition.hpp>
#include <hsm/constant/constant_view.hpp>
#include <hsm/hsm.hpp>

#include <doctest/doctest.h>

#include <string>

namespace {

enum class key { press, hold };
struct shock {};
struct lamp {
    bool lit = false, broken = false;
};

constexpr auto lamp_chart = hsm::constant_chart<lamp>([](auto& root) {
    auto& off = root.add("off").on_exit([](lamp&) {});
    auto& on = root.add_fsm("on").on_enter([](lamp& l) { l.lit = true; });
    auto& bright = on.add("bright");
    auto& dim = on.add("dim");
    auto& blink = on.add_fsm("blink");
    blink.add("off");
    off.to(on).on(key::press).when([](const lamp& l) { return !l.broken; }).then([](lamp&) {});
    on.to(off).on(key::press).priority(1);
    on.dispatch(dim).when(&lamp::broken);
    on.initial(bright);
    bright.to(dim).on(key::hold);
    dim.to(blink).unless_in(off);
    on.template on<shock>().then([](lamp&) {});
});

/// The text of a view without the labels of guards and hooks, which a constant chart does not store.
std::string text_of(const hsm::chart_view& view) {
    std::string text;
    for (const auto s : view.states())
        text += std::string(s.path()) + " " + std::string(s.distinct_name()) + " " + std::string(to_string(s.kind())) + " " +
                std::to_string(s.last()) + " " + std::to_string(s.hooks(hsm::hook_kind::enter).size()) +
                std::to_string(s.hooks(hsm::hook_kind::exit).size()) + "\n";
    for (const auto t : view.transitions()) {
        text += std::string(t.source().distinct_name()) + " " + std::to_string(t.priority()) + " " + std::string(to_string(t.trigger()));
        for (const auto target : t.targets()) text += " -> " + std::string(target.distinct_name());
        if (t.event()) text += " on " + t.event().text();
        text += " " + std::to_string(t.guards().size()) + std::to_string(t.actions().size()) + std::to_string(t.excluded().size()) + "\n";
    }
    return text;
}

} // namespace

TEST_CASE("the view of a constant chart equals the view of the same definition compiled at run time") {
    auto root = hsm::make_fsm<lamp>("root");
    decltype(lamp_chart)::definition{}(*root);
    const auto at_run_time = hsm::compile(std::move(root), {.order = lamp_chart.order});
    CHECK(text_of(hsm::view_of(lamp_chart)) == text_of(at_run_time.view()));
}

TEST_CASE("the view of a constant chart finds states by path and prints transitions") {
    const auto view = hsm::view_of(lamp_chart);
    CHECK(view == hsm::view_of(lamp_chart));
    CHECK(view.states().size() == lamp_chart.state_count());
    const auto off = view.find("root/off");
    REQUIRE(off);
    CHECK(off.distinct_name() == "root/off");
    CHECK(off.ref() == hsm::chart_of(lamp_chart).find("off"));
    const std::string type(view.event(0).type_name());
    CHECK(off.transitions()[0].text() == "root/off -> on on press of " + type + " [guard 1 of root/off -> on] / action 1 of root/off -> on");
    CHECK(view.find("dim").superstate() == view.find("on"));
}
