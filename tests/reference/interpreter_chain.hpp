/// Counts the transitions that follow from one another, and finds the cycle if there are too many.
#pragma once

#include <tests/reference/interpreter.hpp>

#include <hsm/run/error.hpp>

#include <algorithm>
#include <optional>
#include <string>

namespace hsm::detail {

struct interpreter::chain {
    const interpreter& self;
    std::vector<std::vector<index>> trail = {}; ///< the leaves before each link
    std::optional<std::size_t> offered = {};    ///< during a recall: the deferred event that is next

    /// Call it before each link.
    void link() {
        if (trail.size() == self.chain_limit_)
            throw chain_error({code::chain, self.core_.root->path(),
                               "after " + std::to_string(trail.size()) + " transitions in a row, the chain has not ended: " + cycle(),
                               "guard one of these transitions; if the chain is intended to be this long, raise chain_limit"});
        trail.push_back(self.leaf_states());
    }

    /// Returns the shortest sequence that the end of the trail repeats.
    std::string cycle() const {
        const auto repeats = [&](std::size_t period) {
            return std::equal(trail.end() - static_cast<std::ptrdiff_t>(period), trail.end(), trail.end() - static_cast<std::ptrdiff_t>(2 * period));
        };
        std::size_t period = 1;
        while (2 * period <= trail.size() && !repeats(period)) ++period;
        if (2 * period > trail.size()) period = std::min<std::size_t>(trail.size(), 8);
        std::string text;
        for (auto i = trail.size() - period; i < trail.size(); ++i) text += named(trail[i]) + " -> ";
        return text + named(self.leaf_states());
    }

    std::string named(const std::vector<index>& leaves) const {
        std::string text;
        for (const auto s : leaves) text += (text.empty() ? "" : " + ") + self.node(s)->path();
        return text.empty() ? "none" : text;
    }
};

} // namespace hsm::detail
