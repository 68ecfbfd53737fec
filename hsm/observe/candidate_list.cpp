#include <hsm/observe/detail/queries.hpp>

#include <algorithm>

namespace hsm::detail {

candidate& candidate_list::of(const transition_row& t) { return *std::ranges::find(candidates, i_.number(t), &candidate::transition); }

void candidate_list::add(const enabled_transition& to, obstacle_kind kind, std::uint32_t transition) {
    of(*to.transition).obstacles.push_back({.kind = kind, .transition = transition});
}

bool collecting_probe::begins(const transition_row& t) {
    to_->candidates.push_back({.transition = to_->i_.number(t), .unasked = t.guards.count});
    to_->is_open_ = false;
    if (first_ == no_number || to_->i_.all_guards) return true;
    ends(verdict::refused);
    return false;
}

bool collecting_probe::is_barred(bool barred) {
    const auto& t = to_->i_.row(current());
    const auto bars = [&](std::uint32_t by) {
        const auto& earlier = to_->i_.core.transitions[by];
        return earlier.source == t.source && earlier.level == t.level;
    };
    if (barred) current().obstacles.push_back({.kind = obstacle_kind::barred, .transition = *std::ranges::find_if(to_->satisfied_, bars)});
    return stops();
}

bool collecting_probe::is_blocked(bool blocked) {
    const auto& i = to_->i_;
    const auto level = level_now(i.m, i.core, i.row(current()));
    const auto blocks = [&](std::uint32_t by) {
        const auto& earlier = i.core.transitions[by];
        return earlier.level == i.row(current()).level || level_now(i.m, i.core, earlier) == level;
    };
    if (blocked) current().obstacles.push_back({.kind = obstacle_kind::waits_first, .transition = *std::ranges::find_if(to_->waiting_, blocks)});
    return stops();
}

bool collecting_probe::is_unfinished(bool unfinished) {
    if (unfinished) current().obstacles.push_back({.kind = obstacle_kind::not_finished, .state = to_->i_.row(current()).source});
    return stops();
}

bool collecting_probe::refuses(machine&, const chart_core&, const transition_row&) {
    current().unasked = 0;
    to_->i_.check_all(current());
    to_->is_open_ = current().taken() && first_ == no_number;
    return stops();
}

bool collecting_probe::is_satisfied(bool satisfied) {
    if (satisfied) current().obstacles.push_back({.kind = obstacle_kind::satisfied, .state = to_->i_.row(current()).target});
    return satisfied;
}

bool collecting_probe::must_wait(machine&, const chart_core&, const transition_row& t) {
    return to_->i_.may_be_held(t) && !to_->i_.check_holds(current().obstacles, t.level, t.target);
}

/// If something else prevents it, it has no effect on later transitions.
verdict collecting_probe::ends(verdict v) {
    if (first_ != no_number) current().obstacles.push_back({.kind = obstacle_kind::goes_first, .transition = first_});
    if (!to_->is_open_) return verdict::refused;
    if (v == verdict::satisfied) to_->satisfied_.push_back(current().transition);
    if (v == verdict::waits) to_->waiting_.push_back(current().transition);
    return v;
}

bool collecting_probe::has_waiting(const machine&, const chart_core& core, std::size_t slot) const {
    return std::ranges::any_of(to_->waiting_, [&](std::uint32_t by) { return slot_of(core, core.transitions[by].level) == slot; });
}

void collecting_probe::yields(const enabled_transition& loser, const enabled_transition& winner) const {
    to_->add(loser, loser.transition->defers ? obstacle_kind::goes_first : obstacle_kind::deferral, to_->i_.number(*winner.transition));
}

void collecting_probe::loses(const enabled_transition& loser, const enabled_transition& winner) const {
    to_->add(loser, obstacle_kind::conflict, to_->i_.number(*winner.transition));
}

bool collecting_probe::is_free(machine&, const chart_core&, const enabled_transition& e) const {
    return !to_->i_.may_be_held(*e.transition) || to_->i_.check_holds(to_->of(*e.transition).obstacles, e.level, e.target);
}

void collecting_probe::cannot_pend(const enabled_transition& e) const {
    const auto& p = pending_at(to_->i_.m, to_->i_.core, slot_of(to_->i_.core, e.transition->level));
    to_->add(e, obstacle_kind::lower_priority, p.kind == pending_slot::event ? p.transition : no_number);
}

} // namespace hsm::detail
