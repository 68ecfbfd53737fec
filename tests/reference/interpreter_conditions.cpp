// Conditions, evaluated one by one as they were defined. It uses none of the chart's masks.

#include <tests/reference/interpreter_stage.hpp>

#include <hsm/define/detail/lookup.hpp>
#include <hsm/run/error.hpp>

#include <algorithm>
#include <string>

namespace hsm::detail {

std::uint32_t interpreter::require(const condition_key& key) const {
    const auto number = core_.find_condition(key);
    if (number != no_condition) return number;
    std::vector<std::string_view> names;
    for (const auto i : core_.conditions_by_name) names.push_back(core_.conditions[i]);
    throw condition_error({code::unknown_condition, core_.root->path(), '"' + std::string(key.name) + "\" is not a condition of this chart",
                           suggestion(key.name, names)});
}

bool interpreter::get_condition(const condition_key& key) const { return condition(require(key)); }

void interpreter::set_condition(const condition_key& key, condition_change to) {
    const auto number = require(key);
    if (number == 0) throw condition_error({code::unknown_condition, core_.root->path(), "bit 0 cannot be changed", "finish()"});
    if (looking_) return;
    bits_[number] = to != condition_change::off;
    pulses_[number] = to == condition_change::pulse ? pulse::set : pulse::none;
}

namespace {
bool is_trigger(const chart_core& core, std::uint32_t number) {
    const auto is_declared = [&](const auto& c) { return c->trigger && c->number == number; };
    return std::ranges::any_of(core.states, [&](const auto& s) { return std::ranges::any_of(s.node->conditions(), is_declared); });
}
} // namespace

void interpreter::trigger(const condition_key& key) {
    if (!is_trigger(core_, require(key))) throw condition_error({code::unknown_condition, core_.root->path(), "not a trigger", ""});
    set_condition(key, condition_change::on);
}

/// A reaction uses no triggers.
void interpreter::use_triggers(const transition_row& t) {
    if (t.target == no_index) return;
    const auto use = [&](const condition_literal& l) {
        const auto number = l.condition->number;
        if (!l.wanted || !is_trigger(core_, number)) return;
        bits_[number] = false;
        pulses_[number] = pulse::none;
    };
    for (const auto& g : t.spec->conditions) std::ranges::for_each(g.literals, use);
    std::ranges::for_each(t.spec->asked, use);
}

void interpreter::clear_conditions() {
    if (looking_) return;
    bits_.assign(bits_.size(), false);
    std::ranges::fill(pulses_, pulse::none);
}

bool interpreter::is_over(index leaf) const { return leaf != no_index && (finished_[leaf] || core_.states[leaf].kind == state_kind::final); }

bool interpreter::agree(const transition_row& t, bool over) const {
    const auto is_so = [&](const condition_literal& l) {
        const auto number = l.condition->number;
        return (number == 0 ? over : bits_[number]) == l.wanted;
    };
    return std::ranges::all_of(t.spec->conditions, [&](const condition_group& g) {
        return g.any ? std::ranges::any_of(g.literals, is_so) : std::ranges::all_of(g.literals, is_so);
    });
}

/// Makes the current pulses end with the tick.
void interpreter::begin_pulses() {
    for (auto& p : pulses_)
        if (p == pulse::set) p = pulse::ending;
}

void interpreter::end_pulses() {
    for (std::size_t i = 0; i < pulses_.size(); ++i) {
        if (pulses_[i] != pulse::ending) continue;
        bits_[i] = false;
        pulses_[i] = pulse::none;
    }
}

void interpreter::reset_entry_conditions(const std::vector<const transition_row*>& store_entered_by) {
    const auto clear = [&](const condition_literal& l) {
        if (!l.wanted || l.condition->number == 0) return;
        bits_[l.condition->number] = false;
        pulses_[l.condition->number] = pulse::none;
    };
    for (const auto* t : store_entered_by) {
        if (!t) continue;
        for (const auto& g : t->spec->conditions) std::ranges::for_each(g.literals, clear);
        std::ranges::for_each(t->spec->asked, clear);
    }
}

} // namespace hsm::detail
