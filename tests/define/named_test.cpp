// Labels of hooks, guards, actions and delays.

#include <hsm/define/named.hpp>

#include <hsm/constant/constant_chart.hpp>
#include <hsm/constant/constant_instance.hpp>
#include <hsm/hsm.hpp>
#include <tests/support/findings.hpp>

#include <chrono>
#include <functional>
#include <string>

using namespace std::chrono_literals;
using hsm::named;
using test::recorder;

namespace {

struct weapon {
    int shots = 0;
    bool loaded = true;
    bool is_loaded() const { return loaded; }
};

struct hero {
    bool grounded = false;
    bool tired = false;
    int steps = 0;
    double patience = 0.5;
    weapon held;
    bool is_grounded() const { return grounded; }
    void step() { ++steps; }
};

using fsm = hsm::fsm<hero>;

struct bow : hsm::fsm<weapon> {
    bow() : fsm("bow") {
        auto& idle = add("idle");
        idle.to("shot").when(hsm::named("is loaded", &weapon::is_loaded));
        add("shot").on_enter(hsm::named("shoot", [](weapon& w) { ++w.shots; }));
    }
};

struct landing {
    int force = 0;
};

/// The label of a guard that is passed to `when`.
template <class G> std::string label_of(G g) {
    auto root = hsm::make_fsm<hero>("R");
    auto& a = root->add("a");
    const auto t = a.to(a).when(std::move(g));
    return std::string(t.spec().guards.at(0).label());
}

bool is_tired(const hero& h) { return h.tired; }

struct at_least {
    int steps;
    bool operator()(const hero& h) const { return h.steps >= steps; }
};
/// The original text of the label is destroyed on return.
auto steps_at_least(int n) { return named("the number of steps is at least " + std::to_string(n), at_least{n}); }

constexpr auto grounded_by_name = named("the character is on the ground", &hero::grounded);

} // namespace

TEST_CASE("hooks, guards, actions and delays return the label that named() sets") {
    using enum hsm::hook_kind;
    auto root = hsm::make_fsm<hero>("R");
    auto& a = root->add("a");
    const auto step = [](hero& h) { ++h.steps; };
    a.on_enter(named("step in", step)).on_update(named("walk", &hero::step)).on_exit(named("step out", step));
    a.on_init(named("wake", step)).on_destroy(named("sleep", step));
    root->on_unhandled(named("wonder", step));
    root->on_change(named("note", [](hsm::state_ref, hsm::state_ref, hsm::reason) {}));
    a.hold_until(named("has landed", &hero::grounded)).min_duration(named("patience", &hero::patience));
    const auto t = a.to(a).on<landing>().when(named("hard", [](const hero&, const landing& l) { return l.force > 3; })).then(named("fall", step));
    const auto late = a.to(a).after(named("patience", [](const hero& h) { return h.patience; }));
    const auto often = a.every(named("rhythm", &hero::patience)).then(named("beat", step));
    const auto choice = root->dispatch(a).when(named("tired", &is_tired)).then(named("yawn", step));
    const auto first = root->initial(a).then(named("begin", step));

    CHECK(a.hooks(enter)[0].label() == "step in");
    CHECK(a.hooks(update)[0].label() == "walk");
    CHECK(a.hooks(exit)[0].label() == "step out");
    CHECK(a.hooks(init)[0].label() == "wake");
    CHECK(a.hooks(destroy)[0].label() == "sleep");
    CHECK(root->hooks(unhandled)[0].label() == "wonder");
    CHECK(root->hooks(change)[0].label() == "note");
    CHECK(a.holds().predicates[0].label() == "has landed");
    CHECK(a.holds().least.find().label() == "patience");
    CHECK(t.spec().guards[0].label() == "hard");
    CHECK(t.spec().actions[0].label() == "fall");
    CHECK(late.spec().after.find().label() == "patience");
    CHECK(often.spec().every.find().label() == "rhythm");
    CHECK(often.spec().actions[0].label() == "beat");
    CHECK(choice.spec().guards[0].label() == "tired");
    CHECK(choice.spec().actions[0].label() == "yawn");
    CHECK(first.spec().actions[0].label() == "begin");
}

TEST_CASE("a label is not a registered name; a registered name is the label if no label is set") {
    auto root = hsm::make_fsm<hero>("R");
    auto& a = root->add("a");
    a.on_enter(named("step", &hero::step)).on_enter(&hero::step).on_enter(named("", &hero::step));
    const auto& hooks = a.hooks(hsm::hook_kind::enter);
    CHECK(hooks[0].name() == "");
    CHECK(hooks[1].label() == "");
    CHECK(hooks[2].label() == "");
    hsm::detail::hook registered;
    registered.set_name("roar");
    CHECK(registered.label() == "roar");
    registered.set_label("a mighty roar");
    CHECK(registered.label() == "a mighty roar");
    CHECK(registered.name() == "roar");
    registered.set_label("");
    registered.set_name(hsm::detail::mark_of_class);
    CHECK(registered.label() == "");
}

TEST_CASE("the text of a label is copied") {
    auto root = hsm::make_fsm<hero>("R");
    auto& a = root->add("a");
    for (const char* kind : {"slow", "fast"}) a.on_enter(named(std::string(kind) + " step", &hero::step));
    const auto& hooks = a.hooks(hsm::hook_kind::enter);
    CHECK(hooks[0].label() == "slow step");
    CHECK(hooks[1].label() == "fast step");
}

TEST_CASE("a named callable owns the text of its label") {
    const auto few = steps_at_least(3);
    auto many = steps_at_least(1000);
    const std::string overwritten(40, '#'); // overwrites the memory of the calls above
    CHECK(label_of(few) == "the number of steps is at least 3");
    CHECK(label_of(hsm::all(few, hsm::no(many))) == "the number of steps is at least 3 && !the number of steps is at least 1000");
    many = few;
    const auto moved = std::move(many);
    CHECK(label_of(moved) == "the number of steps is at least 3");
    CHECK(label_of(grounded_by_name) == "the character is on the ground");
}

TEST_CASE("the label of a composed guard consists of the labels of its parts") {
    const auto grounded = named("is grounded", &hero::grounded);
    const auto tired = named("tired", &is_tired);
    CHECK(label_of(grounded) == "is grounded");
    CHECK(label_of(hsm::all(grounded, tired)) == "is grounded && tired");
    CHECK(label_of(hsm::any(grounded, tired)) == "is grounded || tired");
    CHECK(label_of(hsm::no(grounded)) == "!is grounded");
    CHECK(label_of(hsm::no(hsm::any(grounded, tired))) == "!(is grounded || tired)");
    CHECK(label_of(hsm::any(grounded, hsm::all(tired, "!Armed", 7))) == "is grounded || (tired && !\"Armed\" && bit 7)");
    CHECK(label_of(hsm::any(hsm::all(grounded), tired)) == "is grounded || tired");
    CHECK(label_of(hsm::any(grounded, &is_tired)) == "is grounded || ...");
    CHECK(label_of(hsm::any(&hero::grounded, &is_tired)) == "");
    CHECK(label_of(hsm::any(&hero::grounded, "Armed")) == "");

    auto root = hsm::make_fsm<hero>("R");
    auto& a = root->add("a");
    const auto both = hsm::all(grounded, hsm::no(hsm::any(tired, "Armed")));
    a.hold_until(both);
    CHECK(a.holds().predicates[0].label() == "is grounded && !(tired || \"Armed\")");
    const auto t = a.to(a).when(both); // two guards, because the conditions are stored separately
    CHECK(t.spec().guards[0].label() == "is grounded");
    CHECK(t.spec().guards[1].label() == "!tired");
}

TEST_CASE("a label of a composed guard replaces the labels of its parts, also if it contains conditions") {
    CHECK(label_of(named("ready", hsm::any(named("is grounded", &hero::grounded), "Armed"))) == "ready");
    CHECK(label_of(hsm::no(named("ready", hsm::any(&hero::grounded, "Armed")))) == "!ready");
    CHECK(label_of(hsm::all(named("ready", hsm::any(&hero::grounded, "Armed")), named("tired", &is_tired))) == "ready");
    CHECK(label_of(hsm::all("Armed", named("tired", &is_tired))) == "tired");
}

TEST_CASE("a label does not change the result of a guard") {
    for (const bool grounded : {false, true})
        for (const bool tired : {false, true})
            for (const bool armed : {false, true}) {
                auto root = hsm::make_fsm<hero>("R");
                auto& a = root->add("a");
                const auto is_grounded = named("is grounded", [wanted = true](const hero& h) { return h.grounded == wanted; });
                a.to("b").when(hsm::any(hsm::all(is_grounded, hsm::no(named("tired", &is_tired))), named("armed", hsm::all("Armed"))));
                root->add("b").on_enter(named("step", &hero::step));
                const auto chart = hsm::compile(std::move(root));
                hero context;
                context.grounded = grounded;
                context.tired = tired;
                hsm::instance agent(chart, context);
                agent.start();
                agent.set("Armed", armed);
                agent.tick();
                CHECK(agent.is_in("b") == ((grounded && !tired) || armed));
                CHECK(context.steps == agent.is_in("b"));
            }
}

TEST_CASE("a labeled update can return the next state, and still updates many agents in one loop") {
    auto root = hsm::make_fsm<hero>("R");
    auto& a = root->add("a");
    auto& b = root->add("b");
    a.on_update(named("go", [&b](hero&) { return hsm::successor(b); }));
    b.on_update(named("walk", &hero::step));
    CHECK(a.names_successor());
    CHECK_FALSE(b.names_successor());
    const bool loops = b.hooks(hsm::hook_kind::update)[0].needs().many != nullptr;
    CHECK(loops);
    const auto chart = hsm::compile(std::move(root));
    hero context;
    hsm::instance agent(chart, context);
    agent.start();
    agent.tick();
    agent.tick();
    CHECK(context.steps == 1);
}

TEST_CASE("a projection can have a label") {
    auto root = hsm::make_fsm<hero>("R");
    auto& node = root->add<bow>(named("held", &hero::held));
    CHECK(node.projection().label() == "held");
    auto& other = root->add<bow>(named("held, too", [](hero& h) -> weapon& { return h.held; })).named("other");
    CHECK(other.projection().label() == "held, too");
    const auto chart = hsm::compile(std::move(root));
    hero context;
    hsm::instance agent(chart, context);
    agent.start();
    agent.tick();
    CHECK(context.held.shots == 1);
}

namespace {
constexpr auto patrol = hsm::constant_chart<hero>([](auto& root) {
    auto& a = root.add("a");
    auto& b = root.add("b");
    a.to(b).when(hsm::all(named("is grounded", &hero::grounded), hsm::no(named("tired", [](const hero& h) { return h.tired; }))));
    b.on_enter(named("step", &hero::step)).on_update(named("step again", [](hero& h) { ++h.steps; }));
    b.to(a).template on<landing>().then(named("land", [](hero& h, const landing& l) { h.steps += l.force; }));
});
} // namespace

TEST_CASE("a constant chart ignores labels and runs the labeled callables") {
    hero context;
    context.grounded = true;
    hsm::constant_instance<patrol> agent(context);
    agent.start();
    agent.tick();
    CHECK(context.steps == 2);
    agent.tick();
    CHECK(context.steps == 3);
    agent.process(landing{5});
    CHECK(context.steps == 8);
}
