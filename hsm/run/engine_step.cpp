// A tick, step by step; one transition, put together from parts, where no program was made for it; the end of it all.

#include <hsm/compile/block.hpp>
#include <hsm/compile/holding.hpp>
#include <hsm/define/lookup.hpp>
#include <hsm/run/engine_parts.hpp>

namespace hsm {

namespace {
/// Does `b` come after `a` in a tick? An update's own level decides after it; after a decision come the levels below.
bool comes_after(const tick_step& a, const tick_step& b) {
    return flatten::step_comes_after(a.depth, a.kind == tick_step::update, b.depth, b.kind == tick_step::update);
}
} // namespace

/// The leaf's steps, as long as nothing happens. When something did, it goes on behind that step with those of the new
/// leaf, unless the state whose step it was has been left.
void engine::walk(phase what) {
    if (core().driven) return drive(what);
    stamp(); // what was left before this walk does not count for it
    if (work && !core().states[0].updates && !core().has_holds) { // left over from before, and no update of the root to settle it after
        settle();
        if (over() || kept == 0) return;
        stamp();
    }
    walk_on(what, nullptr, 0);
}

/// Goes on behind a section of the leaf's tick that ended with that code; null: with the first.
void engine::walk_on(phase what, const tick_step* done, std::uintptr_t code) {
    while (true) {
        const auto* step = done ? done + 1 : first_step(leaf);
        if (done && code != code_section) {
            if (!settle_step(what, *done, code)) return;
            step = first_step(leaf);
            while (step != last_step(leaf) && !comes_after(*done, *step)) ++step;
        }
        done = run_steps(what, step, code);
        if (!done) return;
    }
}

/// What follows from a section that found something to do. False if the tick ends there: what it was about has been left.
bool engine::settle_step(phase what, const tick_step& done, std::uintptr_t code) {
    at = at_work();
    if (code == static_cast<std::uintptr_t>(result::taken)) keep(stayed);
    const bool updated = done.kind == tick_step::update;
    const auto s = updated ? at_depth(done.depth) : no_index;
    if (core().has_holds) holding_of(*this, core()).updated = s;
    if (!updated)
        state |= state_fired;
    else if (done.at != 0)
        after_update(s);
    settle();
    if (updated) {
        try_pending();
        if (what != phase::decisions) try_waiting(s);
    }
    if (over() || kept <= done.depth) return false;
    stamp();
    return true;
}

/// Runs sections of the leaf's tick until one of them finds something to do; null: none does.
const tick_step* engine::run_steps(phase what, const tick_step* step, std::uintptr_t& code) {
    const auto* const last = last_step(leaf);
    while (step != last) {
        const bool excluded = step->kind == tick_step::update ? what == phase::decisions : what == phase::hooks;
        const bool something_waits = work & (work_pending | work_waiting);
        if (excluded) {
            ++step;
        } else if (step->at == 0) { // an update without hooks
            code = code_interrupted;
            if (work) return step;
            ++step;
        } else if (what == phase::both && !something_waits) {
            code = run(core().at(step->at), *this);
            if (code == code_next) return nullptr;
            step = section_begun();
            if (!is_over_with(code)) return step;
            ++step;
        } else {
            if (step->kind == tick_step::decide) nothing_waits(step->depth);
            work |= work_by_section;
            code = run(core().at(step->at) + 1, *this);
            work = static_cast<std::uint8_t>(work & ~work_by_section);
            if (!is_over_with(code)) return step;
            ++step;
        }
    }
    return nullptr;
}

/// Did a section end without anything to do? A machine at rest is asked here.
bool engine::is_over_with(std::uintptr_t& code) {
    if (code == code_retry) code = retry_entry(core().states[leaf].anew_program);
    return code == code_next || code == code_section;
}

/// The one that was begun last.
const tick_step* engine::section_begun() const {
    return core().steps.data() + static_cast<const op*>(payload)->number;
}

/// The active state that deep.
index engine::at_depth(int depth) const {
    auto s = leaf;
    while (core().states[s].depth > depth) s = core().states[s].superstate;
    return s;
}

/// An update may have named the state to go to next.
void engine::after_update(index s) {
    if ((work & work_stop) || !core().has_moment || !moment().next) return;
    target_spec target;
    target.node = moment().next.node;
    target.id = moment().next.id;
    request(s, require(target, s), false);
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
    lead(0);
    run_part(entry_program);
    if (leaf == resting) return code_next;
    if (core().has_always) work |= work_always;
    offer_deferred();
    return code_interrupted;
}

/// All exit, also when one of them throws; the first exception goes on.
void engine::stop_now() {
    forget_pending(*this, core());
    forget_waiting(*this, core());
    forget_fresh(*this, core());
    work = 0;
    set_cause({reason::stop, nullptr, nullptr, nullptr, leaf == no_index ? nullptr : core().states[leaf].node}, no_index);
    record_exits(*this, core(), no_index);
    std::exception_ptr first;
    if (core().driven) exit_all_below(no_index, first);
    while (leaf != no_index) {
        try {
            run_part(core().states[leaf].exit_program);
            leaf = core().states[leaf].superstate;
        } catch (...) {
            if (!first) first = std::current_exception();
            recover();
        }
    }
    drop_events();
    work = 0;
    kept = 0;
    if (first) std::rethrow_exception(first);
}

/// A program that is a part of a larger whole. Afterwards no hook runs.
std::uintptr_t engine::run_part(std::uint32_t part) {
    if (part == 0) return static_cast<std::uintptr_t>(result::unhandled);
    const auto code = run(core().at(part), *this);
    if (code == static_cast<std::uintptr_t>(result::taken)) keep(stayed);
    at = at_work();
    return code;
}

void engine::set_cause(const hsm::cause& c, index level) {
    if (!core().has_moment) return;
    auto& m = moment();
    m.cause = c;
    m.entered = reason::none;
    m.elapsed = 0;
    m.level = level;
}

void engine::fire(const transition_row& t, reason why) {
    if (core().driven) {
        *plan_of(*this, core()) = plan(t, why);
        return carry_out(1);
    }
    const auto* const target = t.target == no_index ? nullptr : core().states[t.target].node;
    const bool known = t.event != no_index;
    set_cause({why, known ? &core().event_refs[t.event] : nullptr, core().states[t.source].node, target, core().states[leaf].node, t.spec}, t.level);
    if (!known && t.timer != no_timer) due_at(*this, core(), t.timer) = never;
    transit(t.level, t.target, &t);
}

/// A transition that no definition names: by the rules of one without `.external()`.
result engine::request(index source, index target, bool force) {
    const auto level = level_between(core().states, source, target, false);
    if (core().has_holds && !force && holder_of(*this, core(), level, target) != no_index)
        return pend_request(*this, core(), source, target, level);
    if (core().driven) {
        *plan_of(*this, core()) = {nullptr, source, target, level, no_index, reason::request};
        carry_out(1);
        return result::taken;
    }
    set_cause({reason::request, nullptr, core().states[source].node, core().states[target].node, core().states[leaf].node}, level);
    transit(level, target, nullptr);
    return result::taken;
}

/// `t`: null for what no definition names.
void engine::transit(index level, index target, const transition_row* t) {
    const auto& states = core().states;
    const auto goal = core().machine_of(target);
    if (core().has_always) work |= work_always;
    offer_deferred();
    lead(core().number_of(t));
    record_exits(*this, core(), level);
    while (leaf != level) {
        run_part(states[leaf].exit_program);
        leaf = states[leaf].superstate;
    }
    keep(level == no_index ? 0 : states[level].depth + 1);
    if (t && t->needs_over) take_back(*this, core());
    if (t) run_part(t->action_program);
    while (leaf != goal) {
        const auto next = leaf == no_index ? index(0) : core().toward(leaf, goal);
        run_part(states[next].enter_program);
        leaf = next;
    }
    if (states[target].entry_program)
        run_part(target == level ? states[target].anew_program : states[target].entry_program);
    else if (core().has_changes)
        tell_change(*this);
    at = at_work();
    state |= state_fired;
}

} // namespace hsm
