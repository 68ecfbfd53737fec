// Compiled with -fno-exceptions -fno-rtti: everything that a program without them can use.

#include <hsm/crowd/crowd.hpp>
#include <hsm/hsm.hpp>
#include <hsm/scxml/ecmascript.hpp>

#include <cstdio>

namespace {

struct lamp {
    int switched = 0;
};
struct press {};

struct glow {
    int brightness;
    void enter(lamp& l) { l.switched += brightness; }
};

#ifdef HSM_TEST_SCRIPTS
void add_functions(hsm::scxml::ecmascript& scripts) {
    scripts.add("damage_of", [](std::string weapon, int hits) { return weapon == "axe" ? 9.0 * hits : 4; }).add("nothing", [](bool) {});
}
#endif

int fail(const char* what) {
    std::printf("failed: %s\n", what);
    return 1;
}

} // namespace

int main() {
    auto root = hsm::make_fsm<lamp>("lamp");
    auto& off = root->add("off");
    auto& on = root->add<glow>("on", 3);
    off.to(on).on<press>();
    on.to(off).on<press>().when([](const lamp& l) { return l.switched > 0; });
    auto compiled = hsm::try_compile(std::move(root));
    if (!compiled) return fail("a good definition is refused");
    lamp l;
    hsm::instance agent{compiled.chart, l};
    agent.start();
    if (agent.process(press{}) != hsm::result::taken || l.switched != 3) return fail("press");
    if (agent.tick(0.016f) != hsm::result::unhandled) return fail("tick");
    if (agent.current().name() != "on") return fail("current");

    hsm::crowd lamps{compiled.chart};
    const auto first = lamps.add(lamp{});
    if (lamps.process_all(press{})[hsm::result::taken] != 1 || lamps.context(first).switched != 3) return fail("a press of all");
    if (!lamps.remove(first) || lamps.has(first)) return fail("remove");

#ifdef HSM_TEST_SCRIPTS
    hsm::scxml::ecmascript scripts;
    add_functions(scripts);
#endif

    auto wrong = hsm::make_fsm<lamp>("wrong");
    wrong->add("a").to("b");
    if (const auto refused = hsm::try_compile(std::move(wrong)); refused || refused.findings.size() != 1) return fail("a bad definition is accepted");
    return 0;
}
