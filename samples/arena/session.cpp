#include "session.hpp"

#include "bytes.hpp"

#include <cstdint>
#include <exception>
#include <fstream>
#include <ios>
#include <iterator>
#include <span>

namespace arena {

namespace {

constexpr std::uint32_t file_mark = 0x314E5241; // ARN1

} // namespace

session::session(const world_options& options, std::size_t frames_to_rewind)
    : game_(std::make_unique<world>(options)), first_(game_->save()), most_(frames_to_rewind) {}

void session::play(const pads& buttons) {
    if (past_.size() == most_) past_.pop_front();
    past_.push_back(game_->save());
    if (!replaying()) inputs_.push_back(buttons);
    game_->play(inputs_[replayed_++]);
}

bool session::rewind() {
    if (past_.empty()) return false;
    game_->load(past_.back());
    past_.pop_back();
    inputs_.resize(--replayed_);
    return true;
}

void session::restart() {
    game_->load(first_);
    begin_here();
}

void session::begin_here() {
    first_ = game_->save();
    inputs_.clear();
    past_.clear();
    replayed_ = 0;
}

bool session::save(const std::string& file) const {
    writer out;
    out.value(file_mark);
    out.bytes(std::as_bytes(std::span(inputs_).first(replayed_)));
    out.bytes(first_);
    out.bytes(game_->save());
    std::ofstream to(file, std::ios::binary);
    to.write(reinterpret_cast<const char*>(out.all.data()), static_cast<std::streamsize>(out.all.size()));
    return to.good();
}

bool session::load(const std::string& file) {
    std::ifstream from(file, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(from), {}};
    const auto before = game_->save();
    try {
        reader in(std::as_bytes(std::span(text)));
        std::uint32_t mark = 0;
        in.value(mark);
        if (mark != file_mark) return false;
        const auto inputs = in.bytes(), first = in.bytes();
        game_->load(in.bytes());
        const auto* const buttons = reinterpret_cast<const pads*>(inputs.data());
        inputs_.assign(buttons, buttons + inputs.size() / sizeof(pads));
        first_.assign(first.begin(), first.end());
    } catch (const std::exception&) { // incomplete, or of another version of the game
        game_->load(before);
        return false;
    }
    replayed_ = inputs_.size();
    past_.clear();
    return true;
}

} // namespace arena
