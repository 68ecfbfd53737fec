// Every error that a file can have: tests/data/xml_errors has an example for each code, and beside it the exact message.
//
//     HSM_WRITE_MESSAGES=1      writes the messages instead of comparing them

#include <hsm/hsm.hpp>
#include <hsm/load/xml.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

// Not in a namespace: compilers spell those without a name differently.
struct weapon {
    int charge = 0;
};
struct monster {
    weapon held;
    bool target = false;
};
struct hit {
    int force;
};
enum class pose { idle };
struct strike {
    int blows = 0;
};
class circle : public hsm::fsm<monster> {
public:
    circle() : fsm("circle") { add("left").to(add("right")); }
};

namespace {

namespace fs = std::filesystem;

struct monster_names : hsm::registry<monster> {
    monster_names() {
        for (const char* name : {"hasTarget", "noTarget", "agentDead"}) guard(name, &monster::target);
        guard<hit>("strong", [](const monster&, const hit& h) { return h.force > 5; });
        guard<hsm::state_ref>("leavesTo", [](const monster&, hsm::state_ref) { return true; });
        for (const char* name : {"roar", "rot"}) hook(name, [](monster&) {});
        action<hit>("flinch", [](monster&, const hit&) {});
        delay("patience", std::chrono::seconds(2));
        local<strike>("strike");
        state<circle>("circle");
        part<weapon>("weapon", &monster::held).hook("load", [](weapon&) {});
        identifier("idle", pose::idle);
        event<hit>("hit");
    }
};

std::string contents(const fs::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// What is said of a file. Some codes need more than a file to show themselves.
std::string message_of(const fs::path& path) {
    const auto name = path.filename().string();
    monster_names names;
    hsm::load_options options;
    if (name.starts_with("302")) options.max_bytes = 100;
    if (name.starts_with("306")) options.max_depth = 4;
    if (name.starts_with("319")) names.guard("hasTarget", &monster::target);
    auto loaded = hsm::try_load_xml_text(contents(path), names, name, options);
    if (!loaded) return hsm::describe(loaded.problems);
    if (name.starts_with("320")) {
        loaded.root->on_enter([](monster&) {}).to("a").when([](const monster&) { return false; }).after([](const monster&) { return 1; });
        loaded.root->local<strike>();
        try {
            return hsm::save_xml(loaded.root);
        } catch (const hsm::load_error& e) {
            return e.what();
        }
    }
    return hsm::describe(hsm::check(loaded.root));
}

} // namespace

TEST_CASE("each mistake has its code, its place and its cure") {
    const bool write = std::getenv("HSM_WRITE_MESSAGES") != nullptr;
    std::set<std::string> seen;
    for (const auto& entry : fs::directory_iterator(fs::path(HSM_TEST_DATA) / "xml_errors")) {
        if (entry.path().extension() != ".xml") continue;
        const auto message = message_of(entry.path());
        auto expected = entry.path();
        expected.replace_extension(".txt");
        if (write) std::ofstream(expected, std::ios::binary) << message;
        CAPTURE(entry.path().filename().string());
        CHECK(message == contents(expected));
        const auto code = entry.path().filename().string().substr(0, 3);
        if (code.starts_with('3')) CHECK(message.find("HSM-" + code) != message.npos);
        seen.insert(code);
    }
    for (const auto code : hsm::all_codes())
        if (static_cast<int>(code) > 301 && static_cast<int>(code) < 400)
            CHECK_MESSAGE(seen.contains(std::to_string(static_cast<int>(code))), hsm::to_string(code), " has no example");
}

TEST_CASE("a file that is not there, or is no file, is told by its path") {
    const monster_names names;
    const auto message = [&](const std::string& path) { return hsm::describe(hsm::try_load_xml(path, names).problems); };
    CHECK(message("no/such/file.xml") == "no/such/file.xml: HSM-301 error: the file cannot be read: No such file or directory; "
                                         "hint: a path that is not absolute begins where the program was started\n");
    CHECK(message(HSM_TEST_DATA) == HSM_TEST_DATA ": HSM-301 error: the file cannot be read: it is a folder; "
                                    "hint: a path that is not absolute begins where the program was started\n");
    hsm::load_options options;
    options.max_bytes = 100;
    CHECK(hsm::describe(hsm::try_load_xml(HSM_SAMPLE_DATA "/monster.xml", names, options).problems) ==
          HSM_SAMPLE_DATA "/monster.xml: HSM-302 error: the file is larger than 100 bytes; "
                          "hint: split the machine, or allow more with load_options::max_bytes\n");
}

TEST_CASE("a load_error says all that is wrong, and keeps it") {
    const monster_names names;
    try {
        hsm::load_xml_text("<Project name='P'>\n<state/>\n<state ID='a' enter='rore'/></Project>", names, "two.xml");
        FAIL("it was loaded");
    } catch (const hsm::load_error& e) {
        REQUIRE(e.problems().size() == 2);
        CHECK(e.problems()[0].to_string() == "two.xml:2:1: HSM-311 error: <state> has no \"ID\"; hint: write ID=\"...\"");
        CHECK(e.problems()[1].to_string() == "two.xml:3:22: HSM-313 error: no hook is registered as \"rore\"; hint: did you mean \"roar\"?");
        CHECK(std::string(e.what()) == hsm::describe(e.problems()));
    }
}

TEST_CASE("what compile finds in a loaded definition tells the place in the file") {
    const monster_names names;
    auto root = hsm::load_xml_text("<Project name='P'>\n  <state ID='a' kind='machine'/>\n</Project>", names, "m.xml");
    try {
        hsm::compile(std::move(root));
        FAIL("it was compiled");
    } catch (const hsm::definition_error& e) {
        CHECK(std::string(e.what()) == "the definition has errors:\nm.xml:2:3: HSM-002 error at P/a: the machine has no substates; "
                                       "hint: add at least one, or make it a state\n");
    }
}

TEST_CASE("a thousand errors are told, the others are counted") {
    const monster_names names;
    std::string text = "<Project name='P'>";
    for (int i = 0; i < 1500; ++i) text += "<banana/>";
    const auto loaded = hsm::try_load_xml_text(text + "</Project>", names);
    REQUIRE(loaded.problems.size() == 1000);
    CHECK(loaded.problems.back().hint.ends_with("(and 500 more errors in this file)"));
}

TEST_CASE("what no file can have is not saved") {
    const auto said_of = [](std::string name) -> std::string {
        auto root = hsm::make_fsm<monster>("P");
        root->add(std::move(name)).to(root->add("\xc3\xa4\t\r\n"));
        try {
            const auto again = hsm::load_xml_text(hsm::save_xml(root), hsm::registry<monster>());
            return again->substates()[1]->name() == root->substates()[1]->name() ? "the same" : "another";
        } catch (const hsm::load_error& e) {
            return e.what();
        }
    };
    CHECK(said_of("a") == "the same");
    CHECK(said_of("a\xff") == "HSM-303 error: the ID of a <state>, \"a\xff\", has what is no character that a file may have; "
                              "hint: names of machines in files are UTF-8\n");
    for (const char* name : {"\x01", "\x1f", "\xc3", "\xed\xa0\x80"}) CHECK(said_of(name).find("HSM-303") == 0);
    CHECK(said_of(std::string("a\0b", 3)).find("HSM-303") == 0);
}

TEST_CASE("a guard without a name is told of once, also if it asks for conditions") {
    auto root = hsm::make_fsm<monster>("P");
    auto& a = root->add("a");
    a.to(root->add("b")).when(hsm::any("Near", [](const monster&) { return false; }));
    std::string said;
    try {
        hsm::save_xml(root);
    } catch (const hsm::load_error& e) {
        said = e.what();
    }
    CHECK(said == "HSM-320 error: a guard of \"P/a\" has no name in a registry; hint: register it, and let a file name it: what was written "
                  "in code cannot be written to a file\n");
}
