/// A state of a constant chart, to which the state_ref arguments of its on_change hooks refer.
#pragma once

#include <hsm/define/state_ref.hpp>

#include <cstdint>
#include <string_view>

namespace hsm::detail {

struct alignas(8) constant_place {
    std::string_view name;
    std::string_view path;
};

/// Returns a reference whose address is odd, unlike those of other states.
inline state_ref ref_to(const constant_place& p) { return state_ref(reinterpret_cast<const state_base*>(reinterpret_cast<std::uintptr_t>(&p) + 1)); }
/// Returns null for a state of an ordinary chart.
inline const constant_place* constant_place_of(const state_base* s) {
    const auto address = reinterpret_cast<std::uintptr_t>(s);
    return address & 1 ? reinterpret_cast<const constant_place*>(address - 1) : nullptr;
}

} // namespace hsm::detail
