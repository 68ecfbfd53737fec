#include <hsm/hsm.hpp>
#include <hsm/load/xml.hpp>

struct lamp {};

int main() {
    hsm::registry<lamp> names;
    names.event("press");
    const auto chart = hsm::compile(hsm::load_xml_text(
        R"(<Project name="lamp"><state ID="off"><to ID="on" event="press"/></state><state ID="on" kind="leaf"/></Project>)", names));
    lamp l;
    hsm::instance agent{chart, l};
    agent.start();
    agent.process("press");
    return agent.is_in("on") ? 0 : 1;
}
