/// Which kinds of states can have an attribute or an element.
#pragma once

#include <hsm/define/state_base.hpp>

#include <cstddef>
#include <string_view>

namespace hsm::detail {

/// The name of an attribute or an element.
struct allowed_in_xml {
    std::string_view name;
    unsigned kinds;
};

inline std::string_view word_for(state_kind kind) {
    constexpr std::string_view words[] = {"a leaf", "a machine", "a parallel", "a final state", "a choice", "a history state"};
    return words[static_cast<std::size_t>(kind)];
}

} // namespace hsm::detail
