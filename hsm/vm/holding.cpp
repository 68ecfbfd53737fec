#include <hsm/vm/detail/holding.hpp>

#include <hsm/define/detail/hook_context.hpp>
#include <hsm/vm/detail/active.hpp>
#include <hsm/vm/detail/block.hpp>
#include <hsm/vm/detail/leave_requests.hpp>
#include <hsm/vm/detail/observed.hpp>
#include <hsm/vm/detail/timers.hpp>

#include <algorithm>
#include <utility>

namespace hsm::detail {

namespace {

/// Returns whether a predicate of `s` holds it. Predicates can take the target.
bool guards_hold(machine& m, const chart_core& core, index s, index target) {
    struct restoring { // calls can be nested, in the predicate of another hold
        machine& m;
        const op* at;
        state_ref before;
        ~restoring() {
            if (m.chart->has_hook_context) m.hook_context().hold_target = before;
        }
    } const as_before{m, m.at, core.has_hook_context ? m.hook_context().hold_target : state_ref()};
    if (core.has_hook_context) m.hook_context().hold_target = target == no_index ? state_ref() : state_ref(*core.states[target].node);
    const bool agree = run(core.at(core.states[s].hold_program), m) == static_cast<std::uintptr_t>(result::taken);
    m.at = as_before.at; // after an exception it identifies the predicate
    return !agree;
}

bool holds(machine& m, const chart_core& core, index s, index target) {
    const auto& row = core.states[s];
    if (!row.holds || released_of(m, core)[s]) return false;
    if (row.until_released) return true;
    if (row.least != no_timer && m.now < due_at(m, core, row.least)) return true;
    return row.hold_program && guards_hold(m, core, s, target);
}

std::byte* buffer_at(const machine& m, const chart_core& core, std::uint32_t buffer) {
    return m.block + core.layout.payloads + buffer * core.layout.payload_stride;
}

void trace_held(const machine& m, const chart_core& core, held_kind what, index holder, std::uint32_t transition) {
    trace(m, core, {record_kind::held, static_cast<std::uint8_t>(what), holder, transition, 0});
}

void trace_lost(const machine& m, const chart_core& core, drop_reason why, const pending_slot& p) {
    if (p.kind == pending_slot::none) return;
    const auto event = p.kind == pending_slot::event ? core.transitions[p.transition].event : record::no_number;
    trace(m, core, {record_kind::dropped, static_cast<std::uint8_t>(why), record::no_state, event, 0});
}

/// Destroys the payload. The slot keeps its buffer.
void clear_pending(machine& m, const chart_core& core, std::size_t slot) {
    auto& p = pending_at(m, core, slot);
    if (p.constructed) core.events[core.transitions[p.transition].event].type->destroy_at(const_cast<void*>(payload_at(m, core, slot)));
    p = {pending_slot::none, false, false, no_index, no_index, 0, 0, p.buffer};
}

/// Fills the slot. Drops a pending entry, whose buffer becomes the spare one.
void fill(machine& m, const chart_core& core, index level, pending_slot p) {
    const auto slot = slot_of(core, level);
    const auto& before = pending_at(m, core, slot);
    if (!before.firing) trace_lost(m, core, drop_reason::replaced, before);
    // A transition for several events has several rows.
    const auto spec_of = [&](const pending_slot& of) { return core.transitions[of.transition].spec; };
    const bool is_same = before.kind == pending_slot::event && p.kind == pending_slot::event && spec_of(before) == spec_of(p);
    if (!is_same) end_leave_requests_at(m, core, slot);
    clear_pending(m, core, slot);
    p.buffer = std::exchange(holding_of(m, core).spare, pending_at(m, core, slot).buffer);
    pending_at(m, core, slot) = p;
    m.work |= work_pending;
}

} // namespace

holding_head& holding_of(const machine& m, const chart_core& core) { return *reinterpret_cast<holding_head*>(m.block + core.layout.holding); }

void prepare_holding(machine& m, const chart_core& core) {
    for (std::size_t i = 0; i < slot_count(core); ++i) pending_at(m, core, i).buffer = static_cast<std::uint32_t>(i);
    holding_of(m, core) = {static_cast<std::uint32_t>(slot_count(core)), no_index, false};
}

waiting_slot& waiting_at(const machine& m, const chart_core& core, std::size_t slot) {
    return reinterpret_cast<waiting_slot*>(m.block + core.layout.waiting)[slot];
}

pending_slot& pending_at(const machine& m, const chart_core& core, std::size_t slot) {
    return reinterpret_cast<pending_slot*>(m.block + core.layout.pending)[slot];
}

const void* payload_at(const machine& m, const chart_core& core, std::size_t slot) {
    const auto& p = pending_at(m, core, slot);
    if (!p.constructed) return &detail::any_named_event;
    return buffer_at(m, core, p.buffer);
}

index holder_of(machine& m, const chart_core& core, index level, index target) {
    if (!core.by_regions) {
        for (auto s = m.leaf; s != level; s = core.states[s].superstate)
            if (holds(m, core, s, target)) return s;
        return no_index;
    }
    const auto first = level == no_index ? index(0) : static_cast<index>(level + 1);
    for (int s = core.states[level == no_index ? 0 : level].last; s >= first; --s)
        if (const auto inner = static_cast<index>(s); core.states[inner].holds && is_active(m, core, inner) && holds(m, core, inner, target))
            return inner;
    return no_index;
}

void wait(machine& m, const chart_core& core, std::uint32_t transition, index holder) {
    const auto& t = core.transitions[transition];
    if (t.rechoice && t.timer != no_timer) due_at(m, core, t.timer) = m.now;
    auto& slot = waiting_at(m, core, slot_of(core, t.level));
    if (slot.transition) return;
    slot = {transition + 1, holder};
    trace_held(m, core, held_kind::polled, holder, transition);
    m.work |= work_waiting;
}

result would_pend(const machine& m, const chart_core& core, index level, int priority) {
    const auto& p = pending_at(m, core, slot_of(core, level));
    return p.kind != pending_slot::none && !p.firing && p.priority > priority ? result::refused : result::held;
}

namespace {
result trace_refused(const machine& m, const chart_core& core, index source, std::uint32_t transition) {
    trace(m, core, {record_kind::refused, 0, source, transition, 0});
    return result::refused;
}
} // namespace

result pend(machine& m, const chart_core& core, std::uint32_t transition, index holder) {
    const auto& t = core.transitions[transition];
    if (would_pend(m, core, t.level, t.priority) == result::refused) return trace_refused(m, core, t.source, transition);
    const auto& type = *core.events[t.event].type;
    const bool has_payload = core.stores_payload(t.event, m.payload);
    if (has_payload) store_payload(m, core, type, buffer_at(m, core, holding_of(m, core).spare));
    trace_held(m, core, held_kind::event, holder, transition);
    fill(m, core, t.level, {pending_slot::event, has_payload, false, t.source, t.target, transition, t.priority, 0});
    request_leave_for_pending(m, core, holder, slot_of(core, t.level));
    return result::held;
}

result pend_request(machine& m, const chart_core& core, index source, index target, index level, index holder) {
    if (would_pend(m, core, level, 0) == result::refused) return trace_refused(m, core, source, record::no_number);
    trace_held(m, core, held_kind::request, holder, record::no_number);
    fill(m, core, level, {pending_slot::request, false, false, source, target, 0, 0, 0});
    request_leave_for_pending(m, core, holder, slot_of(core, level));
    return result::held;
}

void drop_pending(machine& m, const chart_core& core, std::size_t slot) {
    end_leave_requests_at(m, core, slot);
    clear_pending(m, core, slot);
    for (std::size_t i = 0; i < slot_count(core); ++i)
        if (pending_at(m, core, i).kind != pending_slot::none) return;
    m.work = static_cast<std::uint8_t>(m.work & ~work_pending);
}

void begin_waiting(machine& m, const chart_core& core) {
    if (core.has_holds) holding_of(m, core).ticking = true;
}

void end_waiting(machine& m, const chart_core& core) {
    holding_of(m, core).updated = no_index;
    holding_of(m, core).ticking = false;
    if (m.work & work_over) forget_waiting(m, core), drop_due_requests(m, core); // no further transition fires
    if (!(m.work & work_waiting)) return;
    bool waits = false;
    for (std::size_t i = 0; i < slot_count(core); ++i) {
        auto& waiting = waiting_at(m, core, i);
        if (waiting.transition && waiting.holder == no_index) waiting = {}; // its holder was updated and exited, and then a hook threw
        waits |= waiting.transition != 0;
    }
    if (!waits) m.work = static_cast<std::uint8_t>(m.work & ~work_waiting);
}

void forget_waiting(machine& m, const chart_core& core) {
    if (!(m.work & work_waiting)) return;
    for (std::size_t i = 0; i < slot_count(core); ++i) waiting_at(m, core, i) = {};
    m.work = static_cast<std::uint8_t>(m.work & ~work_waiting);
}

void forget_pending(machine& m, const chart_core& core) {
    if (!(m.work & work_pending)) return;
    for (std::size_t i = 0; i < slot_count(core); ++i) {
        trace_lost(m, core, drop_reason::over, pending_at(m, core, i));
        drop_pending(m, core, i);
    }
}

void release_state(machine& m, const chart_core& core, index s) {
    if (!core.states[s].holds) return;
    released_of(m, core).set(s);
    trace(m, core, {record_kind::released, 0, s, record::no_number, 0});
}

void end_holding(machine& m, const chart_core& core, index s) {
    if (!core.has_holds) return;
    if (core.states[s].holds) released_of(m, core).clear(s);
    end_leave_requests_in(m, core, s);
    if (m.work & work_waiting)
        for (std::size_t i = 0; i < slot_count(core); ++i)
            if (auto& w = waiting_at(m, core, i); w.transition) {
                const bool updated = holding_of(m, core).updated == s;
                if (core.transitions[w.transition - 1].source == s || (w.holder == s && !updated))
                    w = {};
                else if (w.holder == s)
                    w.holder = no_index;
            }
    if (m.work & work_pending)
        for (std::size_t i = 0; i < slot_count(core); ++i)
            if (const auto& p = pending_at(m, core, i); p.kind != pending_slot::none && p.source == s && !p.firing) {
                trace_lost(m, core, drop_reason::left, p);
                drop_pending(m, core, i);
            }
}

} // namespace hsm::detail
