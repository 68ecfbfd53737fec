/// Collects the differences of descriptions, up to a limit.
#pragma once

#include <hsm/save/detail/datum.hpp>
#include <hsm/save/difference.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace hsm::detail {

class comparing {
public:
    explicit comparing(std::size_t most) : most_(most) {}

    /// `path` is the position of both values.
    void compare(const std::string& path, const datum& a, const datum& b);
    bool is_full() const { return found_.size() >= most_; }
    std::vector<field_difference> take() { return std::move(found_); }

private:
    void add(std::string path, std::string first, std::string second);
    void compare_objects(const std::string& path, const datum& a, const datum& b);
    void compare_lists(const std::string& path, const datum& a, const datum& b);

    std::size_t most_;
    std::vector<field_difference> found_;
};

} // namespace hsm::detail
