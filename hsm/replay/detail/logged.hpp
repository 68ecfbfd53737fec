/// The objects that a log can record: a machine, a crowd, a manager. Each records its inputs and can repeat them.
#pragma once

#include <hsm/op/observer.hpp>
#include <hsm/replay/detail/log_format.hpp>
#include <hsm/save/detail/savable.hpp>
#include <hsm/save/machine_factory.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string_view>
#include <vector>

namespace hsm {
class instance_base;
class crowd_base;
class manager;
class machine_factory;
} // namespace hsm

namespace hsm::detail {

struct saved_context;

/// Receives the calls to record. During a recorded call, further calls of the log's objects are not inputs.
class call_sink {
public:
    virtual ~call_sink() = default;
    virtual bool is_in_call() const = 0;
    virtual void begin_call() noexcept = 0;
    virtual void end_call() noexcept = 0;
    /// Announces a call; the state before it may be stored. Requires that no agent is loaded and no call is partly recorded.
    virtual void prepare() = 0;
    /// Records a call before it happens, and sets its `machine`. Without a preceding prepare(), the state before it is not checked.
    virtual void note(std::uint32_t machine, log_call call) = 0;
    /// The same for a tick of a machine, with prepare(). Ignored in a call.
    virtual void note_tick(std::uint32_t machine, std::uint64_t elapsed) = 0;
    /// Records an arrival in a mailbox. The next recorded call processes it.
    virtual void log_arrival(std::uint32_t machine, log_call call) = 0;
    /// Announces a reload (an empty plan), or records it.
    virtual void reload(std::uint32_t machine, std::string_view plan, bool failed) = 0;
    /// Records a state change that no call describes. The new state is stored.
    virtual void store_state() noexcept = 0;

    /// Records a call that happens even if it cannot be recorded. If an allocation fails, the state after the call is stored instead.
    template <class Note> void log_or_store_state(const Note& note) {
        try {
            note();
        } catch (const std::bad_alloc&) {
            store_state();
        } catch (...) {
            store_state();
            throw;
        }
    }
    /// The hook of a call has thrown, or an allocation of the call has failed; the exception is being handled. After a failed allocation, the state
    /// is stored, because a replay would not run out of memory there.
    void call_failed() noexcept {
        try {
            throw;
        } catch (const std::bad_alloc&) {
            store_state();
        } catch (...) {
        }
    }
};

/// Passes the calls of one machine, or of all machines of a manager, to a log.
class call_listener : public observer {
public:
    static constexpr auto kinds = record_kind::call | record_kind::call_end | record_kind::configuration | record_kind::error;

    bool wants_inputs() const final { return true; }
    void on_record(const record& r, const moment&) final;

    call_sink* sink = nullptr;
};

/// The object of a log that a plan changes.
struct reloaded_object {
    instance_base* agent = nullptr;
    crowd_base* crowd = nullptr;
    manager* machines = nullptr;
};

class logged {
public:
    logged() = default;
    logged(const logged&) = delete;
    logged& operator=(const logged&) = delete;
    virtual ~logged() = default;

    /// Returns the description in a log, without the context.
    virtual log_machine made_as() const = 0;
    virtual const chart_core* core() const = 0; ///< for contexts; null for a manager, which has many charts
    virtual std::string path() const { return object().path(); }
    /// Checks that the state can be hashed, for checks of every call. Throws save_error (HSM-351).
    virtual void require_hash() const = 0;

    virtual const savable& object() const = 0;
    virtual bool is_busy() const { return object().is_busy(); } ///< whether it cannot be saved now
    virtual bool is_in_call() const { return false; }           ///< of an object that does not report its calls to the sink
    /// Returns the hash of the current state. `image` is its image.
    virtual std::uint64_t hash(std::span<const std::byte> image) const = 0;

    /// Records calls from now on, for the lifetime of this object.
    virtual void listen(call_sink& to, std::uint32_t number) = 0;
    /// Takes the events that other threads have posted, and records them if a log is attached. `save` saves the taken events.
    virtual void take_mail() = 0;

    virtual reloaded_object reloaded() const = 0;
    /// Repeats a call. Exceptions of hooks are ignored. Throws replay_error (HSM-372). `call` is its number.
    virtual void make(const log_call& what, std::uint64_t call) = 0;
};

/// Repeats the reloads of one plan.
class plan_player {
public:
    virtual ~plan_player() = default;
    virtual log_plan plan() const = 0;
    /// Exceptions of hooks are ignored. If the reload failed, only its exit hooks run.
    virtual void apply(std::span<const reloaded_object> all, bool failed) const = 0;
    /// Gives an object the plan's old or new chart, without hooks. Its state is restored afterwards.
    virtual void give_chart(const reloaded_object& to, bool is_new) const = 0;
};

/// These throw save_error (HSM-351).
std::unique_ptr<logged> logged_instance(instance_base& agent);
std::unique_ptr<logged> logged_crowd(crowd_base& crowd, const saved_context& kind);
std::unique_ptr<logged> logged_manager(manager& machines, const machine_factory& kinds);

} // namespace hsm::detail
