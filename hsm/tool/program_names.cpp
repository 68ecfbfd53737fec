#include <hsm/tool/detail/program_text.hpp>

#include <hsm/op/detail/format.hpp>

#include <algorithm>

namespace hsm::detail::tool {

namespace {

cpp_group group_of(behavior_kind kind) {
    switch (kind) {
    case behavior_kind::guard: return cpp_group::guards;
    case behavior_kind::change: return cpp_group::changes;
    case behavior_kind::delay: return cpp_group::delays;
    case behavior_kind::score: return cpp_group::scores;
    case behavior_kind::done_data: return cpp_group::done_data;
    case behavior_kind::local: return cpp_group::locals;
    case behavior_kind::state: return cpp_group::classes;
    case behavior_kind::part: return cpp_group::parts;
    case behavior_kind::identifier: return cpp_group::identifiers;
    case behavior_kind::event: return cpp_group::events;
    case behavior_kind::callback:
    case behavior_kind::update:
    case behavior_kind::action:
    case behavior_kind::bit: break;
    }
    return cpp_group::hooks;
}

/// Returns the identifiers that are reserved in a namespace of this group, because its functions and classes use them.
std::set<std::string, std::less<>> taken_in(cpp_group group) {
    std::set<std::string, std::less<>> taken{"context", "hsm", "std"};
    if (group == cpp_group::classes) taken.insert({"fsm", "state"});
    return taken;
}

bool is_used_earlier(const use_site& a, const use_site& b) { return a.at.line != b.at.line ? a.at.line < b.at.line : a.at.column < b.at.column; }

/// Returns the common kind of two uses. A callable registered as a hook can also be used as an update or an action; the reverse is not possible.
behavior_kind kind_for(behavior_kind a, behavior_kind b) { return a == b ? a : behavior_kind::callback; }

/// Returns whether a transition waits for a prefix of names, or for an event that the machine raises.
bool waits_for_names(const state_base& s) {
    for (const auto& t : s.transitions())
        if (!t->event.names.empty() || t->event.name.starts_with("done.") || t->event.name.starts_with("error.")) return true;
    return std::ranges::any_of(s.substates(), [](const auto& sub) { return waits_for_names(*sub); });
}

/// Returns the event of all these places, or an empty text if they differ.
std::string common_event(const std::vector<use_site>& sites) {
    for (const auto& p : sites)
        if (p.event != sites.front().event) return {};
    return sites.empty() ? std::string() : sites.front().event;
}

} // namespace

std::string_view to_string(cpp_group group) {
    constexpr std::string_view names[] = {"guards", "hooks",   "changes", "delays",      "scores", "done_data",
                                          "locals", "classes", "parts",   "identifiers", "events"};
    return names[static_cast<std::size_t>(group)];
}

program_names::program_names(const std::vector<used_name>& used, const std::string& file, const state_base& root)
    : contexts_(1), events_are_names_(waits_for_names(root)) {
    for (const auto& n : used)
        if (n.kind == behavior_kind::part && !n.registered) {
            auto parts = n.parts;
            parts.push_back(n.name);
            if (std::ranges::find(contexts_, parts, &program_context::parts) == contexts_.end())
                contexts_.push_back({std::move(parts), {}, {}, {}, {}});
        }
    std::ranges::stable_sort(contexts_, {}, [](const program_context& c) { return c.parts.size(); });
    for (const auto& n : used) take(n);
    for (auto& c : contexts_) settle(c.names, file);
    settle(events_, file);
    settle(identifiers_, file);
    name_members();
}

void program_names::take(const used_name& n) {
    if (n.kind == behavior_kind::bit) {
        if (!n.declared) bits_.push_back(n);
        return;
    }
    const auto group = group_of(n.kind);
    auto& list = list_for(group, n.parts);
    const auto same = std::ranges::find_if(list, [&](const program_name& p) { return p.group == group && p.name == n.name; });
    if (same == list.end()) {
        list.push_back({group, n.kind, n.name, {}, n.sites, n.contains_states, common_event(n.sites)});
        return;
    }
    same->kind = kind_for(same->kind, n.kind);
    same->sites.insert(same->sites.end(), n.sites.begin(), n.sites.end());
    std::ranges::stable_sort(same->sites, is_used_earlier);
    same->contains_states |= n.contains_states;
    same->event = common_event(same->sites);
}

std::vector<program_name>& program_names::list_for(cpp_group group, const std::vector<std::string>& parts) {
    if (group == cpp_group::events) return events_;
    if (group == cpp_group::identifiers) return identifiers_;
    const auto found = std::ranges::find(contexts_, parts, &program_context::parts);
    return (found == contexts_.end() ? contexts_.front() : *found).names;
}

void program_names::settle(std::vector<program_name>& names, const std::string& file) {
    for (std::size_t g = 0; g < cpp_groups; ++g) {
        const auto group = static_cast<cpp_group>(g);
        cpp_scope scope(taken_in(group));
        for (const auto& n : names)
            if (n.group == group) scope.add(n.name);
        scope.settle();
        for (auto& n : names)
            if (n.group == group) n.identifier = scope.of(n.name);
        for (const auto& alike : scope.alike()) {
            message note{.kind = message_kind::warning, .hint = "use names that differ in letters, digits or underscores", .where = {file, 0, 0}};
            for (const auto& name : alike) {
                const auto n = std::ranges::find_if(names, [&](const program_name& p) { return p.group == group && p.name == name; });
                if (note.where.line == 0 && !n->sites.empty()) note.where = {file, n->sites.front().at.line, n->sites.front().at.column};
                note.text +=
                    fmt::format("{}\"{}\" is {}::{}", note.text.empty() ? "names are equal in C++: " : ", ", name, to_string(group), n->identifier);
            }
            notes_.push_back(std::move(note));
        }
    }
}

/// Sets the namespace ("weapon_part") and the member name ("weapon") of each part.
void program_names::name_members() {
    for (auto& inner : contexts_) {
        if (inner.parts.empty()) continue;
        const std::vector<std::string> outer_parts(inner.parts.begin(), inner.parts.end() - 1);
        const auto& outer = context(outer_parts);
        std::string identifier;
        std::set<std::string, std::less<>> taken{"context", "hsm"};
        for (const auto& n : outer.names) {
            if (n.group == cpp_group::parts && n.name == inner.parts.back()) identifier = n.identifier;
            if (n.group == cpp_group::guards) taken.insert(n.identifier); // guards are members too
        }
        inner.space = identifier + "_part";
        inner.scope = outer.scope + inner.space + "::";
        inner.member = taken.contains(identifier) ? identifier + "_of_its_own" : identifier;
    }
}

const program_context& program_names::context(const std::vector<std::string>& parts) const {
    const auto found = std::ranges::find(contexts_, parts, &program_context::parts);
    return found == contexts_.end() ? contexts_.front() : *found;
}

program_names::reference program_names::find(cpp_group group, std::string_view name, const std::vector<std::string>& parts) const {
    const bool is_global = group == cpp_group::events || group == cpp_group::identifiers;
    const auto& c = context(is_global ? std::vector<std::string>() : parts);
    const auto& list = group == cpp_group::events ? events_ : group == cpp_group::identifiers ? identifiers_ : c.names;
    const auto found = std::ranges::find_if(list, [&](const program_name& n) { return n.group == group && n.name == name; });
    auto scope = (is_global ? std::string() : c.scope) + std::string(to_string(group)) + "::";
    return {std::move(scope), found == list.end() ? cpp_identifier(name) : found->identifier};
}

std::string program_names::qualified(cpp_group group, std::string_view name, const std::vector<std::string>& parts) const {
    const auto r = find(group, name, parts);
    return r.scope + r.identifier;
}

} // namespace hsm::detail::tool
