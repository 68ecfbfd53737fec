/// A file that a command writes: as a whole, or not at all.
#pragma once

#include <hsm/observe/byte_stream.hpp>
#include <hsm/tool/detail/command.hpp>

#include <string>

namespace hsm::detail::tool {

/// The output goes to a new file, which replaces the old one in `finish`. Until then, and if that is never called, the old one is unchanged. The
/// new file has no name before, so nothing is left over if a signal ends the program. If the file system has no such files, the new one has a
/// temporary name beside the old one. "-" is stdout; a pipe or a device is written to directly.
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
    bool open_new(unsigned mode);
    bool give_name();

    std::string path_;
    console& terminal_;
    std::string target_;    ///< what `path_` leads to
    std::string temporary_; ///< the new file's name, for now; empty: it has none
    bool replaces_ = false; ///< it is a new file
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
