// What can be said of a text before it is parsed: the parser says where it gave up, and not what is missing.

#include <hsm/load/detail/xml_text.hpp>

#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <system_error>
#include <vector>

namespace hsm::detail {

namespace {

/// visit(tag, where it begins), until that says no, for each tag from '<' to '>'. Not for what the parser passes over. False if the text ends
/// in the middle of something, or has a document type, and then is not read; a tag that is cut off is visited all the same.
template <class Visit> bool each_tag(std::string_view text, Visit visit) {
    bool whole = true;
    const auto behind = [&](std::string_view closing, std::size_t from) {
        const auto found = text.find(closing, from);
        whole = whole && found != text.npos;
        return found == text.npos ? text.size() : found + closing.size();
    };
    for (auto i = text.find('<'); i < text.size(); i = text.find('<', i)) {
        const auto rest = text.substr(i);
        const bool special = rest.size() > 1 && (rest[1] == '!' || rest[1] == '?');
        if (special && rest.starts_with("<!DOCTYPE")) return false;
        if (special && (rest.starts_with("<!--") || rest.starts_with("<![CDATA[") || rest[1] == '?')) {
            i = rest[1] == '?' ? behind("?>", i) : rest[2] == '-' ? behind("-->", i + 4) : behind("]]>", i);
            continue;
        }
        auto end = i + 1;
        while (end < text.size() && text[end] != '>') end = text[end] == '"' || text[end] == '\'' ? behind(text.substr(end, 1), end + 1) : end + 1;
        whole = whole && end < text.size();
        end = std::min(end + 1, text.size());
        if (!visit(text.substr(i, end - i), i)) return whole;
        i = end;
    }
    return whole;
}

std::string_view name_of_tag(std::string_view text, std::size_t begin) {
    begin += text[begin + 1] == '/' ? 2 : 1;
    return text.substr(begin, std::min(text.find_first_of(" \t\r\n/>", begin), text.size()) - begin);
}

constexpr std::size_t most_told = 80; ///< of a name

/// Does `&#...;` stand for a character that a file may have?
bool is_character(std::string_view digits) {
    const bool hexadecimal = digits.starts_with('x');
    if (hexadecimal) digits.remove_prefix(1);
    std::uint32_t c = 0;
    const auto* const end = digits.data() + digits.size();
    const auto [stop, problem] = std::from_chars(digits.data(), end, c, hexadecimal ? 16 : 10);
    if (problem != std::errc() || stop != end) return false;
    return c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c < 0xd800) || (c >= 0xe000 && c <= 0x10ffff);
}

bool is_known_entity(std::string_view name) { return name == "amp" || name == "lt" || name == "gt" || name == "quot" || name == "apos"; }

/// What begins with that '&', if it is one.
void check_reference(std::string_view text, std::size_t begin, const source_text& source, problem_list& problems) {
    constexpr auto parts = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789#_:.-";
    const auto end = text.find_first_not_of(parts, begin + 1);
    if (end == text.npos || text[end] != ';' || end == begin + 1) return;
    const auto name = text.substr(begin + 1, end - begin - 1);
    if (name[0] == '#' ? is_character(name.substr(1)) : is_known_entity(name)) return;
    if (problems.full()) return problems.add(code::not_xml, {}, {}); // only counted
    const auto written = in_quotes(text.substr(begin, end + 1 - begin));
    if (name[0] == '#') {
        problems.add(code::bad_encoding, source.at(begin), fmt::format("{} is no character that a file may have", written), "leave it out");
    } else {
        problems.add(code::not_xml, source.at(begin), fmt::format("there is no entity {}", written),
                     "write the character itself, or its number, as in &#228;; an '&' is written &amp;");
    }
}

} // namespace

void check_tags(const source_text& source, problem_list& problems) {
    const std::string_view text = source.text();
    std::vector<std::uint32_t> open; // where they begin
    const auto told = [&](std::size_t begin) { return name_of_tag(text, begin).substr(0, most_told); };
    const bool whole = each_tag(text, [&](std::string_view tag, std::size_t begin) {
        if (tag.back() != '>') return false;
        if (!tag.starts_with("</")) {
            if (!tag.ends_with("/>")) open.push_back(static_cast<std::uint32_t>(begin));
            return true;
        }
        if (!open.empty() && name_of_tag(text, open.back()) == name_of_tag(text, begin)) return open.pop_back(), true;
        problems.add(code::not_xml, source.at(begin),
                     open.empty() ? fmt::format("</{}> closes nothing", told(begin))
                                  : fmt::format("</{}> stands where <{}> is to be closed, which line {} opens", told(begin), told(open.back()),
                                                source.at(open.back()).line),
                     "each <name> is closed by </name>, the last one first; <name/> needs no other");
        return false;
    });
    if (!whole || !problems.empty() || open.empty()) return; // the parser tells
    problems.add(code::not_xml, source.at(open.back()), fmt::format("<{}> is not closed", told(open.back())),
                 "each <name> is closed by </name>, the last one first; <name/> needs no other");
}

namespace {

/// Between tags. What begins with '<' there is no tag: a comment, CDATA, an instruction.
void check_text(std::string_view text, std::size_t begin, std::size_t end, const source_text& source, problem_list& problems) {
    for (auto at = text.find_first_of("&<", begin); at < end; at = text.find_first_of("&<", at + 1)) {
        if (text[at] == '&') {
            check_reference(text, at, source, problems);
            continue;
        }
        const auto rest = text.substr(at);
        const std::string_view closing = rest.starts_with("<!--") ? "-->" : rest.starts_with("<?") ? "?>" : "]]>";
        at = std::min(text.find(closing, at), end);
    }
}

} // namespace

void check_text_references(const source_text& source, problem_list& problems) {
    const std::string_view text = source.text();
    std::size_t behind = 0; // the last tag
    each_tag(text, [&](std::string_view tag, std::size_t begin) {
        check_text(text, behind, begin, source, problems);
        behind = begin + tag.size();
        return true;
    });
}

void check_references(const source_text& source, problem_list& problems) {
    const std::string_view text = source.text();
    if (text.find('&') == text.npos) return;
    each_tag(text, [&](std::string_view tag, std::size_t begin) {
        for (std::size_t i = 0; i < tag.size(); ++i) {
            if (tag[i] != '"' && tag[i] != '\'') continue;
            const auto end = std::min(tag.find(tag[i], i + 1), tag.size());
            const auto value = tag.substr(0, end);
            for (auto at = value.find('&', i); at != value.npos; at = value.find('&', at + 1)) check_reference(text, begin + at, source, problems);
            i = end;
        }
        return true;
    });
}

} // namespace hsm::detail
