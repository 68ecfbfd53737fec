// Without memory, loading, saving and registering have their complete effect or none: each allocation fails once, including the parser's.
//
// Without memory: load/registry.hpp load/xml.hpp reload/reloader.hpp

#include <hsm/hsm.hpp>
#include <hsm/load/xml.hpp>
#include <hsm/reload/reloader.hpp>
#include <tests/support/scarce_memory.hpp>

#include <doctest/doctest.h>
#include <pugixml.hpp>

#include <filesystem>
#include <fstream>
#include <random>
#include <string>

namespace {

using test::memory::counted;
using test::memory::trial;
using test::memory::with_every_shortage;

struct hit {};
struct hero {
    int health = 0;
};
struct bag {
    std::string text = "a text that does not fit into a string itself";
    counted self = {};
};

void fill(hsm::registry<hero>& names) {
    names.guard("a guard with a name that is long", [kept = counted()](const hero& h) { return h.health > 0; });
    names.hook("roar", [kept = counted()](hero&) {}).update("think", [](hero&) {}).action("hurt", [kept = counted()](hero&) {});
    names.local<bag>("bag").delay("soon", 0.5).delay("later", [kept = counted()](const hero&) { return 1.0; });
    names.event<hit>("hit").bit("Go");
}

constexpr const char* text = R"(<Project name="a machine with a name that is long">
  <bit ID="Go"/>
  <state ID="a state with a name that is long" enter="roar" update="think" local="bag">
    <to ID="B"><condition ID="a guard with a name that is long" Priority="2"/></to>
    <to ID="C" event="hit" action="hurt"/>
  </state>
  <state ID="B" remembers="deep">
    <state ID="B1"><to ID="B2" after="soon"/></state>
    <state ID="B2"><to ID="B1" after="later"><all><bit ID="Go"/><any><bit ID="Go"/><condition ID="a guard with a name that is long"/></any></all></to></state>
  </state>
  <state ID="C"/>
</Project>
)";
constexpr const char* wrong = R"(<Project name="M"><state ID="A" enter="none"><to ID="nowhere"/></state><odd/></Project>)";

/// Counts the parser's allocations, too.
struct parser_memory {
    parser_memory() {
        pugi::set_memory_management_functions([](std::size_t size) { return test::memory::get(size, 16); }, test::memory::give_back);
    }
} const of_the_parser;

/// Checks that everything can still be loaded and compiled.
void check_again(const hsm::registry<hero>& names) { CHECK(hsm::compile(hsm::load_xml_text(text, names)).state_count() == 6); }

} // namespace

TEST_CASE("a registry or a name for which there is no memory is not created") {
    const auto objects = counted::alive.load();
    const auto failures = with_every_shortage([](trial& t) {
        t.attempt([] {
            hsm::registry<hero> names;
            fill(names);
        });
    });
    CHECK(failures > 20);
    with_every_shortage([](trial& t) {
        hsm::registry<hero> names;
        const bool done = t.attempt([&] { names.guard("a guard with a name that is long", [kept = counted()](const hero&) { return true; }); });
        CHECK(names.names().size() == done);
        if (!done) fill(names);
    });
    with_every_shortage([](trial& t) { // a name that is registered already
        hsm::registry<hero> names;
        fill(names);
        const auto before = names.names().size();
        const bool done = t.attempt([&] { names.hook("roar", [kept = counted()](hero&) {}); });
        CHECK(names.names().size() == before);
        CHECK(names.repeated().size() == done);
    });
    CHECK(counted::alive == objects);
}

TEST_CASE("a file for which there is no memory is not loaded, and std::bad_alloc is thrown instead of an error of the file") {
    hsm::registry<hero> names;
    fill(names);
    const auto objects = counted::alive.load();
    check_again(names);
    const auto failures = with_every_shortage([&](trial& t) {
        std::size_t problems = 0;
        t.attempt([&] { problems = hsm::try_load_xml_text(text, names).problems.size(); });
        CHECK(problems == 0);
    });
    CHECK(failures > 100);
    with_every_shortage([&](trial& t) { t.attempt([&] { static_cast<void>(hsm::load_xml_text(text, names)); }); });
    with_every_shortage([&](trial& t) {
        std::size_t problems = 0;
        if (t.attempt([&] { problems = hsm::try_load_xml_text(wrong, names).problems.size(); })) CHECK(problems == 3);
    });
    with_every_shortage([&](trial& t) {
        t.attempt([&] {
            try {
                static_cast<void>(hsm::load_xml_text(wrong, names));
            } catch (const hsm::load_error&) {
            }
        });
    });
    check_again(names);
    CHECK(counted::alive == objects);
}

TEST_CASE("loading an existing or missing file on disk without memory throws std::bad_alloc") {
    hsm::registry<hero> names;
    fill(names);
    const auto path = (std::filesystem::temp_directory_path() / ("hsm_memory_test_" + std::to_string(std::random_device()()) + ".xml")).string();
    std::ofstream(path) << text;
    with_every_shortage([&](trial& t) { t.attempt([&] { static_cast<void>(hsm::load_xml(path, names)); }); });
    std::filesystem::remove(path);
    with_every_shortage([&](trial& t) {
        std::size_t problems = 0;
        if (t.attempt([&] { problems = hsm::try_load_xml(path, names).problems.size(); })) CHECK(problems == 1);
    });
}

TEST_CASE("a definition for whose text there is no memory is not saved, and is unchanged") {
    hsm::registry<hero> names;
    fill(names);
    const auto root = hsm::load_xml_text(text, names);
    const auto expected = hsm::save_xml(root);
    with_every_shortage([&](trial& t) {
        std::string saved;
        const bool done = t.attempt([&] { saved = hsm::save_xml(root); });
        if (done) CHECK(saved == expected);
    });
    CHECK(hsm::save_xml(root) == expected);
}

TEST_CASE("queries of a registry without memory change nothing") {
    hsm::registry<hero> names;
    fill(names);
    check_again(names);
    with_every_shortage([&](trial& t) {
        std::size_t found = 0;
        if (t.attempt([&] { found = names.names().size() + names.used_by("(text)").size() + names.unused().size() + names.repeated().size(); }))
            CHECK(found > 8);
    });
}

TEST_CASE("a poll of a reloader without memory changes nothing, and the next one reloads") {
    hsm::registry<hero> names;
    fill(names);
    const auto path = (std::filesystem::temp_directory_path() / ("hsm_reload_test_" + std::to_string(std::random_device()()) + ".xml")).string();
    const std::string old(R"(<Project name="M"><state ID="A" kind="leaf"/><state ID="C" kind="leaf"/></Project>)");
    const std::string edited(R"(<Project name="M"><state ID="C" kind="leaf"/><state ID="D" kind="leaf" local="bag"/></Project>)");
    const int failures = with_every_shortage([&](trial& t) {
        std::ofstream(path) << old;
        hsm::reloader<hero> file(names, path);
        hero h;
        hsm::instance agent{file.chart(), h};
        file.attach(agent);
        agent.start("C");
        std::ofstream(path) << edited;
        auto status = hsm::reload_status::failed;
        if (!t.attempt([&] { status = file.poll().status; })) {
            CHECK(agent.current() == file.chart().find("C"));
            CHECK(file.chart().find("A"));
            status = file.poll().status;
        }
        CHECK(status == hsm::reload_status::reloaded);
        CHECK(agent.current() == file.chart().find("C"));
        CHECK_FALSE(file.chart().find("A"));
    });
    CHECK(failures > 100);
    std::filesystem::remove(path);
}
