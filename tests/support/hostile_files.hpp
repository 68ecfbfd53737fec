/// Hostile files: each form has a large amount of one kind of content. A file of size n has about twice as much of it as one of n / 2.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace test {

struct hostile_form {
    std::string_view name;
    std::size_t size; ///< for tests
    std::string (*write)(std::size_t size);
};

const std::vector<hostile_form>& hostile_forms();

} // namespace test
