// Documents in ECMAScript, from loading to running sessions, with scripts in this process and in a separate one.

#include <tests/scxml/trusted_and_not.hpp>
#include <tests/support/scxml_documents.hpp>

#include <hsm/hsm.hpp>
#include <hsm/observe/explain.hpp>
#include <hsm/scxml/ecmascript.hpp>
#include <hsm/scxml/scxml.hpp>
#include <hsm/scxml/session.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <initializer_list>
#include <set>
#include <stdexcept>
#include <string>

using namespace std::chrono_literals;

namespace {

/// Records logs and errors.
struct tracing : hsm::scxml::context {
    using context::context;
    std::string log, wrong;

    void on_log(std::string_view label, std::string_view text) override {
        log += std::string(log.empty() ? "" : " ") + std::string(label) + std::string(text);
    }
    void on_error(std::string_view event, std::string_view what) override { wrong += std::string(event) + ": " + std::string(what) + '\n'; }
};

struct playing {
    explicit playing(const std::string& inside, const hsm::scxml::ecmascript& scripts, const std::string& attributes = "",
                     const std::string& folder = "", hsm::scxml::limits most = {})
        : chart(hsm::compile(hsm::load_scxml_text<tracing>(hsm::test::scxml_document('\n' + inside, "datamodel=\"ecmascript\" " + attributes), "d",
                                                           hsm::test::options_with(scripts, folder)))),
          data(most) {
        session.start();
    }
    std::string leaves() const { return hsm::test::leaves_of(session); }
    std::string after(const hsm::scxml::incoming& event) {
        session.process(event);
        return leaves();
    }
    std::string after(const char* event) { return after({event, {}, {}, {}, {}, {}}); }

    hsm::chart<tracing> chart;
    tracing data;
    hsm::scxml::session<tracing> session{chart, data};
};

template <class F> void everywhere(F f, hsm::scxml::script_options options = {}) {
    trusted_and_not([&](const auto& o) { f(hsm::scxml::ecmascript(o)); }, options);
}

std::string log_of(const std::string& inside, const hsm::scxml::ecmascript& scripts, const std::string& attributes = "") {
    const playing p("<state id=\"s\"><onentry>" + inside + "</onentry></state>", scripts, attributes);
    return p.data.log + (p.data.wrong.empty() ? "" : " !" + p.data.wrong);
}

} // namespace

TEST_CASE("data get their values at the start, or when their state is first entered") {
    const auto text = R"x(<datamodel><data id="a" expr="1"/></datamodel><script>var seen = typeof b + c;</script>
        <state id="s"><onentry><log expr="seen + typeof b"/></onentry><transition event="in" target="t"/></state>
        <state id="t"><datamodel><data id="b" expr="a + 1"/><data id="c">text</data></datamodel>
            <onentry><log label=";" expr="b + c"/><assign location="b" expr="b + 1"/></onentry><transition event="out" target="s"/></state>)x";
    everywhere([&](const hsm::scxml::ecmascript& scripts) {
        playing early(text, scripts), late(text, scripts, "binding=\"late\"");
        for (auto* const p : {&early, &late})
            for (const char* event : {"in", "out", "in"}) p->after(event);
        CHECK(early.data.log == "numbertextnumber ;2text numbertextnumber ;3text");
        CHECK(late.data.log == "undefinedundefinedundefined ;2text undefinedundefinednumber ;3text");
        CHECK(early.data.wrong + late.data.wrong == "");
    });
}

TEST_CASE("assign, if, foreach, script and log have the specified effects") {
    everywhere([](const hsm::scxml::ecmascript& scripts) {
        const auto log = [&](const std::string& inside) { return log_of(inside, scripts); };
        CHECK(log(R"x(<script>var a = {b: [1, 2]};</script><assign location="a.b[1]" expr="a.b[0] + 4"/><log expr="a.b"/>)x") == "[1,5]");
        CHECK(log(R"x(<script>var a;</script><assign location="a">{"x": [true]}</assign><log expr="a.x[0]"/>)x") == "true");
        CHECK(log(R"x(<script>var a;</script><assign location="a"><p q="1"/></assign><log expr="a.documentElement.getAttribute('q')"/>)x") == "1");
        const auto choice = [&](const std::string& n) {
            return log(
                "<script>var n = " + n +
                R"x(;</script><if cond="n &lt; 1"><log expr="'few'"/><elseif cond="n == 1"/><log expr="'one'"/><else/><log expr="'many'"/></if>)x");
        };
        CHECK(choice("0") == "few");
        CHECK(choice("1") == "one");
        CHECK(choice("2") == "many");
        CHECK(
            log(R"x(<script>var l = ['a', 'b'], t = '';</script><foreach array="l" item="i" index="n"><assign location="t" expr="t + n + i"/><script>l.push(i);</script></foreach>
            <log expr="t + l.length + i + n"/>)x") == "0a1b4b1");
        CHECK(log("<script>\n// a comment\nvar x = 1 &lt; 2 &amp;&amp; 'yes';</script><log label=\"l \" expr=\"x\"/>") == "l yes");
    });
}

TEST_CASE("a condition that fails is false, and ends the block behind its <if>") {
    everywhere([](const hsm::scxml::ecmascript& scripts) {
        CHECK(log_of(R"x(<if cond="no.thing"><log expr="'then'"/><elseif cond="true"/><log expr="'else'"/></if><log expr="'behind'"/>)x", scripts) ==
              "else !error.execution: ReferenceError: identifier 'no' undefined\n");
    });
}

TEST_CASE("an error raises error.execution with its line, and ends its block") {
    everywhere([](const hsm::scxml::ecmascript& scripts) {
        for (const auto* inside :
             {"<log expr=\"no\"/>", "<assign location=\"no\" expr=\"1\"/>", "<assign location=\"_event\" expr=\"1\"/>",
              "<assign location=\"_name\" expr=\"1\"/>", "<script>_sessionid = 'other';</script>", "<script>throw 1</script>", "<script>(</script>",
              "<foreach array=\"7\" item=\"i\"/>", "<foreach array=\"[1]\" item=\"'i'\"/>", "<send eventexpr=\"no\"/>",
              "<send event=\"e\" delayexpr=\"'so' + 'on'\"/>", "<send event=\"e\"><param name=\"p\" expr=\"no\"/></send>",
              "<send event=\"e\" namelist=\"no\"/>", "<send event=\"e\"><content expr=\"no\"/></send>", "<cancel sendidexpr=\"no\"/>"}) {
            CAPTURE(inside);
            playing p("<state id=\"s\"><onentry>" + std::string(inside) + R"x(<log expr="'behind'"/></onentry><onentry><log expr="'next'"/></onentry>
                <transition event="error.execution" target="t"><log expr="_event.type"/></transition><transition event="*" target="u"/></state>
                <state id="t"/><state id="u"/>)x",
                      scripts);
            CHECK(p.leaves() == "t");
            CHECK(p.data.log == "next platform");
        }
        playing lines("<state id=\"s\"><onentry><script>var a;\nvar b;\nno.thing();\n</script></onentry></state>", scripts);
        CHECK(lines.data.wrong == "error.execution: ReferenceError: identifier 'no' undefined (line 4)\n");
        const playing further("<state id=\"s\"><onentry><script> \n\n  <![CDATA[ var a;\n no.thing();]]>\n</script></onentry></state>", scripts);
        CHECK(further.data.wrong == "error.execution: ReferenceError: identifier 'no' undefined (line 5)\n");
        playing condition(
            "<state id=\"s\"><transition event=\"e\" cond=\"no.thing\" target=\"t\"/><transition event=\"error.execution\" target=\"u\"/></state>"
            "<state id=\"t\"/><state id=\"u\"/>",
            scripts);
        CHECK(condition.after("e") == "u");
        playing data(R"x(<datamodel><data id="a" expr="no"/><data id="b" expr="typeof a"/></datamodel>
            <state id="s"><transition event="error.execution" target="t"/></state><state id="t"><onentry><log expr="b"/></onentry></state>)x",
                     scripts);
        CHECK(data.leaves() == "t");
        CHECK(data.data.log == "undefined");
    });
}

TEST_CASE("events carry the data of params, namelists, content and donedata") {
    everywhere([](const hsm::scxml::ecmascript& scripts) {
        playing p(R"x(<datamodel><data id="x" expr="2"/></datamodel><state id="s" initial="s1">
            <onentry>
                <send event="e" namelist="x"><param name="y" expr="x + 1"/><param name="z" location="x"/></send>
                <send event="e"><content>{"x": [1]}</content></send>
                <send event="e"><content expr="x * 4"/></send>
                <send event="e"><content> some  text </content></send>
                <send event="e"><content><b c="d"/></content></send>
                <send event="e"/>
            </onentry>
            <transition event="e"><log expr="JSON.stringify(_event.data)"/></transition>
            <transition event="done.state.s"><log expr="_event.type + _event.data.k"/></transition>
            <state id="s1"><transition event="end" target="f"/></state>
            <final id="f"><donedata><param name="k" expr="x"/></donedata></final></state>)x",
                  scripts);
        CHECK(p.data.log == R"x({"x":2,"y":3,"z":2} {"x":[1]} 8 "some text" {"#xml":"<b c=\"d\"/>"} undefined)x");
        p.data.log.clear();
        p.after("end");
        CHECK(p.data.log == "platform2");
        CHECK(p.data.wrong == "");
    });
}

TEST_CASE("_event has all fields, for internal and external events") {
    const auto all = "[_event.name, _event.type, _event.sendid, _event.origin, _event.origintype, _event.invokeid, _event.data]";
    everywhere([&](const hsm::scxml::ecmascript& scripts) {
        playing p(std::string(R"x(<state id="s"><transition event="inside"><raise event="r"/><send event="t" id="i"/></transition>
            <transition event="*"><log expr="JSON.stringify()x") +
                      all + R"x(.map(String))"/></transition></state>)x",
                  scripts);
        p.after({"outside", R"x({"a":1})x", "id", "#_origin", "kind", "invoked"});
        CHECK(p.data.log == R"x(["outside","external","id","#_origin","kind","invoked","[object Object]"])x");
        p.data.log.clear();
        p.after("inside");
        CHECK(p.data.log == R"x(["r","internal","undefined","undefined","undefined","undefined","undefined"] )x"
                            R"x(["t","external","i","#_scxml_session","http://www.w3.org/TR/scxml/#SCXMLEventProcessor","undefined","undefined"])x");
    });
}

TEST_CASE("_sessionid, _name and _ioprocessors exist, and scripts cannot change them") {
    everywhere([](const hsm::scxml::ecmascript& scripts) {
        const auto log = [&](const std::string& e) { return log_of("<log expr=\"" + e + "\"/>", scripts, "name=\"n\""); };
        CHECK(log("_sessionid + _name") == "sessionn");
        CHECK(log("_ioprocessors['http://www.w3.org/TR/scxml/#SCXMLEventProcessor'].location") == "#_scxml_session");
        CHECK(log("_ioprocessors.scxml.location") == "#_scxml_session");
        for (const auto* name : {"_event", "_sessionid", "_name", "_ioprocessors", "_x"}) {
            CAPTURE(name);
            CHECK(log_of(std::string("<script>") + name + " = 1;</script>", scripts) == " !error.execution: TypeError: it is read-only\n");
        }
        playing p(
            R"x(<datamodel><data id="_name" expr="1"/></datamodel><state id="s"><transition event="error.execution" target="t"/></state><state id="t"/>)x",
            scripts);
        CHECK(p.leaves() == "t");
    });
}

TEST_CASE("scripts can use functions and values of C++, and their exceptions are errors of the document") {
    everywhere([](hsm::scxml::ecmascript scripts) {
        scripts.add("twice", [](double x) { return 2 * x; });
        scripts.add("refuse", []() -> int { throw std::runtime_error("not today"); });
        scripts.add_value("config", R"x({"speed": [3]})x");
        CHECK(log_of(R"x(<log expr="twice(config.speed[0])"/>)x", scripts) == "6");
        CHECK(log_of(R"x(<script>refuse();</script>)x", scripts) == " !error.execution: Error: not today\n");
        CHECK(log_of(R"x(<script>config = 1;</script>)x", scripts) == " !error.execution: TypeError: it is read-only\n");
        CHECK(log_of(R"x(<foreach array="[1]" item="config"/>)x", scripts) == " !error.execution: TypeError: it is read-only\n");
        playing p(
            R"x(<datamodel><data id="config" expr="1"/><data id="twice" expr="1"/></datamodel><state id="s"><onentry><log expr="twice(config.speed[0])"/></onentry></state>)x",
            scripts);
        CHECK(p.data.log == "6");
        CHECK(p.data.wrong == "error.execution: \"config\" is read-only\n"
                              "error.execution: \"twice\" is read-only\n");
    });
}

TEST_CASE("conditions without an event are evaluated again after each event, also if a transition takes it") {
    everywhere([](const hsm::scxml::ecmascript& scripts) {
        playing p(
            R"x(<state id="a"><transition cond="typeof _event == 'object' &amp;&amp; _event.name == 'go'" target="b"/></state><state id="b"/>)x",
            scripts);
        CHECK(p.after("stay") == "a");
        CHECK(p.after("go") == "b");
        // A transition without target and content is legal if it has a condition.
        playing q(R"x(<state id="a"><transition cond="In('b')"/><transition event="e" target="b"/></state><state id="b"/>)x", scripts);
        CHECK(q.after("e") == "b");
        // A transition that always fires causes an error after each of its errors.
        CHECK_THROWS_AS(playing(R"x(<state id="a"><transition cond="no.thing" target="a"/></state>)x", scripts), hsm::chain_error);
    });
}

TEST_CASE("data and scripts are read only from files in the host's folder") {
    const auto folder = std::filesystem::temp_directory_path() / "hsm_scripted_documents_test";
    std::filesystem::create_directories(folder / "in");
    std::ofstream(folder / "in" / "s.js") << "function f() {\n    return no.thing;\n}\nvar v = 'script';\n";
    std::ofstream(folder / "in" / "d.json") << "\n{\"a\": \"<b>\"}\n";
    std::ofstream(folder / "out.js") << "var v = 'out';";
    const std::string text = R"x(<datamodel><data id="d" src="in/d.json"/></datamodel><script src="in/s.js"/>
        <state id="s"><onentry><log expr="v + d.a"/><script src="in/s.js"/><script>f();</script></onentry></state>)x";
    everywhere([&](const hsm::scxml::ecmascript& scripts) {
        playing p(text, scripts, "", folder.string());
        CHECK(p.data.log == "script<b>");
        CHECK(p.data.wrong.starts_with("error.execution: ReferenceError: identifier 'no' undefined"));
        const auto again =
            hsm::load_scxml_text<tracing>(hsm::save_scxml(*p.chart.root().get()), "again", hsm::test::options_with(scripts)); // with all files
        CHECK(hsm::save_scxml(*again).find("return no.thing;") != std::string::npos);
    });
    const hsm::scxml::ecmascript scripts;
    const auto options = hsm::test::options_with(scripts, (folder / "in").string());
    for (const auto* src : {"../out.js", "/etc/passwd", "in/s.js", "http://example.org/s.js"}) {
        CAPTURE(src);
        const auto document = hsm::test::ecmascript_document(std::string("<script src=\"") + src + "\"/><state id=\"s\"/>");
        CHECK(hsm::try_load_scxml_text(document, "d", options).problems.at(0).code == hsm::code::bad_include);
    }
    std::filesystem::remove_all(folder);
}

TEST_CASE("a document has no scripts unless the host allows them") {
    const auto document = hsm::test::ecmascript_document("<state id=\"s\"><onentry><script>1</script></onentry></state>");
    CHECK(hsm::try_load_scxml_text(document).problems.at(0).code == hsm::code::needs_data_model);
}

TEST_CASE("scripts that loop, allocate or recurse end in an error, and the session continues") {
    everywhere(
        [](const hsm::scxml::ecmascript& scripts) {
            for (const auto* script : {"for (;;);", "for (;;) try { for (;;); } catch (e) {}", "var a = []; for (;;) a.push(a.length);",
                                       "var s = 'x'; for (;;) s += s;", "(function f() { f(); })()", "Array(5e7).join();",
                                       "var a = []; a[2e9] = 1; a.sort();", "/^(a|a)*$/.test('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab');"}) {
                CAPTURE(script);
                playing p(std::string("<state id=\"s\"><onentry><script><![CDATA[") + script + R"x(]]></script></onentry>
                    <transition event="error.execution" target="t"/></state><state id="t"><transition event="e" cond="1 + 1 == 2" target="u"/></state><state id="u"/>)x",
                          scripts);
                CHECK(p.leaves() == "t");
                CHECK(p.after("e") == "u");
            }
        },
        {.memory = 1'000'000, .steps = 200'000});
}

TEST_CASE("without a count of steps, processor time ends untrusted scripts, also native loops of the engine" *
          doctest::skip(why_no_process() != nullptr)) {
    const hsm::scxml::ecmascript scripts({.steps = INT64_MAX / 4, .untrusted = true, .cpu_milliseconds = 150});
    const auto begin = std::chrono::steady_clock::now();
    for (const auto* script : {"for (;;);", "Array(5e7).join(); for (;;);", "var a = []; a[2e9] = 1; a.sort();", "Array(4e9 - 1).reverse();",
                               "for (;;) try { /^(a|a)*$/.test('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab'); } catch (e) {}"}) {
        CAPTURE(script);
        playing p(std::string("<state id=\"s\"><onentry><script><![CDATA[") + script + R"x(]]></script></onentry>
            <transition event="error.execution" target="t"/></state><state id="t"><transition event="e" cond="true || x" target="u"/></state><state id="u"/>)x",
                  scripts, "", "", {.max_steps = INT64_MAX / 2});
        CHECK(p.leaves() == "t");
        CHECK(p.data.wrong == "error.execution: the script used more than 150 ms of processor time, and its process was ended\n");
        CHECK(p.after("e") == "t"); // its data are lost, and the machine does not change
    }
    CHECK(std::chrono::steady_clock::now() - begin < 60s);
}

TEST_CASE("In() in a larger expression accepts the ids of all states at any depth") {
    everywhere([](const auto& scripts) {
        playing p(R"x(<datamodel><data id="n" expr="1"/></datamodel>
            <state id="a"><state id="a1"><state id="a2"><onentry><log expr="[In('a1'), In('a2'), In('b'), In('nowhere')]"/></onentry></state></state>
            <transition event="e" cond="n == 1 &amp;&amp; In('a2')" target="b"/></state>
            <state id="b"><onentry><assign location="n" expr="In('a2') ? 2 : 3"/><log expr="n"/></onentry></state>)x",
                  scripts);
        CHECK(p.after("e") == "b");
        CHECK(p.data.log == "[true,true,false,false] 3");
        CHECK(p.data.wrong == "");
    });
}

TEST_CASE("on_error receives the error of a condition once, and not from a query") {
    everywhere([](const auto& scripts) {
        playing p(R"(<state id="a"><transition event="e" cond="nix.y" target="b"/><transition event="error.execution" target="c"/></state>
            <state id="b"/><state id="c"/>)",
                  scripts);
        CHECK(!p.session.instance().can("e"));
        CHECK(hsm::to_string(hsm::explain(p.session.instance(), "e")).find("fails: ReferenceError: identifier 'nix' undefined") != std::string::npos);
        CHECK(p.data.wrong == "");
        CHECK(p.after("e") == "c");
        CHECK(p.data.wrong == "error.execution: ReferenceError: identifier 'nix' undefined\n");
    });
}

namespace {

/// Returns nested loops over ten items each.
std::string loops(int depth, const std::string& inside) {
    return depth == 0 ? inside : "<foreach array=\"ten\" item=\"i\">" + loops(depth - 1, inside) + "</foreach>";
}
constexpr auto ten = R"(<datamodel><data id="ten" expr="[0,1,2,3,4,5,6,7,8,9]"/><data id="n" expr="0"/></datamodel>)";
constexpr auto used_up = "error.execution: the call used more than 20000 steps\n";

struct bounded {
    bounded(const std::string& inside, const hsm::scxml::ecmascript& scripts, hsm::scxml::limits most = {.max_steps = 20'000})
        : chart(hsm::compile(hsm::load_scxml_text<tracing>(hsm::test::ecmascript_document(inside), "d", hsm::test::options_with(scripts)))),
          data(most) {}

    hsm::code ends(const auto& call) {
        try {
            call();
        } catch (const hsm::chain_error& e) {
            return e.number();
        }
        return hsm::code{};
    }

    hsm::chart<tracing> chart;
    tracing data;
    hsm::scxml::session<tracing> session{chart, data};
};

} // namespace

TEST_CASE("loops that use up the steps of a call end in one error event, and the next call has all steps again") {
    std::set<std::string> counted;
    everywhere([&](const auto& scripts) {
        bounded b(ten +
                      ("<state id=\"s\"><onentry>" + loops(12, "<assign location=\"n\" expr=\"n + 1\"/>") +
                       "<log label=\"never\"/></onentry><transition event=\"error.execution\" target=\"t\"/></state>") +
                      R"(<state id="t"><onentry><log expr="n"/></onentry><transition event="more"><foreach array="ten" item="i">
                         <assign location="n" expr="i"/></foreach><log expr="' ' + n"/></transition></state>)",
                  scripts);
        b.session.start();
        CHECK(b.session.configuration().front() == "t");
        CHECK(b.data.wrong == used_up);
        for (int i = 0; i < 20; ++i) b.session.process("more");
        CHECK(b.data.wrong == used_up);
        counted.insert(b.data.log);
    });
    CHECK(counted.size() == 1); // the number of steps does not depend on the process
    CHECK(counted.begin()->find("never") == std::string::npos);
    CHECK(counted.begin()->ends_with(" 9  9"));
}

TEST_CASE("a session that uses up its steps again after the error event ends, and its call throws") {
    everywhere([](const auto& scripts) {
        bounded b(ten + ("<state id=\"s\"><transition target=\"s\">" + loops(12, "") + "</transition><onexit><log label=\"left\"/></onexit></state>"),
                  scripts);
        CHECK(b.ends([&] { b.session.start(); }) == hsm::code::too_many_steps);
        CHECK(b.data.wrong == used_up);
        CHECK(!b.session.instance().active());
        CHECK(b.session.process("x") == hsm::result::inactive);
        b.data.wrong.clear();
        CHECK(b.ends([&] { b.session.start(); }) == hsm::code::too_many_steps); // it can be started again
        CHECK(b.data.wrong == used_up);
    });
}

TEST_CASE("conditions and scripts use steps of the call") {
    const std::string work = "for (var i = 0; i &lt; 1500; ++i);";
    everywhere([&](const auto& scripts) {
        bounded conditions("<script>function work() {" + work +
                               " return true}</script><state id=\"s\"><transition event=\"go\" target=\"t\"/></state>" +
                               "<state id=\"t\"><transition cond=\"work()\" target=\"u\"/></state><state id=\"u\"><transition cond=\"work()\" "
                               "target=\"t\"/></state>",
                           scripts);
        conditions.session.start();
        CHECK(conditions.ends([&] { conditions.session.process("go"); }) == hsm::code::too_many_steps);
        CHECK(conditions.data.wrong == used_up);
        CHECK(!conditions.session.instance().active());
        std::string all;
        for (int i = 0; i < 200; ++i) all += "<script>" + work + "</script>";
        bounded many("<state id=\"s\"><transition cond=\"true\" target=\"s\">" + all + "</transition></state>", scripts);
        CHECK(many.ends([&] { many.session.start(); }) == hsm::code::too_many_steps);
        CHECK(many.data.wrong == used_up);
    });
}

TEST_CASE("an invoked session that uses up the steps of a call ends, and its parent continues") {
    everywhere([](const auto& scripts) {
        const auto hog = ten + ("<state id=\"x\"><transition target=\"x\">" + loops(12, "") + "</transition></state>");
        bounded b("<state id=\"s\"><invoke id=\"hog\"><content><scxml version=\"1.0\" datamodel=\"ecmascript\">" + hog +
                      "</scxml></content></invoke><transition event=\"error.platform\" cond=\"_event.invokeid == 'hog'\" target=\"t\"/></state>"
                      "<state id=\"t\"><onentry><log label=\"goes on\"/></onentry></state>",
                  scripts, {.max_steps = 200'000});
        b.session.start();
        CHECK(b.session.configuration().front() == "t");
        CHECK(b.data.log == "goes on");
        CHECK(b.data.wrong.starts_with("error.execution: the call used more than 200000 steps\nerror.platform: "));
        CHECK(b.data.wrong.find("HSM-364") != std::string::npos);
    });
}

TEST_CASE("a cap on time ends loops that the steps would not end") {
    everywhere([](const auto& scripts) {
        bounded b(ten + ("<state id=\"s\"><onentry>" + loops(12, "") +
                         "</onentry><transition event=\"error.execution\" target=\"t\"/></state><state id=\"t\"/>"),
                  scripts, {.max_steps = INT64_MAX / 2, .max_milliseconds = 20});
        b.session.start();
        CHECK(b.session.configuration().front() == "t");
        CHECK(b.data.wrong.ends_with(" steps or 20 ms\n"));
    });
}

TEST_CASE("a plain instance has all steps for each macrostep, and stops if it uses them up") {
    everywhere([](const auto& scripts) {
        bounded b(ten + ("<state id=\"s\"><transition event=\"little\">" + loops(1, "<assign location=\"n\" expr=\"n + 1\"/>") +
                         "</transition><transition event=\"much\" target=\"s\">" + loops(12, "") + "</transition>" +
                         "<transition event=\"error\" target=\"s\"/><transition event=\"for-ever\" target=\"t\"/></state><state id=\"t\"><transition "
                         "target=\"t\">" +
                         loops(12, "") + "</transition></state>"),
                  scripts);
        tracing own({.max_steps = 20'000});
        hsm::instance agent{b.chart, own};
        agent.start();
        for (int i = 0; i < 20; ++i) agent.process("little");
        CHECK(own.wrong == "");
        agent.process("much");
        CHECK(own.wrong == used_up);
        for (int i = 0; i < 20; ++i) agent.process("little");
        CHECK(own.wrong == used_up);
        CHECK(b.ends([&] { agent.process("for-ever"); }) == hsm::code::too_many_steps);
        CHECK(!agent.active());
    });
}
