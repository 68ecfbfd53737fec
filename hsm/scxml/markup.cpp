#include <hsm/scxml/detail/markup.hpp>

#include <hsm/load/detail/xml_parse.hpp>
#include <hsm/load/detail/xml_text.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/text/detail/escape.hpp>

#include <pugixml.hpp>

#include <algorithm>
#include <iterator>
#include <unordered_map>

namespace hsm::detail::scxml {

/// Converts a parsed document to a flat list, without recursion, because documents can be deeply nested.
class markup_flattening {
public:
    markup_flattening(markup_document& to, std::size_t deepest, problem_list& problems)
        : to_(to), begin_(to.source_.text().data()), deepest_(deepest), problems_(problems) {}

    void run(const pugi::xml_document& document) {
        to_.nodes_.reserve(1024);
        if (!add_root(document)) return;
        std::vector<open_element> open{{0, 0, 0, document.document_element().first_child()}};
        while (!open.empty()) {
            const auto node = open.back().inside;
            if (!node) {
                unbind(open.back().bindings);
                open.pop_back();
                continue;
            }
            open.back().inside = node.next_sibling();
            const auto bindings = bindings_.size();
            const bool is_element = node.type() == pugi::node_element;
            if (is_element && open.size() >= deepest_)
                problems_.add(code::too_deep, at(node.name() - 1), fmt::format("elements are nested deeper than {} levels", deepest_),
                              "if this is intended, raise load_options::max_depth");
            else if (const auto number = child_of(open.back(), node); is_element)
                open.push_back({number, 0, bindings, node.first_child()});
        }
    }

private:
    struct open_element {
        std::uint32_t number;
        std::uint32_t last;    ///< its last child so far
        std::size_t bindings;  ///< number of bindings outside of it
        pugi::xml_node inside; ///< its next child to visit
    };
    struct binding {
        std::string_view prefix, uri;
        std::size_t hidden; ///< the number of the binding that it hides, from 1; 0: none
    };

    origin at(const char* where) { return to_.source_.at_next(static_cast<std::size_t>(where - begin_), line_); }

    bool add_root(const pugi::xml_document& document) {
        for (auto node = document.first_child(); node; node = node.next_sibling()) {
            if (node.type() == pugi::node_doctype)
                problems_.add(code::document_type, {1, 1}, "the file has a document type (<!DOCTYPE ...>), which hsm does not read",
                              "remove it; hsm does not expand entities");
            else if (node.type() == pugi::node_pcdata || node.type() == pugi::node_cdata)
                problems_.add(code::stray_text, at(node.value()), "there is text outside the root element", "remove it, or write it as a comment");
            else if (node.type() == pugi::node_element && !to_.nodes_.empty())
                problems_.add(code::not_xml, at(node.name() - 1), "the file has a second root element", "write one <scxml> in a document");
            else if (node.type() == pugi::node_element)
                add(node);
            else if (node.type() == pugi::node_comment)
                fmt::format_to(std::back_inserter(to_.nodes_.empty() ? to_.in_front_ : to_.behind_), "<!--{}-->\n", node.value());
        }
        return !to_.nodes_.empty();
    }

    std::uint32_t child_of(open_element& parent, const pugi::xml_node& node) {
        const auto number = add(node);
        (parent.last ? to_.nodes_[parent.last].next : to_.nodes_[parent.number].first_child) = number;
        return parent.last = number;
    }

    std::uint32_t add(const pugi::xml_node& node) {
        markup m;
        m.kind = node.type() == pugi::node_element   ? markup_kind::element
                 : node.type() == pugi::node_comment ? markup_kind::comment
                                                     : markup_kind::text;
        if (m.kind != markup_kind::element) {
            m.text = node.value();
            m.at = at(node.value());
        } else {
            m.name = node.name();
            m.at = at(node.name() - 1);
            add_attributes(node, m);
        }
        to_.nodes_.push_back(m);
        return static_cast<std::uint32_t>(to_.nodes_.size() - 1);
    }

    void add_attributes(const pugi::xml_node& node, markup& m) {
        m.first_attribute = static_cast<std::uint32_t>(to_.attributes_.size());
        for (const auto& a : node.attributes()) {
            auto& made = to_.attributes_.emplace_back();
            made.name = a.name();
            made.value = a.value();
            made.at = at(a.name());
            made.value_at = *a.value() ? at(a.value()) : made.at;
            if (made.declares_namespace()) bind(made.name.size() > 5 ? made.name.substr(6) : std::string_view(), made.value);
        }
        m.attribute_count = static_cast<std::uint32_t>(to_.attributes_.size()) - m.first_attribute;
        m.uri = uri_of(m.name);
        for (auto i = m.first_attribute; i < to_.attributes_.size(); ++i)
            if (auto& a = to_.attributes_[i]; a.name.find(':') != a.name.npos) a.uri = uri_of(a.name);
    }

    std::size_t& latest(std::string_view prefix) { return prefix.empty() ? latest_default_ : latest_[prefix]; }
    void bind(std::string_view prefix, std::string_view uri) {
        auto& number = latest(prefix);
        bindings_.push_back({prefix, uri, number});
        number = bindings_.size();
    }
    void unbind(std::size_t left) {
        for (; bindings_.size() > left; bindings_.pop_back()) latest(bindings_.back().prefix) = bindings_.back().hidden;
    }

    /// An unbound prefix is used as its own URI.
    std::string_view uri_of(std::string_view name) const {
        const auto colon = name.find(':');
        const auto prefix = colon == name.npos ? std::string_view() : name.substr(0, colon);
        if (prefix == "xml" || prefix == "xmlns") return "http://www.w3.org/XML/1998/namespace";
        const auto found = prefix.empty() ? latest_.end() : latest_.find(prefix);
        const auto number = prefix.empty() ? latest_default_ : found == latest_.end() ? 0 : found->second;
        return number ? bindings_[number - 1].uri : prefix;
    }

    markup_document& to_;
    const char* begin_;
    std::size_t line_ = 0; ///< the current line of at()
    std::size_t deepest_;
    problem_list& problems_;
    std::vector<binding> bindings_;                            ///< the innermost last
    std::unordered_map<std::string_view, std::size_t> latest_; ///< by prefix: the number of the innermost binding
    std::size_t latest_default_ = 0;
};

markup_document::markup_document(std::string bytes, const load_options& options, problem_list& problems) : source_(std::move(bytes), problems) {
    pugi::xml_document document;
    if (problems.empty()) check_text_references(source_, problems);
    if (!problems.empty() ||
        !parse_xml(source_, options, pugi::parse_comments, "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\">", problems, document))
        return;
    markup_flattening(*this, options.max_depth, problems).run(document);
}

const markup_attribute* markup_document::attribute(const markup& e, std::string_view name) const {
    const auto* const found = std::find_if(begin(e), end(e), [&](const markup_attribute& a) { return a.name == name; });
    return found == end(e) ? nullptr : found;
}

const markup* markup_document::find(std::string_view name, std::string_view value) const {
    for (const auto& e : nodes_)
        if (const auto* const a = e.kind == markup_kind::element ? attribute(e, name) : nullptr; a && a->value == value) return &e;
    return nullptr;
}

std::string markup_document::written(const markup& e) const {
    std::string text;
    write(e, text);
    return text;
}

std::string markup_document::inside(const markup& e) const {
    std::string text;
    bool plain = true;
    each_child(e, [&](const markup& child) { plain = plain && child.kind != markup_kind::element; });
    each_child(e, [&](const markup& child) {
        if (!plain)
            write(child, text);
        else if (child.kind == markup_kind::text)
            text += child.text;
    });
    return std::string(without_blanks(text));
}

std::string markup_document::script_in(const markup& e) const {
    std::string text;
    bool plain = true;
    each_child(e, [&](const markup& child) {
        plain = plain && child.kind != markup_kind::element;
        if (child.kind == markup_kind::text) text += child.text;
        if (child.kind == markup_kind::comment) text.append(static_cast<std::size_t>(std::ranges::count(child.text, '\n')), '\n');
    });
    return plain ? std::string(without_blanks(text)) : inside(e);
}

origin markup_document::begin_of_text(const markup& e) const {
    for (auto i = e.first_child; i; i = nodes_[i].next) {
        const auto& child = nodes_[i];
        const auto blanks = child.text.find_first_not_of(" \t\r\n");
        if (child.kind != markup_kind::text || blanks == child.text.npos) continue;
        auto begin = child.at;
        for (const char c : child.text.substr(0, blanks)) {
            begin.column = c == '\n' ? 1 : begin.column + 1;
            begin.line += c == '\n';
        }
        return begin;
    }
    return e.at;
}

void markup_document::write(const markup& e, std::string& to) const {
    if (e.kind == markup_kind::text) return append_xml(to, e.text, xml_place::content);
    if (e.kind == markup_kind::comment) return fmt::format_to(std::back_inserter(to), "<!--{}-->", e.text), void();
    fmt::format_to(std::back_inserter(to), "<{}", e.name);
    for (const auto* a = begin(e); a != end(e); ++a) {
        fmt::format_to(std::back_inserter(to), " {}=\"", a->name);
        append_xml(to, a->value, xml_place::attribute);
        to += '"';
    }
    if (!e.first_child) return to += "/>", void();
    to += '>';
    each_child(e, [&](const markup& child) { write(child, to); });
    fmt::format_to(std::back_inserter(to), "</{}>", e.name);
}

std::string_view without_blanks(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

} // namespace hsm::detail::scxml
