// The errors: what a machine could not run with.

#include <hsm/compile/check_parts.hpp>
#include <hsm/compile/conditions.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <span>

namespace hsm {

namespace {

void check_name(const state_base& s, std::vector<finding>& out) {
    if (s.name().empty())
        out.push_back({code::bad_name, s.path(), "the state has no name", "give every state a name of its own"});
    else if (s.name().find('/') != std::string_view::npos)
        out.push_back({code::bad_name, s.path(), fmt::format("the name \"{}\" contains '/', which separates names in a path", s.name()),
                       "use another character"});
}

void check_substates(const state_base& s, std::vector<finding>& out) {
    const auto is_history = [](const auto& sub) { return sub->kind() == state_kind::history; };
    if (s.kind() == state_kind::machine && std::ranges::all_of(s.substates(), is_history))
        out.push_back({code::no_substates, s.path(), "the machine has no substates", "add at least one, or make it a state"});
    if (s.kind() == state_kind::parallel && std::ranges::all_of(s.substates(), is_history))
        out.push_back({code::no_substates, s.path(), "the parallel has no regions", "add them, or make it a state"});
    for (const auto& sub : s.substates())
        if (s.kind() == state_kind::parallel && (sub->kind() == state_kind::final || sub->kind() == state_kind::choice))
            out.push_back({code::bad_region, sub->path(), "a region of a parallel is neither final nor a choice",
                           "put it into a machine, and make that the region"});
    std::vector<std::string_view> names;
    for (const auto& sub : s.substates()) names.push_back(sub->name());
    std::ranges::sort(names);
    for (auto it = names.begin(); (it = std::adjacent_find(it, names.end())) != names.end();) {
        out.push_back({code::duplicate_name, s.path(), fmt::format("more than one substate is named \"{}\"", *it),
                       "rename one of them, for instance with .named(...)"});
        const auto again = std::find_if(s.substates().rbegin(), s.substates().rend(), [&](const auto& sub) { return sub->name() == *it; });
        out.back().where = position_of(**again);
        it = std::upper_bound(it, names.end(), *it);
    }
    if (s.initials().size() > 1)
        out.push_back({code::second_initial, s.path(), fmt::format("initial was given {} times", s.initials().size()),
                       "keep one; a choice between several states is written with dispatch(...).when(...)"});
}

void check_final(const state_base& s, std::vector<finding>& out) {
    if (s.kind() != state_kind::final) return;
    if (!s.transitions().empty())
        out.push_back({code::leaves_final, s.path(), "a final state cannot have transitions or reactions",
                       "leave its machine with a transition of the machine: .on_finished()"});
    if (!s.hooks(hook_kind::update).empty() || !s.predicates().empty())
        out.push_back({code::updates_final, s.path(), "a final state is never updated", "use enter, or an ordinary state"});
}

/// Does a state from `s` outwards have a local of that type?
bool has_local(const state_base* s, const local_type& type) {
    for (; s; s = s->superstate())
        if (std::ranges::any_of(s->locals(), [&](const auto& l) { return &l.type() == &type; })) return true;
    return false;
}

/// Is it part of a nested machine that works on a part of the outer context?
bool is_projected(const state_base& s) {
    return s.projection() || (s.superstate() && is_projected(*s.superstate()));
}

template <class Hooks>
void check_wants(const Hooks& hooks, const state_base* where, const state_base& about, std::string_view whose,
                 std::string_view hint, std::vector<finding>& out) {
    for (const auto& h : hooks)
        for (std::uint32_t i = 0; i < h.needs().local_count; ++i) {
            const auto& type = *h.needs().locals[i];
            if (has_local(where, type)) continue;
            out.push_back({code::missing_local, about.path(),
                           fmt::format("{} takes a \"{}\", but no state from \"{}\" outwards has such a local", whose,
                                       type.name, where ? where->path() : "above the root"),
                           std::string(is_projected(about) ? "is it written for the context of an outer machine? If not: " : "") + std::string(hint)});
        }
}

void check_locals(const state_base& s, std::vector<finding>& out) {
    constexpr auto hint = "give the state one with local<T>(...)";
    check_wants(s.hooks(hook_kind::enter), &s, s, "an enter hook", hint, out);
    check_wants(s.hooks(hook_kind::update), &s, s, "an update hook", hint, out);
    check_wants(s.hooks(hook_kind::exit), &s, s, "an exit hook", hint, out);
    check_wants(s.predicates(), &s, s, "a finished predicate", hint, out);
    check_wants(s.hooks(hook_kind::unhandled), &s, s, "an on_unhandled hook", hint, out);
    check_wants(s.holds().predicates, &s, s, "a hold_until predicate", hint, out);
    check_wants(std::span(&s.holds().least.find(), 1), &s, s, "a min_duration", hint, out);
    constexpr auto none_yet = "no state is active then, so no local lives: take the context alone";
    check_wants(s.hooks(hook_kind::init), nullptr, s, "an on_init hook", none_yet, out);
    check_wants(s.hooks(hook_kind::destroy), nullptr, s, "an on_destroy hook", none_yet, out);
    for (std::size_t i = 0; i < s.locals().size(); ++i)
        for (std::size_t j = 0; j < i; ++j)
            if (&s.locals()[i].type() == &s.locals()[j].type())
                out.push_back({code::duplicate_local, s.path(),
                               fmt::format("the state has two locals of type \"{}\"", s.locals()[i].type().name),
                               "hooks find a local by its type: keep one, or derive a type of its own"});
}

/// A choice is left at once, wherever that leads.
void check_choice(const state_base& s, std::vector<finding>& out) {
    if (s.kind() != state_kind::choice) return;
    if (std::ranges::none_of(s.transitions(), [](const auto& t) { return !t->is_guarded(); }))
        out.push_back({code::undecided_choice, s.path(), "each branch of the choice has a guard, and all of them may refuse",
                       "say where to go then, with otherwise(...)"});
}

void check_time(const delay& d, std::int64_t least, const state_base& s, std::string_view word, std::vector<finding>& out) {
    if (!d || d.find() || d.nanoseconds() >= least) return;
    out.push_back({code::bad_time, s.path(), fmt::format("{} is given {} ns", word, d.nanoseconds()),
                   least > 0 ? "a period is longer than nothing" : "time does not run backwards: leave it out, or give it a length"});
}

/// Which of two words that a transition has cannot stand beside each other; empty if there are none.
std::string contradiction_in(const transition_spec& t) {
    if (t.every && t.event) return "every() and the event \"" + t.event.name + '"';
    if (t.every && t.after) return "every() and after()";
    if (t.every && t.on_finished) return "every() and on_finished()";
    if (t.always && t.event) return "always() and the event \"" + t.event.name + '"';
    if (t.always && t.on_finished) return "always() and on_finished()";
    if (t.always && !t.has_target) return "always() and no target";
    return {};
}

/// Without a record, a history state leads to its default or to its machine's entry choice: neither may lead back to it.
void check_history(const outline& o, const outline_transition& t, std::vector<finding>& out) {
    if (t.target == no_index || !o.is_history(t.target) || t.role == transition_role::ordinary) return;
    const auto machine = o.states[t.target].superstate;
    const bool own_default = o.is_history(t.source) && o.states[t.source].superstate == machine;
    const bool entry_of_machine = t.source == machine && o.states[t.target].node->initials().empty();
    if (own_default || entry_of_machine)
        out.push_back({code::endless_history, o.states[t.target].node->path(),
                       fmt::format("when there is nothing to go back to, \"{}\" leads here, and from here one comes there again", o.states[t.source].node->path()),
                       own_default ? "let otherwise(...) name a state" : "give it an otherwise(...), or let the machine remember: remembers()"});
}

void check_target(const outline& o, const outline_transition& t, std::vector<finding>& out) {
    const auto& source = *o.states[t.source].node;
    const auto written = t.spec->target.written();
    const bool of_history = source.kind() == state_kind::history;
    const auto what = t.role == transition_role::ordinary ? "a transition" : t.role == transition_role::dispatch ? "dispatch" : of_history ? "otherwise" : "initial";
    const auto machine = of_history ? o.states[t.source].superstate : t.source;
    if (t.lookup.ambiguous)
        out.push_back({code::ambiguous_state, source.path(), fmt::format("{} names \"{}\", and several states at the same distance have that name", what, written),
                       "name the state by reference or by path"});
    else if (!t.lookup.found)
        out.push_back({code::unknown_state, source.path(), fmt::format("{} names \"{}\", and there is no such state", what, written),
                       suggestion(source, t.spec->target)});
    else if (t.target == no_index)
        out.push_back({code::foreign_state, source.path(), fmt::format("{} names \"{}\", which is not in the tree of \"{}\"", what, written, root_of(source).name()),
                       "a machine's states are its own: add the state to this tree"});
    else if (t.role != transition_role::ordinary && (t.target == machine || !o.contains(machine, t.target)))
        out.push_back({t.role == transition_role::dispatch ? code::dispatch_outside : code::initial_outside, source.path(),
                       fmt::format("{} names \"{}\", which is not below \"{}\"", what, o.states[t.target].node->path(), o.states[machine].node->path()),
                       "name a substate of this machine, at any depth"});
}

/// A further target, or a state of a join, that is not there.
void check_further(const outline& o, const outline_transition& t, const target_spec& written, index found, std::string_view word,
                   std::vector<finding>& out) {
    const auto& source = *o.states[t.source].node;
    if (found != no_index) return;
    if (look_up(source, written).ambiguous)
        out.push_back({code::ambiguous_state, source.path(), fmt::format("{} names \"{}\", and several states at the same distance have that name", word, written.written()),
                       "name the state by reference or by path"});
    else
        out.push_back({code::unknown_state, source.path(), fmt::format("{} names \"{}\", and there is no such state", word, written.written()),
                       suggestion(source, written)});
}

/// The targets of a fork, and the states of a join with its source, have to be states that can be active together.
void check_together(const outline& o, const outline_transition& t, std::vector<finding>& out) {
    const auto together = [&](index a, index b) {
        if (!o.is_history(a) && !o.is_history(b)) return o.go_together(a, b);
        a = o.is_history(a) ? o.states[a].superstate : a; // it may lead to anything in there
        b = o.is_history(b) ? o.states[b].superstate : b;
        return !o.contains(a, b) && !o.contains(b, a) && o.go_together(a, b);
    };
    const auto check = [&](const std::vector<index>& states, std::string_view what) {
        for (std::size_t i = 0; i < states.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                if (states[i] != no_index && states[j] != no_index && !together(states[j], states[i]))
                    out.push_back({code::never_together, o.states[t.source].node->path(),
                                   fmt::format("{} \"{}\" and \"{}\", which are never active together", what,
                                               o.states[states[j]].node->path(), o.states[states[i]].node->path()),
                                   "name states in different regions of a parallel"});
    };
    std::vector<index> targets{t.target};
    targets.insert(targets.end(), t.more_targets.begin(), t.more_targets.end());
    check(targets, "a transition goes to");
    std::vector<index> active{t.source};
    active.insert(active.end(), t.joined.begin(), t.joined.end());
    check(active, "a join waits for");
}

/// An entry choice's further targets are below its machine, too.
void check_entry(const outline& o, const outline_transition& t, std::vector<finding>& out) {
    if (t.role == transition_role::ordinary) return;
    const auto machine = o.is_history(t.source) ? o.states[t.source].superstate : t.source;
    for (const auto target : t.more_targets)
        if (target != no_index && (target == machine || !o.contains(machine, target)))
            out.push_back({t.role == transition_role::dispatch ? code::dispatch_outside : code::initial_outside, o.states[t.source].node->path(),
                           fmt::format("it names \"{}\", which is not below \"{}\"", o.states[target].node->path(), o.states[machine].node->path()),
                           "name substates of this machine, at any depth"});
}

void check_transition(const outline& o, const outline_transition& t, std::vector<finding>& out) {
    const auto& source = *o.states[t.source].node;
    const auto& spec = *t.spec;
    if (spec.has_target) check_target(o, t, out);
    for (std::size_t i = 0; i < t.more_targets.size(); ++i) check_further(o, t, spec.more_targets[i], t.more_targets[i], "a transition", out);
    for (std::size_t i = 0; i < t.joined.size(); ++i) check_further(o, t, spec.joined[i], t.joined[i], "in()", out);
    check_together(o, t, out);
    check_entry(o, t, out);
    if (!spec.has_target && !spec.event && spec.actions.empty())
        out.push_back({code::no_effect, source.path(), "a polled reaction has no action", "add .then(...), or a target with to(...)"});
    if (!spec.has_target && spec.on_finished)
        out.push_back({code::finished_reaction, source.path(), "a reaction waits for its own state to be finished",
                       "name a target with to(...), and write on_finished() behind it"});
    if (spec.event && spec.on_finished)
        out.push_back({code::event_and_finished, source.path(),
                       fmt::format("a transition waits for the event \"{}\" and for the source to be finished", spec.event.name),
                       "write two transitions"});
    if (const auto words = contradiction_in(spec); !words.empty())
        out.push_back({code::contradiction, source.path(), fmt::format("a transition has {}", words), "write two transitions, or leave one of the words out"});
    check_time(spec.after, 0, source, "after", out);
    check_time(spec.every, 1, source, "every", out);
    check_history(o, t, out);
    check_wants(std::span(&spec.after.find(), 1), &source, source, "an after", "give the state a local<T>(...)", out);
    check_wants(std::span(&spec.every.find(), 1), &source, source, "an every", "give the state a local<T>(...)", out);
    check_wants(spec.guards, &source, source, "a guard", "if it is meant to be the event, call .on<Event>() before .when; else give the state a local<T>(...)", out);
    const bool stays = t.target == no_index || t.role != transition_role::ordinary;
    const auto* active = source.kind() == state_kind::history ? source.superstate() : stays ? &source : t.level == no_index ? nullptr : o.states[t.level].node;
    check_wants(spec.actions, active, source, "an action",
                "the states that the transition leaves are gone when its action runs, and their locals with them; if it is meant to be "
                "the event, call .on<Event>() before .then", out);
}

/// Those since then that do not say where they are in the file.
void locate(std::vector<finding>& findings, std::size_t since, const file_position& where) {
    for (auto i = since; i < findings.size(); ++i)
        if (findings[i].where.file.empty()) findings[i].where = where;
}

} // namespace

void check_errors(const outline& o, std::vector<finding>& out) {
    for (const auto& s : o.states) {
        const auto before = out.size();
        check_name(*s.node, out);
        check_substates(*s.node, out);
        check_final(*s.node, out);
        check_locals(*s.node, out);
        check_choice(*s.node, out);
        check_time(s.node->holds().least, 0, *s.node, "min_duration", out);
        locate(out, before, position_of(*s.node));
    }
    for (const auto& t : o.transitions) {
        const auto before = out.size();
        check_transition(o, t, out);
        locate(out, before, position_of(*t.spec));
    }
    number_conditions(o, out);
}

} // namespace hsm
