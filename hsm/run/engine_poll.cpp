// Which transition a state has to offer: one that is polled, always tried, or tried because the state is over.

#include <hsm/compile/block.hpp>
#include <hsm/compile/holding.hpp>
#include <hsm/run/engine_parts.hpp>

#include <algorithm>

namespace hsm {

bool engine::enabled(const transition_row& t) {
    return t.guard_program == 0 || run(core().at(t.guard_program), *this) == static_cast<std::uintptr_t>(result::taken);
}

/// Does a state hold what would fire? Then it waits, if that is possible.
bool engine::must_wait(const transition_row& t) {
    if (!core().has_holds || t.force) return false;
    const auto holder = holder_of(*this, core(), t.level, t.target);
    if (holder != no_index) wait(*this, core(), static_cast<std::uint32_t>(&t - core().transitions.data()), holder);
    return holder != no_index;
}

namespace {
/// At most two levels: of a source's transitions to own substates, its own and, for external ones, that above it.
class satisfied_levels {
public:
    bool operator[](index level) const { return level == levels_[0] || level == levels_[1]; }
    void add(index level) { levels_[levels_[0] == nothing ? 0 : 1] = level; }

private:
    static constexpr index nothing = 0xfffe;
    index levels_[2] = {nothing, nothing};
};

/// Levels at which a transition of the source in question has to wait.
class blocked_levels {
public:
    blocked_levels(machine& m, const chart_core& core) : core_(core), bits_(m.block + core.layout.blocked) {
        if (core.has_holds)
            for (std::size_t i = 0; i < slot_count(core); ++i) bits_.clear(static_cast<index>(i));
    }
    bool operator[](index level) const { return core_.has_holds && bits_[static_cast<index>(slot_of(core_, level))]; }
    void add(index level) { bits_.set(static_cast<index>(slot_of(core_, level))); }

private:
    const chart_core& core_;
    mark_bits bits_;
};
} // namespace

/// The first of a state's polled transitions that is enabled; a satisfied one bars the later ones of its level, and so does one
/// that has to wait, unless they are forced. After others: so does one of another source, in the same tick.
const transition_row* engine::choose_polled(index source, bool always_only, bool after_others) {
    satisfied_levels satisfied;
    blocked_levels blocked(*this, core());
    const auto& span = core().states[source].polled;
    for (auto i = span.first; i < span.first + span.count; ++i) {
        const auto& t = core().transitions[i];
        if (always_only && !t.always) continue;
        if (satisfied[t.level] || (blocked[t.level] && !t.force)) continue;
        if (after_others && core().has_holds && !t.force && waiting_at(*this, core(), slot_of(core(), t.level)).transition) continue;
        if (t.on_finished && (!is_marked_over(*this, core(), source) || due_of(*this, core())[source])) continue;
        if (!enabled(t)) continue;
        if (t.any_state && reached(t))
            satisfied.add(t.level);
        else if (must_wait(t))
            blocked.add(t.level);
        else
            return &t;
    }
    return nullptr;
}

/// Are all of its targets active?
bool engine::reached(const transition_row& t) const {
    if (!core().driven) return core().contains(t.goal, leaf);
    const auto& targets = core().targets_of(t);
    return std::ranges::all_of(targets, [&](index target) { return is_active(*this, core(), core().machine_of(target)); });
}

/// Among the transient states that the last transition entered.
const transition_row* engine::choose_transient() {
    const auto level = moment().fresh;
    const int outside = level == no_index ? -1 : core().states[level].depth;
    const transition_row* chosen = nullptr;
    deciders([&](index s) {
        if (core().states[s].transient && core().states[s].depth > outside) chosen = choose_polled(s, false);
        return chosen != nullptr;
    });
    return chosen;
}

const transition_row* engine::choose_always() {
    const transition_row* chosen = nullptr;
    deciders([&](index s) {
        chosen = choose_polled(s, true);
        return chosen != nullptr;
    });
    return chosen;
}

/// Among the states that have been marked as over and not been asked since; asking is done once per mark.
const transition_row* engine::take_completion() {
    if (!core().has_marks) return nullptr;
    const transition_row* chosen = nullptr;
    deciders([&](index s) {
        if (s == 0 || !core().states[s].marked || !due_of(*this, core())[s]) return false;
        due_of(*this, core()).clear(s);
        blocked_levels blocked(*this, core());
        const auto& span = core().states[s].polled;
        for (auto i = span.first; i < span.first + span.count && !chosen; ++i) {
            const auto& t = core().transitions[i];
            if (!t.on_finished || (blocked[t.level] && !t.force) || !enabled(t)) continue;
            if (must_wait(t))
                blocked.add(t.level);
            else
                chosen = &t;
        }
        return chosen != nullptr;
    });
    return chosen;
}

} // namespace hsm
