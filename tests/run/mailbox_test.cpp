// The mailbox in one thread: the order of events, and the lifetime of payloads and slots.

#include <tests/support/recorder.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

using namespace test;

namespace {

/// Records its text when it is handled, and counts its objects.
struct letter {
    static inline int alive = 0;
    std::string text;

    explicit letter(std::string t) : text(std::move(t)) { ++alive; }
    letter(const letter& other) : text(other.text) { ++alive; }
    letter(letter&& other) noexcept : text(std::move(other.text)) { ++alive; }
    ~letter() { --alive; }
};

/// Too long for the buffer inside a std::string.
std::string long_text(int number) { return "a letter that is quite a bit too long for the string itself, number " + std::to_string(number); }

struct parcel {
    std::unique_ptr<int> content;
};
struct fragile {
    bool broken = false;
    fragile() = default;
    fragile(const fragile& other) : broken(other.broken) {
        if (broken) throw std::runtime_error("broken");
    }
};
struct alignas(128) wide {
    std::uint64_t number;
};
enum class key { left, right };

auto make_root() {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).on<event<1>>().then(tracing("A>B"));
    b.to(a).on<event<2>>().then(tracing("B>A"));
    root->on<event<3>>().then(tracing("3"));
    root->on<event<4>>().then(tracing("4"));
    root->on<letter>().then([](recorder& r, const letter& l) { r.note(l.text); });
    root->on("knock").then(tracing("knock"));
    root->on(key::left).then(tracing("left"));
    return root;
}

/// A started machine with a mailbox and an empty trace.
struct mailed {
    explicit mailed(hsm::owned<hsm::fsm<recorder>> root = make_root(), const hsm::instance_options& options = {.mailbox = 4})
        : chart(hsm::compile(std::move(root))), agent(chart, r, options), mail(agent.mailbox()) {
        agent.start();
        r.take();
    }
    std::string tick() { return agent.tick(), r.take(); }

    hsm::chart<recorder> chart;
    recorder r;
    hsm::instance<recorder> agent;
    hsm::mailbox& mail;
};

} // namespace

TEST_CASE("the mailbox is handled after the posted events, in order, before the other work of a tick") {
    auto root = make_root();
    root->on_update(tracing("U"));
    mailed m(std::move(root));
    CHECK(m.mail.post(event<1>{}) == hsm::result::queued);
    CHECK(m.mail.post("knock") == hsm::result::queued);
    CHECK(m.mail.post(std::string("knock")) == hsm::result::queued);
    CHECK(m.mail.post(key::left) == hsm::result::queued);
    CHECK(m.agent.post(event<3>{}) == hsm::result::queued);
    CHECK(m.r.take() == "");
    CHECK(m.agent.queued() == 5);
    CHECK(m.agent.tick() == hsm::result::taken);
    CHECK(m.r.take() == "3, A>B, knock, knock, left, U");
    CHECK(m.agent.queued() == 0);
    CHECK(m.agent.tick() == hsm::result::unhandled);
    CHECK(m.r.take() == "U");
}

TEST_CASE("decide and drain handle the mailbox as well; update and process do not") {
    auto root = make_root();
    root->on_update(tracing("U"));
    mailed m(std::move(root));
    m.mail.post(event<1>{});
    m.agent.update();
    CHECK(m.r.take() == "U");
    m.agent.process(event<3>{});
    CHECK(m.r.take() == "3");
    CHECK(m.agent.decide() == hsm::result::taken);
    CHECK(m.r.take() == "A>B");
    m.mail.post(event<2>{});
    CHECK(m.agent.drain() == hsm::result::taken);
    CHECK(m.r.take() == "B>A");
    m.mail.post(event<3>{});
    CHECK(m.agent.drain() == hsm::result::unhandled);
    CHECK(m.r.take() == "3");
    CHECK(m.agent.drain() == hsm::result::unhandled);
}

TEST_CASE("each mailed event runs to completion before the next one") {
    auto root = make_root();
    root->on<event<5>>().then([](recorder& r, hsm::step<recorder>& s) {
        s.process(event<3>{});
        r.note("5");
    });
    mailed m(std::move(root));
    m.mail.post(event<5>{});
    m.mail.post(event<4>{});
    CHECK(m.tick() == "5, 3, 4");
}

TEST_CASE("drain completes a posted event before it handles mail") {
    auto root = hsm::make_fsm<recorder>("R");
    root->add("A");
    root->on<event<1>>().then([](recorder& r, hsm::step<recorder>& s) {
        r.note("1");
        s.process(event<2>{});
    });
    root->on<event<2>>().then(tracing("2"));
    root->on<event<3>>().then(tracing("3"));
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent(chart, r, {.mailbox = 4});
    agent.start();
    agent.mailbox().post(event<3>{});
    agent.post(event<1>{});
    agent.drain();
    CHECK(r.take() == "1, 2, 3");
}

TEST_CASE("an event that a hook posts to its own mailbox waits for the next call") {
    auto root = make_root();
    hsm::mailbox* mail = nullptr;
    root->on<event<5>>().then([&mail](recorder& r) {
        r.note("5");
        mail->post(event<5>{});
    });
    mailed m(std::move(root));
    mail = &m.mail;
    m.mail.post(event<5>{});
    m.mail.post(event<3>{});
    CHECK(m.tick() == "5, 3");
    CHECK(m.agent.queued() == 1);
    m.agent.post(event<5>{}); // posted events come first; events that they post to the mailbox belong to the next tick
    CHECK(m.tick() == "5, 5");
    CHECK(m.tick() == "5, 5");
}

TEST_CASE("a full mailbox answers full, stores nothing and does not move from the event") {
    for (const std::uint32_t slots : {1u, 2u, 3u, 7u}) {
        CAPTURE(slots);
        mailed m(make_root(), {.mailbox = slots});
        for (int round = 0; round < 20; ++round) {
            std::string expected;
            for (std::uint32_t i = 0; i < slots; ++i) {
                CHECK(m.mail.post(letter(std::to_string(i))) == hsm::result::queued);
                expected += (i ? ", " : "") + std::to_string(i);
            }
            letter last(long_text(0));
            CHECK(m.mail.post(std::move(last)) == hsm::result::full);
            CHECK(last.text == long_text(0));
            CHECK(m.mail.post(last) == hsm::result::full);
            CHECK(m.agent.queued() == slots);
            CHECK(m.tick() == expected);
        }
    }
    CHECK(letter::alive == 0);
}

TEST_CASE("an event without a transition in the chart is unhandled immediately, and takes no slot") {
    mailed m(make_root(), {.mailbox = 1});
    parcel p{std::make_unique<int>(1)};
    CHECK(m.mail.post(std::move(p)) == hsm::result::unhandled);
    CHECK(p.content);
    CHECK(m.mail.post("ring") == hsm::result::unhandled);
    CHECK(m.mail.post(key::right) == hsm::result::unhandled);
    CHECK(m.agent.queued() == 0);
    CHECK(m.mail.post(event<2>{}) == hsm::result::queued); // B handles it, but A is active
    CHECK(m.agent.tick() == hsm::result::unhandled);
    CHECK(m.agent.queued() == 0);
}

TEST_CASE("an lvalue is copied, an rvalue moved, and each payload destroyed once") {
    {
        mailed m;
        const letter kept(long_text(1));
        letter given(long_text(2));
        m.mail.post(kept);
        m.mail.post(std::move(given));
        CHECK(kept.text == long_text(1));
        CHECK(given.text == "");
        CHECK(letter::alive == 4);
        CHECK(m.tick() == long_text(1) + ", " + long_text(2));
        CHECK(letter::alive == 2);
        m.mail.post(kept); // never handled
        CHECK(letter::alive == 3);
    }
    CHECK(letter::alive == 0);
}

TEST_CASE("an event that can only be moved can be mailed") {
    auto root = make_root();
    root->on<parcel>().then([](recorder& r, const parcel& p) { r.note(std::to_string(*p.content)); });
    mailed m(std::move(root));
    CHECK(m.mail.post(parcel{std::make_unique<int>(7)}) == hsm::result::queued);
    CHECK(m.tick() == "7");
}

TEST_CASE("a copy that throws leaves nothing in the mailbox and loses no slot") {
    auto root = make_root();
    root->on<fragile>().then(tracing("fragile"));
    mailed m(std::move(root), {.mailbox = 2});
    fragile f;
    m.mail.post(f);
    f.broken = true;
    for (int i = 0; i < 10; ++i) CHECK_THROWS_AS(m.mail.post(f), std::runtime_error);
    CHECK(m.agent.queued() == 1);
    f.broken = false;
    CHECK(m.mail.post(f) == hsm::result::queued);
    CHECK(m.mail.post(f) == hsm::result::full);
    CHECK(m.tick() == "fragile, fragile");
}

TEST_CASE("payloads have the alignment of their type") {
    auto root = make_root();
    root->on<wide>().then([](recorder& r, const wide& w) {
        r.note(std::to_string(w.number));
        CHECK(reinterpret_cast<std::uintptr_t>(&w) % alignof(wide) == 0);
    });
    mailed m(std::move(root), {.mailbox = 3});
    for (std::uint64_t i = 0; i < 3; ++i) m.mail.post(wide{i});
    CHECK(m.tick() == "0, 1, 2");
}

TEST_CASE("a mailed event that is held keeps its payload until the state is released") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A").hold();
    a.to(root->add("B")).on<letter>().then([](recorder& r, const letter& l) { r.note(l.text); });
    mailed m(std::move(root));
    m.mail.post(letter(long_text(1)));
    CHECK(m.tick() == "");
    CHECK(m.agent.queued() == 0);
    CHECK(letter::alive == 1);
    m.agent.release();
    CHECK(m.tick() == long_text(1));
    CHECK(letter::alive == 0);
}

TEST_CASE("mail for an inactive instance waits for the next start; stop drops the mail that has arrived") {
    mailed m;
    m.mail.post(letter("dropped"));
    m.agent.stop();
    CHECK(letter::alive == 0);
    CHECK(m.agent.queued() == 0);
    CHECK(m.mail.post(letter("kept")) == hsm::result::queued);
    CHECK(m.agent.tick() == hsm::result::inactive);
    CHECK(m.agent.drain() == hsm::result::inactive);
    m.agent.start();
    CHECK(m.agent.queued() == 1);
    CHECK(m.tick() == "kept");
}

TEST_CASE("restart drops mail, and so does reset of an inactive instance") {
    mailed m;
    m.mail.post(letter("dropped"));
    m.agent.restart();
    CHECK(m.tick() == "");
    m.mail.post(letter("dropped"));
    SUBCASE("active") {}
    SUBCASE("inactive") {
        m.agent.stop();
        m.mail.post(letter("dropped"));
    }
    m.agent.reset();
    CHECK(letter::alive == 0);
    m.agent.start();
    m.mail.post(letter("kept"));
    CHECK(m.tick() == "kept");
}

TEST_CASE("mail for a finished root waits until stop drops it") {
    auto root = make_root();
    mailed m(std::move(root));
    m.agent.finish("R");
    m.mail.post(letter("late"));
    CHECK(m.agent.tick() == hsm::result::unhandled);
    REQUIRE(m.agent.finished());
    CHECK(m.r.take() == "");
    CHECK(m.agent.queued() == 1);
    m.agent.stop();
    CHECK(m.agent.queued() == 0);
}

TEST_CASE("a stop in the hook of a mailed event drops the later ones") {
    auto root = make_root();
    root->on<event<5>>().then([](recorder&, hsm::step<recorder>& s) { s.stop(); });
    mailed m(std::move(root));
    m.mail.post(event<5>{});
    m.mail.post(letter("dropped"));
    CHECK(m.tick() == "");
    CHECK_FALSE(m.agent.active());
    CHECK(letter::alive == 0);
    m.agent.start();
    CHECK(m.tick() == "");
}

TEST_CASE("an event whose hook throws is consumed, the later ones stay in order") {
    auto root = make_root();
    root->on<event<5>>().then([](recorder&) { throw std::runtime_error("5"); });
    mailed m(std::move(root), {.mailbox = 3});
    m.mail.post(event<5>{});
    m.mail.post(letter("1"));
    m.mail.post(letter("2"));
    CHECK_THROWS_AS(m.agent.tick(), std::runtime_error);
    CHECK(m.agent.queued() == 2);
    CHECK(m.mail.post(letter("3")) == hsm::result::queued); // its slot is free again
    CHECK(m.mail.post(letter("4")) == hsm::result::full);
    CHECK(m.tick() == "1, 2, 3");
    CHECK(letter::alive == 0);
}

TEST_CASE("a mailbox keeps its address when its instance is moved") {
    const auto chart = hsm::compile(make_root());
    recorder r, other;
    hsm::instance first{chart, r, {.mailbox = 2}};
    auto& mail = first.mailbox();
    first.start();
    mail.post(letter("1"));
    hsm::instance second(std::move(first));
    CHECK(&second.mailbox() == &mail);
    mail.post(letter("2"));
    second.tick();
    CHECK(r.take() == "1, 2");
    hsm::instance third{chart, other, {.mailbox = 1}};
    third = std::move(second);
    CHECK(&third.mailbox() == &mail);
    mail.post(letter("3"));
    third.tick();
    CHECK(r.take() == "3");
    CHECK(other.take() == "");
}

TEST_CASE("instances of one chart have mailboxes of their own") {
    const auto chart = hsm::compile(make_root());
    recorder r, s;
    hsm::instance one{chart, r, {.mailbox = 1}}, two{chart, s, {.mailbox = 1}};
    one.start();
    two.start();
    one.mailbox().post(letter("one"));
    two.mailbox().post(letter("two"));
    one.tick();
    CHECK(s.take() == "");
    two.tick();
    CHECK(r.take() == "one");
    CHECK(s.take() == "two");
}

TEST_CASE("a mailbox needs no other queue, and also works in the user's memory") {
    const auto chart = hsm::compile(make_root());
    recorder r;
    const hsm::instance_options options{.internal_queue = 0, .posted_queue = 0, .mailbox = 2};
    const auto need = hsm::instance_memory(chart, options);
    std::vector<std::max_align_t> memory(need.size / sizeof(std::max_align_t) + 1);
    REQUIRE(need.alignment <= alignof(std::max_align_t));
    {
        hsm::instance agent{chart, r, options, memory.data()};
        agent.start();
        CHECK(agent.post(event<3>{}) == hsm::result::full);
        agent.mailbox().post(letter(long_text(1)));
        agent.tick();
        CHECK(r.take() == long_text(1));
        agent.mailbox().post(letter(long_text(2)));
    }
    CHECK(letter::alive == 0);
}

TEST_CASE("mail survives a start that failed; an exception that ends an instance drops it") {
    auto root = hsm::make_fsm<recorder>("R");
    root->on_enter([](recorder& r) {
        if (r.go) throw std::runtime_error("not now");
    });
    root->add("A").on<event<1>>().then(tracing("1"));
    root->to(*root).on<event<2>>().then([](recorder&) { throw std::runtime_error("in the middle"); });
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r, {.mailbox = 4}};
    agent.mailbox().post(event<1>{});
    r.go = true;
    CHECK_THROWS_AS(agent.start(), std::runtime_error);
    CHECK(agent.queued() == 1);
    r.go = false;
    agent.start();
    agent.tick();
    CHECK(r.take() == "1");
    agent.mailbox().post(event<1>{});
    CHECK_THROWS_AS(agent.process(event<2>{}), std::runtime_error);
    CHECK_FALSE(agent.active());
    CHECK(agent.queued() == 0);
}

TEST_CASE("an empty mailbox changes nothing: pulses end with the tick, posted events are handled") {
    auto root = hsm::make_fsm<recorder>("R");
    root->condition("Hit");
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).when(hsm::all("Hit", "Ready"));
    b.to(a).on<event<1>>().then(tracing("1"));
    mailed m(std::move(root));
    m.agent.tick();
    m.agent.pulse("Hit");
    m.tick();
    CHECK_FALSE(m.agent.get("Hit"));
    m.agent.set("Ready");
    m.tick();
    CHECK(m.agent.is_in(m.chart.find("A")));
    m.agent.pulse("Hit");
    m.tick();
    CHECK(m.agent.is_in(m.chart.find("B")));
    m.tick();
    CHECK(m.agent.post(event<1>{}) == hsm::result::queued);
    CHECK(m.tick() == "1");
    CHECK(m.mail.post(event<1>{}) == hsm::result::queued);
    m.agent.set("Hit");
    m.tick();
    CHECK(m.agent.queued() == 0);
}

TEST_CASE("lost() counts only the posted events that find no room") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A");
    a.on<event<1>>().then([](recorder&, hsm::step<recorder>& s) {
        while (s.process(event<2>{}) != hsm::result::full) {
        }
        while (s.change_to("A") != hsm::result::full) {
        }
        CHECK(s.post(event<2>{}) == hsm::result::full);
    });
    a.on<event<2>>().then([](recorder&) {});
    a.on<std::shared_ptr<int>>().then([](recorder&) {});
    a.on("name").then([](recorder&) {});
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance agent{chart, r, {.internal_queue = 1, .posted_queue = 2, .mailbox = 1}};
    CHECK(agent.post(event<2>{}) == hsm::result::inactive);
    agent.start();
    agent.post(event<2>{});
    agent.post("name");
    CHECK(agent.lost() == 0);
    CHECK(agent.post(event<2>{}) == hsm::result::full); // copied as bytes
    CHECK(agent.post(std::make_shared<int>(1)) == hsm::result::full);
    CHECK(agent.post("name") == hsm::result::full);
    CHECK(agent.post("another name") == hsm::result::unhandled);
    CHECK(agent.lost() == 3);
    agent.mailbox().post(event<2>{});
    CHECK(agent.mailbox().post(event<2>{}) == hsm::result::full);
    CHECK(agent.lost() == 3);
    agent.process(event<1>{});
    CHECK(agent.lost() == 4);
    agent.restart();
    agent.post(event<2>{});
    auto other = std::move(agent);
    CHECK(other.lost() == 4);

    hsm::instance with_usual_queues{chart, r};
    with_usual_queues.start();
    for (int i = 0; i < 20; ++i) with_usual_queues.post(event<2>{});
    CHECK(with_usual_queues.lost() == 4);
    hsm::instance without_queues{chart, r, {.internal_queue = 0, .posted_queue = 0}};
    without_queues.start();
    CHECK(without_queues.post(event<2>{}) == hsm::result::full);
    CHECK(without_queues.lost() == 0);
}
