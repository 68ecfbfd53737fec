/// Agents of a crowd of which an update hook and nothing else is to run: instead of an op for each, one loop into which the hook is
/// inlined. A hook that comes back to its own agent by way of the crowd interrupts it.
#pragma once

#include <hsm/define/time_span.hpp>

#include <cstddef>
#include <cstdint>

namespace hsm::detail {

struct agent_run {
    void* contexts; ///< an array
    time_span elapsed;
    std::size_t at; ///< the element whose hook runs, or threw; the first
    std::size_t end;
    std::size_t interrupted = 0;           ///< behind the element at `at`
    const std::uint16_t* listed = nullptr; ///< the elements one after the other, the last is end - 1; null: all from `at` to `end`
};

using run_function = void (*)(const void* self, agent_run& run);

} // namespace hsm::detail
