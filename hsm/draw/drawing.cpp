#include <hsm/draw/drawing.hpp>

#include <hsm/draw/detail/losses.hpp>
#include <hsm/op/detail/format.hpp>

#include <array>

namespace hsm {

namespace draw {

namespace {

struct loss_words {
    std::string_view name, instead;
};
constexpr std::array<loss_words, 9> words{{
    {"region", "stands in its parallel like a substate"},
    {"dashed line", "is a line like those of transitions"},
    {"history", "is a box with the name H or H*"},
    {"final state", "is a box with an arrow to an anonymous end"},
    {"name of a choice", "is not told"},
    {"lit superstate", "has a word in its title instead of a colour"},
    {"lit transition", "has a word in its label instead of a colour"},
    {"lines of a superstate", "stand in a box inside it"},
    {"loop", "is told at the arrow of another transition from that state to itself"},
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
