// Named behavior: the contents of a registry, where they come from, and which files use them.

#include <hsm/hsm.hpp>
#include <hsm/load/xml.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <vector>

namespace {

struct weapon {
    int shots = 0;
};
struct hero {
    int calls = 0;
    bool angry = false;
    weapon left, right;
};
struct hit {};
enum class pose { idle };

/// As in several source files: before and after the registration that they need.
const hsm::registration<hero> early{[](auto& names) { names.guard("angry", &hero::angry); }};
const hsm::registration<weapon> of_weapon{[](auto& names) { names.hook("shoot", [](weapon& w) { ++w.shots; }); }};
const hsm::registration<hero> late{[](auto& names) { names.hook("count", [](hero& h) { ++h.calls; }); }};

std::string text_of(const std::vector<hsm::detail::registered_name>& names) {
    std::string text;
    for (const auto& n : names)
        text += (text.empty() ? "" : ", ") + std::string(to_string(n.kind)) + " " + n.name + (n.context.empty() ? "" : " of " + n.context);
    return text;
}

} // namespace

TEST_CASE("a registry contains the names that registrations of its context add, sorted by kind and name") {
    const hsm::registry<hero> names;
    CHECK(text_of(names.names()) == "hook count of hero, guard angry of hero");
    const hsm::registry<weapon> of_weapons;
    CHECK(text_of(of_weapons.names()) == "hook shoot of weapon");
}

TEST_CASE("the destructor of a registration removes its names") {
    {
        const hsm::registration<hero> passing{[](auto& names) { names.hook("a passing fancy", [](hero&) {}); }};
        CHECK(text_of(hsm::registry<hero>().names()) == "hook a passing fancy of hero, hook count of hero, guard angry of hero");
    }
    CHECK(text_of(hsm::registry<hero>().names()) == "hook count of hero, guard angry of hero");
}

TEST_CASE("calls of a registry add all kinds of names") {
    hsm::registry<hero> names;
    names.update("u", [](hero&, float) {}).action<hit>("flinch", [](hero&, const hit&) {}).delay("d", std::chrono::seconds(1)).local<weapon>("w");
    names.change("c", [](hsm::state_ref, hsm::state_ref, hsm::reason) {});
    names.identifier("idle", pose::idle).event<hit>("hit").event("jump").bit("IsRun", 3).bit("IsJump");
    names.part<weapon>("left", &hero::left).guard("empty", [](const weapon& w) { return w.shots == 0; });
    names.part<weapon>("right", [](hero& h) -> weapon& { return h.right; });
    CHECK(text_of(names.names()) ==
          "hook count of hero, hook shoot of weapon, update u of hero, action flinch of hero, guard angry of hero, "
          "guard empty of weapon, on_change c of hero, delay d of hero, local w of hero, part left of hero, part right of hero, "
          "identifier idle, event hit, event jump, bit IsJump, bit IsRun");
    CHECK(names.repeated().empty()); // two parts of one class share its registrations
}

TEST_CASE("a name that is registered twice is refused, and no file can be loaded") {
    hsm::registry<hero> names;
    names.guard("angry", [](const hero&) { return true; });
    names.hook("angry", [](hero&) {}); // another kind may have the same name
    CHECK(text_of(names.repeated()) == "guard angry of hero");
    const auto loaded = hsm::try_load_xml_text("<Project name='P'><state ID='a'/></Project>", names, "f.xml");
    CHECK(hsm::describe(loaded.problems) == "f.xml: HSM-319 error: the guard \"angry\" is registered more than once; hint: rename one of them\n");
}

TEST_CASE("a registry lists the names that each file used, and the unused ones") {
    hsm::registry<hero> names;
    names.event("jump").event("duck");
    names.part<weapon>("left", &hero::left);
    static_cast<void>(hsm::load_xml_text("<Project name='P'><state ID='a'><to ID='a' event='jump'><condition ID='angry'/></to></state></Project>",
                                         names, "one.xml"));
    CHECK(text_of(names.used_by("one.xml")) == "guard angry of hero, event jump");
    CHECK(text_of(names.used_by("two.xml")) == "");
    static_cast<void>(
        hsm::load_xml_text("<Project name='P'><state ID='a' context='left'><state ID='b' enter='shoot'/></state></Project>", names, "two.xml"));
    CHECK(text_of(names.used_by("two.xml")) == "hook shoot of weapon, part left of hero");
    CHECK(text_of(names.unused()) == "hook count of hero, event duck");
}

TEST_CASE("a loaded definition does not need the registry, and each use of a name has its own copy") {
    auto root = [] {
        hsm::registry<hero> names;
        names.hook("twice", [by = std::vector<int>{2}](hero& h) { h.calls += by[0]; });
        return hsm::load_xml_text("<Project name='P' enter='twice'><state ID='a' enter='twice twice' kind='leaf'/></Project>", names);
    }();
    const auto chart = hsm::compile(std::move(root));
    hero h;
    hsm::instance agent{chart, h};
    agent.start();
    CHECK(h.calls == 6);
}
