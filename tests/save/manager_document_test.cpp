#include <hsm/save/manager_document.hpp>

#include <hsm/save/manager_image.hpp>
#include <tests/save/house.hpp>
#include <tests/save/replaced.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace std::chrono_literals;
using namespace test;
using hsm::result;

namespace {

struct fixed {
    fixed() = default;
    fixed(const fixed&) = delete;
    int left = 7;
};
template <class A> void serialize(A& archive, fixed& f) { archive("left", f.left); }

} // namespace

TEST_CASE("a document restores machines, their order, times and contexts") {
    house h, other;
    h.add_lamp("hall").use_real_time();
    h.add_door("front");
    h.machines.create("idle", h.doors_chart, h.doors["idle"]);
    h.machines.broadcast("push");
    h.machines.update(60ms, 16ms);
    h.doors["front"].sign = "welcome";
    h.lamps["hall"].burnt = 77;
    const auto text = hsm::save_document(h.machines, h.kinds);
    other.add_door("gone");
    const auto front = other.add_door("front");
    const auto [outcome, changes] = hsm::restore_document(other.machines, other.kinds, text, {.strict = true});
    CHECK(outcome == result::taken);
    CHECK(changes.empty());
    CHECK(front);
    CHECK(other.names() == "hall lamp/on, front door/open, idle -, ");
    CHECK(other.machines.get("hall").uses_real_time());
    CHECK(other.machines.elapsed() == 60ms);
    CHECK(other.lamps["hall"].burnt == 77);
    CHECK(other.doors["front"].sign == "welcome");
    CHECK(hsm::hash(other.machines, other.kinds) == hsm::hash(h.machines, h.kinds));
    CHECK(hsm::save_document(other.machines, other.kinds) == text);
    for (auto* each : {&h, &other}) each->machines.update(40ms);
    CHECK(other.names() == "hall lamp/on, front door/shut, idle -, ");
}

TEST_CASE("the document of a manager has this exact text") {
    house h;
    h.add_lamp("hall");
    auto text = hsm::save_document(h.machines, h.kinds);
    const auto at = text.find("\"fingerprint\": \"") + 16;
    text.erase(at, text.find('"', at) - at);
    CHECK(text == R"({
  "hsm": "manager",
  "version": 1,
  "elapsed": 0,
  "real_elapsed": 0,
  "machines": [
    {
      "name": "hall",
      "kind": "lamp",
      "chart": "lamp",
      "fingerprint": "",
      "clock": 0,
      "machine": {
        "initialized": true,
        "active": [
          "lamp/off"
        ],
        "states": {
          "lamp": {
            "for": 0
          },
          "lamp/off": {
            "for": 0
          }
        }
      },
      "context": "00000000"
    }
  ]
}
)");
}

TEST_CASE("parts that do not fit are reported, and strict restore changes nothing") {
    house h;
    h.add_lamp("hall");
    h.add_door("front");
    const auto before = hsm::save(h.machines, h.kinds);
    auto text = hsm::save_document(h.machines, h.kinds);
    text = replaced(text, "\"kind\": \"lamp\"", "\"kind\": \"torch\"");
    text = replaced(text, "\"sign\": \"none\"", "\"colour\": \"red\"");
    try {
        hsm::restore_document(h.machines, h.kinds, text, {.strict = true});
        FAIL("it is refused");
    } catch (const hsm::save_error& e) {
        CHECK(e.findings().size() == 3);
    }
    CHECK(hsm::save(h.machines, h.kinds) == before);
    const auto [outcome, changes] = hsm::restore_document(h.machines, h.kinds, text);
    REQUIRE(changes.size() == 3);
    CHECK(changes[0].to_string() ==
          "document:9:15: HSM-363 warning at hall: the factory has no machines of the kind \"torch\": the machine is left out");
    CHECK(changes[1].path == "front/context/sign");
    CHECK(changes[2].path == "front/context/colour");
    CHECK(h.names() == "front door/shut, ");
}

TEST_CASE("an invalid document of machines is refused, and changes nothing") {
    house h;
    h.add_lamp("hall");
    h.add_door("front");
    const auto text = hsm::save_document(h.machines, h.kinds);
    h.doors["front"].opened = 3;
    const auto before = hsm::save(h.machines, h.kinds);
    const auto refused = [&](const std::string& bad, const char* why) {
        CHECK_THROWS_WITH(hsm::restore_document(h.machines, h.kinds, bad), doctest::Contains(why));
        CHECK(hsm::save(h.machines, h.kinds) == before);
    };
    refused("{}", "HSM-361");
    refused(replaced(text, "\"manager\"", "\"instance\""), "HSM-361 error: this is not a document of a manager, but of an instance; hint");
    refused(replaced(text, "\"name\": \"front\"", "\"name\": \"hall\""), "another machine has this name");
    refused(replaced(text, "\"name\": \"front\"", "\"name\": \"\""), "a machine needs a name");
    refused(replaced(text, "\"00000000\"", "\"0000000\""), "it must be 4 bytes");
    refused(replaced(text, "\"opened\": 0", "\"opened\": \"x\""), "document:");
    refused(replaced(text, "\"elapsed\": 0", "\"elapsed\": -1"), "it is -1, but must be 0 or more");
    for (std::size_t i = 0; i + 1 < text.size(); ++i) {
        CHECK_THROWS_AS(hsm::restore_document(h.machines, h.kinds, text.substr(0, i)), hsm::save_error);
        for (const char c : {'"', '9', '}', 'a'}) {
            auto altered = text;
            altered[i] = c;
            try {
                hsm::restore_document(h.machines, h.kinds, altered);
                hsm::manager third;
                hsm::restore(third, h.kinds, hsm::save(h.machines, h.kinds)); // something legal
            } catch (const hsm::save_error&) {
                CHECK(h.machines.count() > 0);
            }
            hsm::restore(h.machines, h.kinds, before);
        }
    }
    CHECK(hsm::save(h.machines, h.kinds) == before);
}

TEST_CASE("documents contain only contexts that can be copied") {
    auto root = hsm::make_fsm<fixed>("fixed");
    root->add("a");
    const auto chart = hsm::compile(std::move(root));
    fixed context;
    hsm::machine_factory kinds;
    kinds.add("fixed", chart, [&](std::string_view) -> fixed& { return context; });
    hsm::manager machines;
    machines.create("m", chart, context).start();
    CHECK_THROWS_WITH(static_cast<void>(hsm::save_document(machines, kinds)), doctest::Contains("HSM-351 error at fixed: the context "));
    const auto image = hsm::save(machines, kinds);
    context.left = 3;
    CHECK(hsm::restore(machines, kinds, image) == result::taken); // read in place
    CHECK(context.left == 7);
    hsm::machine_factory without;
    without.add("fixed", chart, [&](std::string_view) -> fixed& { return context; }, {.saves_contexts = false});
    const auto text = hsm::save_document(machines, without);
    CHECK(text.find("left") == text.npos);
    CHECK(hsm::restore_document(machines, without, text).outcome == result::taken);
}
