/// The calls of a machine in a log.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/chart/view.hpp>
#include <hsm/define/event.hpp>
#include <hsm/op/detail/machine.hpp>
#include <hsm/op/input.hpp>
#include <hsm/replay/detail/log_format.hpp>
#include <hsm/save/detail/image_format.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace hsm::detail {

class built_value;

/// Throws replay_error (HSM-372).
[[noreturn]] void refuse_call(std::uint64_t call, const std::string& what);
/// Reads a value at the end of a call's operands. Throws replay_error (HSM-372).
std::span<const std::byte> take_value(call_operands& from, const value_layout& layout, std::uint64_t call);
/// Reads the call of one machine of a crowd or manager, at the end of its operands. Throws replay_error (HSM-372).
log_call take_machine_call(call_operands& from, std::uint64_t call);
constexpr std::uint64_t no_elapsed = ~std::uint64_t(0); ///< such a call does not refer to an earlier tick

/// Returns the event's column in the chart's tables; 0: no transition waits for it.
std::uint32_t column_of(const event_view& event, const chart_core& core);
/// Returns the column of an event, and stores its payload in image format. Returns 0 without a payload if no transition waits for the event.
std::uint32_t encode_event(const chart_core& core, const event_ref& event, std::vector<std::byte>& payload);
/// The result refers to `payload`.
log_call call_of(const chart_core& core, const input& what, std::vector<std::byte>& payload);

/// A recorded event as an object.
class decoded_event {
public:
    /// Throws replay_error (HSM-372), and exceptions of constructors and `serialize`. `call` is its number, for messages.
    decoded_event(const chart_core& core, std::uint64_t call, std::uint64_t column, std::span<const std::byte> payload);
    decoded_event(const decoded_event&) = delete;
    ~decoded_event();

    const event_ref& event() const { return event_; }

private:
    std::unique_ptr<built_value> payload_; ///< null: it has none
    event_ref event_;
};

/// Repeats a call. Exceptions of hooks are ignored, as in the recorded run. Throws replay_error (HSM-372). `call` is its number.
void make_machine_call(machine& m, const log_call& what, std::uint64_t call);

/// Calls `call` and ignores exceptions, which come from hooks.
template <class Call> void pass_over(const Call& call) {
    try {
        call();
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception&) { // also thrown in the recorded run
    }
}
/// Does the same after all operands were read.
template <class Call> void make_complete(const call_operands& from, std::uint64_t number, const Call& call) {
    if (!from.is_complete()) refuse_call(number, "is broken");
    pass_over(call);
}

} // namespace hsm::detail
