/// The functions of explain.hpp for instances of a constant chart.
///
///     std::cout << to_string(hsm::explain(desk_lamp, button::press));
///
/// Constant charts contain no tables to examine. So the first query of a chart compiles an ordinary chart from the same definition. This ordinary
/// chart exists until the program ends. Each query uses an instance of this chart. The instance has the context, active states, conditions, timers,
/// locals and records of the machine that you pass. No hook runs, but functions that compute times do. Queued and deferred events are
/// not listed. In a hook, the result describes the states before the transition, like current(). Only one thread at a time may use a context; several
/// threads can query one chart.
#pragma once

#include <hsm/constant/constant_instance.hpp>
#include <hsm/constant/observed_instance.hpp>
#include <hsm/observe/explain.hpp>
#include <hsm/run/instance.hpp>

#include <string>

namespace hsm {

namespace detail {

/// Sets the clock, and when a timer is due.
void set_clock(instance_base& agent, std::int64_t now);
void set_due(instance_base& agent, std::uint32_t timer, std::int64_t due, std::int64_t period);

/// Sets the state that the owner of that record remembers; 0: none. Sets the leaf that it remembers for one of the regions inside it.
void set_record(instance_base& agent, std::size_t record, std::size_t state);
void set_inner_record(instance_base& agent, std::size_t record, std::size_t region, std::size_t leaf);

/// Replaces a local of an active state with a copy.
void set_local(instance_base& agent, std::size_t local, const void* object);

/// Sets whether a state is finished (`over`), and whether its completion must still be tried (`due`).
void set_mark(instance_base& agent, std::size_t state, bool over, bool due);

/// A polled transition waits for its source. A pending event waits with a transition.
void set_waiting(instance_base& agent, std::uint32_t transition);
void set_pending(instance_base& agent, std::uint32_t transition, const void* event);

struct constant_access {
    /// Calls visit(state) for each active state, substates first.
    template <auto Chart, class Queue, class Observer, class Visit>
    static void each_active(const constant_instance<Chart, Queue, Observer>& agent, Visit visit) {
        constant_each_active<typename constant_instance<Chart, Queue, Observer>::chart_type>(agent, visit);
    }

    /// Calls visit(state) for the innermost active state of each region, outer regions first.
    template <auto Chart, class Queue, class Observer, class Visit>
    static void each_leaf(const constant_instance<Chart, Queue, Observer>& agent, Visit visit) {
        using agent_type = constant_instance<Chart, Queue, Observer>;
        for (std::size_t r = 0; r < agent_type::chart_type::size.regions; ++r)
            if (const auto rank = constant_leaf_in<typename agent_type::chart_type>(agent, r); rank != agent_type::core::none)
                visit(agent_type::tables.leaves[rank].state);
    }

    /// Calls set(number) for each condition that is set.
    template <auto Chart, class Queue, class Observer, class Set>
    static void each_bit(const constant_instance<Chart, Queue, Observer>& agent, Set set) {
        using chart_type = std::remove_const_t<decltype(Chart)>;
        if constexpr (chart_type::size.conditions > 0)
            for (std::size_t c = 0; c < chart_type::size.conditions; ++c)
                if (agent.bits >> c & 1) set(static_cast<int>(chart_type::tables.conditions[c].number));
    }

    /// Calls set_now(clock), and set(timer, due, period) for each timer of an active state.
    template <auto Chart, class Queue, class Observer, class SetNow, class Set>
    static void each_timer(const constant_instance<Chart, Queue, Observer>& agent, SetNow set_now, Set set) {
        if constexpr (std::remove_const_t<decltype(Chart)>::size.timers > 0) {
            constexpr auto& tables = std::remove_const_t<decltype(Chart)>::tables;
            set_now(agent.clock);
            each_active(agent, [&](index s) {
                for (auto i = tables.states[s].timers.first; i < tables.states[s].timers.first + tables.states[s].timers.count; ++i) {
                    const auto& timer = tables.timers[i];
                    set(i, agent.due_times[timer.cell], timer.cells() > 1 ? agent.due_times[timer.cell + 1] : timer.periodic ? timer.delay.fixed : 0);
                }
            });
        }
    }

    /// Calls set(record, state) for each record, and set_inner(record, i, leaf) for the i-th region inside a state that stores leaves in this record.
    template <auto Chart, class Queue, class Observer, class Set, class SetInner>
    static void each_record(const constant_instance<Chart, Queue, Observer>& agent, Set set, SetInner set_inner) {
        using chart_type = std::remove_const_t<decltype(Chart)>;
        if constexpr (chart_type::size.memories > 0)
            for (index s = 0; s < chart_type::size.states; ++s) {
                const auto& row = chart_type::tables.states[s];
                if (row.memory < 0) continue;
                const auto record = static_cast<std::size_t>(row.memory);
                set(record, agent.memories[record]);
                if (row.history == history_depth::previous) set(record + 1, agent.memories[record + 1]);
                std::size_t i = 0;
                if (row.records == history_depth::deep)
                    chart_type::tables.each_region_inside(
                        s, [&](index r) { set_inner(record, i++, agent.memories[static_cast<std::size_t>(row.inner + r)]); });
            }
    }

    /// Calls set(local, object) for each local of an active state.
    template <auto Chart, class Queue, class Observer, class Set>
    static void each_local(const constant_instance<Chart, Queue, Observer>& agent, Set set) {
        if constexpr (std::remove_const_t<decltype(Chart)>::size.locals > 0) {
            constexpr auto& tables = std::remove_const_t<decltype(Chart)>::tables;
            each_active(agent, [&](index s) {
                for (auto l = tables.states[s].locals.first; l < tables.states[s].locals.first + tables.states[s].locals.count; ++l)
                    set(l, agent.block + tables.locals[l].place);
            });
        }
    }

    /// Calls release(state) for each state that was released.
    template <auto Chart, class Queue, class Observer, class Release>
    static void each_released(const constant_instance<Chart, Queue, Observer>& agent, Release release) {
        if constexpr (std::remove_const_t<decltype(Chart)>::size.holds > 0)
            each_active(agent, [&](index s) {
                const auto hold = std::remove_const_t<decltype(Chart)>::tables.states[s].hold;
                if (hold >= 0 && (agent.released >> hold & 1)) release(s);
            });
    }

    /// Calls wait(transition) for each polled transition that waits, and pend(transition, event) for each pending event.
    template <auto Chart, class Queue, class Observer, class Wait, class Pend>
    static void each_held(const constant_instance<Chart, Queue, Observer>& agent, Wait wait, Pend pend) {
        using chart_type = std::remove_const_t<decltype(Chart)>;
        if constexpr (chart_type::size.holds > 0) {
            constexpr auto& tables = chart_type::tables;
            const constant_numbers numbers(tables, true);
            for (const auto& w : agent.waiting)
                if (w.transition) wait(numbers.transition(w.transition - 1, no_column));
            for (std::size_t slot = 0; slot < chart_type::size.levels; ++slot) {
                const auto& p = agent.pending[slot];
                if (!p.transition || slot == agent.firing) continue;
                const auto& event = agent.events[p.at];
                auto column = tables.types[event.type].first;
                while (tables.types[event.type].has_values && tables.columns[column].last < event.value) ++column;
                pend(numbers.transition(p.transition - 1, column), event.object);
            }
        }
    }

    /// Calls set(state, over, due) for each machine that can finish, and for the root if it is finished.
    template <auto Chart, class Queue, class Observer, class Set>
    static void each_mark(const constant_instance<Chart, Queue, Observer>& agent, Set set) {
        using chart_type = std::remove_const_t<decltype(Chart)>;
        if (agent.finished()) set(0, true, true);
        if constexpr (chart_type::size.marks > 0)
            for (std::size_t s = 0; s < chart_type::tables.states.size(); ++s)
                if (const auto mark = chart_type::tables.states[s].mark; mark >= 0) set(s, agent.marked >> mark & 1, agent.due >> mark & 1);
    }
};

/// An instance of an ordinary chart, in the same state as the constant instance.
template <auto Chart, class Queue, class Observer> class constant_twin {
    using context_type = typename constant_instance<Chart, Queue, Observer>::context_type;

public:
    explicit constant_twin(const constant_instance<Chart, Queue, Observer>& of) : agent_(chart_of(Chart), of.context()) {
        constant_access::each_bit(of, [&](int number) { agent_.set(number); });
        constant_access::each_record(
            of, [&](std::size_t record, std::size_t state) { set_record(agent_, record, state); },
            [&](std::size_t record, std::size_t region, std::size_t leaf) { set_inner_record(agent_, record, region, leaf); });
        if (!of.active()) return;
        constant_access::each_leaf(of, [&](std::size_t s) { agent_.set_state(chart_of(Chart).state(s)); });
        constant_access::each_local(of, [&](std::size_t local, const void* object) { set_local(agent_, local, object); });
        constant_access::each_timer(
            of, [&](std::int64_t now) { set_clock(agent_, now); },
            [&](std::uint32_t timer, std::int64_t due, std::int64_t period) { set_due(agent_, timer, due, period); });
        constant_access::each_released(of, [&](std::size_t s) { agent_.release(chart_of(Chart).state(s)); });
        constant_access::each_held(
            of, [&](std::uint32_t t) { set_waiting(agent_, t); }, [&](std::uint32_t t, const void* event) { set_pending(agent_, t, event); });
        constant_access::each_mark(of, [&](std::size_t s, bool over, bool due) { set_mark(agent_, s, over, due); });
    }

    const instance_base& operator*() const { return agent_; }

private:
    instance<context_type> agent_;
};

} // namespace detail

template <auto Chart, class Queue, class Observer, class... Asked>
explanation explain(const constant_instance<Chart, Queue, Observer>& agent, const Asked&... asked) {
    return explain(*detail::constant_twin(agent), asked...);
}
template <auto Chart, class Queue, class Observer>
explanation why_not(const constant_instance<Chart, Queue, Observer>& agent, const state_key& target, explain_options how = {}) {
    return why_not(*detail::constant_twin(agent), target, how);
}
template <auto Chart, class Queue, class Observer> possibilities possible(const constant_instance<Chart, Queue, Observer>& agent) {
    return possible(*detail::constant_twin(agent));
}

} // namespace hsm
