/// Builds the text of a generated program. `#line` directives make compilers report positions in the file that the program was generated from. A name
/// has the same column as in that file.
#pragma once

#include <hsm/define/origin.hpp>

#include <string>
#include <string_view>

namespace hsm::detail::tool {

class cpp_text {
public:
    /// `file` is the source of the program, `self` the name of the generated text in `#line` directives. Without `lines` no directives are written.
    cpp_text(std::string file, std::string self, bool lines, std::size_t indent)
        : file_(std::move(file)), self_(std::move(self)), lines_(lines), indent_(indent) {}

    cpp_text& operator<<(std::string_view text);
    /// Assigns the following text to this position in the file.
    cpp_text& at(const origin& where);
    /// Assigns the following lines to the generated text again.
    cpp_text& here();
    /// Begins a statement at this position in the file.
    cpp_text& statement(const origin& where);

    const std::string& text() const { return text_; }

private:
    void end_line();

    std::string file_, self_, text_;
    bool lines_;
    std::size_t indent_;     ///< of statements
    bool elsewhere_ = false; ///< the current line belongs to `file_`
    std::size_t count_ = 0;  ///< complete lines
};

} // namespace hsm::detail::tool
