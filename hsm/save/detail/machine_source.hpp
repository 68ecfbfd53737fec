/// The parts of an image, read from a machine that is not in a call. Requires that entry times were stored.
#pragma once

#include <hsm/run/detail/memory.hpp>
#include <hsm/run/detail/ticker.hpp>
#include <hsm/save/detail/image_format.hpp>
#include <hsm/vm/detail/active.hpp>
#include <hsm/vm/detail/completion.hpp>
#include <hsm/vm/detail/condition_bits.hpp>
#include <hsm/vm/detail/deferral.hpp>
#include <hsm/vm/detail/history.hpp>
#include <hsm/vm/detail/holding.hpp>
#include <hsm/vm/detail/timers.hpp>

namespace hsm::detail {

/// Returns the state's index in the entry times.
inline std::size_t entry_slot(const chart_core& core, index s) { return core.by_regions ? core.states[s].time_slot : core.states[s].depth; }

class machine_source {
public:
    machine_source(const machine& m, const chart_core& core) : m_(m), core_(core) {}

    image_head head() const {
        image_head h;
        h.now = m_.now;
        h.leaf = m_.leaf;
        h.work = m_.work & lasting_work;
        h.state = m_.state & lasting_state;
        if (core_.by_regions && core_.has_marks) h.due = static_cast<std::uint16_t>(due_list_of(m_, core_).count);
        if (m_.work & work_waiting) each_waiting([&](const waiting_entry&) { ++h.waiting; });
        if (m_.work & work_pending) each_pending([&](const pending_entry&, const void*) { ++h.pending; });
        if (core_.has_defers) h.deferred = deferral_of(m_, core_).count;
        if (auto* const queues = queues_of(m_, core_)) {
            if (m_.state & state_scaled) h.scale = queues->time_scale;
            h.internal = static_cast<std::uint16_t>(queues->internal.size());
            h.posted = static_cast<std::uint16_t>(queues->posted.size());
            if (queues->mail) queues->mail->each_with_payload([&](const queued_entry&, const void*) { ++h.mailed; });
        }
        return h;
    }

    index leaf(std::size_t region) const { return region_leaf_of(m_, core_, region); }
    /// Clears bit 0, which duplicates the leaf.
    hsm::detail::condition_word condition_word(std::size_t w) const {
        const condition_bits bits(m_, core_);
        return {w == 0 ? bits.word(0) & ~std::uint64_t(1) : bits.word(w), bits.pulsed(w)};
    }
    void put_path_times(image_writer& out, std::size_t length) const { out.put_bytes(entry_times(m_, core_), length * sizeof(std::int64_t)); }
    std::int64_t entered(index s) const { return entry_times(m_, core_)[entry_slot(core_, s)]; }
    std::uint32_t entered_by(index s) const { return entered_by_of(m_, core_).slots()[core_.states[s].time_slot]; }
    std::uint8_t marks(index s) const {
        const auto& row = core_.states[s];
        int marks = 0;
        if (row.marked && s != 0) marks |= (marks_of(m_, core_)[s] ? mark_over_bit : 0) | (due_of(m_, core_)[s] ? mark_due_bit : 0);
        if (row.holds && released_of(m_, core_)[s]) marks |= mark_released_bit;
        return static_cast<std::uint8_t>(marks);
    }
    std::int64_t due(std::uint32_t timer) const { return due_at(m_, core_, timer); }
    std::int64_t period(std::uint32_t timer) const { return period_of(m_, core_, timer); }
    void put_local(image_writer& out, const value_layout& layout, std::uint32_t local) const {
        out.put_value(layout, m_.block + core_.layout.locals + core_.locals[local].offset);
    }
    index due_state(std::size_t i) const { return due_list_of(m_, core_).states[i]; }
    index record(std::size_t owner) const { return record_of(m_, core_, owner); }
    index region_record(std::size_t owner, std::uint32_t region) const { return region_records_of(m_, core_, owner)[region]; }

    template <class Visit> void each_waiting(const Visit& visit) const {
        if (!(m_.work & work_waiting)) return;
        for (std::size_t i = 0; i < slot_count(core_); ++i)
            if (const auto& w = waiting_at(m_, core_, i); w.transition) visit({static_cast<std::uint16_t>(i), w.holder, w.transition});
    }
    template <class Visit> void each_pending(const Visit& visit) const {
        if (!(m_.work & work_pending)) return;
        for (std::size_t i = 0; i < slot_count(core_); ++i) {
            const auto& p = pending_at(m_, core_, i);
            if (p.kind == pending_slot::request) visit({static_cast<std::uint16_t>(i), p.source, p.target, 1, 0}, &any_named_event);
            if (p.kind == pending_slot::event) visit({static_cast<std::uint16_t>(i), 0, 0, 0, p.transition}, payload_at(m_, core_, i));
        }
    }
    template <class Visit> void each_deferred(const Visit& visit) const {
        const std::size_t count = core_.has_defers ? deferral_of(m_, core_).count : 0;
        for (std::size_t i = 0; i < count; ++i) visit(deferred_event(m_, core_, i), deferred_payload(m_, core_, i));
    }
    template <class Visit> void each_queued(const Visit& visit) const {
        const auto one = [&](const queued_entry& e, const void* payload) {
            visit({e.column, e.is_request() ? e.target : no_index, e.has_payload, e.is_request() && e.force}, payload);
        };
        auto* const queues = queues_of(m_, core_);
        if (!queues) return;
        queues->internal.each_with_payload(one);
        queues->posted.each_with_payload(one);
        if (queues->mail) queues->mail->each_with_payload(one);
    }
    void put_payload(image_writer& out, const value_layout& layout, const void* payload) const { out.put_value(layout, payload); }

private:
    const machine& m_;
    const chart_core& core_;
};

} // namespace hsm::detail
