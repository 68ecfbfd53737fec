#include "live.hpp"

#include <string>

namespace arena {

live_page::live_page(world& game) : page_({.title = "arena"}) {
    int number = 0;
    for (auto& hero : game.heroes()) page_.add("hero " + std::to_string(++number), hero.machine);
    page_.add("boss", game.boss().machine);
    for (auto& foe : game.enemies())
        page_.add(std::string(enemy_names[static_cast<std::size_t>(foe.self.kind)]) + ' ' + std::to_string(++number),
                  foe.machine);
    page_.add("bats", game.swarm().herd());
    page_.add("doors", game.gates().machines(), game.gates().kinds());
}

} // namespace arena
