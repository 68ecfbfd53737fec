// Events from one or several other threads for the agents of a crowd, before, during and after ticks. Also runs with the thread sanitizer.

#include <tests/support/crowd.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <string>
#include <thread>
#include <vector>

using namespace test;

namespace {

struct letter {
    int from = 0;
    int number = 0;
    std::shared_ptr<int> stamp = {};
};

constexpr int most_senders = 3;

struct reader {
    int last[most_senders] = {};
    int read = 0;
    bool in_order = true;
    int updates = 0;
};

hsm::chart<reader> reader_chart() {
    auto root = hsm::make_fsm<reader>("R");
    auto& a = root->add("A").on_update([](reader& r) { ++r.updates; });
    auto& b = root->add("B");
    const auto read = [](reader& r, const letter& l) {
        ++r.read;
        r.in_order = r.in_order && l.number > r.last[l.from];
        r.last[l.from] = l.number;
    };
    a.to(b).on<letter>().then(read);
    b.to(a).on<letter>().then(read);
    return hsm::compile(std::move(root), {.entry_times = false});
}

} // namespace

TEST_CASE("posts of several threads during ticks by several threads arrive once each, in the order of their sender") {
    for (const unsigned workers : {0u, 2u}) {
        CAPTURE(workers);
        const auto chart = reader_chart();
        hsm::crowd herd{chart, hsm::crowd_options{.agent = {.mailbox = 256}}};
        constexpr int agents = 9000, each = 2000;
        std::vector<hsm::agent_id> ids;
        for (int i = 0; i < agents; ++i) ids.push_back(herd.add());
        const auto stamp = std::make_shared<int>();
        std::atomic<int> senders = most_senders, accepted = 0, full = 0;
        auto& mail = herd.mailbox();
        std::vector<std::thread> threads;
        for (int from = 0; from < most_senders; ++from)
            threads.emplace_back([&, from] {
                std::uint64_t random = 88172645463325252ull + static_cast<std::uint64_t>(from);
                for (int number = 1; number <= each; ++number) {
                    random ^= random << 13, random ^= random >> 7, random ^= random << 17;
                    const auto& to = ids[random % (number % 2 ? 10 : agents)];
                    hsm::result answer;
                    while ((answer = mail.post(to, letter{from, number, stamp})) == hsm::result::full) ++full, std::this_thread::yield();
                    accepted += answer == hsm::result::queued;
                }
                --senders;
            });
        int ticks = 0;
        for (; senders > 0; ++ticks) workers > 0 ? herd.tick(0.01, own_threads{workers}) : herd.tick(0.01);
        for (auto& t : threads) t.join();
        herd.tick();
        herd.tick();
        CHECK(accepted == most_senders * each);
        int read = 0;
        bool in_order = true;
        herd.each([&](hsm::agent_id, const reader& r) {
            read += r.read;
            in_order = in_order && r.in_order;
        });
        CHECK(read == most_senders * each);
        CHECK(in_order);
        CHECK(stamp.use_count() == 1);
        CHECK(ticks > 0);
    }
}

TEST_CASE("an event for a removed agent is dropped with its payload") {
    const auto chart = reader_chart();
    const auto stamp = std::make_shared<int>();
    {
        hsm::crowd herd{chart, hsm::crowd_options{.agent = {.mailbox = 16}}};
        const auto one = herd.add(), other = herd.add();
        CHECK(herd.mailbox().post(one, letter{0, 1, stamp}) == hsm::result::queued);
        CHECK(herd.mailbox().post(other, letter{0, 1, stamp}) == hsm::result::queued);
        CHECK(herd.mailbox().post({}, letter{0, 1, stamp}) == hsm::result::queued);
        CHECK(herd.mailbox().post({7000, 3}, letter{0, 1, stamp}) == hsm::result::queued);
        CHECK(herd.mailbox().post(one, "nothing") == hsm::result::unhandled);
        CHECK(stamp.use_count() == 5);
        herd.remove(one);
        const auto next = herd.add();
        CHECK(next.index == one.index);
        herd.update(0.1);
        CHECK(stamp.use_count() == 5); // an update does not deliver events
        herd.decide();
        CHECK(stamp.use_count() == 1);
        CHECK(herd.context(next).read == 0);
        CHECK(herd.context(other).read == 1);
        herd.mailbox().post(other, letter{0, 2, stamp});
    }
    CHECK(stamp.use_count() == 1);
}

TEST_CASE("a full mailbox refuses posts; an agent without room in its queue handles its events before more mail") {
    const auto chart = reader_chart();
    hsm::crowd herd{chart, hsm::crowd_options{.agent = {.posted_queue = 2, .mailbox = 8}}};
    const auto id = herd.add();
    int number = 0;
    while (herd.mailbox().post(id, letter{0, number + 1}) == hsm::result::queued) ++number;
    CHECK(number >= 8);
    CHECK(herd.mailbox().post(id, letter{0, number + 1}) == hsm::result::full);
    herd[id]->post(letter{1, 1});
    CHECK(herd.tick() == hsm::result::taken);
    CHECK(herd.context(id).read == number + 1);
    CHECK(herd.context(id).in_order);
    CHECK(herd.mailbox().post(id, letter{0, number + 1}) == hsm::result::queued);
    CHECK(herd.lost() == 0);
}

TEST_CASE("a crowd counts the posted events that find no room, of all agents and threads") {
    auto root = hsm::make_fsm<reader>("R");
    auto& a = root->add("A");
    a.on_update([](reader&, hsm::step<reader>& s) {
        for (int i = 0; i < 5; ++i) s.post(letter{});
    });
    a.on<letter>().then([](reader& r) { ++r.read; });
    const auto chart = hsm::compile(std::move(root));
    hsm::crowd herd{chart, hsm::crowd_options{.agent = {.posted_queue = 3}}};
    constexpr int agents = 9000;
    std::vector<hsm::agent_id> ids;
    for (int i = 0; i < agents; ++i) ids.push_back(herd.add());
    CHECK(herd.lost() == 0);
    herd.tick(0.01, own_threads{3});
    CHECK(herd.lost() == 2 * agents);
    herd.remove(ids[7]);
    CHECK(herd.post_all(letter{})[hsm::result::full] == agents - 1);
    CHECK(herd.lost() == 3 * agents - 1);
    CHECK(herd[ids[8]]->lost() == herd.lost());
    auto moved = std::move(herd);
    moved.clear();
    moved[moved.add()]->lost();
    CHECK(moved.lost() == 3 * agents - 1);
}

TEST_CASE("if hooks throw while mail is distributed, the other agents receive their mail, and all agents are ticked") {
    auto root = hsm::make_fsm<animal>("R");
    with_trace(root->add("A")).on<call>().then([](animal& a, const call& c) {
        a.note("call");
        if (c.number == 1) throw_at(a);
    });
    animals m(4, hsm::compile(std::move(root)), {.agent = {.posted_queue = 1, .mailbox = 32}});
    for (const std::size_t i : {2u, 2u, 1u, 1u, 3u}) m.herd.mailbox().post(m.ids[i], call{i < 3 ? 1 : 0});
    CHECK(error_text([&] { m.herd.tick(); }) == "2");
    CHECK(m.r.take() == "call 2, call 1, U A 0, call 1, call 2, call 3, U A 3");
    CHECK(m.tick() == "U A 0, U A 1, U A 2, U A 3");
}

TEST_CASE("if an agent removes itself and throws while mail is distributed, the others receive their mail in the same tick") {
    auto root = hsm::make_fsm<animal>("R");
    root->add("A")
        .on_exit([](animal& a) {
            a.note("X");
            throw_at(a);
        })
        .on<call>()
        .then([](animal& a) {
            a.note("call");
            a.act();
        });
    animals m(3, hsm::compile(std::move(root)), {.agent = {.posted_queue = 1, .mailbox = 32}});
    m.of(0).does = [&](animal& a) { m.herd.remove(a.self); };
    for (const std::size_t i : {0u, 0u, 1u, 2u}) m.herd.mailbox().post(m.ids[i], call{});
    CHECK(error_text([&] { m.herd.tick(); }) == "0");
    CHECK(m.r.take() == "call 0, X 0, call 1, call 2");
    CHECK(m.herd.count() == 2);
}

TEST_CASE("different crowds of one chart in different threads are independent") {
    const auto chart = reader_chart();
    std::vector<std::uint64_t> hashes(4);
    std::vector<std::thread> threads;
    for (auto& hash : hashes)
        threads.emplace_back([&] {
            hsm::crowd herd{chart};
            std::vector<hsm::agent_id> ids;
            for (int i = 0; i < 500; ++i) {
                ids.push_back(herd.add());
                if (i % 3 == 0) herd.remove(ids[static_cast<std::size_t>(i / 2)]);
                herd.process_all(letter{0, i + 1});
                herd.tick(0.01);
            }
            hash = herd.state_hash();
        });
    for (auto& t : threads) t.join();
    for (const auto hash : hashes) CHECK(hash == hashes[0]);
}
