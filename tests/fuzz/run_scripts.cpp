// For libFuzzer: whatever a document in ECMAScript says, it is refused or it runs, in bounded time and memory. Bytes that begin with
// '<' are a document; with '!', messages from the process of untrusted scripts; all others are a script.

#include <hsm/hsm.hpp>
#include <hsm/scxml/detail/script_wire.hpp>
#include <hsm/scxml/ecmascript.hpp>
#include <hsm/scxml/scxml.hpp>
#include <hsm/scxml/session.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

using namespace hsm::detail::scxml;

namespace {

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

hsm::scxml::ecmascript made_scripts() {
    hsm::scxml::ecmascript scripts({.memory = 400'000, .steps = 30'000, .stack = std::size_t(1) << 20}); // a sanitizer takes more of the stack
    scripts.add("twice", [](double x) { return 2 * x; });
    scripts.add("echo", [](hsm::scxml::json_text given) { return given; });
    scripts.add("shout", [](const std::string& text, bool loud) { return loud ? text + "!" : text; });
    scripts.add_value("config", R"({"speed": [3]})");
    return scripts;
}
const hsm::scxml::ecmascript& scripts() {
    static const auto made = made_scripts();
    return made;
}

void play(const hsm::chart<hsm::scxml::context>& chart) {
    hsm::scxml::context data({.max_delayed = 20});
    hsm::scxml::session session{chart, data, {.instance = {.internal_queue = 20, .posted_queue = 20, .chain_limit = 20}, .max_macrosteps = 20}};
    try {
        session.start();
        for (const char* event : {"a", "b", "e"}) {
            session.process({event, R"({"x": [1, "y"]})", "id", "#_origin", "kind", "invoked"});
            session.tick(hsm::time_span::from_nanoseconds(1'000'000'000));
        }
        session.stop();
    } catch (const hsm::run_error&) {
    }
}

void run_document(const std::string& text) {
    static const auto options = [] {
        hsm::scxml_options made;
        made.data_models = {&scripts()};
        made.default_model = "ecmascript";
        made.check_scripts = true;
        return made;
    }();
    auto loaded = hsm::try_load_scxml_text(text, "d", options);
    if (!loaded) return require(!loaded.problems.empty(), "there is neither a definition nor an error");
    const auto saved = hsm::try_save_scxml(*loaded.root);
    require(saved.losses.empty(), "a document cannot be saved as one");
    auto again = hsm::try_load_scxml_text(saved.text, "d", options);
    if (!again) {
        std::fprintf(stderr, "%s\n%s", saved.text.c_str(), hsm::describe(again.problems).c_str());
        std::abort();
    }
    require(hsm::try_save_scxml(*again.root).text == saved.text, "saved twice, it differs");
    if (const auto compiled = hsm::try_compile(std::move(loaded.root))) play(compiled.chart);
}

struct host final : data_model_host {
    bool is_active(std::string_view id) override { return id == "a"; }
};

void run_script(const std::string& text) {
    host here;
    const auto model = scripts().make({"d", 10}, here), other = scripts().make({"d", 10}, here);
    for (const auto* const m : {&model, &other}) (*m)->set_system({"s", "d", {{"scxml", "#_s"}}});
    model->set_event({"e", "external", "", "", "", "", {R"({"k": [1]})"}});
    const expression script{text, {1, 1}, 0};
    (void)model->run(script);
    (void)model->evaluate({text, {1, 1}, 1});
    (void)model->text({text, {1, 1}, 2});
    (void)model->test({text, {1, 1}, 3});
    (void)model->assign({text, {1, 1}, 4}, value{"1"});
    (void)model->parse(text);
    (void)scripts().check({{script, script_form::expression}, {script, script_form::script}, {script, script_form::location}});
    const auto saved = model->save({});
    if (!saved || other->restore(saved.result.json)) return;
    const auto again = other->save({});
    require(!again || again.result.json == saved.result.json, "what was restored is saved in another way");
    require(model->evaluate({"1 + 1", {1, 1}, 5}).result.json == "2", "the engine does not go on");
}

/// As whatever it says it is.
void read_messages(std::string bytes) {
    try {
        wire_reader in(std::move(bytes));
        switch (static_cast<unsigned>(in.kind()) % 8) {
        case 0: {
            outcome<bool> v;
            in >> v;
            break;
        }
        case 1: {
            outcome<value> v;
            in >> v;
            break;
        }
        case 2: {
            failure v;
            in >> v;
            break;
        }
        case 3: {
            std::string name;
            std::vector<value> v;
            in >> name >> v;
            break;
        }
        case 4: {
            event_info v;
            in >> v;
            break;
        }
        case 5: {
            system_variables v;
            in >> v;
            break;
        }
        case 6: {
            data_element v;
            in >> v;
            break;
        }
        default: {
            iteration v;
            in >> v;
            break;
        }
        }
    } catch (const wire_error&) {
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(bytes), size);
    if (text.starts_with('!'))
        read_messages(text.substr(1));
    else if (text.starts_with('<'))
        run_document(text);
    else
        run_script(text);
    return 0;
}
