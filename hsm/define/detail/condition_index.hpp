/// Finds the conditions of a state by name and index, in states with many conditions.
#pragma once

#include <hsm/define/condition.hpp>

#include <string_view>
#include <unordered_map>
#include <utility>

namespace hsm::detail {

struct condition_index {
    using key = std::pair<std::string_view, std::int64_t>; ///< any_index: the first condition with that name
    struct hash {
        std::size_t operator()(const key& k) const {
            return std::hash<std::string_view>()(k.first) + static_cast<std::size_t>(k.second) * 0x9e3779b1;
        }
    };
    std::unordered_map<key, condition_spec*, hash> specs;

    void add(condition_spec& c) {
        if (!c.name.empty()) specs.try_emplace({c.name, condition_spec::any_index}, &c);
        if (c.index != condition_spec::any_index) specs.try_emplace({c.name, c.index}, &c);
    }
    condition_spec* find(std::string_view name, std::int64_t index) const {
        const auto at = [&](std::int64_t i) {
            const auto found = specs.find({name, i});
            return found == specs.end() ? nullptr : found->second;
        };
        auto* const first = at(condition_spec::any_index);
        if (index == condition_spec::any_index || (first && first->index == condition_spec::any_index)) return first;
        return at(index);
    }
};

} // namespace hsm::detail
