#include <hsm/save/image.hpp>

#include <hsm/chart/view.hpp>
#include <hsm/crowd/crowd.hpp>
#include <hsm/run/attachment.hpp>
#include <hsm/save/check_saveable.hpp>
#include <hsm/save/detail/image_format.hpp>
#include <hsm/save/serialize.hpp>
#include <tests/save/fighter.hpp>
#include <tests/support/scarce_memory.hpp>
#include <tests/support/text_observer.hpp>

#include <doctest/doctest.h>

#include <cstring>
#include <stdexcept>

using namespace std::chrono_literals;
using hsm::result;
using test::fighter;
using test::hit;
using test::shout;
using test::stance;

namespace {

struct arena {
    hsm::chart<fighter> chart = test::fighter_chart();
    fighter f, g;
    hsm::instance<fighter> agent{chart, f};
    hsm::instance<fighter> other{chart, g};

    /// In the middle of a slash, with something of everything.
    void fight() {
        agent.start();
        agent.tick(40ms);
        agent.process(hit{1});
        agent.tick(10ms);
        agent.process(hit{2});
        combo_of(agent, f) = {3, 1.5, "a word that does not fit into the string itself", {4, 5}};
        agent.pulse("CanWalk");
        agent.tick(30ms);
        agent.process(shout{"pending"});
        agent.post(hit{9});
        agent.post("wake");
        agent.set_time_scale(2);
    }
};

} // namespace

TEST_CASE("another instance that is restored continues like the saved one") {
    arena a;
    a.fight();
    const auto image = hsm::save(a.agent);
    CHECK(image.size() == hsm::image_size(a.agent));
    CHECK(hsm::restore(a.other, image) == result::taken);
    CHECK(hsm::save(a.other) == image);
    for (auto* const each : {&a.agent, &a.other}) {
        CHECK(each->path_of_leaves() == "fighter/fight/legs/stand, fighter/fight/arms/slash");
        CHECK(each->now() == 80ms);
        CHECK(each->time_scale() == 2);
        CHECK(each->time_in_state("slash") == 30ms);
        CHECK(each->queued() == 2);
        auto& mine = combo_of(*each, each == &a.agent ? a.f : a.g);
        CHECK(mine.hits == 3);
        CHECK(mine.marks == std::vector{4, 5});
        each->tick(50ms); // 180 ms: it holds
        CHECK(each->is_in("slash"));
        each->tick(50ms);
        CHECK(each->is_in("rest"));
    }
    CHECK(a.f.last == "pending");
    CHECK(a.g.last == "pending");
}

TEST_CASE("an instance is restored to its earlier state") {
    arena a;
    a.fight();
    const auto image = hsm::save(a.agent);
    a.agent.tick(500ms);
    a.agent.process("stun");
    CHECK(a.agent.path_of_leaves() == "fighter/stunned");
    hsm::restore(a.agent, image);
    CHECK(a.agent.path_of_leaves() == "fighter/fight/legs/stand, fighter/fight/arms/slash");
    CHECK(hsm::save(a.agent) == image);
}

TEST_CASE("a restored instance with carry_over continues at the times of the saved one") {
    auto root = hsm::make_fsm<fighter>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    a.to(b).after(100ms);
    b.to(a).after(100ms);
    const auto chart = hsm::compile(std::move(root), {.carry_over = true});
    fighter f, g;
    hsm::instance agent{chart, f}, other{chart, g};
    agent.start();
    agent.tick(130ms);
    CHECK(hsm::restore(other, hsm::save(agent)) == result::taken);
    for (auto* const each : {&agent, &other}) {
        each->tick(290ms); // 200, 300, 400
        CHECK(each->is_in("A"));
        CHECK(each->time_in_state() == 20ms);
    }
    CHECK(hsm::save(other) == hsm::save(agent));
}

TEST_CASE("an image contains history and deferred events") {
    arena a;
    a.agent.start();
    a.agent.process(hit{});
    a.agent.set("CanWalk");
    a.agent.process(stance::high);
    a.agent.process("stun");
    hsm::restore(a.other, hsm::save(a.agent));
    a.other.process("wake");
    CHECK(a.other.path_of_leaves() == "fighter/fight/legs/walk, fighter/fight/arms/guard");

    a.other.process("stun");
    a.other.process(stance::low);
    CHECK(a.other.process(shout{"for later"}) == result::deferred);
    hsm::restore(a.agent, hsm::save(a.other));
    CHECK(a.agent.process(hit{}) == result::taken);
    CHECK(a.f.last == "for later");
}

TEST_CASE("inactive instances and instances that were never started can be saved") {
    arena a;
    const auto fresh = hsm::save(a.other);
    a.fight();
    hsm::restore(a.agent, fresh);
    CHECK_FALSE(a.agent.active());
    CHECK(a.agent.queued() == 0);
    CHECK(a.agent.now() == 0ms);
    CHECK(a.agent.start() == result::taken);
    CHECK(a.agent.path_of_leaves() == "fighter/idle");
}

TEST_CASE("save and restore in a hook return busy") {
    struct self {
        hsm::instance<self>* agent = nullptr;
        std::vector<std::byte> image;
    };
    auto root = hsm::make_fsm<self>("R");
    root->add("A").on<hit>().then([](self& s) {
        CHECK(hsm::save(*s.agent).empty());
        CHECK(hsm::image_size(*s.agent) == 0);
        std::byte some[200];
        CHECK(hsm::save(*s.agent, some).outcome == result::busy);
        CHECK(hsm::restore(*s.agent, s.image) == result::busy);
    });
    const auto chart = hsm::compile(std::move(root));
    self s;
    hsm::instance agent{chart, s};
    s.agent = &agent;
    s.image = hsm::save(agent);
    agent.start();
    CHECK(agent.process(hit{}) == result::internal);
}

TEST_CASE("save writes to your memory, which must be large enough and needs no alignment") {
    arena a;
    a.fight();
    const auto size = hsm::image_size(a.agent);
    std::vector<std::byte> memory(size + 1);
    CHECK_THROWS_WITH(hsm::save(a.agent, std::span(memory).first(size - 1)), doctest::Contains("HSM-352 error at fighter: the image takes"));
    const auto [outcome, written] = hsm::save(a.agent, std::span(memory).subspan(1));
    CHECK(outcome == result::taken);
    CHECK(written == size);
    CHECK(hsm::restore(a.other, std::span(memory).subspan(1)) == result::taken);
    CHECK(hsm::save(a.other) == hsm::save(a.agent));
}

TEST_CASE("no image is larger than the maximum size") {
    arena a;
    const auto most = hsm::most_image_size(a.agent);
    CHECK(hsm::image_size(a.agent) < most);
    a.fight();
    CHECK(hsm::most_image_size(a.agent) == most);
    while (a.agent.post(hit{}) == result::queued) {
    }
    CHECK(hsm::image_size(a.agent) < most);
}

TEST_CASE("bytes that are not an image of the chart are refused, and change nothing") {
    arena a;
    a.fight();
    const auto image = hsm::save(a.agent);
    const auto refused_with = [&](std::span<const std::byte> bytes) {
        const auto before = hsm::save(a.other);
        std::string text;
        try {
            hsm::restore(a.other, bytes);
        } catch (const hsm::save_error& e) {
            text = e.what();
        }
        CHECK(hsm::save(a.other) == before);
        return text;
    };
    CHECK(refused_with({}) ==
          "HSM-353 error at fighter: this is not an image from this version of the library; hint: restore an image that save wrote");
    const auto larger = test::fighter_chart([](auto& root) { root.add("more"); });
    fighter f;
    hsm::instance stranger{larger, f};
    CHECK(refused_with(hsm::save(stranger)) ==
          "HSM-354 error at fighter: the image belongs to another chart; hint: use a document: it can be restored into another chart");
    for (std::size_t size = 1; size < image.size(); ++size) CHECK_FALSE(refused_with(std::span(image).first(size)).empty());

    hsm::instance full{a.chart, f, {.posted_queue = 1}};
    CHECK_THROWS_WITH(hsm::restore(full, image), doctest::Contains("HSM-356 error at fighter: the posted queue has no room"));
    CHECK_FALSE(full.active());
}

TEST_CASE("a checksum detects each altered bit") {
    arena a;
    a.fight();
    const auto image = hsm::save(a.agent, {.checksum = true});
    CHECK(hsm::restore(a.other, image) == result::taken);
    CHECK(hsm::save(a.other, {.checksum = true}) == image);
    for (std::size_t bit = 0; bit < image.size() * 8; ++bit) {
        auto altered = image;
        altered[bit / 8] ^= std::byte(1) << bit % 8;
        CHECK_THROWS_AS(hsm::restore(a.other, altered), hsm::save_error);
    }
}

TEST_CASE("without a checksum, an altered image is refused, or restores a legal state") {
    arena a;
    a.fight();
    combo_of(a.agent, a.f).last = "short";
    const auto image = hsm::save(a.agent);
    int legal = 0;
    for (std::size_t bit = 0; bit < image.size() * 8; ++bit) {
        auto altered = image;
        altered[bit / 8] ^= std::byte(1) << bit % 8;
        try {
            hsm::restore(a.other, altered);
            ++legal;
            CAPTURE(bit / 8);
            CHECK(hsm::save(a.other) == altered);
            a.other.tick(1ms);
        } catch (const hsm::save_error&) {
        } catch (const hsm::chain_error&) { // a timer that is due long ago
        }
    }
    CHECK(legal > 100);
}

namespace {
/// With another head: whatever a save has written there.
template <class Change> std::vector<std::byte> with_head(std::vector<std::byte> image, const Change& change) {
    hsm::detail::image_head head;
    std::memcpy(&head, image.data(), sizeof head);
    change(head);
    std::memcpy(image.data(), &head, sizeof head);
    return image;
}
} // namespace

TEST_CASE("the head of an image must match the rest") {
    using head = hsm::detail::image_head;
    arena a;
    const auto idle = hsm::save(a.agent); // not active
    const auto refused = [&](hsm::instance_base& agent, const std::vector<std::byte>& image, const char* why) {
        const auto before = hsm::save(agent);
        CHECK_THROWS_WITH(hsm::restore(agent, image), doctest::Contains(why));
        CHECK(hsm::save(agent) == before);
    };
    refused(a.other, with_head(idle, [](head& h) { h.deferred = 1; }), "the machine is inactive, but has waiting work");
    refused(a.other, with_head(idle, [](head& h) { h.internal = 1; }), "the machine is inactive, but has waiting work");
    refused(a.other, with_head(idle, [](head& h) { h.posted = 1; }), "the machine is inactive, but has waiting work");
    a.fight();
    refused(a.other, with_head(hsm::save(a.agent), [](head& h) { h.due = 1; }), "the list of due states is not complete");

    auto root = hsm::make_fsm<fighter>("R"); // without regions there is no order
    auto& inner = root->add_fsm("M");
    inner.add("A").to(inner.add_final("F")).on<hit>();
    inner.to(root->add("B")).on_finished();
    const auto chart = hsm::compile(std::move(root));
    fighter f;
    hsm::instance agent{chart, f};
    agent.start();
    auto longer = with_head(hsm::save(agent), [](head& h) { h.due = 1, h.size += sizeof(std::uint16_t); });
    longer.resize(longer.size() + sizeof(std::uint16_t));
    refused(agent, longer, "the list of due states is not complete");
}

TEST_CASE("check_saveable lists all classes that cannot be saved, and save refuses them") {
    struct opaque {
        std::string text;
    };
    struct padded {
        char letter = 'a';
        int number = 0;
    };
    auto root = hsm::make_fsm<fighter>("R");
    root->add("A").local<opaque>().local<padded>().local<test::pause>();
    root->on<shout>().then([](fighter&) {});
    const auto chart = hsm::compile(std::move(root));
    const auto of_images = hsm::check_saveable(chart, hsm::saving::image);
    CHECK(of_images.size() == 2);
    CHECK(of_images[0].path == "R/A");
    CHECK(of_images[0].where.to_string() == chart.view().find("A").where().to_string());
    const auto place = chart.view().transition(0).where().to_string();
    CHECK(of_images[1].to_string() ==
          (place.empty() ? "" : place + ": ") +
              "HSM-351 error at R: the event test::shout cannot be saved: it is not trivially copyable and has no serialize; "
              "hint: write serialize(archive, value) for it, and call hsm::serializes<...>(definition)");
    const auto of_documents = hsm::check_saveable(chart, hsm::saving::document);
    CHECK(of_documents.size() == 3);
    const auto problem_of_padded = [&](hsm::saving purpose) { return hsm::check_saveable(chart, purpose)[1].problem; };
    CHECK(problem_of_padded(hsm::saving::document)
              .ends_with("padded cannot be written to a document: it contains floating-point numbers or padding and has no serialize"));
    CHECK(problem_of_padded(hsm::saving::hash)
              .ends_with("padded cannot be hashed or compared: it contains floating-point numbers or padding and has no serialize"));
    CHECK(hsm::check_saveable(test::fighter_chart(), hsm::saving::document).empty());
    fighter f;
    hsm::instance agent{chart, f};
    CHECK_THROWS_WITH(static_cast<void>(hsm::save(agent)), doctest::Contains("HSM-351"));
}

namespace {
struct made_of_words {
    explicit made_of_words(std::string given) : words(std::move(given)) {}
    std::string words;
};
template <class A> void serialize(A& archive, made_of_words& m) { archive("words", m.words); }
} // namespace

TEST_CASE("check_saveable reports an event without a default constructor") {
    auto root = hsm::make_fsm<fighter>("R");
    root->add("A");
    root->on<made_of_words>().then([](fighter&) {});
    hsm::serializes<made_of_words>(*root);
    const auto found = hsm::check_saveable(hsm::compile(std::move(root)), hsm::saving::image);
    REQUIRE(found.size() == 1);
    CHECK(found[0].problem.ends_with("it is not trivially copyable and has no default constructor"));
    CHECK(found[0].hint == "add a default constructor");
}

namespace {
/// Its copy constructor throws when the test requests it.
struct fragile {
    explicit fragile(bool* is) : fails(is) {}
    fragile(const fragile& other) : fails(other.fails), text(other.text) {
        if (fails && *fails) throw std::runtime_error("no copy");
    }
    fragile(fragile&& other) noexcept : fails(other.fails), text(std::move(other.text)) {}
    bool* fails;
    std::string text = "whole";
};
template <class A> void serialize(A& archive, fragile& f) { archive("text", f.text); }
} // namespace

TEST_CASE("a constructor that throws changes nothing") {
    bool fails = false;
    auto root = hsm::make_fsm<fighter>("R");
    auto& a = root->add("A").local<fragile>(&fails);
    auto& b = root->add("B").local<test::combo>();
    a.to(b).on<hit>();
    b.to(a).on(stance::low);
    hsm::serializes<fragile, test::combo>(*root);
    const auto chart = hsm::compile(std::move(root));
    fighter f;
    hsm::instance agent{chart, f};
    agent.start();
    agent.local<fragile>()->text = "saved";
    const auto image = hsm::save(agent);
    agent.process(hit{});
    agent.local<test::combo>()->hits = 5;
    fails = true;
    CHECK_THROWS_WITH(hsm::restore(agent, image), "no copy");
    CHECK(agent.local<test::combo>()->hits == 5);
    fails = false;
    hsm::restore(agent, image);
    CHECK(agent.local<fragile>()->text == "saved");
}

TEST_CASE("observers are notified of a restore") {
    arena a;
    a.fight();
    const auto image = hsm::save(a.agent);
    test::text_observer log;
    const auto attached = a.other.attach(log);
    log.take();
    hsm::restore(a.other, image);
    CHECK(log.take() == "call restore, is 4 of 2 (restored), more 1, -> taken");
    hsm::restore(a.other, image);
    CHECK(log.take() == "call restore, dropped 0 over, dropped 1 over, dropped 4 over, is 4 of 2 (restored), more 1, -> taken");
}

TEST_CASE("a restore replaces the mail by the saved mail") {
    arena a;
    hsm::instance agent{a.chart, a.f, {.mailbox = 3}}, other{a.chart, a.g, {.mailbox = 3}}, none{a.chart, a.g};
    for (auto* const each : {&agent, &other}) each->start();
    agent.mailbox().post(shout{"one"});
    agent.mailbox().post(hit{});
    const auto image = hsm::save(agent);
    for (int i = 0; i < 3; ++i) other.mailbox().post("stun");
    CHECK(hsm::restore(other, image) == result::taken);
    CHECK(other.queued() == 2);
    CHECK(hsm::save(other) == image);
    CHECK(other.mailbox().post("stun") == result::queued);
    CHECK(other.mailbox().post("stun") == result::full);
    other.tick(0ms); // the shout is deferred, and recalled when a hit has led into a fight
    CHECK(other.is_in("stunned"));
    CHECK(a.g.last == "one");
    CHECK_THROWS_WITH(hsm::restore(none, image), doctest::Contains("HSM-356 error at fighter: there is no mailbox for the saved events"));
}

TEST_CASE("an agent of a crowd and an instance have equal images") {
    arena a;
    a.fight();
    hsm::crowd<fighter> herd(a.chart);
    const auto first = herd.add(fighter{}), second = herd.add(fighter{});
    const auto image = hsm::save(a.agent);
    CHECK(hsm::restore(*herd[second], image) == result::taken);
    CHECK(hsm::save(*herd[second]) == image);
    CHECK(herd[first]->path_of_leaves() == "fighter/idle");
    CHECK(herd[second]->path_of_leaves() == "fighter/fight/legs/stand, fighter/fight/arms/slash");
    herd.tick(100ms);
    a.agent.tick(100ms);
    CHECK(hsm::save(*herd[second]) == hsm::save(a.agent));
}

TEST_CASE("saving and restoring trivially copyable parts allocates nothing, also with regions, holds, timers and waiting work") {
    auto root = hsm::make_fsm<fighter>("R");
    auto& idle = root->add("idle").defer<hit>();
    auto& both = root->add_parallel("both").remembers_deep();
    for (const char* const name : {"one", "two", "three"}) {
        auto& machine = both.add_fsm(name);
        auto& a = machine.add("a").local<test::pause>();
        auto& b = machine.add("b").min_duration(100ms);
        a.to(b).on<hit>();
        b.to(a).on("back");
        a.every(20ms).then([](fighter& f) { ++f.shouts; });
    }
    idle.to(both).on("go");
    both.to(idle).on("leave");
    const auto chart = hsm::compile(std::move(root));
    fighter f;
    hsm::instance agent{chart, f, {.internal_queue = 4, .posted_queue = 4, .mailbox = 4}};
    agent.start();
    agent.process(hit{1});
    std::vector<std::byte> early(hsm::image_size(agent));
    hsm::save(agent, early);
    agent.process("go");
    agent.tick(16ms);
    agent.process("back"); // pending: all three hold
    agent.post(hit{2});
    agent.mailbox().post(hit{3});
    std::vector<std::byte> late(hsm::image_size(agent));
    hsm::save(agent, late);
    hsm::restore(agent, early);
    hsm::restore(agent, late);
    const std::size_t before = test::memory::allocations;
    for (int i = 0; i < 3; ++i) {
        hsm::restore(agent, early);
        hsm::restore(agent, late);
        hsm::save(agent, late);
    }
    CHECK(test::memory::allocations == before);
    CHECK(agent.queued() == 2);
}
