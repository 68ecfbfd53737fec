#include <hsm/define/time_span.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/op/detail/machine.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/snapshot_decoder.hpp>

#include <algorithm>

namespace hsm::detail {

void changes::add(code number, const document_position& place, std::string path, std::string what) {
    finding f{number, std::move(path), std::move(what), ""};
    if (place.line > 0) f.where = {"document", place.line, place.column};
    notes.push_back(std::move(f));
}

namespace {
std::string path_of(const mismatch& m, const std::string& object) { return m.path.empty() ? object : object + '/' + m.path; }
} // namespace

void changes::add(const mismatch& m, const std::string& path) { add(code::changed_chart, m.place, path_of(m, path), m.problem); }

void changes::refuse_if(bool strict) {
    if (!strict || notes.empty()) return;
    notes.front().hint = "with strict, the document must fit the chart exactly: restore it without strict";
    throw save_error(std::move(notes));
}

void refuse_mismatch(const mismatch& m, const std::string& path) {
    json_value place;
    place.place = m.place;
    refuse_document(place, path_of(m, path), m.problem);
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

snapshot decode_snapshot(const chart_core& core, const json_value& d, std::int64_t now, changes& changed) {
    return decode_snapshot(core, image_layout_of(core), d, now, changed);
}

snapshot decode_snapshot(const chart_core& core, const image_layout& layout, const json_value& d, std::int64_t now, changes& changed) {
    return snapshot_decoder(core, layout, d, now, changed).run();
}

snapshot snapshot_decoder::run() {
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

void snapshot_decoder::read_history() {
    made_.records.resize(core_.history_owners.size());
    all_.each_field("history", [&](const std::string& path, const document_node& each) {
        const auto found = names_.find_state(path);
        const auto number = found.is_all ? core_.states[found.state].record : no_index;
        if (number == no_index) return note(each, fmt::format("{} no longer has a history", path));
        read_record(number, found.state, each);
    });
}

void snapshot_decoder::read_record(std::size_t number, index owner, const document_node& from) {
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

bool snapshot_decoder::make_record(snapshot::history_entry& record, index owner, const std::vector<index>& leaves) const {
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

void snapshot_decoder::read_chance() {
    if (!all_.has("chance")) return;
    const auto from = all_["chance"];
    for (const auto& [name, part] : parts_of_chance) made_.chance.*part = static_cast<std::uint64_t>(from[name].integer());
}

namespace {
std::int64_t plus(std::int64_t time, std::int64_t span) {
    return (time_span::from_nanoseconds(time) + time_span::from_nanoseconds(span)).nanoseconds();
}
std::int64_t minus(std::int64_t time, std::int64_t span) {
    return (time_span::from_nanoseconds(time) - time_span::from_nanoseconds(span)).nanoseconds();
}
} // namespace

void snapshot_decoder::read_cooldowns() {
    made_.cooldowns.resize(core_.cooldowns.size());
    all_.each_field("cooldowns", [&](const std::string& name, const document_node& each) {
        const auto number = names_.find_transition(name);
        const auto found = std::ranges::find(core_.cooldowns, number, &cooldown_row::transition);
        if (found == core_.cooldowns.end()) return note(each, "this cooldown no longer exists");
        const auto end = plus(made_.head.now, each.integer(0));
        made_.cooldowns[static_cast<std::size_t>(found - core_.cooldowns.begin())] = end > made_.head.now ? end : 0;
    });
}

void snapshot_decoder::read_conditions() {
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

index snapshot_decoder::resolve(const document_node& at, const std::string& path) {
    const auto found = names_.find_state(path);
    if (found.state == no_index) at.refuse(fmt::format("\"{}\" is in another machine", path));
    if (!found.is_all)
        note(at, fmt::format("{} no longer exists: {} replaces it and chooses its initial state", path, names_.states[found.state]));
    else if (found.was_renamed)
        note(at, fmt::format("{} is now {}", path, names_.states[found.state]));
    return found.state;
}

void snapshot_decoder::read_leaves() {
    made_.leaves.assign(core_.by_regions ? core_.regions.size() : 1, no_index);
    std::vector<bool> wanted(core_.states.size());
    bool is_active = false;
    all_["active"].each_item([&](const document_node& each) {
        is_active = true;
        auto leaf = resolve(each, each.text());
        if (core_.states[leaf].kind == state_kind::history) leaf = core_.states[leaf].superstate;
        for (index s = leaf; s != no_index; s = core_.states[s].superstate)
            if (is_excluded(s, wanted)) return note(each, fmt::format("{} cannot be active together with the states listed before it", each.text()));
        for (index s = leaf; s != no_index; s = core_.states[s].superstate) wanted[s] = true;
    });
    if (!is_active) {
        made_.head.work = 0;
        return;
    }
    wanted[0] = true;
    for (std::size_t r = 0; r < made_.leaves.size(); ++r) rest(r, wanted);
}

bool snapshot_decoder::is_excluded(index s, const std::vector<bool>& wanted) const {
    const auto outer = core_.states[s].superstate;
    if (wanted[s] || outer == no_index || !wanted[outer] || core_.states[outer].kind != state_kind::machine) return false;
    for (const auto& other : core_.states[outer].node->substates())
        if (wanted[other->number()]) return true;
    return false;
}

void snapshot_decoder::rest(std::size_t r, const std::vector<bool>& wanted) {
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

bool snapshot_decoder::is_active(index s) const {
    const auto leaf = made_.leaves[core_.by_regions ? core_.states[s].region : 0u];
    return leaf != no_index && core_.contains(s, leaf);
}

index snapshot_decoder::active_state(const document_node& at) {
    const auto found = names_.find_state(at.text());
    const bool is = found.is_all && is_active(found.state);
    if (!is) note(at, fmt::format("{} is not active", at.text()));
    return is ? found.state : no_index;
}

void snapshot_decoder::read_states() {
    each_active_state(
        core_, [&](std::size_t r) { return made_.leaves[r]; },
        [&](index s) {
            begin_state(s);
            return true;
        });
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

void snapshot_decoder::report_new(index s) {
    const auto& place = all_["active"].value().place;
    changed_.add(code::changed_chart, place, names_.states[s], "it was not active before; it is restored as if it had just been entered");
    report_new_timers(s, {});
}

/// A function computes the time of a timer when its state is entered, so a timer without a saved time does not run.
void snapshot_decoder::report_new_timers(index s, std::span<const std::size_t> saved) {
    const auto& span = core_.states[s].timers;
    for (auto timer = span.first; timer < span.first + span.count; ++timer)
        if (core_.timers[timer].find.call && std::ranges::find(saved, timer) == saved.end())
            changed_.add(code::changed_chart, all_["active"].value().place, names_.states[s] + '/' + names_.timers[timer],
                         "a function determines the time of this timer when the state is entered; after this restore, the timer never elapses");
}

void snapshot_decoder::begin_state(index s) {
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

void snapshot_decoder::read_state(index s, const document_node& from) {
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

void snapshot_decoder::read_timer(index s, const std::string& name, const document_node& from) {
    from.only({"in", "every"});
    const auto number = names_.find_timer(s, name);
    if (number == saved_names::unknown) return note(from, "this timer no longer exists");
    auto& part = *std::ranges::find(made_.timers, number, &snapshot::timer_entry::timer);
    part.due = from.has("in") ? plus(made_.head.now, from["in"].integer()) : never;
    if (core_.timers[number].periodic && from.has("every")) part.period = from["every"].integer(1);
}

void snapshot_decoder::read_local(index s, const std::string& name, const document_node& from, const document_node& all) {
    const auto number = names_.find_local(s, name);
    const bool is_replaced = number != saved_names::unknown && name != names_.locals[number] && all.has(names_.locals[number]);
    if (number == saved_names::unknown || is_replaced) return note(from, "the state no longer has this local");
    auto& part = *std::ranges::find(made_.locals, number, &snapshot::local_entry::local);
    part.value = decode_value(from, layout_.locals[number], core_.locals[number].prototype->object(), changed_);
}

void snapshot_decoder::read_leave_request(const document_node& at, index s, std::uint32_t transition, std::size_t slot) {
    const auto& all = core_.leave_requests;
    const auto is_same = [&](const auto& r) { return r.state == s && r.transition == transition && r.slot == slot; };
    const auto found = std::ranges::find_if(all, is_same);
    if (found == all.end() || (transition != no_transition && !is_active(core_.transitions[transition].source)))
        return note(at, "this request to leave the state is no longer possible, and is dropped");
    const auto number = static_cast<std::size_t>(found - all.begin());
    made_.leave_requests[number / 64] |= std::uint64_t(1) << number % 64;
}

void snapshot_decoder::read_due() {
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

} // namespace hsm::detail
