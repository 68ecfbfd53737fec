/// A compiled definition: flat, immutable tables with plain indices. compiled_chart.hpp has the tree of nodes from which they were built.
#pragma once

#include <hsm/chart/detail/definition_tables.hpp>
#include <hsm/chart/detail/event_index.hpp>
#include <hsm/chart/detail/program_tables.hpp>
#include <hsm/chart/options.hpp>
#include <hsm/define/state_base.hpp>

#include <cstdint>
#include <vector>

namespace hsm::detail {

struct compiled_chart;

/// The limit for an instance without its queues. Offsets have 32 bits.
inline constexpr std::uint64_t most_memory = std::uint64_t(1) << 30;

/// Returns the next offset with that alignment, a power of two.
constexpr std::uint64_t aligned(std::uint64_t offset, std::uint64_t alignment) { return (offset + alignment - 1) & ~(alignment - 1); }

/// The offsets of the parts of an instance's block; vm/detail/block.hpp has a diagram.
struct block_layout {
    std::uint32_t hook_context = 0; ///< bytes before the front
    std::uint32_t front = 0;        ///< bytes before the block
    std::uint32_t conditions = 0;
    std::uint32_t times = 0;
    std::uint32_t marks = 0;
    std::uint32_t due = 0;
    std::uint32_t due_list = 0;
    std::uint32_t released = 0;
    std::uint32_t just_entered = 0;
    std::uint32_t barred = 0;
    std::uint32_t region_step = 0;
    std::uint32_t regions = 0;
    std::uint32_t enabled = 0;
    std::uint32_t looked_up = 0;
    std::uint32_t tried = 0;
    std::uint32_t offer = 0;
    std::uint32_t in_query = 0;
    std::uint32_t deferral = 0;
    std::uint32_t region_records = 0;
    std::uint32_t records = 0;
    std::uint32_t chance = 0;
    std::uint32_t cooldowns = 0;
    std::uint32_t holding = 0;
    std::uint32_t blocked = 0;
    std::uint32_t waiting = 0;
    std::uint32_t pending = 0;
    std::uint32_t requests = 0; ///< 0: none
    std::uint32_t payloads = 0;
    std::uint32_t payload_stride = 1; ///< of a payload that the block stores
    std::uint32_t locals = 0;
    std::uint32_t queues = 0;
    std::uint32_t alignment = 8;
    std::uint64_t size = 0; ///< bytes, without the queues; if it exceeds `most_memory`, the other members are undefined
};

/// What a chart uses. Code that only some charts need asks here.
struct chart_features {
    bool needs_reason = false;      ///< some hook reads its reason
    by_hook_kind<bool> has_hooks{}; ///< some state has hooks of that kind; `unhandled` also because of any_event
    bool acts_when_settled = false; ///< there are on_settled or on_leave_requested
    bool has_transients = false;
    bool has_projections = false;
    bool has_marks = false;           ///< some state has transitions on completion
    bool has_previous = false;        ///< a history state leads to the substate before the present one
    bool tracks_fired = false;        ///< records that a transition has fired, because another one is tried after each
    bool has_choosing = false;        ///< some state chooses by score or by chance
    bool has_chance = false;          ///< some state chooses by chance
    bool has_over = false;            ///< some transition tests is_over
    bool has_defers = false;          ///< some state defers events
    bool has_event_objects = false;   ///< some event has a payload with a destructor
    bool events_are_programs = false; ///< each event is one program of the leaf's row, and nothing else
    bool recalls_by_rows = false;     ///< a deferred event is handled by the program of the leaf's row, and nothing else
    bool steps_are_plain = false;     ///< a step consists of exits, action and entries, without holds, records or reports
    bool ticks_by_region = false;     ///< with regions: a tick is programs of their leaves
    bool ticks_continue = false;      ///< with one region: after a decision a tick continues with a section of the new leaf
    bool by_regions = false;          ///< regions, forks, or levels that depend on a history: one program per leaf is not enough
    bool by_parts = false;            ///< there are no programs or lists by leaf: each state has lists of its own candidates only
    bool traces_sections = false;     ///< of an observed machine: nothing but sections runs in a tick without events and pulses
    bool straight = false;            ///< a machine between calls can run an event's program directly
    bool catches_guards = false;      ///< compile_options::guard_error
    bool follows_each_update = false; ///< also of states without hooks: decisions can wait for holds, or raise events of failed guards
    bool carries = false;             ///< some transition has carry_over: a tick moves from one due moment to the next
    bool observed = false;            ///< it belongs to one machine: observed_core
    bool traced = false;              ///< its programs report records
};

/// A copy refers to the same tables, which the owner holds.
struct chart_core : event_index, definition_tables, program_tables, region_programs, chart_features {
    compiled_chart* owner = nullptr; ///< owns the tree and the tables
    compile_options options;
    std::uint16_t guard_error = no_index; ///< the event; no_index: no transition handles it

    block_layout layout;
    std::uint64_t block_size = 0; ///< bytes of an instance's locals and timers
    std::uint32_t block_alignment = 1;
    std::uint32_t event_size = 0; ///< of the largest payload
    std::uint32_t event_alignment = 1;

    /// Returns the state that is recorded when the machine exits while that leaf is active; 0: none.
    index recorded(index machine, index leaf) const {
        const bool forgotten = states[leaf].kind == state_kind::final && !options.remember_finals;
        const auto r = forgotten ? states[leaf].superstate : leaf;
        return r == machine ? index(0) : r;
    }
    /// Returns whether a previous state leads to this substate: finals, choices and other transient states are passed over.
    bool counts_as_previous(index s) const { return !states[s].transient && (states[s].kind != state_kind::final || options.remember_finals); }
    /// With ticks_by_region: where a tick continues after a decision at that depth by which this state has become a leaf.
    program section_after(index leaf, int decided) const {
        const auto& tick = states[leaf].tick;
        for (auto i = tick.first; i < tick.first + tick.count; ++i)
            if (sections[i].depth > decided) return sections[i].at;
        return tick_of_region(states[leaf].region + 1u);
    }
    /// Returns the number of the list of an event's candidates.
    std::uint32_t list_for(index region_leaf, std::uint32_t column) const {
        return list_rows.empty() ? program_for(region_leaf, column) : list_rows[states[region_leaf].row + column];
    }
    const op* const* row_of(index leaf) const {
        if (rows.empty()) return nullptr;
        return rows.data() + (by_regions ? std::size_t(leaf) * row_width : states[leaf].row);
    }
    /// Returns the row of a region that is not active.
    const op* const* no_programs() const { return rows.empty() ? nullptr : rows.data() + states.size() * row_width; }
    /// Returns whether a tick has an effect in this leaf.
    bool ticks_at(index leaf) const { return by_regions || by_parts || states[leaf].tick.count > 0; }
    program program_for(index leaf, std::uint32_t column) const; ///< 0: no program handles it
    /// Returns whether the machine raises events of this name, with this named_event or null.
    bool raises(std::uint16_t number, const void* payload) const;
    struct found_state {
        index state = no_index;
        bool ambiguous = false; ///< several states match: see named_by()
    };
    /// Returns the state that `key` names in a call from outside: see state_key.hpp.
    found_state find(const state_key& key) const;
    /// Returns all states that `key` can name in a call from outside, in preorder.
    std::vector<index> named_by(const state_key& key) const;
};

/// Shared ownership, counted across threads.
void add_user(const chart_core* core) noexcept;
void remove_user(const chart_core* core) noexcept;

} // namespace hsm::detail
