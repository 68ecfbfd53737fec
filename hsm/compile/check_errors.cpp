// Finds errors. A definition with errors cannot run.

#include <hsm/compile/detail/check_parts.hpp>
#include <hsm/compile/detail/tables.hpp>
#include <hsm/define/detail/hook_kinds.hpp>
#include <hsm/define/detail/mistakes.hpp>
#include <hsm/define/detail/shown.hpp>
#include <hsm/define/detail/transition_options.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

namespace hsm::detail {

namespace {

/// Returns whether a state, or one around it, has a local of a type. Remembers the latest answer, because thousands of hooks can take the same local.
class local_finder {
public:
    bool has(const state_base* s, const local_type& type) {
        if (s != from_ || &type != type_) found_ = search(s, type);
        from_ = s;
        type_ = &type;
        return found_;
    }

private:
    static bool search(const state_base* s, const local_type& type) {
        for (; s; s = s->superstate())
            if (std::ranges::any_of(s->locals(), [&](const auto& l) { return same_type(l.type(), type); })) return true;
        return false;
    }

    const state_base* from_ = nullptr;
    const local_type* type_ = nullptr;
    bool found_ = false;
};

/// Returns whether it is in a nested machine that works on a part of the outer context.
bool is_projected(const state_base& s) { return s.projection() || (s.superstate() && is_projected(*s.superstate())); }

template <class Hooks>
void check_wants(const Hooks& hooks, const state_base* where, const state_base& about, std::string_view whose, std::string_view hint,
                 finding_list& out) {
    local_finder locals;
    for (const auto& h : hooks)
        for (std::uint32_t i = 0; i < h.needs().local_count; ++i) {
            const auto& type = *h.needs().locals[i];
            if (locals.has(where, type)) continue;
            out.add(
                code::missing_local, about,
                where ? fmt::format("{} takes a \"{}\", but no state from \"{}\" outwards has such a local", whose, type.name, shown_path(*where))
                      : fmt::format("{} takes a \"{}\", but no state is active at that moment", whose, type.name),
                std::string(is_projected(about)
                                ? "if the function takes the context of an outer machine, let it take this machine's part of the context; otherwise: "
                                : "") +
                    std::string(hint),
                position_of(about, h));
        }
}

void check_locals(const state_base& s, finding_list& out) {
    constexpr auto hint = "add a local to the state with local<T>(...)";
    constexpr auto none_yet = "take only the context: without an active state, no local exists";
    for (const auto& row : hook_kind_table) {
        const bool outside = row.moment == hook_moment::outside;
        const auto& hooks = s.hooks(row.kind);
        if (!hooks.empty()) check_wants(hooks, outside ? nullptr : &s, s, with_article(row.shown()) + " hook", outside ? none_yet : hint, out);
    }
    check_wants(s.predicates(), &s, s, "a finished predicate", hint, out);
    check_wants(s.holds().predicates, &s, s, "a hold_until predicate", hint, out);
    check_wants(std::span(&s.holds().least.find(), 1), &s, s, "a min_duration", hint, out);
}

/// Checks that history states without a record lead to a state. They lead to their default or to their machine's entry choice. A default that is
/// another history state of the same machine leads to that one's default.
class history_check {
public:
    history_check(const outline& o, finding_list& out) : o_(o), out_(out), next_(o.states.size(), no_index), ends_(o.states.size(), unknown) {
        for (index s = 0; s < row_count(o.states); ++s)
            if (o.is_history(s) && o.states[s].node->initials().empty()) next_[s] = o.states[s].superstate;
        for (const auto& t : o.transitions)
            if (t.target != no_index && is_history_of(t.target, o.states[t.source].superstate) && o.is_history(t.source)) next_[t.source] = t.target;
    }

    void run() {
        for (index s = 0; s < row_count(o_.states); ++s)
            if (o_.is_history(s)) end_of(s);
        for (const auto& t : o_.transitions)
            if (t.role != transition_role::ordinary && t.target != no_index && is_history_of(t.target, t.source) && end_of(t.target) == t.source) {
                out_.examine(*t.spec->source, t.spec->origin ? t.spec->origin : t.spec->source->origin());
                out_.add(code::endless_history, *o_.states[t.target].node,
                         fmt::format(
                             "the entry of \"{}\" leads to this history state. When nothing is recorded, the history state leads back to that entry",
                             shown_path(*o_.states[t.source].node)),
                         "set a default for the history state, or let the machine remember its last state");
            }
    }

private:
    static constexpr index unknown = no_index - 1, walking = no_index - 2;

    bool is_history_of(index s, index machine) const { return o_.is_history(s) && o_.states[s].superstate == machine; }

    /// Returns the machine if `s` leads to its entry choice; otherwise no_index. Reports each cycle once.
    index end_of(index s) {
        std::vector<index> path;
        auto at = s;
        for (; at != no_index && o_.is_history(at) && ends_[at] == unknown; at = next_[at]) {
            ends_[at] = walking;
            path.push_back(at);
        }
        auto end = at;
        if (at != no_index && o_.is_history(at)) {
            if (ends_[at] == walking) report({std::ranges::find(path, at), path.end()});
            end = ends_[at] == walking ? no_index : ends_[at];
        }
        for (const auto passed : path) ends_[passed] = end;
        return path.empty() ? ends_[s] : end;
    }

    void report(const std::vector<index>& cycle) {
        const auto& first = *o_.states[cycle.front()].node;
        out_.examine(first, first.initials().front()->origin ? first.initials().front()->origin : first.origin());
        const auto listed = [&](std::size_t i) { return o_.states[cycle[i]].node->name(); };
        out_.add(code::endless_history, first,
                 cycle.size() == 1
                     ? std::string("the default of this history state is the history state itself")
                     : fmt::format("the defaults of {} history states form a cycle: {}", cycle.size(), shown_list(cycle.size(), listed)),
                 "set a default that is not a history state");
    }

    const outline& o_;
    finding_list& out_;
    std::vector<index> next_; ///< of a history state without a record: another history state of its machine, the machine, or no_index
    std::vector<index> ends_; ///< see end_of
};

void check_target(const outline& o, const outline_transition& t, finding_list& out) {
    const auto& source = *o.states[t.source].node;
    findings_of_mistakes mistakes(out);
    const auto written = [&] { return shown_target(t.spec->target, source); };
    const bool of_history = source.kind() == state_kind::history;
    const auto what = t.role == transition_role::ordinary   ? "a transition"
                      : t.role == transition_role::dispatch ? "dispatch"
                      : of_history                          ? "otherwise"
                                                            : "initial";
    const auto machine = of_history ? o.states[t.source].superstate : t.source;
    if (t.lookup.ambiguous)
        out.add(code::ambiguous_state, source,
                fmt::format("{} names \"{}\", but several states at the same distance have this name", what, written()),
                "name the state by reference or by path");
    else if (!t.lookup.found)
        out.add(code::unknown_state, source, fmt::format("{} names \"{}\", but this state does not exist", what, written()),
                out.guess(source, t.spec->target));
    else if (t.target == no_index)
        out.add(code::foreign_state, source,
                fmt::format("{} names \"{}\", which is not in the tree of \"{}\"", what, written(), shown(root_of(source).name())),
                "add the state to this tree; machines do not share states");
    else if (t.role != transition_role::ordinary && (t.target == machine || !o.contains(machine, t.target)))
        find_outside(*t.spec, t.role == transition_role::dispatch, *o.states[t.target].node, mistakes);
}

/// Reports a further target, or a state of a join, that does not exist.
void check_further(const outline& o, const outline_transition& t, const target_spec& written, index found, std::string_view word, finding_list& out) {
    const auto& source = *o.states[t.source].node;
    if (found != no_index) return;
    if (look_up(source, written).ambiguous)
        out.add(code::ambiguous_state, source,
                fmt::format("{} names \"{}\", but several states at the same distance have this name", word, shown_target(written, source)),
                "name the state by reference or by path");
    else
        out.add(code::unknown_state, source, fmt::format("{} names \"{}\", but this state does not exist", word, shown_target(written, source)),
                out.guess(source, written));
}

/// Returns whether both can be active at the same time. A history state may lead to any state of its machine.
bool together(const outline& o, index a, index b) {
    if (!o.is_history(a) && !o.is_history(b)) return o.may_coexist(a, b);
    a = o.is_history(a) ? o.states[a].superstate : a;
    b = o.is_history(b) ? o.states[b].superstate : b;
    return !o.contains(a, b) && !o.contains(b, a) && o.may_coexist(a, b);
}

/// Returns two of the states that are never active together, or nothing if there are no such states. Compares each state, in the order of the tree,
/// with the previous one and with the states that contain it. This suffices, because a parallel above two neighbors is also above all pairs that they
/// separate.
std::optional<std::pair<index, index>> find_apart(const outline& o, std::vector<index> states) {
    const auto place = [&](index s) { return o.is_history(s) ? o.states[s].superstate : s; };
    std::erase(states, no_index);
    std::ranges::sort(states, {}, [&](index s) { return std::pair(place(s), s); });
    std::vector<index> outer; // the states that contain the next one, if it is inside the last
    std::size_t histories = 0;
    for (std::size_t i = 0; i < states.size(); ++i) {
        const auto s = states[i];
        while (!outer.empty() && !o.contains(place(outer.back()), place(s))) {
            histories -= o.is_history(outer.back());
            outer.pop_back();
        }
        if (!outer.empty() && (o.is_history(s) || histories > 0)) {
            const auto other = std::ranges::find_if(outer, [&](index a) { return !together(o, a, s); });
            if (other != outer.end()) return std::pair(*other, s);
        }
        if (i > 0 && !o.may_coexist(place(states[i - 1]), place(s))) return std::pair(states[i - 1], s);
        outer.push_back(s);
        histories += o.is_history(s);
    }
    return {};
}

void check_all_together(const outline& o, const outline_transition& t, const std::vector<index>& states, std::string_view what, finding_list& out) {
    const auto apart = find_apart(o, states);
    if (!apart) return;
    const auto fail = [&](index a, index b) {
        out.add(
            code::never_together, *o.states[t.source].node,
            fmt::format("{} \"{}\" and \"{}\", which are never active together", what, shown_path(*o.states[a].node), shown_path(*o.states[b].node)),
            "name states in different regions of a parallel");
    };
    constexpr std::size_t few = 50; // up to this number, all pairs are reported
    if (states.size() > few) return fail(apart->first, apart->second);
    for (std::size_t i = 0; i < states.size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (states[i] != no_index && states[j] != no_index && !together(o, states[j], states[i])) fail(states[j], states[i]);
}

/// Reports targets of a fork, and states of a join and its source, that cannot be active together.
void check_together(const outline& o, const outline_transition& t, finding_list& out) {
    const auto with = [](index first, const std::vector<index>& more) {
        std::vector<index> all{first};
        all.insert(all.end(), more.begin(), more.end());
        return all;
    };
    if (!t.more_targets.empty()) check_all_together(o, t, with(t.target, t.more_targets), "a transition goes to", out);
    if (!t.joined.empty()) check_all_together(o, t, with(t.source, t.joined), "a join waits for", out);
}

/// Reports further targets of an entry choice that are not below its machine.
void check_entry(const outline& o, const outline_transition& t, finding_list& out) {
    if (t.role == transition_role::ordinary) return;
    const auto machine = o.is_history(t.source) ? o.states[t.source].superstate : t.source;
    for (const auto target : t.more_targets)
        if (target != no_index && (target == machine || !o.contains(machine, target)))
            out.add(
                t.role == transition_role::dispatch ? code::dispatch_outside : code::initial_outside, *o.states[t.source].node,
                fmt::format("a target is \"{}\", which is not below \"{}\"", shown_path(*o.states[target].node), shown_path(*o.states[machine].node)),
                "name substates of this machine, at any depth");
}

/// Returns the first state that may hold this transition: it would be exited, and the event would wait. The target of a history may be any state.
index possible_holder(const outline& o, const outline_transition& t) {
    if (t.role != transition_role::ordinary || t.target == no_index || t.spec->force) return no_index;
    const auto level = o.is_history(t.target) ? no_index : t.level;
    for (index s = 0; s < row_count(o.states); ++s)
        if (o.states[s].node->holds() && s != level && (level == no_index || o.contains(level, s)) && o.may_coexist(s, t.source)) return s;
    return no_index;
}

/// An event that can be neither copied nor moved must be handled immediately.
void check_storable(const outline& o, const outline_transition& t, finding_list& out) {
    const auto& event = t.spec->event;
    if (!event || event.type->store) return;
    const auto& source = *o.states[t.source].node;
    const auto fail = [&](std::string_view why, std::string_view hint) {
        out.add(code::unstorable_event, source, fmt::format("the event \"{}\" can be neither copied nor moved, but {}", shown(event.name), why),
                std::string(hint), position_of(*t.spec));
    };
    if (t.spec->defers) return fail("the state defers it", "make the event copyable or movable, or handle it with a transition");
    if (const auto holder = possible_holder(o, t); holder != no_index)
        fail(fmt::format("its transition must wait while \"{}\" holds", shown_path(*o.states[holder].node)),
             "make the event copyable or movable, or add force() to the transition");
}

void check_transition(const outline& o, const outline_transition& t, finding_list& out) {
    const auto& source = *o.states[t.source].node;
    const auto& spec = *t.spec;
    if (spec.has_target) check_target(o, t, out);
    for (std::size_t i = 0; i < t.more_targets.size(); ++i) check_further(o, t, spec.more_targets[i], t.more_targets[i], "a transition", out);
    for (std::size_t i = 0; i < t.joined.size(); ++i) check_further(o, t, spec.joined[i], t.joined[i], "in()", out);
    for (std::size_t i = 0; i < t.excluded.size(); ++i) check_further(o, t, spec.excluded[i], t.excluded[i], "unless_in()", out);
    for (const auto other : t.excluded)
        if (other != no_index && o.is_history(other))
            out.add(code::never_together, source,
                    fmt::format("unless_in() names \"{}\", a history state, which is never active", shown_path(*o.states[other].node)),
                    "name the machine of the history state, or states in it", position_of(spec));
    check_together(o, t, out);
    check_entry(o, t, out);
    check_storable(o, t, out);
    findings_of_mistakes mistakes(out);
    find_mistakes(spec, mistakes);
    if (const auto* const option = time_option(spec))
        check_wants(std::span(&(spec.*option->time).find(), 1), &source, source, with_article(option->name), "add a local<T>(...) to the state", out);
    const auto its_event = spec.event ? fmt::format("the event of this transition is \"{}\"; ", shown(spec.event.name)) : std::string();
    check_wants(spec.guards, &source, source, "a guard",
                its_event.empty() ? "if it is the event, call .on<Event>() before .when; otherwise add a local<T>(...) to the state"
                                  : its_event + "any other class must be a local: add a local<T>(...) to the state",
                out);
    const bool stays = t.target == no_index || t.role != transition_role::ordinary;
    const auto* active = source.kind() == state_kind::history ? source.superstate()
                         : stays                              ? &source
                         : t.level == no_index                ? nullptr
                                                              : o.states[t.level].node;
    check_wants(spec.actions, active, source, "an action",
                its_event.empty() ? "if it is the event, call .on<Event>() before .then; otherwise add a local to a state that stays active"
                                  : its_event + "an action takes only locals of states that stay active",
                out);
}

} // namespace

void check_errors(const outline& o, finding_list& out) {
    findings_of_mistakes mistakes(out);
    for (const auto& s : o.states) {
        out.examine(*s.node, s.node->origin());
        find_mistakes(*s.node, mistakes);
        check_locals(*s.node, out);
    }
    for (const auto& t : o.transitions) {
        out.examine(*t.spec->source, t.spec->origin ? t.spec->origin : t.spec->source->origin());
        check_transition(o, t, out);
    }
    history_check(o, out).run();
    out.examine(*o.states.front().node, {});
    number_conditions(o, out);
    check_declared(o, out);
}

} // namespace hsm::detail
