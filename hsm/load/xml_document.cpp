#include <hsm/load/detail/xml_document.hpp>
#include <hsm/load/detail/xml_parse.hpp>
#include <hsm/op/detail/format.hpp>

#include <pugixml.hpp>

#include <algorithm>
#include <cstring>

namespace hsm::detail {

namespace {

/// Returns whether the attribute contains a list of names.
bool is_list(std::string_view attribute) {
    for (const std::string_view word : {"enter", "update", "exit", "local", "hold_until", "action"})
        if (attribute == word) return true;
    return false;
}

/// Returns the length of the longest name in a list or in a path.
std::size_t longest_name(const xml_attribute& a) {
    const auto between = is_list(a.name) ? " \t\r\n" : "/";
    std::size_t longest = 0;
    for (std::size_t begin = 0; begin <= a.value.size();) {
        const auto end = std::min(a.value.find_first_of(between, begin), a.value.size());
        longest = std::max(longest, end - begin);
        begin = end + 1;
    }
    return longest;
}

} // namespace

/// Converts the parsed document to the flat list. Not recursive, because a file can be nested to any depth.
class xml_flattening {
public:
    xml_flattening(xml_document& to, std::size_t deepest, problem_list& problems)
        : to_(to), begin_(to.source_.text().data()), deepest_(deepest), problems_(problems) {}

    void run(const pugi::xml_document& document) {
        reserve(document);
        for (auto node = document.first_child(); node; node = node.next_sibling()) top(node);
        if (to_.elements_.empty()) return;
        std::vector<open_element> open{{0, 0, document.document_element().first_child()}};
        while (!open.empty()) {
            const auto node = open.back().inside;
            if (!node) {
                open.pop_back();
                continue;
            }
            open.back().inside = node.next_sibling();
            if (node.type() != pugi::node_element)
                stray(node);
            else if (open.size() >= deepest_)
                too_deep(node);
            else
                open.push_back({child_of(open.back(), node), 0, node.first_child()});
        }
    }

private:
    /// Reserves the lists exactly: a growing list takes three times its memory.
    void reserve(const pugi::xml_document& document) {
        struct counter : pugi::xml_tree_walker {
            std::size_t elements = 0, attributes = 0;
            bool for_each(pugi::xml_node& node) override {
                elements += node.type() == pugi::node_element;
                for (auto a = node.first_attribute(); a; a = a.next_attribute()) ++attributes;
                return true;
            }
        } counted;
        for (auto node = document.first_child(); node; node = node.next_sibling()) {
            counted.for_each(node);
            node.traverse(counted);
        }
        to_.elements_.reserve(counted.elements);
        to_.attributes_.reserve(counted.attributes);
    }

    struct open_element {
        std::uint32_t number;
        std::uint32_t last;    ///< its last child so far
        pugi::xml_node inside; ///< the next node in it
    };

    origin at(const char* where) const { return to_.source_.at(static_cast<std::size_t>(where - begin_)); }

    std::uint32_t child_of(open_element& parent, const pugi::xml_node& node) {
        const auto number = add(node);
        (parent.last ? to_.elements_[parent.last].next : to_.elements_[parent.number].first_child) = number;
        return parent.last = number;
    }

    void top(const pugi::xml_node& node) {
        if (node.type() == pugi::node_doctype) {
            problems_.add(code::document_type, {1, 1}, "the file has a document type (<!DOCTYPE ...>), which hsm does not read",
                          "remove it; hsm does not expand entities, and docs/hsm.xsd describes the format");
        } else if (node.type() != pugi::node_element) {
            stray(node);
        } else if (!to_.elements_.empty()) {
            problems_.add(code::not_xml, at(node.name() - 1), "the file has a second root element",
                          "write one machine in each file, in one <Project>");
        } else {
            add(node);
        }
    }

    void too_deep(const pugi::xml_node& node) {
        problems_.add(code::too_deep, at(node.name() - 1), fmt::format("elements are nested deeper than {} levels", deepest_),
                      "if this is intended, raise load_options::max_depth");
    }

    void stray(const pugi::xml_node& node) {
        const char* text = node.value();
        text += std::strspn(text, " \t\r\n");
        problems_.add(code::stray_text, at(text),
                      fmt::format("there is text between the elements: {}", in_quotes({text, std::strcspn(text, "\r\n")})),
                      "write it as a comment: <!-- ... -->");
    }

    std::uint32_t add(const pugi::xml_node& node) {
        xml_element e;
        e.name = node.name();
        e.at = at(node.name() - 1);
        e.first_attribute = static_cast<std::uint32_t>(to_.attributes_.size());
        for (const auto& a : node.attributes()) to_.attributes_.push_back({a.name(), a.value(), at(a.name()), at(*a.value() ? a.value() : a.name())});
        e.attribute_count = static_cast<std::uint32_t>(to_.attributes_.size()) - e.first_attribute;
        to_.elements_.push_back(e);
        return static_cast<std::uint32_t>(to_.elements_.size() - 1);
    }

    xml_document& to_;
    const char* begin_;
    std::size_t deepest_;
    problem_list& problems_;
};

xml_document::xml_document(std::string bytes, const load_options& options, problem_list& problems) : source_(std::move(bytes), problems) {
    pugi::xml_document document;
    if (!problems.empty() || !parse_xml(source_, options, 0, "<Project name=\"...\">", problems, document)) return;
    xml_flattening(*this, options.max_depth, problems).run(document);
    document.reset();
    if (!fits(options, problems)) elements_.clear();
}

/// Returns false if there are too many states. Other exceeded limits leave the rest readable.
bool xml_document::fits(const load_options& options, problem_list& problems) const {
    for (const auto& a : attributes_)
        if (a.value.size() > options.max_name && !is_of_xml(a.name) && longest_name(a) > options.max_name)
            problems.add(code::long_name, a.value_at, fmt::format("a name in {} has more than {} bytes", in_quotes(a.name), options.max_name),
                         "choose a shorter name, or raise load_options::max_name");
    std::size_t states = 1; // the root
    for (const auto& e : elements_) {
        if (e.name != "state" || ++states <= options.max_states) continue;
        problems.add(code::too_many_states, e.at, fmt::format("the file has more than {} states", options.max_states),
                     "split the machine, or raise load_options::max_states; the maximum for a chart is 65534");
        return false;
    }
    return true;
}

const xml_attribute* xml_document::attribute(const xml_element& e, std::string_view name) const {
    const auto* const found = std::find_if(begin(e), end(e), [&](const xml_attribute& a) { return a.name == name; });
    return found == end(e) ? nullptr : found;
}

} // namespace hsm::detail
