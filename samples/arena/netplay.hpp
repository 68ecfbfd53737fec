/// Two processes play one game. Each sends its buttons, and guesses that the other buttons do not change. If a guess
/// was wrong, it goes back to that frame and plays the later frames again.
#pragma once

#include "session.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace arena {

class netplay {
public:
    static constexpr std::int64_t most_guesses = 8; ///< frames that the other player can be late

    /// The run must be new, with two players. `me` is 0 or 1.
    netplay(session& run, std::size_t me) : run_(run), me_(me) {}

    /// Plays a frame. Returns false, without playing, if the other player is too late.
    bool play(pad mine);
    /// The datagram to send after each call of `play`, with the buttons that the other player may not know yet.
    std::vector<std::uint8_t> outgoing() const;
    void incoming(std::span<const std::uint8_t> datagram);

    std::int64_t frame() const { return static_cast<std::int64_t>(inputs_.size()); }
    std::int64_t known() const { return known_; } ///< the number of frames whose buttons are all known
    std::int64_t replayed() const { return replayed_; }
    bool complete() const { return known_ >= frame() && acknowledged_ >= frame(); }
    void correct(); ///< goes back if a guess was wrong. `play` calls it, too

private:
    pad& other(std::int64_t frame) { return inputs_[static_cast<std::size_t>(frame)][1 - me_]; }

    session& run_;
    std::size_t me_;
    std::vector<pads> inputs_; // known and guessed ones
    std::vector<pad> early_;   // buttons of the other player for frames that were not played here yet
    std::int64_t known_ = 0, acknowledged_ = 0, replayed_ = 0;
    std::optional<std::int64_t> wrong_; // the first frame that was played with a wrong guess
};

} // namespace arena
