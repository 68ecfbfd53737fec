#include <hsm/scxml/detail/script_engine.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <ctime>
#include <new>
#include <string>
#include <vector>

using namespace hsm::detail::scxml;

namespace {

struct silent_host final : script_host {
    outcome<value> call(std::string_view function, const std::vector<value>& arguments) override {
        asked += std::string(function) + "(";
        for (const auto& a : arguments) asked += a.json + ";";
        asked += ")";
        if (function == "refuse") return {{}, {"not today"}};
        return {answer, {}};
    }
    std::vector<script_field> event() override { return shown; }
    std::string asked;
    value answer;
    std::vector<script_field> shown;
};

struct engine_under_test {
    silent_host host;
    script_limits limits;
    script_engine engine{limits, host};
    std::uint32_t next = 0;

    explicit engine_under_test(script_limits l = {}) : limits(l) {}
    expression made(std::string text) { return {std::move(text), {12, 5}, next++}; }
    /// Returns the value as JSON, or the error.
    std::string value_of(std::string text) {
        const auto v = engine.evaluate(made(std::move(text)));
        return v ? v.result.json : v.wrong.what;
    }
    void show(std::vector<script_field> event) {
        host.shown = std::move(event);
        engine.event_changes();
    }
    std::string run(std::string text) { return engine.run(made(std::move(text))).what; }
    std::string assign(std::string location, std::string e) { return engine.assign(made(std::move(location)), made(std::move(e))).what; }
};

constexpr auto too_long = "the script took more than 5000000 steps";
constexpr auto too_large = "the script needs more memory than 8388608 bytes";

/// Measures processor time, because the machine may be busy.
double seconds_of(const auto& f) {
    const auto begin = std::clock();
    f();
    return static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC;
}

} // namespace

TEST_CASE("expressions return values, also as JSON") {
    engine_under_test t;
    CHECK(t.value_of("1 + 2") == "3");
    CHECK(t.value_of("'a' + \"b\"") == "\"ab\"");
    CHECK(t.value_of("({a: [1, null, true]})") == R"({"a":[1,null,true]})");
    CHECK(t.value_of("{a: 1}") == R"({"a":1})");
    CHECK(t.value_of("undefined") == "");
    CHECK(t.value_of("function (x) { return x; }") == "");
    CHECK(t.value_of("new Date(0)") == "\"1970-01-01T00:00:00.000Z\"");
    CHECK(t.value_of("0 / 0") == "null");
    CHECK(t.value_of("1;") == "1");
    CHECK(t.value_of("1 // one") == "1");
    CHECK(t.value_of("var made = 3; made") == "3");
    CHECK(t.value_of("made") == "3");
}

TEST_CASE("an error is reported with its kind and the line of the document, and the engine continues") {
    engine_under_test t;
    CHECK(t.value_of("x") == "ReferenceError: identifier 'x' undefined");
    CHECK(t.value_of("\n\nx") == "ReferenceError: identifier 'x' undefined (line 14)");
    CHECK(t.value_of("throw 7") == "7");
    CHECK(t.value_of("throw new Error('mine')") == "Error: mine");
    CHECK(t.value_of("throw {toString: function () { throw 1; }}") != "");
    CHECK(t.value_of("throw {toString: function () { for (;;); }}") == "Error");
    CHECK(t.value_of("return") == "SyntaxError: invalid return (line 12, end of input)");
    CHECK(t.run("var a = 1;\nvar = 2;") == "SyntaxError: invalid variable declaration (line 13)");
    CHECK(t.run("var cyclic = {}; cyclic.itself = cyclic") == "");
    CHECK(t.value_of("cyclic") == "TypeError: cyclic input");
    CHECK(t.value_of("1") == "1");
}

TEST_CASE("conditions are converted to boolean, and texts to strings, as in ECMAScript") {
    engine_under_test t;
    CHECK(t.engine.test(t.made("'a'")).result);
    CHECK_FALSE(t.engine.test(t.made("''")).result);
    CHECK_FALSE(t.engine.test(t.made("undefined")).result);
    CHECK(t.engine.test(t.made("[]")).result);
    CHECK(t.engine.test(t.made("nothing")).wrong);
    CHECK(t.engine.text(t.made("1.5")).result == "1.5");
    CHECK(t.engine.text(t.made("'1s'")).result == "1s");
    CHECK(t.engine.text(t.made("[1, 'a']")).result == R"([1,"a"])");
    CHECK(t.engine.text(t.made("undefined")).result == "undefined");
}

TEST_CASE("an assignment requires an existing location, and keeps a read-only one") {
    engine_under_test t;
    CHECK(t.engine.declare("a").what == "");
    CHECK(t.value_of("typeof a") == "\"undefined\"");
    CHECK(t.assign("a", "{x: {y: 1}}") == "");
    CHECK(t.assign("a.x.y", "2") == "");
    CHECK(t.assign("a['z'];", "3") == "");
    CHECK(t.value_of("a") == R"({"x":{"y":2},"z":3})");
    CHECK(t.assign("b", "1") == "ReferenceError: identifier 'b' undefined");
    CHECK(t.value_of("typeof b") == "\"undefined\"");
    CHECK(t.assign("b.c", "1") == "ReferenceError: identifier 'b' undefined");
    CHECK(t.assign("a.q.r", "1") == "TypeError: cannot write property 'r' of undefined");
    CHECK(t.assign("1", "1") != "");
    CHECK(t.assign("a", "function (x) { return x + 1; }") == "");
    CHECK(t.value_of("a(2)") == "3");
    CHECK(t.engine.declare("1a").what == "\"1a\" is not a variable name");
    CHECK(t.engine.declare("for").what == "\"for\" is not a variable name");

    CHECK(t.engine.set_constant("_x", {R"({"in":{"it":1}})"}).what == "");
    CHECK(t.assign("_x", "1") != "");
    CHECK(t.assign("_x.in.it", "2") != "");
    CHECK(t.run("_x.in.it = 2; delete _x;") == "");
    CHECK(t.run("_x = 1;") == "TypeError: it is read-only"); // with and without strict mode
    CHECK(t.run("var _x = 5;") == "TypeError: it is read-only");
    CHECK(t.run("for (_x in {a: 1});") == "TypeError: it is read-only");
    CHECK(t.run("function _x() {}") != "");
    CHECK(t.engine.declare("_x").what == "\"_x\" is read-only");
    CHECK(t.value_of("_x") == R"({"in":{"it":1}})");
    CHECK(t.run("Object.defineProperty(this, '_x', {value: 1})") != "");
    CHECK(t.engine.set_constant("_x", {"2"}).what == "");
    CHECK(t.value_of("_x") == "2");
}

TEST_CASE("an event has all its fields, and scripts can change its data") {
    engine_under_test t;
    using form = script_field::form;
    CHECK(t.engine.declare_event("_event").what == "");
    CHECK(t.value_of("typeof _event") == "\"undefined\"");
    t.show({{"name", "e", form::text}, {"data"}});
    CHECK(t.value_of("_event.name === 'e' && 'data' in _event && _event.data === undefined") == "true");
    CHECK(t.assign("_event.name", "'f'") != "");
    CHECK(t.assign("_event", "'f'") == "TypeError: it is read-only");
    t.show({{"name", "e", form::text}, {"data", R"({"a":1})", form::json}});
    CHECK(t.assign("_event.data.a", "2") == "");
    CHECK(t.value_of("_event.data.a") == "2");
    CHECK(t.run("var kept = _event;") == "");
    t.show({{"data", "neither {", form::json}});
    CHECK(t.value_of("_event.data") == "\"neither {\"");
    CHECK(t.value_of("kept.data.a") == "2");
    t.show({{"data", '"' + std::string(9'000'000, 'x') + '"', form::json}});
    CHECK(t.value_of("_event.data") == too_large);
    CHECK(t.value_of("1 + 1") == "2");
    t.show({});
    CHECK(t.value_of("typeof _event") == "\"undefined\"");
}

TEST_CASE("functions of the host take and return values, and their exceptions are thrown in the script") {
    engine_under_test t;
    t.engine.add_function("ask");
    t.engine.add_function("refuse");
    t.host.answer = {R"({"b":[2]})"};
    CHECK(t.value_of("ask(1, 'two', {three: 3}, undefined).b[0]") == "2");
    CHECK(t.host.asked == R"(ask(1;"two";{"three":3};;))");
    CHECK(t.value_of("refuse()") == "Error: not today");
    CHECK(t.value_of("try { refuse() } catch (e) { e.message }") == "\"not today\"");
    CHECK(t.run("ask = 1") == "");
    CHECK(t.value_of("typeof ask") == "\"function\"");
}

TEST_CASE("text is passed as UTF-8 in both directions") {
    engine_under_test t;
    CHECK(t.value_of("'\xc3\xa4\xf0\x9f\x98\x80'") == "\"\xc3\xa4\xf0\x9f\x98\x80\"");
    CHECK(t.value_of("'\xf0\x9f\x98\x80'.length") == "2");
    CHECK(t.value_of("'\\ud83d\\ude00'") == "\"\xf0\x9f\x98\x80\"");
    CHECK(t.engine.text(t.made("'\\ud83d'")).result == "\xef\xbf\xbd");
    CHECK(t.engine.declare("v").what == "");
    CHECK(t.engine.set("v", value{"\"\xff\x80 \xed\xa0\x80\""}).what == "");
    CHECK(t.engine.test(t.made("typeof v === 'string' && v.charAt(0) === '\\ufffd'")).result);
}

TEST_CASE("the elements of an array are a copy") {
    engine_under_test t;
    CHECK(t.run("var list = [1, , 3], item;") == "");
    {
        script_engine::elements all(t.engine, t.made("list"));
        CHECK(all.size() == 3);
        CHECK(t.run("list.push(4); list[0] = 9; list = 0") == "");
        CHECK(all.give(0, "item").what == "");
        CHECK(t.value_of("item") == "1");
        CHECK(all.give(1, "item").what == "");
        CHECK(t.value_of("item === undefined") == "true");
    }
    CHECK(script_engine::elements(t.engine, t.made("7")).wrong().what == "TypeError: it is not an array");
    CHECK(script_engine::elements(t.engine, t.made("{a: 1}")).wrong().what == "TypeError: it is not an array");
    CHECK(t.value_of("1") == "1");
}

TEST_CASE("content is JSON, XML, or a string") {
    engine_under_test t;
    CHECK(t.engine.parse(" [1, 2]\n").result.json == "[1, 2]");
    CHECK(t.engine.parse("\n this  is\n a string").result.json == "\"this is a string\"");
    CHECK_FALSE(t.engine.parse("  ").result);
    const auto xml = t.engine.parse(R"(<books kind="old"><book title="one">text &lt; <b>bold</b></book><book title="two"/></books>)");
    CHECK(t.engine.declare("d").what == "");
    CHECK(t.engine.set("d", xml.result).what == "");
    CHECK(t.value_of("d.getElementsByTagName('book')[1].getAttribute('title')") == "\"two\"");
    CHECK(t.value_of("d.documentElement.getAttribute('kind') + d.documentElement.childNodes.length") == "\"old2\"");
    CHECK(t.value_of("d.documentElement.firstChild.textContent") == "\"text < bold\"");
    CHECK(t.value_of("d.documentElement.firstChild.nextSibling === d.documentElement.lastChild") == "true");
    CHECK(t.value_of("d.documentElement.parentNode === d && d.getAttribute('x') === null") == "true");
    CHECK(t.value_of("[d.documentElement.lastChild]") == R"([{"#xml":"<book title=\"two\"/>"}])");
    CHECK(t.engine.parse("<a><b></a>").result.json == "\"<a><b></a>\"");
}

TEST_CASE("data are saved and restored, and values that cannot be written are named") {
    engine_under_test t, again;
    CHECK(t.run("var a = {b: [1, undefined, NaN, -0, 'x'], when: new Date(5), '#xml': 1}, c, d = {'#number': 'NaN'}; function f() {}") == "");
    CHECK(t.engine.set_constant("_name", {"\"n\""}).what == "");
    CHECK(t.engine.declare("e").what == "");
    CHECK(t.engine.set("e", t.engine.parse("<a b='c'/>").result).what == "");
    const auto saved = t.engine.save();
    CHECK(saved.wrong.what == "");
    CHECK(saved.result.json ==
          R"({"a":{"b":[1,{"#undefined":0},{"#number":"NaN"},{"#number":"-0"},"x"],"when":{"#date":5},"#xml":1},"c":{"#undefined":0},)"
          R"("d":{"#object":{"#number":"NaN"}},"e":{"#xml":"<a b=\"c\"/>"}})");
    CHECK(again.engine.restore(saved.result.json).what == "");
    CHECK(again.engine.save().result.json == saved.result.json);
    CHECK(saved.result.functions == std::vector<std::string>{"f"});
    CHECK(t.engine.save({"a", "c", "e"}).result.json == R"({"d":{"#object":{"#number":"NaN"}}})");
    CHECK(again.value_of("a.when.getTime() + a.b.length + 1 / a.b[3]") == "null");
    CHECK(again.value_of("e.documentElement.getAttribute('b')") == "\"c\"");
    CHECK(t.run("a.b[0] = function () {}") == "");
    CHECK(t.run("d.call = f") == "");
    CHECK(t.engine.save().result.functions == std::vector<std::string>{"f", "a.b[0]", "d.call"});
    CHECK(t.engine.save({"a"}).result.json.starts_with(R"({"c":{"#undefined":0},"d":{"#object":{"#number":"NaN"}},)"));
    CHECK(t.run("a = {in: {}}; a.in.out = a") == "");
    CHECK(t.engine.save().wrong.what == "TypeError: a.in.out cannot be saved: it contains itself");
    CHECK(again.engine.restore("[1]").what != "");
    CHECK(again.engine.restore("{").what != "");
}

TEST_CASE("scripts cannot leave their heap") {
    engine_under_test t;
    for (const auto* name : {"Duktape", "require", "process", "print", "alert", "load", "readFile", "XMLHttpRequest", "console", "setTimeout",
                             "Proxy", "performance", "CBOR", "Uint8Array"}) {
        CAPTURE(name);
        CHECK(t.value_of(std::string("typeof ") + name) == "\"undefined\"");
    }
    // eval is available, with the same limits.
    CHECK(t.value_of("eval('1 + 1')") == "2");
    CHECK(t.value_of("new Function('for (;;);')()") == too_long);
}

TEST_CASE("Math.random returns the same numbers in each session with the same seed") {
    engine_under_test a, b, c({.seed = 2});
    const auto first = a.value_of("Math.random()");
    CHECK(first == b.value_of("Math.random()"));
    CHECK(first != a.value_of("Math.random()"));
    CHECK(first != c.value_of("Math.random()"));
}

TEST_CASE("an engine needs a minimum of memory, and reports exhausted memory") {
    int made = 0;
    for (std::size_t memory = 1000; memory < 400'000; memory += memory < 90'000 ? 5'000 : 500) {
        CAPTURE(memory);
        script_limits limits;
        limits.memory = memory;
        silent_host host;
        try {
            script_engine engine(limits, host);
            ++made;
            engine.add_function("refuse");
            (void)engine.set_constant("c", {"[1, 2, 3]"});
            const auto v = engine.evaluate({"[1, 2, 3].join('-')", {}, 0});
            if (!v && v.wrong.what.find("memory") == std::string::npos) FAIL_CHECK(v.wrong.what);
        } catch (const std::bad_alloc&) {
            CHECK(made == 0); // a larger limit is sufficient
        }
    }
    CHECK(made > 10);
}

TEST_CASE("every script ends within its steps, its memory and its stack") {
    struct attack {
        std::string script, error;
    };
    const std::vector<attack> hostile = {
        {"for (;;);", too_long},
        {"for (;;) try { for (;;); } catch (e) {} finally { continue; }", too_long},
        {"(function f() { try { f(); } finally { f(); } })()", ""},
        {"(function f() { return f(); })()", too_long},
        {"(function f() { f(); })()", ""},
        {"var a = []; for (;;) a.push(a.length);", too_large},
        {"var s = 'x'; for (;;) s += s;", too_large},
        {"for (;;) try { var s = 'x'; for (;;) s += s; } catch (e) {}", too_long},
        {"var s = Array(4000000).join('x'), t; for (;;) t = s + 'y' + t;", ""},
        {"Array(5e7).join()", too_long},
        {"Array(5e7).reverse()", too_long},
        {"var a = []; a.length = 4e9; a.indexOf(1)", "RangeError: invalid length"},
        {"var a = []; a[2e9] = 1; a.sort()", too_long},
        {"var a = []; a[2e9] = 1; a.sort(function () { return 1; })", too_long},
        {"var a = []; a[2e9] = 1; a.map(function (x) { return x; })", too_long},
        {"JSON.stringify(Array(1e9))", too_long},
        {"var a = []; for (var i = 0; i < 60; ++i) a = [a, a]; JSON.stringify(a)", ""},
        {"var a = []; for (var i = 0; i < 60; ++i) a = [a, a]; String(a)", ""},
        {"/(a*)*b/.test('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa')", ""},
        {"/^(a|a)*$/.test('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab')", ""},
        {"for (;;) try { /^(a|a)*$/.test('aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaab') } catch (e) {}", too_long},
        {"/(((a{1000}){1000}){1000}){1000}/.test('a')", ""},
        {"/(?=(a+))a*b\\1/.test(Array(100000).join('a'))", ""},
        {"var a = Array(2000000).join('a'); a.indexOf(Array(1000000).join('a') + 'b')", too_long},
        {"var a = Array(2000000).join('a'); a.split(Array(1000000).join('a') + 'b')", too_long},
        {"var a = Array(2000000).join('a'); a.replace(Array(1000000).join('a') + 'b', '')", too_long},
        {"new RegExp('[' + Array(50000).join('\\\\0-\\\\uffff') + ']', 'i')", ""},
        {"Array(200000).join('(')", "-"},
        {"eval(Array(200000).join('('))", ""},
        {"eval(Array(200000).join('['))", ""},
        {"eval(Array(100000).join('if(1)'))", ""},
        {"eval(Array(100000).join('-'))", ""},
        {"new RegExp(Array(100000).join('('))", ""},
        {"JSON.parse(Array(200000).join('['))", ""},
        {"var a = []; for (var i = 0; i < 100000; ++i) a = [a]; JSON.stringify(a)", ""},
        {"var a = {toString: function () { return '' + a; }}; '' + a", ""},
        {"Object.defineProperty(this, 'x', {get: function () { return x; }}); x", ""},
        {"'x'.repeat(1e9)", ""},
        {"String.fromCharCode.apply(null, Array(1e6))", ""},
        {"(function () { return arguments.length; }).apply(null, Array(1e8))", ""},
        {"var f = function () {}; for (var i = 0; i < 1e5; ++i) f = f.bind(null); f()", ""},
        {"var o = {}; for (var i = 0; i < 1e5; ++i) o = Object.create(o); o.x", ""},
        {"Array.prototype.concat.apply([], Array(1000).join().split('').map(function () { return Array(1e6); })).length", ""},
        {"parseInt(Array(4000000).join('9'))", "-"},
        {"Number(Array(4000000).join('9'))", "-"},
        {"Date.parse(Array(4000000).join('9'))", "-"},
        {"encodeURIComponent(Array(2000000).join('%'))", "-"},
    };
    double longest = 0;
    for (const auto& h : hostile) { // clang 14 captures no structured bindings
        const auto &script = h.script, &error = h.error;
        CAPTURE(script);
        engine_under_test t;
        std::string wrong;
        const auto took = seconds_of([&] { wrong = t.run("(function () {" + script + "})()"); });
        if (error.empty())
            CHECK(wrong != "");
        else if (error != "-")
            CHECK(wrong == error);
        CHECK(t.engine.steps_used() <= t.limits.steps);
        CHECK(t.value_of("1 + 1") == "2");
        if (took > 0.5) MESSAGE(took, " s ", wrong);
        longest = std::max(longest, took);
    }
    CHECK(longest < (std::getenv("HSM_EMULATED") ? 200 : 10)); // with room for slow machines
}
