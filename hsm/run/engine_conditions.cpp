// The conditions of an instance: set, asked, and what is watched of them while nothing happens.

#include <hsm/compile/condition_bits.hpp>
#include <hsm/define/lookup.hpp>
#include <hsm/run/engine_parts.hpp>
#include <hsm/run/error.hpp>

#include <string>

namespace hsm {

namespace {
std::string written(const condition_key& key) {
    if (!key.name.empty()) return '"' + std::string(key.name) + '"';
    if (key.name.data()) return "an empty name";
    if (key.spec) return "a condition of another definition";
    return key.index == condition().index() ? "an empty handle" : std::to_string(key.index);
}
} // namespace

std::uint32_t require_condition(const chart_core& core, const condition_key& key) {
    const auto number = core.find_condition(key);
    if (number != no_condition) return number;
    std::vector<std::string_view> names;
    for (const auto i : core.conditions_by_name) names.push_back(core.conditions[i]);
    const auto hint = !key.name.empty() && !names.empty() ? suggestion(key.name, names)
                                                          : "there are " + std::to_string(core.conditions.size()) + " bits, bit 0 with them";
    throw condition_error({code::unknown_condition, core.root->path(), written(key) + " is not a condition of this chart", hint});
}

std::uint32_t require_own_condition(const chart_core& core, const condition_key& key) {
    const auto number = require_condition(core, key);
    if (number != 0) return number;
    throw condition_error({code::unknown_condition, core.root->path(), "bit 0 cannot be set: it says whether the leaf is over",
                           "finish() marks the leaf as over"});
}

bool engine::holds(std::uint32_t condition) const {
    return condition == 0 ? leaf_is_over(*this, core(), where()) : condition_bits(*this, core())[condition];
}

bool engine::get_condition(const condition_key& key) const { return holds(require_condition(core(), key)); }

void engine::set_condition(const condition_key& key, condition_change to) {
    const auto number = require_own_condition(core(), key);
    if (only_looks()) return;
    condition_bits(*this, core()).change(number, to);
    if (to == condition_change::pulse) state |= state_posted; // the next tick has something to do
}

void engine::clear_conditions() {
    if (only_looks()) return;
    if (!core().conditions.empty()) condition_bits(*this, core()).clear();
}

bool engine::has_pulses() const { return !core().conditions.empty() && condition_bits(*this, core()).any_pulsed(); }

/// From here on a tick only has to look at the bits, as long as none of them matters to the leaf.
void engine::watch() {
    const auto& test = core().idle_tests[leaf];
    if (!test.known) return;
    auto& head = conditions_of(*this);
    head.unwanted = test.unwanted;
    head.watch = test.watch;
    if (core().has_over) head.bits = (head.bits & ~std::uint64_t(1)) | (leaf_is_over(*this, core(), leaf) ? 1 : 0);
    kept = watched;
}

} // namespace hsm
