#include <tests/scxml/suites.hpp>

#include <hsm/chart/view.hpp>
#include <hsm/compile/compile.hpp>
#include <hsm/scxml/session.hpp>
#include <tests/scxml/player.hpp>
#include <tests/support/json.hpp>

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

namespace suites {

namespace {

using lines = std::vector<std::string>;

/// A temporary folder for files of the other program.
struct scratch {
    scratch() : folder(std::filesystem::temp_directory_path() / ("hsm_qt_" + std::to_string(::getpid()))) {
        std::filesystem::create_directory(folder);
    }
    scratch(const scratch&) = delete;
    ~scratch() { std::filesystem::remove_all(folder); }

    std::filesystem::path folder;
};

/// A known difference, and its reason. Any other difference is a failure; so is a known one that no longer occurs.
struct known_difference {
    const char* document;
    const char* why;
};
constexpr known_difference known[] = {
    {"alexzhornyak-SCXML-tutorial/Examples/StateCharts/DiningPhilosphersProblem/sub_dining_philosopher.scxml",
     "C.1: a <send> to #_parent without a parent is an error.communication; Qt drops it"},
    {"alexzhornyak-SCXML-tutorial/Tests/ecma/Custom/types/testBasicTypes.scxml",
     "B.2: what stands in <data> and is neither JSON nor XML is a string; Qt evaluates it, here as a function"},
    {"alexzhornyak-SCXML-tutorial/Tests/ecma/Custom/types/testFunctions.scxml", "B.2: the same"},
    {"alexzhornyak-SCXML-tutorial/Tests/ecma/Custom/types/testFunctions2.scxml", "B.2: the same"},
    {"alexzhornyak-ScxmlEditor-Tutorial/Examples/Pinball - split/include_internalState.scxml",
     "4.9: an error in an element, here the condition of an <if>, ends the block; Qt goes on behind it"},
    {"alexzhornyak-ScxmlEditor-Tutorial/Examples/Pinball - split/include_logicalState.scxml", "4.9: the same"},
    {"apache-commons-scxml/src/test/java/org/apache/commons/scxml2/env/javascript/datamodel-01.xml",
     "5.4, B.2: any left-hand side is a location; Qt has an error.execution for the member of a member"},
    {"apache-commons-scxml/src/test/java/org/apache/commons/scxml2/env/javascript/datamodel-05.xml", "5.4, B.2: the same"},
    {"igor-krechetov-hsmcpp/examples/scxml/includes/xi_include_wrapped.scxml", "XInclude, which is another standard, and which Qt passes over"},
};

const char* why_different(const std::string& document) {
    const auto* const found = std::ranges::find_if(known, [&](const auto& k) { return document == k.document; });
    return found == std::end(known) ? nullptr : found->why;
}

lines lines_of(const std::filesystem::path& file) {
    lines all;
    std::ifstream in(file);
    for (std::string line; std::getline(in, line);) all.push_back(line);
    return all;
}

std::string quoted(const std::string& path) { return "'" + path + "'"; }

/// Returns the output of Qt. exit_code is not 0 if the document does not load, and 124 if it does not become stable.
lines play_with_qt(const scratch& files, const std::string& player, const std::filesystem::path& document, const lines& events, int seconds,
                   int& exit_code) {
    std::ofstream list(files.folder / "events");
    for (const auto& e : events) list << e << '\n';
    list.close();
    const auto out = (files.folder / "out").string();
    const auto command = "timeout " + std::to_string(seconds) + ' ' + quoted(player) + ' ' + quoted(document.string()) + ' ' +
                         quoted((files.folder / "events").string()) + " >" + quoted(out) + " 2>" + quoted((files.folder / "errors").string()) +
                         " </dev/null";
    const int status = std::system(command.c_str());
    exit_code = WEXITSTATUS(status);
    return lines_of(out);
}

struct played_walk {
    lines events, states;
    bool rests = true;
};

/// Runs without time, so delayed events are not delivered.
played_walk play(const hsm::chart<hsm::scxml::context>& chart) {
    played_walk w;
    std::vector<std::string> names;
    for (const auto event : chart.view().events())
        if (auto name = name_to_send(event.name()); !name.empty()) names.push_back(std::move(name));
    std::mt19937 random(17);
    for (int i = 0; i < 200 && !names.empty(); ++i) w.events.push_back(names[random() % names.size()]);
    hsm::scxml::context data;
    hsm::scxml::session session(chart, data);
    const auto note = [&] {
        auto leaves = session.configuration();
        std::ranges::sort(leaves);
        std::string line;
        for (const auto& leaf : leaves) line += (line.empty() ? "" : " ") + leaf;
        w.states.push_back(line + (session.finished() ? " (end)" : ""));
    };
    try {
        session.start();
        note();
        for (const auto& e : w.events) {
            if (session.finished()) break;
            session.process(e);
            note();
        }
    } catch (const hsm::run_error&) {
        w.rests = false;
    }
    return w;
}

bool invokes(const std::filesystem::path& document) {
    std::ifstream in(document);
    return std::string(std::istreambuf_iterator<char>(in), {}).find("<invoke") != std::string::npos;
}

std::string difference(const played_walk& ours, const lines& theirs, bool theirs_rest) {
    const auto n = std::min(ours.states.size(), theirs.size());
    for (std::size_t i = 0; i < n; ++i)
        if (ours.states[i] != theirs[i])
            return "after event " + std::to_string(i) + (i ? " (" + ours.events[i - 1] + ")" : "") + ": \"" + ours.states[i] + "\", in Qt \"" +
                   theirs[i] + '"';
    if (ours.rests != theirs_rest) return ours.rests ? "Qt does not come to rest" : "it does not come to rest";
    if (ours.rests && ours.states.size() != theirs.size()) return "one ends, the other does not";
    return {};
}

} // namespace

std::vector<verdict> run_beside_qt(const std::filesystem::path& folder, const std::string& player) {
    std::vector<verdict> all;
    if (!std::filesystem::exists(folder / "manifest.json")) return all;
    const scratch files;
    const auto manifest = json::load(folder / "manifest.json");
    for (const auto& document : manifest["documents"].items) {
        const auto id = document["file"].text;
        const auto file = folder / id;
        auto loaded = hsm::try_load_scxml(file.string(), options_for(file));
        if (!loaded) continue;
        const auto compiled = hsm::try_compile(std::move(loaded.root));
        if (!compiled) continue;
        if (invokes(file)) {
            all.push_back({verdict::kind::skipped, id, "it invokes others, and in which order sessions get their turns the standard leaves open"});
            continue;
        }
        const auto ours = play(compiled.chart);
        int exit_code = 0;
        const auto theirs = play_with_qt(files, player, file, ours.events, ours.rests ? 60 : 2, exit_code);
        if (exit_code == 3 || exit_code == 4) {
            std::string why;
            for (const auto& line : lines_of(files.folder / "errors"))
                if (line.find("error: ") != line.npos) why = line.substr(line.find("error: "));
            all.push_back({verdict::kind::skipped, id, "Qt does not load it: " + (why.empty() ? "the data cannot be initialised" : why)});
            continue;
        }
        const auto wrong = difference(ours, theirs, exit_code == 0);
        const auto* const expected = why_different(id);
        if (expected && wrong.empty()) all.push_back({verdict::kind::failed, id, "there is no difference any more"});
        if (expected && !wrong.empty()) all.push_back({verdict::kind::skipped, id, expected});
        if (!expected) all.push_back({wrong.empty() ? verdict::kind::passed : verdict::kind::failed, id, wrong});
    }
    return all;
}

} // namespace suites
