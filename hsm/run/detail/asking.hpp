/// Evaluates guards without side effects on the machine.
#pragma once

#include <hsm/run/detail/call.hpp>
#include <hsm/vm/detail/observed.hpp>

#include <utility>

namespace hsm::detail {

/// Restores the machine when it is destroyed, also if a guard throws. Guards see the states that a program in progress has exited and entered so far.
class asking {
public:
    asking(machine& m, const chart_core& core) : m_(m), core_(core), before_(m) {
        const auto* const note = note_of_hook(m, core);
        if (note && note->moves()) {
            region_ = note->state == no_index ? index(0) : core.states[note->state].region;
            leaf_ = region_leaf_of(m, core, region_);
            set_leaf(note->state);
            moves_ = true;
        }
        if (core.has_hook_context) state_ = m.hook_context().state, locals_ = m.hook_context().locals;
        if (!m.at) m.at = in_call();
        if (core.catches_guards) asked_before_ = std::exchange(m.block[core.layout.asked_only], std::byte(1));
    }
    asking(const asking&) = delete;
    asking& operator=(const asking&) = delete;
    ~asking() {
        if (moves_) set_leaf(leaf_);
        if (core_.has_hook_context) m_.hook_context().state = state_, m_.hook_context().locals = locals_;
        if (core_.catches_guards) m_.block[core_.layout.asked_only] = asked_before_;
        const auto work = m_.work;
        m_ = before_;
        m_.work = work;
    }

private:
    void set_leaf(index leaf) {
        if (core_.driven)
            region_at(m_, core_, region_).leaf = leaf;
        else
            m_.leaf = leaf;
    }

    machine& m_;
    const chart_core& core_;
    const machine before_;
    const state_base* state_ = nullptr;
    const local_place* locals_ = nullptr; ///< restored, because each part of a guard sets it
    const observation::silence untold_{core_.traced ? &observation_of(m_) : nullptr};
    std::byte asked_before_ = {};
    bool moves_ = false;
    index region_ = 0;
    index leaf_ = 0;
};

} // namespace hsm::detail
