#include <hsm/replay/detail/logged.hpp>

#include <hsm/op/detail/compiler.hpp>
#include <hsm/replay/detail/machine_calls.hpp>
#include <hsm/run/attachment.hpp>
#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/run/detail/tracing.hpp>
#include <hsm/save/detail/description.hpp>
#include <hsm/save/detail/image_machine.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {

class instance_in_log final : public logged, private call_listener {
public:
    explicit instance_in_log(instance_base& agent) : agent_(agent), object_(agent) {
        image_size_of(object_); // throws if it cannot be saved
        const auto is_value = [](const value_layout& v) { return v.form != value_layout::bytes || (v.type->traits & value_is_bytes); };
        bytes_are_value_ = std::ranges::all_of(layout().locals, is_value) && std::ranges::all_of(layout().events, is_value);
    }

    log_machine made_as() const override { return {.chart = layout().chart, .layout = layout().layout}; }
    const chart_core* core() const override { return &core_of(engine()); }
    void require_hash() const override { require_saveable(core_of(engine()), saving::hash); }

    const savable& object() const override { return object_; }
    bool is_busy() const override { return detail::is_busy(engine()); }
    /// Not during the report of a call's end: another observer can then call other machines.
    bool is_in_call() const override { return core_of(engine()).observed && observation_of(engine()).in_call; }
    std::uint64_t hash(std::span<const std::byte> image) const override {
        return bytes_are_value_ ? checksum_of_bytes({}, image) : hash_of_image(core_of(engine()), image);
    }

    void listen(call_sink& to, std::uint32_t number) override {
        sink = &to;
        number_ = number;
        attached_ = agent_.attach(*this, record_kind::configuration | record_kind::error);
    }
    void take_mail() override { sink ? notify_mail(engine(), core_of(engine())) : gather_mail(engine()); }
    void make(const log_call& what, std::uint64_t call) override {
        auto& m = instance_access::engine_of(agent_);
        if (what.code == static_cast<int>(input_kind::tick)) [[likely]]
            return pass_over([&] { m.tick(static_cast<std::int64_t>(what.number)); });
        make_machine_call(m, what, call);
    }

private:
    reloaded_object reloaded() const override { return {.agent = &agent_}; }
    machine& engine() const { return instance_access::engine_of(agent_); }
    const image_layout& layout() const { return image_layout_of(core_of(engine())); } ///< of the present chart: a reload changes it

    void on_input(const input& what, const moment&) override {
        if (what.kind == input_kind::tick)
            return sink->log_or_store_state([&] { sink->note_tick(number_, static_cast<std::uint64_t>(what.elapsed)); });
        note_other(what);
    }
    HSM_NOINLINE void note_other(const input& what) {
        if (what.kind == input_kind::reload) return sink->log_or_store_state([&] { sink->reload(number_, what.plan, what.failed); });
        if (sink->is_in_call()) return;
        sink->log_or_store_state([&] {
            const bool is_mail = what.kind == input_kind::mailed;
            if (!is_mail) sink->prepare();
            const auto call = call_of(core_of(engine()), what, payload_);
            if (is_mail)
                sink->log_arrival(number_, call);
            else
                sink->note(number_, call);
        });
    }

    instance_base& agent_;
    const savable_instance object_;
    bool bytes_are_value_ = false; ///< equal machines have equal images
    std::uint32_t number_ = 0;
    std::vector<std::byte> payload_;
    attachment attached_;
};

} // namespace

void call_listener::on_record(const record& r, const moment&) {
    if (r.kind == record_kind::call) sink->begin_call();
    if (r.kind == record_kind::call_end) sink->end_call();
    if (r.kind == record_kind::error) sink->call_failed();
    if (r.kind != record_kind::configuration) return;
    const auto why = static_cast<configuration_reason>(r.what);
    if (why == configuration_reason::restored || why == configuration_reason::take_over) sink->store_state();
}

std::unique_ptr<logged> logged_instance(instance_base& agent) { return std::make_unique<instance_in_log>(agent); }

} // namespace hsm::detail
