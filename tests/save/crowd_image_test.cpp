#include <hsm/save/crowd_image.hpp>

#include <hsm/run/attachment.hpp>
#include <hsm/save/detail/crowd_format.hpp>
#include <hsm/save/document.hpp>
#include <hsm/save/hash.hpp>
#include <tests/save/fighter.hpp>
#include <tests/save/meadow.hpp>
#include <tests/support/recorder.hpp>
#include <tests/support/sanitized.hpp>
#include <tests/support/scarce_memory.hpp>
#include <tests/support/text_observer.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <random>
#include <string>
#include <vector>

using namespace std::chrono_literals;
using namespace test;
using hsm::result;

TEST_CASE("a restored crowd continues as after the save") {
    for (const bool timed : {false, true}) {
        CAPTURE(timed);
        meadow m(timed);
        for (int i = 0; i < 20; ++i) m.frame();
        m.herd[m.ids[7]]->post("unexpected");
        m.herd[m.ids[8]]->pause();
        m.herd.set_decide_every(m.ids[9], 3);
        const auto image = hsm::save(m.herd);
        CHECK(image.size() == hsm::image_size(m.herd));
        const auto hash = hsm::hash(m.herd);
        const auto random = m.random;
        for (int i = 0; i < 20; ++i) m.frame();
        const auto later = hsm::save(m.herd);
        CHECK(hsm::hash(m.herd) != hash);
        CHECK(hsm::restore(m.herd, image) == result::taken);
        CHECK(hsm::save(m.herd) == image);
        CHECK(hsm::hash(m.herd) == hash);
        m.random = random;
        for (int i = 0; i < 20; ++i) m.frame();
        CHECK(hsm::save(m.herd) == later);
    }
}

TEST_CASE("restoring into another crowd replaces its content, and the crowd continues like the saved one") {
    for (const bool timed : {false, true})
        for (const std::size_t there : {0u, 1u, 9'000u}) {
            CAPTURE(timed);
            CAPTURE(there);
            meadow m(timed);
            for (int i = 0; i < 20; ++i) m.frame();
            for (std::size_t i = 0; i < 100; ++i) m.herd.remove(m.ids[i * 7]);
            const auto image = hsm::save(m.herd, {.checksum = true});
            hsm::crowd<sheep> other(m.chart);
            for (std::size_t i = 0; i < there; ++i) other.add(sheep{100, 100});
            hsm::restore(other, image);
            CHECK(hsm::save(other, {.checksum = true}) == image);
            CHECK(other.count() == m.herd.count());
            CHECK(other.count("run") == m.herd.count("run"));
            CHECK(other.now() == m.herd.now());
            other.add(sheep{}), m.herd.add(sheep{}); // in the same place
            for (int i = 0; i < 10; ++i) other.tick(40ms), m.herd.tick(40ms);
            CHECK(hsm::hash(other) == hsm::hash(m.herd));
        }
}

TEST_CASE("handles of the image are valid again, and later handles stay stale") {
    meadow m(false, 10);
    const auto image = hsm::save(m.herd);
    const auto gone = m.ids[3];
    m.herd.remove(gone);
    const auto since = m.herd.add(sheep{}); // has its place
    REQUIRE(since.index == gone.index);
    const auto behind = m.herd.add(sheep{});
    hsm::restore(m.herd, image);
    CHECK(m.herd.has(gone));
    CHECK_FALSE(m.herd.has(since));
    CHECK_FALSE(m.herd.has(behind));
    m.herd.remove(gone);
    const auto again = m.herd.add(sheep{});
    CHECK(again.index == gone.index);
    CHECK_FALSE(m.herd.has(since));
    CHECK_FALSE(m.herd.has(gone));
    CHECK(again.generation > since.generation);
    const auto next = m.herd.add(sheep{});
    CHECK(next.index == behind.index);
    CHECK_FALSE(m.herd.has(behind));
}

TEST_CASE("an agent with regions, history and locals with memory has its own image") {
    const auto chart = test::fighter_chart();
    hsm::crowd<test::fighter> herd(chart), other(chart);
    std::vector<hsm::agent_id> ids;
    for (int i = 0; i < 6; ++i) ids.push_back(herd.add(test::fighter{}));
    for (int i = 0; i < 6; ++i) {
        if (i % 3 != 0) herd[ids[static_cast<std::size_t>(i)]]->process(test::hit{1});
        if (i % 3 == 2) herd[ids[static_cast<std::size_t>(i)]]->process(test::hit{2});
        if (i == 5) herd[ids[5]]->process(test::shout{"pending, with some memory of its own"});
        herd.tick(30ms);
    }
    static_cast<void>(other.add(test::fighter{}));
    SUBCASE("contexts that cannot be saved are reported") {
        CHECK_THROWS_WITH(
            static_cast<void>(hsm::save(herd)),
            doctest::Contains("HSM-351 error at fighter: the context test::fighter cannot be saved: it is not trivially copyable and "
                              "has no serialize; hint: write serialize(archive, value) for it, or store the contexts in your own array"));
    }
    SUBCASE("an image does not contain contexts in an array") {
        std::vector<test::fighter> first(4), second(4);
        hsm::crowd<test::fighter> mine(chart, first), theirs(chart, second), small(chart, std::span(second).first(2));
        for (const std::size_t i : {0u, 2u, 3u}) {
            mine.add_element(i);
            mine.process_all(test::hit{1});
        }
        second = first;
        const auto image = hsm::save(mine);
        hsm::restore(theirs, image);
        CHECK(hsm::save(theirs) == image);
        mine.process_all(test::shout{"on"}), theirs.process_all(test::shout{"on"});
        mine.tick(250ms), theirs.tick(250ms);
        CHECK(hsm::save(theirs) == hsm::save(mine));
        CHECK(first[2].last == second[2].last);
        CHECK_THROWS_WITH(hsm::restore(small, image), doctest::Contains("it has too many places"));
    }
}

namespace {
struct named {
    std::string name;
    int steps = 0;
};
template <class A> void serialize(A& archive, named& n) { archive("name", n.name)("steps", n.steps); }

hsm::chart<named> named_chart() {
    auto root = hsm::make_fsm<named>("R");
    auto& a = root->add("A").on_exit([](named& n) { n.name += " was in a place where names grow longer"; });
    a.to(root->add("B")).on("go");
    return hsm::compile(std::move(root));
}
} // namespace

TEST_CASE("contexts that own memory are saved by their fields") {
    const auto chart = named_chart();
    hsm::crowd<named> herd(chart);
    const auto one = herd.add("one"), two = herd.add("two", 2);
    const auto image = hsm::save(herd);
    herd.process_all("go");
    herd.remove(one);
    CHECK(hsm::restore(herd, image) == result::taken);
    CHECK(herd.context(one).name == "one");
    CHECK(herd.context(two).steps == 2);
    CHECK(hsm::save(herd) == image);
    for (std::size_t size = 0; size < image.size(); ++size) CHECK_THROWS_AS(hsm::restore(herd, std::span(image).first(size)), hsm::save_error);
    CHECK(hsm::save(herd) == image);
}

TEST_CASE("mail is saved with its receiver") {
    const auto chart = named_chart();
    hsm::crowd<named> herd(chart, {.agent = {.mailbox = 4}}), other(chart, {.agent = {.mailbox = 1}}), none(chart);
    const auto one = herd.add("one"), two = herd.add("two");
    herd.mailbox().post(two, "go");
    const auto image = hsm::save(herd);
    herd.mailbox().post(one, "go");
    herd.mailbox().post(one, "go");
    hsm::restore(herd, image);
    herd.tick(0ms);
    CHECK(herd.is_in(one, "A"));
    CHECK(herd.is_in(two, "B"));
    CHECK(hsm::restore(other, image) == result::taken);
    CHECK_THROWS_WITH(hsm::restore(none, image), doctest::Contains("HSM-356 error at R: the mailbox of the crowd has no room"));
}

TEST_CASE("save and restore in a hook of an agent return busy") {
    hsm::crowd<sheep>* all = nullptr;
    std::vector<std::byte> image;
    std::vector<result> seen;
    auto root = hsm::make_fsm<sheep>("R");
    root->add("A").on_update([&](sheep&) {
        std::vector<std::byte> memory(10'000);
        seen = {hsm::save(*all, memory).outcome, hsm::restore(*all, image)};
        CHECK(hsm::save(*all).empty());
        CHECK(hsm::hash(*all) == 0);
    });
    const auto chart = hsm::compile(std::move(root));
    hsm::crowd<sheep> herd(chart);
    all = &herd;
    herd.add();
    image = hsm::save(herd);
    herd.tick(1ms);
    CHECK(seen == std::vector{result::busy, result::busy});
}

TEST_CASE("observers stay with agents that exist before and after, and are notified") {
    meadow m(true, 3);
    test::text_observer one, all;
    const auto of_one = m.herd.attach(m.ids[1], one);
    const auto image = hsm::save(m.herd);
    hsm::crowd<sheep> unseen(m.chart);
    hsm::restore(unseen, image);
    CHECK(hsm::save(unseen).size() < image.size()); // an agent that is observed stands in it as an image of its own
    CHECK(hsm::hash(unseen) == hsm::hash(m.herd));
    const auto of_all = m.herd.attach(all);
    m.herd.set(m.ids[1], "Afraid");
    m.herd.tick(16ms);
    m.herd.remove(m.ids[2]);
    one.take(), all.take();
    hsm::restore(m.herd, image);
    CHECK(one.take() == "call restore, is 1 of 1 (restored), -> taken");
    CHECK(all.take().find("call restore, is 1 of 1 (restored), -> taken") != std::string::npos);
    CHECK(hsm::hash(m.herd) == hsm::hash(unseen));
    m.herd.set(m.ids[2], "Afraid");
    m.herd.tick(16ms);
    CHECK(one.take().find("E 2") == std::string::npos);
    CHECK(all.take().find("E 2") != std::string::npos); // of one that had been removed
}

TEST_CASE("an agent and an instance drop their waiting work when the root finishes, and have equal hashes") {
    auto root = hsm::make_fsm<recorder>("R");
    auto& a = root->add("A").hold();
    a.to(root->add("B"));
    const auto chart = hsm::compile(std::move(root));
    recorder r;
    hsm::instance alone{chart, r};
    hsm::crowd<recorder> herd(chart);
    const auto id = herd.add();
    alone.start();
    const auto check = [&] {
        CHECK(hsm::hash(alone) == hsm::hash(*herd[id]));
        CHECK(hsm::save_document(alone).find("waiting") == std::string::npos);
    };
    alone.tick(1.0);
    herd.tick(1.0);
    CHECK(hsm::hash(alone) == hsm::hash(*herd[id]));
    CHECK(hsm::save_document(alone).find("waiting") != std::string::npos);
    alone.finish("R");
    herd[id]->finish("R");
    check();
    alone.tick(1.0);
    herd.tick(1.0);
    check();
}

TEST_CASE("restore ignores observers that were detached") {
    for (const bool timed : {false, true}) {
        meadow m(timed, 3);
        test::text_observer gone;
        auto of_one = m.herd.attach(m.ids[1], gone);
        auto of_two = m.herd.attach(m.ids[2], gone);
        const auto image = hsm::save(m.herd); // these stand alone in it
        of_one = {}, of_two = {};
        hsm::restore(m.herd, image);
        hsm::restore(m.herd, image);
        m.herd.tick(16ms);
        of_one = m.herd.attach(m.ids[1], gone);
        of_one = {};
        hsm::restore(m.herd, hsm::save(m.herd));
        CHECK(m.herd.count() == 3);
    }
}

TEST_CASE("crowds with lists and with updates by state are restored") {
    const auto chart = sheep_chart(false);
    for (const bool lists : {false, true}) {
        const hsm::crowd_options options{.lists = lists, .update_order = hsm::update_order::by_state};
        hsm::crowd<sheep> herd(chart, options), other(chart, options);
        for (int i = 0; i < 100; ++i) herd.add();
        herd.set_all("Afraid");
        herd.tick(16ms);
        static_cast<void>(other.add());
        hsm::restore(other, hsm::save(herd));
        std::size_t visited = 0;
        other.each("run", [&](hsm::agent_id, sheep&) { ++visited; });
        CHECK(visited == 100);
        CHECK(other.count("idle") == 0);
        other.set_all("Afraid", false);
        other.tick(16ms);
        CHECK(other.count("idle") == 100);
    }
}

TEST_CASE("bytes that are not an image of the crowd are refused, and change nothing") {
    meadow m(false, 20), timed(true, 20);
    for (int i = 0; i < 5; ++i) m.frame();
    const auto image = hsm::save(m.herd);
    const auto refused = [&](std::span<const std::byte> bytes, const char* why) {
        const auto before = hsm::save(timed.herd);
        CHECK_THROWS_WITH(hsm::restore(timed.herd, bytes), doctest::Contains(why));
        CHECK(hsm::save(timed.herd) == before);
    };
    refused(image, "HSM-354 error at R: the image belongs to a crowd of another chart");
    refused({}, "HSM-353");
    hsm::crowd<sheep> small(m.chart, {.agent = {.posted_queue = 0}});
    m.herd[m.ids[0]]->pause();
    CHECK(hsm::restore(small, hsm::save(m.herd)) == result::taken);
    const auto checked = hsm::save(timed.herd, {.checksum = true});
    for (std::size_t bit = 0; bit < checked.size() * 8; bit += 3) {
        auto altered = checked;
        altered[bit / 8] ^= std::byte(1) << bit % 8;
        CHECK_THROWS_AS(hsm::restore(timed.herd, altered), hsm::save_error);
    }
}

TEST_CASE("an altered image is refused, or restores a legal crowd") {
    for (const bool timed : {false, true}) {
        meadow m(timed, 12);
        for (int i = 0; i < 9; ++i) m.frame();
        m.herd[m.ids[2]]->pause();
        m.herd.remove(m.ids[5]);
        m.herd.set_decide_every(m.ids[6], 2);
        const auto image = hsm::save(m.herd);
        int legal = 0;
        for (std::size_t bit = 0; bit < image.size() * 8; bit += stride) {
            auto altered = image;
            altered[bit / 8] ^= std::byte(1) << bit % 8;
            hsm::crowd<sheep> other(m.chart);
            try {
                hsm::restore(other, altered);
            } catch (const hsm::save_error&) {
                continue;
            }
            ++legal;
            CAPTURE(bit / 8);
            hsm::crowd<sheep> third(m.chart);
            hsm::restore(third, hsm::save(other));
            CHECK(hsm::save(third) == hsm::save(other));
            try {
                other.tick(1ms);
                static_cast<void>(other.add());
                other.clear();
            } catch (const hsm::chain_error&) { // a timer that is due long ago
            }
        }
        CHECK(legal > 3);
    }
}

TEST_CASE("saving and restoring allocate nothing") {
    meadow m(true, 5'000);
    for (int i = 0; i < 9; ++i) m.frame();
    m.herd[m.ids[2]]->pause();
    std::vector<std::byte> image(hsm::image_size(m.herd));
    hsm::save(m.herd, image);
    hsm::restore(m.herd, image);
    const std::size_t before = test::memory::allocations;
    hsm::save(m.herd, image);
    hsm::restore(m.herd, image);
    CHECK(test::memory::allocations == before);
}

TEST_CASE("a difference of crowds or their images names the agent and the field") {
    meadow m(true, 5);
    m.frame();
    hsm::crowd<sheep> other(m.chart);
    const auto image = hsm::save(m.herd);
    hsm::restore(other, image);
    CHECK(hsm::difference(m.herd, other).empty());
    m.herd.context(m.ids[3]).age = 8;
    m.herd.set(m.ids[4], "Fresh");
    const auto found = hsm::difference(m.herd, other);
    REQUIRE(found.size() == 2);
    CHECK(found[0].path == "agent 3/context");
    CHECK(found[1].to_string().find("agent 4/machine/conditions") == 0);
    m.herd.remove(m.ids[0]);
    CHECK(hsm::difference(m.herd, image, hsm::save(m.herd)).size() == 4);
    CHECK(hsm::difference(m.herd, image, image).empty());
}
