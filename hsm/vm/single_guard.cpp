#include <hsm/vm/detail/single_guard.hpp>

#include <hsm/define/detail/hook_context.hpp>
#include <hsm/vm/detail/block.hpp>
#include <hsm/vm/detail/ops.hpp>

#include <vector>

namespace hsm::detail {

namespace {

/// A guard and its two continuations, as in a program.
class single_guard_program {
public:
    explicit single_guard_program(const guard_row& g) {
        ops_[0] = {g.call, {.self = g.self}};
        ops_[1] = {nullptr, {.target = &ops_[3]}};
        ops_[2] = {&ops::end, {.target = end_with(result::taken)}};
        ops_[3] = {&ops::end, {.target = end_with(result::guarded)}};
    }
    single_guard_program(const single_guard_program&) = delete;

    const op* first() const { return ops_; }

private:
    op ops_[4];
};

/// Returns its locals like assembler::add_local_slots, but at run time.
std::vector<local_slot> slots_from(const chart_core& core, const guard_row& g, index source) {
    std::vector<local_slot> slots;
    for (std::uint32_t i = 0; i < g.local_count; ++i) {
        const auto* const local = core.find_local(source, *g.locals[i]);
        slots.push_back({g.locals[i], local ? static_cast<std::ptrdiff_t>(core.layout.locals + local->offset) : 0});
    }
    return slots;
}

} // namespace

bool agrees(machine& m, const chart_core& core, const guard_row& g, index source) {
    const single_guard_program alone(g);
    const auto slots = slots_from(core, g, source);
    const auto* const before = m.at;
    m.at = alone.first(); // a projection is user code, too
    if (core.has_projections) m.context = core.context_of(source, m.hook_context().root_context);
    if (g.step) m.hook_context().state = core.states[source].node;
    if (g.local_count > 0) m.hook_context().locals = slots.data();
    const bool said = run(alone.first(), m) == static_cast<std::uintptr_t>(result::taken);
    m.at = before;
    return said;
}

} // namespace hsm::detail
