// If an allocation fails, or a copy throws, `apply` throws, nothing has changed, nothing is leaked, and a second call succeeds.
// Without memory: reload/reload_plan.hpp

#include <hsm/reload.hpp>

#include <hsm/crowd.hpp>
#include <hsm/hsm.hpp>
#include <hsm/run/mailbox.hpp>
#include <hsm/save/crowd_image.hpp>
#include <hsm/save/image.hpp>
#include <tests/save/fighter.hpp>
#include <tests/support/scarce_memory.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

using namespace std::chrono_literals;

namespace {

using test::memory::trial;
using test::memory::with_every_shortage;

constexpr const char* long_text = "a text that does not fit into a string itself";

/// A move copies it, and can throw.
struct note {
    std::string text = long_text;
    note() = default;
    note(const note& other) : text(other.text) {}
};
template <class A> void serialize(A& archive, note& n) { archive("text", n.text); }
struct word {
    std::string text = long_text;
    word() = default;
    word(const word& other) : text(other.text) {}
};
/// Cannot be copied.
struct parcel {
    std::unique_ptr<int> number;
};
struct hero {
    std::string words;
};

hsm::chart<hero> chart_with(const char* run) {
    auto root = hsm::make_fsm<hero>("R");
    auto& both = root->add_parallel("both");
    auto& legs = both.add_fsm("legs");
    auto& idle = legs.add("idle").defer<word>().local<note>();
    auto& moving = legs.add(run).local<std::vector<int>>(3, 4);
    idle.to(moving).on("go");
    moving.to(idle).after(100ms);
    auto& arms = both.add_fsm("arms");
    auto& strike = arms.add("strike").local<note>().min_duration(1s);
    strike.to(arms.add("rest")).on<word>();
    root->on<parcel>().then([](hero& h, const parcel& p) { h.words += std::to_string(*p.number); });
    return hsm::compile(std::move(root));
}

} // namespace

namespace {
struct outcome {
    std::string words, leaves;
    bool operator==(const outcome&) const = default;
};
/// Calls reload(agent) while something of everything waits.
template <class Reload> outcome played(const hsm::chart<hero>& chart, const Reload& reload) {
    hero h;
    hsm::instance agent{chart, h, {.mailbox = 4}};
    agent.start();
    agent.tick(20ms);
    agent.process(word{}); // waits for the end of strike
    agent.post(parcel{std::make_unique<int>(1)});
    agent.post(word{});
    agent.post(parcel{std::make_unique<int>(2)});
    agent.mailbox().post(word{});
    reload(agent);
    agent.tick(990ms);
    agent.tick(10ms);
    return {h.words, agent.path_of_leaves()};
}
} // namespace

TEST_CASE("a reload that fails changes nothing") {
    const auto before = chart_with("run"), after = chart_with("dash");
    hsm::reload_plan plan(before, after);
    plan.map("R/both/legs/run", "R/both/legs/dash");
    const auto expected = played(before, [](auto&) {});
    CHECK(expected.leaves == "R/both/legs/idle, R/both/arms/rest");
    const int shortages = with_every_shortage([&](trial& t) {
        const auto seen = played(before, [&](auto& agent) {
            const auto was = agent.path_of_leaves() + std::to_string(agent.queued());
            const bool done = t.attempt([&] { plan.apply(agent); });
            CHECK(agent.path_of_leaves() + std::to_string(agent.queued()) == was);
            CHECK((agent.current().get() == (done ? after : before).find("both").get()));
            if (!done) plan.apply(agent);
        });
        CHECK((seen == expected));
    });
    CHECK(shortages > 20);
}

TEST_CASE("a reload of a crowd that fails changes no agent") {
    const auto before = chart_with("run"), after = chart_with("dash");
    hsm::reload_plan plan(before, after);
    plan.map("R/both/legs/run", "R/both/legs/dash");
    const int shortages = with_every_shortage([&](trial& t) {
        hsm::crowd<hero> herd{before, {.agent = {.mailbox = 4}}};
        std::vector<hsm::agent_id> ids;
        for (int i = 0; i < 3; ++i) {
            ids.push_back(herd.add());
            herd[ids.back()]->process(word{}); // waits for the end of strike
            herd[ids.back()]->post(word{});
            herd.tick(20ms);
        }
        herd.mailbox().post(ids[1], word{});
        const auto seen = [&] {
            std::string text;
            for (const auto id : ids) text += herd[id]->path_of_leaves() + std::to_string(herd[id]->queued()) + ", ";
            return text;
        };
        const auto was = seen();
        const bool done = t.attempt([&] { plan.apply(herd); });
        CHECK(seen() == was);
        CHECK((herd[ids[0]]->current().get() == (done ? after : before).find("both").get()));
        if (!done) plan.apply(herd);
        herd.tick(990ms);
        herd.tick(10ms);
        for (const auto id : ids) CHECK(herd[id]->path_of_leaves() == "R/both/legs/idle, R/both/arms/rest");
    });
    CHECK(shortages > 50);
}

TEST_CASE("a reload that fails does not change one byte of an image") {
    const auto before = test::fighter_chart(), after = test::fighter_chart([](auto&root) { root.add("resting"); });
    const hsm::reload_plan plan(before, after);
    const auto prepare = [](hsm::instance_base& agent, test::fighter& f) {
        agent.process(test::hit{1});
        agent.process(test::hit{2});
        agent.process(test::shout{long_text}); // waits for the end of slash
        agent.post(test::shout{long_text});
        test::combo_of(agent, f).marks = {1, 2};
    };
    const auto check = [&](trial& t, auto& machines) {
        const auto image = hsm::save(machines);
        if (t.attempt([&] { plan.apply(machines); })) return;
        CHECK((hsm::save(machines) == image));
        CHECK(plan.apply(machines).changes.empty());
    };
    const int of_instance = with_every_shortage([&](trial& t) {
        test::fighter f;
        hsm::instance agent{before, f, {.mailbox = 4}};
        agent.start();
        prepare(agent, f);
        agent.mailbox().post(test::shout{long_text});
        check(t, agent);
        agent.tick(200ms);
        CHECK(f.last == long_text);
    });
    CHECK(of_instance > 20);
    const int of_crowd = with_every_shortage([&](trial& t) {
        std::vector<test::fighter> contexts(3);
        hsm::crowd herd{before, std::span(contexts), {.agent = {.mailbox = 4}}};
        for (std::size_t i = 0; i < contexts.size(); ++i) {
            const auto id = herd.add_element(i);
            prepare(*herd[id], contexts[i]);
            herd.mailbox().post(id, test::shout{long_text});
        }
        check(t, herd);
        herd.tick(200ms);
        for (const auto& each : contexts) CHECK(each.last == long_text);
    });
    CHECK(of_crowd > 50);
}
