// The program that page_test.mjs watches in a browser. It runs until its input ends, and does the same in every run.

#include <hsm/crowd/crowd.hpp>
#include <hsm/hsm.hpp>
#include <hsm/inspect.hpp>
#include <hsm/manage/manager.hpp>
#include <hsm/save/serialize.hpp>

#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <thread>

using namespace std::chrono_literals;

namespace {

constexpr auto frame = 16ms;

struct hero {
    int life = 100;
    int steps = 0;

    template <class A> friend void serialize(A& a, hero& h) { a("life", h.life)("steps", h.steps); }
};
struct hit {
    int damage = 0;
    template <class A> friend void serialize(A& a, hit& h) { a("damage", h.damage); }
};

auto hero_chart() {
    auto root = hsm::make_fsm<hero>("hero");
    auto& search = root->add("search");
    auto& hunt = root->add_fsm("hunt");
    auto& run = hunt.add("run").on_update([](hero& h) { ++h.steps; });
    auto& look = hunt.add("look");
    auto& attack = root->add("attack");
    auto& dead = root->add("dead");

    search.to(hunt).when("HasTarget");
    run.to(look).after(400ms);
    look.to(run).after(400ms);
    hunt.to(attack).on("reached").when(hsm::named("is rested", [](const hero& h) { return h.steps % 2 == 0; }));
    attack.to(search).after(2s);
    root->to(dead).on<hit>().when(hsm::named("is deadly", [](const hero& h, const hit& e) { return h.life <= e.damage; }));
    root->on<hit>().then([](hero& h, const hit& e) { h.life -= e.damage; });
    hsm::serializes<hit>(*root);
    return hsm::compile(std::move(root));
}

struct nothing {};

/// Names that would be elements and scripts if the page inserted them as HTML.
auto markup_chart() {
    auto root = hsm::make_fsm<nothing>("markup");
    auto& image = root->add("<img src=x onerror=alert(1)>");
    auto& script = root->add("<svg onload=alert(22222)>");
    image.to(script).on("<b>bold</b>");
    script.to(image).after(700ms);
    return hsm::compile(std::move(root));
}

auto sheep_chart() {
    auto root = hsm::make_fsm<nothing>("sheep");
    auto& graze = root->add("graze");
    auto& flee = root->add("flee");
    graze.to(flee).on("wolf");
    graze.to(flee).after(3s);
    flee.to(graze).after(1s);
    return hsm::compile(std::move(root));
}

bool input_has_ended() {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    char byte = 0;
    return poll(&input, 1, 0) > 0 && read(STDIN_FILENO, &byte, 1) <= 0;
}

} // namespace

int main() {
    const auto heroes = hero_chart();
    const auto markups = markup_chart();
    const auto sheep = sheep_chart();

    hero alice, bob, carol;
    nothing none;
    hsm::instance agent{heroes, alice};
    hsm::instance other{heroes, bob};
    hsm::instance markup{markups, none};
    hsm::crowd<nothing> herd{sheep};
    for (int i = 0; i < 1000; ++i) herd.add();
    hsm::manager world;
    world.create("carol", heroes, carol).start();
    agent.start();
    other.start();
    markup.start();

    hsm::inspect::page page{{.title = "watched program", .print = false}};
    std::fprintf(stderr, "%s\n", page.url().c_str());
    page.add("alice", agent);
    page.add("bob", other); // its loop does not ask whether it may run
    page.add("<img src=x onerror=alert(3)>", markup);
    page.add("herd", herd);
    page.add("world", world);

    for (int n = 0, runs = 0; !input_has_ended(); ++n) {
        if (page.runs(agent)) {
            const auto at = runs++ % 250;
            if (at == 10) agent.set("HasTarget");
            if (at == 100) agent.process("reached");
            if (at == 110) agent.clear("HasTarget");
            agent.tick(frame);
        }
        if (n % 60 == 0) markup.process("<b>bold</b>");
        other.tick(frame);
        markup.tick(frame);
        herd.tick(frame);
        world.update(frame);
        page.poll();
        std::this_thread::sleep_for(frame);
    }
}
