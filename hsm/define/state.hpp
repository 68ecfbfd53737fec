/// A typed state: hooks with a Context, transitions, locals. A plain `state` is a leaf; `fsm` derives from it.
///
/// To give a state its own class, derive that class from `state`. One object of this class (a node) serves all agents, so its hooks are const
/// members: `void enter(Context&) const`, `update`, `exit`. hsm finds these members at compile time. Nodes are created only by `make_fsm`,
/// `compile<T>` and functions such as `add` and `add_fsm`.
#pragma once

#include <hsm/define/detail/class_hooks.hpp>
#include <hsm/define/detail/given.hpp>
#include <hsm/define/transition.hpp>

#include <concepts>

namespace hsm {

template <class Context> class state : public state_base {
public:
    using context_type = Context;

    explicit state(const state_name& name) : state(name, state_kind::leaf) {}

    // Hooks run in the order of definition. hsm/define/detail/parameters.hpp lists their parameters.
    state& on_enter(const detail::given_hook<Context>& f) { return with(hook_kind::enter, f); }
    /// Adds an update hook. The hook can return the next state (see `successor`).
    state& on_update(const detail::given_update<Context>& f) { return with(hook_kind::update, f); }
    state& on_exit(const detail::given_hook<Context>& f) { return with(hook_kind::exit, f); }

    /// Adds a transition from this state to the target. Every tick tries the transition, unless you call `.on` or `.on_finished()` on it. If you pass
    /// several targets in different regions of a parallel, they are entered together (a fork).
    template <std::convertible_to<state_key>... More> transition<Context> to(const target_key& target, const More&... more) {
        return transition<Context>(add_transition(target).aim_at_more(more...));
    }
    /// Adds a reaction to an event. A reaction exits and enters no state. Without `.then` it consumes the event without effect.
    template <detail::event_class E> transition<Context, E> on(call_site at = {}) { return transition<Context>(add_transition(at)).template on<E>(); }
    template <auto Value>
    requires std::is_enum_v<decltype(Value)> transition<Context, decltype(Value)> on(call_site at = {}) {
        return transition<Context>(add_transition(at)).template on<Value>();
    }
    template <class E>
    requires valued_event<E>
    auto on(E value, call_site at = {}) { return transition<Context>(add_transition(at)).on(value); }
    template <detail::several_events T> auto on(const T& values, call_site at = {}) { return transition<Context>(add_transition(at)).on(values); }
    template <detail::several_names T> transition<Context, named_event> on(const T& names, call_site at = {}) {
        return transition<Context>(add_transition(at)).on(names);
    }
    transition<Context, any_event_type> on(any_event_type, call_site at = {}) { return transition<Context>(add_transition(at)).on(any_event); }
    template <detail::no_event_type E> transition<Context> on() { return transition<Context>(add_transition()).template on<E>(); }
    template <detail::no_event_object E> transition<Context> on(const E& value) { return transition<Context>(add_transition()).on(value); }
    template <class E> transition<Context> on(std::initializer_list<E> events) { return transition<Context>(add_transition()).on(events); }
    transition<Context, named_event> on(std::string_view name, call_site at = {}) { return transition<Context>(add_transition(at)).on(name); }
    /// Adds a polled reaction: `.then` runs after each update of this state if the guard holds.
    template <class G> auto when(G g, call_site at = {}) { return transition<Context>(add_transition(at)).when(static_cast<G&&>(g), at); }

    /// Adds a reaction. Its action (`.then`) runs each time the period has passed in this state, but at most once per tick; time beyond the period
    /// counts for the next period. Pass a time, or a function that computes the period when the state is entered (see given.hpp).
    transition<Context> every(const detail::given_delay<Context>& period) {
        detail::delay made(period);
        auto& spec = add_transition(period.where);
        spec.every = std::move(made);
        return transition<Context>(spec);
    }

    /// Stores the event for a later state if no transition of this state handles it. After each transition with a target, hsm tries the event again,
    /// until a state consumes it. Deferred events keep their order.
    template <detail::event_class E> state& defer(call_site at = {}) { return defers(detail::key_of_type<E>(), at); }
    template <auto Value>
    requires std::is_enum_v<decltype(Value)> state& defer(call_site at = {}) {
        auto key = detail::key_of_value(Value);
        key.name = std::string(detail::enumerator_name<Value>());
        return defers(std::move(key), at);
    }
    template <class E>
    requires valued_event<E> state& defer(E value, call_site at = {}) { return defers(detail::key_of_value(value), at); }
    template <detail::no_event_type E> state& defer() { return detail::refuse_event_type<E>(), *this; }
    template <detail::no_event_object E> state& defer(const E&) { return detail::refuse_event<E>(), *this; }
    template <class E> state& defer(std::initializer_list<E>) { return detail::refuse_event_list<E>(), *this; }
    state& defer(std::string_view name, call_site at = {}) { return defers(detail::key_of_name(name), at); }

    // Delayed exit. A state that holds is not exited: polled transitions are tried again later, and the transition of an event waits in the pending
    // slot of its level. Transitions with .force() do not wait.
    /// Makes the state hold until it is released, by step.release() in its hooks or by release() of the instance.
    state& hold() {
        set_hold();
        return *this;
    }
    /// Makes the state hold until the guard or condition is true. A guard can also take the target, as (const Context&, hsm::state_ref).
    template <class G> state& hold_until(G g, call_site at = {}) {
        auto& s = open();
        auto predicate = detail::condition_reader{s, at, nullptr}.found(static_cast<G&&>(g));
        s.add_hold_predicate(detail::bind_guard<Context, detail::hold_query>(std::move(predicate), at));
        return *this;
    }
    /// Makes the state hold for a time after it was entered. Pass the time, or a function that computes it when the state is entered.
    state& min_duration(const detail::given_delay<Context>& least) {
        set_least_duration(detail::delay(least));
        return *this;
    }

    /// Adds a hook of a state that holds. It runs when this state begins to hold a polled transition, an event or a request, once for each of them.
    /// It runs again if the polled transition is held again after one of its guards was false. The step provides the target and the event.
    state& on_leave_requested(const detail::given_hook<Context>& f) { return with(hook_kind::leave, f); }

    /// Adds a hook that runs once per instance, before its first start. The hooks of superstates run first. The hooks also run for states that are
    /// never entered.
    state& on_init(const detail::given_hook<Context>& f) { return with(hook_kind::init, f); }
    /// Adds a hook for the instance's destroy(). The hook runs only if the on_init hooks have run. The on_destroy hooks run in reverse order,
    /// substates first.
    state& on_destroy(const detail::given_hook<Context>& f) { return with(hook_kind::destroy, f); }

    /// Sets a function of a final state. It is called after the state's enter hooks, and returns the hsm::event_data of the event that is then
    /// raised. See compile_options::done_events.
    state& done_data(const detail::given_done_data<Context>& f) { return with(hook_kind::done_data, f); }

    /// Adds data that lives while this state is active, one copy per agent. Each activation starts with a copy of T{args...}. The class hooks of T
    /// (enter, update, exit, finished) are hooks of this state.
    template <class T, class... Args> state& local(Args&&... args) {
        if constexpr (check_local<T, Args...>()) {
            add_local(detail::local_prototype::of<T>(std::forward<Args>(args)...));
            detail::bind_class_hooks<T, Context>(*this, nullptr);
        }
        return *this;
    }
    /// Makes hsm try the polled transitions of this state immediately after it was entered.
    state& transient() {
        set_transient();
        return *this;
    }
    /// Adds a tag, which several states can have. `is_in(hsm::tag(name))` is true while a state with this tag is active.
    state& tag(std::string name) {
        add_tag(std::move(name));
        return *this;
    }
    state& named(std::string name) {
        set_name(std::move(name));
        return *this;
    }
    /// Adds a former name. Saved data and recordings that use it still match; other lookups do not use it.
    state& was(std::string former_name) {
        add_former_name(std::move(former_name));
        return *this;
    }
    /// Gives this state the name of an enumerator. Calls can then name the state by the enumerator.
    template <auto Id>
    requires std::is_enum_v<decltype(Id)> state& identified() {
        set_id(enum_id_of(Id), detail::enumerator_name<Id>());
        set_name(std::string(detail::enumerator_name<Id>()));
        return *this;
    }

protected:
    state(const state_name& name, state_kind kind) : state_base(name, kind) {
        static_assert(std::is_same_v<Context, std::remove_cvref_t<Context>>,
                      "hsm: name a context without const and &; a hook that only reads it can take const Context&");
    }

    state& with(hook_kind kind, const detail::bound_op& h) {
        add_hook(kind, h);
        return *this;
    }

private:
    state& defers(event_key event, hsm::origin at) {
        add_transition(at).set(&transition_spec::event, std::move(event)).defers = true;
        return *this;
    }

    template <class T, class... Args> static constexpr bool check_local() {
        constexpr bool is_class = std::is_class_v<T>;
        static_assert(is_class, "hsm: a local is a class: hooks find it by its type");
        constexpr bool is_data = !std::is_base_of_v<state_base, T>;
        static_assert(is_data, "hsm: this class is a state, not a local: add it with add<T>()");
        constexpr bool copies = !is_class || !is_data || std::is_copy_constructible_v<T>;
        static_assert(copies, "hsm: a local must be copyable: it is copied from its prototype at each activation");
        constexpr bool braced = !is_class || !is_data || requires(Args && ... args) { T{std::forward<Args>(args)...}; };
        static_assert(braced, "hsm: the local's prototype cannot be constructed as T{args...} (braces do not allow narrowing)");
        return is_class && is_data && copies && braced;
    }
};

/// A state that finishes its machine when entered. It has enter and exit hooks, but no update and no transitions out of it.
template <class Context> class final_state : public state<Context> {
public:
    explicit final_state(const state_name& name) : state<Context>(name, state_kind::final) {}
};

} // namespace hsm
