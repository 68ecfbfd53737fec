/// The chart of an observed machine: the tables of its chart, programs that report records, and the observers.
///
/// Each observed machine has its own, instead of its chart. If it is attached in a hook, it keeps the chart's own programs until the end of the call.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/op/detail/compiler.hpp>
#include <hsm/op/detail/machine.hpp>
#include <hsm/op/observer.hpp>

#include <bit>
#include <cstddef>
#include <exception>
#include <utility>
#include <vector>

namespace hsm::detail {

/// The connection of an observer to one or more machines. The machines and the user's handle share it; the last of them deletes it.
struct observer_link {
    observer_link(observer& o, record_kinds wanted);
    void detach() noexcept; ///< the observer can be destroyed immediately afterwards

    observer* to; ///< null: detached
    record_buffer* buffer;
    record_kinds kinds;
    bool inputs = false; ///< it is notified of inputs
    unsigned uses = 1;   ///< accessed atomically: several threads can tick agents of a crowd

    static observer_link null_link;
    static record_buffer no_buffer; ///< a buffer without room

private:
    constexpr observer_link() : to(nullptr), buffer(&no_buffer) {}
};
void begin_use(observer_link* link) noexcept;
void end_use(observer_link* link) noexcept;

class observation {
public:
    observation() = default;
    observation(const observation&) = delete;
    ~observation();

    bool wants(record_kind kind) const { return kinds_ >> static_cast<unsigned>(kind) & 1; }
    bool is_notifying() const { return notifying_; }
    bool has_observers() const { return !links_.empty(); }
    /// Adds an observer. It gets no records before the next begin_call.
    void add(observer_link* link);
    /// Adds the observers of another machine that are not detached.
    void add_all(const observation& other);
    /// Call it between two calls: removes detached observers. Calls visit(link) for each new one, which from then on gets records.
    template <class Visit> void begin_call(Visit visit) {
        if (is_settled_ && links_[0].link->to) return;
        forget_detached();
        for (std::size_t i = 0; i < links_.size(); ++i)
            if (std::exchange(links_[i].waits, false)) visit(*links_[i].link);
        update_kinds();
    }
    void trace(const machine& m, const record& r) noexcept {
        if (!wants(r.kind)) return;
        if (auto& to = buffer(); to.next != to.end)
            *to.next++ = r;
        else
            trace_all(m, r);
    }
    /// Reports a record from any place. If no call is in progress, a call begins and ends with it.
    void trace_anywhere(const machine& m, const record& r) noexcept;
    record call_record(const machine& m) const {
        return {record_kind::call, static_cast<std::uint8_t>(call), generation, agent, static_cast<std::uint64_t>(m.now)};
    }
    record call_end_record(const machine& m, std::uint8_t outcome) const {
        return {record_kind::call_end, outcome, generation, agent, static_cast<std::uint64_t>(m.now)};
    }
    /// Report only to this observer: that it is attached, or a record.
    void notify_attached(const machine& m, observer_link& link) noexcept;
    void trace(const machine& m, const record& r, observer_link& link) noexcept;
    void notify_input(const machine& m, const input& what) noexcept;
    /// Returns the buffer of the only observer; a buffer without room if there are several, or if it has none.
    record_buffer& buffer() { return *only_->buffer; }
    /// Returns whether the end of the call must do more: an observer has thrown, or none is left.
    bool wants_end() const { return thrown_ || links_.empty(); }
    std::exception_ptr take_thrown() { return std::exchange(thrown_, nullptr); }

    call_kind call = call_kind::none;      ///< the current call
    bool in_call = false;                  ///< its beginning was reported
    bool error_traced = false;             ///< an error was reported in this call
    bool by_calls = false;                 ///< events never use their program directly: for agents of a crowd, or because inputs are reported
    const event_ref* event = nullptr;      ///< the current event
    event_ref event_made;                  ///< storage for queries
    std::uint16_t direct_event = no_index; ///< the current event by its number, if it used its program directly: its payload is the machine's
    std::uint32_t agent = 0;               ///< in a crowd or a manager
    std::uint16_t generation = 0;

    /// Suppresses all records while it exists.
    class silence {
    public:
        explicit silence(observation* o) : o_(o), kinds_(o ? std::exchange(o->kinds_, 0) : 0) {}
        silence(const silence&) = delete;
        ~silence() {
            if (o_) o_->kinds_ = kinds_;
        }

    private:
        observation* o_;
        std::uint32_t kinds_;
    };

private:
    template <class Call> void notify(Call callback) noexcept;
    void trace_all(const machine& m, const record& r) noexcept;
    void notify_each_of_input(const machine& m, const input& what) noexcept;
    void forget_detached();
    void update_kinds();

    std::uint32_t kinds_ = 0; ///< the kinds that are reported
    bool notifying_ = false;
    bool is_settled_ = false;                         ///< there is one observer, and it gets records
    observer_link* only_ = &observer_link::null_link; ///< the only link; `null_link` unless is_settled_
    struct place {
        observer_link* link;
        bool waits; ///< until the next call
    };
    std::vector<place> links_;
    std::exception_ptr thrown_;
};

struct observed_core : chart_core {
    explicit observed_core(const chart_core& chart) : chart_core(chart), plain(chart) { observed = true; }

    const chart_core& plain; ///< the chart
    observation tracer;
};

/// These functions require an observed machine.
inline observed_core& observed_core_of(const machine& m) { return static_cast<observed_core&>(const_cast<chart_head&>(*m.chart)); }
inline observation& observation_of(const machine& m) { return observed_core_of(m).tracer; }

/// Lets the next event use its program directly, which reports the event.
void use_traced_row(machine& m);

/// Reports a record of a machine, if it is traced. The test is inline. The record is passed by value, so it is constructed after the
/// test.
HSM_NOINLINE HSM_COLD void trace_record(const machine& m, const chart_core& core, record r) noexcept;
inline void trace(const machine& m, const chart_core& core, record r) noexcept {
    if (core.traced) [[unlikely]]
        trace_record(m, core, r);
}

inline void trace_condition(const machine& m, const chart_core& core, std::uint32_t number, condition_step step) noexcept {
    trace(m, core, {record_kind::condition, static_cast<std::uint8_t>(step), record::no_state, number, 0});
}

/// A record in the operands of two consecutive ops.
struct record_words {
    std::uint64_t first, second;
};
constexpr record_words words_of(const record& r) { return std::bit_cast<record_words>(r); }
constexpr record record_of(const record_words& w) { return std::bit_cast<record>(w); }

/// Data of a record that needs more room: 16-bit numbers, or bytes.
inline constexpr std::size_t further_numbers = 7;
record further_record(const std::uint16_t* numbers, std::size_t count);

} // namespace hsm::detail
