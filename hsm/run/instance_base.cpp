#include <hsm/run/instance_base.hpp>

#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/memory.hpp>
#include <hsm/run/error.hpp>

#include <cstdint>
#include <new>
#include <string>
#include <utility>

namespace hsm {

using namespace detail;

namespace {
void* aligned_or_throw(const chart_core& core, void* memory) {
    const auto alignment = core.layout.alignment;
    if (reinterpret_cast<std::uintptr_t>(memory) % alignment == 0) return memory;
    throw usage_error({code::bad_option, core.root->path(), "the memory for an instance is not aligned to " + std::to_string(alignment) + " bytes",
                       "use the alignment that instance_memory(chart, options) returns"});
}
} // namespace

instance_base::instance_base(const chart_base& chart, void* context, const instance_options& options, void* memory)
    : engine_(require_chart(chart), context, options, aligned_or_throw(require_chart(chart), memory)) {}

memory_need instance_memory(const chart_base& chart, const instance_options& options) {
    const auto& core = require_chart(chart);
    return {instance_size(core, at_creation(options)), core.layout.alignment};
}

void instance_base::reserve() {
    if ((engine_.state & state_queues) && !require_queues(engine_, core_of(engine_))) throw std::bad_alloc();
}

result instance_base::start() { return calls::start(engine_); }
result instance_base::start(const state_key& target) { return calls::start(engine_, target); }
result instance_base::stop() { return calls::stop(engine_); }
result instance_base::update_for(time_span elapsed) { return calls::update(engine_, elapsed.nanoseconds()); }
result instance_base::decide() { return calls::decide(engine_); }
result instance_base::drain() { return calls::drain(engine_); }
result instance_base::change_to(const state_key& target) { return calls::change_to(engine_, target, false); }
result instance_base::force_to(const state_key& target) { return calls::change_to(engine_, target, true); }
result instance_base::release() { return calls::release(engine_, nullptr); }
result instance_base::release(const state_key& state) { return calls::release(engine_, &state); }
result instance_base::restart() { return calls::restart(engine_); }
result instance_base::destroy() { return calls::destroy(engine_); }
result instance_base::reset() { return calls::reset(engine_); }
result instance_base::set_state(const state_key& target) { return calls::set_state(engine_, target); }

result instance_base::take_over(instance_base& other) { return calls::take_over(engine_, other.engine_); }

can_result instance_base::can(std::string_view name, event_data data) const {
    const auto outcome = calls::can(engine_, detail::refer_name(name, std::move(data)));
    return {outcome, outcome == result::unhandled ? calls::suggestion_for(engine_, name) : std::string()};
}
result instance_base::finish() { return calls::finish(engine_, nullptr); }
result instance_base::finish(const state_key& state) { return calls::finish(engine_, &state); }

bool instance_base::finished() const { return (engine_.work & detail::work_over) != 0; }
state_ref instance_base::current() const { return calls::current(engine_); }
bool instance_base::is_in(const state_query& state) const { return calls::is_in(engine_, state); }
time_span instance_base::time_in_state(const state_key& state) const { return time_span::from_nanoseconds(calls::time_in_state(engine_, state)); }
time_span instance_base::time_in_state() const { return time_span::from_nanoseconds(active() ? calls::time_in_state(engine_, *current().get()) : 0); }
time_span instance_base::now() const { return time_span::from_nanoseconds(engine_.now); }
namespace {
[[noreturn]] HSM_NOINLINE void throw_no_mailbox(const machine& m) {
    throw usage_error({code::no_mailbox, calls::root_path(m), "the instance has no mailbox",
                       "set instance_options::mailbox to the number of events that are posted between two ticks"});
}
} // namespace
hsm::mailbox& instance_base::mailbox() const {
    if (auto* const there = calls::mailbox(engine_)) return *there;
    throw_no_mailbox(engine_);
}
std::size_t instance_base::queued() const { return calls::queued(engine_); }
std::uint64_t instance_base::lost() const { return calls::lost(engine_); }
void* instance_base::local_of(const local_type& type) const { return calls::local(engine_, current().get(), type); }
result instance_base::rebind_to(void* context) { return calls::rebind(engine_, context); }
void* instance_base::root_context() const { return calls::root_context(engine_); }

std::vector<state_ref> instance_base::leaves() const {
    std::vector<state_ref> found;
    for (auto leaf = calls::next_leaf(engine_, {}); leaf; leaf = calls::next_leaf(engine_, leaf)) found.push_back(leaf);
    return found;
}

std::vector<held_transition> instance_base::pending() const { return detail::calls::pending(engine_); }

std::string instance_base::path_of_leaves() const {
    std::string text;
    for (auto leaf = calls::next_leaf(engine_, {}); leaf; leaf = calls::next_leaf(engine_, leaf)) text += (text.empty() ? "" : ", ") + leaf.path();
    return text.empty() ? state_ref().path() : text;
}

std::string to_string(const instance_base& agent) { return agent.path_of_leaves(); }

} // namespace hsm
