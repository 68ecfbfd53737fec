// Draws the pictures of README.md and docs/ from the samples: docs_pictures FOLDER. tests/draw/docs_pictures.py does the rest.

#include <hsm/crowd/crowd.hpp>
#include <hsm/draw/dot.hpp>
#include <hsm/hsm.hpp>
#include <hsm/load/xml.hpp>
#include <hsm/observe/explain.hpp>
#include <hsm/observe/record_text.hpp>
#include <hsm/run/attachment.hpp>
#include <hsm/save/image.hpp>
#include <samples/character/machine.hpp>
#include <samples/expect.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <string>
#include <utility>

using namespace std::chrono_literals;

// Samples are programs: each has a main, and names of its own.
#define main sample_main
namespace weapons {
#include <samples/weapon.cpp>
} // namespace weapons

namespace steps {
#include <samples/walkthrough.cpp>
} // namespace steps

namespace monsters {
#include <samples/monster.cpp>
} // namespace monsters

namespace fighters {
#include <samples/fighter/hero.hpp>
namespace step1 {
#include <samples/fighter/step1.cpp>
}
namespace step2 {
#include <samples/fighter/step2.cpp>
}
namespace step3 {
#include <samples/fighter/step3.cpp>
}
namespace step4 {
#include <samples/fighter/step4.cpp>
}
namespace step5 {
#include <samples/fighter/step5.cpp>
}
namespace step6 {
#include <samples/fighter/step6.cpp>
}
namespace step7 {
#include <samples/fighter/step7.cpp>
}
namespace step8 {
#include <samples/fighter/step8.cpp>
}
} // namespace fighters
#undef main

namespace {

bool keep(const std::string& folder, const char* name, const hsm::chart_base& chart, const hsm::draw::options& how = {}) {
    std::ofstream to(folder + "/" + name + ".dot");
    to << hsm::draw::dot(chart, how).text;
    return static_cast<bool>(to.flush());
}

auto walkthrough() {
    steps::tree t;
    t.s11.to(t.s211).when(hsm::named("jump", &steps::world::jump));
    return hsm::compile(std::move(t.root));
}

auto monster(const char* file) {
    const hsm::registry<monsters::monster> names;
    return hsm::compile(hsm::load_xml(std::string(HSM_SAMPLES_DATA "/") + file, names));
}

bool draw_fighters(const std::string& folder) {
    const hsm::draw::options brief{.show = {.hooks = false, .locals = false}};
    return keep(folder, "fighter_1", fighters::step1::make_fighter(), brief) && //
           keep(folder, "fighter_2", fighters::step2::make_fighter(), brief) && //
           keep(folder, "fighter_3", fighters::step3::make_fighter(), brief) && //
           keep(folder, "fighter_4", fighters::step4::make_fighter(), {.part = "attack"}) &&
           keep(folder, "fighter_5", fighters::step5::make_fighter(), {.part = "slash"}) &&
           keep(folder, "fighter_6", fighters::step6::make_fighter(), {.part = "attack", .depth = 2}) &&
           keep(folder, "fighter_7", fighters::make_hero(), {.depth = 1}) && keep(folder, "fighter_8", fighters::step8::make_fighter(), {.depth = 2});
}

bool draw_all(const std::string& folder) {
    const auto weapon = weapons::make_weapon();
    weapons::fighter f;
    hsm::instance agent{weapon, f};
    agent.start();
    agent.process(weapons::press::attack);
    agent.tick(300ms);
    const auto character = hsm::compile(make_character());
    return draw_fighters(folder) && keep(folder, "weapon", weapon) &&
           keep(folder, "weapon_active", weapon,
                {.show = {.hooks = false, .locals = false}, .highlight = hsm::draw::active(weapon, agent.leaves())}) &&
           keep(folder, "walkthrough", walkthrough()) && //
           keep(folder, "character", character) && keep(folder, "character_overview", character, {.depth = 1, .show = {.hooks = false}}) &&
           keep(folder, "character_attack", character, {.part = "attack"}) && keep(folder, "monster", monster("monster.xml")) &&
           keep(folder, "monster_hierarchy", monster("monster_hierarchy.xml"));
}

} // namespace

int main(int count, char** arguments) {
    if (count != 2 || !draw_all(arguments[1])) {
        std::fprintf(stderr, "usage: docs_pictures FOLDER\n");
        return 2;
    }
}
