#include <tests/scxml/suites.hpp>

#include <hsm/chart/view.hpp>
#include <hsm/draw/dot.hpp>
#include <hsm/draw/text.hpp>
#include <tests/reference/reference.hpp>
#include <tests/scxml/corpus_refusals.hpp>
#include <tests/scxml/player.hpp>
#include <tests/support/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <random>
#include <set>
#include <utility>

namespace suites {

namespace {

using chart_type = hsm::chart<hsm::scxml::context>;

/// Returns the active states after each of 200 random events, or the error.
template <class Machine> std::string walk(const chart_type& chart, const std::vector<std::string>& events) {
    auto options = roomy;
    // Two documents of uSCXML never become stable. They end in the same error after any number of steps, and the reference examines all transitions
    // in each step.
    if (chart.view().transitions().size() > 2000) options.chain_limit = 10;
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

/// Checks that the saved document loads as the same machine, and is saved in the same way again.
std::string differs_saved(const hsm::saved_scxml& saved, const chart_type& chart, const hsm::scxml_options& options) {
    if (!saved.losses.empty()) return "saving loses something: " + saved.losses.front().to_string();
    auto again = hsm::try_load_scxml_text(saved.text, "(saved)", options);
    if (!again) return "what was saved does not load: " + again.problems.front().to_string();
    const auto text = hsm::try_save_scxml(*again.root).text;
    if (text != saved.text) return "saved twice, it differs: " + first_difference(text, saved.text);
    if (hsm::compile(std::move(again.root)).fingerprint() != chart.fingerprint()) return "what was saved is another machine";
    return {};
}

std::set<std::string, std::less<>> words_in(std::string_view text, std::string_view between) {
    std::set<std::string, std::less<>> words;
    for (std::size_t at = 0; (at = text.find_first_not_of(between, at)) != text.npos;) {
        const auto end = std::min(text.find_first_of(between, at), text.size());
        words.emplace(text.substr(at, end - at));
        at = end;
    }
    return words;
}

/// Checks that a drawing contains each state, and that each loss has a reason.
std::string differs_drawn(const hsm::chart_view& chart) {
    const auto tree = hsm::draw::text(chart), dot = hsm::draw::dot(chart);
    const auto in_tree = words_in(tree.text, " \n"), in_dot = words_in(dot.text, " \n\"<>;");
    for (const auto s : chart.states()) {
        if (!in_tree.contains(s.name())) return "in the tree there is no state " + std::string(s.name());
        if (s.kind() != hsm::state_kind::history && !in_dot.contains(s.name())) return "in the picture there is no state " + std::string(s.name());
    }
    for (const auto* drawing : {&tree, &dot})
        for (const auto& loss : drawing->losses)
            if (loss.text.empty()) return "a drawing loses something, and does not say what";
    return {};
}

bool is_known(std::string_view language) { return language.empty() || language == "null" || language == "ecmascript"; }

/// Checks that a document in another language does not run; it can be checked, drawn and saved.
std::string runs_anyway(const chart_type& chart) {
    hsm::scxml::context data;
    hsm::instance machine{chart, data};
    try {
        machine.start();
    } catch (const hsm::usage_error& e) {
        if (e.number() == hsm::code::unknown_data_model && !machine.active()) return {};
    }
    return "it runs without its data model";
}

std::string examine(const chart_type& chart, const hsm::saved_scxml& saved, const hsm::scxml_options& options, std::string_view language) {
    if (auto wrong = differs_saved(saved, chart, options); !wrong.empty()) return wrong;
    if (auto wrong = differs_drawn(chart.view()); !wrong.empty()) return wrong;
    if (!is_known(language)) return runs_anyway(chart);
    std::vector<std::string> events;
    for (const auto event : chart.view().events())
        if (auto name = name_to_send(event.name()); !name.empty()) events.push_back(std::move(name));
    const auto engine = walk<hsm::instance<hsm::scxml::context>>(chart, events);
    const auto reference = walk<hsm::reference<hsm::scxml::context>>(chart, events);
    if (engine != reference) return "engine and reference differ: " + first_difference(engine, reference);
    return {};
}

/// Checks that a document is refused with a position and the expected error.
verdict refused(const std::string& id, const hsm::load_problem& first) {
    const bool has_position = first.where.line > 0 || first.code == hsm::code::unreadable_file;
    if (!has_position) return {verdict::kind::failed, id, "refused without a place: " + first.to_string()};
    const auto code = hsm::to_string(first.code);
    if (!has_scripts) return {verdict::kind::skipped, id, first.to_string()};
    const auto* const expected = std::ranges::find(expected_refusals, id, &expected_refusal::document);
    if (expected == std::end(expected_refusals) || expected->code != code) return {verdict::kind::failed, id, "refused: " + first.to_string()};
    return {verdict::kind::skipped, id, first.to_string() + " (" + std::string(expected->why) + ")"};
}

/// Scripts that are missing in the folder. With empty ones, these documents load.
constexpr std::pair<std::string_view, const char*> without_scripts[] = {
    {"alexzhornyak-SCXML-tutorial/Examples/Qt/SkodaBoleroInfotainment/Model/bolero.scxml", "CommonConstants.js"},
    {"tklab-tud-uscxml/test/issues/test-issue134.scxml", "test-issue134.js"},
};

/// Copies the document into a temporary folder with an empty script.
class with_empty_script {
public:
    with_empty_script(const std::filesystem::path& document, const std::string& id) : file(document) {
        const auto* const found = std::ranges::find(without_scripts, id, &std::pair<std::string_view, const char*>::first);
        if (found == std::end(without_scripts) || exists(document.parent_path() / found->second)) return;
        folder_ = std::filesystem::temp_directory_path() / ("hsm_corpus_" + std::to_string(::getpid()));
        create_directory(folder_);
        file = folder_ / document.filename();
        copy_file(document, file, std::filesystem::copy_options::overwrite_existing);
        permissions(file, std::filesystem::perms::owner_write, std::filesystem::perm_options::add); // else Windows does not remove it
        std::ofstream(folder_ / found->second) << "// nothing";
    }
    with_empty_script(const with_empty_script&) = delete;
    ~with_empty_script() {
        if (!folder_.empty()) remove_all(folder_);
    }

    std::filesystem::path file;

private:
    std::filesystem::path folder_;
};

} // namespace

std::vector<verdict> run_corpus(const std::filesystem::path& folder) {
    std::vector<verdict> all;
    if (!std::filesystem::exists(folder / "manifest.json")) return all;
    const auto manifest = json::load(folder / "manifest.json");
    for (const auto& document : manifest["documents"].items) {
        const auto id = document["file"].text;
        const with_empty_script there(folder / id, id);
        const auto& file = there.file;
        const auto options = options_for(file);
        auto loaded = hsm::try_load_scxml(file.string(), options);
        if (!loaded) {
            all.push_back(refused(id, *std::ranges::find(loaded.problems, false, &hsm::load_problem::is_warning)));
            continue;
        }
        try {
            const auto saved = hsm::try_save_scxml(*loaded.root);
            const auto compiled = hsm::try_compile(std::move(loaded.root));
            if (!compiled) {
                const auto& first = compiled.findings.front();
                all.push_back({verdict::kind::failed, id, "it does not compile: " + first.to_string()});
                continue;
            }
            auto wrong = examine(compiled.chart, saved, options, document["datamodel"].text);
            all.push_back({wrong.empty() ? verdict::kind::passed : verdict::kind::failed, id, wrong});
        } catch (const std::exception& e) {
            all.push_back({verdict::kind::failed, id, e.what()});
        }
    }
    return all;
}

} // namespace suites
