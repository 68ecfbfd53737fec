#include "netplay.hpp"

#include <algorithm>
#include <cstring>

namespace arena {

// A datagram: the number of the other player's known frames, the number of the first frame below, buttons of frames.

void netplay::correct() {
    if (!wrong_) return;
    const auto from = *wrong_;
    wrong_.reset();
    for (auto last = frame(); last > from; --last) run_.rewind();
    for (auto again = from; again < frame(); ++again, ++replayed_) {
        if (again >= known_) other(again) = other(known_ - 1); // another guess
        run_.play(inputs_[static_cast<std::size_t>(again)]);
    }
}

bool netplay::play(pad mine) {
    correct();
    if (frame() - known_ >= most_guesses) return false;
    auto& now = inputs_.emplace_back();
    now[me_] = mine;
    if (!early_.empty()) {
        now[1 - me_] = early_.front();
        early_.erase(early_.begin());
        known_ = frame();
    } else if (frame() > 1) {
        now[1 - me_] = inputs_[static_cast<std::size_t>(frame() - 2)][1 - me_];
    }
    run_.play(now);
    return true;
}

std::vector<std::uint8_t> netplay::outgoing() const {
    const auto first = std::min(acknowledged_, frame());
    const std::int64_t numbers[] = {known_ + static_cast<std::int64_t>(early_.size()), first};
    std::vector<std::uint8_t> datagram(sizeof numbers);
    std::memcpy(datagram.data(), numbers, sizeof numbers);
    for (auto i = first; i < std::min(frame(), first + 200); ++i)
        datagram.push_back(inputs_[static_cast<std::size_t>(i)][me_]);
    return datagram;
}

void netplay::incoming(std::span<const std::uint8_t> datagram) {
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

} // namespace arena
