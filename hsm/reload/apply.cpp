// Gives a machine another chart. Everything is built separately; then the exchange cannot fail.

#include <hsm/manage/detail/machine_pool.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/reload/detail/chart_map.hpp>
#include <hsm/reload/reload_error.hpp>
#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/first_exception.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/run/detail/memory.hpp>
#include <hsm/run/detail/tracing.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/vm/detail/holding.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <optional>
#include <span>
#include <utility>
#include <vector>

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
            const bool is_leaf = std::ranges::find(parts.leaves, each.state) != parts.leaves.end();
            if (is_leaf && part.rule == reload_rule::edited && !made.find(static_cast<index>(part.to)))
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

/// A machine with the new chart that replaces another one.
class replacement {
public:
    /// Copies objects. If it is destroyed without `exchange`, nothing has changed.
    replacement(engine& m, const chart_map& map)
        : m_(m), map_(map), mapped_(map, m), observed_(observed_like(m, map.after())),
          made_(map.after(), calls::root_context(m), options_of(m, core_of(m)), nullptr) {
        auto checked = check_image(map.after(), map.new_layout, mapped_.image);
        if (queues_of(m, core_of(m)) && !require_queues(made_, map.after())) throw std::bad_alloc();
        check_room(made_, map.after(), checked.head);
        std::optional<mailbox_queue::refill> mail;
        if (auto* const box = mail_of(made_, map.after())) mail.emplace(*box, checked.head.mailed);
        try {
            fill(made_, checked, map.new_layout, mail ? &*mail : nullptr, &carried_);
        } catch (...) {
            undo();
            throw;
        }
    }
    replacement(const replacement&) = delete;
    ~replacement() {
        if (!is_done_) undo();
    }

    /// Can only throw exceptions of observers, at the end.
    void exchange() {
        is_done_ = true;
        carried_.finish();
        if (auto* const old = queues_of(m_, core_of(m_))) {
            auto& queues = *queues_of(made_, map_.after());
            queues.lost = old->lost;
            if (old->lost_at != &old->lost) queues.lost_at = old->lost_at;
        }
        exchange_charts(m_, made_, std::move(observed_));
    }
    reload_report report() { return mapped_.report(); }

private:
    void undo() noexcept {
        carried_.undo();
        forget_pending(made_, map_.after());
        clear_block(made_, map_.after());
    }

    engine& m_;
    const chart_map& map_;
    mapped_machine mapped_;
    std::unique_ptr<observed_core> observed_;
    engine made_;
    carried_objects carried_;
    bool is_done_ = false;
};

void require_chart_of(const chart_map& map, const engine& m) {
    if (m.chart && core_of(m).owner == map.before().owner) return;
    throw reload_error({code::reload_other_chart, m.chart ? core_of(m).root->path() : "", "the plan is for machines of another chart",
                        "create a plan from the chart of this machine"});
}

} // namespace

reload_report detail::apply_to(const chart_map& map, std::span<engine* const> machines) {
    for (const auto* const each : machines) require_chart_of(map, *each);
    for (const auto* const each : machines)
        if (is_busy(*each)) return {.outcome = result::busy};
    std::vector<std::unique_ptr<replacement>> all;
    for (auto* const each : machines) all.push_back(std::make_unique<replacement>(*each, map));
    reload_report total;
    for (const auto& each : all) total.add(each->report());
    first_exception first;
    for (const auto& each : all) first.of([&] { each->exchange(); });
    first.rethrow();
    return total;
}

reload_report reload_plan::report(const instance_base& agent) const {
    auto& m = instance_access::engine_of(agent);
    require_chart_of(*map_, m);
    if (is_busy(m)) return {.outcome = result::busy};
    mapped_machine mapped(*map_, m);
    return mapped.report();
}

reload_report reload_plan::apply(instance_base& agent) const {
    engine* const only = &instance_access::engine_of(agent);
    return apply_to(*map_, {&only, 1});
}

reload_report reload_plan::apply(std::span<instance_base* const> agents) const {
    std::vector<engine*> all;
    for (auto* const each : agents)
        if (auto* const m = &instance_access::engine_of(*each); std::ranges::find(all, m) == all.end()) all.push_back(m);
    return apply_to(*map_, all);
}

namespace {

std::vector<machine_slot*> slots_of(const manager& machines, const chart_map& map) {
    std::vector<machine_slot*> found;
    for (auto* p = manager_access::pool_of(machines).first(); p; p = p->after)
        if (p->is == slot_status::present && p->uses->chart.core().owner == map.before().owner) found.push_back(p);
    return found;
}

} // namespace

reload_report reload_plan::report(const manager& machines) const {
    reload_report total;
    for (const auto* const each : slots_of(machines, *map_)) total.add(report(each->machine()));
    return total;
}

reload_report reload_plan::apply(manager& machines) const {
    auto& all = manager_access::pool_of(machines);
    if (all.is_busy()) return {.outcome = result::busy};
    const auto slots = slots_of(machines, *map_);
    std::vector<engine*> engines;
    std::vector<pool*> pools;
    for (auto* const each : slots) {
        engines.push_back(&instance_access::engine_of(each->machine()));
        pools.push_back(&all.pool_of(*each, map_->to));
    }
    first_exception first; // observers can throw after the exchange
    reload_report total;
    first.of([&] { total = apply_to(*map_, engines); });
    for (std::size_t i = 0; i < slots.size(); ++i)
        if (core_of(*engines[i]).owner == map_->after().owner) machine_pool::change_chart(*slots[i], *pools[i]);
    first.rethrow();
    return total;
}

} // namespace hsm
