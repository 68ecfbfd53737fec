/// Finds the errors of a definition for which `compile` would throw a definition_error. For constant charts they are compile errors, with the same
/// numbers and sentences (docs/reference/errors.md). Only the first one is reported.
#pragma once

#include <hsm/constant/detail/model.hpp>

namespace hsm::detail {

template <std::size_t Size> struct constant_message { char text[Size + 1]{}; };

/// The compiler prints the template argument, and with it the text.
template <constant_message> struct mistake;
template <char...> struct letters;
template <class> inline constexpr bool is_right = false;
template <> inline constexpr bool is_right<letters<>> = true;
template <constant_message Mistake, std::size_t... I> letters<Mistake.text[I]...> spell(std::index_sequence<I...>);

/// The number of an error that is spelled as characters.
template <class> inline constexpr int number_of = 0;
template <char H, char S, char M, char Dash, char A, char B, char C, char... Rest>
inline constexpr int number_of<letters<H, S, M, Dash, A, B, C, Rest...>> = (A - '0') * 100 + (B - '0') * 10 + (C - '0');

/// Reports the title of the error's section in docs/reference/errors.md, for compilers that print the text letter by letter.
template <int Number> constexpr void assert_title() {
    static_assert(Number != 2, "hsm: HSM-002 Machine without substates (the next error contains the location)");
    static_assert(Number != 3, "hsm: HSM-003 Invalid state name (the next error contains the location)");
    static_assert(Number != 4, "hsm: HSM-004 Duplicate state name (the next error contains the location)");
    static_assert(Number != 5, "hsm: HSM-005 Initial state outside its machine (the next error contains the location)");
    static_assert(Number != 6, "hsm: HSM-006 Dispatch choice outside its machine (the next error contains the location)");
    static_assert(Number != 7, "hsm: HSM-007 Unknown state (the next error contains the location)");
    static_assert(Number != 8, "hsm: HSM-008 State of another tree (the next error contains the location)");
    static_assert(Number != 9, "hsm: HSM-009 Second initial state (the next error contains the location)");
    static_assert(Number != 10, "hsm: HSM-010 Missing local (the next error contains the location)");
    static_assert(Number != 11, "hsm: HSM-011 Duplicate local (the next error contains the location)");
    static_assert(Number != 12, "hsm: HSM-012 Polled reaction without an action (the next error contains the location)");
    static_assert(Number != 13, "hsm: HSM-013 Transition out of a final state (the next error contains the location)");
    static_assert(Number != 14, "hsm: HSM-014 Final state with an update (the next error contains the location)");
    static_assert(Number != 15, "hsm: HSM-015 Event and completion in one transition (the next error contains the location)");
    static_assert(Number != 17, "hsm: HSM-017 Oversized definition (the next error contains the location)");
    static_assert(Number != 18, "hsm: HSM-018 Reaction that waits for completion (the next error contains the location)");
    static_assert(Number != 19, "hsm: HSM-019 Choice without an unconditional branch (the next error contains the location)");
    static_assert(Number != 20, "hsm: HSM-020 Invalid time (the next error contains the location)");
    static_assert(Number != 21, "hsm: HSM-021 Conflicting options (the next error contains the location)");
    static_assert(Number != 22, "hsm: HSM-022 Cycle of history states (the next error contains the location)");
    static_assert(Number != 24, "hsm: HSM-024 Mutually exclusive states (the next error contains the location)");
    static_assert(Number != 25, "hsm: HSM-025 Condition with two indices (the next error contains the location)");
    static_assert(Number != 26, "hsm: HSM-026 Index with two conditions (the next error contains the location)");
    static_assert(Number != 27, "hsm: HSM-027 Invalid condition (the next error contains the location)");
    static_assert(Number != 60, "hsm: HSM-060 Invalid score (the next error contains the location)");
    static_assert(Number != 326, "hsm: HSM-326 Unsupported feature in a constant chart (the next error contains the location)");
    static_assert(Number != 31, "hsm: HSM-031 Empty range of events (the next error contains the location)");
}

template <class Context> class constant_check {
    using model = constant_model<Context>;

public:
    constexpr explicit constant_check(const model& m) : m_(m) {
        if (m.states.size() >= no_index) report("HSM-017", 0, {"the definition has more than 65534 states"});
        for (index s = 0; s < m.states.size(); ++s) check_state(s);
        for (std::uint32_t t = 0; t < m.transitions.size(); ++t) check_transition(t);
        for (index s = 0; s < m.states.size(); ++s) check_default(s);
        if (m.transients)
            for (index s = 0; s < m.states.size(); ++s)
                if (m.states[s].depth >= 64) report("HSM-017", s, {"a constant chart with transient states is more than 64 levels deep"});
        std::uint32_t tried_at_once = 0;
        for (const auto& s : m.states) tried_at_once += s.transient && s.polled.count > 0;
        if (m.regions.size() > 64) report("HSM-017", 0, {"a constant chart has more than 64 regions"});
        if (m.regions.size() > 1 && tried_at_once > 64) report("HSM-017", 0, {"a constant chart with regions has more than 64 transient states"});
        check_indices();
        if (m.conditions.size() > 64) report("HSM-017", 0, {"a constant chart has more than 64 conditions"});
        if (m.holds > 64 || m.levels > 64 || (m.holds > 0 && m.transitions.size() > 65536))
            report("HSM-017", 0, {"a constant chart with states that hold has more than 64 of these, 63 levels or 65536 transitions"});
        for (const auto& c : m.conditions) {
            const auto name = m.text(c.name);
            if (name == "!") report("HSM-027", c.user, {"a condition has an empty name"});
            if (name.starts_with('!')) report("HSM-027", c.user, {"the name of a condition begins with '!': \"", name, "\""});
        }
        if (m.marks > 64) report("HSM-017", 0, {"more than 64 machines of a constant chart have transitions with on_finished()"});
    }

    constexpr std::string_view problem() const { return problem_.view(); }

private:
    struct words {
        std::string_view text[8];
        constexpr words(std::string_view a, std::string_view b = {}, std::string_view c = {}, std::string_view d = {}, std::string_view e = {},
                        std::string_view f = {}, std::string_view g = {})
            : text{a, b, c, d, e, f, g} {}
    };

    /// Stores only the first error.
    constexpr void report(std::string_view number, index where, const words& sentence) {
        if (!problem_.view().empty()) return;
        problem_ += number;
        problem_ += " at ";
        problem_ += m_.path(where);
        problem_ += ": ";
        for (const auto part : sentence.text) problem_ += part;
    }
    constexpr std::string_view name(index s) const { return m_.nodes[s]->name_.view(); }

    constexpr void check_indices() {
        const auto any = constant_condition_use::any_index;
        for (index s = 0; s < m_.states.size(); ++s)
            for (const auto* c : m_.nodes[s]->conditions_) {
                const auto& known = m_.conditions[c->number];
                if (c->index != any && (c->index < 1 || c->index >= 65536))
                    report("HSM-027", s, {"the index of a condition is not in the range 1 to 65535: \"", c->name, "\""});
                if (c->index != any && known.given != c->index) report("HSM-025", s, {"the condition \"", c->name, "\" has two indices"});
                for (const auto& other : m_.conditions)
                    if (&other != &known && other.given != any && other.given == known.given)
                        report("HSM-026", s, {"two conditions have the same index: \"", c->name, "\", \"", m_.text(other.name), "\""});
            }
    }

    constexpr void check_state(index s) {
        const auto& row = m_.states[s];
        const auto& node = *m_.nodes[s];
        if (name(s).empty()) report("HSM-003", s, {"the state has no name"});
        if (name(s).find('/') != std::string_view::npos)
            report("HSM-003", s, {"the name '", name(s), "' contains '/', which separates names in a path"});
        if (row.kind == state_kind::machine && row.first == no_index) report("HSM-002", s, {"the machine has no substates"});
        if (row.kind == state_kind::parallel && row.first == no_index) report("HSM-002", s, {"the parallel has no regions"});
        if (row.initial.count > 1) report("HSM-009", s, {"initial is set more than once"});
        if (row.kind == state_kind::machine && row.choose != choosing::first && row.choices.count == 0)
            report("HSM-060", s, {"the machine chooses one of its candidates, but has none"});
        if (row.again && row.choose == choosing::first)
            report("HSM-060", s, {"the machine chooses again (rechoose), but the first candidate is always chosen"});
        if (!is_score(row.stay_bonus) || (row.stay_bonus > 0 && !row.again)) report("HSM-060", s, {"the stay_bonus has no effect or is invalid"});
        if (node.period_.is_set && !node.period_.find && 1 > node.period_.fixed) report("HSM-020", s, {"the time of rechoose_every is not positive"});
        if (row.kind == state_kind::choice && !decides(row))
            report("HSM-019", s, {"each branch of the choice has a guard, and all guards can be false"});
        if (node.least_.is_set && 0 > node.least_.fixed) report("HSM-020", s, {"the time of min_duration is negative"});
        check_names(s, node);
        check_locals(s);
        if (row.kind != state_kind::final) return;
        if (!node.transitions_.empty()) report("HSM-013", s, {"a final state cannot have transitions or reactions"});
        if (row.update.count > 0 || row.predicate >= 0) report("HSM-014", s, {"a final state cannot have an update hook or a local with finished()"});
    }

    constexpr void check_locals(index s) {
        const auto& row = m_.states[s];
        for (auto l = row.locals.first; l < row.locals.first + row.locals.count; ++l)
            for (auto other = row.locals.first; other < l; ++other)
                if (is_same_local(m_.locals[l].type, m_.locals[other].type))
                    report("HSM-011", s, {"the state has two locals of type \"", m_.locals[l].type->name, "\""});
        check_takes(m_.hooks, row.enter, s, s, "an enter hook");
        check_takes(m_.hooks, row.update, s, s, "an update hook");
        check_takes(m_.hooks, row.exit, s, s, "an exit hook");
        check_takes(m_.hooks, row.init, s, no_index, "an on_init hook");
        check_takes(m_.hooks, row.destroy, s, no_index, "an on_destroy hook");
        check_takes(m_.hooks, row.unhandled, s, s, "an on_unhandled hook");
        check_takes(m_.hooks, row.settled, s, s, "an on_settled hook");
        if (s != 0 && row.settled.count > 0) report("HSM-021", s, {"the machine has on_settled, but is not the root"});
        for (const auto* p : m_.nodes[s]->predicates_) check_takes(m_.guards, tree_of(row.predicate, *p), s, s, "a finished predicate");
        for (auto g = row.predicate; g >= 0 && m_.regions.size() > 1; g = m_.guards[static_cast<std::size_t>(g)].next)
            if (m_.tests_over(g)) report("HSM-326", s, {"a finished predicate of a constant chart with regions tests is_over"});
    }
    /// Returns the guards of a specification. `first`: its first guard in the table.
    static constexpr constant_span tree_of(std::int32_t first, const constant_spec<Context>& spec) {
        return {static_cast<std::uint32_t>(first - spec.first_guard), static_cast<std::uint32_t>(spec.guards.size())};
    }
    /// Checks that the locals that hooks take exist. `active`: the state from which they are looked up.
    template <class Rows> constexpr void check_takes(const Rows& rows, const constant_span& span, index about, index active, std::string_view what) {
        for (auto h = span.first; h < span.first + span.count; ++h) {
            const auto& row = rows[h];
            for (std::uint32_t i = 0; row.needs && i < row.needs->count; ++i) {
                if (m_.places[row.places + i] != constant_no_place) continue;
                if (active == no_index)
                    report("HSM-010", about, {what, " takes a \"", row.needs->locals[i]->name, "\", but no state is active at that moment"});
                else
                    report("HSM-010", about,
                           {what, " takes a \"", row.needs->locals[i]->name, "\", but no state from \"", m_.path(active),
                            "\" outwards has such a local"});
            }
        }
    }

    /// Checks that a history state without a record leads to a state, like history_check.
    constexpr void check_default(index s) {
        if (!m_.is_history(s) || !problem_.view().empty()) return;
        const auto machine = m_.states[s].superstate;
        auto at = s;
        for (std::size_t i = 0; i < m_.states.size() && at != no_index && m_.is_history(at); ++i) {
            const auto& otherwise = m_.states[at].initial;
            at = otherwise.count == 0 ? machine : m_.transitions[otherwise.first].target;
            if (at != no_index && m_.is_history(at) && m_.states[at].superstate != machine) return;
        }
        if (at != no_index && m_.is_history(at)) report("HSM-022", s, {"the defaults of history states form a cycle"});
        if (at != machine) return;
        for (const auto& span : {m_.states[machine].choices, m_.states[machine].initial})
            for (auto t = span.first; t < span.first + span.count; ++t)
                if (m_.transitions[t].target == s)
                    report("HSM-022", machine, {"the entry leads to '", m_.path(s), "', which leads back to that entry when nothing is recorded"});
    }

    /// Returns whether a choice always has a branch.
    constexpr bool decides(const constant_state_row& choice) const {
        bool certain = false;
        for (auto i = choice.polled.first; i < choice.polled.first + choice.polled.count; ++i) {
            const auto& t = m_.transitions[i];
            certain |= t.guard < 0 && (choice.choose == choosing::first || t.is_last() || (t.score < 0 && t.weight > 0 && t.cooldown == 0));
        }
        return certain;
    }

    /// Compares names by a hash table, because comparing all pairs takes the compiler too long.
    template <class Node> constexpr void check_names(index s, const Node& node) {
        const auto count = node.substates_.size();
        if (count < 2) return;
        struct place {
            std::uint32_t hash = 0;
            index state = no_index;
        };
        const auto places = 2 * count + 1;
        constant_list<place> table;
        table.append(places, {});
        for (const auto* sub : node.substates_) {
            const auto text = sub->name_.view();
            std::uint32_t hash = 2166136261; // FNV-1a
            for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 16777619;
            auto at = hash % places;
            for (; table[at].state != no_index; at = (at + 1) % places)
                if (table[at].hash == hash && name(table[at].state) == text)
                    return report("HSM-004", s, {"more than one substate is named '", text, "'"});
            table[at] = {hash, static_cast<index>(sub->number_)};
        }
    }

    constexpr void check_transition(std::uint32_t number) {
        const auto& t = m_.transitions[number];
        const auto& spec = *m_.specs[number];
        const bool of_history = m_.is_history(t.source);
        const std::string_view what = t.role == constant_role::ordinary   ? "a transition"
                                      : t.role == constant_role::dispatch ? "dispatch"
                                      : of_history                        ? "otherwise"
                                                                          : "initial";
        if (spec.has_target && t.target == no_index) return report_missing(t.source, spec, what);
        check_named(t.source, t.further, spec.further, what, true);
        check_named(t.source, t.joined, spec.joined, "in()", false);
        check_named(t.source, t.excluded, spec.excluded, "unless_in()", false);
        if (!problem_.view().empty()) return;
        if (t.further.count > 0) check_together(t.source, t.target, t.further, "a transition goes to '");
        if (t.joined.count > 0) check_together(t.source, t.source, t.joined, "a join waits for '");
        const auto machine = of_history ? m_.states[t.source].superstate : t.source;
        const bool outside = t.role != constant_role::ordinary && (t.target == machine || !flatten::contains(m_.states, machine, t.target));
        if (outside)
            report(t.role == constant_role::dispatch ? "HSM-006" : "HSM-005", t.source,
                   {what, " names '", m_.path(t.target), "', which is not below it"});
        if (t.role == constant_role::dispatch || m_.states[t.source].kind == state_kind::choice) check_score(t);
        if (!spec.has_target && !spec.event && spec.actions.empty()) report("HSM-012", t.source, {"a polled reaction has no action"});
        if (!spec.has_target && spec.on_finished) report("HSM-018", t.source, {"a reaction waits for its own state to be finished"});
        for (const auto& v : spec.values)
            if (v.last < v.first) report("HSM-031", t.source, {"a transition waits for a range of events whose last value is less than the first"});
        check_options(t, spec);
        if (spec.event && spec.on_finished)
            report("HSM-015", t.source, {"a transition waits for the event '", spec.event.name, "' and for the source to be finished"});
        const bool stays = t.target == no_index || t.role != constant_role::ordinary;
        check_takes(m_.hooks, t.actions, t.source, stays ? t.source : t.level, "an action");
        if (t.guard < 0) return;
        if (m_.regions.size() > 1 || t.role != constant_role::ordinary)
            for (auto g = t.guard; g >= 0; g = m_.guards[static_cast<std::size_t>(g)].next)
                if (!m_.guards[static_cast<std::size_t>(g)].is_group && m_.tests_over(g))
                    report("HSM-326", t.source,
                           {"a constant chart with regions, or an entry choice, tests is_over and a guard in one any() or no()"});
        const bool again = t.role == constant_role::dispatch && m_.states[t.source].again;
        for (auto g = t.guard; g >= 0 && again; g = m_.guards[static_cast<std::size_t>(g)].next)
            if (m_.tests_over(g)) report("HSM-326", t.source, {"a candidate of a machine that chooses again tests is_over"});
        check_takes(m_.guards, tree_of(t.guard, spec), t.source, t.source, "a guard");
    }
    constexpr void check_named(index source, const constant_span& span, const constant_target& list, std::string_view what, bool as_targets) {
        const auto* named = list.next;
        for (auto i = span.first; named; ++i, named = named->next)
            if (m_.named[i] == no_index)
                report_missing(source, *named, what);
            else if (!as_targets && m_.is_history(m_.named[i]))
                report("HSM-024", source, {what, " names '", m_.path(m_.named[i]), "', a history state, which is never active"});
    }
    /// Checks that the states can be active together.
    constexpr void check_together(index source, index first, const constant_span& more, std::string_view what) {
        const auto state = [&](std::uint32_t i) { return i == 0 ? first : m_.named[more.first + i - 1]; };
        for (std::uint32_t i = 1; i <= more.count; ++i)
            for (std::uint32_t k = 0; k < i; ++k)
                if (const auto a = state(k), b = state(i); !may_coexist(a, b))
                    return report("HSM-024", source, {what, m_.path(a), "' and '", m_.path(b), "', which are never active together"});
    }
    /// Returns whether two targets can be active together. A history state can lead to any state of its machine.
    constexpr bool may_coexist(index a, index b) const {
        const bool of_history = m_.is_history(a) || m_.is_history(b);
        if (m_.is_history(a)) a = m_.states[a].superstate;
        if (m_.is_history(b)) b = m_.states[b].superstate;
        if (flatten::contains(m_.states, a, b) || flatten::contains(m_.states, b, a)) return !of_history;
        while (!flatten::contains(m_.states, b, a)) b = m_.states[b].superstate;
        return m_.is_parallel(b);
    }
    constexpr void check_options(const constant_transition_row& t, const constant_spec<Context>& spec) {
        if (spec.every.is_set && spec.event) report("HSM-021", t.source, {"a transition has every() and the event '", spec.event.name, "'"});
        if (spec.every.is_set && (spec.after.is_set || spec.on_finished))
            report("HSM-021", t.source, {"a transition has every() and ", spec.after.is_set ? "after()" : "on_finished()"});
        if (spec.always && spec.event) report("HSM-021", t.source, {"a transition has always() and the event '", spec.event.name, "'"});
        if (spec.always && (spec.every.is_set || spec.on_finished))
            report("HSM-021", t.source, {"a transition has always() and ", spec.every.is_set ? "every()" : "on_finished()"});
        if (spec.after.is_set && 0 > spec.after.fixed) report("HSM-020", t.source, {"the time of after is negative"});
        if (spec.every.is_set && !spec.every.find && 1 > spec.every.fixed) report("HSM-020", t.source, {"the time of every is not positive"});
    }
    constexpr void check_score(const constant_transition_row& t) {
        if (t.cooldown < 0) report("HSM-060", t.source, {"a cooldown is negative"});
        if ((t.score >= 0 || t.has_weight || t.cooldown != 0) && m_.states[t.source].choose == choosing::first)
            report("HSM-060", t.source, {"a candidate has a score, but the first candidate is always chosen"});
        if (t.score >= 0 && t.has_weight) report("HSM-060", t.source, {"a candidate has a score and a weight"});
        if (!is_score(t.weight)) report("HSM-060", t.source, {"the weight of a candidate is neither zero nor a positive number"});
    }
    constexpr void report_missing(index source, const constant_target& named, std::string_view what) {
        if (named.node)
            report("HSM-008", source, {what, " names '", named.node->name_.view(), "', which is a state of another tree"});
        else if (named.id || named.by_class)
            report("HSM-007", source, {what, " names a state by its enumerator or class, but no state matches, or several do"});
        else
            report("HSM-007", source, {what, " names '", named.path.view(), "', but this state does not exist"});
    }

    const model& m_;
    constant_text problem_;
};

} // namespace hsm::detail
