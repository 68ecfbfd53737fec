/// A file that a command writes: as a whole, or not at all.
#pragma once

#include <hsm/observe/byte_stream.hpp>
#include <hsm/tool/detail/command.hpp>

#include <string>

namespace hsm::detail::tool {

/// What is written goes to a new file beside the one that is meant, which takes its place in `finish`. Until then, and if that is never called,
/// the old one is as it was. "-" is stdout; what is no regular file (a pipe, a device) is written to as it is.
class output_file final : public byte_sink {
public:
    /// Throws command_error if it cannot be made.
    output_file(const std::string& path, surroundings& here);
    output_file(const output_file&) = delete;
    output_file& operator=(const output_file&) = delete;
    ~output_file() override;

    bool write(const void* bytes, std::size_t count) override;
    /// Throws command_error: it is not complete, and nothing has changed.
    void finish();
    const std::string& path() const { return path_; }

private:
    [[noreturn]] void fail(int error) const;
    void discard();

    std::string path_;
    console& terminal_;
    std::string target_;    ///< what `path_` leads to
    std::string temporary_; ///< empty: it is written to as it is
    std::FILE* file_ = nullptr;
    int error_ = 0;
};

/// The same for what is known as a whole.
void write_output(const std::string& path, std::string_view text, surroundings& here);

/// A whole file. Throws command_error if it cannot be read. "-" is stdin.
std::string read_input(const std::string& path, surroundings& here);
/// Throws command_error if it is not there, or a folder: as whoever reads it would have to say.
void require_file(const std::string& path);
[[noreturn]] void refuse_file(const std::string& path, int error); ///< it cannot be read
/// "No such file or directory", in the words of this program: "there is no such file".
std::string reason_of(int error);

} // namespace hsm::detail::tool
