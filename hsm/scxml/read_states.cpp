// Reads states: the tree without transitions.

#include <hsm/scxml/detail/reader.hpp>

#include <hsm/load/detail/misspelt.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/text/detail/ascii.hpp>

#include <algorithm>

namespace hsm::detail::scxml {

namespace {

bool is_state_name(std::string_view name) { return name == "state" || name == "parallel" || name == "final"; }
bool is_content_name(std::string_view name) {
    return name == "onentry" || name == "onexit" || name == "transition" || name == "initial" || name == "datamodel" || name == "invoke" ||
           name == "donedata" || name == "script";
}

/// Returns whether the id is an NCName; all characters beyond ASCII are accepted.
bool is_xml_name(std::string_view id) {
    const auto fits = [](char c) { return is_of_word(c) || c == '_' || c == '-' || c == '.'; };
    const char first = id.front();
    return std::ranges::all_of(id, fits) && !is_ascii_digit(first) && first != '-' && first != '.';
}

} // namespace

void reader::read_root(const element& e, state_base& root) {
    uri_ = e.uri.empty() ? std::string_view() : scxml_uri;
    if (!is_scxml(e, "scxml"))
        return problem(
            code::not_scxml, e.at,
            fmt::format("the document begins with <{}>{}", e.name.substr(0, 80), e.uri.empty() ? "" : fmt::format(" of {}", in_quotes(e.uri))),
            fmt::format("begin the document with <scxml xmlns=\"{}\" version=\"1.0\">", scxml_uri));
    root.set_origin(e.at);
    if (uri_.empty()) warn(code::outside_standard, root, e.at, "the document has no namespace", fmt::format("write xmlns=\"{}\"", scxml_uri));
    document_->name = std::string(value(e, "name"));
    root.set_name(document_->name.empty() || document_->name.find('/') != std::string::npos ? "scxml" : document_->name);
    auto& extra = markup_of(&root);
    check_attributes(e, {"name", "version", "initial", "datamodel", "binding", "exmode"}, root, extra);
    if (const auto* const a = attribute(e, "exmode")) store_attribute(*a, extra); // from early drafts
    if (value(e, "version") != "1.0")
        warn(code::outside_standard, root, e.at,
             attribute(e, "version") ? fmt::format("the version is {}", in_quotes(value(e, "version"))) : "the document has no version",
             "write version=\"1.0\"");
    if (const auto* const a = attribute(e, "binding")) {
        document_->late_binding = a->value == "late";
        if (a->value != "late" && a->value != "early")
            problem(code::bad_value, a->value_at, fmt::format("binding is {}", in_quotes(a->value)), "write \"early\" or \"late\"");
    }
    read_language(e);
    order_.push_back({doc_, &e, &root, file_});
    read_children(e, root);
    if (made_ == 1 && problems_.empty()) problem(code::no_substates, e.at, "the document has no states", "add at least one <state>");
    extra.inside += take_comments();
    if (made_ > options_.max_states || problems_.full()) return;
    for (std::size_t i = 0; i < order_.size(); ++i) fill(order_[i]);
    add_data_hooks(root);
    check_scripts();
    check_misspelt_events();
}

void reader::read_language(const element& e) {
    const auto* const a = attribute(e, "datamodel");
    document_->datamodel = a ? std::string(a->value) : std::string();
    language_ = a ? document_->datamodel : options_.default_model;
    for (const auto* model : options_.data_models)
        if (model->name() == language_) document_->model = model;
    quotes_ids_ = language_ == "ecmascript";
    restricted_ = !document_->model;
    if (document_->model || language_ == "null" || language_ == "ecmascript") return;
    if (without_blanks(language_).empty())
        return problem(code::bad_value, a ? a->at : e.at, "the data model is empty", "write datamodel=\"null\", or remove it");
    document_->opaque = language_;
    restricted_ = false;
    std::vector<name_uses> names{{language_, 1, false}, {"ecmascript", 2, true}};
    for (const auto* model : options_.data_models) names.push_back({model->name(), 2, true});
    for (const auto& [name, other] : find_misspelt(names))
        warn(code::misspelt_name, *root_, a ? a->value_at : e.at, fmt::format("the data model {} is unknown", in_quotes(names[name].name)),
             fmt::format("did you mean {}?", in_quotes(names[other].name)));
}

void reader::read_children(const element& e, state_base& s) {
    const auto outer = take_comments();
    doc_->each_child(e, [&](const element& child) {
        if (problems_.full()) return;
        if (!read_included(child, e, s)) read_child(child, e, s);
    });
    if (!comments_.empty() && &s != root_) markup_of(&s).inside += take_comments();
}

void reader::read_child(const element& child, const element& e, state_base& s) {
    if (child.kind == xml_kind::comment) return store_comment(child);
    const auto name = child.local();
    const bool ours = is_scxml(child);
    if (ours && is_state_name(name)) {
        if (s.kind() == state_kind::final) return unknown_element(child, e, s);
        if (name == "final" && s.kind() == state_kind::parallel)
            return problem(code::misplaced, child.at, "a <final> is not allowed in a <parallel>", "put it into a region");
        return read_state(child, s);
    }
    if (ours && name == "history") {
        const auto type = value(child, "type");
        if (!type.empty() && type != "shallow" && type != "deep")
            return problem(code::bad_value, attribute(child, "type")->value_at, fmt::format("the type of a <history> is {}", in_quotes(type)),
                           "write \"shallow\" or \"deep\"");
        if (s.kind() != state_kind::machine && s.kind() != state_kind::parallel)
            return problem(code::misplaced, child.at, "a <history> is in a state without child states", "remove it; the state has nothing to record");
        if (&s == root_)
            return problem(code::misplaced, child.at, "a <history> is not allowed in <scxml>",
                           "put it into a state: <scxml> itself is never entered again");
        auto& made = make(state_kind::history, type == "deep" ? history_depth::deep : history_depth::shallow, child, s);
        order_.push_back({doc_, &child, &made, file_});
        return;
    }
    if (ours && is_content_name(name)) {
        comments_.clear(); // fill_state reads them
        return;
    }
    unknown_element(child, e, s);
}

bool reader::has_states(const element& e) const {
    bool found = false;
    doc_->each_child(e, [&](const element& child) {
        found = found || (is_scxml(child) && is_state_name(child.local())) || (child.kind == xml_kind::element && child.uri == xinclude_uri);
    });
    return found;
}

void reader::read_state(const element& e, state_base& above) {
    if (++made_ > options_.max_states) {
        if (made_ == options_.max_states + 1)
            problem(code::too_many_states, e.at, fmt::format("the file has more than {} states", options_.max_states),
                    "split the machine, or raise load_options::max_states; the maximum for a chart is 65534");
        return;
    }
    const bool is_final = e.local() == "final";
    const auto* const src = is_final ? nullptr : attribute(e, "src");
    const auto part = src ? read_src(*src) : included_element();
    const bool composite = !is_final && (has_states(e) || (part.e && has_states_in(part)));
    const bool is_parallel = e.local() == "parallel" && composite;
    auto& made = make(is_final      ? state_kind::final
                      : is_parallel ? state_kind::parallel
                      : composite   ? state_kind::machine
                                    : state_kind::leaf,
                      history_depth::none, e, above);
    if (e.local() == "parallel" && !composite) warn(code::outside_standard, made, e.at, "a <parallel> has no regions", "make it a <state>");
    order_.push_back({doc_, &e, &made, file_});
    read_children(e, made);
    if (!part.e) return;
    const included_here here(*this, part);
    order_.push_back({doc_, part.e, &made, file_});
    read_children(*part.e, made);
}

state_base& reader::make(state_kind kind, history_depth depth, const element& e, state_base& above) {
    auto id = std::string(value(e, "id"));
    if (id.empty()) id = fmt::format("({})", ++nameless_);
    auto made = to_.nodes.make(kind, depth, id);
    auto& s = *made;
    s.set_origin(at(e.at));
    above.adopt(std::move(made));
    if (!comments_.empty()) markup_of(&s).before = take_comments();
    register_id(e, s);
    return s;
}

void reader::register_id(const element& e, state_base& s) {
    const auto* const a = attribute(e, "id");
    if (!a) return;
    if (a->value.size() > options_.max_name)
        return problem(code::long_name, a->value_at, fmt::format("an id has more than {} bytes", options_.max_name),
                       "choose a shorter name, or raise load_options::max_name");
    if (a->value.empty() || a->value.find_first_of(" \t\r\n/") != a->value.npos)
        return problem(code::bad_value, a->value_at, fmt::format("{} is not an id", in_quotes(a->value)), "write an id without spaces and '/'");
    if (!is_xml_name(a->value))
        warn(code::outside_standard, s, a->value_at, fmt::format("the id {} is not an XML name", in_quotes(a->value)),
             "begin the id with a letter or '_', then use letters, digits, '.', '-' and '_'; other programs can reject other ids");
    const auto [known, is_new] = states_.try_emplace(a->value, known_state{&s, at(a->at)});
    if (is_new) return;
    problem(code::duplicate_id, a->value_at,
            fmt::format("the id {} already belongs to the state in line {}", in_quotes(a->value), known->second.where.line), "choose another id");
}

void reader::read_data(const element& e, state_base& s, std::string comments) {
    document::data_of_state made{&s};
    made.extra.before = std::move(comments);
    check_attributes(e, {}, s, made.extra);
    if (document_->late_binding && s.superstate()) s.add_hook(hook_kind::enter, bind_hook(s, owner_));
    const auto read = [&](const element& child) {
        if (!is_scxml(child, "data")) return unknown_element(child, e, s);
        extra_markup extra;
        extra.before = take_comments();
        check_attributes(child, {"id", "src", "expr"}, s, extra);
        store_text_comments(child, extra);
        const auto* const id = required(child, "id");
        if (!id || !one_of(child, {"src", "expr"}) || !needs_model(child.at, "<data>")) return;
        data_element d;
        d.id = std::string(id->value);
        d.at = at(child.at);
        queue_script_check(d.id, at(id->value_at), s, script_form::name);
        if (const auto* const expr = attribute(child, "expr")) d.init = expression_of(*expr, s);
        d.content = doc_->inside(child);
        d.has_content = !d.content.empty();
        for (const auto* const name : {"expr", "src"})
            if (d.has_content && attribute(child, name))
                problem(code::bad_value, child.at, fmt::format("<data> has \"{}\" and content", name), "keep one of them");
        if (const auto [known, is_new] = data_.try_emplace(id->value, at(child.at)); !is_new)
            problem(code::duplicate_id, id->value_at,
                    fmt::format("the id {} already belongs to the <data> in line {}", in_quotes(id->value), known->second.line), "choose another id");
        if (const auto* const src = attribute(child, "src"))
            if (const auto bytes = read_source(*src, "the data")) d.content = std::string(without_blanks(*bytes)), d.has_content = true;
        made.data.push_back(std::move(d));
        made.data_markup.push_back(std::move(extra));
    };
    {
        const inside_of here(*this, made.extra);
        doc_->each_child(e, read);
    }
    if (!made.data.empty() || !made.extra.empty()) document_->data.push_back(std::move(made));
}

} // namespace hsm::detail::scxml
