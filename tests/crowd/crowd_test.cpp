// The agents of a crowd: handles, contexts, adding and removing.

#include <tests/support/crowd.hpp>
#include <tests/support/two_regions.hpp>

#include <doctest/doctest.h>

#include <memory>
#include <set>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

using namespace test;

namespace {

/// Counts its objects.
struct counted {
    static inline int alive = 0;
    counted() { ++alive; }
    counted(const counted&) { ++alive; }
    counted& operator=(const counted&) = default;
    ~counted() { --alive; }
};

struct counted_animal {
    recorder* all = nullptr;
    bool throws = false;
    counted number = {};
};

struct counted_local {
    counted number = {};
    std::string text = "longer than what a string keeps in itself";
};

hsm::chart<counted_animal> chart_with_locals() {
    auto root = hsm::make_fsm<counted_animal>("R");
    root->add<counted_local>("A")
        .on_enter([](counted_animal& a) {
            a.all->note("E");
            if (a.throws) throw std::runtime_error("enter");
        })
        .on_exit([](counted_animal& a) { a.all->note("X"); })
        .on_destroy([](counted_animal& a) { a.all->note("D"); });
    return hsm::compile(std::move(root));
}

} // namespace

TEST_CASE("a default handle refers to no agent") {
    animals m(1);
    const hsm::agent_id none;
    CHECK_FALSE(none);
    CHECK_FALSE(m.herd.has(none));
    CHECK_FALSE(m.herd.remove(none));
    CHECK_FALSE(m.herd.set(none, "Go"));
    CHECK_FALSE(m.herd.pulse(none, "Go"));
    CHECK_FALSE(m.herd.set_decide_every(none, 2));
    CHECK(code_of([&] { m.herd.context(none); }) == 220);
    CHECK(code_of([&] { m.herd[none]->tick(); }) == 220);
    CHECK(code_of([&] { static_cast<void>(m.herd.is_in(none, "A")); }) == 220);
    CHECK(code_of([&] { m.herd.current(none); }) == 220);
    CHECK(code_of([&] { m.herd.get(none, "Go"); }) == 220);
    CHECK(m.herd.count() == 1);
}

TEST_CASE("a handle of another crowd with a larger index refers to no agent") {
    animals m(1);
    CHECK_FALSE(m.herd.has({1, 1}));
    CHECK_FALSE(m.herd.has({4095, 1}));
    CHECK_FALSE(m.herd.has({4096, 1}));
    CHECK_FALSE(m.herd.has({0xffffffff, 1}));
    CHECK_FALSE(m.herd.remove({5000, 1}));
}

TEST_CASE("the handle of a removed agent stays stale, also when another agent has its place") {
    animals m(3);
    const auto gone = m.ids[1];
    CHECK(m.herd.has(gone));
    CHECK(m.herd.remove(gone));
    CHECK(m.r.take() == "X A 1");
    for (int again = 0; again < 5; ++again) {
        CHECK_FALSE(m.herd.has(gone));
        CHECK_FALSE(m.herd.remove(gone));
        CHECK_FALSE(m.herd.set(gone, "Go"));
        CHECK_FALSE(m.herd.pulse(gone, "Go"));
        CHECK_FALSE(m.herd.set_decide_every(gone, 3));
        CHECK(code_of([&] { m.herd.context(gone); }) == 220);
        CHECK(code_of([&] { m.herd.get(gone, "Go"); }) == 220);
        CHECK(code_of([&] { m.herd[gone]->process(push{}); }) == 220);
        const auto id = m.add();
        CHECK(id.index == gone.index);
        CHECK(id != gone);
        CHECK(m.herd.has(id));
        CHECK_FALSE(m.herd.has(gone));
        CHECK_FALSE(m.herd.remove(gone));
        CHECK(code_of([&] { m.herd.context(gone); }) == 220);
        CHECK_FALSE(m.herd.get(id, "Go"));
        m.herd.remove(id);
        CHECK_FALSE(m.herd.has(id));
    }
    CHECK(m.herd.count() == 2);
}

TEST_CASE("a reused place inherits no state, conditions, rate or waiting work") {
    animals m(1, animal_chart(), {.lists = true});
    const auto before = m.ids[0];
    m.herd.set(before, "Back");
    m.herd[before]->pause();
    m.herd[before]->post(push{});
    m.herd.set_decide_every(before, 100);
    m.herd.remove(before);
    const auto id = m.add();
    CHECK(id.index == before.index);
    m.r.take();
    CHECK_FALSE(m.herd[id]->paused());
    CHECK(m.herd[id]->queued() == 0);
    CHECK_FALSE(m.herd.get(id, "Back"));
    CHECK(m.tick() == "U A 1");
    m.herd.set(id, "Go");
    CHECK(m.tick() == "X A 1, E B 1, U B 1");
    CHECK(m.tick() == "U B 1");
}

TEST_CASE("agents do not move, and each keeps its own context, over page borders") {
    animals m(0);
    std::vector<const animal*> where;
    for (int i = 0; i < 9000; ++i) {
        const auto id = m.add();
        REQUIRE(id.index == static_cast<std::uint32_t>(i));
        where.push_back(&m.herd.context(id));
    }
    CHECK(m.herd.count() == 9000);
    for (std::size_t i = 0; i < 9000; i += 3) m.herd.remove(m.ids[i]);
    CHECK(m.herd.count() == 6000);
    for (std::size_t i = 0; i < 9000; ++i) {
        REQUIRE(m.herd.has(m.ids[i]) == (i % 3 != 0));
        if (i % 3 == 0) continue;
        REQUIRE(&m.herd.context(m.ids[i]) == where[i]);
        REQUIRE(where[i]->number == static_cast<int>(i));
        REQUIRE(m.herd.current(m.ids[i]).name() == "A");
    }
    for (int i = 0; i < 3000; ++i) REQUIRE(m.add().index % 3 == 0);
    CHECK(m.add().index == 9000);
}

TEST_CASE("removal exits, destroys, and removes the context; a clear does so for all agents") {
    const auto chart = chart_with_locals();
    recorder r;
    {
        hsm::crowd herd{chart};
        const auto one = herd.add(&r);
        herd.add(&r);
        herd.add(&r);
        CHECK(r.take() == "E, E, E");
        CHECK(counted::alive == 6 + 1); // and the chart's prototype
        herd.remove(one);
        CHECK(r.take() == "X, D");
        CHECK(counted::alive == 4 + 1);
        herd.clear();
        CHECK(r.take() == "X, D, X, D");
        CHECK(counted::alive == 1);
        CHECK(herd.count() == 0);
        herd.clear();
        herd.add(&r);
    }
    CHECK(r.take() == "E");     // the destructor runs no hooks,
    CHECK(counted::alive == 1); // and destroys locals and contexts
}

TEST_CASE("the destructor destroys waiting events") {
    struct letter {
        std::shared_ptr<int> page;
    };
    const auto page = std::make_shared<int>(1);
    auto root = hsm::make_fsm<recorder>("R");
    root->add("A").on<letter>().then([](recorder&) {});
    root->add("B");
    const auto chart = hsm::compile(std::move(root));
    std::vector<recorder> contexts(3);
    {
        hsm::crowd<recorder> herd(chart, contexts);
        for (std::size_t i = 0; i < 3; ++i) {
            const auto id = herd.add_element(i);
            herd[id]->post(letter{page});
            herd[id]->post(letter{page});
        }
        CHECK(page.use_count() == 7);
        herd.remove({1, 1});
        CHECK(page.use_count() == 5);
    }
    CHECK(page.use_count() == 1);
}

TEST_CASE("if a hook throws in a start, the agent does not exist, and its context is destroyed") {
    const auto chart = chart_with_locals();
    recorder r;
    hsm::crowd herd{chart};
    const auto first = herd.add(&r);
    CHECK(error_text([&] { herd.add(&r, true); }) == "enter");
    CHECK(herd.count() == 1);
    CHECK(counted::alive == 2 + 1);
    const auto id = herd.add(&r);
    CHECK(id.index == 1);
    CHECK(herd.count() == 2);
    CHECK(herd[id]->current().name() == "A");
    herd.clear();
    CHECK(counted::alive == 1);
    CHECK_FALSE(herd.has(first));
}

TEST_CASE("a context whose constructor throws takes no place") {
    struct picky {
        explicit picky(bool throws) {
            if (throws) throw std::runtime_error("picky");
        }
    };
    auto root = hsm::make_fsm<picky>("R");
    root->add("A");
    const auto chart = hsm::compile(std::move(root));
    hsm::crowd herd{chart};
    CHECK(error_text([&] { herd.add(true); }) == "picky");
    CHECK(herd.count() == 0);
    CHECK(herd.add(false).index == 0);
}

TEST_CASE("remove and clear finish even if hooks throw") {
    auto root = hsm::make_fsm<animal>("R");
    root->add("A").on_exit([](animal& a) {
        a.note("X");
        if (a.go) throw_at(a);
    });
    animals m(4, hsm::compile(std::move(root)));
    m.of(0).go = m.of(2).go = m.of(3).go = true;
    CHECK(error_text([&] { m.herd.remove(m.ids[0]); }) == "0");
    CHECK_FALSE(m.herd.has(m.ids[0]));
    CHECK(m.herd.count() == 3);
    CHECK(error_text([&] { m.herd.clear(); }) == "2");
    CHECK(m.r.take() == "X 0, X 1, X 2, X 3");
    CHECK(m.herd.count() == 0);
}

TEST_CASE("with contexts in your array, the agent with index i has element i") {
    recorder r;
    std::vector<animal> contexts(5000, animal{&r});
    for (std::size_t i = 0; i < contexts.size(); ++i) contexts[i].number = static_cast<int>(i);
    const auto chart = animal_chart();
    hsm::crowd<animal> herd(chart, contexts);
    for (const std::size_t element : {4500u, 3u, 0u, 4096u}) {
        const auto id = herd.add_element(element);
        CHECK(id.index == element);
        CHECK(&herd.context(id) == &contexts[element]);
    }
    CHECK(r.take() == "E A 4500, E A 3, E A 0, E A 4096");
    CHECK(herd.count() == 4);
    herd.tick();
    CHECK(r.take() == "U A 0, U A 3, U A 4096, U A 4500");
    CHECK(code_of([&] { herd.add_element(3); }) == 221);
    CHECK(code_of([&] { herd.add_element(5000); }) == 222);
    CHECK(error_text([&] { herd.add_element(5000); }).find("there is no element 5000: the array has 5000") != std::string::npos);
    CHECK(error_text([&] { herd.add_element(3); }).find("element 3 already has an agent") != std::string::npos);
    CHECK(herd.count() == 4);
    CHECK(herd.remove({3, 1}));
    contexts[3].number = 33; // is left unchanged, and can be used again
    const auto again = herd.add_element(3);
    CHECK(again != hsm::agent_id{3, 1});
    CHECK(r.take() == "X A 3, E A 33");
}

TEST_CASE("only agents of crowds over an array have an element") {
    recorder r;
    std::vector<animal> contexts(2, animal{&r, 7});
    const auto chart = animal_chart();
    hsm::crowd<animal> over(chart, contexts);
    animal hero{&r, 8};
    hsm::instance<animal> lone(chart, hero);
    CHECK(code_of([&] { over.add(&r, 9); }) == 222);
    CHECK(code_of([&] { over.adopt(lone, &r, 9); }) == 222);
    CHECK(error_text([&] { over.add(&r, 9); }).find("so each agent needs an element of the array; hint: call add_element(i)") != std::string::npos);
    CHECK(contexts[0].number == 7);
    animals m(1);
    CHECK(code_of([&] { m.herd.add_element(1); }) == 222);
    CHECK(code_of([&] { m.herd.add_element(std::size_t(-1)); }) == 222);
    CHECK(error_text([&] { m.herd.add_element(0); }).find("there is no element 0: the crowd stores the contexts") != std::string::npos);
    CHECK(over.count() + m.herd.count() == 1);
    hsm::crowd<animal> over_none(chart, std::span<animal>()); // a crowd over an array nevertheless
    CHECK(code_of([&] { over_none.add(&r, 9); }) == 222);
    CHECK(error_text([&] { over_none.add_element(0); }).find("there is no element 0: the array has 0") != std::string::npos);
}

TEST_CASE("an agent removed in its own hook is not counted, not visited, and receives no events") {
    for (const bool lists : {false, true}) {
        CAPTURE(lists);
        animals m(3, animal_chart(), {.lists = lists});
        m.of(1).does = [&](animal& a) {
            m.herd.remove(a.self);
            CHECK(m.herd.count() == 2);
            CHECK(m.herd.count("A") == 2);
            int visited = 0;
            m.herd.each([&](hsm::agent_id id, animal&) { visited += 1 + 10 * (id.index == a.self.index); });
            m.herd.each("A", [&](hsm::agent_id id, animal&) { visited += 1 + 10 * (id.index == a.self.index); });
            CHECK(visited == 4);
            CHECK(m.herd.process_all(push{})[hsm::result::queued] == 0);
        };
        m.tick();
        CHECK(m.herd.count() == 2);
    }
}

TEST_CASE("an agent that is removed during each is not visited") {
    animals m(3);
    m.of(1).does = [&](animal& a) {
        std::string visited;
        m.herd.each([&](hsm::agent_id id, animal&) {
            visited += std::to_string(id.index);
            if (id.index == 0) m.herd.remove(a.self);
        });
        CHECK(visited == "02");
    };
    m.tick();
    CHECK(m.herd.count() == 2);
}

TEST_CASE("options.start = false adds an inactive agent") {
    animals m(2, animal_chart(), {.start = false});
    CHECK(m.tick() == "");
    CHECK(m.herd.count() == 2);
    CHECK(m.herd.count("A") == 0);
    CHECK_FALSE(m.herd.current(m.ids[0]));
    CHECK_FALSE(m.herd.is_in(m.ids[0], "A"));
    CHECK(m.herd[m.ids[0]]->process(push{}) == hsm::result::inactive);
    m.herd.set(m.ids[0], "Go");
    CHECK(m.herd.get(m.ids[0], "Go"));
    CHECK(m.herd[m.ids[0]]->start() == hsm::result::taken);
    m.herd[m.ids[1]]->start("B");
    CHECK(m.r.take() == "E A 0, E B 1");
    CHECK(m.tick() == "X A 0, E B 0, U B 0, U B 1");
    CHECK(m.herd[m.ids[1]]->stop() == hsm::result::taken);
    CHECK(m.r.take() == "X B 1");
    CHECK(m.tick() == "U B 0");
    CHECK(m.herd.remove(m.ids[1]));
    CHECK(m.r.take() == "");
}

TEST_CASE("a crowd may be moved while no call to it is in progress") {
    animals m(3);
    auto other = std::move(m.herd);
    CHECK(other.count() == 3);
    other.tick();
    CHECK(m.r.take() == "U A 0, U A 1, U A 2");
    CHECK(other.remove(m.ids[0]));
    m.herd = std::move(other);
    CHECK(m.herd.count() == 2);
    CHECK(m.herd.has(m.ids[1]));
}

TEST_CASE("contexts have the alignment of their type") {
    struct alignas(128) wide {
        char bytes[128] = {};
    };
    struct alignas(64) local {
        const void* self = this;
    };
    auto root = hsm::make_fsm<wide>("R");
    root->add<local>("A");
    const auto chart = hsm::compile(std::move(root));
    hsm::crowd herd{chart};
    for (int i = 0; i < 10; ++i) {
        const auto id = herd.add();
        CHECK(reinterpret_cast<std::uintptr_t>(&herd.context(id)) % 128 == 0);
        CHECK(reinterpret_cast<std::uintptr_t>(herd[id]->local<local>()) % 64 == 0);
    }
}

TEST_CASE("equal crowds have equal hashes; states, conditions and agents change them") {
    animals m(5), other(5);
    CHECK(m.herd.state_hash() == other.herd.state_hash());
    std::set<std::uint64_t> seen{m.herd.state_hash()};
    const auto is_new = [&] { return seen.insert(m.herd.state_hash()).second; };
    m.herd.set(m.ids[1], "Go");
    CHECK(is_new());
    m.herd.clear(m.ids[1], "Go");
    m.herd.set(m.ids[2], "Go");
    CHECK(is_new());
    m.herd.clear(m.ids[2], "Go");
    CHECK(m.herd.state_hash() == other.herd.state_hash());
    m.herd[m.ids[4]]->process(push{});
    CHECK(is_new());
    m.herd.pulse(m.ids[3], "Go");
    CHECK(is_new());
    m.herd[m.ids[0]]->post(push{});
    CHECK(is_new());
    m.herd.remove(m.ids[2]);
    CHECK(is_new());
    m.herd.tick(1.0);
    CHECK(is_new());
}

TEST_CASE("a hash does not depend on earlier settings that were cleared, nor on observers") {
    animals m(3), other(3);
    for (auto* each : {&m, &other}) {
        each->herd[each->ids[1]]->stop();
        each->herd[each->ids[2]]->destroy();
    }
    const auto hash = other.herd.state_hash();
    CHECK(m.herd.state_hash() == hash);
    for (const auto id : m.ids) {
        m.herd.pulse(id, "Go");
        CHECK(m.herd.state_hash() != hash);
        m.herd.clear(id, "Go");
        CHECK(m.herd.state_hash() == hash);
        m.herd[id]->pause();
        CHECK(m.herd.state_hash() != hash);
        m.herd[id]->resume();
        CHECK(m.herd.state_hash() == hash);
    }
}

TEST_CASE("an agent of a crowd changes one region as an instance does") {
    two_regions t;
    const auto chart = hsm::compile(std::move(t.root));
    hsm::crowd<recorder> herd(chart);
    const auto id = herd.add();
    herd.context(id).take();
    CHECK(herd[id]->change_to("P/1/b") == hsm::result::taken);
    CHECK(herd[id]->force_to("P/2/d") == hsm::result::taken);
    CHECK(herd.context(id).take() == "X a, E b, X c, E d");
}
