#include <hsm/replay/detail/logged.hpp>

#include <hsm/replay/detail/machine_calls.hpp>
#include <hsm/replay/detail/savable_machine.hpp>
#include <hsm/run/attachment.hpp>
#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/run/detail/tracing.hpp>
#include <hsm/save/detail/description.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {

class instance_in_log final : public logged, private observer {
public:
    explicit instance_in_log(instance_base& agent) : agent_(agent), images_(make_savable(agent)), layout_(image_layout_of(core_of(engine()))) {
        static_cast<void>(images_.most_size(images_.self)); // throws if it cannot be saved
        const auto is_value = [](const value_layout& v) { return v.form != value_layout::bytes || (v.type->traits & value_is_bytes); };
        bytes_are_value_ = std::ranges::all_of(layout_.locals, is_value) && std::ranges::all_of(layout_.events, is_value);
    }

    log_machine made_as() const override { return {.chart = layout_.chart, .layout = layout_.layout}; }
    const chart_core* core() const override { return &core_of(engine()); }
    std::string path() const override { return core_of(engine()).root->path(); }
    void require_hash() const override { require_saveable(core_of(engine()), saving::hash); }

    bool is_busy() const override { return images_.busy(images_.self); }
    std::size_t save(std::span<std::byte> to) const override { return images_.save(images_.self, to); }
    void restore(std::span<const std::byte> from) override { images_.restore(images_.self, from); }
    std::uint64_t hash(std::span<const std::byte> image) const override {
        return bytes_are_value_ ? checksum_of_bytes({}, image) : hash_of_image(core_of(engine()), image);
    }
    std::vector<field_difference> difference(std::span<const std::byte> a, std::span<const std::byte> b) const override {
        return images_.difference(images_.self, a, b);
    }

    void listen(call_sink& to, std::uint32_t number) override {
        sink_ = &to;
        number_ = number;
        attached_ = agent_.attach(*this, record_kind::call | record_kind::call_end | record_kind::configuration | record_kind::error);
    }
    void take_mail() override { sink_ ? notify_mail(engine(), core_of(engine())) : gather_mail(engine()); }
    void make(const log_call& what, std::uint64_t call) override {
        auto& m = instance_access::engine_of(agent_);
        if (what.code == static_cast<int>(input_kind::tick)) [[likely]]
            return pass_over([&] { m.tick(static_cast<std::int64_t>(what.number)); });
        make_machine_call(m, what, call);
    }

private:
    machine& engine() const { return instance_access::engine_of(agent_); }

    bool wants_inputs() const override { return true; }
    void on_input(const input& what, const moment&) override {
        if (sink_->is_in_call()) return;
        sink_->log_or_store_state([&] {
            const bool is_mail = what.kind == input_kind::mailed;
            if (!is_mail) sink_->prepare();
            const auto call = call_of(core_of(engine()), what, payload_);
            if (is_mail)
                sink_->log_arrival(number_, call);
            else
                sink_->note(number_, call);
        });
    }
    void on_record(const record& r, const moment&) override {
        if (r.kind == record_kind::call) sink_->begin_call();
        if (r.kind == record_kind::call_end) sink_->end_call();
        if (r.kind == record_kind::error) sink_->call_failed();
        if (r.kind != record_kind::configuration) return;
        const auto why = static_cast<configuration_reason>(r.what);
        if (why == configuration_reason::restored || why == configuration_reason::take_over) sink_->store_state();
    }

    instance_base& agent_;
    const savable_machine images_;
    const image_layout& layout_;
    bool bytes_are_value_ = false; ///< equal machines have equal images
    call_sink* sink_ = nullptr;
    std::uint32_t number_ = 0;
    std::vector<std::byte> payload_;
    attachment attached_;
};

} // namespace

std::unique_ptr<logged> logged_instance(instance_base& agent) { return std::make_unique<instance_in_log>(agent); }

} // namespace hsm::detail
