/// The chart of a machine that is observed: the tables of its chart, programs that tell what they do, and who is told.
///
/// An observed machine has one of its own, in the place of its chart. While it is attached in a hook it still has the chart's own programs:
/// those that tell come with the end of the call.
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

/// An observer of one machine, or of many. Each of them and the user's handle have a use of it; the last one deletes it.
struct observer_link {
    observer_link(observer& o, record_kinds wanted);
    void detach() noexcept; ///< the observer may be gone at once

    observer* to; ///< null: detached
    record_buffer* buffer;
    record_kinds kinds;
    bool inputs = false; ///< it wants them
    unsigned uses = 1;   ///< changed atomically: agents of a crowd are ticked by several threads

    static observer_link nobody;
    static record_buffer no_buffer; ///< without room

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
    bool is_telling() const { return telling_; }
    bool has_observers() const { return !links_.empty(); }
    /// It waits: see begin_call.
    void add(observer_link* link);
    /// Between two calls: forgets those that have been detached. Those that have waited are told what comes, and first visit(link) is called.
    template <class Visit> void begin_call(Visit visit) {
        if (is_settled_ && links_[0].link->to) return;
        forget_detached();
        for (std::size_t i = 0; i < links_.size(); ++i)
            if (std::exchange(links_[i].waits, false)) visit(*links_[i].link);
        note_kinds();
    }
    void tell(const machine& m, const record& r) noexcept {
        if (!wants(r.kind)) return;
        if (auto& to = buffer(); to.next != to.end)
            *to.next++ = r;
        else
            tell_all(m, r);
    }
    /// The same from wherever it comes: a call begins and ends with it if none is in progress.
    void tell_anywhere(const machine& m, const record& r) noexcept;
    record call_record(const machine& m) const {
        return {record_kind::call, static_cast<std::uint8_t>(call), generation, agent, static_cast<std::uint64_t>(m.now)};
    }
    record call_end_record(const machine& m, std::uint8_t outcome) const {
        return {record_kind::call_end, outcome, generation, agent, static_cast<std::uint64_t>(m.now)};
    }
    /// Only to that one: that it is attached, or a record.
    void tell_attached(const machine& m, observer_link& link) noexcept;
    void tell(const machine& m, const record& r, observer_link& link) noexcept;
    void tell_input(const machine& m, const input& what) noexcept;
    /// Of the only observer; without room if there are several, or if it has none.
    record_buffer& buffer() { return *only_->buffer; }
    /// Has an observer thrown, or is there none left? Then more is to be done when the call ends.
    bool wants_end() const { return thrown_ || links_.empty(); }
    std::exception_ptr take_thrown() { return std::exchange(thrown_, nullptr); }

    call_kind call = call_kind::none;        ///< in progress
    bool in_call = false;                    ///< it has been told
    bool error_told = false;                 ///< in this call
    bool by_calls = false;                   ///< nothing goes straight to programs: of an agent of a crowd, or because inputs are told
    const event_ref* event = nullptr;        ///< that is being handled
    event_ref event_made;                    ///< for who asks
    std::uint16_t straight_event = no_index; ///< the same by its number, if it went straight to its program: its payload is the machine's
    std::uint32_t agent = 0;                 ///< of a crowd or a manager
    std::uint16_t generation = 0;

    /// As long as it exists nothing is told.
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
    template <class Tell> void tell_by(Tell tell_it) noexcept;
    void tell_all(const machine& m, const record& r) noexcept;
    void forget_detached();
    void note_kinds();

    std::uint32_t kinds_ = 0; ///< of all that are told
    bool telling_ = false;
    bool is_settled_ = false;                      ///< there is one link, and nothing waits
    observer_link* only_ = &observer_link::nobody; ///< if it is settled
    struct place {
        observer_link* link;
        bool waits; ///< for the next call
    };
    std::vector<place> links_;
    std::exception_ptr thrown_;
};

struct observed_core : chart_core {
    explicit observed_core(const chart_core& chart) : chart_core(chart), plain(chart) { observed = true; }

    const chart_core& plain; ///< the chart
    observation told;
};

/// Only if it is observed.
inline observed_core& observed_core_of(const machine& m) { return static_cast<observed_core&>(const_cast<chart_head&>(*m.chart)); }
inline observation& observation_of(const machine& m) { return observed_core_of(m).told; }

/// The next event may go to its program at once, which tells of it.
void make_told_ready(machine& m);

/// What a machine tells, if it is traced. (The check stands where it is called, so that it costs nothing more.)
HSM_NOINLINE HSM_COLD void tell_record(const machine& m, const chart_core& core, const record& r) noexcept;
inline void tell(const machine& m, const chart_core& core, const record& r) noexcept {
    if (core.traced) [[unlikely]]
        tell_record(m, core, r);
}

inline void tell_condition(const machine& m, const chart_core& core, std::uint32_t number, condition_step step) noexcept {
    tell(m, core, {record_kind::condition, static_cast<std::uint8_t>(step), record::no_state, number, 0});
}

/// A record in the operands of an op and the one behind it.
struct record_words {
    std::uint64_t first, second;
};
constexpr record_words words_of(const record& r) { return std::bit_cast<record_words>(r); }
constexpr record record_of(const record_words& w) { return std::bit_cast<record>(w); }

/// What a record has no room for: 16-bit numbers, or bytes.
inline constexpr std::size_t further_numbers = 7;
record further_record(const std::uint16_t* numbers, std::size_t count);

} // namespace hsm::detail
