/// The questions of explain.hpp to an instance of a constant chart.
///
///     std::cout << to_string(hsm::explain(desk_lamp, button::press));
///
/// A constant chart keeps nothing that could be asked: all that an event does is one function. So the question goes to a chart that `compile` makes
/// of the same definition when the first question about it comes, which is kept until the program ends, and to an instance of it over the same
/// context, put where the constant one is, without a hook. What is not told: events in its hsm::queue. In a hook it answers, as current() does,
/// from what was active before the transition. One thread at a time for each context; several may ask about one chart.
#pragma once

#include <hsm/constant/constant_instance.hpp>
#include <hsm/constant/observed_instance.hpp>
#include <hsm/observe/explain.hpp>
#include <hsm/run/instance.hpp>

#include <string>

namespace hsm {

namespace detail {

/// That state of an instance is over, or not; due: its completion has not been tried yet.
void set_mark(instance_base& agent, std::size_t state, bool over, bool due);

struct constant_access {
    template <auto Chart, class Queue, class Observer> static std::size_t state_of(const constant_instance<Chart, Queue, Observer>& agent) {
        return agent.state();
    }

    /// Tells set(state, over, due) of each machine that can be over.
    template <auto Chart, class Queue, class Observer, class Set>
    static void each_mark(const constant_instance<Chart, Queue, Observer>& agent, Set set) {
        using chart_type = std::remove_const_t<decltype(Chart)>;
        if constexpr (chart_type::size.marks > 0)
            for (std::size_t s = 0; s < chart_type::tables.states.size(); ++s)
                if (const auto mark = chart_type::tables.states[s].mark; mark >= 0) set(s, agent.marked >> mark & 1, agent.due >> mark & 1);
    }
};

/// The same machine, of an ordinary chart.
template <auto Chart, class Queue, class Observer> class constant_twin {
    using context_type = typename constant_instance<Chart, Queue, Observer>::context_type;

public:
    explicit constant_twin(const constant_instance<Chart, Queue, Observer>& of) : agent_(chart_of(Chart), of.context()) {
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
