// A guard whose file a designer edits while the game runs: all guards continue where they are.

#include <hsm/hsm.hpp>
#include <hsm/load/xml.hpp>
#include <hsm/reload/reloader.hpp>

#include "expect.hpp"

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

using namespace std::chrono_literals;

struct guard {
    bool sees_thief = false;
    int shouts = 0;
};

const hsm::registration<guard> senses{[](hsm::registrar<guard>& names) {
    names.guard("seesThief", &guard::sees_thief);
    names.hook("shout", [](guard& g) { ++g.shouts; });
}};

const char* const before = R"(<Project name="guard">
  <state ID="stand"><to ID="alert"><condition ID="seesThief"/></to></state>
  <state ID="alert"><to ID="stand" after="2s"/></state>
</Project>)";

// The state "alert" is now in a group that shouts, and the guards calm down later.
const char* const after = R"(<Project name="guard">
  <state ID="stand"><to ID="awake/alert"><condition ID="seesThief"/></to></state>
  <state ID="awake" update="shout">
    <state ID="alert"><to ID="stand" after="5s"/></state>
  </state>
</Project>)";

int main() {
    const auto path = (std::filesystem::temp_directory_path() / "hsm_sample_guard.xml").string();
    std::ofstream(path) << before;

    // [reloader]
    const hsm::registry<guard> names;
    hsm::reloader<guard> file(names, path);
    std::vector<hsm::actor<guard>> guards;
    for (int i = 0; i < 100; ++i) guards.emplace_back(file.chart());
    for (auto& each : guards) file.attach(each);
    // [/reloader]
    const auto state = [&](std::size_t i) { return guards[i].machine().current().path(); };
    for (auto& each : guards) each.start();
    guards[0]->sees_thief = true;
    for (auto& each : guards) each.tick(1s);
    expect("before", state(0), "guard/alert");

    std::ofstream(path) << after; // the designer saves the file
    // [poll]
    const auto seen = file.poll([](hsm::reload_plan& plan) { plan.map("guard/alert", "guard/awake/alert"); });
    if (seen.status == hsm::reload_status::failed) std::puts(seen.errors.c_str());
    if (seen.status == hsm::reload_status::reloaded) std::puts(seen.report.to_string().c_str());
    // [/poll]
    expect("after", state(0), "guard/awake/alert");
    for (auto& each : guards) each.tick(1s);
    expect("shouts", std::to_string(guards[0]->shouts) + ", " + std::to_string(guards[1]->shouts), "1, 0");

    std::ofstream(path) << "<Project"; // half written
    const bool failed = file.poll().status == hsm::reload_status::failed;
    expect("a broken file", failed ? state(0) : "loaded", "guard/awake/alert");
    std::filesystem::remove(path);
}
