// Draws the pictures of README.md and docs/ from the samples: docs_pictures FOLDER. tests/draw/docs_pictures.py does the rest.

#include <hsm/crowd/crowd.hpp>
#include <hsm/draw/dot.hpp>
#include <hsm/hsm.hpp>
#include <hsm/load/xml.hpp>
#include <samples/character/machine.hpp>
#include <samples/expect.hpp>

#include <chrono>
#include <cstdio>
#include <fstream>
#include <string>
#include <utility>

using namespace std::chrono_literals;

// Samples are programs: each has a main, and names of its own.
namespace weapons {
#define main weapon_main
#include <samples/weapon.cpp>
#undef main
} // namespace weapons

namespace steps {
#define main walkthrough_main
#include <samples/walkthrough.cpp>
#undef main
} // namespace steps

namespace monsters {
#define main monster_main
#include <samples/monster.cpp>
#undef main
} // namespace monsters

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

bool draw_all(const std::string& folder) {
    const auto weapon = weapons::make_weapon();
    weapons::fighter f;
    hsm::instance agent{weapon, f};
    agent.start();
    agent.process(weapons::press::attack);
    agent.tick(300ms);
    const auto character = hsm::compile(make_character());
    return keep(folder, "weapon", weapon) &&
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
