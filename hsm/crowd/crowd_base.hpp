/// The part of a crowd that does not depend on the type of the contexts. See crowd.hpp.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/crowd/agent_id.hpp>
#include <hsm/crowd/batch.hpp>
#include <hsm/crowd/crowd_error.hpp>
#include <hsm/crowd/crowd_mailbox.hpp>
#include <hsm/crowd/crowd_options.hpp>
#include <hsm/define/detail/assert.hpp>
#include <hsm/define/owned.hpp>
#include <hsm/run/instance_base.hpp>
#include <hsm/run/result_counts.hpp>

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>

namespace hsm {

namespace detail {
class crowd_core;
}
namespace detail {
class agent_slot;
struct crowd_access;
} // namespace detail

/// Type-erased functions that create and destroy a context and the instances over it.
struct agent_kind {
    std::size_t size, alignment;
    void (*destroy)(void* context) noexcept;
    instance_base* (*make_machine)(const chart_base& chart, const instance_options& options);
    void (*delete_machine)(instance_base* machine) noexcept;
};

/// The function `for_each` of a tick with several threads.
struct parallel_for {
    void* self;
    void (*call)(void* self, std::size_t n, void (*f)(void* data, std::size_t i), void* data);
};

class crowd_base {
public:
    /// Stops the agent and runs its on_destroy hooks. If one of the agent's own hooks calls this function, the agent stops when the call in progress
    /// is complete, but its handles become stale immediately. Returns false and changes nothing for a stale handle, and in a guard of the agent.
    /// Rethrows exceptions of hooks; the agent is removed nevertheless. Takes O(1).
    bool remove(agent_id id);
    void clear(); ///< removes all agents, even if hooks throw; then rethrows the first exception

    bool has(agent_id id) const;
    std::size_t count() const;
    /// Returns the number of agents in the state, or in a state with the tag. Without crowd_options::lists this reads all agents. Throws state_error
    /// for an unknown state or tag.
    std::size_t count(const state_query& state) const;
    /// The next two functions throw crowd_error (HSM-220) for a stale handle.
    [[nodiscard]] bool is_in(agent_id id, const state_query& state) const;
    state_ref current(agent_id id) const; ///< the innermost active state; empty if the agent is inactive

    // These functions change conditions and throw condition_error, as the functions of an instance do. Changing a condition does not itself fire a
    // transition. Setting a bit takes a few instructions, whatever state the agent is in. For a stale handle, the functions return false and change
    // nothing.
    std::uint32_t number_of(const condition_key& c) const; ///< pass condition(number) to a call to avoid the name lookup
    bool set(agent_id id, const condition_key& c, bool on = true);
    template <std::size_t N> bool set(agent_id, const condition_key&, const char (&)[N]) = delete; ///< rejects lists: one condition per call
    bool clear(agent_id id, const condition_key& c) { return set(id, c, false); }
    bool pulse(agent_id id, const condition_key& c);
    bool trigger(agent_id id, const condition_key& c);   ///< see instance::trigger
    bool get(agent_id id, const condition_key& c) const; ///< throws crowd_error (HSM-220) for a stale handle
    // These functions do the same for many agents. They return the number of handles that were not stale.
    std::size_t set(std::span<const agent_id> ids, const condition_key& c, bool on = true);
    std::size_t clear(std::span<const agent_id> ids, const condition_key& c) { return set(ids, c, false); }
    std::size_t pulse(std::span<const agent_id> ids, const condition_key& c);
    void set_all(const condition_key& c, bool on = true);

    // A tick runs one frame for all agents, in the order of crowd_options::update_order, as if each instance was ticked in turn. If a hook throws,
    // the other agents are still ticked, then the exception of the first agent is rethrown.
    /// Returns taken if a transition fired, else unhandled; busy in a hook; refused for a negative time.
    template <duration_like D> result tick(D elapsed) { return tick(time_span(elapsed)); }
    template <std::floating_point S> result tick(S seconds) { return tick(time_span::from_seconds(static_cast<double>(seconds))); }
    template <std::integral N> result tick(N number) { return tick(detail::without_unit(number)); }
    result tick(time_span elapsed = {});
    /// Ticks with several threads: for_each(n, f) must call f(0) .. f(n - 1), in any order and in any threads, and return when all calls have
    /// returned. Each call of f handles up to 4096 agents. Hooks may then access only their own agent: its context, its instance, its handle in this
    /// crowd. The result does not depend on the number of threads.
    template <class T, class ForEach> result tick(T elapsed, ForEach&& for_each) {
        const parallel_for workers{const_cast<void*>(static_cast<const void*>(std::addressof(for_each))),
                                   [](void* self, std::size_t n, void (*f)(void*, std::size_t), void* data) {
                                       (*static_cast<std::remove_reference_t<ForEach>*>(self))(n, [=](std::size_t i) { f(data, i); });
                                   }};
        return tick_by(workers, span_of_time(elapsed));
    }
    /// Makes the decisions of a tick: handles posted events and polled transitions, but does not advance the clock or run update hooks.
    result decide();
    /// Advances the clock and runs the update hooks, as a tick does, but makes no decisions.
    template <duration_like D> result update(D elapsed) { return update(time_span(elapsed)); }
    template <std::floating_point S> result update(S seconds) { return update(time_span::from_seconds(static_cast<double>(seconds))); }
    template <std::integral N> result update(N number) { return update(detail::without_unit(number)); }
    result update(time_span elapsed = {});
    /// Makes the agent decide in every n-th tick, where n is `ticks`. In the other ticks, the agent only updates. With 1, the agent decides in each
    /// tick. Returns false for a stale handle.
    bool set_decide_every(agent_id id, std::uint16_t ticks);

    // These functions attach observers, like instance::attach; include <hsm/run/attachment.hpp>. A crowd ticks each observed agent on its own. An
    // observed agent needs about two kilobytes of additional memory. If workers tick, agents of different pages can call an observer at the same
    // time.
    attachment attach(agent_id id, observer& to, record_kinds kinds); ///< for one agent; throws crowd_error (HSM-220) for a stale handle
    attachment attach(agent_id id, observer& to);
    attachment attach(observer& to, record_kinds kinds); ///< for all agents, including those added while the observer is attached
    attachment attach(observer& to);

    /// Returns the mailbox. Throws usage_error (HSM-205) if crowd_options::agent.mailbox is 0.
    crowd_mailbox& mailbox() const;

    /// Returns how many posts to agents have returned `full` since the crowd was created. Posts to the mailbox do not count.
    std::uint64_t lost() const;

    time_span now() const; ///< the sum of the times of all ticks and updates; also the clock of the agents
    /// Returns the memory in use now, in bytes: columns, blocks, contexts, and states that do not fit into the columns.
    std::size_t bytes() const;
    /// These functions return the number of bytes per agent, without the agent's context. hot_bytes counts the bytes that a tick reads and writes if
    /// nothing happens; cold_bytes counts all other bytes.
    std::size_t hot_bytes() const;
    std::size_t cold_bytes() const;
    /// Returns a hash of the agents with their states and conditions. Equal crowds have equal hashes.
    std::uint64_t state_hash() const;

protected:
    crowd_base(const chart_base& chart, const agent_kind& kind, const crowd_options& options, void* contexts, std::size_t capacity);
    crowd_base(crowd_base&&) noexcept;
    crowd_base& operator=(crowd_base&&) noexcept;
    ~crowd_base(); ///< destroys the agents without running hooks; call clear() first to run the exits

    template <class T> static time_span span_of_time(T t) {
        if constexpr (std::floating_point<T>)
            return time_span::from_seconds(static_cast<double>(t));
        else
            return time_span(t);
    }

    static constexpr std::size_t any_position = std::size_t(-1);
    std::uint32_t find_position(std::size_t element);
    void* context_at(std::uint32_t position) const;
    void* context_of(agent_id id) const; ///< throws crowd_error
    agent_id add_at(std::uint32_t position);
    agent_id adopt_at(std::uint32_t position, instance_base& from);
    result release_to(agent_id id, instance_base& to);
    void give_back(std::uint32_t position);
    detail::agent_slot& load(agent_id id) const;
    void store(detail::agent_slot& s) const;
    static instance_base& machine_of(detail::agent_slot& s);
    result tick_by(const parallel_for& workers, time_span elapsed);
    result_counts give(const event_ref& event, bool is_posted, const state_query* state); ///< null: all agents
    result_counts give(const event_ref& event, bool is_posted, std::span<const agent_id> ids);
    void on_update_of(const state_key& state, owned<batch_hook> hook);
    std::size_t pages() const;
    using agents_of_page = std::array<std::uint64_t, 64>; ///< a bit for each agent
    /// Returns the agents in the state; null: all agents.
    agents_of_page agents_in(std::size_t page, const state_query* state) const;
    agent_id agent_in(std::size_t page, std::size_t bit) const; ///< an empty handle if the agent was removed during the loop

private:
    friend class agent_call_base;
    friend struct detail::crowd_access;
    owned<detail::crowd_core> core_;
};

} // namespace hsm
