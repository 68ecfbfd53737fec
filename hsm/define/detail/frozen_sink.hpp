/// Absorbs definition calls on parts of a chart, in builds without assertions. The calls work on substitute states that no chart contains; these live
/// as long as the sink. All threads may use it, because charts are shared.
#pragma once

#include <hsm/define/state_base.hpp>

#include <mutex>
#include <vector>

namespace hsm::detail {

class frozen_sink {
public:
    /// Marks `s` as part of a chart.
    void freeze(state_base& s) { s.frozen_sink_ = this; }

    /// Returns a new state, for one call.
    state_base& substitute();
    void keep(owned<state_base> s);

private:
    std::mutex keeping_;
    std::vector<owned<state_base>> kept_;
};

} // namespace hsm::detail
