/// A transition as it was written down: where from, where to, when, what then. Made and kept by its source state.
#pragma once

#include <hsm/define/condition.hpp>
#include <hsm/define/detail/delay.hpp>
#include <hsm/define/event.hpp>
#include <hsm/define/origin.hpp>
#include <hsm/define/state_key.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace hsm {

class state_base;

/// A state_key that owns its path.
struct target_spec {
    target_spec() = default;
    target_spec(const state_key& key) : node(key.node), id(key.id), by_class(key.by_class), path(key.path) {}

    explicit operator bool() const { return node || id || by_class || !path.empty(); }
    /// "attack/slash", "pose::idle" or, if the compiler has not told the enumerator's name, "pose(300)", the name of a class.
    std::string written() const;

    const state_base* node = nullptr;
    enum_id id;
    class_id by_class;
    std::string path;
};

/// Conditions that are asked together.
struct condition_group {
    bool any; ///< one of them is enough; otherwise all of them must hold
    std::vector<condition_literal> literals;
    hsm::origin where = {};
};

struct transition_spec {
    transition_spec& open(); ///< as state_base::open: itself, or, if it is part of a chart, one that is part of none

    // Of open(), which is returned.
    transition_spec& add_guard(const detail::op_parts& g);
    transition_spec& add_action(const detail::op_parts& a);
    void add_conditions(condition_group group);
    bool is_guarded() const { return !guards.empty() || !conditions.empty(); }
    bool asks_states() const { return !joined.empty() || !excluded.empty(); } ///< which of them are active
    void aim_at(const state_key& first);
    template <class... More> void aim_at_more(const More&... more) { (more_targets.push_back(target_spec(state_key(more))), ...); }

    state_base* source = nullptr;
    target_spec target;                      ///< none: internal
    bool has_target = false;                 ///< tells `to("")` from an internal reaction
    std::vector<target_spec> more_targets;   ///< of a fork: in other regions of a parallel
    std::vector<target_spec> joined;         ///< of a join: states that must be active, too
    std::vector<target_spec> excluded;       ///< while one of these states is active it does not fire
    event_key event;                         ///< none: polled
    bool on_finished = false;                ///< tried when the source is over
    std::vector<detail::guard> guards;       ///< all of them must hold, in this order
    std::vector<condition_group> conditions; ///< all of these must hold, too; they are asked first
    std::vector<condition_literal> asked;    ///< those that guards ask
    std::vector<detail::hook> actions;       ///< in this order
    int priority = 0;                        ///< higher is tried first
    std::uint32_t all_group = 0;             ///< which of the conditions is the group all of which must hold, if there is one
    bool reenter = false;
    bool external = false;
    bool always = false;     ///< polled, and tried after every transition as well
    bool force = false;      ///< does not wait for states that hold
    bool carry_over = false; ///< with `after`: the states that it enters count from the moment at which it was due
    bool defers = false;     ///< a reaction that keeps the event for a later state
    detail::delay after;     ///< since its source was entered
    detail::delay every;     ///< of a polled reaction: how often
    hsm::origin origin;
    bool of_class = false; ///< made by the registered class of its state, and not written in the file
};

/// The words of a transition that are there or not: as files and dumps write them.
struct transition_word {
    std::string_view name;
    bool transition_spec::*field;
};
inline constexpr transition_word transition_words[] = {
    {"reenter", &transition_spec::reenter}, {"external", &transition_spec::external},     {"always", &transition_spec::always},
    {"force", &transition_spec::force},     {"carry_over", &transition_spec::carry_over},
};

} // namespace hsm
