/// An XML file as a flat list in document order: elements with their namespaces, text and comments.
#pragma once

#include <hsm/load/detail/source_text.hpp>

#include <algorithm>
#include <span>

namespace hsm::detail {

/// The differences between the kinds of files.
struct xml_format {
    bool has_text;              ///< text and comments are content; otherwise text is an error
    std::string_view beginning; ///< for messages: how a file begins
    std::string_view one_root;  ///< the hint for a second root
    std::string_view no_type;   ///< the hint for a document type
};

struct xml_attribute {
    std::string_view name; ///< as written, with its prefix
    std::string_view value;
    std::string_view uri; ///< of its namespace; empty if it has none
    origin at;            ///< of the name
    origin value_at;      ///< of the value

    std::string_view local() const { return name.substr(name.find(':') + 1); }
    bool declares_namespace() const { return name == "xmlns" || name.starts_with("xmlns:"); }
};

enum class xml_kind : std::uint8_t { element, text, comment };

struct xml_element {
    xml_kind kind = xml_kind::element;
    std::string_view name; ///< of an element, as written, with its prefix
    std::string_view uri;  ///< of its namespace
    std::string_view text; ///< of a text or comment
    origin at;
    std::uint32_t first_attribute = 0, attribute_count = 0;
    std::uint32_t first_child = 0; ///< 0: none
    std::uint32_t next = 0;        ///< the next child of the same parent; 0: none

    std::string_view local() const { return name.substr(name.find(':') + 1); }
};

/// Returns whether any XML file may have the attribute. Loading ignores it.
inline bool is_of_xml(std::string_view attribute) {
    return attribute.starts_with("xmlns") || attribute.starts_with("xsi:") || attribute.starts_with("xml:");
}

class xml_document {
public:
    /// Skips elements that are nested too deeply and reports them. Is empty if another limit is exceeded.
    xml_document(std::string bytes, const xml_format& format, const load_options& options, problem_list& problems);
    xml_document(const xml_document&) = delete;
    xml_document& operator=(const xml_document&) = delete;

    bool empty() const { return elements_.empty(); }
    std::span<const xml_element> elements() const { return elements_; }
    std::span<const xml_attribute> attributes() const { return attributes_; }
    const xml_element& root() const { return elements_.front(); }
    const std::string& in_front() const { return in_front_; } ///< comments before the root, one per line, if the format has text
    const std::string& behind() const { return behind_; }     ///< comments after it
    template <class F> void each_child(const xml_element& e, F f) const {
        for (auto i = e.first_child; i; i = elements_[i].next) f(elements_[i]);
    }
    /// Returns the first element with this attribute value, or null.
    const xml_element* find(std::string_view attribute, std::string_view value) const;
    /// Returns null if the element has no attribute with that name.
    const xml_attribute* attribute(const xml_element& e, std::string_view name) const;
    const xml_attribute* begin(const xml_element& e) const { return attributes_.data() + e.first_attribute; }
    const xml_attribute* end(const xml_element& e) const { return begin(e) + e.attribute_count; }

    std::string written(const xml_element& e) const; ///< a part of the document as XML
    /// Returns the content of an element without surrounding blanks: its text, or XML if there is anything else.
    std::string inside(const xml_element& e) const;
    /// The same for a script. Comments are replaced by their line breaks, so that line numbers are correct.
    std::string script_in(const xml_element& e) const;
    origin begin_of_text(const xml_element& e) const; ///< position of the text after blanks; that of the element if there is no text

private:
    friend class xml_flattening;

    bool has_elements_in(const xml_element& e) const;
    void write(const xml_element& e, std::string& to) const;

    source_text source_; ///< names and values are views of it
    std::vector<xml_element> elements_;
    std::vector<xml_attribute> attributes_;
    std::string in_front_, behind_;
};

std::string_view without_blanks(std::string_view text); ///< without blanks at its ends

/// Calls visit(word) for each word of a list that is separated by blanks.
template <class Visit> void each_word(std::string_view text, Visit visit) {
    for (auto rest = without_blanks(text); !rest.empty();) {
        const auto end = std::min(rest.find_first_of(" \t\r\n"), rest.size());
        visit(rest.substr(0, end));
        rest = without_blanks(rest.substr(end));
    }
}

} // namespace hsm::detail
