/// What the parts of the engine share, and users do not see.
#pragma once

#include <hsm/compile/chart.hpp>
#include <hsm/compile/chart_core.hpp>
#include <hsm/compile/condition_bits.hpp>
#include <hsm/define/assert.hpp>
#include <hsm/run/engine.hpp>

#include <exception>

namespace hsm {

// What a call's key means; throw state_error and condition_error.
index require_state(const chart_core& core, const target_spec& wanted, index from);
std::uint32_t require_condition(const chart_core& core, const condition_key& key);
std::uint32_t require_own_condition(const chart_core& core, const condition_key& key); ///< that may be set
const chart_core& require_chart(const chart_base& chart); ///< throws usage_error

inline const chart_core& engine::core() const {
    HSM_ASSERT(chart); // or the instance was moved from
    return static_cast<const chart_core&>(*chart);
}

inline const tick_step* engine::first_step(index of) const { return core().steps.data() + core().states[of].tick.first; }
inline const tick_step* engine::last_step(index of) const { return first_step(of) + core().states[of].tick.count; }

/// What enters the states that come next, where somebody wants to know.
inline void engine::lead(std::uint32_t by) {
    if (core().has_over) lead_by(*this, core(), by);
}
inline std::uint32_t engine::leading() const { return core().has_over ? led_of(*this, core()).by : 0; }

/// What had come, to the posted queue and the mailbox, when a call began.
struct engine::arrivals {
    std::size_t posted = 0;
    std::size_t mailed = 0;
};

/// The pulses that are there when a tick begins end with it, however that ends.
struct engine::pulses {
    engine& self;
    const bool are_there;
    pulses(engine& e, bool decides) : self(e), are_there(decides && e.has_pulses()) {
        if (are_there) condition_bits(self, self.core()).begin_pulses();
    }
    pulses(const pulses&) = delete;
    ~pulses() {
        if (are_there) condition_bits(self, self.core()).end_pulses();
    }
};

/// Runs what must not be interrupted by another call from a hook.
template <class Body> result engine::exclusively(Body body) {
    const bool was_active = leaf != no_index;
    enter();
    try {
        const auto outcome = body();
        leave();
        return outcome;
    } catch (...) {
        failed(was_active);
        throw;
    }
}

/// The outermost states of a tip's regions; none if it is no parallel.
template <class Visit> void engine::each_region(index tip, Visit visit) const {
    if (core().states[tip].kind != state_kind::parallel) return;
    const auto& inner = core().states[tip].regions;
    for (auto r = inner.first; r < inner.first + inner.count; ++r)
        if (const auto outermost = core().regions[r]; core().states[outermost].superstate == tip) visit(outermost);
}

/// Visits the active states in the order in which they decide, until one says yes.
template <class Visit> bool engine::deciders(Visit visit) const {
    if (core().driven) {
        if (core().options.order == decision_order::substate_first) return deciders_outwards(0, visit);
        return deciders_inwards(visit);
    }
    const auto innermost = where();
    if (core().options.order == decision_order::substate_first) {
        for (auto s = innermost; s != no_index; s = core().states[s].superstate)
            if (visit(s)) return true;
        return false;
    }
    for (index s = 0;; s = core().toward(s, innermost)) {
        if (visit(s)) return true;
        if (s == innermost) return false;
    }
}

/// Of a parallel, one region after the other.
template <class Visit> bool engine::deciders_inwards(Visit visit) const {
    for (std::size_t s = 0; s < core().states.size(); ++s)
        if (!active(static_cast<index>(s)))
            s = core().states[s].last;
        else if (visit(static_cast<index>(s)))
            return true;
    return false;
}

template <class Visit> bool engine::deciders_outwards(index region, Visit visit) const {
    const auto tip = tip_now(region);
    if (tip == no_index) return false;
    bool found = false;
    each_region(tip, [&](index inner) { found = found || deciders_outwards(core().states[inner].region, visit); });
    if (found) return true;
    for (auto s = tip;; s = core().states[s].superstate) {
        if (visit(s)) return true;
        if (s == core().regions[region]) return false;
    }
}

/// While guards are asked out of turn, by can(): everything is put back as it was.
class asking {
public:
    /// `innermost` is active now; a program in progress may not have said so yet.
    asking(machine& m, index innermost) : machine_(m), before_(m) {
        m.leaf = innermost;
        if (has_moment()) state_ = m.moment().state;
        if (!m.at) m.at = at_work();
    }
    asking(const asking&) = delete;
    asking& operator=(const asking&) = delete;
    ~asking() {
        if (has_moment()) machine_.moment().state = state_;
        const auto work = machine_.work;
        machine_ = before_;
        machine_.work = work;
    }

private:
    bool has_moment() const { return static_cast<const chart_core*>(machine_.chart)->has_moment; }

    machine& machine_;
    const machine before_;
    const state_base* state_ = nullptr;
};

} // namespace hsm
