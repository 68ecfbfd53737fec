// Transitions that never fire, because others are always tried before them and fire. Each is compared with few others, however many
// there are: with those that wait for the same, and that want a condition which it wants, too.

#include <hsm/compile/check_parts.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <unordered_map>

namespace hsm {

namespace {

/// Events by numbers from 1; 0: polled.
class event_numbers {
public:
    std::uint32_t operator[](const event_key& e) {
        if (!e) return 0;
        const bool named = e.type == &event_type_of<named_event>;
        const auto next = static_cast<std::uint32_t>(numbers_.size() + 1);
        return numbers_.try_emplace({reinterpret_cast<std::uintptr_t>(e.type), e.value, named ? std::string_view(e.name) : std::string_view()}, next).first->second;
    }

private:
    std::map<std::tuple<std::uintptr_t, std::int64_t, std::string_view>, std::uint32_t> numbers_;
};

/// What a transition waits for; only those that wait for the same bar each other.
using trigger = std::tuple<transition_role, bool, std::uint32_t, int>;

trigger trigger_of(const outline_transition& t, event_numbers& events) {
    const bool polled = !t.spec->event && t.role == transition_role::ordinary;
    return {t.role, t.spec->on_finished, events[t.spec->event], polled ? int(t.level) : -1};
}

/// Nothing but conditions, and what these do not say, is asked for.
bool asks_conditions_only(const outline_transition& t) {
    return t.spec->guards.empty() && t.joined.empty() && !t.spec->after && !t.spec->every;
}

/// A condition, or that it is not, as a number.
using literal = std::uint64_t;
literal literal_of(const condition_literal& l) { return std::uint64_t(l.condition->number) * 2 + (l.wanted ? 1 : 0); }
literal contrary(literal l) { return l ^ 1; }

/// The literals that hold whenever a transition fires.
class wanted_literals {
public:
    explicit wanted_literals(const transition_spec& spec) {
        for (const auto& group : spec.conditions) {
            const auto differs = [&](const auto& l) { return literal_of(l) != literal_of(group.literals.front()); };
            if (group.any && std::ranges::any_of(group.literals, differs)) continue;
            for (const auto& l : group.literals) all_.push_back(literal_of(l));
        }
        std::ranges::sort(all_);
        all_.erase(std::unique(all_.begin(), all_.end()), all_.end());
    }
    bool contain(literal l) const { return std::ranges::binary_search(all_, l); }
    const std::vector<literal>& all() const { return all_; }

    /// Whenever these hold, so do the conditions of that one.
    bool suffice_for(const transition_spec& spec) const {
        return std::ranges::all_of(spec.conditions, [&](const condition_group& group) {
            const auto wanted = [&](const condition_literal& l) { return contain(literal_of(l)); };
            return group.any ? std::ranges::any_of(group.literals, wanted) : std::ranges::all_of(group.literals, wanted);
        });
    }

private:
    std::vector<literal> all_;
};

/// Transitions of one source and trigger that fire whenever their conditions hold, found by one of these conditions.
class tried_transitions {
public:
    void add(const outline_transition& t) {
        const entry added{count_++, &t};
        const auto rare = rarest_literal(*t.spec);
        const auto any = std::ranges::find_if(t.spec->conditions, &condition_group::any);
        if (rare)
            by_literal_[*rare].push_back(added);
        else if (any == t.spec->conditions.end())
            always_.push_back(added);
        else
            for (const auto& l : any->literals) by_literal_[literal_of(l)].push_back(added);
    }

    /// The first that fires whenever this one could; null if there is none.
    const outline_transition* first_before(const outline_transition& t, const wanted_literals& wanted) const {
        entry first{count_, nullptr};
        const auto look_at = [&](const std::vector<entry>& list) {
            for (const auto& e : list)
                if (e.order < first.order && (e.t->spec->force || !t.spec->force) && wanted.suffice_for(*e.t->spec)) first = e;
        };
        look_at(always_);
        for (const auto l : wanted.all())
            if (const auto found = by_literal_.find(l); found != by_literal_.end()) look_at(found->second);
        return first.t;
    }

private:
    struct entry {
        std::size_t order;
        const outline_transition* t;
    };

    /// Of those that all have to hold, the one that the fewest have been found by so far.
    std::optional<literal> rarest_literal(const transition_spec& spec) const {
        std::optional<literal> rarest;
        std::size_t fewest = 0;
        for (const auto& group : spec.conditions)
            for (const auto& l : group.literals) {
                if (group.any) break;
                const auto found = by_literal_.find(literal_of(l));
                const auto count = found == by_literal_.end() ? 0 : found->second.size();
                if (rarest && count >= fewest) continue;
                rarest = literal_of(l);
                fewest = count;
            }
        return rarest;
    }

    std::size_t count_ = 0;
    std::vector<entry> always_;
    std::unordered_map<literal, std::vector<entry>> by_literal_;
};

/// A condition that it wants to hold, and not to hold; null if there is none.
const condition_spec* contradiction(const transition_spec& spec, const wanted_literals& wanted) {
    for (const auto& group : spec.conditions)
        for (const auto& l : group.literals)
            if (wanted.contain(literal_of(l)) && wanted.contain(contrary(literal_of(l)))) return l.condition;
    return nullptr;
}

void check_source(const outline& o, const std::vector<const outline_transition*>& list, event_numbers& events, std::vector<finding>& out) {
    std::map<trigger, tried_transitions> tried;
    for (const auto* t : list) {
        const auto tell = [&](const std::string& why, std::string_view hint) {
            out.push_back({code::shadowed, o.states[t->source].node->path(), fmt::format("the {} never fires: {}", described(o, *t), why), std::string(hint),
                           position_of(*t->spec)});
        };
        const wanted_literals wanted(*t->spec);
        if (const auto* c = contradiction(*t->spec, wanted)) {
            tell(fmt::format("it wants {} and its contrary", c->name.empty() ? fmt::format("bit {}", c->number) : fmt::format("\"{}\"", c->name)),
                 "all of a transition's conditions must hold; any(...) is for one of several");
            continue;
        }
        const bool reaction = t->target == no_index && !t->spec->event; // all of these run
        if (reaction || t->role == transition_role::initial) continue;
        auto& before = tried[trigger_of(*t, events)];
        if (const auto* first = before.first_before(*t, wanted))
            tell(fmt::format("the {} is tried before it and {}", described(o, *first), unguarded(*first) ? "has no guard" : "wants no other conditions"),
                 unguarded(*first) ? "guard the first, or give the other a higher priority" : "give the one that wants more a higher priority");
        else if (asks_conditions_only(*t))
            before.add(*t);
    }
}

} // namespace

void check_shadowed(const outline& o, const by_source& transitions, std::vector<finding>& out) {
    event_numbers events;
    for (index s = 0; s < o.states.size(); ++s) check_source(o, transitions.of(s), events, out);
}

void check_consumed(const outline& o, const by_source& transitions, std::vector<finding>& out) {
    event_numbers events;
    std::unordered_map<std::uint64_t, const outline_transition*> consumers; // the first of each source and event
    const auto key = [&](index s, const event_key& event) { return std::uint64_t(events[event]) << 16 | s; };
    for (index s = 0; s < o.states.size(); ++s)
        for (const auto* t : transitions.of(s))
            if (t->spec->event && unguarded(*t) && !t->spec->defers) consumers.try_emplace(key(s, t->spec->event), t);
    const auto consumer = [&](index s, const event_key& event) -> const outline_transition* {
        for (auto outer = o.states[s].superstate; outer != no_index; outer = o.states[outer].superstate)
            if (const auto found = consumers.find(key(outer, event)); found != consumers.end()) return found->second;
        return nullptr;
    };
    for (const auto& inner : o.transitions) {
        if (!inner.spec->event) continue;
        if (const auto* outer = consumer(inner.source, inner.spec->event))
            out.push_back({code::shadowed, o.states[inner.source].node->path(),
                           fmt::format("the {} never fires: the superstate \"{}\" decides first, and its {} has no guard",
                                       described(o, inner), o.states[outer->source].node->path(), described(o, *outer)),
                           "guard the superstate's, or compile with decision_order::substate_first", position_of(*inner.spec)});
    }
}

} // namespace hsm
