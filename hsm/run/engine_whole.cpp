// The whole life of an instance: initialized once, started and stopped any number of times, destroyed; and what moves it
// without hooks, for tests and cheats.

#include <hsm/compile/block.hpp>
#include <hsm/compile/deferral.hpp>
#include <hsm/compile/holding.hpp>
#include <hsm/run/engine_parts.hpp>
#include <hsm/run/error.hpp>
#include <hsm/run/event_queue.hpp>

#include <cstring>
#include <exception>

namespace hsm {

/// Superstates first. What was initialized before one that throws is destroyed again.
void engine::initialize() {
    if (state & state_ready) return;
    set_cause({reason::start, nullptr, nullptr, nullptr, nullptr}, no_index);
    index s = 0;
    try {
        for (; s < core().states.size(); ++s) run_part(core().states[s].init_program);
    } catch (...) {
        set_cause({reason::stop, nullptr, nullptr, nullptr, nullptr}, no_index);
        while (s-- > 0) {
            try {
                run_part(core().states[s].destroy_program);
            } catch (...) { // the first exception is the one that is told
            }
        }
        throw;
    }
    state |= state_ready;
}

/// Why: start or restart.
void engine::begin(reason why, index target) {
    initialize();
    if (core().driven) {
        *plan_of(*this, core()) = {nullptr, no_index, target, no_index, no_index, why};
        carry_out(1);
    } else {
        set_cause({why, nullptr, nullptr, core().states[target].node, nullptr}, no_index);
        transit(no_index, target, nullptr);
    }
    if (core().has_defers) deferral_of(*this, core()).recall = false; // there is no state yet that has kept something for a later one
    settle();
}

result engine::restart() {
    if (busy()) return result::busy;
    return exclusively([&] {
        if (leaf != no_index) stop_now();
        begin(reason::restart);
        return result::taken;
    });
}

/// All run, also when one of them throws; the first exception goes on.
result engine::destroy() {
    if (busy()) return result::busy;
    if (leaf == no_index && !(state & state_ready)) return result::inactive;
    return exclusively([&] {
        std::exception_ptr first;
        const auto all_the_same = [&](auto step) {
            try {
                step();
            } catch (...) {
                if (!first) first = std::current_exception();
            }
        };
        if (leaf != no_index) all_the_same([&] { stop_now(); });
        set_cause({reason::stop, nullptr, nullptr, nullptr, nullptr}, no_index);
        const bool initialized = state & state_ready;
        state = static_cast<std::uint8_t>(state & ~state_ready);
        if (initialized)
            for (auto s = core().states.size(); s-- > 0;) all_the_same([&] { run_part(core().states[s].destroy_program); });
        if (first) std::rethrow_exception(first);
        return result::taken;
    });
}

result engine::reset() {
    if (busy()) return result::busy;
    return exclusively([&] {
        leave_quietly(no_index);
        forget_all();
        return result::taken;
    });
}

/// As it was when it was made, but for its clock's scale, and for having been initialized.
void engine::forget_all() {
    forget_pending(*this, core());
    forget_fresh(*this, core());
    if (!core().conditions.empty()) condition_bits(*this, core()).clear();
    drop_events();
    work = 0;
    now = 0;
    kept = 0;
    for (std::size_t i = 0; i < core().remembering.size(); ++i) record_of(*this, core(), i) = 0;
}

void engine::leave_quietly(index level) {
    if (core().driven) return leave_regions_quietly(level);
    while (leaf != level) {
        discard(leaf);
        leaf = core().states[leaf].superstate;
    }
    keep(level == no_index ? 0 : core().states[level].depth + 1);
}

result engine::set_state(const state_key& key) {
    if (busy()) return result::busy;
    const auto target = require(target_spec(key), leaf == no_index ? 0 : leaf);
    const auto kind = core().states[target].kind;
    if (kind == state_kind::choice || kind == state_kind::history)
        throw state_error({code::not_in_chart, core().root->path(),
                           '"' + core().states[target].node->path() + "\" is never active", "name a state"});
    return exclusively([&] {
        work = static_cast<std::uint8_t>(work & ~(work_transient | work_always)); // nothing follows from it
        clear_mark(*this, core(), 0);
        if (core().driven)
            enter_regions_quietly(target);
        else
            enter_path_quietly(target);
        if (kind == state_kind::final) mark_over(*this, core(), core().states[target].superstate);
        return result::taken;
    });
}

void engine::enter_path_quietly(index target) {
    auto stays = leaf;
    while (stays != no_index && !core().contains(stays, target)) stays = core().states[stays].superstate;
    leave_quietly(stays);
    while (leaf != target) {
        const auto next = leaf == no_index ? index(0) : core().toward(leaf, target);
        enter_quietly(next);
        leaf = next;
    }
}

/// A state that is left without hooks takes with it what it has, and a final one the mark that it gave its machine.
void engine::discard(index s) {
    destroy_locals(*this, core(), s, core().states[s].locals.count);
    clear_mark(*this, core(), s);
    if (core().states[s].kind == state_kind::final) take_mark(core().states[s].superstate);
    let_go(*this, core(), s);
}

/// A parallel was over because its regions were.
void engine::take_mark(index s) {
    clear_mark(*this, core(), s);
    const auto outer = core().states[s].superstate;
    if (outer != no_index && core().states[outer].kind == state_kind::parallel) take_mark(outer);
}

/// Everything below that level.
void engine::leave_regions_quietly(index level) {
    const int outermost = level == no_index ? 0 : level + 1;
    for (int i = core().states[level == no_index ? 0 : level].last; i >= outermost; --i) {
        const auto s = static_cast<index>(i);
        if (!is_active(*this, core(), s)) continue;
        discard(s);
        exited(s);
    }
    list_regions(*this, core());
    regions_left(level);
}

/// The way to that state, and of each parallel on it the outermost states of its other regions.
void engine::enter_regions_quietly(index target) {
    auto stays = target;
    while (stays != no_index && !is_active(*this, core(), stays)) stays = core().states[stays].superstate;
    leave_regions_quietly(stays);
    const auto enter = [&](auto& self, index s) -> void {
        enter_quietly(s);
        set_tip(*this, core(), core().states[s].region, s);
        if (core().states[s].kind == state_kind::parallel) each_region(s, [&](index region) { self(self, region); });
        const bool on_the_way = s != target && core().contains(s, target) && core().states[s].kind == state_kind::machine;
        if (on_the_way) self(self, core().toward(s, target));
    };
    try {
        if (stays == no_index)
            enter(enter, 0);
        else if (core().states[stays].kind == state_kind::parallel)
            each_region(stays, [&](index region) { enter(enter, region); });
        else if (stays != target)
            enter(enter, core().toward(stays, target));
    } catch (...) { // no parallel is left with some of its regions only
        deciders_inwards([&](index s) {
            bool whole = true;
            each_region(s, [&](index region) { whole &= is_active(*this, core(), region); });
            if (whole) return false;
            while (core().states[s].kind == state_kind::parallel) s = core().states[s].superstate;
            leave_regions_quietly(s);
            return true;
        });
        list_regions(*this, core());
        throw;
    }
    list_regions(*this, core());
}

/// If a local cannot be copied, or a delay not be found, the state has not been entered.
void engine::enter_quietly(index s) {
    const auto& entered = core().states[s];
    if (core().has_over) led_of(*this, core()).slots()[entered.time_slot] = 0;
    std::uint32_t built = 0;
    try {
        for (; built < entered.locals.count; ++built) {
            const auto& local = core().locals[entered.locals.first + built];
            local.prototype->type().copy(block + core().layout.locals + local.offset, local.prototype->object());
        }
    } catch (...) {
        destroy_locals(*this, core(), s, built);
        throw;
    }
    set_cause({reason::request, nullptr, nullptr, entered.node, nullptr}, leaf);
    run_part(entered.timers_program);
    if (core().driven && core().options.entry_times) times()[entered.time_slot] = now;
    if (entered.kind == state_kind::final && core().states[entered.superstate].marked) mark_over(*this, core(), entered.superstate);
}

} // namespace hsm
