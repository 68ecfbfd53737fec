/// Converts a document to a snapshot that is valid for the chart. Parts that do not fit are left out and reported.
#pragma once

#include <hsm/save/detail/datum.hpp>
#include <hsm/save/detail/description.hpp>
#include <hsm/save/detail/saved_names.hpp>
#include <hsm/save/detail/tree_archive.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hsm::detail {

class understanding {
public:
    understanding(const chart_core& core, const datum& d, std::int64_t now, changes& changed)
        : core_(core), shape_(shape_of(core)), names_(names_of(core)), all_(d, core.root->path()), changed_(changed) {
        made_.head.now = now;
        made_.head.scale = 1.0;
    }

    snapshot run();
    std::optional<snapshot::queued_event> read_event(const document_part& from);

private:
    void note(const document_part& at, std::string what) { changed_.add(code::changed_chart, at.value().place, at.path(), std::move(what)); }
    void note(const document_part& at, const std::vector<misfit>& all) {
        for (const auto& each : all) changed_.add(code::changed_chart, each.place, at.path() + '/' + each.path, each.problem);
    }

    void read_head();

    // Active states: understand_states.cpp.

    /// Returns the state, or the innermost existing state that contains it. no_index if the root differs.
    index resolve(const document_part& at, const std::string& path);

    void read_leaves();
    /// Returns whether `wanted` already contains another substate of its machine.
    bool takes_place_of_another(index s, const std::vector<bool>& wanted) const;
    /// Sets the leaf of a region: the innermost state in `wanted`. A machine without a substate in `wanted` tries its entry choices in the next tick.
    void rest(std::size_t r, const std::vector<bool>& wanted);
    bool is_active(index s) const;
    /// For "due", "waiting", ...: returns no_index if the state is not active any more.
    index active_state(const document_part& at);

    void read_states();
    void tell_new(index s);
    /// Sets the state as if it had just been entered.
    void begin_state(index s);
    void read_state(index s, const document_part& from);
    void read_timer(index s, const std::string& name, const document_part& from);
    void read_local(index s, const std::string& name, const document_part& from);
    value_bytes value(const document_part& from, const value_shape& shape, const void* prototype);
    /// Keeps the order of the document. Without regions the order is fixed.
    void read_due();

    // History.

    void read_history();
    void read_record(std::size_t number, index owner, const document_part& from);
    bool make_record(snapshot::record_part& record, index owner, const std::vector<index>& leaves) const;

    // Conditions.

    void read_conditions();

    // Waiting items: understand_waiting.cpp.

    void read_waiting();
    void refuse_if_inactive(const char* name);
    std::size_t transition(const document_part& from);
    void read_one_waiting(const document_part& from);
    void read_pending(const document_part& from);
    value_bytes payload(const document_part& from, std::size_t event);
    std::size_t event(const document_part& from);
    void read_deferred(const document_part& from);
    void read_queue(const char* name, snapshot::queue which);
    /// For an event of several values the column depends on the value.
    std::uint32_t column_of(std::size_t number, const value_bytes& bytes) const;

    const chart_core& core_;
    const image_shape& shape_;
    const saved_names& names_;
    const document_part all_;
    changes& changed_;
    snapshot made_;
};

} // namespace hsm::detail
