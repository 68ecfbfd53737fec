// The calls of a manager in a log. A frame is an update as for a machine, or with two times the bytes of log_frame. Other calls are the bytes of
// log_other: the number of the manager_call and its operands. Machines are identified by name; texts are preceded by their length.

#include <hsm/replay/detail/logged_container.hpp>

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

class manager_in_log final : public logged_container<machine_pool, manager_inputs>, private call_listener {
public:
    manager_in_log(manager& machines, const machine_factory& kinds)
        : logged_container(manager_access::pool_of(machines)), manager_(machines), kinds_(kinds), object_(machines, kinds) {
        object_.save({}, false); // throws if it cannot be saved
    }
    ~manager_in_log() override { stop_listening(); }

    log_machine made_as() const override { return {.kind = log_machine::manager}; }
    const chart_core* core() const override { return nullptr; }
    std::string path() const override { return "(manager)"; }
    void require_hash() const override { static_cast<void>(describe_pool(*core_, kinds_)); }

    const savable& object() const override { return object_; }
    std::uint64_t hash(std::span<const std::byte>) const override { return hash_of(describe_pool(*core_, kinds_)); }

    void listen(call_sink& to, std::uint32_t number) override {
        listen_to("manager", to, number);
        sink = &to;
        attached_ = manager_.attach(*this, kinds);
    }
    void take_mail() override {
        if (!sink_) return object_.gather_mail();
        for (auto* p = core_ ? core_->first() : nullptr; p; p = p->after)
            if (p->is == slot_status::present) notify_mail(engine(*p), core_of(engine(*p)));
    }

    reloaded_object reloaded() const override { return {.machines = &manager_}; }
    void make(const log_call& what, std::uint64_t call) override {
        const auto elapsed = time_span::from_nanoseconds(static_cast<std::int64_t>(what.number));
        if (what.code == static_cast<int>(input_kind::update)) return pass_over([&] { core_->update(elapsed, elapsed); });
        call_operands from(what.bytes);
        if (what.code == log_frame) {
            const auto first = static_cast<std::int64_t>(from.number()), second = static_cast<std::int64_t>(from.number());
            return make_complete(from, call, [&] { core_->update(time_span::from_nanoseconds(first), time_span::from_nanoseconds(second)); });
        }
        if (what.code != log_other) refuse_call(call, "is not a call of a manager");
        switch (static_cast<manager_call>(from.number())) {
        case manager_call::create: return make_create(from, call);
        case manager_call::remove: {
            auto* const p = take_machine(from);
            return make_complete(from, call, [&] {
                if (p) core_->remove(*p);
            });
        }
        case manager_call::shutdown: return make_complete(from, call, [&] { core_->shutdown(); });
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

    using logged_container::put;
    void put(std::string_view text) {
        put(text.size());
        put_bytes(operands_, text.data(), text.size());
    }

    void create(std::string_view name, const chart_base& chart, void* context) override {
        if (!chart) return; // create throws
        const auto* const kind = find_kind(kinds_, chart.core());
        if (!kind)
            throw save_error({code::unsaveable, std::string(name), "the factory of the log does not have the chart of this machine",
                              "add(label, chart, ...) to the factory"});
        begin(manager_call::create);
        put(kind->label);
        put(name);
        append_value(operands_, context_layout_of(*kind), context);
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
        if (elapsed == real_elapsed) return note_frame(input_kind::update, elapsed.nanoseconds());
        operands_.clear();
        put(static_cast<std::uint64_t>(elapsed.nanoseconds()));
        put(static_cast<std::uint64_t>(real_elapsed.nanoseconds()));
        note(log_frame);
    }
    /// Uses the first chart that knows the event.
    void broadcast(const event_ref& event) override {
        begin(manager_call::broadcast);
        const auto& kinds = kinds_.kinds();
        const auto found = std::ranges::find_if(kinds, [&](const auto& each) { return encode_event(each->chart.core(), event, payload_) != 0; });
        put(found == kinds.end() ? std::string_view() : std::string_view((*found)->label));
        if (found == kinds.end())
            put(std::uint64_t(0));
        else
            put_event((*found)->chart.core(), event);
        note();
    }
    void use_real_time(const machine_slot& p, bool yes) override {
        begin(manager_call::use_real_time);
        put(p.name);
        put(std::uint64_t(yes));
        note();
    }

    void on_input(const input& what, const moment& when) override {
        auto* const p = core_->by_number(when.agent());
        if (sink_->is_in_call() || !p || what.kind == input_kind::reload) return;
        sink_->log_or_store_state([&] {
            const bool is_mail = what.kind == input_kind::mailed;
            if (!is_mail) sink_->prepare();
            begin(is_mail ? manager_call::mailed : manager_call::machine);
            put(p->name);
            put_machine_call(core_of(engine(*p)), what);
            if (is_mail)
                log_arrival();
            else
                note();
        });
    }

    // Repeating.

    static std::string_view take_text(call_operands& from) {
        const auto bytes = from.bytes();
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }
    /// Returns null if there is no machine with this name.
    machine_slot* take_machine(call_operands& from) const { return core_->find(take_text(from)); }
    const machine_kind* take_kind(call_operands& from) const { return find_kind(kinds_, take_text(from)); }

    void make_create(call_operands& from, std::uint64_t call) {
        const auto* const kind = take_kind(from);
        const auto name = take_text(from);
        if (!kind) refuse_call(call, "creates a machine of a kind that the factory does not have");
        const auto layout = context_layout_of(*kind);
        const auto value = take_value(from, layout, call);
        if (core_->find(name)) return; // the recorded call failed for that reason
        auto* const context = kind->context_of(name);
        try {
            read_value(layout, value, context);
        } catch (const broken_bytes& e) {
            refuse_call(call, std::string("has an invalid context: ") + e.what());
        }
        pass_over([&] { core_->create(kind->context, name, kind->chart, context, kind->options.agent); });
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
            return pass_over([&] { core_->broadcast(give, &nobodys); });
        }
        const decoded_event event(kind->chart.core(), call, column, payload);
        pass_over([&] { core_->broadcast(give, &event.event()); });
    }
    void make_machine(call_operands& from, std::uint64_t call) {
        auto* const p = take_machine(from);
        const auto what = take_machine_call(from, call);
        if (!p) return;
        make_machine_call(engine(*p), what, call);
        const auto exceptions = std::uncaught_exceptions();
        pass_over([&] { finish_call(*core_, exceptions); });
    }

    manager& manager_;
    const machine_factory& kinds_;
    const savable_manager object_;
    attachment attached_;
};

} // namespace

std::unique_ptr<logged> logged_manager(manager& machines, const machine_factory& kinds) { return std::make_unique<manager_in_log>(machines, kinds); }

} // namespace hsm::detail
