// The payloads of pending events.

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

TEST_CASE("the payload is unchanged, its hooks receive the event, and it is destroyed once") {
    auto root = root_of();
    auto& a = root->add("A").hold();
    auto& b = root->add("B");
    a.to(b).on<parcel>().then([](recorder& r, const parcel& p, hsm::step<recorder>& s) {
        r.note(std::string(to_string(s.reason())) + " " + std::string(s.source().name()) + ">" + std::string(s.target().name()));
        r.note(std::to_string(*p.content) + (s.event<parcel>() == &p ? " known" : " unknown"));
    });
    b.on_enter([](recorder& r, hsm::step<recorder>& s) { r.note(std::to_string(*s.event<parcel>()->content)); });
    parcel p{std::make_shared<int>(7)};
    started m(std::move(root));
    SUBCASE("copied from the caller's object") {
        m.agent.process(p);
        CHECK(p.content.use_count() == 2);
    }
    SUBCASE("moved from a temporary") {
        m.agent.process(parcel{p});
        CHECK(p.content.use_count() == 2);
    }
    SUBCASE("from the queue") {
        m.agent.post(p);
        m.agent.tick();
        CHECK(p.content.use_count() == 2);
        CHECK(m.agent.queued() == 0);
    }
    m.agent.release();
    CHECK(m.tick() == "event A>B, 7 known, 7");
    CHECK(p.content.use_count() == 1);
}

TEST_CASE("a payload that cannot be copied is moved") {
    auto root = root_of();
    auto& a = root->add("A").hold();
    a.to(root->add("B")).on<letter>().then([](recorder& r, const letter& l) { r.note(std::to_string(*l.content)); });
    started m(std::move(root));
    SUBCASE("processed") { CHECK(m.agent.process(letter{std::make_unique<int>(3)}) == hsm::result::held); }
    SUBCASE("posted") {
        m.agent.post(letter{std::make_unique<int>(3)});
        m.agent.tick();
    }
    m.agent.release();
    CHECK(m.tick() == "3");
}

TEST_CASE("a payload is destroyed when another payload replaces it, when it is dropped, and with the instance") {
    auto root = root_of();
    auto& a = root->add("A").hold();
    a.to(root->add("B")).on<parcel>();
    const parcel p{std::make_shared<int>(7)};
    const parcel q{std::make_shared<int>(8)};
    {
        started m(std::move(root));
        m.agent.process(p);
        m.agent.process(q);
        CHECK(p.content.use_count() == 1);
        CHECK(q.content.use_count() == 2);
        m.stop();
        CHECK(q.content.use_count() == 1);
        m.start();
        CHECK(m.path() == "R/A");
        m.agent.process(p);
        m.agent.reset();
        CHECK(p.content.use_count() == 1);
        m.start();
        m.agent.process(p);
    }
    CHECK(p.content.use_count() == 1);
}
