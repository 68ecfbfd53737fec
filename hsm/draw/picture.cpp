#include <hsm/draw/detail/picture.hpp>

#include <hsm/draw/detail/picture_maker.hpp>
#include <hsm/draw/draw_error.hpp>
#include <hsm/draw/drawing.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/text/detail/ascii.hpp>

#include <algorithm>
#include <array>

namespace hsm {

namespace draw {

namespace {

struct loss_text {
    std::string_view name, instead;
};
constexpr std::array<loss_text, 9> words{{
    {"region", "is drawn in its parallel like a substate"},
    {"dashed line", "is drawn with the line of a transition"},
    {"history", "is drawn as a box with the name H, H* or P"},
    {"final state", "is drawn as a box with an arrow to an end symbol"},
    {"name of a choice", "is omitted"},
    {"highlighted superstate", "has a word in its title instead of a color"},
    {"highlighted transition", "has a word in its label instead of a color"},
    {"lines of a superstate", "are drawn in a box inside it"},
    {"loop", "is written at the arrow of another transition from this state to itself"},
}};

} // namespace

std::string_view to_string(loss_kind kind) { return words[static_cast<std::size_t>(kind)].name; }

} // namespace draw

namespace detail {

void loss_list::add(draw::loss_kind kind, const shape& s) {
    const auto& w = draw::words[static_cast<std::size_t>(kind)];
    of_states_.push_back({kind, fmt::format("{}: {} {}", w.name, chart_.state(s.state).path(), w.instead)});
}

void loss_list::add(draw::loss_kind kind, const transition_view& t) {
    const auto& w = draw::words[static_cast<std::size_t>(kind)];
    of_transitions_.push_back({kind, fmt::format("{}: {} {}", w.name, t.text(), w.instead)});
}

std::vector<draw::loss> loss_list::take() {
    auto all = std::move(of_states_);
    for (auto& l : of_transitions_) all.push_back(std::move(l));
    return all;
}

} // namespace detail

draw_error::draw_error(hsm::code what, std::string problem, std::string hint)
    : std::runtime_error(fmt::format("{} error: {}; hint: {}", hsm::to_string(what), problem, hint)), code_(what), problem_(std::move(problem)),
      hint_(std::move(hint)) {}

namespace detail {

state_view drawn_part(const chart_view& chart, const draw::options& how) {
    if (!chart) throw draw_error(code::no_drawing, "the chart is empty", "compile it first; hsm::try_compile returns the errors");
    const auto& path = how.part.path();
    if (path.empty()) return chart.root();
    if (const auto s = chart.find(path)) return s;
    throw draw_error(code::no_drawing, fmt::format("no state, or several states, match \"{}\"", path),
                     "name one state, by its path or by the unique end of its path");
}

picture picture_of(const chart_view& chart, const draw::options& how) {
    const auto top = drawn_part(chart, how);
    return picture_maker(chart, how).run(top);
}

picture_maker::picture_maker(const chart_view& chart, const draw::options& how)
    : chart_(chart), how_(how), labels_(chart, how), light_(chart, how.highlight), shape_of_(chart.states().size(), no_shape),
      begin_(chart.states().size(), no_shape) {}

picture picture_maker::run(const state_view& top) {
    picture_.name = chart_.root().name();
    picture_.shapes.emplace_back();
    for (auto number = top.number(); number <= top.last(); ++number) {
        const auto s = chart_.state(number);
        const auto above = s == top ? 0 : shape_of_[s.superstate().number()];
        if (s != top && s.depth() - top.depth() > how_.depth)
            fold(s, above);
        else
            add_state(s);
    }
    for (auto number = top.number(); number <= top.last(); ++number)
        if (const auto s = chart_.state(number); at(shape_of_[number]).state == number && !at(shape_of_[number]).parts.empty()) add_begin(s);
    for (const auto t : chart_.transitions())
        if (t.same_as() == t && !t.is_internal() && !is_hidden(t)) add_transition(t);
    return std::move(picture_);
}

// Shapes.

namespace {

/// Returns whether a language reserves the id, in any case.
bool is_reserved(std::string_view id) {
    static constexpr std::string_view words[] = {"class", "classdef", "default", "digraph", "direction", "edge",  "end",      "fork",
                                                 "graph", "hide",     "join",    "node",    "note",      "scale", "state",    "strict",
                                                 "style", "subgraph", "title",   "as",      "choice",    "skin",  "skinparam"};
    std::string small(id);
    for (auto& c : small) c = ascii_lower(c);
    return std::ranges::find(words, small) != std::end(words);
}

} // namespace

/// Returns a unique id of characters that every language allows. An id that exists already gets a number.
std::string picture_maker::new_id(std::string_view from) {
    std::string id;
    for (const char c : from.substr(0, 200)) {
        const bool plain = is_ascii_letter(c) || is_ascii_digit(c);
        if (plain || id.empty() || id.back() != '_') id += plain ? c : '_';
    }
    if (id.empty() || !is_ascii_letter(id[0])) id.insert(0, "s");
    if (is_reserved(id)) id += '_';
    std::string unique = id;
    for (auto& n = times_[id]; !ids_.insert(unique).second;) unique = fmt::format("{}_{}", id, n++ + 2);
    return unique;
}

std::uint32_t picture_maker::add(shape_kind kind, std::uint32_t within, std::string_view id) {
    const auto number = static_cast<std::uint32_t>(picture_.shapes.size());
    shape s;
    s.kind = kind;
    s.within = within;
    s.id = new_id(id);
    picture_.shapes.push_back(std::move(s));
    at(within).parts.push_back(number);
    return number;
}

void picture_maker::add_state(const state_view& s) {
    static constexpr shape_kind kinds[] = {shape_kind::leaf,  shape_kind::machine, shape_kind::parallel,
                                           shape_kind::final, shape_kind::choice,  shape_kind::history};
    auto kind = kinds[static_cast<std::size_t>(s.kind())];
    if (kind == shape_kind::history && s.history() == history_depth::deep) kind = shape_kind::deep_history;
    if (kind == shape_kind::history && s.history() == history_depth::previous) kind = shape_kind::previous;
    const bool is_top = s.superstate() ? shape_of_[s.superstate().number()] == no_shape : true;
    const auto number = add(kind, is_top ? 0 : shape_of_[s.superstate().number()], s.path());
    shape_of_[s.number()] = number;
    auto& made = at(number);
    made.state = s.number();
    made.title = s.name();
    made.lines = labels_.lines(s);
    made.is_region = s.is_region();
    made.looks = light_.of(s);
}

/// Adds a state inside a box that is drawn closed.
void picture_maker::fold(const state_view& s, std::uint32_t into) {
    shape_of_[s.number()] = into;
    auto& box = at(into);
    box.looks.active |= light_.of(s).active;
    if (s.number() != chart_.state(box.state).last()) return;
    std::size_t transitions = 0;
    for (auto number = box.state; number <= s.number(); ++number)
        for (const auto t : chart_.state(number).transitions())
            if (t.same_as() == t && (is_hidden(t) || (t.is_internal() && number != box.state))) ++transitions;
    box.lines.push_back(fmt::format("+ {} states, {} transitions", s.number() - box.state, transitions));
}

/// Adds the shapes at which a superstate begins when it is entered.
void picture_maker::add_begin(const state_view& s) {
    const auto box = shape_of_[s.number()];
    at(box).lines_id = new_id(fmt::format("{} does", s.path()));
    bool chooses = false;
    for (const auto t : s.transitions()) chooses |= t.role() == transition_role::dispatch;
    const bool remembers = s.history() != history_depth::none;
    auto memory = no_shape;
    if (remembers) {
        memory = add(s.history() == history_depth::deep ? shape_kind::deep_memory : shape_kind::memory, box, fmt::format("{} memory", s.path()));
        at(memory).state = s.number();
    }
    if (s.kind() == state_kind::machine) {
        const auto begin =
            add(chooses ? shape_kind::dispatch : shape_kind::start, box, fmt::format("{} {}", s.path(), chooses ? "dispatch" : "start"));
        at(begin).state = s.number();
        begin_[s.number()] = begin;
        if (remembers) add_arrow({memory, begin, no_fact, {}});
    }
    // Move them to the front, so that they are drawn first.
    auto& parts = at(box).parts;
    const auto added = static_cast<std::ptrdiff_t>((remembers ? 1 : 0) + (s.kind() == state_kind::machine ? 1 : 0));
    std::rotate(parts.begin(), parts.end() - added, parts.end());
    if (s.kind() == state_kind::machine && !chooses) add_default(s, begin_[s.number()]);
}

/// Adds the arrow to the first substate, if the definition contains no initial state.
void picture_maker::add_default(const state_view& s, std::uint32_t begin) {
    for (const auto t : s.transitions())
        if (t.role() == transition_role::initial) return;
    for (const auto sub : s.substates()) {
        if (sub.kind() == state_kind::history) continue;
        return add_arrow({begin, shape_of_[sub.number()], no_fact, {}});
    }
}

} // namespace detail

} // namespace hsm
