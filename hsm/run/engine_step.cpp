// What happens in which order: a tick's steps, and what follows a transition or an update. One transition, put together
// from parts, where no program was made for it.

#include <hsm/compile/block.hpp>
#include <hsm/compile/deferral.hpp>
#include <hsm/compile/holding.hpp>
#include <hsm/compile/lookup.hpp>
#include <hsm/run/engine_parts.hpp>
#include <hsm/run/engine_wish.hpp>
#include <hsm/run/error.hpp>
#include <hsm/run/event_queue.hpp>
#include <hsm/run/mailbox_queue.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace hsm {

/// Counts what follows from what, and knows the cycle when it does not end.
struct engine::chain {
    const engine& self;
    std::uint32_t links = 0;
    static constexpr std::size_t none = std::size_t(-1);
    std::size_t offered = none; ///< the deferred event that is offered next
    static constexpr std::uint32_t length = 32;
    index trail[length] = {}; ///< the leaf before each of the last links

    bool is_at_its_end() const { return links == self.chain_limit(); }

    /// Before each link. From: the leaf, or the source where there are regions.
    void link(index from) {
        if (links == self.chain_limit())
            throw chain_error({code::chain, self.core().root->path(),
                               "after " + std::to_string(links) + " transitions in a row there is no end: " + cycle(),
                               "guard one of them, or raise chain_limit if the chain is meant to be this long"});
        trail[links++ % length] = from;
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
        const auto last = self.core().driven ? back(period) : self.leaf;
        return text + (last == no_index ? "none" : self.core().states[last].node->path());
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
    at = &at_work;
    if (code == static_cast<std::uintptr_t>(result::taken)) keep(stayed);
    const bool updated = done.kind == tick_step::update;
    const auto s = updated ? at_depth(done.depth) : no_index;
    if (!updated)
        state |= state_fired;
    else if (done.at != 0)
        after_update(s);
    settle();
    if (updated) {
        try_pending();
        if (what == phase::both && kept > done.depth) try_waiting(s);
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

/// Transient states, completion, what is always tried, deferred events, internal events, until there is nothing left.
void engine::settle() {
    chain links{.self = *this};
    while ((work & work_to_settle) || links.offered != chain::none) {
        if (work & work_stop) return stop_now();
        if (over()) return;
        if (work & work_transient) {
            work = static_cast<std::uint8_t>(work & ~work_transient);
            take_transient(links);
        } else if (work & work_completion) {
            if (const auto* t = take_completion()) {
                links.link(core().driven ? t->source : leaf);
                fire(*t, reason::completion);
            } else {
                work = static_cast<std::uint8_t>(work & ~work_completion);
            }
        } else if (work & work_always) {
            if (take_always(links)) continue;
            work = static_cast<std::uint8_t>(work & ~work_always);
            if (core().has_defers && std::exchange(deferral_of(*this, core()).recall, false)) links.offered = 0;
        } else if (links.offered != chain::none) {
            recall_deferred(links);
        } else {
            links.link(leaf);
            handle_queued(*internal_queue());
            if (work & work_stop) continue;
            if (leaf != no_index && internal_queue()->size() == 0) work = static_cast<std::uint8_t>(work & ~work_internal);
        }
    }
}

void engine::take_transient(chain& links) {
    if (core().driven) {
        wish w{wish::transient, plan_of(*this, core())};
        if (choose(w) == 0) return;
        links.link(w.steps[0].source);
        carry_out(w.count);
    } else if (const auto* t = choose_transient()) {
        links.link(leaf);
        fire(*t, reason_of(*t));
    }
}

bool engine::take_always(chain& links) {
    if (!core().has_always) return false;
    if (core().driven) {
        wish w{wish::always, plan_of(*this, core())};
        if (choose(w) == 0) return false;
        links.link(w.steps[0].source);
        carry_out(w.count);
        return true;
    }
    const auto* const t = choose_always();
    if (!t) return false;
    links.link(leaf);
    fire(*t, reason_of(*t));
    return true;
}

/// A transition with a target has fired.
void engine::offer_deferred() {
    if (!core().has_defers) return;
    deferral_of(*this, core()).recall = true;
    work |= work_always;
}

/// The oldest first, each as if it came now, until one is consumed: then what follows from that comes first. What nobody
/// consumes stays in its place.
void engine::recall_deferred(chain& links) {
    struct offering {
        deferral_head& head;
        explicit offering(deferral_head& h) : head(h) { head.offering = true; }
        ~offering() { head.offering = false; }
    };
    auto& head = deferral_of(*this, core());
    const auto consumes = [](result r) { return r == result::taken || r == result::internal || r == result::held; };
    while (links.offered < head.count) {
        const auto i = links.offered;
        auto event = core().event_refs[deferred_event(*this, core(), i)];
        event.object = deferred_payload(*this, core(), i);
        event.construct = [](void* slot, const event_ref& from) { from.type->move(slot, from.object); };
        auto outcome = result::unhandled;
        try {
            const offering until_handled(head);
            if (links.is_at_its_end()) {
                if (consumes(can(event))) links.link(leaf); // throws
            } else {
                outcome = handle_event(core().event_columns[deferred_event(*this, core(), i)], event);
            }
        } catch (const chain_error&) {
            if (!links.is_at_its_end()) remove_deferred(*this, core(), i);
            throw;
        } catch (...) { // it has been consumed all the same
            remove_deferred(*this, core(), i);
            throw;
        }
        if (!consumes(outcome)) {
            ++links.offered;
            continue;
        }
        remove_deferred(*this, core(), i);
        links.link(leaf);
        return;
    }
    links.offered = chain::none;
}

/// After a program that left something to settle; or one that a driver of regions has handed back.
result engine::settle_after(std::uintptr_t code) {
    return exclusively([&] {
        auto outcome = static_cast<result>(code);
        if (code == code_general) {
            work = static_cast<std::uint8_t>(work & ~work_by_section);
            const auto column = driver_of(*this, core()).handed;
            auto event = core().event_refs[core().column_events[column]];
            event.object = payload;
            outcome = handle_event(column, event);
        }
        settle();
        return outcome;
    });
}

/// Those that were there before, mailed ones last; what hooks and other threads post meanwhile waits for the next time.
void engine::handle_posted() {
    auto* const queue = posted_queue();
    auto* const mailbox = mail();
    const auto mailed = mailbox ? mailbox->gather() : 0;
    for (auto n = queue ? queue->size() : 0; n > 0 && !over(); --n) {
        handle_queued(*queue);
        if (work) settle();
    }
    for (auto left = mailed; left > 0 && !over(); --left) {
        handle_queued(*mailbox);
        if (work) settle();
    }
    if (mailbox) return; // state_posted stays: only the mailbox knows what comes
    if ((!queue || queue->size() == 0) && !has_pulses()) state = static_cast<std::uint8_t>(state & ~state_posted);
}

/// The oldest entry of the queue; it is consumed even if a hook throws.
template <class Queue> result engine::handle_queued(Queue& queue) {
    struct consumed {
        Queue& queue;
        ~consumed() { queue.done(); }
    };
    const auto& entry = queue.take();
    const consumed whatever_happens{queue};
    if (!entry.type) return request(leaf, entry.target, entry.force);
    auto event = core().event_refs[entry.event];
    event.object = queue.payload();
    event.construct = [](void* slot, const event_ref& from) { from.type->move(slot, from.object); };
    const auto outcome = handle_event(core().event_columns[entry.event], event);
    if (outcome == result::taken) state |= state_fired;
    if (outcome == result::full)
        throw queue_error({code::lost_event, core().root->path(),
                           "the event \"" + core().events[entry.event].name + "\" was to be deferred, and there are as many deferred events as there is room for",
                           "raise deferred_queue in the instance's options"});
    return outcome;
}

result engine::handle_event(std::uint32_t column, const event_ref& event) {
    struct offering {
        engine& self;
        ~offering() {
            if (self.core().keeps_events) offer_of(self, self.core()) = nullptr;
        }
    } const as_long_as_it_is_handled{*this};
    if (core().keeps_events) offer_of(*this, core()) = &event;
    payload = event.object;
    if (core().driven) return handle_by_regions(column, event);
    const auto outcome = static_cast<result>(run_part(core().program_for(leaf, column)));
    if (outcome == result::unhandled && core().has_unhandled) tell_unhandled(event);
    return outcome;
}

/// The innermost active state that wants to know is told; of several in different regions the first.
void engine::tell_unhandled(const event_ref& event) {
    if (core().has_defers && deferral_of(*this, core()).offering) return; // it was handled when it came
    auto told = no_index;
    deciders_inwards([&](index s) {
        const bool further_in = told == no_index || core().states[s].depth > core().states[told].depth;
        if (core().states[s].unhandled_program && further_in) told = s;
        return false;
    });
    if (told == no_index) return;
    set_cause({reason::event, &event, nullptr, nullptr, core().states[leaf].node}, no_index);
    run_part(core().states[told].unhandled_program);
}

/// All exit, also when one of them throws; the first exception goes on.
void engine::stop_now() {
    forget_pending(*this, core());
    forget_waiting(*this, core());
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
    m.entered = reason::none;
    m.elapsed = 0;
    m.level = m.fresh = level;
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
    work = static_cast<std::uint8_t>(work & ~work_transient);
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
    at = &at_work;
    state |= state_fired;
}

} // namespace hsm
