#include <hsm/run/detail/microstep.hpp>

#include <hsm/op/detail/compiler.hpp>
#include <hsm/run/detail/handle_event.hpp>
#include <hsm/run/detail/life.hpp>
#include <hsm/run/detail/memory.hpp>
#include <hsm/run/detail/select.hpp>
#include <hsm/run/detail/tracing.hpp>
#include <hsm/run/error.hpp>
#include <hsm/vm/detail/deferral.hpp>
#include <hsm/vm/detail/holding.hpp>
#include <hsm/vm/detail/leave_requests.hpp>

#include <algorithm>
#include <string>
#include <utility>

namespace hsm::detail {

namespace {

/// Counts the links of a chain of transitions, and finds the cycle if the chain is too long.
class chain {
public:
    chain(const machine& m, const chart_core& core) : m_(m), core_(core), left_(chain_limit(m, core)) {}

    bool is_at_its_end() const { return left_ == 0; }

    /// Adds a link. Throws chain_error at the limit.
    void link(index from) {
        if (left_ <= length) [[unlikely]]
            record(from);
        --left_;
    }
    void link(const transition_row& t) { link(core_.by_regions ? t.source : m_.leaf); }

private:
    static constexpr std::uint32_t length = 32;

    HSM_NOINLINE void record(index from) {
        if (is_at_its_end()) throw_endless();
        trail_[left_ % length] = from;
    }
    [[noreturn]] void throw_endless() const {
        throw chain_error({code::chain, core_.root->path(),
                           "after " + std::to_string(chain_limit(m_, core_)) + " transitions in a row, the chain has not ended: " + cycle(),
                           "guard one of these transitions; if the chain is intended to be this long, raise chain_limit"});
    }
    index back(std::uint32_t i) const { return trail_[i % length]; }

    /// Returns the shortest sequence that the end of the trail repeats.
    std::string cycle() const {
        const auto known = std::min<std::uint32_t>(chain_limit(m_, core_), length);
        const auto repeats = [&](std::uint32_t period) {
            for (std::uint32_t i = 1; i <= period; ++i)
                if (back(i) != back(i + period)) return false;
            return true;
        };
        std::uint32_t period = 1;
        while (2 * period <= known && !repeats(period)) ++period;
        if (2 * period > known) period = std::min<std::uint32_t>(known, 8);
        std::string text;
        for (auto i = period; i > 0; --i) text += core_.states[back(i)].node->path() + " -> ";
        const auto last = !core_.by_regions ? m_.leaf : known > 0 ? back(period) : index(0);
        return text + (last == no_index ? "none" : core_.states[last].node->path());
    }

    const machine& m_;
    const chart_core& core_;
    std::uint32_t left_;  ///< further links until the limit
    index trail_[length]; ///< by left_: for each of the last links the leaf before it, or, with regions, the source
};

constexpr std::size_t none = std::size_t(-1);

/// One macrostep.
class macrostep {
public:
    macrostep(machine& m, const chart_core& core) : m_(m), core_(core), links_(m, core) {}

    void run() {
        while ((m_.work & work_to_complete) || offered_ != none || settles()) {
            if (m_.work & work_stop) return stop_now(m_, core_);
            if (has_ended(m_)) return;
            if (m_.work & work_transient)
                take_transient();
            else if (m_.work & work_completion)
                take_completion();
            else if ((m_.work & work_fired) && fires_always())
                continue;
            else if (offered_ != none)
                core_.recalls_by_rows ? recall_deferred<true>() : recall_deferred<false>();
            else if (m_.work & work_internal)
                handle_internal();
        }
    }

private:
    void take_transient() {
        if (fires(selection::transient)) return; // states that are still active are tried again
        clear_work(m_, work_transient);
        forget_just_entered(m_, core_);
    }

    /// Fires one enabled transition of each region. Returns whether there was any.
    bool fires(selection::kind_of kind) {
        if (!core_.by_regions) {
            const auto* const t = select_alone(m_, core_, kind);
            if (t) fire_one(*t, kind);
            return t != nullptr;
        }
        selection w(m_, core_, kind);
        if (!select(m_, core_, w)) return false;
        links_.link(*w.found[0].transition);
        for (const auto& e : w.transitions()) clear_just_entered(e.source, kind);
        microstep(m_, core_, w.transitions());
        return true;
    }
    void fire_one(const transition_row& t, selection::kind_of kind) {
        links_.link(t);
        clear_just_entered(t.source, kind);
        fire(m_, core_, t, reason_of(t));
    }
    /// A transient state is tried once, unless it exits and is entered again.
    void clear_just_entered(index source, selection::kind_of kind) {
        if (kind == selection::transient) just_entered_of(m_, core_).clear(source);
    }

    void take_completion() {
        const auto* const t = select_completion(m_, core_);
        if (!t) return clear_work(m_, work_completion);
        links_.link(*t);
        fire(m_, core_, *t, reason::completion);
    }

    /// Fires the `.always()` transitions that are enabled. If there are none, the deferred events follow.
    bool fires_always() {
        if (core_.tracks_fired && fires_enabled()) return true;
        clear_work(m_, work_fired);
        fired_ = core_.has_hooks.settled;
        if (core_.has_defers && std::exchange(deferral_of(m_, core_).recall, false)) offered_ = 0;
        return false;
    }

    /// If no work remains, runs the hooks of the first request to leave, or else on_settled, if a transition has fired since its last call. Returns
    /// whether to continue.
    bool settles() {
        if (!core_.acts_when_settled || has_ended(m_)) return false;
        if (core_.has_hooks.leave && request_leave()) return true;
        if (!fired_) return false;
        fired_ = false;
        set_cause(m_, core_, {}, no_index);
        run_part(m_, core_, core_.states[0].hook_programs.settled);
        return (m_.work & work_to_complete) != 0;
    }

    bool request_leave() {
        const auto number = first_due_request(m_, core_);
        if (number == no_request) return false;
        due_requests(m_, core_).clear(number);
        const auto& request = core_.leave_requests[number];
        const auto node = [&](index s) { return s == no_index ? nullptr : core_.states[s].node; };
        const auto* const t = request.transition == no_transition ? nullptr : &core_.transitions[request.transition];
        const auto previous = node(region_leaf_of(m_, core_, core_.states[request.state].region));
        cause why;
        event_ref event;
        auto waits = request.transition; // none: a request
        if (t) {
            why = {reason_of(*t), nullptr, node(t->source), node(t->target), previous, t->spec};
        } else {
            const auto& p = pending_at(m_, core_, request.slot);
            why = {reason::request, nullptr, node(p.source), node(p.target), previous, nullptr};
            if (p.kind == pending_slot::event) {
                const auto& row = core_.transitions[p.transition];
                event = core_.event_at(row.event, payload_at(m_, core_, request.slot));
                m_.payload = event.object;
                why.reason = reason::event;
                why.event = &event;
                why.transition = row.spec;
                waits = p.transition;
            }
        }
        trace(m_, core_, {record_kind::leave_requested, 0, request.state, waits, 0});
        set_cause(m_, core_, why, no_index);
        run_part(m_, core_, core_.states[request.state].hook_programs.leave);
        return true;
    }

    bool fires_enabled() {
        if (core_.options.order == decision_order::substate_first) return fires(selection::always);
        const auto* const t = select_always(m_, core_);
        if (t) fire_one(*t, selection::always);
        return t != nullptr;
    }

    /// Offers the deferred events, oldest first, as if they arrived now, until one is consumed. What follows from that comes first. Events that are
    /// not consumed keep their place. ByRows: see recalls_by_rows.
    template <bool ByRows> void recall_deferred() {
        auto& m = m_;
        const auto& core = core_;
        auto& head = deferral_of(m, core);
        if (ByRows) m.row = core.row_of(m.leaf);
        const auto urgent = core.tracks_fired ? ~0 : ~work_fired; // work that precedes the next recall
        auto i = std::exchange(offered_, none);
        while (i < head.count) {
            auto outcome = result::unhandled;
            if (links_.is_at_its_end()) {
                if (consumes(calls::can(m, deferred(i)))) links_.link(m.leaf); // throws; the event stays deferred
            } else {
                head.offering = true;
                try {
                    outcome = ByRows ? offer_to_row(m, core, head, i) : offer(i);
                } catch (...) { // the event is consumed, unless a guard threw
                    head.offering = false;
                    if (!runs_guard(m, core)) {
                        trace_recalled(i);
                        remove_deferred(m, core, head, i);
                    }
                    throw;
                }
                head.offering = false;
            }
            if (!consumes(outcome)) {
                ++i;
                continue;
            }
            if (!ByRows) trace_recalled(i);
            remove_deferred(m, core, head, i);
            links_.link(m.leaf);
            if (outcome == result::taken) i = 0;
            if (m.work & urgent) {
                offered_ = i;
                return;
            }
        }
        head.recall = false;
        clear_work(m, work_fired);
    }

    void trace_recalled(std::size_t i) const {
        if (core_.traced) trace(m_, core_, {record_kind::recalled, 0, record::no_state, deferred_event(m_, core_, i), 0});
    }
    static bool consumes(result r) { return r == result::taken || r == result::internal || r == result::held; }

    event_ref deferred(std::size_t i) const { return stored_event(core_, deferred_event(m_, core_, i), deferred_payload(m_, core_, i)); }

    result offer(std::size_t i) {
        const auto number = deferred_event(m_, core_, i);
        const auto event = deferred(i);
        trace_event(m_, core_, event_origin::deferred, number, event);
        return handle_event(m_, core_, number, event);
    }
    HSM_ALWAYS_INLINE static result offer_to_row(machine& m, const chart_core& core, const deferral_head& head, std::size_t i) {
        const auto& at = deferred_at(m, head, i);
        const auto* const known = m.row[core.event_columns[at.event]];
        if (!known) return result::unhandled;
        m.payload = payload_in(m, core, head, at);
        const auto outcome = static_cast<result>(detail::run(known, m));
        if (outcome == result::taken) m.shallowest_change = std::min(m.shallowest_change, m.unchanged_depth);
        m.at = in_call();
        return outcome;
    }

    void handle_internal() {
        links_.link(m_.leaf);
        auto& queue = *internal_queue(m_, core_);
        handle_queued(m_, core_, queue);
        if (m_.work & work_stop) return;
        if (m_.leaf != no_index && queue.empty()) clear_work(m_, work_internal);
    }

    machine& m_;
    const chart_core& core_;
    chain links_;
    bool fired_ = false;         ///< since on_settled was called last
    std::size_t offered_ = none; ///< the deferred event that is offered next; none: no recall is in progress
};

} // namespace

void run_to_completion(machine& m, const chart_core& core) {
    if (m.work & (work_to_complete | work_pending | work_waiting)) macrostep(m, core).run();
}

} // namespace hsm::detail
