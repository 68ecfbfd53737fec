#include <hsm/observe/explain_constant.hpp>

#include <hsm/run/detail/instance_access.hpp>
#include <hsm/vm/detail/completion.hpp>

namespace hsm {

void detail::set_mark(instance_base& agent, std::size_t state, bool over, bool due) {
    auto& m = instance_access::engine_of(agent);
    const auto& core = core_of(m);
    const auto s = static_cast<index>(state);
    if (!over) return clear_mark(m, core, s);
    mark_over(m, core, s);
    if (!due) clear_due(m, core, s);
}

} // namespace hsm
