// Gives an event to the agents of a page. For most agents, which have no remaining work between events, this runs one program and stores only
// what it has changed.

#include <hsm/crowd/detail/agent_slot.hpp>
#include <hsm/op/detail/compiler.hpp>
#include <hsm/run/detail/engine.hpp>
#include <hsm/vm/detail/condition_bits.hpp>

#include <bit>

namespace hsm::detail {

/// Stores an agent that fits into the columns and its block. `bits` are its conditions before the event.
template <class Row> HSM_ALWAYS_INLINE inline void agent_slot::write_plain(page& p, std::uint32_t slot, index before, std::uint64_t bits) {
    const auto& m = engine_;
    if (m.shallowest_change != no_index) stamp_entries();
    if (column_ && conditions_of(m).bits != bits) p.set_bits(slot, conditions_of(m).bits & column_);
    if (layout_.has_dues) store_due();
    if (m.leaf == before) return;
    p.rows_as<Row>()[slot] = static_cast<Row>(m.leaf);
    if (layout_.options.lists) list();
}

/// Does what engine::handle does. Bare: agents consist only of their row and context.
template <class Row, bool Bare> HSM_ALWAYS_INLINE inline void agent_slot::give_plain(page& p, std::uint32_t slot, index leaf, event_round& r) {
    const auto* const first = layout_.programs[leaf][r.what.column];
    if (!first) return r.what.add(result::unhandled);
    begin_turn<Bare>(p, slot, leaf, r.now);
    assert_lives(engine_, r.what.event);
    engine_.payload = r.what.event.object;
    if (!Bare && layout_.options.lists) region_leaves_[0] = leaf;
    const auto bits = !Bare && column_ ? conditions_of(engine_).bits : 0;
    bool runs = true; // an exception of the program is not handled yet
    try {
        auto outcome = static_cast<result>(hsm::detail::run(first, engine_));
        runs = false;
        const bool is_plain = engine_.work == 0 && !(engine_.state & special_states);
        if (engine_.work != 0) outcome = complete_handling(engine_, outcome);
        r.what.add(outcome);
        if (Bare && is_plain) return static_cast<void>(p.rows_as<Row>()[slot] = static_cast<Row>(engine_.leaf));
        if (is_plain) return write_plain<Row>(p, slot, leaf, bits);
    } catch (...) {
        if (runs) call_failed(engine_, core_);
        write_back(r.now);
        throw;
    }
    write_back(r.now);
}

/// Handles all cases: the agent may have changed meanwhile.
void agent_slot::give_to(page& p, std::uint32_t slot, event_round& r) {
    const auto row = p.row(slot);
    if (row == layout_.none()) return; // removed meanwhile
    if (row > layout_.none()) return r.what.add(result::inactive);
    const bool newcomer = p.newcomers && has_bit(*p.newcomers, slot);
    const auto now = newcomer ? r.later : r.now;
    with_loaded(p, slot, now, now, [&] { r.what.add(r.what.is_posted ? post(r.what.event) : process(r.what.event)); });
}

/// Returns false if the loop stops early.
template <class Row, bool Bare> bool agent_slot::give_each(page& p, event_round& r) {
    const bool plain = layout_.plain_events && !r.what.is_posted;
    const auto none = layout_.none();
    for (auto w = r.next / 64; w < page_words; ++w) {
        while (r.look[w] != 0) {
            const auto slot = w * 64 + static_cast<std::uint32_t>(std::countr_zero(r.look[w]));
            r.look[w] &= r.look[w] - 1;
            r.next = slot + 1;
            const std::uint32_t row = p.rows_as<Row>()[slot];
            const bool odd = p.newcomers || ((p.has_overflow() || p.arriving) && (p.bits(slot) & layout_.attention));
            if (plain && !odd && row < none)
                give_plain<Row, Bare>(p, slot, static_cast<index>(row), r);
            else
                give_to(p, slot, r);
            if (stops_) return false;
        }
        r.next = (w + 1) * 64;
    }
    return true;
}

bool agent_slot::give(page& p, event_round& r) {
    const bool bare = layout_.block_size == 0 && !layout_.has_dues && !layout_.options.lists && !own_hook_context_ && column_ == 0;
    return set_visited(p, r.look, [&] {
        if (layout_.row_size != 1) return give_each<std::uint16_t, false>(p, r);
        return bare ? give_each<std::uint8_t, true>(p, r) : give_each<std::uint8_t, false>(p, r);
    });
}

} // namespace hsm::detail
