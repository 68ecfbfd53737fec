#include <hsm/vm/detail/change.hpp>

#include <hsm/define/detail/hook_context.hpp>
#include <hsm/vm/detail/active.hpp>

namespace hsm::detail {

void run_on_change(machine& m, const chart_core& core, index level) {
    m.at = in_call();
    auto& context = m.hook_context();
    const auto leaf = region_leaf_of(m, core, level == no_index ? 0 : core.states[level].region);
    context.entered = reason::none;
    context.arrived = leaf == no_index ? nullptr : core.states[leaf].node;
    for (const auto s : core.change_listeners) {
        if (!is_active(m, core, s)) continue;
        const bool around = level != no_index && core.contains(s, level);
        const bool below = (level == no_index || core.contains(level, s)) && region_leaf_of(m, core, core.states[s].region) != s;
        if (around || below) run(core.at(core.states[s].hook_programs.change), m);
    }
    m.at = in_call();
}

} // namespace hsm::detail
