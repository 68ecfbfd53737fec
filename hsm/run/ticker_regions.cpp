// A tick where regions are driven: as where they are not, and of a parallel region by region.

#include <hsm/run/detail/ticker.hpp>

#include <hsm/run/detail/microstep.hpp>
#include <hsm/run/detail/run_to_completion.hpp>
#include <hsm/run/detail/select.hpp>
#include <hsm/vm/detail/holding.hpp>

namespace hsm::detail {

namespace {

class region_walk {
public:
    region_walk(machine& m, const chart_core& core, phase what) : m_(m), core_(core), what_(what) {}

    void run() {
        region_at(m_, core_, 0).shallowest_change = no_index;
        if (m_.work && !core_.states[0].updates && !core_.has_holds) { // left over from before, and no update of the root to complete it after
            run_to_completion(m_, core_);
            if (ends_at(0)) return;
        }
        if (decides()) {
            if (core_.options.order == decision_order::substate_first)
                decide_all();
            else
                decide_at(no_index);
            if (is_over(m_)) return;
        }
        drive(0);
    }

private:
    bool decides() const { return what_ != phase::hooks; }
    /// Is the machine over, or has that state been left since its part of the tick began?
    bool ends_at(index s) const { return is_over(m_) || has_left(m_, core_, s); }

    /// The innermost decides first: one step of all regions, and then what rests chooses anew.
    void decide_all() {
        for (std::size_t r = 0; r < core_.regions.size(); ++r) region_at(m_, core_, r).shallowest_change = no_index;
        forget_waiting(m_, core_);
        selection w(m_, core_, selection::polled);
        if (select(m_, core_, w)) {
            microstep(m_, core_, w.transitions());
            run_to_completion(m_, core_);
        }
        for (std::size_t r = 0; r < core_.regions.size() && !is_over(m_); ++r) {
            const auto leaf = region_leaf_of(m_, core_, r);
            if (leaf == no_index || core_.states[leaf].kind != state_kind::machine) continue;
            if (region_at(m_, core_, r).shallowest_change <= core_.states[leaf].depth + 1u) continue; // a transition has been here
            retry(r);
        }
    }

    /// Of the polled transitions of that level at most one. True if one has fired.
    bool decide_at(index level) {
        const auto& span = level == no_index ? core_.decides_above : core_.states[level].decides;
        if (span.count == 0) return false;
        if (core_.has_holds) waiting_at(m_, core_, slot_of(core_, level)) = {};
        const auto* const t = select_at_level(m_, core_, level);
        if (!t) return false;
        fire(m_, core_, *t, reason_of(*t));
        run_to_completion(m_, core_);
        return true;
    }

    void retry(std::size_t region) {
        if (retry_entry(m_, core_, region)) run_to_completion(m_, core_);
    }

    /// False if there is nothing more to do in the tick.
    bool update(index s) {
        const auto& updated = core_.states[s];
        if (what_ == phase::decisions || !(updated.updates || core_.has_holds)) return true;
        if (core_.has_holds) holding_of(m_, core_).updated = s;
        if (updated.updates) {
            run_part(m_, core_, updated.update_program);
            take_successor(m_, core_, s);
        }
        return m_.work ? follow_update(m_, core_, s, what_) : !is_over(m_);
    }

    void drive(index s) {
        const auto& driven = core_.states[s];
        region_at(m_, core_, driven.region).shallowest_change = no_index;
        if (!update(s) || has_left(m_, core_, s)) return;
        each_region(core_, s, [&](index region) {
            if (!ends_at(s)) drive(region);
        });
        if (driven.kind != state_kind::machine) return;
        if (decides() && core_.options.order == decision_order::superstate_first) {
            const bool fired = decide_at(s);
            if (ends_at(s)) return;
            if (!fired && region_leaf_of(m_, core_, driven.region) == s) retry(driven.region);
            if (ends_at(s)) return;
        }
        if (const auto leaf = region_leaf_of(m_, core_, driven.region); leaf != s) drive(core_.toward(s, leaf));
    }

    machine& m_;
    const chart_core& core_;
    const phase what_;
};

} // namespace

void walk_regions(machine& m, const chart_core& core, phase what) { region_walk(m, core, what).run(); }

} // namespace hsm::detail
