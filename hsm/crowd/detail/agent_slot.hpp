/// The head of a machine that agents take turns in: whatever is to be done with one that the idle test cannot rule out, an instance
/// does it, and so a crowd does exactly what instances do.
///
/// An agent is loaded with what the columns, its block and its spilled state say, and when it is stored they say what has become of it.
/// Meanwhile calls for the same agent go to its slot; those for others take another one. What storing may take, the slot has got before it
/// loads the agent: storing never fails.
#pragma once

#include <hsm/crowd/detail/page.hpp>
#include <hsm/define/detail/hook_context.hpp>
#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/memory.hpp>
#include <hsm/run/instance_base.hpp>
#include <hsm/vm/detail/condition_bits.hpp>

#include <utility>
#include <vector>

namespace hsm::detail {

class agent_slot {
public:
    /// The instance is of nothing, and outlives it.
    agent_slot(const crowd_shape& shape, instance_base& made_for_agents);
    agent_slot(const agent_slot&) = delete;
    ~agent_slot();

    instance_base& machine() const { return machine_; }
    page* where() const { return page_; }
    /// Is that agent of its page loaded here? One of a run that comes back to itself is loaded first.
    bool holds(std::uint32_t slot) {
        if (updating_ && !page_->run->interrupted) {
            page_->next = static_cast<std::uint32_t>(page_->run->at) + 1;
            if (slot == page_->run->at) load_interrupted();
        }
        return slot == slot_;
    }
    std::uint32_t slot() const { return slot_; }

    /// For an agent of that page, or of any. Changes nothing else.
    void make_ready(const page& p) {
        if (!p.is_filled(reserve_)) [[unlikely]]
            make_ready();
    }
    void make_ready() { page::fill(reserve_, shape_); }
    std::size_t bytes() const { return page::bytes(reserve_); } ///< of what it has got

    /// A new agent, inactive, with its conditions cleared.
    void load_new(page& p, std::uint32_t slot, std::int64_t now);
    void load(page& p, std::uint32_t slot, std::int64_t now);
    void store(std::int64_t now) noexcept; ///< only if the agent slot was ready
    void leave_for_good() noexcept;        ///< an inactive agent, of whom nothing is kept

    result post(const event_ref& event) { return calls::post(engine_, event); }
    /// The one that is loaded, for one more posted event.
    bool has_room() const {
        const auto* const queue = posted_queue(engine_, core_of(engine_));
        return queue && !queue->full();
    }
    result process(const event_ref& event) { return calls::process(engine_, event); }
    enum class phase { both, decisions, hooks };
    struct frame {
        std::int64_t now; ///< before
        std::int64_t later;
        std::int64_t elapsed;
        std::uint64_t number; ///< of the tick
        phase what;
    };
    /// The page's agents that must tick, by index or by state. True: that was all. It stops behind one whose hook throws, behind one that is to be
    /// removed, and behind one that has taken what the agent slot had got. If no more can be got, it throws and passes over one.
    bool run(page& p, const frame& f);
    /// The same for those who are to be looked at when an event goes round.
    bool give(page& p, event_round& r);

    void observe(observer_link* link); ///< the one that is loaded
    /// The same: its observers, as they are kept between calls. The second gives them to an agent that has none.
    observed_core* let_go_observers() noexcept { return give_chart_back(); }
    void take_observers(observed_core* observed);

    bool is_in(std::uint16_t state) const { return is_active_now(engine_, core_of(engine_), state); } ///< the one that is loaded
    bool only_looks() const { return calls::only_looks(engine_); }                                    ///< a guard of his runs

    void remove_after() { stops_ |= removed; } ///< it was removed in a call of its own
    bool is_removed() const { return stops_ & removed; }
    std::uint32_t calls = 0;     ///< to the agent that is loaded, from its own hooks
    agent_slot* below = nullptr; ///< of the same page, or in the crowd's list of free ones

private:
    /// What a call leaves in a machine's state that matters to the next one.
    static constexpr std::uint8_t odd_states = state_posted | state_paused | state_scaled;

    void leave_empty() noexcept;
    void write_back(std::int64_t now) noexcept;
    void select_agent(page& p, std::uint32_t slot);
    void select_context(page& p, std::uint32_t slot);
    void select_block(page& p, std::uint32_t slot);
    void read_columns(std::int64_t now, spilled_state* l);
    bool makes_ready_for_next(page& p, agent_bits& waiting);
    template <class Turns> bool take_turns(page& p, agent_bits& waiting, Turns turns);
    template <class Call> void with_loaded(page& p, std::uint32_t slot, std::int64_t now, std::int64_t later, Call call);
    void give_to(page& p, std::uint32_t slot, event_round& r);
    template <class Row, bool Bare> bool give_each(page& p, event_round& r);
    template <class Row, bool Bare> void give_plain(page& p, std::uint32_t slot, index leaf, event_round& r);
    template <class Row> void keep_plain(page& p, std::uint32_t slot, index before, std::uint64_t bits);
    template <bool Timed> bool run_marked(page& p, const frame& f);
    template <bool Timed> bool run_by_state(page& p, const frame& f);
    template <bool Timed> bool run_in_state(page& p, index state, const frame& f);
    template <bool Timed> void have_turn(page& p, std::uint32_t slot, std::uint32_t row, const frame& f);
    bool may_update_only(const page& p, std::uint32_t slot, std::uint32_t row, const frame& f) const;
    agent_run run_from(const page& p, std::uint32_t slot, std::uint32_t end, const frame& f) const;
    void run_one(page& p, std::uint32_t slot, const frame& f, phase what);
    template <bool Timed> std::uint32_t update_run(page& p, agent_run agents, std::uint32_t row, const frame& f);
    void load_interrupted();
    template <bool Bare = false> void begin_turn(page& p, std::uint32_t slot, std::uint16_t leaf, std::int64_t now);
    void settle(std::int64_t now);
    template <bool Timed> void finish_tick(page& p, std::uint32_t slot, std::uint16_t leaf, const op* from, const frame& f);
    template <bool Timed> void tick_one(page& p, std::uint32_t slot, std::uint32_t row, const frame& f);
    bool is_complete(index before, std::uintptr_t code) const;
    phase phase_of(const page& p, std::uint32_t slot, const frame& f) const;
    void note_entries() noexcept;
    void write_columns(std::int64_t now, observed_core* observed) noexcept;
    observed_core* give_chart_back() noexcept; ///< null: it is not observed
    /// Of one whose clock is the crowd's.
    void note_due() { page_->set_due(slot_, engine_.leaf == 0xffff ? never : shape_.timed.next_due(engine_.block, engine_.leaf)); }
    bool fits_columns(std::int64_t now) const;
    void list() noexcept;
    bool spills_marks() const { return shape_.seldom_marked && shape_.block_size == 0; }
    std::uint64_t& marks() const;
    std::uint64_t& due_marks() const;
    void remember_region_leaves();

    const crowd_shape& shape_;
    const chart_core& core_;
    instance_base& machine_;
    engine& engine_;
    std::byte* const own_block_;
    hook_context* const own_hook_context_;
    queue_head* const own_queues_;     ///< the instance's
    std::vector<index> region_leaves_; ///< of all regions, before
    queue_head* queues_;               ///< for agents that have none
    const std::uint8_t lasting_;       ///< bits of machine::state that are the instance's
    const std::uint64_t column_;       ///< of the bits: the conditions
    const bool plain_;                 ///< a tick is one run through the leaf's sections
    page* page_ = nullptr;
    std::uint32_t slot_ = 0;
    page_reserve reserve_;
    bool settled_ = false; ///< the agent before had nothing left over: only what differs from one to the next need be loaded
    enum : std::uint8_t { removed = 1, used_up = 2 };
    std::uint8_t stops_ = 0; ///< bits: why a page's agents are not gone on with
    // While agents are updated in one loop.
    const update_only* updating_ = nullptr;
    std::int64_t later_ = 0;
};

/// Agents of a page, one after the other, as long as nothing stops it: `turns` says whether that was all.
template <class Turns> bool agent_slot::take_turns(page& p, agent_bits& waiting, Turns turns) {
    stops_ = 0;
    settled_ = false;
    if (!p.is_filled(reserve_) && !makes_ready_for_next(p, waiting)) return true;
    page_ = &p;
    below = std::exchange(p.visits, this);
    struct leaving {
        agent_slot& self;
        page& p;
        ~leaving() {
            p.to_be_removed = self.is_removed();
            self.leave_empty();
        }
    } const at_the_end{*this, p};
    return turns();
}

inline void agent_slot::select_context(page& p, std::uint32_t slot) {
    engine_.context = p.context(slot);
    if (own_hook_context_) own_hook_context_->root_context = engine_.context;
    slot_ = slot;
}

/// An agent with nothing left over from before. In one visit to a page, whose agents all have the same time. Bare: it has no block, no
/// conditions, and hooks that ask for nothing.
template <bool Bare> inline void agent_slot::begin_turn(page& p, std::uint32_t slot, index leaf, std::int64_t now) {
    if (!settled_) settle(now);
    if constexpr (Bare) {
        engine_.context = p.context(slot);
        slot_ = slot;
    } else {
        select_context(p, slot);
    }
    if (!Bare && shape_.block_size > 0) select_block(p, slot);
    engine_.leaf = leaf;
    engine_.row = shape_.programs[leaf];
    engine_.shallowest_change = no_index;
    if (!Bare && column_) conditions_of(engine_).bits = p.bits(slot) & column_;
}

/// Whoever it is, all of it is loaded, and stored whatever the call throws.
template <class Call> void agent_slot::with_loaded(page& p, std::uint32_t slot, std::int64_t now, std::int64_t later, Call call) {
    select_agent(p, slot);
    engine_.leaf = static_cast<index>(p.row(slot));
    read_columns(now, p.spilled_of(slot));
    if (shape_.options.lists) remember_region_leaves();
    try {
        call();
    } catch (...) {
        write_back(later);
        throw;
    }
    write_back(later);
}

} // namespace hsm::detail
