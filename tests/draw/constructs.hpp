/// Small charts with one construct each, for the exact texts of all languages.
#pragma once

#include <hsm/hsm.hpp>

#include <chrono>

namespace drawn {

using namespace std::chrono_literals;

struct ctx {
    bool go = false;
};
using machine = hsm::owned<hsm::fsm<ctx>>;

inline const auto is_go = hsm::named("is go", [](const ctx& c) { return c.go; });
inline const auto shout = hsm::named("shout", [](ctx&) {});

inline auto root(const char* name = "r") { return hsm::make_fsm<ctx>(name); }
inline auto done(machine m) { return hsm::compile(std::move(m)); }

/// Two states, and the transitions between them.
template <class F> auto two(F f) {
    auto r = root();
    auto& a = r->add("a");
    auto& b = r->add("b");
    f(*r, a, b);
    return done(std::move(r));
}

inline auto labels() {
    return two([](auto&, auto& a, auto& b) { a.to(b).on("hit").when("Armed").when(is_go).then(shout).priority(2).force(); });
}
inline auto nested() {
    auto r = root();
    auto& a = r->add("a");
    auto& m = r->add_fsm("m");
    auto& x = m.add("x");
    auto& y = m.add("y");
    x.to(y).on("in");
    a.to(m).on("to");
    m.to(a).on("from");
    x.to(a).on("out");
    return done(std::move(r));
}
inline auto dispatching() {
    auto r = root();
    auto& a = r->add("a");
    auto& b = r->add("b");
    r->dispatch(a).when(is_go);
    r->initial(b);
    return done(std::move(r));
}
inline auto any_state() {
    auto r = root();
    auto& m = r->add_fsm("m");
    auto& x = m.add("x");
    auto& y = m.add("y");
    m.to(y).on("any").unless_in(x);
    x.to(m).on("anew");
    m.to(m).on("again").external();
    return done(std::move(r));
}
inline auto regions() {
    auto r = root();
    auto& a = r->add("a");
    auto& p = r->add_parallel("p");
    auto& one = p.add_fsm("one");
    auto& x = one.add("x");
    auto& two = p.add_fsm("two");
    auto& y = two.add("y");
    a.to(x, y).on("fork");
    x.to(a).in(y).on("join");
    return done(std::move(r));
}
inline auto histories() {
    auto r = root();
    auto& a = r->add("a");
    auto& m = r->add_fsm("m").remembers();
    auto& x = m.add("x");
    m.add("y");
    auto& h = m.add_history("h");
    auto& d = m.add_deep_history("d");
    h.otherwise(x);
    a.to(h).on("h");
    a.to(d).on("d");
    return done(std::move(r));
}
inline auto pseudo() {
    auto r = root();
    auto& a = r->add("a");
    auto& c = r->add_choice("c");
    auto& f = r->add_final("f");
    a.to(c).on_finished();
    c.to(a).when(is_go);
    c.otherwise(f);
    return done(std::move(r));
}
/// A state with hooks, times, reactions and a deferral, which its box lists.
inline auto inner() {
    auto r = root();
    auto& a = r->add("a").on_enter(shout).on_update([](ctx&) {}).min_duration(200ms).hold();
    a.on("hit").when(is_go).then(shout);
    a.every(1s).then(shout);
    a.defer("later");
    a.to(a).after(1500us).when(is_go);
    a.to(a).always().when("Ready");
    return done(std::move(r));
}

} // namespace drawn
