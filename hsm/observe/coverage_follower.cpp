#include <hsm/observe/detail/coverage_follower.hpp>

#include <hsm/observe/detail/coverage_model.hpp>
#include <hsm/observe/followed_states.hpp>

#include <algorithm>

namespace hsm::detail {

void coverage_follower::apply(const record& r) {
    switch (r.kind) {
    case record_kind::call: return forget_step();
    case record_kind::configuration: return begin_configuration(r);
    case record_kind::more: return add_leaves(r);
    case record_kind::event: return count_event(r.number);
    case record_kind::deferred: return count_deferral(r.number);
    case record_kind::guard: return count_guard_result(r);
    case record_kind::transition: return count_transition(r.number);
    case record_kind::entered: return enter(r.state);
    case record_kind::exited: return exit(r.state);
    case record_kind::arrived: return set_leaf(r.state);
    default: return;
    }
}

void coverage_follower::forget_step() {
    step_.clear();
    step_moves_ = false;
}

/// Sets the active leaves. The transitions that entered them are unknown.
void coverage_follower::begin_configuration(const record& r) {
    forget_step();
    leaves_.clear();
    expected_ = r.number;
    if (expected_ == 0) return;
    --expected_;
    if (r.state < model_->state_count()) leaves_.push_back({r.state, no_fact});
}

void coverage_follower::add_leaves(const record& r) {
    const auto further = further_states_of(r);
    for (std::size_t i = 0; i < further.count && expected_ > 0; ++i, --expected_)
        if (further.number[i] < model_->state_count()) leaves_.push_back({further.number[i], no_fact});
}

std::uint32_t coverage_follower::event_row(std::uint32_t number) const {
    return number < event_rows_.size() ? event_rows_[number] : record::no_number;
}

void coverage_follower::count_event(std::uint32_t number) {
    for (const auto& each : leaves_) to_->add(coverage_kind::events, coverage_key(each.state, event_row(number)));
}

void coverage_follower::count_deferral(std::uint32_t number) {
    for (const auto& each : leaves_)
        if (const auto row = model_->deferral(each.state, event_row(number)); row != no_fact)
            return to_->add(coverage_kind::transitions, coverage_key(model_->transition(row)));
}

void coverage_follower::count_guard_result(const record& r) {
    const auto answer = static_cast<guard_answer>(r.what);
    const bool of_group = answer == guard_answer::conditions_no || answer == guard_answer::conditions_yes;
    const bool yes = answer == guard_answer::yes || answer == guard_answer::conditions_yes;
    if (r.number >= (of_group ? model_->group_count() : model_->guard_count())) return;
    to_->add(coverage_kind::guards, coverage_key(of_group ? model_->group(r.number) : r.number, yes));
}

/// All transitions of a step begin before the first state is exited.
void coverage_follower::count_transition(std::uint32_t row) {
    const bool known = row < model_->row_count();
    if (known) to_->add(coverage_kind::transitions, coverage_key(model_->transition(row)));
    if (known && !model_->moves(row)) return;
    if (step_moves_) forget_step();
    step_.push_back(row);
}

/// Returns the transition of the step that exits or enters `state`; no_fact if it is not a defined one.
std::uint32_t coverage_follower::mover(std::uint32_t state) const {
    const auto is_it = [&](std::uint32_t row) {
        return row < model_->row_count() && (model_->level(row) == no_fact || model_->contains(model_->level(row), state));
    };
    const auto found = step_.size() == 1 ? step_.begin() : std::ranges::find_if(step_, is_it);
    return found == step_.end() || *found >= model_->row_count() ? no_fact : model_->transition(*found);
}

void coverage_follower::forget_leaf(std::uint32_t state) {
    std::erase_if(leaves_, [&](const leaf& each) { return each.state == state; });
}

void coverage_follower::enter(std::uint32_t state) {
    if (state >= model_->state_count()) return;
    step_moves_ = true;
    to_->add(coverage_kind::states, coverage_key(state));
    if (const auto around = model_->superstate(state); around != no_fact) forget_leaf(around);
    leaves_.push_back({state, mover(state)});
}

void coverage_follower::exit(std::uint32_t state) {
    if (state >= model_->state_count()) return;
    step_moves_ = true;
    const auto left = std::ranges::find(leaves_, state, &leaf::state);
    if (left == leaves_.end()) return;
    const auto by = mover(state);
    if (left->entered_by != no_fact && by != no_fact) to_->add(coverage_kind::pairs, coverage_key(left->entered_by, by));
    leaves_.erase(left);
}

/// Sets a machine itself as an active leaf: its substates were exited, but the machine was not.
void coverage_follower::set_leaf(std::uint32_t state) {
    if (state >= model_->state_count() || std::ranges::find(leaves_, state, &leaf::state) != leaves_.end()) return;
    leaves_.push_back({state, mover(state)});
}

void coverage_watcher::on_record(const record& r, const moment& when) {
    auto& who = agents_.next(r, [this] { return agent{coverage_follower(model_, to_)}; });
    if (begins_trace(r)) check_chart(who, when.chart());
    if (!who.foreign) who.follower.apply(r);
}

/// Numbers of another chart have another meaning.
void coverage_watcher::check_chart(agent& who, const chart_base& chart) {
    const auto known = model_.chart();
    who.foreign = chart.view() != known && chart.fingerprint() != known.fingerprint();
    if (!who.foreign && chart.view() != known) who.follower.follow(chart.view());
    if (!who.foreign) has_own_ = true;
    if (!who.foreign || has_own_) return;
    refusal_ = other_chart(known, chart.view());
    if (throws_) throw_refusal();
}

void coverage_watcher::throw_refusal() const {
    if (refusal_ && !has_own_) throw *refusal_;
}

} // namespace hsm::detail
