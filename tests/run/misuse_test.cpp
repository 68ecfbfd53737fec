// Invalid calls and values: each has a defined result (docs/reference/semantics.md, "What happens if").

#include <hsm/hsm.hpp>

#include <doctest/doctest.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <limits>
#include <memory>
#include <new>
#include <string>
#include <utility>

using hsm::code;
using hsm::result;

namespace {

struct go {};
struct other_event {};
struct hero {
    int steps = 0;
};
struct bag {};

hsm::owned<hsm::fsm<hero>> definition() {
    auto root = hsm::make_fsm<hero>("R");
    auto& a = root->add("A");
    auto& b = root->add("B").transient();
    a.to(b).on<go>();
    a.to(b).when("Go");
    b.to(root->add("C"));
    return root;
}
hsm::chart<hero> hero_chart() { return hsm::compile(definition()); }

/// Returns the code of the exception; 0 if the call does not throw.
template <class Error = hsm::usage_error, class Call> int thrown_by(Call call) {
    try {
        call();
    } catch (const Error& e) {
        return static_cast<int>(e.number());
    }
    return 0;
}
template <class Call> bool names_no_state(Call call) { return thrown_by<hsm::state_error>(call) == 202; }
template <class Call> bool names_no_condition(Call call) { return thrown_by<hsm::condition_error>(call) == 204; }

struct machine {
    hsm::chart<hero> chart = hero_chart();
    hero h;
    hsm::instance<hero> agent{chart, h};
    machine() { agent.start(); }
};

} // namespace

TEST_CASE("an empty chart has no states, conditions, warnings or tables, and no instance can be created") {
    auto chart = hero_chart();
    const auto moved = std::move(chart);
    CHECK_FALSE(chart);
    CHECK_FALSE(chart.root());
    CHECK_FALSE(chart.find("A"));
    CHECK_FALSE(chart.state(0));
    CHECK(chart.state_count() == 0);
    CHECK(chart.condition_count() == 0);
    CHECK(chart.condition_name(0) == "");
    CHECK_FALSE(chart.condition("Go").valid());
    CHECK(chart.warnings().empty());
    CHECK(chart.dump() == "");
    hero h;
    CHECK(thrown_by([&] { hsm::instance<hero>(chart, h); }) == 206);
    CHECK(thrown_by([&] { static_cast<void>(hsm::instance_memory(chart)); }) == 206);
    auto copy = chart;
    copy = moved;
    CHECK(copy);
    auto refused = hsm::make_fsm<hero>("R");
    CHECK_FALSE(hsm::try_compile(std::move(refused)).chart.root());
}

TEST_CASE("a state number that does not exist returns an empty state") {
    const auto chart = hero_chart();
    CHECK(chart.state(3).name() == "C");
    CHECK_FALSE(chart.state(4));
    CHECK_FALSE(chart.state(std::size_t(-1)));
}

TEST_CASE("a key that names no state: find returns an empty state, all other calls throw and change nothing") {
    machine m;
    const char* const null = nullptr;
    const auto elsewhere = definition();
    for (const hsm::state_key& key :
         {hsm::state_key(hsm::state_ref()), hsm::state_key(""), hsm::state_key(null), hsm::state_key("nowhere"), hsm::state_key(*elsewhere)}) {
        CHECK_FALSE(m.chart.find(key));
        CHECK(names_no_state([&] { static_cast<void>(m.agent.is_in(key)); }));
        CHECK(names_no_state([&] { static_cast<void>(m.agent.time_in_state(key)); }));
        CHECK(names_no_state([&] { m.agent.change_to(key); }));
        CHECK(names_no_state([&] { m.agent.force_to(key); }));
        CHECK(names_no_state([&] { m.agent.finish(key); }));
        CHECK(names_no_state([&] { m.agent.release(key); }));
        CHECK(names_no_state([&] { m.agent.set_state(key); }));
        CHECK(m.agent.is_in("A"));
        m.agent.stop();
        CHECK(names_no_state([&] { m.agent.start(key); }));
        CHECK_FALSE(m.agent.active());
        m.agent.start();
    }
}

TEST_CASE("an unknown key of a condition throws; a bit is identified by its number, from any chart") {
    machine m;
    const char* const null = nullptr;
    const auto elsewhere = definition();
    const auto of_another = elsewhere->condition("Go");
    for (const hsm::condition_key& key :
         {hsm::condition_key(hsm::condition()), hsm::condition_key(""), hsm::condition_key(null), hsm::condition_key("Gone"), hsm::condition_key(-1),
          hsm::condition_key(2), hsm::condition_key(std::numeric_limits<int>::min()), hsm::condition_key(std::numeric_limits<int>::max()),
          hsm::condition_key(of_another)}) {
        CHECK(names_no_condition([&] { m.agent.set(key); }));
        CHECK(names_no_condition([&] { m.agent.clear(key); }));
        CHECK(names_no_condition([&] { m.agent.pulse(key); }));
        CHECK(names_no_condition([&] { static_cast<void>(m.agent.get(key)); }));
    }
    CHECK(names_no_condition([&] { m.agent.set(hsm::is_over); }));
    const auto same_number = hsm::compile(definition()).condition("Go");
    m.agent.set(same_number);
    CHECK(m.agent.get("Go"));
}

TEST_CASE("mailbox() throws if the instance has no mailbox") {
    machine m;
    CHECK(thrown_by([&] { static_cast<void>(m.agent.mailbox()); }) == 205);
    hsm::instance<hero> with(m.chart, m.h, {.mailbox = 1});
    CHECK(with.mailbox().post(go{}) == result::queued);
}

TEST_CASE("a mailbox may have any number of slots up to 16,777,216") {
    machine m;
    for (const std::uint32_t slots : {1u, 2u, 3u, 5u, 1000u}) {
        CAPTURE(slots);
        hsm::instance<hero> agent(m.chart, m.h, {.mailbox = slots});
        for (std::uint32_t i = 0; i < slots; ++i) REQUIRE(agent.mailbox().post(go{}) == result::queued);
        CHECK(agent.mailbox().post(go{}) == result::full);
        CHECK(agent.queued() == slots);
    }
    for (const auto slots : {(1u << 24) + 1, 0x8000'0000u, 0xffff'ffffu})
        CHECK(thrown_by([&] { hsm::instance<hero>(m.chart, m.h, {.mailbox = slots}); }) == 207);
}

TEST_CASE("queues may have any size") {
    machine m;
    for (const std::uint16_t size : {std::uint16_t(0), std::uint16_t(1), std::uint16_t(65534)}) {
        CAPTURE(size);
        hsm::instance<hero> agent(m.chart, m.h, {.internal_queue = size, .posted_queue = size, .deferred_queue = size});
        agent.start();
        for (int i = 0; i < size; ++i) REQUIRE(agent.post(go{}) == result::queued);
        CHECK(agent.post(go{}) == result::full);
        CHECK(agent.queued() == size);
        agent.tick();
        CHECK(agent.queued() == 0);
    }
}

TEST_CASE("with a chain limit of 0 every transition reaches the limit") {
    machine m;
    hsm::instance<hero> agent(m.chart, m.h, {.chain_limit = 0});
    agent.start();
    CHECK(thrown_by<hsm::chain_error>([&] { agent.process(go{}); }) == 201);
    CHECK(agent.is_in("B"));
    CHECK(agent.tick() != result::busy);
}

TEST_CASE("null user memory is ignored, and unaligned user memory throws") {
    machine m;
    hsm::instance<hero> agent(m.chart, m.h, {}, nullptr);
    CHECK(agent.start() == result::taken);
    const auto need = hsm::instance_memory(m.chart);
    alignas(64) std::array<std::byte, 4096> memory;
    REQUIRE(need.size < memory.size());
    REQUIRE(need.alignment > 1);
    hsm::instance<hero> in_it(m.chart, m.h, {}, memory.data());
    CHECK(in_it.start() == result::taken);
    CHECK(thrown_by([&] { hsm::instance<hero>(m.chart, m.h, {}, memory.data() + 1); }) == 207);
}

TEST_CASE("negative and NaN times and factors are refused, and infinite times saturate") {
    machine m;
    const auto nan = std::numeric_limits<double>::quiet_NaN();
    const auto infinite = std::numeric_limits<double>::infinity();
    CHECK(m.agent.tick(-1.0) == result::refused);
    CHECK(m.agent.tick(nan) == result::refused);
    CHECK(m.agent.tick(-infinite) == result::refused);
    CHECK(m.agent.update(std::chrono::nanoseconds(-1)) == result::refused);
    CHECK(m.agent.set_time_scale(nan) == result::refused);
    CHECK(m.agent.set_time_scale(-1) == result::refused);
    CHECK(m.agent.now().nanoseconds() == 0);
    m.agent.tick(infinite);
    CHECK(m.agent.now().nanoseconds() == std::numeric_limits<std::int64_t>::max());
    m.agent.tick(1.0);
    CHECK(m.agent.now().nanoseconds() == std::numeric_limits<std::int64_t>::max());
}

TEST_CASE("unknown events are unhandled, and unknown locals and transitions return nothing") {
    machine m;
    CHECK(m.agent.process(other_event{}) == result::unhandled);
    CHECK(m.agent.post(other_event{}) == result::unhandled);
    CHECK(m.agent.process("") == result::unhandled);
    CHECK(m.agent.can("nothing").outcome == result::unhandled);
    CHECK(m.agent.local<bag>() == nullptr);
    const auto elsewhere = definition();
    auto transition = elsewhere->to(*elsewhere).after(1.0);
    CHECK_FALSE(m.agent.time_left(transition));
}

TEST_CASE("take_over from the same instance is refused, or busy if the instance is active") {
    machine m;
    CHECK(m.agent.take_over(m.agent) == result::busy);
    m.agent.stop();
    CHECK(m.agent.take_over(m.agent) == result::refused);
}

TEST_CASE("a second start is busy, and calls to an inactive instance return inactive") {
    machine m;
    CHECK(m.agent.start() == result::busy);
    m.agent.stop();
    CHECK(m.agent.stop() == result::inactive);
    CHECK(m.agent.tick() == result::inactive);
    CHECK(m.agent.process(go{}) == result::inactive);
    CHECK(m.agent.post(go{}) == result::inactive);
    CHECK(m.agent.change_to("A") == result::inactive);
    CHECK(m.agent.finish() == result::inactive);
    CHECK(m.agent.release() == result::inactive);
    CHECK_FALSE(m.agent.current());
    CHECK(m.agent.leaves().empty());
    CHECK(m.agent.time_in_state().nanoseconds() == 0);
}

TEST_CASE("invalid codes, results and reasons are printed as unknown") {
    CHECK(hsm::title(static_cast<code>(999)) == "Unknown code");
    CHECK(to_string(static_cast<result>(200)) == "unknown");
    CHECK(to_string(static_cast<hsm::reason>(200)) == "unknown");
}

TEST_CASE("a null definition has its own error code") {
    hsm::owned<hsm::fsm<hero>> none;
    CHECK(hsm::try_compile(std::move(none)).findings.front().code == code::no_root);
}

TEST_CASE("errors of timers name the label, and what the transition lacks") {
    using std::chrono_literals::operator""s;
    auto root = hsm::make_fsm<hero>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).after(1s).label("cooldown");
    const auto untimed = a.to(b).on<go>();
    const auto chart = hsm::compile(std::move(root));
    hero h;
    hsm::instance agent(chart, h);
    agent.start();
    CHECK_THROWS_WITH_AS(agent.restart_timer("coldown"),
                         "HSM-202 error at R: no transition with a time has the label \"coldown\"; hint: did you mean \"cooldown\"?",
                         hsm::state_error);
    CHECK_THROWS_WITH_AS(agent.set_time_left(untimed, 1s),
                         "HSM-202 error at R: this transition has no timer; hint: add after(...) or every(...) to it", hsm::state_error);
}
