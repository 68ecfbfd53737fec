/// A movable object that owns a context and the instance that runs on it. Containers such as std::vector can store actors.
///
///     std::vector<hsm::actor<enemy>> wave;
///     wave.emplace_back(chart, 5).start();   // enemy(5), or enemy{5}
///     wave[0]->life = 3;                     // the context
///     wave[0].machine().process(hit{1});     // the instance
///     wave.erase(wave.begin());
///
/// The chart must outlive the actor. An actor is as large as its context and its instance together. It allocates only what the instance allocates.
/// Move an actor only while no call to its instance is in progress. A moved-from actor can only be destroyed or assigned to.
#pragma once

#include <hsm/run/instance.hpp>

#include <type_traits>
#include <utility>

namespace hsm {

namespace detail {
template <class...> inline constexpr bool begins_with_options = false;
template <class First, class... More>
inline constexpr bool begins_with_options<First, More...> = std::is_same_v<std::remove_cvref_t<First>, instance_options>;
} // namespace detail

template <class Context> class actor {
public:
    /// Constructs the context as Context(args...) if that is valid, otherwise as Context{args...}.
    template <class... Args>
        requires(!detail::begins_with_options<Args...>)
    explicit actor(const chart<Context>& chart, Args&&... args)
        : context_(made_of(std::forward<Args>(args)...)), machine_(chart, context_) {}
    template <class... Args>
    actor(const chart<Context>& chart, const instance_options& options, Args&&... args)
        : context_(made_of(std::forward<Args>(args)...)), machine_(chart, context_, options) {}
    /// Rejects a temporary chart: it would be destroyed before the machine runs.
    template <class... Args> actor(chart<Context>&&, Args&&...) = delete;

    actor(actor&& other) noexcept(std::is_nothrow_move_constructible_v<Context>)
        requires std::is_move_constructible_v<Context>
        : context_(std::move(other.context_)), machine_(std::move(other.machine_)) {
        machine_.rebind(context_);
    }
    actor& operator=(actor&& other) noexcept(std::is_nothrow_move_assignable_v<Context>)
        requires std::is_move_assignable_v<Context>
    {
        if (this == std::addressof(other)) return *this;
        context_ = std::move(other.context_);
        machine_ = std::move(other.machine_);
        machine_.rebind(context_);
        return *this;
    }

    Context& operator*() { return context_; }
    const Context& operator*() const { return context_; }
    Context* operator->() { return std::addressof(context_); }
    const Context* operator->() const { return std::addressof(context_); }
    instance<Context>& machine() { return machine_; }
    const instance<Context>& machine() const { return machine_; }

    /// These functions are shortcuts to the most frequent calls of machine().
    result start() { return machine_.start(); }
    template <class... Time> result tick(Time... elapsed) { return machine_.tick(elapsed...); }
    template <event_object E> result process(E&& event) { return machine_.process(std::forward<E>(event)); }
    template <detail::no_event_object E> result process(const E&) { return detail::refuse_event<E>(), result::refused; }
    result process(std::string_view event) { return machine_.process(event); }
    result process(std::string_view event, event_data data) { return machine_.process(event, static_cast<event_data&&>(data)); }
    [[nodiscard]] bool is_in(const state_query& state) const { return machine_.is_in(state); }

private:
    template <class... Args> static Context made_of(Args&&... args) {
        if constexpr (std::is_constructible_v<Context, Args...>)
            return Context(std::forward<Args>(args)...);
        else
            return Context{std::forward<Args>(args)...};
    }

    Context context_;
    instance<Context> machine_;
};

} // namespace hsm
