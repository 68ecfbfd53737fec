// The data model in this process and in a separate one.

#include <tests/scxml/trusted_and_not.hpp>

#include <hsm/scxml/ecmascript.hpp>

#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <new>
#include <set>
#include <stdexcept>
#include <string>
#include <system_error>
#include <vector>

using namespace hsm::detail::scxml;

namespace {

struct host final : data_model_host {
    std::set<std::string, std::less<>> active;
    bool is_active(std::string_view id) override { return active.contains(id); }
};

struct model_under_test {
    explicit model_under_test(hsm::scxml::script_options options = {}) : kind(options) {
        kind.add("twice", [](double x) { return 2 * x; });
        kind.add("shout", [](const std::string& text, bool loud) { return loud ? text + "!" : text; });
        kind.add("count", [this] { ++calls; });
        kind.add("fails", [](int) -> int { throw std::runtime_error("no such thing"); });
        kind.add("echo", [](hsm::scxml::json_text given) { return given; });
        kind.add_value("config", R"({"speed": 3})");
        model = kind.make({"machine", 0}, here);
        model->set_system({"s1", "machine", {{"scxml", "#_scxml_s1"}, {"http://www.w3.org/TR/scxml/#SCXMLEventProcessor", "#_scxml_s1"}}});
    }
    expression made(std::string text) { return {std::move(text), {12, 5}, next++}; }
    std::string value_of(std::string text) {
        const auto v = model->evaluate(made(std::move(text)));
        return v ? v.result.json : v.wrong.what;
    }
    std::string declared(const std::string& id, std::string init) {
        data_element d;
        d.id = id;
        d.init = made(std::move(init));
        if (auto wrong = model->declare(d)) return wrong.what;
        return model->initialise(d).what;
    }
    std::string with_content(const std::string& id, std::string content) {
        data_element d;
        d.id = id;
        d.content = std::move(content);
        d.has_content = true;
        if (auto wrong = model->declare(d)) return wrong.what;
        return model->initialise(d).what;
    }

    host here;
    hsm::scxml::ecmascript kind;
    int calls = 0;
    hsm::owned<data_model> model;
    std::uint32_t next = 0;
};

/// Runs each case in this process and in a separate one.
template <class F> void everywhere(F f, hsm::scxml::script_options options = {}) {
    trusted_and_not(
        [&](const auto& o) {
            model_under_test t(o);
            f(t);
        },
        options);
}

struct adding final : iterated {
    model_under_test& t;
    int times = 0, ends_after = 100;
    bool throws = false;
    explicit adding(model_under_test& m) : t(m) {}
    bool run() override {
        if (throws) throw std::runtime_error("thrown in the loop");
        (void)t.model->assign(t.made("sum"), t.made("sum + item * 10 + index"));
        return ++times == ends_after;
    }
};

} // namespace

TEST_CASE("data get their value from an expression, their content, the caller of start, or have no value") {
    everywhere([](model_under_test& t) {
        CHECK(t.declared("a", "1 + 1") == "");
        CHECK(t.with_content("b", "\n [1, 2]\n") == "");
        CHECK(t.with_content("c", " some\n  text ") == "");
        CHECK(t.with_content("d", "<a x='1'/>") == "");
        CHECK(t.value_of("[a, b, c, d.documentElement.getAttribute('x')]") == R"([2,[1,2],"some text","1"])");
        data_element given;
        given.id = "e";
        CHECK(t.model->declare(given).what == "");
        CHECK(t.value_of("typeof e") == "\"undefined\"");
        CHECK(t.model->initialise(given, value{R"({"x":[1]})"}).what == "");
        CHECK(t.value_of("e.x[0]") == "1");
        given.id = "nowhere";
        CHECK(t.model->initialise(given, value{"1"}).what == "\"nowhere\" has not been declared");
        CHECK(t.declared("_event", "1") == "\"_event\" is the name of a system variable");
        CHECK(t.declared("f", "g.h") == "ReferenceError: identifier 'g' undefined");
        CHECK(t.value_of("typeof f") == "\"undefined\"");
    });
}

TEST_CASE("system variables exist, and a document cannot change them") {
    everywhere([](model_under_test& t) {
        CHECK(t.value_of("[_sessionid, _name, _ioprocessors.scxml.location]") == R"(["s1","machine","#_scxml_s1"])");
        CHECK(t.value_of("typeof _event") == "\"undefined\"");
        for (const auto* name : {"_sessionid", "_name", "_ioprocessors", "_event", "_ioprocessors.scxml.location", "config.speed"}) {
            CAPTURE(name);
            CHECK(t.model->assign(t.made(name), t.made("'other'")).what != "");
        }
        t.model->set_event({"e.x", "external", "", "", "", "", {}});
        CHECK(t.value_of("[_event.name, _event.type, typeof _event.sendid, 'invokeid' in _event, typeof _event.data]") ==
              R"(["e.x","external","undefined",true,"undefined"])");
        t.model->set_event({"f", "platform", "id", "#_o", "scxml", "inv", {R"({"k":[1,{"l":2}]})"}});
        CHECK(t.value_of("[_event.name, _event.type, _event.sendid, _event.origin, _event.origintype, _event.invokeid, _event.data.k[1].l]") ==
              R"(["f","platform","id","#_o","scxml","inv",2])");
        CHECK(t.value_of("_sessionid + config.speed") == "\"s13\"");
    });
}

TEST_CASE("scripts query the active states, and call the functions of the host") {
    everywhere([](model_under_test& t) {
        t.here.active = {"on", "\xc3\xa4"};
        CHECK(t.model->test(t.made("In('on') && In('\\u00e4') && !In('off')")).result);
        CHECK(t.value_of("In(1)") == "Error: In() takes the id of a state");
        CHECK(t.value_of("twice(4) + shout('a', true)") == "\"8a!\"");
        CHECK(t.value_of("echo({a: [null]})") == R"({"a":[null]})");
        CHECK(t.value_of("count() === undefined && count() === undefined") == "true");
        CHECK(t.calls == 2);
        CHECK(t.value_of("twice('x')") == "Error: expected a number, not \"x\"");
        CHECK(t.value_of("twice()") == "Error: it takes 1 arguments");
        CHECK(t.value_of("fails(1)") == "Error: no such thing");
        CHECK(t.value_of("fails(1.5)") == "Error: expected a whole number, not 1.5");
        CHECK(t.value_of("fails(2147483648)") == "Error: expected a whole number, not 2147483648");
        CHECK(t.value_of("fails(-1e300)") == "Error: expected a whole number, not -1e+300");
        CHECK(t.value_of("1") == "1");
    });
}

TEST_CASE("foreach iterates over a copy, with an index, and an error in its content ends it") {
    everywhere([](model_under_test& t) {
        CHECK(t.declared("sum", "0") == "");
        CHECK(t.declared("list", "[1, 2, 3]") == "");
        adding body(t);
        CHECK(t.model->iterate({t.made("list"), "item", "index"}, body).what == "");
        CHECK(t.value_of("[sum, item, index]") == "[63,3,2]");
        body.ends_after = 4;
        CHECK(t.model->iterate({t.made("list"), "item", "index"}, body).what == "");
        CHECK(body.times == 4);
        CHECK(t.value_of("sum") == "73");
        CHECK(t.model->iterate({t.made("7"), "item", "index"}, body).what == "TypeError: it is not an array");
        CHECK(t.model->iterate({t.made("list"), "'continue'", "index"}, body).what == "\"'continue'\" is not a variable name");
        CHECK(t.model->iterate({t.made("list"), "_event", "index"}, body).what == "\"_event\" is the name of a system variable");
        CHECK(body.times == 4);
        body.throws = true;
        CHECK_THROWS_WITH(t.model->iterate({t.made("list"), "item", "index"}, body).what.clear(), "thrown in the loop");
        CHECK(t.value_of("sum") == "73");
    });
}

TEST_CASE("data are saved by one model and restored by another") {
    everywhere([](model_under_test& t) {
        CHECK(t.declared("a", "{x: [1, undefined, NaN]}") == "");
        CHECK(t.model->run(t.made("var b = 'text'; function f() { return a; }")).what == "");
        const auto saved = t.model->save({});
        CHECK(saved.result.functions == std::vector<std::string>{"f"});
        CHECK(saved.result.json == R"({"a":{"x":[1,{"#undefined":0},{"#number":"NaN"}]},"b":"text"})");
        model_under_test other;
        CHECK(other.declared("a", "0") == "");
        CHECK(other.model->restore(saved.result.json).what == "");
        CHECK(other.value_of("a.x[0] + b") == "\"1text\"");
        CHECK(other.model->save({}).result.json == saved.result.json);
        CHECK(t.model->save({"a"}).result.json == R"({"b":"text"})");
    });
}

TEST_CASE("a value that is not JSON, or has a forbidden name, is reported immediately") {
    hsm::scxml::ecmascript kind;
    CHECK_THROWS_AS(kind.add_value("broken", "{"), std::invalid_argument);
    CHECK_THROWS_AS(kind.add_value("for", "1"), std::invalid_argument);
}

TEST_CASE("a document without expressions creates no script heap") {
    host here;
    hsm::scxml::ecmascript kind({.memory = 1000}); // too little memory for an engine
    kind.add("twice", [](double x) { return 2 * x; });
    const auto model = kind.make({"m", 0}, here);
    model->set_system({"s", "m", {}});
    for (int i = 0; i < 10; ++i) model->set_event({"e", "external", "", "", "", "", {"1"}});
    CHECK_THROWS_AS((void)model->test({"true", {}, 0}), std::bad_alloc);
}

TEST_CASE("sessions share no data") {
    host here;
    hsm::scxml::ecmascript kind;
    const auto a = kind.make({"m", 0}, here), b = kind.make({"m", 0}, here);
    const expression script{"var x = 1; Array.prototype.mine = 2", {}, 0}, asked{"typeof x + typeof [].mine", {}, 1};
    CHECK(a->run(script).what == "");
    CHECK(b->evaluate(asked).result.json == "\"undefinedundefined\"");
}

TEST_CASE("a script with unlimited or too many steps ends by processor time, with the scripts of its session" *
          doctest::skip(why_no_process() != nullptr)) {
    model_under_test t({.steps = INT64_MAX / 4, .untrusted = true, .cpu_milliseconds = 150});
    CHECK(t.declared("a", "1") == "");
    const auto begin = std::chrono::steady_clock::now();
    for (const auto* script : {"for (;;);", "Array(5e7).join(); for (;;);"}) {
        CAPTURE(script);
        model_under_test one({.steps = INT64_MAX / 4, .untrusted = true, .cpu_milliseconds = 150});
        CHECK(one.model->run(one.made(script)).what == "the script used more than 150 ms of processor time, and its process was ended");
        CHECK(one.value_of("1").find("its process was ended") != std::string::npos);
        CHECK(one.declared("b", "1").find("its process was ended") != std::string::npos);
        CHECK_FALSE(one.model->test(one.made("true")).result);
    }
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(30));
    CHECK(t.value_of("a") == "1"); // another session is not affected
}

#ifndef __linux__
TEST_CASE("a session that cannot create a script process does not start") {
    CHECK_THROWS_AS(model_under_test({.untrusted = true}), std::system_error);
}
#endif

TEST_CASE("memory is limited for processes too") {
    everywhere(
        [](model_under_test& t) {
            CHECK(t.model->run(t.made("(function () { var s = 'x'; for (;;) s += s; })()")).what ==
                  "the script needs more memory than 1000000 bytes");
            CHECK(t.value_of("1 + 1") == "2");
        },
        {.memory = 1'000'000});
}
