// A duel from an SCXML document with scripts: data, a C++ function that scripts call, and an invoked document that
// receives values and returns a result.

#include <hsm/hsm.hpp>
#include <hsm/scxml/ecmascript.hpp>
#include <hsm/scxml/scxml.hpp>
#include <hsm/scxml/session.hpp>

#include <samples/expect.hpp>

#include <chrono>
#include <string>

using namespace std::chrono_literals;

namespace {

constexpr auto duel =
    R"xml(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="ecmascript" initial="ready">
  <datamodel><data id="hits" expr="0"/><data id="weapon" expr="'sword'"/></datamodel>
  <state id="ready"><transition event="fight" target="fighting"/></state>
  <state id="fighting">
    <invoke id="blow">
      <param name="weapon" expr="weapon"/>
      <content>
        <scxml version="1.0" datamodel="ecmascript">
          <datamodel><data id="weapon"/></datamodel>
          <state id="swings">
            <onentry><send event="lands" delay="1s"/></onentry>
            <transition event="lands" target="landed"/>
          </state>
          <final id="landed"><donedata><param name="damage" expr="damage_of(weapon)"/></donedata></final>
        </scxml>
      </content>
      <finalize><assign location="hits" expr="hits + 1"/></finalize>
    </invoke>
    <transition event="done.invoke.blow" cond="_event.data.damage > 5" target="won"/>
    <transition event="done.invoke.blow" target="ready"/>
  </state>
  <final id="won"><donedata><param name="blows" expr="hits"/></donedata></final>
</scxml>)xml";

} // namespace

int main() {
    // [function]
    hsm::scxml::ecmascript scripts;
    scripts.add("damage_of", [](const std::string& weapon) { return weapon == "axe" ? 9 : 4; });
    hsm::scxml_options options;
    options.data_models = {&scripts}; // without it, a document with scripts is rejected
    const auto chart = hsm::compile(hsm::load_scxml_text(duel, "duel.scxml", options));
    // [/function]

    // [values]
    hsm::scxml::context knight;
    hsm::scxml::session fight{chart, knight};
    fight.start({{"weapon", "\"axe\""}}); // instead of the value in the document
    fight.process("fight");
    fight.tick(1s);
    // [/values]
    expect("the duel ends", fight.end(), "won");
    expect("result", fight.done_data(), "{\"blows\":1}");

    hsm::scxml::context squire;
    hsm::scxml::session other{chart, squire}; // with its own heap for scripts
    other.start();
    other.process("fight");
    other.tick(1s);
    expect("with a sword", other.configuration().front(), "ready");
}
