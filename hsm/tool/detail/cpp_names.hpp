/// Names that stand in files, as identifiers of C++.
///
/// What a name becomes is told by the name alone, as long as no other one in the same scope becomes the same.
#pragma once

#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail::tool {

/// "is grounded?" becomes is_grounded, "1up" n_1up, "größe" gr_uf6_udf_e, "class" class_.
std::string cpp_identifier(std::string_view name);

/// A literal, with its quotes.
std::string cpp_string(std::string_view text);
/// Text as it may stand in a comment, in one line.
std::string cpp_comment(std::string_view text);

/// Which identifiers the names in one scope become.
class cpp_scope {
public:
    /// `taken`: identifiers that nothing else may have there.
    explicit cpp_scope(std::set<std::string, std::less<>> taken = {}) : taken_(std::move(taken)) {}

    void add(std::string_view name) { names_.emplace(name, std::string()); }
    /// Decides for all that were added. Those that would be alike get the numbers of the characters that they do not share with identifiers;
    /// one that is an identifier as it is stays that.
    void settle();
    /// Of a name that was added.
    const std::string& of(std::string_view name) const { return names_.find(name)->second; }
    /// Names that are alike but for what identifiers cannot have, in groups.
    const std::vector<std::vector<std::string>>& alike() const { return alike_; }

private:
    std::string unused(std::string identifier);

    std::set<std::string, std::less<>> taken_;
    std::map<std::string, std::string, std::less<>> names_;
    std::vector<std::vector<std::string>> alike_;
};

} // namespace hsm::detail::tool
