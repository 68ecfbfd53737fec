#include <hsm/vm/detail/observed.hpp>

#include <hsm/op/detail/compiler.hpp>
#include <hsm/vm/detail/choosing.hpp>
#include <hsm/vm/detail/ops.hpp>
#include <hsm/vm/detail/timers.hpp>

#include <bit>
#include <cstring>

namespace hsm::detail {

void begin_use(observer_link* link) noexcept { atomic_view(link->uses).fetch_add<order::relaxed>(1); }

void end_use(observer_link* link) noexcept {
    if (atomic_view(link->uses).fetch_sub<order::acquire_release>(1) == 1) delete link;
}

constinit record_buffer observer_link::no_buffer;
constinit observer_link observer_link::null_link;

observer_link::observer_link(observer& o, record_kinds wanted) : to(&o), buffer(o.buffer()), kinds(wanted), inputs(o.wants_inputs()) {
    if (!buffer) buffer = &no_buffer;
}

void observer_link::detach() noexcept {
    to = nullptr;
    buffer = &no_buffer;
}

observation::~observation() {
    for (const auto& each : links_) end_use(each.link);
}

void observation::add(observer_link* link) {
    links_.push_back({link, true});
    begin_use(link);
    by_calls |= link->inputs;
    is_settled_ = false;
    only_ = &observer_link::null_link;
}

void observation::add_all(const observation& other) {
    for (const auto& each : other.links_)
        if (each.link->to) add(each.link);
    agent = other.agent;
    generation = other.generation;
}

void observation::forget_detached() {
    std::erase_if(links_, [](const place& each) {
        if (each.link->to) return false;
        end_use(each.link);
        return true;
    });
}

void observation::update_kinds() {
    kinds_ = 0;
    for (const auto& each : links_) kinds_ |= each.waits ? 0 : each.link->kinds.bits();
    is_settled_ = links_.size() == 1 && !links_[0].waits;
    only_ = is_settled_ ? links_[0].link : &observer_link::null_link;
}

template <class Call> void observation::notify(Call callback) noexcept {
    const bool was_notifying = std::exchange(notifying_, true);
    try {
        callback();
    } catch (...) {
        if (!thrown_) thrown_ = std::current_exception();
    }
    notifying_ = was_notifying;
}

void observation::trace(const machine& m, const record& r, observer_link& link) noexcept {
    if (!link.to || !link.kinds.has(r.kind)) return;
    notify([&] { link.to->on_record(r, moment(m)); });
}

void observation::notify_attached(const machine& m, observer_link& link) noexcept {
    if (!link.to) return;
    notify([&] { link.to->on_attached(moment(m)); });
}

void observation::notify_input(const machine& m, const input& what) noexcept {
    if (is_settled_) {
        auto& only = *links_[0].link;
        if (!only.inputs || !only.to) return;
        return notify([&] { only.to->on_input(what, moment(m)); });
    }
    notify_each_of_input(m, what);
}

HSM_NOINLINE void observation::notify_each_of_input(const machine& m, const input& what) noexcept {
    for (std::size_t i = 0; i < links_.size(); ++i) {
        auto& link = *links_[i].link;
        if (link.inputs && link.to) notify([&] { link.to->on_input(what, moment(m)); });
    }
}

void observation::trace_all(const machine& m, const record& r) noexcept {
    for (std::size_t i = 0; i < links_.size(); ++i) // links can be added in the loop
        if (!links_[i].waits) trace(m, r, *links_[i].link);
}

void observation::trace_anywhere(const machine& m, const record& r) noexcept {
    if (in_call) return trace(m, r);
    trace(m, call_record(m));
    trace(m, r);
    trace(m, call_end_record(m, 0));
}

void trace_record(const machine& m, const chart_core&, record r) noexcept { observation_of(m).trace_anywhere(m, r); }

record further_record(const std::uint16_t* numbers, std::size_t count) {
    record r;
    r.kind = record_kind::more;
    r.what = static_cast<std::uint8_t>(count);
    auto* const bytes = reinterpret_cast<std::byte*>(&r) + sizeof(r) - further_numbers * sizeof(std::uint16_t);
    std::memcpy(bytes, numbers, further_numbers * sizeof(std::uint16_t));
    return r;
}

namespace {
/// Separate, so that an unwanted record costs one test, and a buffered one little more.
HSM_NOINLINE const op* trace_by_call(const op* at, machine& m) {
    m.at = at; // for queries
    observation_of(m).trace(m, record_of({at->number, at[1].number}));
    HSM_PROCEED(at + 2);
}
} // namespace

const op* ops::trace(const op* at, machine& m) {
    static_assert(std::endian::native == std::endian::little, "the kind of a record is in the lowest byte");
    auto& tracer = observation_of(m);
    if (tracer.wants(static_cast<record_kind>(at->number & 0xff))) {
        auto& to = tracer.buffer();
        auto* const place = to.next;
        if (place == to.end) return trace_by_call(at, m);
        const record_words words = {at->number, at[1].number};
        std::memcpy(static_cast<void*>(place), &words, sizeof(words));
        to.next = place + 1;
    }
    HSM_PROCEED(at + 2);
}

namespace {

record event_record(const machine& m, const chart_core& core, std::uint16_t number) {
    const bool known = number != no_index;
    std::int64_t value = 0;
    if (known)
        if (const auto value_of = core.event_refs[number].type->value) value = value_of(m.payload);
    return {record_kind::event, static_cast<std::uint8_t>(event_origin::call), record::no_state, known ? number : record::no_number,
            static_cast<std::uint64_t>(value)};
}

HSM_NOINLINE void trace_begin_by_call(const machine& m, const chart_core& core, observation& tracer) {
    tracer.trace(m, tracer.call_record(m));
    tracer.trace(m, event_record(m, core, tracer.direct_event));
}
void trace_begin(const machine& m, const chart_core& core, observation& tracer) {
    const bool wants_call = tracer.wants(record_kind::call), wants_event = tracer.wants(record_kind::event);
    auto& to = tracer.buffer();
    if (!wants_call || !wants_event || to.end - to.next < 2) {
        if (wants_call || wants_event) trace_begin_by_call(m, core, tracer);
        return;
    }
    to.next[0] = tracer.call_record(m);
    to.next[1] = event_record(m, core, tracer.direct_event);
    to.next += 2;
}

void trace_end(const machine& m, observation& tracer, std::uintptr_t code) {
    tracer.trace(m, tracer.call_end_record(m, static_cast<std::uint8_t>(code)));
}

} // namespace

const op* ops::traced_event(const op* at, machine& m) {
    const auto& core = core_of(m);
    auto& tracer = observation_of(m);
    m.at = in_call();
    tracer.begin_call([](observer_link&) {});
    tracer.call = call_kind::process;
    tracer.error_traced = false;
    tracer.in_call = true;
    tracer.direct_event = core.column_events[at->number];
    trace_begin(m, core, tracer);
    const auto* const of_leaf = core.row_of(m.leaf)[at->number];
    const auto code = of_leaf ? run(of_leaf, m) : static_cast<std::uintptr_t>(result::unhandled);
    tracer.direct_event = no_index;
    m.row = core.traced_row.data();
    if (tracer.wants_end()) m.work |= work_transient; // the end of the call handles it, although no other work remains
    if (m.work == 0) {
        m.at = in_call();
        trace_end(m, tracer, code);
        tracer.in_call = false;
        tracer.call = call_kind::none;
    }
    m.at = nullptr;
    return end_with(code);
}

void use_traced_row(machine& m) {
    const auto& core = core_of(m);
    if (m.leaf == no_index || m.work != 0 || core.traced_row.empty() || observation_of(m).by_calls) return;
    m.row = core.traced_row.data();
    m.state |= state_posted; // ticks cannot use their program directly
    m.at = nullptr;
}

const op* ops::trace_score(const op* at, machine& m) {
    const auto number = static_cast<std::uint32_t>(at->number);
    const auto score = m.hook_context().score;
    m.at = at;
    observation_of(m).trace(
        m, {record_kind::scored, is_score(score), core_of(m).transitions[number].source, number, std::bit_cast<std::uint64_t>(score)});
    HSM_PROCEED(at + 1);
}

const op* ops::trace_armed(const op* at, machine& m) {
    auto r = record_of({at->number, at[1].number});
    m.at = at;
    r.value = static_cast<std::uint64_t>(due_at(m, core_of(m), r.number));
    observation_of(m).trace(m, r);
    HSM_PROCEED(at + 2);
}

} // namespace hsm::detail
