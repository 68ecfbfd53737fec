// The source lines of definition calls, for states, transitions, hooks, conditions and findings.

#include <hsm/define/origin.hpp>

#include <tests/support/findings.hpp>

#include <chrono>
#include <string>

using namespace std::chrono_literals;
using test::found_in;
using test::only;
using test::recorder;

namespace {

using fsm = hsm::fsm<recorder>;
using line_number = std::uint32_t;

/// With -Dlocations=false, no line is recorded.
constexpr bool located = hsm::call_site().line != 0;
constexpr line_number at(line_number line) { return located ? line : 0; }

/// In a chain over several lines, clang gives a call without an argument, or with an argument of a template type, the line where the
/// chain begins.
constexpr line_number in_chain([[maybe_unused]] line_number begin, [[maybe_unused]] line_number own) {
#ifdef __clang__
    return at(begin);
#else
    return at(own);
#endif
}

void nothing(recorder&) {}
bool yes(const recorder&) { return true; }

enum class pose { idle, run };
enum class input { jump };
struct press {};
struct swing {
    float seconds = 0;
    void enter(recorder&) {}
};

template <class Part> line_number line_of(const Part& part) {
    const auto where = hsm::position_of(part);
    CHECK((where.line == 0 || where.file.ends_with("call_site_test.cpp")));
    return where.line;
}

line_number line_of(const hsm::state_base& s, hsm::hook_kind kind) { return hsm::position_of(s, s.hooks(kind).back()).line; }

} // namespace

TEST_CASE("a state records the line of its name") {
    const line_number here = __LINE__;
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("a");
    auto& b = root->add<pose::idle>();
    auto& c = root->add<swing>("c", 0.5f);
    auto& d = root->add_fsm("d");
    auto& e = root->add_fsm<pose::run>();
    auto& f = root->add_parallel("f");
    auto& g = root->add_final("g");
    auto& h = root->add_choice("h");
    auto& i = root->add_history("i");
    auto& j = root->add_deep_history("j");
    auto& k = root->add(std::string("k"));
    const hsm::state_base* all[] = {&*root, &a, &b, &c, &d, &e, &f, &g, &h, &i, &j, &k};
    for (line_number n = 0; n < std::size(all); ++n) CHECK(line_of(*all[n]) == at(here + 1 + n));
}

TEST_CASE("a transition records the line of its first call") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("a");
    auto& c = root->add_choice("c");
    auto& h = root->add_history("h");
    const line_number here = __LINE__;
    const hsm::transition_spec* all[] = {
        &a.to("c").spec(),
        &a.to(c).on<press>().when(&yes).spec(),
        &a.to(pose::idle, "c").spec(),
        &a.to(hsm::state_of<swing>()).spec(),
        &a.to(std::string("c")).spec(),
        &a.on<press>().spec(),
        &a.on<input::jump>().spec(),
        &a.on(input::jump).spec(),
        &a.on(hsm::range('0', '9')).spec(),
        &a.on("shout").spec(),
        &a.when(&yes).spec(),
        &a.every(1s).spec(),
        a.defer<press>().transitions().back().get(),
        a.defer<input::jump>().transitions().back().get(),
        a.defer(input::jump).transitions().back().get(),
        a.defer("shout").transitions().back().get(),
        root->defer<press>().transitions().back().get(),
        &root->dispatch(a).spec(),
        &root->initial("a").spec(),
        &c.to(a).spec(),
        &c.otherwise(a).spec(),
        &h.otherwise(a).spec(),
    };
    for (line_number n = 0; n < std::size(all); ++n) CHECK(line_of(*all[n]) == at(here + 2 + n));
}

TEST_CASE("hooks, guards, actions and delays each record their own line") {
    using enum hsm::hook_kind;
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("a");
    auto& m = root->add_fsm("m");
    const line_number here = __LINE__;
    a.on_enter(&nothing);
    a.on_update(&nothing);
    a.on_exit(&nothing);
    a.on_init(&nothing);
    a.on_destroy(&nothing);
    m.on_enter(&nothing);
    m.on_unhandled(&nothing);
    m.on_change([](hsm::state_ref, hsm::state_ref, hsm::reason) {});
    a.hold_until(&yes);
    a.min_duration(1s);
    auto t = a.to(m);
    t.when(&yes);
    t.when(hsm::any(&yes, "Armed"));
    t.then(&nothing);
    t.after(1s);
    t.when("Ready");

    CHECK(line_of(a, enter) == at(here + 1));
    CHECK(line_of(a, update) == at(here + 2));
    CHECK(line_of(a, exit) == at(here + 3));
    CHECK(line_of(a, init) == at(here + 4));
    CHECK(line_of(a, destroy) == at(here + 5));
    CHECK(line_of(m, enter) == at(here + 6));
    CHECK(line_of(m, unhandled) == at(here + 7));
    CHECK(line_of(m, change) == at(here + 8));
    CHECK(a.holds().predicates.back().where().line == at(here + 9));
    CHECK(a.holds().least.where().line == at(here + 10));
    CHECK(line_of(t.spec()) == at(here + 11));
    CHECK(t.spec().guards[0].where().line == at(here + 12));
    CHECK(t.spec().guards[1].where().line == at(here + 13));
    CHECK(t.spec().actions[0].where().line == at(here + 14));
    CHECK(t.spec().after.where().line == at(here + 15));
    CHECK(t.spec().conditions[0].where.line == at(here + 16));
}

TEST_CASE("in a chain over several lines, each call has the line of its argument") {
    auto root = hsm::make_fsm<recorder>("R");
    const line_number here = __LINE__;
    auto& a = root->add("a")                //
                  .on_enter(&nothing)       //
                  .min_duration(1s);        //
    const auto t = a                        //
                       .to("b")             //
                       .on<press>()         //
                       .when(&yes)          //
                       .then(&nothing)      //
                       .after(1s);          //
    const auto reaction = a                 //
                              .on<press>(); //
    CHECK(line_of(a) == at(here + 1));
    CHECK(line_of(a, hsm::hook_kind::enter) == at(here + 2));
    CHECK(a.holds().least.where().line == at(here + 3));
    CHECK(line_of(t.spec()) == at(here + 5));
    CHECK(t.spec().guards[0].where().line == in_chain(here + 4, here + 7));
    CHECK(t.spec().actions[0].where().line == in_chain(here + 4, here + 8));
    CHECK(t.spec().after.where().line == at(here + 9));
    CHECK(line_of(reaction.spec()) == in_chain(here + 10, here + 11));
}

namespace {

constexpr line_number before_class = __LINE__;
struct attack : fsm {
    attack() : fsm("attack") {
        add("slash");
        add("stab");
    }
    void enter(recorder&) const {}
};
struct unnamed : fsm {
    using fsm::fsm;
};

} // namespace

TEST_CASE("a state of a class, and its hooks, have the line where the constructor names it") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& node = root->add<attack>();
    CHECK(line_of(node) == at(before_class + 2));
    CHECK(line_of(*node.substates()[1]) == at(before_class + 4));
    CHECK(line_of(node, hsm::hook_kind::enter) == at(before_class + 2));
    CHECK_FALSE(node.hooks(hsm::hook_kind::enter)[0].where());
    auto other = hsm::make_fsm<attack>();
    CHECK(line_of(*other) == at(before_class + 2));
}

TEST_CASE("the hooks of a local have the line of its state") {
    auto root = hsm::make_fsm<recorder>("R");
    const line_number here = __LINE__;
    auto& a = root->add("a");
    a.local<swing>(0.5f);
    CHECK(line_of(a, hsm::hook_kind::enter) == at(here + 1));
}

TEST_CASE("a state with an inherited constructor has the line of its first call, or of its superstate") {
    const line_number here = __LINE__;
    auto root = hsm::make_fsm<recorder>("R");
    auto& node = root->add<unnamed>("node");
    CHECK(line_of(node) == at(here + 1));
    node.add("inside");
    CHECK(line_of(node) == at(here + 1));
    node.on_enter(&nothing);
    node.to(node);
    CHECK(line_of(node) == at(here + 6));
}

TEST_CASE("a condition has the line of its declaration, or of its first use") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("a");
    const line_number here = __LINE__;
    const auto first = root->condition("First");
    const auto second = root->condition("Second", 7);
    const auto third = root->condition();
    a.to(a).when("!Fourth");
    a.to(a).when(hsm::any("Fourth", "Fifth", 9));
    a.hold_until("Sixth");
    a.condition("Fourth");
    a.to(a).when("Sixth");
    CHECK(line_of(*first.spec()) == at(here + 1));
    CHECK(line_of(*second.spec()) == at(here + 2));
    CHECK(line_of(*third.spec()) == at(here + 3));
    CHECK(a.conditions()[0]->name == "Fourth");
    CHECK(line_of(*a.conditions()[0]) == at(here + 7));
    CHECK(line_of(*a.conditions()[1]) == at(here + 5));
    CHECK(a.conditions()[2]->index == 9);
    CHECK(line_of(*a.conditions()[2]) == at(here + 5));
    CHECK(a.conditions()[3]->name == "Sixth");
    CHECK(line_of(*a.conditions()[3]) == at(here + 6));
}

TEST_CASE("a finding begins with the file and line of its state or transition") {
    const line_number here = __LINE__;
    const auto place_of = [](const hsm::finding& f) { return located ? f.where.line : at(f.where.line); };
    auto define_transition = [](fsm& r) {
        auto& a = r.add("a");
        a.to("b");
    };
    const auto transition = only(found_in(define_transition));
    CHECK(transition.where.line == at(here + 4));
    CHECK(place_of(only(found_in([](fsm& r) { r.add("a").on_enter([](recorder&, swing&) {}); }))) == at(here + 8));
    CHECK(place_of(only(found_in([](fsm& r) { r.add("a"), r.add("a/b").to("a"); }))) == at(here + 9));
    CHECK(place_of(only(found_in([](fsm& r) { r.add("a").min_duration(-1s); }))) == at(here + 10));

    if (!located) return;
    const auto text = transition.to_string();
    const auto file = text.find("call_site_test.cpp:" + std::to_string(here + 4) + ": HSM-007 error at R/a: ");
    CHECK(file != text.npos);
    CHECK(text.substr(file) == "call_site_test.cpp:" + std::to_string(here + 4) + ": " + test::said(transition));
}

TEST_CASE("each finding has the line of its mistake") {
    const line_number here = __LINE__;
    const auto findings = found_in([](fsm& r) {
        auto& a = r.add("a");
        auto& b = r.add("b");
        a.to("nowhere");
        a.to(b).after(-1s);
        a.on<press>().when([](const recorder&, const swing&) { return true; });
        b.every(0s).then(&nothing);
        r.initial(a);
        r.initial("elsewhere");
        r.condition("One", 1);
        r.condition("Uno", 1);
    });
    std::string lines;
    for (const auto& f : findings) lines += to_string(f.code) + ":" + std::to_string(f.where.line - here) + " ";
    if (located) CHECK(lines == "HSM-009:9 HSM-007:9 HSM-007:4 HSM-020:5 HSM-010:6 HSM-020:7 HSM-026:11 ");
}
