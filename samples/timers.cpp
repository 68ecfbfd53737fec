// Time: delays, periods, remaining time, pause and slow motion. Time passes only in ticks, so tests need not wait.

#include <hsm/hsm.hpp>

#include "expect.hpp"

#include <chrono>
#include <string>

using namespace std::chrono_literals;

struct camp {
    int logs = 2;
    int crackles = 0;
};
struct light {};
struct feed {};

/// A local of the burning fire: how long the wood lasts.
struct fuel {
    std::chrono::seconds lasts;
    void enter(camp& c) { lasts = 10s * c.logs; }
};

std::string seconds(std::optional<hsm::time_span> t) {
    return t ? std::to_string(t->nanoseconds() / 1'000'000'000) + " s" : "none";
}

int main() {
    // [timers]
    auto root = hsm::make_fsm<camp>("fire");
    auto& cold = root->add("cold");
    auto& burning = root->add<fuel>("burning", 0s);
    auto& embers = root->add("embers");

    cold.to(burning).on<light>().after(3s);                         // an event, but not before the wood is dry
    burning.every(2s).then([](camp& c) { ++c.crackles; });          // while it burns
    const auto burns_down = burning.to(embers).after(&fuel::lasts); // computed when it is lit
    burning.to(burning).on<feed>().then([](camp& c) { ++c.logs; }); // starts again
    embers.to(cold).after([](const camp& c) { return c.logs > 2 ? 20s : 5s; });
    // [/timers]

    const auto chart = hsm::compile(std::move(root));
    camp c;
    hsm::instance agent{chart, c};
    agent.start();

    agent.tick(2s);
    expect("light after 2 s", to_string(agent.process(light{})), "guarded");
    agent.tick(1s);
    expect("after 3 s", to_string(agent.process(light{})), "taken");
    expect("burns for", seconds(agent.time_left(burns_down)), "20 s");

    for (int i = 0; i < 5; ++i) agent.tick(1s);
    expect("5 s later", seconds(agent.time_left(burns_down)), "15 s");
    expect("crackles", std::to_string(c.crackles), "2");
    agent.process(feed{});
    expect("after another log", seconds(agent.time_left(burns_down)), "30 s");

    agent.pause();
    agent.tick(100s);
    expect("after a pause of 100 s", seconds(agent.time_left(burns_down)), "30 s");
    agent.resume();
    agent.set_time_scale(0.5);
    agent.tick(20s);
    expect("20 s in slow motion", seconds(agent.time_left(burns_down)), "20 s");
    expect("crackles", std::to_string(c.crackles), "3"); // at most one per tick; four are due
    agent.set_time_scale(1);

    // [change]
    agent.set_time_left(burns_down, *agent.time_left(burns_down) + 5s); // another twig
    agent.restart_timer(burns_down);                                    // its full time again
    agent.cancel_timer(burns_down);                                     // until a call or an entry starts it
    // [/change]
    expect("a magic fire", seconds(agent.time_left(burns_down)), "none");
    agent.tick(100s);
    expect("it still burns", agent.current().name(), "burning");
    agent.set_time_left(burns_down, 20s);

    agent.tick(20s);
    expect("burnt down", agent.current().name(), "embers");
    expect("nothing burns", seconds(agent.time_left(burns_down)), "none");
    agent.tick(19s);
    expect("19 s later", agent.current().name(), "embers");
    agent.tick(1s);
    expect("20 s later", agent.current().name(), "cold");
}
