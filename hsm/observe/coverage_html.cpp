// The report as an HTML page: totals, the tree of states, then pairs and events.

#include <hsm/observe/coverage_report.hpp>

#include <hsm/observe/detail/coverage_model.hpp>
#include <hsm/observe/detail/output.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/text/detail/escape.hpp>
#include <hsm/text/detail/utf8.hpp>

#include <algorithm>
#include <map>
#include <string_view>

namespace hsm {

using namespace detail;

namespace {

constexpr std::string_view coverage_style = R"(
:root { color-scheme: light dark; --paper: #f7f7f5; --card: #fff; --ink: #1d2126; --soft: #6a7280; --line: #e2e3e0;
  --good: #1a7f4b; --good-paper: #e2f4ea; --bad: #b3261e; --bad-paper: #fde8e6; --part: #9a6700; }
@media (prefers-color-scheme: dark) { :root { --paper: #14171a; --card: #1c2024; --ink: #e4e7ea; --soft: #98a1ac; --line: #30363d;
  --good: #5cc98d; --good-paper: #173526; --bad: #ff8a80; --bad-paper: #45201e; --part: #e0b04c; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 76rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.6rem; margin: 0; overflow-wrap: anywhere; }
h2 { font-size: 1.1rem; margin: 2.25rem 0 .6rem; }
code, .name, .text { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: .87em; overflow-wrap: anywhere; }
.soft, .place { color: var(--soft); font-size: .87em; }
.place { margin-left: auto; padding-left: 1rem; text-align: right; overflow-wrap: anywhere; max-width: 45%; flex-shrink: 0; }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(11rem, 1fr)); gap: .75rem; margin: 1.5rem 0 0; }
.tile { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .75rem 1rem; }
.tile b { display: block; font-size: 1.5rem; font-variant-numeric: tabular-nums; }
.bar { height: .4rem; border-radius: .2rem; background: var(--bad-paper); margin-top: .5rem; overflow: hidden; }
.bar i { display: block; height: 100%; background: var(--good); }
.tree, .list { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .35rem .75rem; }
.inside { margin-left: .55rem; padding-left: 1rem; border-left: 1px solid var(--line); }
.row, summary { display: flex; align-items: baseline; gap: .6rem; padding: .2rem .3rem; border-radius: .3rem; }
summary { cursor: pointer; list-style: none; }
summary::-webkit-details-marker { display: none; }
summary::before { content: "\25b8"; width: .8rem; margin-left: -.2rem; color: var(--soft); flex: none; align-self: center; text-align: center; }
details[open] > summary::before { transform: rotate(90deg); }
.leaf { padding-left: 1.5rem; }
.name { font-weight: 600; }
.kind { color: var(--soft); font-size: .8em; white-space: nowrap; }
.count { font-variant-numeric: tabular-nums; font-size: .8em; border-radius: .7rem; padding: 0 .55rem; background: var(--good-paper);
  color: var(--good); white-space: nowrap; flex: none; min-width: 2.2rem; text-align: center; }
.never { background: var(--bad-paper); color: var(--bad); font-weight: 600; }
.row.missing > .text, .row.missing > .name, summary.missing > .name { color: var(--bad); }
.guards { display: flex; flex-wrap: wrap; gap: .35rem; padding: 0 0 .35rem 3.7rem; }
.guard { border: 1px solid var(--line); border-radius: .3rem; padding: 0 .15rem 0 .45rem; display: inline-flex; gap: .35rem; align-items: baseline; }
.guard.missing { border-color: var(--bad); }
.all > summary { padding: .4rem .3rem; }
table { border-collapse: collapse; width: 100%; }
td { padding: .2rem .6rem .2rem .3rem; vertical-align: top; border-top: 1px solid var(--line); }
tr:first-child td { border-top: 0; }
.whose { width: 32%; }
@media (max-width: 40rem) { .place { display: none; } .guards { padding-left: 1rem; } }
)";

constexpr std::size_t most_rows = 2000; ///< of a table; longer ones are not useful

/// Escapes text for HTML content and attributes.
std::string escaped(std::string_view text) {
    auto clean = valid_utf8(text);
    for (auto& c : clean)
        if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
    return xml_text(clean, xml_place::html);
}

std::string count_tag(std::uint64_t count) {
    return count ? fmt::format("<span class=\"count\">{}</span>", count) : "<span class=\"count never\">never</span>";
}

/// Shows the file's name; the folder is in the tooltip.
std::string location_tag(const file_position& where) {
    const auto text = where.to_string();
    if (text.empty()) return {};
    return fmt::format("<span class=\"place\" title=\"{}\">{}</span>", escaped(text), escaped(text.substr(text.find_last_of("/\\") + 1)));
}

std::string_view missing_class(std::uint64_t count) { return count ? "" : " missing"; }

/// The two answers of a guard or of a group of conditions.
struct guard_counts {
    std::string text;
    std::uint64_t no, yes;
};

class page {
public:
    page(const coverage& seen, output& out) : seen_(seen), out_(out) {}

    void write() {
        put_head();
        put_tiles();
        out_.put("<h2>States and transitions</h2>\n<p class=\"soft\">How often each state was entered, each transition was taken, and each "
                 "guard returned true (✓) or false (✗).</p>\n"
                 "<div class=\"tree\">\n");
        put_state(seen_.chart().root());
        out_.put("</div>\n<h2>Pairs of transitions</h2>\n");
        put_pairs();
        out_.put("<h2>Events</h2>\n");
        put_events();
        out_.put("</main>\n</html>\n");
    }

private:
    void put_head() {
        const auto name = escaped(seen_.chart().root().path());
        out_.put(fmt::format("<!doctype html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width, "
                             "initial-scale=1\">\n<title>Coverage of {}</title>\n<style>{}</style>\n<main>\n<h1>Coverage of {}</h1>\n",
                             name, coverage_style, name));
        out_.put(fmt::format("<div class=\"soft\">chart <code>{}</code></div>\n", seen_.chart().fingerprint().to_string()));
    }

    void put_tile(std::string_view what, const coverage_share& share) {
        out_.put(fmt::format(
            "<div class=\"tile\">{}<b>{}</b><span class=\"soft\">{} of {}</span><div class=\"bar\"><i style=\"width:{:.1f}%\"></i></div></div>\n",
            what, percent(share.ratio()), share.seen, share.all, share.ratio() * 100));
    }

    void put_tiles() {
        out_.put("<div class=\"tiles\">\n");
        for (const auto kind : {coverage_kind::states, coverage_kind::transitions, coverage_kind::guards})
            put_tile(to_string(kind), seen_.share(kind));
        put_tile("these together", seen_.share());
        for (const auto kind : {coverage_kind::pairs, coverage_kind::events}) put_tile(to_string(kind), seen_.share(kind));
        out_.put("</div>\n");
    }

    void put_state(const state_view& s) {
        if (s.kind() == state_kind::history) return;
        const auto count = seen_.entered(s);
        const auto rows = s.transitions();
        const bool opens = !s.substates().empty() || !rows.empty() || !s.predicates().empty() || !s.hold_predicates().empty();
        const auto kind = s.kind() == state_kind::leaf ? std::string_view() : to_string(s.kind());
        out_.put(opens ? fmt::format("<details open><summary class=\"{}\">", missing_class(count))
                       : fmt::format("<div class=\"row leaf{}\">", missing_class(count)));
        out_.put(fmt::format("<span class=\"name\">{}</span>{}<span class=\"kind\">{}</span>{}", escaped(s.name()), count_tag(count), kind,
                             location_tag(s.where())));
        if (!opens) return out_.put("</div>\n");
        out_.put("</summary>\n<div class=\"inside\">\n");
        put_guards(own_guards(s));
        for (const auto t : rows)
            if (t.same_as() == t) put_transition(t);
        for (const auto inner : s.substates()) {
            put_histories_of(inner);
            put_state(inner);
        }
        out_.put("</div></details>\n");
    }

    /// Histories are not items, but their default transitions are.
    void put_histories_of(const state_view& s) {
        if (s.kind() == state_kind::history)
            for (const auto t : s.transitions()) put_transition(t);
    }

    void put_transition(const transition_view& t) {
        const auto count = seen_.taken(t);
        out_.put(fmt::format("<div class=\"row{}\">{}<span class=\"text\">{}</span>{}</div>\n", missing_class(count), count_tag(count),
                             escaped(t.text()), location_tag(t.where())));
        std::vector<guard_counts> all;
        for (const auto g : t.conditions()) all.push_back({g.text(), seen_.answered(g, false), seen_.answered(g, true)});
        for (const auto g : t.guards()) all.push_back({g.text(), seen_.answered(g, false), seen_.answered(g, true)});
        put_guards(all);
    }

    std::vector<guard_counts> own_guards(const state_view& s) const {
        std::vector<guard_counts> all;
        for (const auto g : s.hold_predicates()) all.push_back({"holds until " + g.text(), seen_.answered(g, false), seen_.answered(g, true)});
        for (const auto g : s.predicates()) all.push_back({"finished: " + g.text(), seen_.answered(g, false), seen_.answered(g, true)});
        return all;
    }

    void put_guards(const std::vector<guard_counts>& all) {
        if (all.empty()) return;
        out_.put("<div class=\"guards\">");
        for (const auto& g : all)
            out_.put(fmt::format("<span class=\"guard{}\"><span class=\"text\">{}</span>{}{}</span>", g.no && g.yes ? "" : " missing",
                                 escaped(g.text), answer_tag("✓", g.yes), answer_tag("✗", g.no)));
        out_.put("</div>\n");
    }

    static std::string answer_tag(std::string_view sign, std::uint64_t count) {
        return count ? fmt::format("<span class=\"count\">{} {}</span>", sign, count)
                     : fmt::format("<span class=\"count never\">{} never</span>", sign);
    }

    void begin_list(std::string_view title, bool open) {
        out_.put(fmt::format("<details class=\"list all\"{}><summary>{}</summary>\n<table>\n", open ? " open" : "", title));
    }
    void end_list(std::size_t shown, std::size_t all) {
        out_.put("</table>\n");
        if (shown < all) out_.put(fmt::format("<p class=\"soft\">and {} more</p>\n", all - shown));
        out_.put("</details>\n");
    }

    void put_pairs() {
        const auto missing = seen_.missing(coverage_kind::pairs);
        if (missing.empty()) return out_.put("<p class=\"soft\">Each transition was followed by each transition that can follow it.</p>\n");
        out_.put("<p class=\"soft\">In each pair, the second transition exits a state that the first one entered. Guards are not "
                 "considered.</p>\n");
        begin_list(fmt::format("{} pairs are missing", missing.size()), missing.size() <= 40);
        const auto shown = std::min(missing.size(), most_rows);
        for (std::size_t i = 0; i < shown; ++i)
            out_.put(fmt::format("<tr><td class=\"text\">{}<td class=\"soft\">then<td class=\"text\">{}\n",
                                 escaped(seen_.chart().transition(missing[i].first).text()),
                                 escaped(seen_.chart().transition(missing[i].second).text())));
        end_list(shown, missing.size());
    }

    void put_events() {
        if (const auto n = seen_.unexpected())
            out_.put(fmt::format("<p class=\"soft\">{} arrived in states without a transition for {}.</p>\n",
                                 n == 1 ? "One event" : fmt::format("{} events", n), n == 1 ? "it" : "them"));
        std::map<std::uint32_t, std::vector<coverage_item>> by_state;
        for (auto& item : seen_.items(coverage_kind::events)) by_state[item.first].push_back(std::move(item));
        if (by_state.empty()) return out_.put("<p class=\"soft\">No state waits for an event.</p>\n");
        begin_list("Events by state", by_state.size() <= 100);
        std::size_t shown = 0;
        for (const auto& [state, items] : by_state)
            if (shown++ < most_rows) put_events_in(seen_.chart().state(state), items);
        end_list(std::min(shown, most_rows), by_state.size());
    }

    void put_events_in(const state_view& s, const std::vector<coverage_item>& items) {
        out_.put(fmt::format("<tr><td class=\"text whose\">{}<td><div class=\"guards\" style=\"padding:0\">", escaped(s.path())));
        for (const auto& item : items)
            out_.put(fmt::format("<span class=\"guard{}\"><span class=\"text\">{}</span>{}</span>", missing_class(item.count),
                                 escaped(seen_.chart().transition(item.second).event().text()), count_tag(item.count)));
        out_.put("</div>\n");
    }

    const coverage& seen_;
    output& out_;
};

} // namespace

void write_coverage_html(const coverage& seen, byte_sink& to) {
    output out(to);
    page(seen, out).write();
    finish_report(out);
}

} // namespace hsm
