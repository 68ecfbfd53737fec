/// The machines of one thread that a page shows.
///
/// Add machines, then call poll() between the frames of your loop. A lane still lists machines after they are moved or reloaded, and removes machines
/// that are destroyed. A reload ends a machine's breakpoints. A lane belongs to one thread, which is also the thread of its machines.
#pragma once

#include <hsm/inspect/detail/watched.hpp>

#include <string_view>

namespace hsm::inspect {

class lane {
public:
    lane(const lane&) = delete;
    lane& operator=(const lane&) = delete;

    /// Lists an instance, an actor, a crowd, a manager with all its machines, or an SCXML session. If the context has a `serialize`, it is part of
    /// the documents that viewers save. Throws inspect_error: HSM-403 if the name is empty or in use on this page, HSM-404 if the page lists too many
    /// machines.
    template <class Machine> void add(std::string_view name, Machine& machine) { add_watched(name, detail::watch(machine)); }
    /// Does the same for a manager. Viewers can then also save and load documents of the manager (manager_document.hpp). `kinds` must exist as long
    /// as the manager is listed.
    void add(std::string_view name, manager& machines, const machine_factory& kinds) { add_watched(name, detail::watch(machines, kinds)); }
    /// Removes the machine from the list. Does nothing if the machine is not listed.
    template <class Machine> void remove(const Machine& machine) { remove_at(detail::key_of(machine)); }
    /// Records the machine from now on, even without a viewer. Without this call, a recording lasts only while a viewer has opened the machine.
    /// Throws inspect_error (HSM-404) for a machine that is not listed, and for a crowd or manager.
    template <class Machine> void record(const Machine& machine) { record_at(detail::key_of(machine)); }

    /// Returns whether the loop may run the machine now: false while a viewer has paused the machine, or after the machine has reached a breakpoint.
    /// The page offers pause, step and breakpoints only for machines whose loop calls this function.
    template <class Machine> bool runs(const Machine& machine) { return !asks_ || runs_at(detail::key_of(machine)); }

    /// Executes the commands of viewers, and reports changes to the viewers. Exceptions of hooks in these commands are reported to the viewer. Does
    /// not wait. Without a viewer, poll only reads one number. Do not call poll in a hook.
    virtual void poll() = 0;

protected:
    lane() = default;
    virtual ~lane() = default;

    bool asks_ = false; ///< whether `runs` must search for the machine

private:
    virtual void add_watched(std::string_view name, const detail::watched& machine) = 0;
    virtual void remove_at(const void* key) = 0;
    virtual void record_at(const void* key) = 0;
    virtual bool runs_at(const void* key) = 0;
};

} // namespace hsm::inspect
