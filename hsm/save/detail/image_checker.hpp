/// Checks an image completely before it is used.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/save/detail/image_format.hpp>
#include <hsm/vm/detail/holding.hpp>

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace hsm::detail {

// The valid combinations of states, for checking images and documents.

inline index outermost_of(const chart_core& core, std::size_t region) { return region == 0 ? index(0) : core.regions[region]; }

/// Returns whether the state can be active at all. This includes choices, where an interrupted chain can end.
inline bool can_be_active(const chart_core& core, index s) { return s < core.states.size() && core.states[s].kind != state_kind::history; }

/// Returns whether the region of `outermost` can have its leaf in `s`.
inline bool may_rest_in(const chart_core& core, index s, index outermost) {
    return can_be_active(core, s) && core.contains(outermost, s) && core.states[s].region == core.states[outermost].region;
}

/// For one region inside `outermost`.
inline bool may_be_remembered(const chart_core& core, index leaf, index outermost) {
    return may_rest_in(core, leaf, outermost) && (core.states[leaf].kind != state_kind::final || core.options.remember_finals);
}

/// Returns whether the owner's history can contain the leaf. Regions of the leaf are checked separately.
inline bool may_be_recorded(const chart_core& core, index owner, index leaf) {
    const auto& row = core.states[owner];
    if (row.kind == state_kind::parallel) return leaf == owner;
    if (row.kind == state_kind::history)
        return leaf < core.states.size() && core.states[leaf].kind != state_kind::history && core.states[leaf].superstate == row.superstate &&
               core.counts_as_previous(leaf);
    return leaf != owner && may_be_remembered(core, leaf, owner);
}

/// Checks that exactly the possible ones of these regions are active. `leaf` returns the leaf of any region, including outer ones.
template <class LeafOf> bool regions_agree(const chart_core& core, std::size_t first, std::size_t count, const LeafOf& leaf) {
    for (std::size_t r = first; r < first + count; ++r) {
        const auto parallel = core.states[core.regions[r]].superstate;
        const bool is_there = leaf(core.states[parallel].region) == parallel;
        if ((leaf(r) != no_index) != is_there) return false;
    }
    return true;
}

/// The same check for the regions inside a history's owner.
template <class Regions> bool record_agrees(const chart_core& core, index owner, index recorded, const Regions& regions) {
    const auto& inner = core.states[owner].regions;
    return regions_agree(core, inner.first, inner.count, [&](std::size_t r) {
        const bool is_inside = r >= inner.first && r < std::size_t(inner.first) + inner.count;
        return is_inside ? regions[r - inner.first] : recorded;
    });
}

/// A list that allocates only for more than `Here` elements.
template <class T, std::size_t Here> class short_list {
public:
    void push_back(const T& value) {
        if (size_ == Here) more_.assign(here_, here_ + size_);
        if (size_ < Here)
            here_[size_] = value;
        else
            more_.push_back(value);
        ++size_;
    }
    void assign(std::size_t count, const T& value) {
        clear();
        for (std::size_t i = 0; i < count; ++i) push_back(value);
    }
    void clear() {
        size_ = 0;
        more_.clear();
    }

    std::size_t size() const { return size_; }
    bool empty() const { return size_ == 0; }
    T* begin() { return size_ > Here ? more_.data() : here_; }
    T* end() { return begin() + size_; }
    const T* begin() const { return size_ > Here ? more_.data() : here_; }
    const T* end() const { return begin() + size_; }
    T& operator[](std::size_t i) { return begin()[i]; }
    const T& operator[](std::size_t i) const { return begin()[i]; }

private:
    std::size_t size_ = 0;
    T here_[Here];
    std::vector<T> more_; ///< all elements, if there are more than `Here`
};

/// An object built from an image, to be moved into a machine.
class built_value {
public:
    /// Copies `prototype` for a local, otherwise uses the default constructor, if the type is known. Throws their exceptions.
    built_value(const value_layout& layout, const void* prototype);
    /// Then reads the value: see read_value.
    built_value(const value_layout& layout, const void* prototype, std::span<const std::byte> value) : built_value(layout, prototype) {
        read_value(layout, value, object());
    }
    built_value(built_value&& other) noexcept : codec_(other.codec_), memory_(std::move(other.memory_)) {}
    ~built_value();

    void* object() const { return memory_.get(); }
    void move_to(void* place) { codec_->move(place, memory_.get()); }

private:
    const value_codec* codec_; ///< null: the object consists of bytes
    std::unique_ptr<std::byte, free_aligned> memory_;
};

/// Checks whether the parts of an image are valid for a machine of the chart, and builds the objects in it separately.
class image_checker {
public:
    image_checker(const chart_core& core, const image_head& head);

    /// Empty as long as no problem was found.
    const std::string& problem() const { return problem_; }
    /// The objects in the order of the image.
    std::vector<built_value>& built() { return built_; }

    bool leaf(std::size_t region, index leaf);
    bool leaves_complete();
    index leaf_of(std::size_t region) const { return leaves_.empty() ? head_.leaf : leaves_[region]; }
    bool condition_word(std::size_t w, const hsm::detail::condition_word& word);
    void path_times(const std::byte*, std::size_t) {} // any time is valid
    void entered(index, std::int64_t) {}
    bool entered_by(index s, std::uint32_t by);
    bool marks(index s, std::uint8_t marks);
    bool timer(std::uint32_t timer, std::int64_t due, std::int64_t period);
    bool local(const value_layout& layout, std::uint32_t local, std::span<const std::byte> value);
    bool due_count(std::size_t count);
    bool due_state(std::size_t i, index s);
    bool record(std::size_t owner, index recorded);
    bool region_record(std::size_t owner, std::uint32_t region, index recorded);
    bool record_complete(std::size_t owner);
    static bool chance(const chance_head&) { return true; } // all values are valid
    static bool cooldown(std::size_t, std::int64_t) { return true; }
    bool waiting(const waiting_entry& w);
    bool pending(const pending_entry& p);
    bool pending_payload(const pending_entry&, const value_layout& layout, std::span<const std::byte> value) { return payload(layout, value); }
    bool leave_request_word(std::size_t w, std::uint64_t made);
    bool deferred(std::uint16_t event, const value_layout& layout, std::span<const std::byte> value);
    bool queued(std::size_t i, const queue_entry& q);
    bool queued_payload(std::size_t, const queue_entry&, const value_layout& layout, std::span<const std::byte> value) {
        return payload(layout, value);
    }

private:
    bool fail(std::string problem);
    bool is_active(index s) const;
    bool payload(const value_layout& layout, std::span<const std::byte> value);
    bool build(const value_layout& layout, const void* prototype, std::span<const std::byte> value);

    const chart_core& core_;
    const image_head& head_;
    short_list<index, 64> leaves_;  ///< empty if there is one region
    short_list<index, 64> due_;     ///< states that are marked as due
    short_list<index, 64> regions_; ///< of the record being read
    index recorded_ = 0;
    short_list<index, 64> pending_;             ///< slots
    int last_waiting_ = -1, last_pending_ = -1; ///< slots
    std::string problem_;
    std::vector<built_value> built_;
};

/// A complete image that is valid for a machine of the chart.
struct checked_image {
    image_head head;
    std::span<const std::byte> parts;
    std::vector<built_value> built; ///< objects of classes with fields, in the order of the image
};

/// Throws save_error (HSM-353 to HSM-355), and exceptions of constructors and `serialize`.
checked_image check_image(const chart_core& core, const image_layout& layout, std::span<const std::byte> from);

[[noreturn]] void refuse_image(const chart_core& core, code number, std::string problem, std::string hint);

} // namespace hsm::detail
