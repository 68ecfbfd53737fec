/// The last frames of machines, crowds and what they work on, for games that predict what other players do, and go back when it was something
/// else:
///
///     hsm::rollback<hero> frames(9);                  // eight to go back, and the present one
///     frames.add(mine, my_hero);
///     frames.add(theirs, their_hero);
///     ...
///     frames.keep();                                  // at the end of each frame
///     ...
///     frames.back_to(late.frame);                     // an input has come late
///     for (auto f = late.frame; f != now; ++f) { play(f); frames.keep(); }
///
/// A frame holds an image (save/image.hpp) of each machine or crowd, and a copy of each context: by assignment, or by functions of yours, see
/// keeping. Contexts that a crowd keeps are in its image. No memory is taken after add if locals and events are trivially copyable and contexts take
/// none, and while a crowd has no more agents than before.
///
/// Machines and contexts must outlive it. Everything in one thread. Not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/replay/detail/kept_machine.hpp>
#include <hsm/run/instance.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace hsm {

namespace detail {

/// The images of a ring of frames: all that needs no type of a context.
class frame_ring {
public:
    explicit frame_ring(std::size_t frames); ///< throws usage_error (HSM-207) for none

    std::size_t add(kept_machine machine); ///< its number. Throws save_error (HSM-351); usage_error (HSM-207) if there are frames already
    bool busy() const;                     ///< a hook of one of them runs
    /// Where the next frame comes: its place in the ring.
    std::size_t next_place() const { return static_cast<std::size_t>(next_ % frames_); }
    std::size_t place_of(std::uint64_t frame) const { return static_cast<std::size_t>(frame % frames_); }
    void keep();
    bool has(std::uint64_t frame) const { return frame < next_ && frame >= oldest(); }
    void back_to(std::uint64_t frame); ///< that is there
    std::uint64_t next() const { return next_; }
    std::uint64_t oldest() const { return next_ - kept_; }
    std::size_t capacity() const { return frames_; }
    std::size_t machines() const { return machines_.size(); }
    const kept_machine& machine(std::size_t i) const { return machines_[i].what; }
    std::span<const std::byte> image(std::size_t machine, std::size_t place) const;
    std::size_t bytes() const;

private:
    struct images_of {
        kept_machine what;
        std::vector<std::vector<std::byte>> images; ///< by place
        std::vector<std::size_t> sizes;
    };

    std::size_t frames_;
    std::uint64_t next_ = 0;
    std::uint64_t kept_ = 0;
    std::vector<images_of> machines_;
};

} // namespace detail

/// How a context is kept, if it is not by assignment: what is kept of it, and how it comes there and back.
template <class Context, class Kept> struct keeping {
    void (*keep)(Kept& kept, const Context& context);
    void (*give_back)(Context& context, const Kept& kept);
};

template <class Context, class Kept = Context> class rollback {
public:
    /// How many frames there are room for: at least 1. Throws usage_error (HSM-207).
    explicit rollback(std::size_t frames) : ring_(frames) {
        how_ = {[](Kept& kept, const Context& context) { kept = context; }, [](Context& context, const Kept& kept) { context = kept; }};
    }
    rollback(std::size_t frames, keeping<Context, Kept> how) : ring_(frames), how_(std::move(how)) {}

    /// Before the first frame is kept. Throws save_error (HSM-351), usage_error (HSM-207).
    void add(instance<Context>& agent, Context& context) {
        ring_.add(detail::keep_machine(agent));
        contexts_.push_back({std::addressof(context), std::vector<Kept>(ring_.capacity())});
    }
    /// Of a machine without a context of its own: one of the others is its.
    void add(instance_base& agent) { ring_.add(detail::keep_machine(agent)); }
    /// Of a crowd of whatever context: those that it keeps, with them.
    template <class Other> void add(crowd<Other>& herd) { ring_.add(detail::keep_machine(herd)); }
    /// Of a crowd over an array: that, too.
    void add(crowd<Context>& herd, std::span<Context> contexts) {
        add(herd);
        for (auto& each : contexts) contexts_.push_back({std::addressof(each), std::vector<Kept>(ring_.capacity())});
    }

    /// Keeps what is, as the next frame: they count from 0. The oldest one is forgotten if there is no room. Its number; busy() must be false.
    std::uint64_t keep() {
        const auto place = ring_.next_place();
        for (auto& each : contexts_) how_.keep(each.kept[place], *each.context);
        ring_.keep();
        return ring_.next() - 1;
    }
    /// Everything is as it was when that frame was kept, and later frames are forgotten: the next one follows it. False if it is not there, or busy.
    /// Where a constructor or serialize of yours throws some machines are back and others are not, and no frame is forgotten: go back once more.
    bool back_to(std::uint64_t frame) {
        if (!ring_.has(frame) || ring_.busy()) return false;
        for (auto& each : contexts_) how_.give_back(*each.context, each.kept[ring_.place_of(frame)]);
        ring_.back_to(frame);
        return true;
    }

    bool has(std::uint64_t frame) const { return ring_.has(frame); }
    bool busy() const { return ring_.busy(); }
    std::uint64_t next() const { return ring_.next(); }     ///< the number of the frame that will be kept next
    std::uint64_t oldest() const { return ring_.oldest(); } ///< that is there, if oldest() != next()
    std::size_t capacity() const { return ring_.capacity(); }
    std::size_t machines() const { return ring_.machines(); }
    std::size_t contexts() const { return contexts_.size(); }
    // Of a frame that is there.
    const Kept& context(std::size_t i, std::uint64_t frame) const { return contexts_[i].kept[ring_.place_of(frame)]; }
    const detail::frame_ring& ring() const { return ring_; }
    std::span<const std::byte> image(std::size_t machine, std::uint64_t frame) const { return ring_.image(machine, ring_.place_of(frame)); }
    std::size_t bytes() const {
        return ring_.bytes() + contexts_.size() * ring_.capacity() * sizeof(Kept);
    } ///< of memory, without what contexts have taken

private:
    struct kept_context {
        Context* context;
        std::vector<Kept> kept; ///< by place
    };
    detail::frame_ring ring_;
    keeping<Context, Kept> how_;
    std::vector<kept_context> contexts_;
};

} // namespace hsm
