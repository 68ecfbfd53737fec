// The limits of a file: a file at the limit is read, and a slightly larger one is refused with its own error.

#include <hsm/hsm.hpp>
#include <hsm/load/xml.hpp>

#include <doctest/doctest.h>

#include <string>

namespace {

struct agent {};

int made = 0; // states of that class
struct counted : hsm::state<agent> {
    counted() : state("counted") { ++made; }
};

struct agent_registry : hsm::registry<agent> {
    agent_registry() {
        hook("f", [](agent&) {}).hook("ff", [](agent&) {}).hook("fff", [](agent&) {});
        state<counted>("counted");
    }
};

std::string repeated(std::size_t times, const std::string& text) {
    std::string all;
    for (std::size_t i = 0; i < times; ++i) all += text;
    return all;
}

/// Returns the errors of a file; empty if it can be loaded.
std::string said(const std::string& text, const hsm::load_options& options) {
    static const agent_registry names;
    return hsm::describe(hsm::try_load_xml_text(text, names, "m.xml", options).problems);
}
std::string messages_of(const std::string& inside, const hsm::load_options& options) {
    return said(std::string("<Project name='P'>").append(inside).append("</Project>"), options);
}

const std::string a = "<state ID='a'><to ID='a'/></state>";

} // namespace

TEST_CASE("max_bytes limits the bytes of a file") {
    const auto text = "<Project name='P'>" + a + "</Project>";
    hsm::load_options options;
    options.max_bytes = text.size() + 1;
    CHECK(said(text, options) == "");
    options.max_bytes = text.size();
    CHECK(said(text, options) == "");
    options.max_bytes = text.size() - 1;
    CHECK(said(text, options) == "m.xml: HSM-302 error: the text is larger than " + std::to_string(text.size() - 1) +
                                     " bytes; hint: split the machine, or raise load_options::max_bytes\n");
}

TEST_CASE("max_parts limits elements and attributes") {
    hsm::load_options options;
    options.max_parts = 6; // Project name, state ID, to ID
    CHECK(messages_of(a, options) == "");
    options.max_parts = 5;
    CHECK(messages_of(a, options) == "m.xml: HSM-323 error: the file has more than 5 elements and attributes; hint: split the machine, or raise "
                                     "load_options::max_parts\n");
    options.max_parts = 6;
    CHECK(messages_of("<!-- not one of them -->" + a, options) == "");
    CHECK(messages_of("<a/>" + a, options).find("HSM-323") != std::string::npos);
}

TEST_CASE("max_states limits the states, including the root") {
    hsm::load_options options;
    options.max_states = 3;
    CHECK(messages_of(a, options) == "");
    CHECK(messages_of("<state ID='b'>" + a + "</state>", options) == "");
    CHECK(messages_of("<state ID='c'/><state ID='b'>" + a + "</state>", options) ==
          "m.xml:1:48: HSM-321 error: the file has more than 3 states; hint: split the machine, or raise load_options::max_states; the maximum for "
          "a chart is 65534\n");
}

TEST_CASE("max_states is by default the maximum of a chart") {
    const hsm::load_options options;
    const std::string leaf = "<state ID='a' kind='leaf'/>";
    CHECK(messages_of(repeated(65533, leaf), options) == "");
    CHECK(messages_of(repeated(65534, leaf), options).find("HSM-321 error: the file has more than 65534 states") != std::string::npos);
}

TEST_CASE("a file with too many states creates no state") {
    hsm::load_options options;
    options.max_states = 10;
    made = 0;
    CHECK(messages_of(repeated(9, "<state ID='a' class='counted'/>"), options) == "");
    CHECK(made == 9);
    CHECK(messages_of(repeated(10, "<state ID='a' class='counted'/>"), options).find("HSM-321") != std::string::npos);
    CHECK(made == 9);
}

TEST_CASE("max_depth limits the depth of elements") {
    hsm::load_options options;
    options.max_depth = 4;
    CHECK(messages_of(a, options) == "");
    CHECK(messages_of("<state ID='b'>" + a + "</state>", options) == "");
    CHECK(messages_of("<state ID='c'><state ID='b'>" + a + "</state></state>", options) ==
          "m.xml:1:61: HSM-306 error: elements are nested deeper than 4 levels; hint: if this is intended, raise load_options::max_depth\n");
}

TEST_CASE("max_name limits the bytes of a name, and of each name in a path or a list") {
    hsm::load_options options;
    options.max_name = 3;
    const auto long_one = [&](const std::string& inside) { return messages_of(inside, options).find("HSM-322") != std::string::npos; };
    CHECK_FALSE(long_one("<state ID='aa'/>"));
    CHECK_FALSE(long_one("<state ID='aaa'/>"));
    CHECK(long_one("<state ID='aaaa'/>"));
    CHECK_FALSE(long_one("<state ID='a'><to ID='aaa/aaa'/></state>"));
    CHECK(long_one("<state ID='a'><to ID='aaa/aaaa/a'/></state>"));
    CHECK_FALSE(long_one("<state ID='a' enter='fff ff fff'/>"));
    CHECK(long_one("<state ID='a' enter='fff ff ffff'/>"));
    CHECK(long_one("<event ID='jump'/>"));
    CHECK(messages_of("<event ID='jump'/>" + a, options) ==
          "m.xml:1:30: HSM-322 error: a name in \"ID\" has more than 3 bytes; hint: choose a shorter name, or raise load_options::max_name\n");
    CHECK_FALSE(said("<Project xmlns:xsi='http://www.w3.org/2001/XMLSchema-instance' name='P'>" + a + "</Project>", options).find("HSM-322") !=
                std::string::npos);
}

TEST_CASE("max_name is 1000 by default") {
    const hsm::load_options options;
    CHECK(messages_of("<state ID='" + std::string(1000, 'a') + "'/>", options) == "");
    CHECK(messages_of("<state ID='" + std::string(1001, 'a') + "'/>", options).find("HSM-322") != std::string::npos);
}

TEST_CASE("max_problems limits the reported errors; the others are counted") {
    const agent_registry names;
    const auto load = [&](int errors, std::size_t most) {
        hsm::load_options options;
        options.max_problems = most;
        return hsm::try_load_xml_text("<Project name='P'>" + repeated(static_cast<std::size_t>(errors), "<b/>") + a + "</Project>", names, "m.xml",
                                      options)
            .problems;
    };
    CHECK(load(2, 3).size() == 2);
    CHECK(load(3, 3).size() == 3);
    CHECK(load(3, 3).back().code == hsm::code::unknown_element);
    REQUIRE(load(4, 3).size() == 4);
    CHECK(load(4, 3).back().to_string() == "m.xml: HSM-324 error: there is 1 more error in this file; hint: fix the listed errors first");
    CHECK(load(9, 3).back().problem == "there are 6 more errors in this file");
    CHECK(load(9, 0).size() == 2); // at least one
}

TEST_CASE("errors of every kind are counted") {
    const agent_registry names;
    hsm::load_options options;
    options.max_problems = 2;
    const auto counted = [&](const std::string& one) {
        const auto problems = hsm::try_load_xml_text("<Project name='P'>" + repeated(12, one) + a + "</Project>", names, "m.xml", options).problems;
        return problems.size() == 3 ? problems.back().problem : hsm::describe(problems);
    };
    const std::string ten_more = "there are 10 more errors in this file";
    CHECK(counted("<b/>") == ten_more);
    CHECK(counted("x<!-- -->") == ten_more);
    CHECK(counted("<state ID='&zz;'/>") == ten_more);
    CHECK(counted("<event ID='&#0;'/>") == ten_more);
    CHECK(counted("<state/>") == ten_more);
    CHECK(counted("<enter ID='x'/>") == ten_more);
    CHECK(counted("<to ID='P' event='x'/>") == ten_more);
    CHECK(counted("<to ID='P'><bit ID='x'/></to>") == ten_more);
    CHECK(counted("<to ID='x'/>") == ten_more);
    CHECK(counted("<on/>") == ten_more);
    CHECK(counted("<to ID='P' Priority='x'/>") == ten_more);
    CHECK(counted("<to ID='P'><any/></to>") == ten_more);
}

TEST_CASE("max_message limits the bytes of a problem and of a hint") {
    hsm::load_options options;
    const std::string problem = "<bananas_and_oranges> is unknown here", hint = "see docs/reference/xml_format.md";
    const auto message = [&](std::size_t most) {
        options.max_message = most;
        return messages_of("<bananas_and_oranges/>" + a, options);
    };
    CHECK(message(problem.size() + 1) == "m.xml:1:19: HSM-307 error: " + problem + "; hint: " + hint + "\n");
    CHECK(message(problem.size()) == "m.xml:1:19: HSM-307 error: " + problem + "; hint: " + hint + "\n");
    CHECK(message(problem.size() - 1) == "m.xml:1:19: HSM-307 error: <bananas_and_oranges> is unknown her...; hint: " + hint + "\n");
}

TEST_CASE("part of a long name is quoted, whatever its characters") {
    const hsm::load_options options;
    std::string name = "x";
    for (int i = 0; i < 100; ++i) name += "\xc3\xa4";
    CHECK(messages_of("<state ID='a' enter='" + name + "' kind='leaf'/>", options).find(name.substr(0, 79) + "...\"") != std::string::npos);
}
