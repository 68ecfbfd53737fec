/// The columns of 4096 agents. A page never moves in memory, so pointers into it stay valid. Workers tick whole pages.
///
///     rows         for the idle test: the leaf, or `none`, `parked` or `stopped`
///     bits         conditions 0 .. 61, and two bits of the crowd
///     generations
///     dues         for charts with timers: the first time at which a timer can have an effect
///     blocks       other data that a machine of this chart needs: times, locals, timers, ... (see block.hpp); often none
///     contexts     unless your array contains them
///
/// Few agents also have a spilled state, which is allocated separately. It stores work that waits between calls, and unusual states.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/compile/detail/programs.hpp>
#include <hsm/crowd/agent_id.hpp>
#include <hsm/crowd/crowd_options.hpp>
#include <hsm/crowd/detail/event_round.hpp>
#include <hsm/crowd/detail/idle_scan.hpp>
#include <hsm/define/scores.hpp>
#include <hsm/op/detail/compiler.hpp>
#include <hsm/run/detail/event_queue.hpp>
#include <hsm/run/detail/first_exception.hpp>
#include <hsm/vm/detail/observed.hpp>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <vector>

namespace hsm::detail {

static_assert(page_agents == most_scores);

class agent_slot;

/// For a leaf whose tick is one update hook that takes only the context and the time: adjacent agents are updated in one loop.
struct update_only {
    run_function many = nullptr;       ///< null: the leaf does more
    const void* self = nullptr;        ///< the object of the hook
    const op* at = nullptr;            ///< the hook's op
    const op* section = nullptr;       ///< as machine::section
    const state_base* state = nullptr; ///< the state that has the hook
};

/// The timers that agents wait for, by row: those of the leaf and of the states around it.
struct timed_layout {
    timed_layout(const chart_core& core, bool has_column);

    /// Returns the time at which the first timer of an agent with that leaf is due.
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
    std::vector<std::uint32_t> positions; ///< offsets of due times in the block
};

/// A machine that chooses again, whose candidates have scores for many agents.
struct many_scores {
    index state;
    std::uint32_t due = 0; ///< offset of the time in the block from which it chooses again; 0: in each tick
    struct candidate {
        const hook_row* score; ///< null: none for many agents
        double weight;         ///< 0 with a score
        index goal;
    };
    std::vector<candidate> candidates{}; ///< all
    double stay_bonus = 0;
    bool picks = false; ///< the choice depends on nothing else
};

/// The layout and tables that all pages of a crowd share.
struct crowd_layout {
    /// The stride is that of contexts. For contexts in your array the context size is 0.
    crowd_layout(const chart_core& core, const crowd_options& options, std::size_t context_size, std::size_t context_alignment, std::size_t stride);

    const chart_core& core;
    mutable std::uint64_t lost = 0; ///< posted events of all agents that did not fit; changed atomically
    crowd_options options;
    std::uint32_t states; ///< number of states of the chart
    bool has_column;      ///< the first word of the conditions is in a column
    std::size_t row_size; ///< in bytes
    std::size_t bit_size;
    std::uint64_t attention; ///< the bit of an agent that every tick must visit
    timed_layout timed;
    bool has_dues; ///< agents can wait for time: there is a column of dues
    idle_tables tables;
    idle_tables due_tables; ///< the test of agents that are due; no rows without dues
    idle_scan scan;
    due_scan find_due;
    row_scan find_rows;
    std::size_t block_front; ///< bytes in front of an agent's block
    std::size_t block_size;  ///< including the front; 0: machines need no block
    std::size_t deferral;    ///< offset of deferred events in the block
    std::size_t context_size;
    std::size_t context_alignment;
    std::size_t context_stride;
    std::vector<const op* const*> programs;   ///< by row: machine::row
    std::vector<std::uint8_t> updates;        ///< by row: elapsed time matters to a machine there
    std::vector<std::uint8_t> decisions_only; ///< by row: its ticks only decide, and the leaf is all that must be stored

    std::vector<update_only> updates_only; ///< by row
    std::vector<many_scores> choosers;
    std::vector<std::uint8_t> chooses;     ///< by row: the number of the first of `choosers` that decides there, plus 1; 0: none
    std::vector<std::uint8_t> only_picks;  ///< by row: this choice is all that a tick there does
    std::size_t most_candidates = 0;       ///< of a chooser
    bool seldom_marked;                    ///< no transition depends on finished states, so marks of finished states are spilled
    bool events_by_row;                    ///< an agent's row determines whether it handles an event
    bool plain_events;                     ///< handling an event means running the row's program

    std::size_t size_of_agent() const { return sizeof(std::uint64_t) * 2 + block_size + context_size; } ///< see page::write_agent
    std::uint32_t none() const { return states; }        ///< the row of an empty place
    std::uint32_t parked() const { return none() + 1; }  ///< the row of an agent that is not ticked, because it is inactive or finished
    std::uint32_t stopped() const { return none() + 2; } ///< the same, for an agent that was active before
    static constexpr std::uint32_t other_rows = 3;
    std::uint64_t never_set() const { return attention >> 1; } ///< a bit that no agent has
};

/// The state of an agent's machine that does not fit into the columns. Most agents have none.
struct overflow_state {
    explicit overflow_state(const crowd_layout& layout);
    overflow_state(const overflow_state&) = delete;
    ~overflow_state();

    index leaf = no_index;
    std::uint8_t work = 0;
    std::uint8_t state = 0;
    bool own_clock = false; ///< the agent's clock differs from the crowd's
    std::int64_t now = 0;
    // For machines without a block:
    std::uint64_t pulses = 0;
    std::uint64_t marks = 0, due = 0;  ///< the finished states, and those of which completion is due
    queue_head* queues;                ///< null: the options request none
    observed_core* observed = nullptr; ///< the agent's chart if it is observed
    /// Returns whether the agent needs this only because it is observed.
    bool is_plain() const;
    overflow_state* next = nullptr; ///< in the list of spare ones
    const crowd_layout& layout;
};

/// A value in a block with its front.
struct block_word {
    std::size_t at;
    std::uint64_t value;
};
/// A time in a block, which is copied from another block; as offsets.
struct copied_time {
    std::uint32_t to, from;
};

/// The agents of a page whose leaf is a given state.
struct state_list {
    agent_bits agents{};
    std::uint32_t count = 0;
};

using overflow_table = std::array<overflow_state*, page_agents>; ///< by agent

/// Memory that storing an agent can need. A slot reserves it before it loads the agent, so that nothing fails afterwards.
struct page_reserve {
    std::unique_ptr<overflow_state> one;
    std::unique_ptr<overflow_table> table;
    std::vector<std::unique_ptr<state_list>> lists; ///< one for each region
};

/// Events that agents get when they are next loaded, so that they need no spilled state until then. These agents have the attention bit.
class arriving_events {
public:
    virtual void give(agent_slot& loaded) noexcept = 0;

protected:
    ~arriving_events() = default;
};

class page {
public:
    /// With `like`, copies its rates and refers to its contexts. The page then needs make_columns or take_columns.
    page(const crowd_layout& layout, std::uint32_t number, const page* like = nullptr);
    /// Copies the handles of `like`. The blocks of its agents then have no values yet.
    void make_columns(const page* like);
    bool has_columns() const { return memory_ != nullptr; }
    /// Takes the columns and lists of a page with an equal layout, which then has none. If `rows` is not empty, it contains the new number of
    /// each row. Requires is_in_columns.
    void take_columns(page& from, std::span<const std::uint16_t> rows) noexcept;
    bool is_in_columns() const noexcept; ///< no agent has a spilled state
    /// Adds the numbers of agents to the counts of their rows, and those of unused places to `none`.
    void count_rows(std::span<std::uint32_t> counts) const noexcept;
    page(const page&) = delete;
    ~page();

    std::uint32_t row(std::uint32_t slot) const {
        return layout_.row_size == 1 ? static_cast<std::uint32_t>(rows_[slot]) : reinterpret_cast<const std::uint16_t*>(rows_)[slot];
    }
    void set_row(std::uint32_t slot, std::uint32_t row) {
        if (layout_.row_size == 1)
            rows_[slot] = static_cast<std::byte>(row);
        else
            reinterpret_cast<std::uint16_t*>(rows_)[slot] = static_cast<std::uint16_t>(row);
    }
    /// Row must be the shape's type of row numbers.
    template <class Row> Row* rows_as() const { return reinterpret_cast<Row*>(rows_); }
    std::uint64_t bits(std::uint32_t slot) const {
        if (layout_.bit_size == 1) return static_cast<std::uint64_t>(bits_[slot]);
        if (layout_.bit_size == 4) return reinterpret_cast<const std::uint32_t*>(bits_)[slot];
        return reinterpret_cast<const std::uint64_t*>(bits_)[slot];
    }
    void set_bits(std::uint32_t slot, std::uint64_t bits) {
        if (layout_.bit_size == 1)
            bits_[slot] = static_cast<std::byte>(bits);
        else if (layout_.bit_size == 4)
            reinterpret_cast<std::uint32_t*>(bits_)[slot] = static_cast<std::uint32_t>(bits);
        else
            reinterpret_cast<std::uint64_t*>(bits_)[slot] = bits;
    }
    std::uint32_t& generation(std::uint32_t slot) const { return generations_[slot]; }
    /// Gives a new agent a generation that no handle has had.
    void begin_generation(std::uint32_t slot) {
        auto& now = generations_[slot];
        if (issued_ && (*issued_)[slot] > now) now = (*issued_)[slot];
        ++now;
    }
    /// Returns whether the place must not be used again: an agent takes two generations, its own and the next. After the last generation, old handles
    /// would become valid again.
    bool is_used_up(std::uint32_t slot) const {
        return generations_[slot] > last_generation - 2 || (issued_ && (*issued_)[slot] > last_generation - 2);
    }
    static constexpr std::uint32_t last_generation = 0xffff'ffff;
    std::byte* block(std::uint32_t slot) const { return blocks_ + slot * layout_.block_size; } ///< after its front
    void* context(std::uint32_t slot) const { return contexts_ + slot * layout_.context_stride; }
    void use_contexts(std::byte* begin) { contexts_ = begin; } ///< uses your array
    bool owns_contexts() const { return context_memory_ != nullptr; }
    /// Exchanges the data that does not depend on the chart, with a page that refers to the contexts of this one.
    void exchange_contexts(page& other) noexcept {
        context_memory_.swap(other.context_memory_);
        issued_.swap(other.issued_);
    }

    bool has_agent(std::uint32_t slot) const { return row(slot) != layout_.none(); }
    /// Returns the agents whose row is in `first` .. `first + more`, modulo the range of row numbers.
    agent_bits agents_in_rows(std::uint32_t first, std::uint32_t more) const;
    agent_bits agents() const { return agents_in_rows(layout_.none() + 1, (layout_.row_size == 1 ? 0xffu : 0xffffu) - 1); }
    /// Returns the agents that fail that test.
    agent_bits agents_by(const idle_tables& tables, idle_scan scan) const;
    /// Returns those of the 64 agents from word * 64 on that are in the row.
    std::uint64_t agents_in_row(std::uint32_t row, std::uint32_t word) const {
        std::uint64_t found;
        layout_.find_rows(rows_ + word * 64 * layout_.row_size, row, 0, 1, &found);
        return found;
    }
    agent_id id(std::uint32_t slot) const { return {first + slot, generations_[slot]}; }

    /// Returns whether this agent and those after it, as many as fit into 8 bytes of rows, are in the same row.
    bool are_alike(std::uint32_t slot) const {
        std::uint64_t rows; // for the last agents, it contains a part of the next column
        std::memcpy(&rows, rows_ + slot * layout_.row_size, sizeof rows);
        return rows == std::rotl(rows, 8 * static_cast<int>(layout_.row_size));
    }
    /// Returns the end of the run of agents, beginning at this slot, that must tick, are in the same row, and do not have the attention bit.
    std::uint32_t end_of_run(std::uint32_t slot) const;

    /// Requires has_dues. `never`: the agent does not wait for time, or every tick visits it anyway.
    void set_due(std::uint32_t slot, std::int64_t due) {
        dues_[slot] = due;
        auto& least = earliest()[slot / 64];
        least = due < least ? due : least;
    }
    std::int64_t due(std::uint32_t slot) const { return layout_.has_dues ? dues_[slot] : never; }

    /// Returns whether the idle test rules out a change of the agent, ignoring the attention bit.
    bool is_idle(std::uint32_t slot, std::int64_t now) const;
    /// Finds the agents that fail the idle test when the clock is at `now`.
    void find_must_tick(agent_bits& found, std::int64_t now);

    /// Returns whether the reserve contains all that one agent can need in this page.
    bool is_filled(const page_reserve& r) const {
        return r.one && (overflow_ || r.table) && (!layout_.options.lists || r.lists.size() == layout_.core.regions.size());
    }
    bool has_overflow() const { return overflow_ != nullptr; } ///< an agent has had a spilled state
    overflow_state* overflow_of(std::uint32_t slot) const { return overflow_ ? (*overflow_)[slot] : nullptr; }
    overflow_state& overflow(std::uint32_t slot, page_reserve& r) noexcept;
    void drop_overflow(std::uint32_t slot) noexcept;

    state_list& list(index s, page_reserve& r) noexcept;
    const state_list* list_if_any(index s) const { return lists_[s].get(); } ///< requires crowd_options::lists

    std::uint32_t rate(std::uint32_t slot) const { return rates_.empty() ? layout_.options.decide_every : rates_[slot]; }
    void set_rate(std::uint32_t slot, std::uint16_t rate);
    void reset_rate(std::uint32_t slot) {
        if (!rates_.empty()) rates_[slot] = layout_.options.decide_every;
    }
    /// Fills the reserve with all that an agent can need in any page of the crowd. If this throws, the memory in the reserve remains.
    static void fill(page_reserve& r, const crowd_layout& layout);
    static std::size_t bytes(const page_reserve& r);
    // The columns of the first agents, as bytes. Blocks include the front of each.
    std::span<std::byte> row_bytes(std::uint32_t agents) const { return {rows_, agents * layout_.row_size}; }
    std::span<std::byte> bit_bytes(std::uint32_t agents) const { return {bits_, agents * layout_.bit_size}; }
    std::span<std::byte> block_bytes(std::uint32_t agents) const { return {blocks_ - layout_.block_front, agents * layout_.block_size}; }
    std::span<std::byte> context_bytes(std::uint32_t agents) const { return {contexts_, agents * layout_.context_stride}; }
    std::span<std::uint32_t> generations(std::uint32_t agents) const { return {generations_, agents}; }
    std::vector<std::uint16_t>& rates() { return rates_; } ///< empty: all agents have the crowd's rate
    /// Clears the blocks from `slot` to `end`, because images also contain parts that no agent has used.
    void clear_blocks(std::uint32_t slot, std::uint32_t end) noexcept;
    /// Copies the columns of all agents from a page with an equal layout.
    void copy_columns(const page& from) noexcept;
    /// Gives an agent these columns, with times of the block `old`. `words` are all others of its own block. Its lists must exist.
    void set_agent(std::uint32_t slot, std::uint32_t row, std::uint64_t bits, std::span<const block_word> words, const std::byte* old,
                   std::span<const copied_time> times) noexcept {
        set_row(slot, row);
        set_bits(slot, bits);
        auto* const to = block(slot);
        for (const auto& each : words) std::memcpy(to - layout_.block_front + each.at, &each.value, sizeof each.value);
        for (const auto& each : times) std::memcpy(to + each.to, old + each.from, sizeof(std::int64_t));
        if (row >= layout_.none()) return;
        if (dues_) set_due(slot, layout_.timed.next_due(to, static_cast<index>(row)));
        if (layout_.options.lists) put_into_list(static_cast<index>(row), slot);
    }
    /// Allocates the memory for restoring an image: spilled states for that many agents, and all lists.
    void reserve_for_image(std::uint32_t overflows);
    /// Copies the columns and the context of an agent without a spilled state. Reading does not put it into a list.
    void write_agent(std::uint32_t slot, std::byte* to) const noexcept {
        const std::uint64_t words[] = {row(slot), bits(slot)};
        std::memcpy(to, words, sizeof words);
        if (layout_.block_size > 0) std::memcpy(to + sizeof words, block(slot) - layout_.block_front, layout_.block_size);
        std::memcpy(to + sizeof words + layout_.block_size, context(slot), layout_.context_size);
    }
    void read_agent(std::uint32_t slot, const std::byte* from) noexcept {
        std::uint64_t words[2];
        std::memcpy(words, from, sizeof words);
        set_row(slot, static_cast<std::uint32_t>(words[0]));
        set_bits(slot, words[1]);
        if (layout_.block_size > 0) std::memcpy(block(slot) - layout_.block_front, from + sizeof words, layout_.block_size);
        std::memcpy(context(slot), from + sizeof words + layout_.block_size, layout_.context_size);
    }
    void prefetch(std::uint32_t slot) const {
        HSM_PREFETCH_TO_WRITE(rows_ + slot * layout_.row_size);
        HSM_PREFETCH_TO_WRITE(bits_ + slot * layout_.bit_size);
        HSM_PREFETCH_TO_WRITE(generations_ + slot);
        if (layout_.block_size > 0) HSM_PREFETCH_TO_WRITE(block(slot) - layout_.block_front);
        HSM_PREFETCH_TO_WRITE(context(slot));
    }
    void clear_lists() noexcept;
    void put_into_list(index s, std::uint32_t slot) noexcept; ///< requires that the list exists
    /// The last generations issued, for places that were restored to earlier ones: newer handles stay stale. Null if there are none.
    using issued_generations = std::array<std::uint32_t, page_agents>;
    std::unique_ptr<issued_generations>& issued() { return issued_; }
    bool preserves_handles = false; ///< set while an image is restored: the agents keep their handles
    void clear_dues() noexcept;

    bool has_rates() const { return layout_.options.decide_every > 1 || !rates_.empty(); }
    std::size_t bytes() const; ///< of all memory that it owns

    const std::uint32_t first; ///< the index of its first agent
    std::uint32_t used = 0;    ///< places from this one on have never been used
    std::uint32_t alive = 0;
    agent_slot* visits = nullptr; ///< the slots in which its agents are loaded
    event_round* round = nullptr; ///< the event in progress

    /// Records that an agent was changed. If the tick or event in progress has not yet reached it, it will be visited.
    void mark(std::uint32_t slot) {
        if (run && slot > run->at) run->end = run->at + 1;
        if (must_tick && !was_visited(slot) && !(newcomers && has_bit(*newcomers, slot))) {
            (*must_tick)[slot / 64] |= bit_of(slot);
            marked = true;
        }
        if (round) round->mark(slot);
        if (scored) (*scored)[slot / 64] &= ~bit_of(slot);
    }

    /// Returns whether the tick in progress has already visited the agent.
    bool was_visited(std::uint32_t slot) const {
        if (!visited) return slot < next;
        if (among && slot <= run->at && has_bit(*among, slot)) return true;
        return has_bit(*visited, slot);
    }
    /// Records that these agents of a word were visited. Only for ticks by state.
    void set_visited(std::uint32_t word, std::uint64_t agents) {
        (*must_tick)[word] &= ~agents;
        (*visited)[word] |= agents;
    }

    arriving_events* arriving = nullptr;

    // For the tick in progress.
    agent_bits* scored = nullptr;             ///< agents whose scores were computed, and whose context is unchanged since then
    agent_bits* must_tick = nullptr;          ///< the agents that are still to be ticked
    std::uint32_t next = 0;                   ///< agents before it were visited; in ticks by state: those in state `turn_of`
    agent_bits* visited = nullptr;            ///< in ticks by state: the visited agents
    index turn_of = 0;                        ///< in ticks by state: the state whose agents are visited now
    bool marked = false;                      ///< an agent was changed that the tick has not yet visited
    agent_run* run = nullptr;                 ///< the agents that are updated in one loop
    const agent_bits* among = nullptr;        ///< in ticks by state: the set of these agents
    std::unique_ptr<agent_bits> newcomers;    ///< agents that are ticked from the next tick on
    std::unique_ptr<agent_bits> no_newcomers; ///< keeps the memory of `newcomers` while there are none
    agent_bits freed{};                       ///< the places of removed agents
    bool any_freed = false;
    bool waits = false;      ///< no agent slot was available; the page is ticked at the end
    first_exception failure; ///< of hooks
    bool fired = false;
    bool to_be_removed = false; ///< the agent before `next` was removed by its own hook

private:
    struct free_memory {
        std::align_val_t alignment;
        void operator()(std::byte* memory) const { ::operator delete(memory, alignment); }
    };

    void find_due(agent_bits& found, std::int64_t now);
    std::int64_t* earliest() { return dues_ + page_agents; } ///< for each 64 agents a time before which none is due

    const crowd_layout& layout_;
    std::unique_ptr<std::byte, free_memory> memory_;
    std::unique_ptr<std::byte, free_memory> context_memory_; ///< allocated separately: contexts stay when the chart changes
    std::byte* rows_ = nullptr;
    std::byte* bits_ = nullptr;
    std::uint32_t* generations_;
    std::int64_t* dues_; ///< null: no such column
    std::byte* blocks_;
    std::byte* contexts_;
    std::unique_ptr<overflow_table> overflow_; ///< null until an agent needs it
    overflow_state* spare_ = nullptr;
    std::vector<std::unique_ptr<state_list>> lists_;
    std::vector<std::uint16_t> rates_;
    std::unique_ptr<issued_generations> issued_;
};

} // namespace hsm::detail
