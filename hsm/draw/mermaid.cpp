#include <hsm/draw/mermaid.hpp>

#include <hsm/draw/detail/lines.hpp>
#include <hsm/draw/detail/state_diagram.hpp>
#include <hsm/text/detail/ascii.hpp>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace hsm::draw {

using namespace detail;

namespace {

/// Escapes all characters that could have a meaning. The caller handles line ends.
std::string mermaid_escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool plain = is_of_word(c) || std::string_view(" /(),.=+!?'").find(c) != std::string_view::npos;
        out += plain ? std::string(1, c) : fmt::format("#{};", static_cast<int>(c));
    }
    return out;
}

class mermaid_writer final : state_diagram {
public:
    mermaid_writer(const chart_view& chart, const options& how) : state_diagram(chart, how) {}

    drawing run() {
        put(0, "stateDiagram-v2");
        put(1, "direction {}", direction());
        put(1, "classDef active fill:#ffe8a3,stroke:#bf6a02,stroke-width:2px,color:#24292f");
        put(1, "classDef seen fill:#dafbe1,stroke:#1a7f37,color:#24292f");
        put(1, "classDef missing fill:#ffebe9,stroke:#cf222e,color:#24292f");
        if (std::ranges::any_of(picture_.shapes, [](const shape& s) { return s.looks.heat >= 0; }))
            for (std::size_t i = 0; i < heats; ++i) put(1, "classDef heat{} fill:{},stroke:#57606a,color:#24292f", i, heat_fill[i]);
        scope(picture_.page(), 0);
        walk(
            picture_,
            [&](const shape& s, std::size_t depth) {
                if (picture_.has_box(s)) begin_box(s, depth);
            },
            [&](const shape& s, std::size_t depth) {
                if (picture_.has_box(s)) put(depth, "}}");
            });
        for (const auto& s : picture_.shapes)
            if (!picture_.has_box(s)) {
                if (const auto name = class_of(s); !name.empty())
                    put(1, "class {} {}", s.id, name);
                else if (s.looks.heat >= 0)
                    put(1, "class {} heat{}", s.id, s.looks.heat);
            }
        return {std::move(out_), losses_.take()};
    }

private:
    std::string_view direction() const { return how_.direction == direction::right ? "LR" : "TB"; }

    std::string lines(std::string_view text) const { return wrapped(text, how_.line_length, "<br/>", mermaid_escaped); }

    static std::string_view class_of(const shape& s) {
        if (s.looks.active) return "active";
        if (s.looks.mark == mark::none) return {};
        return s.looks.mark == mark::seen ? "seen" : "missing";
    }

    /// Writes the contents of a box, then the arrows, then the boxes inside: a state belongs to the box in which its name is written last.
    void scope(const shape& s, std::size_t depth) {
        for (const auto part : s.parts)
            if (!picture_.has_box(picture_.shapes[part])) declare(picture_.shapes[part], depth + 1);
        std::map<std::uint32_t, std::vector<const arrow*>> loops;
        for (const auto& a : s.arrows) {
            if (a.from == a.to)
                loops[a.from].push_back(&a);
            else
                put_arrow(a, depth + 1, "-->", lines(label_of(a).text()));
        }
        for (const auto& [_, list] : loops) put_loops(list, depth + 1);
    }

    /// Mermaid draws only one of several arrows from a state to itself, so one arrow gets all labels.
    void put_loops(const std::vector<const arrow*>& list, std::size_t depth) {
        std::string all;
        for (const auto* a : list) {
            if (a != list.front()) losses_.add(loss_kind::loop, chart_.transition(a->transition));
            all += (all.empty() ? "" : "<br/>") + lines(label_of(*a).text());
        }
        const auto& id = picture_.shapes[list.front()->from].id;
        put(depth, "{} --> {}{}", id, id, all.empty() ? "" : " : " + all);
    }

    void named(const shape& s, std::size_t depth, std::string_view text) override { put(depth, "state \"{}\" as {}", lines(text), s.id); }

    void state(const shape& s, std::size_t depth) override {
        named(s, depth, s.title);
        for (const auto& l : s.lines) put(depth, "{} : {}", s.id, lines(l));
        if (!s.looks.note.empty()) put(depth, "{} : {}", s.id, lines(s.looks.note));
    }

    void begin_box(const shape& s, std::size_t depth) {
        std::string title = s.title;
        if (s.is_region) losses_.add(loss_kind::region, s);
        if (const auto word = class_of(s); !word.empty() || s.looks.heat >= 0) {
            losses_.add(loss_kind::lit_superstate, s);
            title += fmt::format(" ({})", word.empty() ? "heat " + std::to_string(s.looks.heat) : std::string(word));
        }
        put(depth, "state \"{}\" as {} {{", lines(title), s.id);
        put(depth + 1, "direction {}", direction());
        if (!s.lines.empty() || !s.looks.note.empty()) lines_of_box(s, depth);
        scope(s, depth);
    }

    void lines_of_box(const shape& s, std::size_t depth) {
        losses_.add(loss_kind::superstate_lines, s);
        std::string all;
        for (const auto& l : s.lines) all += (all.empty() ? "" : "<br/>") + lines(l);
        if (!s.looks.note.empty()) all += (all.empty() ? "" : "<br/>") + lines(s.looks.note);
        put(depth + 1, "state \"{}\" as {}", all, s.lines_id);
    }

    /// Returns the label with words for its highlights.
    label label_of(const arrow& a) {
        auto l = a.label;
        if (a.dashed && a.first) losses_.add(loss_kind::dashed_line, chart_.transition(a.transition));
        const auto word = a.looks.active ? "taken" : a.looks.mark == mark::seen ? "seen" : a.looks.mark == mark::missing ? "missing" : "";
        if (a.first && (*word || a.looks.heat >= 0)) {
            losses_.add(loss_kind::lit_transition, chart_.transition(a.transition));
            l.note += fmt::format("{}({})", l.note.empty() ? "" : " ", *word ? word : "heat " + std::to_string(a.looks.heat));
        }
        return l;
    }
};

} // namespace

drawing mermaid(const chart_view& chart, const options& how) { return mermaid_writer(chart, how).run(); }

} // namespace hsm::draw
