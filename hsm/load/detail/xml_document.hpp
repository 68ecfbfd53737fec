/// An XML file as a flat list of elements with their positions.
#pragma once

#include <hsm/load/detail/source_text.hpp>

namespace hsm::detail {

struct xml_attribute {
    std::string_view name, value;
    origin at;       ///< of the name
    origin value_at; ///< of the value
};

struct xml_element {
    std::string_view name;
    origin at;
    std::uint32_t first_attribute = 0, attribute_count = 0;
    std::uint32_t first_child = 0; ///< 0: none
    std::uint32_t next = 0;        ///< the next child of the same parent; 0: none
};

/// Returns whether any XML file may have the attribute. Loading ignores it.
inline bool is_of_xml(std::string_view attribute) {
    return attribute.starts_with("xmlns") || attribute.starts_with("xsi:") || attribute.starts_with("xml:");
}

class xml_document {
public:
    /// Skips elements that are nested too deeply and reports them. Is empty if another limit is exceeded.
    xml_document(std::string bytes, const load_options& options, problem_list& problems);

    bool empty() const { return elements_.empty(); }
    const xml_element& root() const { return elements_.front(); }
    const xml_element* first_child(const xml_element& e) const { return e.first_child ? &elements_[e.first_child] : nullptr; }
    const xml_element* next(const xml_element& e) const { return e.next ? &elements_[e.next] : nullptr; }
    template <class F> void each_child(const xml_element& e, F f) const {
        for (const auto* c = first_child(e); c; c = next(*c)) f(*c);
    }
    /// Returns null if the element has no attribute with that name.
    const xml_attribute* attribute(const xml_element& e, std::string_view name) const;
    const xml_attribute* begin(const xml_element& e) const { return attributes_.data() + e.first_attribute; }
    const xml_attribute* end(const xml_element& e) const { return begin(e) + e.attribute_count; }

private:
    friend class xml_flattening;

    bool fits(const load_options& options, problem_list& problems) const;

    source_text source_; ///< names and values are views of it
    std::vector<xml_element> elements_;
    std::vector<xml_attribute> attributes_;
};

} // namespace hsm::detail
