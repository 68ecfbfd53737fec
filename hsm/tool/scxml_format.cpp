#include <hsm/define/detail/definition_editor.hpp>
#include <hsm/define/detail/hook_kinds.hpp>
#include <hsm/define/state_key.hpp>
#include <hsm/load/detail/problem_list.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/scxml/context.hpp>
#include <hsm/scxml/detail/document.hpp>
#include <hsm/scxml/detail/reader.hpp>
#include <hsm/scxml/detail/run_content.hpp>
#include <hsm/scxml/scxml.hpp>
#include <hsm/scxml/session.hpp>
#include <hsm/tool/detail/machine_file.hpp>
#include <hsm/tool/detail/simulation.hpp>

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

namespace hsm::detail::tool {

namespace {

using form = scxml::condition::form;

/// Returns the registered names in the block, or nothing if the block contains anything else.
std::optional<std::vector<std::string>> names_in(const scxml::block& content) {
    std::vector<std::string> names;
    for (const auto& a : content) {
        const auto* const foreign = std::get_if<scxml::foreign_action>(&a.what);
        if (!foreign || foreign->behavior.name().empty()) return {};
        names.emplace_back(foreign->behavior.name());
    }
    return names;
}

std::vector<name_pattern> patterns_of(const transition_spec& t) {
    if (!t.event.names.empty() || !t.event) return t.event.names;
    return {{t.event.name, false}};
}

bool can_be_the_same(const transition_spec& a, const transition_spec& b) {
    return std::ranges::any_of(patterns_of(a), [&](const name_pattern& x) {
        return std::ranges::any_of(patterns_of(b), [&](const name_pattern& y) { return x.matches(y.text) || y.matches(x.text); });
    });
}

class rewording {
public:
    rewording(state_base& root, const scxml::document& document) : document_(document), losses_(root.notes()->file) {}

    std::vector<load_problem> run(state_base& root) {
        for (const auto& list : document_.data)
            if (!list.data.empty()) lost(*list.state, {}, "it has data (<datamodel>)");
        for (const auto& script : document_.scripts) lost(root, script.at, "it has a script");
        for (const auto& [state, data] : document_.done_data) lost(*state, {}, "it has data for its done event (<donedata>)");
        reword(root);
        return losses_.take();
    }

private:
    void lost(const state_base& s, origin where, const std::string& what) {
        losses_.add(code::inexpressible, where ? where : s.origin(), fmt::format("{}: {}", in_quotes(s.path()), what), {});
    }

    void reword(state_base& s) {
        for (const auto& row : hook_kind_table) reword(definition_editor(s).hooks(row.kind), &s, row.kind, s);
        for (const auto& t : s.transitions()) reword(*t, s);
        for (const auto& t : s.initials()) reword(t->actions, t.get(), hook_kind::enter, s);
        for (const auto& sub : s.substates()) reword(*sub);
    }

    /// `of` is the state or the transition that has the hooks.
    void reword(std::vector<hook>& hooks, const void* of, hook_kind kind, const state_base& s) {
        std::vector<hook> all;
        for (std::size_t i = 0; i < hooks.size(); ++i) {
            auto& h = hooks[i];
            if (scxml::is_of_document(h)) continue;
            const auto* content = scxml::content_of(h);
            if (!content) content = document_.direct_block(of, kind, i);
            if (!content) {
                all.push_back(std::move(h));
            } else if (const auto names = names_in(*content)) {
                for (const auto& name : *names) all.emplace_back().set_name(name);
            } else {
                lost(s, h.where(), fmt::format("executable content: {}", h.label()));
            }
        }
        hooks = std::move(all);
    }

    void reword(transition_spec& t, const state_base& s) {
        reword(t.actions, &t, hook_kind::enter, s);
        std::vector<guard> others;
        for (auto& g : t.guards) {
            if (scxml::is_event_guard(g)) continue;
            const auto* const asked = scxml::condition_of(g);
            if (!asked)
                others.push_back(std::move(g));
            else if (!reword(*asked, t))
                lost(s, g.where(), fmt::format("the condition {}", in_quotes(g.label())));
        }
        t.guards = std::move(others);
        for (const auto* above = s.superstate(); above; above = above->superstate())
            if (std::ranges::any_of(above->transitions(), [&](const auto& other) { return can_be_the_same(t, *other); })) {
                losses_.add(
                    code::inexpressible, t.origin,
                    fmt::format("{}: in XML, a transition of {} for the same event is tried first", in_quotes(s.path()), in_quotes(above->path())),
                    "compile the machine with decision_order::substate_first, which keeps the order");
                return;
            }
    }

    /// Converts a condition about active states. Returns false if it contains anything else; `t` may then be partly changed.
    static bool reword(const scxml::condition& c, transition_spec& t) {
        const auto asks = [](const scxml::condition& part) { return part.asks == form::in && part.state; };
        if (asks(c)) return t.joined.emplace_back(state_key(*c.state)), true;
        if (c.asks == form::negation && asks(c.parts.front())) return t.excluded.emplace_back(state_key(*c.parts.front().state)), true;
        const auto fits = [&](const scxml::condition& part) { return asks(part) || (part.asks == form::negation && asks(part.parts.front())); };
        if (c.asks != form::all || !std::ranges::all_of(c.parts, fits)) return false;
        return std::ranges::all_of(c.parts, [&](const scxml::condition& part) { return reword(part, t); });
    }

    const scxml::document& document_;
    problem_list losses_;
};

} // namespace

bool has_unknown_markup(const state_base& root) {
    const auto* const document = scxml::document_of(root);
    return document && document->has_unknown;
}

std::vector<load_problem> lower_to_xml(state_base& root) {
    const auto* const document = scxml::document_of(root);
    return document ? rewording(root, *document).run(root) : std::vector<load_problem>();
}

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
    auto problems = scxml::read_text(std::move(text), file, options_of(request.how), {names.context(), find, &names}, *made);
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
