// The calls of a manager in a log. A frame is an update as for a machine, or with two times the bytes of log_frame. Other calls are the bytes of
// log_other: the number of the manager_call and its operands. Machines are identified by name; texts are preceded by their length.

#include <hsm/replay/detail/logged.hpp>

#include <hsm/replay/detail/machine_calls.hpp>
#include <hsm/run/attachment.hpp>
#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/run/detail/tracing.hpp>
#include <hsm/run/error.hpp>
#include <hsm/save/detail/byte_archive.hpp>
#include <hsm/save/detail/description.hpp>
#include <hsm/save/detail/image_layout.hpp>
#include <hsm/save/detail/manager_format.hpp>
#include <hsm/save/manager_image.hpp>

#include <algorithm>
#include <exception>

namespace hsm::detail {

namespace {

enum class manager_call : std::uint64_t { create, remove, shutdown, broadcast, use_real_time, mailed, machine };

constexpr std::uint64_t no_elapsed = ~std::uint64_t(0); ///< calls of one machine do not refer to an earlier tick

class manager_in_log final : public logged, private manager_inputs, private observer {
public:
    manager_in_log(manager& machines, const machine_factory& kinds) : pool_(&manager_access::pool_of(machines)), manager_(machines), kinds_(kinds) {
        save_pool(*pool_, kinds_, {}, false); // throws if it cannot be saved
    }
    ~manager_in_log() override {
        if (pool_ && sink_) pool_->inputs = nullptr;
    }

    log_machine made_as() const override { return {.kind = log_machine::manager}; }
    const chart_core* core() const override { return nullptr; }
    std::string path() const override { return "(manager)"; }
    void require_hash() const override { static_cast<void>(describe_pool(*pool_, kinds_)); }

    bool is_busy() const override { return pool_->is_busy(); }
    std::size_t save(std::span<std::byte> to) const override { return save_pool(*pool_, kinds_, to, false); }
    void restore(std::span<const std::byte> from) override { restore_pool(*pool_, read_pool_image(pool_, kinds_, from)); }
    std::uint64_t hash(std::span<const std::byte>) const override { return hash_of(describe_pool(*pool_, kinds_)); }
    std::vector<field_difference> difference(std::span<const std::byte> a, std::span<const std::byte> b) const override {
        return hsm::difference(kinds_, a, b);
    }

    void listen(call_sink& to, std::uint32_t number) override {
        if (pool_->inputs) throw usage_error({code::bad_option, path(), "another log records this manager", "use one log at a time"});
        sink_ = &to;
        number_ = number;
        attached_ = manager_.attach(*this, record_kind::call | record_kind::call_end | record_kind::configuration | record_kind::error);
        pool_->inputs = this;
    }
    void take_mail() override {
        if (!sink_) return gather_mail(*pool_);
        for (auto* p = pool_ ? pool_->first() : nullptr; p; p = p->after)
            if (p->is == slot_status::present) notify_mail(engine(*p), core_of(engine(*p)));
    }

    void make(const log_call& what, std::uint64_t call) override {
        const auto elapsed = time_span::from_nanoseconds(static_cast<std::int64_t>(what.number));
        if (what.code == static_cast<int>(input_kind::update)) return pass_over([&] { pool_->update(elapsed, elapsed); });
        call_operands from(what.bytes);
        if (what.code == log_frame) {
            const auto first = static_cast<std::int64_t>(from.number()), second = static_cast<std::int64_t>(from.number());
            return make_complete(from, call, [&] { pool_->update(time_span::from_nanoseconds(first), time_span::from_nanoseconds(second)); });
        }
        if (what.code != log_other) refuse_call(call, "is not a call of a manager");
        switch (static_cast<manager_call>(from.number())) {
        case manager_call::create: return make_create(from, call);
        case manager_call::remove: {
            auto* const p = take_machine(from);
            return make_complete(from, call, [&] {
                if (p) pool_->remove(*p);
            });
        }
        case manager_call::shutdown: return make_complete(from, call, [&] { pool_->shutdown(); });
        case manager_call::broadcast: return make_broadcast(from, call);
        case manager_call::use_real_time: {
            auto* const p = take_machine(from);
            const bool yes = from.number() != 0;
            return make_complete(from, call, [&] {
                if (p) p->real_time = yes;
            });
        }
        case manager_call::mailed:
        case manager_call::machine: return make_machine(from, call);
        default: broken(call);
        }
    }

private:
    static machine& engine(machine_slot& p) { return instance_access::engine_of(p.machine()); }

    // Recording.

    void manager_gone() noexcept override { pool_ = nullptr; }
    bool begins() override {
        if (sink_->is_in_call()) return false;
        sink_->prepare();
        sink_->begin_call();
        return true;
    }
    void ends() noexcept override { sink_->end_call(); }

    void call_failed() noexcept override { sink_->call_failed(); }

    void begin(manager_call what) {
        operands_.clear();
        put(static_cast<std::uint64_t>(what));
    }
    void put(std::uint64_t number) { put_number(operands_, number); }
    void put(std::string_view text) {
        put(text.size());
        put_bytes(operands_, text.data(), text.size());
    }
    void note() { sink_->note(number_, {.code = log_other, .bytes = operands_}); }

    void create(std::string_view name, const chart_base& chart, void* context) override {
        if (!chart) return; // create throws
        const auto* const kind = find_kind(kinds_, chart.core());
        if (!kind)
            refuse_pool_image(code::unsaveable, std::string(name), "the factory of the log does not have the chart of this machine",
                              "add(label, chart, ...) to the factory");
        begin(manager_call::create);
        put(kind->label);
        put(name);
        const auto layout = context_layout_of(*kind);
        image_writer counting({});
        counting.put_value(layout, context);
        const auto at = operands_.size();
        operands_.resize(at + counting.size());
        image_writer(std::span(operands_).subspan(at)).put_value(layout, context);
        note();
    }
    void remove(const machine_slot& p) override {
        begin(manager_call::remove);
        put(p.name);
        note();
    }
    void shutdown() override {
        begin(manager_call::shutdown);
        note();
    }
    void update(time_span elapsed, time_span real_elapsed) override {
        if (elapsed == real_elapsed)
            return sink_->note(number_,
                               {.code = static_cast<std::uint8_t>(input_kind::update), .number = static_cast<std::uint64_t>(elapsed.nanoseconds())});
        operands_.clear();
        put(static_cast<std::uint64_t>(elapsed.nanoseconds()));
        put(static_cast<std::uint64_t>(real_elapsed.nanoseconds()));
        sink_->note(number_, {.code = log_frame, .bytes = operands_});
    }
    /// Uses the first chart that knows the event.
    void broadcast(const event_ref& event) override {
        begin(manager_call::broadcast);
        const auto& kinds = kinds_.kinds();
        const auto found = std::ranges::find_if(kinds, [&](const auto& each) { return encode_event(each->chart.core(), event, payload_) != 0; });
        put(found == kinds.end() ? std::string_view() : std::string_view((*found)->label));
        put(found == kinds.end() ? 0 : encode_event((*found)->chart.core(), event, payload_));
        put_bytes(operands_, payload_.data(), payload_.size());
        note();
    }
    void use_real_time(const machine_slot& p, bool yes) override {
        begin(manager_call::use_real_time);
        put(p.name);
        put(yes);
        note();
    }
    void jump() noexcept override { sink_->store_state(); }

    bool wants_inputs() const override { return true; }
    void on_input(const input& what, const moment& when) override {
        auto* const p = pool_->by_number(when.agent());
        if (sink_->is_in_call() || !p) return;
        sink_->log_or_store_state([&] {
            const bool is_mail = what.kind == input_kind::mailed;
            if (!is_mail) sink_->prepare();
            const auto call = call_of(core_of(engine(*p)), what, payload_);
            begin(is_mail ? manager_call::mailed : manager_call::machine);
            put(p->name);
            auto elapsed = no_elapsed;
            put_call(operands_, call, elapsed, false);
            if (is_mail)
                sink_->log_arrival(number_, {.code = log_other, .bytes = operands_});
            else
                note();
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

    // Repeating.

    [[noreturn]] static void broken(std::uint64_t call) { refuse_call(call, "is broken"); }
    static std::string_view take_text(call_operands& from) {
        const auto bytes = from.bytes();
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
    /// Returns null if there is no machine with this name.
    machine_slot* take_machine(call_operands& from) const { return pool_->find(take_text(from)); }
    const machine_kind* take_kind(call_operands& from) const {
        const auto label = take_text(from);
        const auto& known = kinds_.kinds();
        const auto found = std::ranges::find_if(known, [&](const auto& each) { return each->label == label; });
        return found == known.end() ? nullptr : found->get();
    }
    template <class Call> void make_complete(const call_operands& from, std::uint64_t call, const Call& make_it) {
        if (!from.is_complete()) broken(call);
        pass_over(make_it);
    }

    void make_create(call_operands& from, std::uint64_t call) {
        const auto* const kind = take_kind(from);
        const auto name = take_text(from);
        if (!kind) refuse_call(call, "creates a machine of a kind that the factory does not have");
        const auto layout = context_layout_of(*kind);
        image_reader in(from.rest());
        const auto value = in.take_value(layout);
        if (from.is_broken() || in.ends_early() || in.left() > 0) broken(call);
        if (pool_->find(name)) return; // the recorded call failed for that reason
        auto* const context = kind->context_of(name);
        try {
            if (layout.form == value_layout::bytes) std::memcpy(context, value.data(), value.size());
            if (layout.form == value_layout::fields) {
                byte_reader fields(value);
                layout.codec->serialize(fields, context);
            }
        } catch (const broken_bytes& e) {
            refuse_call(call, std::string("has an invalid context: ") + e.what());
        }
        pass_over([&] { pool_->create(kind->context, name, kind->chart, context, kind->options.agent); });
    }
    void make_broadcast(call_operands& from, std::uint64_t call) {
        const auto* const kind = take_kind(from);
        const auto column = from.number();
        const auto payload = from.rest();
        if (from.is_broken() || (!kind && (column != 0 || !payload.empty()))) broken(call);
        const auto give = [](instance_base& machine, const void* event) {
            return calls::process(instance_access::engine_of(machine), *static_cast<const event_ref*>(event));
        };
        if (!kind) {
            const refer_name name("an event without a transition");
            const event_ref& nobodys = name;
            return pass_over([&] { pool_->broadcast(give, &nobodys); });
        }
        const decoded_event event(kind->chart.core(), call, column, payload);
        pass_over([&] { pool_->broadcast(give, &event.event()); });
    }
    void make_machine(call_operands& from, std::uint64_t call) {
        auto* const p = take_machine(from);
        log_call what;
        call_reader inner(from.rest(), 0, no_elapsed, false);
        log_call behind;
        if (from.is_broken() || !inner.next(what) || inner.next(behind) || what.code >= input_kind_count) broken(call);
        if (!p) return;
        make_machine_call(engine(*p), what, call);
        const auto exceptions = std::uncaught_exceptions();
        pass_over([&] { finish_call(*pool_, exceptions); });
    }

    machine_pool* pool_; ///< null: the manager was destroyed
    manager& manager_;
    const machine_factory& kinds_;
    call_sink* sink_ = nullptr;
    std::uint32_t number_ = 0;
    std::vector<std::byte> operands_, payload_;
    attachment attached_;
};

} // namespace

std::unique_ptr<logged> logged_manager(manager& machines, const machine_factory& kinds) { return std::make_unique<manager_in_log>(machines, kinds); }

} // namespace hsm::detail
