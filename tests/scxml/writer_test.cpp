#include <hsm/chart/fingerprint.hpp>
#include <hsm/hsm.hpp>
#include <hsm/load/xml.hpp>
#include <hsm/scxml/scxml.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <string>
#include <string_view>
#include <vector>

using namespace std::chrono_literals;

TEST_CASE("a document is written unchanged, with unknown parts") {
    const std::string text = R"x(<?xml version="1.0" encoding="UTF-8"?>
<!-- A door. -->
<!-- A comment. -->
<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:ed="urn:editor" version="1.0" name="door" datamodel="null" initial="closed">
  <!-- at first -->
  <state id="closed" ed:x="12">
<ed:colour is="red"/>
    <onentry>
      <log label="shut" expr="'now'"/>
    </onentry>
    <transition event="open" cond="In(lamp)" target="opened" ed:y="3">
      <send event="close" delay="1.5s" id="timer"/>
    </transition>
  </state>
  <state id="opened">
    <transition event="close" target="closed"/>
  </state>
</scxml>
<!-- The end. -->
)x";
    const auto written = hsm::save_scxml(*hsm::load_scxml_text(text));
    CHECK(written.starts_with("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<!-- A door. -->\n<!-- A comment. -->\n<scxml "));
    CHECK(written.ends_with("</scxml>\n<!-- The end. -->\n"));
    for (const auto* const part : {"\n  <!-- at first -->\n  <state", "ed:x=\"12\"", "<ed:colour is=\"red\"/>", "ed:y=\"3\"", "delay=\"1.5s\"",
                                   "initial=\"closed\"", "cond=\"In(lamp)\""})
        CHECK_MESSAGE(written.find(part) != std::string::npos, part);
    const auto again = hsm::load_scxml_text(written);
    CHECK(hsm::save_scxml(*again) == written);
}

TEST_CASE("a single registered element is a hook like one in C++, and is written unchanged") {
    hsm::registry<hsm::scxml::context> names;
    int rings = 0, calls = 0;
    names.hook("ring", [&](hsm::scxml::context&) { ++rings; });
    names.hook("call", [&](hsm::scxml::context& c) { calls += c.attribute("who") == "Ann" ? 10 : 1; });
    const std::string text = R"x(<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:b="urn:bell" version="1.0" name="door">
  <state id="a">
    <onentry>
      <!-- loud -->
      <b:ring/>
    </onentry>
    <onentry>
      <b:call/>
      <b:ring/>
    </onentry>
    <onexit>
      <b:ring/>
    </onexit>
    <onexit>
      <b:call who="Ann"/>
    </onexit>
    <transition event="go" target="c">
      <b:ring/>
    </transition>
  </state>
  <state id="c">
    <initial>
      <transition target="d">
        <b:call/>
      </transition>
    </initial>
    <state id="d"/>
  </state>
</scxml>
)x";
    auto root = hsm::load_scxml_text(text, "door.scxml", {}, &names);
    const auto written = hsm::save_scxml(*root);
    for (const auto* const part : {"<!-- loud -->", "<b:call/>\n      <b:ring/>", "<b:call who=\"Ann\"/>", "<transition event=\"go\" target=\"c\">"})
        CHECK_MESSAGE(written.find(part) != std::string::npos, written);
    CHECK(written.find("hsm:") == std::string::npos);
    CHECK(hsm::save_scxml(*hsm::load_scxml_text(written, "door.scxml", {}, &names)) == written);
    CHECK(hsm::save_scxml(*hsm::load_scxml_text(written)) == written); // without registered behavior

    const auto chart = hsm::compile(std::move(root));
    hsm::scxml::context door;
    hsm::instance agent{chart, door};
    agent.start();
    CHECK(rings == 2);
    CHECK(calls == 1);
    CHECK(agent.process("go") == hsm::result::taken);
    CHECK(rings == 4);
    CHECK(calls == 12);
}

TEST_CASE("descriptors are unchanged after writing and reading, also with dots and stars at the end") {
    const auto saved = [](const std::string& event) {
        return hsm::save_scxml(
            *hsm::load_scxml_text("<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\"><state id=\"a\"><transition event=\"" + event +
                                  "\" target=\"a\"/></state></scxml>"));
    };
    const auto event_in = [](const std::string& text) {
        const auto begin = text.find(" event=\"") + 8;
        return text.substr(begin, text.find('"', begin) - begin);
    };
    const char* descriptors[][2] = {{"e", "e"},        {"e.", "e"},  {"e.*", "e"},        {"e..", "e.."}, {"e...", "e..."},
                                    {"e.*.*", "e.*."}, {"..", ".."}, {"a. b..", "a b.."}, {"* x", "* x"}};
    for (const auto& [given, written] : descriptors) {
        const std::string text = saved(given);
        CHECK(event_in(text) == written);
        CHECK(saved(event_in(text)) == text);
    }
}

TEST_CASE("a machine defined in C++ is written as far as SCXML can express it") {
    struct nothing {};
    auto root = hsm::make_fsm<nothing>("lamp");
    auto& off = root->add("off");
    auto& on = root->add_fsm("on");
    auto& bright = on.add("bright");
    auto& dim = on.add("dim");
    off.to(on).on("press");
    bright.to(dim).after(2s);
    on.to(off).on("press");
    const auto text = hsm::save_scxml(*root);
    CHECK(text.find("<send event=\"after.bright.1\" id=\"after.bright.1\" delay=\"2000ms\"/>") != std::string::npos);

    const auto chart = hsm::compile(hsm::load_scxml_text(text));
    hsm::scxml::context data;
    hsm::instance agent{chart, data};
    agent.start();
    agent.process("press");
    CHECK(agent.current().name() == "bright");
    agent.tick(2s);
    CHECK(agent.current().name() == "dim");
    agent.process("press");
    CHECK(agent.current().name() == "off");
}

TEST_CASE("all parts that SCXML cannot express are reported together") {
    struct nothing {};
    auto root = hsm::make_fsm<nothing>("lamp");
    auto& off = root->add("off");
    auto& on = root->add("on").hold().tag("bright");
    off.to(on).on("press").when([](const nothing&) { return true; });
    on.to(off).when([](const nothing&) { return true; }).label("dim");
    const auto saved = hsm::try_save_scxml(*root);
    CHECK(saved.losses.size() == 6); // two guards, the hold, the tag, the label, and the polled trigger of that transition
    for (const auto& loss : saved.losses) CHECK(loss.code == hsm::code::inexpressible);
    CHECK_THROWS_AS((void)hsm::save_scxml(*root), hsm::load_error);
    CHECK(hsm::try_load_scxml_text(saved.text));
}

TEST_CASE("a hook whose name is no name of an XML element is reported and not written") {
    hsm::registry<hsm::scxml::context> names;
    for (const auto* const name : {"ring", "läuten", "7up", "a+b"}) names.hook(name, [](hsm::scxml::context&) {});
    const auto root = hsm::load_xml_text(R"(<Project name="P"><state ID="a" enter="ring läuten 7up" exit="a+b"/></Project>)", names);
    const auto saved = hsm::try_save_scxml(*root);
    CHECK(saved.losses.size() == 2);
    CHECK(saved.text.find("<hsm:ring/>") != std::string::npos);
    CHECK(saved.text.find("<hsm:läuten/>") != std::string::npos);
    CHECK(hsm::try_load_scxml_text(saved.text, "saved.scxml", {}, &names));
}

TEST_CASE("a transition with only a condition that always holds is written with its condition") {
    const auto saved = hsm::save_scxml(*hsm::load_scxml_text(
        R"(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><state id="a"><transition cond="true"/><transition event="e" cond="true"/></state></scxml>)"));
    CHECK(saved.find("<transition cond=\"true\"/>") != std::string::npos);
    CHECK(hsm::save_scxml(*hsm::load_scxml_text(saved)) == saved);
}

TEST_CASE("comments before and after other parts of a state keep their place when written") {
    const auto saved = hsm::save_scxml(*hsm::load_scxml_text(
        R"(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0"><!-- root --><state id="a"><!-- entry --><onentry><log/></onentry><x:y xmlns:x="u"/><!-- exit --><onexit><log/></onexit>
           <!-- transition --><transition event="e"/><!-- invoke --><invoke src="f"/><!-- last --></state></scxml>)"));
    for (const auto* comment : {"root", "entry", "exit", "transition", "invoke", "last"}) {
        CAPTURE(comment);
        CHECK(saved.find("<!-- " + std::string(comment) + " -->") != std::string::npos);
    }
    CHECK(hsm::save_scxml(*hsm::load_scxml_text(saved)) == saved);
}

TEST_CASE("unknown attributes and comments of every element keep their place") {
    // @ is replaced by two attributes, # by a comment.
    const std::string_view form =
        R"x(<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:ed="urn:editor" version="1.0" datamodel="lua" initial="s" exmode="lax"@>
        #<datamodel@>#<data id="d" expr="1"@>#</data>#<data id="e"@>text#</data>#</datamodel>
        #<script@>f()#</script>#<script@>#</script>
        #<state id="s"@>
          #<initial@>#<transition target="s1"@>#<log label="l"/>#</transition>#</initial>
          #<datamodel@>#</datamodel>
          #<onentry@>
            #<raise event="r"@>#</raise>#<log label="l"@>#</log>#<cancel sendid="c"@>#</cancel>#<script@>f()#</script>
            #<assign location="d" expr="1"@>#</assign>#<assign location="d"@>text#</assign>#<ed:foreign@>#</ed:foreign>
            #<send event="e"@>#<param name="p" expr="1"@>#</param>#</send>#<send event="e"@>#<content@>text#</content>#<ed:foreign@/></send>
            #<send event="e"@><content expr="d"@>#</content></send>
            #<if cond="a"@>#<raise event="r"/>#<elseif cond="b"@>#</elseif>#<raise event="r"/>#<else@>#</else>#<raise event="r"/>#</if>
            #<foreach array="d" item="i"@>#<raise event="r"/>#</foreach>#</onentry>
          #<onentry@/>#<onentry>#</onentry>#<onexit@>#<raise event="r"/>#</onexit>
          #<ed:foreign@>#</ed:foreign>
          #<transition event="e" target="s2"@>#<raise event="r"/>#</transition>#<transition event="f"@>#</transition>
          #<invoke src="file"@>#<param name="p" location="d"@>#</param>#<finalize@>#<assign location="d" expr="1"/>#</finalize>#</invoke>
          #<invoke@>#<content@>text#</content>#</invoke>
          #<history id="h" type="deep"@>#<transition target="s1"@>#<raise event="r"/>#</transition>#</history>
          #<state id="s1"@>#</state>#<parallel id="s2"@>#<state id="s3"@/>#<state id="s4"@/>#</parallel>#</state>
        #<transition event="g" target="f"@>#</transition>
        #<final id="f"@>#<donedata@>#<param name="p" expr="1"@>#</param>#</donedata>#</final>#</scxml>)x";
    std::string text;
    std::vector<std::string> parts;
    for (const char c : form) {
        const auto n = std::to_string(100 + parts.size());
        if (c == '@') {
            parts.push_back(" x" + n + "=\"&quot;\"");
            parts.push_back(" ed:y" + n + "=\"1\"");
            text += parts[parts.size() - 2] + parts.back();
        } else if (c == '#') {
            parts.push_back("<!-- " + n + " -->");
            text += parts.back();
        } else {
            text += c;
        }
    }
    const auto count = [](const std::string& in, const std::string& part) {
        int found = 0;
        for (auto at = in.find(part); at != in.npos; at = in.find(part, at + 1)) ++found;
        return found;
    };
    const auto saved = hsm::save_scxml(*hsm::load_scxml_text(text));
    for (const auto& part : parts) {
        CAPTURE(part);
        CHECK(count(saved, part) == 1);
    }
    CHECK(count(saved, "exmode=\"lax\"") == 1);
    CHECK(count(saved, "xmlns:ed=\"urn:editor\"") == 1);
    CHECK(hsm::save_scxml(*hsm::load_scxml_text(saved)) == saved);
    CHECK(hsm::compile(hsm::load_scxml_text(saved)).fingerprint() == hsm::compile(hsm::load_scxml_text(text)).fingerprint());

    // Comments stay in their element, and those before it stay there.
    const std::string small = R"x(<scxml xmlns="http://www.w3.org/2005/07/scxml" version="1.0" initial="a">
  <state id="a" z="1">
    <initial z="2">
      <!-- in front -->
      <transition target="b" z="3">
        <log label="l"/>
        <!-- behind -->
      </transition>
    </initial>
    <!-- entry -->
    <onentry z="4">
      <send event="e" z="5">
        <param name="p" expr="1" z="6"/>
        <!-- last -->
      </send>
    </onentry>
    <state id="b"/>
  </state>
</scxml>
)x";
    const auto again = hsm::save_scxml(*hsm::load_scxml_text(small));
    CHECK(again == "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + small);
}

TEST_CASE("a comment in front of a foreign element is not written again in front of the next one") {
    const std::string text = R"x(<scxml xmlns="http://www.w3.org/2005/07/scxml" xmlns:x="u" version="1.0">
  <state id="a">
<!-- one --><x:y/>
    <transition event="e"/>
  </state>
</scxml>
)x";
    const auto saved = hsm::save_scxml(*hsm::load_scxml_text(text));
    CHECK(saved.find("<!-- one -->") == saved.rfind("<!-- one -->"));
}

TEST_CASE("characters that XML forbids are not written") {
    const auto text_or_error = [](const std::string& name) -> std::string {
        auto root = hsm::make_fsm<hsm::scxml::context>("door");
        root->add("a").to(root->add("b")).on(name);
        try {
            return hsm::save_scxml(*root);
        } catch (const hsm::load_error& e) {
            return e.what();
        }
    };
    CHECK(text_or_error("\xc3\xa4").find("event=\"\xc3\xa4\"") != std::string::npos);
    CHECK(text_or_error("ring\x1b") ==
          "HSM-303 error: the attribute event of <transition>, \"ring\x1b\", contains a character that is not allowed in XML; "
          "hint: use UTF-8 without control characters\n");
    for (const char* name : {"\xef\xbf\xbe", "\xef\xbf\xbf", "\xff"}) CHECK(text_or_error(name).starts_with("HSM-303"));
}

TEST_CASE("an empty <finalize> is kept") {
    const auto with = [](const std::string& finalize) {
        return hsm::save_scxml(
            *hsm::load_scxml_text("<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\"><state id=\"a\"><invoke src=\"b.scxml\">" +
                                  finalize + "</invoke></state></scxml>"));
    };
    CHECK(with("<finalize/>").find("<finalize/>") != std::string::npos);
    CHECK(with("").find("finalize") == std::string::npos);
}
