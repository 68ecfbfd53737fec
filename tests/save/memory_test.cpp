// If an allocation fails, a call that saves, restores, hashes or compares throws or has its usual result. After an exception nothing has changed,
// nothing is leaked, and a second call succeeds.

#include <hsm/crowd/crowd_mailbox.hpp>
#include <hsm/hsm.hpp>
#include <hsm/run/mailbox.hpp>
#include <hsm/save.hpp>
#include <tests/support/scarce_memory.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <map>
#include <string>
#include <vector>

using namespace std::chrono_literals;

namespace {

using test::memory::trial;
using test::memory::with_many_shortages;

constexpr const char* long_text = "a text that does not fit into a string itself";

struct note {
    std::string text = long_text;
};
template <class A> void serialize(A& archive, note& n) { archive("text", n.text); }
struct word {
    std::string text;
};
template <class A> void serialize(A& archive, word& w) { archive("text", w.text); }
struct hero {
    int life = 3;
    std::string title = long_text;
};
template <class A> void serialize(A& archive, hero& h) { archive("life", h.life)("title", h.title); }

hsm::chart<hero> hero_chart() {
    auto root = hsm::make_fsm<hero>("R");
    auto& idle = root->add("idle").defer<word>();
    auto& run = root->add<note>("run");
    idle.to(run).on("go");
    run.to(idle).on("rest").then([](hero& h) { --h.life; });
    run.to(idle).after(100ms);
    run.on<word>().then([](hero& h, const word& w) { h.title = w.text; });
    hsm::serializes<note, word>(*root);
    return hsm::compile(std::move(root));
}
const hsm::chart<hero>& chart() {
    static const auto made = hero_chart();
    return made;
}

/// Saved in one state, and now in another.
struct fixture {
    fixture() {
        kinds.add("hero", chart(), [this](std::string_view name) -> hero& { return heroes[std::string(name)]; });
        agent.start();
        agent.process(word{std::string("deferred: ") + long_text});
        ids = {herd.add(hero{}), herd.add(hero{}), herd.add(hero{})};
        machines.create("one", chart(), heroes["one"]).start();
        machines.create(long_text, chart(), heroes[long_text]).start();
        image = hsm::save(agent, {.checksum = true});
        crowd_image = hsm::save(herd);
        machines_image = hsm::save(machines, kinds);
        text = hsm::save_document(agent, h);
        crowd_text = hsm::save_document(herd);
        machines_text = hsm::save_document(machines, kinds);
        agent.process("go");
        agent.post(word{long_text});
        agent.mailbox().post(word{long_text});
        agent.tick(10ms);
        h.life = 1;
        herd[ids[0]]->process("go");
        herd.context(ids[1]).title = "another";
        herd.remove(ids[2]);
        herd.mailbox().post(ids[0], word{long_text});
        herd.tick(10ms);
        machines.remove(long_text);
        machines.find("one")->process("go");
        machines.find("one")->post(word{long_text});
        machines.update(10ms);
        memory.resize(100'000);
    }
    std::string picture() const {
        return hsm::save_document(agent, h) + hsm::save_document(herd) + hsm::save_document(machines, kinds) + std::to_string(kinds.kinds().size());
    }

    hero h;
    hsm::instance<hero> agent{chart(), h, {.internal_queue = 4, .posted_queue = 4, .mailbox = 4}};
    hsm::crowd<hero> herd{chart(), {.agent = {.posted_queue = 2, .mailbox = 4}}};
    std::vector<hsm::agent_id> ids;
    std::map<std::string, hero, std::less<>> heroes;
    hsm::manager machines;
    hsm::machine_factory kinds;
    std::vector<std::byte> image, crowd_image, machines_image, memory;
    std::string text, crowd_text, machines_text;
    std::vector<std::byte> made;
    std::string written;
    std::uint64_t number = 0;
};

struct call {
    const char* header;
    const char* what;
    void (*make)(fixture& w);
};

constexpr call calls[] = {
    {"save/image.hpp", "image_size", [](fixture& w) { w.number = hsm::image_size(w.agent) + hsm::most_image_size(w.agent); }},
    {"save/image.hpp", "save", [](fixture& w) { w.made = hsm::save(w.agent, {.checksum = true}); }},
    {"save/image.hpp", "save into memory", [](fixture& w) { w.number = hsm::save(w.agent, w.memory).size; }},
    {"save/image.hpp", "restore", [](fixture& w) { hsm::restore(w.agent, w.image); }},
    {"save/crowd_image.hpp", "image_size", [](fixture& w) { w.number = hsm::image_size(w.herd); }},
    {"save/crowd_image.hpp", "save", [](fixture& w) { w.made = hsm::save(w.herd); }},
    {"save/crowd_image.hpp", "save into memory", [](fixture& w) { w.number = hsm::save(w.herd, w.memory).size; }},
    {"save/crowd_image.hpp", "restore", [](fixture& w) { hsm::restore(w.herd, w.crowd_image); }},
    {"save/crowd_image.hpp", "hash", [](fixture& w) { w.number = hsm::hash(w.herd); }},
    {"save/crowd_image.hpp", "difference", [](fixture& w) { w.number = hsm::difference(w.herd, w.crowd_image, hsm::save(w.herd)).size(); }},
    {"save/manager_image.hpp", "image_size", [](fixture& w) { w.number = hsm::image_size(w.machines, w.kinds); }},
    {"save/manager_image.hpp", "save", [](fixture& w) { w.made = hsm::save(w.machines, w.kinds); }},
    {"save/manager_image.hpp", "save into memory", [](fixture& w) { w.number = hsm::save(w.machines, w.kinds, w.memory).size; }},
    {"save/manager_image.hpp", "restore", [](fixture& w) { hsm::restore(w.machines, w.kinds, w.machines_image); }},
    {"save/manager_image.hpp", "hash", [](fixture& w) { w.number = hsm::hash(w.machines, w.kinds); }},
    {"save/manager_image.hpp", "difference",
     [](fixture& w) { w.number = hsm::difference(w.kinds, w.machines_image, hsm::save(w.machines, w.kinds)).size(); }},
    {"save/document.hpp", "save_document", [](fixture& w) { w.written = hsm::save_document(w.agent, w.h); }},
    {"save/document.hpp", "restore_document", [](fixture& w) { hsm::restore_document(w.agent, w.h, w.text); }},
    {"save/document.hpp", "document_of", [](fixture& w) { w.written = hsm::document_of(chart(), w.image); }},
    {"save/document.hpp", "image_of", [](fixture& w) { w.made = hsm::image_of(chart(), hsm::document_of(chart(), w.image)).image; }},
    {"save/crowd_document.hpp", "save_document", [](fixture& w) { w.written = hsm::save_document(w.herd); }},
    {"save/crowd_document.hpp", "restore_document", [](fixture& w) { hsm::restore_document(w.herd, w.crowd_text); }},
    {"save/manager_document.hpp", "save_document", [](fixture& w) { w.written = hsm::save_document(w.machines, w.kinds); }},
    {"save/manager_document.hpp", "restore_document", [](fixture& w) { hsm::restore_document(w.machines, w.kinds, w.machines_text); }},
    {"save/hash.hpp", "hash", [](fixture& w) { w.number = hsm::hash(w.agent) + hsm::hash(chart(), w.image) + hsm::hash_of(w.h); }},
    {"save/difference.hpp", "difference", [](fixture& w) { w.number = hsm::difference(chart(), w.image, hsm::save(w.agent)).size(); }},
    {"save/difference.hpp", "difference_of", [](fixture& w) { w.number = hsm::difference_of(w.h, hero{}).size(); }},
    {"save/check_saveable.hpp", "check_saveable", [](fixture& w) { w.number = hsm::check_saveable(chart(), hsm::saving::document).size(); }},
    {"save/machine_factory.hpp", "add",
     [](fixture& w) {
         static const auto other = hero_chart();
         w.kinds.add(long_text, other, [&w](std::string_view) -> hero& { return w.h; });
     }},
};

} // namespace

TEST_CASE("a call that saves, restores or compares is complete or has no effect if an allocation fails") {
    for (const auto& each : calls) {
        CAPTURE(std::string(each.header));
        CAPTURE(std::string(each.what));
        std::string before, after;
        {
            fixture w;
            before = w.picture();
            each.make(w);
            after = w.picture();
        }
        with_many_shortages([&](trial& t) {
            fixture w;
            if (!t.attempt([&] { each.make(w); })) {
                CHECK(w.picture() == before);
                each.make(w);
            }
            CHECK(w.picture() == after);
        });
    }
}
