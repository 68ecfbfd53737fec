#include <hsm/compile/detail/tables.hpp>

#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/define/detail/shown.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <bit>
#include <map>

namespace hsm::detail {

namespace {

bool is_indexed(const condition_spec& c) { return c.index != condition_spec::any_index; }

class numbering {
public:
    numbering(const outline& o, finding_list& out) : out_(out) {
        for (const auto& s : o.states)
            for (const auto& c : s.node->conditions())
                if (is_good(*c)) specs_.push_back(c.get());
        for (const auto& t : o.transitions) check_owners(o, *t.spec);
    }

    std::vector<std::string_view> run() {
        if (specs_.empty()) return {};
        findings_of_mistakes mistakes(out_);
        for (const auto* c : specs_)
            if (is_indexed(*c)) given_.add(*c, mistakes);
        for (const auto* c : specs_) c->number = is_indexed(*c) ? static_cast<std::uint32_t>(c->index) : number_of(*c);
        std::vector<std::string_view> names(names_.rbegin()->first + 1);
        for (const auto& [number, name] : names_) names[number] = name;
        return names;
    }

private:
    bool is_good(const condition_spec& c) {
        const auto problem = [&](std::string text, std::string_view hint) {
            out_.add(code::bad_condition, *c.owner, std::move(text), std::string(hint), position_of(c));
            return false;
        };
        if (c.name == "!") return problem("a condition has an empty name", "pass a name, or call root->condition() for a condition without a name");
        if (c.name.starts_with('!'))
            return problem(fmt::format("the name of a condition begins with '!': \"{}\"", shown(c.name)),
                           "write one '!': it negates the condition and is not part of the name");
        if (!is_indexed(c)) return true;
        if (c.name.empty() && c.index == condition().index())
            return problem("a transition uses an empty condition handle",
                           "get a handle from root->condition(); chart.condition() returns an empty one for an unknown name");
        if (c.index < 0 || c.index >= static_cast<int>(most_conditions))
            return problem(fmt::format("{} has the index {}", c.name.empty() ? "a condition" : '"' + shown(c.name) + '"', c.index),
                           fmt::format("use an index from 1 to {}", most_conditions - 1));
        if (c.index == 0 && !c.name.empty())
            return problem(fmt::format("\"{}\" has the index 0", shown(c.name)), "use an index from 1; bit 0 is set when the leaf is finished");
        return true;
    }

    /// Reports handles to conditions of another tree.
    void check_owners(const outline& o, const transition_spec& spec) {
        const auto check = [&](const condition_literal& l) {
            if (o.index_of(*l.condition->owner) == no_index)
                out_.add(code::bad_condition, *spec.source, "a transition uses a condition of another tree",
                         "create the condition in the tree that uses it", hsm::position_of(spec));
        };
        for (const auto& group : spec.conditions) std::ranges::for_each(group.literals, check);
        std::ranges::for_each(spec.asked, check);
    }

    std::uint32_t number_of(const condition_spec& c) {
        if (!c.name.empty())
            if (const auto known = numbers_.find(c.name); known != numbers_.end()) return known->second;
        while (names_.contains(free_)) ++free_;
        names_[free_] = c.name;
        if (!c.name.empty()) numbers_[c.name] = free_;
        return free_;
    }

    finding_list& out_;
    std::vector<const condition_spec*> specs_;
    given_indices given_;
    std::map<std::uint32_t, std::string_view>& names_ = given_.names;
    std::map<std::string_view, std::uint32_t>& numbers_ = given_.numbers;
    std::uint32_t free_ = 1;
};

/// Takes the literals that do not contradict earlier ones, and leaves the others in the list.
std::vector<condition_mask> take_masks(std::vector<condition_literal>& literals) {
    std::map<std::uint32_t, condition_mask> words;
    std::erase_if(literals, [&](const condition_literal& l) {
        const auto bit = std::uint64_t(1) << l.condition->number % 64;
        auto& m = words.try_emplace(l.condition->number / 64, condition_mask{l.condition->number / 64, 0, 0}).first->second;
        if ((m.filter & bit) && ((m.mask & bit) != 0) != l.wanted) return false;
        m.filter |= bit;
        if (l.wanted) m.mask |= bit;
        return true;
    });
    std::vector<condition_mask> masks;
    for (const auto& [word, m] : words) masks.push_back(m);
    return masks;
}

} // namespace

std::vector<std::string_view> number_conditions(const outline& o, finding_list& out) { return numbering(o, out).run(); }

std::uint32_t add_groups(chart_core& core, const transition_spec& spec) {
    const auto before = core.groups.size();
    for (const auto& group : spec.conditions) {
        auto literals = group.literals;
        do {
            const auto masks = take_masks(literals);
            if (group.any && !literals.empty()) break; // any of a condition and its negation always holds
            const bool tests_finished = std::ranges::any_of(masks, [](const auto& m) { return m.word == 0 && (m.filter & 1); });
            const bool one = masks.size() == 1 && std::has_single_bit(masks[0].filter); // one condition, written several times
            core.groups.push_back(
                {static_cast<std::uint32_t>(core.masks.size()), static_cast<std::uint32_t>(masks.size()), group.any && !one, tests_finished});
            core.masks.insert(core.masks.end(), masks.begin(), masks.end());
        } while (!literals.empty());
    }
    return static_cast<std::uint32_t>(core.groups.size() - before);
}

std::uint32_t add_positives(chart_core& core, const transition_spec& spec) {
    std::map<std::uint32_t, std::uint64_t> words;
    const auto add = [&](const condition_literal& l) {
        if (l.wanted && l.condition->number != 0) words[l.condition->number / 64] |= std::uint64_t(1) << l.condition->number % 64;
    };
    for (const auto& group : spec.conditions) std::ranges::for_each(group.literals, add);
    std::ranges::for_each(spec.asked, add);
    for (const auto& [word, bits] : words) core.masks.push_back({word, bits, bits});
    return static_cast<std::uint32_t>(words.size());
}

} // namespace hsm::detail
