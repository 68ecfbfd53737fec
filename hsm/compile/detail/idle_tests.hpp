/// Tests that exclude an effect of a tick, for leaves that wait for time (`after`, `every`) as well as for conditions.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>

#include <cstdint>
#include <vector>

namespace hsm::detail {

/// Both tests are of conditions, as in chart_core::idle_tests.
struct timed_idle_test {
    /// Sufficient until the first of its timers is due; if it does not exist, a tick may have any effect.
    idle_test before;
    /// After that, excludes the transitions that wait for these timers; if it does not exist, none of them is excluded.
    idle_test due;
    std::vector<std::uint32_t> timers; ///< empty: no transition waits for time
};

timed_idle_test timed_idle_test_of(const chart_core& core, index leaf);

} // namespace hsm::detail
