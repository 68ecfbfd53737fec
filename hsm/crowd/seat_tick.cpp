// The agents of a page in a tick, one after the other. Most have nothing to settle, neither before nor after: of these only what
// differs from one to the next is taken over.

#include <hsm/compile/block.hpp>
#include <hsm/compile/condition_bits.hpp>
#include <hsm/crowd/seat.hpp>
#include <hsm/run/engine_parts.hpp>

#include <algorithm>
#include <bit>
#include <utility>

namespace hsm {

namespace {
/// Those behind `slot`, before `end`, of whom the first are in its word.
void clear_up_to(agent_bits& agents, std::uint32_t slot, std::uint32_t end) {
    for (auto w = slot / 64; w * 64 < end; ++w) {
        const auto left = end - w * 64;
        agents[w] &= left >= 64 ? 0 : ~std::uint64_t(0) << left;
    }
}
} // namespace

bool seat::run(page& p, const frame& f) {
    clear_up_to(*p.restless, p.next, p.next);
    stops_ = 0;
    if (!p.is_filled(reserve_) && !makes_ready_for_next(p)) return true;
    page_ = &p;
    below = std::exchange(p.visits, this);
    struct leaving {
        seat& self;
        page& p;
        ~leaving() {
            p.to_be_removed = self.is_removed();
            self.leave_empty();
        }
    } const at_the_end{*this, p};
    if (own_moment_) own_moment_->tick_elapsed = f.elapsed;
    return shape_.has_dues ? run_restless<true>(p, f) : run_restless<false>(p, f);
}

/// False: there is no next one. If there is no memory for it, it is passed over, unless it has luggage already.
bool seat::makes_ready_for_next(page& p) {
    const auto word = std::ranges::find_if(*p.restless, [](std::uint64_t agents) { return agents != 0; });
    if (word == p.restless->end()) return false;
    try {
        make_ready();
    } catch (...) {
        const auto slot = (word - p.restless->begin()) * 64 + std::countr_zero(*word);
        const bool may_be_listed = !shape_.options.lists || reserve_.lists.size() == tips_.size();
        stops_ = used_up; // behind that one
        if (may_be_listed && p.luggage_of(static_cast<std::uint32_t>(slot))) return true;
        *word &= *word - 1;
        throw;
    }
    return true;
}

/// Timed: when something of them is due, is kept in a column.
template <bool Timed> bool seat::run_restless(page& p, const frame& f) {
    auto& restless = *p.restless;
    for (auto w = p.next / 64; w < page_words; ++w) {
        while (restless[w] != 0) {
            const auto slot = w * 64 + static_cast<std::uint32_t>(std::countr_zero(restless[w]));
            restless[w] &= restless[w] - 1;
            p.next = slot + 1;
            const auto row = p.row(slot);
            if (row >= shape_.none()) continue;
            const auto what = phase_of(p, slot, f);
            if (what == phase::hooks && !shape_.updates[row] && !(p.bits(slot) & shape_.attention)) continue;
            const bool plain = plain_ && !(p.bits(slot) & shape_.attention);
            if (plain && what != phase::decisions && shape_.lone_updates[row].hook)
                clear_up_to(restless, slot, update_run<Timed>(p, slot, row, f));
            else if (what == phase::both && plain)
                tick_one<Timed>(p, slot, row, f);
            else
                run_one(p, slot, f, what);
            if (stops_) return false;
        }
    }
    return true;
}

/// Between the ticks in which it decides, an agent updates.
seat::phase seat::phase_of(const page& p, std::uint32_t slot, const frame& f) const {
    if (f.what != phase::both || !p.has_rates()) return f.what;
    const auto rate = p.rate(slot);
    return rate <= 1 || (f.number + p.first + slot) % rate == 0 ? phase::both : phase::hooks;
}

void seat::run_one(page& p, std::uint32_t slot, const frame& f, phase what) {
    sit(p, slot);
    engine_.leaf = static_cast<index>(p.row(slot));
    settle_down(f.now, p.luggage_of(slot));
    if (shape_.options.lists) remember_tips();
    try {
        switch (what) {
        case phase::both: p.fired |= engine_.tick(f.elapsed) == result::taken; break;
        case phase::decisions: p.fired |= engine_.decide() == result::taken; break;
        case phase::hooks: p.fired |= engine_.update(f.elapsed) == result::taken; break;
        }
    } catch (...) {
        store(f.later);
        throw;
    }
    store(f.later);
}

/// Has a transition taken it to where nothing more is to be done in this tick, nor to be kept?
bool seat::is_complete(index before, std::uintptr_t code) const {
    if (code != static_cast<std::uintptr_t>(result::taken) || !shape_.calm[before] || !shape_.calm[engine_.leaf]) return false;
    if (engine_.work != 0 || (engine_.state & odd_states)) return false;
    return engine_.last_step(engine_.leaf)[-1].depth <= engine_.section_begun()->depth;
}

/// An agent with nothing left over from before.
void seat::begin_tick(page& p, std::uint32_t slot, index leaf, std::int64_t later) {
    sit(p, slot);
    engine_.leaf = leaf;
    engine_.row = core_.row_of(leaf);
    engine_.at = nullptr;
    engine_.now = later;
    engine_.kept = no_index;
    engine_.work = 0;
    engine_.state = static_cast<std::uint8_t>(lasting_ | state_ready);
    if (column_) conditions_of(engine_).bits = p.bits(slot) & column_;
}

template <bool Timed> void seat::tick_one(page& p, std::uint32_t slot, std::uint32_t row, const frame& f) {
    const auto leaf = static_cast<index>(row);
    begin_tick(p, slot, leaf, f.later);
    finish_tick<Timed>(p, slot, leaf, core_.ticks[leaf], f);
}

/// As engine::tick does it.
template <bool Timed> void seat::finish_tick(page& p, std::uint32_t slot, index leaf, const op* from, const frame& f) {
    auto* const bits = column_ ? &conditions_of(engine_).bits : nullptr;
    if (shape_.options.lists) tips_[0] = leaf;
    bool runs = true; // the program: what it throws is not yet put in order
    try {
        const auto code = hsm::run(from, engine_);
        runs = false;
        if (code == code_next && engine_.work == 0 && !(engine_.state & odd_states)) {
            if (bits) p.set_bits(slot, *bits & column_);
            if constexpr (Timed) note_due(); // a reaction may have begun to wait for the next time
            return;
        }
        if (is_complete(leaf, code)) {
            p.fired = true;
            p.set_row(slot, engine_.leaf);
            if (bits) p.set_bits(slot, *bits & column_);
            if constexpr (Timed) note_due();
            if (shape_.options.lists) list();
            return;
        }
        if (code != code_next) p.fired |= engine_.go_on(code) == result::taken;
    } catch (...) {
        if (runs) engine_.failed();
        store(f.later);
        throw;
    }
    store(f.later);
}

/// As many as there are beside each other in the same row; returns the one behind them.
template <bool Timed> std::uint32_t seat::update_run(page& p, std::uint32_t slot, std::uint32_t row, const frame& f) {
    const auto& update = shape_.lone_updates[row];
    agent_run agents{p.context(0), time_span::from_nanoseconds(f.elapsed), slot, p.end_of_run(slot)};
    updating_ = &update;
    later_ = f.later;
    slot_ = page_agents; // nobody, unless he comes back to himself
    p.run = &agents;
    const auto over = [&] {
        p.run = nullptr;
        updating_ = nullptr;
        p.next = static_cast<std::uint32_t>(agents.at) + 1;
    };
    try {
        update.hook->many(update.hook->self, agents);
    } catch (...) {
        if (!agents.interrupted) sit_down();
        over();
        engine_.failed();
        if (shape_.options.lists) tips_[0] = static_cast<index>(row);
        store(f.later);
        throw;
    }
    over();
    if (!agents.interrupted) return p.next = static_cast<std::uint32_t>(agents.at);
    finish_tick<Timed>(p, slot_, static_cast<index>(row), next(update.at), f);
    return p.next;
}

/// In the middle of its update.
void seat::sit_down() {
    page_->run->interrupted = 1;
    const auto slot = static_cast<std::uint32_t>(page_->run->at);
    begin_tick(*page_, slot, static_cast<index>(page_->row(slot)), later_);
    engine_.payload = updating_->section;
    engine_.at = updating_->at;
    page_->next = slot + 1;
    if (!own_moment_) return;
    auto& now = *own_moment_; // as ops::updating leaves it
    now.cause = {};
    now.entered = reason::none;
    now.state = updating_->state;
    now.elapsed = now.tick_elapsed;
    now.next = {};
}

} // namespace hsm
