/// Many running machines of one chart, stored in columns: `hsm::crowd crowd{chart};`
///
///     const auto dolly = herd.add(sheep{...});   // a handle; the crowd stores the context
///     herd.set(dolly, "IsHungry");               // a condition; the change itself fires no transition
///     herd.tick(16ms);                           // one frame for all agents
///     herd[dolly]->process(bark{});              // -> gives access to the agent as an instance, for one call
///     herd.remove(dolly);
///
/// An agent behaves like an instance. If the conditions and timers of an agent show that a tick cannot change the agent, the tick reads only one or
/// two bytes of this agent. A crowd stores the state of its agents in columns. An agent uses only these columns if its chart has no entry times
/// (compile_options), timers, locals or history. hot_bytes and cold_bytes return the memory per agent. Agents do not move in memory. A tick allocates
/// nothing, except when more agents than before need memory outside the columns.
///
/// The chart must outlive the crowd, and so must your array of contexts if you pass one. Only one thread at a time may use a crowd, except for
/// tick(dt, for_each); mailbox() accepts events from any thread. Hooks may call the crowd of their agent: tick, decide and update return busy; all
/// other calls work as usual. If agents are added during a tick, they are ticked from the next tick on. All agents share the crowd's clock, which
/// advances even while agents are inactive. This header is not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/crowd/crowd_base.hpp>
#include <hsm/op/detail/compiler.hpp>
#include <hsm/run/instance.hpp>

#include <bit>
#include <new>
#include <type_traits>
#include <utility>

namespace hsm {

/// The result of `herd[id]`. Until the end of the expression, `->` gives access to the agent as an instance. Do not move from that instance.
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

/// An instance into which agents are loaded one after another.
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
    /// Creates a crowd that stores the contexts of its agents.
    explicit crowd(const chart<Context>& chart, const crowd_options& options = {})
        : crowd_base(chart, detail::agent_kind_of<Context>, options, nullptr, 0) {}
    /// Creates a crowd over your array, which must outlive the crowd. The agent with index i has element i as its context.
    crowd(const chart<Context>& chart, std::span<std::type_identity_t<Context>> contexts, const crowd_options& options = {})
        : crowd_base(chart, detail::agent_kind_of<Context>, options, contexts.data() ? contexts.data() : static_cast<void*>(this),
                     contexts.data() ? contexts.size() : 0) {}
    explicit crowd(chart<Context>&&, const crowd_options& = {}) = delete; ///< rejects a temporary chart: it would be destroyed before the crowd runs
    crowd(chart<Context>&&, std::span<std::type_identity_t<Context>>, const crowd_options& = {}) = delete;

    /// Adds an agent with the context Context{args...} and starts it. Rethrows exceptions of the context's constructor and of hooks; then no agent is
    /// added. Throws crowd_error: HSM-222 for a crowd over your array, HSM-223 while workers tick, HSM-224 if no handle is left.
    template <class... Args> agent_id add(Args&&... args) { return add_at(make_context(std::forward<Args>(args)...)); }
    /// Adds an agent over an element of your array and starts it. Throws crowd_error: HSM-221 if the element already has an agent; HSM-222 if the
    /// array has no such element, or if the crowd stores the contexts; HSM-223 and HSM-224 as add does.
    agent_id add_element(std::size_t element) { return add_at(find_position(element < any_position ? element : any_position - 1)); }

    /// Adds an agent with the context Context{args...}, and moves the state of an instance of the crowd's chart into it. No hook runs (see
    /// instance::take_over). If the state cannot be moved now, nothing has changed and the returned handle refers to no agent. Throws as add does. In
    /// a crowd over your array, instead add an agent that is not started (crowd_options::start) and call herd[id]->take_over(hero).
    template <class... Args> agent_id adopt(instance<Context>& from, Args&&... args) {
        return adopt_at(make_context(std::forward<Args>(args)...), from);
    }
    /// Moves the state of the agent into the instance, then removes the agent without running hooks. Returns the result of instance::take_over. If
    /// the result is not `taken`, nothing has changed. Throws crowd_error (HSM-220) for a stale handle.
    result release(agent_id id, instance<Context>& to) { return release_to(id, to); }

    Context& context(agent_id id) const { return *static_cast<Context*>(context_of(id)); } ///< throws crowd_error (HSM-220)
    /// Gives access to the agent as an instance: you can call all functions of an instance. Throws crowd_error (HSM-220) for a stale handle.
    agent_call<Context> operator[](agent_id id) const { return {*this, id}; }

    /// Calls f(agent_id, Context&) for each agent, in the order of the indices. f may remove and add agents. The loop visits the pages (4096 agents
    /// each) one after another. At the beginning of a page, the loop lists the places that have an agent. It then visits each listed place that still
    /// has an agent, even if that is a new agent.
    template <class F> void each(F f) const { visit(nullptr, f); }
    /// Does the same for the agents in a state, or in a state with a tag. With crowd_options::lists, the loop does not examine the other agents.
    /// Throws state_error for an unknown state or tag.
    template <class F> void each(const state_query& state, F f) const { visit(std::addressof(state), f); }

    // These functions process an event as instance::process does: process_all for all agents; process_in for the agents in a state, or in a state
    // with a tag; process for a list of agents. Agents get the event in the order of the indices or of the list. process_in throws state_error if the
    // state or tag does not exist. process ignores stale handles. If hooks throw, the other agents still get the event, then the first exception is
    // rethrown. An agent that does not handle the event costs little, because the crowd does not load it into an instance. The event is not copied.
    // It must live until the call returns, so it must not be part of an agent's local.
    template <event_object E> result_counts process_all(const E& event) { return give_held<false>(event, nullptr); }
    template <detail::no_event_object E> result_counts process_all(const E&) { return detail::refuse_event<E>(), result_counts(); }
    result_counts process_all(std::string_view event, event_data data = {}) {
        return give(detail::refer_name(event, static_cast<event_data&&>(data)), false, nullptr);
    }
    template <event_object E> result_counts process_in(const state_query& state, const E& event) {
        return give_held<false>(event, std::addressof(state));
    }
    template <detail::no_event_object E> result_counts process_in(const state_query&, const E&) { return detail::refuse_event<E>(), result_counts(); }
    result_counts process_in(const state_query& state, std::string_view event, event_data data = {}) {
        return give(detail::refer_name(event, static_cast<event_data&&>(data)), false, std::addressof(state));
    }
    template <event_object E> result_counts process(std::span<const agent_id> ids, const E& event) { return give_held<false>(event, ids); }
    template <detail::no_event_object E> result_counts process(std::span<const agent_id>, const E&) {
        return detail::refuse_event<E>(), result_counts();
    }
    result_counts process(std::span<const agent_id> ids, std::string_view event, event_data data = {}) {
        return give(detail::refer_name(event, static_cast<event_data&&>(data)), false, ids);
    }
    // These functions post the event to the agents. The event waits for the next tick or decide.
    template <event_object E> result_counts post_all(const E& event) { return give_held<true>(event, nullptr); }
    template <detail::no_event_object E> result_counts post_all(const E&) { return detail::refuse_event<E>(), result_counts(); }
    result_counts post_all(std::string_view event, event_data data = {}) {
        return give(detail::refer_name(event, static_cast<event_data&&>(data)), true, nullptr);
    }
    template <event_object E> result_counts post(std::span<const agent_id> ids, const E& event) { return give_held<true>(event, ids); }
    template <detail::no_event_object E> result_counts post(std::span<const agent_id>, const E&) {
        return detail::refuse_event<E>(), result_counts();
    }
    result_counts post(std::span<const agent_id> ids, std::string_view event, event_data data = {}) {
        return give(detail::refer_name(event, static_cast<event_data&&>(data)), true, ids);
    }

    /// Adds a hook for all agents in a state: f(batch<Context>&), optionally with the elapsed time as `float` seconds or as a time_span. Each tick
    /// and update first calls the hook, with up to 4096 agents per call, and then runs the agents. Hooks of superstates run first. Throws state_error
    /// for an unknown state.
    template <class F> void on_update(const state_key& state, F f) {
        constexpr bool fits = std::is_invocable_v<const F&, batch<Context>&> || std::is_invocable_v<const F&, batch<Context>&, float> ||
                              std::is_invocable_v<const F&, batch<Context>&, time_span>;
        static_assert(fits,
                      "hsm: a batch hook takes hsm::batch<Context>&, and optionally the elapsed time; like all hooks it must be callable as const");
        if constexpr (fits) on_update_of(state, make_owned<batch_hook_of<Context, F>>(std::move(f)));
    }

private:
    /// A variant that is valueless by exception reaches no agent.
    template <bool IsPosted, class E, class... Whom> result_counts give_held(const E& event, const Whom&... whom) {
        if (!detail::holds_event(event)) return {};
        if constexpr (IsPosted)
            return give(detail::refer_to_queue(event), true, whom...);
        else
            return give(detail::refer(event), false, whom...);
    }
    /// Constructs a context in a free place. If the constructor throws, the place becomes free again.
    template <class... Args> std::uint32_t make_context(Args&&... args) {
        struct reserved {
            crowd& of;
            std::uint32_t position;
            bool is_used = false;
            ~reserved() {
                if (!is_used) of.give_back(position);
            }
        } here{*this, find_position(any_position)};
        new (context_at(here.position)) Context{std::forward<Args>(args)...};
        here.is_used = true;
        return here.position;
    }
    template <class F> void visit(const state_query* state, F& f) const {
        constexpr bool fits = std::is_invocable_v<F&, agent_id, Context&>;
        static_assert(fits, "hsm: each calls f(hsm::agent_id, Context&)");
        if constexpr (fits) visit_agents(state, f);
    }
    template <class F> void visit_agents(const state_query* state, F& f) const {
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
