/// What the parts of a chart are called in documents.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail {

struct image_shape;

class saved_names {
public:
    explicit saved_names(const chart_core& core);

    std::vector<std::string> states;      ///< paths
    std::vector<std::string> transitions; ///< "hero/idle -> hero/fight on hit"; of equal ones the second is "... #2"
    std::vector<std::string> timers;      ///< of a state: "after -> hero/idle", "every", "least duration"
    std::vector<std::string> locals;      ///< of a state: their types
    std::vector<std::string> events;
    std::vector<std::string> conditions;

    struct found_state {
        index state = no_index;   ///< the innermost that is there still; no_index: not even the root
        bool is_all = false;      ///< the path leads there
        bool was_renamed = false; ///< by a former name
    };
    found_state find_state(std::string_view path) const;
    std::size_t find_transition(std::string_view name) const; ///< unknown: it is not there
    std::size_t find_event(std::string_view name) const;
    std::size_t find_condition(std::string_view name) const;
    std::size_t find_local(index state, std::string_view name) const;
    std::size_t find_timer(index state, std::string_view name) const; ///< also by former paths

    static constexpr std::size_t unknown = std::size_t(-1);

private:
    void name_transitions();
    void name_timers();
    std::string present(std::string_view text) const; ///< with paths as they are now

    using numbers = std::map<std::string, std::size_t, std::less<>>;
    const chart_core& core_;
    numbers by_transition_, by_event_, by_condition_;
};

const saved_names& names_of(const chart_core& core);

} // namespace hsm::detail
