// Other threads post to mailboxes while an instance, a crowd or a manager is saved. Here a `serialize` posts: it runs each time that its object is
// measured or written.

#include <hsm/crowd/crowd_mailbox.hpp>
#include <hsm/hsm.hpp>
#include <hsm/replay/input_log.hpp>
#include <hsm/replay/replay.hpp>
#include <hsm/replay/rollback.hpp>
#include <hsm/run/mailbox.hpp>
#include <hsm/save/crowd_image.hpp>
#include <hsm/save/hash.hpp>
#include <hsm/save/manager_image.hpp>
#include <hsm/save/serialize.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <functional>
#include <string>
#include <vector>

using namespace std::chrono_literals;
using hsm::result;

namespace {

std::function<void()> while_saved;

struct work {
    int done = 0;
    std::string note = {}; ///< not trivially copyable: saved by `serialize`
};
template <class A> void serialize(A& archive, work& w) {
    archive("done", w.done);
    if (while_saved) while_saved();
}

struct busy_thread {
    explicit busy_thread(std::function<void()> post) { while_saved = std::move(post); }
    ~busy_thread() { while_saved = nullptr; }
};

struct worker {
    int heard = 0;
    std::string note = {};
};
template <class A> void serialize(A& archive, worker& w) {
    archive("heard", w.heard);
    if (while_saved) while_saved();
}

hsm::chart<worker> worker_chart() {
    auto root = hsm::make_fsm<worker>("R");
    auto& on = root->add<work>("on");
    on.on("go").then([](worker& w) { ++w.heard; });
    hsm::serializes<work>(*root);
    return hsm::compile(std::move(root));
}

struct one {
    hsm::chart<worker> chart = worker_chart();
    worker w;
    hsm::instance<worker> agent{chart, w, {.mailbox = 64}};
    std::function<void()> post = [this] { agent.mailbox().post("go"); };
    one() { agent.start(); }
};

} // namespace

TEST_CASE("an instance is saved while other threads post to it: later events are handled later") {
    one first, other;
    first.post();
    std::vector<std::byte> image;
    {
        const busy_thread posts(first.post);
        CHECK_NOTHROW(image = hsm::save(first.agent));
        std::vector<std::byte> memory(hsm::most_image_size(first.agent) + 100);
        CHECK(hsm::save(first.agent, memory).outcome == result::taken);
        CHECK_NOTHROW(hsm::hash(first.agent));
    }
    CHECK(hsm::restore(other.agent, image) == result::taken);
    other.agent.drain();
    CHECK(other.w.heard == 1);
    first.agent.drain();
    CHECK(first.w.heard > 3);
}

TEST_CASE("a crowd is saved while other threads post to it") {
    const auto chart = worker_chart();
    hsm::crowd<worker> herd(chart, {.agent = {.posted_queue = 64, .mailbox = 64}}), other(chart, {.agent = {.posted_queue = 64, .mailbox = 64}});
    const auto id = herd.add(worker{});
    const auto post = [&] { herd.mailbox().post(id, "go"); };
    post();
    std::vector<std::byte> image;
    {
        const busy_thread posts(post);
        CHECK_NOTHROW(image = hsm::save(herd));
        CHECK_NOTHROW(hsm::hash(herd));
    }
    CHECK(hsm::restore(other, image) == result::taken);
    other.tick(1ms);
    CHECK(other.context(id).heard == 1);
    herd.tick(1ms);
    CHECK(herd.context(id).heard > 2);
}

TEST_CASE("a manager is saved while other threads post to its machines") {
    const auto chart = worker_chart();
    worker a, b;
    hsm::machine_factory kinds;
    worker* made = &a;
    kinds.add("worker", chart, [&](std::string_view) -> worker& { return *made; }, {.agent = {.mailbox = 64}});
    hsm::manager machines, others;
    const auto first = machines.create("one", chart, a, {.mailbox = 64});
    first.start();
    const auto post = [&] { first->mailbox().post("go"); };
    post();
    std::vector<std::byte> image;
    {
        const busy_thread posts(post);
        CHECK_NOTHROW(image = hsm::save(machines, kinds));
        CHECK_NOTHROW(hsm::hash(machines, kinds));
    }
    made = &b;
    CHECK(hsm::restore(others, kinds, image) == result::taken);
    others.find("one")->drain();
    CHECK(b.heard == 1);
    first->drain();
    CHECK(a.heard > 2);
}

TEST_CASE("a log is written while other threads post") {
    one first, again;
    hsm::input_log log({.calls_between = 1, .check_calls = true});
    log.attach(first.agent, first.w);
    first.post();
    first.agent.drain();
    first.post();
    std::vector<std::byte> bytes;
    {
        const busy_thread posts(first.post);
        CHECK_NOTHROW(bytes = log.bytes());
    }
    hsm::replay played(bytes);
    played.attach(again.agent, again.w);
    const auto found = played.run();
    CHECK_MESSAGE(!found, (found ? found->to_string() : ""));
    CHECK(again.w.heard == 1);
    again.agent.drain();
    CHECK(again.w.heard == 2);
}

TEST_CASE("a frame of a rollback contains the events posted before it") {
    one first;
    hsm::rollback<worker> frames(2);
    frames.add(first.agent, first.w);
    first.post();
    {
        const busy_thread posts(first.post);
        frames.keep();
    }
    first.agent.drain();
    CHECK(first.w.heard > 1);
    REQUIRE(frames.back_to(0));
    first.agent.drain();
    CHECK(first.w.heard == 1);
}
