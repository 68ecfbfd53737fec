// Drawings of random definitions: an independent reader finds each state and each transition in the text.
//
//     HSM_DRAWN_CHARTS=500        how many
//     HSM_DRAWINGS=folder         where to leave the texts, and the states, for tests/draw/pictures.py

#include <hsm/draw/dot.hpp>
#include <hsm/draw/mermaid.hpp>
#include <hsm/draw/plantuml.hpp>
#include <hsm/draw/text.hpp>
#include <tests/support/differential/build.hpp>
#include <tests/support/differential/generate.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace {

/// Names of random charts are words and numbers, so an id needs no other escapes.
std::string id_of(const hsm::state_view& s) {
    std::string id(s.path());
    std::replace(id.begin(), id.end(), '/', '_');
    return id;
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    for (std::size_t at = 0; at < text.size();) {
        const auto end = text.find('\n', at);
        const auto first = std::min(text.find_first_not_of(' ', at), end);
        lines.push_back(text.substr(first, end - first));
        at = end + 1;
    }
    return lines;
}

bool is_box(const hsm::state_view& s) { return !s.substates().empty(); }

/// How many arrows it has.
std::size_t arrows_of(const hsm::transition_view& t) {
    const auto sources = 1 + t.joined().size(), targets = t.targets().size();
    if (sources == 1 && targets == 1) return t.source() == t.targets()[0] && is_box(t.source()) ? 2 : 1;
    return sources + targets;
}

std::size_t arrows_of(const hsm::chart_view& chart) {
    std::size_t n = 0;
    for (const auto t : chart.transitions())
        if (t.same_as() == t && !t.is_internal()) n += arrows_of(t);
    for (const auto s : chart.states()) {
        if (s.kind() != hsm::state_kind::machine) continue;
        bool begins = false;
        for (const auto t : s.transitions()) begins |= t.role() != hsm::transition_role::ordinary;
        n += (begins ? 0 : 1) + (s.history() != hsm::history_depth::none ? 1 : 0); // the first substate; what it remembers
    }
    return n;
}

/// Leads from one leaf to another, so that its line can be predicted.
bool is_plain(const hsm::transition_view& t) {
    return arrows_of(t) == 1 && t.role() == hsm::transition_role::ordinary && !is_box(t.source()) && !is_box(t.targets()[0]);
}

/// Each state is declared once, and before the lines in which `arrow` mentions it.
std::string declared(const hsm::chart_view& chart, const std::vector<std::string>& lines, const auto& declares) {
    std::map<std::string, int> times;
    for (const auto& line : lines)
        if (const auto id = declares(line); !id.empty()) ++times[id];
    std::string wrong;
    for (const auto s : chart.states())
        if (times[id_of(s)] != 1) wrong += id_of(s) + " is declared " + std::to_string(times[id_of(s)]) + " times; ";
    return wrong;
}

std::string word_after(const std::string& line, const std::string& before) {
    const auto at = line.find(before);
    if (at == std::string::npos) return {};
    const auto begin = at + before.size();
    return line.substr(begin, line.find_first_of(" :{", begin) - begin);
}

/// Of Mermaid and PlantUML: `state "…" as id`, `state id <<choice>>`.
std::string declared_state(const std::string& line) {
    if (!line.starts_with("state ")) return {};
    return line.starts_with("state \"") ? word_after(line, "\" as ") : word_after(line, "state ");
}

/// The arrows from one id to another, with at most a line style between them.
std::multiset<std::string> arrows_in(const std::vector<std::string>& lines) {
    std::multiset<std::string> found;
    for (const auto& line : lines) {
        const auto from = line.substr(0, line.find(' '));
        const auto head = line.find("-> ");
        if (from.empty() || head == std::string::npos || line.find(" -", from.size()) != from.size()) continue;
        const auto to = line.substr(head + 3, line.find(' ', head + 3) - head - 3);
        if (to != "[*]") found.insert(from + " -> " + to);
    }
    return found;
}

/// Mermaid has one arrow for all transitions from a state to itself; their labels are counted elsewhere.
std::string not_drawn(const hsm::chart_view& chart, const std::vector<std::string>& lines, std::size_t joined_loops = 0) {
    auto found = arrows_in(lines);
    std::string wrong;
    if (found.size() + joined_loops != arrows_of(chart))
        wrong += std::to_string(found.size()) + " arrows, and not " + std::to_string(arrows_of(chart)) + "; ";
    for (const auto t : chart.transitions()) {
        if (t.same_as() != t || t.is_internal() || !is_plain(t)) continue;
        const auto at = found.find(id_of(t.source()) + " -> " + id_of(t.targets()[0]));
        if (joined_loops > 0 && t.source() == t.targets()[0]) continue; // its arrow may be another's
        if (at == found.end())
            wrong += t.text() + " is not there; ";
        else
            found.erase(at);
    }
    return wrong;
}

/// In Graphviz' language, arrows have the number of their transition; a transition from or to a box can be two arrows.
std::string not_in_dot(const hsm::chart_view& chart, const std::vector<std::string>& lines) {
    std::map<std::string, std::size_t> times;
    std::size_t labels = 0;
    for (const auto& line : lines) {
        if (line.find(" -> ") == std::string::npos || line.find("style=invis") != std::string::npos) continue;
        const auto at = line.find("class=\"t");
        ++times[at == std::string::npos ? "" : line.substr(at + 7, line.find('"', at + 7) - at - 7)];
    }
    std::map<std::string, std::size_t> own; // labels that are nodes
    for (const auto& line : lines)
        if (line.find("class=\"label\"") != std::string::npos) ++labels;
    std::string wrong;
    std::size_t all = 0;
    for (const auto t : chart.transitions()) {
        if (t.same_as() != t || t.is_internal()) continue;
        const auto there = times["t" + std::to_string(t.number())];
        all += there;
        if (there != arrows_of(t) && there != arrows_of(t) + 1) wrong += t.text() + " has " + std::to_string(there) + " arrows; ";
    }
    all += times[""];
    if (all != arrows_of(chart) + labels) wrong += std::to_string(all) + " arrows in all; ";
    return wrong;
}

/// In the tree, each state and each transition is a line.
std::string not_in_text(const hsm::chart_view& chart, const std::string& text) {
    std::string wrong;
    std::size_t branches = 0, arrows = 0, wanted = 0;
    for (std::size_t at = 0; (at = text.find("─ ", at)) != std::string::npos; ++at) ++branches;
    for (std::size_t at = 0; (at = text.find("→ ", at)) != std::string::npos; ++at) ++arrows;
    for (const auto t : chart.transitions())
        if (t.same_as() == t && !t.is_internal()) ++wanted;
    for (const auto s : chart.states()) {
        bool begins = s.kind() != hsm::state_kind::machine;
        for (const auto t : s.transitions()) begins |= t.role() != hsm::transition_role::ordinary;
        if (!begins) ++wanted;
    }
    if (branches + 1 != chart.states().size()) wrong += std::to_string(branches) + " branches; ";
    if (arrows != wanted) wrong += std::to_string(arrows) + " arrows, and not " + std::to_string(wanted) + "; ";
    return wrong;
}

/// The box of a state has one line for each reaction and deferral.
std::string reactions_missing(const hsm::chart_view& chart, const hsm::draw::drawing& d) {
    std::size_t wanted = 0, found = 0;
    for (const auto t : chart.transitions())
        if (t.same_as() == t && t.defers()) ++wanted;
    for (std::size_t at = 0; (at = d.text.find(" / defer\n", at)) != std::string::npos; ++at) ++found;
    return found == wanted ? "" : std::to_string(found) + " deferrals, and not " + std::to_string(wanted);
}

void keep(const char* folder, std::uint64_t seed, const hsm::chart_view& chart, const std::string& dot, const std::string& mermaid,
          const std::string& plantuml) {
    const auto base = std::string(folder) + "/" + std::to_string(seed);
    std::ofstream(base + ".dot") << dot;
    std::ofstream(base + ".mmd") << mermaid;
    std::ofstream(base + ".puml") << plantuml;
    std::ofstream states(base + ".states");
    for (const auto s : chart.states()) states << id_of(s) << ' ' << s.name() << ' ' << to_string(s.kind()) << '\n';
}

} // namespace

TEST_CASE("the text contains every state and transition of random charts, in each language") {
    const char* const many = std::getenv("HSM_DRAWN_CHARTS");
    const char* const folder = std::getenv("HSM_DRAWINGS");
    const auto charts = many ? std::strtoull(many, nullptr, 10) : 500;
    std::size_t transitions = 0;
    for (std::uint64_t seed = 1; seed <= charts; ++seed) {
        CAPTURE(seed);
        const auto plan = differential::generate(seed, 0);
        const auto chart = differential::build(plan);
        const auto view = chart.view();
        transitions += view.transitions().size();

        const auto dot = hsm::draw::dot(chart);
        const auto dot_lines = lines_of(dot.text);
        CHECK(dot.losses.empty());
        CHECK(declared(view, dot_lines, [](const std::string& line) {
                  if (line.starts_with("subgraph cluster_")) return word_after(line, "subgraph cluster_");
                  return line.find(" [label=") != std::string::npos && line.find(" -> ") == std::string::npos ? line.substr(0, line.find(' ')) : "";
              }) == "");
        CHECK(not_in_dot(view, dot_lines) == "");

        const auto mermaid = hsm::draw::mermaid(chart);
        CHECK(declared(view, lines_of(mermaid.text), declared_state) == "");
        const auto loops =
            std::count_if(mermaid.losses.begin(), mermaid.losses.end(), [](const auto& l) { return l.kind == hsm::draw::loss_kind::loop; });
        CHECK(not_drawn(view, lines_of(mermaid.text), static_cast<std::size_t>(loops)) == "");

        const auto plantuml = hsm::draw::plantuml(chart);
        CHECK(declared(view, lines_of(plantuml.text), declared_state) == "");
        CHECK(not_drawn(view, lines_of(plantuml.text)) == "");

        const auto text = hsm::draw::text(chart);
        CHECK(text.losses.empty());
        CHECK(not_in_text(view, text.text) == "");
        CHECK(reactions_missing(view, text) == "");

        CHECK(hsm::draw::dot(differential::build(plan)).text == dot.text); // the same chart, the same text
        if (folder) keep(folder, seed, view, dot.text, mermaid.text, plantuml.text);
    }
    MESSAGE(charts, " charts, ", transitions, " transitions");
    CHECK(transitions > 10 * charts);
}
