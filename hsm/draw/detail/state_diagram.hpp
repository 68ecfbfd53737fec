/// Writes the shapes of a picture in a language for state diagrams: the common part of Mermaid and PlantUML.
#pragma once

#include <hsm/draw/detail/labels.hpp>
#include <hsm/draw/detail/picture.hpp>
#include <hsm/op/detail/format.hpp>

#include <iterator>
#include <string>
#include <string_view>

namespace hsm::detail {

class state_diagram {
protected:
    state_diagram(const chart_view& chart, const draw::options& how) : chart_(chart), how_(how), picture_(picture_of(chart, how)), losses_(chart) {}
    ~state_diagram() = default;

    /// Writes a state with its lines.
    virtual void state(const shape& s, std::size_t depth) = 0;
    /// Writes a box with this text.
    virtual void named(const shape& s, std::size_t depth, std::string_view text) = 0;

    /// Writes a line.
    template <class... Args> void put(std::size_t depth, fmt::format_string<Args...> form, Args&&... args) {
        out_.append(2 * depth, ' ');
        append_format(out_, form, std::forward<Args>(args)...);
        out_ += '\n';
    }

    void declare(const shape& s, std::size_t depth) {
        switch (s.kind) {
        case shape_kind::page: return;
        case shape_kind::machine:
        case shape_kind::parallel:
        case shape_kind::leaf: return state(s, depth);
        case shape_kind::final:
            losses_.add(draw::loss_kind::final_state, s);
            state(s, depth);
            return put(depth, "{} --> [*]", s.id);
        case shape_kind::choice: losses_.add(draw::loss_kind::choice_name, s); return put(depth, "state {} <<choice>>", s.id);
        case shape_kind::history:
        case shape_kind::memory: return history(s, depth, "H");
        case shape_kind::deep_history:
        case shape_kind::deep_memory: return history(s, depth, "H*");
        case shape_kind::previous: return history(s, depth, "P");
        case shape_kind::start: // otherwise its arrow begins at [*], which cannot be a target
            if (!s.is_target) return;
            [[fallthrough]];
        case shape_kind::dispatch: return put(depth, "state {} <<choice>>", s.id);
        case shape_kind::any: return named(s, depth, "any");
        case shape_kind::rechoose: return named(s, depth, "choose again");
        case shape_kind::again: return named(s, depth, s.title);
        case shape_kind::bar: return put(depth, "state {} <<{}>>", s.id, s.is_fork ? "fork" : "join");
        case shape_kind::elsewhere: return named(s, depth, s.title);
        }
    }

    /// Writes an arrow with this line between its ends.
    void put_arrow(const arrow& a, std::size_t depth, std::string_view line, const std::string& label) {
        const auto& from = picture_.shapes[a.from];
        const auto source = from.kind == shape_kind::start && !from.is_target ? std::string_view("[*]") : std::string_view(from.id);
        put(depth, "{} {} {}{}", source, line, picture_.shapes[a.to].id, label.empty() ? "" : " : " + label);
    }

    const chart_view chart_;
    const draw::options& how_;
    const picture picture_;
    loss_list losses_;
    std::string out_;

private:
    void history(const shape& s, std::size_t depth, std::string_view sign) {
        losses_.add(draw::loss_kind::history, s);
        named(s, depth, s.title.empty() ? std::string(sign) : fmt::format("{} {}", sign, s.title));
    }
};

} // namespace hsm::detail
