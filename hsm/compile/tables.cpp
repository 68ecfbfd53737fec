#include <hsm/compile/detail/tables.hpp>

#include <hsm/compile/detail/check_parts.hpp>
#include <hsm/vm/detail/block.hpp>
#include <hsm/vm/detail/holding.hpp>

#include <algorithm>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace hsm::detail {

namespace {

/// Fills the tables of a chart.
class table_maker {
public:
    table_maker(chart_core& core, const outline& o) : core_(core), outline_(o) {}

    void run() {
        collect_events(core_, outline_);
        has_any_event_ = std::ranges::any_of(outline_.transitions, [](const auto& t) { return is_any_event(t.spec->event); });
        collect_conditions();
        const by_source transitions(outline_);
        core_.states.reserve(outline_.states.size());
        core_.transitions.reserve(outline_.transitions.size());
        for (index s = 0; s < row_count(outline_.states); ++s) add_state(s, transitions.of(s));
        core_.hooks.shrink_to_fit();
        core_.guards.shrink_to_fit();
        sort_names();
        collect_tags();
        if (core_.options.order == decision_order::superstate_first) list_always();
        list_carried();
        list_on_any_event();
        core_.catches_guards = !core_.options.guard_error.empty();
        if (core_.catches_guards) core_.guard_error = named(core_.options.guard_error);
        number_regions();
        list_leave_requests();
        place_in_block(core_);
        core_.stores_events = core_.has_holds || core_.has_defers;
        core_.follows_each_update = core_.has_holds || core_.catches_guards;
        add_columns(core_);
    }

private:
    using list = std::vector<const outline_transition*>;

    void collect_conditions() {
        finding_list found_before;
        core_.conditions = number_conditions(outline_, found_before);
        for (std::uint32_t i = 0; i < core_.conditions.size(); ++i)
            if (!core_.conditions[i].empty()) core_.conditions_by_name.push_back(i);
        std::ranges::sort(core_.conditions_by_name, {}, [&](auto i) { return core_.conditions[i]; });
        core_.quick_conditions = static_cast<std::uint32_t>(std::min<std::size_t>(core_.conditions.size(), 64));
        for (const auto& s : outline_.states)
            for (const auto& c : s.node->conditions()) {
                c->chart = static_cast<const chart_head*>(&core_);
                core_.has_over |= c->index == 0;
                if (!c->trigger) continue;
                core_.triggers.resize((core_.conditions.size() + 63) / 64);
                core_.triggers[c->number / 64] |= std::uint64_t(1) << c->number % 64;
            }
    }

    void add_state(index s, const list& transitions) {
        const auto& from = outline_.states[s];
        const auto& node = *from.node;
        state_row row{};
        row.node = &node;
        row.superstate = from.superstate;
        row.last = from.last;
        row.depth = from.depth;
        row.kind = node.kind();
        row.first = outline_.first_substate(s);
        row.transient = node.is_transient();
        row.history = node.history_kind();
        row.choose = node.chooses().how;
        row.record = remembers(node) ? static_cast<index>(core_.history_owners.size()) : no_index;
        if (remembers(node)) core_.history_owners.push_back(s);
        if (is_previous(node)) {
            core_.history_owners.push_back(s);
            core_.has_previous = true;
        }
        add_hooks_of(node, row);
        add_holds_locals_and_transitions(node, transitions, row);
        const bool is_region = from.superstate != no_index && outline_.is_parallel(from.superstate);
        row.marked = s == 0 || !core_.conditions.empty() || (is_region && core_.states[from.superstate].marked) ||
                     std::ranges::any_of(transitions, [](const auto* t) { return t->spec->on_finished; });
        row.always = list_always_of(transitions);
        row.done = done_event(s, node);
        if (row.hooks.change.count) core_.change_listeners.push_back(s);
        add_features(s, row);
        core_.states.push_back(row);
    }

    void sort_names() {
        for (index s = 0; s < row_count(core_.states); ++s) core_.by_name.push_back(s);
        std::ranges::sort(core_.by_name, {}, [&](index s) { return std::pair(core_.states[s].node->name(), s); });
    }

    void collect_tags() {
        std::vector<std::string_view> all;
        for (const auto& s : outline_.states) all.insert(all.end(), s.node->tags().begin(), s.node->tags().end());
        std::ranges::sort(all);
        all.erase(std::unique(all.begin(), all.end()), all.end());
        core_.tags = std::move(all);
        const auto words = core_.words_of_tags();
        core_.tag_words.resize(words * outline_.states.size());
        for (std::size_t s = 0; words > 0 && s < outline_.states.size(); ++s) {
            auto* const own = core_.tag_words.data() + s * words;
            if (s > 0) std::copy_n(core_.tag_words.data() + outline_.states[s].superstate * words, words, own);
            for (const auto& tag : outline_.states[s].node->tags()) {
                const auto number = static_cast<std::size_t>(std::ranges::lower_bound(core_.tags, std::string_view(tag)) - core_.tags.begin());
                own[number / 64] |= std::uint64_t(1) << number % 64;
            }
        }
    }

    /// Lists those of all states in the order of polled transitions: by the depth of the level first.
    void list_always() {
        core_.always = core_.own_always;
        core_.always.make_own();
        std::ranges::stable_sort(core_.always, {}, [&](auto number) {
            const auto& t = core_.transitions[number];
            return std::tuple(core_.depth_of_level(t), core_.states[t.source].depth, -std::int64_t(t.priority));
        });
    }

    void list_carried() {
        for (std::uint32_t number = 0; number < core_.transitions.size(); ++number)
            if (core_.transitions[number].carries) core_.carried.push_back(number);
        const bool outermost_first = core_.options.order == decision_order::superstate_first;
        std::ranges::sort(core_.carried, {}, [&](auto number) {
            const auto& t = core_.transitions[number];
            const int depth = core_.states[t.source].depth;
            return std::tuple(outermost_first ? core_.depth_of_level(t) : 0, outermost_first ? depth : -depth, -std::int64_t(t.priority), number);
        });
        core_.carries = !core_.carried.empty();
    }

    /// Innermost states first, in both orders of decision; of several regions the first.
    void list_on_any_event() {
        for (std::uint32_t number = 0; number < core_.transitions.size(); ++number)
            if (is_any_event(core_.transitions[number].spec->event)) core_.on_any_event.push_back(number);
        std::ranges::sort(core_.on_any_event, {},
                          [&](auto number) { return std::pair(-int(core_.states[core_.transitions[number].source].depth), number); });
        core_.has_hooks.unhandled |= !core_.on_any_event.empty(); // events without a transition have an effect
    }

    /// Lists them in the order in which they are tried, with and without target.
    span_of list_always_of(const list& transitions) {
        span_of span{static_cast<std::uint32_t>(core_.own_always.size()), 0};
        for (const auto* t : transitions) {
            if (!t->spec->always) continue;
            auto number = core_.transitions.size() - 1; // they were just added
            while (core_.transitions[number].spec != t->spec) --number;
            core_.own_always.push_back(static_cast<std::uint32_t>(number));
            ++span.count;
        }
        return span;
    }

    /// Returns no_index if no transition waits for the name. With any_event, the chart has events for which none waits.
    std::uint16_t named(std::string_view name) const {
        const auto waits = [&](const auto& t) {
            const auto& key = t.spec->event;
            const auto matches = [&](const auto& n) { return n.matches(name); };
            return key && key.type->is_name && (key.names.empty() ? key.name == name : std::ranges::any_of(key.names, matches));
        };
        if (has_any_event_ && std::ranges::none_of(outline_.transitions, waits)) return no_index;
        return core_.find_event({&event_type_of<named_event>, 0, name, nullptr, nullptr});
    }

    /// Returns the event raised when it is finished, if a transition waits for it.
    std::uint16_t done_event(index s, const state_base& node) const {
        const bool may = core_.options.done_events && s != 0 && (node.kind() == state_kind::machine || node.kind() == state_kind::parallel);
        return may ? named("done.state." + std::string(node.done_id())) : no_index;
    }

    void add_hooks_of(const state_base& node, state_row& row) {
        for (const auto& of : hook_kind_table) {
            row.hooks[of.kind] = add_hooks(node.hooks(of.kind));
            core_.has_hooks[of.kind] |= row.hooks[of.kind].count > 0;
        }
    }

    /// Their timers are consecutive.
    void add_holds_locals_and_transitions(const state_base& node, const list& transitions, state_row& row) {
        row.holds = static_cast<bool>(node.holds());
        row.until_released = node.holds().until_released;
        row.hold = add_guards(node.holds().predicates);
        row.timers.first = static_cast<std::uint32_t>(core_.timers.size());
        row.least = add_timer(node.holds().least);
        rechoose_timer_ = add_timer(node.chooses().every, true);
        row.predicates = add_guards(node.predicates());
        row.locals.first = static_cast<std::uint32_t>(core_.locals.size());
        row.locals.count = static_cast<std::uint32_t>(node.locals().size());
        for (const auto& local : node.locals()) core_.locals.push_back({&local, local_type_like(local.type()), 0});
        const auto polled = [](const auto& t) { return t.role == transition_role::ordinary && !t.spec->event; };
        row.choices = add_transitions(transitions, [](const auto& t) { return t.role == transition_role::dispatch; });
        row.initial = add_transitions(transitions, [](const auto& t) { return t.role == transition_role::initial; });
        row.polled = add_transitions(transitions, [&](const auto& t) { return polled(t) && t.target != no_index; });
        row.reactions = add_transitions(transitions, [&](const auto& t) { return polled(t) && t.target == no_index; });
        row.events = add_transitions(transitions, [](const auto& t) { return static_cast<bool>(t.spec->event); });
        row.timers.count = static_cast<std::uint32_t>(core_.timers.size()) - row.timers.first;
        row.candidates = {row.kind == state_kind::choice ? row.polled.first : row.choices.first, 0};
        const auto after = row.candidates.first + (row.kind == state_kind::choice ? row.polled.count : row.choices.count);
        for (auto t = row.candidates.first; t < after && core_.transitions[t].is_candidate; ++t) ++row.candidates.count;
        for (auto t = row.polled.first; t < row.polled.first + row.polled.count; ++t)
            for (auto c = row.candidates.first; core_.transitions[t].rechoice && c < row.candidates.first + row.candidates.count; ++c)
                if (core_.transitions[c].spec == core_.transitions[t].spec) core_.transitions[t].candidate = c;
        for (auto c = row.candidates.first; c < row.candidates.first + row.candidates.count; ++c) {
            auto& t = core_.transitions[c];
            t.candidate = c;
            if (t.spec->cooldown == 0) continue;
            t.cooldown = static_cast<std::uint32_t>(core_.cooldowns.size());
            core_.cooldowns.push_back({c, t.goal, t.spec->cooldown});
        }
        core_.has_choosing |= row.candidates.count > 0;
        core_.has_chance |= row.candidates.count > 0 && (row.choose == choosing::weighted || row.choose == choosing::random);
        core_.has_hook_context |= row.candidates.count > 0;
        core_.most_candidates = std::max(core_.most_candidates, row.candidates.count);
    }

    /// Stores which features a chart uses, so that unused ones have no cost.
    void add_features(index s, const state_row& row) {
        core_.has_holds |= row.holds;
        core_.tracks_fired |= row.hooks.settled.count > 0;
        core_.acts_when_settled |= row.hooks.settled.count + row.hooks.leave.count > 0;
        core_.has_transients |= row.transient;
        core_.has_projections |= static_cast<bool>(row.node->projection());
        core_.has_marks |= s != 0 && row.marked;
        core_.needs_reason |= row.hooks.change.count > 0; // it needs the level of the transition
        core_.has_hook_context |= row.hooks.change.count > 0 || row.node->projection() || row.node->names_successor();
        core_.depth = std::max(core_.depth, row.depth);
    }

    /// Returns the first equal type.
    const local_type* local_type_like(const local_type& type) {
        const auto known = std::ranges::find_if(local_types_, [&](const auto* t) { return same_type(*t, type); });
        if (known != local_types_.end()) return *known;
        return local_types_.emplace_back(&type);
    }

    /// Caches the events of a prefix, which many transitions can have.
    const std::vector<std::uint16_t>& events_for(const event_key& key) {
        if (key.names.size() != 1 || !key.names.front().prefix) return events_ = events_of(core_, key);
        const auto [known, is_new] = events_by_beginning_.try_emplace(key.names.front().text);
        if (is_new) known->second = events_of(core_, key);
        return known->second;
    }

    template <class Belongs> span_of add_transitions(const list& transitions, Belongs belongs) {
        span_of span{static_cast<std::uint32_t>(core_.transitions.size()), 0};
        for (const auto* t : transitions)
            if (belongs(*t)) {
                auto row = make_row(*t);
                for (const auto event : events_for(t->spec->event)) {
                    row.event = event;
                    core_.transitions.push_back(row);
                    ++span.count;
                }
            }
        return span;
    }

    /// Returns whether the state must be recorded when it is exited.
    static bool remembers(const state_base& node) {
        if (is_previous(node)) return true;
        return (node.kind() == state_kind::machine || node.kind() == state_kind::parallel) &&
               (node.history_kind() != history_depth::none || std::ranges::any_of(node.substates(), [](const auto& sub) {
                    return sub->kind() == state_kind::history && sub->history_kind() != history_depth::previous;
                }));
    }

    static bool is_previous(const state_base& node) { return node.kind() == state_kind::history && node.history_kind() == history_depth::previous; }

    std::uint32_t add_timer(const delay& d, bool periodic = false) {
        if (!d) return no_timer;
        const auto& find = d.find();
        core_.timers.push_back({d.nanoseconds(), row_of(find), periodic, 0});
        core_.has_hook_context |= static_cast<bool>(find);
        return static_cast<std::uint32_t>(core_.timers.size() - 1);
    }

    transition_row make_row(const outline_transition& t) {
        const auto& spec = *t.spec;
        transition_row row{};
        row.spec = &spec;
        row.source = t.source;
        row.target = t.target;
        row.level = t.level;
        row.priority = spec.priority;
        row.on_finished = spec.on_finished;
        row.always = spec.always;
        row.force = spec.force;
        row.defers = spec.defers;
        row.carries = (spec.carry_over || core_.options.carry_over) && may_carry_over(t);
        row.wants_local = std::ranges::any_of(spec.actions, [](const auto& a) { return a.needs().local_count > 0; });
        row.more_targets = add_targets(t);
        row.joined = add_states(t.joined);
        row.excluded = add_states(t.excluded);
        row.by_record = depends_on_record(t);
        row.is_candidate = is_candidate(t);
        row.weight = spec.weight;
        row.rechoice = t.rechoice;
        row.cooldown = no_score;
        row.score = spec.score && !t.rechoice ? add_hook(*spec.score) : no_score;
        core_.has_defers |= spec.defers;
        core_.by_regions |= row.by_record || row.more_targets.count > 0;
        const auto* const timed = time_option(spec);
        row.timer = t.rechoice ? rechoose_timer_ : timed ? add_timer(spec.*timed->time, timed->time == &transition_spec::every) : no_timer;
        core_.tracks_fired |= spec.always;
        row.goal = t.target;
        if (t.target != no_index && outline_.is_history(t.target)) row.goal = outline_.states[t.target].superstate;
        row.any_state = !spec.event && t.role == transition_role::ordinary && t.target != no_index &&
                        flatten::leads_to_own_substate(outline_.states, t.source, t.target, spec.reenter) &&
                        std::ranges::all_of(t.more_targets, [&](index target) { return target != t.source && outline_.contains(t.source, target); });
        if (!t.rechoice) row.guards = add_guards(spec.guards);
        if (!t.rechoice) row.conditions = {static_cast<std::uint32_t>(core_.groups.size()), add_groups(core_, spec)};
        row.entry_conditions = {static_cast<std::uint32_t>(core_.masks.size()), add_positives(core_, spec)};
        row.needs_finished = needs_finished(core_, row.conditions);
        row.uses_triggers = t.target != no_index && uses_triggers(core_, row.entry_conditions);
        row.actions = add_hooks(spec.actions);
        return row;
    }

    /// Returns whether one of the groups is always false while the leaf is not finished.
    static bool needs_finished(const chart_core& core, const span_of& groups) {
        for (auto i = groups.first; i < groups.first + groups.count; ++i) {
            const auto& g = core.groups[i];
            if (g.tests_finished && !g.any && (core.masks[g.first].mask & 1)) return true;
        }
        return false;
    }

    static bool uses_triggers(const chart_core& core, const span_of& masks) {
        for (auto i = masks.first; !core.triggers.empty() && i < masks.first + masks.count; ++i)
            if (core.masks[i].mask & core.triggers[core.masks[i].word]) return true;
        return false;
    }

    /// Further targets follow the first one: see targets_of.
    span_of add_targets(const outline_transition& t) {
        if (!t.more_targets.empty()) core_.targets.push_back(t.target);
        return add_states(t.more_targets);
    }

    span_of add_states(const std::vector<index>& states) {
        const span_of span{static_cast<std::uint32_t>(core_.targets.size()), static_cast<std::uint32_t>(states.size())};
        core_.targets.insert(core_.targets.end(), states.begin(), states.end());
        return span;
    }

    /// By the rules of SCXML, the level is determined by the states that a history state means. These may be further inside than the history state,
    /// if the source is below its superstate.
    bool depends_on_record(const outline_transition& t) const {
        if (!t.spec->external || core_.options.order != decision_order::substate_first || t.role != transition_role::ordinary) return false;
        const auto leads = [&](index target) {
            return target != no_index && outline_.is_history(target) && !is_previous(*outline_.states[target].node) &&
                   outline_.contains(outline_.states[target].superstate, t.source);
        };
        return t.more_targets.empty() && leads(t.target);
    }

    /// For each state: the levels at which something can be pending, then the polled transitions that would exit it.
    void list_leave_requests() {
        for (index s = 0; s < row_count(core_.states) && core_.has_hooks.leave; ++s) {
            if (core_.states[s].hooks.leave.count == 0) continue;
            for (auto level = core_.states[s].superstate;; level = core_.states[level].superstate) {
                core_.leave_requests.push_back({s, no_transition, static_cast<std::uint32_t>(slot_of(core_, level))});
                if (level == no_index) break;
            }
            for (index source = 0; source < row_count(core_.states); ++source) {
                const bool can_be_active = core_.by_regions || core_.contains(source, s) || core_.contains(s, source);
                const auto& polled = core_.states[source].polled;
                for (auto t = polled.first; t < polled.first + polled.count && can_be_active; ++t) {
                    const auto& row = core_.transitions[t];
                    const bool exits = row.level == no_index || (row.level != s && core_.contains(row.level, s));
                    if (exits && !row.force) core_.leave_requests.push_back({s, t, 0});
                }
            }
        }
    }

    static hook_row row_of(const erased<op_function>& h) {
        return {h.call(), h.self(), h.needs().step, h.needs().event, h.needs().many, h.needs().locals, h.needs().local_count};
    }

    span_of add_hooks(const std::vector<hook>& hooks) {
        const span_of span{static_cast<std::uint32_t>(core_.hooks.size()), static_cast<std::uint32_t>(hooks.size())};
        for (const auto& h : hooks) add_hook(h);
        return span;
    }

    std::uint32_t add_hook(const hook& h) {
        core_.hooks.push_back(row_of(h));
        core_.has_hook_context |= h.needs().hook_context;
        core_.needs_reason |= h.needs().step;
        return static_cast<std::uint32_t>(core_.hooks.size() - 1);
    }

    span_of add_guards(const std::vector<guard>& guards) {
        const span_of span{static_cast<std::uint32_t>(core_.guards.size()), static_cast<std::uint32_t>(guards.size())};
        for (const auto& g : guards) {
            core_.guards.push_back(row_of(g));
            core_.has_hook_context |= g.needs().hook_context;
        }
        return span;
    }

    /// In preorder, so regions inside a state are consecutive.
    void number_regions() {
        for (index s = 0; s < row_count(core_.states); ++s) {
            auto& row = core_.states[s];
            const bool begins = s == 0 || (core_.states[row.superstate].kind == state_kind::parallel && row.kind != state_kind::history);
            if (begins) core_.regions.push_back(s);
            row.region = begins ? static_cast<index>(core_.regions.size() - 1) : core_.states[row.superstate].region;
        }
        for (index s = 0; s < row_count(core_.states); ++s) {
            const auto first = std::ranges::upper_bound(core_.regions, s);
            const auto last = std::ranges::upper_bound(core_.regions, core_.states[s].last);
            core_.states[s].regions = {static_cast<std::uint32_t>(first - core_.regions.begin()), static_cast<std::uint32_t>(last - first)};
        }
        core_.by_regions |= core_.regions.size() > 1;
        for (const auto s : core_.history_owners) {
            core_.region_record_at.push_back(core_.region_records);
            core_.region_records += core_.by_regions ? core_.states[s].regions.count : 0;
        }
    }

    chart_core& core_;
    const outline& outline_;
    std::vector<const local_type*> local_types_;
    std::vector<std::uint16_t> events_;
    std::uint32_t rechoose_timer_ = no_timer; ///< of the current state
    bool has_any_event_ = false;
    std::unordered_map<std::string_view, std::vector<std::uint16_t>> events_by_beginning_;
};

} // namespace

void make_tables(chart_core& core, const outline& o) {
    table_maker(core, o).run();
    core.layout = layout_of(core);
}

} // namespace hsm::detail
