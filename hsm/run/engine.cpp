// What a user calls: in which situations, and what is done before and after.

#include <hsm/run/engine.hpp>

#include <hsm/compile/block.hpp>
#include <hsm/compile/lookup.hpp>
#include <hsm/run/engine_parts.hpp>
#include <hsm/run/error.hpp>
#include <hsm/run/event_queue.hpp>

#include <limits>

namespace hsm {

namespace {
constexpr auto latest = std::numeric_limits<std::int64_t>::max();
} // namespace

result engine::start() {
    if (leaf != no_index || busy()) return result::busy;
    return exclusively([&] {
        set_cause({reason::start, nullptr, nullptr, core().states[0].node, nullptr}, no_index);
        transit(no_index, 0, 0);
        settle();
        return result::taken;
    });
}

result engine::stop() {
    if (busy()) {
        work |= work_stop;
        return result::queued;
    }
    if (leaf == no_index) return result::inactive;
    return exclusively([&] {
        stop_now();
        return result::taken;
    });
}

result engine::tick(std::int64_t elapsed) {
    return run_tick(elapsed, phase::both);
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
        advance(elapsed);
        state = static_cast<std::uint8_t>(state & ~state_fired);
        if (what != phase::hooks && !over()) {
            if (work) settle();
            handle_posted();
        }
        if (!over()) walk(what);
        return state & state_fired ? result::taken : result::unhandled;
    });
}

/// States entered since the last time have been entered now.
void engine::stamp() {
    if (core().options.entry_times && leaf != no_index)
        for (int depth = kept; depth <= core().states[leaf].depth; ++depth) times()[depth] = now;
    kept = no_index;
}

void engine::advance(std::int64_t elapsed) {
    stamp();
    now = elapsed > latest - now ? latest : now + elapsed;
    if (core().has_moment) moment().tick_elapsed = elapsed;
}

result engine::drain() {
    if (busy()) return result::busy;
    if (inactive()) return result::inactive;
    return exclusively([&] {
        state = static_cast<std::uint8_t>(state & ~state_fired);
        if (work) settle();
        handle_posted();
        return state & state_fired ? result::taken : result::unhandled;
    });
}

result engine::process(const event_ref& event) {
    if (ready()) {
        const auto* const known = row[find_column(event)];
        return known ? handle(known, event.object) : result::unhandled;
    }
    if (inactive()) return result::inactive;
    if (busy()) return enqueue(internal_queue(), event, work_internal);
    return exclusively([&] {
        settle(); // what an exception, or finish() from outside, has left
        if (over()) return result::inactive;
        payload = event.object;
        const auto code = run_part(core().program_for(leaf, find_column(event)));
        if (work) settle();
        return static_cast<result>(code);
    });
}

result engine::post(const event_ref& event) {
    return inactive() ? result::inactive : enqueue(posted_queue(), event, 0);
}

result engine::enqueue(event_queue* queue, const event_ref& event, std::uint8_t bit) {
    const auto number = core().find_event(event);
    if (number == no_index) return result::unhandled;
    if (!queue || queue->full()) return result::full;
    queue->push(event, number);
    work |= bit;
    return result::queued;
}

result engine::change_to(const state_key& key) {
    if (inactive()) return result::inactive;
    const auto innermost = where();
    const auto target = require(target_spec(key), innermost == no_index ? 0 : innermost);
    if (busy()) {
        auto* const queue = internal_queue();
        if (!queue || queue->full()) return result::full;
        queue->push_request(target);
        work |= work_internal;
        return result::queued;
    }
    return exclusively([&] {
        settle();
        if (over()) return result::inactive;
        request(leaf, target, reason::request);
        settle();
        return result::taken;
    });
}

result engine::mark_finished(const state_key* key) {
    if (where() == no_index || (state & state_over)) return result::inactive;
    const auto s = key ? require(target_spec(*key), where()) : where();
    if (!active(s)) return result::unhandled;
    mark_over(*this, core(), s);
    if (!busy()) leave();
    return result::queued;
}

result engine::can(const event_ref& event) {
    if (where() == no_index || (state & state_over)) return result::inactive;
    const auto number = core().find_event(event);
    if (number == no_index) return result::unhandled;
    const asking question(*this, where());
    payload = event.object;
    auto outcome = result::unhandled;
    deciders([&](index s) {
        const auto& span = core().states[s].events;
        for (auto i = span.first; i < span.first + span.count; ++i) {
            const auto& t = core().transitions[i];
            if (t.event != number) continue;
            outcome = !holds(t) ? result::guarded : t.target == no_index ? result::internal : result::taken;
            if (outcome != result::guarded) return true;
        }
        return false;
    });
    return outcome;
}

bool engine::is_in(const state_key& key) const {
    const auto innermost = where();
    if (!key.id) return active(require(target_spec(key), innermost == no_index ? 0 : innermost));
    // an enumerator may name a state in several machines
    for (auto s = innermost; s != no_index; s = core().states[s].superstate)
        if (core().states[s].node->id() == key.id) return true;
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
    const auto depth = core().states[i].depth;
    return depth < kept ? now - times()[depth] : 0;
}

std::size_t engine::queued() const {
    const auto* const internal = internal_queue();
    return internal ? internal->size() + posted_queue()->size() : 0;
}

index engine::require(const target_spec& wanted, index from) const {
    const auto found = look_up(*core().states[from].node, wanted);
    const auto s = found.found && !found.ambiguous ? core().index_of(*found.found) : no_index;
    if (s != no_index) return s;
    const auto* problem = found.ambiguous ? "\" names several states at the same distance" : "\" is not a state of this chart";
    throw state_error({code::not_in_chart, core().root->path(), '"' + wanted.written() + problem,
                       suggestion(*core().states[from].node, wanted)});
}

} // namespace hsm
