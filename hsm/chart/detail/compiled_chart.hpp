/// The data that the handles of a chart share: its tables, and the tree of nodes from which they were built.
#pragma once

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/chart/detail/chart_facts.hpp>
#include <hsm/chart/detail/neighbour_list.hpp>
#include <hsm/chart/finding.hpp>
#include <hsm/define/detail/limbo.hpp>

namespace hsm::detail {

/// Data that later folders compute when it is first needed.
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
    limbo frozen; ///< the states of the tree are frozen by it
    owned<state_base> tree;
    std::vector<finding> warnings;
    const chart_facts* facts = nullptr;       ///< for its view; built when it is first needed, by any thread
    const chart_core* traced_chart = nullptr; ///< built in the same way
    const chart_addition* image = nullptr;    ///< the same: save/detail/image_shape.hpp
};

} // namespace hsm::detail
