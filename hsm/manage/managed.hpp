/// Handles to the machines of a manager: small values that you can copy and store. Each call through a handle throws manager_error (HSM-215) if the
/// machine was removed. Do not use a handle after its manager is destroyed; moving the manager is allowed.
///
///     hero.start<idle>();              // by class, by name ("attack/slash"), or by enumerator
///     hero.change_state("attack");
///     hero->process(press{});          // -> gives access to the instance
#pragma once

#include <hsm/op/detail/compiler.hpp>
#include <hsm/run/instance.hpp>

#include <cstdint>
#include <exception>
#include <string_view>

namespace hsm::detail {

/// The type of a context in type-erased form: its name, and functions that create and destroy an instance over it.
struct context_kind : type_identity {
    instance_base* (*make)(void* at, const chart_base& chart, void* context, const instance_options& options, void* memory);
    void (*destroy)(instance_base& machine) noexcept;
};

template <class Context> instance_base* make_instance(void* at, const chart_base& c, void* context, const instance_options& options, void* memory) {
    static_assert(sizeof(instance<Context>) == sizeof(instance_base), "instance<Context> must be as large as instance_base: a slot of the pool has this size");
    return new (at) instance<Context>(static_cast<const chart<Context>&>(c), *static_cast<Context*>(context), options, memory);
}

template <class Context> void destroy_instance(instance_base& machine) noexcept {
    using type = instance<Context>;
    static_cast<type&>(machine).~type();
}

template <class Context>
HSM_HIDDEN inline constexpr context_kind context_kind_of{identity_of<Context>(), &make_instance<Context>, &destroy_instance<Context>};

} // namespace hsm::detail

namespace hsm {

namespace detail {
class machine_pool;
struct machine_slot;
struct manager_access;
/// Ends removed machines whose calls are complete. Rethrows an exception of their hooks, unless another exception is in flight.
void finish_call(machine_pool& owner, int exceptions_before);
} // namespace detail

/// Gives access to an instance for one call of any of its functions. When the call returns, the manager ends the machines that were
/// removed during it.
template <class Instance> class instance_call {
public:
    instance_call(detail::machine_pool& owner, Instance& machine) : owner_(owner), machine_(machine) {}
    instance_call(const instance_call&) = delete;
    instance_call& operator=(const instance_call&) = delete;
    ~instance_call() noexcept(false) { detail::finish_call(owner_, exceptions_); }

    Instance* operator->() const { return std::addressof(machine_); }

private:
    detail::machine_pool& owner_;
    Instance& machine_;
    const int exceptions_ = std::uncaught_exceptions();
};

template <class Context> class managed;

/// A handle to a machine with a context of any type.
class managed_base {
public:
    managed_base() = default; ///< refers to no machine

    /// Returns whether the handle refers to a machine that was not removed.
    explicit operator bool() const;
    std::string_view name() const; ///< valid until the machine is removed
    bool running() const;          ///< whether the machine was started, and not stopped since

    /// Starts the machine. Throws manager_error (HSM-216) if it is running already.
    void start() const;
    /// Does the same, but enters the given state, as a transition to it would. Throws state_error if the state does not exist.
    void start(const state_key& state) const;
    template <class State> void start() const { start(state_of<State>()); }
    template <auto Id>
    requires std::is_enum_v<decltype(Id)>
    void start() const { start(state_key(Id)); }
    /// Stops the machine. Returns taken, or inactive if the machine is not active. In a hook of the machine, returns queued; in its guard, busy.
    result stop() const;
    /// Has the effect of instance::change_to. Returns taken, held, refused or inactive. In a hook of the machine, returns queued or full; in its
    /// guard, busy. Throws state_error if the state does not exist.
    result change_state(const state_key& state) const;
    template <class State> result change_state() const { return change_state(state_of<State>()); }
    template <auto Id>
    requires std::is_enum_v<decltype(Id)> result change_state()
    const { return change_state(state_key(Id)); }

    /// Sets whether manager::update ticks the machine with real time, or with game time (the default).
    void use_real_time(bool yes = true) const;
    bool uses_real_time() const;

    /// Gives access to the instance for one call of any of its functions. During this call, hooks may remove machines.
    instance_call<instance_base> operator->() const {
        auto& machine = **this;
        return {*owner_, machine};
    }
    /// Gives access to the instance without informing the manager. If machines are removed during such a call, they end in the next call through the
    /// manager or a handle.
    instance_base& operator*() const;
    /// Returns this handle with the type of the context. Throws manager_error (HSM-213) if the context has another type.
    template <class Context> managed<Context> as() const;
    template <class Context> bool is() const { return detail::same_type(kind(), detail::context_kind_of<Context>); }

    friend bool operator==(const managed_base&, const managed_base&) = default;

protected:
    detail::machine_pool* owner_ = nullptr;

private:
    friend class detail::machine_pool;
    managed_base(detail::machine_pool* owner, std::uint32_t number, std::uint64_t serial) : owner_(owner), number_(number), serial_(serial) {}

    detail::machine_slot& here() const; ///< throws manager_error (HSM-215) if there is no such machine
    const detail::context_kind& kind() const;
    [[noreturn]] void throw_other_context(std::string_view wanted) const;

    std::uint32_t number_ = 0; ///< the number of its slot; other machines can reuse the slot
    std::uint64_t serial_ = 0; ///< unique to the machine
};

/// A handle to a machine with a context of this type.
template <class Context> class managed : public managed_base {
public:
    using context_type = Context;

    managed() = default;

    instance_call<instance<Context>> operator->() const {
        auto& machine = **this;
        return {*this->owner_, machine};
    }
    instance<Context>& operator*() const { return static_cast<instance<Context>&>(managed_base::operator*()); }
    Context& context() const { return (**this).context(); }

private:
    friend class managed_base;
    explicit managed(const managed_base& m) : managed_base(m) {}
};

template <class Context> managed<Context> managed_base::as() const {
    if (!is<Context>()) throw_other_context(detail::type_name<Context>());
    return managed<Context>(*this);
}

} // namespace hsm
