/// A complete XML document: elements with their namespaces, text, comments. A flat list in document order.
#pragma once

#include <hsm/load/detail/source_text.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace hsm::detail::scxml {

inline constexpr std::string_view scxml_uri = "http://www.w3.org/2005/07/scxml";
/// The namespace of elements for registered behavior, as save_scxml writes them.
inline constexpr std::string_view behavior_uri = "urn:hsm:behaviour";
inline constexpr std::string_view xinclude_uri = "http://www.w3.org/2001/XInclude";

struct markup_attribute {
    std::string_view name; ///< as written, with its prefix
    std::string_view uri;  ///< of its namespace; empty if it has none
    std::string_view value;
    origin at; ///< position of the name
    origin value_at;

    std::string_view local() const { return name.substr(name.find(':') + 1); }
    bool declares_namespace() const { return name == "xmlns" || name.starts_with("xmlns:"); }
};

enum class markup_kind : std::uint8_t { element, text, comment };

struct markup {
    markup_kind kind = markup_kind::element;
    std::string_view name; ///< of an element, as written, with its prefix
    std::string_view uri;  ///< of its namespace
    std::string_view text; ///< of a text or comment
    origin at;
    std::uint32_t first_attribute = 0, attribute_count = 0;
    std::uint32_t first_child = 0; ///< 0: none
    std::uint32_t next = 0;        ///< the next sibling; 0: none

    std::string_view local() const { return name.substr(name.find(':') + 1); }
};

class markup_document {
public:
    /// Elements that are nested too deeply are left out, with a problem. If another limit is exceeded, the document is empty.
    markup_document(std::string bytes, const load_options& options, problem_list& problems);
    markup_document(const markup_document&) = delete;
    markup_document& operator=(const markup_document&) = delete;

    bool empty() const { return nodes_.empty(); }
    const markup& root() const { return nodes_.front(); }
    const std::string& in_front() const { return in_front_; } ///< comments before the root, one per line
    const std::string& behind() const { return behind_; }     ///< comments after it
    template <class F> void each_child(const markup& e, F f) const {
        for (auto i = e.first_child; i; i = nodes_[i].next) f(nodes_[i]);
    }
    /// Returns the first element inside with this attribute value, or null.
    const markup* find(std::string_view attribute, std::string_view value) const;
    /// Returns an attribute without namespace, or null.
    const markup_attribute* attribute(const markup& e, std::string_view name) const;
    const markup_attribute* begin(const markup& e) const { return attributes_.data() + e.first_attribute; }
    const markup_attribute* end(const markup& e) const { return begin(e) + e.attribute_count; }

    std::string written(const markup& e) const; ///< a part of the document as XML
    /// Returns the content of an element without surrounding blanks: its text, or XML if there is anything else.
    std::string inside(const markup& e) const;
    /// The same for a script. Comments are replaced by their line breaks, so that line numbers are correct.
    std::string script_in(const markup& e) const;
    origin begin_of_text(const markup& e) const; ///< position of the text after blanks; that of the element if there is no text

private:
    friend class markup_flattening;

    void write(const markup& e, std::string& to) const;

    source_text source_; ///< names and values refer to it
    std::vector<markup> nodes_;
    std::vector<markup_attribute> attributes_;
    std::string in_front_, behind_;
};

std::string_view without_blanks(std::string_view text); ///< without blanks at its ends

} // namespace hsm::detail::scxml
