// Ticks the agents of a page one after the other. For most agents there is no work before or after the leaf's program: only what differs from
// the previous agent is loaded and stored.

#include <hsm/crowd/detail/agent_slot.hpp>
#include <hsm/crowd/detail/page.hpp>
#include <hsm/op/detail/compiler.hpp>
#include <hsm/run/detail/ticker.hpp>
#include <hsm/vm/detail/block.hpp>
#include <hsm/vm/detail/condition_bits.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

namespace hsm::detail {

namespace {

/// Finds the agents that are updated in one loop when a page is ticked state by state.
class agents_of_run {
public:
    /// Collects agents from the word of p.next on: a contiguous run, otherwise a list of limited length. Stops before the first agent that has the
    /// attention bit; the caller guarantees that the very first agent does not have it. `left(w)` returns the candidates of a word. Returns the end.
    template <class Left> std::uint32_t find(const page& p, std::uint64_t attention, Left left) {
        std::uint32_t count = 0, end = 0;
        bool go_on = true;
        among_ = {};
        for (auto w = p.next / 64; go_on && w * 64 < p.used; ++w) {
            auto agents = left(w);
            for (auto each = p.has_overflow() || p.arriving ? agents : 0; each != 0; each &= each - 1) {
                if (!(p.bits(w * 64 + static_cast<std::uint32_t>(std::countr_zero(each))) & attention)) continue;
                agents &= (each & (~each + 1)) - 1; // only the agents before it
                go_on = false;
                break;
            }
            const bool all = agents == ~std::uint64_t(0);
            const auto more = static_cast<std::uint32_t>(std::popcount(agents));
            if (count == 0) beside_ = all;
            if (count + more > most_ || (beside_ && !all)) break;
            if (agents == 0) continue;
            if (!beside_) list(p, w, agents, count);
            among_[w] = agents;
            count += more;
            end = w * 64 + 64 - static_cast<std::uint32_t>(std::countl_zero(agents));
        }
        return end_ = end;
    }
    const std::uint16_t* listed() const { return beside_ ? nullptr : listed_.data(); }
    const agent_bits& among() const { return among_; }
    /// Adapts the length of lists: if a call to one of the agents ended the loop early, the next list is short.
    void ended(std::uint32_t end) { most_ = end < end_ ? 64 : 2 * most_ < at_most ? 2 * most_ : at_most; }

private:
    static constexpr std::uint32_t at_most = 1024;

    void list(const page& p, std::uint32_t word, std::uint64_t agents, std::uint32_t at) {
        for (; agents != 0; agents &= agents - 1) {
            const auto slot = word * 64 + static_cast<std::uint32_t>(std::countr_zero(agents));
            HSM_PREFETCH_TO_WRITE(p.context(slot)); // the addresses are irregular, so the hardware does not prefetch them
            listed_[at++] = static_cast<std::uint16_t>(slot);
        }
    }

    agent_bits among_;
    std::array<std::uint16_t, at_most> listed_;
    std::uint32_t most_ = at_most, end_ = 0;
    bool beside_ = false;
};

/// Clears the agents after `slot` and before `end`. Those before `slot` in its word are cleared already.
void clear_up_to(agent_bits& agents, std::uint32_t slot, std::uint32_t end) {
    for (auto w = slot / 64; w * 64 < end; ++w) {
        const auto left = end - w * 64;
        agents[w] &= left >= 64 ? 0 : ~std::uint64_t(0) << left;
    }
}

} // namespace

void agent_slot::compute_scores(page& p, agent_bits& must_tick, const frame& f) {
    if (layout_.choosers.empty() || f.what != phase::both) return;
    scored_ = {};
    for (const auto& c : layout_.choosers) {
        const auto number = static_cast<std::size_t>(&c - layout_.choosers.data()) + 1;
        const bool alike = !p.has_overflow() && !p.arriving && !p.has_rates() && c.due == 0;
        const auto chooses = [&](std::uint32_t slot) {
            if (layout_.chooses[p.row(slot)] != number) return false;
            if (alike) return true;
            if (p.bits(slot) & layout_.attention || phase_of(p, slot, f) != phase::both) return false;
            return c.due == 0 || *reinterpret_cast<const std::int64_t*>(p.block(slot) + c.due) <= f.later;
        };
        std::array<std::uint16_t, page_agents> slots;
        std::size_t count = 0;
        agent_bits found{};
        for (std::uint32_t w = 0; w * 64 < p.used; ++w)
            for (auto rest = must_tick[w]; rest != 0; rest &= rest - 1)
                if (const auto slot = w * 64 + static_cast<std::uint32_t>(std::countr_zero(rest)); chooses(slot)) {
                    slots[count++] = static_cast<std::uint16_t>(slot);
                    found[w] |= bit_of(slot);
                }
        if (count == 0) continue;
        try {
            for (const auto& one : c.candidates) {
                auto* const scores = scores_of(static_cast<std::size_t>(&one - c.candidates.data()));
                if (!one.score) {
                    std::fill_n(scores, p.used, one.weight);
                    continue;
                }
                std::memset(scores, 0, p.used * sizeof(double)); // faster than std::fill_n
                agent_run agents{p.context(0), {}, 0, count, 0, slots.data(), scores};
                one.score->many(one.score->self, agents);
            }
        } catch (...) { // each agent then computes its own scores
            continue;
        }
        for (std::uint32_t w = 0; w < page_words; ++w) scored_[w] |= found[w];
        p.scored = &scored_;
        std::fill_n(scores_.data(), p.used, -1);
        if (c.picks) pick(p, c, {slots.data(), count}, must_tick);
    }
}

/// Does what the program that chooses does.
void agent_slot::pick(const page& p, const many_scores& c, std::span<const std::uint16_t> slots, agent_bits& must_tick) {
    constexpr auto most = std::numeric_limits<double>::max();
    auto* const highest = scores_of(layout_.most_candidates);
    auto* const picked = scores_.data();
    std::memset(highest, 0, p.used * sizeof(double));
    for (std::size_t n = 0; n < c.candidates.size(); ++n) {
        auto* const scores = scores_of(n);
        const auto number = static_cast<double>(n);
        if (c.stay_bonus > 0)
            for (const auto slot : slots)
                if (auto& score = scores[slot]; score > 0 && score <= most && core_.contains(c.candidates[n].goal, static_cast<index>(p.row(slot))))
                    score = std::min(score + c.stay_bonus, most);
        for (const auto slot : slots) {
            const auto score = scores[slot];
            if (!(score > highest[slot]) || score > most) continue;
            highest[slot] = score;
            picked[slot] = number;
        }
    }
    const auto* const candidates = c.candidates.data();
    for (const auto slot : slots) {
        const auto row = static_cast<index>(p.row(slot));
        const auto number = static_cast<int>(picked[slot]);
        if (layout_.only_picks[row] && (number < 0 || core_.contains(candidates[number].goal, row))) must_tick[slot / 64] &= ~bit_of(slot);
    }
}

bool agent_slot::run(page& p, const frame& f) {
    if (!p.visited) {
        std::fill_n(p.must_tick->begin(), p.next / 64, 0); // a hook can have thrown in a loop of updates
        clear_up_to(*p.must_tick, p.next, p.next);
    }
    later_ = f.later;
    return set_visited(p, *p.must_tick, [&] {
        if (own_hook_context_) own_hook_context_->tick_elapsed = f.elapsed;
        if (p.visited) return layout_.has_dues ? run_by_state<true>(p, f) : run_by_state<false>(p, f);
        return layout_.has_dues ? run_marked<true>(p, f) : run_marked<false>(p, f);
    });
}

/// Reserves memory for the next agent. Returns false if there is no next agent. If the reservation throws, the agent is skipped, unless it has a
/// spilled state already. With by_state, the remaining agent with the lowest index is skipped.
bool agent_slot::makes_ready_for_next(page& p, agent_bits& waiting) {
    const auto word = std::ranges::find_if(waiting, [](std::uint64_t agents) { return agents != 0; });
    if (word == waiting.end()) return false;
    try {
        make_ready();
    } catch (...) {
        const auto slot = (word - waiting.begin()) * 64 + std::countr_zero(*word);
        const bool may_be_listed = !layout_.options.lists || reserve_.lists.size() == region_leaves_.size();
        stops_ = used_up;                                           // stop after that agent
        const bool is_next = !p.visited || &waiting != p.must_tick; // by_state, the next agent can be another one
        if (is_next && may_be_listed && p.overflow_of(static_cast<std::uint32_t>(slot))) return true;
        *word &= *word - 1;
        if (!is_next) (*p.visited)[static_cast<std::size_t>(slot) / 64] |= bit_of(static_cast<std::uint32_t>(slot));
        throw;
    }
    return true;
}

/// Timed: there is a column of dues.
template <bool Timed> bool agent_slot::run_marked(page& p, const frame& f) {
    auto& must_tick = *p.must_tick;
    auto agents = run_from(p, f);
    for (auto w = p.next / 64; w < page_words; ++w) {
        while (must_tick[w] != 0) {
            const auto slot = w * 64 + static_cast<std::uint32_t>(std::countr_zero(must_tick[w]));
            must_tick[w] &= must_tick[w] - 1;
            p.next = slot + 1;
            const auto row = p.row(slot);
            if (may_update_only(p, slot, row, f))
                update_in_order<Timed>(p, slot, agents, f);
            else if (row < layout_.none())
                visit_in_order<Timed>(p, slot, row, f);
            if (stops_) return false;
        }
    }
    return true;
}

/// Returns whether the agent's turn is one update hook, which can run in a loop with those of others.
inline bool agent_slot::may_update_only(const page& p, std::uint32_t slot, std::uint32_t row, const frame& f) const {
    return plain_ && f.what != phase::decisions && is_update_only(p, slot, row);
}

inline bool agent_slot::is_update_only(const page& p, std::uint32_t slot, std::uint32_t row) const {
    return layout_.updates_only[row].many && !(p.bits(slot) & layout_.attention);
}

template <bool Timed> inline void agent_slot::visit_in_order(page& p, std::uint32_t slot, std::uint32_t row, const frame& f) {
    const auto what = phase_of(p, slot, f);
    const bool odd = p.bits(slot) & layout_.attention;
    if (what == phase::hooks && !layout_.updates[row] && !odd) return;
    if (what == phase::both && plain_ && !odd)
        tick_one<Timed>(p, slot, row, f);
    else
        run_one(p, slot, f, what);
}

/// Runs state by state. An agent that enters an already processed state runs in the next pass.
template <bool Timed> bool agent_slot::run_by_state(page& p, const frame& f) {
    for (;; p.turn_of = 0) {
        for (; p.turn_of < layout_.none(); ++p.turn_of) {
            if (!run_in_state<Timed>(p, p.turn_of, f)) return false;
            p.next = 0;
        }
        const auto active = p.agents_in_rows(0, layout_.none() - 1);
        bool some = false;
        for (std::uint32_t w = 0; w < page_words; ++w) some |= (active[w] & (*p.must_tick)[w]) != 0;
        if (!some) return true;
    }
}

/// Runs the agents in a state by index, including those that enter it before their index is reached.
template <bool Timed> bool agent_slot::run_in_state(page& p, index state, const frame& f) {
    const auto in_state = p.agents_in_rows(state, 0);
    p.marked = p.next > 0;
    const auto behind = [&](std::uint32_t w) {
        const auto there = p.marked ? p.agents_in_row(state, w) : in_state[w];
        return w == p.next / 64 ? there & ~std::uint64_t(0) << p.next % 64 : there;
    };
    const auto left = [&](std::uint32_t w) { return behind(w) & (*p.must_tick)[w]; };
    agents_of_run agents;
    for (auto w = p.next / 64; w * 64 < p.used; w = p.next / 64) {
        const auto first = left(w);
        const auto slot = w * 64 + static_cast<std::uint32_t>(std::countr_zero(first));
        p.set_visited(w, behind(w) & ((first & (~first + 1)) - 1)); // idle agents have had their turn when the loop passes them
        if (first == 0) {
            p.next = (w + 1) * 64;
        } else if (may_update_only(p, slot, state, f)) {
            auto run = run_from(p, f);
            run.at = slot;
            run.end = agents.find(p, layout_.attention, left);
            run.listed = agents.listed();
            p.among = &agents.among();
            update_run<Timed>(p, run, f, [&, update = layout_.updates_only[state]] { update.many(update.self, run); });
            agents.ended(p.next);
        } else {
            p.set_visited(w, bit_of(slot));
            p.next = slot + 1;
            visit_in_order<Timed>(p, slot, state, f);
        }
        if (stops_) return false;
    }
    return true;
}

agent_run agent_slot::run_from(const page& p, const frame& f) const { return {p.context(0), time_span::from_nanoseconds(f.elapsed), 0, 0}; }

/// Returns what an agent does in the tick: between the ticks in which it decides, it only updates.
agent_slot::phase agent_slot::phase_of(const page& p, std::uint32_t slot, const frame& f) const {
    if (f.what != phase::both || !p.has_rates()) return f.what;
    const auto rate = p.rate(slot);
    return rate <= 1 || (f.number + p.first + slot) % rate == 0 ? phase::both : phase::hooks;
}

void agent_slot::run_one(page& p, std::uint32_t slot, const frame& f, phase what) {
    const auto* const l = p.overflow_of(slot);
    const bool wants_no_attention = l && l->observed && l->is_plain(); // only its observers require it
    if (wants_no_attention && what == phase::both && p.is_idle(slot, f.later)) return;
    with_loaded(p, slot, f.now, f.later, [&] {
        switch (what) {
        case phase::both: p.fired |= calls::tick(engine_, f.elapsed) == result::taken; break;
        case phase::decisions: p.fired |= calls::decide(engine_) == result::taken; break;
        case phase::hooks: p.fired |= calls::update(engine_, f.elapsed) == result::taken; break;
        }
    });
}

/// Returns whether a transition ended the agent's part of the tick, and the leaf is all that must be stored.
bool agent_slot::is_complete(index before, std::uintptr_t code) const {
    if (code != static_cast<std::uintptr_t>(result::taken) || !layout_.decisions_only[before] || !layout_.decisions_only[engine_.leaf]) return false;
    if (engine_.work != 0 || (engine_.state & special_states)) return false;
    return last_section(core_, engine_.leaf)[-1].depth <= depth_of_fired(engine_);
}

template <bool Timed> void agent_slot::tick_one(page& p, std::uint32_t slot, std::uint32_t row, const frame& f) {
    const auto leaf = static_cast<index>(row);
    begin_turn(p, slot, leaf, f.later);
    engine_.section = core_.ticks[leaf]; // each section continues with the next
    if (p.scored && has_bit(scored_, slot)) [[unlikely]] {
        struct end_of_turn {
            hook_context& hooks;
            ~end_of_turn() { hooks.scorer = no_index; }
        } const at_the_end{*own_hook_context_};
        own_hook_context_->scorer = layout_.choosers[layout_.chooses[leaf] - 1u].state;
        own_hook_context_->scores = scores_of(0) + slot;
        finish_tick<Timed>(p, slot, leaf, core_.ticks[leaf], f);
        return;
    }
    finish_tick<Timed>(p, slot, leaf, core_.ticks[leaf], f);
}

/// Does what calls::tick does.
template <bool Timed> void agent_slot::finish_tick(page& p, std::uint32_t slot, index leaf, const op* from, const frame& f) {
    auto* const bits = column_ ? &conditions_of(engine_).bits : nullptr;
    if (layout_.options.lists) region_leaves_[0] = leaf;
    bool runs = true; // an exception of the program is not handled yet
    try {
        const auto code = hsm::detail::run(from, engine_);
        runs = false;
        if (code == code_next && engine_.work == 0 && !(engine_.state & special_states)) {
            if (bits) p.set_bits(slot, *bits & column_);
            if constexpr (Timed) store_due(); // a reaction can have started its next period
            return;
        }
        if (is_complete(leaf, code)) {
            p.fired = true;
            p.set_row(slot, engine_.leaf);
            if (bits) p.set_bits(slot, *bits & column_);
            if constexpr (Timed) store_due();
            if (layout_.options.lists) list();
            return;
        }
        if (code != code_next) p.fired |= continue_tick(engine_, core_, code) == result::taken;
    } catch (...) {
        if (runs) call_failed(engine_, core_);
        write_back(f.later);
        throw;
    }
    write_back(f.later);
}

/// Updates agents from `slot` on until the turn of one is more than an update hook, or a hook calls its own agent.
template <bool Timed> HSM_NOINLINE void agent_slot::update_in_order(page& p, std::uint32_t slot, agent_run& agents, const frame& f) {
    const auto w = slot / 64;
    auto& waiting = (*p.must_tick)[w];
    update_run<Timed>(p, agents, f, [&] {
        for (auto row = p.row(slot);;) {
            const auto only = static_cast<std::uint16_t>(slot);
            const bool more = p.are_alike(slot);
            const auto& update = layout_.updates_only[row];
            agents.at = slot;
            agents.end = more ? p.end_of_run(slot) : slot + 1;
            agents.listed = more ? nullptr : &only;
            update.many(update.self, agents);
            if (more) clear_up_to(*p.must_tick, slot, static_cast<std::uint32_t>(agents.at + agents.interrupted));
            if (agents.interrupted || waiting == 0) return;
            slot = w * 64 + static_cast<std::uint32_t>(std::countr_zero(waiting));
            row = p.row(slot);
            if (!is_update_only(p, slot, row)) return;
            waiting &= waiting - 1; // p.next follows when a hook looks up an agent: see `holds`
        }
    });
}

/// Runs a loop that updates agents. The rest of the last agent's turn follows if its hook called its own agent.
template <bool Timed, class Loop> inline void agent_slot::update_run(page& p, agent_run& agents, const frame& f, Loop loop) {
    const auto first = static_cast<std::uint32_t>(agents.at);
    updating_ = true;
    slot_ = page_agents; // none is loaded, unless a hook calls its own agent
    p.run = &agents;
    try {
        loop();
    } catch (...) {
        if (!agents.interrupted) load_interrupted();
        end_run(p, first, agents.at + 1);
        call_failed(engine_, core_);
        if (layout_.options.lists) region_leaves_[0] = static_cast<index>(p.row(slot_));
        write_back(f.later);
        throw;
    }
    end_run(p, first, agents.at + agents.interrupted);
    if (!std::exchange(agents.interrupted, 0)) return;
    const auto row = p.row(slot_);
    finish_tick<Timed>(p, slot_, static_cast<index>(row), next(layout_.updates_only[row].at), f);
}

void agent_slot::end_run(page& p, std::uint32_t first, std::size_t end) {
    p.run = nullptr;
    updating_ = false;
    p.next = static_cast<std::uint32_t>(end);
    if (!p.among) return;
    const auto last = (p.next - 1) / 64; // p.next is after at least one agent
    for (auto w = first / 64; w < last; ++w) p.set_visited(w, (*p.among)[w]);
    p.set_visited(last, (*p.among)[last] & (~std::uint64_t(0) >> (63 - (p.next - 1) % 64)));
    p.among = nullptr;
}

/// Loads the agent whose update hook runs.
void agent_slot::load_interrupted() {
    page_->run->interrupted = 1;
    const auto slot = static_cast<std::uint32_t>(page_->run->at);
    const auto row = page_->row(slot);
    const auto& update = layout_.updates_only[row];
    begin_turn(*page_, slot, static_cast<index>(row), later_);
    engine_.section = update.section;
    engine_.at = update.at;
    page_->next = slot + 1;
    if (!own_hook_context_) return;
    auto& now = *own_hook_context_; // as ops::updating leaves it
    now.cause = {};
    now.entered = reason::none;
    now.state = update.state;
    now.elapsed = now.tick_elapsed;
    now.next = {};
}

} // namespace hsm::detail
