#include <hsm/hsm.hpp>
#include <hsm/scxml/ecmascript.hpp>
#include <hsm/scxml/scxml.hpp>
#include <hsm/scxml/session.hpp>

struct lamp : hsm::scxml::context {};

int main() {
    hsm::scxml::ecmascript scripts;
    hsm::scxml_options options;
    options.data_models = {&scripts};
    const auto chart =
        hsm::compile(hsm::load_scxml_text<lamp>(R"xml(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="lamp" datamodel="ecmascript">
  <datamodel><data id="presses" expr="1"/></datamodel>
  <state id="off"><transition event="press" cond="++presses == 3" target="on"/></state>
  <state id="on"/>
</scxml>)xml",
                                                "lamp.scxml", options));
    lamp l;
    hsm::scxml::session agent{chart, l};
    agent.start();
    agent.process("press");
    const bool early = agent.instance().is_in("on");
    agent.process("press");
    return !early && agent.instance().is_in("on") ? 0 : 1;
}
