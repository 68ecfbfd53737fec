#include <hsm/chart/fingerprint.hpp>
#include <hsm/draw/text.hpp>
#include <hsm/hsm.hpp>
#include <hsm/scxml/scxml.hpp>
#include <hsm/scxml/session.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

std::string document(const std::string& inside, const std::string& attributes = "version=\"1.0\" name=\"d\"") {
    return "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" " + attributes + ">" + inside + "</scxml>";
}
/// Returns the codes and positions of all errors.
std::string errors_of(const std::string& text, const hsm::scxml_options& options = {}) {
    std::string found;
    for (const auto& p : hsm::try_load_scxml_text(text, "d", options).problems)
        found += (found.empty() ? "" : " ") + std::to_string(static_cast<int>(p.code)) + '@' + std::to_string(p.where.line) + ':' +
                 std::to_string(p.where.column);
    return found;
}
std::string without_folder(std::string text, const std::string& folder) {
    for (auto at = text.find(folder); at != text.npos; at = text.find(folder)) text.replace(at, folder.size(), "DIR");
    std::ranges::replace(text, '\\', '/'); // as in paths on Windows
    return text;
}
std::string warnings_of(const std::string& inside) {
    std::string found;
    const auto chart = hsm::compile(hsm::load_scxml_text(document(inside)));
    for (const auto& f : chart.warnings())
        found += (found.empty() ? "" : " ") + std::to_string(static_cast<int>(f.code)) + '@' + std::to_string(f.where.line);
    return found;
}

} // namespace

TEST_CASE("all errors of a document are reported together, each with its place") {
    CHECK(errors_of(document("\n<state id=\"a\"><transition event=\"x\" target=\"nowhere\"/></state>\n<state "
                             "id=\"a\"/>\n<final><final/></final><state id=\"c\" initial=\"a\"/>")) == "7@2:45 396@3:12 317@4:8 317@4:38");
}

TEST_CASE("a text that is not SCXML is refused") {
    CHECK(errors_of("") == "304@1:1");
    CHECK(errors_of("<Project name=\"x\"/>") == "391@1:1");
    CHECK(errors_of("<scxml xmlns=\"urn:other\"><state/></scxml>") == "391@1:1");
    CHECK(errors_of(document("")) == "2@1:1");
    CHECK(errors_of("<!DOCTYPE a [<!ENTITY b \"c\">]>" + document("<state/>")) == "305@1:1");
    CHECK(errors_of(document("text")).starts_with("308@"));
}

TEST_CASE("documents that need a data model are refused, with every place that needs it") {
    const auto text = document(
        "\n<datamodel><data id=\"x\"/></datamodel>\n<state id=\"a\"><onentry><assign location=\"x\" expr=\"1\"/>\n<script>x</script></onentry>\n"
        "<transition event=\"e\" cond=\"x &gt; 1\"/></state>",
        "version=\"1.0\" datamodel=\"ecmascript\"");
    CHECK(errors_of(text) == "392@2:12 392@3:24 392@4:1 392@5:29");
    CHECK(errors_of(document("<state/>", "version=\"1.0\" datamodel=\"ecmascript\"")) == "");
}

TEST_CASE("a document without its data model is loaded, drawn and saved with its expressions as text, and cannot run") {
    const std::string text = document(R"x(<datamodel><data id="n" expr="{}"/></datamodel>
        <state id="a"><onentry><log expr="'n = ' .. #n"/><assign location="n[1]" expr="'x'"/><script>f()</script>
            <if cond="#n ~= 0"><send event="go" delayexpr="'1s'"/></if></onentry>
            <transition event="go" cond="n[1] == nil or In('b')" target="b"/><transition event="go" cond="false" target="a"/></state>
        <state id="b"/>)x",
                                      "version=\"1.0\" name=\"d\" datamodel=\"lua\"");
    CHECK(errors_of(text) == "");
    auto root = hsm::load_scxml_text(text);
    const auto saved = hsm::save_scxml(*root);
    for (const auto* const part : {"datamodel=\"lua\"", "expr=\"'n = ' .. #n\"", "location=\"n[1]\" expr=\"'x'\"", "cond=\"#n ~= 0\"",
                                   "delayexpr=\"'1s'\"", "cond=\"n[1] == nil or In('b')\"", "cond=\"false\""}) {
        CAPTURE(part);
        CHECK(saved.find(part) != std::string::npos);
    }
    CHECK(hsm::save_scxml(*hsm::load_scxml_text(saved)) == saved);
    const auto chart = hsm::compile(std::move(root));
    CHECK(chart.warnings().empty());
    CHECK(chart.fingerprint() == hsm::compile(hsm::load_scxml_text(saved)).fingerprint());
    CHECK(hsm::draw::text(chart.view()).text.find("[n[1] == nil or In('b')]") != std::string::npos);

    const auto refused = [](auto start) -> std::string {
        try {
            start();
        } catch (const hsm::usage_error& e) {
            return e.what();
        }
        return "it runs";
    };
    hsm::scxml::context data;
    hsm::instance agent{chart, data};
    const std::string why =
        "HSM-393 error: the document cannot run: no data model is registered for \"lua\"; hint: pass a data model of that name in "
        "scxml_options::data_models";
    CHECK(refused([&] { agent.start(); }) == why);
    CHECK(!agent.active());
    hsm::scxml::session session{chart, data};
    CHECK(refused([&] { session.start(); }) == why);
    CHECK(session.configuration().empty());
    CHECK(refused([&] { session.start(); }) == why); // the first attempt changed nothing
}

TEST_CASE("an invoked document with an unknown data model is an error of the invoking document") {
    struct listening : hsm::scxml::context {
        std::string heard;
        void on_error(std::string_view event, std::string_view what) override { heard += std::string(event) + ": " + std::string(what); }
    };
    const auto chart = hsm::compile(hsm::load_scxml_text<listening>(
        document("<state id=\"a\"><invoke><content><scxml version=\"1.0\" datamodel=\"lua\"><state id=\"i\"/></scxml></content></invoke></state>")));
    listening data;
    hsm::scxml::session session{chart, data};
    session.start();
    CHECK(data.heard.find("the document cannot run: no data model is registered for \"lua\"") != std::string::npos);
    CHECK(session.children().empty());
}

TEST_CASE("errors in an <invoke>, and in a document in it, are reported with their place") {
    const auto inside = [](const std::string& invoke) { return errors_of(document("\n<state>" + invoke + "</state>")); };
    CHECK(inside("<invoke/>") == ""); // a warning only
    CHECK(inside("<invoke type=\"lamp\"/>") == "");
    CHECK(inside("<invoke src=\"a\"><content>b</content></invoke>") == "312@2:8");
    CHECK(inside("<invoke src=\"a\" autoforward=\"perhaps\"/>") == "312@2:37");
    CHECK(inside("<invoke src=\"a\"><finalize/><finalize/></invoke>") == "317@2:35");
    CHECK(inside("<invoke src=\"a\"><state/></invoke>") == "317@2:24");
    CHECK(inside("<invoke srcexpr=\"f()\"/>") == "392@2:25");
    CHECK(inside("<invoke><content>\n<scxml version=\"1.0\"><state><transition event=\"a\" target=\"b\"/></state></scxml></content></invoke>") ==
          "7@3:59");
    CHECK(inside("<invoke><content><scxml version=\"1.0\" datamodel=\"\"><state/></scxml></content></invoke>") == "312@2:46");
    std::string deep;
    for (int i = 0; i < 40; ++i)
        deep = "<scxml version=\"1.0\"><state><invoke><content>" + (deep.empty() ? "<scxml><state/></scxml>" : deep) +
               "</content></invoke></state></scxml>";
    CHECK(inside("<invoke><content>" + deep + "</content></invoke>").starts_with("306@2:"));
}

TEST_CASE("misplaced attributes and children are reported") {
    const auto at = [](const std::string& inside) { return errors_of(document(inside)).substr(0, 3); };
    CHECK(at("<state><transition/></state>") == "311");
    CHECK(at("<state><transition event=\"a\" type=\"inner\"/></state>") == "312");
    CHECK(at("<parallel><final/><state/></parallel>") == "317");
    CHECK(at("<state><initial><transition target=\"a\"/></initial></state>") == "317");
    CHECK(at("<state initial=\"a\"><initial><transition target=\"a\"/></initial><state id=\"a\"/></state>") == "9@1");
    CHECK(at("<state><state id=\"a\"/><initial/></state>") == "311");
    CHECK(at("<state><state id=\"a\"/><history id=\"h\" type=\"low\"><transition target=\"a\"/></history></state>") == "312");
    CHECK(at("<state><history id=\"h\"><transition target=\"a\"/></history></state>") == "317");
    CHECK(at("<state><onentry><send event=\"a\" delay=\"soon\"/></onentry></state>") == "312");
    CHECK(at("<state><onentry><send event=\"a\" eventexpr=\"'b'\"/></onentry></state>") == "312");
    CHECK(at("<state><onentry><if cond=\"true\"><else/><elseif cond=\"true\"/></if></onentry></state>") == "317");
    CHECK(at("<state><onentry><raise/></onentry></state>") == "311");
    CHECK(at("<state><onentry><cancel/></onentry></state>") == "311");
    CHECK(at("<state><onentri/></state>") == "307");
    CHECK(at("<final><transition event=\"a\"/></final>") == "317");
    CHECK(at("<transition target=\"a\"/><state id=\"a\"/>") == "317");
}

TEST_CASE("targets that are never active together are errors of the chart, with a place") {
    auto root = hsm::load_scxml_text(document("<state id=\"a\"><transition event=\"e\" target=\"b c\"/></state>\n<state id=\"b\"/><state id=\"c\"/>"),
                                     "d.scxml");
    const auto result = hsm::try_compile(std::move(root));
    REQUIRE(result.findings.size() >= 1);
    CHECK(result.findings.front().code == hsm::code::never_together);
    CHECK(result.findings.front().where.to_string().starts_with("d.scxml:1:"));
}

TEST_CASE("the check reports valid but unlikely parts of a document") {
    CHECK(warnings_of("<state id=\"a\"/>") == "");
    CHECK(warnings_of("<state id=\"a\"><transition event=\"x\" cond=\"false\" target=\"a\"/></state>") == "112@1");
    CHECK(warnings_of("<state id=\"a\"/>\n<state id=\"b\"/>") == "101@2");
    CHECK(warnings_of("<state id=\"a\"><state id=\"b\"/>\n<history id=\"h\"><transition target=\"b\"/></history></state>") == "113@2 101@2");
    CHECK(warnings_of("<state id=\"a\"><transition event=\"a*\"/></state>") == "114@1");
    CHECK(warnings_of("<state id=\"a\" colour=\"red\"/>") == "111@1");
    CHECK(warnings_of("<state id=\"a\"><transition event=\"x\" cond=\"In('nowhere')\"/></state>") == "112@1");
}

TEST_CASE("an element of another namespace runs the hook registered for it, which reads its attributes") {
    struct robot : hsm::scxml::context {
        std::string heard;
    };
    hsm::registry<robot> names;
    names.hook("say", [](robot& r) { r.heard += r.attribute("what"); });
    const auto chart = hsm::compile(hsm::load_scxml_text<robot>(
        document("<state id=\"a\"><onentry><x:say xmlns:x=\"urn:x\" what=\"hello\"/><x:other xmlns:x=\"urn:x\"/></onentry></state>"), "d", {},
        &names));
    robot r;
    hsm::instance agent{chart, r};
    agent.start();
    CHECK(r.heard == "hello");
    CHECK(chart.warnings().size() == 1); // for the other element

    hsm::scxml_options strict;
    strict.foreign = hsm::foreign_markup::refused;
    CHECK(errors_of(document("<state id=\"a\"><onentry><x:other xmlns:x=\"urn:x\"/></onentry></state>"), strict).starts_with("313@"));
}

TEST_CASE("<content> and <param> conflict in either order") {
    const auto sending = [](const std::string& inside) {
        return errors_of(document("<state id=\"a\"><onentry><send event=\"e\">" + inside + "</send></onentry></state>"));
    };
    const std::string content = "<content>x</content>", param = "<param name=\"p\" expr=\"1\"/>";
    CHECK(sending(content) == "");
    CHECK(sending(param + param) == "");
    CHECK(sending(param + content).starts_with("317@"));
    CHECK(sending(content + param).starts_with("317@"));
    CHECK(sending("<content/>" + param).starts_with("317@"));
    CHECK(sending(content + content).starts_with("317@"));
    CHECK(errors_of(document("<final id=\"f\"><donedata>" + content + param + "</donedata></final>")).starts_with("317@"));
}

TEST_CASE("a document reads files only inside the host's folder") {
    namespace fs = std::filesystem;
    const auto folder = fs::temp_directory_path() / "hsm_scxml_includes";
    fs::create_directories(folder / "inside");
    std::ofstream(folder / "inside/part.xml") << "<state xmlns=\"http://www.w3.org/2005/07/scxml\" id=\"part\"/>";
    std::ofstream(folder / "outside.xml") << "<state xmlns=\"http://www.w3.org/2005/07/scxml\" id=\"part\"/>";
    const auto include = [](const std::string& href) {
        return document(
            "<state id=\"a\"><transition event=\"e\" target=\"part\"/></state><xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"" +
            href + "\"/>");
    };
    CHECK(errors_of(include("part.xml")).find("395@") != std::string::npos);
    hsm::scxml_options options;
    options.include_folder = (folder / "inside").string();
    CHECK(errors_of(include("part.xml"), options) == "");
    CHECK(errors_of(include("../outside.xml"), options).find("395@") != std::string::npos);
    CHECK(errors_of(include((folder / "outside.xml").string()), options).find("395@") != std::string::npos);
    CHECK(errors_of(include("absent.xml"), options).find("395@") != std::string::npos);
    fs::remove_all(folder);
}

TEST_CASE("a relative name in a file is resolved from the folder of that file, if reading is allowed there") {
    namespace fs = std::filesystem;
    const auto folder = fs::temp_directory_path() / "hsm_scxml_relative";
    fs::create_directories(folder / "sub");
    const auto write = [&](const char* name, const std::string& text) { std::ofstream(folder / name) << text; };
    write("part.xml", "<state xmlns=\"http://www.w3.org/2005/07/scxml\" id=\"upper\"/>");
    write("sub/part.xml", "<state xmlns=\"http://www.w3.org/2005/07/scxml\" id=\"lower\"/>");
    const auto text = document("<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"part.xml\"/>");
    write("sub/d.scxml", text);
    const auto first_of = [](const hsm::owned<hsm::fsm<hsm::scxml::context>>& root) { return std::string(root->substates().front()->name()); };
    const auto file = (folder / "sub/d.scxml").string();
    hsm::scxml_options options;
    options.include_folder = folder.string();
    CHECK(first_of(hsm::load_scxml(file, options)) == "lower");
    CHECK(first_of(hsm::load_scxml_text(text, "d", options)) == "upper");
    options.include_folder = (folder / "sub").string();
    CHECK(first_of(hsm::load_scxml(file, options)) == "lower");
    write("d.scxml", text);
    CHECK(first_of(hsm::load_scxml((folder / "d.scxml").string(), options)) == "lower"); // its own folder is not the include folder
    fs::remove_all(folder);
}

TEST_CASE("the src of a state, from early drafts, is read like an inclusion") {
    namespace fs = std::filesystem;
    const auto folder = fs::temp_directory_path() / "hsm_scxml_src";
    fs::create_directories(folder);
    const std::string head = "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" ";
    std::ofstream(folder / "inner.scxml") << head
                                          << "initial=\"y\"><state id=\"x\"/><state id=\"y\"><transition event=\"e\" target=\"x\"/></state></scxml>";
    std::ofstream(folder / "jexl.scxml") << head << "datamodel=\"jexl\"><state id=\"x\"/></scxml>";
    std::ofstream(folder / "broken.scxml") << head << ">\n<state id=\"x\" initial=\"z\"/></scxml>";
    std::ofstream(folder / "itself.scxml") << head << "><state src=\"itself.scxml\"/></scxml>";
    std::ofstream(folder / "note.xml") << "<note/>";
    hsm::scxml_options options;
    options.include_folder = folder.string();
    const auto with = [&](const std::string& src, const std::string& more = {}) {
        return document("<state id=\"a\" src=\"" + src + "\"" + more + "><transition event=\"out\" target=\"b\"/></state><state id=\"b\"/>");
    };
    const auto first_in = [&](const std::string& text) {
        const auto chart = hsm::compile(hsm::load_scxml_text(text, "d", options));
        hsm::scxml::context data;
        hsm::instance agent{chart, data};
        agent.start();
        return std::string(agent.current().path());
    };
    CHECK(first_in(with("inner.scxml")) == "d/a/y");
    CHECK(first_in(with("inner.scxml", " initial=\"x\"")) == "d/a/x");
    std::ofstream(folder / "part.scxml")
        << head << "><state id=\"one\"/><state id=\"two\"><state id=\"q\"/><transition event=\"e\" target=\"q\"/></state></scxml>";
    CHECK(first_in(with("part.scxml#two")) == "d/a/q");
    const auto saved = hsm::save_scxml(*hsm::load_scxml_text(with("inner.scxml"), "d", options));
    CHECK(saved.find("src=") == std::string::npos); // the content was included
    CHECK(hsm::compile(hsm::load_scxml_text(saved)).fingerprint() ==
          hsm::compile(hsm::load_scxml_text(with("inner.scxml"), "d", options)).fingerprint());

    const auto refused = [&](const std::string& text, const hsm::scxml_options& how) {
        const auto problems = hsm::try_load_scxml_text(text, "d", how).problems;
        return problems.empty() ? std::string() : without_folder(problems.front().to_string(), folder.string());
    };
    CHECK(refused(with("inner.scxml"), {}) ==
          "d:1:90: HSM-395 error: the state's src \"inner.scxml\" is not read: hsm reads only the document itself; "
          "hint: set scxml_options::include_folder to a folder that hsm can read");
    CHECK(refused(with("jexl.scxml"), options) == "DIR/jexl.scxml:1:73: HSM-395 error: it uses the data model \"jexl\", but the including document "
                                                  "uses \"null\"; hint: use one data model in a machine");
    CHECK(refused(with("broken.scxml"), options).starts_with("DIR/broken.scxml:2:15: HSM-317 error"));
    CHECK(refused(with("itself.scxml"), options).find("files include each other more than 30 levels deep") != std::string::npos);
    CHECK(refused(with("note.xml"), options).starts_with("DIR/note.xml:1:1: HSM-395 error: <note> cannot be used as a state"));
    CHECK(refused(with("part.scxml#three"), options).find("there is no state \"three\" in \"part.scxml\"") != std::string::npos);
    CHECK(refused(with("../outside.scxml"), options).find("outside the folder") != std::string::npos);
    fs::remove_all(folder);
}

TEST_CASE("many files can be included if they are not nested") {
    namespace fs = std::filesystem;
    const auto folder = fs::temp_directory_path() / "hsm_scxml_many";
    fs::create_directories(folder);
    std::string inside;
    for (int i = 0; i < 60; ++i) {
        const auto n = std::to_string(i);
        std::ofstream(folder / ("p" + n + ".xml")) << "<state xmlns=\"http://www.w3.org/2005/07/scxml\" id=\"p" << n << "\"/>";
        inside += "<xi:include xmlns:xi=\"http://www.w3.org/2001/XInclude\" href=\"p" + n + ".xml\"/>";
    }
    hsm::scxml_options options;
    options.include_folder = folder.string();
    CHECK(errors_of(document(inside), options) == "");
    options.max_includes = 59;
    CHECK(errors_of(document(inside), options).starts_with("395@"));
    fs::remove_all(folder);
}

TEST_CASE("unknown entities are errors at their place, in text and in attributes") {
    CHECK(errors_of(document(
              "\n<state id=\"a\"><onentry><send event=\"e\"><content>x\n &nbsp; &amp; &#228; &lt;</content></send></onentry></state>")) == "304@3:2");
    CHECK(errors_of(document("<state id=\"&auml;\"/>")).starts_with("304@"));
    CHECK(errors_of(document(
              "<!-- &nothing; --><state id=\"a\"><onentry><send event=\"e\"><content><![CDATA[&nothing;]]></content></send></onentry></state>")) ==
          "");
    CHECK(errors_of(document("<state id=\"a\"/>") + "<!-- > &nothing; -->") == "");
}

TEST_CASE("a transition without any effect hides others, and loads") {
    const std::string text = document(
        "<state id=\"a\"><transition event=\"e\"/><transition event=\"e\" target=\"b\"/><transition cond=\"In(b)\"/></state><state id=\"b\"/>");
    CHECK(errors_of(text) == "");
    const auto chart = hsm::compile(hsm::load_scxml_text(text));
    hsm::scxml::context data;
    hsm::instance agent{chart, data};
    agent.start();
    agent.process("e");
    CHECK(agent.current().name() == "a");
    const auto saved = hsm::save_scxml(*hsm::load_scxml_text(text));
    CHECK(hsm::compile(hsm::load_scxml_text(saved)).fingerprint() == chart.fingerprint());
}

// Hostile documents.

TEST_CASE("documents that are too large, too deep or have too many states are refused") {
    std::string deep, shut, many;
    for (int i = 0; i < 100'000; ++i) deep += "<state>", shut += "</state>";
    CHECK(errors_of(document(deep + shut)).starts_with("306@"));
    for (int i = 0; i < 70'000; ++i) many += "<state/>";
    CHECK(errors_of(document(many)).find("321@") != std::string::npos);
    CHECK(errors_of(document("<state id=\"" + std::string(100'000'000, 'x') + "\"/>")) == "302@0:0");
    hsm::scxml_options few;
    few.max_parts = 10;
    CHECK(errors_of(document("<state/><state/><state/><state/><state/><state/><state/><state/>"), few) == "323@0:0");
    CHECK(errors_of(document("<state id=\"" + std::string(2000, 'x') + "\"/>")).starts_with("322@"));
}

TEST_CASE("conditions that are nested too deeply are refused") {
    CHECK(errors_of(document("<state><transition event=\"e\" cond=\"" + std::string(100'000, '(') + "\"/></state>")).starts_with("392@"));
    CHECK(errors_of(document("<state><transition event=\"e\" cond=\"" + std::string(100'000, '!') + "true\"/></state>")).starts_with("392@"));
}

TEST_CASE("loading takes time proportional to the size, for many attributes, prefixes, elements, targets and events") {
    constexpr int many = 20'000;
    std::string unknown, foreign, prefixes, elements, users, targets, events;
    for (int i = 0; i < many; ++i) {
        const auto n = std::to_string(i);
        unknown += " a" + n + "=''";
        foreign += " x:a" + n + "=''";
        prefixes += " xmlns:p" + n + "='u" + n + "'";
        elements += "<x:e/>";
        users += "<p" + n + ":e/>";
        targets += " t";
        events += " e.";
    }
    const std::string x = " xmlns:x='urn:x'";
    CHECK(hsm::try_load_scxml_text(document("<state id='s'" + unknown + "/>")));
    CHECK(errors_of(document("<state id='s'" + unknown + " a0=''/>")).find("310@") != std::string::npos); // given twice
    CHECK(hsm::try_load_scxml_text(document("<state id='s'" + x + foreign + ">" + elements + "</state>")));
    CHECK(hsm::try_load_scxml_text(document("<state id='s'" + prefixes + ">" + users + "</state>")));
    CHECK(hsm::try_load_scxml_text(document("<state id='s'" + prefixes + ">" + users + "<p0:f/><p19999:f/></state>")));
    CHECK(hsm::try_load_scxml_text(document("<state id='t'><transition event='e' target='" + targets + "'/></state>")));
    CHECK(hsm::try_load_scxml_text(document("<state id='t'><transition event='" + events + "'/></state>")));
}

TEST_CASE("the innermost binding defines a prefix") {
    hsm::registry<hsm::scxml::context> names;
    int calls = 0;
    names.hook("call", [&](hsm::scxml::context&) { ++calls; });
    const auto text = R"(<p:scxml xmlns:p="http://www.w3.org/2005/07/scxml" version="1.0">
        <p:state id="a"><p:onentry><p:call xmlns:p="urn:x"/><call xmlns="urn:y"/><p:log label="x"/></p:onentry></p:state></p:scxml>)";
    const auto chart = hsm::compile(hsm::load_scxml_text(text, "d", {}, &names));
    hsm::scxml::context context;
    hsm::instance agent{chart, context};
    agent.start();
    CHECK(calls == 2);
}
