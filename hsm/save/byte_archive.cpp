#include <hsm/save/detail/byte_archive.hpp>

#include <cstring>

namespace hsm::detail {

void byte_writer::add(const void* bytes, std::size_t size) {
    const auto* const from = static_cast<const std::byte*>(bytes);
    to_.insert(to_.end(), from, from + size);
}

void byte_writer::text(std::string& value) {
    const std::uint64_t length = value.size();
    add(&length, sizeof length);
    add(value.data(), value.size());
}

void byte_writer::begin_list(std::size_t& count) {
    const std::uint64_t length = count;
    add(&length, sizeof length);
    lists_.push_back({to_.size(), count});
}

/// Pads a list so that it has at least as many bytes as elements. A reader can then reject an impossible length before it allocates.
void byte_writer::end_list() {
    const auto& [begin, count] = lists_.back();
    if (to_.size() - begin < count) to_.resize(begin + count);
    lists_.pop_back();
}

void byte_reader::take(void* bytes, std::size_t size) {
    if (from_.size() - at_ < size) refuse("it ends too early");
    std::memcpy(bytes, from_.data() + at_, size);
    at_ += size;
}

std::size_t byte_reader::take_length() {
    std::uint64_t length = 0;
    take(&length, sizeof length);
    if (length > from_.size() - at_) refuse("it ends too early");
    return static_cast<std::size_t>(length);
}

void byte_reader::boolean(bool& value) {
    std::uint8_t byte = 0;
    take(&byte, 1);
    if (byte > 1) refuse("a bool is neither true nor false");
    value = byte == 1;
}

void byte_reader::integer(std::int64_t& value, std::int64_t least, std::int64_t most) {
    take(&value, sizeof value);
    if (value < least || value > most) refuse("a number is too large for its type");
}

void byte_reader::natural(std::uint64_t& value, std::uint64_t most) {
    take(&value, sizeof value);
    if (value > most) refuse("a number is too large for its type");
}

void byte_reader::text(std::string& value) {
    const auto length = take_length();
    value.assign(reinterpret_cast<const char*>(from_.data()) + at_, length);
    at_ += length;
}

void byte_reader::begin_list(std::size_t& count) {
    count = take_length();
    lists_.push_back({at_, count});
}

void byte_reader::end_list() {
    const auto& [begin, count] = lists_.back();
    if (at_ - begin < count) at_ = begin + count;
    lists_.pop_back();
}

} // namespace hsm::detail
