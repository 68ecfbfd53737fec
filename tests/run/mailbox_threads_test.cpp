// The mailbox with several threads: no event is lost, the order of each thread is kept, payloads arrive unchanged.
// HSM_POSTS sets the number of events of each producer.

#include <hsm/hsm.hpp>

#include <doctest/doctest.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <list>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace {

#if defined(HSM_TEST_THREAD_SANITIZER)
constexpr std::uint32_t posts_by_default = 300'000;
#elif defined(HSM_TEST_ADDRESS_SANITIZER)
constexpr std::uint32_t posts_by_default = 20'000;
#else
constexpr std::uint32_t posts_by_default = 100'000;
#endif
constexpr std::uint32_t producers = 4;

std::uint32_t posts_of_each() {
    const char* const said = std::getenv("HSM_POSTS");
    return said ? static_cast<std::uint32_t>(std::strtoul(said, nullptr, 10)) : posts_by_default;
}

/// Too long for the buffer inside a std::string.
std::string text_of(std::uint32_t producer, std::uint32_t number) {
    return "producer " + std::to_string(producer) + " posts its number " + std::to_string(number);
}

/// Counts its objects, so that a lost or twice destroyed one is noticed.
struct numbered {
    static inline std::atomic<int> alive = 0;
    std::uint32_t producer, number;
    std::string text;

    numbered(std::uint32_t p, std::uint32_t n) : producer(p), number(n), text(text_of(p, n)) { alive.fetch_add(1, std::memory_order_relaxed); }
    numbered(const numbered& other) : producer(other.producer), number(other.number), text(other.text) {
        alive.fetch_add(1, std::memory_order_relaxed);
    }
    numbered(numbered&& other) noexcept : producer(other.producer), number(other.number), text(std::move(other.text)) {
        alive.fetch_add(1, std::memory_order_relaxed);
    }
    ~numbered() { alive.fetch_sub(1, std::memory_order_relaxed); }
};

/// What the owner has received.
struct ledger {
    std::array<std::uint32_t, producers> next{};
    std::uint32_t out_of_order = 0, damaged = 0, handled = 0;

    void write_down(const numbered& n) {
        if (n.number != next[n.producer]) ++out_of_order;
        next[n.producer] = n.number + 1;
        if (n.text != text_of(n.producer, n.number)) ++damaged;
        ++handled;
    }
};

/// Each event exits and enters a state with a local, so that handling takes some time.
auto make_chart() {
    struct page {
        std::string text;
    };
    auto root = hsm::make_fsm<ledger>("R");
    auto& even = root->add("even");
    auto& odd = root->add("odd");
    even.local<page>("a page of the ledger, that is written on both sides");
    even.to(odd).on<numbered>().then([](ledger& l, const numbered& n) { l.write_down(n); });
    odd.to(even).on<numbered>().then([](ledger& l, const numbered& n) { l.write_down(n); });
    return hsm::compile(std::move(root));
}

/// Posts until the event is accepted; every other event is copied.
void post(hsm::mailbox& mail, std::uint32_t producer, std::uint32_t number) {
    numbered n(producer, number);
    while ((number % 2 == 0 ? mail.post(n) : mail.post(std::move(n))) == hsm::result::full) std::this_thread::yield();
}

/// Threads that run `work(producer)`.
class producing {
public:
    template <class Work> explicit producing(Work work) {
        for (std::uint32_t p = 0; p < producers; ++p)
            threads_.emplace_back([this, work, p] {
                work(p);
                running_.fetch_sub(1, std::memory_order_release);
            });
    }
    ~producing() {
        for (auto& t : threads_) t.join();
    }

    /// Runs `step` in the owner's thread while producers post, and once more for the rest.
    template <class Step> void meanwhile(Step step) {
        for (bool last = false; !last;) {
            last = running_.load(std::memory_order_acquire) == 0;
            if (step() == hsm::result::unhandled) std::this_thread::yield();
        }
    }

private:
    std::atomic<std::uint32_t> running_ = producers;
    std::vector<std::thread> threads_;
};

void check_all_arrived(const ledger& l, std::uint32_t posts) {
    CHECK(l.handled == producers * posts);
    CHECK(l.out_of_order == 0);
    CHECK(l.damaged == 0);
    for (const auto next : l.next) CHECK(next == posts);
    CHECK(numbered::alive == 0);
}

} // namespace

TEST_CASE("four producers post into one instance: nothing is lost, the order of each is kept") {
    const auto chart = make_chart();
    const auto posts = posts_of_each();
    ledger l;
    hsm::instance agent{chart, l, {.mailbox = 256}};
    agent.start();
    producing([&mail = agent.mailbox(), posts](std::uint32_t p) {
        for (std::uint32_t i = 0; i < posts; ++i) post(mail, p, i);
    }).meanwhile([&] { return agent.tick(0.001); });
    check_all_arrived(l, posts);
    CHECK(agent.queued() == 0);
}

TEST_CASE("four producers share a mailbox that is nearly always full: nothing is lost, the order of each is kept") {
    const auto chart = make_chart();
    const auto posts = posts_of_each() / 50;
    for (const std::uint32_t slots : {1u, 3u}) {
        CAPTURE(slots);
        ledger l;
        hsm::instance agent{chart, l, {.mailbox = slots}};
        agent.start();
        producing([&mail = agent.mailbox(), posts](std::uint32_t p) {
            for (std::uint32_t i = 0; i < posts; ++i) post(mail, p, i);
        }).meanwhile([&] { return agent.drain(); });
        check_all_arrived(l, posts);
        for (std::uint32_t i = 0; i < slots; ++i) CHECK(agent.mailbox().post(numbered(0, i)) == hsm::result::queued);
        CHECK(agent.mailbox().post(numbered(0, slots)) == hsm::result::full); // the number of slots has not changed
        CHECK(agent.queued() == slots);
    }
    CHECK(numbered::alive == 0);
}

TEST_CASE("an event that one thread posts after another thread's event is handled after it") {
    const auto chart = make_chart();
    const auto posts = posts_of_each() / 20;
    ledger l;
    hsm::instance agent{chart, l, {.mailbox = 16}};
    agent.start();
    std::atomic<std::uint32_t> turn = 0; // the numbers of one sequence, posted by each in turn
    producing([&, &mail = agent.mailbox()](std::uint32_t p) {
        for (std::uint32_t i = p; i < posts; i += producers) {
            while (turn.load(std::memory_order_acquire) != i) std::this_thread::yield();
            post(mail, 0, i);
            turn.store(i + 1, std::memory_order_release);
        }
    }).meanwhile([&] { return agent.tick(); });
    CHECK(l.handled == posts);
    CHECK(l.out_of_order == 0);
    CHECK(l.damaged == 0);
}

TEST_CASE("instances of one chart, each in its own thread, post to each other") {
    const auto chart = make_chart();
    const auto posts = posts_of_each() / 20;
    std::array<ledger, producers> ledgers;
    std::list<hsm::instance<ledger>> agents;
    for (auto& l : ledgers) agents.emplace_back(chart, l, hsm::instance_options{.mailbox = 32});
    std::vector<hsm::mailbox*> mail;
    for (auto& a : agents) mail.push_back(&a.mailbox());
    std::vector<std::thread> threads;
    std::uint32_t mine = 0;
    for (auto& a : agents)
        threads.emplace_back([&, mine = mine++] {
            a.start();
            // to the next agent and the one after it; while one is full, only the other gets events
            std::uint32_t sent[2] = {0, 0};
            while (sent[0] < posts || sent[1] < posts || ledgers[mine].handled < 2 * posts) {
                for (std::uint32_t k = 0; k < 2; ++k) {
                    auto& to = *mail[(mine + 1 + k) % producers];
                    if (sent[k] < posts && to.post(numbered(mine, sent[k])) == hsm::result::queued) ++sent[k];
                }
                if (a.tick() == hsm::result::unhandled) std::this_thread::yield();
            }
        });
    for (auto& t : threads) t.join();
    for (const auto& l : ledgers) {
        CHECK(l.handled == 2 * posts);
        CHECK(l.out_of_order == 0);
        CHECK(l.damaged == 0);
    }
    CHECK(numbered::alive == 0);
}

TEST_CASE("the owner may stop, start, reset and move the instance: dropped mail is destroyed, handled mail is in order") {
    const auto chart = make_chart();
    const auto posts = posts_of_each() / 20;
    ledger l;
    std::list<hsm::instance<ledger>> agents;
    agents.emplace_back(chart, l, hsm::instance_options{.mailbox = 16});
    auto& mail = agents.back().mailbox();
    std::uint32_t backwards = 0, round = 0;
    producing([&mail, posts](std::uint32_t p) {
        for (std::uint32_t i = 0; i < posts; ++i) post(mail, p, i);
    }).meanwhile([&] {
        ++round;
        auto& agent = agents.back();
        const auto before = l.next;
        if (round % 7 == 3) agent.stop();
        if (round % 7 == 4) agent.start();
        if (round % 23 == 0) agent.reset();
        if (round % 11 == 0) {
            hsm::instance<ledger> moved(std::move(agent));
            agents.clear();
            agents.push_back(std::move(moved));
        }
        const auto outcome = agents.back().tick();
        for (std::uint32_t p = 0; p < producers; ++p) backwards += l.next[p] < before[p];
        if (!agents.back().active()) agents.back().reset(); // no thread waits forever
        return outcome;
    });
    CHECK(l.handled > 0);
    CHECK(l.handled < producers * posts);
    CHECK(backwards == 0);
    CHECK(l.damaged == 0);
    CHECK(&agents.back().mailbox() == &mail);
    agents.clear();
    CHECK(numbered::alive == 0);
}
