#include <hsm/compile/chart.hpp>

#include <hsm/compile/chart_core.hpp>
#include <hsm/define/assert.hpp>

namespace hsm {

state_ref chart_base::root() const {
    return *core_->root;
}

state_ref chart_base::find(const state_key& key) const {
    const auto found = core_->find(key);
    return found == no_index ? state_ref() : state_ref(*core_->states[found].node);
}

condition chart_base::condition(std::string_view name) const {
    const auto number = core_->find_condition(name);
    return number == no_condition ? hsm::condition() : hsm::condition(static_cast<int>(number));
}

std::string_view chart_base::condition_name(std::size_t number) const {
    return number < core_->conditions.size() ? core_->conditions[number] : std::string_view();
}

std::size_t chart_base::condition_count() const { return core_->conditions.size(); }

std::size_t chart_base::state_count() const {
    return core_->states.size();
}

state_ref chart_base::state(std::size_t number) const {
    HSM_ASSERT(number < core_->states.size());
    return *core_->states[number].node;
}

const std::vector<finding>& chart_base::warnings() const {
    return core_->warnings;
}

} // namespace hsm
