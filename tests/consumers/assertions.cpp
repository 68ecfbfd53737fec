// Mistakes that builds with assertions find. `assertions NAME` succeeds if the mistake of that name aborts; "rebound" and "events_that_live" are no
// mistakes and succeed if they do not abort.

#include <hsm/crowd/crowd.hpp>
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

/// A struct with a context and its instance, in a vector: the next call finds that the context has moved.
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

struct letter {
    int number = 0;
};
struct address {
    char name[8] = "reply";
    letter inside;
};

/// A transition that exits the state of the local handles the event. Others defer it, so rvalues may have to be kept.
hsm::chart<hero> chart_with_local() {
    auto root = hsm::make_fsm<hero>("hero");
    auto& reads = root->add("reads");
    auto& answers = root->add("answers");
    reads.local<address>();
    reads.to(answers).on<letter>().then([](hero& h, const letter& l) { h.life = l.number; });
    reads.to(answers).on("reply");
    answers.to(reads).on<hit>();
    answers.defer<letter>();
    return hsm::compile(std::move(root));
}

int process_part_of_local(std::string_view what) {
    const auto chart = chart_with_local();
    hero body;
    hsm::instance agent{chart, body};
    agent.start();
    auto* const local = agent.local<address>();
    if (what == "event_of_local") agent.process(local->inside);
    if (what == "moved_event_of_local") agent.process(std::move(local->inside));
    if (what == "name_of_local") agent.process(std::string_view(local->name));
    if (what == "event_of_another_call") {
        agent.finish(); // something is left to be done first
        agent.process(local->inside);
    }
    hsm::crowd<hero> herd{chart};
    const auto first = herd.add();
    if (what == "event_of_agent") herd.process_all(herd[first]->local<address>()->inside);
    return 1; // no assertion has found it
}

int process_what_lives() {
    const auto chart = chart_with_local();
    hero body;
    hsm::instance agent{chart, body};
    agent.start();
    agent.local<address>()->inside.number = 7;
    agent.process(letter(agent.local<address>()->inside));
    if (!agent.is_in("answers") || body.life != 7) return 1;
    agent.process(hit{});
    agent.local<address>()->inside.number = 8;
    agent.post(agent.local<address>()->inside); // is copied
    agent.drain();
    if (!agent.is_in("answers") || body.life != 8) return 1;
    agent.process(hit{});
    hsm::instance other{chart, body};
    other.start();
    other.process(agent.local<address>()->inside); // another instance's
    return other.is_in("answers") ? 0 : 1;
}

} // namespace

int main(int, char** arguments) {
#ifdef NDEBUG
    std::puts("skipped: assertions are off");
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
    if (what == "events_that_live") return process_what_lives();
    std::signal(SIGABRT, [](int) { std::_Exit(0); });
    if (what.find("_of_") != what.npos) return process_part_of_local(what);
    std::vector<enemy> wave;
    if (what != "grow") wave.reserve(4);
    wave.emplace_back(chart);
    wave.emplace_back(chart);
    if (what == "erase") wave.erase(wave.begin());
    if (what == "swap") std::swap(wave[0], wave[1]);
    wave[0].agent.process(hit{});
    return 1; // no assertion has found it
}
