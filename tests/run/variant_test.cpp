// A variant acts as the event that it contains.

#include <hsm/constant/constant_instance.hpp>
#include <hsm/crowd/crowd.hpp>
#include <hsm/manage/manager.hpp>
#include <tests/support/recorder.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <variant>

using namespace test;

namespace {

struct hit {
    int power;
};
struct note {
    std::string text;
};
struct letter { // can only be moved
    std::unique_ptr<int> number;
};
struct fragile { // leaves a variant valueless
    fragile() = default;
    fragile(const fragile&) = default;
    fragile(fragile&&) { throw std::runtime_error("broken"); }
    fragile& operator=(fragile&&) = default;
};
struct unknown {};
enum class key { up, down };
enum class pedal : std::int8_t { left = -1, right = 1 };

using input = std::variant<hit, note, key, unknown, std::monostate, char, pedal>;
using owned_input = std::variant<hit, letter>;
using frail_input = std::variant<hit, fragile>;

struct own_variant : std::variant<hit, note> {
    using variant::variant;
};

/// Its reactions record the events; `waits` defers events for the state after it.
auto make_chart() {
    auto root = hsm::make_fsm<recorder>("R");
    root->add("ready");
    root->on<hit>().then([](recorder& r, const hit& h) { r.note("hit " + std::to_string(h.power)); });
    root->on<note>().then([](recorder& r, const note& n) { r.note("note " + n.text); });
    root->on<letter>().then([](recorder& r, const letter& l) { r.note("letter " + std::to_string(*l.number)); });
    root->on(key::up).then(tracing("up"));
    root->on('x').then(tracing("x"));
    root->on(pedal::left).then(tracing("left"));
    root->on<fragile>().then(tracing("fragile"));
    root->on<own_variant>().then([](recorder& r, const own_variant& v) { r.note("own " + std::to_string(v.index())); });
    return hsm::compile(std::move(root));
}

frail_input valueless() {
    frail_input v(hit{1});
    CHECK_THROWS(v.emplace<fragile>(fragile()));
    REQUIRE(v.valueless_by_exception());
    return v;
}

} // namespace

TEST_CASE("process handles the event in a variant, of any alternative") {
    const auto chart = make_chart();
    recorder r;
    hsm::instance agent{chart, r};
    CHECK(agent.process(input(hit{1})) == hsm::result::inactive);
    agent.start();
    CHECK(agent.process(input(hit{7})) == hsm::result::internal);
    const input text(note{"hello"});
    CHECK(agent.process(text) == hsm::result::internal);
    CHECK(agent.process(input(key::up)) == hsm::result::internal);
    CHECK(agent.process(input('x')) == hsm::result::internal);
    CHECK(agent.process(input(pedal::left)) == hsm::result::internal);
    CHECK(r.take() == "hit 7, note hello, up, x, left");
    CHECK(agent.process(input(key::down)) == hsm::result::unhandled);
    CHECK(agent.process(input('y')) == hsm::result::unhandled);
    CHECK(agent.process(input(pedal::right)) == hsm::result::unhandled);
    CHECK(agent.process(input(unknown{})) == hsm::result::unhandled);
    CHECK(agent.process(input(std::monostate{})) == hsm::result::unhandled);
    CHECK(r.take() == "");
}

TEST_CASE("a variant of one enumeration beside others finds each value") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = traced(root->add("A"));
    auto& b = traced(root->add("B"));
    a.to(b).on(key::down);
    b.to(a).on<hit>();
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    r.take();
    CHECK(agent.process(input(key::up)) == hsm::result::unhandled);
    CHECK(agent.process(input(key::down)) == hsm::result::taken);
    CHECK(agent.process(input(key::down)) == hsm::result::unhandled);
    CHECK(agent.process(input(hit{})) == hsm::result::taken);
    CHECK(r.take() == "X A, E B, X B, E A");
}

TEST_CASE("post and the mailbox store the event in a variant; an rvalue is moved, an lvalue copied") {
    const auto chart = make_chart();
    recorder r;
    hsm::instance agent{chart, r, {.mailbox = 4}};
    agent.start();
    input text(note{std::string(40, 'a')});
    CHECK(agent.post(text) == hsm::result::queued);
    CHECK(std::get<note>(text).text.size() == 40);
    CHECK(agent.post(std::move(text)) == hsm::result::queued);
    CHECK(std::get<note>(text).text.empty());
    CHECK(agent.post(input(key::up)) == hsm::result::queued);
    CHECK(agent.post(owned_input(letter{std::make_unique<int>(3)})) == hsm::result::queued);
    CHECK(agent.post(input(unknown{})) == hsm::result::unhandled);
    CHECK(agent.post(input(key::down)) == hsm::result::unhandled);
    CHECK(agent.mailbox().post(input(hit{5})) == hsm::result::queued);
    CHECK(agent.mailbox().post(owned_input(letter{std::make_unique<int>(4)})) == hsm::result::queued);
    CHECK(agent.mailbox().post(input(unknown{})) == hsm::result::unhandled);
    CHECK(r.take() == "");
    agent.drain();
    const auto a = std::string(40, 'a');
    CHECK(r.take() == "note " + a + ", note " + a + ", up, letter 3, hit 5, letter 4");
}

TEST_CASE("the event of an rvalue variant is moved if it must be stored") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& busy = root->add("busy").defer<letter>();
    auto& idle = root->add("idle");
    busy.to(idle).on<hit>();
    idle.on<letter>().then([](recorder& r, const letter& l) { r.note("letter " + std::to_string(*l.number)); });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(agent.process(owned_input(letter{std::make_unique<int>(9)})) == hsm::result::deferred);
    CHECK(agent.process(owned_input(hit{})) == hsm::result::taken);
    CHECK(r.take() == "letter 9");
}

TEST_CASE("in hooks a variant behaves like the event that it contains") {
    auto root = hsm::make_fsm<recorder>("R");
    root->add("ready");
    root->on(key::up).then([](recorder& r, hsm::step<recorder>& s) {
        CHECK(s.process(input(hit{1})) == hsm::result::queued);
        CHECK(s.post(input(hit{2})) == hsm::result::queued);
        CHECK(s.process(input(unknown{})) == hsm::result::unhandled);
        CHECK(s.process(valueless()) == hsm::result::refused);
        CHECK(s.post(valueless()) == hsm::result::refused);
        r.note("up");
    });
    root->on<hit>().then([](recorder& r, const hit& h) { r.note("hit " + std::to_string(h.power)); });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    agent.process(key::up);
    agent.drain();
    CHECK(r.take() == "up, hit 1, hit 2");
}

TEST_CASE("can evaluates the event in a variant") {
    const auto chart = make_chart();
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(agent.can(input(hit{1})).outcome == hsm::result::internal);
    CHECK(agent.can(input(key::up)).outcome == hsm::result::internal);
    CHECK(agent.can(input(key::down)).outcome == hsm::result::unhandled);
    CHECK(agent.can(valueless()).outcome == hsm::result::refused);
    CHECK(r.take() == "");
}

TEST_CASE("a valueless variant is refused, and nothing happens") {
    const auto chart = make_chart();
    recorder r;
    hsm::instance agent{chart, r, {.mailbox = 4}};
    agent.start();
    CHECK(agent.process(valueless()) == hsm::result::refused);
    CHECK(agent.post(valueless()) == hsm::result::refused);
    CHECK(agent.mailbox().post(valueless()) == hsm::result::refused);
    CHECK(agent.queued() == 0);
    CHECK(r.take() == "");
}

TEST_CASE("a class that is derived from a variant is a distinct event") {
    const auto chart = make_chart();
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(agent.process(own_variant(note{"n"})) == hsm::result::internal);
    CHECK(r.take() == "own 1");
}

TEST_CASE("a crowd's agents receive the event in a variant") {
    auto root = hsm::make_fsm<recorder>("R");
    root->add("ready");
    root->on<hit>().then([](recorder& r, const hit& h) { r.note("hit " + std::to_string(h.power)); });
    root->on(key::up).then(tracing("up"));
    const auto chart = hsm::compile(std::move(root));
    hsm::crowd<recorder> herd(chart, {.agent = {.mailbox = 4}});
    const auto first = herd.add();
    const auto second = herd.add();
    const input stroke(hit{3});
    CHECK(herd.process_all(stroke)[hsm::result::internal] == 2);
    CHECK(herd.process_in("ready", input(key::up))[hsm::result::internal] == 2);
    CHECK(herd.process(std::span(&second, 1), stroke)[hsm::result::internal] == 1);
    CHECK(herd.post_all(input(hit{4}))[hsm::result::queued] == 2);
    CHECK(herd.post(std::span(&first, 1), input(hit{5}))[hsm::result::queued] == 1);
    CHECK(herd.mailbox().post(first, input(hit{6})) == hsm::result::queued);
    CHECK(herd[first]->process(input(hit{7})) == hsm::result::internal);
    CHECK(herd.context(first).take() == "hit 3, up, hit 7");
    CHECK(herd.context(second).take() == "hit 3, up, hit 3");
    herd.tick();
    CHECK(herd.context(first).take() == "hit 4, hit 5, hit 6");
    CHECK(herd.context(second).take() == "hit 4");
    const auto results = herd.process_all(valueless());
    for (const auto count : results.counts) CHECK(count == 0);
    CHECK(herd.mailbox().post(first, valueless()) == hsm::result::refused);
    CHECK(herd.context(first).take() == "");
}

TEST_CASE("a manager's machines receive the event in a variant") {
    hsm::manager all;
    recorder r;
    const auto machine = all.create("one", make_chart(), r);
    machine.start();
    CHECK(all.broadcast(input(hit{2}))[hsm::result::internal] == 1);
    CHECK(machine->process(input(key::up)) == hsm::result::internal);
    CHECK(r.take() == "hit 2, up");
}

namespace {

struct tally {
    int hits = 0;
    int ups = 0;
};

constexpr auto constant = hsm::constant_chart<tally>([](auto& root) {
    auto& a = root.add("a");
    auto& b = root.add("b");
    a.to(b).template on<hit>().then([](tally& t, const hit& h) { t.hits += h.power; });
    b.to(a).on(key::up).then([](tally& t) { ++t.ups; });
});

} // namespace

TEST_CASE("a constant chart handles the event in a variant") {
    tally t;
    hsm::constant_instance<constant> agent(t);
    CHECK(agent.process(input(hit{3})) == hsm::result::inactive);
    agent.start();
    CHECK(agent.process(input(key::up)) == hsm::result::unhandled);
    CHECK(agent.process(input(hit{3})) == hsm::result::taken);
    CHECK(agent.process(input(key::down)) == hsm::result::unhandled);
    CHECK(agent.process(input(unknown{})) == hsm::result::unhandled);
    CHECK(agent.process(input(key::up)) == hsm::result::taken);
    CHECK(agent.process(valueless()) == hsm::result::refused);
    CHECK(t.hits == 3);
    CHECK(t.ups == 1);
}
