// The payloads of deferred events.

#include <tests/support/started.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <string>

using namespace test;

namespace {
struct parcel {
    std::shared_ptr<int> content;
};
struct letter {
    std::unique_ptr<int> content;
};
} // namespace

TEST_CASE("the payload is unchanged, is not copied again, and is destroyed once") {
    auto root = root_of();
    auto& a = root->add("A").defer<parcel>();
    auto& b = root->add("B").defer<parcel>();
    auto& c = root->add("C");
    a.to(b).on<event<1>>();
    b.to(c).on<event<2>>();
    c.on<parcel>().then([](recorder& r, const parcel& p) { r.note(std::to_string(*p.content) + " x" + std::to_string(p.content.use_count())); });
    const auto seven = std::make_shared<int>(7);
    started m(std::move(root));
    SUBCASE("copied from the caller's object") {
        const parcel p{seven};
        m.agent.process(p);
        CHECK(seven.use_count() == 3);
    }
    SUBCASE("moved from a temporary") { m.agent.process(parcel{seven}); }
    SUBCASE("moved from a queue") {
        m.agent.post(parcel{seven});
        m.agent.drain();
    }
    CHECK(seven.use_count() == 2);
    m.process(event<1>{}); // offered, and deferred again
    CHECK(m.agent.queued() == 1);
    CHECK(seven.use_count() == 2);
    CHECK(m.process(event<2>{}) == "7 x2");
    CHECK(seven.use_count() == 1);
}

TEST_CASE("a payload that cannot be copied is moved") {
    auto root = root_of();
    auto& a = root->add("A").defer<letter>();
    auto& b = root->add("B");
    a.to(b).on<event<1>>();
    b.on<letter>().then([](recorder& r, const letter& l) { r.note(std::to_string(*l.content)); });
    started m(std::move(root));
    CHECK(m.agent.process(letter{std::make_unique<int>(3)}) == hsm::result::deferred);
    CHECK(m.process(event<1>{}) == "3");
}

TEST_CASE("payloads that are still deferred are destroyed with the instance") {
    const auto seven = std::make_shared<int>(7);
    {
        auto root = root_of();
        root->add("A").defer<parcel>();
        started m(std::move(root));
        m.agent.process(parcel{seven});
        m.agent.process(parcel{seven});
        CHECK(seven.use_count() == 3);
    }
    CHECK(seven.use_count() == 1);
}

TEST_CASE("events and payloads keep their order while the slots of the queue are used again") {
    auto root = root_of();
    auto& a = root->add("A").defer<parcel>();
    auto& b = root->add("B");
    auto& c = root->add("C");
    const auto noted = [](recorder& r, const parcel& p) { r.note(std::to_string(*p.content)); };
    b.on<parcel>().when([](const recorder&, const parcel& p) { return *p.content % 2 == 1; }).then(noted);
    c.on<parcel>().then(noted);
    a.to(b).on<event<1>>();
    b.to(c).on<event<2>>();
    c.to(a).on<event<3>>();
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r, {.deferred_queue = 4}};
    agent.start();
    for (int round = 0; round < 5; ++round) {
        for (const int n : {10, 11, 12}) CHECK(agent.process(parcel{std::make_shared<int>(n)}) == hsm::result::deferred);
        agent.process(event<1>{});
        CHECK(r.take() == "11");
        agent.process(event<2>{});
        CHECK(r.take() == "10, 12");
        agent.process(event<3>{});
    }
    CHECK(agent.queued() == 0);
}
