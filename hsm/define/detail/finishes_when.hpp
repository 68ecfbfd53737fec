/// What a file says by <finished>: a state is over as soon as a guard holds after its update. In code a local says it, by `bool finished() const`;
/// this is for definitions that were made from files.
#pragma once

#include <hsm/define/state.hpp>

namespace hsm::detail {

template <class Context, class G> void finishes_when(state<Context>& s, G g, code_place at = {}) {
    auto predicate = condition_reader{s, at, nullptr}.found(static_cast<G&&>(g));
    s.add_predicate(bind_guard<Context, no_event>(std::move(predicate), at));
}

} // namespace hsm::detail
