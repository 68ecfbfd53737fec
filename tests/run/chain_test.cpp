// T20: chains that do not end report themselves.

#include <tests/support/recorder.hpp>

#include <doctest/doctest.h>

using namespace test;

namespace {
/// Returns the message of the exception, or nothing.
template <class Call> std::string chain_of(Call call) {
    try {
        call();
    } catch (const hsm::chain_error& e) {
        return e.what();
    }
    return "";
}
bool names(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }
} // namespace

TEST_CASE("T20: an endless cycle of transient states throws a chain_error that names them") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = traced(root->add("A"));
    auto& b = root->add("b").transient();
    auto& c = root->add("c").transient();
    auto& out = root->add("out");
    a.to(b);
    b.to(c);
    c.to(b);
    root->to(out).on<event<1>>();
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r};
    agent.start();
    const auto once = chain_of([&] { agent.tick(); });
    CHECK(names(once, "HSM-201"));
    CHECK((names(once, "R/b -> R/c -> R/b") || names(once, "R/c -> R/b -> R/c")));
    CHECK((agent.is_in("b") || agent.is_in("c")));
    CHECK(names(chain_of([&] { agent.tick(); }), "HSM-201")); // and again
    CHECK(agent.process(event<1>{}) == hsm::result::taken);   // it can continue
    CHECK(agent.current().name() == "out");
    CHECK(chain_of([&] { agent.tick(); }) == "");
}

TEST_CASE("a chain that is shorter than the limit completes; the limit can be set") {
    auto root = hsm::make_fsm<recorder>("R");
    auto* previous = &root->add("s0");
    for (int i = 1; i <= 10; ++i) {
        auto& next = root->add("s" + std::to_string(i)).transient();
        previous->to(next);
        previous = &next;
    }
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    SUBCASE("the limit is long enough") {
        hsm::instance agent{chart, r, {.chain_limit = 9}};
        agent.start();
        CHECK(chain_of([&] { agent.tick(); }) == "");
        CHECK(agent.current().name() == "s10");
    }
    SUBCASE("the limit is too short") {
        hsm::instance agent{chart, r, {.chain_limit = 8}};
        agent.start();
        CHECK(names(chain_of([&] { agent.tick(); }), "after 8 transitions"));
        CHECK(agent.current().name() == "s9");
    }
}

TEST_CASE("each posted event begins a chain of its own") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    auto& b = root->add("b").transient();
    auto& c = root->add("c").transient();
    auto& d = root->add("D");
    a.to(b).on<event<1>>();
    b.to(d);
    d.to(c).on<event<1>>();
    c.to(a);
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r, {.chain_limit = 1}};
    agent.start();
    for (int i = 0; i < 3; ++i) agent.post(event<1>{});
    CHECK(chain_of([&] { agent.drain(); }) == "");
    CHECK(agent.current().name() == "D");
}

TEST_CASE("internal events that cause each other are a chain; the next one is kept") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    a.on<event<1>>().then([](recorder& r, hsm::step<recorder>& s) {
        r.note("x");
        if (!r.go) s.process(event<1>{});
    });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r, {.chain_limit = 3}};
    agent.start();
    CHECK(names(chain_of([&] { agent.process(event<1>{}); }), "R/A -> R/A"));
    CHECK(r.take() == "x, x, x, x");
    CHECK(agent.queued() == 1);
    r.go = true;
    CHECK(chain_of([&] { agent.tick(); }) == "");
    CHECK(r.take() == "x");
    CHECK(agent.queued() == 0);
}
