// The entries of a microstep: by the programs of the states on the way, or, into regions and recorded states, level by level.

#include <hsm/run/detail/microstep.hpp>
#include <hsm/run/detail/tracing.hpp>

#include <hsm/vm/detail/condition_bits.hpp>
#include <hsm/vm/detail/history.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {

void trace_arrived(const machine& m, const chart_core& core, index leaf) { trace(m, core, {record_kind::arrived, 0, leaf, record::no_number, 0}); }

/// The entries of one step. The reason `none` means the reason of the transition.
class entering {
public:
    entering(machine& m, const chart_core& core) : m_(m), core_(core) {}

    /// Continues below a state that stays or was just entered: towards the targets, otherwise by default.
    void into(index s, std::span<const index> targets, reason why);
    /// Continues towards the recorded states of a history target, which can be further inside than the history state.
    void by_record(index level, std::span<const index> targets, reason why);
    void on(program entries);
    void state(index s, reason why);
    /// Below a state that stays: its entry choice or its regions, but not by its own history.
    void again(index s);
    bool is_reported() const { return is_reported_; }

private:
    template <class Visit> void each(index parallel, Visit visit);
    void regions(index parallel, std::span<const index> targets, reason why);
    void fresh_regions(index parallel, std::span<const index> targets, reason why);
    void go_back(std::size_t record, bool deep);
    void follow(std::size_t record, index from, index leaf);
    void follow_regions(std::size_t record, index parallel);
    void follow_region(std::size_t record, index region);

    machine& m_;
    const chart_core& core_;
    bool is_reported_ = false;
};

void entering::state(index s, reason why) {
    if (core_.has_hook_context) m_.hook_context().entered = why;
    run_part(m_, core_, core_.states[s].enter_program);
    set_region_leaf(m_, core_, core_.states[s].region, s);
}

void entering::into(index s, std::span<const index> targets, reason why) {
    if (s == no_index) {
        state(0, why);
        return into(0, targets, why);
    }
    const auto& from = core_.states[s];
    if (from.kind != state_kind::machine && from.kind != state_kind::parallel) return trace_arrived(m_, core_, s);
    const auto inner = std::ranges::find_if(targets, [&](index t) { return t != s && core_.contains(s, t); });
    if (inner != targets.end() && core_.states[*inner].kind == state_kind::history && core_.states[*inner].superstate == s)
        return on(core_.states[*inner].entry_program);
    if (from.kind == state_kind::parallel) return regions(s, inner == targets.end() ? std::span<const index>() : targets, why);
    if (inner == targets.end()) return on(from.entry_program);
    const auto next = core_.toward(s, *inner);
    state(next, why);
    into(next, targets, why);
}

void entering::by_record(index level, std::span<const index> targets, reason why) {
    while (true) { // a default can be another history state
        const auto& history = core_.states[targets.front()];
        const bool inside =
            level != no_index && history.kind == state_kind::history && level != history.superstate && core_.contains(history.superstate, level);
        if (!inside) return into(level, targets, why);
        const auto& outer = core_.states[history.superstate];
        if (const auto recorded = record_of(m_, core_, outer.record)) {
            const auto region = core_.states[level].region;
            return follow(outer.record, level,
                          region == outer.region ? recorded : region_records_of(m_, core_, outer.record)[region - outer.regions.first]);
        }
        const auto& otherwise = core_.transitions[history.initial.first];
        if (core_.has_hook_context) {
            m_.hook_context().entered = reason::entry;
            m_.hook_context().state = outer.node;
        }
        trace_transition(m_, core_, &otherwise, reason::entry, otherwise.source, otherwise.target);
        run_part(m_, core_, otherwise.action_program);
        targets = core_.targets_of(otherwise);
        why = reason::entry;
    }
}

/// Visits the regions. All of them are entered by the same transition, whatever the entry choices inside are.
template <class Visit> void entering::each(index parallel, Visit visit) {
    const auto by = core_.has_over ? entered_by_of(m_, core_).by : 0;
    each_region(core_, parallel, [&](index region) {
        set_entering(m_, core_, by);
        visit(region);
    });
}

/// Enters regions without a target by default. Without any target, they return to their recorded states if the parallel has a history.
void entering::regions(index parallel, std::span<const index> targets, reason why) {
    const auto& entered = core_.states[parallel];
    if (targets.empty() && entered.history != history_depth::none && record_of(m_, core_, entered.record) != 0)
        return follow_regions(entered.record, parallel);
    fresh_regions(parallel, targets, why);
}

void entering::fresh_regions(index parallel, std::span<const index> targets, reason why) {
    each(parallel, [&](index region) {
        const bool on_the_way = std::ranges::any_of(targets, [&](index t) { return core_.contains(region, t); });
        state(region, on_the_way ? why : reason::entry);
        into(region, targets, on_the_way ? why : reason::entry);
    });
}

void entering::again(index s) {
    const auto kind = core_.states[s].kind;
    if (kind == state_kind::machine) return on(core_.states[s].default_program);
    if (kind == state_kind::parallel) return fresh_regions(s, {}, reason::entry);
    trace_arrived(m_, core_, s);
}

/// Runs an entry program. Its code selects how the entry continues.
void entering::on(program entries) {
    const auto code = run_part(m_, core_, entries);
    if (code == static_cast<std::uintptr_t>(result::taken)) {
        is_reported_ = !core_.by_regions;
        return;
    }
    const auto reached = region_step_of(m_, core_).reached;
    const auto handed = region_step_of(m_, core_).handed;
    if (code == code_regions)
        regions(reached, {}, reason::entry);
    else if (code == code_targets)
        into(reached, core_.targets_of(core_.transitions[handed]), reason::entry);
    else if (code == code_record)
        go_back(handed & 0xffff, (handed >> 16) != 0);
}

void entering::go_back(std::size_t record, bool deep) {
    const auto s = core_.history_owners[record];
    if (core_.states[s].kind == state_kind::parallel && deep) return follow_regions(record, s);
    if (core_.states[s].kind == state_kind::parallel)
        return each(s, [&](index region) {
            state(region, reason::history);
            into(region, {}, reason::entry);
        });
    const auto recorded = record_of(m_, core_, record);
    if (deep) return follow(record, s, recorded);
    const auto next = core_.toward(s, recorded);
    state(next, reason::history);
    into(next, {}, reason::entry);
}

/// Enters the states from `from` inwards to a recorded leaf, then those in the regions of that leaf.
void entering::follow(std::size_t record, index from, index leaf) {
    while (from != leaf) {
        from = core_.toward(from, leaf);
        state(from, reason::history);
    }
    if (core_.states[leaf].kind == state_kind::parallel)
        follow_regions(record, leaf);
    else
        into(leaf, {}, reason::entry);
}

void entering::follow_regions(std::size_t record, index parallel) {
    each(parallel, [&](index region) { follow_region(record, region); });
}

void entering::follow_region(std::size_t record, index region) {
    const auto first = core_.states[core_.history_owners[record]].regions.first;
    const auto recorded = region_records_of(m_, core_, record)[core_.states[region].region - first];
    state(region, reason::history);
    if (recorded == no_index)
        into(region, {}, reason::entry);
    else
        follow(record, region, recorded);
}

} // namespace

bool enter_on(machine& m, const chart_core& core, program entries) {
    entering step(m, core);
    step.on(entries);
    return step.is_reported();
}

bool enter_targets(machine& m, const chart_core& core, const enabled_transition& e) {
    entering step(m, core);
    const auto* const t = e.transition;
    const auto& target = core.states[e.target];
    if (!core.by_regions && target.kind == state_kind::leaf && target.superstate == e.level) {
        step.state(e.target, reason::none); // no state between, none inside
        trace_arrived(m, core, e.target);
        return false;
    }
    if (t && t->enter_program)
        step.on(t->enter_program);
    else if (t && t->by_record)
        step.by_record(e.level, {&e.target, 1}, reason::none);
    else if (e.target == e.level)
        step.again(e.level);
    else
        step.into(e.level, t ? core.targets_of(*t) : std::span(&e.target, 1), reason::none);
    return step.is_reported();
}

} // namespace hsm::detail
