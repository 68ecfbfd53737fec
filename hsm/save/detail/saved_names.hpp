/// The names of a chart's parts in documents.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail {

struct image_layout;

class saved_names {
public:
    explicit saved_names(const chart_core& core);
    /// Other names for the parts of a chart. Names of transitions and timers contain those of states and events. Only names can be read from it.
    saved_names(const saved_names& of, std::vector<std::string> paths, std::vector<std::string> event_names, std::vector<std::string> condition_names,
                std::vector<std::string> local_names);

    std::vector<std::string> states;      ///< paths
    std::vector<std::string> transitions; ///< "hero/idle -> hero/fight on hit"; duplicates get "... #2"
    std::vector<std::string> timers;      ///< within a state: "after -> hero/idle", "every", "least duration"
    std::vector<std::string> locals;      ///< within a state: their types
    std::vector<std::string> events;
    std::vector<std::string> conditions;

    struct found_state {
        index state = no_index;   ///< the innermost existing state on the path; no_index if even the root does not match
        bool is_all = false;      ///< whether the whole path exists
        bool was_renamed = false; ///< whether a former name was used
    };
    found_state find_state(std::string_view path) const;
    std::size_t find_transition(std::string_view name) const; ///< `unknown` if it does not exist
    std::size_t find_event(std::string_view name) const;
    std::size_t find_condition(std::string_view name) const;
    std::size_t find_local(index state, std::string_view name) const; ///< also by former names
    std::size_t find_timer(index state, std::string_view name) const; ///< also by former paths

    static constexpr std::size_t unknown = std::size_t(-1);

private:
    void name_transitions();
    void name_timers();
    std::string present(std::string_view text) const; ///< replaces former paths by current ones

    using numbers = std::map<std::string, std::size_t, std::less<>>;
    const chart_core& core_;
    numbers by_transition_, by_event_, by_condition_;
    std::multimap<std::string, std::size_t, std::less<>> former_locals_;
};

const saved_names& saved_names_of(const chart_core& core);

} // namespace hsm::detail
