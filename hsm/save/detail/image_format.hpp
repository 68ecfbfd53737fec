/// The format of an instance's image, documented in docs/reference/image_format.md.
///
///     [ head | leaves of the regions | conditions | of active states: entry times, entering transitions, marks, timers, locals | due states |
///       records | chance | cooldowns | waiting transitions | pending items | requests to leave | deferred events |
///       queues: internal, posted, mailbox ]
///
/// Equal instances have equal images: an image contains no meaningless data. One function writes the parts and one reads them, from and into a
/// machine or a snapshot.
#pragma once

#include <hsm/save/detail/image_layout.hpp>
#include <hsm/vm/detail/block.hpp>
#include <hsm/vm/detail/choosing.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>
#include <vector>

namespace hsm::detail {

inline constexpr std::uint32_t image_magic = 0x696d'7368; ///< "hsmi" on a little-endian processor
inline constexpr std::uint16_t image_version = 1;

enum image_flag : std::uint16_t { image_has_checksum = 1 };

/// Equal in all images of a chart, except for the flags.
struct image_prefix {
    std::uint32_t magic = image_magic;
    std::uint16_t version = image_version;
    std::uint16_t flags = 0;
    fingerprint chart;
    fingerprint layout;

    friend bool operator==(const image_prefix&, const image_prefix&) = default;
};

/// The numbers of waiting items.
struct image_counts {
    std::uint16_t due = 0, waiting = 0, pending = 0, deferred = 0, internal = 0, posted = 0;
    std::uint32_t mailed = 0;

    bool are_zero() const { return (std::uint64_t(due) | waiting | pending | deferred | internal | posted | mailed) == 0; }
};

/// image_head.cpp contains all functions that use the values of a machine.
struct image_head : image_prefix, image_counts {
    std::uint64_t size = 0;     ///< in bytes, including the head
    std::uint64_t checksum = 0; ///< if the flag is set
    std::int64_t now = 0;       ///< nanoseconds
    double scale = 1.0;
    std::uint16_t leaf = 0xffff;
    std::uint8_t work = 0;  ///< work_bit, limited to lasting_work
    std::uint8_t state = 0; ///< state_bit, limited to lasting_state
    std::uint32_t reserved = 0;
};
static_assert(std::is_trivially_copyable_v<image_head>);
static_assert(sizeof(image_head) == 96);

image_head head_of(const machine& m, const chart_core& core); ///< without counts
const char* problem_of_values(const image_head& head);        ///< null if they are valid
bool needs_queues(const image_head& head);                    ///< whether a machine needs its queues, which are allocated on first use
/// Sets the values of a machine that already has the other parts of the image.
void set_values(machine& m, const chart_core& core, const image_head& head);
// In documents.
void describe_values(json_value& to, const image_head& head, json_value active);
std::vector<std::string_view> names_of_values();
void decode_values(image_head& head, const document_node& from);

/// Whether each byte belongs to a field. Other types must not be written, because padding contains arbitrary memory.
template <class T> inline constexpr bool has_no_padding = std::has_unique_object_representations_v<T>;
template <> inline constexpr bool has_no_padding<image_head> = true; // a double has no unique representation; the size shows that there is no padding

/// FNV-1a over everything except the checksum, eight bytes at a time, with a shift that moves high bits down.
std::uint64_t checksum_of_bytes(std::span<const std::byte> head, std::span<const std::byte> parts);
template <class Head> std::uint64_t checksum_of(Head head, std::span<const std::byte> parts) {
    head.checksum = 0;
    return checksum_of_bytes(std::as_bytes(std::span(&head, 1)), parts);
}

/// The bits of machine::work that have a meaning between calls and cannot be derived.
inline constexpr std::uint8_t lasting_work = work_completion | work_over;
inline constexpr std::uint8_t lasting_state = state_paused | state_ready | state_scaled;
inline constexpr std::uint8_t plain_state = state_paused | state_ready; ///< with these, the rest of the head has default values

/// Marks of an active state.
enum state_mark : std::uint8_t { mark_over_bit = 1, mark_due_bit = 2, mark_released_bit = 4 };
/// The root's mark is in machine::work.
inline bool has_mark_byte(const chart_core& core, index s) { return (core.states[s].marked && s != 0) || core.states[s].holds; }

struct condition_word {
    std::uint64_t bits, pulsed;
};

struct waiting_entry {
    std::uint16_t slot;
    std::uint16_t holder;
    std::uint32_t transition; ///< its number + 1
};

struct pending_entry {
    std::uint16_t slot;
    std::uint16_t source, target; ///< of a request; for events, the transition determines them
    std::uint16_t is_request;
    std::uint32_t transition; ///< of an event
};

struct queue_entry {
    std::uint32_t column; ///< of the event; 0 for a request
    std::uint16_t target; ///< of a request; otherwise no_index
    std::uint8_t has_payload, force;
};

/// Writes into memory of a given size. Bytes beyond it are only counted.
class image_writer {
public:
    explicit image_writer(std::span<std::byte> to) : begin_(to.data()), at_(to.data()), left_(to.size()) {}

    template <class T> void put(const T& value) {
        static_assert(has_no_padding<T>);
        put_bytes(&value, sizeof value);
    }
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
    void put_value(const value_layout& layout, const void* object) {
        if (layout.form == value_layout::bytes) [[likely]]
            put_bytes(object, layout.size);
        else if (layout.form == value_layout::fields)
            put_fields(layout, object);
        else if (layout.form == value_layout::object)
            put_bytes(&object, sizeof object);
    }

    /// Writes a value that is already in image format, without its length.
    void put_stored(const value_layout& layout, std::span<const std::byte> value) {
        if (layout.form == value_layout::fields) put(static_cast<std::uint64_t>(value.size()));
        put_bytes(value.data(), value.size());
    }

    /// Reserves bytes for later. Returns their address, or null if there is no room.
    std::byte* skip(std::size_t size) {
        size_ += size;
        if (size > left_) [[unlikely]] {
            left_ = 0;
            return nullptr;
        }
        left_ -= size;
        return std::exchange(at_, at_ + size);
    }
    std::span<std::byte> rest() const { return {at_, left_}; }

    std::size_t size() const { return size_; } ///< including bytes that had no room
    std::byte* begin() const { return begin_; }

private:
    void put_fields(const value_layout& layout, const void* object);

    std::byte* begin_;
    std::byte* at_;
    std::size_t left_;
    std::size_t size_ = 0;
};

class image_reader {
public:
    explicit image_reader(std::span<const std::byte> from) : at_(from.data()), end_(from.data() + from.size()) {}

    /// Returns zeros after the end; ends_early() is then true.
    template <class T> T take() {
        T value{};
        if (const auto* const bytes = take_bytes(sizeof value)) std::memcpy(&value, bytes, sizeof value);
        return value;
    }
    const std::byte* take_bytes(std::size_t size) { ///< null if the data ends before
        if (static_cast<std::size_t>(end_ - at_) < size) [[unlikely]] {
            ends_early_ = true;
            at_ = end_;
            return nullptr;
        }
        return std::exchange(at_, at_ + size);
    }
    /// Returns an empty span for types without data.
    std::span<const std::byte> take_value(const value_layout& layout) {
        const auto size = layout.form == value_layout::bytes    ? layout.size
                          : layout.form == value_layout::fields ? take<std::uint64_t>()
                          : layout.form == value_layout::object ? sizeof(void*)
                                                                : 0;
        const auto* const bytes = take_bytes(size);
        return {bytes, bytes ? static_cast<std::size_t>(size) : 0};
    }

    bool ends_early() const { return ends_early_; }
    const std::byte* here() const { return at_; }
    std::size_t left() const { return static_cast<std::size_t>(end_ - at_); }

private:
    const std::byte* at_;
    const std::byte* end_;
    bool ends_early_ = false;
};

/// The address in a value of the form `object`; null if the value is empty.
inline void* object_in(std::span<const std::byte> value) {
    void* object = nullptr;
    if (!value.empty()) std::memcpy(&object, value.data(), sizeof object);
    return object;
}
/// Appends a value in image format.
void append_value(std::vector<std::byte>& to, const value_layout& layout, const void* object);
/// Reads a value into an existing object. Fields that `serialize` does not name stay unchanged. Throws broken_bytes, and exceptions of `serialize`.
void read_value(const value_layout& layout, std::span<const std::byte> value, void* object);

/// Reads the head of an image. The magic is 0 if there are too few bytes.
template <class Head> Head head_of_image(std::span<const std::byte> from) {
    Head head;
    head.magic = 0;
    if (from.size() >= sizeof head) std::memcpy(&head, from.data(), sizeof head);
    return head;
}
enum class image_damage { none, cut_off, unknown_flags, wrong_checksum };
const char* text_of(image_damage damage); ///< "it is cut off"; null for none
/// Checks the size, flags and checksum of an image.
template <class Head> image_damage damage_of(const Head& head, std::span<const std::byte> from) {
    if (head.size < sizeof head || head.size > from.size()) return image_damage::cut_off;
    if (head.flags & ~image_has_checksum) return image_damage::unknown_flags;
    const auto parts = from.subspan(sizeof head, head.size - sizeof head);
    const auto checksum = head.flags & image_has_checksum ? checksum_of(head, parts) : 0;
    return head.checksum == checksum ? image_damage::none : image_damage::wrong_checksum;
}
/// Writes the head of an image whose parts are written. Returns the size of the image; writes nothing if `to` is too small.
template <class Head> std::size_t finish_image(const image_writer& out, std::span<std::byte> to, Head head, bool checksum) {
    head.size = out.size();
    if (out.size() > to.size()) return out.size();
    if (checksum) {
        head.flags = image_has_checksum;
        head.checksum = checksum_of(head, to.subspan(sizeof head, out.size() - sizeof head));
    }
    std::memcpy(to.data(), &head, sizeof head);
    return out.size();
}

/// Returns an image without a checksum. write(out) writes the parts; it is called twice, first to find the size. Skipped bytes are 0.
template <class Head, class Write> std::vector<std::byte> composed_image(Head head, const Write& write) {
    std::vector<std::byte> image;
    for (int pass = 0; pass < 2; ++pass) {
        image_writer out(image);
        out.put(head);
        write(out);
        head.size = out.size();
        if (pass == 0) image.resize(out.size());
    }
    return image;
}

/// Visits the active states of each region from its leaf outwards, until `visit` returns false. `visit` can also return nothing.
template <class LeafOf, class Visit> bool each_active_state(const chart_core& core, const LeafOf& leaf_of, const Visit& visit) {
    const std::size_t regions = core.by_regions ? core.regions.size() : 1;
    for (std::size_t r = 0; r < regions; ++r) {
        const index outermost = r == 0 ? index(0) : core.regions[r];
        for (index s = leaf_of(r); s != no_index; s = s == outermost ? no_index : core.states[s].superstate)
            if constexpr (std::is_void_v<decltype(visit(s))>)
                visit(s);
            else if (!visit(s))
                return false;
    }
    return true;
}

inline const value_layout& layout_of_column(const chart_core& core, const image_layout& layout, std::uint32_t column) {
    return layout.events[core.column_events[column]];
}

/// Returns the state's index in the entry times.
inline std::size_t entry_slot(const chart_core& core, index s) { return core.by_regions ? core.states[s].time_slot : core.states[s].depth; }

/// Returns the number of active states from the root to `leaf` in a chart with one region.
inline std::size_t path_length(const chart_core& core, index leaf) { return leaf == no_index ? 0 : core.states[leaf].depth + 1u; }

/// Writes everything but the head. `from` is a machine_source or a snapshot.
template <class Source>
void write_sections(image_writer& out, const chart_core& core, const image_layout& layout, const image_head& head, Source& from) {
    const auto each_active = [&](const auto& visit) {
        each_active_state(
            core, [&](std::size_t r) { return from.leaf(r); }, visit);
    };
    if (core.by_regions)
        for (std::size_t r = 0; r < core.regions.size(); ++r) out.put(from.leaf(r));
    for (std::size_t w = 0; w < layout.condition_words; ++w) out.put(from.condition_word(w));
    if (layout.has_times && !core.by_regions) from.put_path_times(out, path_length(core, head.leaf));
    if (layout.has_times && core.by_regions) each_active([&](index s) { out.put(from.entered(s)); });
    if (core.has_over) each_active([&](index s) { out.put(from.entered_by(s)); });
    if (layout.has_state_marks)
        each_active([&](index s) {
            if (has_mark_byte(core, s)) out.put(from.marks(s));
        });
    if (!core.timers.empty())
        each_active([&](index s) {
            const auto& span = core.states[s].timers;
            for (auto t = span.first; t < span.first + span.count; ++t) {
                out.put(from.due(t));
                if (core.timers[t].periodic) out.put(from.period(t));
            }
        });
    if (!core.locals.empty())
        each_active([&](index s) {
            const auto& span = core.states[s].locals;
            for (auto l = span.first; l < span.first + span.count; ++l) from.put_local(out, layout.locals[l], l);
        });
    for (std::size_t i = 0; i < head.due; ++i) out.put(from.due_state(i));
    for (std::size_t i = 0; i < core.history_owners.size(); ++i) {
        const index recorded = from.record(i);
        out.put(recorded);
        if (recorded == 0 || !core.by_regions) continue;
        const auto regions = core.states[core.history_owners[i]].regions.count;
        for (std::uint32_t r = 0; r < regions; ++r) out.put(from.region_record(i, r));
    }
    if (core.has_chance) out.put(from.chance());
    for (std::size_t i = 0; i < core.cooldowns.size(); ++i) out.put(from.cooldown(i));
    if (head.waiting > 0) from.each_waiting([&](const waiting_entry& w) { out.put(w); });
    if (head.pending > 0)
        from.each_pending([&](const pending_entry& p, const void* payload) {
            out.put(p);
            if (!p.is_request) from.put_payload(out, layout.events[core.transitions[p.transition].event], payload);
        });
    for (std::size_t w = 0; w < words_for(core.leave_requests.size()); ++w) out.put(from.leave_request_word(w));
    if (head.deferred > 0)
        from.each_deferred([&](std::uint16_t event, const void* payload) {
            out.put(event);
            from.put_payload(out, layout.events[event], payload);
        });
    if (head.internal + head.posted + head.mailed > 0)
        from.each_queued([&](const queue_entry& q, const void* payload) {
            out.put(q);
            if (q.has_payload) from.put_payload(out, layout_of_column(core, layout, q.column), payload);
        });
}

/// Reads all parts. `to` returns false for invalid ones. Returns false in this case, or if the data ends early; everything before was then checked.
template <class Sink> bool read_sections(image_reader& in, const chart_core& core, const image_layout& layout, const image_head& head, Sink& to) {
    const auto each_active = [&](const auto& visit) {
        return each_active_state(
            core, [&](std::size_t r) { return to.leaf_of(r); }, visit);
    };
    if (core.by_regions)
        for (std::size_t r = 0; r < core.regions.size(); ++r)
            if (!to.leaf(r, in.take<index>())) return false;
    if (!to.leaves_complete()) return false;
    for (std::size_t w = 0; w < layout.condition_words; ++w)
        if (!to.condition_word(w, in.take<condition_word>())) return false;
    if (layout.has_times && !core.by_regions) {
        const auto length = path_length(core, head.leaf);
        const auto* const times = in.take_bytes(length * sizeof(std::int64_t));
        if (!times) return false;
        to.path_times(times, length);
    }
    if (layout.has_times && core.by_regions) each_active([&](index s) { to.entered(s, in.take<std::int64_t>()); });
    if (core.has_over && !each_active([&](index s) { return to.entered_by(s, in.take<std::uint32_t>()); })) return false;
    if (layout.has_state_marks && !each_active([&](index s) { return !has_mark_byte(core, s) || to.marks(s, in.take<std::uint8_t>()); }))
        return false;
    const auto read_timers = [&](index s) {
        const auto& span = core.states[s].timers;
        for (auto t = span.first; t < span.first + span.count; ++t) {
            const auto due = in.take<std::int64_t>();
            if (!to.timer(t, due, core.timers[t].periodic ? in.take<std::int64_t>() : 1)) return false;
        }
        return true;
    };
    if (!core.timers.empty() && !each_active(read_timers)) return false;
    const auto read_locals = [&](index s) {
        const auto& span = core.states[s].locals;
        for (auto l = span.first; l < span.first + span.count; ++l) {
            const auto value = in.take_value(layout.locals[l]);
            if (in.ends_early() || !to.local(layout.locals[l], l, value)) return false;
        }
        return true;
    };
    if (!core.locals.empty() && !each_active(read_locals)) return false;
    if (!to.due_count(head.due)) return false;
    for (std::size_t i = 0; i < head.due; ++i)
        if (!to.due_state(i, in.take<index>())) return false;
    for (std::size_t i = 0; i < core.history_owners.size(); ++i) {
        const auto recorded = in.take<index>();
        if (!to.record(i, recorded)) return false;
        if (recorded == 0 || !core.by_regions) continue;
        const auto regions = core.states[core.history_owners[i]].regions.count;
        for (std::uint32_t r = 0; r < regions; ++r)
            if (!to.region_record(i, r, in.take<index>())) return false;
        if (!to.record_complete(i)) return false;
    }
    if (core.has_chance && !to.chance(in.take<chance_head>())) return false;
    for (std::size_t i = 0; i < core.cooldowns.size(); ++i)
        if (!to.cooldown(i, in.take<std::int64_t>())) return false;
    for (std::size_t i = 0; i < head.waiting; ++i)
        if (!to.waiting(in.take<waiting_entry>()) || in.ends_early()) return false;
    for (std::size_t i = 0; i < head.pending; ++i) {
        const auto p = in.take<pending_entry>();
        if (in.ends_early() || !to.pending(p)) return false;
        if (p.is_request) continue;
        const auto& event = layout.events[core.transitions[p.transition].event];
        const auto value = in.take_value(event);
        if (in.ends_early() || !to.pending_payload(p, event, value)) return false;
    }
    for (std::size_t w = 0; w < words_for(core.leave_requests.size()); ++w)
        if (!to.leave_request_word(w, in.take<std::uint64_t>())) return false;
    for (std::size_t i = 0; i < head.deferred; ++i) {
        const auto event = in.take<std::uint16_t>();
        if (in.ends_early() || event >= layout.events.size()) return false;
        const auto value = in.take_value(layout.events[event]);
        if (in.ends_early() || !to.deferred(event, layout.events[event], value)) return false;
    }
    const std::size_t queued = std::size_t(head.internal) + head.posted + head.mailed;
    for (std::size_t i = 0; i < queued; ++i) {
        const auto q = in.take<queue_entry>();
        if (in.ends_early() || !to.queued(i, q)) return false;
        if (!q.has_payload) continue;
        const auto& event = layout_of_column(core, layout, q.column);
        const auto value = in.take_value(event);
        if (in.ends_early() || !to.queued_payload(i, q, event, value)) return false;
    }
    return !in.ends_early();
}

} // namespace hsm::detail
