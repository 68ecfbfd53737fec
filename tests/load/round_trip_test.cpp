// Definitions that are written to XML and read again are the same: compares their charts, and everything observable of their instances.
//
//     HSM_CHARTS=20000      number of random definitions
//     HSM_SEED=17           the first seed

#include <hsm/chart/view.hpp>
#include <hsm/hsm.hpp>
#include <hsm/load/xml.hpp>
#include <tests/support/differential/build.hpp>
#include <tests/support/differential/generate.hpp>
#include <tests/support/differential/play.hpp>
#include <tests/support/naming.hpp>
#include <tests/support/random_input.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <vector>

using namespace differential;
using namespace std::chrono_literals;
using test::number_from;

namespace {

/// Returns the difference between a plan and its copy from a file; empty if there is none.
std::string difference_of(const plan& p) {
    auto root = define(p);
    hsm::registry<test_context> names;
    test::naming(names).name(*root);
    const auto text = hsm::save_xml(root);
    auto loaded = hsm::load_xml_text(text, names);
    if (const auto again = hsm::save_xml(loaded); again != text) return "saved again, it reads\n" + again + "and not\n" + text;
    const auto chart = hsm::compile(std::move(root), p.compile);
    const auto by_file = hsm::compile(std::move(loaded), p.compile);
    if (chart.dump() != by_file.dump()) return text + chart.dump() + by_file.dump();
    return seen_of(p, chart) == seen_of(p, by_file) ? "" : "another trace: " + text;
}

} // namespace

TEST_CASE("random definitions are unchanged after saving and loading") {
    const auto first = number_from("HSM_SEED", 1);
    const auto last = first + number_from("HSM_CHARTS", 1000);
    int failures = 0;
    for (auto seed = first; seed < last && failures < 3; ++seed) {
        CAPTURE(seed);
        const auto difference = difference_of(as_can_be_saved(generate(seed, 20)));
        CHECK(difference == "");
        failures += !difference.empty();
    }
}

TEST_CASE("former names of states, conditions and events are written, and read again") {
    auto root = hsm::make_fsm<test_context>("R");
    auto& a = root->add("A").was("first").was("with blanks & more");
    auto& b = root->add("B").was("second");
    root->condition("Armed", 2).was("HasWeapon").was("HasSword");
    root->about_event("start").was("begin").was("commence");
    a.to(b).on("start").when("Armed");
    b.to(a);
    const auto text = hsm::save_xml(root);
    auto loaded = hsm::load_xml_text(text, hsm::registry<test_context>());
    CHECK(hsm::save_xml(loaded) == text);
    const auto chart = hsm::compile(std::move(loaded));
    const auto view = chart.view();
    const auto named = [](auto names) { return std::vector<std::string>(names.begin(), names.end()); };
    CHECK(named(view.find("A").former_names()) == std::vector<std::string>{"first", "with blanks & more"});
    CHECK(named(view.find("B").former_names()) == std::vector<std::string>{"second"});
    CHECK(named(view.condition(2).former_names()) == std::vector<std::string>{"HasWeapon", "HasSword"});
    CHECK(named(view.event(0).former_names()) == std::vector<std::string>{"begin", "commence"});
}

TEST_CASE("triggers are written, and read again") {
    auto root = hsm::make_fsm<test_context>("R");
    root->condition("Jump", 4).trigger();
    root->add("A").to(root->add("B")).when("Jump");
    const auto text = hsm::save_xml(root);
    CHECK(text.find("<bit ID=\"Jump\" index=\"4\" trigger=\"true\"/>") != std::string::npos);
    hsm::registry<test_context> names;
    CHECK(hsm::compile(hsm::load_xml_text(text, names)).view().condition(4).is_trigger());
}

TEST_CASE("labels of transitions are written, and read again") {
    auto root = hsm::make_fsm<test_context>("R");
    auto& a = root->add("A");
    a.to(root->add("B")).after(1s).label("a < b");
    const auto text = hsm::save_xml(root);
    CHECK(text.find("<to ID=\"B\" after=\"1s\" label=\"a &lt; b\"/>") != std::string::npos);
    hsm::registry<test_context> names;
    const auto chart = hsm::compile(hsm::load_xml_text(text, names));
    CHECK(chart.view().transitions()[0].label() == "a < b");
    CHECK(chart.dump().find("label \"a < b\"") != std::string::npos);
}

namespace {
struct swing {};
} // namespace

TEST_CASE("former names of the class of a local are written at each local of that class, and read again") {
    hsm::registry<test_context> names;
    names.local<swing>("swing");
    auto loaded = hsm::load_xml_text("<Project name='R'><state ID='A'><local ID='swing' was='v1::swing'><was ID='slash'/></local></state>"
                                     "<state ID='B' local='swing'/></Project>",
                                     names);
    loaded->about_local<swing>().was("stroke");
    const auto text = hsm::save_xml(loaded);
    const std::string local = "<local ID=\"swing\" was=\"stroke\">\n      <was ID=\"v1::swing\"/>\n      <was ID=\"slash\"/>";
    const auto first = text.find(local);
    REQUIRE(first != std::string::npos);
    CHECK(text.find(local, first + 1) != std::string::npos);
    CHECK(hsm::save_xml(hsm::load_xml_text(text, names)) == text);
}

TEST_CASE("on_leave_requested is written, and read again") {
    hsm::registry<test_context> names;
    names.hook("hurry", [](test_context&) {});
    const auto text = hsm::save_xml(
        hsm::load_xml_text("<Project name='R'><state ID='A' kind='leaf' hold='true'><leave_requested ID='hurry'/></state></Project>", names));
    CHECK(text.find("<leave_requested ID=\"hurry\"/>") != std::string::npos);
    CHECK(hsm::save_xml(hsm::load_xml_text(text, names)) == text);
}

TEST_CASE("tags are written, and read again") {
    auto root = hsm::make_fsm<test_context>("R");
    auto& a = root->add("A").tag("slow").tag("vulnerable");
    a.to(root->add_fsm("M").tag("slow").add("B")).on("start");
    const auto text = hsm::save_xml(root);
    CHECK(text.find("tags=\"slow vulnerable\"") != std::string::npos);
    auto loaded = hsm::load_xml_text(text, hsm::registry<test_context>());
    CHECK(hsm::save_xml(loaded) == text);
    const auto chart = hsm::compile(std::move(loaded));
    const auto tags = chart.view().find("A").tags();
    CHECK(std::vector<std::string>(tags.begin(), tags.end()) == std::vector<std::string>{"slow", "vulnerable"});
    CHECK(chart.view().find("M").tags().size() == 1);
    CHECK(chart.view().find("B").tags().empty());
}

TEST_CASE("a former name must not be empty, and a declaration contains nothing else") {
    const auto problems_of = [](const std::string& text) {
        return hsm::describe(
            hsm::try_load_xml_text("<Project name='R'>" + text + "<state ID='A'/></Project>", hsm::registry<test_context>()).problems);
    };
    CHECK(problems_of("<event ID='go' was='begin'><was ID='start'/></event>").empty());
    CHECK(problems_of("<event ID='go'><was/></event>").find("HSM-311") != std::string::npos);
    CHECK(problems_of("<event ID='go' was=''/>").find("HSM-311") != std::string::npos);
    CHECK(problems_of("<local ID='memory' was=''/>").find("HSM-311") != std::string::npos);
    CHECK(problems_of("<local ID='memory'><named ID='begin'/></local>").find("HSM-307") != std::string::npos);
    CHECK(problems_of("<bit ID='Armed'><named ID='begin'/></bit>").find("HSM-307") != std::string::npos);
}

TEST_CASE("choices by score or by chance are written, and read again") {
    auto root = hsm::make_fsm<test_context>("R");
    auto& m = root->add_fsm("M").choose(hsm::weighted).rechoose_every(std::chrono::milliseconds(500)).stay_bonus(0.25);
    m.dispatch(m.add("a")).weight(2.5).cooldown(std::chrono::seconds(3));
    m.dispatch(m.add("b")).rank(2);
    m.to(m).on("again").priority(1);
    auto& c = root->add_choice("C").choose(hsm::best);
    c.to(m).score([](const test_context&) { return 3; });
    c.otherwise(m);
    m.to(c).on("go");
    hsm::registry<test_context> names;
    test::naming(names).name(*root);
    const auto text = hsm::save_xml(root);
    CHECK(text.find("<state ID=\"M\" choose=\"weighted\" rechoose_every=\"500ms\" stay_bonus=\"0.25\">") != std::string::npos);
    CHECK(text.find("<dispatch ID=\"a\" weight=\"2.5\" cooldown=\"3s\"/>") != std::string::npos);
    CHECK(text.find("<dispatch ID=\"b\" rank=\"2\"/>") != std::string::npos);
    CHECK(text.find("<state ID=\"C\" kind=\"choice\" choose=\"best\">") != std::string::npos);
    CHECK(text.find(" score=\"n") != std::string::npos);
    auto loaded = hsm::load_xml_text(text, names);
    CHECK(hsm::save_xml(loaded) == text);
    CHECK(hsm::compile(std::move(loaded)).fingerprint() == hsm::compile(std::move(root)).fingerprint());
}

TEST_CASE("invalid attributes of choices in a file are reported") {
    const auto problems_of = [](const std::string& text) {
        return hsm::describe(
            hsm::try_load_xml_text("<Project name='R'>" + text + "<state ID='A' kind='leaf'/></Project>", hsm::registry<test_context>()).problems);
    };
    CHECK(problems_of("<state ID='M' choose='worst'><state ID='x'/></state>").find("choose is \"worst\"; hint: write \"first\", \"best\"") !=
          std::string::npos);
    CHECK(problems_of("<state ID='M' choose='best'><dispatch ID='x' weight='2x'/><state ID='x'/></state>").find("weight is \"2x\"") !=
          std::string::npos);
    CHECK(problems_of("<state ID='M' choose='best'><dispatch ID='x' score='aim'/><state ID='x'/></state>").find("HSM-313") != std::string::npos);
    CHECK(
        problems_of("<state ID='M' choose='best' stay_bonus='x'><dispatch ID='x' cooldown='y'/><state ID='x'/></state>").find("cooldown is \"y\"") !=
        std::string::npos);
    CHECK(problems_of("<state ID='x' choose='best'/>").find("HSM-317") != std::string::npos);
    CHECK(problems_of("<to ID='A' weight='1'/>").find("HSM-309") != std::string::npos);
    CHECK(problems_of("<to ID='A' rank='1'/>").find("HSM-309") != std::string::npos);
    CHECK(problems_of("<state ID='M' choose='best'><dispatch ID='x' rank='1' Priority='1'/><state ID='x'/></state>")
              .find("an element has both a rank and a Priority") != std::string::npos);
    CHECK(problems_of("<state ID='M' choose='best' rechoose='false' rechoose_every='1s'><dispatch ID='x'/><state ID='x'/></state>")
              .find("rechoose is \"false\" in an element with rechoose_every") != std::string::npos);
}
