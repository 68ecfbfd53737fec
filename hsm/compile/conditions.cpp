#include <hsm/chart/detail/chart_core.hpp>
#include <hsm/compile/detail/check_parts.hpp>
#include <hsm/compile/detail/tables.hpp>
#include <hsm/define/detail/lookup.hpp>
#include <hsm/define/detail/shown.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <bit>
#include <map>
#include <set>
#include <string>
#include <string_view>

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
            return problem(fmt::format("{} has the index {}", c.name.empty() ? "a condition" : fmt::format("the condition \"{}\"", shown(c.name)), c.index),
                           fmt::format("use an index from 1 to {}", most_conditions - 1));
        if (c.index == 0 && !c.name.empty())
            return problem(fmt::format("the condition \"{}\" has the index 0", shown(c.name)), "use an index of 1 or more: bit 0 is set when the leaf is finished");
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

// Findings about the names of conditions: missing declarations and probable misspellings.

namespace {

template <class Visit> void each_condition(const outline& o, Visit visit) {
    for (const auto& s : o.states)
        for (const auto& c : s.node->conditions()) visit(*c);
}

bool is_mistaken(const condition_spec& c) { return c.name == "!" || c.name.starts_with('!'); } // reported elsewhere

bool wants_declarations(const state_base* s) {
    for (; s; s = s->superstate())
        if (s->conditions_are_declared()) return true;
    return false;
}

} // namespace

void check_declared(const outline& o, finding_list& out) {
    const auto asks = [](const auto& s) { return s.node->conditions_are_declared(); };
    if (std::ranges::none_of(o.states, asks)) return;
    std::vector<std::string_view> names;
    std::set<std::string_view> declared;
    std::set<std::int64_t> bits{0};
    each_condition(o, [&](const condition_spec& c) {
        if (!c.declared) return;
        if (c.index != condition_spec::any_index) bits.insert(c.index);
        if (!c.name.empty() && declared.insert(c.name).second) names.push_back(c.name);
    });
    each_condition(o, [&](const condition_spec& c) {
        const bool by_bit = c.name.empty() && c.index != condition_spec::any_index;
        if (c.declared || is_mistaken(c) || (c.name.empty() && !by_bit) || !wants_declarations(c.owner)) return;
        if (by_bit ? bits.contains(c.index) || c.index < 0 : declared.contains(c.name)) return;
        const auto what = by_bit ? fmt::format("bit {}", c.index) : '"' + shown(c.name) + '"';
        auto hint = by_bit ? std::string() : suggestion(c.name, names);
        if (hint.empty()) hint = by_bit ? fmt::format("declare it: root->condition(\"name\", {})", c.index) : "declare it: root->condition(\"name\")";
        out.add(code::undeclared_condition, *c.owner, fmt::format("a transition requires the condition {}, which is not declared", what),
                std::move(hint), position_of(c));
    });
}

namespace {

bool is_lower(char c) { return c >= 'a' && c <= 'z'; }
bool is_upper(char c) { return c >= 'A' && c <= 'Z'; }

bool is_digit(char c) { return c >= '0' && c <= '9'; }

/// Returns the name without case and separators. Separators between digits stay.
std::string plain(std::string_view name) {
    std::string text;
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        const bool between_numbers = i > 0 && i + 1 < name.size() && is_digit(name[i - 1]) && is_digit(name[i + 1]);
        if ((c == '_' || c == '-' || c == ' ') && !between_numbers) continue;
        text += is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
    }
    return text;
}

/// Returns whether one name is probably a misspelling of the other: they differ by one letter inside a word, by two exchanged letters, or by
/// separators. Names that differ by a word of one letter or by a number belong together: AxisX and AxisY, key_1 and key_2.
bool reads_like(std::string_view a, std::string_view b) {
    if (plain(a) == plain(b)) return true;
    if (a.size() > b.size()) std::swap(a, b);
    if (a.size() < 4 || b.size() - a.size() > 1) return false;
    const auto first = static_cast<std::size_t>(std::ranges::mismatch(a, b).in1 - a.begin());
    const auto rest_a = a.substr(first), rest_b = b.substr(first);
    const auto in_a_word = [](std::string_view name, std::size_t at) {
        return is_lower(name[at]) && at > 0 && (is_lower(name[at - 1]) || is_upper(name[at - 1]));
    };
    if (a.size() < b.size()) return in_a_word(b, first) && rest_a == rest_b.substr(1);
    if (rest_a.substr(1) == rest_b.substr(1)) return in_a_word(a, first) && in_a_word(b, first);
    const auto is_letter = [](char c) { return is_lower(c) || is_upper(c); };
    return rest_a.size() > 1 && is_letter(rest_a[0]) && is_letter(rest_a[1]) && rest_a[0] == rest_b[1] && rest_a[1] == rest_b[0] &&
           rest_a.substr(2) == rest_b.substr(2);
}

/// A name, and how often it is used.
struct asked_name {
    const condition_spec* first = nullptr;
    std::size_t times = 0;
    bool declared = false;
    std::size_t place = 0; ///< in the order of use
};

std::map<std::string_view, asked_name> asked_names_of(const outline& o) {
    std::map<std::string_view, asked_name> names;
    std::set<const condition_spec*> asked;
    const auto note = [&](const condition_literal& l) {
        asked.insert(l.condition);
        ++names[l.condition->name].times;
    };
    for (const auto& t : o.transitions) {
        for (const auto& group : t.spec->conditions) std::ranges::for_each(group.literals, note);
        std::ranges::for_each(t.spec->asked, note);
    }
    std::size_t place = 0;
    each_condition(o, [&](const condition_spec& c) {
        auto& name = names[c.name];
        if (!name.first) name.first = &c, name.place = place++;
        name.declared |= c.declared;
        if (!asked.contains(&c)) ++name.times; // used in a hold
    });
    names.erase("");
    return names;
}

} // namespace

void check_misspelt(const outline& o, finding_list& out) {
    const auto names = asked_names_of(o);
    std::size_t left = 1'000'000; // pairs: limits the time for definitions with many names
    for (const auto& [name, a] : names) {
        if (a.times != 1 || a.declared) continue;
        for (const auto& [other, b] : names) {
            if (left-- == 0) return;
            const bool is_surer = b.declared || b.times > 1 || b.place < a.place;
            if (name == other || !is_surer || !reads_like(name, other)) continue;
            out.add(code::misspelt_condition, *a.first->owner,
                    fmt::format("the condition \"{}\" is used once, and is similar to \"{}\"", shown(name), shown(other)),
                    "if both are intended, declare each with root->condition(...)", position_of(*a.first));
            break;
        }
    }
}

} // namespace hsm::detail
