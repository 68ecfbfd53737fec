// A designer's file, data/monster.xml, in three forms: loaded at run time; as a definition in code; as a constant
// chart. `hsm generate` writes the latter two when the sample is built, and registers the functions of
// monster_hooks.hpp for the first. All three have equal records; then each plays a million frames.

#include "monster_chart.hpp"
#include "monster_definition.hpp"

#include <hsm/chart/fingerprint.hpp>
#include <hsm/constant/observed_instance.hpp>
#include <hsm/hsm.hpp>
#include <hsm/load/xml.hpp>
#include <hsm/run/attachment.hpp>

#include "../expect.hpp"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

using namespace std::chrono_literals;

/// Counts records, without those of calls: only some of the forms report a tick that can have no effect.
class account final : public hsm::observer {
public:
    void on_record(const hsm::record& r, const hsm::moment&) override {
        if (r.kind == hsm::record_kind::call || r.kind == hsm::record_kind::call_end) return;
        text += std::to_string(static_cast<int>(r.kind)) + ' ' + std::to_string(r.state) + ' ' +
                std::to_string(r.number) + ' ' + std::to_string(r.what) + '\n';
    }
    std::string text;
};

/// Random changes for a tenth of a second of a monster's life (Marsaglia's xorshift32).
struct fate {
    std::uint32_t x = 2463534242;
    void frame(monster::context& c) {
        x ^= x << 13, x ^= x >> 17, x ^= x << 5;
        c.now += 100;
        if (x % 8 == 0) c.sees_target = !c.sees_target;
        c.target_dead = x % 64 == 1;
        c.dead = x % 1024 == 2;
    }
};

/// Plays several lives of a monster, and returns the counts of its observer.
template <class Agent> std::string lives(Agent& agent, monster::context& c, account& seen, int frames) {
    fate f;
    agent.start();
    for (int i = 0; i < frames; ++i) {
        f.frame(c);
        agent.tick(100ms);
        if (!agent.finished()) continue;
        agent.stop();
        c.chases = 0;
        agent.start();
    }
    return seen.text + "in " + std::string(agent.current().name()) + ", " + std::to_string(c.chases) + " chases\n";
}

template <class Agent> double nanoseconds_per_frame(Agent& agent, monster::context& c) {
    constexpr int frames = 1'000'000;
    fate f;
    agent.start();
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < frames; ++i) {
        f.frame(c);
        agent.tick(100ms);
        if (agent.finished()) agent.stop(), agent.start();
    }
    const std::chrono::duration<double, std::nano> taken = std::chrono::steady_clock::now() - begin;
    return taken.count() / frames;
}

std::string of_instance(const hsm::chart<monster::context>& chart, int frames) {
    monster::context c;
    account seen;
    hsm::instance agent{chart, c};
    const auto attached = agent.attach(seen);
    return lives(agent, c, seen, frames);
}

// [constant]
std::string of_constant(int frames) {
    monster::context c;
    account seen;
    hsm::constant_instance<monster::chart, hsm::queue<0>, account> agent(c, seen);
    return lives(agent, c, seen, frames);
}

void hunt() {
    monster::context c{.sees_target = true};
    hsm::constant_instance<monster::chart> agent(c);
    agent.start();
    agent.tick(), agent.tick();
    expect("there!", agent.is_in("chase") ? "chases" : "does not",
           "chases"); // a state that is not in the file does not compile
}
// [/constant]

int main(int argc, char** argv) {
    // [three]
    const hsm::registry<monster::context> names; // monster_registry.cpp, written by `hsm generate registry`
    const auto loaded = hsm::compile(hsm::load_xml(argc > 1 ? argv[1] : "samples/data/monster.xml", names));
    const auto defined = hsm::compile(monster::make_definition());
    expect("loaded and defined", loaded.fingerprint() == defined.fingerprint() ? "the same chart" : "different",
           "the same chart");
    // [/three]

    hunt();
    const auto trace = of_instance(loaded, 20'000);
    expect("records", std::to_string(trace.size() > 100'000), "1");
    expect("records of the definition", of_instance(defined, 20'000) == trace ? "the same" : "something else",
           "the same");
    expect("records of constant chart", of_constant(20'000) == trace ? "the same" : "something else", "the same");

    monster::context a, b, c;
    hsm::instance by_file{loaded, a};
    hsm::instance by_code{defined, b};
    hsm::constant_instance<monster::chart> by_compiler(c);
    std::printf("\nns a frame                   loaded %.1f, defined %.1f, constant %.1f\n",
                nanoseconds_per_frame(by_file, a), nanoseconds_per_frame(by_code, b),
                nanoseconds_per_frame(by_compiler, c));
}
