// The output of `hsm generate registry`, GENERATED, compiles unchanged, and MACHINE loads and compiles with it. The output of `hsm generate
// definition`, DEFINITION, is the same chart.

#include GENERATED
#ifdef DEFINITION
#include DEFINITION
#endif

#include <hsm/chart/fingerprint.hpp>
#include <hsm/chart/view.hpp>
#include <hsm/hsm.hpp>
#include <hsm/load/xml.hpp>

#include <cstdio>
#include <exception>
#include <string>

int main() try {
    const hsm::registry<generated::context> names;
    const auto chart = hsm::compile(hsm::load_xml(MACHINE, names));
    generated::context c{};
    hsm::instance agent{chart, c};
    agent.start();
#ifdef DEFINITION
    if (hsm::compile(generated::make_definition()).fingerprint() != chart.fingerprint()) return std::puts("the definition is another chart"), 1;
#endif
    for (const auto e : chart.view().events())
        if (e.is_name()) return std::printf("the event %s is known by its name, and not by its class\n", std::string(e.name()).c_str()), 1;
    for (const auto& n : names.unused()) std::printf("%s is registered, and not used\n", n.name.c_str());
    return agent.active() && names.unused().empty() ? 0 : 1;
} catch (const std::exception& e) {
    std::puts(e.what());
    return 1;
}
