/// What only some kinds of states can have in a file.
#pragma once

#include <hsm/define/state_base.hpp>

#include <cstddef>
#include <string_view>

namespace hsm::detail {

/// Sets of kinds.
namespace xml_kinds {

constexpr unsigned bit_of(state_kind kind) { return 1u << static_cast<unsigned>(kind); }
constexpr unsigned machines = bit_of(state_kind::machine);
constexpr unsigned parallels = bit_of(state_kind::parallel);
constexpr unsigned composites = machines | parallels;
constexpr unsigned states = composites | bit_of(state_kind::leaf) | bit_of(state_kind::final);
constexpr unsigned finals = bit_of(state_kind::final);
constexpr unsigned choices = bit_of(state_kind::choice);
constexpr unsigned histories = bit_of(state_kind::history);

} // namespace xml_kinds

/// An attribute or an element.
struct allowed_in_xml {
    std::string_view name;
    unsigned kinds;
};

inline std::string_view word_for(state_kind kind) {
    constexpr std::string_view words[] = {"a leaf", "a machine", "a parallel", "a final state", "a choice", "a history state"};
    return words[static_cast<std::size_t>(kind)];
}

} // namespace hsm::detail
