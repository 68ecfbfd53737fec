#include <hsm/vm/detail/observed.hpp>

#include <hsm/vm/detail/ops.hpp>
#include <hsm/vm/detail/timers.hpp>

#include <atomic>
#include <cstring>

namespace hsm::detail {

void begin_use(observer_link* link) noexcept { std::atomic_ref(link->uses).fetch_add(1, std::memory_order_relaxed); }

void end_use(observer_link* link) noexcept {
    if (std::atomic_ref(link->uses).fetch_sub(1, std::memory_order_acq_rel) == 1) delete link;
}

observation::~observation() {
    for (const auto& each : links_) end_use(each.link);
}

void observation::add(observer_link* link) {
    links_.push_back({link, true});
    begin_use(link);
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
}

void observation::tell(const machine& m, const record& r, observer_link& link) noexcept {
    const bool told_before = std::exchange(telling_, true);
    try {
        if (link.to && link.kinds.has(r.kind)) link.to->on_record(r, moment(m));
    } catch (...) {
        if (!thrown_) thrown_ = std::current_exception();
    }
    telling_ = told_before;
}

void observation::tell(const machine& m, const record& r) noexcept {
    if (!wants(r.kind)) return;
    for (std::size_t i = 0; i < links_.size(); ++i) // meanwhile some may be added
        if (!links_[i].waits) tell(m, r, *links_[i].link);
}

record observation::call_record(const machine& m) const {
    return {record_kind::call, static_cast<std::uint8_t>(call), generation, agent, static_cast<std::uint64_t>(m.now)};
}

record observation::call_end_record(const machine& m, std::uint8_t outcome) const {
    return {record_kind::call_end, outcome, generation, agent, static_cast<std::uint64_t>(m.now)};
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

const op* ops::trace(const op* at, machine& m) {
    const auto r = record_of({at->number, at[1].number});
    auto& told = observation_of(m);
    if (told.wants(r.kind)) {
        m.at = at; // where it is, for who asks
        told.tell(m, r);
    }
    HSM_PROCEED(at + 2);
}

const op* ops::trace_armed(const op* at, machine& m) {
    auto r = record_of({at->number, at[1].number});
    m.at = at;
    r.value = static_cast<std::uint64_t>(due_at(m, core_of(m), r.number));
    observation_of(m).tell(m, r);
    HSM_PROCEED(at + 2);
}

} // namespace hsm::detail
