/// What handles of a chart share: its tables, and the tree of nodes that they were made from.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/chart/detail/chart_facts.hpp>
#include <hsm/chart/detail/neighbour_list.hpp>
#include <hsm/chart/finding.hpp>
#include <hsm/define/detail/limbo.hpp>

namespace hsm::detail {

/// What is worked out when it is first needed, by folders that stand on this one.
struct chart_addition {
    virtual ~chart_addition() = default;
};

struct compiled_chart : chart_core {
    compiled_chart() { owner = this; }
    compiled_chart(const compiled_chart&) = delete;
    ~compiled_chart() {
        delete traced_chart;
        delete facts;
        delete image;
    }

    std::uint32_t users = 1; ///< handles that share it; changed atomically, by add_user and remove_user only
    neighbour_list neighbours;
    limbo frozen; ///< what the states of the tree are
    owned<state_base> tree;
    std::vector<finding> warnings;
    const chart_facts* facts = nullptr;       ///< the same: for its view
    const chart_core* traced_chart = nullptr; ///< made when it is first needed, in whatever thread
    const chart_addition* image = nullptr;    ///< the same: save/detail/image_shape.hpp
};

} // namespace hsm::detail
