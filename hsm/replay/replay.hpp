/// Replays the log of an input_log, in the program that recorded it. Create the machines and contexts in the same way as for the recording.
///
///     hsm::replay again(bytes);
///     again.attach(agent, hero);               // in the same order
///     if (const auto found = again.run()) std::puts(found->to_string().c_str());    // the first difference
///
///     again.seek_frame(7'000);                 // to any frame
///     while (again.step()) show(hero);
///
/// Exceptions of hooks are ignored, as in the recorded run, except std::bad_alloc. Use a replay only in the thread of its machines. This header is
/// not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/define/owned.hpp>
#include <hsm/replay/replay_error.hpp>
#include <hsm/run/instance.hpp>
#include <hsm/save/crowd_image.hpp>
#include <hsm/save/difference.hpp>
#include <hsm/save/machine_factory.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace hsm {

class reload_plan;

/// The first difference between a replay and its log.
struct log_difference {
    std::uint64_t call; ///< the first call whose effect differs; without input_log_options::check_calls, the last call before the keyframe
    std::uint64_t frame;
    std::size_t machine;                       ///< in the order of attach
    bool in_context;                           ///< whether only the context differs, not the machine
    std::vector<field_difference> differences; ///< at the keyframe: the recorded value, then the current one. Empty without serialize
    std::uint64_t keyframe;                    ///< the call before which the values were recorded; the number of calls if no keyframe follows

    std::string to_string() const;
};

namespace detail {
class log_player;
class plan_player;
/// Receives the bytes of a note.
struct note_reader {
    virtual ~note_reader() = default;
    virtual void read(std::span<const std::byte> bytes) = 0;
};
} // namespace detail

class replay {
public:
    /// Copies the log. Throws replay_error: HSM-371 if the bytes are not a log; HSM-372 if the log is invalid.
    explicit replay(std::span<const std::byte> log);
    ~replay();
    replay(const replay&) = delete;
    replay& operator=(const replay&) = delete;

    /// Attach all machines of the log, in the order in which they were attached to the input_log. Throws replay_error (HSM-373) if the chart or the
    /// context differs.
    template <class Context> void attach(instance<Context>& agent, Context& context) {
        attach_machine(agent, std::addressof(context), detail::saved_context_of<Context>());
    }
    void attach(instance_base& agent);
    // These functions correspond to those of input_log.
    template <class Context> void attach(crowd<Context>& crowd) { attach_crowd(crowd, detail::saved_context_of<Context>(), nullptr, 0); }
    template <class Context> void attach(crowd<Context>& crowd, std::span<std::type_identity_t<Context>> contexts) {
        attach_crowd(crowd, detail::saved_context_of<Context>(), contexts.data(), contexts.size());
    }
    void attach(manager& machines, const machine_factory& kinds);
    void attach(manager& machines, const machine_factory&& kinds) = delete;
    /// Attaches the plan of a recorded reload (include <hsm/reload.hpp>), in any order. The plan must outlive the replay. The plan's old chart must
    /// be that of the machines. The factory of a manager must have both charts.
    void attach(const reload_plan& plan);
    void attach(const reload_plan&& plan) = delete;
    /// Sets f(const T&) as receiver of recorded notes. Notes of another size are invalid (HSM-372). Throws usage_error (HSM-207) if on_note was
    /// called before.
    template <class T, class F>
    requires std::is_trivially_copyable_v<T>
    void on_note(F f) {
        struct reader final : detail::note_reader {
            explicit reader(F given) : call(std::move(given)) {}
            void read(std::span<const std::byte> bytes) override {
                if (bytes.size() != sizeof(T)) refuse_note(bytes.size(), sizeof(T));
                T value;
                std::memcpy(std::addressof(value), bytes.data(), sizeof value);
                call(static_cast<const T&>(value));
            }
            F call;
        };
        read_notes_by(make_owned<reader>(std::move(f)));
    }

    std::uint64_t calls() const;  ///< number of recorded calls
    std::uint64_t frames() const; ///< recorded ticks and updates of the machine that was attached first
    std::uint64_t call() const;   ///< number of the next call
    std::uint64_t frame() const;

    // These functions throw replay_error: HSM-372 if the log is invalid; HSM-373 if not all machines are attached; HSM-384 if the plan of a reload is
    // not attached. They rethrow exceptions of constructors, `serialize` and note functions. check and run throw save_error (HSM-351) if the state
    // differs and its fields are not known. All these functions can throw std::bad_alloc. After an exception, the next function call starts again
    // from a keyframe and replays up to the same call.
    /// Restores the state before the call with this number, or the final state if the log has no such call. Starts from the nearest keyframe or from
    /// the current call.
    void seek(std::uint64_t call);
    void seek_frame(std::uint64_t frame); ///< restores the state before that tick of the machine that was attached first
    /// Replays the next call. Returns false at the end.
    bool step();
    /// If the log stores the state before the next call, compares the current state with it. Returns nothing if the states are equal, or if the log
    /// stores no state here.
    std::optional<log_difference> check();
    /// Replays all remaining calls, and checks the state at each call as check() does. Returns the first difference, or nothing.
    std::optional<log_difference> run();

private:
    void attach_machine(instance_base& agent, void* context, const detail::saved_context& kind);
    void attach_crowd(crowd_base& crowd, const detail::saved_context& kind, void* contexts, std::size_t count);
    void read_notes_by(owned<detail::note_reader> reader);
    void reload_by(owned<detail::plan_player> plan);
    [[noreturn]] static void refuse_note(std::size_t size, std::size_t expected);

    owned<detail::log_player> player_;
};

} // namespace hsm
