/// Charts and contexts for tests of managers.
#pragma once

#include <hsm/manage/manager.hpp>
#include <tests/support/recorder.hpp>

#include <initializer_list>
#include <stdexcept>
#include <string>
#include <string_view>

namespace test {

struct push {};

/// Makes a state also record "I name" and "D name".
template <class State> State& traced_for_life(State& state) {
    const std::string name(state.name());
    traced(state).on_init(tracing("I " + name)).on_destroy(tracing("D " + name));
    return state;
}

/// Returns a chart of traced states next to each other.
template <class Context> hsm::chart<Context> traced_chart(std::string name, std::initializer_list<const char*> states) {
    auto root = hsm::make_fsm<Context>(std::move(name));
    for (const auto* each : states) traced(root->add(each));
    return hsm::compile(std::move(root));
}

/// door { closed -push-> open -push-> closed }; "closed" is traced from its on_init to its on_destroy.
inline hsm::chart<recorder> door_chart() {
    auto root = hsm::make_fsm<recorder>("door");
    auto& closed = traced_for_life(root->add("closed"));
    auto& open = root->add("open");
    closed.to(open).on<push>();
    open.to(closed).on<push>();
    return hsm::compile(std::move(root));
}

/// A context with a name. Several contexts share a trace.
struct named_context {
    std::string name;
    recorder& all;
    bool go = false;    ///< it fires to "over" in the next tick
    bool ready = false; ///< it handles "ring" instead of push
    bool throws = false;
    bool throws_exit = false;

    void note(std::string_view what) { all.note(std::string(what) + ' ' + name); }
    void note_or_throw(std::string_view what, bool to_throw) {
        note(what);
        if (to_throw) throw std::runtime_error(name + " throws");
    }
};

/// R { on -push-> over }: records "E a", "U a", "X a", "ring a".
inline hsm::chart<named_context> named_chart() {
    auto root = hsm::make_fsm<named_context>("R");
    auto& on = root->add("on")
                   .on_enter([](named_context& c) { c.note("E"); })
                   .on_update([](named_context& c) { c.note_or_throw("U", c.throws); })
                   .on_exit([](named_context& c) { c.note_or_throw("X", c.throws_exit); });
    auto& over = root->add("over");
    on.to(over).on<push>().when([](const named_context& c) { return !c.ready; });
    on.to(over).when(&named_context::go);
    on.on("ring").when([](const named_context& c) { return c.ready || c.throws || c.throws_exit; }).then([](named_context& c) {
        c.note_or_throw("ring", c.throws);
    });
    return hsm::compile(std::move(root));
}

/// Returns "a, b": in the order of iteration.
template <class Machines> std::string names(Machines&& machines) {
    std::string text;
    for (const auto& m : machines) text += (text.empty() ? "" : ", ") + std::string(m.name());
    return text;
}

/// Returns the text of the exception; empty if there is none.
template <class Call> std::string error_text(Call call) {
    try {
        call();
    } catch (const std::exception& e) {
        return e.what();
    }
    return "";
}

} // namespace test
