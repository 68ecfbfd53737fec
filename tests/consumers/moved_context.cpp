// A struct with a context and its instance, in a vector: builds with assertions notice at the next call that the context has gone.
// moved_context erase | grow | swap: succeeds if the call aborts. moved_context rebound: succeeds if it does not.

#include <hsm/hsm.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>
#include <utility>
#include <vector>

namespace {

struct hit {};
struct hero {
    int life = 3;
};

struct enemy {
    hero body;
    hsm::instance<hero> agent;

    explicit enemy(const hsm::chart<hero>& chart) : agent(chart, body) { agent.start(); }
};

/// As it should be.
struct rebound {
    hero body;
    hsm::instance<hero> agent;

    explicit rebound(const hsm::chart<hero>& chart) : agent(chart, body) { agent.start(); }
    rebound(rebound&& other) noexcept : body(std::move(other.body)), agent(std::move(other.agent)) { agent.rebind(body); }
    rebound& operator=(rebound&& other) noexcept {
        body = std::move(other.body);
        agent = std::move(other.agent);
        agent.rebind(body);
        return *this;
    }
};

} // namespace

int main(int, char** arguments) {
#ifdef NDEBUG
    std::puts("skipped: without assertions nobody looks");
    return 77;
#endif
    auto root = hsm::make_fsm<hero>("hero");
    auto& alive = root->add("alive");
    alive.on<hit>().then([](hero& h) { --h.life; });
    const auto chart = hsm::compile(std::move(root));
    const std::string_view what = arguments[1];
    if (what == "rebound") {
        std::vector<rebound> wave;
        for (int i = 0; i < 5; ++i) wave.emplace_back(chart);
        wave.erase(wave.begin());
        std::swap(wave[0], wave[1]);
        for (auto& e : wave) e.agent.process(hit{});
        // Contexts and instances in arrays of their own: the instances may be moved.
        std::vector<hero> heroes(4);
        std::vector<hsm::instance<hero>> agents;
        for (auto& h : heroes) agents.emplace_back(chart, h).start();
        std::swap(agents[0], agents[3]);
        for (auto& a : agents) a.process(hit{});
        return heroes[0].life == 2 && wave[0].body.life == 2 ? 0 : 1;
    }
    std::signal(SIGABRT, [](int) { std::_Exit(0); });
    std::vector<enemy> wave;
    if (what != "grow") wave.reserve(4);
    wave.emplace_back(chart);
    wave.emplace_back(chart);
    if (what == "erase") wave.erase(wave.begin());
    if (what == "swap") std::swap(wave[0], wave[1]);
    wave[0].agent.process(hit{});
    return 1; // nobody has noticed
}
