#include <hsm/run/instance_base.hpp>

#include <hsm/run/engine_parts.hpp>
#include <hsm/run/error.hpp>

#include <cstdint>
#include <string>

namespace hsm {

const chart_core& require_chart(const chart_base& chart) {
    if (chart) return chart.core();
    throw usage_error({code::no_chart, "(no chart)", "the chart is empty: it was moved from, or could not be compiled",
                       "keep the chart where it is, and ask try_compile's result whether there is one"});
}

namespace {
void* aligned_or_throw(const chart_core& core, void* memory) {
    const auto alignment = engine::block_alignment(core);
    if (reinterpret_cast<std::uintptr_t>(memory) % alignment == 0) return memory;
    throw usage_error({code::bad_option, core.root->path(), "the memory for an instance is not aligned to " + std::to_string(alignment) + " bytes",
                       "instance_memory(chart, options) says how it must be"});
}
} // namespace

instance_base::instance_base(const chart_base& chart, void* context, const instance_options& options, void* memory)
    : engine_(require_chart(chart), context, options, aligned_or_throw(require_chart(chart), memory)) {}

memory_need instance_memory(const chart_base& chart, const instance_options& options) {
    const auto& core = require_chart(chart);
    return {engine::block_size(core, options), engine::block_alignment(core)};
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
    if (auto* const there = engine_.mailbox()) return *there;
    throw usage_error({code::no_mailbox, engine_.root_path(), "the instance has no mailbox", "instance_options::mailbox says how many events it is for"});
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
