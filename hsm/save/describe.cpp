#include <hsm/save/detail/description.hpp>

#include <hsm/define/time_span.hpp>
#include <hsm/op/detail/machine.hpp>
#include <hsm/save/detail/json_archive.hpp>
#include <hsm/save/detail/saved_names.hpp>
#include <hsm/vm/detail/holding.hpp>

#include <utility>

namespace hsm::detail {

namespace {

/// Returns the saturated difference.
std::int64_t between(std::int64_t earlier, std::int64_t later) {
    return (time_span::from_nanoseconds(later) - time_span::from_nanoseconds(earlier)).nanoseconds();
}

json_value describe_event(const image_layout& layout, const saved_names& names, std::uint16_t number, std::span<const std::byte> payload) {
    auto d = json_value::empty_object();
    d.add("event", json_value::of(names.events[number]));
    if (auto value = value_to_json(layout.events[number], nullptr, payload); value.kind != json_value::nothing) d.add("value", std::move(value));
    return d;
}

class describing {
public:
    describing(const chart_core& core, const image_layout& layout, const saved_names& names, const snapshot& s)
        : core_(core), layout_(layout), names_(names), from_(s) {}

    json_value run() {
        auto all = json_value::empty_object();
        auto active = json_value::empty_list();
        for (const auto leaf : from_.leaves)
            if (leaf != no_index && core_.states[leaf].kind != state_kind::parallel) active.add(path(leaf));
        describe_values(all, from_.head, std::move(active));
        add(all, "states", states());
        add(all, "due", due());
        add(all, "history", history());
        if (core_.has_chance) all.add("chance", chance());
        add(all, "cooldowns", cooldowns());
        add(all, "conditions", conditions());
        add(all, "waiting", waiting());
        add(all, "pending", pending());
        add(all, "deferred", deferred());
        add(all, "internal", queue(snapshot::internal));
        add(all, "posted", queue(snapshot::posted));
        add(all, "mailbox", queue(snapshot::mailed));
        return all;
    }

private:
    json_value path(index s) const { return json_value::of(names_.states[s]); }
    static void add_flag(json_value& to, const char* name, int is) {
        if (is) to.add(name, json_value::of(true));
    }
    /// Adds `part` unless it is empty.
    static void add(json_value& to, const char* name, json_value part) {
        if (!part.items.empty() || !part.fields.empty()) to.add(name, std::move(part));
    }

    json_value states() const {
        auto all = json_value::empty_object();
        for (index s = 0; s < row_count(core_.states); ++s)
            if (const auto* const part = from_.find(s)) all.add(names_.states[s], state(s, *part));
        return all;
    }
    json_value state(index s, const snapshot::state_entry& part) const {
        auto d = json_value::empty_object();
        if (core_.options.entry_times) d.add("for", json_value::of(between(part.entered, from_.head.now)));
        if (part.entered_by != 0) d.add("entered_by", json_value::of(names_.transitions[part.entered_by - 1]));
        add_flag(d, "over", part.marks & mark_over_bit);
        add_flag(d, "due", part.marks & mark_due_bit);
        add_flag(d, "released", part.marks & mark_released_bit);
        add(d, "requests", requests(s));
        add(d, "timers", timers(s));
        add(d, "locals", locals(s));
        return d;
    }
    /// Returns the transitions for which the state was requested to leave; or, with a slot, the states that were for what is pending there.
    json_value requests(index s, std::uint32_t slot = no_transition) const {
        auto all = json_value::empty_list();
        for (std::size_t i = 0; i < core_.leave_requests.size(); ++i) {
            const auto& r = core_.leave_requests[i];
            if (!from_.has_leave_request(i)) continue;
            if (slot == no_transition && r.state == s && r.transition != no_transition) all.add(json_value::of(names_.transitions[r.transition]));
            if (slot != no_transition && r.slot == slot && r.transition == no_transition) all.add(path(r.state));
        }
        return all;
    }
    json_value timers(index s) const {
        auto all = json_value::empty_object();
        const auto& span = core_.states[s].timers;
        for (const auto& part : from_.timers) {
            if (part.timer < span.first || part.timer >= span.first + span.count) continue;
            auto d = json_value::empty_object();
            if (part.due != never) d.add("in", json_value::of(between(from_.head.now, part.due)));
            if (core_.timers[part.timer].periodic) d.add("every", json_value::of(part.period));
            all.add(names_.timers[part.timer], std::move(d));
        }
        return all;
    }
    /// Locals are named by type, because a state has at most one of each type.
    json_value locals(index s) const {
        auto all = json_value::empty_object();
        const auto& span = core_.states[s].locals;
        for (const auto& part : from_.locals)
            if (part.local >= span.first && part.local < span.first + span.count)
                all.add(names_.locals[part.local],
                        value_to_json(layout_.locals[part.local], core_.locals[part.local].prototype->object(), part.value));
        return all;
    }
    json_value due() const {
        auto all = json_value::empty_list();
        for (const auto s : from_.due) all.add(path(s));
        return all;
    }
    json_value history() const {
        auto all = json_value::empty_object();
        for (std::size_t i = 0; i < from_.records.size(); ++i) {
            const auto& record = from_.records[i];
            if (record.recorded == 0) continue;
            auto leaves = json_value::empty_list();
            leaves.add(path(record.recorded));
            for (const auto leaf : record.regions)
                if (leaf != no_index) leaves.add(path(leaf));
            const auto owner = core_.history_owners[i];
            if (core_.is_previous(owner) && from_.records[++i].recorded != 0) leaves.add(path(from_.records[i].recorded));
            all.add(names_.states[owner], std::move(leaves));
        }
        return all;
    }
    json_value chance() const {
        auto d = json_value::empty_object();
        for (const auto& [name, part] : parts_of_chance) d.add(name, json_value::of(static_cast<std::int64_t>(from_.chance.*part)));
        return d;
    }
    json_value cooldowns() const {
        auto all = json_value::empty_object();
        for (std::size_t i = 0; i < from_.cooldowns.size(); ++i)
            if (from_.cooldowns[i] > from_.head.now)
                all.add(names_.transitions[core_.cooldowns[i].transition], json_value::of(between(from_.head.now, from_.cooldowns[i])));
        return all;
    }
    json_value conditions() const {
        auto all = json_value::empty_object();
        for (std::size_t c = 1; c < core_.conditions.size(); ++c) {
            const auto& word = from_.conditions[c / 64];
            const auto is = [&](std::uint64_t bits) { return bits >> c % 64 & 1; };
            if (is(word.bits)) all.add(names_.conditions[c], json_value::of(is(word.pulsed) ? "pulse" : "on"));
        }
        return all;
    }
    json_value waiting() const {
        auto all = json_value::empty_list();
        for (const auto& w : from_.waiting) {
            auto d = json_value::empty_object();
            d.add("transition", json_value::of(names_.transitions[w.transition - 1]));
            if (w.holder != no_index) d.add("holder", path(w.holder));
            all.add(std::move(d));
        }
        return all;
    }
    json_value payload(std::uint16_t event, const value_bytes& bytes) const { return value_to_json(layout_.events[event], nullptr, bytes); }
    json_value event(std::uint16_t number, const value_bytes& bytes) const { return describe_event(layout_, names_, number, bytes); }
    json_value pending() const {
        auto all = json_value::empty_list();
        for (const auto& p : from_.pending) {
            auto d = json_value::empty_object();
            if (p.what.is_request) {
                d.add("request", path(p.what.target));
                d.add("from", path(p.what.source));
                const bool to_region = is_request_to_region(core_, p.what.source, p.what.target);
                add_flag(d, "exits", to_region && p.what.slot != slot_of(core_, p.what.target));
            } else {
                d.add("transition", json_value::of(names_.transitions[p.what.transition]));
                if (auto value = payload(core_.transitions[p.what.transition].event, p.payload); value.kind != json_value::nothing)
                    d.add("value", std::move(value));
            }
            add(d, "requested", requests(no_index, p.what.slot));
            all.add(std::move(d));
        }
        return all;
    }
    json_value deferred() const {
        auto all = json_value::empty_list();
        for (const auto& e : from_.deferred) all.add(event(e.event, e.payload));
        return all;
    }
    json_value queue(snapshot::queue which) const {
        auto all = json_value::empty_list();
        for (const auto& q : from_.queues[which]) {
            if (q.what.column != 0) {
                all.add(event(core_.column_events[q.what.column], q.payload));
                continue;
            }
            auto d = json_value::empty_object();
            d.add("request", path(q.what.target));
            add_flag(d, "force", q.what.force);
            all.add(std::move(d));
        }
        return all;
    }

    const chart_core& core_;
    const image_layout& layout_;
    const saved_names& names_;
    const snapshot& from_;
};

} // namespace

json_value describe_event(const chart_core& core, std::uint16_t number, std::span<const std::byte> payload) {
    return describe_event(image_layout_of(core), saved_names_of(core), number, payload);
}

json_value describe(const chart_core& core, const snapshot& s) { return describe(core, image_layout_of(core), saved_names_of(core), s); }

json_value describe(const chart_core& core, const image_layout& layout, const saved_names& names, const snapshot& s) {
    return describing(core, layout, names, s).run();
}

} // namespace hsm::detail
