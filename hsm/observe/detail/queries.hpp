/// Queries of a running machine, one class each: the effect of an event, the effect of a tick, and the work that would run before.
#pragma once

#include <hsm/observe/detail/machine_probe.hpp>
#include <hsm/vm/detail/enabled.hpp>

#include <span>
#include <utility>
#include <vector>

namespace hsm::detail {

/// A selected transition, as in `selection`, with its candidate.
struct selected {
    std::size_t candidate;
    enabled_transition does;
};

/// Removes the transitions that lose a conflict, and adds the winner to each one's obstacles. Returns the rest.
std::vector<selected> settle_conflicts(const chart_core& core, std::vector<selected> found, std::vector<candidate>& candidates);

/// Computes what an event would do, by its number: see select() and take_unless_held().
class event_query {
public:
    event_query(machine_probe& i, std::uint16_t event)
        : i_(i), event_(event), checked_(i.core.regions.size()), chosen_(i.core.regions.size(), no_number) {}

    void run();

    std::vector<candidate> candidates;
    result outcome = result::unhandled;

private:
    bool superstate_first() const { return i_.core.options.order == decision_order::superstate_first; }
    std::uint32_t check_region(index leaf, std::uint32_t first);
    void check_one(std::uint32_t number, std::uint32_t& first);
    void choose(std::size_t candidate);
    void inwards(std::size_t region, std::uint32_t first);
    void outwards();
    void list_unchecked();
    bool settle_deferrals();
    void let_deferrals_yield();
    void override_by_deferrals();
    void hold(const std::vector<selected>& agreed);
    void skip_if_exited(const selected& reaction, const std::vector<selected>& agreed);
    void hold_all();
    result hold_one(candidate& c, index level);

    machine_probe& i_;
    const std::uint16_t event_;
    std::vector<bool> checked_;         ///< by region
    std::vector<std::uint32_t> chosen_; ///< by region
    std::vector<selected> found_, deferring_;
};

/// Computes what the decisions and reactions of a tick would do: see ticker.cpp and select_polled.
class tick_query {
public:
    explicit tick_query(machine_probe& i) : i_(i) {}

    void run();

    std::vector<candidate> candidates;
    bool fires = false;

private:
    bool superstate_first() const { return i_.core.options.order == decision_order::superstate_first; }
    /// Returns a transition that was already taken and exits this state or level, or no_number.
    std::uint32_t taken_around(index level) const;
    bool check_one(std::uint32_t number, std::uint32_t first);
    bool is_barred(candidate& c) const;
    void look_at_target(candidate& c, bool checked);
    void decide_at(index level);
    void walk(index s);
    void react(index s);
    void retry(index s);
    void decide_all();
    bool decide_region(index leaf, std::uint32_t first);
    void decide_outwards();
    std::vector<std::uint32_t> decisions_of(index level) const;

    struct bar {
        index source, level;
        std::uint32_t by;
    };
    struct block {
        index level;
        std::uint32_t by;
    };

    machine_probe& i_;
    std::vector<bar> bars_;
    std::vector<block> blocks_;
    std::vector<selected> found_;
};

/// Returns everything that is pending or waits. `ticks`: for a tick instead of an event.
std::vector<waiting_item> list_waiting(machine_probe& i, bool ticks);

} // namespace hsm::detail
