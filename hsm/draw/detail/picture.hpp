/// A chart as boxes and arrows, independent of a language. The languages only differ in how they write it.
///
/// No arrow connects a box with its inside, because layout programs draw these badly or not at all. For such a transition, a small shape inside the
/// box represents its border.
#pragma once

#include <hsm/draw/drawing.hpp>
#include <hsm/draw/options.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace hsm::detail {

inline constexpr std::uint32_t no_shape = 0xffff'ffff;

enum class shape_kind : std::uint8_t {
    page, ///< the outermost scope; always the first shape, and part of no other
    leaf,
    machine,
    parallel,
    final,
    choice,
    history,
    deep_history,
    previous,
    start,    ///< the initial pseudo-state of a machine
    dispatch, ///< the entry choice of a machine
    memory,   ///< the history of a machine, before its begin
    deep_memory,
    any,       ///< source: any active state in the superstate
    rechoose,  ///< target: the superstate itself, from inside
    again,     ///< between the two arrows of a transition from a superstate to itself
    bar,       ///< a fork or join
    elsewhere, ///< a state outside the drawing
};

/// The highlights of a shape or an arrow.
struct looks {
    bool active = false;
    draw::mark mark = draw::mark::none;
    int heat = -1;    ///< 0 to 5; -1: unknown
    std::string note; ///< an additional line
};

struct label {
    std::string trigger, guard, action, more, note; ///< "hit", "is angry && !Hungry", "shout", "priority 9, force", "12 times"
    std::string where;                              ///< the source position, if it is shown

    bool empty() const { return trigger.empty() && guard.empty() && action.empty() && more.empty() && note.empty() && where.empty(); }
    std::string text() const; ///< "hit [is angry && !Hungry] / shout {priority 9, force}"
};

struct arrow {
    std::uint32_t from, to;
    std::uint32_t transition; ///< no_fact: the chart contains no such transition
    detail::label label = {};
    bool dashed = false;
    bool open = false;  ///< without a head, because another arrow continues from its end
    bool first = false; ///< the first arrow of its transition
    detail::looks looks = {};
};

struct shape {
    shape_kind kind = shape_kind::page;
    std::uint32_t state = no_fact;      ///< the state to which it belongs
    std::uint32_t transition = no_fact; ///< for `bar` and `again`
    std::uint32_t within = no_shape;
    std::string id; ///< letters, digits and '_', begins with a letter; unique
    std::string title;
    std::vector<std::string> lines; ///< hooks, locals and other contents of the state
    std::string lines_id;           ///< the id of a separate box for them, if a language needs one
    bool is_region = false;
    bool is_target = false; ///< arrows lead to it
    bool is_source = false; ///< arrows begin at it
    bool is_fork = false;   ///< several arrows leave the bar
    detail::looks looks = {};
    std::vector<std::uint32_t> parts; ///< shapes, in order
    std::vector<arrow> arrows;        ///< arrows of which it is the innermost common box
};

struct picture {
    std::string name; ///< of the chart
    std::vector<shape> shapes;

    const shape& page() const { return shapes.front(); }
    bool has_box(const shape& s) const { return (s.kind == shape_kind::machine || s.kind == shape_kind::parallel) && !s.parts.empty(); }
};

/// Returns the state to draw. Throws draw_error (HSM-381).
state_view drawn_part(const chart_view& chart, const draw::options& how);
/// Throws draw_error (HSM-381).
picture picture_of(const chart_view& chart, const draw::options& how);

/// Visits the shapes of a picture. Not recursive, because machines can be nested deeper than the stack allows. Calls begin(shape, depth) before the
/// parts of a shape and end(shape, depth) after them, but not for the page.
template <class Begin, class End> void walk(const picture& p, Begin begin, End end) {
    std::vector<std::pair<std::uint32_t, std::size_t>> way{{0, 0}}; // a shape, and how many of its parts are done
    while (!way.empty()) {
        const auto number = way.back().first;
        const auto& s = p.shapes[number];
        if (way.back().second == s.parts.size()) {
            way.pop_back();
            if (number != 0) end(s, way.size());
            continue;
        }
        const auto next = s.parts[way.back().second++];
        begin(p.shapes[next], way.size());
        way.emplace_back(next, 0);
    }
}

/// Collects the parts of a chart that a language cannot express.
class loss_list {
public:
    explicit loss_list(const chart_view& chart) : chart_(chart) {}

    void add(draw::loss_kind kind, const shape& s);
    void add(draw::loss_kind kind, const transition_view& t);
    std::vector<draw::loss> take(); ///< those of states first

private:
    const chart_view chart_;
    std::vector<draw::loss> of_states_, of_transitions_;
};

} // namespace hsm::detail
