/// Converts the definition of a constant chart to its tables, like tables.cpp and outline.cpp at run time.
#pragma once

#include <hsm/constant/constant_fsm.hpp>
#include <hsm/constant/detail/rows.hpp>
#include <hsm/vm/detail/chance.hpp>

namespace hsm::detail {

template <class Context> struct constant_model {
    using node_type = constant_node<Context>;
    using spec_type = constant_spec<Context>;

    constexpr constant_model(node_type& root, decision_order order, bool entry_times) {
        const auto count = count_of(root);
        states.reserve(count);
        nodes.reserve(count);
        transitions.reserve(count);
        specs.reserve(count);
        characters.reserve(16 * count);
        number(root, no_index, 0);
        for (index s = 0; s < row_count(states); ++s) number_leaves(s);
        for (index s = 0; s < row_count(states); ++s)
            for (auto* c : nodes[s]->conditions_)
                if (!c->name.empty() && c->index != constant_condition_use::any_index) add_condition(*c, s);
        for (index s = 0; s < row_count(states); ++s)
            for (auto* c : nodes[s]->conditions_) add_condition(*c, s);
        number_conditions();
        for (index s = 0; s < row_count(states); ++s) add_transitions(s);
        for (index s = 0; clears_entered && s < row_count(states); ++s) {
            states[s].slots = (s == 0 ? 0 : used_before(s, &constant_state_row::slots)) + 1;
            slots = slots > states[s].slots ? slots : states[s].slots;
        }
        for (std::uint32_t t = 0; t < transitions.size(); ++t) add_carried(t, order);
        find_any_event();
        number_columns();
        number_marks();
        if (holds > 0) number_held();
        for (auto& t : transitions)
            if (t.cooldown > 0) t.cool = cells++;
        entry_cells = cells;
        for (index s = 0; entry_times && s < row_count(states); ++s) {
            states[s].entries = 1 + (s == 0 ? 0 : used_before(s, &constant_state_row::entries));
            if (entry_cells + states[s].entries > cells) cells = entry_cells + states[s].entries;
        }
    }

    constexpr bool is_machine(index s) const { return states[s].kind == state_kind::machine; }
    constexpr bool is_history(index s) const { return states[s].kind == state_kind::history; }
    constexpr bool is_parallel(index s) const { return s != no_index && states[s].kind == state_kind::parallel; }
    constexpr bool tests_over(std::int32_t at) const {
        const auto& g = guards[static_cast<std::size_t>(at)];
        bool tests = g.kind == g.over;
        for (auto part = g.part; part >= 0; part = guards[static_cast<std::size_t>(part)].next) tests |= tests_over(part);
        return tests;
    }
    constexpr std::string_view text(const constant_span& span) const { return {characters.begin() + span.first, span.count}; }
    constexpr std::string_view path(index s) const { return text(states[s].path); }

    constant_list<const node_type*> nodes;
    constant_list<const spec_type*> specs; ///< by the number of the transition
    constant_list<constant_state_row> states;
    constant_list<constant_transition_row> transitions;
    constant_list<index> named; ///< no_index: the state does not exist
    constant_list<constant_hook<Context>> hooks;
    constant_list<constant_guard<Context>> guards;
    constant_list<std::int32_t> hold_guards;
    constant_list<constant_change<Context>> changes;
    constant_list<constant_score<Context>> scores;
    constant_list<constant_timer<Context>> timers;
    constant_list<std::uint32_t> carried;
    constant_list<constant_condition_row> conditions;
    constant_list<constant_span> tags;
    constant_list<constant_local> locals;
    constant_list<std::uint32_t> places;
    constant_list<constant_event_type> types;
    constant_list<constant_event_row> events;
    constant_list<event_interval> values;
    constant_list<event_interval> columns;
    constant_list<char> characters;
    constant_list<index> regions; ///< the outermost states
    std::uint32_t marks = 0, candidates = 0, cells = 0, entry_cells = 0, memories = 0, local_bytes = 0, local_alignment = 1;
    std::uint32_t slots = 0, holds = 0, held = 0, levels = 0, any_event = 0;
    bool clears_entered = false, any_over = false, triggers = false, unhandles = false, settles = false, has_life_hooks = false;
    bool transients = false, chance = false, always = false, by_record = false, defers = false, finishes = false;

private:
    using list = constant_list<const spec_type*>;

    constexpr constant_span add_text(std::string_view text) {
        const constant_span span{static_cast<std::uint32_t>(characters.size()), static_cast<std::uint32_t>(text.size())};
        for (const char c : text) characters.push_back(c);
        return span;
    }
    constexpr constant_span add_path(index superstate, std::string_view name) {
        const auto first = static_cast<std::uint32_t>(characters.size());
        if (superstate != no_index) {
            const auto outer = states[superstate].path;
            for (std::uint32_t i = 0; i < outer.count; ++i) {
                const char c = characters[outer.first + i];
                characters.push_back(c);
            }
            characters.push_back('/');
        }
        const auto at = static_cast<std::uint32_t>(characters.size());
        for (const char c : name) characters.push_back(c);
        states.back().name = {at, static_cast<std::uint32_t>(name.size())};
        return {first, static_cast<std::uint32_t>(characters.size()) - first};
    }
    /// `active`: the state from which locals are looked up; no_index: none is active.
    constexpr constant_span add_hooks(const constant_list<constant_hook<Context>>& from, index active) {
        const constant_span span{static_cast<std::uint32_t>(hooks.size()), static_cast<std::uint32_t>(from.size())};
        for (const auto& h : from) {
            hooks.push_back(h);
            hooks.back().places = find_locals(h.needs, active);
        }
        return span;
    }
    constexpr void add_locals(index s, const node_type& node) {
        auto at = s == 0 ? 0 : used_before(s, &constant_state_row::bytes);
        states[s].locals = {static_cast<std::uint32_t>(locals.size()), static_cast<std::uint32_t>(node.locals_.size())};
        for (const auto& l : node.locals_) {
            const auto alignment = l.type->alignment;
            at = (at + alignment - 1) / alignment * alignment;
            locals.push_back(l);
            locals.back().place = at;
            at += l.type->size;
            local_alignment = local_alignment > alignment ? local_alignment : alignment;
        }
        states[s].bytes = at;
        local_bytes = local_bytes > at ? local_bytes : at;
    }
    /// Adds the places of the locals that a callable takes. Returns the first.
    constexpr std::uint32_t find_locals(const needs_list* needs, index active) {
        const auto first = static_cast<std::uint32_t>(places.size());
        for (std::uint32_t i = 0; needs && i < needs->count; ++i) places.push_back(find_local(needs->locals[i], active));
        return first;
    }
    constexpr std::uint32_t find_local(const local_type* type, index s) const {
        for (; s != no_index; s = states[s].superstate)
            for (auto l = states[s].locals.first; l < states[s].locals.first + states[s].locals.count; ++l)
                if (is_same_local(locals[l].type, type)) return locals[l].place;
        return constant_no_place;
    }

    static constexpr std::size_t count_of(const node_type& node) {
        std::size_t n = 1;
        for (const auto* sub : node.substates_) n += count_of(*sub);
        return n;
    }
    constexpr void number(node_type& node, index superstate, index depth) {
        const auto self = static_cast<index>(states.size());
        node.number_ = self;
        nodes.push_back(&node);
        auto& row = states.push_back({});
        row.superstate = superstate;
        row.depth = depth;
        row.kind = node.kind_;
        row.transient = node.transient_;
        row.choose = node.choose_;
        row.history = node.history_;
        const bool begins = superstate == no_index || (is_parallel(superstate) && node.kind_ != state_kind::history);
        if (begins) regions.push_back(self);
        row.region = begins ? static_cast<index>(regions.size() - 1) : states[superstate].region;
        row.records = node.history_;
        for (const auto* sub : node.substates_)
            if (sub->kind_ == state_kind::history && sub->history_ != history_depth::previous && sub->history_ > row.records)
                row.records = sub->history_;
        if (row.records == history_depth::previous) row.memory = add_memories(2);
        if ((is_machine(self) || is_parallel(self)) && row.records != history_depth::none) row.memory = add_memories(1);
        row.id = node.id_;
        row.value = node.value_;
        row.class_tag = node.class_tag_;
        row.path = add_path(superstate, node.name_.view());
        for (auto* sub : node.substates_) {
            if (states[self].first == no_index && sub->kind_ != state_kind::history) states[self].first = static_cast<index>(states.size());
            number(*sub, self, static_cast<index>(depth + 1));
        }
        states[self].last = static_cast<index>(states.size() - 1);
        transients |= node.transient_;
    }

    /// Numbers the records of the regions inside a state that records leaves.
    constexpr void number_leaves(index s) {
        if (states[s].memory < 0 || states[s].records != history_depth::deep) return;
        index first = 0;
        while (first < regions.size() && regions[first] <= s) ++first;
        states[s].inner = static_cast<std::int32_t>(memories) - first;
        for (auto r = first; r < regions.size() && regions[r] <= states[s].last; ++r) ++memories;
    }
    constexpr std::int32_t add_memories(std::uint32_t count) { return static_cast<std::int32_t>((memories += count) - count); }

    constexpr void add_transitions(index s) {
        const auto& node = *nodes[s];
        const auto all = [](const spec_type&) { return true; };
        const auto polled = [](const spec_type& t) { return !t.event && t.has_target; };
        const auto reacts = [](const spec_type& t) { return !t.event && !t.has_target; };
        const auto by_event = [](const spec_type& t) { return static_cast<bool>(t.event); };
        add_locals(s, node);
        add_tags(s);
        states[s].enter = add_hooks(node.enter_, s);
        states[s].update = add_hooks(node.update_, s);
        states[s].exit = add_hooks(node.exit_, s);
        states[s].change = {static_cast<std::uint32_t>(changes.size()), static_cast<std::uint32_t>(node.change_.size())};
        for (const auto& h : node.change_) {
            changes.push_back(h);
            hooks.push_back({}); // at run time, they are numbered among the hooks
        }
        states[s].init = add_hooks(node.init_, no_index);
        states[s].destroy = add_hooks(node.destroy_, no_index);
        has_life_hooks |= states[s].init.count + states[s].destroy.count > 0;
        states[s].unhandled = add_hooks(node.unhandled_, s);
        states[s].settled = add_hooks(node.settled_, s);
        unhandles |= !node.unhandled_.empty();
        settles |= !node.settled_.empty();
        always |= settles; // it must be known whether a transition has fired
        for (const auto* p : node.predicates_) states[s].predicate = add_guards(s, *p, false);
        for (const auto* t : node.transitions_)
            if (t->event) type_index(t->event);
        states[s].timers.first = static_cast<std::uint32_t>(timers.size());
        states[s].cells = s == 0 ? 0 : used_before(s, &constant_state_row::cells);
        add_holds(s, node);
        states[s].again = node.rechooses_;
        states[s].stay_bonus = node.stay_bonus_;
        if (node.period_.is_set) states[s].period = add_timer(s, node.period_, true);
        states[s].choices = add_rows(s, node.choices_, constant_role::dispatch, all);
        states[s].initial = add_rows(s, node.initials_, constant_role::initial, all);
        states[s].polled = add_rows(s, node.transitions_, constant_role::ordinary, polled);
        states[s].reactions = add_rows(s, node.transitions_, constant_role::ordinary, reacts);
        states[s].events = add_rows(s, node.transitions_, constant_role::ordinary, by_event);
        states[s].timers.count = static_cast<std::uint32_t>(timers.size()) - states[s].timers.first;
        cells = cells > states[s].cells ? cells : states[s].cells;
        if (states[s].choose != choosing::first) states[s].candidates = states[s].kind == state_kind::choice ? branches_of(s) : states[s].choices;
        const auto count = states[s].candidates.count;
        candidates = candidates > count ? candidates : count;
        chance |= count > 0 && is_by_chance(states[s].choose);
        states[s].updates =
            states[s].kind != state_kind::final && (states[s].predicate >= 0 || states[s].update.count + states[s].reactions.count > 0);
    }

    constexpr void add_holds(index s, const node_type& node) {
        auto& row = states[s];
        if (!node.holds_ && node.hold_until_.empty() && !node.least_.is_set) return;
        row.hold = static_cast<std::int32_t>(holds++);
        row.until_released = node.holds_;
        if (node.least_.is_set) {
            row.least = static_cast<std::int32_t>(timers.size());
            timers.push_back({node.least_, row.cells, false, s, {}});
            ++row.cells;
        }
        for (const auto* h : node.hold_until_) {
            const auto first = static_cast<std::uint32_t>(hold_guards.size());
            auto added = guards.size();
            for (auto g = add_guards(s, *h, false); g >= 0; g = guards[static_cast<std::size_t>(g)].next) hold_guards.push_back(g);
            for (; added < guards.size(); ++added) {
                if (guards[added].kind == constant_guard<Context>::over) guards[added].number = 0; // like get(is_over)
                row.takes_target |= guards[added].takes_event;
            }
            row.hold_until = {row.hold_until.count ? row.hold_until.first : first, 0};
            row.hold_until.count = static_cast<std::uint32_t>(hold_guards.size()) - row.hold_until.first;
        }
    }
    /// Numbers the levels at which transitions can wait, and the transitions that a state can hold.
    constexpr void number_held() {
        for (index s = 0; s < row_count(states); ++s) {
            states[s].level = (s == 0 ? 0 : used_before(s, &constant_state_row::level)) + is_machine(s);
            levels = levels > states[s].level + 1 ? levels : states[s].level + 1;
        }
        for (auto& t : transitions) {
            bool waits = false;
            for (index s = 0; t.role == constant_role::ordinary && t.target != no_index && !t.force && s < row_count(states); ++s)
                waits |= states[s].hold >= 0 && (t.level == no_index || (s != t.level && flatten::contains(states, t.level, s))) &&
                         flatten::may_coexist(states, s, t.source, [&](index around) { return is_parallel(around); });
            if (waits) t.waits = static_cast<std::int32_t>(held++);
        }
    }

    /// Returns the number of cells or bytes that are used while the state is active. The regions of a parallel share none.
    constexpr std::uint32_t used_before(index s, std::uint32_t constant_state_row::*what) const {
        const auto around = states[s].superstate;
        auto most = states[around].*what;
        for (auto other = static_cast<index>(around + 1); is_parallel(around) && other < s; ++other)
            if (states[other].*what > most) most = states[other].*what;
        return most;
    }
    /// Returns the branches of a choice, except `otherwise`, which comes last.
    constexpr constant_span branches_of(index s) const {
        auto span = states[s].polled;
        while (span.count > 0 && transitions[span.first + span.count - 1].is_last()) --span.count;
        return span;
    }

    template <class Source, class Belongs> constexpr constant_span add_rows(index s, const Source& from, constant_role role, Belongs belongs) {
        list sorted;
        const bool again = states[s].again && std::addressof(from) == std::addressof(nodes[s]->transitions_);
        if (from.empty() && !again) return {static_cast<std::uint32_t>(transitions.size()), 0};
        for (const auto* t : from)
            if (belongs(*t)) insert(sorted, t);
        for (std::size_t c = 0; again && c < nodes[s]->choices_.size(); ++c)
            if (belongs(*nodes[s]->choices_[c])) insert(sorted, nodes[s]->choices_[c]); // rechoices
        const constant_span span{static_cast<std::uint32_t>(transitions.size()), static_cast<std::uint32_t>(sorted.size())};
        for (const auto* t : sorted) add_row(s, *t, role);
        return span;
    }
    /// Inserts it after the transitions that are tried before it.
    static constexpr void insert(list& sorted, const spec_type* t) {
        sorted.push_back(t);
        for (auto i = sorted.size() - 1; i > 0 && comes_before(*t, *sorted[i - 1]); --i) {
            sorted[i] = sorted[i - 1];
            sorted[i - 1] = t;
        }
    }

    static constexpr bool comes_before(const spec_type& a, const spec_type& b) {
        return flatten::tried_before(a.priority, flatten::turn_of(a.event.others, a.defers), b.priority, flatten::turn_of(b.event.others, b.defers));
    }

    constexpr void add_row(index s, const spec_type& t, constant_role role) {
        auto& row = transitions.push_back({});
        row.role = role;
        row.source = s;
        if (t.has_target) row.target = find(s, t);
        static_cast<constant_options&>(row) = t;
        row.position = t.position;
        always |= t.always;
        defers |= t.defers;
        row.further = find_all(s, t.further);
        by_record |= depends_on_record(row);
        if (row.target != no_index) row.level = role == constant_role::ordinary ? level_of(s, row, t.external) : s;
        if (t.event) row.event = event_of(t);
        if (states[s].again && role == constant_role::ordinary) find_candidate(row, t);
        if (row.candidate < 0) row.guard = add_guards(s, t, role != constant_role::ordinary);
        for (auto g = row.guard; g >= 0; g = guards[static_cast<std::size_t>(g)].next) {
            row.positives |= positives_of(g, true);
            row.needs_over |= row.target != no_index && !conditions.empty() && needs_over(guards[static_cast<std::size_t>(g)]);
            clears_entered |= row.needs_over;
        }
        row.joined = find_all(s, t.joined);
        row.excluded = find_all(s, t.excluded);
        if (t.score && row.candidate < 0) {
            row.score = static_cast<std::int32_t>(scores.size());
            scores.push_back(t.score);
            hooks.push_back({}); // at run time, a score is numbered among the hooks
        }
        if (t.after.is_set || t.every.is_set) row.timer = add_timer(s, t.after.is_set ? t.after : t.every, !t.after.is_set);
        row.actions = add_hooks(t.actions, row.target == no_index || role != constant_role::ordinary ? s : row.level);
        row.label = add_text(t.label.view());
        if (row.timer >= 0) timers[static_cast<std::size_t>(row.timer)].label = row.label;
        if (t.event) merge_type(t, types[events[row.event].type]);
        specs.push_back(&t);
    }
    constexpr index level_of(index source, const constant_transition_row& t, bool external) const {
        constant_list<index> targets;
        targets.push_back(t.target);
        for (auto i = t.further.first; i < t.further.first + t.further.count; ++i)
            if (named[i] != no_index) targets.push_back(named[i]);
        return flatten::level_of(states, source, targets, external, [&](index s) { return is_parallel(s); });
    }
    /// Returns whether, with substate_first, its level would depend on a record: see tables.cpp.
    constexpr bool depends_on_record(const constant_transition_row& t) const {
        return t.external && t.role == constant_role::ordinary && t.target != no_index && t.further.count == 0 && is_history(t.target) &&
               states[t.target].history != history_depth::previous && flatten::contains(states, states[t.target].superstate, t.source);
    }
    constexpr constant_span find_all(index from, const constant_target& before) {
        constant_span span{static_cast<std::uint32_t>(named.size()), 0};
        for (const auto* t = before.next; t; t = t->next, ++span.count) named.push_back(find(from, *t));
        return span;
    }
    /// Lets a row be a rechoice if the transition is a candidate.
    constexpr void find_candidate(constant_transition_row& row, const spec_type& t) const {
        const auto& span = states[row.source].choices;
        for (auto c = span.first; c < span.first + span.count; ++c) {
            if (specs[c] != &t) continue;
            row.candidate = static_cast<std::int32_t>(c);
            row.positives = transitions[c].positives;
            row.needs_over = transitions[c].needs_over;
            row.cooldown = 0;
        }
    }
    constexpr std::int32_t add_timer(index s, const constant_delay<Context>& delay, bool periodic) {
        const auto& added = timers.push_back({delay, states[s].cells, periodic, s, {}});
        states[s].cells += added.cells();
        return static_cast<std::int32_t>(timers.size()) - 1;
    }
    /// Adds it, unless it is known by its name or its index.
    constexpr void add_condition(constant_condition_use& use, index s) {
        const bool has_index = use.index != constant_condition_use::any_index;
        std::uint32_t c = 0;
        while (c < conditions.size() && (use.name.empty() || text(conditions[c].name) != use.name) &&
               !(has_index && use.name.empty() && conditions[c].given == use.index))
            ++c;
        if (c == conditions.size()) conditions.push_back({add_text(use.name), s, use.index});
        use.number = c;
        conditions[c].trigger |= use.trigger;
        triggers |= use.trigger;
    }
    /// Numbers them like `compile`: given indices first. Then sorts them by number, like the records of conditions that change together.
    constexpr void number_conditions() {
        std::uint32_t free = 1;
        const auto is_given = [&](std::uint32_t number) {
            bool found = false;
            for (const auto& c : conditions) found |= c.given == static_cast<int>(number);
            return found;
        };
        for (auto& c : conditions) {
            while (c.given == constant_condition_use::any_index && is_given(free)) ++free;
            c.number = c.given == constant_condition_use::any_index ? free++ : static_cast<std::uint32_t>(c.given);
        }
        constant_list<constant_condition_row> sorted;
        constant_list<std::uint32_t> ranks;
        for (std::uint32_t c = 0; c < conditions.size(); ++c) {
            std::uint32_t rank = 0;
            for (std::uint32_t o = 0; o < conditions.size(); ++o)
                rank += conditions[o].number < conditions[c].number || (conditions[o].number == conditions[c].number && o < c);
            ranks.push_back(rank);
            sorted.push_back({});
        }
        for (std::uint32_t c = 0; c < conditions.size(); ++c) sorted[ranks[c]] = conditions[c];
        for (std::uint32_t c = 0; c < conditions.size(); ++c) conditions[c] = sorted[c];
        for (auto* node : nodes)
            for (auto* use : node->conditions_) use->number = ranks[use->number];
    }
    constexpr std::uint32_t condition_of(const constant_condition_use& use) const {
        std::uint32_t c = 0;
        while (use.name.empty() ? conditions[c].given != use.index : text(conditions[c].name) != use.name) ++c;
        return c;
    }
    constexpr void add_tags(index s) {
        states[s].tags = {static_cast<std::uint32_t>(tags.size()), static_cast<std::uint32_t>(nodes[s]->tags_.size())};
        for (const auto name : nodes[s]->tags_) {
            constant_span known;
            for (const auto& tag : tags)
                if (text(tag) == name) known = tag;
            tags.push_back(known.count ? known : add_text(name));
        }
    }
    /// Returns the conditions that the guard requires to be set.
    constexpr std::uint64_t positives_of(std::int32_t at, bool sense) const {
        const auto& g = guards[static_cast<std::size_t>(at)];
        if (g.kind == constant_guard<Context>::bit) return g.wanted == sense ? std::uint64_t(1) << g.number % 64 : 0;
        std::uint64_t bits = 0;
        const bool inner = sense != (g.kind == constant_guard<Context>::no);
        for (auto part = g.part; part >= 0; part = guards[static_cast<std::size_t>(part)].next) bits |= positives_of(part, inner);
        return bits;
    }
    /// Returns whether the guard is a group of conditions that is false while the leaf is not finished.
    constexpr bool needs_over(const constant_guard<Context>& g) const {
        bool some = false, all = true;
        for (auto part = g.part; g.is_group && part >= 0; part = guards[static_cast<std::size_t>(part)].next) {
            const auto& p = guards[static_cast<std::size_t>(part)];
            const bool needs = p.kind == p.over && p.wanted;
            some |= needs, all &= needs;
        }
        return some && (all || g.kind == g.all);
    }
    constexpr std::int32_t add_guards(index s, const spec_type& t, bool is_entry) {
        const auto offset = static_cast<std::int32_t>(guards.size());
        constant_condition<Context>::append(t.guards, guards);
        for (auto g = static_cast<std::size_t>(offset); g < guards.size(); ++g) {
            auto& guard = guards[g];
            guard.places = find_locals(guard.needs, s);
            any_over |= guard.kind == guard.over;
            if (guard.kind == guard.over) guard.number = is_entry ? constant_regions_end + s : states[s].region;
            if (guard.kind != guard.bit) continue;
            guard.number = guard.handle ? guard.handle->number : condition_of(guard.used);
            guard.used = {};
            guard.handle = nullptr;
        }
        return t.first_guard < 0 ? -1 : t.first_guard + offset;
    }

    // Find targets, like lookup.cpp.
    constexpr index find(index from, const constant_target& t) const {
        if (t.node) return is_ours(t.node) ? static_cast<index>(t.node->number_) : no_index;
        if (t.id || t.by_class) return find_identity(from, t);
        return find_path(from, t.path.view());
    }
    constexpr bool is_ours(const constant_node_base* node) const {
        return node->number_ < nodes.size() && static_cast<const constant_node_base*>(nodes[node->number_]) == node;
    }
    constexpr bool bears(index s, const constant_target& t) const {
        return t.id ? states[s].id == t.id && states[s].value == t.value : states[s].class_tag == t.by_class;
    }
    constexpr index find_identity(index from, const constant_target& t) const {
        for (auto base = from; base != no_index; base = states[base].superstate) {
            if (bears(base, t)) return base;
            index found = no_index; // on the shallowest level
            bool ambiguous = false;
            for (auto s = static_cast<index>(base + 1); s <= states[base].last; ++s) {
                if (!bears(s, t) || (found != no_index && states[s].depth > states[found].depth)) continue;
                ambiguous = found != no_index && states[s].depth == states[found].depth;
                found = s;
            }
            if (found != no_index) return ambiguous ? no_index : found;
        }
        return no_index;
    }
    constexpr index below(index s, std::string_view path) const {
        while (s != no_index) {
            const auto slash = path.find('/');
            const auto name = path.substr(0, slash);
            index sub = no_index;
            if (!name.empty())
                for (const auto* n : nodes[s]->substates_)
                    if (sub == no_index && n->name_.view() == name) sub = static_cast<index>(n->number_);
            s = sub;
            if (slash == path.npos) break;
            path = path.substr(slash + 1);
        }
        return s;
    }
    constexpr index find_path(index from, std::string_view path) const {
        if (path.empty()) return no_index;
        for (auto base = from; base != no_index; base = states[base].superstate)
            if (const auto found = below(base, path); found != no_index) return found;
        const auto root = nodes[0]->name_.view();
        if (path == root) return 0;
        if (path.starts_with(root) && path.substr(root.size()).starts_with('/')) return below(0, path.substr(root.size() + 1));
        return no_index;
    }

    static constexpr void merge_type(const spec_type& t, constant_event_type& type) {
        for (const auto& g : t.guards) type.is_taken |= g.takes_event;
        for (const auto& a : t.actions) type.is_taken |= a.takes_event;
        for (const auto& v : t.values) type.has_ranges |= t.values.size() > 1 || v.first != v.last;
    }

    // Number events in the order of first use.
    constexpr index event_of(const spec_type& t) {
        const auto i = type_index(t.event);
        for (std::size_t n = 0; n < events.size(); ++n)
            if (events[n].type == i && events[n].others == t.event.others && waits_for(events[n], t)) return static_cast<index>(n);
        const constant_span span{static_cast<std::uint32_t>(values.size()), static_cast<std::uint32_t>(t.values.size())};
        for (const auto& v : t.values) values.push_back(v);
        events.push_back({i, span, add_text(t.event.name), t.event.others});
        return static_cast<index>(events.size() - 1);
    }
    constexpr bool waits_for(const constant_event_row& event, const spec_type& t) const {
        if (event.values.count != t.values.size()) return false;
        for (std::uint32_t v = 0; v < event.values.count; ++v)
            if (values[event.values.first + v] != t.values[v]) return false;
        return true;
    }
    constexpr std::uint32_t type_index(const constant_event& e) {
        for (std::uint32_t i = 0; i < types.size(); ++i)
            if (types[i].type == e.type) return i;
        constant_event_type type;
        type.type = e.type;
        type.has_values = e.has_values;
        type.size = e.size;
        type.alignment = e.alignment;
        types.push_back(type);
        return static_cast<std::uint32_t>(types.size() - 1);
    }

    /// Inserts the transition into `carried`, in the order in which polled transitions are tried, like list_carried.
    constexpr void add_carried(std::uint32_t number, decision_order order) {
        const auto& t = transitions[number];
        const bool waits = t.timer >= 0 && !timers[static_cast<std::size_t>(t.timer)].periodic && t.event == no_index && !t.on_finished;
        if (!t.carry_over || !waits || t.target == no_index) return;
        const auto depth = [&](index s) { return s == no_index ? -1 : static_cast<int>(states[s].depth); };
        const auto before = [&](const constant_transition_row& other) {
            if (order == decision_order::superstate_first && depth(t.level) != depth(other.level)) return depth(t.level) < depth(other.level);
            if (depth(t.source) != depth(other.source)) return (depth(t.source) < depth(other.source)) == (order == decision_order::superstate_first);
            return t.priority > other.priority;
        };
        carried.push_back(number);
        for (auto i = carried.size() - 1; i > 0 && before(transitions[carried[i - 1]]); --i) {
            carried[i] = carried[i - 1];
            carried[i - 1] = number;
        }
    }
    /// With any_event, each value of a known type can fire a transition.
    constexpr void find_any_event() {
        while (any_event < types.size() && !types[any_event].template is<any_event_type>()) ++any_event;
        if (any_event == types.size()) return;
        unhandles = true;
        for (std::uint32_t i = 0; i < types.size(); ++i) {
            if (!types[i].has_values) continue;
            types[i].has_ranges = true;
            events.push_back({i, {static_cast<std::uint32_t>(values.size()), 1}, {}, true});
            values.push_back(types[i].every_value());
        }
    }
    /// Makes columns: intervals of values for which the same transitions wait. Values that no transition waits for have no column.
    constexpr void number_columns() {
        for (std::uint32_t i = 0; i < types.size(); ++i) {
            types[i].first = static_cast<std::uint32_t>(columns.size());
            constant_list<cut> cuts;
            for (const auto& e : events)
                for (auto v = e.values.first; e.type == i && v < e.values.first + e.values.count; ++v) {
                    cuts.push_back({values[v].first, 1});
                    if (values[v].last != INT64_MAX) cuts.push_back({values[v].last + 1, -1});
                }
            sort(cuts);
            int waiting = 0;
            for (std::size_t c = 0; c < cuts.size(); ++c) {
                waiting += cuts[c].change;
                const bool more_here = c + 1 < cuts.size() && cuts[c + 1].at == cuts[c].at;
                if (waiting > 0 && !more_here) columns.push_back({cuts[c].at, c + 1 < cuts.size() ? cuts[c + 1].at - 1 : INT64_MAX});
            }
            types[i].count = static_cast<std::uint32_t>(columns.size()) - types[i].first;
        }
    }
    struct cut {
        std::int64_t at = 0;
        int change = 0;
    };
    /// A merge sort, because there can be thousands of cuts.
    static constexpr void sort(constant_list<cut>& cuts) {
        constant_list<cut> other;
        other.append(cuts.size(), {});
        for (std::size_t width = 1; width < cuts.size(); width *= 2) {
            for (std::size_t begin = 0; begin < cuts.size(); begin += 2 * width) merge(cuts, other, begin, width);
            for (std::size_t c = 0; c < cuts.size(); ++c) cuts[c] = other[c];
        }
    }
    static constexpr void merge(const constant_list<cut>& from, constant_list<cut>& to, std::size_t begin, std::size_t width) {
        const auto least = [&](std::size_t n) { return n < from.size() ? n : from.size(); };
        auto a = begin, b = least(begin + width);
        const auto middle = b, end = least(begin + 2 * width);
        for (auto c = begin; c < end; ++c) {
            const bool first = b == end || (a < middle && from[a].at <= from[b].at);
            to[c] = first ? from[a++] : from[b++];
        }
    }

    /// A parallel is finished when its regions are.
    constexpr void number_marks() {
        for (index s = 1; s < row_count(states); ++s) {
            bool waited = (any_over && is_parallel(s)) || (is_parallel(states[s].superstate) && states[states[s].superstate].mark >= 0);
            for (auto t = states[s].polled.first; t < states[s].polled.first + states[s].polled.count; ++t) waited |= transitions[t].on_finished;
            const bool predicates = states[s].predicate >= 0;
            const bool is_tested = any_over || !conditions.empty(); // like is_over
            waited = (waited && (is_machine(s) || is_parallel(s) || predicates)) || (predicates && is_tested);
            if (waited) states[s].mark = static_cast<std::int32_t>(marks++);
            finishes |= waited && predicates;
        }
    }
};

} // namespace hsm::detail
