/// The text of a file in UTF-8, with its positions.
#pragma once

#include <hsm/load/detail/problem_list.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace hsm::detail {

class source_text {
public:
    /// Decodes UTF-8, UTF-16 or UTF-32 (by the byte order mark), or the encoding that the XML declaration names. Adds errors to the problems; the
    /// text is empty then.
    source_text(std::string bytes, problem_list& problems);

    std::string& text() { return text_; }
    const std::string& text() const { return text_; }
    /// Returns the line and column in the original text, even if the text has been changed since.
    origin at(std::size_t offset) const;
    /// Does the same for a caller that goes through the text from its beginning. `line` is the caller's position and begins as 0.
    origin at_next(std::size_t offset, std::size_t& line) const;

private:
    origin at(std::size_t offset, std::size_t line) const;
    bool check(problem_list& problems);

    std::string text_;
    std::vector<std::uint32_t> lines_;     ///< offsets of their beginnings
    std::vector<std::uint32_t> followers_; ///< offsets of bytes that are not the first of a character
};

/// Returns the bytes of a file. Returns nothing and adds a problem if it cannot be read or has more than `most` bytes.
std::string read_file(const std::string& path, std::size_t most, problem_list& problems);
/// Adds a problem and returns false if the text has more bytes.
bool is_within(std::string_view text, std::size_t most, problem_list& problems);

/// Calls read(bytes, problems) for a file or a text, unless it cannot be read or is too large. Returns the problems.
template <class Read> std::vector<load_problem> load_file(const std::string& path, const load_options& options, Read read) {
    problem_list problems(path, options);
    auto bytes = read_file(path, options.max_bytes, problems);
    if (problems.empty()) read(std::move(bytes), problems);
    return problems.take();
}
template <class Read> std::vector<load_problem> load_text(std::string text, std::string name, const load_options& options, Read read) {
    problem_list problems(std::move(name), options);
    if (is_within(text, options.max_bytes, problems)) read(std::move(text), problems);
    return problems.take();
}

} // namespace hsm::detail
