/// Converts a constant chart to an ordinary definition, for drawing, checking, dumping, observing and loading.
///
///     const auto chart = hsm::compile(hsm::definition_of(lamp_chart), {.order = lamp_chart.order});
///     std::puts(dump(chart).c_str());
#pragma once

#include <hsm/constant/constant_chart.hpp>
#include <hsm/constant/detail/rows.hpp>
#include <hsm/define/event.hpp>
#include <hsm/define/fsm.hpp>

#include <new>
#include <string>

namespace hsm::detail {

/// Converts an event of a constant chart to the event key that definitions at run time use. The key has the event's name.
template <class Chart> event_key event_key_of(const constant_event_row& e) {
    constexpr auto& tables = Chart::tables;
    const auto& type = *tables.types[e.type].type.address;
    const auto first = tables.values.begin() + e.values.first;
    if (e.values.count > 1 || first->first != first->last) return key_of_intervals(type, {first, first + e.values.count}, e.others);
    const auto name = tables.text(e.name);
    return name.empty() ? key_of_value(type, first->first) : event_key{std::addressof(type), first->first, std::string(name)};
}

} // namespace hsm::detail

namespace hsm {

namespace detail {

inline hook_needs needs_of_constant(const needs_list* needs, bool hook_context, bool event) {
    if (!needs) return {nullptr, 0, hook_context, false, event};
    return {needs->locals, needs->count, true, false, event};
}

/// A call with the addresses of the locals that a callable takes.
struct constant_local_addresses {
    constant_local_addresses(const machine& m, const constant_call& from, const needs_list* needs) : call{from, addresses} {
        for (std::uint32_t i = 0; needs && i < needs->count; ++i)
            addresses[i] = m.block + slot_of_local(*needs->locals[i], m.hook_context().locals).offset;
    }
    constant_local_addresses(const constant_local_addresses&) = delete;

    void* addresses[needs_list::most];
    constant_local_call call;
};

/// The object of an op that calls a hook of a constant chart (docs/internals/architecture.md, "Type erasure").
template <class Context> struct constant_op_object {
    const constant_hook<Context>* hook;

    static const op* run(const op* at, machine& m) {
        m.at = at;
        const auto& self = *static_cast<const constant_op_object*>(at->self);
        const constant_call call{m.payload, self.hook->takes_elapsed ? m.hook_context().elapsed : 0};
        (*self.hook)(*static_cast<Context*>(m.context), constant_local_addresses(m, call, self.hook->needs).call);
        at = next(at);
        HSM_PROCEED(at);
    }
    bound_op parts() const {
        return {&constant_op_object::run, new constant_op_object(*this), &delete_callable<constant_op_object>,
                needs_of_constant(hook->needs, hook->takes_elapsed, false)};
    }
};

template <class Chart> struct constant_guard_object {
    using context_type = typename Chart::context_type;
    using guard_type = constant_guard<context_type>;

    std::int32_t root;
    needs_list needs = {}; ///< of all its parts

    static bool asks(std::int32_t at, const machine& m) {
        const auto& g = Chart::tables.guards[static_cast<std::size_t>(at)];
        if (g.kind == guard_type::asks) {
            const constant_local_addresses with(m, {m.payload}, g.needs);
            return g(*static_cast<const context_type*>(m.context), with.call);
        }
        if (g.kind == guard_type::over) return m.chart->host->condition(m, 0) == g.wanted;
        if (g.kind == guard_type::bit) return m.chart->host->condition(m, Chart::tables.conditions[g.number].number) == g.wanted;
        if (g.kind == guard_type::no) return !asks(g.part, m);
        for (auto part = g.part; part >= 0; part = Chart::tables.guards[static_cast<std::size_t>(part)].next)
            if (asks(part, m) != (g.kind == guard_type::all)) return g.kind == guard_type::any;
        return g.kind == guard_type::all;
    }
    static const op* run(const op* at, machine& m) {
        m.at = at;
        const auto& self = *static_cast<const constant_guard_object*>(at->self);
        if (asks(self.root, m)) HSM_PROCEED(at + 2);
        HSM_PROCEED(at[1].target);
    }
    static bool takes_event(std::int32_t at) {
        const auto& g = Chart::tables.guards[static_cast<std::size_t>(at)];
        if (g.kind == guard_type::asks) return g.takes_event;
        auto part = g.part;
        while (part >= 0 && !takes_event(part)) part = g.kind == guard_type::no ? -1 : Chart::tables.guards[static_cast<std::size_t>(part)].next;
        return part >= 0;
    }
    static void add_needs(std::int32_t at, needs_list& to) {
        const auto& g = Chart::tables.guards[static_cast<std::size_t>(at)];
        if (g.needs) to.add(*g.needs);
        for (auto part = g.part; part >= 0; part = Chart::tables.guards[static_cast<std::size_t>(part)].next) {
            add_needs(part, to);
            if (g.kind == guard_type::no) return;
        }
    }
    bound_op parts() const {
        auto* const object = new constant_guard_object(*this);
        add_needs(root, object->needs);
        const auto* const taken = object->needs.count > 0 ? std::addressof(object->needs) : nullptr;
        return {&constant_guard_object::run, object, &delete_callable<constant_guard_object>, needs_of_constant(taken, false, takes_event(root))};
    }
};

template <class Chart> struct constant_score_object {
    std::int32_t score;

    static const op* run(const op* at, machine& m) {
        m.at = at;
        const auto& self = *static_cast<const constant_score_object*>(at->self);
        const auto& context = *static_cast<const typename Chart::context_type*>(m.context);
        auto& hooks = m.hook_context();
        hooks.score = Chart::tables.scores[static_cast<std::size_t>(self.score)](context);
        if (hooks.score > hooks.choice.bar) HSM_MUSTTAIL
            return take_offer(at, m);
        HSM_PROCEED(at + 2);
    }
    bound_op parts() const {
        return {&constant_score_object::run, new constant_score_object(*this), &delete_callable<constant_score_object>, {.hook_context = true}};
    }
};

template <class Chart> struct constant_delay_object {
    std::int32_t timer;

    static const op* run(const op* at, machine& m) {
        m.at = at;
        const auto& self = *static_cast<const constant_delay_object*>(at->self);
        const auto& find = Chart::tables.timers[static_cast<std::size_t>(self.timer)].delay.find;
        m.hook_context().delay = find(*static_cast<const typename Chart::context_type*>(m.context)).nanoseconds();
        at = next(at);
        HSM_PROCEED(at);
    }
    bound_op parts() const {
        return {&constant_delay_object::run, new constant_delay_object(*this), &delete_callable<constant_delay_object>, {.hook_context = true}};
    }
};

template <class Chart> class constant_definition_maker {
    using context_type = typename Chart::context_type;
    static constexpr auto& tables = Chart::tables;

public:
    owned<fsm<context_type>> make() {
        auto root = make_fsm<context_type>({tables.text(tables.states[0].name), nowhere});
        add(*root, 0);
        for (const auto& c : tables.conditions) {
            conditions_.push_back(condition_of(*nodes_[c.user], c));
            if (c.trigger) conditions_.back().trigger();
        }
        for (const auto& g : tables.guards)
            if (g.kind == g.over) root->condition_at(0);
        for (index s = 0; s < tables.states.size(); ++s) {
            fill_transitions(s);
            for (auto t = tables.states[s].choices.first; t < tables.states[s].choices.first + tables.states[s].choices.count; ++t)
                fill(nodes_[s]->add_dispatch(), t);
            if (tables.states[s].initial.count) fill(nodes_[s]->add_initial(), tables.states[s].initial.first);
        }
        return root;
    }

private:
    /// In the order of definition, which determines the order of always transitions and reactions.
    void fill_transitions(index s) {
        const auto& row = tables.states[s];
        const auto end = row.events.first + row.events.count; // the three lists are consecutive
        for (std::uint32_t position = 0; position < end - row.polled.first; ++position)
            for (auto t = row.polled.first; t < end; ++t)
                if (tables.transitions[t].position == position && tables.transitions[t].candidate < 0) fill(nodes_[s]->add_transition(), t);
    }
    template <class Machine> void add(Machine& machine, index at) {
        note(machine, at);
        for (auto s = static_cast<index>(at + 1); s <= tables.states[at].last; s = static_cast<index>(tables.states[s].last + 1)) {
            const state_name name(tables.text(tables.states[s].name), nowhere);
            if (tables.states[s].kind == state_kind::machine)
                add(machine.add_fsm(name), s);
            else if (tables.states[s].kind == state_kind::parallel)
                add(machine.add_parallel(name), s);
            else if (tables.is_history(s))
                note(machine.add_history(name), s);
            else if constexpr (std::is_same_v<Machine, parallel<context_type>>)
                note(machine.add(name), s);
            else if (tables.states[s].kind == state_kind::choice)
                note(machine.add_choice(name), s);
            else
                note(tables.states[s].kind == state_kind::final ? machine.add_final(name) : machine.add(name), s);
        }
    }
    void note(state_base& node, index s) {
        nodes_.push_back(std::addressof(node));
        const auto& row = tables.states[s];
        if (row.id) node.set_id({row.id.address, row.value});
        if (row.class_tag) node.set_class(row.class_tag.address);
        if (row.transient) node.set_transient();
        for (auto i = row.tags.first; i < row.tags.first + row.tags.count; ++i) node.add_tag(std::string(tables.text(tables.tags[i])));
        if (row.history != history_depth::none) node.set_history(row.history);
        node.choosing().how = row.choose;
        node.choosing().again = row.again;
        node.choosing().stay_bonus = row.stay_bonus;
        if (row.period >= 0) node.choosing().every = delay_of(row.period);
        if (row.until_released) node.set_hold();
        if (row.least >= 0) node.set_least_duration(delay_of(row.least));
        for (auto i = row.hold_until.first; i < row.hold_until.first + row.hold_until.count; ++i)
            node.add_hold_predicate(constant_guard_object<Chart>{tables.hold_guards[i]}.parts());
        for (auto l = row.locals.first; l < row.locals.first + row.locals.count; ++l) node.add_local(prototype_of(tables.locals[l]));
        hooks(row.enter, [&](const bound_op& h) { node.add_hook(hook_kind::enter, h); });
        hooks(row.update, [&](const bound_op& h) { node.add_hook(hook_kind::update, h); });
        hooks(row.exit, [&](const bound_op& h) { node.add_hook(hook_kind::exit, h); });
        hooks(row.init, [&](const bound_op& h) { node.add_hook(hook_kind::init, h); });
        hooks(row.destroy, [&](const bound_op& h) { node.add_hook(hook_kind::destroy, h); });
        hooks(row.unhandled, [&](const bound_op& h) { node.add_hook(hook_kind::unhandled, h); });
        hooks(row.settled, [&](const bound_op& h) { node.add_hook(hook_kind::settled, h); });
        for (auto g = row.predicate; g >= 0; g = tables.guards[static_cast<std::size_t>(g)].next)
            node.add_predicate(constant_guard_object<Chart>{g}.parts());
        for (auto h = row.change.first; h < row.change.first + row.change.count; ++h)
            node.add_hook(hook_kind::change, bind_change<context_type>(tables.changes[h].call));
    }
    struct temporary_local {
        explicit temporary_local(const constant_local& l) : type(l.type), object(::operator new(type->size, alignment())) { l.construct(object); }
        temporary_local(const temporary_local&) = delete;
        ~temporary_local() {
            type->destroy(object);
            ::operator delete(object, alignment());
        }
        std::align_val_t alignment() const { return std::align_val_t(type->alignment); }
        const local_type* type;
        void* object;
    };
    static local_prototype prototype_of(const constant_local& l) {
        const temporary_local made(l);
        return local_prototype::of_type(*l.type, l.type->clone(made.object));
    }
    template <class Add> static void hooks(const constant_span& span, Add add) {
        for (auto h = span.first; h < span.first + span.count; ++h) add(constant_op_object<context_type>{std::addressof(tables.hooks[h])}.parts());
    }
    void fill(transition_spec& spec, std::uint32_t number) const {
        const auto& t = tables.transitions[number];
        if (t.target != no_index) spec.aim_at(state_key(*nodes_[t.target]));
        if (t.event != no_index) spec.event = event_key_of<Chart>(tables.events[t.event]);
        spec.priority = t.priority;
        spec.on_finished = t.on_finished;
        spec.reenter = t.reenter;
        spec.external = t.external;
        spec.always = t.always;
        spec.force = t.force;
        spec.carry_over = t.carry_over;
        spec.defers = t.defers;
        const auto add_all = [&](const constant_span& span, auto& to) {
            tables.each_of(span, [&](index s) { to.push_back(target_spec(state_key(*nodes_[s]))); });
        };
        add_all(t.further, spec.more_targets);
        add_all(t.joined, spec.joined);
        add_all(t.excluded, spec.excluded);
        for (auto g = t.guard; g >= 0; g = tables.guards[static_cast<std::size_t>(g)].next)
            if (tables.guards[static_cast<std::size_t>(g)].is_group)
                spec.add_conditions(conditions_of(tables.guards[static_cast<std::size_t>(g)]));
            else
                spec.add_guard(constant_guard_object<Chart>{g}.parts()), add_asked(spec.asked, g, true);
        if (t.score >= 0) spec.set_score(constant_score_object<Chart>{t.score}.parts());
        if (t.has_weight) spec.set_weight(t.weight, nowhere);
        spec.cooldown = t.cooldown;
        spec.label = tables.text(t.label);
        if (t.timer >= 0) (tables.timers[static_cast<std::size_t>(t.timer)].periodic ? spec.every : spec.after) = delay_of(t.timer);
        hooks(t.actions, [&](const bound_op& a) { spec.add_action(a); });
    }
    static delay delay_of(std::int32_t timer) {
        const auto& d = tables.timers[static_cast<std::size_t>(timer)].delay;
        return delay({d.find ? constant_delay_object<Chart>{timer}.parts() : bound_op(), d.fixed, nowhere});
    }
    condition_group conditions_of(const constant_guard<context_type>& g) const {
        condition_group group{g.kind == constant_guard<context_type>::any, {}};
        for (auto part = g.part; part >= 0; part = tables.guards[static_cast<std::size_t>(part)].next) add_asked(group.literals, part, true);
        return group;
    }
    /// Adds the conditions that a guard tests.
    void add_asked(std::vector<condition_literal>& to, std::int32_t at, bool sense) const {
        const auto& g = tables.guards[static_cast<std::size_t>(at)];
        if (g.kind == g.bit) to.push_back({conditions_[g.number].spec(), g.wanted == sense});
        if (g.kind == g.over) to.push_back({std::addressof(nodes_[0]->condition_at(0)), g.wanted == sense});
        const bool inner = sense != (g.kind == g.no);
        for (auto part = g.part; part >= 0; part = tables.guards[static_cast<std::size_t>(part)].next) add_asked(to, part, inner);
    }
    static condition condition_of(state_base& user, const constant_condition_row& c) {
        const auto name = tables.text(c.name);
        const bool given = c.given != constant_condition_use::any_index;
        if (!name.empty()) return given ? user.condition(name, c.given) : condition(user.condition_used(name));
        return given ? condition(user.condition_at(c.given)) : user.condition();
    }

    std::vector<state_base*> nodes_;
    std::vector<condition> conditions_;
};

} // namespace detail

/// Returns a new definition with the chart's hooks, guards and actions.
template <class Context, class Define, constant_chart_options Options>
owned<fsm<Context>> definition_of(const constant_chart_of<Context, Define, Options>&) {
    return detail::constant_definition_maker<constant_chart_of<Context, Define, Options>>().make();
}

} // namespace hsm
