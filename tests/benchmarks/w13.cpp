// W13: a designer's file, samples/data/monster.xml, as a constant chart that `hsm generate` has made, loaded, and as the switch that one would
// write by hand. An event is a frame: a tenth of a second in which the monster may see or lose its target, win, or die.

#include "machine.hpp"

#include "monster_chart.hpp"

#include <hsm/load/xml.hpp>

namespace {

using monster::context;

/// Of each 256 frames in 32 the target comes or goes, in 4 it dies, in one the monster does.
void frame(context& c, std::uint8_t event) {
    c.now += 100;
    if (event % 8 == 0) c.sees_target = !c.sees_target;
    c.target_dead = event % 64 == 1;
    c.dead = event == 2;
}

class constant {
public:
    constant() : agent_(context_) {}
    constant(const constant&) = delete;
    void start() { agent_.start(); }
    void process(std::uint8_t event) {
        frame(context_, event);
        agent_.tick();
        if (context_.dead && agent_.finished()) agent_.stop(), agent_.start();
    }
    std::size_t bytes() const { return sizeof(agent_); }

private:
    context context_;
    hsm::constant_instance<monster::chart> agent_;
};

const hsm::chart<context>& loaded_chart() {
    static const hsm::registry<context> names; // monster_registry.cpp
    static const auto chart = hsm::compile(hsm::load_xml(HSM_MONSTER_XML, names), bench::without_times);
    return chart;
}

class loaded {
public:
    loaded() : agent_(loaded_chart(), context_, bench::without_queues) {}
    loaded(const loaded&) = delete;
    void start() { agent_.start(); }
    void process(std::uint8_t event) {
        frame(context_, event);
        agent_.tick();
        if (context_.dead && agent_.finished()) agent_.stop(), agent_.start();
    }
    std::size_t bytes() const { return sizeof(agent_) + hsm::instance_memory(loaded_chart(), bench::without_queues).size; }

private:
    context context_;
    hsm::instance<context> agent_;
};

class reference {
public:
    void start() { state_ = init; }
    void process(std::uint8_t event) {
        frame(c_, event);
        tick();
        if (c_.dead && state_ == finish) state_ = init;
    }

private:
    enum state : std::uint8_t { init, search, idle, chase, reset, finish };

    void tick() {
        using namespace monster::guards;
        using namespace monster::hooks;
        switch (state_) {
        case init: return enter_search();
        case search:
            if (hasTarget(c_)) return enter_chase();
            if (noTarget(c_)) return state_ = idle, entered(c_);
            return;
        case idle:
            if (agentDead(c_)) return void(state_ = finish);
            if (timeUp_2(c_)) return enter_search();
            return;
        case chase:
            if (agentDead(c_)) return void(state_ = finish);
            if (tooLong(c_) || targetDead(c_)) return state_ = reset, forgetChases(c_);
            if (timeUp(c_)) return enter_chase();
            return;
        case reset: return enter_search();
        case finish: return;
        }
    }
    void enter_search() { state_ = search, monster::hooks::entered(c_); }
    void enter_chase() { state_ = chase, monster::hooks::entered(c_), monster::hooks::countChase(c_); }

    context c_;
    state state_ = init;
};

template <class Machine> Machine made() { return Machine(); }

} // namespace

int main(int argc, char** argv) {
    bench::program program(argc, argv);
    const bench::workload random{"W13", "rand256", 0xde5df073352a7c89, bench::random_events<256>};
    const bench::workload periodic{"W13p", "period64", 0xb37ffdea4ba50622, bench::periodic_events<256>};
    for (const auto& w : {random, periodic}) {
        program.compare(w, made<constant>, made<reference>, "constant");
        program.compare(w, made<loaded>, made<reference>, "loaded");
    }
    return program.status();
}
