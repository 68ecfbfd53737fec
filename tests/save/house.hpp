/// Machines of two charts in a manager, over contexts by name.
#pragma once

#include <hsm/hsm.hpp>
#include <hsm/save/machine_factory.hpp>

#include <chrono>
#include <map>
#include <string>

namespace test {

using namespace std::chrono_literals;

struct door {
    int opened = 0;
    std::string sign = "none";
    door* other = nullptr; ///< is not saved
};
template <class A> void serialize(A& archive, door& d) { archive("opened", d.opened)("sign", d.sign); }

struct lamp {
    int burnt = 0;
};

inline hsm::chart<door> door_chart() {
    auto root = hsm::make_fsm<door>("door");
    auto& shut = root->add("shut");
    auto& open = root->add("open").on_enter([](door& d) { ++d.opened; });
    shut.to(open).on("push");
    open.to(shut).after(100ms);
    return hsm::compile(std::move(root));
}
inline hsm::chart<lamp> lamp_chart() {
    auto root = hsm::make_fsm<lamp>("lamp");
    auto& off = root->add("off");
    auto& on = root->add("on").on_update([](lamp& l) { ++l.burnt; });
    off.to(on).on("push");
    on.to(off).on("push");
    return hsm::compile(std::move(root));
}

/// A manager, its charts, and the contexts by name.
struct house {
    hsm::chart<door> doors_chart = door_chart();
    hsm::chart<lamp> lamps_chart = lamp_chart();
    std::map<std::string, door, std::less<>> doors;
    std::map<std::string, lamp, std::less<>> lamps;
    hsm::manager machines;
    hsm::machine_factory kinds;

    house() {
        kinds.add("door", doors_chart, [this](std::string_view name) -> door& { return doors[std::string(name)]; });
        kinds.add("lamp", lamps_chart, [this](std::string_view name) -> lamp& { return lamps[std::string(name)]; });
    }
    hsm::managed<door> add_door(const std::string& name) {
        doors[name] = {};
        auto m = machines.create(name, doors_chart, doors[name]);
        m.start();
        return m;
    }
    hsm::managed<lamp> add_lamp(const std::string& name) {
        lamps[name] = {};
        auto m = machines.create(name, lamps_chart, lamps[name]);
        m.start();
        return m;
    }
    std::string names() const {
        std::string all;
        for (const auto m : machines.all()) all += std::string(m.name()) + ' ' + (m.running() ? std::string(m->current().path()) : "-") + ", ";
        return all;
    }
};

} // namespace test
