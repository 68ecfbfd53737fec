#include <hsm/op/detail/format.hpp>
#include <hsm/scxml/context.hpp>
#include <hsm/scxml/detail/reader.hpp>
#include <hsm/scxml/scxml.hpp>
#include <hsm/scxml/session.hpp>
#include <hsm/tool/detail/machine_file.hpp>
#include <hsm/tool/detail/simulation.hpp>

#include <optional>
#include <string_view>

namespace hsm::detail::tool {

/// The context of SCXML documents without a program: reports the effects of a document other than state changes. Every <send> succeeds.
class played_document final : public hsm::scxml::context {
public:
    explicit played_document(simulation& sim) : sim_(&sim) {}

    void on_log(std::string_view label, std::string_view text) override {
        if (auto* const listener = sim_->listener()) listener->logged(label, text);
    }
    void on_error(std::string_view event, std::string_view what) override {
        if (auto* const listener = sim_->listener()) listener->failed(event, what);
    }
    bool on_send(const hsm::scxml::outgoing& event) override {
        if (auto* const listener = sim_->listener()) listener->sent(event.event, event.target.empty() ? event.type : event.target, event.data);
        return true;
    }
    bool knows_processor(std::string_view) const override { return true; }

private:
    simulation* sim_;
};

namespace {

scxml::find_context part_of(const known_machine& over) {
    if (const auto part = over.scxml_context()) return part;
    throw command_error(fmt::format("the context of \"{}\" does not fit SCXML documents", over.name()),
                        "choose a machine whose context derives from hsm::scxml::context, or omit --over");
}

scxml_options options_of(const file_options& how) {
    scxml_options made;
    made.include_folder = how.includes;
    if (!how.scripts) return made;
    const auto* const model = script_model();
    if (!model) throw command_error("this program was built without scripts", "build hsm with the sources of Duktape, and with -Dscripts=enabled");
    made.data_models = {model};
    made.default_model = "ecmascript"; // the standard leaves the default open
    made.check_scripts = how.checks_scripts;
    return made;
}

std::vector<load_problem> load(std::string text, const std::string& file, const load_request& request, owned<state_base>& root) {
    const registry<played_document> nothing;
    const registry_base& names = request.over ? request.over->names() : nothing;
    const auto find = request.over ? part_of(*request.over) : &scxml::context_in<played_document>;
    std::optional<open_names::listening> listening;
    if (request.open) listening.emplace(*request.open, names);
    auto made = names.context().make(state_kind::machine, history_depth::none, "");
    auto problems = scxml::read_text(std::move(text), file, options_of(request.how), names.context(), find, &names, *made);
    if (problems.empty()) root = std::move(made);
    return problems;
}

saved_machine save(state_base& root, std::string_view) {
    auto saved = try_save_scxml(root);
    return {std::move(saved.text), std::move(saved.losses)};
}

owned<hsm::tool::session> play_scxml(const chart_base& chart, simulation& sim) {
    const auto* const document = scxml::document_of(*chart.root().get());
    if (document && !document->opaque.empty()) throw command_error(document->why_not_run(), "use check, draw or convert, which accept the document");
    add_user(&chart.core());
    return make_owned<hsm::tool::document_session<played_document>>(hsm::chart<played_document>(&chart.core()), sim);
}

constexpr machine_format format{"scxml", ".scxml", &load, &save, &play_scxml};

} // namespace

const machine_format* scxml_format() { return &format; }

} // namespace hsm::detail::tool
