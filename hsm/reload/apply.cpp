// Gives a machine another chart. Everything is built separately; then the exchange cannot fail.

#include <hsm/op/detail/format.hpp>
#include <hsm/reload/detail/chart_map.hpp>
#include <hsm/reload/reload_error.hpp>
#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/run/detail/memory.hpp>
#include <hsm/run/detail/tracing.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/vm/detail/holding.hpp>

#include <new>
#include <optional>
#include <utility>

namespace hsm {

using namespace detail;

namespace {

/// A machine's state in the new chart. It refers to the objects in the machine, to prototypes and to converted objects.
class mapped_machine {
public:
    mapped_machine(const chart_map& map, machine& m) : map_(map) {
        gather_mail(m);
        std::vector<std::byte> old_image(save_machine(m, map.old_layout, {}, false));
        save_machine(m, map.old_layout, old_image, false);
        auto parts = decompose(map.before(), map.old_layout, old_image);
        convert(parts);
        const auto d = describe(map.before(), map.old_layout, *map.names, parts);
        const auto made = decode_snapshot(map.after(), map.new_layout, d, parts.head.now, changed_);
        count(parts, made);
        image = compose(map.after(), map.new_layout, made);
    }
    mapped_machine(const mapped_machine&) = delete;
    ~mapped_machine() {
        for (const auto& each : converted_) each.by->destroy(each.object);
    }

    reload_report report() {
        report_.changes = std::move(changed_.notes);
        return std::move(report_);
    }

    std::vector<std::byte> image;

private:
    void convert(value_bytes& value, const reload_converter* by) {
        if (!by || value.empty()) return;
        converted_.push_back({by, nullptr});
        const auto* const made = converted_.back().object = by->make(object_in(value));
        std::memcpy(value.data(), &made, sizeof made);
    }
    void convert_event(value_bytes& value, std::uint16_t event) {
        const auto& part = map_.events[event];
        const auto& type = *map_.before().events[event].type;
        if (part.is_exact() && !type.is_name && !same_type(type, *map_.after().events[part.to].type)) convert(value, map_.converter_of(type));
    }
    void convert(snapshot& parts) {
        for (auto& each : parts.locals) {
            const auto& part = map_.locals[each.local];
            const auto& type = map_.before().locals[each.local].prototype->type();
            if (part.is_exact() && !same_type(type, map_.after().locals[part.to].prototype->type())) convert(each.value, map_.converter_of(type));
        }
        for (auto& each : parts.pending)
            if (!each.what.is_request) convert_event(each.payload, map_.before().transitions[each.what.transition].event);
        for (auto& each : parts.deferred) convert_event(each.payload, each.event);
        for (auto& queue : parts.queues)
            for (auto& each : queue)
                if (each.what.column != 0) convert_event(each.payload, map_.before().column_events[each.what.column]);
    }

    void count(const snapshot& parts, const snapshot& made) {
        report_.machines = 1;
        for (const auto& each : parts.states) {
            const auto& part = map_.states[each.state];
            ++(part.rule == reload_rule::same_name ? report_.same : part.is_exact() ? report_.moved : report_.replaced);
            if (part.rule == reload_rule::edited && !made.find(static_cast<index>(part.to)))
                throw reload_error({code::reload_never_together, map_.old_names().states[each.state],
                                    fmt::format("{} cannot be active together with the other active states", map_.new_names().states[part.to]),
                                    "map these states to states that can be active together, or drop one of them"});
        }
    }

    struct converted {
        const reload_converter* by;
        void* object;
    };
    const chart_map& map_;
    changes changed_;
    reload_report report_;
    std::vector<converted> converted_;
};

/// Creates a machine with the image, and exchanges it.
void exchange_for(engine& m, const chart_map& map, std::span<const std::byte> image) {
    const auto& old_core = core_of(m);
    const auto& core = map.after();
    auto checked = check_image(core, map.new_layout, image);
    auto observed = observed_like(m, core);
    engine made(core, calls::root_context(m), options_of(m, old_core), nullptr);
    auto* const old_queues = queues_of(m, old_core);
    if (old_queues && !require_queues(made, core)) throw std::bad_alloc();
    check_room(made, core, checked.head);
    std::optional<mailbox_queue::refill> mail;
    if (auto* const box = mail_of(made, core)) mail.emplace(*box, checked.head.mailed);
    carried_objects carried;
    try {
        fill(made, checked, map.new_layout, mail ? &*mail : nullptr, &carried);
    } catch (...) {
        carried.undo();
        forget_pending(made, core);
        clear_block(made, core);
        throw;
    }
    mail.reset();
    carried.finish();
    if (old_queues) {
        auto& queues = *queues_of(made, core);
        queues.lost = old_queues->lost;
        if (old_queues->lost_at != &old_queues->lost) queues.lost_at = old_queues->lost_at;
    }
    exchange_charts(m, made, std::move(observed));
}

engine& require_engine(const chart_map& map, const instance_base& agent) {
    auto& m = instance_access::engine_of(agent);
    if (m.chart && core_of(m).owner == map.before().owner) return m;
    throw reload_error({code::reload_other_chart, m.chart ? core_of(m).root->path() : "", "the plan is for machines of another chart",
                        "create a plan from the chart of this machine"});
}

} // namespace

reload_report reload_plan::report(const instance_base& agent) const {
    auto& m = require_engine(*map_, agent);
    if (is_busy(m)) return {.outcome = result::busy};
    mapped_machine mapped(*map_, m);
    return mapped.report();
}

reload_report reload_plan::apply(instance_base& agent) const {
    auto& m = require_engine(*map_, agent);
    if (is_busy(m)) return {.outcome = result::busy};
    mapped_machine mapped(*map_, m);
    exchange_for(m, *map_, mapped.image);
    return mapped.report();
}

} // namespace hsm
