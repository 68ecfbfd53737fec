/// Doors and their switch: machines of a manager, which find each other by name.
#pragma once

#include "level.hpp"

#include <hsm/hsm.hpp>
#include <hsm/manage/manager.hpp>
#include <hsm/save/machine_factory.hpp>

#include <array>
#include <string_view>
#include <vector>

namespace arena {

struct open_up {};
struct shut {};
struct pulled {};

struct door {
    int x = 0, y = 0; // pixels, the upper edge of its column
    int height = 0;   // pixels
    int opened = 0;   // pixels
    int starts_open = 0;

    bool is_open() const { return opened >= height; }
    box bounds() const { return {x, y, tile, height - opened}; }
};

struct lever {
    hsm::manager* doors = nullptr;
    int x = 0, y = 0;

    box bounds() const { return {x - 6, y - 18, 12, 18}; }
};

template <class A> void serialize(A& archive, door& d) { archive("opened", d.opened); }
template <class A> void serialize(A& archive, lever& l) { archive("x", l.x); }

/// The gate is opened by the switch, the lair is shut behind its visitors, and the exit opens at the end.
class doors {
public:
    explicit doors(const level& where);
    doors(const doors&) = delete;

    template <class Event> void send(std::string_view name, const Event& event) { machines_.get(name)->process(event); }
    void play(hsm::time_span frame) { machines_.update(frame); }
    /// Replaces the content of `to` by the rectangles of doors that are not open.
    void barriers(std::vector<box>& to) const;

    const std::array<door, 3>& all() const { return doors_; }
    const lever& the_switch() const { return switch_; }
    bool is_pulled() const { return machines_.find("switch")->is_in("on"); }
    hsm::manager& machines() { return machines_; }
    const hsm::manager& machines() const { return machines_; }
    const hsm::machine_factory& kinds() const { return kinds_; }

private:
    std::array<door, 3> doors_;
    lever switch_;
    hsm::machine_factory kinds_;
    hsm::manager machines_;
};

} // namespace arena
