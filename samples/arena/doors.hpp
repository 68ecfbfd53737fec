/// Doors and their switch: machines of a manager, which find each other by name.
#pragma once

#include "level.hpp"

#include <hsm/hsm.hpp>
#include <hsm/manage/manager.hpp>
#include <hsm/save/machine_factory.hpp>

#include <array>
#include <chrono>
#include <string_view>

namespace arena {

using namespace std::chrono_literals;

struct open_up {};
struct shut {};
struct pulled {};

struct door {
    char mark;                // in the level
    int x = 0, y = 0;         // pixels, the upper edge of its column
    int height = 0, open = 0; // pixels

    box bounds() const { return {x, y, tile, height - open}; }
};

struct lever {
    hsm::manager* doors = nullptr;
    int x = 0, y = 0;

    box bounds() const { return {x - 6, y - 18, 12, 18}; }
};

template <class A> void serialize(A& archive, door& d) { archive("opened", d.open); }
template <class A> void serialize(A& archive, lever& l) { archive("x", l.x); }

inline hsm::chart<door> make_door() {
    auto root = hsm::make_fsm<door>("door");
    auto& first = root->add_choice("first");
    auto& closed = root->add("closed");
    auto& opening = root->add("opening").on_update([](door& d) { d.open = std::min(d.open + 1, d.height); });
    auto& open = root->add("open").on_enter([](door& d) { d.open = d.height; });
    auto& closing = root->add("closing").on_update([](door& d) { d.open = std::max(d.open - 4, 0); });
    root->initial(first);
    first.to(open).when(hsm::named("starts open", [](const door& d) { return d.mark == 'L'; }));
    first.otherwise(closed);
    root->to(opening).on<open_up>().unless_in(opening, open);
    root->to(closing).on<shut>().unless_in(closing, closed);
    opening.to(open).when(hsm::named("is open", [](const door& d) { return d.open == d.height; }));
    closing.to(closed).when(hsm::named("is closed", [](const door& d) { return d.open == 0; }));
    return hsm::compile(std::move(root));
}

inline hsm::chart<lever> make_lever() {
    auto root = hsm::make_fsm<lever>("switch");
    auto& off = root->add("off");
    auto& on = root->add("on").on_enter([](lever& l) { l.doors->get("gate")->process(open_up{}); });
    off.to(on).on<pulled>();
    return hsm::compile(std::move(root));
}

/// The gate is opened by the switch, the lair is shut behind its visitors, and the exit opens at the end.
class doors {
public:
    explicit doors(const level& where) {
        for (const auto& m : where.marks()) {
            if (m.kind == 's') switch_ = {&machines_, m.x, m.y};
            for (auto& d : doors_)
                if (d.mark == m.kind) {
                    if (!d.height) d.x = m.x - tile / 2, d.y = m.y - tile;
                    d.height += tile;
                }
        }
        const auto door_chart = make_door();
        const auto lever_chart = make_lever();
        kinds_.add("door", door_chart, [this](std::string_view name) -> door& { return door_named(name); });
        kinds_.add("switch", lever_chart, [this](std::string_view) -> lever& { return switch_; });
        for (const char* name : {"gate", "lair", "exit"}) machines_.create(name, door_chart, door_named(name)).start();
        machines_.create("switch", lever_chart, switch_).start();
    }
    doors(const doors&) = delete;

    template <class Event> void send(std::string_view name, const Event& event) { machines_.get(name)->process(event); }
    void play(hsm::time_span frame) { machines_.update(frame); }
    /// Replaces the content of `to` by the rectangles of doors that are not open.
    void barriers(std::vector<box>& to) const {
        to.clear();
        for (const auto& d : doors_)
            if (d.open < d.height) to.push_back(d.bounds());
    }

    const std::array<door, 3>& all() const { return doors_; }
    const lever& the_switch() const { return switch_; }
    bool is_pulled() const { return machines_.find("switch")->is_in("on"); }
    hsm::manager& machines() { return machines_; }
    const hsm::manager& machines() const { return machines_; }
    const hsm::machine_factory& kinds() const { return kinds_; }

private:
    door& door_named(std::string_view name) { return doors_[name == "gate" ? 0 : name == "lair" ? 1 : 2]; }

    std::array<door, 3> doors_ = {{{'D'}, {'L'}, {'E'}}};
    lever switch_;
    hsm::machine_factory kinds_;
    hsm::manager machines_;
};

} // namespace arena
