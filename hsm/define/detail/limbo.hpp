/// Where words go that are said to what is part of a chart, where no assertion stops them: to states that no chart knows, and
/// that live as long as this one. Words may come from any thread, as a chart is shared.
#pragma once

#include <hsm/define/state_base.hpp>

#include <mutex>
#include <vector>

namespace hsm::detail {

class limbo {
public:
    /// From now on it is part of a chart.
    void freeze(state_base& s) { s.limbo_ = this; }

    /// A new state, for one word.
    state_base& substitute();
    void keep(owned<state_base> s);

private:
    std::mutex keeping_;
    std::vector<owned<state_base>> kept_;
};

} // namespace hsm::detail
