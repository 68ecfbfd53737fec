#include <hsm/run/detail/call.hpp>

#include <hsm/define/detail/assert.hpp>
#include <hsm/define/detail/lookup.hpp>
#include <hsm/define/detail/shown.hpp>
#include <hsm/run/detail/life.hpp>
#include <hsm/run/detail/memory.hpp>
#include <hsm/run/detail/microstep.hpp>
#include <hsm/run/detail/tracing.hpp>
#include <hsm/run/error.hpp>
#include <hsm/vm/detail/completion.hpp>
#include <hsm/vm/detail/deferral.hpp>
#include <hsm/vm/detail/holding.hpp>
#include <hsm/vm/detail/leave_requests.hpp>

#include <algorithm>

namespace hsm::detail {

void begin_call(machine& m) {
    HSM_ASSERT(m.at != displaced() && "hsm: this instance was moved, and so was its context: call rebind(context), or use hsm::actor");
    m.at = in_call();
}

void end_call(machine& m, const chart_core& core) {
    if (core.has_holds) end_waiting(m, core);
    const bool ready = m.leaf != no_index && m.work == 0 && core.straight;
    if (ready) m.row = core.by_regions ? core.dispatch_row.data() : core.row_of(m.leaf);
    m.at = ready ? nullptr : not_ready();
}

void recover(machine& m, const chart_core& core) noexcept {
    const auto* const site = current_hook_site(m, core);
    if (!site) return;
    m.at = in_call();
    if (!site->moves()) return;
    const auto region = site->state == no_index ? index(0) : core.states[site->state].region;
    if (site->kind == hook_site::between) {
        set_region_leaf(m, core, region, site->state);
    } else {
        const auto& moved = core.states[site->state];
        destroy_locals(m, core, site->state, site->kind == hook_site::entering ? site->built : moved.locals.count);
        clear_mark(m, core, site->state);
        end_holding(m, core, site->state);
        if (core.traced && observation_of(m).call != call_kind::set_state)
            trace(m, core, {record_kind::exited, 0, site->state, record::no_number, 0});
        set_region_leaf(m, core, region, site->state == core.regions[region] ? no_index : moved.superstate);
    }
    if (!core.by_regions) mark_changed(m, core, 0, m.leaf == no_index ? 0 : core.states[m.leaf].depth + 1);
}

void call_failed(machine& m, const chart_core& core, bool was_active) noexcept {
    trace_failure(m, core);
    const bool in_step = core.by_regions && is_in_step(m, core);
    recover(m, core);
    if (in_step) abandon_step(m, core);
    clear_work(m, work_transient | work_fired);
    if (core.has_defers) deferral_of(m, core).recall = false;
    if (m.work & work_stop) {
        try {
            stop_now(m, core);
        } catch (...) {
        }
    }
    clear_work(m, work_stop);
    drop_due_requests(m, core);
    if (auto* const queue = internal_queue(m, core); queue && queue->empty()) clear_work(m, work_internal);
    forget_just_entered(m, core);
    if (m.leaf == no_index) drop_events(m, core, was_active);
    if (m.leaf == no_index) m.work = 0;
    trace_configuration(m, core, configuration_reason::aborted);
    if (core_of(m).observed) [[unlikely]] {
        end_traced_call(m, record::thrown);
        observation_of(m).take_thrown(); // the hook's own exception is thrown first
        return;
    }
    end_call(m, core);
}

void handling_failed(machine& m) noexcept { call_failed(m, core_of(m)); }

/// Completes the work that a program left.
result complete_handling(machine& m, result outcome) {
    const auto& core = core_of(m);
    return exclusively(m, core, call_kind::process, [&] {
        run_to_completion(m, core);
        return outcome;
    });
}

bool is_inactive(const machine& m, const chart_core& core) {
    return where(m, core) == no_index ? !is_busy(m) || is_outside_life(m, core) : (m.work & work_over) != 0;
}

bool is_outside_life(const machine& m, const chart_core& core) {
    const auto* const site = current_hook_site(m, core);
    return site && site->kind == hook_site::outside;
}

bool runs_guard(const machine& m, const chart_core& core) {
    const auto* const site = current_hook_site(m, core);
    return site && site->kind == hook_site::still && site->built != 0;
}

bool calls::is_locked(const machine& m) {
    if (core_of(m).traced && observation_of(m).is_notifying()) return true;
    const auto* const site = current_hook_site(m, core_of(m));
    return site && (site->kind == hook_site::still || site->kind == hook_site::between) && site->built != 0;
}

std::uintptr_t run_part(machine& m, const chart_core& core, program part) {
    if (part == 0) return static_cast<std::uintptr_t>(result::unhandled);
    const auto code = run(core.at(part), m);
    end_part(m, core, code);
    return code;
}

void end_part(machine& m, const chart_core& core, std::uintptr_t code) {
    if (code == static_cast<std::uintptr_t>(result::taken) && !core.by_regions) mark_changed(m, core, 0, m.unchanged_depth);
    m.at = in_call();
}

const chart_core& require_chart(const chart_base& chart) {
    if (chart) return chart.core();
    throw usage_error({code::no_chart, "(no chart)", "the chart is empty: it was moved from, or could not be compiled",
                       "do not move the chart, and check the result of try_compile"});
}

namespace {

[[noreturn]] void throw_unknown(const chart_core& core, const state_key& key, const state_base* written_in) {
    const target_spec wanted(key);
    const auto named = core.named_by(key);
    const auto list = [&] { return shown_list(named.size(), [&](std::size_t i) { return core.states[named[i]].node->path(); }); };
    const auto written = '"' + shown_target(wanted, *core.root) + '"';
    if (named.empty())
        throw state_error({code::not_in_chart, core.root->path(), written + " is not a state of this chart", suggestion(*core.root, wanted)});
    if (!written_in || named.size() > 1)
        throw state_error({code::not_in_chart, core.root->path(), written + " names several states", "write one of " + list()});
    throw state_error({code::not_in_chart, core.root->path(),
                       written + " does not name a state that is visible from \"" + shown_path(*written_in) + '"',
                       "hsm searches below that state, then below each of its superstates; write " + list()});
}

} // namespace

index require_state(const chart_core& core, const state_key& key, const state_base* written_in) {
    auto found = chart_core::found_state();
    if (written_in && !key.node) {
        const auto seen = look_up(*written_in, target_spec(key));
        if (seen.found) found = {core.index_of(*seen.found), seen.ambiguous};
    } else {
        found = core.find(key);
    }
    if (found.state == no_index || found.ambiguous) throw_unknown(core, key, written_in);
    return found.state;
}

std::size_t require_tag(const chart_core& core, std::string_view name) {
    const auto found = std::ranges::lower_bound(core.tags, name);
    if (found != core.tags.end() && *found == name) return static_cast<std::size_t>(found - core.tags.begin());
    throw state_error({code::not_in_chart, core.root->path(), "no state of this chart has the tag \"" + shown(name) + '"',
                       suggestion(name, {core.tags.begin(), core.tags.end()})});
}

const state_base& state_of_hook(const machine& m) {
    const auto* const state = m.hook_context().state;
    return state ? *state : *core_of(m).root;
}

} // namespace hsm::detail
