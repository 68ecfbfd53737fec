// The program that page_test.mjs watches in a browser. It runs until its input ends, and does the same in every run.

#include <hsm/crowd/crowd.hpp>
#include <hsm/hsm.hpp>
#include <hsm/inspect.hpp>
#include <hsm/manage/manager.hpp>
#include <hsm/save/machine_factory.hpp>
#include <hsm/save/serialize.hpp>
#include <hsm/scxml.hpp>

#include <poll.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <string>
#include <string_view>
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
    auto& search = root->add("search").on_update([](hero&) {}); // so that each tick has a record
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

/// 5,000 states, of which the active one changes with each event.
auto large_chart() {
    auto root = hsm::make_fsm<nothing>("large");
    for (int g = 0; g < 50; ++g) {
        auto& group = root->add_fsm("group" + std::to_string(g));
        auto* before = &group.add("state0");
        for (int s = 1; s < 99; ++s) {
            auto& next = group.add("state" + std::to_string(s));
            before->to(next).on("next");
            before = &next;
        }
        before->to("group" + std::to_string((g + 1) % 50)).on("next");
    }
    return hsm::compile(std::move(root));
}

auto door_chart() {
    return hsm::compile(hsm::load_scxml_text<hsm::scxml::context>(R"(
        <scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0">
          <state id="closed"><transition event="push" target="open"/></state>
          <state id="open"><transition event="push" target="closed"/></state>
        </scxml>)"));
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
    const auto larges = large_chart();
    const auto doors = door_chart();

    hero alice, bob, carol, dave;
    nothing none;
    hsm::scxml::context data;
    hsm::instance agent{heroes, alice};
    hsm::instance other{heroes, bob};
    hsm::instance markup{markups, none};
    hsm::crowd<nothing> herd{sheep};
    for (int i = 0; i < 1000; ++i) // a third of them is in another state at first, so that some always graze
        if (const auto id = herd.add(); i % 3 == 0) herd[id]->process("wolf");
    hsm::manager world;
    hsm::machine_factory kinds;
    kinds.add("hero", heroes, [&](std::string_view) -> hero& { return carol; });
    world.create("carol", heroes, carol).start();
    hsm::instance large{larges, none};
    hsm::scxml::session door{doors, data};
    hsm::instance guest{heroes, dave};
    for (auto* const each : {&agent, &other, &guest}) each->start();
    markup.start();
    large.start();
    door.start();

    hsm::inspect::page page{{.title = "watched program", .print = false}};
    std::fprintf(stderr, "%s\n", page.url().c_str());
    page.add("alice", agent);
    page.add("bob", other); // its loop does not ask whether it may run
    page.add("<img src=x onerror=alert(3)>", markup);
    page.add("herd", herd);
    page.add("world", world, kinds);
    page.add("large", large);
    page.add("door", door);
    page.record(other);
    hsm::inspect::page readable{{.open_reading = true, .title = "open page", .print = false}};
    std::fprintf(stderr, "%s\n", readable.url().c_str());
    readable.add("dave", guest);

    for (int n = 0, runs = 0; !input_has_ended(); ++n) {
        if (page.runs(agent)) {
            const auto at = runs++ % 250;
            if (at == 10) agent.set("HasTarget");
            if (at == 100) agent.process("reached");
            if (at == 110) agent.clear("HasTarget");
            agent.tick(frame);
        }
        if (n % 60 == 0) markup.process("<b>bold</b>");
        if (n % 60 == 30) door.process("push");
        door.tick(frame);
        if (n % 4 == 0) large.process("next");
        for (auto* const each : {&other, &guest}) each->tick(frame);
        markup.tick(frame);
        herd.tick(frame);
        world.update(frame);
        page.poll();
        readable.poll();
        std::this_thread::sleep_for(frame);
    }
}
