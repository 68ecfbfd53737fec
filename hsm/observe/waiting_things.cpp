// Lists work that waits, and whether it comes before the subject of a question.

#include <hsm/observe/detail/queries.hpp>

#include <hsm/run/detail/memory.hpp>
#include <hsm/vm/detail/completion.hpp>
#include <hsm/vm/detail/deferral.hpp>
#include <hsm/vm/detail/holding.hpp>

namespace hsm::detail {

namespace {

class waiting_list {
public:
    explicit waiting_list(machine_probe& i) : i_(i) {}

    void add_completions() {
        if (!i_.core.has_marks) return;
        for (index s = 1; s < row_count(i_.core.states); ++s)
            if (i_.core.states[s].marked && due_of(i_.m, i_.core)[s])
                found.push_back({.kind = waiting_item::completion, .comes_first = true, .state = s});
    }

    /// For a tick, transitions that it decides again are candidates instead.
    void add_held(bool ticks) {
        if (!i_.core.has_holds) return;
        for (std::size_t slot = 0; slot < slot_count(i_.core); ++slot) {
            const auto& p = pending_at(i_.m, i_.core, slot);
            if (p.kind != pending_slot::none && !p.firing) add_pending(p, slot);
        }
        for (std::size_t slot = 0; slot < slot_count(i_.core) && !ticks; ++slot)
            if (const auto waits = waiting_at(i_.m, i_.core, slot).transition) add_waiting(waits - 1);
    }

    void add_deferred() {
        if (!i_.core.has_defers) return;
        for (std::size_t d = 0; d < deferral_of(i_.m, i_.core).count; ++d)
            found.push_back({.kind = waiting_item::deferred, .event_number = deferred_event(i_.m, i_.core, d)});
    }

    void add_queued(bool ticks) {
        const auto* const queues = queues_of(i_.m, i_.core);
        if (!queues) return;
        const auto come = queues->posted.size() + (queues->mail ? queues->mail->gather() : 0);
        const auto first = queues->internal.size() + (ticks ? come : 0);
        if (first > 0) found.push_back({.kind = waiting_item::queued, .comes_first = true, .count = static_cast<std::uint32_t>(first)});
    }

    void add_resting() {
        for (std::size_t r = 0; r < i_.core.regions.size(); ++r)
            if (const auto leaf = region_leaf_of(i_.m, i_.core, r); leaf != no_index && i_.core.is_machine(leaf))
                found.push_back({.kind = waiting_item::rest, .state = leaf});
    }

    std::vector<waiting_item> found;

private:
    /// Same rule as try_pending_at: a transition that is no longer held fires or is dropped.
    void add_pending(const pending_slot& p, std::size_t slot) {
        const bool is_request = p.kind == pending_slot::request;
        waiting_item w{.kind = is_request ? waiting_item::request : waiting_item::event, .state = p.target};
        if (!is_request) w.transition_number = p.transition;
        if (!is_request) w.event_number = i_.core.transitions[p.transition].event;
        const auto level = is_request ? level_between(i_.core.states, p.source, p.target, false) : i_.core.transitions[p.transition].level;
        w.comes_first = i_.check_holds(w.obstacles, level, p.target);
        if (w.comes_first && !is_request) w.obstacles = checked_again(p, slot);
        found.push_back(std::move(w));
    }

    std::vector<obstacle> checked_again(const pending_slot& p, std::size_t slot) {
        candidate c{.transition = p.transition};
        const auto* const payload = std::exchange(i_.m.payload, payload_at(i_.m, i_.core, slot));
        const bool known = std::exchange(i_.knows_event, true);
        i_.check_all(c);
        i_.knows_event = known;
        i_.m.payload = payload;
        return std::move(c.obstacles);
    }

    void add_waiting(std::uint32_t transition) {
        const auto& t = i_.core.transitions[transition];
        waiting_item w{.kind = waiting_item::transition, .transition_number = transition, .state = t.target};
        i_.check_holds(w.obstacles, t.level, t.target);
        found.push_back(std::move(w));
    }

    machine_probe& i_;
};

} // namespace

std::vector<waiting_item> list_waiting(machine_probe& i, bool ticks) {
    waiting_list list(i);
    list.add_completions();
    list.add_held(ticks);
    list.add_deferred();
    list.add_queued(ticks);
    if (ticks) list.add_resting();
    return std::move(list.found);
}

} // namespace hsm::detail
