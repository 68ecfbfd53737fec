/// The implementation of a crowd: pages, agent slots, and calls for one or many agents.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/crowd/agent_id.hpp>
#include <hsm/crowd/crowd_base.hpp>
#include <hsm/crowd/detail/agent_slot.hpp>
#include <hsm/crowd/detail/page.hpp>
#include <hsm/op/input.hpp>
#include <hsm/run/detail/calls.hpp>
#include <hsm/run/detail/first_exception.hpp>
#include <hsm/run/detail/recorded_call.hpp>

#include <cstdint>
#include <list>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace hsm {

struct state_key;
struct state_query;
struct event_ref;

} // namespace hsm

namespace hsm::detail {

/// Records the inputs of a crowd.
class crowd_inputs : public recorded_inputs {
public:
    virtual void frame(input_kind what, std::int64_t elapsed) = 0; ///< tick, decide, update
    virtual void add(std::uint32_t position) = 0;                  ///< its context already exists
    virtual void remove(agent_id id) = 0;
    virtual void clear() = 0;
    virtual void change(std::span<const agent_id> ids, std::uint32_t condition, condition_change to) = 0;
    virtual void change_all(std::uint32_t condition, bool on) = 0;
    virtual void set_rate(agent_id id, std::uint16_t ticks) = 0;
    virtual void give(const event_ref& event, bool is_posted, const state_query* state) = 0;
    virtual void give(const event_ref& event, bool is_posted, std::span<const agent_id> ids) = 0;
    /// Returns how many events of the mailbox a frame delivers: in a recorded call those that were recorded before it.
    virtual std::size_t arrived(mailbox_queue& mail) = 0;

    // Calls between these two are reported by an observer of the agent.
    virtual void load(agent_id id) = 0;
    virtual void store(std::uint32_t position) noexcept = 0;
};

/// Finds the agents whose row handles an event.
class event_tables {
public:
    explicit event_tables(const crowd_layout& layout);
    /// Returns the agents whose row has a program for the event, that have the attention bit, or that do not tick. Requires events_by_row.
    agent_bits possible_handlers(const page& p, std::uint32_t column);

private:
    const crowd_layout& layout_;
    idle_tables tables_;
    idle_scan scan_ = nullptr;
    std::uint32_t column_ = no_column;
    static constexpr std::uint32_t no_column = 0xffff'ffff;
};

class crowd_core {
public:
    /// Uses your array of `capacity` contexts; null: the crowd stores the contexts.
    crowd_core(const chart_base& chart, const agent_kind& kind, const crowd_options& options, std::byte* contexts, std::size_t capacity);
    crowd_core(const crowd_core&) = delete;
    crowd_core& operator=(const crowd_core&) = delete;
    ~crowd_core();

    const crowd_layout& layout() const { return *layout_; }
    std::int64_t now() const { return now_; }
    std::size_t pages() const { return pages_.size(); }
    crowd_inputs* inputs = nullptr; ///< null: inputs are not recorded

    // Places and agents: crowd_core.cpp.
    std::uint32_t find_position(std::size_t element, std::size_t any);
    void give_back(std::uint32_t position) noexcept;
    void* context(std::uint32_t position) const { return page_at(position).context(position % page_agents); }
    /// Adds an agent, which starts, or takes over from `from`. If that is not possible, returns a handle that refers to no agent. If a hook throws,
    /// the place is free again.
    agent_id add(std::uint32_t position, instance_base* from);
    void abandon(std::uint32_t position) noexcept; ///< frees a place whose context exists
    result release(agent_id id, instance_base& to);
    bool remove(agent_id id);
    void drop(agent_id id); ///< removes an agent that is not in a call, without running hooks
    /// Does the same for an agent whose data is plain bytes and not spilled. Requires a crowd without lists that is not in a call.
    void drop_plain(agent_id id) noexcept;
    // Adds such an agent: between these two calls, the caller uses page::read_agent. Requires the same.
    agent_id begin_plain(std::uint32_t position) noexcept;
    void end_plain(agent_id id); ///< throws exceptions of observers; the agent then stays
    void clear();
    bool has(agent_id id) const;
    void require(agent_id id) const; ///< throws crowd_error
    std::size_t count() const;
    agent_id id_at(std::uint32_t position) const; ///< no agent if the place is empty

    // Queries: crowd_queries.cpp.
    index number_of(const state_key& state) const; ///< throws state_error
    /// A state, by its number; or a tag, by the number of states plus the number of the tag.
    using selection = std::uint32_t;
    selection selected(const state_query& asked) const; ///< throws state_error
    std::size_t count(selection s) const;
    bool is_in(agent_id id, selection s) const;
    state_ref current(agent_id id) const;
    agent_bits agents_in(const page& p, selection s) const;
    agent_bits agents_of(const page& p) const;
    page& page_number(std::size_t number) const { return *pages_[number]; }
    index first_leaf_of(const page& p, std::uint32_t slot) const; ///< of an agent that is not loaded; no_index: it is not active
    /// Adds the page's agents to the counts of their leaves. The last count is that of agents that are not active. Requires that no agent is loaded.
    void count_leaves(const page& p, std::span<std::uint32_t> counts) const;
    std::size_t bytes() const;
    std::uint64_t state_hash() const;

    // Conditions: crowd_queries.cpp.
    std::uint32_t number_of(const condition_key& c) const; ///< throws condition_error
    std::uint32_t number_to_set(const condition_key& c) const;
    /// The same for a number; inlined.
    std::uint32_t number_of(std::uint32_t number) const { return number < layout_->core.conditions.size() ? number : number_of(key_of(number)); }
    std::uint32_t number_to_set(std::uint32_t number) const {
        return number > 0 && number < layout_->core.conditions.size() ? number : number_to_set(key_of(number));
    }
    bool get(agent_id id, std::uint32_t number) const;
    void change(agent_id id, std::uint32_t number, condition_change to);
    void change_all(std::uint32_t number, bool on);

    // Observers: crowd_base.cpp.
    void attach(agent_id id, observer_link* link);
    void attach_to_all(observer_link* link); ///< also to agents that are added later
    void observe_newcomer(agent_slot& s);

    // Calls: crowd_core.cpp. Each agent whose call is in progress has a slot of its own.
    agent_slot& load(agent_id id);
    void store(agent_slot& s);

    // Events for many agents: crowd_event.cpp. When all agents have got the event, they return, or rethrow the first exception.
    result_counts give(const event_ref& event, bool is_posted, const state_query* state); ///< null: all agents
    result_counts give(const event_ref& event, bool is_posted, std::span<const agent_id> ids);

    // Frames: crowd_run.cpp.
    result run(std::int64_t elapsed, agent_slot::phase what, const parallel_for* workers);
    void rethrow(const first_exception& first) const; ///< reports to a log that memory was not available
    first_exception run_pages(const agent_slot::frame& frame, const parallel_for* workers);
    void end_run(page& p);
    void add_batch(index state, owned<batch_hook> hook);
    void set_rate(agent_id id, std::uint16_t ticks);
    crowd_mailbox* mailbox() { return mailbox_.get(); }

    // The exchange of the chart.
    /// Adds pages without columns for the agents of another crowd, referring to their contexts. Requires a new crowd.
    void make_pages_like(const crowd_core& other);
    /// Exchanges the chart and the agents with a crowd that has such pages. Contexts, places, the clock, observers of all agents and the address of
    /// the mailbox stay. `states` are the numbers in the other chart, for batch hooks; no_index: its hooks are removed. Pages without columns take
    /// those of this crowd, with other `rows` (see page::take_columns).
    void exchange(crowd_core& other, std::span<const index> states, std::span<const std::uint16_t> rows) noexcept;

private:
    friend struct crowd_access;
    static constexpr std::size_t most_states = 0x10000 - crowd_layout::other_rows; ///< the rows are 16 bits
    static constexpr std::uint64_t most_positions = std::uint64_t(1) << 32;
    static condition_key key_of(std::uint32_t number) { return static_cast<int>(number); }
    page& page_at(std::uint32_t position) const { return *pages_[position / page_agents]; }
    page& page_for(std::uint32_t position);
    std::unique_lock<std::mutex> lock_agent_slots();
    agent_slot& take_agent_slot();              ///< for an agent that is removed
    agent_slot& take_agent_slot(const page& p); ///< with memory reserved for storing an agent of that page
    void free_agent_slot(agent_slot& s) noexcept;
    struct freed_after {
        crowd_core& self;
        agent_slot& s;
        ~freed_after() { self.free_agent_slot(s); }
    };
    struct stored_after {
        crowd_core& self;
        agent_slot& s;
        ~stored_after() { self.store(s); }
    };
    agent_slot* agent_slot_of(const page& p, std::uint32_t slot) const;
    std::int64_t clock_of(const page& p, std::uint32_t slot) const;
    void remove_in(agent_slot& s, page& p, std::uint32_t slot);
    void forget(page& p, std::uint32_t slot) noexcept;
    void take_back(page& p) noexcept;
    void give_in(page& p, event_for_many& what, const agent_bits& meant);
    void visit_handlers(page& p, event_round& r, agent_slot& s);
    void give_by_call(agent_id id, event_for_many& what);
    void run_page(page& p, const agent_slot::frame& f);
    void tick_agents(page& p, const agent_slot::frame& f);
    void make_one_ready();
    void deliver(first_exception& first);
    static agent_bits without_removed(const page& p, agent_bits agents);
    bool is_in(const page& p, std::uint32_t slot, selection s) const;
    agent_bits agents_with_tag(const page& p, std::size_t number) const;
    agent_bits agents_by_rows(const page& p, index s) const;
    template <class Visit> bool visit_region_leaves(const page& p, std::uint32_t slot, Visit visit) const;

    chart_base chart_;
    const agent_kind& kind_;
    std::unique_ptr<const crowd_layout> layout_;
    std::unique_ptr<event_tables> event_tables_;
    std::byte* const contexts_;
    const std::size_t capacity_;
    std::vector<std::unique_ptr<page>> pages_;
    std::vector<std::uint32_t> free_; ///< places of removed agents
    std::uint64_t untouched_ = 0;     ///< the first place that has never been used
    std::int64_t now_ = 0;
    std::uint64_t ticks_ = 0;
    const agent_slot::frame* running_ = nullptr; ///< the tick in progress
    std::size_t running_pages_ = 0;              ///< number of pages of the tick in progress
    bool parallel_ = false;                      ///< several workers tick

    struct agent_slot_with_machine {
        agent_slot_with_machine(const chart_base& chart, const agent_kind& kind, const crowd_layout& layout)
            : machine(kind.make_machine(chart, layout.options.agent), kind.delete_machine), in_it(layout, *machine) {
            in_it.make_ready();
        }
        const std::unique_ptr<instance_base, void (*)(instance_base*) noexcept> machine;
        agent_slot in_it;
    };
    std::mutex agent_slots_mutex_;
    /// Never empty, so that agents can be removed, ticked and destroyed without allocating.
    std::vector<std::unique_ptr<agent_slot_with_machine>> agent_slots_;
    agent_slot* spare_ = nullptr;
    std::size_t taken_ = 0; ///< number of slots in use

    struct batch {
        index state;
        owned<batch_hook> hook;
    };
    void run_batch(page& p, const batch& b, const agent_slot::frame& f);
    void insert(std::list<batch>& added) noexcept;
    std::list<batch> batches_; ///< superstates first
    std::list<batch> coming_;  ///< added in the tick in progress

    std::vector<observer_link*> observers_; ///< of all agents

    owned<mailbox_queue> mail_;
    owned<crowd_mailbox> mailbox_;
};

} // namespace hsm::detail
