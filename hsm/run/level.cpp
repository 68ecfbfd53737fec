// The level of a transition to a history state, which depends on the record.

#include <hsm/run/detail/microstep.hpp>
#include <hsm/vm/detail/history.hpp>

namespace hsm::detail {

namespace {

/// Follows history states without a record to their defaults, which can be history states again. Not recursive: a chain can have thousands.
index follow_defaults(const machine& m, const chart_core& core, index target) {
    while (true) {
        const auto& named = core.states[target];
        if (named.kind != state_kind::history || named.initial.count == 0) return target;
        const auto& otherwise = core.transitions[named.initial.first];
        if (otherwise.more_targets.count > 0 || recorded_for(m, core, target) != 0) return target;
        target = otherwise.target;
    }
}

/// Calls visit(state) for the states to which a target currently leads.
template <class Visit> void each_reached(const machine& m, const chart_core& core, index target, const Visit& visit) {
    target = follow_defaults(m, core, target);
    const auto& named = core.states[target];
    if (named.kind != state_kind::history) return visit(target);
    const auto& outer = core.states[named.superstate];
    const auto recorded = recorded_for(m, core, target);
    if (recorded == 0 && named.initial.count == 0) return visit(target);
    if (recorded == 0) {
        for (const auto further : core.targets_of(core.transitions[named.initial.first])) each_reached(m, core, further, visit);
    } else if (named.history != history_depth::deep) {
        if (outer.kind == state_kind::machine) visit(core.toward(named.superstate, recorded));
        each_region(core, named.superstate, visit);
    } else { // deep: the leaves
        const auto visit_leaf = [&](index leaf) {
            if (leaf != no_index && core.states[leaf].kind != state_kind::parallel) visit(leaf);
        };
        visit_leaf(recorded);
        for (std::uint32_t r = 0; r < outer.regions.count; ++r) visit_leaf(region_records_of(m, core, outer.record)[r]);
    }
}

/// Returns SCXML's transition domain: the innermost machine that contains the source and all states to which the targets lead.
index level_by_record(const machine& m, const chart_core& core, const transition_row& t) {
    auto level = t.level;
    while (true) { // descend while one machine around the source contains all of them
        const auto source = t.source;
        if (level != no_index && source == level) return level;
        auto next = level == no_index ? index(0) : core.toward(level, source);
        while (next != source && core.states[next].kind != state_kind::machine) next = core.toward(next, source);
        if (next == source) return level;
        bool all = true;
        for (const auto target : core.targets_of(t))
            each_reached(m, core, target, [&](index reached) { all &= reached != next && core.contains(next, reached); });
        if (!all) return level;
        level = next;
    }
}

} // namespace

index level_now(const machine& m, const chart_core& core, const transition_row& t) { return t.by_record ? level_by_record(m, core, t) : t.level; }

} // namespace hsm::detail
