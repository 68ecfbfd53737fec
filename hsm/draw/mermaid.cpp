#include <hsm/draw/mermaid.hpp>

#include <hsm/draw/detail/labels.hpp>
#include <hsm/draw/detail/lines.hpp>
#include <hsm/draw/detail/picture.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <iterator>
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
        const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || static_cast<unsigned char>(c) >= 0x80 ||
                           std::string_view(" /(),.=+!?'").find(c) != std::string_view::npos;
        out += plain ? std::string(1, c) : fmt::format("#{};", static_cast<int>(c));
    }
    return out;
}

class mermaid_writer {
public:
    mermaid_writer(const chart_view& chart, const options& how) : chart_(chart), how_(how), picture_(picture_of(chart, how)), losses_(chart) {}

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
    template <class... Args> void put(std::size_t depth, fmt::format_string<Args...> form, Args&&... args) {
        out_.append(2 * depth, ' ');
        fmt::format_to(std::back_inserter(out_), form, std::forward<Args>(args)...);
        out_ += '\n';
    }

    std::string_view direction() const { return how_.direction == direction::right ? "LR" : "TB"; }

    std::string lines(std::string_view text) const {
        std::string out;
        for (const auto& l : wrapped(text, how_.line_length)) out += (out.empty() ? "" : "<br/>") + mermaid_escaped(l);
        return out;
    }

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
                put_arrow(a, depth + 1);
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

    void declare(const shape& s, std::size_t depth) {
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

    void named(const shape& s, std::size_t depth, std::string_view text) { put(depth, "state \"{}\" as {}", lines(text), s.id); }

    void history(const shape& s, std::size_t depth, std::string_view sign) {
        losses_.add(loss_kind::history, s);
        named(s, depth, s.title.empty() ? std::string(sign) : fmt::format("{} {}", sign, s.title));
    }

    void state(const shape& s, std::size_t depth) {
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

    void put_arrow(const arrow& a, std::size_t depth) {
        const auto& from = picture_.shapes[a.from];
        const auto l = label_of(a);
        const auto source = from.kind == shape_kind::start && !from.is_target ? std::string_view("[*]") : std::string_view(from.id);
        put(depth, "{} --> {}{}", source, picture_.shapes[a.to].id, l.empty() ? "" : " : " + lines(l.text()));
    }

    const chart_view chart_;
    const options& how_;
    const picture picture_;
    loss_list losses_;
    std::string out_;
};

} // namespace

drawing mermaid(const chart_view& chart, const options& how) { return mermaid_writer(chart, how).run(); }

} // namespace hsm::draw
