#include "session.hpp"

#include <cstdint>
#include <exception>
#include <fstream>
#include <ios>
#include <iterator>
#include <span>
#include <utility>

namespace arena {

namespace {

constexpr std::uint32_t file_mark = 0x314E5241; // ARN1

template <class T> void put(std::ostream& to, const T& value) {
    to.write(reinterpret_cast<const char*>(&value), sizeof value);
}
template <class T> T take(std::istream& from) {
    T value{};
    from.read(reinterpret_cast<char*>(&value), sizeof value);
    return value;
}

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
    inputs_.clear();
    past_.clear();
    replayed_ = 0;
}

void session::begin_here() {
    first_ = game_->save();
    inputs_.clear();
    past_.clear();
    replayed_ = 0;
}

bool session::save(const std::string& file) const {
    std::ofstream out(file, std::ios::binary);
    put(out, file_mark);
    put(out, static_cast<std::uint64_t>(replayed_));
    for (std::size_t i = 0; i < replayed_; ++i) put(out, inputs_[i]);
    for (const auto& image : {first_, game_->save()}) {
        put(out, static_cast<std::uint64_t>(image.size()));
        out.write(reinterpret_cast<const char*>(image.data()), static_cast<std::streamsize>(image.size()));
    }
    return out.good();
}

bool session::load(const std::string& file) {
    std::ifstream in(file, std::ios::binary);
    if (!in || take<std::uint32_t>(in) != file_mark) return false;
    const auto count = take<std::uint64_t>(in);
    if (count > (1u << 24)) return false;
    std::vector<pads> inputs(count);
    for (auto& each : inputs) each = take<pads>(in);
    std::vector<std::byte> images[2];
    for (auto& image : images) {
        const auto size = take<std::uint64_t>(in);
        if (!in || size > (1u << 28)) return false;
        image.resize(size);
        in.read(reinterpret_cast<char*>(image.data()), static_cast<std::streamsize>(size));
    }
    if (!in) return false;
    const auto before = game_->save();
    try {
        game_->load(images[1]);
    } catch (const std::exception&) { // of another version of the game
        game_->load(before);
        return false;
    }
    first_ = std::move(images[0]);
    inputs_ = std::move(inputs);
    replayed_ = inputs_.size();
    past_.clear();
    return true;
}

} // namespace arena
