// Reads <invoke> and the documents in it.

#include <hsm/scxml/detail/reader.hpp>

#include <hsm/scxml/detail/document_store.hpp>
#include <hsm/scxml/detail/runner.hpp>

#include <hsm/define/fsm.hpp>
#include <hsm/load/registry.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/scxml/scxml.hpp>

#include <algorithm>

namespace hsm::detail::scxml {

namespace {

/// Nesting limit of documents in one text. Deeper ones could not be invoked either: see session_limits.
constexpr std::size_t deepest_invoke = 30;

std::string label_of(const invoke_spec& spec) {
    if (spec.document) return "invoke a document";
    const auto& from = spec.source.computed ? spec.source.computed.text : spec.source.text;
    return from.empty() ? "invoke" : "invoke " + from;
}

} // namespace

void reader::read_invoke(const element& e, state_base& s) {
    if (!document_->store) {
        if (!store_) {
            document_->own_store = std::make_unique<document_store>(options_);
            store_ = document_->own_store.get();
        }
        document_->store = store_;
    }
    invoke_spec spec;
    spec.extra.before = take_comments();
    check_attributes(e, {"type", "typeexpr", "src", "srcexpr", "id", "idlocation", "namelist", "autoforward"}, s, spec.extra);
    spec.state = &s;
    spec.number = static_cast<std::uint32_t>(document_->invocations.size());
    spec.at = at(e.at);
    spec.type = read_text(e, s, "type", "typeexpr");
    spec.source = read_text(e, s, "src", "srcexpr");
    spec.id = std::string(value(e, "id"));
    spec.id_location = read_id_location(e, s);
    if (const auto* const a = attribute(e, "autoforward")) {
        const auto text = without_blanks(a->value);
        spec.autoforward = text == "true" || text == "1";
        if (!spec.autoforward && text != "false" && text != "0")
            problem(code::bad_value, a->value_at, fmt::format("autoforward is {}", in_quotes(a->value)), "write \"true\" or \"false\"");
    }
    read_namelist(e, s, spec.data.parameters);
    bool finalized = false;
    const auto read = [&](const element& child) {
        if (is_scxml(child, "param")) return spec.data.parameters.push_back(read_parameter(child, s));
        if (is_scxml(child, "content")) return read_invoked_content(child, spec, s);
        if (!is_scxml(child, "finalize")) return unknown_element(child, e, s);
        if (std::exchange(finalized, true)) return problem(code::misplaced, child.at, "<invoke> has more than one <finalize>", "keep one");
        spec.finalize_markup.before = take_comments();
        check_attributes(child, {}, s, spec.finalize_markup);
        spec.finalizes = true;
        const inside_of here(*this, spec.finalize_markup);
        read_actions(child, s, spec.finalize);
    };
    {
        const inside_of here(*this, spec.extra);
        doc_->each_child(e, read);
    }
    if (spec.data.has_content && !spec.source.empty()) problem(code::bad_value, e.at, "<invoke> has a src and a <content>", "keep one of them");
    const bool is_computed = attribute(e, "srcexpr") || attribute(e, "typeexpr");
    if (!spec.data.has_content && spec.source.empty() && !is_computed && is_own_processor(without_blanks(spec.type.text)))
        warn(code::outside_standard, s, e.at, "an <invoke> names no document, so it raises error.execution",
             "write src=\"...\" or <content>...</content>");
    document_->invocations.push_back(std::move(spec));
}

void reader::read_invoked_content(const element& e, invoke_spec& spec, state_base& s) {
    const bool second = spec.data.has_content;
    const auto* const expr = read_content(e, s, spec.data);
    if (second) return problem(code::misplaced, e.at, "<invoke> has more than one <content>", "keep one");
    if (expr) return read_content_expression(*expr, s, spec.data);
    const element* only = nullptr;
    doc_->each_child(e, [&](const element& child) {
        if (child.kind == xml_kind::element && !only) only = &child;
    });
    if (only && only->local() == "scxml") spec.document = read_document(*only, s);
}

/// Reads the document in an <invoke>. Its errors are errors of the outer document.
std::shared_ptr<document_of_invoke> reader::read_document(const element& e, state_base& s) {
    if (depth_ >= deepest_invoke)
        return problem(code::too_deep, e.at, fmt::format("documents invoke each other more than {} levels deep", deepest_invoke),
                       "move some of them into separate files, and invoke these files by src"),
               nullptr;
    auto root = make_fsm<hsm::scxml::context>("");
    const auto target = target_for<hsm::scxml::context>();
    reader nested(options_, target, problems_, store_, folder_);
    nested.read_nested(*doc_, e, file_, depth_ + 1, *root);
    auto& warnings = root->note().warnings;
    for (std::size_t i = 0; i < warnings.size(); ++i) { // other warnings are reported when it is compiled
        const bool of_attribute = std::ranges::binary_search(nested.of_attributes_, i);
        const auto report = of_attribute ? &reader::warn_of_attribute : &reader::warn;
        (this->*report)(warnings[i].code, s, warnings[i].where, std::move(warnings[i].problem), std::move(warnings[i].hint));
    }
    root_->note().further_warnings += root->note().further_warnings;
    return std::make_shared<document_of_invoke>(std::move(root));
}

void reader::read_nested(const xml_document& doc, const xml_element& e, const char* file, std::size_t depth, state_base& root) {
    doc_ = &doc;
    file_ = file;
    depth_ = depth;
    begin_document(root);
    read_root(e, root);
}

/// Requires that all other hooks of the state were added, because invocations are canceled after the last exit.
void reader::add_invoke_hooks_of(state_base& s) {
    const auto& all = document_->invocations;
    if (all.empty() || all.back().state != &s) return;
    const auto first = std::ranges::find(all, &s, &invoke_spec::state);
    for (auto spec = first; spec != all.end(); ++spec) // those of one state are adjacent
        s.add_hook(hook_kind::enter, invoke_hook(s, owner_, label_of(*spec)));
    s.add_hook(hook_kind::exit, cancel_hook(s, owner_));
}

} // namespace hsm::detail::scxml
