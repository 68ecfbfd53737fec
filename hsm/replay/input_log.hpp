/// What comes into machines from outside, noted call by call: to play it again, to look for a mistake, as a test case.
///
///     hsm::input_log log;
///     log.attach(agent, hero);                 // machines, and what they work on
///     ...                                      // play
///     write_file("run.hsmlog", log.bytes());
///
/// Each call to a machine of the log is noted that no hook of one of them makes: ticks with their time, events with their payload, conditions,
/// requests, what arrives in a mailbox. What else comes from outside, such as buttons that are held in the context, is yours to note. From time to
/// time the whole state is kept, as a keyframe: to begin from there, and to compare. hsm::replay plays it (replay.hpp). A context is recorded
/// by its `serialize`. Fields that it does not name keep their value when a replay goes to another moment. Without a `serialize`, a context that is
/// trivially copyable is recorded as bytes, including its pointers; attaching any other context throws save_error (HSM-351).
///
/// Machines that a log is attached to go through longer ways: an event costs some hundred instructions more. In the thread of the machines; a log
/// must not outlive the contexts. Not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/define/owned.hpp>
#include <hsm/replay/detail/kept_machine.hpp>
#include <hsm/replay/replay_error.hpp>
#include <hsm/run/instance.hpp>
#include <hsm/save/machine_factory.hpp>

#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace hsm {

struct input_log_options {
    std::size_t keyframe_bytes = 16u << 20; ///< of memory for keyframes; the first one is always kept
    std::uint32_t calls_between = 256;      ///< from one keyframe to the next, at first; twice as many each time that the memory is full
    bool check_calls = false;               ///< notes what state each call has found, as 4 bytes: then a replay finds the very call that differs
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

    // Before the first call that is to be noted. Throw save_error (HSM-351), with check_calls for what has no hash; usage_error (HSM-207) if
    // something has been noted.
    template <class Context> void attach(instance<Context>& agent, Context& context) {
        attach_machine(agent, std::addressof(context), detail::saved_context_of<Context>());
    }
    void attach(instance_base& agent); ///< whose context is another one's
    /// Of a crowd that keeps the contexts of its agents.
    template <class Context> void attach(crowd<Context>& herd) {
        attach_crowd(herd, detail::keep_machine(herd), detail::saved_context_of<Context>(), nullptr, 0);
    }
    /// Of a crowd over an array: that, too.
    template <class Context> void attach(crowd<Context>& herd, std::span<std::type_identity_t<Context>> contexts) {
        attach_crowd(herd, detail::keep_machine(herd), detail::saved_context_of<Context>(), contexts.data(), contexts.size());
    }
    /// Of a manager, with the contexts of its machines as far as the factory says so. Machines that are made while it is noted have to be of its
    /// kinds: otherwise create throws save_error (HSM-351). The factory must outlive the log.
    void attach(manager& machines, const machine_factory& kinds);
    void attach(manager& machines, const machine_factory&& kinds) = delete;

    /// Something else from outside, before it comes into a context: replay hands it to the function that was given for such notes. It counts as a
    /// call.
    template <class T>
        requires std::is_trivially_copyable_v<T>
    void note(const T& value) {
        note_bytes(std::as_bytes(std::span(std::addressof(value), 1)));
    }

    std::uint64_t calls() const;
    std::uint64_t frames() const; ///< ticks and updates of the first machine
    std::size_t call_bytes() const;
    std::size_t keyframe_bytes() const;
    std::size_t keyframes() const;
    /// The log so far, for a file (docs/reference/log_format.md). A last keyframe contains the state at the end. Throws what serialize throws.
    std::vector<std::byte> bytes() const;

private:
    void attach_machine(instance_base& agent, void* context, const detail::saved_context& kind);
    void attach_crowd(crowd_base& herd, const detail::kept_machine& images, const detail::saved_context& kind, void* contexts, std::size_t count);
    void note_bytes(std::span<const std::byte> value);

    owned<detail::log_writer> writer_;
};

} // namespace hsm
