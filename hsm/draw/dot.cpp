#include <hsm/draw/dot.hpp>

#include <hsm/draw/detail/labels.hpp>
#include <hsm/draw/detail/lines.hpp>
#include <hsm/draw/detail/picture.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/text/detail/escape.hpp>

#include <array>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace hsm::draw {

using namespace detail;

namespace {

constexpr std::string_view ink = "#24292f", gray = "#57606a", line = "#6e7781", lit_fill = "#ffe8a3", lit_line = "#bf6a02";
constexpr std::array<std::string_view, 4> paper{"#f3f6fa", "#e6edf5", "#d9e3ef", "#ccd9e8"}; // by depth

class dot_writer {
public:
    dot_writer(const picture& p, const options& how) : picture_(p), how_(how) {}

    std::string run() {
        begin();
        walk(
            picture_, [&](const shape& s, std::size_t depth) { begin(s, depth); }, [&](const shape& s, std::size_t depth) { end(s, depth); });
        arrows(picture_.page(), 0);
        out_ += "}\n";
        return std::move(out_);
    }

private:
    template <class... Args> void put(std::size_t depth, fmt::format_string<Args...> form, Args&&... args) {
        out_.append(2 * depth, ' ');
        append_format(out_, form, std::forward<Args>(args)...);
        out_ += '\n';
    }

    void begin() {
        put(0, "digraph \"{}\" {{", quoted(picture_.name));
        put(1,
            "graph [compound=true, newrank=true, rankdir={}, nodesep=0.3, ranksep=0.35, pad=0.15, bgcolor=\"white\", "
            "fontname=\"Helvetica,Arial,sans-serif\", "
            "fontsize=12, fontcolor=\"{}\"];",
            how_.direction == direction::right ? "LR" : "TB", ink);
        put(1,
            "node [shape=box, style=\"rounded,filled\", color=\"{}\", fillcolor=\"white\", fontname=\"Helvetica,Arial,sans-serif\", fontsize=12, "
            "fontcolor=\"{}\", height=0.3, margin=\"0.12,0.05\", penwidth=1];",
            line, ink);
        put(1, "edge [color=\"{}\", fontname=\"Helvetica,Arial,sans-serif\", fontsize=10, fontcolor=\"{}\", arrowsize=0.65];", line, ink);
    }

    static std::string quoted(std::string_view text) {
        std::string out;
        for (const char c : legible(text)) {
            if (c == '"' || c == '\\') out += '\\';
            out += c == '\n' ? ' ' : c;
        }
        return out;
    }

    std::string lines(std::string_view text, std::string_view between) const {
        return wrapped(text, how_.line_length, between, [](std::string_view line) { return xml_text(line, xml_place::html); });
    }

    /// Returns the name, and below it the hooks and other lines of the state.
    std::string box_label(const shape& s) const {
        const auto title = fmt::format("<b>{}</b>", lines(s.title, "<br/>"));
        if (s.lines.empty() && s.looks.note.empty()) return title;
        std::string below;
        for (const auto& l : s.lines) below += lines(l, "<br align=\"left\"/>  ") + "<br align=\"left\"/>";
        if (!s.looks.note.empty()) below += fmt::format("<i>{}</i><br align=\"left\"/>", lines(s.looks.note, "<br align=\"left\"/>"));
        return fmt::format("<table border=\"0\" cellborder=\"0\" cellspacing=\"0\" cellpadding=\"1\"><tr><td{}>{}</td></tr><tr><td align=\"left\" "
                           "balign=\"left\"><font point-size=\"10\" color=\"{}\">{}</font></td></tr></table>",
                           picture_.has_box(s) ? " align=\"left\"" : "", title, gray, below);
    }

    /// Puts trigger, guard, action and the rest on one line if they fit, otherwise on several lines.
    std::string arrow_label(const label& l) const {
        const std::pair<std::string, std::string_view> parts[] = {
            {l.trigger, ink},
            {l.guard.empty() ? "" : "[" + l.guard + "]", "#0550ae"},
            {l.action.empty() ? "" : "/ " + l.action, "#116329"},
            {l.more.empty() ? "" : "{" + l.more + "}", gray},
            {l.where, gray},
            {l.note, lit_line},
        };
        std::string out;
        std::size_t used = 0; // of the last line
        for (const auto& [text, color] : parts) {
            if (text.empty()) continue;
            const bool fits = used + text.size() < how_.line_length;
            used = fits ? used + text.size() + 1 : text.size();
            out += fmt::format("{}<font color=\"{}\">{}</font>",
                               out.empty() ? ""
                               : fits      ? " "
                                           : "&#160;<br/>&#160;",
                               color, lines(text, "&#160;<br/>&#160;"));
        }
        return "&#160;" + out + "&#160;";
    }

    /// An active box keeps its fill color, so that the active state inside it is visible.
    static std::string colors(const looks& l, std::string_view fill, bool is_box = false) {
        std::string_view edge = line;
        auto width = 1.0;
        if (l.heat >= 0) fill = heat_fill[static_cast<std::size_t>(l.heat)];
        if (l.mark == mark::seen) fill = "#dafbe1", edge = "#1a7f37";
        if (l.mark == mark::missing) fill = "#ffebe9", edge = "#cf222e";
        if (l.active) fill = is_box ? fill : lit_fill, edge = lit_line, width = 2;
        return fmt::format("fillcolor=\"{}\", color=\"{}\", penwidth={}", fill, edge, width);
    }

    std::string state_class(const shape& s, std::string_view kind) const {
        std::string out = fmt::format("id=\"{}\", class=\"{}", s.id, kind);
        if (s.looks.active) out += " active";
        if (s.looks.mark == mark::seen) out += " seen";
        if (s.looks.mark == mark::missing) out += " missing";
        if (s.looks.heat >= 0) out += fmt::format(" heat{}", s.looks.heat);
        return out + "\"";
    }

    void begin(const shape& s, std::size_t depth) {
        switch (s.kind) {
        case shape_kind::page: return;
        case shape_kind::machine:
        case shape_kind::parallel:
            if (picture_.has_box(s)) return begin_box(s, depth);
            [[fallthrough]];
        case shape_kind::leaf: return state(s, depth, s.is_region ? ", style=\"rounded,filled,dashed\"" : "", "state");
        case shape_kind::final: return state(s, depth, ", peripheries=2", "state final");
        case shape_kind::choice: return state(s, depth, ", shape=diamond, style=filled, margin=\"0.02,0.02\"", "choice");
        case shape_kind::history: return history(s, depth, "H");
        case shape_kind::deep_history: return history(s, depth, "H*");
        case shape_kind::previous: return history(s, depth, "P");
        case shape_kind::memory: return memory(s, depth, "H");
        case shape_kind::deep_memory: return memory(s, depth, "H*");
        case shape_kind::start:
            return small(s, depth,
                         fmt::format("shape=circle, style=filled, fixedsize=true, width=0.14, height=0.14, fillcolor=\"{0}\", color=\"{0}\"", ink));
        case shape_kind::dispatch:
            return small(s, depth, fmt::format("shape=diamond, style=filled, fixedsize=true, width=0.22, height=0.22, color=\"{}\"", ink));
        case shape_kind::any: return pill(s, depth, "any");
        case shape_kind::rechoose: return pill(s, depth, "choose again");
        case shape_kind::again:
            return put(depth,
                       "{} [label=<{}>, style=\"rounded,filled\", {}, fontsize=10, height=0.2, margin=\"0.06,0.02\", id=\"{}\", class=\"t{}\"];",
                       s.id, lines(s.title, "<br/>"), colors(s.looks, "white"), s.id, s.transition);
        case shape_kind::bar:
            return put(
                depth,
                "{} [label=\"\", style=filled, fixedsize=true, width={}, height={}, fillcolor=\"{}\", color=\"{}\", id=\"{}\", class=\"bar t{}\"];",
                s.id, how_.direction == direction::down ? 0.6 : 0.06, how_.direction == direction::down ? 0.06 : 0.6, ink, ink, s.id, s.transition);
        case shape_kind::elsewhere:
            return put(depth, "{} [label=<{}>, style=\"rounded,dotted\", fontcolor=\"{}\", id=\"{}\", class=\"elsewhere\"];", s.id,
                       lines(s.title, "<br/>"), gray, s.id);
        }
    }

    void begin_box(const shape& s, std::size_t depth) {
        put(depth, "subgraph cluster_{} {{", s.id);
        put(depth + 1, "label=<{}>; labeljust=l; style=\"rounded,filled{}\"; {}; margin=10; {}; tooltip=\"{}\";", box_label(s),
            s.is_region ? ",dashed" : "", separated(colors(s.looks, paper[(depth - 1) % paper.size()], true)), separated(state_class(s, "state box")),
            quoted(s.title));
    }

    /// Converts attributes of a node to attributes of a graph.
    static std::string separated(std::string attributes) {
        for (std::size_t at; (at = attributes.find(", ")) != std::string::npos;) attributes.replace(at, 2, "; ");
        return attributes;
    }

    void state(const shape& s, std::size_t depth, std::string_view form, std::string_view kind) {
        put(depth, "{} [label=<{}>{}, {}, {}, tooltip=\"{}\"];", s.id, box_label(s), form, colors(s.looks, "white"), state_class(s, kind),
            quoted(s.title));
    }

    void history(const shape& s, std::size_t depth, std::string_view sign) {
        put(depth, "{} [label=\"{}\", shape=circle, style=filled, fixedsize=true, width=0.34, height=0.34, {}, {}, tooltip=\"{}\"];", s.id, sign,
            colors(s.looks, "white"), state_class(s, "history"), quoted(s.title));
    }

    void memory(const shape& s, std::size_t depth, std::string_view sign) {
        put(depth, "{} [label=\"{}\", shape=circle, style=filled, fixedsize=true, width=0.34, height=0.34, id=\"{}\", class=\"memory\"];", s.id, sign,
            s.id);
    }

    void small(const shape& s, std::size_t depth, std::string_view form) {
        put(depth, "{} [label=\"\", {}, id=\"{}\", class=\"{}\"];", s.id, form, s.id, s.kind == shape_kind::start ? "start" : "dispatch");
    }

    void pill(const shape& s, std::size_t depth, std::string_view word) {
        put(depth,
            "{} [label=<<i>{}</i>>, style=\"rounded,filled\", fillcolor=\"#d0d7de\", color=\"#d0d7de\", fontsize=10, fontcolor=\"{}\", height=0.2, "
            "width=0.3, margin=\"0.06,0.02\", "
            "id=\"{}\", class=\"{}\"];",
            s.id, word, gray, s.id, word);
    }

    void end(const shape& s, std::size_t depth) {
        if (!picture_.has_box(s)) return;
        arrows(s, depth);
        force_order(s, depth + 1);
        put(depth, "}}");
    }

    /// An invisible edge keeps the target of arrows above the source of arrows. Without it, the layout can tear the box apart.
    void force_order(const shape& s, std::size_t depth) {
        const auto& first = anchor(s, false).id;
        const auto& last = anchor(s, true).id;
        if (s.is_target && s.is_source && first != last) put(depth, "{} -> {} [style=invis];", first, last);
    }

    void arrows(const shape& s, std::size_t depth) {
        for (const auto& a : s.arrows) put_arrow(a, depth + 1);
    }

    /// Returns a node inside the box, because the layout needs nodes as ends of edges.
    const shape& anchor(const shape& s, bool last) const {
        const auto* at = &s;
        while (picture_.has_box(*at)) at = &picture_.shapes[last ? last_state(*at) : at->parts.front()];
        return *at;
    }

    std::uint32_t last_state(const shape& s) const {
        for (auto part = s.parts.rbegin(); part != s.parts.rend(); ++part)
            if (picture_.shapes[*part].kind <= shape_kind::choice) return *part;
        return s.parts.back();
    }

    /// If an arrow begins or ends at a box, its label is a separate node. Otherwise the layout could place the label on the part of the arrow that
    /// the box hides.
    void put_arrow(const arrow& a, std::size_t depth) {
        const auto& from = picture_.shapes[a.from];
        const auto& to = picture_.shapes[a.to];
        const auto tail = picture_.has_box(from) ? fmt::format("ltail=cluster_{}", from.id) : "";
        const auto head = picture_.has_box(to) ? fmt::format("lhead=cluster_{}", to.id) : "";
        const auto text = a.label.empty() ? "" : fmt::format("label=<{}>", arrow_label(a.label));
        const auto& first = anchor(from, true).id;
        const auto& last = anchor(to, false).id;
        if (text.empty() || (tail.empty() && head.empty())) return edge(depth, first, last, {tail, head, text}, a);
        const auto own = fmt::format("\"label {}\"", ++labels_);
        put(depth, "{} [{}, shape=plain, fillcolor=none, fontsize=10, class=\"label\"];", own, text);
        edge(depth, first, own, {tail, "arrowhead=none"}, a);
        edge(depth, own, last, {head}, a);
    }

    void edge(std::size_t depth, std::string_view from, std::string_view to, std::vector<std::string> attributes, const arrow& a) {
        if (a.dashed) attributes.emplace_back("style=dashed");
        if (a.open) attributes.emplace_back("arrowhead=none");
        if (a.looks.heat >= 0)
            attributes.push_back(
                fmt::format("color=\"{}\", penwidth={}", heat_line[static_cast<std::size_t>(a.looks.heat)], 0.8 + 0.5 * a.looks.heat));
        else if (a.looks.active)
            attributes.push_back(fmt::format("color=\"{}\", penwidth=2", lit_line));
        else if (a.looks.mark != mark::none)
            attributes.push_back(fmt::format("color=\"{}\"", a.looks.mark == mark::seen ? "#1a7f37" : "#cf222e"));
        if (a.transition != no_fact) attributes.push_back(fmt::format("class=\"t{}\"", a.transition));
        std::string all;
        for (const auto& each : attributes)
            if (!each.empty()) all += (all.empty() ? "" : ", ") + each;
        put(depth, "{} -> {}{};", from, to, all.empty() ? "" : " [" + all + "]");
    }

    const picture& picture_;
    const options& how_;
    std::string out_;
    int labels_ = 0;
};

} // namespace

drawing dot(const chart_view& chart, const options& how) { return {dot_writer(picture_of(chart, how), how).run(), {}}; }

} // namespace hsm::draw
