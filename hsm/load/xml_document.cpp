#include <hsm/load/detail/xml_document.hpp>

#include <hsm/load/detail/xml_text.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/text/detail/ascii.hpp>

#include <pugixml.hpp>

#include <algorithm>
#include <cstring>
#include <iterator>
#include <new>
#include <unordered_map>

namespace hsm::detail {

/// Converts the parsed document to the flat list. Not recursive, because a file can be nested to any depth.
class xml_flattening {
public:
    xml_flattening(xml_document& to, const xml_format& format, std::size_t deepest, problem_list& problems)
        : to_(to), format_(format), begin_(to.source_.text().data()), deepest_(deepest), problems_(problems) {}

    void run(const pugi::xml_document& document) {
        reserve(document);
        for (auto node = document.first_child(); node; node = node.next_sibling()) top(node);
        if (to_.elements_.empty()) return;
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
                too_deep(node);
            else if (!is_element && !format_.has_text)
                stray(node);
            else if (const auto number = child_of(open.back(), node); is_element)
                open.push_back({number, 0, bindings, node.first_child()});
        }
    }

private:
    /// Reserves the lists exactly: a growing list takes three times its memory.
    void reserve(const pugi::xml_document& document) {
        struct counter : pugi::xml_tree_walker {
            std::size_t nodes = 0, attributes = 0;
            bool for_each(pugi::xml_node& node) override {
                ++nodes;
                for (auto a = node.first_attribute(); a; a = a.next_attribute()) ++attributes;
                return true;
            }
        } counted;
        for (auto node = document.first_child(); node; node = node.next_sibling()) {
            counted.for_each(node);
            node.traverse(counted);
        }
        to_.elements_.reserve(counted.nodes);
        to_.attributes_.reserve(counted.attributes);
    }

    struct open_element {
        std::uint32_t number;
        std::uint32_t last;    ///< its last child so far
        std::size_t bindings;  ///< number of bindings outside of it
        pugi::xml_node inside; ///< the next node in it
    };
    struct binding {
        std::string_view prefix, uri;
        std::size_t hidden; ///< the number of the binding that it hides, from 1; 0: none
    };

    /// Documents are read forwards, so the line is near the previous one.
    origin at(const char* where) { return to_.source_.at_next(static_cast<std::size_t>(where - begin_), line_); }

    void top(const pugi::xml_node& node) {
        if (node.type() == pugi::node_doctype)
            problems_.add(code::document_type, {1, 1}, "the file has a document type (<!DOCTYPE ...>), which hsm does not read",
                          std::string(format_.no_type));
        else if (node.type() == pugi::node_comment)
            append_format(to_.empty() ? to_.in_front_ : to_.behind_, "<!--{}-->\n", node.value());
        else if (node.type() != pugi::node_element)
            stray(node);
        else if (!to_.empty())
            problems_.add(code::not_xml, at(node.name() - 1), "the file has a second root element", std::string(format_.one_root));
        else
            add(node);
    }

    void too_deep(const pugi::xml_node& node) {
        problems_.add(code::too_deep, at(node.name() - 1), fmt::format("elements are nested deeper than {} levels", deepest_),
                      "if this is intended, raise load_options::max_depth");
    }

    void stray(const pugi::xml_node& node) {
        const char* text = node.value();
        text += std::strspn(text, " \t\r\n");
        problems_.add(code::stray_text, at(text),
                      fmt::format("there is text {}: {}", format_.has_text ? "outside the root element" : "between the elements",
                                  in_quotes({text, std::strcspn(text, "\r\n")})),
                      "write it as a comment: <!-- ... -->");
    }

    std::uint32_t child_of(open_element& parent, const pugi::xml_node& node) {
        const auto number = add(node);
        (parent.last ? to_.elements_[parent.last].next : to_.elements_[parent.number].first_child) = number;
        return parent.last = number;
    }

    std::uint32_t add(const pugi::xml_node& node) {
        xml_element e;
        if (node.type() == pugi::node_element) {
            e.name = node.name();
            e.at = at(node.name() - 1);
            add_attributes(node, e);
        } else {
            e.kind = node.type() == pugi::node_comment ? xml_kind::comment : xml_kind::text;
            e.text = node.value();
            e.at = at(node.value());
        }
        to_.elements_.push_back(e);
        return static_cast<std::uint32_t>(to_.elements_.size() - 1);
    }

    void add_attributes(const pugi::xml_node& node, xml_element& e) {
        auto& all = to_.attributes_;
        e.first_attribute = static_cast<std::uint32_t>(all.size());
        for (const auto& a : node.attributes()) {
            auto& made = all.emplace_back();
            made.name = a.name();
            made.value = a.value();
            made.at = at(a.name());
            made.value_at = *a.value() ? at(a.value()) : made.at;
            if (made.declares_namespace()) bind(made.name.size() > 5 ? made.name.substr(6) : std::string_view(), made.value);
        }
        e.attribute_count = static_cast<std::uint32_t>(all.size()) - e.first_attribute;
        e.uri = uri_of(e.name);
        for (auto i = e.first_attribute; i < all.size(); ++i)
            if (all[i].name.find(':') != std::string_view::npos) all[i].uri = uri_of(all[i].name);
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

    xml_document& to_;
    const xml_format& format_;
    const char* begin_;
    std::size_t line_ = 0; ///< the current line of at()
    std::size_t deepest_;
    problem_list& problems_;
    std::vector<binding> bindings_;                            ///< the innermost last
    std::unordered_map<std::string_view, std::size_t> latest_; ///< by prefix: the number of the innermost binding
    std::size_t latest_default_ = 0;
};

namespace {

/// As a fragment, so that text before and after the root is an error.
constexpr unsigned parse_options = pugi::parse_default | pugi::parse_doctype | pugi::parse_fragment;

/// Counts parts before they are created, because each takes many times the memory of its text.
bool has_too_many_parts(std::string_view text, const load_options& options, problem_list& problems) {
    if (text.size() <= options.max_parts) return false; // each part has at least one character
    std::size_t parts = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool opens = text[i] == '<' && i + 1 < text.size() && text[i + 1] != '/' && text[i + 1] != '!' && text[i + 1] != '?';
        parts += opens || text[i] == '=';
    }
    if (parts <= options.max_parts) return false;
    problems.add(code::too_many_parts, {}, fmt::format("the file has more than {} elements and attributes", options.max_parts),
                 "split the machine, or raise load_options::max_parts");
    return true;
}

void report_parser(const pugi::xml_parse_result& parsed, const pugi::xml_document& document, const source_text& source, std::size_t size,
                   problem_list& problems) {
    const auto where = std::min(static_cast<std::size_t>(std::max<std::ptrdiff_t>(parsed.offset, 0)), size);
    std::string what = parsed.description();
    if (!what.empty()) what.front() = ascii_lower(what.front());
    auto last = document.last_child();
    while (last.last_child().type() == pugi::node_element) last = last.last_child();
    if (last.type() == pugi::node_element) what += fmt::format(", in or after <{}>", std::string_view(last.name()).substr(0, 80));
    problems.add(code::not_xml, source.at(where), fmt::format("this is not XML: {}", what),
                 "this is where the parser stopped; the error can be before this position");
}

/// Parses in place: names and values of the document are in the source's text. Returns false and adds a problem if the text has too many parts, is
/// not XML or is empty. The caller must check for a document type.
bool parse_xml(source_text& source, const load_options& options, const xml_format& format, problem_list& problems, pugi::xml_document& document) {
    auto& text = source.text();
    if (format.has_text) check_text_references(source, problems);
    if (!problems.empty() || has_too_many_parts(text, options, problems)) return false;
    check_tags(source, problems);
    if (problems.empty()) check_references(source, problems);
    if (!problems.empty()) return false;
    const auto size = text.size();
    // include the terminating zero: otherwise the last character is lost if it is not a '>'
    const auto parsed =
        document.load_buffer_inplace(text.data(), size + 1, parse_options | (format.has_text ? pugi::parse_comments : 0), pugi::encoding_utf8);
    if (parsed.status == pugi::status_out_of_memory) throw std::bad_alloc();
    if (!parsed) return report_parser(parsed, document, source, size, problems), false;
    if (!document.document_element()) {
        problems.add(code::not_xml, {1, 1}, size == 0 ? "the file is empty" : "this is not XML: there is no element",
                     fmt::format("begin the file with {}", format.beginning));
        return false;
    }
    return true;
}

} // namespace

xml_document::xml_document(std::string bytes, const xml_format& format, const load_options& options, problem_list& problems)
    : source_(std::move(bytes), problems) {
    pugi::xml_document document;
    if (problems.empty() && parse_xml(source_, options, format, problems, document))
        xml_flattening(*this, format, options.max_depth, problems).run(document);
}

const xml_attribute* xml_document::attribute(const xml_element& e, std::string_view name) const {
    const auto* const found = std::find_if(begin(e), end(e), [&](const xml_attribute& a) { return a.name == name; });
    return found == end(e) ? nullptr : found;
}

const xml_element* xml_document::find(std::string_view name, std::string_view value) const {
    for (const auto& e : elements_)
        if (const auto* const a = attribute(e, name); a && a->value == value) return &e;
    return nullptr;
}

} // namespace hsm::detail
