// What waits for states that hold: when it is tried again.

#include <hsm/compile/block.hpp>
#include <hsm/compile/holding.hpp>
#include <hsm/compile/satisfied.hpp>
#include <hsm/run/engine_parts.hpp>

#include <utility>

namespace hsm {

/// Outermost level first; each that fires is settled before the next is tried.
void engine::try_pending() {
    for (std::size_t slot = 0; (work & work_pending) && !over() && slot < slot_count(core()); ++slot)
        if (pending_at(*this, core(), slot).kind != pending_slot::none) try_pending_at(slot);
}

/// It stays as long as a state holds it; then its guards have a say, and whatever they say, it is gone. If one of them throws, it
/// goes on waiting.
void engine::try_pending_at(std::size_t slot) {
    auto& p = pending_at(*this, core(), slot);
    const bool request = p.kind == pending_slot::request;
    const auto level = request ? level_between(core().states, p.source, p.target, false) : core().transitions[p.transition].level;
    if (holder_of(*this, core(), level, p.target) != no_index) return;
    if (!request) payload = payload_at(*this, core(), slot);
    const bool fires = request || enabled(core().transitions[p.transition]);
    struct consumed {
        engine& self;
        std::size_t slot;
        ~consumed() { drop_pending(self, self.core(), slot); }
    };
    {
        const consumed whatever_happens{*this, slot};
        p.in_hand = true;
        if (request)
            this->request(p.source, p.target, true);
        else if (fires)
            fire(core().transitions[p.transition], reason::event);
    }
    settle();
}

/// What was pending while its event was handled goes on waiting, unless its source has been left.
void engine::pending_out_of_hand() {
    for (std::size_t slot = 0; slot < slot_count(core()); ++slot) {
        auto& p = pending_at(*this, core(), slot);
        if (!std::exchange(p.in_hand, false)) continue;
        if (!is_active(*this, core(), p.source)) drop_pending(*this, core(), slot);
    }
}

/// A level decides anew; if the innermost decides first, all of them do.
void engine::nothing_waits(int depth) {
    if (!(work & work_waiting)) return;
    if (core().options.order == decision_order::substate_first)
        forget_waiting(*this, core());
    else
        waiting_at(*this, core(), static_cast<std::size_t>(depth + 1)) = {};
}

/// After the update of a state that held: the transitions that waited for it are decided anew, outermost level first, also if what
/// came in between has taken it out.
void engine::try_waiting(index holder) {
    const auto depth = core().states[holder].depth;
    const auto is_left = [&] { return core().driven ? has_left(holder) : kept <= depth; }; // also if it was entered anew
    for (std::size_t slot = 0; (work & work_waiting) && !over() && slot < slot_count(core()); ++slot) {
        auto& waiting = waiting_at(*this, core(), slot);
        const bool its_turn = waiting.holder == no_index || (waiting.holder == holder && !is_left());
        if (!waiting.transition || !its_turn) continue;
        const auto& t = core().transitions[waiting.transition - 1];
        waiting = {};
        if (t.on_finished && !is_marked_over(*this, core(), t.source)) continue;
        if (!enabled(t) || (t.any_state && is_satisfied(*this, core(), t)) || must_wait(t)) continue;
        fire(t, reason_of(t));
        settle();
    }
    if (core().has_holds) holding_of(*this, core()).updated = no_index;
}

} // namespace hsm
