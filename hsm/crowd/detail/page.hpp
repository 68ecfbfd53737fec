/// The columns of 4096 agents. A page never moves, so that what is in it can be pointed to; pages are what workers take.
///
///     rows       what the idle test looks up: the leaf, or `none`, or `parked`
///     bits       conditions 0 .. 61, and two bits of the crowd's own
///     generations
///     dues       of charts with timers that agents wait for: the first moment at which something timed may happen
///     blocks     what a machine of this chart needs besides: times, locals, timers, ... (see block.hpp); often nothing
///     contexts   unless they are the user's
///
/// What few agents have is kept beside the columns: spilled state, for what waits between calls and other odd states.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/compile/detail/idle_tests.hpp>
#include <hsm/crowd/agent_id.hpp>
#include <hsm/crowd/crowd_options.hpp>
#include <hsm/crowd/detail/agent_bits.hpp>
#include <hsm/crowd/detail/event_round.hpp>
#include <hsm/crowd/detail/idle_scan.hpp>
#include <hsm/run/detail/queue_head.hpp>
#include <hsm/vm/detail/observed.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <span>
#include <vector>

namespace hsm::detail {

class agent_slot;

/// Of a leaf whose tick is one update hook, which wants context and time only: agents beside each other are updated in one loop.
struct update_only {
    const hook_row* hook = nullptr;    ///< null: it is none
    const op* at = nullptr;            ///< its op
    const op* section = nullptr;       ///< as machine::section
    const state_base* state = nullptr; ///< whose hook it is
};

/// What agents wait for whose leaf, and what is around it, waits for time; by row.
struct timed_shape {
    timed_shape(const chart_core& core, bool has_column);

    /// When the first of them is due, of an agent with that leaf.
    std::int64_t next_due(const std::byte* block, index leaf) const {
        auto first = never;
        for (const auto& t = of_leaf[leaf]; const auto position : std::span(positions).subspan(t.first, t.count)) {
            const auto due = *reinterpret_cast<const std::int64_t*>(block + position);
            first = due < first ? due : first;
        }
        return first;
    }

    std::vector<timed_idle_test> tests;
    std::vector<span_of> of_leaf;
    std::vector<std::uint32_t> positions; ///< in the block: when a timer is due
};

/// What is the same for all pages of a crowd.
struct crowd_shape {
    /// Stride: of contexts, also if they are the user's; then their size is 0.
    crowd_shape(const chart_core& core, const crowd_options& options, std::size_t context_size, std::size_t context_alignment, std::size_t stride);

    const chart_core& core;
    mutable std::uint64_t lost = 0; ///< posted events that found no room, of all agents; changed atomically
    crowd_options options;
    std::uint32_t states; ///< how many the chart has
    bool has_column;      ///< the first word of the conditions is in a column
    std::size_t row_size; ///< bytes
    std::size_t bit_size;
    std::uint64_t attention; ///< the bit of an agent that must be looked at in every tick
    timed_shape timed;
    bool has_dues; ///< somebody may wait for time: there is a column for that
    idle_tables tables;
    idle_tables due_tables; ///< of those who are due; without rows if nobody ever is
    idle_scan scan;
    due_scan find_due;
    row_scan find_rows;
    std::size_t block_front; ///< bytes before an agent's block
    std::size_t block_size;  ///< with the front; 0: its machine needs none
    std::size_t deferral;    ///< where in the block deferred events are
    std::size_t context_size;
    std::size_t context_alignment;
    std::size_t context_stride;
    std::vector<const op* const*> programs;   ///< by row: machine::row
    std::vector<std::uint8_t> updates;        ///< by row: time passing is something to a machine there
    std::vector<std::uint8_t> decisions_only; ///< by row: its ticks are decisions only, and its leaf is all that it has to keep

    std::vector<update_only> updates_only; ///< by row
    bool seldom_marked;                    ///< no transition asks whether a state is over: if one is, that is spilled state
    bool events_by_row;                    ///< an agent's row says whether it handles an event
    bool plain_events;                     ///< and the row's program is all that there is to it

    std::uint32_t none() const { return states; }        ///< the row of a place without agent
    std::uint32_t parked() const { return none() + 1; }  ///< of one that is not ticked, because it is not active, or over
    std::uint32_t stopped() const { return none() + 2; } ///< the same, of one that has been active
    static constexpr std::uint32_t other_rows = 3;
    std::uint64_t never_set() const { return attention >> 1; } ///< a bit that no agent has
};

/// What of an agent's machine is not in the columns; most agents have nothing of that.
struct spilled_state {
    explicit spilled_state(const crowd_shape& shape);
    spilled_state(const spilled_state&) = delete;
    ~spilled_state();

    index leaf = no_index;
    std::uint8_t work = 0;
    std::uint8_t state = 0;
    bool own_clock = false; ///< its time is not the crowd's
    std::int64_t now = 0;
    // Of a machine without a block:
    std::uint64_t pulses = 0;
    std::uint64_t marks = 0, due = 0;  ///< which states are over
    queue_head* queues;                ///< null: the options want none
    observed_core* observed = nullptr; ///< its chart, if it is observed
    /// Would it have none if it were not observed?
    bool is_plain() const;
    spilled_state* next = nullptr; ///< of those that are spare
    const crowd_shape& shape;
};

/// Which agents of a page have a certain state as their leaf.
struct state_list {
    agent_bits agents{};
    std::uint32_t count = 0;
};

using spilled_table = std::array<spilled_state*, page_agents>; ///< by agent

/// What storing an agent may take. A slot gets it before it loads the agent: afterwards nothing may fail.
struct page_reserve {
    std::unique_ptr<spilled_state> one;
    std::unique_ptr<spilled_table> table;
    std::vector<std::unique_ptr<state_list>> lists; ///< one for each region
};

class page {
public:
    page(const crowd_shape& shape, std::uint32_t number);
    page(const page&) = delete;
    ~page();

    std::uint32_t row(std::uint32_t slot) const {
        return shape_.row_size == 1 ? static_cast<std::uint32_t>(rows_[slot]) : reinterpret_cast<const std::uint16_t*>(rows_)[slot];
    }
    void set_row(std::uint32_t slot, std::uint32_t row) {
        if (shape_.row_size == 1)
            rows_[slot] = static_cast<std::byte>(row);
        else
            reinterpret_cast<std::uint16_t*>(rows_)[slot] = static_cast<std::uint16_t>(row);
    }
    /// As numbers of that size, which is the shape's.
    template <class Row> Row* rows_as() const { return reinterpret_cast<Row*>(rows_); }
    std::uint64_t bits(std::uint32_t slot) const {
        if (shape_.bit_size == 1) return static_cast<std::uint64_t>(bits_[slot]);
        if (shape_.bit_size == 4) return reinterpret_cast<const std::uint32_t*>(bits_)[slot];
        return reinterpret_cast<const std::uint64_t*>(bits_)[slot];
    }
    void set_bits(std::uint32_t slot, std::uint64_t bits) {
        if (shape_.bit_size == 1)
            bits_[slot] = static_cast<std::byte>(bits);
        else if (shape_.bit_size == 4)
            reinterpret_cast<std::uint32_t*>(bits_)[slot] = static_cast<std::uint32_t>(bits);
        else
            reinterpret_cast<std::uint64_t*>(bits_)[slot] = bits;
    }
    std::uint32_t& generation(std::uint32_t slot) const { return generations_[slot]; }
    /// Of a new agent: one that no handle has had.
    void begin_generation(std::uint32_t slot) {
        auto& now = generations_[slot];
        if (issued_ && (*issued_)[slot] > now) now = (*issued_)[slot];
        ++now;
    }
    /// An agent takes two generations, one for itself and one that follows it. When these are at an end, handles would come back to life:
    /// the place is not used any more.
    bool is_used_up(std::uint32_t slot) const {
        return generations_[slot] > last_generation - 2 || (issued_ && (*issued_)[slot] > last_generation - 2);
    }
    static constexpr std::uint32_t last_generation = 0xffff'ffff;
    std::byte* block(std::uint32_t slot) const { return blocks_ + slot * shape_.block_size; } ///< behind its front
    void* context(std::uint32_t slot) const { return contexts_ + slot * shape_.context_stride; }
    void use_contexts(std::byte* begin) { contexts_ = begin; } ///< the user's

    bool has_agent(std::uint32_t slot) const { return row(slot) != shape_.none(); }
    /// Those whose row is one of `first` .. `first + more`, counted around the end of the numbers.
    agent_bits agents_in_rows(std::uint32_t first, std::uint32_t more) const;
    agent_bits agents() const { return agents_in_rows(shape_.none() + 1, (shape_.row_size == 1 ? 0xffu : 0xffffu) - 1); }
    /// Those for whom that test fails.
    agent_bits agents_by(const idle_tables& tables, idle_scan scan) const;
    /// Of the 64 from word * 64 on.
    std::uint64_t agents_in_row(std::uint32_t row, std::uint32_t word) const {
        std::uint64_t found;
        shape_.find_rows(rows_ + word * 64 * shape_.row_size, row, 0, 1, &found);
        return found;
    }
    agent_id id(std::uint32_t slot) const { return {first + slot, generations_[slot]}; }

    /// Behind the agents from that one on that must tick, are in the same row, and have no attention bit.
    std::uint32_t end_of_run(std::uint32_t slot) const;

    /// Only if there is a column for that. `never`: it waits for no time, or is looked at in each tick anyway.
    void set_due(std::uint32_t slot, std::int64_t due) {
        dues_[slot] = due;
        auto& least = earliest()[slot / 64];
        least = due < least ? due : least;
    }
    std::int64_t due(std::uint32_t slot) const { return shape_.has_dues ? dues_[slot] : never; }

    /// Does the idle test rule out that anything happens to it, whatever attention it wants?
    bool is_idle(std::uint32_t slot, std::int64_t now) const;
    /// Those for which the idle test fails, or, if everybody is to be looked at, all, when the clock is at `now`.
    void find_must_tick(agent_bits& found, std::int64_t now);

    /// Has it all that one agent may take here?
    bool is_filled(const page_reserve& r) const {
        return r.one && (spilled_ || r.table) && (!shape_.options.lists || r.lists.size() == shape_.core.regions.size());
    }
    bool may_spill() const { return spilled_ != nullptr; } ///< somebody has had spilled state
    spilled_state* spilled_of(std::uint32_t slot) const { return spilled_ ? (*spilled_)[slot] : nullptr; }
    spilled_state& spill(std::uint32_t slot, page_reserve& r) noexcept;
    void drop_spilled(std::uint32_t slot) noexcept;

    state_list& list(index s, page_reserve& r) noexcept;
    const state_list* list_if_any(index s) const { return lists_[s].get(); } ///< only with crowd_options::lists

    std::uint32_t rate(std::uint32_t slot) const { return rates_.empty() ? shape_.options.decide_every : rates_[slot]; }
    void set_rate(std::uint32_t slot, std::uint16_t rate);
    void reset_rate(std::uint32_t slot) {
        if (!rates_.empty()) rates_[slot] = shape_.options.decide_every;
    }
    /// All that an agent may take anywhere in that crowd.
    static void fill(page_reserve& r, const crowd_shape& shape);
    static std::size_t bytes(const page_reserve& r);
    // Of all agents at once: columns, as far as there are agents, as bytes. Blocks with what stands in front of each.
    std::span<std::byte> row_bytes(std::uint32_t agents) const { return {rows_, agents * shape_.row_size}; }
    std::span<std::byte> bit_bytes(std::uint32_t agents) const { return {bits_, agents * shape_.bit_size}; }
    std::span<std::byte> block_bytes(std::uint32_t agents) const { return {blocks_ - shape_.block_front, agents * shape_.block_size}; }
    std::span<std::byte> context_bytes(std::uint32_t agents) const { return {contexts_, agents * shape_.context_stride}; }
    std::span<std::uint32_t> generations(std::uint32_t agents) const { return {generations_, agents}; }
    std::vector<std::uint16_t>& rates() { return rates_; } ///< empty: all have the usual one
    /// Memory for what is going to be restored: spilled state for so many that have none, and all lists.
    void reserve_for_image(std::uint32_t spilled);
    void clear_lists() noexcept;
    void put_into_list(index s, std::uint32_t slot) noexcept; ///< there is one by now
    /// These have gone back to earlier generations: handles that they have had since stay stale. Null: none has.
    using issued_generations = std::array<std::uint32_t, page_agents>;
    std::unique_ptr<issued_generations>& issued() { return issued_; }
    bool keeps_handles = false; ///< while an image is restored: that has the same ones
    void clear_dues() noexcept;

    bool has_rates() const { return shape_.options.decide_every > 1 || !rates_.empty(); }
    std::size_t bytes() const; ///< of everything that it has

    const std::uint32_t first; ///< the index of its first agent
    std::uint32_t used = 0;    ///< all behind that have never been there
    std::uint32_t alive = 0;
    agent_slot* visits = nullptr; ///< those in which its agents are loaded
    event_round* round = nullptr; ///< the event that goes round

    /// Something was done to an agent that is still to be ticked, or to get an event: it has to be looked at.
    void mark(std::uint32_t slot) {
        if (run && slot > run->at) run->end = run->at + 1;
        if (must_tick && !has_had_turn(slot) && !(newcomers && has_bit(*newcomers, slot))) {
            (*must_tick)[slot / 64] |= bit_of(slot);
            marked = true;
        }
        if (round) round->mark(slot);
    }

    /// In the tick in progress.
    bool has_had_turn(std::uint32_t slot) const {
        if (!had_turn) return slot < next;
        if (among && slot <= run->at && has_bit(*among, slot)) return true;
        return has_bit(*had_turn, slot);
    }
    /// By state: of those of a word.
    void take_turns(std::uint32_t word, std::uint64_t agents) {
        (*must_tick)[word] &= ~agents;
        (*had_turn)[word] |= agents;
    }

    // In a tick.
    agent_bits* must_tick = nullptr;          ///< those that are to be ticked
    std::uint32_t next = 0;                   ///< all before that have been; by state, as far as they are in `turn_of`
    agent_bits* had_turn = nullptr;           ///< by state: those that have been
    index turn_of = 0;                        ///< by state: the state whose turn it is
    bool marked = false;                      ///< something was done to one of those that are still to come
    agent_run* run = nullptr;                 ///< agents that are being updated in one loop
    const agent_bits* among = nullptr;        ///< by state: these
    std::unique_ptr<agent_bits> newcomers;    ///< agents that are ticked from the next one on
    std::unique_ptr<agent_bits> no_newcomers; ///< its memory, while there are none
    agent_bits freed{};                       ///< places of those that were removed
    bool any_freed = false;
    bool waits = false;         ///< for an agent slot: the worker that came had none
    std::exception_ptr failure; ///< of the first agent whose hook threw
    bool fired = false;
    bool to_be_removed = false; ///< the agent before `next`: in a call of its own

private:
    struct free_memory {
        std::align_val_t alignment;
        void operator()(std::byte* memory) const { ::operator delete(memory, alignment); }
    };

    void find_due(agent_bits& found, std::int64_t now);
    std::int64_t* earliest() { return dues_ + page_agents; } ///< of each 64 agents: nobody is due before

    const crowd_shape& shape_;
    std::unique_ptr<std::byte, free_memory> memory_;
    std::byte* rows_;
    std::byte* bits_;
    std::uint32_t* generations_;
    std::int64_t* dues_; ///< null: there is no such column
    std::byte* blocks_;
    std::byte* contexts_;
    std::unique_ptr<spilled_table> spilled_; ///< once somebody has had any
    spilled_state* spare_ = nullptr;
    std::vector<std::unique_ptr<state_list>> lists_;
    std::vector<std::uint16_t> rates_;
    std::unique_ptr<issued_generations> issued_;
};

} // namespace hsm::detail
