/// Named machines of any charts, from their creation to their removal: `hsm::manager machines;`
///
/// A manager makes instances in memory that it keeps for the next ones, finds them by name, and updates those that run. It keeps the
/// charts of its machines alive; their contexts must outlive them. Looking up and removing take the same time however many
/// machines there are; once the memory is there, nothing is allocated (names of up to 15 characters; longer ones may).
///
/// A manager, its machines and its handles belong to one thread at a time, different managers are independent, and charts
/// are shared freely. Hooks may call the manager of their machine: create, remove, broadcast, get and shutdown do what they always do,
/// and update says busy while one is in progress. Guards only look: one changes nothing about its own machine. A machine that is removed in a hook
/// of its own is stopped and told to end as soon as the call that it is in is complete (docs/reference/semantics.md).
///
/// This header is not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/define/owned.hpp>
#include <hsm/manage/managed.hpp>
#include <hsm/manage/manager_error.hpp>
#include <hsm/run/answers.hpp>

#include <concepts>

namespace hsm {

/// Those machines of a manager that were there when the walk began, first created first. Machines may be removed and
/// created meanwhile; those that have been removed are passed over.
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
    const detail::context_kind* const only_; ///< null: of all contexts
    const std::uint64_t last_;
    detail::machine_slot* at_;
};

/// For a `for` loop: its elements are handles.
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
    manager(manager&&) noexcept; ///< what was moved from can only be destroyed or assigned to
    manager& operator=(manager&&) noexcept;
    ~manager(); ///< destroys the machines and runs no hooks: shutdown() first to have the exits

    /// A machine of that name; start() it. Throws manager_error if the name is empty (HSM-210) or taken (HSM-211), or during
    /// shutdown (HSM-217). What is created in an update is updated from the next one on.
    template <class Context>
    managed<Context> create(std::string_view name, const chart<Context>& chart, std::type_identity_t<Context>& context,
                            const instance_options& options = {}) {
        return create_of(detail::context_kind_of<Context>, name, chart, std::addressof(context), options).template as<Context>();
    }

    /// By name. Throws manager_error if there is none (HSM-212), or if it has another context (HSM-213).
    managed_base get(std::string_view name) const;
    template <class Context> managed<Context> get(std::string_view name) const { return get(name).template as<Context>(); }
    /// By the type of its context. Throws manager_error if there is none (HSM-212), or more than one (HSM-214).
    template <class Context> managed<Context> get() const { return get_only(detail::context_kind_of<Context>).template as<Context>(); }
    /// The same by name, but of no machine if there is none, or none over such a context.
    managed_base find(std::string_view name) const;
    template <class Context> managed<Context> find(std::string_view name) const {
        const auto found = find(name);
        return found && found.is<Context>() ? found.as<Context>() : managed<Context>();
    }
    bool has(std::string_view name) const { return static_cast<bool>(find(name)); }
    template <class Context> bool has(std::string_view name) const { return static_cast<bool>(find<Context>(name)); }
    template <class Context> bool has() const { return count<Context>() > 0; }

    /// Running or not.
    std::size_t count() const;
    template <class Context> std::size_t count() const { return count_of(detail::context_kind_of<Context>); }
    /// How many events that were posted to its machines, also to those that have been removed, have been answered with `full`. Asks each machine.
    std::uint64_t lost() const;
    /// `for (auto m : machines.all())`, in the order of their creation.
    machine_range<managed_base> all() const { return machine_range<managed_base>(*machines_, nullptr); }
    template <class Context> machine_range<managed<Context>> all() const {
        return machine_range<managed<Context>>(*machines_, &detail::context_kind_of<Context>);
    }

    /// Stops it and runs its on_destroy hooks; in a hook of its own, as soon as the call that it is in is complete. Its name
    /// is free, and its handles are stale, at once. False if there is none, and in a guard of its own, which changes nothing. What a hook throws
    /// goes on when it is removed.
    bool remove(std::string_view name);
    bool remove(const managed_base& machine);
    /// Removes all of them, last created first, but for one whose guard calls this; also if hooks throw: the first exception goes on afterwards. The
    /// manager can be used again.
    void shutdown();

    /// A tick of every machine that runs, in the order of creation, also if one of them throws: the first exception goes on
    /// afterwards. Machines that use real time get the second time, the others the first. taken if a transition fired;
    /// unhandled; busy in a hook of a machine that is being updated; refused for negative time.
    result update() { return update_for({}, {}); }
    template <time_like T> result update(T elapsed) { return update_for(span(elapsed), span(elapsed)); }
    template <std::integral N> result update(N number) { return update(detail::without_unit(number)); }
    template <time_like T, time_like R> result update(T elapsed, R real_elapsed) { return update_for(span(elapsed), span(real_elapsed)); }
    /// What the update in progress, or else the last one, was given.
    time_span elapsed() const;
    time_span real_elapsed() const;

    /// Every machine that runs processes the event, in the order of creation, as with instance::process. A machine that is in
    /// a call queues it. If hooks throw, the other machines get it, too; then the first exception is thrown. The event must live until the call
    /// returns, and so must not be part of a machine's local.
    template <event_object E> answers broadcast(const E& event) {
        const auto call = [](instance_base& machine, const void* e) { return machine.process(*static_cast<const E*>(e)); };
        return broadcast_by(call, std::addressof(event), detail::holds_event(event) ? detail::refer(event) : detail::refer_name(""));
    }
    template <detail::no_event_object E> answers broadcast(const E&) { return detail::refuse_event<E>(), answers(); }
    answers broadcast(std::string_view event_name, event_data data = {});

    /// An observer of all machines that are there, and of those that come as long as it is attached: see instance::attach; include
    /// <hsm/run/attachment.hpp>. A record's agent is then the number of the machine's place. Of one machine: `find("door")->attach(told)`.
    attachment attach(observer& to, record_kinds kinds);
    attachment attach(observer& to);

    /// Gives back the memory that is kept for machines to come, and the charts that no machine is of. Takes none.
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
    answers broadcast_by(result (*call)(instance_base&, const void*), const void* event, const event_ref& reference);

    owned<detail::machine_pool> machines_;
};

} // namespace hsm
