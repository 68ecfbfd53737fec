#include <hsm/scxml/detail/writer.hpp>

#include <hsm/define/detail/lookup.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/scxml/detail/run_content.hpp>
#include <hsm/scxml/scxml.hpp>
#include <hsm/text/detail/ascii.hpp>
#include <hsm/text/detail/escape.hpp>

#include <algorithm>

namespace hsm::detail::scxml {

writer::writer(const state_base& root, problem_list& losses) : xml_output(losses), root_(root), document_(document_of(root)) {
    if (!document_) return;
    for (const auto& list : document_->data) data_[list.state].push_back(&list);
    for (const auto& one : document_->invocations) invocations_[one.state].push_back(&one);
}

void writer::begin(std::string_view element, const extra_markup& markup) {
    if (!markup.before.empty()) line(markup.before);
    begin(element, markup.attributes);
}

void writer::end(const extra_markup& markup) {
    if (!markup.inside.empty()) line(markup.inside);
    end();
}

void writer::lost(const state_base& s, origin where, std::string what, std::string hint) {
    problems_.add(code::inexpressible, where ? where : s.origin(), fmt::format("{}: {}", in_quotes(s.path()), what), std::move(hint));
}

const extra_markup& writer::extra(const void* part, std::string_view element) const {
    static const extra_markup none;
    if (!document_) return none;
    const auto found = document_->markup.find({part, element});
    return found == document_->markup.end() ? none : found->second;
}

namespace {

std::string id_from(std::string_view text) {
    std::string id;
    for (const char c : text) {
        const bool fits = is_of_word(c) || c == '_' || c == '-' || c == '.' || c == ':';
        id += fits ? c : c == '/' ? '.' : '_';
    }
    if (id.empty() || is_ascii_digit(id.front())) id.insert(0, "s");
    return id;
}

} // namespace

/// Makes ids unique in the document; names are only unique among siblings. A loaded document keeps its ids.
void writer::name_all(const state_base& s, std::set<std::string>& taken) {
    if (&s != &root_) {
        const std::string name(s.name());
        auto id = document_ ? name : id_from(name);
        if (!document_ && !taken.insert(id).second) {
            id = id_from(s.path());
            while (!taken.insert(id).second) id += '_';
        }
        if (document_) taken.insert(id);
        ids_[&s] = std::move(id);
    }
    for (const auto& sub : s.substates()) name_all(*sub, taken);
}

std::string writer::ids_of(const transition_spec& t, const state_base& from) {
    std::string text;
    const auto add = [&](const target_spec& target) {
        const auto found = look_up(from, target);
        if (!found.found || !ids_.contains(found.found))
            return lost(from, t.origin, fmt::format("it leads to {}, which has no id", in_quotes(target.written())));
        text += (text.empty() ? "" : " ") + ids_.at(found.found);
    };
    if (t.has_target) add(t.target);
    for (const auto& more : t.more_targets) add(more);
    return text;
}

void writer::find_names() {
    std::set<std::string> taken;
    name_all(root_, taken);
    std::vector<const state_base*> all{&root_};
    for (std::size_t i = 0; i < all.size(); ++i) {
        int number = 0;
        for (const auto& t : all[i]->transitions()) {
            if (t->after && !t->after.find() && !t->event && !t->on_finished && !t->every && t->has_target)
                timers_[t.get()] = fmt::format("after.{}.{}", all[i] == &root_ ? "all" : ids_.at(all[i]), ++number);
            asks_ = asks_ || t->excluded.size() > 0 || t->joined.size() > 1;
        }
        for (const auto& sub : all[i]->substates()) all.push_back(sub.get());
    }
}

std::string writer::run() {
    find_names();
    std::string head = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
    open_.push_back({"scxml", {}}); // the start tag is written at the end, when its namespaces are known
    write_data(root_);
    if (document_)
        for (std::size_t i = 0; i < document_->scripts.size(); ++i) {
            const auto& markup = document_->script_markup[i];
            begin("script", markup);
            raw(xml_text(document_->scripts[i].text, xml_place::content));
            end(markup);
        }
    write_inside(root_);
    if (const auto& inside = extra(&root_).inside; !inside.empty()) line(inside);
    auto body = std::exchange(out_, {});
    open_.clear();
    begin("scxml", extra(&root_).attributes);
    attribute("xmlns", scxml_uri);
    if (document_) {
        auto prefixes = document_->namespaces; // sorted, because the order in which they were found depends on the content
        std::ranges::sort(prefixes);
        for (const auto& [prefix, uri] : prefixes) attribute("xmlns:" + prefix, uri);
    }
    if (calls_) attribute("xmlns:hsm", behavior_uri);
    attribute("version", "1.0");
    some("name", document_ ? std::string_view(document_->name) : root_.name());
    if (document_ && document_->datamodel.empty() && document_->model)
        attribute("datamodel", document_->model->name()); // the document did not specify it
    else if (document_)
        some("datamodel", document_->datamodel);
    else
        attribute("datamodel", asks_ ? "ecmascript" : "null");
    if (document_ && document_->late_binding) attribute("binding", "late");
    if (root_.initials().size() == 1) attribute("initial", ids_of(*root_.initials().front(), root_));
    opened();
    out_ += body;
    end();
    return document_ ? head + document_->in_front + out_ + document_->behind : head + out_;
}

} // namespace hsm::detail::scxml

namespace hsm {

saved_scxml try_save_scxml(const state_base& root) {
    detail::problem_list losses(root.notes() ? root.notes()->file : std::string());
    saved_scxml saved;
    saved.text = detail::scxml::writer(root, losses).run();
    saved.losses = losses.take();
    return saved;
}

std::string save_scxml(const state_base& root) {
    auto saved = try_save_scxml(root);
    if (!saved.losses.empty()) detail::throw_problems(std::move(saved.losses));
    return std::move(saved.text);
}

} // namespace hsm
