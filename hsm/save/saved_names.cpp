#include <hsm/save/detail/saved_names.hpp>

#include <hsm/chart/detail/chart_text.hpp>
#include <hsm/chart/view.hpp>
#include <hsm/save/detail/image_layout.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {

std::string name_of_event(const event_view& e) { return e.is_name() ? std::string(e.name()) : common_form(e.text()); }

/// Appends a number to repeated names, beginning with #2.
std::string numbered(std::map<std::string, int>& seen, std::string name) {
    const int count = ++seen[name];
    return count == 1 ? name : name + " #" + std::to_string(count);
}

} // namespace

saved_names::saved_names(const chart_core& core) : core_(core) {
    add_user(core.owner);
    const hsm::chart<int> handle(core.owner);
    const auto view = handle.view();
    for (const auto s : view.states()) states.emplace_back(s.path());
    std::map<std::string, int> seen;
    for (const auto e : view.events()) {
        events.push_back(numbered(seen, name_of_event(e)));
        by_event_.emplace(events.back(), events.size() - 1);
    }
    for (const auto e : view.events())
        for (const auto& former : e.former_names()) by_event_.emplace(former, e.number());
    for (const auto c : view.conditions()) {
        conditions.push_back(c.text());
        by_condition_.emplace(conditions.back(), conditions.size() - 1);
    }
    for (const auto c : view.conditions())
        for (const auto& former : c.former_names()) by_condition_.emplace(former, c.number());
    for (const auto& local : core.locals) locals.emplace_back(common_form(local.type->name));
    for (const auto& s : core.states)
        for (const auto& former : s.node->former_locals())
            for (std::size_t local = 0; local < core.locals.size(); ++local)
                if (same_type(*core.locals[local].type, *former.of)) former_locals_.emplace(common_form(former.name), local);
    name_transitions();
    name_timers();
}

saved_names::saved_names(const saved_names& of, std::vector<std::string> paths, std::vector<std::string> event_names,
                         std::vector<std::string> condition_names, std::vector<std::string> local_names)
    : states(std::move(paths)), locals(std::move(local_names)), events(std::move(event_names)), conditions(std::move(condition_names)),
      core_(of.core_) {
    name_transitions();
    name_timers();
}

void saved_names::name_transitions() {
    std::map<std::string, int> seen;
    for (const auto& t : core_.transitions) {
        std::string name = states[t.source];
        if (t.target != no_index) name += " ->";
        if (t.target != no_index)
            for (const auto target : core_.targets_of(t)) name += ' ' + states[target];
        if (t.event != no_index) name += " on " + events[t.event];
        if (t.on_finished) name += " when over";
        transitions.push_back(numbered(seen, name));
        by_transition_.emplace(transitions.back(), transitions.size() - 1);
    }
}

void saved_names::name_timers() {
    timers.resize(core_.timers.size());
    for (const auto& s : core_.states) {
        std::map<std::string, int> seen;
        const auto end = s.timers.first + s.timers.count;
        for (auto timer = s.timers.first; timer < end; ++timer) {
            std::string name = timer == s.least ? "least duration" : core_.timers[timer].periodic ? "every" : "after";
            for (const auto& t : core_.transitions) {
                if (t.timer != timer) continue;
                if (t.target != no_index) name += " -> " + states[t.target];
                break;
            }
            timers[timer] = numbered(seen, name);
        }
    }
}

saved_names::found_state saved_names::find_state(std::string_view path) const {
    found_state found;
    const auto is_called = [&](const state_base& s, std::string_view name) {
        if (s.name() == name) return true;
        if (std::ranges::find(s.former_names(), name) == s.former_names().end()) return false;
        return found.was_renamed = true;
    };
    while (true) {
        const auto end = std::min(path.find('/'), path.size());
        const auto name = path.substr(0, end);
        const auto* const at = found.state == no_index ? nullptr : core_.states[found.state].node;
        const state_base* next = nullptr;
        if (!at) {
            if (is_called(*core_.root, name)) next = core_.root;
        } else {
            for (const bool former : {false, true}) // current names come before former names
                for (const auto& inner : at->substates())
                    if (!next && (former ? is_called(*inner, name) : inner->name() == name)) next = inner.get();
        }
        if (!next) return found;
        found.state = static_cast<index>(next->number());
        if (end == path.size()) break;
        path.remove_prefix(end + 1);
    }
    found.is_all = true;
    return found;
}

/// Replaces the paths in a text, which are separated by spaces.
std::string saved_names::present(std::string_view text) const {
    std::string made;
    while (!text.empty()) {
        const auto end = std::min(text.find(' '), text.size());
        const auto word = text.substr(0, end);
        const auto found = find_state(word);
        made += found.is_all ? std::string_view(states[found.state]) : word;
        if (end < text.size()) made += ' ';
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return made;
}

std::size_t saved_names::find_transition(std::string_view name) const {
    auto found = by_transition_.find(name);
    if (found == by_transition_.end()) {
        auto renamed = present(name);
        if (const auto on = renamed.find(" on "); on != renamed.npos)
            if (const auto event = find_event(renamed.substr(on + 4)); event != unknown) renamed = renamed.substr(0, on + 4) + events[event];
        found = by_transition_.find(renamed);
    }
    return found == by_transition_.end() ? unknown : found->second;
}

std::size_t saved_names::find_event(std::string_view name) const {
    const auto found = by_event_.find(name);
    return found == by_event_.end() ? unknown : found->second;
}

std::size_t saved_names::find_condition(std::string_view name) const {
    const auto found = by_condition_.find(name);
    return found == by_condition_.end() ? unknown : found->second;
}

std::size_t saved_names::find_local(index state, std::string_view name) const {
    const auto& span = core_.states[state].locals;
    for (auto local = span.first; local < span.first + span.count; ++local)
        if (locals[local] == name) return local;
    for (auto [former, end] = former_locals_.equal_range(name); former != end; ++former)
        if (former->second - span.first < span.count) return former->second;
    return unknown;
}

std::size_t saved_names::find_timer(index state, std::string_view name) const {
    const auto& span = core_.states[state].timers;
    for (const auto& wanted : {std::string(name), present(name)})
        for (auto timer = span.first; timer < span.first + span.count; ++timer)
            if (timers[timer] == wanted) return timer;
    return unknown;
}

const saved_names& saved_names_of(const chart_core& core) {
    const auto& layout = image_layout_of(core);
    // Uses the chart itself, because `core` may be the short-lived copy of an observed instance.
    std::call_once(layout.named, [&] { layout.names = std::make_unique<saved_names>(*core.owner); });
    return *layout.names;
}

} // namespace hsm::detail
