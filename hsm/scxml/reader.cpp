#include <hsm/scxml/detail/reader.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/scxml/detail/document_store.hpp>
#include <hsm/text/detail/escape.hpp>

#include <algorithm>
#include <filesystem>
#include <system_error>

namespace hsm::detail::scxml {

void reader::read(std::string bytes, state_base& root) {
    const xml_document doc(std::move(bytes), scxml_format, options_, problems_);
    if (doc.empty()) return;
    doc_ = &doc;
    begin_document(root);
    document_->in_front = doc.in_front();
    document_->behind = doc.behind();
    read_root(doc.root(), root);
    if (problems_.empty()) return;
    for (const auto i : of_attributes_) { // they would be lost with the document
        const auto& w = root.note().warnings[i];
        problems_.add(w.code, w.where, w.problem, w.hint);
    }
}

void reader::begin_document(state_base& root) {
    auto made = make_owned<document>();
    document_ = made.get();
    document_->folder = folder_;
    root_ = &root;
    owner_ = {document_, to_.find};
    auto& notes = root.note();
    notes.file = problems_.file();
    notes.document = std::move(made);
    notes.scxml_rules = true;
}

void reader::problem(code c, origin where, std::string what, std::string hint) { problems_.add(c, at(where), std::move(what), std::move(hint)); }

void reader::warn(code c, const state_base& about, origin where, std::string what, std::string hint) {
    auto& list = root_->note().warnings;
    if (list.size() < options_.max_problems)
        list.push_back({c, &about, at(where), std::move(what), std::move(hint)});
    else
        ++root_->note().further_warnings;
}

void reader::warn_of_attribute(code c, const state_base& about, origin where, std::string what, std::string hint) {
    const auto& list = root_->note().warnings;
    if (list.size() < options_.max_problems) of_attributes_.push_back(list.size());
    warn(c, about, where, std::move(what), std::move(hint));
}

bool reader::is_scxml(const element& e) const { return e.kind == xml_kind::element && e.uri == uri_; }

std::string_view reader::value(const element& e, std::string_view name) const {
    const auto* const a = attribute(e, name);
    return a ? a->value : std::string_view();
}

const xml_attribute* reader::required(const element& e, std::string_view name) {
    const auto* const a = attribute(e, name);
    if (a && !without_blanks(a->value).empty()) return a;
    problem(code::missing_attribute, a ? a->at : e.at, fmt::format("<{}> {} \"{}\"", e.local(), a ? "has an empty" : "has no", name),
            fmt::format("write {}=\"...\"", name));
    return nullptr;
}

bool reader::one_of(const element& e, std::initializer_list<std::string_view> names) {
    const xml_attribute* first = nullptr;
    for (const auto name : names) {
        const auto* const a = attribute(e, name);
        if (a && first) {
            problem(code::bad_value, a->at, fmt::format("<{}> has both \"{}\" and \"{}\"", e.local(), first->name, name), "keep one of them");
            return false;
        }
        if (a) first = a;
    }
    return true;
}

void reader::add_prefix(std::string_view name, std::string_view uri) {
    const auto colon = name.find(':');
    if (colon == name.npos || name.starts_with("xml")) return;
    const auto prefix = name.substr(0, colon);
    if (prefixes_.insert(prefix).second) document_->namespaces.emplace_back(prefix, uri);
}

void reader::add_prefixes(const element& e) {
    add_prefix(e.name, e.uri);
    for (const auto* a = doc_->begin(e); a != doc_->end(e); ++a) add_prefix(a->name, a->uri);
    doc_->each_child(e, [&](const element& child) { add_prefixes(child); });
}

/// Few attributes are compared in pairs, many are sorted.
void reader::check_repeated(const element& e) {
    const auto report = [&](const xml_attribute& a) {
        problem(code::repeated_attribute, a.at, fmt::format("{} appears twice", in_quotes(a.name)), "keep one of them");
    };
    const auto* const first = doc_->begin(e);
    const auto* const end = doc_->end(e);
    if (end - first > 50) {
        std::vector<const xml_attribute*> all;
        for (const auto* a = first; a != end; ++a) all.push_back(a);
        std::ranges::stable_sort(all, {}, &xml_attribute::name);
        for (std::size_t i = 1; i < all.size(); ++i)
            if (all[i]->name == all[i - 1]->name) report(*all[i]);
        return;
    }
    for (const auto* a = first; a != end; ++a)
        if (std::find_if(first, a, [&](const auto& b) { return b.name == a->name; }) != a) report(*a);
}

void reader::store_attribute(const xml_attribute& a, extra_markup& to) {
    append_attribute(to.attributes, a.name, a.value);
    document_->has_unknown = true;
    add_prefix(a.name, a.uri);
}

/// For an element without content.
void reader::store_children(const element& e, extra_markup& to) {
    doc_->each_child(e, [&](const element& child) {
        if (child.kind == xml_kind::text && without_blanks(child.text).empty()) return;
        if (child.kind == xml_kind::element) add_prefixes(child);
        to.inside += doc_->written(child);
    });
}

/// For an element with text content. If it contains elements, the comments are part of the content.
void reader::store_text_comments(const element& e, extra_markup& to) {
    std::string comments;
    bool plain = true;
    doc_->each_child(e, [&](const element& child) {
        plain = plain && child.kind != xml_kind::element;
        if (child.kind == xml_kind::comment) comments += doc_->written(child);
    });
    if (plain) to.inside += comments;
}

/// For an element that results in nothing. Stores it as written, unless it consists only of its name.
void reader::store_element(const element& e, const state_base& s, const extra_markup& extra) {
    if (extra.empty()) return;
    auto& inside = markup_of(&s).inside;
    inside += extra.before;
    if (extra.attributes.empty() && extra.inside.empty()) return;
    add_prefixes(e);
    inside += doc_->written(e);
}

/// Stores attributes that are unknown or have another namespace.
void reader::check_attributes(const element& e, std::initializer_list<std::string_view> known, const state_base& about, extra_markup& keep) {
    check_repeated(e);
    for (const auto* a = doc_->begin(e); a != doc_->end(e); ++a) {
        const bool foreign = a->name.find(':') != a->name.npos;
        if (a->declares_namespace() || (!foreign && std::ranges::find(known, a->name) != known.end())) continue;
        store_attribute(*a, keep);
        if (foreign || options_.foreign == foreign_markup::passed_over) continue;
        std::vector<std::string_view> names(known);
        auto hint = suggestion(a->name.substr(0, longest_guessed), names);
        if (options_.foreign == foreign_markup::refused)
            problem(code::unknown_attribute, a->at, fmt::format("<{}> cannot have the attribute {}", e.local(), in_quotes(a->name)), std::move(hint));
        else
            warn_of_attribute(code::unread_markup, about, a->at,
                              fmt::format("<{}> cannot have the attribute {}; hsm ignores it", e.local(), in_quotes(a->name)), std::move(hint));
    }
}

/// Handles an element where the standard does not permit it.
void reader::unknown_element(const element& e, const element& in, const state_base& about) {
    if (e.kind == xml_kind::comment) return store_comment(e);
    if (e.kind == xml_kind::text) {
        if (without_blanks(e.text).empty()) return;
        return problem(code::stray_text, e.at, fmt::format("<{}> contains text: {}", in.local(), in_quotes(without_blanks(e.text))),
                       "write it as a comment: <!-- ... -->");
    }
    if (is_scxml(e)) {
        static constexpr std::string_view structure[] = {"state",  "parallel",  "final",   "history", "initial",  "transition", "onentry",
                                                         "onexit", "datamodel", "data",    "invoke",  "donedata", "param",      "content",
                                                         "raise",  "send",      "log",     "assign",  "script",   "cancel",     "if",
                                                         "elseif", "else",      "foreach", "finalize"};
        const bool known = std::ranges::find(structure, e.local()) != std::end(structure);
        return problem(known ? code::misplaced : code::unknown_element, e.at,
                       fmt::format("<{}> is not allowed in <{}>", e.local().substr(0, 80), in.local()),
                       known ? "the SCXML Recommendation lists the valid parents of each element"
                             : suggestion(e.local().substr(0, longest_guessed), {std::begin(structure), std::end(structure)}));
    }
    if (options_.foreign == foreign_markup::refused)
        problem(code::unknown_element, e.at, fmt::format("<{}> belongs to another namespace", e.name.substr(0, 80)),
                "register it, or set scxml_options::foreign to ignore it");
    add_prefixes(e);
    document_->has_unknown = true;
    (inside_ ? *inside_ : markup_of(&about)).inside += take_comments() + doc_->written(e);
}

std::optional<std::string> reader::read_source(const xml_attribute& src, std::string_view what) {
    const auto refuse = [&](std::string_view why, std::string hint = {}) {
        problem(code::bad_include, src.value_at, fmt::format("{} {} is not read: {}", what, in_quotes(src.value), why), std::move(hint));
        return std::nullopt;
    };
    auto& files = document_->files;
    if (files.size() >= options_.max_includes && !options_.include_folder.empty())
        return refuse(fmt::format("the document includes more than {} files", options_.max_includes), "raise scxml_options::max_includes");
    std::string path, why;
    auto bytes = read_below({options_.include_folder, folder_}, src.value, options_.max_bytes, path, why);
    if (!bytes) return refuse(why, options_.include_folder.empty() ? "set scxml_options::include_folder to a folder that hsm can read" : "");
    files.push_back(std::move(path));
    return bytes;
}

const xml_document* reader::read_document(const xml_attribute& src, std::string_view what, const char*& file) {
    if (include_depth_ >= most_nested)
        return problem(code::bad_include, src.value_at, fmt::format("files include each other more than {} levels deep", most_nested),
                       "check whether a file includes itself"),
               nullptr;
    auto bytes = read_source(src, what);
    if (!bytes) return nullptr;
    file = document_->files.back().c_str();
    problem_list found(document_->files.back(), options_);
    const auto& made = included_.emplace_back(std::move(*bytes), scxml_format, options_, found);
    problems_.add_further(found.further());
    for (auto& p : found.take())
        if (p.code != code::more_problems) problems_.add(p.code, {p.where.line, p.where.column, file}, p.problem, p.hint);
    return made.empty() ? nullptr : &made;
}

/// Reads the src of a state, from early drafts: a document, or after '#' the state in it.
reader::included_element reader::read_src(const xml_attribute& src) {
    included_element part;
    part.doc = read_document(src, "the state's src", part.file);
    if (!part.doc) return {};
    const auto text = without_blanks(src.value);
    const auto hash = text.find('#');
    const auto id = hash == text.npos ? std::string_view() : text.substr(hash + 1);
    part.e = id.empty() ? &part.doc->root() : part.doc->find("id", id);
    if (!part.e) {
        problem(code::bad_include, src.value_at, fmt::format("there is no state {} in {}", in_quotes(id), in_quotes(text.substr(0, hash))),
                "write the id of a state of that file after '#'");
        return {};
    }
    if (!is_scxml(*part.e, id.empty() ? "scxml" : "state")) {
        const origin in_file{part.e->at.line, part.e->at.column, part.file};
        problems_.add(code::bad_include, in_file, fmt::format("<{}> cannot be used as a state", part.e->name.substr(0, 80)),
                      "name an SCXML document, or a <state> in one");
        return {};
    }
    const auto* const model = part.doc->attribute(part.doc->root(), "datamodel");
    if (model && model->value != language_) {
        problems_.add(code::bad_include, {model->value_at.line, model->value_at.column, part.file},
                      fmt::format("it uses the data model {}, but the including document uses {}", in_quotes(model->value), in_quotes(language_)),
                      "use one data model in a machine");
        return {};
    }
    return part;
}

bool reader::has_states_in(const included_element& part) {
    const included_here here(*this, part);
    return has_states(*part.e);
}

/// Reads the children of an included file in place of the element. Returns true if it was an XInclude element.
bool reader::read_included(const element& e, const element& in, state_base& above) {
    if (e.kind != xml_kind::element || e.uri != xinclude_uri || e.local() != "include") return false;
    const auto* const href = required(e, "href");
    if (!href) return true;
    if (value(e, "parse") == "text") return problem(code::bad_include, e.at, "text cannot be included here", {}), true;
    included_element part;
    part.doc = read_document(*href, "the file", part.file);
    if (!part.doc) return true;
    const included_here here(*this, part);
    const auto read = [&](const element& child) {
        if (!read_included(child, in, above)) read_child(child, in, above);
    };
    if (is_scxml(doc_->root(), "scxml"))
        doc_->each_child(doc_->root(), read);
    else
        read(doc_->root());
    return true;
}

namespace {

/// Returns the folder of the document if it is inside the include folder, otherwise an empty text.
std::string folder_of(const std::string& path, const std::string& include_folder) {
    namespace fs = std::filesystem;
    if (include_folder.empty()) return {};
    std::error_code problem, another;
    const auto top = fs::weakly_canonical(include_folder, problem);
    const auto folder = fs::weakly_canonical(path, another).parent_path();
    return problem || another || !is_below(top, folder) ? std::string() : folder.string();
}

} // namespace

std::vector<load_problem> read_file(const std::string& path, const scxml_options& options, const target_of_load& to, state_base& root) {
    return load_file(path, options, [&](std::string bytes, problem_list& problems) {
        reader(options, to, problems, nullptr, folder_of(path, options.include_folder)).read(std::move(bytes), root);
    });
}

std::vector<load_problem> read_text(std::string text, std::string name, const scxml_options& options, const target_of_load& to, state_base& root) {
    return load_text(std::move(text), std::move(name), options,
                     [&](std::string bytes, problem_list& problems) { reader(options, to, problems).read(std::move(bytes), root); });
}

} // namespace hsm::detail::scxml
