// Converts a document to a snapshot that is valid for the chart. Parts that do not fit are left out and reported.

#include <hsm/define/time_span.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/op/detail/machine.hpp>
#include <hsm/save/detail/description.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/image_layout.hpp>
#include <hsm/save/detail/json_archive.hpp>
#include <hsm/save/detail/json_value.hpp>
#include <hsm/save/detail/saved_names.hpp>
#include <hsm/vm/detail/holding.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace hsm::detail {

void changes::add(code number, const document_position& place, std::string path, std::string what) {
    finding f{number, std::move(path), std::move(what), ""};
    if (place.line > 0) f.where = {"document", place.line, place.column};
    notes.push_back(std::move(f));
}

void changes::add(const mismatch& m, const std::string& path) { add(code::changed_chart, m.place, path_inside(path, m.path), m.problem); }

void changes::refuse_if(bool strict) {
    if (!strict || notes.empty()) return;
    notes.front().hint = "with strict, the document must fit the chart exactly: restore it without strict";
    throw save_error(std::move(notes));
}

void refuse_mismatch(const mismatch& m, const std::string& path) {
    json_value place;
    place.place = m.place;
    refuse_document(place, path_inside(path, m.path), m.problem);
}

value_bytes decode_value(const document_node& from, const value_layout& layout, const void* prototype, changes& changed) {
    std::vector<mismatch> notes;
    try {
        auto made = json_to_value(layout, prototype, from.value(), notes);
        for (const auto& each : notes) changed.add(each, from.path());
        return made;
    } catch (const mismatch& m) {
        refuse_mismatch(m, from.path());
    }
}

namespace {

std::int64_t plus(std::int64_t time, std::int64_t span) {
    return (time_span::from_nanoseconds(time) + time_span::from_nanoseconds(span)).nanoseconds();
}
std::int64_t minus(std::int64_t time, std::int64_t span) {
    return (time_span::from_nanoseconds(time) - time_span::from_nanoseconds(span)).nanoseconds();
}

constexpr std::size_t most_waiting = 0xffff; ///< in one queue

bool is_free(std::size_t slot, const auto& list, const auto& slot_in) {
    return std::ranges::none_of(list, [&](const auto& other) { return slot_in(other) == slot; });
}

class snapshot_decoder {
public:
    snapshot_decoder(const chart_core& core, const image_layout& layout, const json_value& d, std::int64_t now, changes& changed)
        : core_(core), layout_(layout), names_(saved_names_of(core)), all_(d, core.root->path()), changed_(changed) {
        made_.head.now = now;
        made_.head.scale = 1.0;
    }

    snapshot run() {
        auto known = names_of_values();
        for (const char* const part : {"active", "states", "due", "history", "chance", "cooldowns", "conditions", "waiting", "pending", "deferred",
                                       "internal", "posted", "mailbox"})
            known.push_back(part);
        all_.only(known);
        decode_values(made_.head, all_);
        made_.leave_requests.resize(words_for(core_.leave_requests.size()));
        read_leaves();
        read_conditions();
        read_states();
        read_history();
        read_chance();
        read_cooldowns();
        read_waiting();
        return std::move(made_);
    }

    std::optional<snapshot::queued_event> read_event(const document_node& from) {
        const auto number = event(from);
        if (number == saved_names::unknown) return {};
        const bool has_payload = !core_.events[number].type->is_name || from.has("value");
        auto bytes = has_payload ? payload(from, number) : value_bytes();
        const auto column = column_of(number, bytes);
        if (column == 0) return note(from, "no transition waits for this event any longer: the event is dropped"), std::nullopt;
        return snapshot::queued_event{{column, no_index, has_payload, 0}, std::move(bytes)};
    }

private:
    void note(const document_node& at, std::string what) { changed_.add(code::changed_chart, at.value().place, at.path(), std::move(what)); }

    // Active states.

    /// Returns the state, or the innermost existing state that contains it. no_index if the root differs.
    index resolve(const document_node& at, const std::string& path) {
        const auto found = names_.find_state(path);
        if (found.state == no_index) at.refuse(fmt::format("\"{}\" is in another machine", path));
        if (!found.is_all)
            note(at, fmt::format("{} no longer exists: {} replaces it and chooses its initial state", path, names_.states[found.state]));
        else if (found.was_renamed)
            note(at, fmt::format("{} is now {}", path, names_.states[found.state]));
        return found.state;
    }

    void read_leaves() {
        made_.leaves.assign(core_.by_regions ? core_.regions.size() : 1, no_index);
        std::vector<bool> wanted(core_.states.size());
        bool is_active = false;
        all_["active"].each_item([&](const document_node& each) {
            is_active = true;
            auto leaf = resolve(each, each.text());
            if (core_.states[leaf].kind == state_kind::history) leaf = core_.states[leaf].superstate;
            for (index s = leaf; s != no_index; s = core_.states[s].superstate)
                if (is_excluded(s, wanted))
                    return note(each, fmt::format("{} cannot be active together with the states listed before it", each.text()));
            for (index s = leaf; s != no_index; s = core_.states[s].superstate) wanted[s] = true;
        });
        if (!is_active) {
            made_.head.work = 0;
            return;
        }
        wanted[0] = true;
        for (std::size_t r = 0; r < made_.leaves.size(); ++r) rest(r, wanted);
    }

    /// Returns whether `wanted` already contains another substate of its machine.
    bool is_excluded(index s, const std::vector<bool>& wanted) const {
        const auto outer = core_.states[s].superstate;
        if (wanted[s] || outer == no_index || !wanted[outer] || core_.states[outer].kind != state_kind::machine) return false;
        for (const auto& other : core_.states[outer].node->substates())
            if (wanted[other->number()]) return true;
        return false;
    }

    /// Sets the leaf of a region: the innermost state in `wanted`. A machine without a substate in `wanted` tries its entry choices in the next tick.
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
        const auto leaf = made_.leaves[core_.by_regions ? core_.states[s].region : 0u];
        return leaf != no_index && core_.contains(s, leaf);
    }

    /// For "due", "waiting", ...: returns no_index if the state is not active any more.
    index active_state(const document_node& at) {
        const auto found = names_.find_state(at.text());
        const bool is = found.is_all && is_active(found.state);
        if (!is) note(at, fmt::format("{} is not active", at.text()));
        return is ? found.state : no_index;
    }

    void read_states() {
        each_active_state(
            core_, [&](std::size_t r) { return made_.leaves[r]; }, [&](index s) { begin_state(s); });
        std::vector<std::pair<index, document_node>> found_states;
        all_.each_field("states", [&](const std::string& path, const document_node& each) {
            each.only({"for", "entered_by", "over", "due", "released", "requests", "timers", "locals"});
            const auto found = names_.find_state(path);
            if (!found.is_all || !is_active(found.state)) return note(each, fmt::format("{} is no longer active: its data is dropped", path));
            found_states.emplace_back(found.state, each);
        });
        for (const auto& [s, each] : found_states) read_state(s, each);
        for (auto& part : made_.states)
            if (std::ranges::none_of(found_states, [&](const auto& t) { return t.first == part.state; })) report_new(part.state);
        read_due();
    }

    void report_new(index s) {
        const auto& place = all_["active"].value().place;
        changed_.add(code::changed_chart, place, names_.states[s], "it was not active before; it is restored as if it had just been entered");
        report_new_timers(s, {});
    }

    /// A function computes the time of a timer when its state is entered, so a timer without a saved time does not run.
    void report_new_timers(index s, std::span<const std::size_t> saved) {
        const auto& span = core_.states[s].timers;
        for (auto timer = span.first; timer < span.first + span.count; ++timer)
            if (core_.timers[timer].find.call && std::ranges::find(saved, timer) == saved.end())
                changed_.add(code::changed_chart, all_["active"].value().place, names_.states[s] + '/' + names_.timers[timer],
                             "a function determines the time of this timer when the state is entered; after this restore, the timer never elapses");
    }

    /// Sets the state as if it had just been entered.
    void begin_state(index s) {
        made_.states.push_back({s, 0, 0, made_.head.now});
        const auto& row = core_.states[s];
        for (auto timer = row.timers.first; timer < row.timers.first + row.timers.count; ++timer) {
            const auto& t = core_.timers[timer];
            const auto time = t.find.call ? never : std::max<std::int64_t>(t.fixed, t.periodic ? 1 : 0);
            made_.timers.push_back({timer, time == never ? never : plus(made_.head.now, time), t.periodic ? time : 1});
        }
        for (auto local = row.locals.first; local < row.locals.first + row.locals.count; ++local)
            made_.locals.push_back({local, prototype_bytes(layout_.locals[local], core_.locals[local].prototype->object())});
    }

    void read_state(index s, const document_node& from) {
        auto& part = *std::ranges::find(made_.states, s, &snapshot::state_entry::state);
        const auto& row = core_.states[s];
        if (from.has("for")) part.entered = minus(made_.head.now, from["for"].integer(0));
        if (from.has("entered_by")) {
            const auto by = from["entered_by"];
            const auto number = names_.find_transition(by.text());
            if (number == saved_names::unknown)
                note(by, "this transition no longer exists");
            else
                part.entered_by = core_.has_over ? static_cast<std::uint32_t>(number + 1) : 0;
        }
        const auto mark = [&](const char* name, bool possible, int bit) {
            if (!from.flag(name)) return;
            if (possible)
                part.marks = static_cast<std::uint8_t>(part.marks | bit);
            else
                note(from[name], "this state no longer uses this value");
        };
        mark("over", row.marked && s != 0, mark_over_bit);
        mark("due", row.marked && s != 0 && (part.marks & mark_over_bit), mark_due_bit);
        mark("released", row.holds, mark_released_bit);
        from.each_item("requests", [&](const document_node& each) {
            const auto number = names_.find_transition(each.text());
            read_leave_request(each, s, number == saved_names::unknown ? no_transition - 1 : static_cast<std::uint32_t>(number), 0);
        });
        std::vector<std::size_t> saved;
        from.each_field("timers", [&](const std::string& name, const document_node& each) {
            saved.push_back(names_.find_timer(s, name));
            read_timer(s, name, each);
        });
        report_new_timers(s, saved);
        from.each_field("locals", [&](const std::string& name, const document_node& each) { read_local(s, name, each, from["locals"]); });
    }

    void read_timer(index s, const std::string& name, const document_node& from) {
        from.only({"in", "every"});
        const auto number = names_.find_timer(s, name);
        if (number == saved_names::unknown) return note(from, "this timer no longer exists");
        auto& part = *std::ranges::find(made_.timers, number, &snapshot::timer_entry::timer);
        part.due = from.has("in") ? plus(made_.head.now, from["in"].integer()) : never;
        if (core_.timers[number].periodic && from.has("every")) part.period = from["every"].integer(1);
    }

    void read_local(index s, const std::string& name, const document_node& from, const document_node& all) {
        const auto number = names_.find_local(s, name);
        const bool is_replaced = number != saved_names::unknown && name != names_.locals[number] && all.has(names_.locals[number]);
        if (number == saved_names::unknown || is_replaced) return note(from, "the state no longer has this local");
        auto& part = *std::ranges::find(made_.locals, number, &snapshot::local_entry::local);
        part.value = decode_value(from, layout_.locals[number], core_.locals[number].prototype->object(), changed_);
    }

    /// Of a polled transition, or, with no_transition, of what is pending in the slot.
    void read_leave_request(const document_node& at, index s, std::uint32_t transition, std::size_t slot) {
        const auto& all = core_.leave_requests;
        const auto is_same = [&](const auto& r) { return r.state == s && r.transition == transition && r.slot == slot; };
        const auto found = std::ranges::find_if(all, is_same);
        if (found == all.end() || (transition != no_transition && !is_active(core_.transitions[transition].source)))
            return note(at, "this request to leave the state is no longer possible, and is dropped");
        const auto number = static_cast<std::size_t>(found - all.begin());
        made_.leave_requests[number / 64] |= std::uint64_t(1) << number % 64;
    }

    /// Keeps the order of the document. Without regions the order is fixed.
    void read_due() {
        std::vector<index> due;
        for (const auto& part : made_.states)
            if (part.marks & mark_due_bit) due.push_back(part.state);
        if (!core_.by_regions) return;
        all_.each_item("due", [&](const document_node& each) {
            const auto s = active_state(each);
            if (s == no_index) return;
            const auto found = std::ranges::find(due, s);
            if (found == due.end()) each.refuse("this state is not marked as due, or is listed twice");
            made_.due.push_back(s);
            due.erase(found);
        });
        made_.due.insert(made_.due.end(), due.begin(), due.end());
    }

    // History.

    void read_history() {
        made_.records.resize(core_.history_owners.size());
        all_.each_field("history", [&](const std::string& path, const document_node& each) {
            const auto found = names_.find_state(path);
            const auto number = found.is_all ? core_.states[found.state].record : no_index;
            if (number == no_index) return note(each, fmt::format("{} no longer has a history", path));
            read_record(number, found.state, each);
        });
    }

    void read_chance() {
        if (!all_.has("chance")) return;
        const auto from = all_["chance"];
        for (const auto& [name, part] : parts_of_chance) made_.chance.*part = static_cast<std::uint64_t>(from[name].integer());
    }

    void read_cooldowns() {
        made_.cooldowns.resize(core_.cooldowns.size());
        all_.each_field("cooldowns", [&](const std::string& name, const document_node& each) {
            const auto number = names_.find_transition(name);
            const auto found = std::ranges::find(core_.cooldowns, number, &cooldown_row::transition);
            if (found == core_.cooldowns.end()) return note(each, "this cooldown no longer exists");
            const auto end = plus(made_.head.now, each.integer(0));
            made_.cooldowns[static_cast<std::size_t>(found - core_.cooldowns.begin())] = end > made_.head.now ? end : 0;
        });
    }

    void read_record(std::size_t number, index owner, const document_node& from) {
        std::vector<index> leaves;
        bool fits = true;
        from.each_item([&](const document_node& each) {
            const auto found = names_.find_state(each.text());
            fits &= found.is_all;
            leaves.push_back(found.state);
        });
        if (leaves.empty()) from.refuse("a history must name a state");
        const bool previous = core_.is_previous(owner);
        if (previous && leaves.size() == 2) fits = fits && may_be_recorded(core_, owner, leaves[1]) && leaves[0] != leaves[1];
        snapshot::history_entry record;
        if (fits) fits = make_record(record, owner, previous && leaves.size() == 2 ? std::vector{leaves[0]} : leaves);
        if (!fits) return note(from, "the history names a state that no longer exists; the record is dropped");
        if (previous && leaves.size() == 2) made_.records[number + 1].recorded = leaves[1];
        made_.records[number] = std::move(record);
    }

    bool make_record(snapshot::history_entry& record, index owner, const std::vector<index>& leaves) const {
        record.recorded = leaves[0];
        if (!core_.by_regions) return leaves.size() == 1 && may_be_recorded(core_, owner, leaves[0]);
        const auto& inner = core_.states[owner].regions;
        record.regions.assign(inner.count, no_index);
        for (std::size_t i = 1; i < leaves.size(); ++i) {
            const auto r = core_.states[leaves[i]].region;
            const bool is_inside = r >= inner.first && r < inner.first + inner.count;
            if (!is_inside || record.regions[r - inner.first] != no_index || !may_be_remembered(core_, leaves[i], core_.regions[r])) return false;
            record.regions[r - inner.first] = leaves[i];
        }
        return may_be_recorded(core_, owner, leaves[0]) && record_agrees(core_, owner, leaves[0], record.regions);
    }

    // Conditions.

    void read_conditions() {
        made_.conditions.resize(words_for(core_.conditions.size()));
        all_.each_field("conditions", [&](const std::string& name, const document_node& each) {
            const auto& how = each.text();
            if (how != "on" && how != "pulse") each.refuse("a condition must be \"on\" or \"pulse\"");
            const auto number = names_.find_condition(name);
            if (number == saved_names::unknown || number == 0) return note(each, "this condition no longer exists");
            auto& word = made_.conditions[number / 64];
            const auto bit = std::uint64_t(1) << number % 64;
            word.bits |= bit;
            if (how == "pulse") word.pulsed |= bit;
        });
    }

    // Waiting items.

    void read_waiting() {
        if (made_.leaves[0] == no_index)
            for (const char* const name : {"waiting", "pending", "deferred", "internal", "posted"}) refuse_if_inactive(name);
        all_.each_item("waiting", [&](const document_node& each) { read_one_waiting(each); });
        all_.each_item("pending", [&](const document_node& each) { read_pending(each); });
        std::ranges::sort(made_.waiting, {}, &waiting_entry::slot);
        std::ranges::sort(made_.pending, {}, [](const auto& p) { return p.what.slot; });
        all_.each_item("deferred", [&](const document_node& each) { read_deferred(each); });
        read_queue("internal", snapshot::internal);
        read_queue("posted", snapshot::posted);
        read_queue("mailbox", snapshot::mailed);
    }

    void refuse_if_inactive(const char* name) {
        if (all_.has(name)) all_[name].refuse("no state is active, so nothing can wait");
    }

    std::size_t transition(const document_node& from) {
        const auto name = from["transition"];
        const auto number = names_.find_transition(name.text());
        const bool fits = number != saved_names::unknown && is_active(core_.transitions[number].source);
        if (!fits) note(name, "this transition no longer exists, or its source is not active");
        return fits ? number : saved_names::unknown;
    }

    void read_one_waiting(const document_node& from) {
        from.only({"transition", "holder"});
        const auto number = transition(from);
        if (number == saved_names::unknown) return;
        const auto& t = core_.transitions[number];
        const auto slot = slot_of(core_, t.level);
        const bool fits =
            core_.has_holds && t.event == no_index && t.target != no_index && is_free(slot, made_.waiting, [](auto& w) { return w.slot; });
        if (!fits) return note(from, "this transition can no longer wait");
        const auto holder = from.has("holder") ? active_state(from["holder"]) : no_index;
        const bool holds = holder != no_index && core_.states[holder].holds;
        if (!holds) return note(from, "the state that it waited for no longer holds");
        made_.waiting.push_back({static_cast<std::uint16_t>(slot), holder, static_cast<std::uint32_t>(number + 1)});
    }

    void read_pending(const document_node& from) {
        from.only({"transition", "value", "request", "from", "exits", "requested"});
        if (!core_.has_holds) return note(from, "no transition can be pending any longer");
        snapshot::pending_event p{};
        std::size_t slot = 0;
        if (from.has("request")) {
            const auto target = names_.find_state(from["request"].text());
            const auto source = active_state(from["from"]);
            if (!target.is_all || source == no_index) return note(from, "the request names a state that no longer exists");
            const bool stays = is_request_to_region(core_, source, target.state) && !from.flag("exits");
            slot = slot_of(core_, stays ? target.state : level_between(core_.states, source, target.state, false));
            p.what = {static_cast<std::uint16_t>(slot), source, target.state, 1, 0};
        } else {
            const auto number = transition(from);
            if (number == saved_names::unknown) return;
            const auto& t = core_.transitions[number];
            if (t.event == no_index) return note(from, "this transition no longer waits for an event");
            slot = slot_of(core_, t.level);
            p.what = {static_cast<std::uint16_t>(slot), 0, 0, 0, static_cast<std::uint32_t>(number)};
            p.payload = payload(from, t.event);
        }
        if (!is_free(slot, made_.pending, [](auto& other) { return other.what.slot; })) return note(from, "another transition is pending instead");
        made_.pending.push_back(std::move(p));
        from.each_item("requested", [&](const document_node& each) {
            if (const auto s = active_state(each); s != no_index) read_leave_request(each, s, no_transition, slot);
        });
    }

    value_bytes payload(const document_node& from, std::size_t event) {
        const auto& layout = layout_.events[event];
        if (layout.form == value_layout::nothing) return {};
        const bool is_name = core_.events[event].type->is_name;
        if (is_name && !from.has("value")) return {};
        auto bytes = decode_value(from["value"], layout, nullptr, changed_);
        if (layout.codec == &codec_of_names && !bytes.empty()) {
            const built_value made(layout, nullptr, bytes);
            if (is_blank(*static_cast<const named_event*>(made.object()))) return {};
        }
        return bytes;
    }

    std::size_t event(const document_node& from) {
        const auto name = from["event"];
        const auto number = names_.find_event(name.text());
        if (number == saved_names::unknown) note(name, "no transition waits for this event any longer: the event is dropped");
        return number;
    }

    void read_deferred(const document_node& from) {
        from.only({"event", "value"});
        const auto number = event(from);
        if (number == saved_names::unknown) return;
        if (!core_.has_defers) return note(from, "no state defers events any longer: the event is dropped");
        if (made_.deferred.size() == most_waiting) from.refuse("too many events are deferred");
        made_.deferred.push_back({static_cast<std::uint16_t>(number), payload(from, number)});
    }

    void read_queue(const char* name, snapshot::queue which) {
        auto& queue = made_.queues[which];
        all_.each_item(name, [&](const document_node& from) {
            from.only({"event", "value", "request", "force"});
            if (queue.size() == most_waiting) from.refuse("too many events are waiting");
            if (from.has("request")) {
                const auto target = names_.find_state(from["request"].text());
                if (!target.is_all) return note(from, "the request names a state that no longer exists");
                queue.push_back({{0, target.state, 0, from.flag("force")}, {}});
                return;
            }
            if (auto found = read_event(from)) queue.push_back(std::move(*found));
        });
    }

    /// For an event of several values the column depends on the value.
    std::uint32_t column_of(std::size_t number, const value_bytes& bytes) const {
        const auto& e = core_.event_refs[number];
        if (e.type->is_name) return core_.event_columns[number];
        const void* const object = layout_.events[number].form == value_layout::object ? object_in(bytes) : bytes.data();
        const auto value = e.type->value && !bytes.empty() ? e.type->value(object) : e.value;
        const auto column = core_.column_for({e.type, value, e.name, nullptr, nullptr});
        return column < core_.column_events.size() && core_.column_events[column] != no_index ? column : 0;
    }

    const chart_core& core_;
    const image_layout& layout_;
    const saved_names& names_;
    const document_node all_;
    changes& changed_;
    snapshot made_;
};

} // namespace

snapshot decode_snapshot(const chart_core& core, const json_value& d, std::int64_t now, changes& changed) {
    return decode_snapshot(core, image_layout_of(core), d, now, changed);
}

snapshot decode_snapshot(const chart_core& core, const image_layout& layout, const json_value& d, std::int64_t now, changes& changed) {
    return snapshot_decoder(core, layout, d, now, changed).run();
}

std::optional<snapshot::queued_event> decode_event(const chart_core& core, const document_node& from, changes& changed) {
    return snapshot_decoder(core, image_layout_of(core), from.value(), 0, changed).read_event(from);
}

} // namespace hsm::detail
