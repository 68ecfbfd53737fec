#include <hsm/run/detail/select.hpp>

#include <hsm/run/detail/selecting.hpp>
#include <hsm/vm/detail/leave_requests.hpp>

namespace hsm::detail {

selection::selection(const machine& m, const chart_core& core, kind_of k, std::uint16_t number) : kind(k), event_number(number) {
    found = core.by_regions ? enabled_of(m, core) : &one;
    if (core.by_regions) looked_up = looked_up_of(m, core, false);
}

bool is_enabled(machine& m, const chart_core& core, const transition_row& t) {
    return t.guard_program == 0 || run(core.at(t.guard_program), m) == static_cast<std::uintptr_t>(result::taken);
}

bool must_wait(machine& m, const chart_core& core, const transition_row& t) {
    if (!core.has_holds || t.force || t.target == no_index) return false;
    const auto holder = holder_of(m, core, t.level, t.target);
    const bool waits = holder != no_index && holding_of(m, core).ticking; // only in ticks: after another call nothing would try it again
    if (waits) wait(m, core, core.number_of(&t) - 1, holder);
    if (holder != no_index) request_leave(m, core, holder, core.number_of(&t) - 1);
    return holder != no_index;
}

index holder_of(machine& m, const chart_core& core, const enabled_transition& e) {
    const bool may_wait = core.has_holds && e.target != no_index && !e.transition->force;
    return may_wait ? holder_of(m, core, e.level, e.target) : no_index;
}

bool select(machine& m, const chart_core& core, selection& w) { return select(m, core, w, run_probe()); }

const transition_row* select_alone(machine& m, const chart_core& core, selection::kind_of kind) {
    begin_list(m, core, run_probe());
    return m.leaf == no_index ? nullptr : select_polled_in(m, core, m.leaf, kind, run_probe());
}

namespace {

/// The results for `.always()` transitions of all levels, outermost first.
struct always_bars : level_bars<run_probe> {
    using level_bars<run_probe>::level_bars;
    int depth = -2; ///< of the level that is being tried

    bool visits(const transition_row& t) {
        if (!is_active(m, core, t.source)) return false;
        const int deep = core.depth_of_level(t);
        if (std::exchange(depth, deep) != deep) clear();
        return true;
    }
    bool has_satisfied(const transition_row& t) const { return t.target != no_index && level_bars<run_probe>::has_satisfied(t); }
    bool has_waiting(const transition_row& t) const { return list_bars<run_probe>::has_waiting(t); }
    void note_waiting(const transition_row& t) { list_bars<run_probe>::note_waiting(t); }
    static bool is_unfinished(const transition_row&) { return false; }
};

} // namespace

const transition_row* select_always(machine& m, const chart_core& core) {
    const run_probe probe;
    begin_list(m, core, probe);
    always_bars bars(m, core, probe);
    return select_first(m, core, core.always, bars, probe);
}

const transition_row* select_at_level(machine& m, const chart_core& core, index level) { return select_at_level(m, core, level, run_probe()); }

const transition_row* select_at_level(machine& m, const chart_core& core, index level, index source) {
    return select_at_level(m, core, level, source, run_probe());
}

const transition_row* select_completion(machine& m, const chart_core& core) {
    const run_probe probe;
    if (!core.has_marks) return nullptr;
    for (auto s = next_due(m, core); s != no_index; s = next_due(m, core)) {
        clear_due(m, core, s);
        begin_list(m, core, probe);
        list_bars<run_probe> bars{m, core, probe};
        const auto& span = core.states[s].polled;
        for (auto i = span.first; i < span.first + span.count; ++i) {
            const auto& t = core.transitions[i];
            if (!t.on_finished || bars.has_waiting(t) || !is_enabled(m, core, t)) continue;
            if (!must_wait(m, core, t)) return &t;
            bars.note_waiting(t);
        }
    }
    return nullptr;
}

/// Runs guards, changes nothing. Allocates only if a guard calls can() again.
result preview(machine& m, const chart_core& core, std::uint16_t event_number) {
    if (core.by_regions && region_step_of(m, core).previewing) {
        separate_selection w(m, core, selection::event, event_number);
        return preview(m, core, w, run_probe());
    }
    selection w(m, core, selection::event, event_number);
    if (!core.by_regions) return preview(m, core, w, run_probe());
    struct preview_scope {
        bool& on;
        ~preview_scope() { on = false; }
    } const meanwhile{region_step_of(m, core).previewing = true};
    w.found = preview_of(m, core);
    w.looked_up = looked_up_of(m, core, true);
    return preview(m, core, w, run_probe());
}

} // namespace hsm::detail
