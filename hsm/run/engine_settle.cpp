// What follows from a transition or an update, and what comes out of the queues, in which order.

#include <hsm/compile/block.hpp>
#include <hsm/compile/deferral.hpp>
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
        wish w{wish::transient, plan_of(*this, core()), asked_of(*this, core(), false)};
        if (choose(w) == 0) return forget_fresh(*this, core());
        links.link(w.steps[0].source);
        for (std::size_t i = 0; i < w.count; ++i) fresh_of(*this, core()).clear(w.steps[i].source); // unless it is left, and entered anew
        carry_out(w.count);
    } else {
        const auto* const t = choose_transient();
        if (!t) return forget_fresh(*this, core());
        links.link(leaf);
        fresh_of(*this, core()).clear(t->source);
        fire(*t, reason_of(*t));
    }
    work |= work_transient; // those that are still active, too
}

bool engine::take_always(chain& links) {
    if (!core().has_always) return false;
    if (core().driven && core().options.order == decision_order::substate_first) {
        wish w{wish::always, plan_of(*this, core()), asked_of(*this, core(), false)};
        if (choose(w) == 0) return false;
        links.link(w.steps[0].source);
        carry_out(w.count);
        return true;
    }
    const auto* const t = choose_always();
    if (!t) return false;
    links.link(core().driven ? t->source : leaf);
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
        const bool at_its_end = links.is_at_its_end();
        if (at_its_end && consumes(can(event))) links.link(leaf); // throws, and the event is kept
        try {
            const offering until_handled(head);
            if (!at_its_end) outcome = handle_event(core().event_columns[deferred_event(*this, core(), i)], event);
        } catch (...) { // unless a guard threw, it has been consumed all the same
            if (!asks_guard()) remove_deferred(*this, core(), i);
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

/// What is handled by the call that begins now.
engine::arrivals engine::arrived() {
    const auto* const queue = posted_queue();
    auto* const mailbox = mail();
    return {queue ? queue->size() : 0, mailbox ? mailbox->gather() : 0};
}

/// Mailed ones last; what hooks and other threads post meanwhile waits for the next time.
void engine::handle_posted(const arrivals& there) {
    auto* const queue = posted_queue();
    auto* const mailbox = mail();
    for (auto n = there.posted; n > 0 && !over(); --n) {
        handle_queued(*queue);
        if (work) settle();
    }
    for (auto left = there.mailed; left > 0 && !over(); --left) {
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

} // namespace hsm
