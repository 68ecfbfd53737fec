/// What rules out that anything happens in a tick, where a leaf waits for time as well as for conditions: `after`, `every`.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>

#include <cstdint>
#include <vector>

namespace hsm::detail {

/// Both tests are of conditions, as chart_core::idle_tests.
struct timed_idle_test {
    idle_test before;                  ///< until the first of its timers is due it is all that there is to ask; not known: a tick may do anything
    idle_test due;                     ///< from then on it rules out what has been waiting for them; not known: nothing does
    std::vector<std::uint32_t> timers; ///< none: nothing there waits for time
};

timed_idle_test timed_idle_test_of(const chart_core& core, index leaf);

} // namespace hsm::detail
