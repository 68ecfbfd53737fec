/// Plays what an input_log has noted, with the same program: machines and contexts that are made as they were then.
///
///     hsm::replay again(bytes);
///     again.attach(agent, hero);               // in the same order
///     if (const auto found = again.run()) std::puts(found->to_string().c_str());    // where it went another way
///
///     again.seek_frame(7'000);                 // to any moment: from the keyframe before it
///     while (again.step()) show(hero);
///
/// What a hook throws is passed over, as it was in the run that was noted. In the thread of the machines. Not part of <hsm/hsm.hpp>.
#pragma once

#include <hsm/define/owned.hpp>
#include <hsm/replay/detail/kept_machine.hpp>
#include <hsm/replay/replay_error.hpp>
#include <hsm/run/instance.hpp>
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

/// The first difference between a replay and its log.
struct log_difference {
    std::uint64_t call;  ///< the first one that did something else; without input_log_options::check_calls, that before the keyframe
    std::uint64_t frame;
    std::size_t machine; ///< by the order of attach
    bool in_context;     ///< the machine is equal, its context is not
    std::vector<field_difference> differences; ///< first: recorded, second: now; at the keyframe. Empty for a context without serialize
    std::uint64_t keyframe; ///< the call before which the values were recorded; the number of calls if no keyframe follows

    std::string to_string() const;
};

namespace detail {
class log_player;
/// Takes the bytes of a note.
struct note_reader {
    virtual ~note_reader() = default;
    virtual void read(std::span<const std::byte> bytes) = 0;
};
} // namespace detail

class replay {
public:
    /// Throws replay_error: HSM-371, it is no log; HSM-372, it is broken. Keeps a copy.
    explicit replay(std::span<const std::byte> log);
    ~replay();
    replay(const replay&) = delete;
    replay& operator=(const replay&) = delete;

    /// All that were in the log, in their order. Throws replay_error (HSM-373): it was another chart, or another context.
    template <class Context> void attach(instance<Context>& agent, Context& context) {
        attach_machine(agent, std::addressof(context), detail::saved_context_of<Context>());
    }
    void attach(instance_base& agent);
    // As input_log::attach.
    template <class Context> void attach(crowd<Context>& herd) {
        attach_crowd(herd, detail::keep_machine(herd), detail::saved_context_of<Context>(), nullptr, 0);
    }
    template <class Context> void attach(crowd<Context>& herd, std::span<std::type_identity_t<Context>> contexts) {
        attach_crowd(herd, detail::keep_machine(herd), detail::saved_context_of<Context>(), contexts.data(), contexts.size());
    }
    void attach(manager& machines, const machine_factory& kinds);
    void attach(manager& machines, const machine_factory&& kinds) = delete;
    /// f(const T&) for what was noted beside the calls. Notes of another size are broken (HSM-372).
    /// Throws usage_error (HSM-207) if it was called before.
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

    std::uint64_t calls() const;  ///< that were noted
    std::uint64_t frames() const; ///< of these, ticks and updates of the first machine
    std::uint64_t call() const;   ///< the one that comes next
    std::uint64_t frame() const;

    // These throw replay_error: HSM-372, the log is broken there; HSM-373, not all machines are attached. What constructors, serialize and functions
    // for notes throw. check and run throw save_error (HSM-351) if something differs and fields are not known.
    /// To before the call with that number, or the end. Begins from the nearest keyframe, or from where it is.
    void seek(std::uint64_t call);
    void seek_frame(std::uint64_t frame); ///< to before that tick of the first machine
    /// The next call; false: there is none.
    bool step();
    /// Is everything as it was noted, as far as that was noted here? Empty: yes.
    std::optional<log_difference> check();
    /// From where it is to the end: check, step, check, ... Empty: all was the same.
    std::optional<log_difference> run();

private:
    void attach_machine(instance_base& agent, void* context, const detail::saved_context& kind);
    void attach_crowd(crowd_base& herd, const detail::kept_machine& images, const detail::saved_context& kind, void* contexts, std::size_t count);
    void read_notes_by(owned<detail::note_reader> reader);
    [[noreturn]] static void refuse_note(std::size_t size, std::size_t expected);

    owned<detail::log_player> player_;
};

} // namespace hsm
