#include <hsm/draw/drawing.hpp>

#include <hsm/draw/detail/picture.hpp>
#include <hsm/op/detail/format.hpp>

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
    {"history", "is drawn as a box with the name H or H*"},
    {"final state", "is drawn as a box with an arrow to an unnamed end"},
    {"name of a choice", "is omitted"},
    {"lit superstate", "has a word in its title instead of a color"},
    {"lit transition", "has a word in its label instead of a color"},
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

} // namespace hsm
