/// Collects the parts of a chart that a language cannot express.
#pragma once

#include <hsm/draw/detail/picture.hpp>
#include <hsm/draw/drawing.hpp>

#include <vector>

namespace hsm::detail {

class loss_list {
public:
    explicit loss_list(const chart_view& chart) : chart_(chart) {}

    void add(draw::loss_kind kind, const shape& s);
    void add(draw::loss_kind kind, const transition_view& t);
    std::vector<draw::loss> take(); ///< those of states first

private:
    const chart_view chart_;
    std::vector<draw::loss> of_states_, of_transitions_;
};

} // namespace hsm::detail
