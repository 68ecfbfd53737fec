/// An image: what an instance is, as bytes. docs/image_format.md describes it.
///
///     [ head | leaves of the regions | conditions | for each active state: times, marks, timers, locals | what is due | records |
///       what waits | what is pending | what is deferred | queues: internal, posted, mailbox ]
///
/// Equal instances have equal images: nothing is in it that means nothing. One function writes the parts and one reads them, from whatever holds
/// them and into it: a machine, or a snapshot.
#pragma once

#include <hsm/save/detail/image_shape.hpp>
#include <hsm/vm/detail/block.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <vector>

namespace hsm::detail {

inline constexpr std::uint32_t image_magic = 0x696d'7368; ///< "hsmi", as a little-endian processor writes it
inline constexpr std::uint16_t image_version = 1;

enum image_flag : std::uint16_t { image_has_checksum = 1 };

struct image_head {
    std::uint32_t magic;
    std::uint16_t version;
    std::uint16_t flags;
    std::uint64_t size;     ///< bytes, with this head
    std::uint64_t checksum; ///< if a flag says so; otherwise 0
    fingerprint chart;
    fingerprint layout;
    std::int64_t now; ///< nanoseconds
    double scale;
    std::uint16_t leaf;
    std::uint8_t work;  ///< work_bit, as far as lasting_work goes
    std::uint8_t state; ///< state_bit, as far as lasting_state goes
    std::uint16_t due, waiting, pending, deferred, internal, posted;
    std::uint32_t mailed;
    std::uint32_t reserved;
};
static_assert(sizeof(image_head) == 96);

/// Of everything but the checksum itself: FNV-1a, eight bytes at a time, with a shift that brings high bits down.
std::uint64_t checksum_of(image_head head, std::span<const std::byte> parts);

/// The bits of machine::work that say something between calls and do not follow from the rest.
inline constexpr std::uint8_t lasting_work = work_completion | work_over;
inline constexpr std::uint8_t lasting_state = state_paused | state_ready | state_scaled;

/// What is marked of an active state.
enum state_mark : std::uint8_t { mark_over_bit = 1, mark_due_bit = 2, mark_released_bit = 4 };
inline bool has_mark_byte(const state_row& s) { return s.marked || s.holds; }

struct condition_word {
    std::uint64_t bits, pulsed, ending;
};

struct waiting_part {
    std::uint16_t slot;
    std::uint16_t holder;
    std::uint32_t transition; ///< its number + 1
};

struct pending_part {
    std::uint16_t slot;
    std::uint16_t source, target; ///< of a request; those of events are their transition's
    std::uint16_t is_request;
    std::uint32_t transition; ///< of an event
};

struct queue_part {
    std::uint32_t column; ///< of the event; 0: a request
    std::uint16_t target; ///< of a request; no_index otherwise
    std::uint8_t has_payload, force;
};

/// Into memory of a given size. What has no room is only counted.
class image_writer {
public:
    explicit image_writer(std::span<std::byte> to) : begin_(to.data()), at_(to.data()), left_(to.size()) {}

    template <class T> void put(const T& value) { put_bytes(&value, sizeof value); }
    void put_bytes(const void* bytes, std::size_t size) {
        size_ += size;
        if (size > left_) [[unlikely]] {
            left_ = 0;
            return;
        }
        if (size > 0) std::memcpy(at_, bytes, size);
        at_ += size;
        left_ -= size;
    }
    void put_value(const value_shape& shape, const void* object) {
        if (shape.form == value_shape::bytes) [[likely]]
            put_bytes(object, shape.size);
        else if (shape.form == value_shape::fields)
            put_fields(shape, object);
    }

    std::size_t size() const { return size_; } ///< also of what had no room
    std::byte* begin() const { return begin_; }

private:
    void put_fields(const value_shape& shape, const void* object);

    std::byte* begin_;
    std::byte* at_;
    std::size_t left_;
    std::size_t size_ = 0;
};

class image_reader {
public:
    explicit image_reader(std::span<const std::byte> from) : at_(from.data()), end_(from.data() + from.size()) {}

    /// Zeros behind the end; then ends_early() says so.
    template <class T> T take() {
        T value{};
        if (const auto* const bytes = take_bytes(sizeof value)) std::memcpy(&value, bytes, sizeof value);
        return value;
    }
    const std::byte* take_bytes(std::size_t size) {
        if (static_cast<std::size_t>(end_ - at_) < size) [[unlikely]] {
            ends_early_ = true;
            at_ = end_;
            return nullptr;
        }
        return std::exchange(at_, at_ + size);
    }
    /// Empty if it has no data.
    std::span<const std::byte> take_value(const value_shape& shape) {
        const auto size = shape.form == value_shape::bytes ? shape.size : shape.form == value_shape::fields ? take<std::uint64_t>() : 0;
        const auto* const bytes = take_bytes(size);
        return {bytes, bytes ? static_cast<std::size_t>(size) : 0};
    }

    bool ends_early() const { return ends_early_; }
    std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }

private:
    const std::byte* at_;
    const std::byte* end_;
    bool ends_early_ = false;
};

/// The active states of each region, from its leaf outwards; visit says false: that was enough.
template <class LeafOf, class Visit> bool each_active_state(const chart_core& core, const LeafOf& leaf_of, const Visit& visit) {
    const std::size_t regions = core.driven ? core.regions.size() : 1;
    for (std::size_t r = 0; r < regions; ++r) {
        const index outermost = r == 0 ? index(0) : core.regions[r];
        for (index s = leaf_of(r); s != no_index; s = s == outermost ? no_index : core.states[s].superstate)
            if (!visit(s)) return false;
    }
    return true;
}

inline const value_shape& shape_of_column(const chart_core& core, const image_shape& shape, std::uint32_t column) {
    return shape.events[core.column_events[column]];
}

/// From: see machine_parts.hpp. Everything but the head.
template <class Source> void write_parts(image_writer& out, const chart_core& core, const image_shape& shape, const image_head& head, Source& from) {
    if (core.driven)
        for (std::size_t r = 0; r < core.regions.size(); ++r) out.put(from.leaf(r));
    if (!core.conditions.empty())
        for (std::size_t w = 0; w < words_for(core.conditions.size()); ++w) out.put(from.condition_word(w));
    each_active_state(core, [&](std::size_t r) { return from.leaf(r); }, [&](index s) {
        const auto& row = core.states[s];
        if (core.options.entry_times) out.put(from.entered(s));
        if (core.has_over) out.put(from.entered_by(s));
        if (has_mark_byte(row)) out.put(from.marks(s));
        for (auto t = row.timers.first; t < row.timers.first + row.timers.count; ++t) {
            out.put(from.due(t));
            if (core.timers[t].periodic) out.put(from.period(t));
        }
        for (auto l = row.locals.first; l < row.locals.first + row.locals.count; ++l) from.put_local(out, shape.locals[l], l);
        return true;
    });
    for (std::size_t i = 0; i < head.due; ++i) out.put(from.due_state(i));
    for (std::size_t i = 0; i < core.history_owners.size(); ++i) {
        const index recorded = from.record(i);
        out.put(recorded);
        if (recorded == 0 || !core.driven) continue;
        const auto regions = core.states[core.history_owners[i]].regions.count;
        for (std::uint32_t r = 0; r < regions; ++r) out.put(from.region_record(i, r));
    }
    from.each_waiting([&](const waiting_part& w) { out.put(w); });
    from.each_pending([&](const pending_part& p, const void* payload) {
        out.put(p);
        if (!p.is_request) from.put_payload(out, shape.events[core.transitions[p.transition].event], payload);
    });
    from.each_deferred([&](std::uint16_t event, const void* payload) {
        out.put(event);
        from.put_payload(out, shape.events[event], payload);
    });
    from.each_queued([&](const queue_part& q, const void* payload) {
        out.put(q);
        if (q.has_payload) from.put_payload(out, shape_of_column(core, shape, q.column), payload);
    });
}

/// To: says false for what cannot be. False, too, if it ends early; then everything has been checked but what came behind.
template <class Sink> bool read_parts(image_reader& in, const chart_core& core, const image_shape& shape, const image_head& head, Sink& to) {
    if (core.driven)
        for (std::size_t r = 0; r < core.regions.size(); ++r)
            if (!to.leaf(r, in.take<index>())) return false;
    if (!to.leaves_complete()) return false;
    if (!core.conditions.empty())
        for (std::size_t w = 0; w < words_for(core.conditions.size()); ++w)
            if (!to.condition_word(w, in.take<condition_word>())) return false;
    const bool states_fit = each_active_state(core, [&](std::size_t r) { return to.leaf_of(r); }, [&](index s) {
        const auto& row = core.states[s];
        if (core.options.entry_times && !to.entered(s, in.take<std::int64_t>())) return false;
        if (core.has_over && !to.entered_by(s, in.take<std::uint32_t>())) return false;
        if (has_mark_byte(row) && !to.marks(s, in.take<std::uint8_t>())) return false;
        for (auto t = row.timers.first; t < row.timers.first + row.timers.count; ++t) {
            const auto due = in.take<std::int64_t>();
            if (!to.timer(t, due, core.timers[t].periodic ? in.take<std::int64_t>() : 1)) return false;
        }
        for (auto l = row.locals.first; l < row.locals.first + row.locals.count; ++l) {
            const auto value = in.take_value(shape.locals[l]);
            if (in.ends_early() || !to.local(shape.locals[l], l, value)) return false;
        }
        return true;
    });
    if (!states_fit) return false;
    for (std::size_t i = 0; i < head.due; ++i)
        if (!to.due_state(i, in.take<index>())) return false;
    for (std::size_t i = 0; i < core.history_owners.size(); ++i) {
        const auto recorded = in.take<index>();
        if (!to.record(i, recorded)) return false;
        if (recorded == 0 || !core.driven) continue;
        const auto regions = core.states[core.history_owners[i]].regions.count;
        for (std::uint32_t r = 0; r < regions; ++r)
            if (!to.region_record(i, r, in.take<index>())) return false;
        if (!to.record_complete(i)) return false;
    }
    for (std::size_t i = 0; i < head.waiting; ++i)
        if (!to.waiting(in.take<waiting_part>()) || in.ends_early()) return false;
    for (std::size_t i = 0; i < head.pending; ++i) {
        const auto p = in.take<pending_part>();
        if (in.ends_early() || !to.pending(p)) return false;
        if (p.is_request) continue;
        const auto& event = shape.events[core.transitions[p.transition].event];
        const auto value = in.take_value(event);
        if (in.ends_early() || !to.pending_payload(p, event, value)) return false;
    }
    for (std::size_t i = 0; i < head.deferred; ++i) {
        const auto event = in.take<std::uint16_t>();
        if (in.ends_early() || event >= shape.events.size()) return false;
        const auto value = in.take_value(shape.events[event]);
        if (in.ends_early() || !to.deferred(event, shape.events[event], value)) return false;
    }
    const std::size_t queued = std::size_t(head.internal) + head.posted + head.mailed;
    for (std::size_t i = 0; i < queued; ++i) {
        const auto q = in.take<queue_part>();
        if (in.ends_early() || !to.queued(i, q)) return false;
        if (!q.has_payload) continue;
        const auto& event = shape_of_column(core, shape, q.column);
        const auto value = in.take_value(event);
        if (in.ends_early() || !to.queued_payload(i, q, event, value)) return false;
    }
    return !in.ends_early();
}

} // namespace hsm::detail
