/// A constant instance with an observer. The observer is a part of the instance's type, so instances without an observer have no overhead.
///
///     hsm::recorder seen(1'000);
///     hsm::constant_instance<lamp_chart, hsm::queue<0>, hsm::recorder> agent(desk, seen);
///
/// The observer receives the same records, with the same numbers, as an observer of an instance of hsm::chart_of(lamp_chart). chart_of compiles an
/// ordinary chart at run time. To receive only certain kinds of records, use `hsm::filtered<hsm::recorder, hsm::record_kind::entered,
/// hsm::record_kind::exited>` instead.
///
/// The observer must outlive the instance, and must not call it. Like hooks of constant instances, the observer must not throw: an exception
/// terminates the program.
#pragma once

#include <hsm/constant/constant_instance.hpp>
#include <hsm/constant/constant_view.hpp>
#include <hsm/op/observer.hpp>

namespace hsm {

/// Pass this type as the `Observer` of a constant_instance: the observer then receives only these kinds of records. Without kinds, it receives all
/// records.
template <class Observer, record_kind... Kinds> struct filtered {};

namespace detail {

template <class Observer> struct filter_of {
    using observer_type = Observer;
    static constexpr auto kinds = record_kinds::all();
};
template <class Observer, record_kind... Kinds> struct filter_of<filtered<Observer, Kinds...>> {
    using observer_type = Observer;
    static constexpr auto kinds = sizeof...(Kinds) == 0 ? record_kinds::all() : (record_kinds() | ... | Kinds);
};

template <class Chart, class Observer> struct observed_constant_chart {
    using context_type = typename Chart::context_type;
    using plain = Chart;
    using observer_type = typename filter_of<Observer>::observer_type;
    static constexpr auto kinds = filter_of<Observer>::kinds;
    static constexpr auto order = Chart::order;
    using programming = constant_programming<typename Chart::parts, context_type, Chart::options, kinds.bits()>;
    static constexpr constant_sizes size = {Chart::parts::size, programming::measure()};
    static constexpr auto tables = programming::template make<static_cast<const constant_program_sizes&>(size)>();
};

template <class Chart, class Observer> struct constant_tracer<observed_constant_chart<Chart, Observer>> {
    using chart_type = observed_constant_chart<Chart, Observer>;
    using observer_type = typename chart_type::observer_type;

    void observe_by(observer_type& to) {
        static_assert(Chart::size.regions == 1, "hsm: an instance of a constant chart with regions has no observer: use hsm::compile");
        static_assert(Chart::size.holds == 0, "hsm: an instance of a constant chart with states that hold has no observer: use hsm::compile");
        static_cast<void>(twin()); // compiles the chart, which can throw
        observer_ = std::addressof(to);
        if constexpr (requires { to.on_attached(now()); }) to.on_attached(now());
        trace({record_kind::call, static_cast<std::uint8_t>(call_kind::none), 0, 0, 0});
        trace_configuration(configuration_reason::attached);
        trace({record_kind::call_end, 0, 0, 0, 0});
        if constexpr (requires { to.buffer(); }) buffer_ = to.buffer();
    }
    void trace(const record& r) noexcept {
        if (!chart_type::kinds.has(r.kind)) return;
        if (buffer_ && buffer_->next != buffer_->end)
            *buffer_->next++ = r;
        else
            observer_->on_record(r, now());
    }
    void trace_configuration(configuration_reason why) {
        const auto s = leaf();
        trace({record_kind::configuration, static_cast<std::uint8_t>(why), s, s == no_index ? 0u : 1u, static_cast<std::uint64_t>(self().clock)});
    }
    /// Reports the record. Between calls, reports a call that contains only this record.
    void trace_anywhere(const record& r) {
        if (in_call) return trace(r);
        trace_call(record_kind::call, static_cast<std::uint8_t>(call_kind::none));
        trace(r);
        trace_call(record_kind::call_end, 0);
    }
    void trace_call(record_kind what, std::uint8_t how) { trace({what, how, 0, 0, static_cast<std::uint64_t>(self().clock)}); }
    void trace_event(event_origin from, std::size_t type, const event_ref& e) {
        handled = std::addressof(e);
        trace({record_kind::event, static_cast<std::uint8_t>(from), record::no_state, number_of(type, e.value), static_cast<std::uint64_t>(e.value)});
    }
    /// Reports that an event was deferred, recalled or dropped.
    void trace_waiting(record_kind kind, std::uint8_t what, std::size_t type, std::int64_t value) {
        trace_anywhere({kind, what, record::no_state, number_of(type, value), 0});
    }

    const event_ref* handled = nullptr; ///< the current event
    bool in_call = false;

private:
    struct present {
        detail::constant_moment what;
        operator moment() const { return moment(what); }
    };
    present now() const { return {{std::addressof(twin), leaf(), self().clock, handled}}; }
    const constant_machine<chart_type>& self() const { return *static_cast<const constant_machine<chart_type>*>(this); }
    static const chart_base& twin() { return chart_of(Chart()); }
    index leaf() const {
        const auto rank = self().leaf;
        return rank == constant_machine<chart_type>::none ? no_index : chart_type::tables.leaves[rank].state;
    }
    static std::uint32_t number_of(std::size_t type, std::int64_t value) {
        const auto& t = chart_type::tables;
        if (type == chart_type::size.types) return record::no_number;
        for (auto c = t.types[type].first; c < t.types[type].first + t.types[type].count; ++c)
            if (!t.types[type].has_values || (t.columns[c].first <= value && value <= t.columns[c].last)) return t.event_numbers[c];
        return record::no_number;
    }

    observer_type* observer_ = nullptr;
    record_buffer* buffer_ = nullptr;
};

template <class Core>
    requires requires { typename Core::observer_type; }
struct traced_call<Core> {
    traced_call(Core& c, call_kind what) : core(c) {
        core.in_call = true;
        core.trace_call(record_kind::call, static_cast<std::uint8_t>(what));
    }
    traced_call(const traced_call&) = delete;
    /// Reports a chain_error if the call has not ended.
    ~traced_call() {
        if (!core.in_call) return;
        core.trace({record_kind::error, static_cast<std::uint8_t>(hook_place::inside), record::no_state, record::no_number, 0});
        core.trace_configuration(configuration_reason::aborted);
        finish(record::thrown);
    }
    result ends(result outcome) const {
        finish(static_cast<std::uint8_t>(outcome));
        return outcome;
    }
    Core& core;

private:
    void finish(std::uint8_t how) const {
        core.trace_call(record_kind::call_end, how);
        core.handled = nullptr;
        core.in_call = false;
    }
};

} // namespace detail

template <class Observer, record_kind... Kinds> using told [[deprecated("renamed to filtered")]] = filtered<Observer, Kinds...>;

} // namespace hsm
