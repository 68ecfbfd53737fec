/// The conditions of an instance, for calls and ticks.
#pragma once

#include <hsm/run/detail/call.hpp>
#include <hsm/vm/detail/condition_bits.hpp>

namespace hsm::detail {

bool holds(const machine& m, const chart_core& core, std::uint32_t condition);
inline bool has_pulses(const machine& m, const chart_core& core) { return !core.conditions.empty() && condition_bits(m, core).any_pulsed(); }
void trace_pulses(const machine& m, const chart_core& core); ///< reports the pulses that end
/// Stores the leaf's idle test, if it has one, in front of the block: from now on, a tick only compares the condition bits with it.
void watch(machine& m, const chart_core& core);

/// The destructor ends the pulses that existed when the object was created, but only if the tick decides.
class pulses {
public:
    pulses(const machine& m, const chart_core& core, bool decides) : m_(m), core_(core), are_there_(decides && has_pulses(m, core)) {
        if (are_there_) condition_bits(m_, core_).begin_pulses();
    }
    pulses(const pulses&) = delete;
    ~pulses() {
        if (!are_there_) return;
        if (core_.traced) trace_pulses(m_, core_);
        condition_bits(m_, core_).end_pulses();
    }

private:
    const machine& m_;
    const chart_core& core_;
    const bool are_there_;
};

} // namespace hsm::detail
