/// As much of JSON as the lists and scripts of the conformance suites need.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace json {

struct value {
    std::string text; ///< of a string; of anything that is neither list nor object, as it is written
    std::vector<value> items;
    std::map<std::string, value> members;

    /// An empty value if there is no such member.
    const value& operator[](const std::string& name) const;
    std::vector<std::string> texts() const; ///< of the items
};

/// Throws std::runtime_error.
value load(const std::filesystem::path& file);

} // namespace json
