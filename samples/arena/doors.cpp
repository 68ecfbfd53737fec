#include "doors.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <string>
#include <utility>

using namespace std::chrono_literals;

namespace arena {

namespace {

constexpr std::array<const char*, 3> door_names = {"gate", "lair", "exit"};
constexpr std::array<char, 3> door_marks = {'D', 'L', 'E'};

hsm::chart<door> make_door() {
    auto root = hsm::make_fsm<door>("door");
    auto& first = root->add_choice("first");
    auto& closed = root->add("closed");
    auto& opening = root->add("opening").on_update([](door& d) { d.opened = std::min(d.opened + 1, d.height); });
    auto& open = root->add("open").on_enter([](door& d) { d.opened = d.height; });
    auto& closing = root->add("closing").on_update([](door& d) { d.opened = std::max(d.opened - 4, 0); });
    root->initial(first);
    first.to(open).when(hsm::named("starts open", [](const door& d) { return d.starts_open != 0; }));
    first.otherwise(closed);
    root->to(opening).on<open_up>().unless_in(opening, open);
    root->to(closing).on<shut>().unless_in(closing, closed);
    opening.to(open).when(hsm::named("is open", &door::is_open));
    closing.to(closed).when(hsm::named("is closed", [](const door& d) { return d.opened == 0; }));
    return hsm::compile(std::move(root));
}

hsm::chart<lever> make_lever() {
    auto root = hsm::make_fsm<lever>("switch");
    auto& off = root->add("off");
    auto& on = root->add("on").on_enter([](lever& l) { l.doors->get("gate")->process(open_up{}); });
    off.to(on).on<pulled>();
    return hsm::compile(std::move(root));
}

} // namespace

doors::doors(const level& where) {
    const auto door_chart = make_door();
    const auto lever_chart = make_lever();
    kinds_.add("door", door_chart, [this](std::string_view name) -> door& {
        return doors_[static_cast<std::size_t>(std::find(door_names.begin(), door_names.end(), name) -
                                               door_names.begin())];
    });
    kinds_.add("switch", lever_chart, [this](std::string_view) -> lever& { return switch_; });
    for (const auto& m : where.marks()) {
        for (std::size_t i = 0; i < door_marks.size(); ++i)
            if (m.kind == door_marks[i]) {
                auto& d = doors_[i];
                if (!d.height) d = {m.x - tile / 2, m.y - tile, 0, 0, m.kind == 'L'};
                d.height += tile;
            }
        if (m.kind == 's') switch_ = {&machines_, m.x, m.y};
    }
    for (std::size_t i = 0; i < door_names.size(); ++i) machines_.create(door_names[i], door_chart, doors_[i]).start();
    machines_.create("switch", lever_chart, switch_).start();
}

void doors::barriers(std::vector<box>& to) const {
    to.clear();
    for (const auto& d : doors_)
        if (!d.is_open()) to.push_back(d.bounds());
}

} // namespace arena
