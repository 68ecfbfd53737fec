/// Records the inputs of machines, call by call. Use the log to replay the inputs, to find a bug, or as a test case.
///
///     hsm::input_log log;
///     log.attach(agent, hero);                 // machines and their contexts
///     ...                                      // play
///     write_file("run.hsmlog", log.bytes());
///
/// A log records each call to its machines: ticks with their time, events with their payload, conditions, requests, arrivals in a mailbox. It does
/// not record calls by the machines' own hooks. Record other inputs, such as pressed buttons in the context, with `note`. From time to time the log
/// stores the whole state as a keyframe. A replay starts at keyframes, and compares its state with them. hsm::replay replays the log (replay.hpp). A
/// context is recorded by its `serialize`. If `serialize` does not name a field, the field keeps its value when a replay moves to another call.
/// Without a `serialize`, a trivially copyable context is recorded as bytes, including its pointers; attaching any other context throws save_error
/// (HSM-351).
///
/// If an allocation fails in a call, or while a call is recorded, the log stores the state after the call, and a replay continues from that state. If
/// a call of a crowd or manager throws, the log also stores the state after the call.
///
/// Recording costs a few hundred instructions per event. Use a log only in the thread of its machines. A log must not outlive the contexts. This
/// header is not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/define/owned.hpp>
#include <hsm/replay/replay_error.hpp>
#include <hsm/run/instance.hpp>
#include <hsm/save/crowd_image.hpp>
#include <hsm/save/machine_factory.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace hsm {

struct input_log_options {
    std::size_t keyframe_bytes = 16u << 20; ///< memory for keyframes; the first keyframe is always kept
    std::uint32_t calls_between = 256;      ///< initial distance of keyframes; doubled each time the memory is full
    bool check_calls = false;               ///< records a checksum of 4 bytes for each call, so that a replay finds the exact call that differs
};

namespace detail {
class log_writer;
}

class input_log {
public:
    explicit input_log(const input_log_options& how = {});
    ~input_log();
    input_log(const input_log&) = delete;
    input_log& operator=(const input_log&) = delete;

    // Call these functions before the first recorded call. They throw save_error (HSM-351) for data that cannot be saved; with check_calls, also for
    // data that cannot be hashed. They throw usage_error (HSM-207) if calls were already recorded.
    template <class Context> void attach(instance<Context>& agent, Context& context) {
        attach_machine(agent, std::addressof(context), detail::saved_context_of<Context>());
    }
    void attach(instance_base& agent); ///< records a machine that shares the context of another machine
    /// Records a crowd that keeps its agents' contexts.
    template <class Context> void attach(crowd<Context>& crowd) { attach_crowd(crowd, detail::saved_context_of<Context>(), nullptr, 0); }
    /// Records a crowd over an array, and the array.
    template <class Context> void attach(crowd<Context>& crowd, std::span<std::type_identity_t<Context>> contexts) {
        attach_crowd(crowd, detail::saved_context_of<Context>(), contexts.data(), contexts.size());
    }
    /// Records a manager, and its contexts if factory_options::saves_contexts is set. While the log records, new machines must be of the factory's
    /// kinds; otherwise `create` throws save_error (HSM-351). The factory must outlive the log.
    void attach(manager& machines, const machine_factory& kinds);
    void attach(manager& machines, const machine_factory&& kinds) = delete;

    /// Records another input. Call this function before you write the input to a context. A replay passes the input to the function set by on_note. A
    /// note counts as a call.
    template <class T>
    requires std::is_trivially_copyable_v<T>
    void note(const T& value) { note_bytes(std::as_bytes(std::span(std::addressof(value), 1))); }

    std::uint64_t calls() const;
    std::uint64_t frames() const; ///< ticks and updates of the machine that was attached first
    std::size_t call_bytes() const;
    std::size_t keyframe_bytes() const;
    std::size_t keyframes() const;
    /// Returns the log so far, for a file; docs/reference/log_format.md describes the format. A final keyframe contains the last state. Rethrows
    /// exceptions of `serialize`.
    std::vector<std::byte> bytes() const;

private:
    void attach_machine(instance_base& agent, void* context, const detail::saved_context& kind);
    void attach_crowd(crowd_base& crowd, const detail::saved_context& kind, void* contexts, std::size_t count);
    void note_bytes(std::span<const std::byte> value);

    owned<detail::log_writer> writer_;
};

} // namespace hsm
