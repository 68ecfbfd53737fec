/// What a program and its plugin both know: types that are the same in both, and what each of them offers to the other.
#pragma once

#include <hsm/crowd/crowd.hpp>
#include <hsm/hsm.hpp>
#include <hsm/load/registry.hpp>
#include <hsm/manage/manager.hpp>

#include <string>

struct flash { // of no namespace
    int seconds = 0;
};

namespace game {

struct world {
    std::string trace;
};
struct hit {
    int damage = 0;
    std::string by;
};
enum class input { jump, duck };
enum class pose { idle, struck, down };
struct swing { // a local
    int power = 0;
};
struct fight : hsm::fsm<world> { // a class of states
    fight() : fsm("fight") { add("ring"); }
};

/// Made in one module, and handed to the other.
struct module {
    hsm::chart<world> (*make_chart)();
    void (*add_states)(hsm::fsm<world>& root); ///< to a definition that is compiled elsewhere
    hsm::instance<world>* (*make_instance)(const hsm::chart<world>& chart, world& w);
    void (*destroy_instance)(hsm::instance<world>* agent);

    // Each with the calling module's own idea of the types.
    hsm::result (*hit)(hsm::instance<world>& agent, int damage, const char* by);
    hsm::result (*input)(hsm::instance<world>& agent, game::input in);
    hsm::result (*named)(hsm::instance<world>& agent, const char* name);
    hsm::result (*flash)(hsm::instance<world>& agent);
    hsm::result (*clash)(hsm::instance<world>& agent); ///< a struct that has another size in each module
    hsm::result (*own)(hsm::instance<world>& agent);   ///< a struct that only this module has; both are the first to be given an id
    hsm::result (*quiet)(hsm::instance<world>& agent); ///< of an unnamed namespace
    hsm::result (*loc)(hsm::instance<world>& agent);   ///< of a function, which is not the one that makes the chart
    hsm::result (*post_hit)(hsm::instance<world>& agent, const char* by);
    hsm::result (*mail_hit)(hsm::instance<world>& agent, const char* by);
    hsm::result (*can_hit)(hsm::instance<world>& agent);
    bool (*is_in)(hsm::instance<world>& agent, pose p);
    bool (*is_in_fight)(hsm::instance<world>& agent);
    bool (*has_swing)(hsm::instance<world>& agent); ///< is the state that has the local active?
    int (*power)(hsm::instance<world>& agent);      ///< of the local; -1: there is none
    hsm::result (*go_to)(hsm::instance<world>& agent, pose p);

    void (*manage)(hsm::manager& machines, const hsm::chart<world>& chart, world& w);
    int (*managed)(hsm::manager& machines); ///< how many machines over a world it finds in all ways
    void (*name_hook)(hsm::registry<world>& names);
    bool (*finds_hook)(const hsm::registry<world>& names);
    hsm::result (*hit_agent)(hsm::crowd<world>& crowd, hsm::agent_id id);
};

} // namespace game
