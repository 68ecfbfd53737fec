// The thread of a lane and those of the server.

#include <tests/inspect/watched_lane.hpp>

#include <atomic>
#include <optional>
#include <thread>

using test::verb;

TEST_CASE("a ring passes records between threads in order, and counts dropped records") {
    constexpr std::uint32_t count = 200'000;
    test::inspect::record_ring ring(256);
    std::atomic<bool> ends = false;
    std::vector<test::inspect::recorded> taken;
    std::thread reader([&] {
        while (!ends.load(std::memory_order_acquire)) ring.pop(taken, ring.pushed());
        ring.pop(taken, ring.pushed());
    });
    for (std::uint32_t i = 1; i <= count; ++i) ring.push({i, {}});
    ends.store(true, std::memory_order_release);
    reader.join();
    CHECK(taken.size() + ring.dropped() == count);
    bool in_order = true;
    for (std::size_t i = 1; i < taken.size(); ++i) in_order &= taken[i - 1].machine < taken[i].machine;
    CHECK(in_order);
}

namespace {
struct empty_context {};
} // namespace

TEST_CASE("viewers join, leave and send commands while the lane ticks, moves and destroys machines") {
    auto root = hsm::make_fsm<empty_context>("lamp");
    root->add("off").to("on").on("press");
    root->add("on").to("off").on("press");
    const auto chart = hsm::compile(std::move(root));
    empty_context context;
    test::watched_lane page;
    std::atomic<bool> ends = false;
    std::atomic<std::uint32_t> newest = 0;
    std::atomic<std::size_t> done = 0;
    std::thread server([&] {
        std::vector<test::inspect::message> messages;
        std::vector<test::inspect::recorded> records;
        while (!ends.load()) {
            page.feed.add_viewer();
            test::inspect::command c;
            c.machine = newest.load();
            for (const auto v : {verb::open, verb::process, verb::close}) {
                c.verb = v;
                c.event = "press";
                page.feed.push_command(test::inspect::command(c));
            }
            messages.clear();
            records.clear();
            page.feed.take(messages, records);
            for (const auto& m : messages) done += std::holds_alternative<test::inspect::command_done>(m.content);
            page.feed.remove_viewer();
        }
    });
    for (int i = 0; i < 2000 || (done == 0 && i < 1'000'000); ++i) { // the server can begin late
        std::optional<hsm::instance<empty_context>> agent(std::in_place, chart, context);
        agent->start();
        page.add("lamp", *agent);
        newest = static_cast<std::uint32_t>(i) + 1; // ids are given in order
        page.lane.poll();
        auto moved = std::move(*agent);
        agent.reset();
        moved.process("press");
        page.lane.poll();
        { const auto gone = std::move(moved); }
        page.lane.poll();
    }
    ends = true;
    server.join();
    CHECK(done > 0);
}
