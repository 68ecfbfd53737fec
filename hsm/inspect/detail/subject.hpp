/// The objects that a lane lists: machines of all kinds, crowds and managers.
#pragma once

#include <hsm/crowd/agent_id.hpp>
#include <hsm/inspect/detail/feed.hpp>
#include <hsm/inspect/detail/reading.hpp>
#include <hsm/inspect/detail/recording.hpp>
#include <hsm/inspect/detail/watched.hpp>
#include <hsm/manage/managed.hpp>
#include <hsm/run/attachment.hpp>
#include <hsm/run/detail/followed.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace hsm::inspect::detail {

class machine_subject;
class crowd_subject;
class manager_subject;

/// What a lane knows of every listed object.
class subject {
public:
    subject(std::uint32_t number, subject* around, machine_kind what, std::string called)
        : id(number), parent(around), kind(what), name(std::move(called)) {}
    subject(const subject&) = delete;
    subject& operator=(const subject&) = delete;
    virtual ~subject() = default;

    virtual bool exists() const { return key() != nullptr; }                   ///< false: the object was destroyed
    virtual const void* key() const { return place ? place->get() : nullptr; } ///< the object's address; null: it was destroyed, or is an agent
    virtual std::optional<chart_base> chart() = 0;                             ///< none for a manager
    virtual machine_facts facts() = 0;
    /// The state as a document; empty if the object is busy. Throws save_error, and inspect_error (HSM-405) if the page cannot save it.
    virtual std::string save() = 0;
    virtual restored load(std::string_view text) = 0; ///< throws as save() does
    // One of these is not null.
    virtual machine_subject* as_machine() { return nullptr; }
    virtual crowd_subject* as_crowd() { return nullptr; }
    virtual manager_subject* as_manager() { return nullptr; }

    /// The object that the program's loop runs: the crowd of an agent, the manager of a machine.
    subject& runner() { return parent ? parent->runner() : *this; }
    bool may_run();                ///< the answer of lane::runs
    machine_facts current_facts(); ///< those of the object and of its runner

    const std::uint32_t id;
    subject* const parent; ///< null: none
    const machine_kind kind;
    const std::string name;

    bool is_watched = false; ///< a viewer has opened it, or it has breakpoints
    bool is_unsent = false;  ///< there was no memory to send its changes
    // Of a runner:
    bool asks = false; ///< its loop calls lane::runs
    bool is_paused = false;
    std::uint32_t steps = 0; ///< how often the loop may run it although it is paused

    machine_facts sent = {};                      ///< the facts that the server has
    message_slot removal = feed::new_slot();      ///< for machine_removed
    const hsm::detail::follower* place = nullptr; ///< finds an instance, crowd or manager; null for agents, and for machines of managers
};

/// One machine.
class machine_subject : public subject, public stop_receiver {
public:
    machine_subject(std::uint32_t number, subject* around, machine_kind what, std::string called, feed& to)
        : subject(number, around, what, std::move(called)), to_(to) {}
    ~machine_subject() override; ///< the derived class ends observers: they refer to the machine

    machine_subject* as_machine() final { return this; }
    std::optional<chart_base> chart() final;
    machine_facts facts() final;
    std::string save() final;
    restored load(std::string_view text) final;

    /// Calls f(instance_base&). Requires that the machine exists.
    template <class F> void use(F&& f) {
        use_by([](void* self, instance_base& machine) { (*static_cast<std::remove_reference_t<F>*>(self))(machine); }, std::addressof(f));
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
    bool is_recording() const { return writer_.has_value(); }

    /// These functions add a breakpoint, or remove one or all. They throw as breakpoint_base does.
    void stop_at(const break_place& place);
    void ignore(const std::optional<break_place>& place);
    const std::vector<break_place>& stops() const { return stops_; }
    void stopped(const break_place& place, const chart_view& chart) override;

    const document_calls* documents = nullptr; ///< null: documents do not contain its context
    void* session = nullptr;
    const session_calls* calls = nullptr; ///< of a session

protected:
    virtual void use_by(void (*call)(void* self, instance_base& machine), void* self) = 0;
    virtual attachment attach(observer& to, record_kinds kinds) = 0;
    /// A lock for records that several threads can write.
    virtual std::mutex* order() { return nullptr; }

private:
    /// Replaces the breakpoints. If it throws, they are unchanged.
    void watch(std::vector<break_place> stops);

    feed& to_;
    std::optional<chart_base> chart_; ///< that the server has
    std::vector<std::uint16_t> leaves_;
    bool is_open_ = false, is_recorded_ = false;
    std::optional<ring_writer> writer_;
    message_slot recording_end_; ///< for recording_ended, while it records
    std::vector<break_place> stops_;
    std::unique_ptr<stop_places> places_;
    attachment written_, stopped_; ///< destroyed before their observers
};

/// An instance that the program owns, including the instance of an actor or a session.
class instance_subject final : public machine_subject {
public:
    instance_subject(std::uint32_t number, std::string called, feed& to, const watched& what);

private:
    instance_base& machine() const { return *static_cast<instance_base*>(follower_.get()); }
    void use_by(void (*call)(void*, instance_base&), void* self) override { call(self, machine()); }
    attachment attach(observer& to, record_kinds kinds) override { return machine().attach(to, kinds); }

    hsm::detail::follower follower_;
};

class crowd_subject final : public subject {
public:
    crowd_subject(std::uint32_t number, std::string called, feed& to, const watched& what);

    std::optional<chart_base> chart() override;
    machine_facts facts() override;
    std::string save() override;
    restored load(std::string_view text) override;
    crowd_subject* as_crowd() override { return this; }

    crowd_base& herd() const { return *static_cast<crowd_base*>(follower_.get()); }
    std::mutex& order() { return order_; }

    leaf_counter counter;
    std::int64_t counted_at = 0; ///< when the last count began, by the page's clock
    bool is_counting = false;

private:
    hsm::detail::follower follower_;
    hsm::detail::saved_context (*const contexts_)();
    std::mutex order_;
};

/// An agent of a crowd.
class agent_subject final : public machine_subject {
public:
    agent_subject(std::uint32_t number, crowd_subject& of, agent_id which, feed& to);

    bool exists() const override;
    agent_id which() const { return id_; }

private:
    crowd_subject& of() const { return static_cast<crowd_subject&>(*parent); }
    void use_by(void (*call)(void*, instance_base&), void* self) override;
    attachment attach(observer& to, record_kinds kinds) override;
    std::mutex* order() override { return &of().order(); }

    const agent_id id_;
};

/// A manager. Its machines are subjects of their own.
class manager_subject final : public subject {
public:
    manager_subject(std::uint32_t number, std::string called, feed& to, const watched& what);

    std::optional<chart_base> chart() override { return {}; }
    machine_facts facts() override;
    std::string save() override;
    restored load(std::string_view text) override;
    manager_subject* as_manager() override { return this; }

    /// Calls f(managed_base) for each machine that was created since the last call.
    template <class F> void each_new(F f) {
        for (const auto& [machine, serial] : new_machines()) {
            f(machine);
            seen_ = serial; // the next call continues there if f throws
        }
        seen_ = issued();
    }

private:
    manager& machines() const { return *static_cast<manager*>(follower_.get()); }
    std::uint64_t issued() const;                                       ///< the serial number of the newest machine
    std::vector<std::pair<managed_base, std::uint64_t>> new_machines(); ///< with their serial numbers
    const machine_factory& kinds() const;                               ///< throws inspect_error

    hsm::detail::follower follower_;
    const machine_factory* const kinds_;
    std::uint64_t seen_ = 0; ///< of the newest machine that is known
};

/// A machine of a manager.
class managed_subject final : public machine_subject {
public:
    managed_subject(std::uint32_t number, manager_subject& of, const managed_base& which, feed& to)
        : machine_subject(number, &of, machine_kind::managed, std::string(which.name()), to), machine_(which) {}

    const void* key() const override { return parent->exists() && machine_ ? &*machine_ : nullptr; }

private:
    void use_by(void (*call)(void*, instance_base&), void* self) override;
    attachment attach(observer& to, record_kinds kinds) override { return (*machine_).attach(to, kinds); }

    const managed_base machine_;
};

} // namespace hsm::inspect::detail
