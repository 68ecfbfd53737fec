/// The head of a machine that agents take turns in: whatever is to be done with one that the idle test cannot rule out, an instance
/// does it, and so a crowd does exactly what instances do.
///
/// An agent boards with what the columns, its block and its luggage say, and when it alights they say what has become of it. While it
/// sits, calls for the same agent go to its seat; those for others take another one. What writing it back may take, the seat has got before
/// the agent boards: alighting never fails.
#pragma once

#include <hsm/crowd/page.hpp>
#include <hsm/run/instance_base.hpp>

#include <vector>

namespace hsm {

class seat {
public:
    /// The instance is of nothing, and outlives it.
    seat(const crowd_shape& shape, instance_base& made_for_agents);
    seat(const seat&) = delete;
    ~seat();

    instance_base& machine() const { return machine_; }
    page* where() const { return page_; }
    /// Does that agent of its page sit here? One of a run that comes back to itself sits down first.
    bool holds(std::uint32_t slot) {
        if (updating_ && !page_->run->interrupted) {
            page_->next = static_cast<std::uint32_t>(page_->run->at) + 1;
            if (slot == page_->run->at) sit_down();
        }
        return slot == slot_;
    }
    std::uint32_t slot() const { return slot_; }

    /// For an agent of that page, or of any. Changes nothing else.
    void make_ready(const page& p) {
        if (!p.is_filled(reserve_)) [[unlikely]] make_ready();
    }
    void make_ready() { page::fill(reserve_, shape_); }
    std::size_t bytes() const { return page::bytes(reserve_); } ///< of what it has got

    /// A new agent, inactive, with its conditions cleared.
    void board_new(page& p, std::uint32_t slot, std::int64_t now);
    void board(page& p, std::uint32_t slot, std::int64_t now);
    void alight(std::int64_t now) noexcept; ///< only if the seat was ready
    void leave_for_good() noexcept; ///< an inactive agent, of whom nothing is kept

    result post(const event_ref& event) { return engine_.post(event); }
    result process(const event_ref& event) { return engine_.process(event); }
    enum class phase { both, decisions, hooks };
    struct frame {
        std::int64_t now; ///< before
        std::int64_t later;
        std::int64_t elapsed;
        std::uint64_t number; ///< of the tick
        phase what;
    };
    /// The page's restless agents, in their order. True: that was all. It stops behind one whose hook throws, behind one that is to be
    /// removed, and behind one that has taken what the seat had got. If no more can be got, it throws and passes over the next one.
    bool run(page& p, const frame& f);

    bool is_in(std::uint16_t state) const { return engine_.active(state); } ///< who sits here
    bool only_looks() const { return engine_.only_looks(); }                  ///< a guard of his runs

    void remove_after() { stops_ |= removed; } ///< it was removed in a call of its own
    bool is_removed() const { return stops_ & removed; }
    std::uint32_t calls = 0;   ///< to the agent that sits here, from its own hooks
    seat* below = nullptr;     ///< of the same page, or in the crowd's list of free ones

private:
    /// What a call leaves in a machine's state that matters to the next one.
    static constexpr std::uint8_t odd_states = state_posted | state_over | state_paused | state_scaled;

    void leave_empty() noexcept;
    void store(std::int64_t now) noexcept;
    void sit(page& p, std::uint32_t slot);
    void settle_down(std::int64_t now, luggage* l);
    bool makes_ready_for_next(page& p);
    template <bool Timed> bool run_restless(page& p, const frame& f);
    void run_one(page& p, std::uint32_t slot, const frame& f, phase what);
    template <bool Timed> std::uint32_t update_run(page& p, std::uint32_t slot, std::uint32_t row, const frame& f);
    void sit_down();
    void begin_tick(page& p, std::uint32_t slot, std::uint16_t leaf, std::int64_t later);
    template <bool Timed> void finish_tick(page& p, std::uint32_t slot, std::uint16_t leaf, const op* from, const frame& f);
    template <bool Timed> void tick_one(page& p, std::uint32_t slot, std::uint32_t row, const frame& f);
    bool is_complete(index before, std::uintptr_t code) const;
    phase phase_of(const page& p, std::uint32_t slot, const frame& f) const;
    void stamp();
    void pack(std::int64_t now) noexcept;
    /// Of one whose clock is the crowd's.
    void note_due() { page_->set_due(slot_, engine_.leaf == 0xffff ? never : shape_.timed.next_due(engine_.block, engine_.leaf)); }
    bool travels_light(std::int64_t now) const;
    void list() noexcept;
    bool brings_marks() const { return shape_.seldom_marked && shape_.block_size == 0; }
    std::uint64_t& marks() const;
    std::uint64_t& due_marks() const;
    void remember_tips();

    const crowd_shape& shape_;
    const chart_core& core_;
    instance_base& machine_;
    engine& engine_;
    std::byte* const own_block_;
    hsm::moment* const own_moment_;
    queue_head* const own_queues_; ///< the instance's
    std::vector<index> tips_;      ///< of all regions, before
    queue_head* queues_;           ///< for agents that have none
    const std::uint8_t lasting_;   ///< bits of machine::state that are the instance's
    const std::uint64_t column_;   ///< of the bits: the conditions
    const bool plain_;             ///< a tick is one run through the leaf's sections
    page* page_ = nullptr;
    std::uint32_t slot_ = 0;
    page_reserve reserve_;
    enum : std::uint8_t { removed = 1, used_up = 2 };
    std::uint8_t stops_ = 0; ///< bits: why a page's agents are not gone on with
    // While agents are updated in one loop.
    const lone_update* updating_ = nullptr;
    std::int64_t later_ = 0;

};

} // namespace hsm
