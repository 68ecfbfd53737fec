#include <hsm/reload/reloader.hpp>

#include <hsm/crowd/crowd.hpp>
#include <hsm/hsm.hpp>
#include <tests/support/temporary_folder.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>
#include <string>

using namespace std::chrono_literals;
using hsm::reload_status;

namespace {

struct monster {
    std::string trace;
    const void* file = nullptr;
};

struct monster_names : hsm::registry<monster> {
    monster_names() {
        event("go");
        hook("roar", [](monster& m) { m.trace += "roar "; });
        hook("growl", [](monster& m) { m.trace += "growl "; });
        hook("fail", [](monster&) { throw std::runtime_error("failed"); });
        hook("poll", [](monster& m) {
            const auto seen = static_cast<hsm::reloader<monster>*>(const_cast<void*>(m.file))->poll();
            m.trace += seen.status == reload_status::busy ? "busy " : "other ";
        });
    }
};

std::string xml(const std::string& chase) {
    return R"(<Project name="monster">
  <state ID="idle" kind="leaf"><to ID="chase" event="go"/></state>
  <state ID="chase" kind="leaf" )" +
           chase + R"(><to ID="idle" event="go"/></state>
</Project>
)";
}

struct folder {
    hsm::test::temporary_folder temporary{"reloader"};
    std::string path = (temporary.path() / "monster.xml").string();
    monster_names names;

    explicit folder(const std::string& text) { write(text); }
    void write(const std::string& text) const { std::ofstream(path, std::ios::binary) << text; }
    /// As editors do: a new file replaces the old one.
    void replace(const std::string& text) const {
        const auto other = path + ".new";
        std::ofstream(other, std::ios::binary) << text;
        std::filesystem::rename(other, path);
    }
    /// Lets the file look old, so that its content is compared only if its size or time changes.
    void age() const { std::filesystem::last_write_time(path, std::filesystem::last_write_time(path) - 1h); }
};

} // namespace

TEST_CASE("machines continue with the edited file, wherever they have moved") {
    const folder f(xml(""));
    hsm::reloader<monster> file(f.names, f.path);
    monster one;
    auto first = std::make_unique<hsm::instance<monster>>(file.chart(), one);
    hsm::actor<monster> second(file.chart());
    file.attach(*first);
    file.attach(second);
    first->start();
    second.start();
    first->process("go");
    auto moved = std::make_unique<hsm::instance<monster>>(std::move(*first));
    CHECK(file.poll().status == reload_status::unchanged);
    f.write(xml("update=\"roar\""));
    const auto seen = file.poll();
    CHECK(seen.status == reload_status::reloaded);
    CHECK(seen.report.machines == 2);
    CHECK(file.poll().status == reload_status::unchanged);
    CHECK(hsm::to_string(*moved) == "monster/chase");
    moved->tick();
    CHECK(one.trace == "roar ");
    moved.reset(); // is no longer attached
    f.replace(xml("update=\"growl\""));
    CHECK(file.poll().report.machines == 1);
    second.process("go");
    second.tick();
    CHECK(second->trace == "growl ");
}

TEST_CASE("an edit that keeps size and time of a recent file is found") {
    const folder f(xml("update=\"roar \""));
    hsm::reloader<monster> file(f.names, f.path);
    const auto time = std::filesystem::last_write_time(f.path);
    f.write(xml("update=\"growl\""));
    std::filesystem::last_write_time(f.path, time);
    CHECK(file.poll().status == reload_status::reloaded);
}

TEST_CASE("a file with another time but the same content changes nothing") {
    const folder f(xml(""));
    hsm::reloader<monster> file(f.names, f.path);
    f.age();
    CHECK(file.poll().status == reload_status::unchanged);
}

TEST_CASE("a half-written, broken or missing file changes nothing, and the next complete one is loaded") {
    const folder f(xml(""));
    hsm::reloader<monster> file(f.names, f.path);
    monster m;
    hsm::instance agent{file.chart(), m};
    file.attach(agent);
    agent.start("chase");
    const auto whole = xml("update=\"roar\"");
    for (const auto& broken : {std::string(), whole.substr(0, whole.size() / 2), xml("update=\"howl\""), xml("enter")}) {
        f.write(broken);
        const auto seen = file.poll();
        CHECK(seen.status == reload_status::failed);
        CHECK(seen.errors.find("HSM-") != std::string::npos);
        CHECK(file.poll().status == reload_status::unchanged); // reported once
    }
    std::filesystem::remove(f.path);
    CHECK(file.poll().status == reload_status::unchanged);
    agent.tick();
    CHECK(m.trace == "");
    f.write(whole);
    CHECK(file.poll().status == reload_status::reloaded);
    agent.tick();
    CHECK(m.trace == "roar ");
}

TEST_CASE("a poll in a hook changes nothing, and the next one does") {
    const folder f(xml("update=\"poll\""));
    hsm::reloader<monster> file(f.names, f.path);
    monster m;
    m.file = &file;
    hsm::instance agent{file.chart(), m};
    file.attach(agent);
    agent.start("chase");
    f.write(xml("update=\"roar\""));
    agent.tick();
    CHECK(file.poll().status == reload_status::reloaded);
    agent.tick();
    CHECK(m.trace == "busy roar ");
}

TEST_CASE("a crowd continues with the edited file, and a machine of another chart is refused") {
    const folder f(xml(""));
    hsm::reloader<monster> file(f.names, f.path), other(f.names, f.path);
    auto herd = std::make_unique<hsm::crowd<monster>>(file.chart());
    const auto id = herd->add();
    file.attach(*herd);
    hsm::actor<monster> single(file.chart());
    file.attach(single);
    CHECK_THROWS_AS(other.attach(*herd), hsm::reload_error);
    CHECK_THROWS_AS(other.attach(single), hsm::reload_error);
    CHECK_THROWS_AS(file.attach(*(*herd)[id]), hsm::reload_error);
    (*herd)[id]->process("go");
    auto moved = std::make_unique<hsm::crowd<monster>>(std::move(*herd));
    f.write(xml("update=\"roar\""));
    CHECK(file.poll().report.machines == 2);
    moved->tick(1ms);
    CHECK(moved->context(id).trace == "roar ");
    moved.reset(); // is no longer attached
    f.write(xml("update=\"growl\""));
    CHECK(file.poll().report.machines == 1);
}

TEST_CASE("poll can edit the plan") {
    const folder f(xml(""));
    hsm::reloader<monster> file(f.names, f.path);
    monster m;
    hsm::instance agent{file.chart(), m};
    file.attach(agent);
    agent.start("chase");
    f.write(R"(<Project name="monster"><state ID="idle" kind="leaf"/><state ID="hunt" kind="leaf"/></Project>)");
    CHECK(file.poll([](hsm::reload_plan& plan) { plan.map("monster/chase", "monster/hunt"); }).status == reload_status::reloaded);
    CHECK(hsm::to_string(agent) == "monster/hunt");
}

TEST_CASE("if an enter hook throws, the machines and the reloader have the new chart") {
    const folder f(xml(""));
    hsm::reloader<monster> file(f.names, f.path);
    monster m;
    hsm::instance agent{file.chart(), m};
    file.attach(agent);
    agent.start("chase");
    f.write(R"(<Project name="monster"><state ID="idle" kind="leaf"/><state ID="chase" kind="parallel">
      <state ID="run" kind="leaf" enter="fail"/><state ID="shout" kind="leaf" enter="roar"/></state></Project>)");
    const auto edit = [](hsm::reload_plan& plan) { plan.exit_enter(); };
    CHECK_THROWS_WITH(file.poll(edit), "failed");
    CHECK(agent.path_of_leaves() == "monster/chase/run, monster/chase/shout");
    f.write(xml("enter=\"growl\""));
    CHECK(file.poll(edit).status == reload_status::reloaded);
    CHECK(hsm::to_string(agent) == "monster/chase");
    CHECK(m.trace == "");
}

TEST_CASE("a reloader of a missing file throws") {
    const monster_names names;
    CHECK_THROWS_AS(hsm::reloader<monster>(names, "/no/such/monster.xml"), hsm::load_error);
}
