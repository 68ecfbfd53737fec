/// Implements <finished> of files: a state is finished once a guard holds after its update. In code, use a local with `bool finished() const`.
#pragma once

#include <hsm/define/state.hpp>

namespace hsm::detail {

template <class Context, class G> void finishes_when(state<Context>& s, G g, call_site at = {}) {
    auto predicate = condition_reader{s, at, nullptr}.found(static_cast<G&&>(g));
    s.add_predicate(bind_guard<Context, no_event>(std::move(predicate), at));
}

} // namespace hsm::detail
