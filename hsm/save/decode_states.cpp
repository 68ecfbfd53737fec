#include <hsm/save/detail/snapshot_decoder.hpp>

#include <hsm/define/time_span.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/op/detail/machine.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {
std::int64_t plus(std::int64_t time, std::int64_t span) {
    return (time_span::from_nanoseconds(time) + time_span::from_nanoseconds(span)).nanoseconds();
}
std::int64_t minus(std::int64_t time, std::int64_t span) {
    return (time_span::from_nanoseconds(time) - time_span::from_nanoseconds(span)).nanoseconds();
}
} // namespace

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
            if (is_excluded(s, wanted)) return note(each, fmt::format("{} cannot be active together with the states before it", each.text()));
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
        each.only({"for", "entered_by", "over", "due", "released", "timers", "locals"});
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
    const auto& span = core_.states[s].timers;
    for (auto timer = span.first; timer < span.first + span.count; ++timer)
        if (core_.timers[timer].find.call)
            changed_.add(code::changed_chart, place, names_.states[s] + '/' + names_.timers[timer],
                         "a function determines its time when the state is entered: this timer never elapses");
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
            note(from[name], "this state no longer uses it");
    };
    mark("over", row.marked && s != 0, mark_over_bit);
    mark("due", row.marked && s != 0 && (part.marks & mark_over_bit), mark_due_bit);
    mark("released", row.holds, mark_released_bit);
    from.each_field("timers", [&](const std::string& name, const document_node& each) { read_timer(s, name, each); });
    from.each_field("locals", [&](const std::string& name, const document_node& each) { read_local(s, name, each); });
}

void snapshot_decoder::read_timer(index s, const std::string& name, const document_node& from) {
    from.only({"in", "every"});
    const auto number = names_.find_timer(s, name);
    if (number == saved_names::unknown) return note(from, "this timer no longer exists");
    auto& part = *std::ranges::find(made_.timers, number, &snapshot::timer_entry::timer);
    part.due = from.has("in") ? plus(made_.head.now, from["in"].integer()) : never;
    if (core_.timers[number].periodic && from.has("every")) part.period = from["every"].integer(1);
}

void snapshot_decoder::read_local(index s, const std::string& name, const document_node& from) {
    const auto number = names_.find_local(s, name);
    if (number == saved_names::unknown) return note(from, "the state no longer has this local");
    auto& part = *std::ranges::find(made_.locals, number, &snapshot::local_entry::local);
    part.value = value(from, layout_.locals[number], core_.locals[number].prototype->object());
}

value_bytes snapshot_decoder::value(const document_node& from, const value_layout& layout, const void* prototype) {
    std::vector<mismatch> notes;
    try {
        auto made = json_to_value(layout, prototype, from.value(), notes);
        note(from, notes);
        return made;
    } catch (const mismatch& m) {
        json_value place;
        place.place = m.place;
        refuse_document(place, m.path.empty() ? from.path() : from.path() + '/' + m.path, m.problem);
    }
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
        if (found == due.end()) each.refuse("it is not marked as due, or appears twice");
        made_.due.push_back(s);
        due.erase(found);
    });
    made_.due.insert(made_.due.end(), due.begin(), due.end());
}

} // namespace hsm::detail
