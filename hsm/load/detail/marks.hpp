/// What operations are called that were not named in the file, but made by a class or a local that was: such a name does not
/// stand in a file.
#pragma once

#include <hsm/define/detail/erased.hpp>

#include <string>
#include <string_view>

namespace hsm::detail {

/// Of the hooks and predicates that the class of a local brought with it.
inline std::string mark_of_local(std::size_t number) {
    std::string mark(mark_of_class);
    mark += std::to_string(number);
    return mark;
}
inline bool is_mark(std::string_view name) { return name.starts_with(mark_of_class); }

} // namespace hsm::detail
