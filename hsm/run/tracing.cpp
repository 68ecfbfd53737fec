#include <hsm/run/detail/tracing.hpp>

#include <hsm/compile/detail/programs.hpp>
#include <hsm/run/detail/conditions.hpp>
#include <hsm/run/detail/memory.hpp>
#include <hsm/run/error.hpp>

#include <algorithm>
#include <iterator>
#include <memory>

namespace hsm::detail {

namespace {

/// Reports the leaves: one in the first record, seven in each further one. Allocates nothing, because failed calls use it.
template <class Visit> void each_record(const machine& m, const chart_core& core, configuration_reason why, Visit visit) {
    auto first = no_index;
    std::uint32_t count = 0;
    each_leaf(m, core, [&](index leaf) { first = count++ == 0 ? leaf : first; });
    visit({record_kind::configuration, static_cast<std::uint8_t>(why), first, count, static_cast<std::uint64_t>(m.now)});
    std::uint16_t numbers[further_numbers] = {};
    std::size_t seen = 0, filled = 0;
    each_leaf(m, core, [&](index leaf) {
        if (seen++ == 0) return;
        numbers[filled++] = leaf;
        if (filled < further_numbers && seen < count) return;
        visit(further_record(numbers, filled));
        std::fill(std::begin(numbers), std::end(numbers), std::uint16_t(0));
        filled = 0;
    });
}

/// Reports the active states to observers that were attached during the call that ends.
void trace_newcomers(const machine& m, const chart_core& core, observation& tracer) {
    tracer.begin_call([&](observer_link& link) {
        tracer.notify_attached(m, link);
        const auto emit = [&](const record& r) { tracer.trace(m, r, link); };
        emit(tracer.call_record(m));
        each_record(m, core, configuration_reason::attached, emit);
        emit(tracer.call_end_record(m, 0));
    });
}

/// Switches to the programs that report what they do.
void begin_tracing(machine& m) {
    auto& observed = observed_core_of(m);
    static_cast<chart_core&>(observed) = traced_chart_of(*observed.owner);
    observed.observed = true;
    update_region_rows(m, observed);
}

/// Reports the active states to new observers, outside calls.
void end_attaching(machine& m) {
    trace_newcomers(m, core_of(m), observation_of(m));
    end_call(m, core_of(m));
    use_traced_row(m);
    rethrow_thrown(m);
}

void restore_plain_chart(machine& m) {
    auto* const observed = &observed_core_of(m);
    m.chart = &observed->plain;
    delete observed;
    undo_traced_row(m);
    update_region_rows(m, core_of(m));
    end_call(m, core_of(m));
}

} // namespace

void undo_traced_row(machine& m) noexcept {
    const auto& core = core_of(m);
    const auto* const queues = queues_of(m, core);
    const bool something = queues && (queues->mail || queues->posted.size() > 0);
    if (!something && !has_pulses(m, core)) m.state = static_cast<std::uint8_t>(m.state & ~state_posted);
}

void trace_configuration(const machine& m, const chart_core& core, configuration_reason why) {
    if (core.traced) each_record(m, core, why, [&](const record& r) { trace_record(m, core, r); });
}

void trace_event(const machine& m, const chart_core& core, event_origin origin, std::uint16_t number, const event_ref& event) {
    if (!core.traced) return;
    observation_of(m).event = &event;
    const bool known = number != no_index;
    trace_record(m, core,
                 {record_kind::event, static_cast<std::uint8_t>(origin), record::no_state, known ? number : record::no_number,
                  static_cast<std::uint64_t>(event.value)});
}

void trace_dropped(const machine& m, const chart_core& core, drop_reason why, std::uint16_t event) {
    const bool known = event != no_index;
    trace(m, core, {record_kind::dropped, static_cast<std::uint8_t>(why), record::no_state, known ? event : record::no_number, 0});
}

void trace_transition(const machine& m, const chart_core& core, const transition_row* t, reason why, index source, index target) {
    trace(m, core, {record_kind::transition, static_cast<std::uint8_t>(why), source, core.number_of(t) - 1u, target});
}

void trace_exception(const machine& m, const chart_core& core) {
    if (!core.traced) return;
    observation_of(m).error_traced = true;
    const auto* const site = current_hook_site(m, core);
    const auto kind = site ? site->kind : hook_site::still;
    constexpr hook_place places[] = {hook_place::inside, hook_place::entering, hook_place::exiting, hook_place::between, hook_place::outside};
    static_assert(hook_site::outside == 4);
    trace_record(m, core, {record_kind::error, static_cast<std::uint8_t>(places[kind]), site ? site->state : no_index, record::no_number, 0});
}

void trace_failure(const machine& m, const chart_core& core) {
    if (core.traced && !observation_of(m).error_traced) trace_exception(m, core);
}

HSM_NOINLINE void notify_new_mail(machine& m, const chart_core& core, mailbox_queue& mailbox) {
    mailbox.gather();
    mailbox.each_unreported([&](const queued_entry& e, const void* payload, std::uint64_t) {
        const auto event = core.event_at(core.column_events[e.column], e.object(payload));
        notify_input(m, core, {.kind = input_kind::mailed, .event = &event});
    });
}

void rethrow_thrown(const machine& m) {
    if (!core_of(m).observed || is_busy(m)) return;
    if (const auto thrown = observation_of(m).take_thrown()) std::rethrow_exception(thrown);
}

void observe(machine& m, observer_link* link, std::uint32_t agent, std::uint16_t generation) {
    if (calls::is_locked(m))
        throw usage_error({code::attached_by_guard, core_of(m).root->path(), "a guard, or an observer of this machine, attaches an observer",
                           "attach it elsewhere; these functions must not change the machine"});
    traced_chart_of(*core_of(m).owner); // compile the traced chart now, because this can throw
    const bool is_new = !core_of(m).observed;
    if (is_new) {
        auto observed = std::make_unique<observed_core>(core_of(m));
        observed->tracer.add(link);
        m.chart = observed.release();
    } else {
        observation_of(m).add(link);
    }
    auto& tracer = observation_of(m);
    tracer.agent = agent;
    tracer.generation = generation;
    if (is_busy(m)) {
        m.work |= work_transient; // only causes the end of the call to complete the attachment
        return;
    }
    if (is_new) begin_tracing(m);
    end_attaching(m);
}

std::unique_ptr<observed_core> observed_like(const machine& from, const chart_core& chart) {
    if (!core_of(from).observed) return nullptr;
    traced_chart_of(*chart.owner);
    auto made = std::make_unique<observed_core>(chart);
    made->tracer.add_all(observation_of(from));
    if (!made->tracer.has_observers()) return nullptr;
    return made;
}

void exchange_charts(engine& m, engine& other, std::unique_ptr<observed_core> observed) {
    if (auto* const before = mail_of(m, core_of(m))) {
        auto& mail = queues_of(other, core_of(other))->mail;
        before->exchange(*mail);
        queues_of(m, core_of(m))->mail.swap(mail);
    }
    if (core_of(m).observed) { // `other` must report nothing when it is destroyed
        const std::unique_ptr<observed_core> before(&observed_core_of(m));
        m.chart = &before->plain;
    }
    std::swap(static_cast<machine&>(m), static_cast<machine&>(other));
    if (!observed) return end_call(m, core_of(m));
    m.chart = observed.release();
    attach_again(m);
}

void attach_again(machine& m) {
    begin_tracing(m);
    end_attaching(m);
}

void begin_traced_call(machine& m, call_kind call) {
    auto& tracer = observation_of(m);
    if (tracer.in_call) return; // a program's remaining work belongs to the same call
    tracer.begin_call([](observer_link&) {});
    tracer.call = call;
    tracer.error_traced = false;
    if (call == call_kind::tick || call == call_kind::update) return; // reported after the clock has advanced
    trace_call(m);
}

void trace_call(const machine& m) {
    if (!core_of(m).traced) return;
    auto& tracer = observation_of(m);
    tracer.trace(m, tracer.call_record(m));
    tracer.in_call = true;
}

void end_traced_call(machine& m, std::uint8_t outcome) noexcept {
    auto& tracer = observation_of(m);
    if (!core_of(m).traced) // attached in this call
        begin_tracing(m);
    else if (std::exchange(tracer.in_call, false))
        tracer.trace(m, tracer.call_end_record(m, outcome));
    tracer.call = call_kind::none;
    tracer.event = nullptr;
    tracer.direct_event = no_index;
    trace_newcomers(m, core_of(m), tracer);
    end_call(m, core_of(m));
    use_traced_row(m);
}

result end_observed_call(machine& m, result outcome) {
    end_traced_call(m, static_cast<std::uint8_t>(outcome));
    const auto thrown = observation_of(m).take_thrown();
    if (!observation_of(m).has_observers()) restore_plain_chart(m);
    if (thrown) std::rethrow_exception(thrown);
    return outcome;
}

} // namespace hsm::detail
