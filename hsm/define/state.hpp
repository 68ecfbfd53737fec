/// A typed state: hooks over a Context, transitions, locals. As it stands it is a leaf; `fsm` derives from it.
///
/// Derive from it to give a state a class of its own: one node then serves all agents, so its hooks are const members
/// (`void enter(Context&) const`, `update`, `exit`), found at compile time. Nodes are made by `fsm::add`, `make_fsm` and
/// `compile<T>` only.
#pragma once

#include <hsm/define/detail/class_hooks.hpp>
#include <hsm/define/transition.hpp>
#include <hsm/define/detail/timing.hpp>

#include <concepts>

namespace hsm {

template <class Context> class state : public state_base {
public:
    using context_type = Context;

    explicit state(std::string name) : state(std::move(name), state_kind::leaf) {}

    // Hooks run in the order in which they were given. parameters.hpp lists what they may take.
    template <class F> state& on_enter(F f) { return with(hook_kind::enter, detail::bind<detail::as_hook, Context>(static_cast<F&&>(f))); }
    /// May return the state to go to next (see `successor`).
    template <class F> state& on_update(F f) {
        if constexpr (detail::names_successor<Context, F>) set_names_successor();
        return with(hook_kind::update, detail::bind<detail::as_update, Context>(static_cast<F&&>(f)));
    }
    template <class F> state& on_exit(F f) { return with(hook_kind::exit, detail::bind<detail::as_hook, Context>(static_cast<F&&>(f))); }

    /// A transition to that state: polled in every tick, unless `.on` names an event or `.on_finished()` follows.
    /// Several targets, in different regions of a parallel, are entered together (a fork).
    template <std::convertible_to<state_key>... More> transition<Context> to(const state_key& target, const More&... more) {
        auto& spec = add_transition();
        spec.aim_at(target, more...);
        return transition<Context>(spec);
    }
    /// A reaction to an event: no state is left, nothing is entered. Without `.then` it swallows the event.
    template <detail::event_class E>
    transition<Context, E> on() {
        return transition<Context>(add_transition()).template on<E>();
    }
    template <auto Value>
        requires std::is_enum_v<decltype(Value)>
    transition<Context, decltype(Value)> on() {
        return transition<Context>(add_transition()).template on<Value>();
    }
    template <class E>
        requires valued_event<E>
    auto on(E value) {
        return transition<Context>(add_transition()).on(value);
    }
    template <detail::several_events T> auto on(const T& values) { return transition<Context>(add_transition()).on(values); }
    template <detail::no_event_type E> transition<Context> on() { return transition<Context>(add_transition()).template on<E>(); }
    template <detail::no_event_object E> transition<Context> on(const E& value) { return transition<Context>(add_transition()).on(value); }
    transition<Context, named_event> on(std::string_view name) { return transition<Context>(add_transition()).on(name); }
    /// A polled reaction: `.then` runs after each update of this state in which the guard holds.
    template <class G> auto when(G g) { return transition<Context>(add_transition()).when(static_cast<G&&>(g)); }

    /// A reaction that runs each time that so much time has passed in this state: `.then(...)`. At most once per tick; what
    /// is over is kept. The period is a time, or is found out when the state is entered (see timing.hpp).
    template <class T> transition<Context> every(T period) {
        auto& spec = add_transition();
        spec.every = detail::make_delay<Context>(static_cast<T&&>(period));
        return transition<Context>(spec);
    }

    /// Keeps that event for a later state, if none of this state's own transitions takes it: it is recalled after each
    /// transition, until some state consumes it. Several stay in their order.
    template <detail::event_class E>
    state& defer() {
        return defers(detail::key_of_type<E>());
    }
    template <auto Value>
        requires std::is_enum_v<decltype(Value)>
    state& defer() {
        auto key = detail::key_of_value(Value);
        key.name = std::string(detail::enumerator_name<Value>());
        return defers(std::move(key));
    }
    template <class E>
        requires valued_event<E>
    state& defer(E value) {
        return defers(detail::key_of_value(value));
    }
    template <detail::no_event_type E> state& defer() { return detail::refuse_event_type<E>(), *this; }
    template <detail::no_event_object E> state& defer(const E&) { return detail::refuse_event<E>(), *this; }
    state& defer(std::string_view name) { return defers(detail::key_of_name(name)); }

    // Delayed exit. A state that holds is not left: polled transitions wait and are tried again, an event's transition
    // waits in its level's pending slot. Transitions with .force() do not wait.
    /// Holds until it is released: by step.release() in its hooks, or by release() of the instance.
    state& hold() {
        set_hold();
        return *this;
    }
    /// Holds until the guard, or condition, agrees. It may also take the target, as (const Context&, hsm::state_ref).
    template <class G> state& hold_until(G g) {
        auto& at = open();
        auto predicate = detail::condition_reader{at, nullptr}.found(static_cast<G&&>(g));
        at.add_hold_predicate(detail::bind<detail::as_guard, Context, detail::hold_question>(std::move(predicate)));
        return *this;
    }
    /// Holds for that time after it was entered. A time, or what is found out when the state is entered.
    template <class T> state& min_duration(T least) {
        set_least_duration(detail::make_delay<Context>(static_cast<T&&>(least)));
        return *this;
    }

    /// Runs once per instance, before its first start: superstates first, whether they are entered or not.
    template <class F> state& on_init(F f) { return with(hook_kind::init, detail::bind<detail::as_hook, Context>(static_cast<F&&>(f))); }
    /// Runs when the instance's destroy() is called, once for each on_init: substates first, in reverse order.
    template <class F> state& on_destroy(F f) { return with(hook_kind::destroy, detail::bind<detail::as_hook, Context>(static_cast<F&&>(f))); }

    /// Data that lives while this state is active, one per agent: each activation starts as a copy of T{args...}.
    /// The class hooks of T (enter, update, exit, finished) are hooks of this state.
    template <class T, class... Args> state& local(Args&&... args) {
        if constexpr (check_local<T, Args...>()) {
            add_local(detail::local_prototype::of<T>(std::forward<Args>(args)...));
            detail::bind_class_hooks<T, Context>(*this, nullptr);
        }
        return *this;
    }
    /// Its polled transitions are tried at once after it was entered.
    state& transient() {
        set_transient();
        return *this;
    }
    state& named(std::string name) {
        set_name(std::move(name));
        return *this;
    }
    /// Names it by an enumerator, by which it can then be found.
    template <auto Id>
        requires std::is_enum_v<decltype(Id)>
    state& identified() {
        set_id(enum_id_of(Id));
        set_name(std::string(detail::enumerator_name<Id>()));
        return *this;
    }

protected:
    state(std::string name, state_kind kind) : state_base(std::move(name), kind) {
        static_assert(std::is_same_v<Context, std::remove_cvref_t<Context>>,
                      "hsm: a context is named without const and &: hooks that only look at it take it as const");
    }

    state& with(hook_kind kind, const detail::op_parts& h) {
        add_hook(kind, h);
        return *this;
    }

private:
    state& defers(event_key event) {
        auto& spec = add_transition();
        spec.event = std::move(event);
        spec.defers = true;
        return *this;
    }

    template <class T, class... Args> static constexpr bool check_local() {
        constexpr bool is_class = std::is_class_v<T>;
        static_assert(is_class, "hsm: a local is a class; hooks ask for it by its type");
        constexpr bool is_data = !std::is_base_of_v<state_base, T>;
        static_assert(is_data, "hsm: this class is a node: it belongs into the tree, not into a state's memory");
        constexpr bool copies = !is_class || !is_data || std::is_copy_constructible_v<T>;
        static_assert(copies, "hsm: a local is copied from its prototype at each activation, so it must be copyable");
        constexpr bool braced = !is_class || !is_data || requires(Args&&... args) { T{std::forward<Args>(args)...}; };
        static_assert(braced, "hsm: the local's prototype cannot be made as T{args...} (in braces, so narrowing is an error, too)");
        return is_class && is_data && copies && braced;
    }
};

/// A state that ends its machine when entered. It has enter and exit hooks, no update and no way out.
template <class Context> class final_state : public state<Context> {
public:
    explicit final_state(std::string name) : state<Context>(std::move(name), state_kind::final) {}
};

} // namespace hsm
