// Without memory, a call to an instance has its complete effect or none, as far as the library allocates. If a user's copy fails during a
// transition, that is an exception like any other.
//
// Without memory: define/event_data.hpp define/named_event.hpp define/state_key.hpp define/step.hpp run/actor.hpp run/attachment.hpp
// Without memory: run/instance.hpp run/mailbox.hpp

#include <hsm/hsm.hpp>
#include <hsm/run/actor.hpp>
#include <hsm/run/attachment.hpp>
#include <tests/support/scarce_memory.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <string>
#include <vector>

namespace {

using test::memory::counted;
using test::memory::trial;
using test::memory::with_every_shortage;

struct push {};
struct pull {};
/// Copying it allocates.
struct letter {
    std::string text = "a text that does not fit into a string itself";
    counted self = {};
};
struct hero {
    int updates = 0;
};
struct bag {
    int things[3] = {};
    counted self = {};
};
struct heavy_bag {
    std::vector<int> things = {1, 2, 3};
    counted self = {};
    heavy_bag() = default;
    heavy_bag(const heavy_bag& other) : things(other.things) {} // so it cannot be moved
};

/// Allocates nothing.
struct watcher : hsm::observer {
    std::size_t records = 0;
    void on_record(const hsm::record&, const hsm::moment&) override { ++records; }
};

template <class Bag> hsm::chart<hero> hero_chart() {
    auto root = hsm::make_fsm<hero>("R");
    auto& a = root->add("A").on_update([](hero& h) { ++h.updates; });
    auto& b = root->add_fsm("B").remembers_deep();
    hsm::state<hero>& c = b.add<Bag>("C");
    hsm::state<hero>& d = b.add<Bag>("D");
    c.hold();
    d.defer<letter>();
    auto& p = root->add_parallel("P");
    auto& x = p.add_fsm("X");
    hsm::state<hero>& x1 = x.add<Bag>("X1");
    x1.to(x.add("X2")).template on<push>();
    auto& y = p.add_fsm("Y");
    auto& y1 = y.add("Y1");
    hsm::state<hero>& y2 = y.add<Bag>("Y2");
    y1.to(y2).template on<push>();
    a.to(b).template on<push>();
    a.to(b).when("Go");
    c.to(d).template on<push>();
    c.to(a).template on<letter>();
    d.to(p).template on<pull>();
    p.to(a).template on<letter>();
    return hsm::compile(std::move(root));
}

std::string picture(const hsm::instance<hero>& m) {
    std::string text = std::to_string(m.queued()) + ' ' + std::to_string(m.now().nanoseconds()) + (m.get("Go") ? " set" : " clear") +
                       (m.paused() ? " paused" : "") + (m.finished() ? " over" : "");
    for (const auto leaf : m.leaves()) text += ' ' + leaf.path();
    return text;
}

struct call {
    std::string what;
    std::function<void(hsm::instance<hero>&)> make;
};

/// Expects an error, or std::bad_alloc if there is no memory to report it.
template <class Call> void expect_error(Call call) {
    try {
        call();
    } catch (const hsm::run_error&) {
    }
}

const std::vector<call>& calls() {
    using machine = hsm::instance<hero>;
    static const std::vector<call> all{
        {"start", [](machine& m) { m.start(); }},
        {"start in a state", [](machine& m) { m.stop(), m.start("P"); }},
        {"start in no state", [](machine& m) { m.stop(), expect_error([&] { m.start("nowhere"); }); }},
        {"stop", [](machine& m) { m.stop(); }},
        {"tick", [](machine& m) { m.tick(0.5); }},
        {"decide", [](machine& m) { m.decide(); }},
        {"update", [](machine& m) { m.update(0.5); }},
        {"drain", [](machine& m) { m.drain(); }},
        {"process", [](machine& m) { m.process(push{}); }},
        {"process what holds", [](machine& m) { m.set_state("B/C"), m.process(letter{}); }},
        {"process what is deferred", [](machine& m) { m.set_state("B/D"), m.process(letter{}); }},
        {"process in regions", [](machine& m) { m.set_state("P"), m.process(push{}); }},
        {"post", [](machine& m) { m.post(letter{}); }},
        {"mailbox().post", [](machine& m) { m.mailbox().post(letter{}); }},
        {"can", [](machine& m) { static_cast<void>(m.can("pusch")); }},
        {"change_to", [](machine& m) { m.change_to("B/D"); }},
        {"change_to no state", [](machine& m) { expect_error([&] { m.change_to("nowhere"); }); }},
        {"force_to", [](machine& m) { m.force_to("P"); }},
        {"finish", [](machine& m) { m.finish(); }},
        {"finish a state", [](machine& m) { m.finish("R"); }},
        {"release", [](machine& m) { m.release(); }},
        {"set", [](machine& m) { m.set("Go"); }},
        {"set what is not there", [](machine& m) { expect_error([&] { m.set("Gone"); }); }},
        {"pulse, get, clear", [](machine& m) { m.pulse("Go"), m.clear(m.get("Go") ? "Go" : "Go"), m.clear(); }},
        {"restart", [](machine& m) { m.restart(); }},
        {"destroy", [](machine& m) { m.destroy(); }},
        {"reset", [](machine& m) { m.reset(); }},
        {"set_state", [](machine& m) { m.set_state("P"); }},
        {"pause, resume, set_time_scale", [](machine& m) { m.pause(), m.resume(), m.set_time_scale(2); }},
        {"busy, active, current, is_in, time_in_state",
         [](machine& m) { static_cast<void>(m.busy() + m.active() + m.is_in("A") + m.time_in_state("A").nanoseconds()); }},
        {"leaves", [](machine& m) { static_cast<void>(m.leaves()); }},
        {"move",
         [](machine& m) {
             auto other = std::move(m);
             m = std::move(other);
         }},
    };
    return all;
}

} // namespace

TEST_CASE("an instance is not created if memory runs out") {
    const auto chart = hero_chart<bag>();
    hero h;
    for (const auto mailbox : {0u, 4u})
        CHECK(with_every_shortage([&](trial& t) { t.attempt([&] { hsm::instance<hero>(chart, h, {.mailbox = mailbox}); }); }) > 0);
}

TEST_CASE("a call without memory changes nothing, and the instance continues") {
    const auto chart = hero_chart<bag>();
    const auto prototypes = counted::alive.load();
    hero h;
    for (const auto& c : calls()) {
        CAPTURE(c.what);
        for (const int how : {0, 1, 2}) {
            const bool started = how >= 1, observed = how == 2;
            CAPTURE(how);
            const auto make = [&](auto use) {
                hsm::instance m{chart, h, {.mailbox = 4}};
                watcher w;
                hsm::attachment handle;
                if (observed) handle = m.attach(w);
                if (started) m.start();
                use(m);
            };
            std::string before, after;
            make([&](auto& m) { before = picture(m); });
            make([&](auto& m) { c.make(m), after = picture(m); });
            with_every_shortage([&](trial& t) {
                make([&](auto& m) {
                    const bool done = t.attempt([&] { c.make(m); });
                    if (!done && c.what.starts_with("start in no")) before = picture(m); // restart has stopped it first
                    const bool two_steps = c.what.starts_with("process what") || c.what.starts_with("start in no");
                    if (done || !two_steps) CHECK(picture(m) == (done ? after : before));
                    if (!m.active()) m.start();
                    m.tick(0.1);
                    m.process(push{});
                    m.stop();
                    CHECK_FALSE(m.active());
                });
            });
        }
    }
    CHECK(counted::alive.load() == prototypes);
}

TEST_CASE("if the copy of a local runs out of memory, the instance is as after any exception") {
    const auto objects = counted::alive.load();
    {
        const auto chart = hero_chart<heavy_bag>();
        const auto prototypes = counted::alive.load();
        hero h;
        watcher w;
        for (const bool observed : {false, true}) {
            CAPTURE(observed);
            const auto failures = with_every_shortage([&](trial& t) {
                hsm::instance m{chart, h, {.mailbox = 4}};
                hsm::attachment handle;
                if (observed) handle = m.attach(w);
                t.attempt([&] {
                    m.start();
                    m.process(push{});
                    m.process(letter{});
                    m.force_to("B/D");
                    const letter l;
                    m.process(l);
                    m.process(pull{});
                    m.process(push{});
                    m.set_state("P");
                    m.process(l);
                    m.mailbox().post(l);
                    m.post(l);
                    m.tick(0.1);
                    m.restart();
                    m.change_to("B");
                });
                m.tick(0.1);
                m.process(push{});
                m.start();
                CHECK(m.active());
                m.stop();
                CHECK_FALSE(m.active());
                m.reset();
                m.start();
                CHECK(m.is_in("A"));
            });
            CHECK(failures > 10);
            CHECK(counted::alive == prototypes);
        }
        CHECK(w.records > 0);
    }
    CHECK(counted::alive == objects);
}

TEST_CASE("an observer is not attached if memory runs out, also in a hook") {
    static hsm::attachment in_hook;
    static watcher w;
    struct keeper {
        hsm::instance<keeper>* machine = nullptr;
        bool failed = false;
    };
    auto root = hsm::make_fsm<keeper>("R");
    root->add("A").on<push>().then([](keeper& k) {
        try {
            in_hook = k.machine->attach(w);
        } catch (const std::bad_alloc&) {
            k.failed = true;
        }
    });
    const auto chart = hsm::compile(std::move(root));
    for (const bool hook : {false, true}) {
        CAPTURE(hook);
        const auto failures = with_every_shortage([&](trial& t) {
            keeper k;
            hsm::instance m{chart, k};
            k.machine = &m;
            m.start();
            hsm::attachment handle;
            w.records = 0;
            bool attached = false;
            if (hook)
                t.attempt([&] { m.process(push{}); }), attached = !k.failed;
            else
                attached = t.attempt([&] { handle = m.attach(w); });
            m.tick(0.1);
            CHECK((w.records > 0) == attached);
            in_hook.detach();
            CHECK(m.change_to("A") == hsm::result::taken);
        });
        CHECK(failures > 1);
    }
}

TEST_CASE("take_over that fails changes nothing") {
    const auto chart = hero_chart<heavy_bag>();
    hero h, other;
    const auto failures = with_every_shortage([&](trial& t) {
        hsm::instance from{chart, h};
        hsm::instance to{chart, other};
        from.start();
        from.change_to("P");
        const auto before = picture(from);
        const bool done = t.attempt([&] { to.take_over(from); });
        CHECK(picture(done ? to : from) == before);
        CHECK((done ? from : to).active() == false);
    });
    CHECK(failures > 1);
}

TEST_CASE("without memory for the queues they are full, and nothing has changed") {
    const auto chart = hero_chart<bag>();
    hero h;
    hsm::instance m{chart, h};
    m.start();
    const auto before = picture(m);
    std::size_t refused = 0;
    with_every_shortage([&](trial& t) {
        hsm::instance fresh{chart, h};
        fresh.start();
        auto outcome = hsm::result::taken;
        auto scaled = hsm::result::taken;
        t.attempt([&] { outcome = fresh.post(push{}), scaled = fresh.set_time_scale(2); });
        if (outcome == hsm::result::full && scaled == hsm::result::full) {
            ++refused;
            CHECK(picture(fresh) == before);
        }
        CHECK(fresh.post(push{}) == hsm::result::queued);
        CHECK(fresh.queued() == (outcome == hsm::result::queued ? 2 : 1));
    });
    CHECK(refused > 0);
    CHECK(with_every_shortage([&](trial& t) {
              hsm::instance fresh{chart, h, {.chain_limit = 100}};
              t.attempt([&] { fresh.reserve(); });
          }) > 0);
}

TEST_CASE("a payload that cannot be copied is not posted, and takes no room") {
    const auto chart = hero_chart<bag>();
    hero h;
    const auto objects = counted::alive.load();
    with_every_shortage([&](trial& t) {
        hsm::instance m{chart, h, {.posted_queue = 1, .mailbox = 1}};
        m.start();
        const letter l;
        const bool posted = t.attempt([&] { m.post(l); });
        CHECK(m.queued() == posted);
        CHECK((m.post(push{}) == hsm::result::queued) == !posted);
    });
    with_every_shortage([&](trial& t) {
        hsm::instance m{chart, h, {.mailbox = 1}};
        const letter l;
        const bool posted = t.attempt([&] { m.mailbox().post(l); });
        CHECK(m.queued() == posted);
        CHECK((m.mailbox().post(push{}) == hsm::result::queued) == !posted);
    });
    CHECK(counted::alive == objects);
}

namespace {

constexpr const char* long_text = "a text that does not fit into a string itself";

/// A context whose construction allocates.
struct named_hero : hero {
    std::string name = long_text;
    counted self = {};
};

hsm::event_data letter_data() { return hsm::event_data::object({{long_text, hsm::event_data::list({1, nullptr, long_text})}, {"to", "B"}}); }

} // namespace

TEST_CASE("an actor is created and moved completely or not at all") {
    auto root = hsm::make_fsm<named_hero>("R");
    auto& a = root->add("A");
    a.to(root->add<bag>("B")).on<push>();
    const auto chart = hsm::compile(std::move(root));
    const auto objects = counted::alive.load();
    CHECK(with_every_shortage([&](trial& t) {
              std::vector<hsm::actor<named_hero>> wave;
              wave.emplace_back(chart, hsm::instance_options{.posted_queue = 2}).start();
              wave[0].process(push{});
              const bool done = t.attempt([&] { wave.emplace_back(chart, hsm::instance_options{.mailbox = 2}).start(); });
              REQUIRE(wave.size() >= 1);
              CHECK(wave[0]->name == long_text);
              CHECK(wave[0].is_in("B"));
              if (wave.size() == 1) wave.emplace_back(chart).start();
              CHECK(done == (wave[1].machine().active() && !t.was_short()));
              wave[1].start();
              CHECK(wave[1].process(push{}) == hsm::result::taken);
          }) > 3);
    CHECK(counted::alive == objects);
}

TEST_CASE("the data of an event is created, converted and read completely or not at all") {
    const auto expected = to_string(letter_data());
    CHECK(with_every_shortage([&](trial& t) {
              hsm::event_data data = 7;
              const bool done = t.attempt([&] { data = letter_data(); });
              CHECK(to_string(data) == (done ? expected : "7"));
          }) > 5);
    CHECK(with_every_shortage([&](trial& t) {
              std::string text;
              const bool done = t.attempt([&] { text = to_string(letter_data()); });
              CHECK(text == (done ? expected : ""));
          }) > 5);
    CHECK(with_every_shortage([&](trial& t) {
              hsm::event_data data = 7;
              bool read = false;
              const bool done = t.attempt([&] { read = hsm::read_json(expected, data); });
              CHECK(read == done);
              CHECK(to_string(data) == (done ? expected : "7"));
          }) > 5);
}

TEST_CASE("a named event is copied and sent completely or not at all") {
    struct reader {
        hsm::named_event last;
    };
    auto root = hsm::make_fsm<reader>("R");
    root->add("A");
    root->on("say").then([](reader& r, const hsm::named_event& e) { r.last = e; });
    const auto chart = hsm::compile(std::move(root));
    const auto data = letter_data();
    for (const bool posts : {false, true}) {
        CAPTURE(posts);
        CHECK(with_every_shortage([&](trial& t) {
                  reader r;
                  hsm::instance<reader> agent{chart, r, {.posted_queue = 2}};
                  agent.start();
                  const auto send = [&] { posts ? agent.post("say", data) : agent.process("say", data); };
                  if (!t.attempt(send)) {
                      CHECK(agent.queued() == 0);
                      CHECK(r.last.name().empty());
                      send();
                  }
                  agent.tick(0.1);
                  CHECK(r.last.name() == "say");
                  hsm::named_event copy;
                  copy = r.last;
                  CHECK(copy.data() == data);
              }) > 0);
    }
}
