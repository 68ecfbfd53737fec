#include <hsm/tool/detail/trace_input.hpp>

#include <cerrno>
#include <filesystem>

namespace hsm::detail::tool {

namespace {

std::uint64_t size_of(const std::string& path) {
    std::error_code failed;
    const auto size = std::filesystem::file_size(path, failed);
    return path == "-" || failed ? 0 : size;
}

std::FILE* opened(const std::string& path, surroundings& here) {
    if (path == "-") return here.terminal.in();
    require_file(path);
    std::FILE* const file = std::fopen(path.c_str(), "rb");
    if (!file) refuse_file(path, errno);
    return file;
}

} // namespace

trace_input::trace_input(const std::string& path, std::string what, surroundings& here) : file_(opened(path, here)), is_ours_(path != "-") {
    shown_.emplace(here.terminal, std::move(what), size_of(path));
    reader_.emplace(*this);
}

trace_input::~trace_input() {
    if (is_ours_) std::fclose(file_);
}

std::size_t trace_input::read(void* to, std::size_t most) {
    const auto count = std::fread(to, 1, most, file_);
    shown_->reach(done_ += count);
    return count;
}

} // namespace hsm::detail::tool
