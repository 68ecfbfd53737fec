#include <hsm/tool/detail/name_finder.hpp>

#include <hsm/define/detail/lookup.hpp>
#include <hsm/define/detail/shown.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>

namespace hsm::detail::tool {

namespace {

std::string guess(const std::string& written, const std::vector<std::string>& known) {
    const std::vector<std::string_view> names(known.begin(), known.end());
    if (written.size() > longest_guessed || names.empty()) return {};
    return suggestion(written, names);
}

void add_unique(std::vector<std::string>& list, std::string_view name) {
    if (!name.empty() && std::ranges::find(list, name) == list.end()) list.emplace_back(name);
}

} // namespace

void name_finder::fail(const script_word& w, std::string problem, std::string hint) const {
    throw command_error({{.text = std::move(problem), .hint = std::move(hint), .where = {line_.where.file, line_.where.line, w.column}}},
                        exit_code::found);
}

void name_finder::fail_at_end(std::string problem, std::string hint) const { fail(line_.words.back(), std::move(problem), std::move(hint)); }

std::string name_finder::one_of(const std::vector<std::string>& known, const script_word& w, std::string_view what, std::string none) const {
    if (std::ranges::find(known, w.text) != known.end()) return w.text;
    const auto hint = guess(w.text, known);
    fail(w, fmt::format("there is no {} \"{}\"", what, shown(w.text)), known.empty() ? none : hint);
}

std::uint32_t name_finder::event(const script_word& w) const {
    for (const auto e : names_.chart().events())
        if (e.name() == w.text || e.text() == w.text) return e.number();
    one_of(event_names(names_), w, "event", "no transition of this machine waits for an event");
    return record::no_number;
}

std::uint32_t name_finder::state(const script_word& w) const {
    if (const auto s = names_.chart().find(w.text)) return s.number();
    std::vector<std::string> meant;
    for (const auto s : names_.chart().states())
        if (s.name() == w.text || s.path().ends_with('/' + w.text)) meant.emplace_back(s.path());
    if (meant.empty()) one_of(state_names(names_), w, "state", "");
    fail(w, fmt::format("several states are named \"{}\"", shown(w.text)), fmt::format("write one of {}", joined(meant, ", ")));
}

namespace {

/// Collects the event names of transitions. The transition that the loader adds to a document's root is left out; it has no position.
void collect_patterns(const state_base& s, std::vector<name_pattern>& all) {
    for (const auto& t : s.transitions()) {
        if (!s.superstate() && !t->origin) continue;
        if (is_any_event(t->event)) all.push_back({{}, true});
        if (t->event.names.empty() && t->event) all.push_back({t->event.name, false});
        all.insert(all.end(), t->event.names.begin(), t->event.names.end());
    }
    for (const auto& sub : s.substates()) collect_patterns(*sub, all);
}

} // namespace

std::string name_finder::event_name(const script_word& w) const {
    std::vector<name_pattern> patterns;
    collect_patterns(*names_.chart().root().ref().get(), patterns);
    if (std::ranges::any_of(patterns, [&](const name_pattern& p) { return p.matches(w.text); })) return w.text;
    std::vector<std::string> known;
    for (const auto& p : patterns) add_unique(known, p.text);
    return one_of(known, w, "event", "no transition of this machine waits for an event");
}

bool name_finder::is_taken_by_its_beginning(const script_word& w) const {
    bool taken = false;
    for (const auto e : names_.chart().events()) {
        if (e.name() == w.text || e.text() == w.text) return false;
        taken |= e.is_name() && event_takes(e, w.text);
    }
    return taken;
}

std::string name_finder::condition(const script_word& w) const { return one_of(condition_names(names_), w, "bit", "this machine has no bits"); }

std::string name_finder::data(const script_word& w) const {
    std::vector<std::string> known;
    for (const auto& [name, json] : names_.session().data()) known.push_back(name);
    return one_of(known, w, "datum", "this machine has no data");
}

std::string name_finder::simulated(behavior_kind kind, const script_word& w) const {
    const auto known = simulated_names(names_, kind);
    const auto what = to_string(kind);
    const auto others = kind == behavior_kind::guard ? guard_names(names_) : std::vector<std::string>();
    if (std::ranges::find(known, w.text) == known.end() && std::ranges::find(others, w.text) != others.end())
        fail(w, fmt::format("the program has registered the {} \"{}\"", what, shown(w.text)),
             "only unregistered names are simulated, so its result cannot be set");
    return one_of(known, w, what, fmt::format("this machine has no simulated {}s", what));
}

std::string name_finder::guard(const script_word& w) const { return simulated(behavior_kind::guard, w); }
std::string name_finder::delay(const script_word& w) const { return simulated(behavior_kind::delay, w); }
std::string name_finder::hook(const script_word& w) const {
    return one_of(hook_names(names_), w, "hook or action", "this machine has no named hooks or actions");
}
std::string name_finder::asked_guard(const script_word& w) const {
    return one_of(guard_names(names_), w, "guard", "this machine has no named guards");
}

const script_word& word_reader::next(std::string_view what) {
    if (!more()) find_.fail_at_end(fmt::format("{} is missing", what), usage_);
    return line_.words[at_++];
}

void word_reader::read_event(std::string& name, std::uint32_t& number) {
    const auto& word = next("the name of an event");
    if (names_.takes_any_name() || find_.is_taken_by_its_beginning(word))
        name = find_.event_name(word);
    else
        number = find_.event(word);
}

bool event_takes(event_view event, std::string_view name) {
    for (auto rest = event.name(); !rest.empty();) {
        const auto word = rest.substr(0, rest.find(' '));
        const bool prefix = word == "*" || word.ends_with(".*");
        const name_pattern pattern{std::string(word == "*" ? "" : word.substr(0, word.size() - (prefix ? 2 : 0))), prefix};
        if (pattern.matches(name)) return true;
        rest.remove_prefix(std::min(word.size() + 1, rest.size()));
    }
    return false;
}

std::vector<std::string> event_names(const player& p) {
    std::vector<std::string> all;
    for (const auto e : p.chart().events()) add_unique(all, e.name());
    return all;
}

std::vector<std::string> state_names(const player& p) {
    std::vector<std::string> all;
    for (const auto s : p.chart().states()) add_unique(all, s.distinct_name());
    return all;
}

std::vector<std::string> condition_names(const player& p) {
    std::vector<std::string> all;
    for (const auto c : p.chart().conditions())
        if (c.number() != 0) add_unique(all, c.name());
    return all;
}

std::vector<std::string> simulated_names(const player& p, behavior_kind kind) {
    std::vector<std::string> all;
    for (const auto& n : p.sim().names())
        if (n.kind == kind) add_unique(all, n.name);
    std::ranges::sort(all);
    return all;
}

std::vector<std::string> hook_names(const player& p) {
    std::vector<std::string> all;
    for (const auto h : p.chart().hooks()) add_unique(all, h.label());
    for (const auto kind : {behavior_kind::callback, behavior_kind::update, behavior_kind::action, behavior_kind::change})
        for (const auto& name : simulated_names(p, kind)) add_unique(all, name);
    std::ranges::sort(all);
    return all;
}

std::vector<std::string> guard_names(const player& p) {
    auto all = simulated_names(p, behavior_kind::guard);
    for (const auto& n : p.what().names())
        if (n.kind == behavior_kind::guard) add_unique(all, n.name);
    for (const auto g : p.chart().guards()) add_unique(all, g.label());
    std::ranges::sort(all);
    return all;
}

} // namespace hsm::detail::tool
