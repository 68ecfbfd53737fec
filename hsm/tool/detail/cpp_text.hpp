/// Text of a program in which compilers tell the lines of the file that it was made from: `#line` goes before what a file names, and the name
/// stands in the column in which the file has it.
#pragma once

#include <hsm/define/origin.hpp>

#include <string>
#include <string_view>

namespace hsm::detail::tool {

class cpp_text {
public:
    /// `file`: what the program is made from; `self`: what its own lines are called. Without `lines` places are passed over.
    cpp_text(std::string file, std::string self, bool lines, std::size_t indent)
        : file_(std::move(file)), self_(std::move(self)), lines_(lines), indent_(indent) {}

    cpp_text& operator<<(std::string_view text);
    /// What comes next is told to stand there.
    cpp_text& at(const origin& where);
    /// From the next line on it tells its own lines again.
    cpp_text& here();
    /// Begins a statement; the place is that of what follows.
    cpp_text& statement(const origin& where);

    const std::string& text() const { return text_; }

private:
    void end_line();

    std::string file_, self_, text_;
    bool lines_;
    std::size_t indent_;     ///< of statements
    bool elsewhere_ = false; ///< what is written now is told to stand in `file_`
    std::size_t count_ = 0;  ///< lines that are complete
};

} // namespace hsm::detail::tool
