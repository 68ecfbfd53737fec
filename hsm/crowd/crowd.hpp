/// Many running machines of one chart, kept in columns: `hsm::crowd herd{chart};`
///
///     const auto dolly = herd.add(sheep{...});   // a handle; the crowd keeps the context
///     herd.set(dolly, "IsHungry");               // conditions: nothing happens at once
///     herd.tick(16ms);                           // everybody's frame
///     herd[dolly]->process(bark{});              // -> is an instance, with all that it can do, for one call
///     herd.remove(dolly);
///
/// An agent is what an instance is, and does what an instance would do; but of those that nothing can happen to, as their conditions and
/// timers say, a tick looks at a byte or two. What an agent costs, hot_bytes and cold_bytes say: charts without entry times
/// (compile_options), timers, locals and history need no memory but the columns'. Agents do not move; nothing is allocated in a tick, once
/// as much has been going on before.
///
/// The chart and contexts in an array of the user's must outlive it. A crowd belongs to one thread at a time, but for tick(dt, for_each); its
/// mailbox() takes events from any thread. Hooks may call the crowd of their agent: tick says busy, everything else does what it
/// always does. Agents that are added in a tick are ticked from the next one on. All agents' clock is the crowd's: it goes on
/// while they are not active. Not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/crowd/crowd_base.hpp>
#include <hsm/op/detail/compiler.hpp>
#include <hsm/run/instance.hpp>

#include <bit>
#include <new>
#include <type_traits>
#include <utility>

namespace hsm {

/// An agent as an instance, until the end of the expression. It must not be moved from.
class agent_call_base {
public:
    agent_call_base(const crowd_base& of, agent_id id) : crowd_(of), agent_slot_(of.load(id)) {}
    agent_call_base(const agent_call_base&) = delete;
    agent_call_base& operator=(const agent_call_base&) = delete;
    ~agent_call_base() noexcept(false);

protected:
    instance_base& machine() const { return crowd_base::machine_of(agent_slot_); }

private:
    const crowd_base& crowd_;
    detail::agent_slot& agent_slot_;
    const int exceptions_ = std::uncaught_exceptions();
};

template <class Context> class agent_call : public agent_call_base {
public:
    using agent_call_base::agent_call_base;
    instance<Context>* operator->() const { return &static_cast<instance<Context>&>(this->machine()); }
    instance<Context>& operator*() const { return static_cast<instance<Context>&>(this->machine()); }
};

namespace detail {

/// An instance that agents take turns in.
template <class Context> class agents_instance final : public instance<Context> {
public:
    agents_instance(const chart_base& chart, const instance_options& options)
        : instance<Context>(typename instance<Context>::for_agents(), chart, options) {}
};

template <class Context>
HSM_HIDDEN inline constexpr agent_kind agent_kind_of{
    sizeof(Context), alignof(Context), [](void* context) noexcept { static_cast<Context*>(context)->~Context(); },
    [](const chart_base& chart, const instance_options& options) -> instance_base* { return new agents_instance<Context>(chart, options); },
    [](instance_base* machine) noexcept { delete static_cast<agents_instance<Context>*>(machine); }};

} // namespace detail

template <class Context> class crowd : public crowd_base {
public:
    /// It keeps the contexts of its agents.
    explicit crowd(const chart<Context>& chart, const crowd_options& options = {})
        : crowd_base(chart, detail::agent_kind_of<Context>, options, nullptr, 0) {}
    /// They are the elements of an array that outlives it: the agent with index i is that of element i.
    crowd(const chart<Context>& chart, std::span<std::type_identity_t<Context>> contexts, const crowd_options& options = {})
        : crowd_base(chart, detail::agent_kind_of<Context>, options, contexts.data() ? contexts.data() : static_cast<void*>(this),
                     contexts.data() ? contexts.size() : 0) {}
    explicit crowd(chart<Context>&&, const crowd_options& = {}) = delete; ///< a temporary chart would be gone before it runs
    crowd(chart<Context>&&, std::span<std::type_identity_t<Context>>, const crowd_options& = {}) = delete;

    /// A new agent over Context{args...}, started. If that throws, there is none. For a crowd that keeps the contexts; throws crowd_error (HSM-222)
    /// for one over the user's array.
    template <class... Args> agent_id add(Args&&... args) { return add_at(make_context(std::forward<Args>(args)...)); }
    /// A new agent over an element of the user's array, started. Throws crowd_error if that has one (HSM-221), or if there is no
    /// such element (HSM-222): there is none in a crowd that keeps the contexts.
    agent_id add_element(std::size_t element) { return add_at(find_place(element < any_place ? element : any_place - 1)); }

    /// A new agent that takes over from an instance of the same chart, over Context{args...}; no hook runs (instance::take_over). Of no agent if
    /// that cannot be taken over now: then nothing has changed. Not for a crowd over the user's array: there add an agent
    /// that is not started (crowd_options::start) and let it take over: herd[id]->take_over(hero).
    template <class... Args> agent_id adopt(instance<Context>& from, Args&&... args) {
        return adopt_at(make_context(std::forward<Args>(args)...), from);
    }
    /// The instance takes over from the agent, which is then removed, without a hook. As instance::take_over; anything but taken: nothing
    /// has changed. Throws crowd_error (HSM-220) for a stale handle.
    result release(agent_id id, instance<Context>& to) { return release_to(id, to); }

    Context& context(agent_id id) const { return *static_cast<Context*>(context_of(id)); } ///< throws crowd_error (HSM-220)
    /// All that an instance can do. Throws crowd_error (HSM-220) for a stale handle.
    agent_call<Context> operator[](agent_id id) const { return {*this, id}; }

    /// f(agent_id, Context&) for each agent, by their indices. They may be removed and added meanwhile: those that were there when their
    /// page of 4096 came up and are still there are visited, and whoever has taken such a place since.
    template <class F> void each(F f) const { visit(nullptr, f); }
    /// For those in that state; with crowd_options::lists without looking at the others. Throws state_error if there is no such state.
    template <class F> void each(const state_key& state, F f) const { visit(std::addressof(state), f); }

    // Events for many, in the order of indices, as with instance::process: to all; to those in a state, which throws state_error if there
    // is no such one; to a list of agents, in its order, without those who are gone. If hooks throw, the others get it all the same, and the first
    // exception is thrown. Agents that do not handle it are not loaded. The event is not copied: it must live until the call returns, and so must
    // not be part of an agent's local.
    template <event_object E> answers process_all(const E& event) { return give_held<false>(event, nullptr); }
    template <detail::no_event_object E> answers process_all(const E&) { return detail::refuse_event<E>(), answers(); }
    answers process_all(std::string_view event, event_data data = {}) {
        return give(detail::refer_name(event, static_cast<event_data&&>(data)), false, nullptr);
    }
    template <event_object E> answers process_in(const state_key& state, const E& event) { return give_held<false>(event, std::addressof(state)); }
    template <detail::no_event_object E> answers process_in(const state_key&, const E&) { return detail::refuse_event<E>(), answers(); }
    answers process_in(const state_key& state, std::string_view event, event_data data = {}) {
        return give(detail::refer_name(event, static_cast<event_data&&>(data)), false, std::addressof(state));
    }
    template <event_object E> answers process(std::span<const agent_id> ids, const E& event) { return give_held<false>(event, ids); }
    template <detail::no_event_object E> answers process(std::span<const agent_id>, const E&) { return detail::refuse_event<E>(), answers(); }
    answers process(std::span<const agent_id> ids, std::string_view event, event_data data = {}) {
        return give(detail::refer_name(event, static_cast<event_data&&>(data)), false, ids);
    }
    // The same with instance::post: it waits for the next tick or decide.
    template <event_object E> answers post_all(const E& event) { return give_held<true>(event, nullptr); }
    template <detail::no_event_object E> answers post_all(const E&) { return detail::refuse_event<E>(), answers(); }
    answers post_all(std::string_view event, event_data data = {}) {
        return give(detail::refer_name(event, static_cast<event_data&&>(data)), true, nullptr);
    }
    template <event_object E> answers post(std::span<const agent_id> ids, const E& event) { return give_held<true>(event, ids); }
    template <detail::no_event_object E> answers post(std::span<const agent_id>, const E&) { return detail::refuse_event<E>(), answers(); }
    answers post(std::span<const agent_id> ids, std::string_view event, event_data data = {}) {
        return give(detail::refer_name(event, static_cast<event_data&&>(data)), true, ids);
    }

    /// f(batch<Context>&), or with the time that has passed as `float` seconds or as a time_span: in each tick and update before
    /// the agents themselves, for those that are in that state then, up to 4096 at a time; superstates first. Throws state_error.
    template <class F> void on_update(const state_key& state, F f) {
        constexpr bool fits = std::is_invocable_v<const F&, batch<Context>&> || std::is_invocable_v<const F&, batch<Context>&, float> ||
                              std::is_invocable_v<const F&, batch<Context>&, time_span>;
        static_assert(
            fits, "hsm: a batch hook takes hsm::batch<Context>&, and the elapsed time if it wants to; like all hooks it must be callable as const");
        if constexpr (fits) on_update_of(state, make_owned<batch_hook_of<Context, F>>(std::move(f)));
    }

private:
    /// A variant that has lost its value reaches nobody.
    template <bool IsPosted, class E, class... Whom> answers give_held(const E& event, const Whom&... whom) {
        if (!detail::holds_event(event)) return {};
        if constexpr (IsPosted)
            return give(detail::refer_to_queue(event), true, whom...);
        else
            return give(detail::refer(event), false, whom...);
    }
    /// In a place of its own, which is given back if that throws.
    template <class... Args> std::uint32_t make_context(Args&&... args) {
        struct reserved {
            crowd& of;
            std::uint32_t position;
            bool is_used = false;
            ~reserved() {
                if (!is_used) of.give_back(position);
            }
        } here{*this, find_place(any_place)};
        new (context_at(here.position)) Context{std::forward<Args>(args)...};
        here.is_used = true;
        return here.position;
    }
    template <class F> void visit(const state_key* state, F& f) const {
        constexpr bool fits = std::is_invocable_v<F&, agent_id, Context&>;
        static_assert(fits, "hsm: each calls f(hsm::agent_id, Context&)");
        if constexpr (fits) visit_agents(state, f);
    }
    template <class F> void visit_agents(const state_key* state, F& f) const {
        for (std::size_t p = 0; p < pages(); ++p) {
            const auto found = agents_in(p, state);
            for (std::size_t w = 0; w < found.size(); ++w)
                for (auto rest = found[w]; rest != 0; rest &= rest - 1) {
                    const auto id = agent_in(p, w * 64 + static_cast<std::size_t>(std::countr_zero(rest)));
                    if (id) f(id, *static_cast<Context*>(context_of(id)));
                }
        }
    }
};

template <class Context> crowd(const chart<Context>&) -> crowd<Context>;
template <class Context> crowd(const chart<Context>&, const crowd_options&) -> crowd<Context>;

} // namespace hsm
