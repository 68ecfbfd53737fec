/// Evaluates guards without side effects on the machine.
#pragma once

#include <hsm/run/detail/call.hpp>
#include <hsm/vm/detail/choosing.hpp>
#include <hsm/vm/detail/observed.hpp>

#include <algorithm>
#include <utility>
#include <vector>

namespace hsm::detail {

/// Restores the machine when it is destroyed, also if a guard throws. Guards see the states that a program in progress has exited and entered so far.
class query_scope {
public:
    query_scope(machine& m, const chart_core& core) : m_(m), core_(core), before_(m) {
        const auto* const site = current_hook_site(m, core);
        if (site && site->moves()) {
            region_ = site->state == no_index ? index(0) : core.states[site->state].region;
            leaf_ = region_leaf_of(m, core, region_);
            set_leaf(site->state);
            moves_ = true;
        }
        if (core.has_hook_context) state_ = m.hook_context().state, locals_ = m.hook_context().locals;
        if (core.has_choosing && m.hook_context().choice.evaluating) keep_values();
        if (core.has_choosing) was_querying_ = std::exchange(m.hook_context().querying, true);
        if (!m.at) m.at = in_call();
        if (core.catches_guards) was_in_query_ = std::exchange(m.block[core.layout.in_query], std::byte(1));
    }
    query_scope(const query_scope&) = delete;
    query_scope& operator=(const query_scope&) = delete;
    ~query_scope() {
        if (moves_) set_leaf(leaf_);
        if (core_.has_hook_context) m_.hook_context().state = state_, m_.hook_context().locals = locals_;
        if (core_.catches_guards) m_.block[core_.layout.in_query] = was_in_query_;
        if (!values_.empty()) restore_values();
        if (core_.has_choosing) m_.hook_context().querying = was_querying_;
        const auto work = m_.work;
        m_ = before_;
        m_.work = work;
    }

private:
    // A guard or a score of a candidate calls can(), which can evaluate other candidates.
    void keep_values() {
        const auto& hooks = m_.hook_context();
        values_.assign(values_of(m_), values_of(m_) + core_.most_candidates);
        choice_ = hooks.choice;
    }
    void restore_values() {
        auto& hooks = m_.hook_context();
        std::ranges::copy(values_, values_of(m_));
        hooks.choice = choice_;
    }
    void set_leaf(index leaf) {
        if (core_.by_regions)
            region_at(m_, core_, region_).leaf = leaf;
        else
            m_.leaf = leaf;
    }

    machine& m_;
    const chart_core& core_;
    const machine before_;
    const state_base* state_ = nullptr;
    const local_slot* locals_ = nullptr; ///< restored, because each part of a guard sets it
    const observation::silence silence_{core_.traced ? &observation_of(m_) : nullptr};
    std::byte was_in_query_ = {};
    std::vector<double> values_; ///< of the candidates that are being evaluated
    evaluation choice_;
    bool was_querying_ = false;
    bool moves_ = false;
    index region_ = 0;
    index leaf_ = 0;
};

} // namespace hsm::detail
