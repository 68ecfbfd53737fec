#include <hsm/save/detail/description.hpp>

#include <hsm/define/time_span.hpp>
#include <hsm/op/detail/machine.hpp>
#include <hsm/save/detail/document_reader.hpp>
#include <hsm/save/detail/saved_names.hpp>
#include <hsm/save/detail/value_tree.hpp>
#include <hsm/vm/detail/holding.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

namespace hsm::detail {

void changes::add(code number, const document_place& place, std::string path, std::string what) {
    finding f{number, std::move(path), std::move(what), ""};
    if (place.line > 0) f.where = {"document", place.line, place.column};
    notes.push_back(std::move(f));
}

namespace {

constexpr std::size_t most_waiting = 0xffff; ///< in one queue

std::int64_t plus(std::int64_t time, std::int64_t span) {
    return (time_span::from_nanoseconds(time) + time_span::from_nanoseconds(span)).nanoseconds();
}
std::int64_t minus(std::int64_t time, std::int64_t span) {
    return (time_span::from_nanoseconds(time) - time_span::from_nanoseconds(span)).nanoseconds();
}

class understanding {
public:
    understanding(const chart_core& core, const datum& d, std::int64_t now, changes& changed)
        : core_(core), shape_(shape_of(core)), names_(names_of(core)), all_(d, core.root->path()), changed_(changed) {
        made_.head.now = now;
        made_.head.scale = 1.0;
    }

    snapshot run() {
        all_.only({"initialized", "paused", "time_scale", "active", "over", "completing", "states", "due", "history", "conditions", "waiting",
                   "pending", "deferred", "internal", "posted", "mailbox"});
        read_head();
        read_leaves();
        read_conditions();
        read_states();
        read_history();
        all_.each_item("waiting", [&](const document_part& each) { read_waiting(each); });
        all_.each_item("pending", [&](const document_part& each) { read_pending(each); });
        std::ranges::sort(made_.waiting, {}, &waiting_part::slot);
        std::ranges::sort(made_.pending, {}, [](const auto& p) { return p.what.slot; });
        all_.each_item("deferred", [&](const document_part& each) { read_deferred(each); });
        read_queue("internal", snapshot::internal);
        read_queue("posted", snapshot::posted);
        read_queue("mailbox", snapshot::mailed);
        return std::move(made_);
    }

private:
    void note(const document_part& at, std::string what) { changed_.add(code::changed_chart, at.value().place, at.path(), std::move(what)); }
    void note(const document_part& at, const std::vector<misfit>& all) {
        for (const auto& each : all) changed_.add(code::changed_chart, each.place, at.path() + '/' + each.path, each.problem);
    }

    void read_head() {
        auto& head = made_.head;
        const auto set = [&](auto& bits, const char* name, int bit) {
            if (all_.flag(name)) bits = static_cast<std::uint8_t>(bits | bit);
        };
        set(head.state, "initialized", state_ready);
        set(head.state, "paused", state_paused);
        if (all_.has("time_scale")) {
            const auto scale = all_["time_scale"];
            head.scale = scale.real();
            if (!(head.scale >= 0 && std::isfinite(head.scale))) scale.refuse("it is no factor");
            if (head.scale != 1.0) head.state |= state_scaled;
        }
        set(head.work, "over", work_over);
        set(head.work, "completing", work_completion);
    }

    // What is active.

    /// The state, or the innermost one around it that there still is. no_index: that was another machine.
    index resolve(const document_part& at, const std::string& path) {
        const auto found = names_.find_state(path);
        if (found.state == no_index) at.refuse(fmt::format("\"{}\" is in another machine", path));
        if (!found.is_all)
            note(at, fmt::format("there is no {} any more: {} takes its place, and chooses where to go", path, names_.states[found.state]));
        else if (found.was_renamed)
            note(at, fmt::format("{} is now {}", path, names_.states[found.state]));
        return found.state;
    }

    void read_leaves() {
        made_.leaves.assign(core_.driven ? core_.regions.size() : 1, no_index);
        std::vector<bool> wanted(core_.states.size());
        bool is_active = false;
        all_["active"].each_item([&](const document_part& each) {
            is_active = true;
            auto s = resolve(each, each.text());
            if (core_.states[s].kind == state_kind::history) s = core_.states[s].superstate;
            for (; s != no_index; s = core_.states[s].superstate) {
                if (takes_place_of_another(s, wanted)) {
                    note(each, fmt::format("{} cannot be active beside what stands before it", each.text()));
                    return;
                }
            }
            for (s = resolve_quietly(each); s != no_index; s = core_.states[s].superstate) wanted[s] = true;
        });
        if (!is_active) {
            made_.head.work = 0;
            return;
        }
        wanted[0] = true;
        for (std::size_t r = 0; r < made_.leaves.size(); ++r) rest(r, wanted);
    }
    index resolve_quietly(const document_part& at) const {
        auto s = names_.find_state(at.text()).state;
        return core_.states[s].kind == state_kind::history ? core_.states[s].superstate : s;
    }
    /// Is another substate of its machine wanted already?
    bool takes_place_of_another(index s, const std::vector<bool>& wanted) const {
        const auto outer = core_.states[s].superstate;
        if (wanted[s] || outer == no_index || !wanted[outer] || core_.states[outer].kind != state_kind::machine) return false;
        for (const auto& other : core_.states[outer].node->substates())
            if (wanted[other->number()]) return true;
        return false;
    }
    /// A region goes inwards as far as something is wanted. A machine of which nothing is wanted rests, and chooses in the next tick.
    void rest(std::size_t r, const std::vector<bool>& wanted) {
        index s = r == 0 ? index(0) : core_.regions[r];
        if (r > 0) {
            const auto parallel = core_.states[s].superstate;
            if (made_.leaves[core_.states[parallel].region] != parallel) return;
        }
        while (core_.states[s].kind == state_kind::machine) {
            const auto& inner = core_.states[s].node->substates();
            const auto next = std::ranges::find_if(inner, [&](const auto& each) { return wanted[each->number()]; });
            if (next == inner.end()) break;
            s = static_cast<index>((*next)->number());
        }
        made_.leaves[r] = s;
    }
    bool is_active(index s) const {
        const auto leaf = made_.leaves[core_.driven ? core_.states[s].region : 0u];
        return leaf != no_index && core_.contains(s, leaf);
    }
    /// In "due", "waiting", ...: null if it is not active any more.
    index active_state(const document_part& at) {
        const auto found = names_.find_state(at.text());
        const bool is = found.is_all && is_active(found.state);
        if (!is) note(at, fmt::format("{} is not active", at.text()));
        return is ? found.state : no_index;
    }

    // What belongs to active states.

    void read_states() {
        each_active_state(
            core_, [&](std::size_t r) { return made_.leaves[r]; },
            [&](index s) {
                begin_state(s);
                return true;
            });
        std::vector<std::pair<index, document_part>> told;
        all_.each_field("states", [&](const std::string& path, const document_part& each) {
            each.only({"for", "entered_by", "over", "due", "released", "timers", "locals"});
            const auto found = names_.find_state(path);
            if (!found.is_all || !is_active(found.state))
                return note(each, fmt::format("{} is not active any more: what is said of it is lost", path));
            told.emplace_back(found.state, each);
        });
        for (const auto& [s, each] : told) read_state(s, each);
        for (auto& part : made_.states)
            if (std::ranges::none_of(told, [&](const auto& t) { return t.first == part.state; })) tell_new(part.state);
        read_due();
    }
    void tell_new(index s) {
        const auto& place = all_["active"].value().place;
        changed_.add(code::changed_chart, place, names_.states[s], "it was not active before, and is as if it had just been entered");
        const auto& span = core_.states[s].timers;
        for (auto timer = span.first; timer < span.first + span.count; ++timer)
            if (core_.timers[timer].find.call)
                changed_.add(code::changed_chart, place, names_.states[s] + '/' + names_.timers[timer],
                             "a function finds out its time when the state is entered: it never comes");
    }
    /// As it is when it has just been entered.
    void begin_state(index s) {
        made_.states.push_back({s, 0, 0, made_.head.now});
        const auto& row = core_.states[s];
        for (auto timer = row.timers.first; timer < row.timers.first + row.timers.count; ++timer) {
            const auto& t = core_.timers[timer];
            const auto time = t.find.call ? never : std::max<std::int64_t>(t.fixed, t.periodic ? 1 : 0);
            made_.timers.push_back({timer, time == never ? never : plus(made_.head.now, time), t.periodic ? time : 1});
        }
        for (auto local = row.locals.first; local < row.locals.first + row.locals.count; ++local)
            made_.locals.push_back({local, prototype_bytes(shape_.locals[local], core_.locals[local].prototype->object())});
    }
    void read_state(index s, const document_part& from) {
        auto& part = *std::ranges::find(made_.states, s, &snapshot::state_part::state);
        const auto& row = core_.states[s];
        if (from.has("for")) part.entered = minus(made_.head.now, from["for"].integer(0));
        if (from.has("entered_by")) {
            const auto by = from["entered_by"];
            const auto number = names_.find_transition(by.text());
            if (number == saved_names::unknown)
                note(by, "there is no such transition any more");
            else
                part.entered_by = core_.has_over ? static_cast<std::uint32_t>(number + 1) : 0;
        }
        const auto mark = [&](const char* name, bool possible, int bit) {
            if (!from.flag(name)) return;
            if (possible)
                part.marks = static_cast<std::uint8_t>(part.marks | bit);
            else
                note(from[name], "it means nothing to this state any more");
        };
        mark("over", row.marked && s != 0, mark_over_bit);
        mark("due", row.marked && s != 0 && (part.marks & mark_over_bit), mark_due_bit);
        mark("released", row.holds, mark_released_bit);
        from.each_field("timers", [&](const std::string& name, const document_part& each) { read_timer(s, name, each); });
        from.each_field("locals", [&](const std::string& name, const document_part& each) { read_local(s, name, each); });
    }
    void read_timer(index s, const std::string& name, const document_part& from) {
        from.only({"in", "every"});
        const auto number = names_.find_timer(s, name);
        if (number == saved_names::unknown) return note(from, "there is no such timer any more");
        auto& part = *std::ranges::find(made_.timers, number, &snapshot::timer_part::timer);
        part.due = from.has("in") ? plus(made_.head.now, from["in"].integer()) : never;
        if (core_.timers[number].periodic && from.has("every")) part.period = from["every"].integer(1);
    }
    void read_local(index s, const std::string& name, const document_part& from) {
        const auto number = names_.find_local(s, name);
        if (number == saved_names::unknown) return note(from, "the state has no such local any more");
        auto& part = *std::ranges::find(made_.locals, number, &snapshot::local_part::local);
        part.value = value(from, shape_.locals[number], core_.locals[number].prototype->object());
    }
    value_bytes value(const document_part& from, const value_shape& shape, const void* prototype) {
        std::vector<misfit> notes;
        try {
            auto made = tree_to_value(shape, prototype, from.value(), notes);
            note(from, notes);
            return made;
        } catch (const misfit& m) {
            datum place;
            place.place = m.place;
            refuse_document(place, m.path.empty() ? from.path() : from.path() + '/' + m.path, m.problem);
        }
    }
    /// In the order of the document; where there are no regions it says nothing.
    void read_due() {
        std::vector<index> due;
        for (const auto& part : made_.states)
            if (part.marks & mark_due_bit) due.push_back(part.state);
        if (!core_.driven) return;
        all_.each_item("due", [&](const document_part& each) {
            const auto s = active_state(each);
            if (s == no_index) return;
            const auto found = std::ranges::find(due, s);
            if (found == due.end()) each.refuse("it is not marked as due, or stands here twice");
            made_.due.push_back(s);
            due.erase(found);
        });
        made_.due.insert(made_.due.end(), due.begin(), due.end());
    }

    // History.

    void read_history() {
        made_.records.resize(core_.history_owners.size());
        all_.each_field("history", [&](const std::string& path, const document_part& each) {
            const auto found = names_.find_state(path);
            const auto number = found.is_all ? core_.states[found.state].record : no_index;
            if (number == no_index) return note(each, fmt::format("{} has no history any more", path));
            read_record(number, found.state, each);
        });
    }
    void read_record(std::size_t number, index owner, const document_part& from) {
        std::vector<index> leaves;
        bool fits = true;
        from.each_item([&](const document_part& each) {
            const auto found = names_.find_state(each.text());
            fits &= found.is_all;
            leaves.push_back(found.state);
        });
        if (leaves.empty()) from.refuse("a history leads somewhere");
        snapshot::record_part record;
        if (fits) fits = make_record(record, owner, leaves);
        if (!fits) return note(from, "the history leads to something that there is not any more, and is forgotten");
        made_.records[number] = std::move(record);
    }
    bool make_record(snapshot::record_part& record, index owner, const std::vector<index>& leaves) const {
        record.recorded = leaves[0];
        if (!core_.driven) return leaves.size() == 1 && may_be_recorded(owner, leaves[0]);
        const auto& inner = core_.states[owner].regions;
        record.regions.assign(inner.count, no_index);
        for (std::size_t i = 1; i < leaves.size(); ++i) {
            const auto r = core_.states[leaves[i]].region;
            if (r < inner.first || r >= inner.first + inner.count || record.regions[r - inner.first] != no_index) return false;
            record.regions[r - inner.first] = leaves[i];
        }
        const auto leaf_of = [&](std::size_t r) {
            return r >= inner.first && r < inner.first + inner.count ? record.regions[r - inner.first] : record.recorded;
        };
        for (auto r = inner.first; r < inner.first + inner.count; ++r) {
            const auto parallel = core_.states[core_.regions[r]].superstate;
            if ((leaf_of(r) != no_index) != (leaf_of(core_.states[parallel].region) == parallel)) return false;
        }
        for (const auto leaf : leaves)
            if (!core_.contains(owner, leaf) || !is_place(leaf)) return false;
        return may_be_recorded(owner, leaves[0]);
    }
    bool may_be_recorded(index owner, index leaf) const {
        if (!is_place(leaf) || !core_.contains(owner, leaf) || core_.states[leaf].region != core_.states[owner].region) return false;
        return core_.states[owner].kind == state_kind::parallel ? leaf == owner : leaf != owner;
    }
    bool is_place(index s) const {
        const auto kind = core_.states[s].kind;
        return kind != state_kind::history && (kind != state_kind::final || core_.options.remember_finals);
    }

    // Conditions.

    void read_conditions() {
        made_.conditions.resize(words_for(core_.conditions.size()));
        all_.each_field("conditions", [&](const std::string& name, const document_part& each) {
            const auto& how = each.text();
            if (how != "on" && how != "pulse" && how != "ending" && how != "lost") each.refuse("a condition is \"on\", or a \"pulse\"");
            const auto number = names_.find_condition(name);
            if (number == saved_names::unknown || number == 0) return note(each, "there is no such condition any more");
            auto& word = made_.conditions[number / 64];
            const auto bit = std::uint64_t(1) << number % 64;
            if (how != "lost") word.bits |= bit;
            if (how == "pulse") word.pulsed |= bit;
            if (how == "ending" || how == "lost") word.ending |= bit;
        });
    }

    // What waits.

    std::size_t transition(const document_part& from) {
        const auto name = from["transition"];
        const auto number = names_.find_transition(name.text());
        const bool fits = number != saved_names::unknown && is_active(core_.transitions[number].source);
        if (!fits) note(name, "there is no such transition any more, or its source is not active");
        return fits ? number : saved_names::unknown;
    }
    bool is_free(std::size_t slot, const auto& list, auto slot_in) const {
        return std::ranges::none_of(list, [&](const auto& other) { return slot_in(other) == slot; });
    }
    void read_waiting(const document_part& from) {
        from.only({"transition", "holder"});
        const auto number = transition(from);
        if (number == saved_names::unknown) return;
        const auto& t = core_.transitions[number];
        const auto slot = slot_of(core_, t.level);
        const bool fits =
            core_.has_holds && t.event == no_index && t.target != no_index && is_free(slot, made_.waiting, [](auto& w) { return w.slot; });
        if (!fits) return note(from, "this transition cannot wait any more");
        const auto holder = from.has("holder") ? active_state(from["holder"]) : no_index;
        const bool holds = holder != no_index && core_.states[holder].holds;
        if (from.has("holder") && !holds) return note(from, "what it waited for does not hold any more");
        made_.waiting.push_back({static_cast<std::uint16_t>(slot), holder, static_cast<std::uint32_t>(number + 1)});
    }
    void read_pending(const document_part& from) {
        from.only({"transition", "value", "request", "from"});
        if (!core_.has_holds) return note(from, "nothing can be pending any more");
        snapshot::pending_event p{};
        std::size_t slot = 0;
        if (from.has("request")) {
            const auto target = names_.find_state(from["request"].text());
            const auto source = active_state(from["from"]);
            if (!target.is_all || source == no_index) return note(from, "the request leads to a state that there is not any more");
            slot = slot_of(core_, level_between(core_.states, source, target.state, false));
            p.what = {static_cast<std::uint16_t>(slot), source, target.state, 1, 0};
        } else {
            const auto number = transition(from);
            if (number == saved_names::unknown) return;
            const auto& t = core_.transitions[number];
            if (t.event == no_index) return note(from, "this transition does not wait for an event any more");
            slot = slot_of(core_, t.level);
            p.what = {static_cast<std::uint16_t>(slot), 0, 0, 0, static_cast<std::uint32_t>(number)};
            p.payload = payload(from, t.event);
        }
        if (!is_free(slot, made_.pending, [](auto& other) { return other.what.slot; })) return note(from, "something else is pending in its place");
        made_.pending.push_back(std::move(p));
    }
    value_bytes payload(const document_part& from, std::size_t event) {
        const auto& shape = shape_.events[event];
        if (shape.form == value_shape::nothing) return {};
        return value(from["value"], shape, nullptr);
    }
    std::size_t event(const document_part& from) {
        const auto name = from["event"];
        const auto number = names_.find_event(name.text());
        if (number == saved_names::unknown) note(name, "nothing waits for this event any more: it is lost");
        return number;
    }
    void read_deferred(const document_part& from) {
        from.only({"event", "value"});
        const auto number = event(from);
        if (number == saved_names::unknown) return;
        if (!core_.has_defers) return note(from, "nothing is deferred any more: it is lost");
        if (made_.deferred.size() == most_waiting) from.refuse("too much is deferred");
        made_.deferred.push_back({static_cast<std::uint16_t>(number), payload(from, number)});
    }
    void read_queue(const char* name, snapshot::queue which) {
        auto& queue = made_.queues[which];
        all_.each_item(name, [&](const document_part& from) {
            from.only({"event", "value", "request", "force"});
            if (queue.size() == most_waiting) from.refuse("too much waits");
            if (from.has("request")) {
                const auto target = names_.find_state(from["request"].text());
                if (!target.is_all) return note(from, "the request leads to a state that there is not any more");
                queue.push_back({{0, target.state, 0, from.flag("force")}, {}});
                return;
            }
            const auto number = event(from);
            if (number == saved_names::unknown) return;
            auto bytes = payload(from, number);
            const auto column = column_of(number, bytes);
            if (column == 0) return note(from, "nothing waits for this event any more: it is lost");
            queue.push_back({{column, no_index, !core_.events[number].type->is_name, 0}, std::move(bytes)});
        });
    }
    /// Of an event that is several values it depends on which it is.
    std::uint32_t column_of(std::size_t number, const value_bytes& bytes) const {
        const auto& e = core_.event_refs[number];
        const auto value = e.type->value && !bytes.empty() ? e.type->value(bytes.data()) : e.value;
        const auto column = core_.column_for({e.type, value, e.name, nullptr, nullptr});
        return column < core_.column_events.size() && core_.column_events[column] != no_index ? column : 0;
    }

    const chart_core& core_;
    const image_shape& shape_;
    const saved_names& names_;
    const document_part all_;
    changes& changed_;
    snapshot made_;
};

} // namespace

snapshot understand(const chart_core& core, const datum& d, std::int64_t now, changes& changed) { return understanding(core, d, now, changed).run(); }

} // namespace hsm::detail
