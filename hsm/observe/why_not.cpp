#include <hsm/observe/explain.hpp>

#include <hsm/define/detail/lookup.hpp>
#include <hsm/observe/detail/entry_paths.hpp>
#include <hsm/observe/detail/queries.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/run/error.hpp>

#include <algorithm>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace hsm {

using namespace detail;

namespace {

/// Finds every transition that leads to a state, or every one that a key names, and what it lacks.
class target_query {
public:
    target_query(machine_probe& i, index to) : i_(i), to_(to) { paths_.emplace(i, to); }
    target_query(machine_probe& i, const timer_key& wanted) : i_(i), wanted_(wanted) {}

    void run() {
        if (region_leaf_of(i_.m, i_.core, 0) != no_index) {
            tick_query q(i_);
            q.run();
            ticks_ = std::move(q.candidates);
        }
        for (index s = 0; s < row_count(i_.core.states); ++s) {
            const auto& state = i_.core.states[s];
            if (state.kind == state_kind::choice && !is_active(i_.m, i_.core, s)) continue; // it is part of the way
            if (state.kind == state_kind::history) continue;
            if (region_leaf_of(i_.m, i_.core, state.region) == s) add_all(state.choices), add_all(state.initial); // it tries its entry choices again
            add_all(state.polled);
            add_all(state.reactions);
            add_all(state.events);
        }
    }

    std::vector<candidate> candidates;

private:
    void add_all(const span_of& span) {
        for (auto t = span.first; t < span.first + span.count; ++t) add(t);
    }

    void add(std::uint32_t number) {
        const auto& t = i_.core.transitions[number];
        if (!candidates.empty() && i_.row(candidates.back()).spec == t.spec) return; // one row for several events
        if (!paths_) {
            if (wanted_.spec ? t.spec == wanted_.spec : t.spec->label == wanted_.label) candidates.push_back(checked(number));
            return;
        }
        if (t.target == no_index || (t.level != no_index && i_.core.contains(to_, t.level))) return; // stays in that state
        const auto on_path = paths_->by(t);
        if (!on_path) return;
        auto c = checked(number);
        c.obstacles.insert(c.obstacles.end(), on_path->begin(), on_path->end());
        candidates.push_back(std::move(c));
    }

    candidate checked(std::uint32_t number) {
        const auto& t = i_.core.transitions[number];
        if (!is_active(i_.m, i_.core, t.source)) return checked_inactive(number);
        if (t.event == no_index) return one_of(ticks_, number);
        auto c = one_of(candidates_of(t.event), number);
        c.obstacles.insert(c.obstacles.begin(), {.kind = obstacle_kind::needs_event, .event = t.event});
        return c;
    }

    candidate checked_inactive(std::uint32_t number) {
        const auto& t = i_.core.transitions[number];
        candidate c{.transition = number};
        c.obstacles.push_back({.kind = obstacle_kind::inactive_source, .state = t.source});
        if (t.event != no_index) c.obstacles.push_back({.kind = obstacle_kind::needs_event, .event = t.event});
        i_.check_inactive(c);
        return c;
    }

    const std::vector<candidate>& candidates_of(std::uint16_t event) {
        const auto [known, is_new] = by_event_.try_emplace(event);
        if (!is_new) return known->second;
        event_query q(i_, event);
        q.run();
        return known->second = std::move(q.candidates);
    }

    static candidate one_of(const std::vector<candidate>& all, std::uint32_t number) {
        const auto found = std::ranges::find(all, number, &candidate::transition);
        return found == all.end() ? candidate{.transition = number} : *found;
    }

    machine_probe& i_;
    const index to_ = no_index;
    const timer_key wanted_ = {std::string_view()};
    std::optional<entry_paths> paths_; ///< to the state
    std::vector<candidate> ticks_;
    std::map<std::uint16_t, std::vector<candidate>> by_event_;
};

result outcome_of(const machine& m, const std::vector<candidate>& candidates) {
    if (region_leaf_of(m, core_of(m), 0) == no_index || (m.work & work_over)) return result::inactive;
    if (std::ranges::any_of(candidates, &candidate::taken)) return result::taken;
    return candidates.empty() ? result::unhandled : result::guarded;
}

} // namespace

namespace {
template <class Wanted> explanation why_not_to(machine& m, const Wanted& wanted, explain_options how) {
    const auto& core = core_of(m);
    machine_probe i(m, how, false);
    explanation e{.subject = explanation::a_target, .chart = chart_view(facts_of(core))};
    if (region_leaf_of(m, core, 0) != no_index) e.waiting = list_waiting(i, true);
    target_query q(i, wanted);
    q.run();
    e.candidates = std::move(q.candidates);
    e.outcome = outcome_of(m, e.candidates);
    return e;
}
} // namespace

explanation why_not(const instance_base& agent, const state_key& target, explain_options how) {
    auto& m = instance_access::engine_of(agent);
    const auto to = require_state(core_of(m), target);
    auto e = why_not_to(m, to, how);
    e.number = to;
    return e;
}

explanation why_not_fired(const instance_base& agent, const timer_key& transition, explain_options how) {
    auto& m = instance_access::engine_of(agent);
    auto e = why_not_to(m, transition, how);
    e.subject = explanation::a_transition;
    if (!e.candidates.empty()) {
        e.number = e.candidates.front().transition;
        return e;
    }
    const auto& core = core_of(m);
    if (transition.spec)
        throw state_error({code::not_in_chart, core.root->path(), "the transition is not in this chart", "use a transition of this definition"});
    std::vector<std::string_view> labels;
    for (const auto& t : core.transitions)
        if (!t.spec->label.empty()) labels.emplace_back(t.spec->label);
    throw state_error({code::not_in_chart, core.root->path(), fmt::format("no transition has the label \"{}\"", transition.label),
                       labels.empty() ? "call .label(...) in the definition" : suggestion(transition.label, labels)});
}

} // namespace hsm
