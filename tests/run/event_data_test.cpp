// The data of named events.

#include <tests/support/recorder.hpp>

#include <hsm/crowd/crowd.hpp>
#include <hsm/manage/manager.hpp>
#include <hsm/run/mailbox.hpp>
#include <hsm/save/image.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace test;

namespace {

const auto note_data = [](recorder& r, const hsm::named_event& e) { r.note(std::string(e.name()) + "=" + hsm::to_string(e.data())); };

/// R{ A, B }: A defers "later", and holds; "go" leads to B. Other events are recorded.
hsm::chart<recorder> keeping() {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A").defer("later").hold();
    auto& b = root->add("B");
    a.to(b).on("go").then(note_data);
    b.on("later").then(note_data);
    root->on(hsm::event_prefix("x")).then(note_data);
    return hsm::compile(std::move(root));
}

} // namespace

TEST_CASE("data goes through the queues, the mailbox, deferral and pending slots") {
    const auto chart = keeping();
    recorder r;
    hsm::instance agent(chart, r, {.mailbox = 2});
    agent.start();
    agent.process("x", true);
    CHECK(r.take() == "x=true");
    agent.post("x", 1.5);
    agent.mailbox().post("x.y", hsm::event_data::list({1, "two", nullptr}));
    agent.drain();
    CHECK(r.take() == "x=1.5, x.y=[1,\"two\",null]");
    CHECK(agent.process("later", "kept") == hsm::result::deferred);
    CHECK(agent.process("go", hsm::event_data::object({{"to", "B"}})) == hsm::result::held);
    agent.release();
    agent.decide();
    CHECK(r.take() == "go={\"to\":\"B\"}, later=\"kept\"");
}

TEST_CASE("hooks can pass data on; steps without a named event have no data") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    a.on("first").then([](recorder&, hsm::step<recorder>& s) {
        s.process("second", s.data());
        s.post("second", s.data()["n"]);
    });
    a.on("second").then(note_data);
    a.on<event<1>>().then([](recorder& r, hsm::step<recorder>& s) { r.note(s.data() ? "some" : "none"); });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent(chart, r);
    agent.start();
    agent.process("first", hsm::event_data::object({{"n", 7}}));
    CHECK(r.take() == "second={\"n\":7}");
    agent.drain();
    CHECK(r.take() == "second=7");
    agent.process(event<1>{});
    CHECK(r.take() == "none");
}

TEST_CASE("a guard can read the data") {
    auto root = hsm::make_fsm<recorder>("R");
    root->add("A").to("B").on("hit").when([](const recorder&, const hsm::named_event& e) { return e.data()["power"].number() > 2; });
    root->add("B");
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent(chart, r);
    agent.start();
    const auto hit = [](int power) { return hsm::event_data::object({{"power", power}}); };
    CHECK(agent.process("hit") == hsm::result::guarded);
    CHECK(agent.can("hit", hit(3)));
    CHECK_FALSE(agent.can("hit", hit(2)));
    CHECK(agent.process("hit", hit(3)) == hsm::result::taken);
}

TEST_CASE("crowds and managers pass the data to all machines") {
    const auto chart = keeping();
    hsm::crowd<recorder> crowd(chart);
    const auto one = crowd.add(), other = crowd.add();
    CHECK(crowd.process_all("x", 1)[hsm::result::internal] == 2);
    CHECK(crowd.context(one).take() == "x=1");
    CHECK(crowd.post_all("x", 2)[hsm::result::queued] == 2);
    crowd.tick();
    CHECK(crowd.context(other).take() == "x=1, x=2");
    hsm::manager machines;
    recorder r;
    machines.create("m", chart, r)->start();
    machines.broadcast("x.y", "all");
    CHECK(r.take() == "x.y=\"all\"");
}

TEST_CASE("an image contains the data and the unknown names") {
    const auto chart = keeping();
    recorder r;
    hsm::instance agent(chart, r, {.mailbox = 2});
    agent.start();
    agent.post("x.unknown", hsm::event_data::list({1, 2}));
    agent.post("x");
    agent.mailbox().post("x.mailed");
    agent.process("later", 3);
    agent.process("go", 4);
    const auto image = hsm::save(agent);
    recorder there;
    hsm::instance restored(chart, there, {.mailbox = 2});
    hsm::restore(restored, image);
    CHECK(hsm::save(restored) == image);
    restored.release();
    restored.drain();
    CHECK(there.take() == "go=4, later=3, x.unknown=[1,2], x=, x.mailed=");
}
