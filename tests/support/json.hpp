/// A JSON reader that supports what the lists and scripts of the conformance suites use.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace json {

struct value {
    std::string text; ///< of a string; for other values except lists and objects, the text in the file
    std::vector<value> items;
    std::map<std::string, value> members;

    /// Returns an empty value if there is no such member.
    const value& operator[](const std::string& name) const;
    std::vector<std::string> texts() const; ///< of the items
};

/// Throws std::runtime_error.
value load(const std::filesystem::path& file);

} // namespace json
