#include <hsm/run/attachment.hpp>

#include <hsm/chart/detail/compiled_chart.hpp>
#include <hsm/run/detail/calls.hpp>
#include <hsm/run/detail/tracing.hpp>
#include <hsm/run/instance_base.hpp>

namespace hsm {

using namespace detail;

void attachment::detach() noexcept {
    auto* const link = std::exchange(link_, nullptr);
    if (!link) return;
    link->detach();
    end_use(link);
}

attachment::attachment(observer& to, record_kinds kinds) : link_(new observer_link(to, kinds)) {}

attachment instance_base::attach(observer& to, record_kinds kinds) {
    attachment handle(to, kinds);
    observe(engine_, handle.link());
    return handle;
}
attachment instance_base::attach(observer& to) { return attach(to, record_kinds::all()); }

namespace {
/// A handle to a chart of which only the tables are known.
class opened : public chart_base {
public:
    explicit opened(const chart_core& core) : chart_base(&core) { add_user(&core); }
};
} // namespace

chart_base moment::chart() const { return constant_ ? constant_->chart() : opened(*core_of(*machine_).owner); }

std::uint32_t moment::agent() const { return constant_ ? 0 : observation_of(*machine_).agent; }
std::uint16_t moment::generation() const { return constant_ ? std::uint16_t(0) : observation_of(*machine_).generation; }

time_span moment::now() const { return time_span::from_nanoseconds(constant_ ? constant_->now : machine_->now); }

bool moment::is_in(state_ref state) const {
    if (!state) return false;
    if (!constant_) return calls::is_in(*machine_, *state.get());
    const state_base* s = constant_->leaf == no_index ? nullptr : constant_->chart().state(constant_->leaf).get();
    while (s && s != state.get()) s = s->superstate();
    return s != nullptr;
}

const event_ref* moment::event() const {
    if (constant_) return constant_->event;
    auto& tracer = observation_of(*machine_);
    if (tracer.event || tracer.direct_event == no_index) return tracer.event;
    const auto& known = core_of(*machine_).event_refs[tracer.direct_event];
    tracer.event_made = core_of(*machine_).event_at(tracer.direct_event, machine_->payload);
    if (known.type->value) tracer.event_made.value = known.type->value(machine_->payload);
    return &tracer.event_made;
}

std::string moment::describe_event() const {
    const auto* const e = event();
    return e && e->type->describe && e->object ? e->type->describe(e->object) : std::string();
}

} // namespace hsm
