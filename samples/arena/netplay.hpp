/// Two processes play one game. Each sends its buttons, and guesses that the other buttons do not change. If a guess
/// was wrong, it goes back to that frame and plays the later frames again.
#pragma once

#include "session.hpp"

#include <algorithm>
#include <cstring>
#include <optional>
#include <span>

namespace arena {

class netplay {
public:
    static constexpr std::int64_t most_guesses = 8; ///< frames that the other player can be late

    /// The run must be new, with two players. `me` is 0 or 1.
    netplay(session& run, std::size_t me) : run_(run), me_(me) {}

    /// Plays a frame. Returns false, without playing, if the other player is too late.
    bool play(pad mine) {
        correct();
        if (frame() - known_ >= most_guesses) return false;
        auto& now = inputs_.emplace_back();
        now[me_] = mine;
        if (!early_.empty()) {
            now[1 - me_] = early_.front();
            early_.pop_front();
            known_ = frame();
        } else if (frame() > 1) {
            now[1 - me_] = other(frame() - 2);
        }
        run_.play(now);
        return true;
    }

    /// Goes back if a guess was wrong. `play` calls it, too.
    void correct() {
        if (!wrong_) return;
        for (auto last = frame(); last > *wrong_; --last) run_.rewind();
        for (auto again = *wrong_; again < frame(); ++again, ++replayed_) {
            if (again >= known_) other(again) = other(known_ - 1); // another guess
            run_.play(inputs_[static_cast<std::size_t>(again)]);
        }
        wrong_.reset();
    }

    /// The datagram to send after each call of `play`: the number of the other player's known frames, the number of
    /// the first frame whose buttons the other player may not know, the buttons of frames from there on.
    std::vector<std::uint8_t> outgoing() const {
        const auto first = std::min(acknowledged_, frame());
        const std::int64_t numbers[] = {known_ + static_cast<std::int64_t>(early_.size()), first};
        std::vector<std::uint8_t> datagram(sizeof numbers);
        std::memcpy(datagram.data(), numbers, sizeof numbers);
        for (auto i = first; i < std::min(frame(), first + 200); ++i)
            datagram.push_back(inputs_[static_cast<std::size_t>(i)][me_]);
        return datagram;
    }

    void incoming(std::span<const std::uint8_t> datagram) {
        std::int64_t numbers[2];
        if (datagram.size() < sizeof numbers) return;
        std::memcpy(numbers, datagram.data(), sizeof numbers);
        if (numbers[0] > frame() || numbers[1] < 0) return; // not of this game
        acknowledged_ = std::max(acknowledged_, numbers[0]);
        auto at = numbers[1];
        for (const auto buttons : datagram.subspan(sizeof numbers)) {
            const auto next = known_ + static_cast<std::int64_t>(early_.size());
            if (at++ != next) continue; // known, or sent again later
            if (next >= frame()) {
                early_.push_back(buttons);
                continue;
            }
            if (other(next) != buttons && !wrong_) wrong_ = next;
            other(next) = buttons;
            ++known_;
        }
    }

    std::int64_t frame() const { return static_cast<std::int64_t>(inputs_.size()); }
    std::int64_t replayed() const { return replayed_; }
    /// Returns whether both players know all buttons of the frames that were played here.
    bool complete() const { return known_ >= frame() && acknowledged_ >= frame(); }

private:
    pad& other(std::int64_t frame) { return inputs_[static_cast<std::size_t>(frame)][1 - me_]; }

    session& run_;
    std::size_t me_;
    std::vector<pads> inputs_;      // known and guessed ones
    std::deque<pad> early_;         // buttons of the other player for frames that were not played here yet
    std::int64_t known_ = 0;        // frames whose buttons are all known
    std::int64_t acknowledged_ = 0; // frames whose buttons the other player knows
    std::int64_t replayed_ = 0;
    std::optional<std::int64_t> wrong_; // the first frame that was played with a wrong guess
};

} // namespace arena
