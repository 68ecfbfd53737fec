// A hundred thousand monsters graze in a valley, all with one chart, and a dragon flies over them. Prints their states
// over 24 seconds.

#include <hsm/crowd/crowd.hpp>
#include <hsm/hsm.hpp>

#include "expect.hpp"

#include <array>
#include <chrono>
#include <random>
#include <span>
#include <string>
#include <vector>

using namespace std::chrono_literals;

// [chart]
struct monster {
    float courage; // seconds for which it does not flee
    int life;
};
struct flame {
    int heat;
    bool kills(const monster& m) const { return m.life <= heat; }
};

auto make_monster() {
    auto root = hsm::make_fsm<monster>("monster");
    auto& graze = root->add("graze");
    auto& fight = root->add("fight");
    auto& flee = root->add("flee");
    auto& rest = root->add("rest");
    auto& dead = root->add("dead");

    graze.to(fight).when(hsm::all("Danger", "Brave"));
    graze.to(flee).when("Danger");
    fight.to(flee).when("!Brave");
    fight.to(rest).when("!Danger");
    flee.to(rest).when("!Danger");
    rest.to(graze).after(3s);
    fight.to(dead).on<flame>().when(&flame::kills);
    fight.on<flame>().then([](monster& m, const flame& f) { m.life -= f.heat; });
    return hsm::compile(std::move(root), {.entry_times = false}); // unused, so it saves memory
}
// [/chart]

/// Returns the monsters below the dragon's head in that frame. The dragon crosses the valley in 8 seconds, and comes
/// back every 12 seconds.
std::span<const hsm::agent_id> below_head(std::span<const hsm::agent_id> valley, int frame) {
    const auto at = frame % 120;
    if (at < 0 || at >= 80) return {};
    const auto step = valley.size() / 80;
    return valley.subspan(std::size_t(at) * step, step);
}

const std::array states = {"graze", "rest", "flee", "fight", "dead"};
const std::array signs = {"\u00b7", "\u2591", "\u2592", "\u2588", " "};
using counts = std::array<std::size_t, states.size()>; // by state

counts count(const hsm::crowd<monster>& herd) {
    counts now;
    for (std::size_t s = 0; s < states.size(); ++s) now[s] = herd.count(states[s]);
    return now;
}

/// Draws a column for each moment, and a row for each 6,250 monsters.
void draw(std::span<const counts> moments) {
    constexpr std::size_t step = 100'000 / 16;
    for (auto top = 16 * step; top > 0; top -= step) {
        std::string row;
        for (const auto& now : moments) {
            std::size_t state = 0;
            for (auto level = top - step / 2; level > now[state]; ++state) level -= now[state];
            row += signs[state];
        }
        std::printf("%6zu %s\n", top, row.c_str());
    }
    for (std::size_t s = 0; s < states.size(); ++s) std::printf("   %s %s", signs[s], states[s]);
    std::puts("\n");
}

int main() {
    // [crowd]
    const auto chart = make_monster();
    hsm::crowd herd{chart, {.lists = true}};
    std::vector<hsm::agent_id> valley; // handles, from one end of the valley to the other
    std::minstd_rand random;
    for (int i = 0; i < 100'000; ++i) valley.push_back(herd.add(monster{float(random() % 10), int(random() % 20)}));

    const auto brave = chart.condition("Brave"); // looked up once
    herd.each([&](hsm::agent_id id, const monster& m) { herd.set(id, brave, m.courage > 3); });
    // [/crowd]

    // [batches]
    const auto number = herd.number_of(brave);
    herd.on_update("graze", [=](hsm::batch<monster>& some, float dt) {
        for (std::size_t i = 0; i < some.size(); ++i)
            if (auto& c = some[i].courage; c < 3 && (c += dt / 8) >= 3) some.set(i, number);
    });
    herd.on_update("fight", [=](hsm::batch<monster>& some, float dt) {
        for (std::size_t i = 0; i < some.size(); ++i)
            if ((some[i].courage -= dt) <= 0) some.set(i, number, false);
    });
    // [/batches]

    std::vector<counts> moments;
    for (int frame = 0; frame < 240; ++frame) {
        if (frame % 4 == 0) moments.push_back(count(herd));
        // [frame]
        herd.set(below_head(valley, frame), "Danger");             // the dragon's shadow reaches them,
        herd.set(below_head(valley, frame - 20), "Danger", false); // and is gone two seconds later
        if (frame % 5 == 0) herd.process_in("fight", flame{1});
        herd.tick(100ms);
        // [/frame]
    }
    draw(moments);

    expect("fight or flee", std::to_string(herd.count("fight") + herd.count("flee")), "0");
    expect("graze", std::to_string(herd.count("graze")), "61946");
    // [one]
    const auto first = valley.front();
    expect("the first one", herd.current(first).name(), "graze");
    expect("hit by a flame", to_string(herd[first]->process(flame{9})), "unhandled"); // -> is the instance
    herd.each("dead", [&](hsm::agent_id id, const monster&) { herd.remove(id); });
    // [/one]
    expect("agents left", std::to_string(herd.count()), "70762");
}
