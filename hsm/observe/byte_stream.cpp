#include <hsm/observe/byte_stream.hpp>

#include <hsm/observe/trace_error.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace hsm {

namespace {
std::FILE* open(const std::string& path, const char* mode) {
    if (auto* const file = std::fopen(path.c_str(), mode)) {
        std::setvbuf(file, nullptr, _IONBF, 0); // readers and writers have their own buffers
        return file;
    }
    throw trace_error(code::unreadable_trace, 0, "\"" + path + "\" cannot be opened: " + std::strerror(errno), "check the path and its permissions");
}
} // namespace

file_sink::file_sink(const std::string& path) : file_(open(path, "wb")) {}
file_sink::~file_sink() { close(); }

bool file_sink::write(const void* bytes, std::size_t count) {
    failed_ |= !file_ || std::fwrite(bytes, 1, count, file_) != count;
    return !failed_;
}

bool file_sink::close() {
    if (file_) failed_ |= std::fclose(file_) != 0;
    file_ = nullptr;
    return !failed_;
}

file_source::file_source(const std::string& path) : file_(open(path, "rb")) {}
file_source::~file_source() { std::fclose(file_); }
std::size_t file_source::read(void* to, std::size_t most) { return std::fread(to, 1, most, file_); }

std::size_t memory_source::read(void* to, std::size_t most) {
    const auto count = std::min(most, left_.size());
    std::memcpy(to, left_.data(), count);
    left_.remove_prefix(count);
    return count;
}

namespace {
std::string at_byte(code what, std::uint64_t offset) { return what == code::unreadable_trace ? "" : fmt::format(" at byte {}", offset); }
} // namespace

trace_error::trace_error(hsm::code what, std::uint64_t offset, std::string problem, std::string hint)
    : std::runtime_error(fmt::format("{} error{}: {}; hint: {}", to_string(what), at_byte(what, offset), problem, hint)), code_(what),
      offset_(offset), problem_(std::move(problem)), hint_(std::move(hint)) {}

} // namespace hsm
