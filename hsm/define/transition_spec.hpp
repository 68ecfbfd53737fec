/// A transition as it was defined: source, targets, triggers, guards, actions. Its source state owns it.
#pragma once

#include <hsm/define/condition.hpp>
#include <hsm/define/detail/delay.hpp>
#include <hsm/define/event.hpp>
#include <hsm/define/origin.hpp>
#include <hsm/define/state_key.hpp>

#include <limits>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace hsm {

class state_base;

/// A state_key that owns its path.
struct target_spec {
    target_spec() = default;
    target_spec(const state_key& key) : node(key.node), id(key.id), by_class(key.by_class), path(key.path) {}

    explicit operator bool() const { return node || id || by_class || !path.empty(); }
    /// Returns "attack/slash", "pose::idle" (or "pose(300)" if the compiler does not report the enumerator's name), or the name of a class.
    std::string written() const;

    const state_base* node = nullptr;
    enum_id id;
    class_id by_class;
    std::string path;
};

/// Conditions that are tested together.
struct condition_group {
    bool any; ///< one of the conditions is sufficient; otherwise all must hold
    std::vector<condition_literal> literals;
    hsm::origin where = {};
};

struct transition_spec {
    transition_spec& open(); ///< like state_base::open: returns itself or, if it is part of a chart, a transition outside all charts

    // These functions change the transition that open() returns, and return this transition.
    transition_spec& add_guard(const detail::bound_op& g);
    transition_spec& add_action(const detail::bound_op& a);
    transition_spec& set_score(const detail::bound_op& f);
    transition_spec& set_weight(double w, hsm::origin at);
    template <class T> transition_spec& set(T transition_spec::*field, std::type_identity_t<T> value) {
        auto& spec = open();
        spec.*field = std::move(value);
        return spec;
    }
    void add_conditions(condition_group group);
    bool is_guarded() const { return !guards.empty() || !conditions.empty(); }
    bool is_last() const { return priority == std::numeric_limits<int>::min(); } ///< `otherwise` of a choice
    bool asks_states() const { return !joined.empty() || !excluded.empty(); } ///< whether the transition depends on active states
    void aim_at(const state_key& first);
    template <class... More> transition_spec& aim_at_more(const More&... more) {
        return (more_targets.push_back(target_spec(state_key(more))), ...), *this;
    }

    state_base* source = nullptr;
    target_spec target;                      ///< none: internal
    bool has_target = false;                 ///< distinguishes `to("")` from an internal reaction
    std::vector<target_spec> more_targets;   ///< of a fork, in other regions of a parallel
    std::vector<target_spec> joined;         ///< of a join: states that must also be active
    std::vector<target_spec> excluded;       ///< it does not fire while one of these states is active
    event_key event;                         ///< none: polled
    bool on_finished = false;                ///< tried when the source is finished
    std::vector<detail::guard> guards;       ///< all must hold; called in this order
    std::vector<condition_group> conditions; ///< all must hold; tested before the guards
    std::vector<condition_literal> asked;    ///< the conditions that guards test
    std::vector<detail::hook> actions;       ///< run in this order
    int priority = 0;                        ///< higher is tried first; the rank of a candidate
    owned<detail::hook> score;               ///< of a candidate: computes its score; null: `weight`
    double weight = 1;                       ///< of a candidate: its fixed score
    bool has_weight = false;
    std::int64_t cooldown = 0; ///< of a candidate: nanoseconds after the exit of its target
    hsm::origin weight_at;
    std::uint32_t all_group = 0;             ///< the index of the group whose conditions must all hold, if there is one
    bool reenter = false;
    bool external = false;
    bool always = false;     ///< polled, and also tried after every transition
    bool force = false;      ///< does not wait for states that hold
    bool carry_over = false; ///< requires `after`: times of entered states count from the moment when the transition was due
    bool defers = false;     ///< a reaction that defers the event
    detail::delay after;     ///< the delay after its source was entered
    detail::delay every;     ///< the period of a polled reaction
    std::string label;       ///< the name by which calls refer to its timer; empty: none
    hsm::origin origin;
    bool of_class = false; ///< added by the registered class of its state, and not in the file
};

} // namespace hsm
