// Spilled states are kept exactly between calls: posted events, a paused or scaled clock, waiting and holding, pulses, finished states. Compares
// an agent with an instance that gets the same calls.

#include <tests/support/crowd.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <memory>
#include <string>
#include <vector>

using namespace test;
using namespace std::chrono_literals;

namespace {

struct letter {
    std::string text;
    std::shared_ptr<int> stamp = {};
};

struct pet : recorder {
    bool ready = false;
};

/// R{ A, B, held, C }, final "end"; its hooks are recorded.
auto pet_root() {
    auto root = hsm::make_fsm<pet>("R");
    const auto note = [](auto& state) -> auto& {
        const std::string name(state.name());
        state.on_enter([name](pet& p) { p.note("E " + name); }).on_exit([name](pet& p) { p.note("X " + name); });
        return state;
    };
    auto& a = note(root->add("A"));
    auto& b = note(root->add("B"));
    auto& held = note(root->add("held"));
    auto& end = root->add_final("end");
    held.hold_until(&pet::ready);
    a.to(b).on<push>();
    b.to(a).on<pull>();
    a.to(b).when("Go");
    a.to(held).on("hold");
    held.to(b).on<letter>().then([](pet& p, const letter& l) { p.note("held " + l.text); });
    a.on<letter>().then([](pet& p, const letter& l) { p.note(l.text); });
    b.to(a).after(2s);
    root->to(end).on("end");
    return root;
}

/// Makes the same calls to an agent among others and to an instance.
struct both {
    explicit both(hsm::owned<hsm::fsm<pet>> root, const hsm::compile_options& options = {}, const hsm::crowd_options& of = {})
        : chart(hsm::compile(std::move(root), options)), herd(chart, of), alone(chart, p, of.agent) {
        for (int i = 0; i < 5; ++i) ids.push_back(herd.add());
        id = ids[2];
        alone.start();
        check();
    }

    template <class Call> void call(Call f) {
        const auto agents = f(*herd[id]);
        const auto instances = f(alone);
        CHECK(agents == instances);
        check();
    }
    void tick(hsm::time_span t = {}) {
        herd.tick(t);
        alone.tick(t);
        check();
    }
    void update(hsm::time_span t) { herd.update(t), alone.update(t), check(); }
    void decide() { herd.decide(), alone.decide(), check(); }
    /// Adds and removes neighbors, which reuse the memory that the agent does not use.
    void disturb() {
        for (std::size_t i = 0; i < ids.size(); ++i) {
            if (i == 2) continue;
            herd[ids[i]]->post(letter{"another's"});
            herd[ids[i]]->pulse("Go");
            if (i % 2) herd.remove(ids[i]), ids[i] = herd.add();
        }
        check();
    }
    void check() {
        CHECK(herd.context(id).trace == p.trace);
        CHECK(herd.current(id) == alone.current());
        CHECK(herd[id]->now() == alone.now());
        CHECK(herd[id]->queued() == alone.queued());
        CHECK(herd[id]->paused() == alone.paused());
        CHECK(herd[id]->time_scale() == alone.time_scale());
        CHECK(herd[id]->time_in_state() == alone.time_in_state());
        CHECK(herd[id]->finished() == alone.finished());
        CHECK(herd[id]->can(push{}).outcome == alone.can(push{}).outcome);
        CHECK(herd.get(id, "Go") == alone.get("Go"));
    }

    hsm::chart<pet> chart;
    pet p;
    hsm::crowd<pet> herd;
    hsm::instance<pet> alone;
    std::vector<hsm::agent_id> ids;
    hsm::agent_id id;
};

} // namespace

TEST_CASE("posted events wait in order, with their payloads, for the next tick or decide") {
    both m(pet_root());
    const auto stamp = std::make_shared<int>();
    for (int i = 0; i < 3; ++i) m.call([&](auto& agent) { return agent.post(letter{"letter " + std::to_string(i), stamp}); });
    CHECK(stamp.use_count() == 7);
    m.disturb();
    m.update(1s);
    CHECK(m.p.trace == "E A");
    m.tick();
    CHECK(m.p.trace == "E A, letter 0, letter 1, letter 2");
    CHECK(stamp.use_count() == 1);
    m.call([&](auto& agent) { return agent.post(push{}); });
    m.disturb();
    m.decide();
    CHECK(m.alone.current().name() == "B");
}

TEST_CASE("a full queue stays full after other calls") {
    both m(pet_root(), {}, {.agent = {.posted_queue = 3}});
    for (int i = 0; i < 5; ++i) {
        m.call([&](auto& agent) { return agent.post(letter{std::to_string(i)}); });
        m.disturb();
    }
    m.tick();
    CHECK(m.p.trace == "E A, 0, 1, 2");
    m.call([&](auto& agent) { return agent.post(letter{"again"}); });
    m.call([](auto& agent) { return agent.drain(); });
    CHECK(m.p.trace == "E A, 0, 1, 2, again");
}

TEST_CASE("a paused or scaled clock is kept") {
    both m(pet_root());
    m.call([](auto& agent) { return agent.process(push{}); });
    m.tick(1s);
    m.call([](auto& agent) { return agent.pause(), true; });
    for (int i = 0; i < 4; ++i) m.tick(1s), m.disturb();
    CHECK(m.alone.now() == 1s);
    m.call([](auto& agent) { return agent.resume(), true; });
    m.call([](auto& agent) { return agent.set_time_scale(0.25); });
    for (int i = 0; i < 3; ++i) m.tick(1s), m.disturb();
    CHECK(m.alone.current().name() == "B");
    m.tick(1s);
    CHECK(m.alone.current().name() == "A");
    m.call([](auto& agent) { return agent.set_time_scale(1.0); });
    m.tick(3s);
    m.update(5s);
    CHECK(m.alone.now() == 10s);
    CHECK(m.herd.now() == 17s);
}

TEST_CASE("a pending event waits until its state is released") {
    both m(pet_root());
    m.call([](auto& agent) { return agent.process("hold"); });
    const auto stamp = std::make_shared<int>();
    m.call([&](auto& agent) { return agent.process(letter{"a long text that does not fit into a string itself", stamp}); });
    CHECK(stamp.use_count() == 3);
    for (int i = 0; i < 3; ++i) m.tick(1s), m.disturb();
    CHECK(m.alone.current().name() == "held");
    m.herd.context(m.id).ready = m.p.ready = true;
    m.tick(1s);
    CHECK(m.p.trace == "E A, X A, E held, X held, held a long text that does not fit into a string itself, E B");
    CHECK(stamp.use_count() == 1);
}

TEST_CASE("pulses last until the end of the next tick, through all other calls") {
    for (const bool with_queues : {true, false}) {
        CAPTURE(with_queues);
        const auto none = with_queues ? std::uint16_t(16) : std::uint16_t(0);
        both m(pet_root(), {}, {.agent = {.internal_queue = none, .posted_queue = none}});
        m.call([](auto& agent) { return agent.process(push{}); });
        m.call([](auto& agent) { return agent.pulse("Go"), true; });
        m.disturb();
        m.update(1s);
        m.call([](auto& agent) { return agent.get("Go"); });
        m.decide();
        m.call([](auto& agent) { return agent.process(pull{}); });
        m.tick();
        CHECK(m.alone.current().name() == "A");
        m.call([](auto& agent) { return agent.pulse("Go"), true; });
        m.call([](auto& agent) { return agent.set("Go"), true; });
        m.disturb();
        m.tick();
        CHECK(m.alone.current().name() == "B");
        CHECK(m.alone.get("Go"));
    }
}

TEST_CASE("a finished agent is not ticked, and its clock continues; it can be stopped, started, removed") {
    both m(pet_root());
    m.call([](auto& agent) { return agent.process("end"); });
    CHECK(m.alone.finished());
    m.tick(1s);
    m.disturb();
    m.tick(2s);
    m.call([](auto& agent) { return agent.post(push{}); });
    m.call([](auto& agent) { return agent.process(push{}); });
    m.call([](auto& agent) { return agent.pause(), true; });
    m.tick(2s);
    m.call([](auto& agent) { return agent.resume(), true; });
    m.tick(3s);
    CHECK(m.alone.now() == 6s);
    m.call([](auto& agent) { return agent.pulse("Go"), true; });
    m.update(0s);
    CHECK(m.alone.get("Go"));
    m.tick();
    CHECK_FALSE(m.alone.get("Go"));
    m.call([](auto& agent) { return agent.stop(); });
    m.call([](auto& agent) { return agent.start(); });
    CHECK_FALSE(m.alone.finished());
    m.tick(1s);
    m.call([](auto& agent) { return agent.process("end"); });
    CHECK(m.herd.remove(m.id));
}

TEST_CASE("finish() leaves its completion to the next tick") {
    auto root = hsm::make_fsm<pet>("R");
    auto& a = root->add("A");
    auto& b = root->add("B").on_enter([](pet& p) { p.note("E B"); });
    a.to(b).on_finished();
    b.to(a).on<push>();
    a.to(b).when("Go");
    both m(std::move(root), {.entry_times = false});
    m.call([](auto& agent) { return agent.finish(); });
    m.disturb();
    CHECK(m.p.trace == "");
    m.update(1s);
    m.disturb();
    m.tick();
    CHECK(m.p.trace == "E B");
}

TEST_CASE("set_state, reset and a second start have the same effect as in an instance") {
    both m(pet_root());
    m.call([](auto& agent) { return agent.set_state("B"); });
    m.tick(1s);
    m.disturb();
    m.tick(1s);
    CHECK(m.p.trace == "E A, X B, E A");
    m.call([](auto& agent) { return agent.stop(); });
    m.call([](auto& agent) { return agent.set_state("B"); });
    m.disturb();
    m.tick(1s);
    m.call([](auto& agent) { return agent.post(letter{"lost"}); });
    m.call([](auto& agent) { return agent.restart(); });
    m.call([](auto& agent) { return agent.post(letter{"lost, too"}); });
    m.call([](auto& agent) { return agent.destroy(); });
    m.call([](auto& agent) { return agent.start("B"); });
    CHECK(m.alone.queued() == 0);
    m.tick(2s);
    CHECK(m.alone.current().name() == "A");
    m.call([](auto& agent) { return agent.post(letter{"lost as well"}); });
    m.call([](auto& agent) { return agent.reset(); });
    m.disturb();
    CHECK(m.alone.now() == 0s);
    m.call([](auto& agent) { return agent.start(); });
    m.tick(1s);
    m.disturb();
    m.call([](auto& agent) { return agent.process(push{}); });
    m.tick(1s);
    m.update(1s);
    m.tick();
    CHECK(m.alone.now() == 3s);
    CHECK(m.alone.current().name() == "A");
}

TEST_CASE("a machine at rest in an agent makes its entry choice in the next tick") {
    auto root = hsm::make_fsm<pet>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).on<push>().then([](pet& p) {
        p.note("action");
        if (!p.ready) throw std::runtime_error("not ready");
    });
    a.to(b).when("Go");
    both m(std::move(root));
    CHECK(error_text([&] { m.herd[m.id]->process(push{}); }) == "not ready");
    CHECK(error_text([&] { m.alone.process(push{}); }) == "not ready");
    m.check();
    m.disturb();
    m.tick(1s);
    CHECK(m.alone.current().name() == "A");
}
