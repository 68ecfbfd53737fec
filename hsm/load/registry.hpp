/// Named behavior for machines that are defined in files.
///
///     hsm::registry<monster> names;
///     names.guard("hasTarget", &monster::has_target).hook("roar", [](monster& m) { m.roar(); });
///     const auto chart = hsm::compile(hsm::load_xml("monster.xml", names));
///
/// A registered callable can take the same parameters as a callable in code. A registry also contains the registrations of its context, which can be
/// in any source file of the program:
///
///     const hsm::registration<monster> combat{[](auto& names) { names.guard("hasTarget", &monster::has_target); }};
#pragma once

#include <hsm/define/fsm.hpp>
#include <hsm/load/detail/registry_base.hpp>
#include <hsm/op/detail/compiler.hpp>

namespace hsm {

namespace detail {

template <class Context> owned<state_base> make_node(state_kind kind, history_depth depth, std::string name) {
    switch (kind) {
    case state_kind::machine: return make_owned<fsm<Context>>(std::move(name));
    case state_kind::parallel: return make_owned<parallel<Context>>(std::move(name));
    case state_kind::final: return make_owned<final_state<Context>>(std::move(name));
    case state_kind::choice: return make_owned<choice<Context>>(std::move(name));
    case state_kind::history: return make_owned<history<Context>>(std::move(name), depth);
    case state_kind::leaf: break;
    }
    return make_owned<state<Context>>(std::move(name));
}

template <class Context>
HSM_HIDDEN inline constexpr detail::node_factory factory_of{tag_of<Context>(), unqualified(type_name<Context>()), &make_node<Context>};

template <class Role, class Context, class Event, class F> bound_op bind_copy([[maybe_unused]] const void* callable) {
    auto parts = bind<Role, Context, Event>(F(callable_at<F>(callable)));
    if constexpr (std::is_same_v<Role, as_delay> || std::is_same_v<Role, as_score>) parts.needs.hook_context = true;
    return parts;
}
template <class Context, class F> bound_op bind_change_copy(const void* callable) { return bind_change<Context>(F(callable_at<F>(callable))); }
template <class Context, class Event, class F> bool ask_copy(const void* callable, machine& m) {
    return static_cast<bool>(form_of<as_guard, Context, Event, F>::template call<F>(callable, m));
}

/// Erases the type of a callable. A stateless callable is not stored.
template <class Function, class F> erased<Function> own(Function call, F f) {
    if constexpr (stateless<F>)
        return erased<Function>({call, nullptr, nullptr, {}});
    else
        return erased<Function>({call, new F(static_cast<F&&>(f)), &delete_callable<F>, {}});
}

template <class F> constexpr bool check_copies() {
    constexpr bool fits = std::is_copy_constructible_v<F>;
    static_assert(fits, "hsm: a registered object must be copyable: it is copied to each place where a file names it");
    return fits;
}

template <class Event> constexpr const event_type* event_taken() {
    if constexpr (std::is_same_v<Event, no_event>)
        return nullptr;
    else
        return &event_type_of<Event>;
}

} // namespace detail

/// Registers behavior for one class of context.
template <class Context> class registrar {
public:
    explicit registrar(detail::registry_base& to) : to_(std::addressof(to)) {}

    /// Adds a hook for enter, exit, and all other kinds of hooks that have no parameters of their own. It can also be used as an update and as an
    /// action.
    template <class F> registrar& hook(std::string_view name, F f) {
        return callable<detail::as_hook, detail::no_event>(detail::behavior_kind::callback, name, static_cast<F&&>(f));
    }
    /// Adds an update hook. The hook can take the elapsed time, and return the next state.
    template <class F> registrar& update(std::string_view name, F f) {
        return callable<detail::as_update, detail::no_event>(detail::behavior_kind::update, name, static_cast<F&&>(f));
    }
    /// Adds an action of transitions. If you specify an event, only transitions that wait for that event can use the action.
    template <class Event = detail::no_event, class F> registrar& action(std::string_view name, F f) {
        return callable<detail::as_action, Event>(detail::behavior_kind::action, name, static_cast<F&&>(f));
    }
    /// Adds a guard. If you specify an event, only transitions that wait for that event can use the guard. If you specify hsm::state_ref, the guard
    /// takes the target, and only `hold_until` can use it.
    template <class Event = detail::no_event, class F> registrar& guard(std::string_view name, F f) {
        using taken = std::conditional_t<std::is_same_v<Event, state_ref>, detail::hold_query, Event>;
        return callable<detail::as_guard, taken>(detail::behavior_kind::guard, name, static_cast<F&&>(f));
    }
    /// Adds a hook for on_change of a machine.
    template <class F> registrar& change(std::string_view name, F f) {
        auto b = entry(detail::behavior_kind::change, name);
        if constexpr (detail::is_labelled<F>)
            return change(name, std::move(f.callable));
        else if constexpr (detail::check_copies<F>())
            b.op = detail::own(&detail::bind_change_copy<Context, F>, static_cast<F&&>(f));
        return added(std::move(b));
    }
    /// Adds a delay: a time, or a callable that is called when a state is entered and returns the time (see given.hpp).
    template <class T> registrar& delay(std::string_view name, T time) {
        if constexpr (detail::is_time<T> || std::is_integral_v<T>) {
            auto b = entry(detail::behavior_kind::delay, name);
            b.fixed = detail::delay(detail::given_delay<Context>(time));
            return added(std::move(b));
        } else {
            return callable<detail::as_delay, detail::no_event>(detail::behavior_kind::delay, name, static_cast<T&&>(time));
        }
    }

    /// Adds a score of a candidate: a callable that returns a number (see transition.hpp).
    template <class F> registrar& score(std::string_view name, F f) {
        return callable<detail::as_score, detail::no_event>(detail::behavior_kind::score, name, static_cast<F&&>(f));
    }
    /// Adds a hook of final states. The hook returns the data of the event that the state raises at its entry.
    template <class F> registrar& done_data(std::string_view name, F f) {
        return callable<detail::as_done_data, detail::no_event>(detail::behavior_kind::done_data, name, static_cast<F&&>(f));
    }

    /// Adds a local, constructed as T{args...}.
    template <class T, class... Args> registrar& local(std::string_view name, Args&&... args) {
        auto add = [... copies = std::decay_t<Args>(std::forward<Args>(args))](state_base& at) -> state_base* {
            static_cast<hsm::state<Context>&>(at).template local<T>(copies...);
            return std::addressof(at);
        };
        return making(entry(detail::behavior_kind::local, name), std::move(add));
    }
    /// Adds a state class. Each of its states is created by add<T>(args...). If T has another context, first register that part of the context with
    /// `part`.
    template <node_class T, class... Args> registrar& state(std::string_view name, Args&&... args) {
        auto add = [... copies = std::decay_t<Args>(std::forward<Args>(args))](state_base& at) -> state_base* {
            if (at.kind() == state_kind::parallel) return &static_cast<parallel<Context>&>(at).template add<T>(copies...);
            return &static_cast<fsm<Context>&>(at).template add<T>(copies...);
        };
        auto b = entry(detail::behavior_kind::state, name);
        b.inner = &detail::factory_of<typename T::context_type>;
        return making(std::move(b), std::move(add));
    }
    /// Adds a part of the context, for states that work on it. Pass a member pointer, as in `names.part<weapon>("weapon", &character::weapon)`, or a
    /// callable. Register the behavior of these states with the returned registrar, or with a registry of the part's type.
    template <class Part, class Way> HSM_HIDDEN registrar<Part> part(std::string_view name, Way way);

    // The following names do not depend on the context.
    /// Adds a state identifier: `names.identifier("idle", pose::idle)`.
    template <class E>
    requires std::is_enum_v<E> registrar& identifier(std::string_view name, E e) {
        auto b = entry(detail::behavior_kind::identifier, name, nullptr);
        b.id = enum_id_of(e);
        return added(std::move(b));
    }
    /// Adds an event: `names.event<hit>("hit")`, `names.event("jump", input::jump)`, `names.event("jump")`.
    template <detail::event_class E> registrar& event(std::string_view name) { return added_event(name, detail::key_of_type<E>()); }
    template <class E>
    requires valued_event<E> registrar& event(std::string_view name, E value) { return added_event(name, detail::key_of_value(value)); }
    /// Adds several values as one event: `names.event("digit", hsm::range('0', '9'))`.
    template <detail::several_events T> registrar& event(std::string_view name, const T& values) {
        return added_event(name, detail::key_of_values(values));
    }
    registrar& event(std::string_view name) { return added_event(name, detail::key_of_name(name)); }
    /// Adds a condition of the instance, at this index or at the first free index.
    registrar& bit(std::string_view name, int index) { return added_bit(name, index); }
    registrar& bit(std::string_view name) { return added_bit(name, condition_spec::any_index); }

private:
    registrar& added_bit(std::string_view name, std::int64_t index) {
        auto b = entry(detail::behavior_kind::bit, name, nullptr);
        b.index = index;
        return added(std::move(b));
    }
    static detail::behavior entry(detail::behavior_kind kind, std::string_view name,
                                   const detail::node_factory* over = &detail::factory_of<Context>) {
        detail::behavior b;
        b.kind = kind;
        b.name = std::string(name);
        b.over = over;
        return b;
    }
    registrar& added(detail::behavior b) {
        to_->add(std::move(b));
        return *this;
    }
    registrar& added_event(std::string_view name, event_key key) {
        auto b = entry(detail::behavior_kind::event, name, nullptr);
        b.key = std::move(key);
        b.key.name = std::string(name);
        return added(std::move(b));
    }
    template <class Add> registrar& making(detail::behavior b, Add add) {
        constexpr auto call = [](const void* arguments, state_base& at) { return detail::callable_at<Add>(arguments)(at); };
        b.make = detail::erased<state_base* (*)(const void*, state_base&)>({call, new Add(std::move(add)), &detail::delete_callable<Add>, {}});
        return added(std::move(b));
    }
    template <class Role, class Event, class F> registrar& callable(detail::behavior_kind kind, std::string_view name, F f) {
        auto b = entry(kind, name);
        if constexpr (detail::is_labelled<F>) {
            return callable<Role, Event>(kind, name, std::move(f.callable)); // the registered name is the label
        } else if constexpr (detail::check_copies<F>()) {
            b.event = detail::event_taken<Event>();
            if constexpr (std::is_same_v<Role, detail::as_guard>) b.ask = &detail::ask_copy<Context, Event, F>;
            if constexpr (std::is_same_v<Role, detail::as_update>) b.names_successor = detail::names_successor<Context, F>;
            b.op = detail::own(&detail::bind_copy<Role, Context, Event, F>, static_cast<F&&>(f));
        }
        return added(std::move(b));
    }

    detail::registry_base* to_;
};

/// A registration adds its names to every registry of its context. Define registrations at namespace scope in your source files, in any order. (The
/// linker includes a file of a static library only if the program uses something else in that file.)
template <class Context> class registration {
public:
    using function = void (*)(registrar<Context>& names);

    // Hidden, because each module has a list of its own.
    HSM_HIDDEN explicit registration(function fill) : fill_(fill), next_(first()) { first() = this; }
    registration(const registration&) = delete;
    registration& operator=(const registration&) = delete;
    HSM_HIDDEN ~registration() {
        auto** at = std::addressof(first());
        while (*at && *at != this) at = std::addressof((*at)->next_);
        if (*at) *at = next_;
    }

    HSM_HIDDEN static void all(registrar<Context>& names) {
        for (const auto* r = first(); r; r = r->next_) r->fill_(names);
    }

private:
    HSM_HIDDEN static registration*& first() {
        static registration* head = nullptr;
        return head;
    }

    function fill_;
    registration* next_;
};

template <class Context> template <class Part, class Way> registrar<Part> registrar<Context>::part(std::string_view name, Way way) {
    if constexpr (detail::is_labelled<Way>) {
        return part<Part>(name, std::move(way.callable));
    } else {
        constexpr bool leads = std::is_invocable_r_v<Part&, const Way&, Context&>;
        static_assert(leads, "hsm: pass a member pointer to the part of the context, or a callable that returns a reference to it");
        auto b = entry(detail::behavior_kind::part, name);
        b.inner = &detail::factory_of<Part>;
        if constexpr (leads) {
            constexpr auto find = [](const void* self, state_base& at) {
                at.set_projection(detail::project<Part, Context>(Way(*static_cast<const Way*>(self))));
            };
            b.project = detail::erased<void (*)(const void*, state_base&)>({find, new Way(std::move(way)), &detail::delete_callable<Way>, {}});
        }
        added(std::move(b));
        registrar<Part> inside(*to_);
        if (to_->is_new(detail::tag_of<Part>())) registration<Part>::all(inside);
        return inside;
    }
}

/// A registry owns the registered behavior.
template <class Context> class registry : public detail::registry_base, public registrar<Context> {
public:
    using context_type = Context;

    HSM_HIDDEN registry() : detail::registry_base(detail::factory_of<Context>), registrar<Context>(static_cast<detail::registry_base&>(*this)) {
        if (is_new(detail::tag_of<Context>())) registration<Context>::all(*this);
    }
    registry(registry&&) = delete;
};

} // namespace hsm
