#include <hsm/hsm.hpp>
#include <hsm/scxml/scxml.hpp>
#include <hsm/scxml/session.hpp>

struct lamp : hsm::scxml::context {};

int main() {
    const auto chart = hsm::compile(hsm::load_scxml_text<lamp>(
        R"(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="lamp" datamodel="null"><state id="off"><transition event="press" target="on"/></state><state id="on"/></scxml>)",
        "lamp.scxml"));
    lamp l;
    hsm::scxml::session agent{chart, l};
    agent.start();
    agent.process("press");
    return agent.instance().is_in("on") ? 0 : 1;
}
