/// The names of hooks and predicates that a class or a local has added. They are not written to files.
#pragma once

#include <hsm/define/detail/erased.hpp>

#include <string>
#include <string_view>

namespace hsm::detail {

/// Returns the name of hooks and predicates that the class of a local has added.
inline std::string mark_of_local(std::size_t number) {
    std::string mark(mark_of_class);
    mark += std::to_string(number);
    return mark;
}
inline bool is_mark(std::string_view name) { return name.starts_with(mark_of_class); }

} // namespace hsm::detail
