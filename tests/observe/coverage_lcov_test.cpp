// Coverage by line for a machine from a file: the lcov format, which genhtml must accept.

#include <hsm/observe/coverage_report.hpp>

#include <hsm/constant/constant_chart.hpp>
#include <hsm/constant/constant_view.hpp>
#include <hsm/hsm.hpp>
#include <hsm/load/xml.hpp>
#include <hsm/observe/byte_stream.hpp>
#include <hsm/run/attachment.hpp>

#include <tests/support/shell.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace {

struct monster {
    bool sees = false, is_dead = false;
};

constexpr std::string_view text = R"(<?xml version="1.0"?>
<Project name="monster, the">
  <state ID="idle">
    <to ID="chase"><condition ID="sees"/></to>
    <to ID="dead"><condition ID="isDead" Priority="1"/></to>
  </state>
  <state ID="chase">
    <to ID="idle"><condition ID="lost"/></to>
    <to ID="dead"><condition ID="isDead" Priority="1"/></to> <state ID="near"/>
  </state>
  <state ID="dead"/>
</Project>
)";

hsm::chart<monster> monster_chart(const std::string& name) {
    hsm::registry<monster> names;
    names.guard("sees", &monster::sees);
    names.guard("lost", [](const monster& m) { return !m.sees; });
    names.guard("isDead", &monster::is_dead);
    return hsm::compile(hsm::load_xml_text(std::string(text), names, name));
}

struct hunted {
    explicit hunted(const std::string& name) : chart(monster_chart(name)) {
        attached = seen.watch(agent);
        agent.start();
        agent.tick();
        context.sees = true;
        agent.tick();
    }
    hsm::chart<monster> chart;
    hsm::coverage seen{chart};
    monster context;
    hsm::instance<monster> agent{chart, context};
    hsm::attachment attached;
};

constexpr auto lamp_chart = hsm::constant_chart<monster>([](auto& root) {
    auto& off = root.add("off");
    auto& on = root.add("on");
    off.to(on).when(&monster::sees);
});

std::string info_of(const hsm::coverage& seen, std::string_view root = {}) {
    std::string info;
    hsm::string_sink to(info);
    hsm::write_coverage_lcov(seen, to, root);
    return info;
}

} // namespace

TEST_CASE("states and transitions are functions, guard results are branches, and a line has the count of its rarest item") {
    hunted h("monster.xml");
    CHECK(info_of(h.seen) ==
          "TN:monster__the\nSF:monster.xml\n"
          "FN:2,state monster  the\nFN:3,state monster  the/idle\nFN:7,state monster  the/chase\nFN:9,state monster  the/chase/near\n"
          "FN:11,state monster  the/dead\n"
          "FN:5,transition idle -> dead [isDead]\nFN:4,transition idle -> chase [sees]\n"
          "FN:9,transition chase -> dead [isDead]\nFN:8,transition chase -> idle [lost]\n"
          "FNDA:1,state monster  the\nFNDA:1,state monster  the/idle\nFNDA:1,state monster  the/chase\nFNDA:1,state monster  the/chase/near\n"
          "FNDA:0,state monster  the/dead\n"
          "FNDA:0,transition idle -> dead [isDead]\nFNDA:1,transition idle -> chase [sees]\n"
          "FNDA:0,transition chase -> dead [isDead]\nFNDA:0,transition chase -> idle [lost]\n"
          "FNF:9\nFNH:5\n"
          "BRDA:4,0,0,1\nBRDA:4,0,1,1\nBRDA:5,0,0,0\nBRDA:5,0,1,2\nBRDA:8,0,0,-\nBRDA:8,0,1,-\nBRDA:9,0,0,-\nBRDA:9,0,1,-\n"
          "BRF:8\nBRH:3\n"
          "DA:2,1\nDA:3,1\nDA:4,1\nDA:5,0\nDA:7,1\nDA:8,0\nDA:9,0\nDA:11,0\nLF:8\nLH:4\nend_of_record\n");
}

TEST_CASE("relative paths start with the source root") {
    hunted relative("data/monster.xml"), absolute("/data/monster.xml");
    CHECK(info_of(relative.seen, "/home/").find("\nSF:/home/data/monster.xml\n") != std::string::npos);
    CHECK(info_of(absolute.seen, "/home/").find("\nSF:/data/monster.xml\n") != std::string::npos);
}

#ifndef HSM_NO_LOCATIONS
TEST_CASE("items with equal names in one file are distinct") {
    auto root = hsm::make_fsm<monster>("R");
    auto& a = root->add("a");
    for (int i = 0; i < 2; ++i) a.to(a).when(hsm::named("sees", [](const monster& m) { return m.sees; }));
    const hsm::coverage seen(hsm::compile(std::move(root)));
    const auto info = info_of(seen);
    CHECK(info.find(",transition a -> a [sees]\n") != info.npos);
    CHECK(info.find(",transition a -> a [sees] (2)\n") != info.npos);
    CHECK(info.find("BRF:4\n") != info.npos);
}
#endif

TEST_CASE("items without a source location, as in constant charts, are omitted") {
    const hsm::coverage seen(hsm::view_of(lamp_chart));
    CHECK(seen.share(hsm::coverage_kind::states).all == 3);
    CHECK(info_of(seen).empty());
}

TEST_CASE("genhtml accepts the file" * doctest::skip(!hsm::test::has_shell)) {
    if (std::system("genhtml --version > /dev/null 2>&1") != 0) {
        MESSAGE("skipped: there is no genhtml (Debian: lcov)");
        return;
    }
    const auto folder = std::filesystem::temp_directory_path() / "hsm_coverage_lcov_test";
    std::filesystem::create_directories(folder);
    const auto file = (folder / "monster.xml").string(), info = (folder / "monster.info").string();
    std::ofstream(file) << text;
    hunted h(file);
    hsm::write_coverage(h.seen, info);
    const auto command = "genhtml --rc lcov_branch_coverage=1 --output-directory " + (folder / "html").string() + " " + info + " > " +
                         (folder / "log").string() + " 2>&1";
    CHECK(std::system(command.c_str()) == 0);
    std::ifstream log(folder / "log");
    const std::string said{std::istreambuf_iterator<char>(log), {}};
    CHECK(said.find("lines......: 50.0% (4 of 8 lines)") != said.npos);
    CHECK(said.find("functions..: 55.6% (5 of 9 functions)") != said.npos);
    CHECK(said.find("branches...: 37.5% (3 of 8 branches)") != said.npos);
    std::filesystem::remove_all(folder);
}
