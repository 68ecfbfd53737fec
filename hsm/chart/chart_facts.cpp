// Converts the tables of a chart, and its tree, to the data of its view.

#include <hsm/chart/detail/chart_facts.hpp>

#include <hsm/chart/detail/chart_text.hpp>
#include <hsm/chart/detail/compiled_chart.hpp>
#include <hsm/define/detail/erased.hpp>
#include <hsm/define/detail/transition_options.hpp>
#include <hsm/op/detail/compiler.hpp>

#include <algorithm>
#include <map>
#include <memory>

namespace hsm::detail {

namespace {

class facts_maker {
public:
    explicit facts_maker(const chart_core& core) : core_(core), all_(std::make_unique<chart_facts>()) {}

    std::unique_ptr<chart_facts> run() {
        all_->substate_first = core_.options.order == decision_order::substate_first;
        all_->hooks.resize(core_.hooks.size());
        all_->guards.resize(core_.guards.size());
        all_->transitions.resize(core_.transitions.size());
        for (const auto& t : core_.timers) all_->timers.push_back({0, t.find.call ? -1 : t.fixed, t.periodic, {}, {}});
        add_groups();
        for (index s = 0; s < row_count(core_.states); ++s) add_state(s);
        for (const auto& e : core_.events) all_->events.push_back({e.name, std::string(e.type->name), e.type->is_name, e.value, e.values, {}});
        add_conditions();
        for (const auto& row : core_.states) add_former_events(*row.node);
        return std::move(all_);
    }

private:
    static fact_span span(const span_of& s) { return {s.first, s.count}; }

    void add_state(index s) {
        const auto& row = core_.states[s];
        const auto& node = *row.node;
        state_facts f;
        f.name = node.name();
        f.path = node.path();
        f.distinct = distinct_name(core_, s);
        f.kind = row.kind;
        f.history = row.history;
        f.choose = row.choose;
        f.stay_bonus = node.chooses().stay_bonus;
        f.transient = row.transient;
        f.until_released = row.until_released;
        f.superstate = row.superstate == no_index ? no_fact : row.superstate;
        f.last = row.last;
        f.depth = row.depth;
        f.region = row.region;
        f.transitions = {row.choices.first, row.events.first + row.events.count - row.choices.first};
        for (std::size_t k = 0; k < hook_kinds; ++k) {
            const auto kind = static_cast<hook_kind>(k);
            f.hooks[k] = span(row.hooks[kind]);
            add_hooks(all_->hooks, row.hooks[kind], node.hooks(kind), s, no_fact, kind);
        }
        f.hold = span(row.hold);
        add_hooks(all_->guards, row.hold, node.holds().predicates, s, no_fact);
        f.predicates = span(row.predicates);
        add_hooks(all_->guards, row.predicates, node.predicates(), s, no_fact);
        if (row.least != no_timer) {
            f.least = row.least;
            all_->timers[row.least].label = node.holds().least.find().label();
        }
        for (auto i = row.timers.first; i < row.timers.first + row.timers.count; ++i) all_->timers[i].state = s;
        for (const auto& local : node.locals()) f.locals.emplace_back(local.type().name);
        f.former = node.former_names();
        f.tags = node.tags();
        f.where = position_of(node);
        f.node = &node;
        if (row.superstate != no_index) all_->states[row.superstate].substates.push_back(s);
        all_->states.push_back(std::move(f));
        add_transitions(row.choices, transition_role::dispatch);
        add_transitions(row.initial, transition_role::initial);
        for (const auto* list : {&row.polled, &row.reactions, &row.events}) add_transitions(*list, transition_role::ordinary);
    }

    /// Rows of guards and other hooks are parallel to the lists from which they were made.
    template <class Hooks>
    void add_hooks(std::vector<hook_facts>& to, const span_of& rows, const Hooks& from, std::uint32_t state, std::uint32_t transition,
                   hook_kind kind = hook_kind::enter) {
        for (std::uint32_t i = 0; i < rows.count; ++i) {
            auto& f = to[rows.first + i];
            if (f.state != no_fact) continue; // belongs to an earlier row of the same transition
            const bool hidden = from[i].label() == mark_of_loader;
            f = {hidden ? std::string() : std::string(from[i].label()),
                 position_of_hook(from[i].where(), state, transition),
                 state,
                 transition,
                 i,
                 kind,
                 hidden};
        }
    }

    /// Returns its own place, or else that of the state or transition that contains it.
    file_position position_of_hook(origin where, std::uint32_t state, std::uint32_t transition) const {
        const auto& node = *core_.states[state].node;
        if (where) return position_of(node, where);
        return transition == no_fact ? position_of(node) : position_of(*core_.transitions[transition].spec);
    }

    void add_transitions(const span_of& rows, transition_role role) {
        for (auto number = rows.first; number < rows.first + rows.count; ++number) add_transition(number, role);
    }

    void add_transition(std::uint32_t number, transition_role role) {
        const auto& t = core_.transitions[number];
        const auto& spec = *t.spec;
        auto& f = all_->transitions[number];
        f.role = role;
        f.trigger = trigger_of(t, role);
        f.source = t.source;
        f.level = t.target == no_index || t.level == no_index ? no_fact : t.level;
        f.event = t.event == no_index ? no_fact : t.event;
        if (const auto* const timed = time_option(spec)) {
            f.timer = t.timer;
            all_->timers[t.timer].option = timed->name;
            all_->timers[t.timer].spec = &spec;
            all_->timers[t.timer].label = (spec.*timed->time).find().label();
        }
        if (t.rechoice && t.timer != no_timer) {
            f.timer = t.timer;
            all_->timers[t.timer].option = "rechoose_every";
        }
        f.same_as = first_of_.try_emplace(&spec, number).first->second;
        f.priority = t.priority;
        for (const auto& option : transition_options)
            if (option.is_set(spec) && option.flag != &transition_spec::carry_over) f.options |= option.view;
        if (t.carries) f.options |= view_bits::carry_over; // also by an option of the chart
        if (t.defers) f.options |= view_bits::defers;
        if (t.target != no_index)
            for (const auto target : core_.targets_of(t)) f.targets.push_back(target);
        for (std::uint32_t i = 0; i < t.joined.count; ++i) f.joined.push_back(core_.targets[t.joined.first + i]);
        for (const auto s : core_.excluded_of(t)) f.excluded.push_back(s);
        f.groups = span(t.conditions);
        f.guards = span(t.guards);
        f.actions = span(t.actions);
        f.where = position_of(spec);
        f.label = spec.label;
        add_hooks(all_->guards, t.guards, spec.guards, t.source, number);
        add_hooks(all_->hooks, t.actions, spec.actions, t.source, number);
        f.candidate = t.is_candidate;
        f.weight = t.weight;
        f.cooldown = spec.cooldown;
        f.score = t.score;
        if (f.score != no_fact) add_hooks(all_->hooks, {t.score, 1}, spec.score.get(), t.source, number);
    }

    static trigger_kind trigger_of(const transition_row& t, transition_role role) {
        if (role != transition_role::ordinary) return trigger_kind::entry;
        if (t.event != no_index) return trigger_kind::event;
        if (t.on_finished) return trigger_kind::completion;
        if (t.spec->every) return trigger_kind::every;
        if (t.spec->after) return trigger_kind::after;
        return t.always ? trigger_kind::always : trigger_kind::poll;
    }

    void add_groups() {
        for (const auto& group : core_.groups) {
            group_facts f{group.any, {}};
            for (auto i = group.first; i < group.first + group.count; ++i) {
                const auto& part = core_.masks[i];
                for (std::uint32_t bit = 0; bit < 64; ++bit)
                    if (part.filter >> bit & 1) f.literals.push_back({part.word * 64 + bit, (part.mask >> bit & 1) != 0});
            }
            all_->groups.push_back(std::move(f));
        }
    }

    void add_conditions() {
        for (const auto name : core_.conditions) all_->conditions.push_back({std::string(name), no_fact, {}, {}, false});
        for (index s = 0; s < row_count(core_.states); ++s)
            for (const auto& c : core_.states[s].node->conditions()) {
                auto& f = all_->conditions[c->number];
                f.former.insert(f.former.end(), c->former_names.begin(), c->former_names.end());
                f.trigger |= c->trigger;
                if (f.state != no_fact && !c->declared) continue;
                f.state = s;
                f.where = position_of(*c);
            }
    }

    void add_former_events(const state_base& node) {
        for (const auto& former : node.former_events()) {
            const auto number = core_.find_event({former.event.type, former.event.value, former.event.name, nullptr, nullptr});
            if (number != no_index) all_->events[number].former.push_back(former.name);
        }
    }

    const chart_core& core_;
    std::unique_ptr<chart_facts> all_;
    std::map<const transition_spec*, std::uint32_t> first_of_;
};

} // namespace

const chart_facts& facts_of(const chart_core& core) {
    const atomic_view there(core.owner->facts);
    if (const auto* const known = there.load<order::acquire>()) return *known;
    auto made = facts_maker(*core.owner).run();
    const chart_facts* none = nullptr; // another thread may set it first
    if (there.compare_exchange_strong<order::acquire_release, order::acquire>(none, made.get())) return *made.release();
    return *none;
}

} // namespace hsm::detail
