// What happens in which order: a tick's steps, and what follows a transition or an update. One transition, put together
// from parts, where no program was made for it.

#include <hsm/compile/block.hpp>
#include <hsm/compile/lookup.hpp>
#include <hsm/run/engine_parts.hpp>
#include <hsm/run/error.hpp>
#include <hsm/run/event_queue.hpp>

#include <algorithm>
#include <string>

namespace hsm {

/// Counts what follows from what, and knows the cycle when it does not end.
struct engine::chain {
    const engine& self;
    std::uint32_t links = 0;
    static constexpr std::uint32_t length = 32;
    index trail[length] = {}; ///< the leaf before each of the last links

    /// Before each link.
    void link() {
        if (links == self.chain_limit())
            throw chain_error({code::chain, self.core().root->path(),
                               "after " + std::to_string(links) + " transitions in a row there is no end: " + cycle(),
                               "guard one of them, or raise chain_limit if the chain is meant to be this long"});
        trail[links++ % length] = self.leaf;
    }

    index back(std::uint32_t i) const { return trail[(links - i) % length]; }

    /// The shortest sequence that the end of the trail repeats.
    std::string cycle() const {
        const auto known = std::min(links, length);
        const auto repeats = [&](std::uint32_t period) {
            for (std::uint32_t i = 1; i <= period; ++i)
                if (back(i) != back(i + period)) return false;
            return true;
        };
        std::uint32_t period = 1;
        while (2 * period <= known && !repeats(period)) ++period;
        if (2 * period > known) period = std::min<std::uint32_t>(known, 8);
        std::string text;
        for (auto i = period; i > 0; --i) text += self.core().states[back(i)].node->path() + " -> ";
        return text + (self.leaf == no_index ? "none" : self.core().states[self.leaf].node->path());
    }
};

namespace {
/// Does `b` come after `a` in a tick? An update's own level decides after it; after a decision come the levels below.
bool comes_after(const tick_step& a, const tick_step& b) {
    return b.depth > a.depth || (b.depth == a.depth && a.kind == tick_step::update && b.kind != tick_step::update);
}
} // namespace

/// The leaf's steps, as long as nothing happens. When something did, it goes on behind that step with those of the new
/// leaf, unless the state whose step it was has been left.
void engine::walk(phase what) {
    stamp(); // what was left before this walk does not count for it
    if (work && core().states[0].update_program == 0) { // left over from before, and no update of the root to settle it after
        settle();
        if (over() || kept == 0) return;
        stamp();
    }
    const auto* step = first_step(leaf);
    const auto* last = step + core().states[leaf].tick.count;
    while (step != last) {
        const auto now_at = *step++;
        if (now_at.kind == tick_step::update ? what == phase::decisions : what == phase::hooks) continue;
        const auto code = now_at.kind == tick_step::retry_entry ? retry_entry(now_at.at) : run(core().at(now_at.at), *this);
        if (code == code_next) continue;
        at = &at_work;
        if (code == static_cast<std::uintptr_t>(result::taken)) keep(stayed);
        if (now_at.kind == tick_step::update) after_update(now_at.depth);
        else state |= state_fired;
        settle();
        if (over() || kept <= now_at.depth) return;
        stamp();
        step = first_step(leaf);
        last = step + core().states[leaf].tick.count;
        while (step != last && !comes_after(now_at, *step)) ++step;
    }
}

const tick_step* engine::first_step(index of) const {
    return core().steps.data() + core().states[of].tick.first;
}

/// An update may have named the state to go to next.
void engine::after_update(int depth) {
    if ((work & work_stop) || !core().has_moment || !moment().next) return;
    auto s = leaf;
    while (core().states[s].depth > depth) s = core().states[s].superstate;
    target_spec target;
    target.node = moment().next.node;
    target.id = moment().next.id;
    request(s, require(target, s), reason::request);
}

/// A machine at rest makes its entry choice anew. code_next: it still rests.
std::uintptr_t engine::retry_entry(std::uint32_t entry_program) {
    const auto resting = leaf;
    if (core().has_moment) {
        const auto* const node = core().states[resting].node;
        set_cause({reason::entry, nullptr, node, nullptr, node}, resting);
        moment().retry = true;
    }
    struct retrying {
        engine& self;
        ~retrying() {
            if (self.core().has_moment) self.moment().retry = false;
        }
    } const until_done{*this};
    keep(core().states[resting].depth + 1);
    run_part(entry_program);
    return leaf == resting ? code_next : code_interrupted;
}

/// Transient states, completion, internal events, until there is nothing left.
void engine::settle() {
    chain links{.self = *this};
    while (work) {
        if (work & work_stop) return stop_now();
        if (over()) return;
        if (work & work_transient) {
            work = static_cast<std::uint8_t>(work & ~work_transient);
            if (const auto* t = choose_transient()) {
                links.link();
                fire(*t, reason::poll);
            }
        } else if (work & work_completion) {
            if (const auto* t = take_completion()) {
                links.link();
                fire(*t, reason::completion);
            } else {
                work = static_cast<std::uint8_t>(work & ~work_completion);
            }
        } else {
            links.link();
            handle_queued(*internal_queue());
            if (work & work_stop) continue;
            if (leaf != no_index && internal_queue()->size() == 0) work = static_cast<std::uint8_t>(work & ~work_internal);
        }
    }
}

/// After a program that left something to settle.
void engine::settle_after() {
    exclusively([&] {
        settle();
        return result::taken;
    });
}

/// Those that were there before; what hooks post meanwhile waits for the next time.
void engine::handle_posted() {
    auto* const queue = posted_queue();
    for (auto n = queue ? queue->size() : 0; n > 0 && !over(); --n) {
        handle_queued(*queue);
        if (work) settle();
    }
}

/// The oldest entry of the queue; it is consumed even if a hook throws.
result engine::handle_queued(event_queue& queue) {
    struct consumed {
        event_queue& queue;
        ~consumed() { queue.done(); }
    };
    const auto& entry = queue.take();
    const consumed whatever_happens{queue};
    if (!entry.type) {
        request(leaf, entry.target, reason::request);
        return result::taken;
    }
    payload = queue.payload();
    const auto code = run_part(core().program_for(leaf, core().event_columns[entry.event]));
    if (code == static_cast<std::uintptr_t>(result::taken)) state |= state_fired;
    return static_cast<result>(code);
}

/// All exit, also when one of them throws; the first exception goes on.
void engine::stop_now() {
    work = 0;
    set_cause({reason::stop, nullptr, nullptr, nullptr, leaf == no_index ? nullptr : core().states[leaf].node}, no_index);
    std::exception_ptr first;
    while (leaf != no_index) {
        try {
            run_part(core().states[leaf].exit_program);
            leaf = core().states[leaf].superstate;
        } catch (...) {
            if (!first) first = std::current_exception();
            recover();
        }
    }
    if (auto* const queue = internal_queue()) {
        queue->clear();
        posted_queue()->clear();
    }
    work = 0;
    kept = 0;
    if (first) std::rethrow_exception(first);
}

bool engine::holds(const transition_row& t) {
    return t.guard_program == 0 || run(core().at(t.guard_program), *this) == static_cast<std::uintptr_t>(result::taken);
}

/// The first of a transient state's polled transitions that is enabled; a satisfied one bars the later ones of its level.
const transition_row* engine::choose_polled(index source) {
    constexpr index nothing = 0xfffe;
    index satisfied[2] = {nothing, nothing}; // a state's own level and, for external ones, that above it
    const auto& span = core().states[source].polled;
    for (auto i = span.first; i < span.first + span.count; ++i) {
        const auto& t = core().transitions[i];
        if (t.level == satisfied[0] || t.level == satisfied[1]) continue;
        if (t.on_finished && (!is_over(*this, core(), source) || due_of(*this, core())[source])) continue;
        if (!holds(t)) continue;
        if (!t.any_state || !core().contains(t.target, leaf)) return &t;
        satisfied[satisfied[0] == nothing ? 0 : 1] = t.level;
    }
    return nullptr;
}

/// Among the transient states that the last transition entered.
const transition_row* engine::choose_transient() {
    const auto level = moment().fresh;
    const int outside = level == no_index ? -1 : core().states[level].depth;
    const transition_row* chosen = nullptr;
    deciders([&](index s) {
        if (core().states[s].transient && core().states[s].depth > outside) chosen = choose_polled(s);
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
        const auto& span = core().states[s].polled;
        for (auto i = span.first; i < span.first + span.count && !chosen; ++i)
            if (core().transitions[i].on_finished && holds(core().transitions[i])) chosen = &core().transitions[i];
        return chosen != nullptr;
    });
    return chosen;
}

/// A program that is a part of a larger whole. Afterwards no hook runs.
std::uintptr_t engine::run_part(std::uint32_t part) {
    if (part == 0) return static_cast<std::uintptr_t>(result::unhandled);
    const auto code = run(core().at(part), *this);
    if (code == static_cast<std::uintptr_t>(result::taken)) keep(stayed);
    at = &at_work;
    return code;
}

void engine::set_cause(const hsm::cause& c, index level) {
    if (!core().has_moment) return;
    auto& m = moment();
    m.cause = c;
    m.elapsed = 0;
    m.level = m.fresh = level;
}

void engine::fire(const transition_row& t, reason why) {
    const auto* const target = t.target == no_index ? nullptr : core().states[t.target].node;
    set_cause({why, nullptr, core().states[t.source].node, target, core().states[leaf].node}, t.level);
    transit(t.level, t.target, t.action_program);
}

/// A transition that no definition names: by the rules of one without `.external()`.
void engine::request(index source, index target, reason why) {
    const auto level = level_between(core().states, source, target, false);
    set_cause({why, nullptr, core().states[source].node, core().states[target].node, core().states[leaf].node}, level);
    transit(level, target, 0);
}

void engine::transit(index level, index target, std::uint32_t action) {
    const auto& states = core().states;
    work = static_cast<std::uint8_t>(work & ~work_transient);
    while (leaf != level) {
        run_part(states[leaf].exit_program);
        leaf = states[leaf].superstate;
    }
    keep(level == no_index ? 0 : states[level].depth + 1);
    run_part(action);
    while (leaf != target) {
        const auto next = leaf == no_index ? index(0) : core().toward(leaf, target);
        run_part(states[next].enter_program);
        leaf = next;
    }
    if (states[target].entry_program)
        run_part(states[target].entry_program);
    else if (core().has_changes)
        tell_change(*this);
    at = &at_work;
    state |= state_fired;
}

} // namespace hsm
