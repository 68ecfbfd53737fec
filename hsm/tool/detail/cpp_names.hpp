/// Converts names in files to C++ identifiers.
///
/// The identifier depends only on the name, unless another name in the same scope would become the same identifier.
#pragma once

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

} // namespace hsm::detail::tool
