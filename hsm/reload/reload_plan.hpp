/// Plans that give running machines another chart: after you have edited a definition, or loaded its file again.
///
///     hsm::reload_plan plan(before, after);            // two charts over the same context
///     plan.map("hero/fight", "hero/combat");           // a state that you have renamed
///     for (auto& each : heroes) plan.apply(each);      // no hook runs, unless you call exit_enter
///
/// A plan finds each part of the old chart in the new one. It uses these rules, in this order: your edits; the part's path; former names (`was`); for
/// a state, also its class or enumerator. If a state no longer exists, the innermost existing state that contained it replaces it. If the replacement
/// is a machine, it tries its entry choices in the next tick. docs/guide/reload.md lists what happens to each part.
///
/// The plan shares ownership of both charts. It does not refer to any machine. Use a plan in one thread at a time, and apply it in the machine's
/// thread.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/chart/finding.hpp>
#include <hsm/define/detail/local.hpp>
#include <hsm/define/event.hpp>
#include <hsm/define/owned.hpp>
#include <hsm/define/state_key.hpp>
#include <hsm/define/state_ref.hpp>
#include <hsm/run/actor.hpp>
#include <hsm/run/instance_base.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace hsm {

class crowd_base;
class manager;

/// The rule by which a plan finds a part of the old chart in the new one.
enum class reload_rule {
    same_name, ///< equal paths or names
    renamed,   ///< a former name, of this state or of a state that contains it
    edited,    ///< you called `map`
    same_id,   ///< the class or enumerator of the state; in each chart, exactly one state has it
    replaced,  ///< the state no longer exists; its replacement is the innermost existing state that contained it
    dropped,   ///< the part no longer exists, or you called `drop`
};
const char* to_string(reload_rule rule); ///< "same name"

/// One line of a plan.
struct reload_step {
    std::string kind; ///< "state", "event", "condition", "timer", "local" or "history"
    std::string from; ///< in the old chart
    std::string to;   ///< in the new chart; empty if the part is dropped
    reload_rule rule;
};

/// The effect of a plan on machines.
struct reload_report {
    result outcome = result::taken;                ///< busy if a hook of the machine runs; then nothing has changed
    std::size_t machines = 0;                      ///< the machines that changed their chart
    std::size_t same = 0, moved = 0, replaced = 0; ///< numbers of their active states: with the same path, with another path, no longer existing
    std::vector<finding> changes{};                ///< HSM-363: the parts that were lost or replaced by new ones
    std::string to_string() const;
    void add(reload_report other);
};

namespace detail {

struct chart_map;

/// A converter of objects. A local type is null if the class cannot be a local. An event type is null if the class cannot be an event.
struct reload_converter {
    reload_converter(const local_type* from_local, const local_type* to_local, const event_type* from_event, const event_type* to_event)
        : old_local(from_local), new_local(to_local), old_event(from_event), new_event(to_event) {}
    virtual ~reload_converter() = default;
    virtual void* make(const void* old) const = 0;
    virtual void destroy(void* made) const noexcept = 0;

    const local_type *const old_local, *const new_local;
    const event_type *const old_event, *const new_event;
};
template <class T> constexpr const local_type* local_type_or_null() {
    if constexpr (std::is_copy_constructible_v<T>) return &local_type_of<T>;
    return nullptr;
}
template <class T> constexpr const event_type* event_type_or_null() {
    if constexpr (event_object<T> && !event_variant<T>) return &event_type_of<T>;
    return nullptr;
}
template <class Old, class New, class Function> struct reload_converter_by final : reload_converter {
    explicit reload_converter_by(Function f)
        : reload_converter(local_type_or_null<Old>(), local_type_or_null<New>(), event_type_or_null<Old>(), event_type_or_null<New>()),
          function(std::move(f)) {}
    void* make(const void* old) const override { return new New(function(*static_cast<const Old*>(old))); }
    void destroy(void* made) const noexcept override { delete static_cast<New*>(made); }
    Function function;
};

} // namespace detail

class reload_plan {
public:
    /// Both charts must have the same context type.
    template <class Context>
    reload_plan(const chart<Context>& from, const chart<std::type_identity_t<Context>>& to)
        : reload_plan(static_cast<const chart_base&>(from), static_cast<const chart_base&>(to)) {}
    reload_plan(const chart_base& from, const chart_base& to); ///< for the library
    reload_plan(reload_plan&& other) noexcept;
    ~reload_plan();

    // If a chart does not have the part, edits throw reload_error (HSM-421) and change nothing.
    /// Maps a part of the old chart to a part of the new one. For a state with everything in it, pass paths. For an event or a condition, pass names
    /// as `to_string` prints them.
    reload_plan& map(std::string_view from, std::string_view to);
    /// Treats a part as if it no longer existed: a state with everything in it, an event or a condition.
    reload_plan& drop(std::string_view from);
    /// Converts locals of active states, and waiting events, with `New f(const Old&)`. Without a converter, locals of a changed class are replaced by
    /// new ones, and events of a changed class are dropped.
    template <class Old, class New, class Function> reload_plan& convert(Function f) {
        return add(make_owned<detail::reload_converter_by<Old, New, Function>>(std::move(f)));
    }

    /// Lets `apply` run hooks. It first runs the exit hooks of active states that have no place in the new chart, substates first. When all machines
    /// have the new chart, it runs the enter hooks of states that become active, superstates first. Requests and events of these hooks are handled
    /// after the enter hooks have run. `restore` and `report` run no hooks.
    reload_plan& exit_enter(bool runs_hooks = true);

    std::vector<reload_step> steps() const;
    std::string to_string() const; ///< a line for each step
    std::string to_json() const;   ///< a list of objects with the members of a step

    /// Returns the report that `apply` would return now. Changes nothing.
    reload_report report(const instance_base& agent) const;
    /// Gives the instance the new chart. The instance must not be a machine of a manager. No hook runs. Locals are moved if they have a nothrow move
    /// constructor, otherwise copied. Times, queues, capacities and the mailbox stay. The memory is allocated again, even if you supplied the old
    /// memory. Observers receive on_attached again, with the new chart. No thread may post to the instance's mailbox during this call. Throws
    /// reload_error: HSM-420 if the instance has another chart than the plan; HSM-422 if `map` leads to states that cannot be active together;
    /// HSM-423 for an agent of a crowd; HSM-424 for a machine of an SCXML document with a data model. Throws save_error (HSM-356) if a queue has no
    /// room for the waiting events, and std::bad_alloc. If it throws, nothing has changed; exceptions of observers and enter hooks are rethrown at
    /// the end. If an exit hook throws, all machines keep their charts and active states.
    reload_report apply(instance_base& agent) const;
    /// Does the same with several instances of one chart. All of them change, or none.
    reload_report apply(std::span<instance_base* const> agents) const;
    // These functions do the same for all agents of a crowd: all of them change, or none. The agents keep their handles and contexts. Equal changes
    // are listed once. A batch hook is kept if its state is found in the new chart, and otherwise removed.
    reload_report report(const crowd_base& crowd) const;
    reload_report apply(crowd_base& crowd) const;
    // These functions do the same for all machines of a manager that have the old chart: all of them change, or none. Handles stay valid.
    // Hooks cannot create machines with the old chart meanwhile (manager_error, HSM-217).
    reload_report report(const manager& machines) const;
    reload_report apply(manager& machines) const;
    /// Restores an image of a machine with the old chart into an instance that has the new one. Throws the exceptions of hsm::restore
    /// (save/image.hpp) and of `apply`; then nothing has changed. Exceptions of observers are rethrown at the end. For a document, pass the image
    /// that image_of(old chart, text) returns.
    reload_report restore(instance_base& agent, std::span<const std::byte> image) const;
    template <class Context> reload_report report(const actor<Context>& agent) const { return report(agent.machine()); }
    template <class Context> reload_report apply(actor<Context>& agent) const { return apply(agent.machine()); }

    /// Returns whether your handle and this plan are the last owners of the old chart: no observer and no other handle shares it. Keep the old chart
    /// until this is true and you have applied the plan to all its machines.
    bool released() const;

    const detail::chart_map& charts() const; ///< for the library

private:
    reload_plan& add(owned<detail::reload_converter> converter);

    owned<detail::chart_map> map_;
};

/// Returns a state of a chart. After a reload, references to states of the old chart are errors (HSM-202); this function returns new ones. Throws
/// state_error (HSM-202) if the state does not exist.
state_ref bind(const chart_base& chart, const state_key& state);

} // namespace hsm
