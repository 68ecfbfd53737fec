#include <hsm/vm/detail/enabled.hpp>

#include <hsm/define/detail/hook_context.hpp>
#include <hsm/vm/detail/active.hpp>
#include <hsm/vm/detail/block.hpp>
#include <hsm/vm/detail/choosing.hpp>
#include <hsm/vm/detail/history.hpp>
#include <hsm/vm/detail/ops.hpp>

#include <algorithm>
#include <vector>

namespace hsm::detail {

namespace {

/// The states that a history state means in an active machine.
class history_preview {
public:
    /// `level` is that of the transition that leads there.
    history_preview(machine& m, const chart_core& core, index level) : m_(m), core_(core), level_(level) {}

    bool is_active(index target) const {
        while (true) { // a default can be another history state
            const auto& row = core_.states[target];
            if (row.kind != state_kind::history) return detail::is_active(m_, core_, target);
            if (!detail::is_active(m_, core_, row.superstate)) return false;
            const bool previous = core_.is_previous(target);
            if (previous && previous_of(m_, core_, target) != 0) return false;
            const bool exited = exits(row.superstate);
            if (!previous && exited && has_what_counts(row.superstate)) return true;
            const auto record = core_.states[row.superstate].record;
            if (!previous && !exited && record_of(m_, core_, record) != 0) return record_is_active(record, row);
            if (row.initial.count == 0) return entry_is_active(row.superstate);
            const auto& otherwise = core_.transitions[row.initial.first];
            if (otherwise.more_targets.count > 0) return all_are_active(otherwise);
            target = otherwise.target;
        }
    }

    bool all_are_active(const transition_row& t) const {
        return std::ranges::all_of(core_.targets_of(t), [&](index target) { return is_active(target); });
    }

private:
    bool exits(index machine) const { return level_ != machine && (level_ == no_index || core_.contains(level_, machine)); }

    index leaf_of_region(index s) const { return region_leaf_of(m_, core_, core_.states[s].region); }

    /// Returns whether its exit would make a record, which is then that of the active states.
    bool has_what_counts(index machine) const {
        return core_.states[machine].kind == state_kind::parallel || core_.recorded(machine, leaf_of_region(machine)) != 0;
    }

    bool record_is_active(std::size_t record, const state_row& history) const {
        const auto recorded = record_of(m_, core_, record);
        if (history.history == history_depth::shallow) return detail::is_active(m_, core_, core_.toward(history.superstate, recorded));
        if (!detail::is_active(m_, core_, recorded)) return false;
        const auto* const region_leaves = region_records_of(m_, core_, record);
        const std::uint32_t regions = core_.by_regions ? core_.states[history.superstate].regions.count : 0;
        return std::all_of(region_leaves, region_leaves + regions,
                           [&](index region_leaf) { return region_leaf == no_index || detail::is_active(m_, core_, region_leaf); });
    }

    /// Returns whether the target that the machine's entry choice would select now is active.
    bool entry_is_active(index machine) const {
        struct forget { // a rechoice is another choice
            const history_preview& self;
            explicit forget(const history_preview& p) : self(p) { choose_again(self.m_, self.core_); }
            ~forget() { choose_again(self.m_, self.core_); }
        } const around(*this);
        const auto& row = core_.states[machine];
        if (row.kind == state_kind::parallel) return true;
        for (auto t = row.choices.first; t < row.choices.first + row.choices.count; ++t)
            if (agrees(core_.transitions[t])) return all_are_active(core_.transitions[t]);
        if (row.initial.count) return all_are_active(core_.transitions[row.initial.first]);
        return row.choices.count ? leaf_of_region(machine) == machine : detail::is_active(m_, core_, row.first);
    }

    bool agrees(const transition_row& choice) const {
        if (choice.guard_program == 0) return true;
        const auto* const at = m_.at;
        const auto code = run(core_.at(choice.guard_program), m_);
        m_.at = at;
        return code == static_cast<std::uintptr_t>(result::taken);
    }

    machine& m_;
    const chart_core& core_;
    const index level_;
};

} // namespace

bool is_satisfied(machine& m, const chart_core& core, const transition_row& t) { return history_preview(m, core, t.level).all_are_active(t); }

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
std::vector<local_slot> slots_from(const chart_core& core, const hook_row& g, index source) {
    std::vector<local_slot> slots;
    for (std::uint32_t i = 0; i < g.local_count; ++i) {
        const auto* const local = core.find_local(source, *g.locals[i]);
        slots.push_back({g.locals[i], local ? static_cast<std::ptrdiff_t>(core.layout.locals + local->offset) : 0});
    }
    return slots;
}

} // namespace

std::uintptr_t run_alone(machine& m, const chart_core& core, const hook_row& row, const op* alone, index source) {
    const auto slots = slots_from(core, row, source);
    const auto* const before = m.at;
    m.at = alone; // a projection is user code, too
    if (core.has_projections) m.context = core.context_of(source, m.hook_context().root_context);
    if (row.step) m.hook_context().state = core.states[source].node;
    if (row.local_count > 0) m.hook_context().locals = slots.data();
    const auto code = run(alone, m);
    m.at = before;
    return code;
}

bool agrees(machine& m, const chart_core& core, const guard_row& g, index source) {
    return run_alone(m, core, g, single_guard_program(g).first(), source) == static_cast<std::uintptr_t>(result::taken);
}

} // namespace hsm::detail
