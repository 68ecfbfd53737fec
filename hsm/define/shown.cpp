#include <hsm/define/detail/shown.hpp>

#include <hsm/define/detail/lookup.hpp>
#include <hsm/define/detail/transition_options.hpp>
#include <hsm/text/detail/utf8.hpp>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

namespace hsm::detail {

std::string shown(std::string_view text, std::size_t longest) {
    if (text.size() <= longest) return std::string(text);
    auto end = longest;
    while (end > 0 && !begins_character(text[end])) --end;
    return std::string(text.substr(0, end)) + "...";
}

std::string shown_path(const state_base& s) {
    std::vector<std::string_view> names; // innermost first
    std::size_t length = 0;
    const auto* at = &s;
    for (; at && length <= longest_shown_path; at = at->superstate()) {
        names.push_back(at->name());
        length += at->name().size() + 1;
    }
    const bool whole = !at && length <= longest_shown_path + 1;
    if (!whole && names.size() > 1) names.pop_back(); // the last one exceeds the limit
    std::string path = whole ? "" : at || names.size() > 1 ? ".../" : "";
    for (auto name = names.rbegin(); name != names.rend(); ++name) {
        if (name != names.rbegin()) path += '/';
        path += whole ? std::string(*name) : shown(*name, longest_shown_path);
    }
    return path;
}

std::string with_article(std::string_view word) {
    return (std::string_view("aeiou").find(word.front()) == std::string_view::npos ? "a " : "an ") + std::string(word);
}

namespace {

/// Returns the name of the enumerator from a state below `s` that has it; empty if there is none.
std::string_view enumerator_in(const state_base& s, const enum_id& id) {
    std::vector<const state_base*> rest{&s};
    while (!rest.empty()) {
        const auto& at = *rest.back();
        rest.pop_back();
        if (at.id() == id && !at.enumerator().empty()) return at.enumerator();
        for (const auto& sub : at.substates()) rest.push_back(sub.get());
    }
    return {};
}

} // namespace

std::string shown_target(const target_spec& t, const state_base& from) {
    if (t.node) return shown_path(*t.node);
    if (t.id && enumerator_named(t.id.type->enumerators, t.id.value).empty())
        if (const auto name = enumerator_in(root_of(from), t.id); !name.empty())
            return shown(std::string(unqualified(t.id.type->name)) + "::" + std::string(name));
    return shown(t.written());
}

namespace {

struct term {
    std::string_view cpp, xml, scxml;
};

/// Phrases precede their parts. "after()" and the other transition options lose their parentheses.
constexpr term terms[] = {
    {"rename one of them, for instance with .named(...)", "rename one of them", "rename one of them"},
    {"write dispatch(...).when(...)", "write <dispatch> elements with conditions", "write transitions without an event"},
    {"to leave its machine, give the machine a transition with .on_finished()", "to leave its machine, give the machine a <to finished=\"true\">",
     "to leave its parent state, give the parent a <transition event=\"done.state.ID\"> with the id of the parent"},
    {"add .then(...), or a target with to(...)", "add an action, or write <to> instead of <on>", "add content or a target"},
    {"name a target with to(...), then call on_finished()", "write <to ID=\"...\" finished=\"true\">", "add a target"},
    {"add a default branch with otherwise(...)", "add <otherwise ID=\"...\"/>", "add a transition without a condition"},
    {"on_finished()", "finished", "finished"},
    {"otherwise names", "<otherwise> names", "the transition of the <history> names"},
    {"dispatch names", "<dispatch> names", "the transition names"},
    {"unless_in()", "<unless_in>", "unless_in"},
    {"in() names", "<in> names", "in names"},
    {"add a transition to it, or enter it with change_to", "add a <to> that names it, or let the program enter it",
     "add a transition that names it, or let the program enter it"},
    {"no transition, dispatch or initial leads", "no <to>, <dispatch> or initial leads", "no transition or initial leads"},
    {"remove transient()", "remove transient", "remove transient"},
    {"check finished() instead, or put", "put", "put"},
    {"external()", "external", "type=\"external\""},
    {"any(...)", "<any>", "any"},
    {"declare it: root->condition(\"name\")", "declare it: <bit ID=\"...\"/>", "declare it"},
    {"root->condition(...)", "<bit ID=\"...\"/>", "a declaration"},
    {"add a local to the state with local<T>(...)", "add a local to the state with local=\"...\"", "add a local to the state in the program"},
    {"add a local<T>(...) to the state", "add a local to the state with local=\"...\"", "add a local to the state in the program"},
    {"call .on<Event>() before .when", "register the guard as guard<Event>, and name the event with event=\"...\"", "name it with event=\"...\""},
    {"call .on<Event>() before .then", "register the action as action<Event>, and name the event with event=\"...\"", "name it with event=\"...\""},
    {"any other class must be a local:", "if the guard takes it, register the guard as guard<Event>; otherwise", "any other class must be a local:"},
    {"an action takes only locals of states that stay active",
     "if the action takes it, register the action as action<Event>; an action takes only locals of states that stay active",
     "an action takes only locals of states that stay active"},
    {"compile with decision_order::substate_first", "compile with the option decision_order::substate_first", "remove one of them"},
};

} // namespace

std::string in_terms_of(const state_base& s, std::string message) {
    const auto* const notes = root_of(s).notes();
    if (!notes || (notes->file.empty() && !notes->scxml_rules)) return message;
    const auto replacement = [&](const term& t) { return notes->scxml_rules ? t.scxml : t.xml; };
    std::string text;
    std::string_view rest = message;
    while (!rest.empty()) {
        const auto* const found = std::ranges::find_if(terms, [&](const term& t) { return rest.starts_with(t.cpp); });
        if (found != std::end(terms)) {
            text += replacement(*found);
            rest.remove_prefix(found->cpp.size());
            continue;
        }
        const auto* const option = std::ranges::find_if(
            transition_options, [&](const auto& o) { return rest.starts_with(o.name) && rest.substr(o.name.size()).starts_with("()"); });
        if (option != std::end(transition_options)) {
            text += option->name;
            rest.remove_prefix(option->name.size() + 2);
            continue;
        }
        // a quoted name, or one character
        const auto end = rest.front() == '"' ? rest.find('"', 1) : rest.npos;
        const auto size = end == rest.npos ? 1 : end + 1;
        text += rest.substr(0, size);
        rest.remove_prefix(size);
    }
    return text;
}

} // namespace hsm::detail
