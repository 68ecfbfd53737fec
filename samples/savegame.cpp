// A savegame: a character is saved in the middle of a combo, with a hold and a timer; the program ends; another one
// loads it, and the fight goes on.
//
//     savegame save FILE     plays, and saves
//     savegame load FILE     loads, and goes on
//     savegame               one after the other, as two programs

#include <hsm/hsm.hpp>
#include <hsm/save/check_saveable.hpp>
#include <hsm/save/document.hpp>
#include <hsm/save/serialize.hpp>

#include "expect.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <random>
#include <sstream>
#include <string>

using namespace std::chrono_literals;

struct knight {
    int damage_dealt = 0;
};
// [serialize]
struct strike {
    int power = 0;
};
/// Data of the state `combo`.
struct combo_state {
    int hits = 0;
    float reach = 1.0f;
};
template <class A> void serialize(A& archive, strike& s) { archive("power", s.power); }
template <class A> void serialize(A& archive, combo_state& c) { archive("hits", c.hits)("reach", c.reach); }
// [/serialize]
template <class A> void serialize(A& archive, knight& k) { archive("damage dealt", k.damage_dealt); }

hsm::chart<knight> make_knight() {
    auto root = hsm::make_fsm<knight>("knight");
    auto& stand = root->add("stand");
    auto& combo = root->add_fsm("combo").local<combo_state>();
    auto& slash = combo.add("slash").min_duration(300ms); // a blade that swings cannot be called back
    auto& thrust = combo.add("thrust").min_duration(200ms);
    auto& tired = root->add("tired");
    const auto hit = [](knight& k, const strike& s, combo_state& c) {
        ++c.hits;
        c.reach += 0.5f;
        k.damage_dealt += s.power * c.hits;
    };
    stand.to(combo).on<strike>();
    slash.to(thrust).on<strike>().then(hit);
    thrust.to(slash).on<strike>().then(hit);
    combo.to(tired).after(2s);
    tired.to(stand).after(1s);
    // [types]
    hsm::serializes<combo_state, strike>(*root);
    // [/types]
    return hsm::compile(std::move(root));
}

void save(const std::string& path) {
    const auto chart = make_knight();
    knight k;
    hsm::instance agent{chart, k};
    agent.start();
    agent.process(strike{10});
    agent.tick(350ms);
    agent.process(strike{10});
    agent.tick(100ms);
    agent.process(strike{20}); // too early: it waits until the thrust has been made
    expect("saved in", agent.path_of_leaves(), "knight/combo/thrust");
    // [save]
    std::ofstream file(path);
    file << hsm::save_document(agent);
    // [/save]
    file << k.damage_dealt << '\n';
}

void load(const std::string& path) {
    const auto chart = make_knight();
    knight k;
    hsm::instance agent{chart, k};
    std::ifstream file(path);
    std::stringstream all;
    all << file.rdbuf();
    auto text = all.str();
    const auto end = text.rfind('}') + 1;
    k.damage_dealt = std::stoi(text.substr(end));
    text.resize(end);

    // [load]
    const auto [outcome, changes] = hsm::restore_document(agent, text);
    for (const auto& change : changes) std::puts(change.to_string().c_str());
    // [/load]
    expect("loaded in", agent.path_of_leaves(), "knight/combo/thrust");
    expect("hits of the combo", std::to_string(agent.local<combo_state>()->hits), "1");
    agent.tick(50ms);
    expect("it still holds", agent.path_of_leaves(), "knight/combo/thrust");
    agent.tick(100ms);
    expect("what waited comes", agent.path_of_leaves(), "knight/combo/slash");
    expect("damage", std::to_string(k.damage_dealt), "50");
    agent.tick(1400ms);
    expect("2 s from the beginning", agent.path_of_leaves(), "knight/tired");
}

int main(int argc, char** argv) {
    const std::string what = argc > 1 ? argv[1] : "";
    if (argc == 3 && what == "save") return save(argv[2]), 0;
    if (argc == 3 && what == "load") return load(argv[2]), 0;
    // A file of its own: others may run this sample at the same time.
    const auto name = "hsm_savegame_" + std::to_string(std::random_device()()) + ".json";
    const auto path = (std::filesystem::temp_directory_path() / name).string();
    bool works = true;
    for (const char* const part : {" save ", " load "})
        works = works && std::system(('"' + std::string(argv[0]) + '"' + part + '"' + path + '"').c_str()) == 0;
    std::filesystem::remove(path);
    if (!works) return 1;

    // [check]
    for (const auto& f : hsm::check_saveable(make_knight(), hsm::saving::document)) std::puts(f.to_string().c_str());
    // [/check]
    return 0;
}
