#include <hsm/run/detail/conditions.hpp>

#include <hsm/define/detail/lookup.hpp>
#include <hsm/run/detail/tracing.hpp>
#include <hsm/run/error.hpp>

#include <string>
#include <vector>

namespace hsm::detail {

namespace {
std::string written(const condition_key& key) {
    if (!key.name.empty()) return '"' + std::string(key.name) + '"';
    if (key.name.data()) return "an empty name";
    if (key.spec) return "a condition of another definition";
    return key.index == condition().index() ? "an empty handle" : "bit " + std::to_string(key.index);
}
} // namespace

namespace {
condition_step step_of(condition_change to) {
    return to == condition_change::pulse ? condition_step::pulse : to == condition_change::on ? condition_step::on : condition_step::off;
}
} // namespace

std::uint32_t require_condition(const chart_core& core, const condition_key& key) {
    const auto number = core.find_condition(key);
    if (number != no_condition) return number;
    std::vector<std::string_view> names;
    for (const auto i : core.conditions_by_name) names.push_back(core.conditions[i]);
    const auto hint = !key.name.empty() && !names.empty() ? suggestion(key.name, names)
                                                          : "the chart has " + std::to_string(core.conditions.size()) + " bits, including bit 0";
    throw condition_error({code::unknown_condition, core.root->path(), written(key) + " is not a condition of this chart", hint});
}

std::uint32_t require_own_condition(const chart_core& core, const condition_key& key) {
    const auto number = require_condition(core, key);
    if (number != 0) return number;
    throw condition_error({code::unknown_condition, core.root->path(), "bit 0 cannot be changed: it is set when the leaf is finished",
                           "call finish() to mark the leaf as finished"});
}

bool holds(const machine& m, const chart_core& core, std::uint32_t condition) {
    return condition == 0 ? leaf_is_over(m, core, where(m, core)) : condition_bits(m, core)[condition];
}

bool calls::get_condition(const machine& m, const condition_key& key) { return holds(m, core_of(m), require_condition(core_of(m), key)); }

void calls::set_condition(machine& m, const condition_key& key, condition_change to) {
    const auto number = require_own_condition(core_of(m), key);
    if (is_locked(m)) return;
    const auto kind = to == condition_change::pulse ? input_kind::pulse : to == condition_change::on ? input_kind::set : input_kind::clear;
    notify_input(m, core_of(m), {.kind = kind, .condition = number});
    condition_bits(m, core_of(m)).change(number, to);
    if (to == condition_change::pulse) m.state |= state_posted; // the next tick must end the pulse
    trace_condition(m, core_of(m), number, step_of(to));
    rethrow_thrown(m);
}

std::uint32_t require_trigger(const chart_core& core, const condition_key& key) {
    const auto number = require_own_condition(core, key);
    if (core.triggers.empty() || !(core.triggers[number / 64] >> number % 64 & 1))
        throw condition_error({code::unknown_condition, core.root->path(), written(key) + " is not a trigger",
                               "call .trigger() on the condition in the definition, or call set()"});
    return number;
}

void calls::trigger(machine& m, const condition_key& key) {
    set_condition(m, static_cast<int>(require_trigger(core_of(m), key)), condition_change::on);
}

void calls::clear_conditions(machine& m) {
    const auto& core = core_of(m);
    if (is_locked(m) || core.conditions.empty()) return;
    notify_input(m, core, {.kind = input_kind::clear_all});
    const condition_bits bits(m, core);
    for (std::uint32_t number = 1; core.traced && number < core.conditions.size(); ++number)
        if (bits[number]) trace_condition(m, core, number, condition_step::off);
    bits.clear();
    rethrow_thrown(m);
}

void trace_pulses(const machine& m, const chart_core& core) {
    const condition_bits bits(m, core);
    for (std::uint32_t number = 1; number < core.conditions.size(); ++number)
        if (bits.ending(number / 64) >> number % 64 & 1) trace_condition(m, core, number, condition_step::pulse_over);
}

void watch(machine& m, const chart_core& core) {
    const auto& test = core.idle_tests[m.leaf];
    stop_watching(m);
    if (!test.known) return;
    auto& head = conditions_of(m);
    head.unwanted = test.unwanted;
    head.watch = test.watch;
    if (core.has_over) head.bits = (head.bits & ~std::uint64_t(1)) | (leaf_is_over(m, core, m.leaf) ? 1 : 0);
    m.state |= state_watched;
}

} // namespace hsm::detail
