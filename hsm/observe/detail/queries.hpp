/// Queries of a running machine: the effect of an event, the effect of a tick, and the work that would run before. Events and ticks run the code of
/// selection (run/detail/selecting.hpp) with a probe that collects candidates.
#pragma once

#include <hsm/observe/detail/machine_probe.hpp>
#include <hsm/run/detail/selecting.hpp>

#include <vector>

namespace hsm::detail {

/// The candidates of one query, in the order of testing, and the memory of the selection.
class candidate_list {
public:
    explicit candidate_list(machine_probe& i) : i_(i), blocked_(words_for(slot_count(i.core))), barred_(words_for(i.core.states.size())) {}

    std::vector<candidate> candidates;

protected:
    friend class collecting_probe;

    bool superstate_first() const { return i_.core.options.order == decision_order::superstate_first; }
    /// Adds an obstacle to the candidate of a selected transition.
    void add(const enabled_transition& to, obstacle_kind kind, std::uint32_t transition);
    candidate& of(const transition_row& t);

    machine_probe& i_;

private:
    bool is_open_ = false;                           ///< the transition that is being tested has no obstacle
    std::vector<std::uint32_t> satisfied_, waiting_; ///< transitions that bar or block later ones
    std::vector<std::uint64_t> blocked_, barred_;
};

/// The probe of queries, see run_probe. Adds a candidate for each transition, with its obstacles.
class collecting_probe {
public:
    static constexpr bool lists_all = true;

    /// `first` is a transition that precedes all of them.
    explicit collecting_probe(candidate_list& to, std::uint32_t first = no_number) : to_(&to), first_(first) {}
    collecting_probe after(const transition_row& t) const { return collecting_probe(*to_, to_->i_.number(t)); }

    bool begins(const transition_row& t);
    bool is_barred(bool barred);
    bool is_blocked(bool blocked);
    bool is_unfinished(bool unfinished);
    bool refuses(machine& m, const chart_core& core, const transition_row& t);
    bool is_satisfied(bool satisfied);
    bool must_wait(machine& m, const chart_core& core, const transition_row& t);
    verdict ends(verdict v);

    mark_bits blocked(const machine&, const chart_core&) const { return mark_bits(reinterpret_cast<std::byte*>(to_->blocked_.data())); }
    mark_bits barred(const machine&, const chart_core&) const { return mark_bits(reinterpret_cast<std::byte*>(to_->barred_.data())); }
    bool has_waiting(const machine& m, const chart_core& core, std::size_t slot) const;

    /// Visits the regions around those that have chosen.
    template <class Visit> void visit_others(const chart_core& core, selection& w, mark_bits checked, const Visit& visit) const {
        std::vector<std::uint32_t> chosen(core.regions.size(), no_number);
        for (const auto& e : w.transitions()) chosen[core.states[e.source].region] = to_->i_.number(*e.transition);
        for (auto r = row_count(core.regions); r-- > 0;) {
            const auto leaf = region_leaf_of(to_->i_.m, core, r);
            if (checked[r] || leaf == no_index) continue;
            const auto& inside = core.states[leaf].regions;
            for (auto inner = inside.first; inner < inside.first + inside.count && chosen[r] == no_number; ++inner) chosen[r] = chosen[inner];
            if (chosen[r] != no_number) visit(r, collecting_probe(*to_, chosen[r]));
        }
    }
    void yields(const enabled_transition& loser, const enabled_transition& winner) const;
    void loses(const enabled_transition& loser, const enabled_transition& winner) const;
    bool is_free(machine& m, const chart_core& core, const enabled_transition& e) const;
    void cannot_pend(const enabled_transition& e) const;

private:
    candidate& current() const { return to_->candidates.back(); }
    bool stops() const { return !current().taken() && !to_->i_.all_guards; }

    candidate_list* to_;
    std::uint32_t first_;
};

/// Computes what an event would do, by its number.
class event_query : public candidate_list {
public:
    event_query(machine_probe& i, std::uint16_t event) : candidate_list(i), event_(event) {}

    void run();

    result outcome = result::unhandled;

private:
    void skip_if_exited(const enabled_transition& reaction, selection& agreed);
    void defer_all();
    void hold_all();

    const std::uint16_t event_;
};

/// Computes what the decisions and reactions of a tick would do, see ticker.cpp.
class tick_query : public candidate_list {
public:
    explicit tick_query(machine_probe& i) : candidate_list(i) {}

    void run();

    bool fires = false;

private:
    std::uint32_t taken_around(index level) const;
    void decide_at(index level);
    void take(const transition_row& t);
    void walk(index s);
    void react(index s);
    void retry(index s);
    void decide_all();

    std::vector<enabled_transition> found_;
};

/// Returns everything that is pending or waits. `ticks`: for a tick instead of an event.
std::vector<waiting_item> list_waiting(machine_probe& i, bool ticks);

} // namespace hsm::detail
