/// The common base of machines and parallels: states with substates.
#pragma once

#include <hsm/define/pseudo.hpp>
#include <hsm/define/state.hpp>
#include <hsm/op/detail/compiler.hpp>

namespace hsm {

template <class Context> class fsm;
template <class Context> class parallel;

namespace detail {
template <class Inner, class Context, class Way> projection unlabelled_projection(Way&& way) {
    using type = std::decay_t<Way>;
    static_assert(!takes_copy<type, Context>(), "hsm: take the context by reference: a reference into a copy would dangle");
    constexpr auto find = [](const void* self, void* context) -> void* {
        const type& w = *static_cast<const type*>(self);
        Context& c = *static_cast<Context*>(context);
        if constexpr (std::is_member_object_pointer_v<type>)
            return static_cast<Inner*>(std::addressof(c.*w));
        else if constexpr (std::is_member_function_pointer_v<type>)
            return static_cast<Inner*>(std::addressof((c.*w)()));
        else
            return static_cast<Inner*>(std::addressof(w(c)));
    };
    return projection({find, new type(std::forward<Way>(way)), &delete_callable<type>, {}});
}

/// Returns a projection that finds the Inner part of a context.
template <class Inner, class Context, class Way> projection project(Way&& way) {
    using type = std::decay_t<Way>;
    if constexpr (is_labelled<type>) {
        auto found = project<Inner, Context>(std::forward<Way>(way).callable);
        found.set_label(way.label);
        return found;
    } else {
        return unlabelled_projection<Inner, Context>(std::forward<Way>(way));
    }
}
} // namespace detail

template <class T>
concept node_class = std::is_base_of_v<state_base, T>;

/// Self is the derived class, so that setters can be chained.
template <class Context, class Self> class composite : public state<Context> {
    using base = state<Context>;

public:
    // The setters of `state`, returning Self.
    Self& on_enter(const detail::given_hook<Context>& f) { return base::on_enter(f), self(); }
    Self& on_update(const detail::given_update<Context>& f) { return base::on_update(f), self(); }
    Self& on_exit(const detail::given_hook<Context>& f) { return base::on_exit(f), self(); }
    template <class T, class... Args> Self& local(Args&&... args) { return base::template local<T>(std::forward<Args>(args)...), self(); }
    Self& hold() { return base::hold(), self(); }
    template <class G> Self& hold_until(G g, call_site at = {}) { return base::hold_until(static_cast<G&&>(g), at), self(); }
    Self& min_duration(const detail::given_delay<Context>& least) { return base::min_duration(least), self(); }
    template <class E> Self& defer(call_site at = {}) { return base::template defer<E>(at), self(); }
    template <auto Value> Self& defer(call_site at = {}) { return base::template defer<Value>(at), self(); }
    template <class E> Self& defer(const E& event, call_site at = {}) { return base::defer(event, at), self(); }
    Self& on_leave_requested(const detail::given_hook<Context>& f) { return base::on_leave_requested(f), self(); }
    Self& on_init(const detail::given_hook<Context>& f) { return base::on_init(f), self(); }
    Self& on_destroy(const detail::given_hook<Context>& f) { return base::on_destroy(f), self(); }
    Self& done_data(const detail::given_done_data<Context>& f) { return base::done_data(f), self(); }
    Self& transient() { return base::transient(), self(); }
    Self& tag(std::string name) { return base::tag(std::move(name)), self(); }
    Self& named(std::string name) { return base::named(std::move(name)), self(); }
    Self& was(std::string former_name) { return base::was(std::move(former_name)), self(); }
    template <auto Id>
    requires std::is_enum_v<decltype(Id)> Self& identified() { return base::template identified<Id>(), self(); }

    /// Adds a substate, by name or enumerator.
    state<Context>& add(const state_name& name) { return made<state<Context>>(name); }
    template <auto Id>
    requires std::is_enum_v<decltype(Id)> state<Context>
    &add(call_site at = {}) { return add({"", at}).template identified<Id>(); }
    /// Adds a substate of the class T, constructed from args. If T has another context type, the first argument leads to that context. It is a member
    /// pointer, as in `add<weapon_machine>(&character::weapon, args...)`, or a callable that returns a reference into the context.
    template <node_class T, class... Args> T& add(Args&&... args) {
        using inner = typename T::context_type;
        if constexpr (starts_with_way<inner, Args...>) {
            return add_projected<T>(std::forward<Args>(args)...);
        } else if constexpr (std::is_same_v<inner, Context>) {
            return add_node<T>({}, std::forward<Args>(args)...);
        } else if constexpr (std::is_base_of_v<inner, Context>) {
            auto upcast = [](Context& c) -> inner& { return c; };
            return add_node<T>(detail::project<inner, Context>(upcast), std::forward<Args>(args)...);
        } else {
            static_assert(sizeof...(Args) > 0, "hsm: this machine works on another context: as the first argument, pass the member of the outer "
                                               "context that this machine works on, as in add<weapon_machine>(&character::weapon)");
            if constexpr (sizeof...(Args) > 0) return add_projected<T>(std::forward<Args>(args)...);
        }
    }
    /// Adds a substate with a local of the class T: after add<swing>("slash", 0.4f), each activation of the state starts with a copy of swing{0.4f}.
    template <class T, class... Args>
    requires(!node_class<T>) state<Context>
    &add(const state_name& name, Args&&... args) {
        auto& s = add(name);
        s.template local<T>(std::forward<Args>(args)...);
        return s;
    }
    /// Adds a substate that is named by an enumerator. If T derives from a state class, the substate is a T; otherwise the substate has a local of
    /// the class T.
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
    /// Adds a nested machine.
    fsm<Context>& add_fsm(const state_name& name) { return made<fsm<Context>>(name); }
    template <auto Id>
    requires std::is_enum_v<decltype(Id)> fsm<Context>
    &add_fsm(call_site at = {}) { return add_fsm({"", at}).template identified<Id>(); }
    /// Adds a state whose substates are active together.
    parallel<Context>& add_parallel(const state_name& name) { return made<parallel<Context>>(name); }
    template <auto Id>
    requires std::is_enum_v<decltype(Id)> parallel<Context>
    &add_parallel(call_site at = {}) { return add_parallel({"", at}).template identified<Id>(); }
    /// Adds a history state: a target that stands for the substate that was active at the last exit of this state. A deep history stands for the
    /// leaves that were active then.
    hsm::history<Context>& add_history(const state_name& name) { return made<hsm::history<Context>>(name, history_depth::shallow); }
    hsm::history<Context>& add_deep_history(const state_name& name) { return made<hsm::history<Context>>(name, history_depth::deep); }

    /// Adds a hook that runs when an event reaches the instance and no active state has a transition for it. Only the innermost active state with
    /// such a hook runs it. In the hook, step.event<E>() returns the event.
    Self& on_unhandled(const detail::given_hook<Context>& f) {
        this->with(hook_kind::unhandled, f);
        return self();
    }

    /// Sets the text after "done.state." in the name of the event that is raised when this state is finished. The default is the name of this state.
    /// See compile_options::done_events.
    Self& done_id(std::string id) {
        this->set_done_id(std::move(id));
        return self();
    }

protected:
    composite(const state_name& name, state_kind kind) : base(name, kind) {}

    /// Not inlined: large definitions have thousands of these calls, and inlining them costs compile time.
    template <class T, class... Args> HSM_NOINLINE T& made(const state_name& name, Args... args) { return adopted(make_owned<T>(name, args...)); }
    template <class T> T& adopted(owned<T> node) {
        T& ref = *node;
        this->adopt(std::move(node));
        return ref;
    }

private:
    Self& self() { return static_cast<Self&>(*this); }

    /// True if the first argument is a pointer to a member of this context that gives the substate's context (Inner). Such an argument is never
    /// passed to the constructor of the substate.
    template <class Inner, class Way = int, class... Rest>
    static constexpr bool starts_with_way =
        std::is_member_pointer_v<detail::unlabelled<Way>>&& std::is_invocable_r_v<Inner&, const detail::unlabelled<Way>&, Context&>;

    template <class T, class... Args> T& add_node(detail::projection way, Args&&... args) {
        T& node = adopted(make_owned<T>(std::forward<Args>(args)...));
        node.set_projection(std::move(way));
        detail::bind_class_hooks<T, typename T::context_type>(node, std::addressof(node));
        return node;
    }

    template <class T, class Way, class... Args> T& add_projected(Way&& way, Args&&... args) {
        using inner = typename T::context_type;
        constexpr bool leads = std::is_invocable_r_v<inner&, const detail::unlabelled<Way>&, Context&>;
        static_assert(leads, "hsm: this machine works on another context: as the first argument, pass the member of the outer "
                             "context that this machine works on, as in add<weapon_machine>(&character::weapon)");
        if constexpr (leads) return add_node<T>(detail::project<inner, Context>(std::forward<Way>(way)), std::forward<Args>(args)...);
    }
};

} // namespace hsm
