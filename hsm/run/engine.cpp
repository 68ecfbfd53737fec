// What a user calls: in which situations, and what is done before and after.

#include <hsm/run/engine.hpp>

#include <hsm/compile/block.hpp>
#include <hsm/compile/deferral.hpp>
#include <hsm/compile/holding.hpp>
#include <hsm/define/lookup.hpp>
#include <hsm/run/engine_parts.hpp>
#include <hsm/run/error.hpp>
#include <hsm/run/event_queue.hpp>
#include <hsm/run/mailbox_queue.hpp>

#include <bit>
#include <cstddef>
#include <cstring>

namespace hsm {

namespace {
constexpr auto latest = never;
} // namespace

result engine::start() {
    if (leaf != no_index || busy()) return result::busy;
    return exclusively([&] {
        begin(reason::start);
        return result::taken;
    });
}

result engine::start(const state_key& key) {
    if (leaf != no_index || busy()) return result::busy;
    const auto target = require(target_spec(key), 0);
    return exclusively([&] {
        begin(reason::start, target);
        return result::taken;
    });
}

result engine::stop() {
    if (only_looks()) return result::busy;
    if (busy() && !outside_life()) {
        work |= work_stop;
        return result::queued;
    }
    if (leaf == no_index || busy()) return result::inactive;
    return exclusively([&] {
        stop_now();
        return result::taken;
    });
}

namespace {
/// The last of a machine's members, as they stand behind each other: read at once.
struct tick_word {
    std::uint16_t kept;
    std::uint8_t work;
    std::uint8_t state;
};
static_assert(offsetof(machine, work) == offsetof(machine, kept) + 2 && offsetof(machine, state) == offsetof(machine, kept) + 3);

constexpr std::uint8_t out_of_the_ordinary = state_posted | state_paused | state_scaled;

/// What of it decides how a tick is made.
[[gnu::always_inline]] inline std::uint32_t tick_state(const machine& m) {
    std::uint32_t word;
    std::memcpy(&word, reinterpret_cast<const std::byte*>(&m) + offsetof(machine, kept), sizeof word);
    return word & std::bit_cast<std::uint32_t>(tick_word{0xffff, 0, out_of_the_ordinary});
}
constexpr auto when_watched = std::bit_cast<std::uint32_t>(tick_word{watched, 0, 0});
constexpr auto when_stamped = std::bit_cast<std::uint32_t>(tick_word{no_index, 0, 0});

[[gnu::always_inline]] inline bool may_fire(const machine& m) {
    const auto& conditions = conditions_of(m);
    return ((conditions.bits ^ conditions.unwanted) & conditions.watch) != 0;
}
} // namespace

/// Time that passes by simply being added. False, and nothing has changed, if it is negative or there is no end to it.
[[gnu::always_inline]] inline bool engine::pass(std::int64_t elapsed) {
    // either way the sum, as it wraps around, is less than the time was
    const auto later = static_cast<std::int64_t>(static_cast<std::uint64_t>(now) + static_cast<std::uint64_t>(elapsed));
    if (later < now) return false;
    now = later;
    return true;
}

/// If no condition that is watched is as some transition wants it, time passes, and that is all.
result engine::tick(std::int64_t elapsed) {
    if (!ready()) return run_tick(elapsed, phase::both);
    const auto how = tick_state(*this);
    if (how == when_watched) {
        if (may_fire(*this) || !pass(elapsed)) return run_sections(elapsed);
        return result::unhandled;
    }
    if (how == when_stamped) return run_sections(elapsed);
    return tick_after_change(elapsed);
}

[[gnu::noinline]] result engine::tick_after_change(std::int64_t elapsed) {
    if ((state & out_of_the_ordinary) || core().driven) return run_tick(elapsed, phase::both);
    stamp();
    return tick(elapsed);
}

/// As long as the leaf's sections find nothing to do, there is nothing to put in order.
[[gnu::noinline]] result engine::run_sections(std::int64_t elapsed) {
    if (!pass(elapsed)) return run_tick(elapsed, phase::both);
    if (chart->has_moment) moment().tick_elapsed = elapsed;
    std::uintptr_t code;
    try {
        code = run(chart->ticks[leaf], *this);
    } catch (...) {
        failed();
        throw;
    }
    return code == code_next ? result::unhandled : go_on(code);
}

/// The rest of a tick that has found something to do.
result engine::go_on(std::uintptr_t code) {
    state = static_cast<std::uint8_t>(state & ~state_fired);
    const auto* const step = section_begun();
    return exclusively([&] {
        begin_waiting(*this, core());
        if (is_over_with(code)) code = code_section;
        walk_on(phase::both, step, code);
        return state & state_fired ? result::taken : result::unhandled;
    });
}

result engine::decide() {
    return run_tick(0, phase::decisions);
}

result engine::update(std::int64_t elapsed) {
    return run_tick(elapsed, phase::hooks);
}

result engine::run_tick(std::int64_t elapsed, phase what) {
    if (busy()) return result::busy;
    if (leaf == no_index) return result::inactive;
    if (elapsed < 0) return result::refused;
    return exclusively([&] {
        const pulses now_and_then_gone(*this, what != phase::hooks);
        begin_waiting(*this, core());
        if (what != phase::hooks) forget_waiting(*this, core());
        advance(elapsed);
        state = static_cast<std::uint8_t>(state & ~state_fired);
        if (what != phase::hooks && !over()) {
            const auto there = arrived();
            if (work) settle();
            try_pending();
            handle_posted(there);
        }
        if (!over()) walk(what);
        return state & state_fired ? result::taken : result::unhandled;
    });
}

/// States entered since the last time have been entered now.
void engine::stamp() {
    if (core().driven) return;
    if (core().options.entry_times && leaf != no_index)
        for (int depth = kept; depth <= core().states[leaf].depth; ++depth) times()[depth] = now;
    kept = no_index;
    if (!core().idle_tests.empty() && leaf != no_index) watch();
}

void engine::advance(std::int64_t elapsed) {
    stamp();
    elapsed = scaled(elapsed);
    now = elapsed > latest - now ? latest : now + elapsed;
    if (core().has_moment) moment().tick_elapsed = elapsed;
}

result engine::drain() {
    if (busy()) return result::busy;
    if (inactive()) return result::inactive;
    return exclusively([&] {
        state = static_cast<std::uint8_t>(state & ~state_fired);
        const auto there = arrived();
        if (work) settle();
        try_pending();
        handle_posted(there);
        return state & state_fired ? result::taken : result::unhandled;
    });
}

result engine::process(const event_ref& event) {
    if (ready() && !(core().keeps_events && event.construct)) {
        const auto* const known = row[find_column(event)];
        return known ? handle(known, event.object) : result::unhandled;
    }
    if (only_looks()) return result::busy;
    if (inactive()) return result::inactive;
    if (busy()) return enqueue(internal_queue(), event, work_internal);
    return exclusively([&] {
        settle(); // what an exception, or finish() from outside, has left
        try_pending();
        if (over()) return result::inactive;
        const auto outcome = handle_event(find_column(event), event);
        if (work) settle();
        return outcome;
    });
}

result engine::post(const event_ref& event) {
    if (only_looks()) return result::busy;
    const auto outcome = inactive() ? result::inactive : enqueue(posted_queue(), event, 0);
    if (outcome == result::queued) state |= state_posted;
    return outcome;
}

result engine::enqueue(event_queue* queue, const event_ref& event, std::uint8_t bit) {
    const auto number = core().find_event(event);
    if (number == no_index) return result::unhandled;
    if (!queue || queue->full()) return result::full;
    auto of_chart = event;
    of_chart.type = core().events[number].type; // the event's own may be another module's, which may be gone by then
    queue->push(of_chart, number);
    work |= bit;
    return result::queued;
}

result engine::change_to(const state_key& key, bool force) {
    if (only_looks()) return result::busy;
    if (inactive()) return result::inactive;
    const auto innermost = where();
    const auto target = require(target_spec(key), innermost == no_index ? 0 : innermost);
    if (busy()) {
        auto* const queue = internal_queue();
        if (!queue || queue->full()) return result::full;
        queue->push_request(target, force);
        work |= work_internal;
        return result::queued;
    }
    return exclusively([&] {
        settle();
        try_pending();
        if (over()) return result::inactive;
        const auto outcome = request(leaf, target, force);
        settle();
        return outcome;
    });
}

result engine::release(const state_key* key) {
    if (only_looks()) return result::busy;
    if (inactive() || where() == no_index) return result::inactive;
    const auto s = key ? require(target_spec(*key), where()) : where();
    if (!active(s)) return result::unhandled;
    release_state(*this, core(), s);
    return result::queued;
}

result engine::mark_finished(const state_key* key) {
    if (only_looks()) return result::busy;
    if (where() == no_index || (state & state_over)) return result::inactive;
    const auto s = key ? require(target_spec(*key), where()) : where();
    if (!active(s)) return result::unhandled;
    mark_over(*this, core(), s);
    if (!busy()) leave();
    return result::queued;
}

/// While a program runs that leaves or enters states, its region's tip is as far as that has come.
class engine::reached_tip {
public:
    explicit reached_tip(engine& e) : engine_(e) {
        index moving = no_index;
        if (!e.is_moving(moving) || moving == no_index) return;
        region_ = e.core().states[moving].region;
        before_ = tip_of(e, e.core(), region_);
        region_at(e, e.core(), region_).tip = moving;
        known_ = true;
    }
    reached_tip(const reached_tip&) = delete;
    reached_tip& operator=(const reached_tip&) = delete;
    ~reached_tip() {
        if (known_) region_at(engine_, engine_.core(), region_).tip = before_;
    }

private:
    engine& engine_;
    bool known_ = false;
    index region_ = 0;
    index before_ = 0;
};

result engine::can(const event_ref& event) {
    if (where() == no_index || (state & state_over)) return result::inactive;
    const auto number = core().find_event(event);
    if (number == no_index) return result::unhandled;
    if (core().driven) {
        const reached_tip so_far(*this);
        const asking question(*this, leaf);
        payload = event.object;
        return would_handle(core().event_columns[number]);
    }
    const asking question(*this, where());
    payload = event.object;
    auto outcome = result::unhandled;
    bool deferred = false; // with the superstate first, unless a state inside wants it
    deciders([&](index s) {
        const auto& span = core().states[s].events;
        for (auto i = span.first; i < span.first + span.count; ++i) {
            const auto& t = core().transitions[i];
            if (t.event != number) continue;
            deferred |= t.defers;
            if (t.defers && core().options.order == decision_order::superstate_first) continue;
            outcome = !enabled(t) ? result::guarded : t.defers ? result::deferred : t.target == no_index ? result::internal : result::taken;
            if (outcome == result::guarded) continue;
            if (outcome == result::taken && core().has_holds && !t.force && holder_of(*this, core(), t.level, t.target) != no_index)
                outcome = would_pend(*this, core(), t.level, t.priority);
            return true;
        }
        return false;
    });
    const bool wanted = outcome != result::unhandled && outcome != result::guarded;
    return deferred && !wanted ? result::deferred : outcome;
}

std::string engine::suggestion_for(std::string_view event_name) const {
    if (core().find_event(detail::refer_name(event_name)) != no_index) return {};
    std::vector<std::string_view> names;
    for (const auto& e : core().events)
        if (e.type->is_name) names.push_back(e.name);
    return suggestion(event_name, names);
}

bool engine::is_in(const state_key& key) const {
    const auto innermost = where();
    const target_spec wanted(key);
    if (!key.id && !key.by_class) return active(require(wanted, innermost == no_index ? 0 : innermost));
    // an enumerator or a class may name a state in several machines
    if (core().driven) return deciders_inwards([&](index s) { return bears(*core().states[s].node, wanted); });
    for (auto s = innermost; s != no_index; s = core().states[s].superstate)
        if (bears(*core().states[s].node, wanted)) return true;
    return false;
}

std::int64_t engine::time_in_state(const state_key& key) const {
    const auto innermost = where();
    return time_in_state(*core().states[require(target_spec(key), innermost == no_index ? 0 : innermost)].node);
}

/// Time passes in ticks only: what was entered since the last one has been there for no time.
std::int64_t engine::time_in_state(const state_base& s) const {
    const auto i = core().index_of(s);
    if (i == no_index || !active(i) || !core().options.entry_times) return 0;
    const auto since = [&](std::int64_t entered) { // the clock may have changed, see take_over
        return (time_span::from_nanoseconds(now) - time_span::from_nanoseconds(entered)).nanoseconds();
    };
    if (core().driven) return since(times()[core().states[i].time_slot]);
    const auto depth = core().states[i].depth;
    return depth < kept ? since(times()[depth]) : 0;
}

std::size_t engine::queued() const {
    const auto* const internal = internal_queue();
    const auto deferred = core().has_defers ? deferral_of(*this, core()).count - deferral_of(*this, core()).offering : 0;
    const auto queues = internal ? internal->size() + posted_queue()->size() + (mail() ? mail()->gather() : 0) : 0;
    return queues + static_cast<std::size_t>(deferred);
}

index engine::require(const target_spec& wanted, index from) const { return require_state(core(), wanted, from); }

index require_state(const chart_core& core, const target_spec& wanted, index from) {
    const auto found = look_up(*core.states[from].node, wanted);
    const auto s = found.found && !found.ambiguous ? core.index_of(*found.found) : no_index;
    if (s != no_index) return s;
    const auto* problem = found.ambiguous ? "\" names several states at the same distance" : "\" is not a state of this chart";
    throw state_error({code::not_in_chart, core.root->path(), '"' + wanted.written() + problem,
                       suggestion(*core.states[from].node, wanted)});
}

} // namespace hsm
