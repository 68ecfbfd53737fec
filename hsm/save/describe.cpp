#include <hsm/save/detail/description.hpp>

#include <hsm/define/time_span.hpp>
#include <hsm/op/detail/machine.hpp>
#include <hsm/save/detail/saved_names.hpp>
#include <hsm/save/detail/tree_archive.hpp>

#include <utility>

namespace hsm::detail {

namespace {

/// Returns the saturated difference.
std::int64_t between(std::int64_t earlier, std::int64_t later) {
    return (time_span::from_nanoseconds(later) - time_span::from_nanoseconds(earlier)).nanoseconds();
}

class describing {
public:
    describing(const chart_core& core, const snapshot& s) : core_(core), shape_(shape_of(core)), names_(names_of(core)), from_(s) {}

    datum run() {
        auto all = datum::empty_object();
        add_flag(all, "initialized", from_.head.state & state_ready);
        add_flag(all, "paused", from_.head.state & state_paused);
        if (from_.head.scale != 1.0) all.add("time_scale", datum::of(from_.head.scale));
        auto active = datum::empty_list();
        for (const auto leaf : from_.leaves)
            if (leaf != no_index && core_.states[leaf].kind != state_kind::parallel) active.add(path(leaf));
        all.add("active", std::move(active));
        add_flag(all, "over", from_.head.work & work_over);
        add_flag(all, "completing", from_.head.work & work_completion);
        add(all, "states", states());
        add(all, "due", due());
        add(all, "history", history());
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
    datum path(index s) const { return datum::of(names_.states[s]); }
    static void add_flag(datum& to, const char* name, int is) {
        if (is) to.add(name, datum::of(true));
    }
    /// Adds `part` unless it is empty.
    static void add(datum& to, const char* name, datum part) {
        if (!part.items.empty() || !part.fields.empty()) to.add(name, std::move(part));
    }

    datum states() const {
        auto all = datum::empty_object();
        for (index s = 0; s < row_count(core_.states); ++s)
            if (const auto* const part = from_.find(s)) all.add(names_.states[s], state(s, *part));
        return all;
    }
    datum state(index s, const snapshot::state_part& part) const {
        auto d = datum::empty_object();
        if (core_.options.entry_times) d.add("for", datum::of(between(part.entered, from_.head.now)));
        if (part.entered_by != 0) d.add("entered_by", datum::of(names_.transitions[part.entered_by - 1]));
        add_flag(d, "over", part.marks & mark_over_bit);
        add_flag(d, "due", part.marks & mark_due_bit);
        add_flag(d, "released", part.marks & mark_released_bit);
        add(d, "timers", timers(s));
        add(d, "locals", locals(s));
        return d;
    }
    datum timers(index s) const {
        auto all = datum::empty_object();
        const auto& span = core_.states[s].timers;
        for (const auto& part : from_.timers) {
            if (part.timer < span.first || part.timer >= span.first + span.count) continue;
            auto d = datum::empty_object();
            if (part.due != never) d.add("in", datum::of(between(from_.head.now, part.due)));
            if (core_.timers[part.timer].periodic) d.add("every", datum::of(part.period));
            all.add(names_.timers[part.timer], std::move(d));
        }
        return all;
    }
    /// Locals are named by type, because a state has at most one of each type.
    datum locals(index s) const {
        auto all = datum::empty_object();
        const auto& span = core_.states[s].locals;
        for (const auto& part : from_.locals)
            if (part.local >= span.first && part.local < span.first + span.count)
                all.add(names_.locals[part.local],
                        value_to_tree(shape_.locals[part.local], core_.locals[part.local].prototype->object(), part.value));
        return all;
    }
    datum due() const {
        auto all = datum::empty_list();
        for (const auto s : from_.due) all.add(path(s));
        return all;
    }
    datum history() const {
        auto all = datum::empty_object();
        for (std::size_t i = 0; i < from_.records.size(); ++i) {
            const auto& record = from_.records[i];
            if (record.recorded == 0) continue;
            auto leaves = datum::empty_list();
            leaves.add(path(record.recorded));
            for (const auto leaf : record.regions)
                if (leaf != no_index) leaves.add(path(leaf));
            all.add(names_.states[core_.history_owners[i]], std::move(leaves));
        }
        return all;
    }
    datum conditions() const {
        auto all = datum::empty_object();
        for (std::size_t c = 1; c < core_.conditions.size(); ++c) {
            const auto& word = from_.conditions[c / 64];
            const auto is = [&](std::uint64_t bits) { return bits >> c % 64 & 1; };
            if (is(word.bits)) all.add(names_.conditions[c], datum::of(is(word.pulsed) ? "pulse" : "on"));
        }
        return all;
    }
    datum waiting() const {
        auto all = datum::empty_list();
        for (const auto& w : from_.waiting) {
            auto d = datum::empty_object();
            d.add("transition", datum::of(names_.transitions[w.transition - 1]));
            if (w.holder != no_index) d.add("holder", path(w.holder));
            all.add(std::move(d));
        }
        return all;
    }
    datum payload(std::uint16_t event, const value_bytes& bytes) const { return value_to_tree(shape_.events[event], nullptr, bytes); }
    datum event(std::uint16_t number, const value_bytes& bytes) const { return describe_event(core_, number, bytes); }
    datum pending() const {
        auto all = datum::empty_list();
        for (const auto& p : from_.pending) {
            auto d = datum::empty_object();
            if (p.what.is_request) {
                d.add("request", path(p.what.target));
                d.add("from", path(p.what.source));
            } else {
                d.add("transition", datum::of(names_.transitions[p.what.transition]));
                if (auto value = payload(core_.transitions[p.what.transition].event, p.payload); value.kind != datum::nothing)
                    d.add("value", std::move(value));
            }
            all.add(std::move(d));
        }
        return all;
    }
    datum deferred() const {
        auto all = datum::empty_list();
        for (const auto& e : from_.deferred) all.add(event(e.event, e.payload));
        return all;
    }
    datum queue(snapshot::queue which) const {
        auto all = datum::empty_list();
        for (const auto& q : from_.queues[which]) {
            if (q.what.column != 0) {
                all.add(event(core_.column_events[q.what.column], q.payload));
                continue;
            }
            auto d = datum::empty_object();
            d.add("request", path(q.what.target));
            add_flag(d, "force", q.what.force);
            all.add(std::move(d));
        }
        return all;
    }

    const chart_core& core_;
    const image_shape& shape_;
    const saved_names& names_;
    const snapshot& from_;
};

} // namespace

datum describe_event(const chart_core& core, std::uint16_t number, std::span<const std::byte> payload) {
    auto d = datum::empty_object();
    d.add("event", datum::of(names_of(core).events[number]));
    if (auto value = value_to_tree(shape_of(core).events[number], nullptr, payload); value.kind != datum::nothing) d.add("value", std::move(value));
    return d;
}

datum describe(const chart_core& core, const snapshot& s) { return describing(core, s).run(); }

} // namespace hsm::detail
