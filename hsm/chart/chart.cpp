#include <hsm/chart/chart.hpp>

#include <hsm/chart/detail/compiled_chart.hpp>

namespace hsm {

using namespace detail;

state_ref chart_base::root() const { return core_ ? state_ref(*core_->root) : state_ref(); }

state_ref chart_base::find(const state_key& key) const {
    const auto found = core_ ? core_->find(key) : chart_core::found_state();
    return found.state == no_index || found.ambiguous ? state_ref() : state_ref(*core_->states[found.state].node);
}

condition chart_base::condition(std::string_view name) const {
    const auto number = core_ ? core_->find_condition(name) : no_condition;
    return number == no_condition ? hsm::condition() : hsm::condition(static_cast<int>(number));
}

std::string_view chart_base::condition_name(std::size_t number) const {
    return number < condition_count() ? core_->conditions[number] : std::string_view();
}

std::size_t chart_base::condition_count() const { return core_ ? core_->conditions.size() : 0; }

std::size_t chart_base::state_count() const { return core_ ? core_->states.size() : 0; }

state_ref chart_base::state(std::size_t number) const { return number < state_count() ? state_ref(*core_->states[number].node) : state_ref(); }

const std::vector<finding>& chart_base::warnings() const {
    static const std::vector<finding> none;
    return core_ ? core_->owner->warnings : none;
}

} // namespace hsm
