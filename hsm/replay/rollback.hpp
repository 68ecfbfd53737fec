/// Stores the last frames of machines, crowds and their contexts, for games that predict the inputs of other players and go back when a prediction
/// was wrong:
///
///     hsm::rollback<hero> frames(9);                  // eight frames to go back, and the current one
///     frames.add(mine, my_hero);
///     frames.add(theirs, their_hero);
///     ...
///     frames.keep();                                  // at the end of each frame
///     ...
///     frames.back_to(late.frame);                     // an input arrived late
///     for (auto f = late.frame; f != now; ++f) { play(f); frames.keep(); }
///
/// A frame contains an image (save/image.hpp) of each machine or crowd, and a copy of each context, made by assignment or by your functions
/// (context_copier). The image of a crowd includes the contexts that the crowd keeps. After `add`, no memory is allocated if locals and events are
/// trivially copyable, contexts do not allocate, and crowds do not grow.
///
/// Machines and contexts must outlive the rollback. Use a rollback only in the thread of its machines and contexts. This header is not part of
/// <hsm/hsm.hpp>.
#pragma once

#include <hsm/run/instance.hpp>
#include <hsm/save/crowd_image.hpp>
#include <hsm/save/detail/savable.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace hsm {

namespace detail {

/// The images of a ring of frames. This part of a rollback does not depend on the context's type.
class frame_ring {
public:
    explicit frame_ring(std::size_t frames); ///< throws usage_error (HSM-207) for 0 frames

    void add(owned<savable> machine); ///< throws save_error (HSM-351); usage_error (HSM-207) if frames exist
    bool busy() const;                ///< whether a hook of a machine runs
    /// Returns the place of the next frame in the ring.
    std::size_t next_slot() const { return static_cast<std::size_t>(next_ % frames_); }
    std::size_t slot_of(std::uint64_t frame) const { return static_cast<std::size_t>(frame % frames_); }
    void make_room(); ///< removes the frame whose place the next frame uses
    void keep(); ///< requires make_room() before
    bool has(std::uint64_t frame) const { return frame < next_ && frame >= oldest(); }
    void back_to(std::uint64_t frame); ///< requires has(frame)
    std::uint64_t next() const { return next_; }
    std::uint64_t oldest() const { return next_ - stored_; }
    std::size_t capacity() const { return frames_; }
    std::size_t machines() const { return machines_.size(); }
    const savable& machine(std::size_t i) const { return *machines_[i].what; }
    std::span<const std::byte> image(std::size_t machine, std::size_t slot) const;
    std::size_t bytes() const;

private:
    struct images_of {
        owned<savable> what;
        std::vector<std::vector<std::byte>> images; ///< by place
        std::vector<std::size_t> sizes;
    };

    std::size_t frames_;
    std::uint64_t next_ = 0;
    std::uint64_t stored_ = 0;
    std::vector<images_of> machines_;
};

} // namespace detail

/// Functions that copy a context, for use instead of assignment: `keep` stores the context, `give_back` restores it.
template <class Context, class Kept> struct context_copier {
    void (*keep)(Kept& kept, const Context& context);
    void (*give_back)(Context& context, const Kept& kept);
};

template <class Context, class Kept = Context> class rollback {
public:
    /// Creates a rollback that stores at most this number of frames. Throws usage_error (HSM-207) for 0.
    explicit rollback(std::size_t frames) : ring_(frames) {
        how_ = {[](Kept& kept, const Context& context) { kept = context; }, [](Context& context, const Kept& kept) { context = kept; }};
    }
    rollback(std::size_t frames, context_copier<Context, Kept> how) : ring_(frames), how_(std::move(how)) {}

    /// Call these functions before the first frame is stored. They can throw save_error (HSM-351), usage_error (HSM-207) or std::bad_alloc; then
    /// nothing is added.
    void add(instance<Context>& agent, Context& context) { add_with(detail::make_savable(agent), {std::addressof(context), 1}); }
    /// Adds a machine that shares the context of another machine.
    void add(instance_base& agent) { ring_.add(detail::make_savable(agent)); }
    /// Adds a crowd with any context type, and the contexts that the crowd keeps.
    template <class Other> void add(crowd<Other>& crowd) { ring_.add(detail::make_savable(crowd, detail::saved_context_of<Other>())); }
    /// Adds a crowd over an array, and the array.
    void add(crowd<Context>& crowd, std::span<Context> contexts) {
        add_with(detail::make_savable(crowd, detail::saved_context_of<Context>()), contexts);
    }

    /// Stores the current state as the next frame and returns its number, counted from 0. Overwrites the oldest frame if the ring is full. Requires
    /// !busy().
    std::uint64_t keep() {
        ring_.make_room();
        const auto slot = ring_.next_slot();
        for (auto& each : contexts_) how_.keep(each.kept[slot], *each.context);
        ring_.keep();
        return ring_.next() - 1;
    }
    /// Restores a frame and removes later frames. Afterwards, `keep` stores the frame that follows the restored one. Returns false if the frame is
    /// not stored, or if busy() returns true. If one of your constructors or `serialize` functions throws, or an allocation fails, some machines are
    /// restored and others are not, and no frame is removed. In this case, call back_to again.
    bool back_to(std::uint64_t frame) {
        if (!ring_.has(frame) || ring_.busy()) return false;
        for (auto& each : contexts_) how_.give_back(*each.context, each.kept[ring_.slot_of(frame)]);
        ring_.back_to(frame);
        return true;
    }

    bool has(std::uint64_t frame) const { return ring_.has(frame); }
    bool busy() const { return ring_.busy(); }
    std::uint64_t next() const { return ring_.next(); }     ///< the number of the next frame that keep stores
    std::uint64_t oldest() const { return ring_.oldest(); } ///< the oldest stored frame, if oldest() != next()
    std::size_t capacity() const { return ring_.capacity(); }
    std::size_t machines() const { return ring_.machines(); }
    std::size_t contexts() const { return contexts_.size(); }
    // These functions require has(frame).
    const Kept& context(std::size_t i, std::uint64_t frame) const { return contexts_[i].kept[ring_.slot_of(frame)]; }
    const detail::frame_ring& ring() const { return ring_; }
    std::span<const std::byte> image(std::size_t machine, std::uint64_t frame) const { return ring_.image(machine, ring_.slot_of(frame)); }
    std::size_t bytes() const {
        return ring_.bytes() + contexts_.size() * ring_.capacity() * sizeof(Kept);
    } ///< the size in memory, without allocations of contexts

private:
    struct context_frames {
        Context* context;
        std::vector<Kept> kept; ///< by place
    };
    /// Adds nothing until all allocations have succeeded.
    void add_with(owned<detail::savable> machine, std::span<Context> contexts) {
        std::vector<context_frames> added;
        added.reserve(contexts.size());
        for (auto& each : contexts) added.push_back({std::addressof(each), std::vector<Kept>(ring_.capacity())});
        if (contexts_.capacity() - contexts_.size() < added.size()) contexts_.reserve(2 * contexts_.size() + added.size());
        ring_.add(std::move(machine));
        for (auto& each : added) contexts_.push_back(std::move(each));
    }

    detail::frame_ring ring_;
    context_copier<Context, Kept> how_;
    std::vector<context_frames> contexts_;
};

} // namespace hsm
