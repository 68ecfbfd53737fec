// The clock and the timers.

#include <tests/reference/interpreter_stage.hpp>

#include <hsm/run/error.hpp>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace hsm::detail {

namespace {
constexpr auto end_of_time = std::numeric_limits<std::int64_t>::max();

std::int64_t later(std::int64_t time, std::int64_t by) { return by > end_of_time - time ? end_of_time : time + by; }
} // namespace

result interpreter::scale_time(double factor) {
    if (looking_) return result::busy;
    if (!std::isfinite(factor) || factor < 0) return result::refused;
    time_scale_ = factor;
    return result::taken;
}

/// Converts elapsed time to time of this clock.
std::int64_t interpreter::passing(std::int64_t elapsed) const {
    if (paused_) return 0;
    if (time_scale_ == 1) return elapsed;
    const auto scaled = static_cast<double>(elapsed) * time_scale_;
    return scaled < 9.2e18 ? static_cast<std::int64_t>(scaled + 0.5) : end_of_time;
}

/// Returns whether its timer is due, or it has none.
bool interpreter::due(const transition_row& t) const { return t.timer == no_timer || (due_[t.timer] != never && now_ >= due_[t.timer]); }

/// A new period begins with the remaining time; a delay of a polled transition fires once per activation.
void interpreter::use_up_time(const transition_row& t) {
    if (t.timer == no_timer || t.event != no_index || t.rechoice) return;
    due_[t.timer] = core_.timers[t.timer].periodic ? later(due_[t.timer], period_[t.timer]) : never;
}

void interpreter::start_timers(index s) {
    const auto& span = core_.states[s].timers;
    for (auto i = span.first; i < span.first + span.count; ++i) start_timer(s, i);
}

void interpreter::start_timer(index s, std::uint32_t number) {
    const auto& timer = core_.timers[number];
    auto length = timer.fixed;
    if (timer.find.call) {
        stage here(*this, s, {});
        call(timer.find, here);
        length = here.now.delay;
    }
    length = std::max<std::int64_t>(length, timer.periodic ? 1 : 0);
    period_[number] = length;
    due_[number] = later(now_, length);
}

/// Returns whether the transition is enabled, not satisfied, not blocked by an earlier satisfied one, and not held.
bool interpreter::fires_at_its_moment(const transition_row& t) {
    for (const auto* earlier : polled_of(t.source, asked::polled)) {
        if (earlier == &t) break;
        if (!earlier->rechoice && earlier->any_state && earlier->level == t.level && may_fire(*earlier) && satisfied(*earlier)) return false;
    }
    return may_fire(t) && !satisfied(t) && holder(t) == no_index;
}

/// Moves from each moment when a transition with carry_over is due to the next. If a guard is false, a state holds or a hook throws, that transition
/// fires later, like any other.
void interpreter::pass_moments(std::int64_t end) {
    const auto begin = now_;
    take_up();
    const bool outermost_first = core_.options.order == decision_order::superstate_first;
    std::set<const transition_row*> tried; // at this moment
    while (!over()) {
        const transition_row* next = nullptr;
        const auto comes_before = [&](const transition_row& a, const transition_row& b) {
            if (due_[a.timer] != due_[b.timer]) return due_[a.timer] < due_[b.timer];
            const auto level = [&](const transition_row& t) { return outermost_first ? depth(t.level) : 0; };
            if (level(a) != level(b)) return level(a) < level(b);
            if (depth(a.source) != depth(b.source)) return (depth(a.source) < depth(b.source)) == outermost_first;
            return a.priority > b.priority; // otherwise in the order of definition
        };
        for (const auto s : active_)
            for (const auto* t : polled_of(s, asked::polled)) {
                const bool has_moment = t->timer != no_timer && !t->on_finished && !t->rechoice && (t->spec->carry_over || core_.options.carry_over);
                if (!has_moment || due_[t->timer] == never || due_[t->timer] <= begin || due_[t->timer] > end || due_[t->timer] < now_) continue;
                if (due_[t->timer] == now_ && tried.contains(t)) continue;
                if (!next || comes_before(*t, *next)) next = t;
            }
        if (!next) return;
        if (now_ != due_[next->timer]) tried.clear();
        now_ = due_[next->timer];
        tried.insert(next);
        if (!fires_at_its_moment(*next)) continue;
        fire(*next, reason_of(*next));
        run_to_completion();
    }
}

/// Returns a row of each transition whose timer the key names. Throws state_error for a label without a timer.
interpreter::rows interpreter::timed(const timer_key& key) const {
    std::map<std::uint32_t, const transition_row*> all;
    for (const auto& t : core_.transitions)
        if (t.timer != no_timer && !t.rechoice && (key.spec ? t.spec == key.spec : t.spec->label == key.label)) all.emplace(t.timer, &t);
    if (all.empty() && !key.spec) throw state_error({code::not_in_chart, core_.root->path(), "no transition has this label", ""});
    rows found;
    for (const auto& [timer, row] : all) found.push_back(row);
    return found;
}

std::optional<std::int64_t> interpreter::time_left(const timer_key& key) const {
    std::optional<std::int64_t> least;
    for (const auto* t : timed(key)) {
        if (!active(t->source) || due_[t->timer] == never) continue;
        const auto left = std::max<std::int64_t>(0, due_[t->timer] - now_);
        if (!least || left < *least) least = left;
    }
    return least;
}

result interpreter::set_timer(const timer_key& key, timer_change to, std::int64_t left) {
    const auto all = timed(key);
    if (all.empty()) throw state_error({code::not_in_chart, core_.root->path(), "the transition has no timer", ""});
    if (looking_) return result::busy;
    if (inactive()) return result::inactive;
    auto outcome = result::unhandled;
    for (const auto* t : all) {
        if (!active(t->source)) continue;
        outcome = result::taken;
        if (to == timer_change::restart) {
            const looking meanwhile(*this);
            start_timer(t->source, t->timer);
        } else {
            due_[t->timer] = to == timer_change::cancel ? never : later(now_, std::max<std::int64_t>(left, 0));
        }
    }
    return outcome;
}

} // namespace hsm::detail
