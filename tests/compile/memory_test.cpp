// If an allocation fails, in any definition call or step of the compilation, the definition is destroyed without a leak.
//
// Without memory: chart/chart.hpp compile/check.hpp compile/compile.hpp define/composite.hpp define/condition.hpp define/fsm.hpp
// Without memory: define/guard.hpp define/origin.hpp define/parallel.hpp define/pseudo.hpp define/state.hpp define/state_base.hpp
// Without memory: define/transition.hpp define/transition_spec.hpp define/when.hpp
// Without memory: chart/fingerprint.hpp define/event_names.hpp define/named.hpp

#include <hsm/chart/fingerprint.hpp>
#include <hsm/hsm.hpp>
#include <tests/support/scarce_memory.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <vector>

using namespace std::chrono_literals;

namespace {

using test::memory::counted;
using test::memory::trial;
using test::memory::with_every_shortage;

enum class key { a, b };
enum class pose { standing };
struct push {};
struct weapon {
    int ammo = 0;
};
struct hero {
    bool ready = false;
    weapon gun;
    float wait = 1;
};
struct bag {
    std::string text = "a text that does not fit into a string itself";
    counted self = {};
    void enter(hero&) const {}
    void update(hero&) {}
    bool finished() const { return false; }
};

/// A callable with data, and an object to be counted.
template <class F> auto with_data(F f) {
    return [f, kept = counted(), text = std::string("a text that does not fit into a string itself")](hero& h) { return f(h, text, kept); };
}
constexpr auto nothing = [](hero&, const std::string&, const counted&) {};

class gun_machine : public hsm::fsm<weapon> {
public:
    explicit gun_machine(std::string name) : fsm(std::move(name)) {
        auto& idle = add("idle");
        auto& shoot = add<bag_of>("shoot");
        idle.to(shoot).on(key::a);
        shoot.to(idle).on_finished();
    }

private:
    struct bag_of {
        counted self = {};
        bool finished() const { return true; }
    };
};

/// Every word there is.
hsm::owned<hsm::fsm<hero>> definition() {
    auto root = hsm::make_fsm<hero>("a root whose name does not fit into a string itself");
    root->on_change([](hero&, hsm::state_ref, hsm::state_ref, hsm::reason) {}).on_unhandled(with_data(nothing));
    auto& a = root->add("A").on_enter(with_data(nothing)).on_update(with_data(nothing)).on_exit(with_data(nothing));
    a.on_init(with_data(nothing)).on_destroy(with_data(nothing));
    auto& standing = root->add<pose::standing>().local<bag>().min_duration(1s);
    auto& b = root->add_fsm("B").remembers();
    b.dispatch("C").when([](const hero& h) { return h.ready; }).then(with_data(nothing));
    b.initial("D").then(with_data(nothing));
    auto& c = b.add<bag>("C").hold();
    auto& d = b.add("D").hold_until([kept = counted()](const hero& h) { return h.ready; }).defer<push>();
    auto& over = b.add_final("over");
    auto& back = root->add_deep_history("back");
    back.otherwise(c);
    auto& choice = root->add_choice("choice");
    choice.to(a).when([](const hero& h) { return h.ready; });
    choice.otherwise(b);
    auto& gun = root->add<gun_machine>(&hero::gun, "gun");
    auto& both = root->add_parallel("both");
    auto& x = both.add_fsm("X");
    auto& x1 = x.add("X1");
    x.add("X2");
    auto& y = both.add_fsm("Y");
    auto& y1 = y.add("Y1");
    y.add("Y2");
    a.to(standing)
        .on("a name that does not fit into a string itself")
        .when([kept = counted()](const hero& h) { return h.ready; })
        .then(with_data(nothing))
        .priority(2);
    a.to(b).on(key::b).when(hsm::all("a condition with a long name, as can be", hsm::any("Go", "!Stop"))).after(0.5);
    a.to(choice).when("Go").always();
    standing.to(gun).after([kept = counted()](const hero& h) { return h.wait; });
    c.to(d).on<push>().force();
    d.to(over).when("!Go").external();
    b.to(back).on_finished();
    gun.to(both).on(key::b);
    a.to(x1, y1).on<push>();
    a.to(d).on(hsm::any("cancel", hsm::event_prefix("a prefix that does not fit into a string itself")));
    c.to(over).on(hsm::any_name()).when(hsm::all("Go", hsm::named("a label that does not fit into a string itself", [](const hero& h) {
                                                     return h.ready;
                                                 })));
    both.to(a).in(x1, y1);
    root->every(1s).then(with_data(nothing));
    return root;
}

} // namespace

TEST_CASE("if any allocation of a definition fails, the definition is destroyed without a leak") {
    const auto objects = counted::alive.load();
    CHECK(with_every_shortage([](trial& t) { t.attempt([] { definition(); }); }) > 200);
    CHECK(counted::alive == objects);
}

TEST_CASE("if an allocation of compile fails, the definition and its findings are destroyed") {
    const auto objects = counted::alive.load();
    for (const auto order : {hsm::decision_order::superstate_first, hsm::decision_order::substate_first}) {
        const auto failures = with_every_shortage([&](trial& t) {
            auto root = definition();
            t.attempt([&] { static_cast<void>(hsm::compile(std::move(root), {.order = order}).state_count()); });
            CHECK_FALSE(root);
        });
        CHECK(failures > 200);
    }
    const auto wrong = [] {
        auto root = definition();
        root->add("A");
        root->on(key::a);
        root->add("E").to("a state that there is not");
        return root;
    };
    with_every_shortage([&](trial& t) {
        auto root = wrong();
        std::size_t findings = 0;
        if (t.attempt([&] { findings = hsm::try_compile(std::move(root)).findings.size(); })) CHECK(findings > 1);
    });
    with_every_shortage([&](trial& t) {
        auto root = wrong();
        t.attempt([&] {
            try {
                static_cast<void>(hsm::compile(std::move(root)));
            } catch (const hsm::definition_error&) {
            }
        });
    });
    CHECK(counted::alive == objects);
}

TEST_CASE("a failed allocation in a query leaves the chart unchanged") {
    const auto chart = hsm::compile(definition());
    with_every_shortage([&](trial& t) {
        t.attempt([&] {
            auto copy = chart;
            copy = chart;
            static_cast<void>(copy.dump());
            static_cast<void>(copy.fingerprint().to_string());
            static_cast<void>(copy.find("B/C").path());
            static_cast<void>(copy.find("nothing"));
            static_cast<void>(copy.condition("Go"));
            for (const auto& w : copy.warnings()) static_cast<void>(w.to_string());
        });
        CHECK(chart.find("B/C").path().ends_with("B/C"));
    });
}

TEST_CASE("a definition can be compiled after an allocation of its check failed") {
    with_every_shortage([](trial& t) {
        auto root = definition();
        t.attempt([&] { static_cast<void>(hsm::check(*root)); });
        CHECK(hsm::try_compile(std::move(root)));
    });
}
