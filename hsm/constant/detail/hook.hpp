/// A hook or a guard of a constant chart: a pointer that is known at compile time, so that its code can be inlined.
///
/// Lambdas without captures, and other classes without data, are constructed where they are called. Pointers to functions and members are stored.
/// Hooks take the parameters of parameters.hpp, without the step.
#pragma once

#include <hsm/constant/detail/list.hpp>
#include <hsm/define/detail/given.hpp>
#include <hsm/define/named.hpp>
#include <hsm/define/state_ref.hpp>
#include <hsm/define/when.hpp>
#include <hsm/op/detail/compiler.hpp>
#include <hsm/op/result.hpp>

#include <cstdint>

namespace hsm::detail {

class constant_chain;

/// The context of a machine over a part of the context of the machine around it: the stateless callable `Way` returns a reference to the part.
template <class Outer, class Way, class Inner> struct constant_part {};

/// How hooks of a machine find their context. `root` is the context of the chart.
template <class Context> struct constant_scope {
    using root = Context;
    using inner = Context;
    static constexpr bool is_part = false;
    HSM_ALWAYS_INLINE static inline inner& find(root& c) { return c; }
};
template <class Outer, class Way, class Inner> struct constant_scope<constant_part<Outer, Way, Inner>> {
    using root = typename constant_scope<Outer>::root;
    using inner = Inner;
    static constexpr bool is_part = true;
    HSM_ALWAYS_INLINE static inline inner& find(root& c) { return Way{}(constant_scope<Outer>::find(c)); }
};
template <class Scope> using constant_root = typename constant_scope<Scope>::root;
template <class Scope> using constant_inner = typename constant_scope<Scope>::inner;
template <class Scope> HSM_ALWAYS_INLINE inline constant_inner<Scope>& constant_find(constant_root<Scope>& c) {
    return constant_scope<Scope>::find(c);
}
template <class Scope> HSM_ALWAYS_INLINE inline const constant_inner<Scope>& constant_find(const constant_root<Scope>& c) {
    return constant_scope<Scope>::find(const_cast<constant_root<Scope>&>(c));
}

/// The arguments of a program besides the context: the event's payload; the elapsed nanoseconds of an update; the counter of consecutive transitions;
/// and the levels on which these have entered a state.
struct constant_call {
    const void* payload = nullptr;
    std::int64_t elapsed = 0;
    constant_chain* chain = nullptr;
    std::uint64_t just_entered = 0;
};

/// A call of a callable that takes locals: also their addresses, in the order of its needs.
struct constant_local_call : constant_call {
    void* const* locals = nullptr;
};

inline constexpr std::uint32_t constant_no_place = 0xffff'ffff;
inline constexpr std::uint32_t constant_regions_end = 64; ///< the most regions

/// A local of a state: its type, and where it is in the memory of an instance.
struct constant_local {
    const local_type* type = nullptr;
    void (*construct)(void*) noexcept = nullptr;
    void (*destroy)(void*) noexcept = nullptr; ///< null: nothing to destroy
    std::uint32_t place = 0;                   ///< states that are never active together share memory
};
/// Compares types during constant evaluation, like constant_type_id.
constexpr bool is_same_local(const local_type* a, const local_type* b) { return HSM_IS_CONSTANT(a == b) ? a == b : a->name == b->name; }

template <class Context> struct constant_hook {
    void (*thunk)(Context&, const constant_call&) = nullptr;
    void (*function)(Context&) = nullptr;
    void (*reader)(const Context&) = nullptr;
    void (Context::*member)() = nullptr;
    void (Context::*const_member)() const = nullptr;
    const needs_list* needs = nullptr; ///< only if it takes locals
    bool takes_event = false;
    bool takes_elapsed = false;
    std::uint32_t places = 0; ///< of its locals: the first in the table of places

    HSM_ALWAYS_INLINE inline void operator()(Context& c, const constant_call& call) const noexcept {
        if (thunk) return thunk(c, call);
        if (function) return function(c);
        if (reader) return reader(c);
        if (member) return (c.*member)();
        (c.*const_member)();
    }
};

/// An on_change hook.
template <class Context> struct constant_change { void (*call)(Context&, state_ref from, state_ref to, reason why) = nullptr; };

template <class Scope, class F>
inline constexpr bool change_takes_context = std::is_invocable_v<const F&, constant_inner<Scope>&, state_ref, state_ref, reason>;
template <class Scope, class F>
inline constexpr bool change_is_function =
    !constant_scope<Scope>::is_part && std::is_convertible_v<F, void (*)(constant_root<Scope>&, state_ref, state_ref, reason)>;
template <class Scope, class F>
inline constexpr bool suits_as_change = (std::is_empty_v<F> &&
                                         (change_takes_context<Scope, F> || std::is_invocable_v<const F&, state_ref, state_ref, reason>)) ||
                                        change_is_function<Scope, F>;
template <class Scope, class F> inline constexpr bool suits_as_change<Scope, labelled<F>> = suits_as_change<Scope, F>;

template <class Scope, class F> constexpr constant_change<constant_root<Scope>> bind_constant_change([[maybe_unused]] F f) {
    if constexpr (change_is_function<Scope, F>)
        return {f};
    else if constexpr (change_takes_context<Scope, F>)
        return {[](constant_root<Scope>& c, state_ref from, state_ref to, reason why) { F{}(constant_find<Scope>(c), from, to, why); }};
    else
        return {[](constant_root<Scope>&, state_ref from, state_ref to, reason why) { F{}(from, to, why); }};
}
template <class Scope, class F> constexpr constant_change<constant_root<Scope>> bind_constant_change(const labelled<F>& f) {
    return bind_constant_change<Scope>(f.callable);
}

/// A condition that a definition declares or uses.
struct constant_condition_use {
    static constexpr int any_index = INT32_MIN;

    std::string_view name; ///< empty: none
    int index = any_index; ///< any_index: a free one
    bool trigger = false;
    std::uint32_t number = 0; ///< its index in the tables, once it is assigned
};

} // namespace hsm::detail

namespace hsm {

/// A handle to a condition of a constant chart, like hsm::condition. It is valid during the definition.
class constant_condition_handle {
public:
    constexpr explicit constant_condition_handle(detail::constant_condition_use& use, bool wanted = true) : use_(&use), wanted_(wanted) {}

    /// Makes this condition a trigger: see condition::trigger.
    constexpr const constant_condition_handle& trigger() const {
        use_->trigger = true;
        return *this;
    }
    constexpr constant_condition_handle operator!() const { return constant_condition_handle(*use_, !wanted_); }
    constexpr operator std::string_view() const { return use_->name; } ///< so it can be an argument of `when`
    constexpr const detail::constant_condition_use& use() const { return *use_; }
    constexpr bool wanted() const { return wanted_; }

private:
    detail::constant_condition_use* use_;
    bool wanted_;
};

} // namespace hsm

namespace hsm::detail {

/// A tree of guards. Index -1: none.
template <class Context> struct constant_guard {
    enum kind_of : std::uint8_t { asks, bit, over, all, any, no } kind = asks;
    std::int32_t part = -1; ///< of a composition: the first part
    std::int32_t next = -1; ///< the next part of the same composition, or the next guard of the same transition
    bool (*thunk)(const Context&, const constant_call&) = nullptr;
    bool (*function)(const Context&) = nullptr;
    bool Context::*data = nullptr;
    bool (Context::*member)() const = nullptr;
    const needs_list* needs = nullptr; ///< only if it takes locals
    std::uint32_t places = 0;          ///< as for hooks
    bool takes_event = false;
    bool is_group = false;         ///< of conditions, which are tested before the guards
    bool wanted = true;            ///< the value that a bit must have
    std::uint32_t number = 0;      ///< of a bit. Of `over`: the region whose leaf is tested or, from constant_regions_end on, a state
    constant_condition_use used{}; ///< of a bit; empty after its number is known
    const constant_condition_use* handle = nullptr; ///< the same, if a handle names it

    HSM_ALWAYS_INLINE inline bool operator()(const Context& c, const constant_call& call) const noexcept {
        if (thunk) return thunk(c, call);
        if (function) return function(c);
        if (data) return c.*data;
        return (c.*member)();
    }
};

/// Computes a number or a time.
template <class Context, class T> struct constant_value {
    T (*thunk)(const Context&, const constant_call&) = nullptr;
    T (*function)(const Context&) = nullptr;
    T Context::*data = nullptr;
    T (Context::*member)() const = nullptr;

    constexpr explicit operator bool() const { return thunk || function || data || member; }
    HSM_ALWAYS_INLINE inline T operator()(const Context& c) const noexcept {
        if (thunk) return thunk(c, {});
        if (function) return function(c);
        if (data) return c.*data;
        return (c.*member)();
    }
};

template <class Context> using constant_score = constant_value<Context, double>;

/// A time that is fixed, or computed when a state is entered.
template <class Context> struct constant_delay {
    constant_value<Context, time_span> find; ///< none: the time is fixed
    std::int64_t fixed = 0;                  ///< on the right side of comparisons: clang reads `fixed <` as the template hsm::fixed
    bool is_set = false;
};

template <class P, class Context, class Event, class Given>
HSM_ALWAYS_INLINE inline decltype(auto) constant_argument(Given& c, const constant_call& call) {
    using type = std::remove_cvref_t<P>;
    if constexpr (is_event<P, Event>)
        return *static_cast<const type*>(call.payload);
    else if constexpr (is_context<P, Context>)
        return static_cast<std::conditional_t<std::is_const_v<Given>, const type, type>&>(c);
    else if constexpr (std::is_floating_point_v<type>)
        return static_cast<type>(static_cast<double>(call.elapsed) / 1e9);
    else
        return static_cast<type>(time_span::from_nanoseconds(call.elapsed));
}

/// Returns the number of locals in the parameters before the first that has the type of P.
template <class P, class Context, class Event, class... A> consteval std::size_t constant_local_index() {
    std::size_t i = 0;
    bool found = false;
    const auto look = [&](bool same, bool local) {
        found = found || same;
        i += !found && local;
    };
    (look(std::is_same_v<std::remove_cvref_t<A>, std::remove_cvref_t<P>>, is_local<A, Context, Event>), ...);
    return i;
}
/// `A`: all parameters.
template <class P, class Context, class Event, class... A, class Given>
HSM_ALWAYS_INLINE inline decltype(auto) constant_argument_among(Given& c, const constant_call& call) {
    if constexpr (is_local<P, Context, Event>)
        return *static_cast<std::remove_reference_t<P>*>(
            static_cast<const constant_local_call&>(call).locals[constant_local_index<P, Context, Event, A...>()]);
    else
        return constant_argument<P, Context, Event>(c, call);
}

/// The parameters of a callable that constant charts do not support. `locals`: scores and delays cannot take them.
template <class Context, class Event, class Signature> struct constant_lack { static constexpr bool step = false, locals = false; };
template <class Context, class Event, callable_kind Kind, class Object, bool Const, class Result, class... A>
struct constant_lack<Context, Event, callable_signature<Kind, Object, Const, Result, A...>> {
    static constexpr bool step = ((is_step<std::remove_cvref_t<A>> || is_scores<std::remove_cvref_t<A>>) || ...);
    static constexpr bool locals = (is_local<A, Context, Event> || ...);
};

template <class Role, class Context, class Event, class F, class Signature> struct constant_form;
template <class Role, class Context, class Event, class F, callable_kind Kind, class Object, bool Const, class Result, class... A>
struct constant_form<Role, Context, Event, F, callable_signature<Kind, Object, Const, Result, A...>> {
    static constexpr bool fits = form_of<Role, Context, Event, F>::fits;
    static constexpr bool takes_event = (is_event<A, Event> || ...);
    static constexpr bool takes_elapsed = (is_elapsed<A> || ...);
    static constexpr needs_list needs = needs_of<Context, Event>(arguments<A...>{}, false);

    template <class Given> HSM_ALWAYS_INLINE static inline decltype(auto) call(Given& c, const constant_call& with) {
        return F{}(constant_argument_among<A, Context, Event, A...>(c, with)...);
    }
};

/// Generic lambdas and overloaded operators are called with the context, or with the context and the event.
template <class Role, class Context, class Event, class F> struct constant_form<Role, Context, Event, F, unreadable<F>> {
    using context = std::conditional_t<takes_const<Role>, const Context, Context>;
    static constexpr bool alone = std::is_invocable_v<const F&, context&>;
    static constexpr bool takes_event = !alone;
    static constexpr bool takes_elapsed = false;
    static constexpr needs_list needs = {};
    static constexpr bool known = alone || detail::takes_event<F, Context, Event>();
    static constexpr bool fits = [] {
        if constexpr (alone)
            return check_no_copy<F, context>();
        else if constexpr (known)
            return check_no_copy<F, context, const event_parameter_of<Event>&>();
        else
            return false;
    }();
    static_assert(known, "hsm: this cannot be called with (Context&), or with (Context&, const Event&) after .on<Event>()");

    template <class Given> HSM_ALWAYS_INLINE static inline decltype(auto) call(Given& c, const constant_call& with) {
        if constexpr (alone)
            return F{}(c);
        else
            return F{}(c, constant_argument<const event_parameter_of<Event>&, Context, Event>(c, with));
    }
};

// Always inlined where they are known; otherwise their arguments would have to be in memory.
template <class Form, class Scope> HSM_ALWAYS_INLINE inline void constant_thunk(constant_root<Scope>& c, const constant_call& call) noexcept {
    Form::call(constant_find<Scope>(c), call);
}
template <class Form, class Scope>
HSM_ALWAYS_INLINE inline bool constant_guard_call(const constant_root<Scope>& c, const constant_call& call) noexcept {
    return static_cast<bool>(Form::call(constant_find<Scope>(c), call));
}

template <class Form, class T, class Scope>
HSM_ALWAYS_INLINE inline T constant_value_call(const constant_root<Scope>& root, const constant_call& call) noexcept {
    const auto& c = constant_find<Scope>(root);
    if constexpr (std::is_same_v<T, time_span>)
        return time_from<std::remove_cvref_t<decltype(Form::call(c, call))>>(Form::call(c, call));
    else
        return static_cast<T>(Form::call(c, call));
}

template <class F> inline constexpr bool captures = std::is_class_v<F> && !stateless<F>;

/// Whether constant charts support all parameters of the callable. The functions that users call test this, so that the compiler's error trace is
/// short.
template <class Scope, class Event, class F>
inline constexpr bool suits = !captures<F> && !constant_lack<constant_inner<Scope>, Event, signature<F>>::step;
template <class Scope, class Event, class F> inline constexpr bool suits<Scope, Event, labelled<F>> = suits<Scope, Event, F>;
/// The same for scores and delays.
template <class Scope, class F>
inline constexpr bool suits_as_value = suits<Scope, no_event, F> && !constant_lack<constant_inner<Scope>, no_event, signature<F>>::locals;
template <class Scope, class F> inline constexpr bool suits_as_value<Scope, labelled<F>> = suits_as_value<Scope, F>;

template <class Context, class Event, class G> inline constexpr bool suits_as_guard = names_condition<G> || suits<Context, Event, G>;
template <class Context, class Event, class... G>
inline constexpr bool suits_as_guard<Context, Event, all_of<G...>> = (suits_as_guard<Context, Event, G> && ...);
template <class Context, class Event, class... G>
inline constexpr bool suits_as_guard<Context, Event, any_of<G...>> = (suits_as_guard<Context, Event, G> && ...);
template <class Context, class Event, class G> inline constexpr bool suits_as_guard<Context, Event, negation<G>> = suits_as_guard<Context, Event, G>;
template <class Context, class Event, class G> inline constexpr bool suits_as_guard<Context, Event, labelled<G>> = suits_as_guard<Context, Event, G>;

template <class Scope, class F> constexpr bool check_returns_nothing() {
    if constexpr (suits<Scope, no_event, F> && stateless<F>) {
        using form = constant_form<as_update, constant_inner<Scope>, no_event, F, signature<F>>;
        if constexpr (form::fits) return std::is_void_v<decltype(form::call(std::declval<constant_inner<Scope>&>(), constant_call{}))>;
    }
    return true;
}
template <class Scope, class F> inline constexpr bool returns_nothing = check_returns_nothing<Scope, unlabelled<F>>();

/// Machines over a part of the context store no pointers, because each type of context would need its own table.
template <class Scope> constexpr bool check_stores_pointers() {
    constexpr bool stores = !constant_scope<Scope>::is_part;
    static_assert(stores, "hsm: a machine over a part of the context cannot use pointers in a constant chart: use a lambda or hsm::fixed<function>");
    return stores;
}

/// A hook, update or action of a definition.
template <class Scope, class Role, class Event = no_event> struct constant_callable : constant_hook<constant_root<Scope>> {
    using Context = constant_inner<Scope>;

    template <class F> constexpr constant_callable(F f) {
        if constexpr (suits<Scope, Event, F>) bind(f);
    }
    template <class F> constexpr constant_callable(const labelled<F>& f) : constant_callable(f.callable) {}

private:
    template <class F> constexpr void bind([[maybe_unused]] F f) {
        if constexpr (stateless<F>) {
            bind_thunk<constant_form<Role, Context, Event, F, signature<F>>>();
        } else if constexpr (!check_stores_pointers<Scope>()) {
        } else if constexpr (std::is_convertible_v<F, void (*)(Context&)>) {
            this->function = f;
        } else if constexpr (std::is_convertible_v<F, void (*)(const Context&)>) {
            this->reader = f;
        } else if constexpr (std::is_convertible_v<F, void (Context::*)()>) {
            this->member = f;
        } else if constexpr (std::is_convertible_v<F, void (Context::*)() const>) {
            this->const_member = f;
        } else {
            static_assert(!std::is_same_v<F, F>, "hsm: a hook of a constant chart is a function `void (Context&)`, or a member function `void ()` of "
                                                 "the context: call any other function from a lambda");
        }
    }
    template <class Form> constexpr void bind_thunk() {
        if constexpr (Form::fits) {
            this->thunk = &constant_thunk<Form, Scope>;
            this->takes_event = Form::takes_event;
            this->takes_elapsed = Form::takes_elapsed;
            if (Form::needs.count > 0) this->needs = &Form::needs;
        }
    }
};

template <class Role, class T, class Scope, class F> constexpr constant_value<constant_root<Scope>, T> bind_constant_value([[maybe_unused]] F f) {
    using Context = constant_inner<Scope>;
    constant_value<constant_root<Scope>, T> v;
    if constexpr (stateless<F>) {
        using form = constant_form<Role, Context, no_event, F, signature<F>>;
        if constexpr (form::fits) v.thunk = &constant_value_call<form, T, Scope>;
    } else if constexpr (!check_stores_pointers<Scope>()) {
    } else if constexpr (std::is_convertible_v<F, T (*)(const Context&)>) {
        v.function = f;
    } else if constexpr (std::is_convertible_v<F, T Context::*>) {
        v.data = f;
    } else if constexpr (std::is_convertible_v<F, T (Context::*)() const>) {
        v.member = f;
    } else {
        static_assert(!std::is_same_v<F, F>,
                      "hsm: a score of a constant chart is a `double`, and a delay an `hsm::time_span`: a function of `const Context&`, or a const "
                      "member function or a data member of the context. Call any other function from a lambda");
    }
    return v;
}

template <class F> constexpr bool is_fixed_time = is_time<F> || std::is_integral_v<F>;

/// Binds the argument of `after` or `every`.
template <class Scope, class F> constexpr constant_delay<constant_root<Scope>> constant_delay_of(F time) {
    constant_delay<constant_root<Scope>> d;
    d.is_set = true;
    if constexpr (is_time<F>)
        d.fixed = time_span(time_from(time)).nanoseconds();
    else if constexpr (std::is_integral_v<F>)
        d.fixed = without_unit(time).nanoseconds();
    else
        d.find = bind_constant_value<as_delay, time_span, Scope>(time);
    return d;
}
template <class Scope, class F> constexpr constant_delay<constant_root<Scope>> constant_delay_of(const labelled<F>& time) {
    return constant_delay_of<Scope>(time.callable);
}

/// Binds a name ("!name" negates), an index (a negative one negates), or a handle. `sense` is false inside a negation.
template <class Context, class G> constexpr constant_guard<Context> bind_bit(const G& written, bool sense) {
    constant_guard<Context> g;
    g.kind = constant_guard<Context>::bit;
    g.wanted = sense;
    if constexpr (std::is_same_v<G, constant_condition_handle>) {
        g.handle = &written.use();
        g.wanted = sense == written.wanted();
    } else if constexpr (std::is_same_v<G, condition>) {
        g.used.index = written.index();
    } else if constexpr (std::is_same_v<G, negated_condition>) {
        return bind_bit<Context>(!written, !sense);
    } else if constexpr (std::is_convertible_v<const G&, std::string_view>) {
        const std::string_view text = written;
        g.wanted = sense != text.starts_with('!');
        g.used.name = text.substr(text.starts_with('!'));
        if (g.used.name.empty()) g.used.name = "!"; // an error of the definition
    } else {
        const int i = written;
        g.wanted = sense == (i >= 0);
        g.used.index = i < 0 ? -i : i;
    }
    if (g.used.index == 0) g.kind = constant_guard<Context>::over;
    return g;
}

/// A guard of a definition, or a composition of guards.
template <class Scope, class Event = no_event> struct constant_condition {
    using Context = constant_inner<Scope>;
    using guard_type = constant_guard<constant_root<Scope>>;

    template <class F> constexpr constant_condition(F f) {
        if constexpr (suits_as_guard<Scope, Event, F>) tree.push_back(bind(f));
    }
    constexpr constant_condition(const guard_type& g) { tree.push_back(g); }
    template <class G> constexpr constant_condition(const labelled<G>& g) : constant_condition(g.callable) {}
    template <class... G> constexpr constant_condition(const all_of<G...>& g) { compose(guard_type::all, g.parts); }
    template <class... G> constexpr constant_condition(const any_of<G...>& g) { compose(guard_type::any, g.parts); }
    template <class G> constexpr constant_condition(const negation<G>& g) { compose(guard_type::no, pack<G>(g.part)); }

    constant_list<guard_type> tree; ///< the root is the last one

    /// Appends the tree. Returns the new index of its last guard.
    static constexpr std::int32_t append(const constant_list<guard_type>& from, constant_list<guard_type>& to) {
        const auto offset = static_cast<std::int32_t>(to.size());
        for (auto g : from) {
            if (g.part >= 0) g.part += offset;
            if (g.next >= 0) g.next += offset;
            to.push_back(g);
        }
        return static_cast<std::int32_t>(to.size()) - 1;
    }

private:
    template <class Parts> constexpr void compose(typename guard_type::kind_of kind, const Parts& parts) {
        guard_type whole;
        whole.kind = kind;
        std::int32_t last = -1;
        const auto add = [&](const constant_condition& part) {
            const auto root = append(part.tree, tree);
            (last >= 0 ? tree[static_cast<std::size_t>(last)].next : whole.part) = root;
            last = root;
        };
        parts.apply([&](const auto&... part) { (add(part), ...); });
        tree.push_back(whole);
    }
    template <class F> static constexpr guard_type bind([[maybe_unused]] F f) {
        guard_type g;
        if constexpr (names_condition<F>) {
            g = bind_bit<constant_root<Scope>>(f, true);
        } else if constexpr (stateless<F>) {
            using form = constant_form<as_guard, Context, Event, F, signature<F>>;
            if constexpr (form::fits) {
                g.thunk = &constant_guard_call<form, Scope>;
                g.takes_event = form::takes_event;
                if (form::needs.count > 0) g.needs = &form::needs;
            }
        } else if constexpr (!check_stores_pointers<Scope>()) {
        } else if constexpr (std::is_convertible_v<F, bool (*)(const Context&)>) {
            g.function = f;
        } else if constexpr (std::is_convertible_v<F, bool Context::*>) {
            g.data = f;
        } else if constexpr (std::is_convertible_v<F, bool (Context::*)() const>) {
            g.member = f;
        } else {
            static_assert(!std::is_same_v<F, F>,
                          "hsm: a guard of a constant chart is a function `bool (const Context&)`, or a member of the context: a function "
                          "`bool () const` or a `bool`. Call any other function from a lambda");
        }
        return g;
    }
};

} // namespace hsm::detail
