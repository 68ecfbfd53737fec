/// Writes output files atomically: completely or not at all.
#pragma once

#include <hsm/observe/byte_stream.hpp>
#include <hsm/tool/detail/command.hpp>

#include <cstddef>
#include <string>
#include <string_view>

namespace hsm::detail::tool {

/// A new file receives the output and replaces the old file in `finish`. Until then, or without that call, the old file is unchanged. The new file
/// has no name at first, so nothing remains if a signal ends the program. On file systems without unnamed files it has a temporary name in the folder
/// of the old file. "-" is stdout. Pipes and devices are written directly.
class output_file final : public byte_sink {
public:
    /// Throws command_error if the file cannot be created.
    output_file(const std::string& path, environment& here);
    output_file(const output_file&) = delete;
    output_file& operator=(const output_file&) = delete;
    ~output_file() override;

    bool write(const void* bytes, std::size_t count) override;
    /// Completes the file. If that fails, throws command_error and the old file is unchanged.
    void finish();
    const std::string& path() const { return path_; }

private:
    [[noreturn]] void fail(int error) const;
    void discard();
    bool open_new(unsigned mode);
    bool give_name();

    std::string path_;
    console& terminal_;
    std::string target_;    ///< `path_` with links resolved
    std::string temporary_; ///< the current name of the new file; empty: it has none
    bool replaces_ = false; ///< whether a new file is being written
    std::FILE* file_ = nullptr;
    int error_ = 0;
};

/// Returns the row of a table with this name. If the name is empty: with the extension of the output. Returns null if there is none.
template <class Row, std::size_t N> const Row* format_of_output(const Row (&table)[N], std::string_view name, std::string_view output) {
    for (const auto& row : table)
        if (name.empty() ? output.ends_with(row.extension) : row.name == name) return &row;
    return nullptr;
}

/// Writes a file whose content is complete.
void write_output(const std::string& path, std::string_view text, environment& here);

/// Returns the content of a file; "-" is stdin. Throws command_error if it cannot be read.
std::string read_input(const std::string& path, environment& here);
/// Throws command_error if the file does not exist or is a folder, with the message for an unreadable file.
void require_file(const std::string& path);
/// Returns the path for messages: "(stdin)" for "-".
std::string shown_file(const std::string& path);
[[noreturn]] void refuse_file(const std::string& path, int error); ///< for a file that cannot be read
/// Returns a description of an errno value: "there is no such file" for ENOENT.
std::string reason_of(int error);

} // namespace hsm::detail::tool
