// Recording a machine: a ring of records, a test that reads it, a trace file and conversions for other programs,
// statistics, and a breakpoint.

#include <hsm/hsm.hpp>
#include <hsm/observe/breakpoint.hpp>
#include <hsm/observe/convert.hpp>
#include <hsm/observe/expect.hpp>
#include <hsm/observe/recorder.hpp>
#include <hsm/observe/statistics.hpp>
#include <hsm/observe/trace_writer.hpp>

#include "expect.hpp"

#include <chrono>
#include <filesystem>
#include <string>

using namespace std::chrono_literals;

struct turret {
    int shells = 1;
};
struct intruder {
    int distance = 0;
};
std::string describe(const intruder& i) { return "intruder at " + std::to_string(i.distance) + " m"; }

hsm::chart<turret> make_turret() {
    auto root = hsm::make_fsm<turret>("turret");
    auto& asleep = root->add("asleep");
    auto& fight = root->add_fsm("fight");
    auto& aim = fight.add("aim");
    auto& fire = fight.add("fire").on_enter([](turret& t) { --t.shells; });
    asleep.to(fight).on<intruder>();
    aim.to(fire).after(500ms);
    fire.to(asleep).when(hsm::named("empty", [](const turret& t) { return t.shells == 0; }));
    return hsm::compile(std::move(root));
}

void shoot_once(hsm::instance<turret>& agent) {
    agent.process(intruder{30});
    agent.tick(500ms);
    agent.tick(100ms);
}

int main() {
    const auto chart = make_turret();
    turret t;

    {
        // [recorder]
        hsm::instance agent{chart, t};
        hsm::recorder seen(10'000); // at least that many records of 16 bytes
        const auto attached = agent.attach(seen, hsm::record_kind::transition | hsm::state_records);
        agent.start();
        seen.clear(); // keep only later records
        shoot_once(agent);
        const auto lines = seen.text(); // a line for each record
        // [/recorder]
        expect("the last line", lines.substr(lines.rfind('\n', lines.size() - 2) + 1), "  entered turret/asleep\n");

        // [expect]
        hsm::expect(seen)
            .takes("asleep", "fight", hsm::reason::event)
            .exits("asleep")
            .enters("fight")
            .enters("aim")
            .takes("aim", "fire", hsm::reason::time)
            .exits("aim")
            .enters("fire"); // the next expectation continues after this record
        hsm::expect(seen)
            .takes("fire", "asleep", hsm::reason::poll)
            .exits("fire")
            .exits("fight")
            .enters("asleep")
            .nothing_else();
        // [/expect]
    }

    {
        t = {};
        hsm::instance agent{chart, t};
        // [trace]
        const auto path = (std::filesystem::temp_directory_path() / "turret.trace").string();
        {
            hsm::file_sink file(path);
            hsm::trace_writer trace(file, {.describe_events = true, .name = "the turret at the gate"});
            const auto attached = agent.attach(trace);
            agent.start();
            shoot_once(agent);
        } // written here
        // [/trace]

        // [convert]
        {
            hsm::file_source file(path);
            hsm::trace_reader trace(file);
            hsm::file_sink to(path + ".json");
            hsm::write_chrome_trace(trace, to); // for chrome://tracing, or https://ui.perfetto.dev
        }
        // [/convert]
        expect("for Chrome", std::filesystem::file_size(path + ".json") > 1000 ? "written" : "", "written");

        {
            // [read]
            std::string what;
            hsm::file_source file(path);
            hsm::trace_reader trace(file);
            while (const auto* entry = trace.next())
                if (entry->what.kind == hsm::record_kind::event)
                    what = trace.track(entry->track).name + ": " + std::string(entry->text);
            // [/read]
            expect("read", what, "the turret at the gate: intruder at 30 m");
        }
        std::filesystem::remove(path);
        std::filesystem::remove(path + ".json");
    }

    {
        t = {};
        hsm::instance agent{chart, t};
        // [statistics]
        hsm::statistics figures;
        const auto watched = figures.watch(agent); // or a crowd, or a manager; any number of them
        agent.start();
        shoot_once(agent);
        const auto fight = figures.of(chart.view().find("fight"));
        // [/statistics]
        expect("fight", std::to_string(fight.entries) + ", " + hsm::to_string(fight.active), "1, 600ms");
    }

    {
        t = {};
        hsm::instance agent{chart, t};
        std::string where;
        // [breakpoint]
        hsm::breakpoint stop(chart, [&](const hsm::record&, const hsm::moment& when) {
            where = "fires at " + hsm::to_string(when.now()); // or std::raise(SIGTRAP), for a debugger
        });
        stop.at_entry("fight/fire").at_error();
        const auto watched = stop.watch(agent);
        // [/breakpoint]
        agent.start();
        shoot_once(agent);
        expect("stopped", where, "fires at 500ms");
    }
}
