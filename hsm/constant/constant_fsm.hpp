/// The states and machines of a constant chart during its definition. They have the same definition calls as the classes in state.hpp and fsm.hpp.
/// The compiler evaluates these calls.
///
/// A definition that is a template, or a lambda with `auto& root`, can be used for constant charts and for charts compiled at run time:
///
///     template <class Machine> constexpr void define(Machine& root) {
///         auto& off = root.add("off");
///         auto& on = root.add("on").on_enter([](lamp& l) { l.lit = true; });
///         off.to(on).on(button::press);
///     }
#pragma once

#include <hsm/op/detail/compiler.hpp>
#include <hsm/constant/detail/transition.hpp>
#include <hsm/define/detail/class_hooks.hpp>

namespace hsm {

template <class Context> class constant_fsm;
template <class Context> class fsm;
template <class Context> class parallel;

namespace detail {

template <class T> void construct_constant_local(void* at) noexcept { new (at) T{}; }
template <class T> constexpr constant_local constant_local_of() {
    return {&local_type_of<T>, &construct_constant_local<T>, std::is_trivially_destructible_v<T> ? nullptr : &destroy_local<T>, 0};
}

template <class T, class... Args>
inline constexpr bool suits_as_local =
    std::is_class_v<T> && std::is_default_constructible_v<T> && !std::is_base_of_v<state_base, T> && sizeof...(Args) == 0;

/// `New`: the class has no data, and an object is constructed for each call. Otherwise the object is a local.
template <class Context, auto Member, class T, bool New, class Signature = signature<decltype(Member)>> struct constant_member_form;
template <class Context, auto Member, class T, bool New, callable_kind Kind, class Object, bool Const, class Result, class... A>
struct constant_member_form<Context, Member, T, New, callable_signature<Kind, Object, Const, Result, A...>> {
    static constexpr bool takes_elapsed = (is_elapsed<A> || ...);
    static constexpr needs_list needs = [] {
        needs_list list;
        if (!New) list.add(local_type_of<T>);
        list.add(needs_of<Context, no_event>(arguments<A...>{}, false));
        return list;
    }();

    template <class Given> HSM_ALWAYS_INLINE static inline Result call(Given& c, const constant_call& with) {
        if constexpr (New) {
            T object{};
            return (object.*Member)(constant_argument_among<A, Context, no_event, A...>(c, with)...);
        } else {
            auto& object = constant_argument_among<T&, Context, no_event, T&, A...>(c, with);
            return (object.*Member)(constant_argument_among<A, Context, no_event, T&, A...>(c, with)...);
        }
    }
};

template <class Role, class Scope, class T, bool New, auto Member> constexpr constant_hook<constant_root<Scope>> constant_member() {
    using Context = constant_inner<Scope>;
    constant_hook<constant_root<Scope>> h;
    if constexpr (check_member<Role, T, Context, Member>()) {
        using form = constant_member_form<Context, Member, T, New>;
        using lack = constant_lack<Context, no_event, signature<decltype(Member)>>;
        static_assert(!lack::step,
                      "hsm: a hook of a constant chart cannot have captures or a step: use the context, or hsm::compile");
        static_assert(std::is_void_v<typename signature<decltype(Member)>::result>,
                      "hsm: an update of a constant chart must return nothing: to change the state, use a transition, or hsm::compile");
        if constexpr (!lack::step) h.thunk = &constant_thunk<form, Scope>;
        h.takes_elapsed = form::takes_elapsed;
        if (form::needs.count > 0) h.needs = &form::needs;
    }
    return h;
}

template <class Scope, class T, bool New, auto Member> constexpr constant_guard<constant_root<Scope>> constant_predicate() {
    using Context = constant_inner<Scope>;
    constant_guard<constant_root<Scope>> g;
    if constexpr (check_member<as_guard, T, Context, Member>()) {
        using form = constant_member_form<Context, Member, T, New>;
        g.thunk = &constant_guard_call<form, Scope>;
        if (form::needs.count > 0) g.needs = &form::needs;
    }
    return g;
}

template <class Context, class T, bool New, class State> constexpr void bind_constant_members(State& s) {
    if constexpr (mentions_enter<T>) s.enter_.push_back(constant_member<as_hook, Context, T, New, &T::enter>());
    if constexpr (mentions_update<T>) s.update_.push_back(constant_member<as_update, Context, T, New, &T::update>());
    if constexpr (mentions_exit<T>) s.exit_.push_back(constant_member<as_hook, Context, T, New, &T::exit>());
    if constexpr (mentions_finished<T>) s.add_predicate(constant_condition<Context>(constant_predicate<Context, T, New, &T::finished>()));
}

} // namespace detail

/// A history state: see pseudo.hpp. `Context`: that of the chart, or a detail::constant_part.
template <class Context> class constant_history : public detail::constant_node<detail::constant_root<Context>> {
public:
    using context_type = detail::constant_inner<Context>;

    template <class Target, class... More> constexpr auto otherwise(const Target& target, const More&... more) {
        auto& spec = this->add_to(this->initials_);
        spec.aim_at(detail::constant_key_of(target), detail::constant_key_of(more)...);
        return detail::constant_initial<Context>(spec);
    }
};

/// A choice: see pseudo.hpp.
template <class Context> class constant_branches : public constant_history<Context> {
public:

    constexpr constant_branches& choose(choosing how) {
        this->choose_ = how;
        return *this;
    }
    template <class Target, class... More> constexpr auto to(const Target& target, const More&... more) {
        return detail::constant_choice<Context>(branch(target, more...));
    }
    template <class Target, class... More> constexpr auto otherwise(const Target& target, const More&... more) {
        auto& spec = branch(target, more...);
        spec.priority = INT32_MIN;
        return detail::constant_initial<Context>(spec);
    }

private:
    template <class Target, class... More> constexpr auto& branch(const Target& target, const More&... more) {
        auto& spec = this->add_to(this->transitions_);
        spec.aim_at(detail::constant_key_of(target), detail::constant_key_of(more)...);
        return spec;
    }
};

template <class Context> class constant_state : public constant_branches<Context> {
    using self = constant_state;

public:
    template <class Target> void otherwise(const Target&) = delete; ///< only choices have it
    void choose(choosing) = delete;                                 ///< only machines and choices have it

    using hook_type = detail::constant_callable<Context, detail::as_hook>;
    using update_type = detail::constant_callable<Context, detail::as_update>;
    template <class F> constexpr auto& on_enter(F f) {
        constexpr bool fits = detail::suits<Context, detail::no_event, F>;
        static_assert(fits,
                      "hsm: a hook of a constant chart cannot have captures or a step: use the context, or hsm::compile");
        return this->enter_.push_back(hook_type(f)), *this;
    }
    template <class F> constexpr auto& on_update(F f) {
        constexpr bool fits = detail::suits<Context, detail::no_event, F>;
        static_assert(fits,
                      "hsm: a hook of a constant chart cannot have captures or a step: use the context, or hsm::compile");
        constexpr bool done = detail::returns_nothing<Context, F>;
        static_assert(done,
                      "hsm: an update of a constant chart must return nothing: to change the state, use a transition, or hsm::compile");
        return this->update_.push_back(update_type(f)), *this;
    }
    template <class F> constexpr auto& on_exit(F f) {
        constexpr bool fits = detail::suits<Context, detail::no_event, F>;
        static_assert(fits,
                      "hsm: a hook of a constant chart cannot have captures or a step: use the context, or hsm::compile");
        return this->exit_.push_back(hook_type(f)), *this;
    }
    template <class F> constexpr auto& on_init(F f) {
        constexpr bool fits = detail::suits<Context, detail::no_event, F>;
        static_assert(fits,
                      "hsm: a hook of a constant chart cannot have captures or a step: use the context, or hsm::compile");
        return this->init_.push_back(hook_type(f)), *this;
    }
    template <class F> constexpr auto& on_destroy(F f) {
        constexpr bool fits = detail::suits<Context, detail::no_event, F>;
        static_assert(fits,
                      "hsm: a hook of a constant chart cannot have captures or a step: use the context, or hsm::compile");
        return this->destroy_.push_back(hook_type(f)), *this;
    }

    /// The target is a state, a path, an enumerator, or `state_of<T>()`. Several targets, in different regions: a fork.
    template <class Target, class... More> constexpr auto to(const Target& target, const More&... more) {
        auto& spec = this->add_to(this->transitions_);
        spec.aim_at(detail::constant_key_of(target), detail::constant_key_of(more)...);
        return detail::constant_transition<Context>(spec);
    }
    template <detail::event_class E> constexpr detail::constant_transition<Context, E> on() {
        return reaction().template on<E>();
    }
    template <auto Value>
        requires std::is_enum_v<decltype(Value)>
    constexpr detail::constant_transition<Context, decltype(Value)> on() {
        return reaction().template on<Value>();
    }
    template <class E>
        requires valued_event<E>
    constexpr auto on(E value) {
        return reaction().on(value);
    }
    template <detail::several_events T> constexpr auto on(const T& values) { return reaction().on(values); }
    constexpr auto on(any_event_type event) { return reaction().on(event); }
    template <detail::no_event_type E> constexpr auto on() { return reaction().template on<E>(); }
    template <class G> constexpr auto when(G g) {
        constexpr bool fits = detail::suits_as_guard<Context, detail::no_event, G>;
        static_assert(fits,
                      "hsm: a guard of a constant chart cannot have captures, or take events before .on");
        auto& spec = this->add_to(this->transitions_);
        if constexpr (fits) detail::add_constant_guard<Context, detail::no_event>(spec, g);
        return detail::constant_transition<Context>(spec);
    }

    /// Adds a polled reaction: `.then` runs after an update of this state when the period has passed, and again after each further period.
    template <class T> constexpr auto every(T period) {
        constexpr bool fits = detail::is_fixed_time<T> || detail::suits_as_value<Context, T>;
        static_assert(fits,
                      "hsm: a delay of a constant chart is a time, or a callable without captures that takes only the context");
        auto& spec = this->add_to(this->transitions_);
        if constexpr (fits) spec.every = detail::constant_delay_of<Context>(period);
        return detail::constant_transition<Context>(spec);
    }

    /// Keeps an event for which no active state has a transition, and handles it after the next transition with a target.
    template <detail::event_class E> constexpr auto& defer() {
        static_assert(std::is_copy_constructible_v<E>,
                      "hsm: this event cannot be copied, so it cannot be deferred");
        return static_cast<void>(this->deferral().template on<E>()), *this;
    }
    template <auto Value>
        requires std::is_enum_v<decltype(Value)>
    constexpr self& defer() {
        return static_cast<void>(deferral().template on<Value>()), *this;
    }
    template <class E>
        requires valued_event<E>
    constexpr self& defer(E value) {
        return static_cast<void>(deferral().on(value)), *this;
    }
    template <detail::no_event_type E> constexpr self& defer() { return detail::refuse_event_type<E>(), *this; }
    template <class T>
        requires(!valued_event<T>)
    constexpr self& defer(const T&) {
        static_assert(detail::no<T>,
                      "hsm: defer takes a type or one value in a constant chart: call it for each value; names need hsm::compile");
        return *this;
    }

    /// Adds a local: a T that is constructed when the state is entered, and destroyed when the state is exited. Hooks, guards and actions can take a
    /// T&. The members enter, update and exit of T are hooks, and its
    /// `bool finished() const` is called after each update of the state.
    template <class T, class... Args> constexpr auto& local(Args&&...) {
        constexpr bool fits = detail::suits_as_local<T, Args...>;
        static_assert(fits,
                      "hsm: a local of a constant chart is a class whose constructor takes no arguments: give its members initial values");
        return add_local<T, Args...>(), *this;
    }

    // Delayed exit: see state.hpp.
    constexpr self& hold() {
        this->holds_ = true;
        return *this;
    }
    template <class G> constexpr auto& hold_until(G g) {
        constexpr bool fits = detail::suits_as_guard<Context, detail::hold_query, G>;
        static_assert(fits,
                      "hsm: a guard of a constant chart cannot have captures, or take events before .on");
        if constexpr (fits) detail::add_constant_guard<Context, detail::hold_query>(this->add_to(this->hold_until_), g);
        return *this;
    }
    template <class T> constexpr auto& min_duration(T least) {
        constexpr bool fits = detail::is_fixed_time<T> || detail::suits_as_value<Context, T>;
        static_assert(fits,
                      "hsm: a delay of a constant chart is a time, or a callable without captures that takes only the context");
        if constexpr (fits) this->least_ = detail::constant_delay_of<Context>(least);
        return *this;
    }
    constexpr self& transient() {
        this->transient_ = true;
        return *this;
    }
    constexpr self& named(std::string_view text) {
        this->name_ = text;
        return *this;
    }
    /// Adds a tag: `is_in(hsm::tag(name))` is true while a state with this tag is active.
    constexpr self& tag(std::string_view name) {
        this->tags_.push_back(name);
        return *this;
    }
    template <auto Id>
        requires std::is_enum_v<decltype(Id)>
    constexpr self& identified() {
        this->id_ = detail::constant_tag_of<decltype(Id)>();
        this->value_ = static_cast<std::int64_t>(Id);
        return named(detail::enumerator_name<Id>());
    }

    // Functions for features that constant charts lack. They are templates with deduced return types, so the compiler reports the error at the call.
    template <class F> constexpr auto& on_leave_requested(const F&) {
        static_assert(detail::no<F>,
                      "hsm: a constant chart has no on_leave_requested: use hsm::compile");
        return *this;
    }

protected:
    template <class T, class... Args> constexpr void add_local() {
        if constexpr (detail::suits_as_local<T, Args...>) {
            this->locals_.push_back(detail::constant_local_of<T>());
            detail::bind_constant_members<Context, T, false>(*this);
        }
    }

private:
    constexpr detail::constant_transition<Context> deferral() {
        auto& spec = this->add_to(this->transitions_);
        spec.defers = true;
        return detail::constant_transition<Context>(spec);
    }
    constexpr detail::constant_transition<Context> reaction() { return detail::constant_transition<Context>(this->add_to(this->transitions_)); }
};

namespace detail {

/// Implements <finished> of files: see finishes_when.hpp.
template <class Context, class G> constexpr void finishes_when(constant_state<Context>& s, G g) {
    constexpr bool fits = suits_as_guard<Context, no_event, G>;
    static_assert(fits,
                  "hsm: a guard of a constant chart cannot have captures, or take events before .on");
    if constexpr (fits) s.add_predicate(constant_condition<Context>(g));
}

/// The kind and the context of a machine over a part of the context.
template <class T> struct machine_of_part;
template <class Inner> struct machine_of_part<fsm<Inner>> {
    using context = Inner;
    static constexpr auto kind = state_kind::machine;
};
template <class Inner> struct machine_of_part<parallel<Inner>> {
    using context = Inner;
    static constexpr auto kind = state_kind::parallel;
};

} // namespace detail

/// A state with regions: see parallel.hpp. Every machine is built on it.
template <class Context> class constant_parallel : public constant_state<Context> {
    using base = constant_state<Context>;

public:
    template <class F> constexpr constant_parallel& on_enter(F f) { return base::on_enter(f), *this; }
    template <class F> constexpr constant_parallel& on_update(F f) { return base::on_update(f), *this; }
    template <class F> constexpr constant_parallel& on_exit(F f) { return base::on_exit(f), *this; }
    template <class F> constexpr constant_parallel& on_init(F f) { return base::on_init(f), *this; }
    template <class F> constexpr constant_parallel& on_destroy(F f) { return base::on_destroy(f), *this; }
    template <class E> constexpr constant_parallel& defer() { return base::template defer<E>(), *this; }
    template <auto Value> constexpr constant_parallel& defer() { return base::template defer<Value>(), *this; }
    template <class E> constexpr constant_parallel& defer(E value) { return base::defer(value), *this; }
    template <class T, class... Args> constexpr constant_parallel& local(Args&&... args) {
        return base::template local<T>(static_cast<Args&&>(args)...), *this;
    }
    constexpr constant_parallel& named(std::string_view text) { return base::named(text), *this; }
    constexpr constant_parallel& tag(std::string_view name) { return base::tag(name), *this; }
    template <auto Id> constexpr constant_parallel& identified() { return base::template identified<Id>(), *this; }
    /// Adds a hook that runs when an event arrives for which no active state has a transition: see composite.hpp.
    template <class F> constexpr auto& on_unhandled(F f) {
        constexpr bool fits = detail::suits<Context, detail::no_event, F>;
        static_assert(fits,
                      "hsm: a hook of a constant chart cannot have captures or a step: use the context, or hsm::compile");
        return this->unhandled_.push_back(typename base::hook_type(f)), *this;
    }
    /// Makes the parallel enter the leaves that were active when it was last exited.
    constexpr constant_parallel& remembers_deep() {
        this->history_ = history_depth::deep;
        return *this;
    }

    constexpr base& add(std::string_view name) { return adopt(state_kind::leaf, name); }
    template <auto Id>
        requires std::is_enum_v<decltype(Id)>
    constexpr base& add() {
        return add("").template identified<Id>();
    }
    /// Adds a state whose hooks are the members enter, update and exit of the class T. If the class has data, the state has a T as a local.
    template <class T, class... Args> constexpr auto& add(std::string_view name, Args&&... args) {
        auto& s = add(name);
        hooks_of<T>(s, static_cast<Args&&>(args)...);
        return s;
    }
    template <auto Id, class T>
        requires std::is_enum_v<decltype(Id)>
    constexpr base& add() {
        auto& s = add<Id>();
        hooks_of<T>(s);
        return s;
    }
    constexpr constant_fsm<Context>& add_fsm(std::string_view name) { return adopt(state_kind::machine, name); }
    template <auto Id>
        requires std::is_enum_v<decltype(Id)>
    constexpr constant_fsm<Context>& add_fsm() {
        return add_fsm("").template identified<Id>();
    }
    constexpr constant_parallel& add_parallel(std::string_view name) { return adopt(state_kind::parallel, name); }
    template <auto Id>
        requires std::is_enum_v<decltype(Id)>
    constexpr constant_parallel& add_parallel() {
        return add_parallel("").template identified<Id>();
    }
    constexpr constant_history<Context>& add_history(std::string_view name) { return adopt_history(history_depth::shallow, name); }
    constexpr constant_history<Context>& add_deep_history(std::string_view name) { return adopt_history(history_depth::deep, name); }

    /// Adds a machine or a parallel over a part of the context: add<hsm::fsm<weapon>>(accessor, name). The accessor is a lambda without
    /// captures that returns a reference to the part, or hsm::fixed<function>.
    template <class T, class Accessor>
        requires requires { detail::machine_of_part<T>::kind; }
    constexpr auto& add(Accessor, std::string_view name) {
        using machine = detail::machine_of_part<T>;
        using accessor = detail::unlabelled<Accessor>;
        using outer = detail::constant_inner<Context>;
        constexpr bool leads = detail::stateless<accessor> && std::is_invocable_r_v<typename machine::context&, const accessor&, outer&>;
        static_assert(leads,
                      "hsm: in a constant chart, the accessor of a part of the context must be a lambda without captures, or hsm::fixed<function>, "
                      "that returns a reference to the part");
        if constexpr (leads)
            return adopt<detail::constant_part<Context, accessor, typename machine::context>>(machine::kind, name);
        else
            return *this;
    }
    /// The same for a base class of the context, which needs no accessor.
    template <class T>
        requires std::is_base_of_v<typename detail::machine_of_part<T>::context, detail::constant_inner<Context>>
    constexpr auto& add(std::string_view name) {
        return add<T>([](detail::constant_inner<Context>& c) -> typename detail::machine_of_part<T>::context& { return c; }, name);
    }

protected:
    constexpr constant_fsm<Context>& adopt_history(history_depth depth, std::string_view name) {
        auto& node = adopt(state_kind::history, name);
        node.history_ = depth;
        return node;
    }
    template <class Scope = Context> constexpr constant_fsm<Scope>& adopt(state_kind kind, std::string_view name) {
        auto* const node = new constant_fsm<Scope>;
        node->delete_ = [](detail::constant_node<detail::constant_root<Context>>* of) { delete static_cast<constant_fsm<Scope>*>(of); };
        this->substates_.push_back(node);
        node->kind_ = kind;
        node->name_ = name;
        node->superstate_ = this;
        return *node;
    }

private:
    template <class T, class... Args> static constexpr void hooks_of(base& s, Args&&... args) {
        constexpr bool is_data = !std::is_base_of_v<state_base, T>;
        static_assert(is_data,
                      "hsm: this class derives from hsm::state: write its hooks as lambdas or in a class without data, or use hsm::compile");
        if constexpr (is_data) {
            s.class_tag_ = detail::constant_class_of<T>();
            if constexpr (std::is_empty_v<T> && sizeof...(Args) == 0)
                detail::bind_constant_members<Context, T, true>(s);
            else
                s.template local<T>(static_cast<Args&&>(args)...);
        }
    }
};

template <class Context> class constant_fsm : public constant_parallel<Context> {
    using base = constant_state<Context>;
    using constant_parallel<Context>::adopt;

public:
    template <class F> constexpr auto& on_enter(F f) {
        constexpr bool fits = detail::suits<Context, detail::no_event, F>;
        static_assert(fits,
                      "hsm: a hook of a constant chart cannot have captures or a step: use the context, or hsm::compile");
        return this->enter_.push_back(typename base::hook_type(f)), *this;
    }
    template <class F> constexpr auto& on_update(F f) {
        constexpr bool fits = detail::suits<Context, detail::no_event, F>;
        static_assert(fits,
                      "hsm: a hook of a constant chart cannot have captures or a step: use the context, or hsm::compile");
        constexpr bool done = detail::returns_nothing<Context, F>;
        static_assert(done,
                      "hsm: an update of a constant chart must return nothing: to change the state, use a transition, or hsm::compile");
        return this->update_.push_back(typename base::update_type(f)), *this;
    }
    template <class F> constexpr auto& on_exit(F f) {
        constexpr bool fits = detail::suits<Context, detail::no_event, F>;
        static_assert(fits,
                      "hsm: a hook of a constant chart cannot have captures or a step: use the context, or hsm::compile");
        return this->exit_.push_back(typename base::hook_type(f)), *this;
    }
    template <class F> constexpr constant_fsm& on_init(F f) { return base::on_init(f), *this; }
    template <class F> constexpr constant_fsm& on_destroy(F f) { return base::on_destroy(f), *this; }
    template <class E> constexpr auto& defer() { return base::template defer<E>(), *this; }
    template <auto Value> constexpr constant_fsm& defer() { return base::template defer<Value>(), *this; }
    template <class E> constexpr constant_fsm& defer(E value) { return base::defer(value), *this; }
    template <class T, class... Args> constexpr auto& local(Args&&...) {
        constexpr bool fits = detail::suits_as_local<T, Args...>;
        static_assert(fits,
                      "hsm: a local of a constant chart is a class whose constructor takes no arguments: give its members initial values");
        return this->template add_local<T, Args...>(), *this;
    }
    constexpr constant_fsm& transient() { return base::transient(), *this; }
    constexpr constant_fsm& tag(std::string_view name) { return base::tag(name), *this; }
    constexpr constant_fsm& hold() { return base::hold(), *this; }
    template <class G> constexpr constant_fsm& hold_until(G g) { return base::hold_until(g), *this; }
    template <class T> constexpr constant_fsm& min_duration(T least) { return base::min_duration(least), *this; }
    constexpr constant_fsm& named(std::string_view text) { return base::named(text), *this; }
    template <auto Id> constexpr constant_fsm& identified() { return base::template identified<Id>(), *this; }

    constexpr base& add_final(std::string_view name) { return adopt(state_kind::final, name); }
    template <auto Id>
        requires std::is_enum_v<decltype(Id)>
    constexpr base& add_final() {
        return add_final("").template identified<Id>();
    }

    constexpr constant_branches<Context>& add_choice(std::string_view name) {
        auto& choice = adopt(state_kind::choice, name);
        choice.transient_ = true;
        return choice;
    }

    constexpr constant_history<Context>& add_previous(std::string_view name) { return this->adopt_history(history_depth::previous, name); }

    template <class Target, class... More> constexpr auto initial(const Target& target, const More&... more) {
        auto& spec = this->add_to(this->initials_);
        spec.aim_at(detail::constant_key_of(target), detail::constant_key_of(more)...);
        return detail::constant_initial<Context>(spec);
    }
    /// Sets how the machine chooses among its `dispatch` candidates: hsm::best, hsm::weighted or hsm::random.
    constexpr constant_fsm& choose(choosing how) {
        this->choose_ = how;
        return *this;
    }
    /// Makes the machine choose again in each tick, or after each period: see fsm.hpp.
    constexpr constant_fsm& rechoose() {
        this->rechooses_ = true;
        return *this;
    }
    template <class T> constexpr auto& rechoose_every(T period) {
        constexpr bool fits = detail::is_fixed_time<T> || detail::suits_as_value<Context, T>;
        static_assert(fits,
                      "hsm: a delay of a constant chart is a time, or a callable without captures that takes only the context");
        if constexpr (fits) this->period_ = detail::constant_delay_of<Context>(period);
        return rechoose();
    }
    constexpr constant_fsm& stay_bonus(double bonus) {
        this->stay_bonus_ = bonus;
        return *this;
    }
    /// Makes the machine enter the substate that was active when it was last exited.
    constexpr constant_fsm& remembers() {
        this->history_ = history_depth::shallow;
        return *this;
    }
    /// Makes the machine enter the leaf that was active when it was last exited.
    constexpr constant_fsm& remembers_deep() { return constant_parallel<Context>::remembers_deep(), *this; }
    template <class F> constexpr constant_fsm& on_unhandled(F f) { return constant_parallel<Context>::on_unhandled(f), *this; }
    /// Adds a hook of the root: see fsm.hpp.
    template <class F> constexpr auto& on_settled(F f) {
        constexpr bool fits = detail::suits<Context, detail::no_event, F>;
        static_assert(fits,
                      "hsm: a hook of a constant chart cannot have captures or a step: use the context, or hsm::compile");
        return this->settled_.push_back(typename base::hook_type(f)), *this;
    }
    /// Adds a hook that is called as f(context, from, to, why) or f(from, to, why) after each transition below this machine: see fsm.hpp. `from` and
    /// `to` (hsm::state_ref) have names and paths, and can be compared; do not call their get().
    template <class F> constexpr auto& on_change(F f) {
        constexpr bool fits = detail::suits_as_change<Context, F>;
        static_assert(fits,
                      "hsm: on_change of a constant chart takes a callable without captures with (Context&, hsm::state_ref from, "
                      "hsm::state_ref to, hsm::reason why), or without the context");
        if constexpr (fits) this->change_.push_back(detail::bind_constant_change<Context>(f));
        return *this;
    }
    template <class Target, class... More> constexpr auto dispatch(const Target& target, const More&... more) {
        auto& spec = this->add_to(this->choices_);
        spec.aim_at(detail::constant_key_of(target), detail::constant_key_of(more)...);
        return detail::constant_choice<Context>(spec);
    }
};

} // namespace hsm
