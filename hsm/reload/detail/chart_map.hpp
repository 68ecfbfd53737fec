/// Where the parts of one chart are in another one. The machine's state is described with the names of the new chart, and read as a document is.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/define/owned.hpp>
#include <hsm/reload/reload_plan.hpp>
#include <hsm/replay/detail/log_format.hpp>
#include <hsm/save/detail/description.hpp>
#include <hsm/save/detail/image_layout.hpp>
#include <hsm/save/detail/saved_names.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail {

/// Which part of the new chart a part is. `to` is saved_names::unknown if it is dropped; for a state that is replaced, the state that replaces it.
struct mapped_part {
    std::size_t to = saved_names::unknown;
    reload_rule rule = reload_rule::dropped;
    bool is_exact() const { return rule != reload_rule::replaced && rule != reload_rule::dropped; }
};

struct chart_map {
    chart_map(const chart_base& from, const chart_base& to);

    /// An edit for the part with this number; `unknown` drops it.
    using edits = std::map<std::size_t, std::size_t>;
    /// Records an edit. Call find_all after the last one.
    void edit(std::string_view from, const std::string_view* to);
    void add(owned<reload_converter> converter);
    /// Applies all edits and finds the other parts.
    void find_all();

    /// Returns whether the charts are equal, except for their code, and each part keeps its place.
    bool is_identity() const;
    log_plan plan_in_log() const;

    const chart_core& before() const { return from.core(); }
    const chart_core& after() const { return to.core(); }
    const saved_names& old_names() const { return saved_names_of(before()); }
    const saved_names& new_names() const { return saved_names_of(after()); }
    /// Returns null if the types are equal, or if there is no converter.
    const reload_converter* converter_of(const local_type& type, const local_type& wanted) const;
    const reload_converter* converter_of(const event_type& type, const event_type& wanted) const;
    /// Ends names that the new chart does not have, so that they differ from its names.
    static constexpr char missing = '\x01';

    chart_base from, to;
    image_layout old_layout, new_layout; ///< refer to objects
    edits state_edits, event_edits, condition_edits;
    std::vector<owned<reload_converter>> converters;
    bool runs_hooks = false; ///< of active states that vanish or appear

    std::vector<mapped_part> states, events, conditions, locals;
    std::unique_ptr<const saved_names> names; ///< of the old chart's parts in the new chart

private:
    bool is_stale_ = true;
    mapped_part find_state(index s) const;
    void find_states(std::vector<std::string>& paths);
    void find_events(std::vector<std::string>& found);
    void find_conditions(std::vector<std::string>& found);
    void find_locals(std::vector<std::string>& found);
};

} // namespace hsm::detail
