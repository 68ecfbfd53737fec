/// A run of the game: it remembers inputs and frames, so that it can be rewound, saved, loaded and shown again.
#pragma once

#include "bytes.hpp"
#include "world.hpp"

#include <exception>
#include <fstream>
#include <iterator>

namespace arena {

class session {
public:
    explicit session(const world_options& options, std::size_t frames_to_rewind = 600)
        : game_(options), first_(game_.save()), most_(frames_to_rewind) {}

    world& game() { return game_; }
    const world& game() const { return game_; }

    /// Plays one frame, or the next frame of the replay, which ignores the buttons.
    void play(const pads& buttons) {
        if (past_.size() == most_) past_.pop_front();
        past_.push_back(game_.save());
        if (played_ == inputs_.size()) inputs_.push_back(buttons);
        game_.play(inputs_[played_++]);
    }
    /// Goes back one frame. Returns false if no earlier frame is stored.
    bool rewind() {
        if (past_.empty()) return false;
        game_.load(past_.back());
        past_.pop_back();
        inputs_.resize(--played_);
        return true;
    }
    void restart() {
        game_.load(first_);
        begin_here();
    }
    /// Forgets earlier frames and inputs, because the rules of the game have changed.
    void begin_here() {
        first_ = game_.save();
        inputs_.clear();
        past_.clear();
        played_ = 0;
    }
    /// Plays from the first frame to the present one again.
    void replay() {
        game_.load(first_);
        past_.clear();
        played_ = 0;
    }
    std::size_t inputs() const { return inputs_.size(); }

    /// Returns whether the file was written. It contains the inputs, so the run can be replayed after loading, too.
    bool save(const std::string& file) const {
        writer out;
        out.value(file_mark);
        out.bytes(std::as_bytes(std::span(inputs_).first(played_)));
        out.bytes(first_);
        out.bytes(game_.save());
        std::ofstream to(file, std::ios::binary);
        to.write(reinterpret_cast<const char*>(out.all.data()), static_cast<std::streamsize>(out.all.size()));
        return to.good();
    }
    /// Returns false, with nothing changed, if the file is incomplete, or of another version of the game.
    bool load(const std::string& file) {
        std::ifstream from(file, std::ios::binary);
        const std::string text{std::istreambuf_iterator<char>(from), {}};
        const auto before = game_.save();
        try {
            reader in{std::as_bytes(std::span(text))};
            std::uint32_t mark = 0;
            in.value(mark);
            if (mark != file_mark) return false;
            const auto inputs = in.bytes(), first = in.bytes();
            game_.load(in.bytes());
            const auto* const buttons = reinterpret_cast<const pads*>(inputs.data());
            inputs_.assign(buttons, buttons + inputs.size() / sizeof(pads));
            first_.assign(first.begin(), first.end());
        } catch (const std::exception&) {
            game_.load(before);
            return false;
        }
        played_ = inputs_.size();
        past_.clear();
        return true;
    }

private:
    static constexpr std::uint32_t file_mark = 0x314E5241; // ARN1

    world game_;
    std::vector<std::byte> first_;
    std::vector<pads> inputs_;
    std::size_t played_ = 0; // inputs that the world has received; fewer than there are in a replay
    std::deque<std::vector<std::byte>> past_;
    std::size_t most_;
};

} // namespace arena
