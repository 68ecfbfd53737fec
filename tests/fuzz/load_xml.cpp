// For libFuzzer: whatever bytes are loaded, there is a definition or there are errors, in time and memory that are proportional
// to their number. What can be loaded can be saved, and comes back the same; what can be compiled runs. tests/load/xml_corpus_test.cpp replays what
// was found.

#include <tests/fuzz/load_xml.hpp>
#include <tests/support/memory_use.hpp>

#include <hsm/hsm.hpp>
#include <hsm/load/xml.hpp>

#include <pugixml.hpp>

#include <chrono>
#include <cstdlib>
#include <ctime>
#include <string>

namespace {

struct inner {
    int steps = 0;
};
struct agent {
    int bits = 0;
    inner part;
};
struct hit {
    int force = 1;
};
enum class pose { idle, run };
struct swing {
    int left = 2;
    void update(agent&) { --left; }
    bool finished() const { return left <= 0; }
};
class nested : public hsm::fsm<agent> {
public:
    nested() : fsm("nested") {
        auto& a = add("a").on_enter([](agent& x) { ++x.bits; });
        auto& b = add_final("b");
        a.to(b).after(std::chrono::milliseconds(20));
    }
};

struct agent_registry : hsm::registry<agent> {
    agent_registry() {
        guard("g", [](const agent& a) { return a.bits % 2 == 0; });
        guard("h", [](const agent& a) { return a.bits % 3 == 0; });
        guard<hit>("hard", [](const agent&, const hit& e) { return e.force > 0; });
        guard<hsm::state_ref>("away", [](const agent&, hsm::state_ref to) { return to.name() == "a"; });
        guard("swung", [](const swing& s) { return s.left > 0; });
        hook("f", [](agent& a) { ++a.bits; });
        update("u", [](agent& a, float) { ++a.bits; });
        action<hit>("push", [](agent& a, const hit& e) { a.bits += e.force; });
        change("c", [](agent& a, hsm::state_ref, hsm::state_ref, hsm::reason) { ++a.bits; });
        delay("d", std::chrono::milliseconds(30));
        delay("e", [](const agent& a) { return a.bits % 4 * 0.01; });
        local<swing>("swing");
        state<nested>("nested");
        part<inner>("part", &agent::part).hook("step", [](inner& i) { ++i.steps; }).guard("g", [](const inner& i) { return i.steps % 2 == 0; });
        identifier("idle", pose::idle);
        event<hit>("hit");
        event("run", pose::run);
        event("ping");
        bit("B");
        bit("C", 3);
    }
};

void run(const hsm::chart<agent>& chart) {
    agent a;
    hsm::instance runs{chart, a};
    try {
        runs.start();
        for (int i = 0; i < 8; ++i) {
            runs.process(hit{i % 2});
            runs.tick(std::chrono::milliseconds(10));
            runs.process("ping");
        }
        runs.stop();
    } catch (const std::exception&) { // chains that do not end
    }
}

/// A bug is a crash.
void require(bool holds) {
    if (!holds) std::abort();
}

double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

/// The bounds of docs/reference/xml_format.md. Seconds: of a sanitizer's program on a busy machine, so that only what is far off is found.
auto load_within_bounds(const std::string& bytes, const agent_registry& names) {
    const auto begin = seconds();
    const test::peak_of_memory memory;
    auto loaded = hsm::try_load_xml_text(bytes, names, "fuzz.xml");
    require(memory.bytes() <= 64 * bytes.size() + (std::size_t(1) << 20));
    require(seconds() - begin <= 0.5 + 1e-4 * static_cast<double>(bytes.size()));
    require(loaded.problems.size() <= hsm::load_options().max_problems + 1);
    return loaded;
}

bool counts_others(hsm::code c) { return c == hsm::code::more_errors || c == hsm::code::more_warnings; }

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const agent_registry names;
    pugi::set_memory_management_functions(test::counted_malloc, test::counted_free);
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    auto loaded = load_within_bounds(bytes, names);
    require(static_cast<bool>(loaded) == loaded.problems.empty());
    for (const auto& p : loaded.problems) require(p.where.file == "fuzz.xml" && !p.problem.empty() && p.to_string().size() < 4000);
    if (!loaded) return 0;
    auto result = hsm::try_compile(std::move(loaded.root));
    if (!result) {
        for (const auto& f : result.findings)
            require(f.where.file == "fuzz.xml" && (f.where.line > 0 || counts_others(f.code)) && f.to_string().size() < 4000);
        return 0;
    }
    const auto text = hsm::save_xml(*result.chart.root().get());
    auto again = hsm::load_xml_text(text, names);
    require(hsm::save_xml(again) == text);
    require(hsm::compile(std::move(again)).dump() == result.chart.dump());
    run(result.chart);
    return 0;
}
