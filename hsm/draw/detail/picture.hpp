/// A chart as boxes and arrows, before a language writes them down. Language by language, nothing is decided but how to say it.
///
/// No arrow leads from a box to what is inside it, or the other way round: layout programs draw these badly or not at all. Where a transition
/// does, a small shape inside the box stands for its border.
#pragma once

#include <hsm/draw/options.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace hsm::detail {

inline constexpr std::uint32_t no_shape = 0xffff'ffff;

enum class shape_kind : std::uint8_t {
    page, ///< the outermost scope: always the first, and nobody's part
    leaf,
    machine,
    parallel,
    final,
    choice,
    history,
    deep_history,
    start,    ///< where a machine begins
    dispatch, ///< where it chooses how to begin
    memory,   ///< a machine that remembers begins here
    deep_memory,
    any,       ///< from whatever is active in the superstate
    anew,      ///< to the superstate itself, from inside
    again,     ///< a superstate to itself: between its two arrows
    bar,       ///< forks and joins
    elsewhere, ///< a state that is not part of the drawing
};

/// What lights a shape or an arrow up.
struct looks {
    bool active = false;
    draw::mark mark = draw::mark::none;
    int heat = -1;    ///< 0 to 5; -1: not known
    std::string note; ///< a line of its own
};

struct label {
    std::string trigger, guard, action, more, note; ///< "hit", "is angry && !Hungry", "shout", "priority 9, force", "12 times"
    std::string where;                              ///< of the transition, if that is shown

    bool empty() const { return trigger.empty() && guard.empty() && action.empty() && more.empty() && note.empty() && where.empty(); }
    std::string text() const; ///< "hit [is angry && !Hungry] / shout {priority 9, force}"
};

struct arrow {
    std::uint32_t from, to;
    std::uint32_t transition; ///< no_fact: it is none of a chart's
    detail::label label = {};
    bool dashed = false;
    bool open = false;  ///< without a head: another arrow goes on from here
    bool first = false; ///< of those that are the same transition
    detail::looks looks = {};
};

struct shape {
    shape_kind kind = shape_kind::page;
    std::uint32_t state = no_fact;      ///< whose it is
    std::uint32_t transition = no_fact; ///< of a bar, or `again`
    std::uint32_t within = no_shape;
    std::string id; ///< letters, digits and '_', begins with a letter; unique
    std::string title;
    std::vector<std::string> lines; ///< what it does itself
    std::string lines_id;           ///< of a box of its own for these, where a language needs one
    bool is_region = false;
    bool is_target = false; ///< arrows lead to it
    bool is_source = false; ///< arrows begin at it
    bool is_fork = false;   ///< a bar that several arrows leave
    detail::looks looks = {};
    std::vector<std::uint32_t> parts; ///< shapes, in order
    std::vector<arrow> arrows;        ///< whose innermost common box it is
};

struct picture {
    std::string name; ///< of the chart
    std::vector<shape> shapes;

    const shape& page() const { return shapes.front(); }
    bool has_box(const shape& s) const { return (s.kind == shape_kind::machine || s.kind == shape_kind::parallel) && !s.parts.empty(); }
};

/// The state that is drawn. Throws draw_error (HSM-381).
state_view part_of(const chart_view& chart, const draw::options& how);
/// Throws draw_error (HSM-381).
picture picture_of(const chart_view& chart, const draw::options& how);

} // namespace hsm::detail
