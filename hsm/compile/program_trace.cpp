// The records that programs of observed machines report. Other programs contain none of this.

#include <hsm/compile/detail/planner.hpp>
#include <hsm/vm/detail/observed.hpp>

namespace hsm::detail {

void planner::trace(const record& r, op_note note) {
    if (!core_.traced) return;
    const auto words = words_of(r);
    out_.emit(r.kind == record_kind::armed ? &ops::trace_armed : &ops::trace, words.first, note);
    out_.emit(nullptr, words.second);
}

void planner::trace_transition(std::uint32_t number, reason why, op_note note) {
    const auto& t = core_.transitions[number];
    trace({record_kind::transition, static_cast<std::uint8_t>(why), t.source, number, t.target}, note);
}

void planner::trace_timer(record_kind kind, std::uint32_t timer, index s) { trace({kind, 0, s, timer, 0}, {op_note::still, 0, s}); }

void planner::trace_action(const hook_row& h, const transition_row& t, op_note note) {
    const auto number = static_cast<std::uint32_t>(&h - core_.hooks.data());
    trace({record_kind::action, 0, t.source, number, core_.number_of(&t) - 1u}, note);
}

/// Emits the record of a guard's or condition group's result. Returns the jump for the result false.
assembler::jump_at planner::trace_answer(assembler::jump_at refused, record asked, op_note note) {
    if (!core_.traced) return refused;
    const auto no = asked.what;
    ++asked.what; // yes
    trace(asked, note);
    const auto agreed = out_.emit_jump(&ops::jump);
    out_.land({refused});
    asked.what = no;
    trace(asked, note);
    const auto elsewhere = out_.emit_jump(&ops::jump);
    out_.land({agreed});
    return elsewhere;
}

} // namespace hsm::detail
