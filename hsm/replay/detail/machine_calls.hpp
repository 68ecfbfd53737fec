/// Calls to machines, as logs hold them.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/define/event.hpp>
#include <hsm/op/detail/machine.hpp>
#include <hsm/op/input.hpp>
#include <hsm/replay/detail/log_format.hpp>
#include <hsm/save/detail/image_machine.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hsm::detail {

/// Throws replay_error (HSM-372).
[[noreturn]] void refuse_call(std::uint64_t call, const std::string& what);

/// The column of an event, and its payload as it stands in an image; 0 and nothing: nobody waits for it.
std::uint32_t note_event(const chart_core& core, const event_ref& event, std::vector<std::byte>& payload);
/// Points to `payload`.
log_call call_of(const chart_core& core, const input& what, std::vector<std::byte>& payload);

/// An event that was noted, as an object.
class noted_event {
public:
    /// Throws replay_error (HSM-372), and what constructors and serialize throw. Call: its number, for messages.
    noted_event(const chart_core& core, std::uint64_t call, std::uint64_t column, std::span<const std::byte> payload);
    noted_event(const noted_event&) = delete;
    ~noted_event();

    const event_ref& event() const { return event_; }

private:
    class object;
    std::unique_ptr<object> object_;
    event_ref event_;
};

/// Makes it once more. What a hook throws is passed over, as it was in the run that was noted. Throws replay_error (HSM-372).
void make_machine_call(machine& m, const log_call& what, std::uint64_t call);

/// What a hook throws is passed over.
template <class Call> void pass_over(const Call& call) {
    try {
        call();
    } catch (const std::exception&) { // of a hook: as it was
    }
}

} // namespace hsm::detail
