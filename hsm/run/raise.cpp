#include <hsm/run/detail/raise.hpp>

#include <hsm/run/detail/memory.hpp>
#include <hsm/run/detail/telling.hpp>
#include <hsm/run/error.hpp>

#include <exception>
#include <string>
#include <utility>

namespace hsm::detail {

namespace {

void raise(machine& m, const chart_core& core, std::uint16_t number, std::string_view name, event_data data) {
    const refer_name named(name, std::move(data));
    const event_ref& event = named;
    auto* const queues = require_queues(m, core);
    if (!queues || queues->internal.full()) {
        tell_dropped(m, core, drop_reason::full, number);
        throw queue_error({code::lost_event, core.root->path(),
                           "the event \"" + std::string(name) + "\" cannot be raised: the internal queue is full",
                           "raise instance_options::internal_queue"});
    }
    queues->internal.push(core.to_be_kept(event, number), core.event_columns[number]);
    m.work |= work_internal;
}

void raise_done_of(machine& m, const chart_core& core, index s, event_data data) {
    const auto& row = core.states[s];
    if (row.done != no_index) raise(m, core, row.done, "done.state." + std::string(row.node->done_id()), std::move(data));
}

std::string what_was_thrown() {
    try {
        throw;
    } catch (const std::exception& e) {
        return e.what();
    } catch (...) {
        return "not a std::exception";
    }
}

} // namespace

void raise_done(machine& m, const event_data& data) {
    const auto& core = core_of(m);
    const auto machine_over = core.states[note_of_hook(m, core)->state].superstate;
    raise_done_of(m, core, machine_over, data);
    const auto around = core.states[machine_over].superstate;
    if (around != no_index && core.states[around].kind == state_kind::parallel && is_in_final_now(m, core, around))
        raise_done_of(m, core, around, {});
}

void raise_guard_error(machine& m) {
    const auto& core = core_of(m);
    if (is_asked_only(m, core)) return;
    tell_error(m, core);
    if (core.guard_error == no_index) return;
    raise(m, core, core.guard_error, core.options.guard_error, event_data(what_was_thrown()));
}

} // namespace hsm::detail
