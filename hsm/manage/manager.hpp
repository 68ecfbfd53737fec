/// Named machines of any charts, from their creation to their removal: `hsm::manager machines;`
///
/// A manager creates instances, finds them by name, and updates those that run. It keeps the memory of removed machines for new ones. It keeps the
/// charts of its machines alive; the contexts must outlive the machines. Finding and removing take O(1). Once the memory exists, nothing is
/// allocated, except for names of more than 15 characters.
///
/// Only one thread at a time may use a manager, its machines and its handles. Different managers are independent and can share charts. Hooks may call
/// the manager of their machine: create, remove, broadcast, get and shutdown work as usual; update returns busy during an update. A guard cannot
/// remove its own machine. If a hook removes its own machine, the machine is stopped, and ends as soon as the call in progress is complete
/// (docs/reference/semantics.md).
///
/// This header is not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/define/owned.hpp>
#include <hsm/manage/managed.hpp>
#include <hsm/manage/manager_error.hpp>
#include <hsm/run/result_counts.hpp>

#include <concepts>

namespace hsm {

/// A loop over the machines that exist when the loop begins, in the order of creation. Machines can be created and removed during the loop. The loop
/// skips removed machines.
class machine_walk {
public:
    explicit machine_walk(detail::machine_pool& owner, const detail::context_kind* only);
    machine_walk(const machine_walk&) = delete;
    machine_walk& operator=(const machine_walk&) = delete;
    ~machine_walk();

    bool done() const { return !at_; }
    managed_base handle() const;
    void next();

private:
    void skip();

    detail::machine_pool& owner_;
    const detail::context_kind* const only_; ///< null: contexts of all types
    const std::uint64_t last_;
    detail::machine_slot* at_;
};

/// A range of handles for a `for` loop.
template <class Handle> class machine_range {
public:
    explicit machine_range(detail::machine_pool& owner, const detail::context_kind* only) : walk_(owner, only) {}

    struct end_of_walk {};
    class iterator {
    public:
        explicit iterator(machine_walk& walk) : walk_(std::addressof(walk)) {}
        Handle operator*() const {
            if constexpr (std::is_same_v<Handle, managed_base>)
                return walk_->handle();
            else
                return walk_->handle().template as<typename Handle::context_type>();
        }
        iterator& operator++() { return walk_->next(), *this; }
        bool operator!=(end_of_walk) const { return !walk_->done(); }

    private:
        machine_walk* walk_;
    };
    iterator begin() { return iterator(walk_); }
    end_of_walk end() { return {}; }

private:
    machine_walk walk_;
};

template <class T>
concept time_like = duration_like<T> || std::floating_point<T> || std::is_same_v<T, time_span>;

class manager {
public:
    manager();
    manager(manager&&) noexcept; ///< a moved-from manager can only be destroyed or assigned to
    manager& operator=(manager&&) noexcept;
    ~manager(); ///< destroys the machines without running hooks; call shutdown() first to run the exits

    /// Creates a machine. Start it with start(). Throws manager_error if the name is empty (HSM-210) or in use (HSM-211), and HSM-217 during shutdown
    /// or, with the old chart, during a reload. If a machine is created during an update, it is updated from the next update on.
    template <class Context>
    managed<Context> create(std::string_view name, const chart<Context>& chart, std::type_identity_t<Context>& context,
                            const instance_options& options = {}) {
        return create_of(detail::context_kind_of<Context>, name, chart, std::addressof(context), options).template as<Context>();
    }

    /// Returns the machine with this name. Throws manager_error if there is no such machine (HSM-212), or if the machine's context has another type
    /// (HSM-213).
    managed_base get(std::string_view name) const;
    template <class Context> managed<Context> get(std::string_view name) const { return get(name).template as<Context>(); }
    /// Returns the machine with this type of context. Throws manager_error if there is no such machine (HSM-212), or more than one (HSM-214).
    template <class Context> managed<Context> get() const { return get_only(detail::context_kind_of<Context>).template as<Context>(); }
    /// Returns a handle to the machine with this name. It refers to no machine if no machine has this name, or if the machine's context has another
    /// type.
    managed_base find(std::string_view name) const;
    template <class Context> managed<Context> find(std::string_view name) const {
        const auto found = find(name);
        return found && found.is<Context>() ? found.as<Context>() : managed<Context>();
    }
    bool has(std::string_view name) const { return static_cast<bool>(find(name)); }
    template <class Context> bool has(std::string_view name) const { return static_cast<bool>(find<Context>(name)); }
    template <class Context> bool has() const { return count<Context>() > 0; }

    /// Returns the number of machines, including machines that are not running.
    std::size_t count() const;
    template <class Context> std::size_t count() const { return count_of(detail::context_kind_of<Context>); }
    /// Returns how many posts to the manager's machines have returned `full`, including posts to machines that were removed since. Takes O(number of
    /// machines).
    std::uint64_t lost() const;
    /// Returns a range in the order of creation: `for (auto m : machines.all())`.
    machine_range<managed_base> all() const { return machine_range<managed_base>(*machines_, nullptr); }
    template <class Context> machine_range<managed<Context>> all() const {
        return machine_range<managed<Context>>(*machines_, &detail::context_kind_of<Context>);
    }

    /// Stops the machine and runs its on_destroy hooks. If one of the machine's own hooks calls this function, the machine stops when the call in
    /// progress is complete, but its name becomes free and its handles become stale immediately. Returns false and changes nothing if there is no
    /// such machine, and in a guard of the machine. Rethrows exceptions of hooks; the machine is removed nevertheless.
    bool remove(std::string_view name);
    bool remove(const managed_base& machine);
    /// Removes all machines, last created first, except a machine whose guard calls this function. Continues if hooks throw, then rethrows the first
    /// exception. You can use the manager again afterwards.
    void shutdown();

    /// Ticks each running machine, in the order of creation. Continues if a machine throws, then rethrows the first exception. If a machine uses real
    /// time, ticks it with `real_elapsed`, otherwise with `elapsed`. Returns taken if a transition fired, else unhandled; busy during an update;
    /// refused for a negative time.
    result update() { return update_for({}, {}); }
    template <time_like T> result update(T elapsed) { return update_for(span(elapsed), span(elapsed)); }
    template <std::integral N> result update(N number) { return update(detail::without_unit(number)); }
    template <time_like T, time_like R> result update(T elapsed, R real_elapsed) { return update_for(span(elapsed), span(real_elapsed)); }
    /// Returns the elapsed time of the update in progress. Outside an update, returns the elapsed time of the last update.
    time_span elapsed() const;
    time_span real_elapsed() const;

    /// Makes each running machine process the event as instance::process does, in the order of creation. A machine with a call in progress queues the
    /// event. If hooks throw, the other machines still get the event, then the first exception is rethrown. The event must live until the call
    /// returns, so it must not be part of a machine's local.
    template <event_object E> result_counts broadcast(const E& event) {
        const auto call = [](instance_base& machine, const void* e) { return machine.process(*static_cast<const E*>(e)); };
        return broadcast_by(call, std::addressof(event), detail::holds_event(event) ? detail::refer(event) : detail::refer_name(""));
    }
    template <detail::no_event_object E> result_counts broadcast(const E&) { return detail::refuse_event<E>(), result_counts(); }
    result_counts broadcast(std::string_view event_name, event_data data = {});

    /// Attaches an observer to all machines, including those created while the observer is attached: see instance::attach; include
    /// <hsm/run/attachment.hpp>. The `number` of a `call` record is the number of the machine's slot. For one machine, call
    /// `find("door")->attach(observer)`.
    attachment attach(observer& to, record_kinds kinds);
    attachment attach(observer& to);

    /// Frees the memory that is kept for new machines, and releases charts that no machine uses. Allocates nothing.
    void trim();

private:
    friend struct detail::manager_access;
    template <class T> static time_span span(T time) {
        if constexpr (std::floating_point<T>)
            return time_span::from_seconds(static_cast<double>(time));
        else
            return time_span(time);
    }
    managed_base create_of(const detail::context_kind& kind, std::string_view name, const chart_base& chart, void* context,
                           const instance_options& options);
    managed_base get_only(const detail::context_kind& kind) const;
    std::size_t count_of(const detail::context_kind& kind) const;
    result update_for(time_span elapsed, time_span real_elapsed);
    result_counts broadcast_by(result (*call)(instance_base&, const void*), const void* event, const event_ref& reference);

    owned<detail::machine_pool> machines_;
};

} // namespace hsm
