// The effects of an event: a step, a wait, or a deferral.

#include <tests/reference/interpreter_chain.hpp>

namespace hsm::detail {

/// Conflicts are resolved before holds: a transition that must then wait has nevertheless removed those that conflict with it.
interpreter::answer interpreter::consider(std::uint16_t event, const event_ref& ref) {
    answer a;
    bool guarded = false, unchanged = false;
    const auto transitions = event == no_index ? rows() : select_for_event(event, ref, guarded, unchanged);
    if (transitions.empty() && !unchanged)
        if (const auto* const t = select_any_event(ref, guarded)) return {t->target == no_index ? result::internal : result::taken, {t}, {}};
    if (transitions.empty()) {
        a.outcome = unchanged ? result::deferred : guarded ? result::guarded : result::unhandled;
        return a;
    }
    bool moves = false;
    for (const auto* t : without_conflicts(transitions)) {
        if (const auto held_by = holder(*t); held_by == no_index) {
            a.firing.push_back(t);
            moves |= t->target != no_index;
        } else if (!turned_away(level_of(*t), t->priority)) {
            a.waiting.emplace_back(t, held_by);
        }
    }
    a.outcome = moves ? result::taken : !a.firing.empty() ? result::internal : !a.waiting.empty() ? result::held : result::refused;
    return a;
}

result interpreter::handle(std::uint16_t event, const event_ref& ref, came_from where) {
    const auto a = consider(event, ref);
    if (a.outcome == result::unhandled) run_on_unhandled(ref);
    if (a.outcome == result::deferred) return defer(event, ref, where);
    take(a, ref, nullptr);
    return a.outcome;
}

/// A waiting transition stores the payload; others use the stored one.
void interpreter::take(const answer& a, const event_ref& ref, std::shared_ptr<const event_copy> unchanged) {
    for (const auto& held : a.waiting) {
        const auto* const t = held.first;
        const auto keep_one = [&](const event_ref& from) { return std::make_shared<const event_copy>(core_.event_refs[t->event], from); };
        if (!unchanged) unchanged = keep_one(ref);
        keep(*t, held.second, held == a.waiting.front() ? unchanged : keep_one(unchanged->ref()));
    }
    if (a.firing.empty()) return;
    const auto event = unchanged ? unchanged->ref() : ref;
    std::vector<move> moves;
    for (const auto* t : a.firing) moves.push_back(move_of(*t, reason::event, &event));
    step(moves);
}

/// For an event from a queue, a full deferral queue can only be reported by an exception.
result interpreter::defer(std::uint16_t event, const event_ref& ref, came_from where) {
    if (deferred_.size() < deferred_capacity_) {
        deferred_.push_back({event, std::make_shared<const event_copy>(core_.event_refs[event], ref)});
        return result::deferred;
    }
    if (where == came_from::caller) return result::full;
    throw queue_error({code::lost_event, core_.root->path(),
                       "the event \"" + core_.events[event].name + "\" cannot be deferred: the queue of deferred events is full",
                       "raise instance_options::deferred_queue"});
}

/// Recalls the deferred events, oldest first, until one of them is consumed. The work that results from it then comes first.
bool interpreter::recall(chain& links) {
    if (std::exchange(recall_due_, false)) links.offered = 0;
    while (links.offered && *links.offered < deferred_.size()) {
        const auto at = deferred_.begin() + static_cast<std::ptrdiff_t>(*links.offered);
        struct considering { // a recalled event cannot wait for a hold
            bool& on;
            ~considering() { on = false; }
        };
        const auto a = [&] {
            const considering meanwhile{offering_ = true};
            return consider(at->number, at->event->ref());
        }();
        if (a.firing.empty() && a.waiting.empty()) {
            ++*links.offered;
            continue;
        }
        links.link();
        const auto unchanged = at->event;
        deferred_.erase(at);
        take(a, unchanged->ref(), unchanged);
        return true;
    }
    links.offered.reset();
    return false;
}

} // namespace hsm::detail
