/// A machine into which agents are loaded one after another. It does everything that the idle test cannot rule out, so a crowd behaves exactly like
/// instances.
///
/// An agent is loaded from the columns, its block and its spilled state, and is stored there again. While it is loaded, calls to it use its slot,
/// and calls to other agents use other slots. A slot reserves all memory that storing can need before it loads an agent: storing never fails.
#pragma once

#include <hsm/crowd/detail/page.hpp>
#include <hsm/define/detail/hook_context.hpp>
#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/memory.hpp>
#include <hsm/run/instance_base.hpp>
#include <hsm/vm/detail/condition_bits.hpp>

#include <span>
#include <utility>
#include <vector>

namespace hsm::detail {

class agent_slot {
public:
    /// The instance has no context, and must outlive the slot.
    agent_slot(const crowd_layout& layout, instance_base& made_for_agents);
    agent_slot(const agent_slot&) = delete;
    ~agent_slot();

    /// Returns whether the machine is the instance of a slot of any crowd. Any thread may call this.
    static bool uses(const engine& m);

    instance_base& machine() const { return machine_; }
    page* where() const { return page_; }
    /// Returns whether the agent is loaded here. If a hook in a loop of updates calls its own agent, this function loads the agent.
    bool holds(std::uint32_t slot) {
        if (updating_ && !page_->run->interrupted) {
            page_->next = static_cast<std::uint32_t>(page_->run->at) + 1;
            if (slot == page_->run->at) load_interrupted();
        }
        return slot == slot_;
    }
    std::uint32_t slot() const { return slot_; }

    /// Reserves the memory that storing an agent of that page, or of any page, can need. May throw; then the loaded agent is unchanged.
    void make_ready(const page& p) {
        if (!p.is_filled(reserve_)) [[unlikely]]
            make_ready();
    }
    void make_ready() { page::fill(reserve_, layout_); }
    std::size_t bytes() const { return page::bytes(reserve_) + scores_.size() * sizeof(double); } ///< of reserved memory

    /// Loads a new agent: inactive, without conditions.
    void load_new(page& p, std::uint32_t slot, std::int64_t now);
    void load(page& p, std::uint32_t slot, std::int64_t now);
    void store(std::int64_t now) noexcept; ///< requires make_ready before the load
    void discard() noexcept;               ///< discards an inactive agent

    result post(const event_ref& event) { return calls::post(engine_, event); }
    /// Returns whether the posted queue of the loaded agent has room.
    bool has_room() const {
        const auto* const queue = posted_queue(engine_, core_of(engine_));
        return queue && !queue->full();
    }
    result process(const event_ref& event) { return calls::process(engine_, event); }
    enum class phase { both, decisions, hooks };
    struct frame {
        std::int64_t now; ///< the clock before the frame
        std::int64_t later;
        std::int64_t elapsed;
        std::uint64_t number; ///< of the tick
        phase what;
    };
    /// Ticks the agents of a page that must tick, by index or by state. Returns true when all are done. Stops after an agent whose hook throws, that
    /// is to be removed, or that has used the reserved memory. If no memory can be reserved, throws and skips one agent.
    bool run(page& p, const frame& f);
    /// Computes the scores of those agents that will choose again before anything changes their contexts. Removes agents that keep their state.
    void compute_scores(page& p, agent_bits& must_tick, const frame& f);
    /// Gives an event to those agents of a page that must handle it. Stops and returns in the same way.
    bool give(page& p, event_round& r);

    void observe(observer_link* link); ///< requires a loaded agent
    /// These functions take the loaded agent's observers away, and give them to a loaded agent that has none.
    observed_core* release_observers() noexcept { return restore_chart(); }
    void take_observers(observed_core* observed);

    bool is_in(std::uint16_t state) const { return is_active_now(engine_, core_of(engine_), state); } ///< of the loaded agent
    bool has_tag(std::size_t number) const { return calls::has_tag(engine_, number); }
    bool is_locked() const { return calls::is_locked(engine_); } ///< a guard of the loaded agent runs

    void remove_after() { stops_ |= removed; } ///< a hook of the loaded agent has removed it
    bool is_removed() const { return stops_ & removed; }
    std::uint32_t calls = 0;     ///< calls to the loaded agent by its own hooks, in progress
    agent_slot* below = nullptr; ///< the next slot in use for the same page, or the next free slot

private:
    /// The bits of a machine's state that the next call depends on.
    static constexpr std::uint8_t special_states = state_posted | state_paused | state_scaled;

    void unload() noexcept;
    void write_back(std::int64_t now) noexcept;
    void select_agent(page& p, std::uint32_t slot);
    void select_context(page& p, std::uint32_t slot);
    void select_block(page& p, std::uint32_t slot);
    void read_columns(std::int64_t now, overflow_state* l);
    void pick(const page& p, const many_scores& c, std::span<const std::uint16_t> slots, agent_bits& must_tick);
    double* scores_of(std::size_t candidate) { return &scores_[(candidate + 1) * page_agents]; }
    bool makes_ready_for_next(page& p, agent_bits& waiting);
    template <class Turns> bool set_visited(page& p, agent_bits& waiting, Turns turns);
    template <class Call> void with_loaded(page& p, std::uint32_t slot, std::int64_t now, std::int64_t later, Call call);
    void give_to(page& p, std::uint32_t slot, event_round& r);
    template <class Row, bool Bare> bool give_each(page& p, event_round& r);
    template <class Row, bool Bare> void give_plain(page& p, std::uint32_t slot, index leaf, event_round& r);
    template <class Row> void write_plain(page& p, std::uint32_t slot, index before, std::uint64_t bits);
    template <bool Timed> bool run_marked(page& p, const frame& f);
    template <bool Timed> bool run_by_state(page& p, const frame& f);
    template <bool Timed> bool run_in_state(page& p, index state, const frame& f);
    template <bool Timed> void visit_in_order(page& p, std::uint32_t slot, std::uint32_t row, const frame& f);
    bool may_update_only(const page& p, std::uint32_t slot, std::uint32_t row, const frame& f) const;
    bool is_update_only(const page& p, std::uint32_t slot, std::uint32_t row) const;
    agent_run run_from(const page& p, const frame& f) const;
    void run_one(page& p, std::uint32_t slot, const frame& f, phase what);
    template <bool Timed> void update_in_order(page& p, std::uint32_t slot, agent_run& agents, const frame& f);
    template <bool Timed, class Loop> void update_run(page& p, agent_run& agents, const frame& f, Loop loop);
    void end_run(page& p, std::uint32_t first, std::size_t end);
    void load_interrupted();
    template <bool Bare = false> void begin_turn(page& p, std::uint32_t slot, std::uint16_t leaf, std::int64_t now);
    void settle(std::int64_t now);
    template <bool Timed> void finish_tick(page& p, std::uint32_t slot, std::uint16_t leaf, const op* from, const frame& f);
    template <bool Timed> void tick_one(page& p, std::uint32_t slot, std::uint32_t row, const frame& f);
    bool is_complete(index before, std::uintptr_t code) const;
    phase phase_of(const page& p, std::uint32_t slot, const frame& f) const;
    void stamp_entries() noexcept;
    void write_columns(std::int64_t now, observed_core* observed) noexcept;
    observed_core* restore_chart() noexcept; ///< null: it was not observed
    /// Requires that the agent's clock is the crowd's.
    void store_due() { page_->set_due(slot_, engine_.leaf == 0xffff ? never : layout_.timed.next_due(engine_.block, engine_.leaf)); }
    bool fits_columns(std::int64_t now) const;
    void list() noexcept;
    bool marks_overflow() const { return layout_.seldom_marked && layout_.block_size == 0; }
    std::uint64_t& marks() const;
    std::uint64_t& due_marks() const;
    void remember_region_leaves();

    const crowd_layout& layout_;
    const chart_core& core_;
    instance_base& machine_;
    engine& engine_;
    std::byte* const own_block_;
    hook_context* const own_hook_context_;
    queue_head* const own_queues_;     ///< those of the instance
    std::vector<index> region_leaves_; ///< the leaves of all regions when the agent was loaded
    queue_head* queues_;               ///< for agents that have none of their own
    const std::uint8_t lasting_;       ///< the bits of machine::state that belong to the instance
    const std::uint64_t column_;       ///< the bits of the column that are conditions
    const bool plain_;                 ///< a tick only runs through the leaf's sections
    page* page_ = nullptr;
    std::uint32_t slot_ = 0;
    page_reserve reserve_;
    bool settled_ = false; ///< the previous agent has no remaining work, so only the data that differs between agents must be loaded
    enum : std::uint8_t { removed = 1, used_up = 2 };
    std::uint8_t stops_ = 0; ///< bits: why the loop over a page's agents stops
    agent_slot* next_slot_ = nullptr; ///< in the list of all slots
    std::vector<double> scores_;  ///< by slot: the number of the picked candidate (-1: unknown), the score of each candidate, the highest score
    agent_bits scored_{};         ///< the agents that have scores
    bool updating_ = false;       ///< agents are updated in a loop
    std::int64_t later_ = 0;      ///< of the current frame
};

/// Runs `turns` for agents of a page. Returns whether it has visited all of them.
template <class Turns> bool agent_slot::set_visited(page& p, agent_bits& waiting, Turns turns) {
    stops_ = 0;
    settled_ = false;
    if (!p.is_filled(reserve_) && !makes_ready_for_next(p, waiting)) return true;
    page_ = &p;
    below = std::exchange(p.visits, this);
    struct unload_at_end {
        agent_slot& self;
        page& p;
        ~unload_at_end() {
            p.to_be_removed = self.is_removed();
            self.unload();
        }
    } const at_the_end{*this, p};
    return turns();
}

inline void agent_slot::select_context(page& p, std::uint32_t slot) {
    engine_.context = p.context(slot);
    if (own_hook_context_) own_hook_context_->root_context = engine_.context;
    slot_ = slot;
}

/// Loads an agent without remaining work. Requires that all agents of this visit to the page have the same clock. Bare: agents have no block and no
/// conditions, and hooks that do not use the hook context.
template <bool Bare> inline void agent_slot::begin_turn(page& p, std::uint32_t slot, index leaf, std::int64_t now) {
    if (!settled_) settle(now);
    if constexpr (Bare) {
        engine_.context = p.context(slot);
        slot_ = slot;
    } else {
        select_context(p, slot);
    }
    if (!Bare && layout_.block_size > 0) select_block(p, slot);
    engine_.leaf = leaf;
    engine_.row = layout_.programs[leaf];
    engine_.shallowest_change = no_index;
    if (!Bare && column_) conditions_of(engine_).bits = p.bits(slot) & column_;
}

/// Loads an agent completely, and stores it even if the call throws.
template <class Call> void agent_slot::with_loaded(page& p, std::uint32_t slot, std::int64_t now, std::int64_t later, Call call) {
    select_agent(p, slot);
    engine_.leaf = static_cast<index>(p.row(slot));
    read_columns(now, p.overflow_of(slot));
    if (layout_.options.lists) remember_region_leaves();
    try {
        call();
    } catch (...) {
        write_back(later);
        throw;
    }
    write_back(later);
}

} // namespace hsm::detail
