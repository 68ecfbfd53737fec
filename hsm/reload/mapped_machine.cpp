// Finds the state of a machine in the new chart of a plan.

#include <hsm/reload/detail/mapped_machine.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/reload/reload_error.hpp>
#include <hsm/run/detail/microstep.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/vm/detail/choosing.hpp>
#include <hsm/vm/detail/timers.hpp>

#include <algorithm>
#include <cstring>
#include <functional>
#include <map>
#include <utility>

namespace hsm::detail {

converted_objects::~converted_objects() {
    for (const auto& each : made_) each.by->destroy(each.object);
}

void converted_objects::convert(value_bytes& value, const reload_converter* by) {
    if (!by || value.empty()) return;
    made_.push_back({by, nullptr});
    const auto* const made = made_.back().object = by->make(object_in(value));
    std::memcpy(value.data(), &made, sizeof made);
}

void converted_objects::convert_event(value_bytes& value, std::uint16_t event) {
    const auto& part = map_.events[event];
    const auto& type = *map_.before().events[event].type;
    if (part.is_exact() && !type.is_name) convert(value, map_.converter_of(type, *map_.after().events[part.to].type));
}

void converted_objects::convert(snapshot& parts) {
    for (auto& each : parts.locals) {
        const auto& part = map_.locals[each.local];
        const auto& type = map_.before().locals[each.local].prototype->type();
        if (part.is_exact()) convert(each.value, map_.converter_of(type, map_.after().locals[part.to].prototype->type()));
    }
    for (auto& each : parts.pending)
        if (!each.what.is_request) convert_event(each.payload, map_.before().transitions[each.what.transition].event);
    for (auto& each : parts.deferred) convert_event(each.payload, each.event);
    for (auto& queue : parts.queues)
        for (auto& each : queue)
            if (each.what.column != 0) convert_event(each.payload, map_.before().column_events[each.what.column]);
}

namespace {

void count(const chart_map& map, reload_report& report, const snapshot& parts, const snapshot& made) {
    report.machines = 1;
    for (const auto& each : parts.states) {
        const auto& part = map.states[each.state];
        ++(part.rule == reload_rule::same_name ? report.same : part.is_exact() ? report.moved : report.replaced);
        const bool is_leaf = std::ranges::find(parts.leaves, each.state) != parts.leaves.end();
        if (is_leaf && part.rule == reload_rule::edited && !made.find(static_cast<index>(part.to)))
            throw reload_error({code::reload_never_together, map.old_names().states[each.state],
                                fmt::format("{} cannot be active together with the other active states", map.new_names().states[part.to]),
                                "map these states to states that can be active together, or drop one of them"});
    }
}

passed_states passed_between(const chart_map& map, const snapshot& parts, const snapshot& made) {
    passed_states passed;
    for (const auto& each : made.states) passed.entered.push_back(each.state);
    for (const auto& each : parts.states) {
        const auto& part = map.states[each.state];
        if (!part.is_exact() || std::erase(passed.entered, static_cast<index>(part.to)) == 0) passed.exited.push_back(each.state);
    }
    std::ranges::sort(passed.entered); // superstates have lower numbers
    std::ranges::sort(passed.exited, std::greater());
    return passed;
}

snapshot snapshot_of(const chart_map& map, machine& m) {
    std::vector<std::byte> image(save_machine(m, map.old_layout, {}, false));
    save_machine(m, map.old_layout, image, false);
    return decompose(map.before(), map.old_layout, image);
}

snapshot mapped(const chart_map& map, const snapshot& parts, reload_report& report) {
    const auto d = describe(map.before(), map.old_layout, *map.names, parts);
    changes changed;
    auto made = decode_snapshot(map.after(), map.new_layout, d, parts.head.now, changed);
    for (auto& each : changed.notes) {
        std::erase(each.path, chart_map::missing);
        std::erase(each.problem, chart_map::missing);
    }
    report.changes = std::move(changed.notes);
    return made;
}

} // namespace

mapped_machine::mapped_machine(const chart_map& map, machine& m, converted_objects& converted) {
    gather_mail(m);
    auto parts = snapshot_of(map, m);
    converted.convert(parts);
    const auto made = mapped(map, parts, report);
    count(map, report, parts, made);
    if (map.runs_hooks) passed = passed_between(map, parts, made);
    image = compose(map.after(), map.new_layout, made);
}

void run_passing_hooks(machine& m, hook_kind kind, std::span<const index> states) {
    const auto& core = core_of(m);
    exclusively(m, core, call_kind::restore, [&] {
        set_cause(m, core, {reason::request}, no_index);
        for (const auto s : states)
            if (is_active(m, core, s)) run_part(m, core, core.states[s].hook_programs[kind]); // hooks of other agents can have changed this one
        if (kind == hook_kind::enter) run_to_completion(m, core);
        return result::taken;
    });
}

namespace {

std::uint32_t offset_of_entry(const chart_core& core, index s) {
    return core.layout.times + static_cast<std::uint32_t>(entry_slot(core, s) * sizeof(std::int64_t));
}
std::uint32_t offset_of_due(const chart_core& core, std::uint32_t timer) { return core.layout.locals + core.timers[timer].offset; }
std::uint32_t offset_of_period(const chart_core& core, std::uint32_t timer) { return offset_of_due(core, timer) + sizeof(std::int64_t); }

/// Calls visit(time, offset in the block, whether it is an entry time) for the times of a machine.
template <class Snapshot, class Visit> void each_time(const chart_core& core, Snapshot& s, const Visit& visit) {
    for (auto& each : s.states)
        if (core.options.entry_times) visit(each.entered, offset_of_entry(core, each.state), true);
    for (auto& each : s.timers) {
        visit(each.due, offset_of_due(core, each.timer), false);
        if (core.timers[each.timer].periodic) visit(each.period, offset_of_period(core, each.timer), false);
    }
}

} // namespace

std::vector<std::uint32_t> times_of(const chart_core& core, index s) {
    std::vector<std::uint32_t> all;
    if (core.options.entry_times) all.push_back(offset_of_entry(core, s));
    for (auto t = core.states[s].timers.first; t < core.states[s].timers.first + core.states[s].timers.count; ++t) {
        all.push_back(offset_of_due(core, t));
        if (core.timers[t].periodic) all.push_back(offset_of_period(core, t));
    }
    return all;
}

/// Gives each time a value that occurs nowhere else, and looks for the values in the new machine.
std::vector<copied_time> copied_times(const chart_map& map, machine& m) {
    auto parts = snapshot_of(map, m);
    std::map<std::int64_t, std::uint32_t> offsets;
    std::int64_t distance = 1'000'000'000'000'007;
    each_time(map.before(), parts, [&](std::int64_t& time, std::uint32_t offset, bool is_entry) {
        if (time == never) return;
        time = parts.head.now + (is_entry ? -distance : distance);
        offsets.emplace(time, offset);
        distance += 1'000'000'009;
    });
    reload_report unused;
    const auto made = mapped(map, parts, unused);
    std::vector<copied_time> found;
    each_time(map.after(), made, [&](const std::int64_t& time, std::uint32_t offset, bool) {
        if (const auto from = offsets.find(time); from != offsets.end()) found.push_back({offset, from->second});
    });
    return found;
}

void map_event(const chart_map& map, machine& idle, const queued_entry& e, const void* payload, converted_objects& converted, reload_report& report,
               const std::function<void(const queue_entry&, const value_bytes&)>& put) {
    auto parts = snapshot_of(map, idle);
    auto& event = parts.queues[snapshot::mailed].emplace_back(snapshot::queued_event{{e.column, no_index, e.has_payload, false}, {}});
    if (e.has_payload) append_value(event.payload, layout_of_column(map.before(), map.old_layout, e.column), payload);
    converted.convert(parts);
    reload_report of_event;
    const auto made = mapped(map, parts, of_event);
    for (const auto& each : made.queues[snapshot::mailed]) put(each.what, each.payload);
    add_agent(report, std::move(of_event));
}

void add_agent(reload_report& to, reload_report of_agent) {
    std::erase_if(of_agent.changes, [&](const finding& each) {
        return std::ranges::any_of(to.changes, [&](const finding& known) { return known.path == each.path && known.problem == each.problem; });
    });
    to.add(std::move(of_agent));
}

void fill_mapped(machine& m, const chart_map& map, std::span<const std::byte> image, mailbox_queue::refill* mail, carried_objects& carried) {
    const auto& core = map.after();
    auto checked = check_image(core, map.new_layout, image);
    check_room(m, core, checked.head);
    const auto chance = core.has_chance ? chance_of(m, core) : chance_head();
    fill(m, checked, map.new_layout, mail, &carried);
    if (core.has_chance && !map.before().has_chance) chance_of(m, core) = chance; // the old chart had none
}

} // namespace hsm::detail
