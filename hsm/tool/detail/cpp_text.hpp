/// The text of a generated program, and names in files as C++ identifiers.
///
/// An identifier depends only on the name, unless another name in the same scope would become the same identifier.
#pragma once

#include <hsm/define/origin.hpp>

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail::tool {

/// Converts a name: "is grounded?" becomes is_grounded, "1up" n_1up, "größe" gr_uf6_udf_e, "class" class_.
std::string cpp_identifier(std::string_view name);

/// Returns a string literal, including its quotes.
std::string cpp_string(std::string_view text);
/// Returns the text in one line, safe inside a comment.
std::string cpp_comment(std::string_view text);

/// Assigns unique identifiers to the names of one scope.
class cpp_scope {
public:
    /// `taken` lists identifiers that are already in use in this scope.
    explicit cpp_scope(std::set<std::string, std::less<>> taken = {}) : taken_(std::move(taken)) {}

    void add(std::string_view name) { names_.emplace(name, std::string()); }
    /// Assigns identifiers to all added names. Names that would become the same identifier get the numbers of the characters that an identifier
    /// cannot contain. A name that is a valid identifier keeps it.
    void settle();
    /// Requires a name that was added, and a call of `settle`.
    const std::string& of(std::string_view name) const { return names_.find(name)->second; }
    /// Groups of names that differ only in characters that identifiers cannot contain.
    const std::vector<std::vector<std::string>>& alike() const { return alike_; }

private:
    std::string unused(std::string identifier);

    std::set<std::string, std::less<>> taken_;
    std::map<std::string, std::string, std::less<>> names_;
    std::vector<std::vector<std::string>> alike_;
};

/// Builds the text of a generated program. `#line` directives make compilers report positions in the file that the program was generated from. A name
/// has the same column as in that file.
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
