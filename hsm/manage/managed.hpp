/// Handles to the machines of a manager: small values that may be copied and kept. Each call through one first makes sure
/// that the machine is still there, and throws manager_error (HSM-215) if it has been removed. A handle must not be used
/// when its manager is gone; moving the manager is nothing to it.
///
///     hero.start<idle>();              // by class, by name ("attack/slash"), or by enumerator
///     hero.change_state("attack");
///     hero->process(press{});          // -> is the instance itself, with all that it can do
#pragma once

#include <hsm/manage/detail/context_kind.hpp>

#include <cstdint>
#include <exception>
#include <string_view>

namespace hsm {

namespace detail {
class machine_pool;
struct machine_slot;
struct manager_access;
/// Ends what waits for that. If the call failed, its exception is the one that goes on.
void finish_call(machine_pool& owner, int exceptions_before);
} // namespace detail

/// An instance for one call: when that is over, the manager ends the machines that were removed in it and had to wait.
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

/// A machine, whatever its context.
class managed_base {
public:
    managed_base() = default; ///< of no machine

    /// Is there such a machine, or is it there still?
    explicit operator bool() const;
    std::string_view name() const; ///< valid as long as the machine
    bool running() const;          ///< started, and not stopped since

    /// Throws manager_error (HSM-216) if it is running already.
    void start() const;
    /// In that state, as a transition to it would lead there. Throws state_error if there is no such state.
    void start(const state_key& state) const;
    template <class State> void start() const { start(state_of<State>()); }
    template <auto Id>
        requires std::is_enum_v<decltype(Id)>
    void start() const {
        start(state_key(Id));
    }
    /// taken; inactive; queued in a hook of its own.
    result stop() const;
    /// As instance::change_to: taken; held; refused; queued in a hook of its own; full; inactive. Throws state_error if
    /// there is no such state.
    result change_state(const state_key& state) const;
    template <class State> result change_state() const { return change_state(state_of<State>()); }
    template <auto Id>
        requires std::is_enum_v<decltype(Id)>
    result change_state() const {
        return change_state(state_key(Id));
    }

    /// Does manager::update give it the real time, or the time of the game, as it does by default?
    void use_real_time(bool yes = true) const;
    bool uses_real_time() const;

    /// For calls of any length, with hooks that may remove machines.
    instance_call<instance_base> operator->() const {
        auto& machine = **this;
        return {*owner_, machine};
    }
    /// The same without the manager's knowing: what is removed in calls to it ends in the next call through the manager or a handle.
    instance_base& operator*() const;
    /// The same handle, of which the context is known. Throws manager_error (HSM-213) if it is of another type.
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

    std::uint32_t number_ = 0; ///< its place, which will be another machine's
    std::uint64_t serial_ = 0; ///< will not
};

/// The same, when the context is known.
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
