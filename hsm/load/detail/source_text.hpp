/// The text of a file, in UTF-8, and where in it something is.
#pragma once

#include <hsm/load/detail/problem_list.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail {

class source_text {
public:
    /// Text in UTF-8, UTF-16 or UTF-32 (by its byte order mark), or in the encoding that its XML declaration names. What is
    /// wrong with it is added to the problems; the text is empty then.
    source_text(std::string bytes, problem_list& problems);

    std::string& text() { return text_; }
    const std::string& text() const { return text_; }
    /// Lines and columns of the text as it was, whatever has become of it since.
    origin at(std::size_t offset) const;
    /// The same for whoever goes through the text from its beginning: `line`, which begins as 0, is where he is.
    origin at_next(std::size_t offset, std::size_t& line) const;

private:
    origin at(std::size_t offset, std::size_t line) const;
    bool check(problem_list& problems);

    std::string text_;
    std::vector<std::uint32_t> lines_;     ///< where each begins
    std::vector<std::uint32_t> followers_; ///< bytes that are not the first of their character
};

/// The bytes of a file; nothing, and a problem, if it cannot be read or is larger than that.
std::string read_file(const std::string& path, std::size_t most, problem_list& problems);

} // namespace hsm::detail
