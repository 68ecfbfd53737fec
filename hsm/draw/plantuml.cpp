#include <hsm/draw/plantuml.hpp>

#include <hsm/draw/detail/labels.hpp>
#include <hsm/draw/detail/lines.hpp>
#include <hsm/draw/detail/picture.hpp>
#include <hsm/op/detail/format.hpp>

#include <iterator>
#include <string>

namespace hsm::draw {

using namespace detail;

namespace {

/// Escapes all characters that could have a meaning.
std::string plantuml_escaped(std::string_view text) {
    std::string out;
    for (const char c : text) {
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80 ||
                           std::string_view(" (),.=+!?'|{}[]:;").find(c) != std::string_view::npos;
        out += plain ? std::string(1, c) : fmt::format("<U+{:04X}>", static_cast<int>(c));
    }
    return out;
}

class plantuml_writer {
public:
    plantuml_writer(const chart_view& chart, const options& how) : chart_(chart), how_(how), picture_(picture_of(chart, how)), losses_(chart) {}

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
            picture_, [&](const shape& s, std::size_t depth) { begin(s, depth - 1); },
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
    template <class... Args> void put(std::size_t depth, fmt::format_string<Args...> form, Args&&... args) {
        out_.append(2 * depth, ' ');
        fmt::format_to(std::back_inserter(out_), form, std::forward<Args>(args)...);
        out_ += '\n';
    }

    std::string lines(std::string_view text) const {
        std::string out;
        for (const auto& l : wrapped(text, how_.line_length)) out += (out.empty() ? "" : "\\n") + plantuml_escaped(l);
        return out;
    }

    static std::string color(const looks& l) {
        if (l.active) return " #ffe8a3";
        if (l.mark == mark::seen) return " #dafbe1";
        if (l.mark == mark::missing) return " #ffebe9";
        return l.heat >= 0 ? fmt::format(" {}", heat_fill[static_cast<std::size_t>(l.heat)]) : "";
    }

    void begin(const shape& s, std::size_t depth) {
        switch (s.kind) {
        case shape_kind::page: return;
        case shape_kind::machine:
        case shape_kind::parallel:
        case shape_kind::leaf: return state(s, depth);
        case shape_kind::final:
            losses_.add(loss_kind::final_state, s);
            state(s, depth);
            return put(depth, "{} --> [*]", s.id);
        case shape_kind::choice: losses_.add(loss_kind::choice_name, s); return put(depth, "state {} <<choice>>", s.id);
        case shape_kind::history: return history(s, depth, "H");
        case shape_kind::deep_history: return history(s, depth, "H*");
        case shape_kind::memory: return history(s, depth, "H");
        case shape_kind::deep_memory: return history(s, depth, "H*");
        case shape_kind::start: // otherwise its arrow begins at [*], which cannot be a target
            if (!s.is_target) return;
            [[fallthrough]];
        case shape_kind::dispatch: return put(depth, "state {} <<choice>>", s.id);
        case shape_kind::any: return named(s, depth, "any");
        case shape_kind::anew: return named(s, depth, "choose again");
        case shape_kind::again: return named(s, depth, s.title);
        case shape_kind::bar: return put(depth, "state {} <<{}>>", s.id, s.is_fork ? "fork" : "join");
        case shape_kind::elsewhere: return named(s, depth, s.title);
        }
    }

    void named(const shape& s, std::size_t depth, std::string_view text) { put(depth, "state \"{}\" as {}{}", lines(text), s.id, color(s.looks)); }

    void history(const shape& s, std::size_t depth, std::string_view sign) {
        losses_.add(loss_kind::history, s);
        named(s, depth, s.title.empty() ? std::string(sign) : fmt::format("{} {}", sign, s.title));
    }

    void state(const shape& s, std::size_t depth) {
        if (s.is_region) losses_.add(loss_kind::region, s);
        put(depth, "state \"{}\" as {}{}{}", lines(s.title), s.id, color(s.looks), picture_.has_box(s) ? " {" : "");
        for (const auto& l : s.lines) put(depth + 1, "{} : {}", s.id, lines(l));
        if (!s.looks.note.empty()) put(depth + 1, "{} : {}", s.id, lines(s.looks.note));
    }

    void arrows(const shape& s, std::size_t depth) {
        for (const auto& a : s.arrows) put_arrow(a, depth);
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

    void put_arrow(const arrow& a, std::size_t depth) {
        const auto& from = picture_.shapes[a.from];
        const auto source = from.kind == shape_kind::start && !from.is_target ? std::string_view("[*]") : std::string_view(from.id);
        put(depth, "{} {} {}{}", source, line(a), picture_.shapes[a.to].id, a.label.empty() ? "" : " : " + lines(a.label.text()));
    }

    const chart_view chart_;
    const options& how_;
    const picture picture_;
    loss_list losses_;
    std::string out_;
};

} // namespace

drawing plantuml(const chart_view& chart, const options& how) { return plantuml_writer(chart, how).run(); }

} // namespace hsm::draw
