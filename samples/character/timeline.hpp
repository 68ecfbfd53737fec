/// The history of a character's machine: its changes in order, and an account of every state.
///
/// Time is counted in frames in two ways: from enter to exit of each state, and from change to change of the leaf.
/// `contradictions` checks, among other things, that both are equal.
#pragma once

#include <samples/character/character.hpp>

#include <hsm/define/fsm.hpp>

#include <cstddef>
#include <string>
#include <vector>

struct change {
    std::size_t frame;
    hsm::state_ref from, to;
    hsm::reason why;
};

struct account {
    const hsm::state_base* state;
    std::size_t entries = 0;
    std::size_t exits = 0;
    std::size_t frames = 0;         ///< between enter and exit
    std::size_t frames_as_leaf = 0; ///< while it was the leaf
    std::size_t entered_at = 0;
};

class timeline {
public:
    timeline() = default;
    timeline(const timeline&) = delete; // the definition stores its address
    timeline& operator=(const timeline&) = delete;

    /// Adds its hooks to every state of a definition, which can then be compiled and run by one instance.
    void watch(hsm::fsm<character>& root);
    void next_frame() { ++frame_; }
    /// Call it after the machine was stopped.
    void close() { add_leaf_time(); }

    std::size_t frames() const { return frame_; }
    const std::vector<change>& changes() const { return changes_; }
    const std::vector<account>& accounts() const { return accounts_; } ///< in preorder, the root first
    std::vector<std::string> never_visited() const;
    /// Returns inconsistencies, as sentences. Call it after close().
    std::vector<std::string> contradictions() const;

private:
    void watch_tree(hsm::state_base& node);
    template <class Context> void watch_state(hsm::state<Context>& state, std::size_t number);
    void changed(hsm::state_ref from, hsm::state_ref to, hsm::reason why);
    void add_leaf_time();
    std::size_t leaf_frames_below(const hsm::state_base& state) const;

    std::vector<account> accounts_;
    std::vector<change> changes_;
    hsm::state_ref leaf_;
    std::size_t leaf_since_ = 0;
    std::size_t frame_ = 0;
    std::size_t gaps_ = 0; ///< changes that do not begin where the previous one ended
};

/// Returns "attack/whip/lash": without the root, which is the same for all.
std::string short_path(hsm::state_ref state);
