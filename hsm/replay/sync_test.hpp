/// Tests whether a game is deterministic, as rollback requires. Call it in every frame of a debug build. It goes back some frames, plays them again,
/// and compares the results:
///
///     frames.keep();
///     if (const auto found = hsm::sync_test(frames, 8, play)) std::fputs(found->to_string().c_str(), stderr);
///
/// This header is not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/replay/rollback.hpp>
#include <hsm/save/difference.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace hsm {

/// The first difference between two runs.
struct desync {
    std::uint64_t frame;
    std::size_t machine;                       ///< in the order of add
    bool in_context;                           ///< whether only the context differs, not the machine
    std::vector<field_difference> differences; ///< first: the original run; second: the repetition. Empty for contexts without serialize

    std::string to_string() const;
};

namespace detail {
/// The original frames, before they are played again.
class played_frames {
public:
    played_frames(const frame_ring& ring, std::uint64_t first);
    /// Returns the first machine that differs in this frame.
    std::optional<desync> compare(const frame_ring& ring, std::uint64_t frame) const;

private:
    std::uint64_t first_;
    std::vector<std::vector<std::vector<std::byte>>> images_; ///< by frame and machine
};

template <class T> bool seem_equal(const T& a, const T& b, std::vector<field_difference>& found) {
    if constexpr (serializable<T>)
        return (found = difference_of(a, b)).empty();
    else if constexpr (requires { a == b; })
        return a == b;
    else
        return true; // cannot be compared
}
} // namespace detail

/// Goes back `count` frames, or to the oldest stored frame if fewer are stored, and plays them again. Calls play(frame number) for each frame, and
/// stores the new frame. play must use the inputs of that frame. Returns nothing if all results are equal. Compares machines by image, and contexts
/// by `serialize` or ==. Does not compare contexts that have neither. Afterwards, the rollback contains the frames that were played again. Throws
/// save_error (HSM-351).
template <class Context, class Kept, class Play>
std::optional<desync> sync_test(rollback<Context, Kept>& frames, std::size_t count, Play play) {
    if (frames.next() - frames.oldest() < 2 || frames.busy()) return {};
    const auto last = frames.next() - 1;
    const auto first = last - frames.oldest() < count ? frames.oldest() : last - count;
    const detail::played_frames before(frames.ring(), first + 1);
    std::vector<std::vector<Kept>> contexts(frames.contexts());
    for (std::size_t c = 0; c < contexts.size(); ++c)
        for (auto frame = first + 1; frame <= last; ++frame) contexts[c].push_back(frames.context(c, frame));
    frames.back_to(first);
    std::optional<desync> found;
    for (auto frame = first + 1; frame <= last; ++frame) {
        play(frame);
        frames.keep();
        if (!found) found = before.compare(frames.ring(), frame);
        for (std::size_t c = 0; !found && c < contexts.size(); ++c) {
            std::vector<field_difference> differences;
            if (!detail::seem_equal(contexts[c][frame - first - 1], frames.context(c, frame), differences))
                found = desync{frame, c, true, std::move(differences)};
        }
    }
    return found;
}

} // namespace hsm
