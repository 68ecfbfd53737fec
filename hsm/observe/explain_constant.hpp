/// The functions of explain.hpp for instances of a constant chart.
///
///     std::cout << to_string(hsm::explain(desk_lamp, button::press));
///
/// Constant charts contain no tables to examine. So the first query of a chart compiles an ordinary chart from the same definition. This ordinary
/// chart exists until the program ends. Each query uses an instance of this chart. The instance has the context, active states and conditions of the
/// machine that you pass; no hook runs. Events in the machine's hsm::queue are not listed. In a hook, the result describes the states before the
/// transition, like current(). Only one thread at a time may use a context; several threads can query one chart.
#pragma once

#include <hsm/constant/constant_instance.hpp>
#include <hsm/constant/observed_instance.hpp>
#include <hsm/observe/explain.hpp>
#include <hsm/run/instance.hpp>

#include <string>

namespace hsm {

namespace detail {

/// Sets whether a state is finished (`over`), and whether its completion must still be tried (`due`).
void set_mark(instance_base& agent, std::size_t state, bool over, bool due);

struct constant_access {
    template <auto Chart, class Queue, class Observer> static std::size_t state_of(const constant_instance<Chart, Queue, Observer>& agent) {
        return agent.state();
    }

    /// Calls set(name) for each condition that is set.
    template <auto Chart, class Queue, class Observer, class Set>
    static void each_bit(const constant_instance<Chart, Queue, Observer>& agent, Set set) {
        using chart_type = std::remove_const_t<decltype(Chart)>;
        if constexpr (chart_type::size.conditions > 0)
            for (std::size_t c = 0; c < chart_type::size.conditions; ++c)
                if (agent.bits >> c & 1) set(chart_type::tables.text(chart_type::tables.conditions[c].name));
    }

    /// Calls set(state, over, due) for each machine that can finish.
    template <auto Chart, class Queue, class Observer, class Set>
    static void each_mark(const constant_instance<Chart, Queue, Observer>& agent, Set set) {
        using chart_type = std::remove_const_t<decltype(Chart)>;
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
        constant_access::each_bit(of, [&](std::string_view name) { agent_.set(name); });
        if (!of.active()) return;
        agent_.set_state(chart_of(Chart).state(constant_access::state_of(of)));
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
