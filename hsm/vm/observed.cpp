#include <hsm/vm/detail/observed.hpp>

#include <hsm/op/detail/compiler.hpp>
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
constinit observer_link observer_link::nobody;

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
    only_ = &observer_link::nobody;
}

void observation::forget_detached() {
    std::erase_if(links_, [](const place& each) {
        if (each.link->to) return false;
        end_use(each.link);
        return true;
    });
}

void observation::note_kinds() {
    kinds_ = 0;
    for (const auto& each : links_) kinds_ |= each.waits ? 0 : each.link->kinds.bits();
    is_settled_ = links_.size() == 1 && !links_[0].waits;
    only_ = is_settled_ ? links_[0].link : &observer_link::nobody;
}

template <class Tell> void observation::tell_by(Tell tell_it) noexcept {
    const bool told_before = std::exchange(telling_, true);
    try {
        tell_it();
    } catch (...) {
        if (!thrown_) thrown_ = std::current_exception();
    }
    telling_ = told_before;
}

void observation::tell(const machine& m, const record& r, observer_link& link) noexcept {
    if (!link.to || !link.kinds.has(r.kind)) return;
    tell_by([&] { link.to->on_record(r, moment(m)); });
}

void observation::tell_attached(const machine& m, observer_link& link) noexcept {
    if (!link.to) return;
    tell_by([&] { link.to->on_attached(moment(m)); });
}

void observation::tell_input(const machine& m, const input& what) noexcept {
    for (std::size_t i = 0; i < links_.size(); ++i) {
        auto& link = *links_[i].link;
        if (link.inputs && link.to) tell_by([&] { link.to->on_input(what, moment(m)); });
    }
}

void observation::tell_all(const machine& m, const record& r) noexcept {
    for (std::size_t i = 0; i < links_.size(); ++i) // links can be added in the loop
        if (!links_[i].waits) tell(m, r, *links_[i].link);
}

void observation::tell_anywhere(const machine& m, const record& r) noexcept {
    if (in_call) return tell(m, r);
    tell(m, call_record(m));
    tell(m, r);
    tell(m, call_end_record(m, 0));
}

void tell_record(const machine& m, const chart_core&, const record& r) noexcept { observation_of(m).tell_anywhere(m, r); }

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
    observation_of(m).tell(m, record_of({at->number, at[1].number}));
    HSM_PROCEED(at + 2);
}
} // namespace

const op* ops::trace(const op* at, machine& m) {
    static_assert(std::endian::native == std::endian::little, "the kind of a record is in the lowest byte");
    auto& told = observation_of(m);
    if (told.wants(static_cast<record_kind>(at->number & 0xff))) {
        auto& to = told.buffer();
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

HSM_NOINLINE void tell_begin_by_call(const machine& m, const chart_core& core, observation& told) {
    told.tell(m, told.call_record(m));
    told.tell(m, event_record(m, core, told.straight_event));
}
void tell_begin(const machine& m, const chart_core& core, observation& told) {
    const bool wants_call = told.wants(record_kind::call), wants_event = told.wants(record_kind::event);
    auto& to = told.buffer();
    if (!wants_call || !wants_event || to.end - to.next < 2) {
        if (wants_call || wants_event) tell_begin_by_call(m, core, told);
        return;
    }
    to.next[0] = told.call_record(m);
    to.next[1] = event_record(m, core, told.straight_event);
    to.next += 2;
}

void tell_end(const machine& m, observation& told, std::uintptr_t code) { told.tell(m, told.call_end_record(m, static_cast<std::uint8_t>(code))); }

} // namespace

const op* ops::told_event(const op* at, machine& m) {
    const auto& core = core_of(m);
    auto& told = observation_of(m);
    m.at = in_call();
    told.begin_call([](observer_link&) {});
    told.call = call_kind::process;
    told.error_told = false;
    told.in_call = true;
    told.straight_event = core.column_events[at->number];
    tell_begin(m, core, told);
    const auto* const of_leaf = core.row_of(m.leaf)[at->number];
    const auto code = of_leaf ? run(of_leaf, m) : static_cast<std::uintptr_t>(result::unhandled);
    told.straight_event = no_index;
    m.row = core.told_row.data();
    if (told.wants_end()) m.work |= work_transient; // the end of the call handles it, although no other work remains
    if (m.work == 0) {
        m.at = in_call();
        tell_end(m, told, code);
        told.in_call = false;
    }
    m.at = nullptr;
    return end_with(code);
}

void make_told_ready(machine& m) {
    const auto& core = core_of(m);
    if (m.leaf == no_index || m.work != 0 || core.told_row.empty() || observation_of(m).by_calls) return;
    m.row = core.told_row.data();
    m.state |= state_posted; // ticks cannot use their program directly
    m.at = nullptr;
}

const op* ops::trace_armed(const op* at, machine& m) {
    auto r = record_of({at->number, at[1].number});
    m.at = at;
    r.value = static_cast<std::uint64_t>(due_at(m, core_of(m), r.number));
    observation_of(m).tell(m, r);
    HSM_PROCEED(at + 2);
}

} // namespace hsm::detail
