// A monster from files: designers write its states and transitions in data/monster.xml, and programmers register its
// conditions by name here. Then the same monster with a hierarchy, data/monster_hierarchy.xml, and ten thousand of the
// first kind in a crowd.

#include <hsm/crowd/crowd.hpp>
#include <hsm/hsm.hpp>
#include <hsm/load/xml.hpp>

#include "expect.hpp"

#include <chrono>
#include <cstdio>
#include <string>

using namespace std::chrono_literals;

struct monster {
    int now = 0, entered = 0; // milliseconds; when the active state was entered
    bool sees_target = false, dead = false, target_dead = false;
    int chases = 0, steps = 0;

    int age() const { return now - entered; }
    bool has_target() const { return sees_target; }
};

struct strike { // lives while its state is active
    int blows = 0;
    void update(monster&) { ++blows; }
    bool finished() const { return blows == 3; }
};

// [register]
const hsm::registration<monster> senses{[](hsm::registrar<monster>& names) {
    names.guard("hasTarget", &monster::has_target);
    names.guard("noTarget", [](const monster& m) { return !m.sees_target; });
    names.guard("agentDead", &monster::dead);
    names.guard("targetDead", &monster::target_dead);
}};

const hsm::registration<monster> clocks{[](hsm::registrar<monster>& names) { // can be in another file
    names.guard("timeUp", [](const monster& m) { return m.age() >= 2000; });
    names.guard("timeUp_2", [](const monster& m) { return m.age() >= 1000; });
    names.guard("tooLong", [](const monster& m) { return m.chases >= 4; });
    names.hook("entered", [](monster& m) { m.entered = m.now; });
    names.hook("countChase", [](monster& m) { ++m.chases; });
    names.hook("forgetChases", [](monster& m) { m.chases = 0; });
}};

const hsm::registration<monster> combat{[](hsm::registrar<monster>& names) {
    names.hook("step", [](monster& m) { ++m.steps; });
    names.local<strike>("strike");
    names.delay("patience", [](const monster& m) { return m.steps > 0 ? 1s : 2s; });
    names.event("hit");
}};
// [/register]

class game {
public:
    explicit game(const std::string& file) : chart_(load(file)), agent_(chart_, m) { agent_.start(); }

    /// Returns the state after `ticks` tenths of a second.
    std::string after(int ticks) {
        for (; ticks > 0; --ticks) {
            m.now += 100;
            agent_.tick(100ms);
        }
        const auto path = agent_.current().path();
        return path.substr(path.find('/') + 1);
    }
    hsm::instance<monster>& agent() { return agent_; }

    monster m;

private:
    // [load]
    static hsm::chart<monster> load(const std::string& file) {
        const hsm::registry<monster> names;
        return hsm::compile(hsm::load_xml(file, names)); // both throw with all errors: file:line:column, problem, hint
    }
    // [/load]

    hsm::chart<monster> chart_;
    hsm::instance<monster> agent_;
};

void flat(const std::string& file) {
    std::puts("the chart without a hierarchy");
    game g(file);
    expect("at first", g.after(1), "search");
    expect("no target", g.after(1), "idle");
    expect("0.9 s later", g.after(9), "idle");
    g.m.sees_target = true;
    expect("looks around again", g.after(1), "search");
    expect("there!", g.after(1), "chase");
    expect("still hunts", g.after(59), "chase");
    expect("chases", std::to_string(g.m.chases), "3");
    expect("gives up", g.after(2), "reset");
    expect("looks around again", g.after(1), "search");
    expect("chases", std::to_string(g.m.chases), "0");
    g.after(1);
    g.m.target_dead = true;
    expect("won", g.after(1), "reset");
    g.m.target_dead = false;
    g.after(2);
    g.m.target_dead = g.m.dead = true;
    expect("the monster dies", g.after(1), "finish");
    expect("state of the machine", g.agent().finished() ? "finished" : "running", "finished");
}

void hierarchical(const std::string& file) {
    std::puts("\nthe chart with a hierarchy");
    game g(file);
    expect("at first", g.after(1), "alive/search");
    g.m.sees_target = true;
    expect("there!", g.after(1), "alive/hunt/chase/run");
    expect("in reach", to_string(g.agent().process("reached")), "taken");
    expect("strikes", g.after(2), "alive/hunt/attack");
    expect("three blows", g.after(1), "alive/hunt/chase/run");
    g.agent().process("hit");
    expect("staggers", g.after(1), "alive/hunt/stagger");
    expect("continues the chase", g.after(3), "alive/hunt/chase/run");
    g.m.dead = true;
    expect("dead", g.after(1), "finish");
    expect("state of the machine", g.agent().finished() ? "finished" : "running", "finished");
}

/// Runs ten thousand monsters with the same chart. Each has its own senses, and behaves like a single monster.
void crowd(const std::string& file) {
    std::puts("\na crowd of 10,000 monsters");
    const hsm::registry<monster> names;
    const auto chart = hsm::compile(hsm::load_xml(file, names));
    hsm::crowd<monster> herd(chart);
    for (int i = 0; i < 10'000; ++i) herd.add(monster{.sees_target = i % 4 == 0});
    const auto run = [&](int ticks) {
        for (; ticks > 0; --ticks) {
            herd.each([](hsm::agent_id, monster& m) { m.now += 100; });
            herd.tick(100ms);
        }
    };
    const auto count = [&](const char* state) { return std::to_string(herd.count(state)); };
    run(2);
    expect("monsters with a target", count("chase"), "2500");
    expect("monsters without a target", count("idle"), "7500");
    herd.each([](hsm::agent_id id, monster& m) { m.dead = id.index % 10 == 0; });
    run(1);
    expect("dead monsters", count("finish"), "1000");
    expect("living monsters", std::to_string(herd.count("chase") + herd.count("idle")), "9000");
}

int main(int argc, char** argv) {
    const std::string folder = argc > 1 ? argv[1] : "samples/data";
    flat(folder + "/monster.xml");
    hierarchical(folder + "/monster_hierarchy.xml");
    crowd(folder + "/monster.xml");
}
