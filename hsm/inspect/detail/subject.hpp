/// The objects that a lane lists: machines of all kinds, crowds and managers.
#pragma once

#include <hsm/crowd/crowd.hpp>
#include <hsm/inspect/detail/feed.hpp>
#include <hsm/manage/managed.hpp>
#include <hsm/observe/breakpoint.hpp>
#include <hsm/op/observer.hpp>
#include <hsm/run/attachment.hpp>
#include <hsm/run/detail/followed.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

namespace hsm::inspect::detail {

/// The names and numbers of a page's machines. Any lane can use it.
class listing {
public:
    explicit listing(std::size_t most) : most_(most) {}

    /// Returns the number of a new object, which is no_machine if too many machines are listed. Throws inspect_error (HSM-403) if it is `unique` and
    /// the name is empty or in use.
    std::uint32_t enter(const std::string& name, bool unique);
    void leave(std::uint32_t number, const std::string& name, bool unique);

private:
    const std::size_t most_;
    std::mutex mutex_;
    std::unordered_set<std::string> names_;
    std::uint32_t last_ = no_machine;
    std::size_t count_ = 0;
};

/// An agent for one call.
struct loaded_agent : agent_call_base {
    using agent_call_base::agent_call_base;
    using agent_call_base::machine;
};

/// A listed object. While it is recorded, it writes its records to the ring of its lane.
class subject final : observer {
public:
    /// An object of the program; or, with `around`, an agent of this crowd, or a machine of this manager.
    subject(listing& all, feed& to, std::string name, const watched& object, subject* around, agent_id agent, const managed_base& machine);
    subject(const subject&) = delete;
    subject& operator=(const subject&) = delete;
    ~subject() { all_.leave(id_, name_, !parent); }

    bool exists() const; ///< false: the object was destroyed
    /// Returns the object's address; null: it was destroyed, or is an agent.
    const void* key() const;
    bool is_machine() const { return kind() != machine_kind::crowd && kind() != machine_kind::manager; }
    std::optional<chart_base> chart(); ///< none for a manager
    machine_facts facts();
    /// Returns the state as a document; empty if the object is busy. Throws save_error, and inspect_error (HSM-405) if the page cannot save it.
    std::string save();
    restored load(std::string_view text); ///< throws as save() does

    std::uint32_t id() const { return id_; } ///< no_machine if too many machines are listed
    const std::string& name() const { return name_; }
    machine_kind kind() const { return object_.kind; }
    const watched& object() const { return object_; }
    void* address() const { return address_->get(); }                          ///< of an object of the program: its address; null: it was destroyed
    crowd_base& crowd() const { return *static_cast<crowd_base*>(address()); } ///< of a crowd
    agent_id agent() const { return agent_; }                                  ///< of an agent
    /// The object that the program's loop runs: the crowd of an agent, the manager of a machine.
    subject& runner() { return parent ? *parent : *this; }
    bool may_run(); ///< the answer of lane::runs

    // For machines.
    /// Calls f(instance_base&). Requires that the machine exists.
    template <class F> auto use(F f) {
        if (kind() == machine_kind::agent) return f(loaded_agent(parent->crowd(), agent_).machine());
        if (kind() == machine_kind::managed) return f(*managed_.operator->().operator->());
        return f(*static_cast<instance_base*>(address()));
    }
    /// Reads the leaves. Returns whether they differ from those read last.
    bool update();
    const std::vector<std::uint16_t>& leaves() const { return leaves_; }
    /// Returns true if a quick comparison shows that the chart, the leaf, and whether the instance is finished, are the same as before. Returns false
    /// if more work is needed.
    bool is_unchanged() const;
    bool has_other_chart(); ///< than the server has
    void end_observers();   ///< ends the recording and the breakpoints
    void note_listed(const std::optional<chart_base>& chart) { chart_ = chart; }
    /// Begins or ends the recording, so that it lasts while a viewer or the program wants it. If open throws, update_recording can begin it later.
    void open(bool on);
    void record(bool on);
    void update_recording();
    /// Replaces the breakpoints. If it throws, they are unchanged. Throws usage_error (HSM-202) if the chart has no such part.
    void stop_at(std::vector<break_place> stops);
    const std::vector<break_place>& stops() const { return stops_; }

    // For managers.
    /// Returns the machines that were created after the machine with the serial number `seen`, with their serial numbers.
    std::vector<std::pair<managed_base, std::uint64_t>> new_machines() const;
    std::uint64_t newest() const; ///< the serial number of the newest machine
    std::uint64_t seen = 0;       ///< of the newest machine that is listed

    // For crowds.
    std::int64_t counted_at = 0;       ///< when the last count of its leaves began, by the page's clock
    std::size_t counted_pages = 0;     ///< by the count in progress
    std::vector<std::uint32_t> counts; ///< by leaf; the last one is that of inactive agents

    subject* const parent = nullptr;
    bool is_watched = false; ///< a viewer has opened it, or it has breakpoints
    bool is_unsent = false;  ///< there was no memory to send its changes
    // Of a runner:
    bool asks = false; ///< its loop calls lane::runs
    bool is_paused = false;
    std::uint32_t steps = 0; ///< how often the loop may run it although it is paused

    machine_facts sent = {};                 ///< the facts that the server has
    message_slot removal = feed::new_slot(); ///< for machine_removed

private:
    /// The observer of the breakpoints.
    struct stop {
        subject& of;
        void operator()(const hsm::record& r, const moment& when) const { of.reached(r, when); }
    };

    /// After a reload, this is called again. The records of the new chart need another recording.
    void on_attached(const moment&) override;
    void on_record(const hsm::record& r, const moment&) override;
    void reached(const hsm::record& r, const moment& when);
    attachment attach(observer& to, record_kinds kinds);
    /// Calls write() in one thread at a time: workers can run agents of a crowd in several threads.
    template <class Write> void in_order(Write write) {
        if (kind() != machine_kind::agent) return write();
        const std::lock_guard lock(parent->order_);
        write();
    }
    /// The object of watched_calls.
    void* called(instance_base& machine) const { return object_.session ? object_.session : std::addressof(machine); }
    manager& machines() const { return *static_cast<manager*>(address()); }
    const machine_factory& kinds() const; ///< throws inspect_error

    listing& all_;
    feed& to_;
    const std::string name_;
    const watched object_;
    std::optional<hsm::detail::follower> address_; ///< none for agents, and for machines of managers
    const agent_id agent_;
    const managed_base managed_;
    std::uint32_t id_ = no_machine;
    std::mutex order_;                ///< of a crowd: for records of its agents
    std::optional<chart_base> chart_; ///< that the server has
    std::vector<std::uint16_t> leaves_;
    bool is_open_ = false, is_recorded_ = false;
    unsigned charts_ = 0; ///< of the recording
    std::vector<break_place> stops_;
    std::unique_ptr<breakpoint<stop>> places_;
    attachment written_, stopped_; ///< destroyed before their observers
};

} // namespace hsm::inspect::detail
