/// Agents of a crowd that have only an update hook to run. One loop, into which the hook is inlined, runs them instead of one op for each agent. A
/// hook that calls its own agent through the crowd interrupts the loop.
#pragma once

#include <hsm/define/time_span.hpp>

#include <cstddef>
#include <cstdint>

namespace hsm::detail {

struct agent_run {
    void* contexts; ///< an array of contexts
    time_span elapsed;
    std::size_t at; ///< initially the first element; then the element whose hook runs or threw
    std::size_t end;
    std::size_t interrupted = 0;           ///< nonzero: the hook of `at` called its own agent, and the loop ends after it
    const std::uint16_t* listed = nullptr; ///< the elements in order, the last is end - 1; null: all from `at` to `end`
};

using run_function = void (*)(const void* self, agent_run& run);

} // namespace hsm::detail
