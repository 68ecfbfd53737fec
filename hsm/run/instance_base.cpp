#include <hsm/run/instance_base.hpp>

#include <hsm/compile/chart_core.hpp>
#include <hsm/define/assert.hpp>

namespace hsm {

instance_base::instance_base(const chart_base& chart, void* context, const instance_options& options, void* memory)
    : engine_((HSM_ASSERT(chart), chart.core()), context, options, memory) {}

memory_need instance_memory(const chart_base& chart, const instance_options& options) {
    return {engine::block_size(chart.core(), options), engine::block_alignment(chart.core())};
}

result instance_base::start() { return engine_.start(); }
result instance_base::start(const state_key& target) { return engine_.start(target); }
result instance_base::stop() { return engine_.stop(); }
result instance_base::update_for(time_span elapsed) { return engine_.update(elapsed.nanoseconds()); }
result instance_base::decide() { return engine_.decide(); }
result instance_base::drain() { return engine_.drain(); }
result instance_base::change_to(const state_key& target) { return engine_.change_to(target, false); }
result instance_base::force_to(const state_key& target) { return engine_.change_to(target, true); }
result instance_base::release() { return engine_.release(nullptr); }
result instance_base::release(const state_key& state) { return engine_.release(&state); }
result instance_base::restart() { return engine_.restart(); }
result instance_base::destroy() { return engine_.destroy(); }
result instance_base::reset() { return engine_.reset(); }
result instance_base::set_state(const state_key& target) { return engine_.set_state(target); }

result instance_base::take_over(instance_base& other) { return engine_.take_over(other.engine_); }

prospect instance_base::can(std::string_view name) const {
    const auto outcome = engine_.can(detail::refer_name(name));
    return {outcome, outcome == result::unhandled ? engine_.suggestion_for(name) : std::string()};
}
result instance_base::finish() { return engine_.mark_finished(nullptr); }
result instance_base::finish(const state_key& state) { return engine_.mark_finished(&state); }

bool instance_base::finished() const { return engine_.is_finished(); }
state_ref instance_base::current() const { return engine_.current(); }
bool instance_base::is_in(const state_key& state) const { return engine_.is_in(state); }
time_span instance_base::time_in_state(const state_key& state) const {
    return time_span::from_nanoseconds(engine_.time_in_state(state));
}
time_span instance_base::time_in_state() const {
    return time_span::from_nanoseconds(active() ? engine_.time_in_state(*current().get()) : 0);
}
time_span instance_base::now() const { return time_span::from_nanoseconds(engine_.now); }
hsm::mailbox& instance_base::mailbox() const {
    auto* const there = engine_.mailbox();
    HSM_ASSERT(there && "instance_options::mailbox");
    return *there;
}
std::size_t instance_base::queued() const { return engine_.queued(); }
void* instance_base::local_of(const local_type& type) const { return engine_.local(current().get(), type); }
void* instance_base::root_context() const { return engine_.root_context(); }

std::vector<state_ref> instance_base::leaves() const {
    std::vector<state_ref> found;
    for (auto leaf = engine_.next_leaf({}); leaf; leaf = engine_.next_leaf(leaf)) found.push_back(leaf);
    return found;
}

} // namespace hsm
