#include <hsm/tool/detail/command.hpp>
#include <hsm/tool/detail/machine_file.hpp>
#include <hsm/tool/detail/output_file.hpp>
#include <hsm/tool/detail/record_lines.hpp>

#include <hsm/define/detail/lookup.hpp>
#include <hsm/draw/dot.hpp>
#include <hsm/draw/mermaid.hpp>
#include <hsm/draw/plantuml.hpp>
#include <hsm/draw/svg.hpp>
#include <hsm/draw/text.hpp>
#include <hsm/observe/coverage.hpp>
#include <hsm/observe/highlights.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <optional>

namespace hsm::detail::tool {

namespace {

using hsm::draw::drawing;

template <const char* const& Format> drawing rendered(const chart_view& chart, const hsm::draw::options& how) {
    return {hsm::draw::rendered(hsm::draw::dot(chart, how).text, Format), {}};
}
constexpr const char *svg_format = "svg", *png_format = "png", *pdf_format = "pdf";

struct language {
    std::string_view name, extension;
    drawing (*draw)(const chart_view& chart, const hsm::draw::options& how);
};
constexpr language languages[] = {
    {"text", ".txt", &hsm::draw::text},          {"svg", ".svg", &rendered<svg_format>}, {"png", ".png", &rendered<png_format>},
    {"pdf", ".pdf", &rendered<pdf_format>},      {"dot", ".dot", &hsm::draw::dot},       {"mermaid", ".mmd", &hsm::draw::mermaid},
    {"plantuml", ".puml", &hsm::draw::plantuml},
};

/// A part of a drawing that --hide can leave out.
struct detail_word {
    std::string_view word;
    bool hsm::draw::shown::*is_shown;
};
constexpr detail_word details[] = {
    {"guards", &hsm::draw::shown::guards}, {"actions", &hsm::draw::shown::actions},       {"hooks", &hsm::draw::shown::hooks},
    {"timers", &hsm::draw::shown::timers}, {"priorities", &hsm::draw::shown::priorities}, {"locals", &hsm::draw::shown::locals},
};

class draw_chart final : public command {
public:
    std::string_view name() const override { return "draw"; }
    std::string_view summary() const override { return "draw a machine as a picture, for Graphviz, Mermaid or PlantUML, or as a tree"; }
    std::string_view description() const override {
        return "The extension of the output selects the language: .svg, .png, .pdf (drawn by the program dot of Graphviz), .dot, .mmd (Mermaid), "
               ".puml (PlantUML), .txt. Without -o, the command prints a tree to stdout. The command reports on stderr which features the selected "
               "language cannot express.";
    }
    std::vector<example> examples() const override {
        return {{"draw monster.xml", "a tree with states and transitions"},
                {"draw monster.xml -o monster.svg", "a picture"},
                {"draw monster.xml --part hunt --hide hooks -o hunt.mmd", "one state, for a page that renders Mermaid"},
                {"draw monster.xml --coverage tested.txt -o tested.svg", "the parts that tests covered, and the parts that they missed"}};
    }
    void declare(option_list& takes) override {
        takes.value("-o,--output", "FILE", output_, "Output file; \"-\" is stdout.").file();
        takes.choice("-l,--language", "LANGUAGE", language_, words_in(languages, &language::name),
                     "Output language. Default: by the extension of the output.");
        takes.value("--part", "PATH", part_, "Draw only this state and its descendants.");
        takes.value("--depth", "N", depth_, "Draw only this many levels of states.");
        takes.choice("--direction", "DIRECTION", direction_, {"down", "right"}, "Main direction of transitions.");
        takes.value("--hide", "WHAT", hidden_, "Leave out guards, actions, hooks, timers, priorities or locals. Repeatable.").choices =
            words_in(details, &detail_word::word);
        takes.flag("--locations", locations_, "Add the source locations of states and transitions.");
        takes.value("--line-length", "N", line_length_, "Wrap labels after this many characters.");
        takes.flag("--ascii", ascii_, "Draw the tree without line-drawing characters.");
        takes.value("--active", "PATH", active_, "Highlight this state as active. Repeatable.");
        takes.value("--coverage", "FILE", coverage_, "Highlight covered and missed parts, according to this coverage file.").file();
        declare_file_options(takes, how_);
        takes.argument("MACHINE", machine_, "A file with a machine, or the name of a machine of this program; \"-\" is stdin.")
            .required()
            .machine_file();
    }
    exit_code run(environment& here) override;

private:
    const language& wanted() const;
    hsm::draw::options options_for(const chart_view& chart, environment& here) const;
    state_view find(const chart_view& chart, const std::string& path) const;

    std::string machine_, output_ = "-", language_, part_, direction_ = "down", coverage_;
    file_options how_;
    std::uint64_t depth_ = hsm::draw::options::all_levels, line_length_ = hsm::draw::options().line_length;
    std::vector<std::string> hidden_, active_;
    bool locations_ = false, ascii_ = false;
};

const language& draw_chart::wanted() const {
    if (const auto* const found = format_of_output(languages, language_, output_)) return *found;
    if (output_ == "-") return languages[0];
    throw command_error(fmt::format("unknown extension of \"{}\"", output_), "use one of .svg .png .pdf .dot .mmd .puml .txt, or pass --language");
}

/// Finds a state by its path. Throws command_error with a suggestion if there is none.
state_view draw_chart::find(const chart_view& chart, const std::string& path) const {
    if (const auto found = chart.find(path)) return found;
    std::vector<std::string_view> paths;
    for (const auto s : chart.states()) paths.push_back(s.distinct_name());
    throw command_error(fmt::format("no state, or several states, match \"{}\"", path), suggestion(path, paths));
}

hsm::draw::options draw_chart::options_for(const chart_view& chart, environment& here) const {
    hsm::draw::options how;
    if (!part_.empty()) how.part = find(chart, part_);
    how.depth = depth_;
    how.direction = direction_ == "right" ? hsm::draw::direction::right : hsm::draw::direction::down;
    for (const auto& d : details)
        if (std::ranges::find(hidden_, d.word) != hidden_.end()) how.show.*d.is_shown = false;
    how.show.locations = locations_;
    how.line_length = line_length_;
    how.ascii = ascii_;
    how.colors = output_ == "-" && here.terminal.out_in_color();
    for (const auto& path : active_) how.highlight.active.push_back(find(chart, path).number());
    if (!coverage_.empty())
        with_file(coverage_, [&] {
            const auto bytes = read_input(coverage_, here);
            memory_source source(bytes);
            coverage seen(chart);
            seen.load(source);
            how.highlight.add(highlights_of(seen));
        });
    return how;
}

exit_code draw_chart::run(environment& here) {
    const auto& what = wanted();
    const auto* const known = how_.over.empty() ? find_machine(machine_, here) : nullptr;
    std::optional<loaded_file> file;
    if (!known) file.emplace(machine_, how_, unknown_names::simulated, here);
    const auto chart = known ? known->chart() : file->compiled();
    const auto view = chart.view();
    const auto made = what.draw(view, options_for(view, here));
    write_output(output_, made.text, here);
    std::vector<message> losses;
    for (const auto& l : made.losses)
        losses.push_back({.kind = message_kind::note,
                          .text = fmt::format("{} cannot express: {}", what.name, l.text),
                          .where = {output_ == "-" ? "(stdout)" : output_, 0, 0}});
    print_messages(losses, here);
    return exit_code::fine;
}

} // namespace

owned<command> draw_command() { return make_owned<draw_chart>(); }

} // namespace hsm::detail::tool
