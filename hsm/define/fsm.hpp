/// A machine: a state with substates, so machines nest as superstates.
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

#include <hsm/define/pseudo.hpp>
#include <hsm/define/state.hpp>

namespace hsm {

template <class T>
concept node_class = std::is_base_of_v<state_base, T>;

template <class Context> class fsm : public state<Context> {
    using base = state<Context>;

public:
    explicit fsm(std::string name) : base(std::move(name), state_kind::machine) {}

    // The setters of a state, so that a chain of them stays a machine.
    template <class F> fsm& on_enter(F f) { return base::on_enter(static_cast<F&&>(f)), *this; }
    template <class F> fsm& on_update(F f) { return base::on_update(static_cast<F&&>(f)), *this; }
    template <class F> fsm& on_exit(F f) { return base::on_exit(static_cast<F&&>(f)), *this; }
    template <class T, class... Args> fsm& local(Args&&... args) {
        return base::template local<T>(std::forward<Args>(args)...), *this;
    }
    fsm& hold() { return base::hold(), *this; }
    template <class G> fsm& hold_until(G g) { return base::hold_until(static_cast<G&&>(g)), *this; }
    template <class T> fsm& min_duration(T least) { return base::min_duration(static_cast<T&&>(least)), *this; }
    template <class F> fsm& on_init(F f) { return base::on_init(static_cast<F&&>(f)), *this; }
    template <class F> fsm& on_destroy(F f) { return base::on_destroy(static_cast<F&&>(f)), *this; }
    fsm& transient() { return base::transient(), *this; }
    fsm& named(std::string name) { return base::named(std::move(name)), *this; }
    template <auto Id>
        requires std::is_enum_v<decltype(Id)>
    fsm& identified() {
        return base::template identified<Id>(), *this;
    }

    // Substates: by name, by enumerator, ...
    state<Context>& add(std::string name) { return adopted(make_owned<state<Context>>(std::move(name))); }
    template <auto Id>
        requires std::is_enum_v<decltype(Id)>
    state<Context>& add() {
        return add("").template identified<Id>();
    }
    /// ... by class, made from args; the class of a node over another context takes the way to it first:
    /// `add<weapon_machine>(&character::weapon, args...)`, or a callable that returns a reference into the context.
    template <node_class T, class... Args> T& add(Args&&... args) {
        using inner = typename T::context_type;
        if constexpr (starts_with_way<inner, Args...>) {
            return add_projected<T>(std::forward<Args>(args)...);
        } else if constexpr (std::is_same_v<inner, Context>) {
            return add_node<T>({}, std::forward<Args>(args)...);
        } else if constexpr (std::is_base_of_v<inner, Context>) {
            auto upcast = [](Context& c) -> inner& { return c; };
            return add_node<T>(project<inner>(upcast), std::forward<Args>(args)...);
        } else {
            static_assert(sizeof...(Args) > 0, "hsm: this machine works on another context: say first how it is found in "
                                               "this one, as in add<weapon_machine>(&character::weapon)");
            if constexpr (sizeof...(Args) > 0) return add_projected<T>(std::forward<Args>(args)...);
        }
    }
    /// ... by the class of its local: add<swing>("slash", 0.4f) starts each activation with a copy of swing{0.4f}.
    template <class T, class... Args>
        requires(!node_class<T>)
    state<Context>& add(std::string name, Args&&... args) {
        auto& s = add(std::move(name));
        s.template local<T>(std::forward<Args>(args)...);
        return s;
    }
    /// ... by enumerator and class, of a node or of a local.
    template <auto Id, class T, class... Args>
        requires std::is_enum_v<decltype(Id)>
    auto& add(Args&&... args) {
        if constexpr (node_class<T>) {
            T& node = add<T>(std::forward<Args>(args)...);
            node.template identified<Id>();
            return node;
        } else {
            return add<Id>().template local<T>(std::forward<Args>(args)...);
        }
    }
    /// ... a machine written in place, ...
    fsm& add_fsm(std::string name) { return adopted(make_owned<fsm>(std::move(name))); }
    template <auto Id>
        requires std::is_enum_v<decltype(Id)>
    fsm& add_fsm() {
        return add_fsm("").template identified<Id>();
    }
    /// ... a state that ends this machine, ...
    state<Context>& add_final(std::string name) { return adopted(make_owned<final_state<Context>>(std::move(name))); }
    template <auto Id>
        requires std::is_enum_v<decltype(Id)>
    state<Context>& add_final() {
        return add_final("").template identified<Id>();
    }

    /// ... a fork of transitions (see pseudo.hpp), ...
    hsm::choice<Context>& add_choice(std::string name) { return adopted(make_owned<hsm::choice<Context>>(std::move(name))); }
    /// ... and targets that stand for the substate in which this machine was left last, or for the leaf.
    hsm::history<Context>& add_history(std::string name) {
        return adopted(make_owned<hsm::history<Context>>(std::move(name), history_depth::shallow));
    }
    hsm::history<Context>& add_deep_history(std::string name) {
        return adopted(make_owned<hsm::history<Context>>(std::move(name), history_depth::deep));
    }

    /// Entered again, it goes to the substate in which it was left, if no other target is given. A substate that is final
    /// is not remembered.
    fsm& remembers() {
        this->set_history(history_depth::shallow);
        return *this;
    }
    /// The same, down to the leaf.
    fsm& remembers_deep() {
        this->set_history(history_depth::deep);
        return *this;
    }

    /// Where the machine goes when it is entered and no dispatch choice applies; any descendant. Default: its first substate.
    initial_choice<Context> initial(const state_key& target) { return entry<initial_choice<Context>>(this->add_initial(), target); }
    /// A choice of where to go when the machine is entered; any descendant. Tried by priority, then in order. If all
    /// refuse and there is no initial, the machine rests, itself the leaf, and tries again in every tick.
    entry_choice<Context> dispatch(const state_key& target) { return entry<entry_choice<Context>>(this->add_dispatch(), target); }

    /// Called as f(context, from, to, why), or f(from, to, why), once after each transition below this machine.
    /// `from` and `to` are the leaves (hsm::state_ref) before and after, `why` is an hsm::reason.
    template <class F> fsm& on_change(F&& f);
    /// Called when an event reaches the instance and no active state knows it: the innermost active machine that has such
    /// a hook is told. The step knows the event.
    template <class F> fsm& on_unhandled(F f) {
        this->add_hook(hook_kind::unhandled, detail::bind<detail::as_hook, Context>(static_cast<F&&>(f)));
        return *this;
    }

private:
    /// A member pointer that leads from this context to another is always meant as the way there.
    template <class Inner, class Way = int, class... Rest>
    static constexpr bool starts_with_way = std::is_member_pointer_v<std::decay_t<Way>> &&
                                            std::is_invocable_r_v<Inner&, const std::decay_t<Way>&, Context&>;

    template <class T> T& adopted(owned<T> node) {
        T& ref = *node;
        this->adopt(std::move(node));
        return ref;
    }

    template <class T, class... Args> T& add_node(projection way, Args&&... args) {
        T& node = adopted(make_owned<T>(std::forward<Args>(args)...));
        node.set_projection(std::move(way));
        detail::bind_class_hooks<T, typename T::context_type>(node, &node);
        return node;
    }

    template <class T, class Way, class... Args> T& add_projected(Way&& way, Args&&... args) {
        using inner = typename T::context_type;
        constexpr bool leads = std::is_invocable_r_v<inner&, const std::decay_t<Way>&, Context&>;
        static_assert(leads, "hsm: this machine works on another context: say first how it is found in this one, as in "
                             "add<weapon_machine>(&character::weapon)");
        if constexpr (leads) return add_node<T>(project<inner>(std::forward<Way>(way)), std::forward<Args>(args)...);
    }

    template <class Inner, class Way> static projection project(Way&& way) {
        using type = std::decay_t<Way>;
        constexpr auto find = [](const void* self, void* context) -> void* {
            const type& w = *static_cast<const type*>(self);
            Context& c = *static_cast<Context*>(context);
            if constexpr (std::is_member_object_pointer_v<type>)
                return static_cast<Inner*>(&(c.*w));
            else if constexpr (std::is_member_function_pointer_v<type>)
                return static_cast<Inner*>(&(c.*w)());
            else
                return static_cast<Inner*>(&w(c));
        };
        return projection({find, new type(std::forward<Way>(way)), &detail::release_callable<type>, {}});
    }

    template <class Choice> static Choice entry(transition_spec& spec, const state_key& target) {
        spec.target = target;
        spec.has_target = true;
        return Choice(spec);
    }
};

namespace detail {
template <class Context, class F>
inline constexpr bool change_with_context = std::is_invocable_v<const F&, Context&, state_ref, state_ref, reason>;

template <class Context, class F> const op* change_op(const op* at, machine& m) {
    m.at = at;
    const auto& callable = *static_cast<const F*>(at->self);
    const state_ref from(m.moment().cause.previous);
    const state_ref to = m.chart->host->current(m);
    if constexpr (change_with_context<Context, F>)
        callable(*static_cast<Context*>(m.context), from, to, m.moment().cause.reason);
    else
        callable(from, to, m.moment().cause.reason);
    HSM_PROCEED(at + 1);
}
} // namespace detail

template <class Context> template <class F> fsm<Context>& fsm<Context>::on_change(F&& f) {
    using type = std::decay_t<F>;
    constexpr bool fits = detail::change_with_context<Context, type> || std::is_invocable_v<const type&, state_ref, state_ref, reason>;
    static_assert(fits, "hsm: on_change takes a callable (const, as charts are shared) with (Context&, hsm::state_ref from, "
                        "hsm::state_ref to, hsm::reason why), or without the context");
    if constexpr (fits)
        this->add_hook(hook_kind::change, {&detail::change_op<Context, type>, new type(std::forward<F>(f)),
                                           &detail::release_callable<type>, {nullptr, 0, true}});
    return *this;
}

/// The root of a definition: make_fsm<character>("character") writes one in place, make_fsm<my_machine>(args...) makes
/// one of a class that derives from fsm.
template <class T, class... Args> auto make_fsm(Args&&... args) {
    if constexpr (node_class<T>) {
        static_assert(std::is_base_of_v<fsm<typename T::context_type>, T>, "hsm: a root is a machine: derive it from hsm::fsm");
        auto root = make_owned<T>(std::forward<Args>(args)...);
        detail::bind_class_hooks<T, typename T::context_type>(*root, root.get());
        return root;
    } else {
        return make_owned<fsm<T>>(std::forward<Args>(args)...);
    }
}

} // namespace hsm
