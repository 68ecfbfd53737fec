#include <hsm/draw/plantuml.hpp>

#include <hsm/draw/detail/lines.hpp>
#include <hsm/draw/detail/state_diagram.hpp>
#include <hsm/text/detail/ascii.hpp>

#include <string>

namespace hsm::draw {

using namespace detail;

namespace {

/// Escapes all characters that could have a meaning.
std::string plantuml_escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool plain = is_of_word(c) || std::string_view(" (),.=+!?'|{}[]:;").find(c) != std::string_view::npos;
        out += plain ? std::string(1, c) : fmt::format("<U+{:04X}>", static_cast<int>(c));
    }
    return out;
}

class plantuml_writer final : state_diagram {
public:
    plantuml_writer(const chart_view& chart, const options& how) : state_diagram(chart, how) {}

    drawing run() {
        put(0, "@startuml");
        put(0, "hide empty description");
        if (how_.direction == direction::right) put(0, "left to right direction");
        put(0, "skinparam state {{");
        put(1, "BackgroundColor #f3f6fa");
        put(1, "BorderColor #6e7781");
        put(1, "ArrowColor #6e7781");
        put(0, "}}");
        walk(
            picture_, [&](const shape& s, std::size_t depth) { declare(s, depth - 1); },
            [&](const shape& s, std::size_t depth) {
                if (!picture_.has_box(s)) return;
                arrows(s, depth);
                put(depth - 1, "}}");
            });
        arrows(picture_.page(), 0);
        put(0, "@enduml");
        return {std::move(out_), losses_.take()};
    }

private:
    std::string lines(std::string_view text) const { return wrapped(text, how_.line_length, "\\n", plantuml_escaped); }

    static std::string color(const looks& l) {
        if (l.active) return " #ffe8a3";
        if (l.mark == mark::seen) return " #dafbe1";
        if (l.mark == mark::missing) return " #ffebe9";
        return l.heat >= 0 ? fmt::format(" {}", heat_fill[static_cast<std::size_t>(l.heat)]) : "";
    }

    void named(const shape& s, std::size_t depth, std::string_view text) override {
        put(depth, "state \"{}\" as {}{}", lines(text), s.id, color(s.looks));
    }

    void state(const shape& s, std::size_t depth) override {
        if (s.is_region) losses_.add(loss_kind::region, s);
        put(depth, "state \"{}\" as {}{}{}", lines(s.title), s.id, color(s.looks), picture_.has_box(s) ? " {" : "");
        for (const auto& l : s.lines) put(depth + 1, "{} : {}", s.id, lines(l));
        if (!s.looks.note.empty()) put(depth + 1, "{} : {}", s.id, lines(s.looks.note));
    }

    void arrows(const shape& s, std::size_t depth) {
        for (const auto& a : s.arrows) put_arrow(a, depth, line(a), lines(a.label.text()));
    }

    static std::string line(const arrow& a) {
        std::string style = a.dashed ? "dashed" : "";
        const auto add = [&](std::string_view word) { style += (style.empty() ? "" : ",") + std::string(word); };
        if (a.looks.active)
            add("#bf6a02");
        else if (a.looks.mark == mark::seen)
            add("#1a7f37");
        else if (a.looks.mark == mark::missing)
            add("#cf222e");
        else if (a.looks.heat >= 0)
            add(heat_line[static_cast<std::size_t>(a.looks.heat)]);
        return style.empty() ? "-->" : fmt::format("-[{}]->", style);
    }
};

} // namespace

drawing plantuml(const chart_view& chart, const options& how) { return plantuml_writer(chart, how).run(); }

} // namespace hsm::draw
