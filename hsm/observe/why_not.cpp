#include <hsm/observe/explain.hpp>

#include <hsm/observe/detail/questions.hpp>
#include <hsm/observe/detail/way_in.hpp>
#include <hsm/run/detail/instance_access.hpp>

#include <algorithm>
#include <map>

namespace hsm {

using namespace detail;

namespace {

/// Finds every transition that leads to a state, and what it lacks.
class target_question {
public:
    target_question(inquiry& i, index to) : i_(i), to_(to), way_(i, to) {}

    void run() {
        if (region_leaf_of(i_.m, i_.core, 0) != no_index) {
            tick_question q(i_);
            q.run();
            ticks_ = std::move(q.candidates);
        }
        for (index s = 0; s < row_count(i_.core.states); ++s) {
            const auto& state = i_.core.states[s];
            if (state.kind == state_kind::choice && !is_active(i_.m, i_.core, s)) continue; // it is part of the way
            if (state.kind == state_kind::history) continue;
            if (region_leaf_of(i_.m, i_.core, state.region) == s) add_all(state.choices), add_all(state.initial); // it tries its entry choices again
            add_all(state.polled);
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
        if (t.target == no_index || (!candidates.empty() && i_.row(candidates.back()).spec == t.spec)) return; // one row for several events
        if (t.level != no_index && i_.core.contains(to_, t.level)) return;                                     // stays in that state
        const auto in_the_way = way_.by(t);
        if (!in_the_way) return;
        auto c = asked(number);
        c.obstacles.insert(c.obstacles.end(), in_the_way->begin(), in_the_way->end());
        candidates.push_back(std::move(c));
    }

    candidate asked(std::uint32_t number) {
        const auto& t = i_.core.transitions[number];
        if (!is_active(i_.m, i_.core, t.source)) return asked_from_outside(number);
        if (t.event == no_index) return one_of(ticks_, number);
        auto c = one_of(candidates_of(t.event), number);
        c.obstacles.insert(c.obstacles.begin(), {.kind = obstacle_kind::needs_event, .event = t.event});
        return c;
    }

    candidate asked_from_outside(std::uint32_t number) {
        const auto& t = i_.core.transitions[number];
        candidate c{.transition = number};
        c.obstacles.push_back({.kind = obstacle_kind::inactive_source, .state = t.source});
        if (t.event != no_index) c.obstacles.push_back({.kind = obstacle_kind::needs_event, .event = t.event});
        i_.ask_words_from_outside(c);
        return c;
    }

    const std::vector<candidate>& candidates_of(std::uint16_t event) {
        const auto [known, is_new] = by_event_.try_emplace(event);
        if (!is_new) return known->second;
        event_question q(i_, event);
        q.run();
        return known->second = std::move(q.candidates);
    }

    static candidate one_of(const std::vector<candidate>& all, std::uint32_t number) {
        const auto found = std::ranges::find(all, number, &candidate::transition);
        return found == all.end() ? candidate{.transition = number} : *found;
    }

    inquiry& i_;
    const index to_;
    way_in way_;
    std::vector<candidate> ticks_;
    std::map<std::uint16_t, std::vector<candidate>> by_event_;
};

result outcome_of(const machine& m, const std::vector<candidate>& candidates) {
    if (region_leaf_of(m, core_of(m), 0) == no_index || (m.work & work_over)) return result::inactive;
    if (std::ranges::any_of(candidates, &candidate::taken)) return result::taken;
    return candidates.empty() ? result::unhandled : result::guarded;
}

} // namespace

explanation why_not(const instance_base& agent, const state_key& target, explain_options how) {
    auto& m = instance_access::engine_of(agent);
    const auto& core = core_of(m);
    const auto to = require_state(core, target);
    inquiry i(m, how, false);
    explanation e{.subject = explanation::a_target, .number = to, .chart = chart_view(facts_of(core))};
    if (region_leaf_of(m, core, 0) != no_index) e.waiting = things_that_wait(i, true);
    target_question q(i, to);
    q.run();
    e.candidates = std::move(q.candidates);
    e.outcome = outcome_of(m, e.candidates);
    return e;
}

} // namespace hsm
