/// A machine: a state with substates. A machine can be a substate of another machine.
///
///     class attack : public hsm::fsm<character> {
///     public:
///         attack() : fsm("attack") {
///             auto& slash = add<swing>("slash", 0.4f);
///             auto& shoot = add("shoot").on_enter([](character& c) { ... });
///             dispatch(shoot).when([](const character& c) { return c.held == weapon::bow; });
///             dispatch(slash);
///         }
///     };
#pragma once

#include <hsm/define/detail/class_hooks.hpp>
#include <hsm/define/parallel.hpp>

#include <concepts>

namespace hsm {

/// A handle to an event of a definition, see about_event(). It is valid as long as the definition exists.
class event_definition {
public:
    event_definition(state_base& at, event_key of) : at_(at), of_(std::move(of)) {}
    /// Adds a former name of this event. Recordings that use it still match.
    const event_definition& was(std::string former_name) const { return at_.add_former_event(of_, std::move(former_name)), *this; }

private:
    state_base& at_;
    event_key of_;
};

/// A handle to a class of locals in a definition, see about_local(). It is valid as long as the definition exists.
class local_definition {
public:
    local_definition(state_base& at, const detail::local_type& of) : at_(at), of_(of) {}
    /// Adds a former name of this class. Documents that use it still match. Write the full name, as in "game::combo".
    const local_definition& was(std::string former_name) const { return at_.add_former_local(of_, std::move(former_name)), *this; }

private:
    state_base& at_;
    const detail::local_type& of_;
};

template <class Context> class fsm : public composite<Context, fsm<Context>> {
    using base = composite<Context, fsm<Context>>;

public:
    explicit fsm(const state_name& name) : base(name, state_kind::machine) {}

    // Kinds of substates that only machines can contain. composite.hpp declares the others.
    /// Adds a state that finishes this machine.
    state<Context>& add_final(const state_name& name) { return this->template made<final_state<Context>>(name); }
    template <auto Id>
    requires std::is_enum_v<decltype(Id)> state<Context>
    &add_final(call_site at = {}) { return add_final({"", at}).template identified<Id>(); }

    /// Adds a choice between transitions (see pseudo.hpp).
    hsm::choice<Context>& add_choice(const state_name& name) { return this->template made<hsm::choice<Context>>(name); }
    /// Adds a history state: a target that stands for the direct substate that was active before the current one. Repeated transitions to the history
    /// state alternate between two substates.
    hsm::history<Context>& add_previous(const state_name& name) { return this->template made<hsm::history<Context>>(name, history_depth::previous); }
    /// Makes the machine remember its substate. When the machine is entered again without a target inside it, it enters the substate that was active
    /// at its last exit. Final substates are not remembered.
    fsm& remembers() {
        this->set_history(history_depth::shallow);
        return *this;
    }
    /// Makes the machine remember its leaf. When the machine is entered again without a target inside it, it enters the leaf that was active at its
    /// last exit, and all states between the machine and this leaf. Final substates are not remembered.
    fsm& remembers_deep() {
        this->set_history(history_depth::deep);
        return *this;
    }

    /// Sets the descendant that is entered with the machine if no dispatch choice applies. The default is the first substate. If you pass several
    /// targets in different regions of a parallel, they are entered together.
    template <std::convertible_to<state_key>... More> initial_choice<Context> initial(const target_key& target, const More&... more) {
        return entry<initial_choice<Context>>(this->add_initial(target), more...);
    }
    /// Adds a dispatch choice: a descendant that can be entered when the machine is entered. Choices are tried by priority, then in the order of
    /// definition. If all guards are false and `initial` was not called, the machine itself is the leaf, and tries the choices again in every tick.
    template <std::convertible_to<state_key>... More> entry_choice<Context> dispatch(const target_key& target, const More&... more) {
        return entry<entry_choice<Context>>(this->add_dispatch(target), more...);
    }

    /// Sets how the machine chooses one of its dispatch choices.
    fsm& choose(hsm::choosing how) {
        this->choosing().how = how;
        return *this;
    }
    /// Makes the machine choose again in each tick while it is active. If the chosen candidate is not the active one, the machine enters the chosen
    /// candidate.
    fsm& rechoose() {
        this->choosing().again = true;
        return *this;
    }
    /// Makes the machine choose again after each period while it is active. The period can be computed when the machine is entered.
    fsm& rechoose_every(const detail::given_delay<Context>& period) {
        this->choosing().every = detail::delay(period);
        return rechoose();
    }
    /// Adds a number to the score of the active candidate when the machine chooses again.
    fsm& stay_bonus(double bonus, call_site at = {}) {
        this->choosing().stay_bonus = bonus;
        this->choosing().where = at;
        return *this;
    }

    /// Returns a handle to an event. Use the handle to add a former name: `root->about_event<hit>().was("punch")`,
    /// `root->about_event("start").was("begin")`, `root->about_event(key::up)`.
    template <detail::event_class E> event_definition about_event() { return {*this, detail::key_of_type<E>()}; }
    template <valued_event E> event_definition about_event(E value) { return {*this, detail::key_of_value(value)}; }
    event_definition about_event(std::string_view name) { return {*this, detail::key_of_name(name)}; }
    /// Returns a handle to a class of locals. Use the handle to add a former name: `root->about_local<v2::combo>().was("v1::combo")`.
    template <class T> local_definition about_local() { return {*this, detail::local_type_of<T>}; }

    /// Requires that this machine and the states below it use only declared conditions. For example, condition("IsRun") declares one. `compile`
    /// reports undeclared names as errors.
    fsm& conditions_declared() {
        this->set_conditions_declared();
        return *this;
    }

    /// Adds a hook of the root. It runs after a transition, when all work that results from the transition is complete: before the next external
    /// event, and after each transition of a tick. If the hook processes an event, and a transition or reaction fires for that event, the hook runs
    /// again.
    fsm& on_settled(const detail::given_hook<Context>& f) {
        this->with(hook_kind::settled, f);
        return *this;
    }

    /// Adds a hook that is called as f(context, from, to, why) or f(from, to, why), once after each transition below this machine. `from` and `to`
    /// are the leaves (hsm::state_ref) before and after the transition; `why` is an hsm::reason. With regions, `from` and `to` are the innermost
    /// active states of the region in which the transition took place.
    template <class F> fsm& on_change(F&& f, call_site at = {});

private:
    template <class Choice, class... More> static Choice entry(transition_spec& spec, const More&... more) {
        return Choice(spec.aim_at_more(more...));
    }
};

namespace detail {
template <class Context, class F> inline constexpr bool change_with_context = std::is_invocable_v<const F&, Context&, state_ref, state_ref, reason>;

template <class Context, class F> const op* change_op(const op* at, machine& m) {
    m.at = at;
    const auto& callable = *static_cast<const F*>(at->self);
    const state_ref from(m.hook_context().cause.previous);
    const state_ref to(m.hook_context().arrived);
    if constexpr (change_with_context<Context, F>)
        callable(*static_cast<Context*>(m.context), from, to, m.hook_context().cause.reason);
    else
        callable(from, to, m.hook_context().cause.reason);
    HSM_PROCEED(at + 1);
}

template <class Context, class F> bound_op bind_unlabelled_change(F&& f, origin at) {
    using type = std::decay_t<F>;
    constexpr bool fits = change_with_context<Context, type> || std::is_invocable_v<const type&, state_ref, state_ref, reason>;
    static_assert(fits, "hsm: on_change takes a const callable with (Context&, hsm::state_ref from, "
                        "hsm::state_ref to, hsm::reason why), or without the context");
    constexpr bool by_reference = check_no_copy<type, Context, const state_ref&, const state_ref&, const reason&>();
    if constexpr (fits && by_reference)
        return {&change_op<Context, type>, new type(std::forward<F>(f)), &delete_callable<type>, {nullptr, 0, true}, at};
    else
        return {};
}

template <class Context, class F> bound_op bind_change(F&& f, origin at = {}) {
    using type = std::decay_t<F>;
    if constexpr (is_labelled<type>) {
        auto label = owned_label(f.label);
        auto parts = bind_change<Context>(std::forward<F>(f).callable, at);
        parts.label = label.release();
        return parts;
    } else {
        return bind_unlabelled_change<Context>(std::forward<F>(f), at);
    }
}

} // namespace detail

template <class Context> template <class F> fsm<Context>& fsm<Context>::on_change(F&& f, call_site at) {
    this->add_hook(hook_kind::change, detail::bind_change<Context>(std::forward<F>(f), at));
    return *this;
}

/// Creates the root of a definition: make_fsm<character>("character") for a root that is defined in place, and make_fsm<my_machine>(args...) for a
/// class that derives from fsm.
template <class Context>
requires(!node_class<Context>) owned<fsm<Context>> make_fsm(const state_name& name) { return make_owned<fsm<Context>>(name); }
template <node_class T, class... Args> owned<T> make_fsm(Args&&... args) {
    static_assert(std::is_base_of_v<fsm<typename T::context_type>, T>, "hsm: a root is a machine: derive its class from hsm::fsm");
    auto root = make_owned<T>(std::forward<Args>(args)...);
    detail::bind_class_hooks<T, typename T::context_type>(*root, root.get());
    return root;
}

} // namespace hsm
