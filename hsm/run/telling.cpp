#include <hsm/run/detail/telling.hpp>

#include <hsm/compile/detail/programs.hpp>
#include <hsm/run/detail/conditions.hpp>
#include <hsm/run/detail/memory.hpp>
#include <hsm/run/error.hpp>

#include <algorithm>
#include <iterator>
#include <memory>

namespace hsm::detail {

namespace {

template <class Visit> void each_leaf(const machine& m, const chart_core& core, Visit visit) {
    for (std::size_t r = 0; r < core.regions.size(); ++r)
        if (const auto leaf = region_leaf_of(m, core, r); leaf != no_index && core.states[leaf].kind != state_kind::parallel) visit(leaf);
}

/// Reports the leaves: one in the first record, seven in each further one. Allocates nothing, because failed calls use it.
template <class Tell> void each_record(const machine& m, const chart_core& core, configuration_reason why, Tell tell_one) {
    auto first = no_index;
    std::uint32_t count = 0;
    each_leaf(m, core, [&](index leaf) { first = count++ == 0 ? leaf : first; });
    tell_one({record_kind::configuration, static_cast<std::uint8_t>(why), first, count, static_cast<std::uint64_t>(m.now)});
    std::uint16_t numbers[further_numbers] = {};
    std::size_t seen = 0, filled = 0;
    each_leaf(m, core, [&](index leaf) {
        if (seen++ == 0) return;
        numbers[filled++] = leaf;
        if (filled < further_numbers && seen < count) return;
        tell_one(further_record(numbers, filled));
        std::fill(std::begin(numbers), std::end(numbers), std::uint16_t(0));
        filled = 0;
    });
}

/// Reports the active states to observers that were attached during the call that ends.
void tell_newcomers(const machine& m, const chart_core& core, observation& told) {
    told.begin_call([&](observer_link& link) {
        told.tell_attached(m, link);
        const auto tell_it = [&](const record& r) { told.tell(m, r, link); };
        tell_it(told.call_record(m));
        each_record(m, core, configuration_reason::attached, tell_it);
        tell_it(told.call_end_record(m, 0));
    });
}

/// Switches to the programs that report what they do.
void begin_tracing(machine& m) {
    auto& observed = observed_core_of(m);
    static_cast<chart_core&>(observed) = traced_chart_of(*observed.owner);
    observed.observed = true;
    refer_regions(m, observed);
}

void leave_observed(machine& m) {
    auto* const observed = &observed_core_of(m);
    m.chart = &observed->plain;
    delete observed;
    forget_readiness(m);
    refer_regions(m, core_of(m));
    end_call(m, core_of(m));
}

} // namespace

void forget_readiness(machine& m) noexcept {
    const auto& core = core_of(m);
    const auto* const queues = queues_of(m, core);
    const bool something = queues && (queues->mail || queues->posted.size() > 0);
    if (!something && !has_pulses(m, core)) m.state = static_cast<std::uint8_t>(m.state & ~state_posted);
}

void tell_configuration(const machine& m, const chart_core& core, configuration_reason why) {
    if (core.traced) each_record(m, core, why, [&](const record& r) { tell_record(m, core, r); });
}

void tell_event(const machine& m, const chart_core& core, event_origin origin, std::uint16_t number, const event_ref& event) {
    if (!core.traced) return;
    observation_of(m).event = &event;
    const bool known = number != no_index;
    tell_record(m, core,
                {record_kind::event, static_cast<std::uint8_t>(origin), record::no_state, known ? number : record::no_number,
                 static_cast<std::uint64_t>(event.value)});
}

void tell_dropped(const machine& m, const chart_core& core, drop_reason why, std::uint16_t event) {
    const bool known = event != no_index;
    tell(m, core, {record_kind::dropped, static_cast<std::uint8_t>(why), record::no_state, known ? event : record::no_number, 0});
}

void tell_transition(const machine& m, const chart_core& core, const transition_row* t, reason why, index source, index target) {
    tell(m, core, {record_kind::transition, static_cast<std::uint8_t>(why), source, core.number_of(t) - 1u, target});
}

void tell_error(const machine& m, const chart_core& core) {
    if (!core.traced) return;
    observation_of(m).error_told = true;
    const auto* const note = note_of_hook(m, core);
    const auto kind = note ? note->kind : op_note::still;
    constexpr hook_place places[] = {hook_place::inside, hook_place::entering, hook_place::exiting, hook_place::between, hook_place::outside};
    static_assert(op_note::outside == 4);
    tell_record(m, core, {record_kind::error, static_cast<std::uint8_t>(places[kind]), note ? note->state : no_index, record::no_number, 0});
}

void tell_mail(machine& m, const chart_core& core) {
    auto* const mailbox = core.observed && !is_busy(m) ? mail_of(m, core) : nullptr;
    if (!mailbox || !observation_of(m).by_calls) return;
    mailbox->gather();
    mailbox->each_untold([&](const queued_entry& e, const void* payload) {
        const auto event = core.event_at(core.column_events[e.column], e.has_payload ? payload : &any_named_event);
        tell_input(m, core, {.kind = input_kind::mailed, .event = &event});
    });
}

void let_thrown_go_on(const machine& m) {
    if (!core_of(m).observed || is_busy(m)) return;
    if (const auto thrown = observation_of(m).take_thrown()) std::rethrow_exception(thrown);
}

void observe(machine& m, observer_link* link, std::uint32_t agent, std::uint16_t generation) {
    if (calls::only_looks(m))
        throw usage_error({code::attached_by_guard, core_of(m).root->path(), "a guard, or an observer of this machine, attaches an observer",
                           "attach it elsewhere; these functions must not change the machine"});
    traced_chart_of(*core_of(m).owner); // compile the traced chart now, because this can throw
    const bool is_new = !core_of(m).observed;
    if (is_new) {
        auto observed = std::make_unique<observed_core>(core_of(m));
        observed->told.add(link);
        m.chart = observed.release();
    } else {
        observation_of(m).add(link);
    }
    auto& told = observation_of(m);
    told.agent = agent;
    told.generation = generation;
    if (is_busy(m)) {
        m.work |= work_transient; // only causes the end of the call to complete the attachment
        return;
    }
    if (is_new) begin_tracing(m);
    tell_newcomers(m, core_of(m), told);
    end_call(m, core_of(m));
    make_told_ready(m);
    let_thrown_go_on(m);
}

void begin_told_call(machine& m, call_kind call) {
    auto& told = observation_of(m);
    if (told.in_call) return; // a program's remaining work belongs to the same call
    told.begin_call([](observer_link&) {});
    told.call = call;
    told.error_told = false;
    if (call == call_kind::tick || call == call_kind::update) return; // reported after the clock has advanced
    tell_call(m);
}

void tell_call(const machine& m) {
    if (!core_of(m).traced) return;
    auto& told = observation_of(m);
    told.tell(m, told.call_record(m));
    told.in_call = true;
}

void end_told_call(machine& m, std::uint8_t outcome) noexcept {
    auto& told = observation_of(m);
    if (!core_of(m).traced) // attached in this call
        begin_tracing(m);
    else if (std::exchange(told.in_call, false))
        told.tell(m, told.call_end_record(m, outcome));
    told.call = call_kind::none;
    told.event = nullptr;
    told.straight_event = no_index;
    tell_newcomers(m, core_of(m), told);
    end_call(m, core_of(m));
    make_told_ready(m);
}

result end_observed_call(machine& m, result outcome) {
    end_told_call(m, static_cast<std::uint8_t>(outcome));
    const auto thrown = observation_of(m).take_thrown();
    if (!observation_of(m).has_observers()) leave_observed(m);
    if (thrown) std::rethrow_exception(thrown);
    return outcome;
}

} // namespace hsm::detail
