/// A crowd, without the type of its contexts: everything that needs no template. See crowd.hpp.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/crowd/agent_id.hpp>
#include <hsm/crowd/batch.hpp>
#include <hsm/crowd/crowd_error.hpp>
#include <hsm/crowd/crowd_mailbox.hpp>
#include <hsm/crowd/crowd_options.hpp>
#include <hsm/define/detail/assert.hpp>
#include <hsm/define/owned.hpp>
#include <hsm/run/answers.hpp>
#include <hsm/run/instance_base.hpp>

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

/// Of a context, and of the instances over it: for code that does not know the type.
struct agent_kind {
    std::size_t size, alignment;
    void (*destroy)(void* context) noexcept;
    instance_base* (*make_machine)(const chart_base& chart, const instance_options& options);
    void (*delete_machine)(instance_base* machine) noexcept;
};

/// Something that calls f(0) .. f(n - 1), in any order, in any threads, and comes back when all are done.
struct parallel_for {
    void* self;
    void (*call)(void* self, std::size_t n, void (*f)(void* data, std::size_t i), void* data);
};

class crowd_base {
public:
    /// Stops the agent and runs its on_destroy hooks; in a hook of its own, as soon as the call that it is in is complete. Its handles
    /// are stale at once. False for a stale one, and in a guard of its own, which changes nothing. What a hook throws goes on when the agent is
    /// removed. O(1).
    bool remove(agent_id id);
    void clear(); ///< removes all; also if hooks throw: the first exception goes on afterwards

    bool has(agent_id id) const;
    std::size_t count() const;
    /// How many are in that state. Without crowd_options::lists everybody is looked at. Throws state_error if there is no such state.
    std::size_t count(const state_key& state) const;
    /// Throw crowd_error (HSM-220) for stale handles.
    [[nodiscard]] bool is_in(agent_id id, const state_key& state) const;
    state_ref current(agent_id id) const; ///< the innermost active state; empty if it is not active

    // Conditions, as of instances; nothing happens at once. One bit is set in a few instructions, whatever the agent does. False for a
    // stale handle, with nothing changed. Throw condition_error.
    std::uint32_t number_of(const condition_key& c) const; ///< saves looking up a name: condition(number)
    bool set(agent_id id, const condition_key& c, bool on = true);
    template <std::size_t N> bool set(agent_id, const condition_key&, const char (&)[N]) = delete; ///< one at a time
    bool clear(agent_id id, const condition_key& c) { return set(id, c, false); }
    bool pulse(agent_id id, const condition_key& c);
    bool get(agent_id id, const condition_key& c) const; ///< throws crowd_error (HSM-220) for a stale handle
    // Of many; how many of them were there.
    std::size_t set(std::span<const agent_id> ids, const condition_key& c, bool on = true);
    std::size_t clear(std::span<const agent_id> ids, const condition_key& c) { return set(ids, c, false); }
    std::size_t pulse(std::span<const agent_id> ids, const condition_key& c);
    void set_all(const condition_key& c, bool on = true);

    // One frame for everybody, in the order of the handles' indices, as if each of N instances were ticked in turn. If a hook throws, the others
    // are ticked all the same, and the exception of the first agent goes on afterwards.
    /// taken if some transition fired; unhandled; busy in a hook; refused for negative time.
    template <duration_like D> result tick(D elapsed) { return tick(time_span(elapsed)); }
    template <std::floating_point S> result tick(S seconds) { return tick(time_span::from_seconds(static_cast<double>(seconds))); }
    template <std::integral N> result tick(N number) { return tick(detail::without_unit(number)); }
    result tick(time_span elapsed = {});
    /// By workers: for_each(n, f) calls f(0) .. f(n - 1), in any order and in any threads, and comes back when all are done; a
    /// call is for up to 4096 agents. Hooks may then touch their own agent only: its context, its instance, its handle in this
    /// crowd. What comes out is the same for any number of workers.
    template <class T, class ForEach> result tick(T elapsed, ForEach&& for_each) {
        const parallel_for workers{const_cast<void*>(static_cast<const void*>(std::addressof(for_each))),
                                   [](void* self, std::size_t n, void (*f)(void*, std::size_t), void* data) {
                                       (*static_cast<std::remove_reference_t<ForEach>*>(self))(n, [=](std::size_t i) { f(data, i); });
                                   }};
        return tick_by(workers, span_of_time(elapsed));
    }
    /// A tick's posted events and polled transitions, without its clock and hooks.
    result decide();
    /// A tick's clock and hooks, without its decisions.
    template <duration_like D> result update(D elapsed) { return update(time_span(elapsed)); }
    template <std::floating_point S> result update(S seconds) { return update(time_span::from_seconds(static_cast<double>(seconds))); }
    template <std::integral N> result update(N number) { return update(detail::without_unit(number)); }
    result update(time_span elapsed = {});
    /// That agent decides in every n-th tick only, and in others just updates; 1: in each. False for a stale handle.
    bool set_decide_every(agent_id id, std::uint16_t ticks);

    // Observers, see instance::attach; include <hsm/run/attachment.hpp>. An agent that is observed is ticked by itself, and takes about two
    // kilobytes more. Agents of several pages that workers tick call an observer at the same time.
    attachment attach(agent_id id, observer& to, record_kinds kinds); ///< of one. Throws crowd_error (HSM-220) for a stale handle
    attachment attach(agent_id id, observer& to);
    attachment attach(observer& to, record_kinds kinds); ///< of all that are there, and of those that come as long as it is attached
    attachment attach(observer& to);

    /// Throws usage_error (HSM-205) if crowd_options::agent.mailbox did not ask for one.
    crowd_mailbox& mailbox() const;

    /// How many events that were posted to its agents have been answered with `full` since it was made. Its mailbox counts none.
    std::uint64_t lost() const;

    time_span now() const; ///< all the time that has passed in ticks and updates; the clock of its agents, too
    /// Of memory: columns, blocks, contexts, spilled state, by now.
    std::size_t bytes() const;
    /// What is read and written for each agent of this chart when nothing happens to it, and what is kept for it besides, without its context.
    std::size_t hot_bytes() const;
    std::size_t cold_bytes() const;
    /// Of who is there, in which state, with which conditions: equal crowds have equal hashes.
    std::uint64_t state_hash() const;

protected:
    crowd_base(const chart_base& chart, const agent_kind& kind, const crowd_options& options, void* contexts, std::size_t capacity);
    crowd_base(crowd_base&&) noexcept;
    crowd_base& operator=(crowd_base&&) noexcept;
    ~crowd_base(); ///< destroys the agents and runs no hooks: clear() first to have the exits

    template <class T> static time_span span_of_time(T t) {
        if constexpr (std::floating_point<T>)
            return time_span::from_seconds(static_cast<double>(t));
        else
            return time_span(t);
    }

    static constexpr std::size_t any_place = std::size_t(-1);
    std::uint32_t find_place(std::size_t element);
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
    answers give(const event_ref& event, bool is_posted, const state_key* state); ///< null: to all
    answers give(const event_ref& event, bool is_posted, std::span<const agent_id> ids);
    void on_update_of(const state_key& state, owned<batch_hook> hook);
    std::size_t pages() const;
    using agents_of_page = std::array<std::uint64_t, 64>; ///< a bit for each
    /// Null: all that are there.
    agents_of_page agents_in(std::size_t page, const state_key* state) const;
    agent_id agent_in(std::size_t page, std::size_t bit) const; ///< stale if it is not there any more

private:
    friend class agent_call_base;
    friend struct detail::crowd_access;
    owned<detail::crowd_core> core_;
};

} // namespace hsm
