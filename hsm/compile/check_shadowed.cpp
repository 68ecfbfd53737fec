// Warnings about transitions that never fire because another one always fires first.

#include <hsm/compile/detail/check_parts.hpp>
#include <hsm/define/detail/shown.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>

namespace hsm::detail {

by_source::by_source(const outline& o) : lists_(o.states.size()) {
    for (const auto& t : o.transitions) lists_[t.source].push_back(&t);
    const auto before = [](const auto* a, const auto* b) { return tried_before(a, b) || (!tried_before(b, a) && a < b); };
    for (auto& list : lists_) std::ranges::sort(list, before);
}

std::string described(const outline& o, const outline_transition& t) {
    std::string what = t.role == transition_role::dispatch ? "dispatch"
                       : t.spec->defers                    ? "deferral"
                       : t.target == no_index              ? "reaction"
                                                           : "transition";
    if (t.target != no_index) what += fmt::format(" to \"{}\"", shown_path(*o.states[t.target].node));
    if (t.spec->event) what += fmt::format(" on \"{}\"", shown(t.spec->event.name));
    return what;
}

namespace {

/// Returns whether it fires whenever its conditions hold and its fixed time has passed. A polled transition with a time fires only once per
/// activation, so it must exit its source.
bool fires_when_due(const outline& o, const outline_transition& t) {
    const auto& spec = *t.spec;
    if (!spec.guards.empty() || spec.asks_states() || (time_option(spec) && !spec.after)) return false;
    const bool leaves = t.target != no_index && (t.target == t.source || !o.contains(t.source, t.target));
    return !spec.after || (!spec.after.find() && (spec.event || leaves));
}

/// Returns the least time in its source, in nanoseconds. A function can return any time.
std::int64_t least_time(const transition_spec& spec) { return spec.after && !spec.after.find() ? spec.after.nanoseconds() : 0; }

/// Numbers events from 1.
class event_numbers {
public:
    std::uint32_t of(const event_key& e) { ///< 0: no event
        if (!e) return 0;
        const bool by_name = e.type->is_name || !e.values.empty(); // the name distinguishes sets of values, too
        const auto name = by_name ? std::string_view(e.name) : std::string_view();
        return numbers_.try_emplace({e.type, e.value, name}, static_cast<std::uint32_t>(numbers_.size() + 1)).first->second;
    }

private:
    struct key {
        const event_type* type;
        std::int64_t value;
        std::string_view name;
        friend bool operator==(const key&, const key&) = default;
    };
    struct hash {
        std::size_t operator()(const key& k) const {
            return std::hash<const void*>()(k.type) * 31 + std::hash<std::int64_t>()(k.value) * 17 + std::hash<std::string_view>()(k.name);
        }
    };
    std::unordered_map<key, std::uint32_t, hash> numbers_;
};

/// The conditions that a transition tests. A literal is twice the number of the bit, plus one if the bit must be set.
struct asked_conditions {
    std::vector<std::uint32_t> always;                    ///< always required; sorted
    std::vector<std::vector<std::uint32_t>> alternatives; ///< groups of which one literal is sufficient

    explicit asked_conditions(const transition_spec& spec) {
        for (const auto& group : spec.conditions) {
            std::vector<std::uint32_t> literals;
            for (const auto& l : group.literals) literals.push_back(number_of(l));
            sort(literals);
            if (group.any && literals.size() > 1)
                alternatives.push_back(std::move(literals));
            else
                always.insert(always.end(), literals.begin(), literals.end());
        }
        sort(always);
    }
    static std::uint32_t number_of(const condition_literal& l) { return 2 * l.condition->number + l.wanted; }
    bool wants(std::uint32_t literal) const { return std::ranges::binary_search(always, literal); }
    /// Returns whether these conditions hold whenever those of `later` do.
    bool wants_no_more_than(const asked_conditions& later) const {
        const auto wanted = [&](std::uint32_t literal) { return later.wants(literal); };
        return always.size() <= later.always.size() && std::ranges::all_of(always, wanted) &&
               std::ranges::all_of(alternatives, [&](const auto& group) { return std::ranges::any_of(group, wanted); });
    }
    std::size_t size() const {
        auto all = 1 + always.size();
        for (const auto& group : alternatives) all += group.size();
        return all;
    }

private:
    static void sort(std::vector<std::uint32_t>& literals) {
        std::ranges::sort(literals);
        literals.erase(std::unique(literals.begin(), literals.end()), literals.end());
    }
};

/// Returns a condition that the transition requires to be set and not set; null if there is none.
const condition_spec* contradiction(const transition_spec& spec, const asked_conditions& asked) {
    for (const auto& group : spec.conditions)
        for (const auto& l : group.literals)
            if (const auto literal = asked_conditions::number_of(l); asked.wants(literal) && asked.wants(literal ^ 1)) return l.condition;
    return nullptr;
}

/// The transitions of one state that fire whenever their conditions hold, in the order in which they are tried, by trigger.
class tried_so_far {
public:
    explicit tried_so_far(event_numbers& events) : events_(events) {}

    void add(const outline_transition& t, asked_conditions asked) {
        const auto first = asked.always.empty() ? no_literal : asked.always.front();
        patience_ += asked.size() * 100;
        lists_[{trigger_of(t), first}].push_back(tried_.size());
        tried_.push_back({&t, std::move(asked)});
    }
    /// Returns the first transition that fires whenever `t` could; null if there is none.
    const outline_transition* bars(const outline_transition& t, const asked_conditions& asked) {
        patience_ += asked.size() * 100;
        const auto trigger = trigger_of(t);
        auto first = tried_.size();
        look_at(trigger, no_literal, t, asked, first);
        for (const auto literal : asked.always) look_at(trigger, literal, t, asked, first);
        return first == tried_.size() ? nullptr : tried_[first].transition;
    }

private:
    static constexpr std::uint32_t no_literal = 0xffff'ffff;
    struct tried {
        const outline_transition* transition;
        asked_conditions asked;
    };
    using key = std::pair<std::uint64_t, std::uint32_t>;
    struct hash {
        std::size_t operator()(const key& k) const {
            return static_cast<std::size_t>((k.first * 0x9e37'79b9'7f4a'7c15 ^ k.second) * 0x9e37'79b9'7f4a'7c15 >> 7);
        }
    };

    /// Returns the same value for transitions of which only the first enabled one fires.
    std::uint64_t trigger_of(const outline_transition& t) {
        const auto event = events_.of(t.spec->event);
        const bool by_level = event == 0 && t.role == transition_role::ordinary;
        return std::uint64_t(event) << 32 | std::uint64_t(by_level ? t.level : 0) << 8 | std::uint64_t(t.role) << 1 |
               std::uint64_t(t.spec->on_finished);
    }
    void look_at(std::uint64_t trigger, std::uint32_t literal, const outline_transition& t, const asked_conditions& asked, std::size_t& first) {
        const auto list = lists_.find({trigger, literal});
        if (list == lists_.end()) return;
        for (const auto i : list->second) {
            const auto& f = tried_[i];
            const auto work = f.asked.size();
            if (i >= first || patience_ < work) return; // gives up without a warning: a state can have any number of transitions
            patience_ -= work;
            const bool in_time = least_time(*f.transition->spec) <= least_time(*t.spec);
            if (in_time && (f.transition->spec->force || !t.spec->force) && f.asked.wants_no_more_than(asked)) first = i;
        }
    }

    event_numbers& events_;
    std::vector<tried> tried_;
    std::unordered_map<key, std::vector<std::size_t>, hash> lists_; ///< by trigger, and by the first always required literal
    std::size_t patience_ = 100'000;                                ///< the remaining number of comparisons
};

void check_tried(const outline& o, const by_source& transitions, event_numbers& events, finding_list& out) {
    for (index s = 0; s < row_count(o.states); ++s) {
        tried_so_far tried(events);
        for (const auto* t : transitions.of(s)) {
            const auto warn = [&](const std::string& why, std::string_view hint) {
                out.add(code::shadowed, *o.states[s].node, fmt::format("the {} never fires: {}", described(o, *t), why), std::string(hint),
                        position_of(*t->spec));
            };
            const auto around = std::ranges::find_if(t->excluded, [&](index e) { return o.contains(e, s); });
            if (around != t->excluded.end()) {
                warn(fmt::format("unless_in() excludes \"{}\", and that state is always active while the source is active", shown_path(*o.states[*around].node)),
                     "in unless_in(), name states that are not always active together with the source");
                continue;
            }
            for (const auto joined : t->joined) {
                const auto out_of = std::ranges::find_if(t->excluded, [&](index e) { return o.contains(e, joined); });
                if (out_of == t->excluded.end()) continue;
                warn(fmt::format("in() requires \"{}\", and unless_in() excludes \"{}\"", shown_path(*o.states[joined].node),
                                 shown_path(*o.states[*out_of].node)),
                     "remove one of these states");
                break;
            }
            asked_conditions asked(*t->spec);
            if (const auto* c = contradiction(*t->spec, asked)) {
                warn(fmt::format("it requires {} and its negation",
                                 c->name.empty() ? fmt::format("bit {}", c->number) : fmt::format("\"{}\"", shown(c->name))),
                     "all conditions of a transition must hold; to require one of several, write any(...)");
                continue;
            }
            const bool reaction = t->target == no_index && !t->spec->event; // all polled reactions run
            if (reaction || t->role == transition_role::initial || is_candidate(*t)) continue;
            if (const auto* const first = tried.bars(*t, asked)) {
                const bool is_free = !first->spec->is_guarded();
                const auto* const due = first->spec->after ? ", is due at the same time or earlier," : "";
                warn(fmt::format("the {} is tried before it{} and {}", described(o, *first), due,
                                 is_free ? "has no guard" : "requires no other conditions"),
                     first->spec->after ? "guard the transition that is tried first, or set a shorter time for the other one"
                     : is_free          ? "guard the transition that is tried first, or set a higher priority for the other one"
                                        : "set a higher priority for the transition that requires more");
            } else if (fires_when_due(o, *t)) {
                tried.add(*t, std::move(asked));
            }
        }
    }
}

/// Reports transitions whose events a superstate always consumes.
void check_consumed(const outline& o, const by_source& transitions, event_numbers& events, finding_list& out) {
    std::unordered_map<std::uint32_t, std::vector<const outline_transition*>> consumers; // by event: those of the states around, the innermost last
    std::vector<std::pair<index, std::uint32_t>> around;                                 // their states and events
    auto inner = o.transitions.begin();
    for (index s = 0; s < row_count(o.states); ++s) {
        for (; !around.empty() && !o.contains(around.back().first, s); around.pop_back()) consumers[around.back().second].pop_back();
        for (; inner != o.transitions.end() && inner->source == s; ++inner) {
            const auto found = inner->spec->event ? consumers.find(events.of(inner->spec->event)) : consumers.end();
            if (found == consumers.end() || found->second.empty()) continue;
            const auto& outer = *found->second.back();
            out.add(code::shadowed, *o.states[s].node,
                    fmt::format("the {} never fires: hsm tries the superstate \"{}\" first, and its {} has no guard", described(o, *inner),
                                shown_path(*o.states[outer.source].node), described(o, outer)),
                    "guard the superstate's transition, or compile with decision_order::substate_first", position_of(*inner->spec));
        }
        if (o.states[s].last == s) continue; // it has no substates
        for (const auto* t : transitions.of(s)) {
            if (!t->spec->event || is_any_event(t->spec->event) || t->spec->defers || !unguarded(*t)) continue;
            auto& list = consumers[events.of(t->spec->event)];
            if (!list.empty() && list.back()->source == s) continue;
            list.push_back(t);
            around.emplace_back(s, events.of(t->spec->event));
        }
    }
}

} // namespace

void check_shadowed(const outline& o, const by_source& transitions, const compile_options& options, finding_list& out) {
    event_numbers events;
    check_tried(o, transitions, events, out);
    if (options.order == decision_order::superstate_first) check_consumed(o, transitions, events, out);
}

} // namespace hsm::detail
