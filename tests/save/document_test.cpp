#include <hsm/save/document.hpp>

#include <hsm/chart/detail/chart_text.hpp>
#include <hsm/observe/recorder.hpp>
#include <hsm/save/difference.hpp>
#include <hsm/save/hash.hpp>
#include <hsm/save/image.hpp>
#include <tests/save/fighter.hpp>
#include <tests/save/replaced.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

using namespace std::chrono_literals;
using hsm::result;
using test::fighter;
using test::hit;
using test::replaced;
using test::shout;
using test::stance;

namespace {

std::string fight_as_document() {
    const auto chart = test::fighter_chart();
    fighter f;
    hsm::instance agent{chart, f};
    fight(agent, f);
    return hsm::save_document(agent);
}

std::string texts_of(const std::vector<hsm::finding>& findings) {
    std::string text;
    for (const auto& each : findings) text += each.to_string() + '\n';
    return text;
}

} // namespace

TEST_CASE("the names of a chart stay valid after the observed instance that created them") {
    const auto chart = test::fighter_chart();
    std::string text;
    {
        hsm::recorder seen(16);
        fighter f;
        hsm::instance agent{chart, f};
        const auto attached = agent.attach(seen);
        fight(agent, f);
        text = hsm::save_document(agent);
    }
    fighter g;
    hsm::instance other{chart, g};
    CHECK(hsm::restore_document(other, text).outcome == result::taken);
    CHECK(hsm::save_document(other) == text);
}

TEST_CASE("a document describes an instance by names") {
    auto text = fight_as_document();
    text.replace(text.find("\"fingerprint\""), 50, "");
    CHECK(text == R"({
  "hsm": "instance",
  "version": 1,
  "chart": "fighter",
  
  "clock": 80000000,
  "machine": {
    "initialized": true,
    "time_scale": 1.5,
    "active": [
      "fighter/fight/legs/stand",
      "fighter/fight/arms/slash"
    ],
    "states": {
      "fighter": {
        "for": 80000000
      },
      "fighter/fight": {
        "for": 40000000
      },
      "fighter/fight/legs": {
        "for": 40000000
      },
      "fighter/fight/legs/stand": {
        "for": 40000000
      },
      "fighter/fight/arms": {
        "for": 40000000
      },
      "fighter/fight/arms/slash": {
        "for": 30000000,
        "timers": {
          "least duration": {
            "in": 170000000
          },
          "after -> fighter/fight/arms/guard": {
            "in": 470000000
          }
        },
        "locals": {
          "test::combo": {
            "hits": 3,
            "reach": 1.5,
            "last": "none",
            "marks": [
              4,
              5
            ]
          }
        }
      }
    },
    "conditions": {
      "CanWalk": "on"
    },
    "pending": [
      {
        "transition": "fighter/fight/arms/slash -> fighter/fight/arms/rest on test::shout",
        "value": {
          "word": "pending"
        }
      }
    ],
    "posted": [
      {
        "event": "test::hit",
        "value": "09000000"
      },
      {
        "event": "high of test::stance",
        "value": 1
      },
      {
        "event": "wake"
      }
    ]
  }
}
)");
}

TEST_CASE("a document restores the saved state") {
    const auto chart = test::fighter_chart();
    fighter f, g;
    hsm::instance agent{chart, f}, other{chart, g};
    fight(agent, f);
    const auto [outcome, changes] = hsm::restore_document(other, hsm::save_document(agent), {.strict = true});
    CHECK(outcome == result::taken);
    CHECK(changes.empty());
    CHECK(hsm::save(other) == hsm::save(agent));
    CHECK(hsm::hash(other) == hsm::hash(agent));
    CHECK(hsm::difference(agent, other).empty());
}

namespace {
/// Yesterday `duel` was called `fight`; `stand` is gone, `kneel` is new.
hsm::chart<fighter> todays_chart() {
    auto root = hsm::make_fsm<fighter>("fighter");
    auto& idle = root->add("idle");
    auto& duel = root->add_parallel("duel").was("fight");
    auto& legs = duel.add_fsm("legs");
    legs.add("kneel");
    legs.add("walk");
    auto& arms = duel.add_fsm("arms");
    auto& guard = arms.add("guard");
    auto& slash = arms.add("slash").min_duration(200ms).local<test::combo>();
    auto& rest = arms.add("rest");
    duel.add_fsm("head").add("up");
    idle.to(duel).on<hit>();
    slash.to(rest).on<shout>().then([](fighter& f, const shout& s) { f.last = s.word; });
    slash.to(guard).after(500ms);
    root->on(stance::high).then([](fighter&) {});
    slash.on("look").then([](fighter& f, test::combo& c) { f.mine = &c; });
    hsm::serializes<test::combo, shout>(*root);
    return hsm::compile(std::move(root));
}
} // namespace

TEST_CASE("a document fits a changed chart: renamed parts are found, missing ones replaced, and a report lists them") {
    const auto text = fight_as_document();
    const auto chart = todays_chart();
    fighter f;
    hsm::instance agent{chart, f};
    const auto [outcome, changes] = hsm::restore_document(agent, text);
    CHECK(outcome == result::taken);
    CHECK(agent.path_of_leaves() == "fighter/duel/legs, fighter/duel/arms/slash, fighter/duel/head");
    CHECK(combo_of(agent, f).hits == 3);
    CHECK(agent.time_in_state("slash") == 30ms);
    CHECK(agent.queued() == 2);
    const std::string_view notes[] = {
        "document:11:7: HSM-363 warning at fighter/active/0: fighter/fight/legs/stand no longer exists: fighter/duel/legs replaces it and "
        "chooses its initial state",
        "document:12:7: HSM-363 warning at fighter/active/1: fighter/fight/arms/slash is now fighter/duel/arms/slash",
        "document:54:18: HSM-363 warning at fighter/conditions/CanWalk: this condition no longer exists",
        "document:24:35: HSM-363 warning at fighter/states/fighter/fight/legs/stand: fighter/fight/legs/stand is no longer active: its data is "
        "dropped",
        "document:10:15: HSM-363 warning at fighter/duel/head: it was not active before; it is restored as if it had just been entered",
        "document:74:18: HSM-363 warning at fighter/posted/2/event: no transition waits for this event any longer: the event is dropped",
    };
    REQUIRE(changes.size() == std::size(notes));
    for (std::size_t i = 0; i < changes.size(); ++i) CHECK(changes[i].to_string() == notes[i]);
    agent.tick(1ms);
    CHECK(agent.path_of_leaves() == "fighter/duel/legs/kneel, fighter/duel/arms/slash, fighter/duel/head/up");
    agent.tick(200ms);
    CHECK(agent.is_in("rest"));
    CHECK(f.last == "pending");
}

namespace {
namespace v1 {
struct combo {
    int hits = 0;
};
template <class A> void serialize(A& archive, combo& c) { archive("hits", c.hits); }
} // namespace v1
namespace v3 {
struct combo {
    int hits = 0, reach = 7;
};
template <class A> void serialize(A& archive, combo& c) { archive("hits", c.hits)("reach", c.reach); }
struct stamina {
    int hits = 0;
};
template <class A> void serialize(A& archive, stamina& s) { archive("hits", s.hits); }
} // namespace v3

/// The full name of a class in this file, as documents have it.
std::string name_in_documents(const char* end) {
    std::string name = hsm::detail::common_form(hsm::detail::local_type_of<v1::combo>.name);
    return name.replace(name.rfind("v1::combo"), std::string::npos, end);
}

template <class... Locals> hsm::fsm<fighter>& add_swing(hsm::fsm<fighter>& root) {
    auto& swing = root.add("swing");
    (swing.template local<Locals>(), ...);
    auto& other = root.add("other"); // whose locals have the same classes
    (other.template local<Locals>(), ...);
    return hsm::serializes<Locals...>(root), root;
}
} // namespace

TEST_CASE("a document finds a local by a former name of its class") {
    auto before = hsm::make_fsm<fighter>("R"), after = hsm::make_fsm<fighter>("R"), unknown = hsm::make_fsm<fighter>("R");
    add_swing<v1::combo>(*before);
    add_swing<v3::stamina, v3::combo>(*after).about_local<v3::combo>().was("v0::combo").was(name_in_documents("v1::combo"));
    add_swing<v3::stamina, v3::combo>(*unknown).about_local<v3::combo>().was("v0::combo");
    const auto yesterday = hsm::compile(std::move(before)), today = hsm::compile(std::move(after)), other = hsm::compile(std::move(unknown));
    fighter f;
    hsm::instance agent{yesterday, f}, renamed{today, f}, lost{other, f};
    agent.start();
    agent.local<v1::combo>()->hits = 3;
    const auto text = hsm::save_document(agent);
    const auto added = hsm::restore_document(renamed, text).changes;
    REQUIRE(added.size() == 1);
    CHECK(added[0].to_string().ends_with("v1::combo/reach: it is missing, and its value is unchanged"));
    CHECK(renamed.local<v3::combo>()->hits == 3);
    CHECK(renamed.local<v3::combo>()->reach == 7);
    CHECK(renamed.local<v3::stamina>()->hits == 0);
    CHECK(hsm::save_document(renamed).find("v1::combo") == std::string::npos);
    const auto changes = hsm::restore_document(lost, text).changes;
    REQUIRE(changes.size() == 1);
    CHECK(changes[0].problem == "the state no longer has this local");
    CHECK(lost.local<v3::combo>()->hits == 0);
}

TEST_CASE("the data of a local's present class comes before that of a former class") {
    auto before = hsm::make_fsm<fighter>("R"), after = hsm::make_fsm<fighter>("R");
    add_swing<v3::combo, v1::combo>(*before);
    add_swing<v3::combo>(*after).about_local<v3::combo>().was(name_in_documents("v1::combo"));
    const auto yesterday = hsm::compile(std::move(before)), today = hsm::compile(std::move(after));
    fighter f;
    hsm::instance agent{yesterday, f}, restored{today, f};
    agent.start();
    agent.local<v1::combo>()->hits = 3;
    agent.local<v3::combo>()->hits = 5;
    const auto changes = hsm::restore_document(restored, hsm::save_document(agent)).changes;
    REQUIRE(changes.size() == 1);
    CHECK(changes[0].problem == "the state no longer has this local");
    CHECK(restored.local<v3::combo>()->hits == 5);
}

TEST_CASE("documents and images contain requests to leave: a restored machine makes none again") {
    auto root = hsm::make_fsm<fighter>("R");
    auto& m = root->add_fsm("M").hold().on_leave_requested([](fighter& f) { ++f.shouts; });
    auto& a = m.add("A");
    a.to(root->add("B")).on<shout>();
    m.to("B").when([](const fighter&) { return true; });
    hsm::serializes<shout>(*root);
    const auto chart = hsm::compile(std::move(root));
    fighter f, g;
    hsm::instance agent{chart, f}, by_document{chart, g}, by_image{chart, g}, not_requested{chart, g};
    agent.start();
    not_requested.start();
    agent.process(shout{"pending"});
    agent.tick(1ms);
    REQUIRE(f.shouts == 2);
    const auto text = hsm::save_document(agent);
    CHECK(text.find("\"requests\": [\n          \"R/M -> R/B\"\n        ]") != std::string::npos);
    CHECK(text.find("\"requested\": [\n          \"R/M\"\n        ]") != std::string::npos);
    CHECK(hsm::restore_document(by_document, text, {.strict = true}).changes.empty());
    hsm::restore(by_image, hsm::save(agent));
    for (auto* each : {&by_document, &by_image}) {
        CHECK(hsm::save(*each) == hsm::save(agent));
        CHECK(hsm::hash(*each) == hsm::hash(agent));
        each->process(shout{"again"});
        each->tick(1ms);
        CHECK(g.shouts == 0);
    }
    auto image = hsm::save(not_requested);
    image[image.size() - 8] = std::byte(1); // nothing is pending
    CHECK_THROWS_AS(hsm::restore(by_image, image), hsm::save_error);
    image[image.size() - 8] = std::byte(0x80); // the chart has fewer requests
    CHECK_THROWS_AS(hsm::restore(by_image, image), hsm::save_error);
}

TEST_CASE("a computed delay is not computed while restoring, and a report lists it") {
    auto before = hsm::make_fsm<fighter>("R");
    before->add_parallel("P").add_fsm("X").add("A");
    auto after = hsm::make_fsm<fighter>("R");
    auto& p = after->add_parallel("P");
    p.add_fsm("X").add("A");
    auto& y = p.add("Y");
    y.every([](const fighter&) { return 5ms; }).then([](fighter& f) { ++f.shouts; });
    const auto yesterday = hsm::compile(std::move(before)), today = hsm::compile(std::move(after));
    fighter f;
    hsm::instance agent{yesterday, f}, other{today, f};
    agent.start();
    const auto [outcome, changes] = hsm::restore_document(other, hsm::save_document(agent));
    REQUIRE(changes.size() == 2);
    CHECK(changes[1].to_string() == "document:9:15: HSM-363 warning at R/P/Y/every: a function determines the time of this timer when the state is "
                                    "entered; after this restore, the timer never elapses");
    other.tick(1s);
    CHECK(f.shouts == 0);
}

TEST_CASE("strict restore refuses a changed chart") {
    const auto text = fight_as_document();
    const auto chart = todays_chart();
    fighter f;
    hsm::instance agent{chart, f};
    agent.start();
    try {
        hsm::restore_document(agent, text, {.strict = true});
        FAIL("it was restored");
    } catch (const hsm::save_error& e) {
        CHECK(e.number() == hsm::code::changed_chart);
        CHECK(e.findings().size() == 6);
        CHECK(e.findings().front().hint == "with strict, the document must fit the chart exactly: restore it without strict");
    }
    CHECK(agent.path_of_leaves() == "fighter/idle");
}

namespace {
/// What restoring it says.
std::string complaint_about(const std::string& text, const hsm::document_options& how = {}) {
    static const auto chart = test::fighter_chart();
    fighter f;
    hsm::instance agent{chart, f};
    try {
        hsm::restore_document(agent, text, how);
    } catch (const hsm::save_error& e) {
        CHECK_FALSE(agent.active());
        return e.what();
    }
    return "";
}
} // namespace

TEST_CASE("errors are reported with line and column") {
    const auto text = fight_as_document();
    CHECK(complaint_about("") == "document:1:1: HSM-361 error: this is not JSON: the text is empty; hint: restore a document that was saved");
    CHECK(complaint_about("{\n]").starts_with("document:2:1: HSM-361 error: this is not JSON: syntax error while parsing object key"));
    CHECK(complaint_about("[]").find("HSM-361 error: this is not a document of an instance; hint") != std::string::npos);
    CHECK(complaint_about(replaced(text, "\"version\": 1", "\"version\": 2")).find("the document has version 2") != std::string::npos);
    CHECK(complaint_about(replaced(text, "\"hits\": 3", "\"hits\": 3000000000")) ==
          "document:42:21: HSM-362 error at fighter/states/fighter/fight/arms/slash/locals/test::combo/hits: it is 3000000000, but must be "
          "-2147483648 to 2147483647; hint: restore a document that was saved");
    CHECK(complaint_about(replaced(text, "\"hits\": 3", "\"hits\": true")).find("it is true or false, but must be an integer") != std::string::npos);
    CHECK(complaint_about(replaced(text, "\"time_scale\": 1.5", "\"time_scale\": -1")).find("document:9:19: HSM-362 error at fighter/time_scale") ==
          0);
    CHECK(complaint_about(replaced(text, "\"conditions\"", "\"konditions\"")).find("this key is unknown") != std::string::npos);
    CHECK(complaint_about(replaced(text, "\"clock\"", "\"version\"")) ==
          "document:6:3: HSM-362 error: \"version\" appears twice; hint: write it once");
    CHECK(complaint_about(replaced(text, "\"09000000\"", "\"090000\"")).find("it must be 4 bytes") != std::string::npos);
    CHECK(complaint_about(replaced(text, "\"fighter/fight/legs/stand\"", "\"monster/fight\"")).find("is in another machine") != std::string::npos);
    CHECK(complaint_about(text, {.most_bytes = 100}).find("the text has more than 100 bytes") != std::string::npos);
    CHECK(complaint_about(text, {.most_depth = 4}).find("objects and lists are nested more than 4 levels deep") != std::string::npos);
    CHECK(complaint_about(std::string(100'000, '[')).find("nested more than 64") != std::string::npos);
}

TEST_CASE("missing fields are unchanged, and unknown fields are reported") {
    const auto chart = test::fighter_chart();
    fighter f;
    hsm::instance agent{chart, f};
    auto text = replaced(fight_as_document(), "\"hits\": 3,", "\"strikes\": 3,");
    const auto [outcome, changes] = hsm::restore_document(agent, text);
    CHECK(combo_of(agent, f).hits == 0);
    CHECK(texts_of(changes) ==
          "document:41:26: HSM-363 warning at fighter/states/fighter/fight/arms/slash/locals/test::combo/hits: it is missing, and its "
          "value is unchanged\n"
          "document:42:24: HSM-363 warning at fighter/states/fighter/fight/arms/slash/locals/test::combo/strikes: it is unknown here\n");
}

TEST_CASE("each truncated or altered document is refused, or restores a legal state") {
    const auto chart = test::fighter_chart();
    const auto text = fight_as_document();
    for (std::size_t size = 0; size + 1 < text.size(); ++size) CHECK_FALSE(complaint_about(text.substr(0, size)).empty());
    fighter f;
    hsm::instance agent{chart, f};
    int taken = 0;
    for (std::size_t i = 0; i < text.size(); ++i)
        for (const char c : {'0', '9', ' ', '"', '}', 'a', '\0', '\xff'}) {
            auto altered = text;
            altered[i] = c;
            try {
                hsm::restore_document(agent, altered);
                ++taken;
                CHECK(hsm::image_of(chart, hsm::save_document(agent)).image == hsm::save(agent));
            } catch (const hsm::save_error&) {
            }
        }
    CHECK(taken > 1000);
}

namespace {
enum class tiny : std::int8_t { least = -128 };
enum class huge : std::uint64_t { most = ~std::uint64_t(0) };
struct odd {
    std::string bytes;
    double none = 0, endless = 0;
    std::uint64_t large = 0;
    std::map<std::string, std::vector<std::pair<int, bool>>> map;
    std::optional<std::string> maybe, nothing;
    std::vector<bool> bits;
    float small[2] = {};
    std::chrono::milliseconds time{0};
    hsm::time_span span;
    stance how = stance::low;
    bool yes = false;
};
template <class A> void serialize(A& archive, odd& o) {
    archive("bytes", o.bytes)("none", o.none)("endless", o.endless)("large", o.large)("map", o.map)("maybe", o.maybe)("nothing", o.nothing);
    archive("bits", o.bits)("small", o.small)("time", o.time)("span", o.span)("how", o.how)("yes", o.yes);
}
} // namespace

TEST_CASE("fields of all types are restored exactly, from images and documents") {
    auto root = hsm::make_fsm<fighter>("R");
    root->local<odd>().local<test::pause>();
    root->add("A");
    root->on(tiny::least).then([](fighter&) {});
    root->on(huge::most).then([](fighter&) {});
    hsm::serializes<odd>(*root);
    const auto chart = hsm::compile(std::move(root));
    fighter f;
    hsm::instance agent{chart, f}, other{chart, f}, third{chart, f};
    agent.start();
    auto& o = *agent.local<odd>();
    o = {"\xff\x01 and more",
         std::numeric_limits<double>::quiet_NaN(),
         -std::numeric_limits<double>::infinity(),
         ~std::uint64_t(0),
         {{"a", {{1, true}, {2, false}}}, {"b", {}}},
         "there",
         std::nullopt,
         {true, false, true},
         {0.1f, -1e-30f},
         5ms,
         7ms,
         stance::high,
         true};
    agent.local<test::pause>()->left = -5;
    agent.post(tiny::least);
    agent.post(huge::most);
    hsm::restore(other, hsm::save(agent));
    const auto [outcome, changes] = hsm::restore_document(third, hsm::save_document(agent), {.strict = true});
    for (auto* const each : {&other, &third}) {
        const auto& read = *each->local<odd>();
        CHECK(read.bytes == o.bytes);
        CHECK(read.none != read.none);
        CHECK(read.endless == o.endless);
        CHECK(read.large == o.large);
        CHECK(read.map == o.map);
        CHECK(read.maybe == o.maybe);
        CHECK_FALSE(read.nothing);
        CHECK(read.bits == o.bits);
        CHECK(read.small[0] == 0.1f);
        CHECK(read.small[1] == -1e-30f);
        CHECK(read.time == 5ms);
        CHECK(read.span == 7ms);
        CHECK(read.how == stance::high);
        CHECK(read.yes);
        CHECK(each->local<test::pause>()->left == -5);
        CHECK(hsm::save(*each) == hsm::save(agent));
    }
}

namespace {
struct owner {
    int gold = 0;
    std::string name;
    int* elsewhere = nullptr;
};
template <class A> void serialize(A& archive, owner& o) { archive("gold", o.gold)("name", o.name); }
} // namespace

TEST_CASE("a document contains the context that is passed") {
    auto root = hsm::make_fsm<owner>("R");
    root->add("A").to(root->add("B")).on("go").then([](owner& o) { ++o.gold; });
    const auto chart = hsm::compile(std::move(root));
    int place = 0;
    owner o{7, "anna", &place}, other{1, "bert", &place};
    hsm::instance<owner> agent{chart, o}, second{chart, other};
    agent.start();
    agent.process("go");
    const auto text = hsm::save_document(agent, o);
    CHECK(text.find(R"("gold": 8)") != std::string::npos);
    CHECK(hsm::restore_document(second, other, text).changes.empty());
    CHECK(other.gold == 8);
    CHECK(other.name == "anna");
    CHECK(other.elsewhere == &place);
    CHECK(second.is_in("B"));

    SUBCASE("a missing field is unchanged and reported") {
        auto older = text;
        older.replace(older.find("\"gold\""), 6, "\"gilt\"");
        other.gold = 3;
        const auto changes = hsm::restore_document(second, other, older).changes;
        CHECK(changes.size() == 2);
        CHECK(other.gold == 3);
        CHECK_THROWS_WITH(hsm::restore_document(second, other, older, {.strict = true}), doctest::Contains("HSM-363"));
    }
    SUBCASE("an invalid field changes neither the context nor the machine") {
        auto broken = text;
        broken.replace(broken.find("\"gold\": 8") + 8, 1, "true");
        other.gold = 3;
        second.reset();
        CHECK_THROWS_WITH(hsm::restore_document(second, other, broken), doctest::Contains("context/gold"));
        CHECK(other.gold == 3);
        CHECK(other.name == "anna");
        CHECK_FALSE(second.active());
    }
    SUBCASE("a document without a context leaves the context unchanged") {
        other.gold = 3;
        const auto changes = hsm::restore_document(second, other, hsm::save_document(agent)).changes;
        REQUIRE(changes.size() == 1);
        CHECK(changes[0].to_string().find("at context: the document contains no context") != std::string::npos);
        CHECK(other.gold == 3);
        CHECK(hsm::restore_document(second, text).changes.empty()); // and one with it may be read without
    }
}

TEST_CASE("images and documents contain the previous substate") {
    struct nothing {};
    auto root = hsm::make_fsm<nothing>("R");
    root->add("a");
    root->add("b");
    root->add("c");
    root->add_previous("last");
    for (const auto* const name : {"b", "c", "last"}) root->to(name).on(name);
    const auto chart = hsm::compile(std::move(root));
    nothing none;
    hsm::instance agent{chart, none}, other{chart, none};
    agent.start();
    agent.process("b");
    agent.process("c");
    SUBCASE("image") { hsm::restore(other, hsm::save(agent)); }
    SUBCASE("document") { hsm::restore_document(other, hsm::save_document(agent)); }
    CHECK(hsm::hash(other) == hsm::hash(agent));
    other.process("last");
    CHECK(other.current().path() == "R/b");
    CHECK(hsm::hash(other) != hsm::hash(agent));
    other.process("last");
    CHECK(other.current().path() == "R/c");
}

TEST_CASE("images and documents contain changed and canceled timers") {
    auto root = hsm::make_fsm<fighter>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    const auto timed = a.to(b).after(1s);
    const auto beat = a.every(100ms).then([](fighter& f) { ++f.shouts; });
    const auto gate = a.to(b).on(stance::low).after(1s);
    const auto chart = hsm::compile(std::move(root));
    fighter f;
    hsm::instance agent{chart, f}, by_image{chart, f}, by_document{chart, f};
    agent.start();
    agent.set_time_left(timed, 5s);
    agent.cancel_timer(beat);
    agent.cancel_timer(gate);
    hsm::restore(by_image, hsm::save(agent));
    hsm::restore_document(by_document, hsm::save_document(agent));
    for (auto* each : {&by_image, &by_document}) {
        CHECK(hsm::hash(*each) == hsm::hash(agent));
        CHECK(each->time_left(timed) == hsm::time_span(5s));
        CHECK_FALSE(each->time_left(beat));
        CHECK_FALSE(each->time_left(gate));
        each->restart_timer(beat);
        CHECK(hsm::hash(*each) != hsm::hash(agent));
        CHECK(each->time_left(beat) == hsm::time_span(100ms));
    }
}
