/// Converts a document to a snapshot that is valid for the chart. Parts that do not fit are left out and reported.
#pragma once

#include <hsm/save/detail/description.hpp>
#include <hsm/save/detail/json_archive.hpp>
#include <hsm/save/detail/json_value.hpp>
#include <hsm/save/detail/saved_names.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace hsm::detail {

class snapshot_decoder {
public:
    snapshot_decoder(const chart_core& core, const image_layout& layout, const json_value& d, std::int64_t now, changes& changed)
        : core_(core), layout_(layout), names_(saved_names_of(core)), all_(d, core.root->path()), changed_(changed) {
        made_.head.now = now;
        made_.head.scale = 1.0;
    }

    snapshot run();
    std::optional<snapshot::queued_event> read_event(const document_node& from);

private:
    void note(const document_node& at, std::string what) { changed_.add(code::changed_chart, at.value().place, at.path(), std::move(what)); }

    // Active states.

    /// Returns the state, or the innermost existing state that contains it. no_index if the root differs.
    index resolve(const document_node& at, const std::string& path);

    void read_leaves();
    /// Returns whether `wanted` already contains another substate of its machine.
    bool is_excluded(index s, const std::vector<bool>& wanted) const;
    /// Sets the leaf of a region: the innermost state in `wanted`. A machine without a substate in `wanted` tries its entry choices in the next tick.
    void rest(std::size_t r, const std::vector<bool>& wanted);
    bool is_active(index s) const;
    /// For "due", "waiting", ...: returns no_index if the state is not active any more.
    index active_state(const document_node& at);

    void read_states();
    void report_new(index s);
    void report_new_timers(index s, std::span<const std::size_t> saved);
    /// Sets the state as if it had just been entered.
    void begin_state(index s);
    void read_state(index s, const document_node& from);
    void read_timer(index s, const std::string& name, const document_node& from);
    void read_local(index s, const std::string& name, const document_node& from, const document_node& all);
    /// Of a polled transition, or, with no_transition, of what is pending in the slot.
    void read_leave_request(const document_node& at, index s, std::uint32_t transition, std::size_t slot);
    /// Keeps the order of the document. Without regions the order is fixed.
    void read_due();

    // History.

    void read_history();
    void read_chance();
    void read_cooldowns();
    void read_record(std::size_t number, index owner, const document_node& from);
    bool make_record(snapshot::history_entry& record, index owner, const std::vector<index>& leaves) const;

    // Conditions.

    void read_conditions();

    // Waiting items: decode_waiting.cpp.

    void read_waiting();
    void refuse_if_inactive(const char* name);
    std::size_t transition(const document_node& from);
    void read_one_waiting(const document_node& from);
    void read_pending(const document_node& from);
    value_bytes payload(const document_node& from, std::size_t event);
    std::size_t event(const document_node& from);
    void read_deferred(const document_node& from);
    void read_queue(const char* name, snapshot::queue which);
    /// For an event of several values the column depends on the value.
    std::uint32_t column_of(std::size_t number, const value_bytes& bytes) const;

    const chart_core& core_;
    const image_layout& layout_;
    const saved_names& names_;
    const document_node all_;
    changes& changed_;
    snapshot made_;
};

} // namespace hsm::detail
