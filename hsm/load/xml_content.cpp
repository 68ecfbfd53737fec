// Parts of a document as text.

#include <hsm/load/detail/xml_document.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/text/detail/escape.hpp>

#include <algorithm>
#include <iterator>

namespace hsm::detail {

std::string xml_document::written(const xml_element& e) const {
    std::string text;
    write(e, text);
    return text;
}

bool xml_document::has_elements_in(const xml_element& e) const {
    bool found = false;
    each_child(e, [&](const xml_element& child) { found = found || child.kind == xml_kind::element; });
    return found;
}

std::string xml_document::inside(const xml_element& e) const {
    std::string text;
    const bool plain = !has_elements_in(e);
    each_child(e, [&](const xml_element& child) {
        if (!plain)
            write(child, text);
        else if (child.kind == xml_kind::text)
            text += child.text;
    });
    return std::string(without_blanks(text));
}

std::string xml_document::script_in(const xml_element& e) const {
    if (has_elements_in(e)) return inside(e);
    std::string text;
    each_child(e, [&](const xml_element& child) {
        if (child.kind == xml_kind::text) text += child.text;
        if (child.kind == xml_kind::comment) text.append(static_cast<std::size_t>(std::ranges::count(child.text, '\n')), '\n');
    });
    return std::string(without_blanks(text));
}

origin xml_document::begin_of_text(const xml_element& e) const {
    for (auto i = e.first_child; i; i = elements_[i].next) {
        const auto& child = elements_[i];
        const auto blanks = child.text.find_first_not_of(" \t\r\n");
        if (child.kind != xml_kind::text || blanks == child.text.npos) continue;
        auto begin = child.at;
        for (const char c : child.text.substr(0, blanks)) {
            begin.column = c == '\n' ? 1 : begin.column + 1;
            begin.line += c == '\n';
        }
        return begin;
    }
    return e.at;
}

void xml_document::write(const xml_element& e, std::string& to) const {
    if (e.kind == xml_kind::text) return append_xml(to, e.text, xml_place::content);
    if (e.kind == xml_kind::comment) return append_format(to, "<!--{}-->", e.text);
    append_format(to, "<{}", e.name);
    for (const auto* a = begin(e); a != end(e); ++a) append_attribute(to, a->name, a->value);
    if (!e.first_child) return to += "/>", void();
    to += '>';
    each_child(e, [&](const xml_element& child) { write(child, to); });
    append_format(to, "</{}>", e.name);
}

std::string_view without_blanks(std::string_view text) {
    const auto first = text.find_first_not_of(" \t\r\n");
    if (first == text.npos) return {};
    return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

} // namespace hsm::detail
