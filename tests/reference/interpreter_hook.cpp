// Calls user code, and implements its step.

#include <tests/reference/interpreter_stage.hpp>

#include <utility>

namespace hsm::detail {

namespace {
const op* end_of_program(const op* at, machine&) { return end_with(static_cast<std::uintptr_t>(at->number)); }
} // namespace

/// Returns where the locals of a hook are, relative to the block of the stage.
std::vector<local_slot> interpreter::local_slots_of(const hook_row& row, const stage& on) {
    std::vector<local_slot> places;
    for (std::uint32_t i = 0; i < row.local_count; ++i) {
        const auto at = reinterpret_cast<std::uintptr_t>(local(on.now.state, *row.locals[i]));
        places.push_back({row.locals[i], static_cast<std::ptrdiff_t>(at - reinterpret_cast<std::uintptr_t>(on.block))});
    }
    return places;
}

/// Runs a program that consists of this hook.
void interpreter::call(const hook_row& row, stage& on) {
    const auto places = local_slots_of(row, on);
    on.now.locals = places.data();
    const op ops[] = {{row.call, {.self = row.self}}, {&end_of_program, {.number = code_next}}};
    hsm::detail::run(ops, on);
}

/// A guard continues after its operand, or at the operand's target.
bool interpreter::ask(const guard_row& row, stage& on) {
    const auto places = local_slots_of(row, on);
    on.now.locals = places.data();
    const op refused[] = {{&end_of_program, {.number = 0}}};
    const op ops[] = {{row.call, {.self = row.self}}, {nullptr, {.target = refused}}, {&end_of_program, {.number = 1}}};
    const looking meanwhile(*this);
    return hsm::detail::run(ops, on) == 1;
}

/// Like a guard, its function can only look.
double interpreter::score_of(const transition_row& t, stage& on) {
    if (t.score == no_score) return t.weight;
    const auto& row = core_.hooks[t.score];
    const auto places = local_slots_of(row, on);
    on.now.locals = places.data();
    const op ops[] = {{row.call, {.self = row.self}}, {nullptr, {.number = 0}}, {&end_of_program, {.number = code_next}}};
    const looking meanwhile(*this);
    hsm::detail::run(ops, on);
    return on.now.score;
}

/// Calls the guard of a transition or a choice. If the chart has this option, an exception counts as false and raises an event.
bool interpreter::ask_caught(const guard_row& row, stage& on) {
    if (!core_.catches_guards) return ask(row, on);
    try {
        return ask(row, on);
    } catch (const std::exception& e) {
        if (!previewing_ && core_.guard_error != no_index) raise(std::string(std::string_view(core_.options.guard_error)), event_data(e.what()));
        return false;
    }
}

void* interpreter::context_of(index s) const {
    const auto& row = core_.states[s];
    auto* const outer = row.superstate == no_index ? context_ : context_of(row.superstate);
    const auto& way = row.node->projection();
    return way ? way.call()(way.self(), outer) : outer;
}

const host_calls interpreter::calls_ = {
    [](machine& m, const event_ref& event) { return static_cast<stage&>(m).self.process(event); },
    [](machine& m, const event_ref& event) { return static_cast<stage&>(m).self.post(event); },
    [](machine& m, const state_key& target, bool force) {
        const auto& here = static_cast<stage&>(m);
        return here.self.change_to(target, force, here.place());
    },
    [](machine& m) { return static_cast<stage&>(m).self.stop(); },
    [](machine& m, const state_base& s) { static_cast<stage&>(m).self.finish(s); },
    [](machine& m, const state_base& s) { static_cast<stage&>(m).self.release(s); },
    [](const machine& m) { return static_cast<const stage&>(m).self.current(); },
    [](const machine& m, const state_base& s) { return static_cast<const stage&>(m).self.time_in_state(s); },
    [](machine& m, const state_base* from, const local_type& type) { return static_cast<stage&>(m).self.local(from, type); },
    [](const machine& m, const state_query& s) {
        const auto& here = static_cast<const stage&>(m);
        return here.self.is_in(s, here.place());
    },
    [](const machine& m, const state_base& s) {
        const auto& here = static_cast<const stage&>(m);
        return here.self.is_in(state_key(s), here.place());
    },
    [](const machine& m, std::uint32_t number) { return static_cast<const stage&>(m).self.condition(number); },
    [](const machine& m, const condition_key& c) { return static_cast<const stage&>(m).self.get_condition(c); },
    [](machine& m, const condition_key& c, condition_change to) { static_cast<stage&>(m).self.set_condition(c, to); },
    [](machine& m, const condition_key& c) { static_cast<stage&>(m).self.trigger(c); },
    [](const machine& m, const timer_key& t, std::int64_t& left) {
        const auto time = static_cast<const stage&>(m).self.time_left(t);
        left = time.value_or(0);
        return time.has_value();
    },
    [](machine& m, const timer_key& t, timer_change to, std::int64_t left) { return static_cast<stage&>(m).self.set_timer(t, to, left); },
    nullptr, // random charts do not list what waits
    [](machine& m, const event_data& data) {
        const auto& here = static_cast<stage&>(m);
        here.self.raise_done(here.self.core_.index_of(*here.now.state), data);
    },
    nullptr, // guards are caught in ask_caught
    nullptr, // no program is run that could pass an event on
};

} // namespace hsm::detail
