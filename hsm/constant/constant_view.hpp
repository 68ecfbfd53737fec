/// What a constant chart consists of, for people and tools: `hsm::view_of(lamp_chart).transitions()`.
///
/// As chart_base::view. It is put together when it is first asked for, and stays. Of what a definition at run time says it knows all but places and
/// labels; events and types are named as their compiler names them.
#pragma once

#include <hsm/chart/view.hpp>
#include <hsm/constant/constant_chart.hpp>

namespace hsm {

namespace detail {

template <class Chart> class constant_facts {
public:
    static chart_facts make() {
        constant_facts made;
        for (index s = 0; s < tables.states.size(); ++s) made.add_state(s);
        for (std::uint32_t t = 0; t < tables.transitions.size(); ++t) made.add_transition(t);
        for (const auto& e : tables.events) made.add_event(e);
        return std::move(made.all_);
    }

private:
    static constexpr auto& tables = Chart::tables;

    constant_facts() {
        all_.substate_first = Chart::order == decision_order::substate_first;
        all_.hooks.resize(tables.hooks.size());
        all_.guards.resize(tables.guards.size());
        all_.transitions.resize(tables.transitions.size());
    }

    static std::uint32_t number_or_none(index s) { return s == no_index ? no_fact : s; }

    void add_hooks(const constant_span& span, hook_kind kind, index s, std::uint32_t transition = no_fact) {
        for (std::uint32_t i = 0; i < span.count; ++i) all_.hooks[span.first + i] = {{}, {}, s, transition, i, kind};
    }

    void add_state(index s) {
        const auto& row = tables.states[s];
        state_facts f;
        f.name = tables.text(row.name);
        f.path = tables.text(row.path);
        f.distinct = distinct_name(s);
        f.kind = row.kind;
        f.transient = row.transient;
        f.superstate = number_or_none(row.superstate);
        f.last = row.last;
        f.depth = row.depth;
        f.transitions = {row.choices.first, row.events.first + row.events.count - row.choices.first};
        const std::pair<hook_kind, const constant_span&> hooks[] = {
            {hook_kind::enter, row.enter}, {hook_kind::update, row.update}, {hook_kind::exit, row.exit}};
        for (const auto& [kind, span] : hooks) {
            f.hooks[static_cast<std::size_t>(kind)] = {span.first, span.count};
            add_hooks(span, kind, s);
        }
        if (row.superstate != no_index) all_.states[row.superstate].substates.push_back(s);
        all_.states.push_back(std::move(f));
    }

    /// The shortest end of its path that is the end of no other's.
    static std::string distinct_name(index s) {
        const auto path = tables.text(tables.states[s].path);
        auto begin = path.size() - tables.text(tables.states[s].name).size();
        while (begin > 0 && is_end_of_another(s, path.substr(begin))) begin = begin < 2 ? 0 : path.rfind('/', begin - 2) + 1;
        return std::string(path.substr(begin));
    }
    static bool is_end_of_another(index s, std::string_view end) {
        for (index other = 0; other < tables.states.size(); ++other) {
            const auto path = tables.text(tables.states[other].path);
            if (other != s && path.ends_with(end) && (path.size() == end.size() || path[path.size() - end.size() - 1] == '/')) return true;
        }
        return false;
    }

    static trigger_kind trigger_of(const constant_transition_row& t) {
        if (t.role != constant_role::ordinary) return trigger_kind::entry;
        if (t.event != no_index) return trigger_kind::event;
        return t.on_finished ? trigger_kind::completion : trigger_kind::poll;
    }

    void add_transition(std::uint32_t number) {
        const auto& t = tables.transitions[number];
        auto& f = all_.transitions[number];
        f.role = t.role == constant_role::dispatch  ? transition_role::dispatch
                 : t.role == constant_role::initial ? transition_role::initial
                                                    : transition_role::ordinary;
        f.trigger = trigger_of(t);
        f.source = t.source;
        f.level = t.target == no_index ? no_fact : number_or_none(t.level);
        f.event = number_or_none(t.event);
        f.same_as = number;
        f.priority = t.priority;
        f.reenter = t.reenter;
        f.external = t.external;
        if (t.target != no_index) f.targets.push_back(t.target);
        for (std::uint32_t i = 0; i < t.excluded.count; ++i) f.excluded.push_back(tables.excluded[t.excluded.first + i]);
        add_guards(f, t, number);
        f.actions = {t.actions.first, t.actions.count};
        add_hooks(t.actions, hook_kind::enter, t.source, number);
    }

    /// One behind the other, as far as they are numbered so; what is composed is one guard.
    void add_guards(transition_facts& f, const constant_transition_row& t, std::uint32_t number) {
        std::uint32_t place = 0;
        for (auto g = t.guard; g >= 0; g = tables.guards[static_cast<std::size_t>(g)].next) {
            all_.guards[static_cast<std::size_t>(g)] = {{}, {}, t.source, number, place++, hook_kind::enter};
            f.more_guards.push_back(static_cast<std::uint32_t>(g));
        }
    }

    void add_event(const constant_event_row& e) {
        const auto& type = tables.types[e.type];
        event_facts f;
        f.name = tables.text(e.name);
        f.type = type.type.name;
        for (std::uint32_t i = 0; i < e.values.count; ++i) f.values.push_back(tables.values[e.values.first + i]);
        if (f.values.size() == 1 && f.values[0].first == f.values[0].last) {
            f.value = f.values[0].first;
            f.values.clear();
        }
        all_.events.push_back(std::move(f));
    }

    chart_facts all_;
};

template <class Chart> const chart_facts& facts_of_constant() {
    static const chart_facts all = constant_facts<Chart>::make();
    return all;
}

} // namespace detail

/// Of what `constant_chart` returned. As long as the program.
template <class Context, class Define, decision_order Order> chart_view view_of(const constant_chart_of<Context, Define, Order>&) {
    return chart_view(detail::facts_of_constant<constant_chart_of<Context, Define, Order>>());
}

} // namespace hsm
