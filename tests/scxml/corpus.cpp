#include <tests/scxml/corpus.hpp>

#include <hsm/chart/view.hpp>
#include <tests/reference/reference.hpp>
#include <tests/scxml/player.hpp>
#include <tests/support/json.hpp>

#include <random>

namespace suites {

namespace {

using chart_type = hsm::chart<hsm::scxml::context>;

/// What is active after each of 200 random events, or what went wrong.
template <class Machine> std::string walk(const chart_type& chart, const std::vector<std::string>& events) {
    auto options = roomy;
    if (chart.view().transitions().size() > 2000) options.chain_limit = 10; // the reference looks at all of them in each step
    player<Machine> machine(chart, options);
    std::string trace;
    const auto note = [&] {
        for (const auto& name : machine.leaves()) trace += name + ' ';
        trace += machine.finished() ? "(end)\n" : "\n";
    };
    try {
        machine.start();
        note();
        std::mt19937 random(17);
        for (int i = 0; i < 200 && !machine.finished() && !events.empty(); ++i) {
            machine.send(events[random() % events.size()]);
            machine.pass(hsm::time_span::from_nanoseconds(10'000'000));
            note();
        }
    } catch (const hsm::run_error& e) {
        trace += hsm::to_string(e.number());
    }
    return trace;
}

std::string first_difference(const std::string& a, const std::string& b) {
    const auto at = std::mismatch(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(std::min(a.size(), b.size())), b.begin()).first - a.begin();
    const auto from = static_cast<std::size_t>(at > 40 ? at - 40 : 0);
    return "\"" + a.substr(from, 80) + "\" and \"" + b.substr(from, 80) + '"';
}

/// Saved and loaded again it is the same machine, and is saved in the same way.
std::string differs_saved(const hsm::saved_scxml& saved, const chart_type& chart) {
    if (!saved.losses.empty()) return "saving loses something: " + saved.losses.front().to_string();
    auto again = hsm::try_load_scxml_text(saved.text, "(saved)", options());
    if (!again) return "what was saved does not load: " + again.problems.front().to_string();
    const auto text = hsm::try_save_scxml(*again.root).text;
    if (text != saved.text) return "saved twice, it differs: " + first_difference(text, saved.text);
    if (hsm::compile(std::move(again.root)).fingerprint() != chart.fingerprint()) return "what was saved is another machine";
    return {};
}

std::string examine(const chart_type& chart, const hsm::saved_scxml& saved) {
    if (auto wrong = differs_saved(saved, chart); !wrong.empty()) return wrong;
    std::vector<std::string> events;
    for (const auto event : chart.view().events())
        if (!event.name().empty()) events.emplace_back(event.name());
    const auto engine = walk<hsm::instance<hsm::scxml::context>>(chart, events);
    const auto reference = walk<hsm::reference<hsm::scxml::context>>(chart, events);
    if (engine != reference) return "engine and reference differ: " + first_difference(engine, reference);
    return {};
}

} // namespace

std::vector<verdict> run_corpus(const std::filesystem::path& folder) {
    std::vector<verdict> all;
    if (!std::filesystem::exists(folder / "manifest.json")) return all;
    const auto manifest = json::load(folder / "manifest.json");
    for (const auto& document : manifest["documents"].items) {
        const auto id = document["file"].text;
        const auto file = folder / id;
        auto loaded = hsm::try_load_scxml(file.string(), options());
        if (!loaded) {
            const auto& first = loaded.problems.front();
            const bool told = first.where.line > 0 || first.code == hsm::code::unreadable_file;
            all.push_back({told ? verdict::kind::skipped : verdict::kind::failed, id, first.to_string()});
            continue;
        }
        try {
            const auto saved = hsm::try_save_scxml(*loaded.root);
            const auto compiled = hsm::try_compile(std::move(loaded.root));
            if (!compiled) {
                all.push_back({verdict::kind::skipped, id, compiled.findings.front().to_string()});
                continue;
            }
            auto wrong = examine(compiled.chart, saved);
            all.push_back({wrong.empty() ? verdict::kind::passed : verdict::kind::failed, id, wrong});
        } catch (const std::exception& e) {
            all.push_back({verdict::kind::failed, id, e.what()});
        }
    }
    return all;
}

} // namespace suites
