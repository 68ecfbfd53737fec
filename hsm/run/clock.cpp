#include <hsm/run/detail/life.hpp>

#include <hsm/define/detail/lookup.hpp>
#include <hsm/define/detail/shown.hpp>
#include <hsm/run/detail/conditions.hpp>
#include <hsm/run/detail/memory.hpp>
#include <hsm/run/detail/query_scope.hpp>
#include <hsm/run/detail/ticker.hpp>
#include <hsm/run/detail/tracing.hpp>
#include <hsm/run/error.hpp>
#include <hsm/vm/detail/timers.hpp>

#include <algorithm>
#include <limits>
#include <string_view>
#include <vector>

namespace hsm::detail {

namespace {

constexpr auto latest = never;

/// Returns the time by which the clock advances, rounded to whole nanoseconds in each tick.
std::int64_t scaled(const machine& m, std::int64_t elapsed) {
    if (m.state & state_paused) return 0;
    if (!(m.state & state_scaled)) return elapsed;
    return time_span::from_seconds(static_cast<double>(elapsed) * calls::time_scale(m) / 1e9).nanoseconds();
}

} // namespace

std::int64_t* entry_times(const machine& m, const chart_core& core) { return reinterpret_cast<std::int64_t*>(m.block + core.layout.times); }

void stamp(machine& m, const chart_core& core) {
    if (core.by_regions) { // the programs store entry times
        if (core.ticks_by_region) m.shallowest_change = no_index;
        return;
    }
    if (core.options.entry_times && m.leaf != no_index)
        for (int depth = m.shallowest_change; depth <= core.states[m.leaf].depth; ++depth) entry_times(m, core)[depth] = m.now;
    m.shallowest_change = no_index;
    if (!core.idle_tests.empty() && m.leaf != no_index) watch(m, core);
}

void advance(machine& m, const chart_core& core, std::int64_t elapsed) {
    stamp(m, core);
    elapsed = scaled(m, elapsed);
    m.now = elapsed > latest - m.now ? latest : m.now + elapsed;
    if (core.has_hook_context) m.hook_context().tick_elapsed = elapsed;
}

void reset_clock(machine& m) noexcept {
    if (m.state & state_scaled) queues_of(m, core_of(m))->time_scale = 1.0;
    m.state = static_cast<std::uint8_t>(m.state & ~(state_paused | state_scaled));
}

void calls::pause(machine& m, bool paused) {
    if (is_locked(m)) return;
    notify_input(m, core_of(m), {.kind = paused ? input_kind::pause : input_kind::resume});
    m.state = static_cast<std::uint8_t>(paused ? m.state | state_paused : m.state & ~state_paused);
}

double calls::time_scale(const machine& m) { return m.state & state_scaled ? queues_of(m, core_of(m))->time_scale : 1.0; }

result calls::scale_time(machine& m, double factor) {
    if (is_locked(m)) return result::busy;
    if (!(factor >= 0 && factor <= std::numeric_limits<double>::max())) return result::refused;
    auto* const queues = factor == 1.0 ? queues_of(m, core_of(m)) : require_queues(m, core_of(m));
    notify_input(m, core_of(m), {.kind = input_kind::time_scale, .factor = factor});
    if (!queues) return factor == 1.0 ? result::taken : result::full;
    queues->time_scale = factor;
    m.state = static_cast<std::uint8_t>(factor == 1.0 ? m.state & ~state_scaled : m.state | state_scaled);
    return result::taken;
}

namespace {

/// Calls visit(transition) for each transition whose timer the key names. Returns whether there is one.
template <class Visit> bool each_timed(const chart_core& core, const timer_key& key, Visit visit) {
    auto last = no_timer;
    for (const auto& t : core.transitions) {
        const bool is_named = key.spec ? t.spec == key.spec : !key.label.empty() && t.spec->label == key.label;
        // A transition for several events has several rows. The timer of a rechoice belongs to the machine.
        if (!is_named || t.timer == no_timer || t.timer == last || t.rechoice) continue;
        last = t.timer;
        visit(t);
    }
    return last != no_timer;
}

[[noreturn]] void throw_no_timer(const chart_core& core, const timer_key& key) {
    if (key.spec) throw state_error({code::not_in_chart, core.root->path(), "this transition has no timer", "add after(...) or every(...) to it"});
    std::vector<std::string_view> labels;
    for (const auto& t : core.transitions)
        if (t.timer != no_timer && !t.spec->label.empty()) labels.emplace_back(t.spec->label);
    throw state_error({code::not_in_chart, core.root->path(), "no transition with a time has the label \"" + shown(key.label) + '"',
                       suggestion(key.label, labels)});
}

/// Calls the function that computes the time. Like a guard, it cannot change the machine.
std::int64_t time_now(machine& m, const chart_core& core, const transition_row& t) {
    const auto& timer = core.timers[t.timer];
    if (!timer.find.call) return timer.fixed;
    const query_scope unchanged(m, core);
    return computed_time(m, core, timer.find, t.source);
}

void change_timer(machine& m, const chart_core& core, const transition_row& t, timer_change to, std::int64_t left) {
    if (to == timer_change::restart)
        arm(m, core, t.timer, time_now(m, core, t));
    else
        due_at(m, core, t.timer) = to == timer_change::cancel ? never : time_after(m, std::max<std::int64_t>(left, 0));
    trace(m, core, {record_kind::armed, 0, t.source, t.timer, static_cast<std::uint64_t>(due_at(m, core, t.timer))});
}

} // namespace

bool calls::time_left(const machine& m, const timer_key& key, std::int64_t& left) {
    const auto& core = core_of(m);
    auto first = never;
    const bool is_known = each_timed(core, key, [&](const transition_row& t) {
        if (is_active_now(m, core, t.source)) first = std::min(first, due_at(m, core, t.timer));
    });
    if (!is_known && !key.spec) throw_no_timer(core, key);
    left = first > m.now ? (time_span::from_nanoseconds(first) - time_span::from_nanoseconds(m.now)).nanoseconds() : 0;
    return first != never;
}

result calls::set_timer(machine& m, const timer_key& key, timer_change to, std::int64_t left) {
    const auto& core = core_of(m);
    if (!each_timed(core, key, [](const transition_row&) {})) throw_no_timer(core, key);
    if (is_locked(m)) return result::busy;
    if (is_inactive(m, core)) return result::inactive;
    auto outcome = result::unhandled;
    each_timed(core, key, [&](const transition_row& t) {
        if (!is_active_now(m, core, t.source)) return;
        notify_input(m, core, {.kind = input_kind::set_timer, .timer = t.timer, .change = to, .elapsed = left});
        change_timer(m, core, t, to, left);
        outcome = result::taken;
    });
    rethrow_thrown(m);
    return outcome;
}

} // namespace hsm::detail
