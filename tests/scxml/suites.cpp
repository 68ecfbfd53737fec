#include <tests/scxml/suites.hpp>

#include <hsm/scxml/session.hpp>
#include <tests/scxml/player.hpp>
#include <tests/support/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace suites {

namespace {

using kind = verdict::kind;

std::string written(const names& set) {
    std::string text;
    for (const auto& name : set) text += (text.empty() ? "" : " ") + name;
    return '{' + text + '}';
}
names names_in(const json::value& list) {
    const auto texts = list.texts();
    return {texts.begin(), texts.end()};
}
hsm::time_span milliseconds(double ms) { return hsm::time_span::from_nanoseconds(static_cast<std::int64_t>(std::ceil(ms * 1e6))); }
double number(const json::value& v) { return std::strtod(v.text.c_str(), nullptr); }

/// Returns why the test is skipped, or an empty text.
std::string why_not(const json::value& test) {
    const auto category = test["category"].text;
    if (category == "e_basichttp") return "BasicHTTP, which is optional and not supported";
    if (test["needs_engine"].text == "true" && !has_scripts) return "needs ECMAScript, which this program was built without";
    const auto id = test["id"].text;
    if (id == "error/error") return "wants fields of error events that only SCION has";
    return {};
}

/// Exceptions are failures.
template <class F> verdict judged(const std::string& id, const json::value& test, F play) {
    if (auto reason = why_not(test); !reason.empty()) return {kind::skipped, id, reason};
    std::string wrong;
    try {
        wrong = play();
    } catch (const std::exception& e) {
        wrong = e.what();
    }
    return {wrong.empty() ? kind::passed : kind::failed, id, wrong};
}

std::string play_irp(const std::filesystem::path& file, const json::value& test) {
    const auto chart = hsm::compile(hsm::load_scxml(file.string(), options_for(file)));
    hsm::scxml::context data;
    hsm::scxml::session machine(chart, data);
    machine.start();
    for (int i = 0; i < 100 && !machine.finished(); ++i) machine.tick(milliseconds(100));
    if (machine.finished()) return machine.end() == test["pass_final_state"].text ? "" : "it ends in " + machine.end();
    const auto leaves = machine.configuration();
    return written({leaves.begin(), leaves.end()}) + ", and goes on";
}

std::string play_scion(const std::filesystem::path& file, const json::value& script) {
    const auto chart = hsm::compile(hsm::load_scxml(file.string(), options_for(file)));
    hsm::scxml::context data;
    hsm::scxml::session machine(chart, data);
    machine.start();
    const auto differs = [&](const std::string& when, const json::value& wanted) {
        const auto leaves = machine.configuration();
        const names active(leaves.begin(), leaves.end());
        return active == names_in(wanted) ? "" : when + ": " + written(active) + " instead of " + written(names_in(wanted));
    };
    auto wrong = differs("after the start", script["initialConfiguration"]);
    int event = 0;
    for (const auto& step : script["events"].items) {
        if (!wrong.empty()) break;
        machine.tick(milliseconds(number(step["after"])));
        machine.process(step["event"]["name"].text);
        wrong = differs("after event " + std::to_string(++event) + " (" + step["event"]["name"].text + ")", step["nextConfiguration"]);
    }
    return wrong;
}

/// Two scripts follow older rules than the Recommendation, and contain the results under the current rules as well: see the README of the suites.
json::value script_of(const std::filesystem::path& file, const std::string& id) {
    auto script = json::load(file);
    if (id == "more-parallel/test10" || id == "more-parallel/test10b") return script["legacySemantics"];
    return script;
}

} // namespace

hsm::scxml_options options_for(const std::filesystem::path& file) {
    auto made = options();
    made.include_folder = file.parent_path().string();
    if (has_scripts) made.default_model = "ecmascript";
    return made;
}

std::vector<verdict> run_irp(const std::filesystem::path& folder, part of) {
    std::vector<verdict> all;
    if (!std::filesystem::exists(folder / "manifest.json")) return all;
    const auto manifest = json::load(folder / "manifest.json");
    for (const auto& test : manifest["tests"].items) {
        if ((test["mandatory"].text == "true") != (of == part::mandatory)) continue;
        const auto id = test["id"].text;
        if (id == "301") { // its script cannot be read, so it must not run
            const auto file = folder / test["file"].text;
            const bool refused = !hsm::try_load_scxml(file.string(), options_for(file));
            all.push_back({refused ? kind::passed : kind::failed, id, refused ? "" : "it was loaded"});
            continue;
        }
        if (test["automatic"].text != "true" && test["pass_final_state"].text == "null") {
            all.push_back({kind::skipped, id, "manual"});
            continue;
        }
        all.push_back(judged(id, test, [&] { return play_irp(folder / test["file"].text, test); }));
    }
    return all;
}

std::vector<verdict> run_scion(const std::filesystem::path& folder) {
    std::vector<verdict> all;
    if (!std::filesystem::exists(folder / "manifest.json")) return all;
    const auto manifest = json::load(folder / "manifest.json");
    for (const auto& test : manifest["tests"].items) {
        const auto id = test["id"].text;
        const auto beside = std::filesystem::directory_iterator((folder / test["file"].text).parent_path());
        if (id.starts_with("script-src/") && std::none_of(begin(beside), end(beside), [](const auto& f) { return f.path().extension() == ".js"; })) {
            all.push_back({kind::skipped, id, "its scripts are not in the folder"});
            continue;
        }
        all.push_back(judged(id, test, [&] { return play_scion(folder / test["file"].text, script_of(folder / test["script"].text, id)); }));
    }
    return all;
}

bool with_scripts() { return has_scripts; }

std::size_t count(const std::vector<verdict>& all, verdict::kind what) {
    return static_cast<std::size_t>(std::ranges::count(all, what, &verdict::what));
}

} // namespace suites
