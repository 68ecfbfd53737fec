/// A trace file named on the command line, with a progress line.
#pragma once

#include <hsm/observe/byte_stream.hpp>
#include <hsm/observe/trace_reader.hpp>
#include <hsm/tool/detail/output_file.hpp>
#include <hsm/tool/detail/progress.hpp>

#include <optional>
#include <string>

namespace hsm::detail::tool {

/// "-" is stdin, which is read as data arrives.
class trace_input final : public byte_source {
public:
    /// Throws command_error if the file cannot be read, trace_error if it is not a trace.
    trace_input(const std::string& path, std::string what, surroundings& here);
    ~trace_input() override;

    trace_reader& reader() { return *reader_; }
    std::size_t read(void* to, std::size_t most) override;

private:
    std::FILE* file_;
    bool is_ours_;
    std::uint64_t done_ = 0;
    std::optional<progress> shown_;
    std::optional<trace_reader> reader_;
};

/// Runs `work` and converts its exceptions to a command_error that names the file.
template <class Work> auto with_file(const std::string& path, Work work) {
    try {
        return work();
    } catch (...) {
        throw understood(path == "-" ? std::string("(stdin)") : path);
    }
}

} // namespace hsm::detail::tool
