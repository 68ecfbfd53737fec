// A traffic light for pedestrians from an SCXML document: regions that wait for each other, delays, history, a log, and
// another document that is invoked while people walk. Then sessions that send events to each other.

#include <hsm/hsm.hpp>
#include <hsm/scxml/scxml.hpp>
#include <hsm/scxml/session.hpp>

#include <samples/expect.hpp>

#include <chrono>
#include <string>
#include <vector>

using namespace std::chrono_literals;

namespace {

constexpr auto crossing =
    R"xml(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" name="crossing" datamodel="null" initial="working">
  <parallel id="working">
    <state id="cars" initial="green">
      <state id="green"><transition event="button" target="yellow"/></state>
      <state id="yellow">
        <onentry><send event="change" delay="2s"/></onentry>
        <transition event="change" target="red"/>
      </state>
      <state id="red">
        <onentry><send event="change" delay="10s"/></onentry>
        <transition event="change" target="green"/>
      </state>
    </state>
    <state id="people" initial="wait">
      <state id="wait"><transition cond="In(red)" target="walk"/></state>
      <state id="walk">
        <onentry><log label="walk "/></onentry>
        <invoke id="beeper">
          <content>
            <scxml version="1.0" datamodel="null">
              <state id="on">
                <onentry><send event="beep" target="#_parent"/><send event="again" delay="4s"/></onentry>
                <onexit><log label="."/></onexit>
                <transition event="again" target="on"/>
              </state>
            </scxml>
          </content>
        </invoke>
        <transition event="beep"><log label="beep"/></transition>
        <transition cond="In(green)" target="wait"/>
      </state>
    </state>
    <history id="before" type="deep"><transition target="green wait"/></history>
    <transition event="error.*" target="dark"/>
  </parallel>
  <state id="dark"><transition event="repaired" target="before"/></state>
</scxml>)xml";

// [context]
struct street : hsm::scxml::context {
    std::string heard;
    void on_log(std::string_view label, std::string_view) override { heard += label; }
};
// [/context]

constexpr auto button = R"xml(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">
  <state id="up"><transition event="press"><send event="ring" target="#_scxml_hall"/></transition></state>
</scxml>)xml";
constexpr auto bell = R"xml(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" datamodel="null">
  <state id="silent"><transition event="ring" target="rings"/></state>
  <state id="rings"/>
</scxml>)xml";

std::string joined(const std::vector<std::string>& names) {
    std::string text;
    for (const auto& name : names) text += (text.empty() ? "" : " ") + name;
    return text;
}

} // namespace

int main() {
    // [load]
    const auto chart = hsm::compile(hsm::load_scxml_text<street>(crossing, "crossing.scxml"));
    street here;
    hsm::scxml::session light{chart, here};
    light.start();
    light.process("button");
    light.tick(2s); // the delayed event is due exactly then
    // [/load]
    expect("two seconds after the button", joined(light.configuration()), "red walk");
    expect("heard", here.heard, "walk beep");
    expect("is invoked", light.child("beeper") ? joined(light.child("beeper")->configuration()) : "no child", "on");

    // [instance]
    const bool walking = light.instance().is_in("walk"); // an instance like any other
    // [/instance]
    expect("people walk", walking ? "yes" : "no", "yes");
    light.process("error.lamp");
    expect("a lamp fails", joined(light.configuration()), "dark");
    light.process("repaired");
    expect("repaired", joined(light.configuration()), "red walk");
    light.tick(10s);
    expect("ten seconds later", joined(light.configuration()), "green wait");
    expect("heard until then", here.heard, "walk beep.walk beep.beep.beep.");

    const auto door = hsm::compile(hsm::load_scxml_text(button)), hall = hsm::compile(hsm::load_scxml_text(bell));
    // [host]
    hsm::scxml::host house; // outlives its sessions
    hsm::scxml::context at_door, in_hall;
    at_door.set_session_id("door");
    in_hall.set_session_id("hall");
    hsm::scxml::session outside{door, at_door, {.host = &house}}, inside{hall, in_hall, {.host = &house}};
    outside.start();
    inside.start();
    outside.process("press"); // sends to "#_scxml_hall", which has handled the event when this returns
    // [/host]
    expect("in the hall", joined(inside.configuration()), "rings");

    // [save]
    const auto text = hsm::save_scxml(*hsm::load_scxml_text(crossing));
    // [/save]
    expect("the history is written",
           text.find("<history id=\"before\" type=\"deep\">") != std::string::npos ? "yes" : "no", "yes");
}
