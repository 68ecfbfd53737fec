// Finds errors before the parser runs, because the parser reports only where it stopped.

#include <hsm/load/detail/xml_text.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/text/detail/ascii.hpp>
#include <hsm/text/detail/utf8.hpp>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <system_error>
#include <vector>

namespace hsm::detail {

namespace {

/// Calls visit(tag, offset) for each tag, from '<' to '>'. Requires a text without errors in its tags. Stops at a document type.
template <class Visit> void each_tag(std::string_view text, Visit visit) {
    const auto behind = [&](std::string_view closing, std::size_t from) {
        const auto found = text.find(closing, from);
        return found == text.npos ? text.size() : found + closing.size();
    };
    for (auto i = text.find('<'); i < text.size(); i = text.find('<', i)) {
        const auto rest = text.substr(i);
        const bool special = rest.size() > 1 && (rest[1] == '!' || rest[1] == '?');
        if (special && rest.starts_with("<!DOCTYPE")) return;
        if (special && (rest.starts_with("<!--") || rest.starts_with("<![CDATA[") || rest[1] == '?')) {
            i = rest[1] == '?' ? behind("?>", i) : rest[2] == '-' ? behind("-->", i + 4) : behind("]]>", i);
            continue;
        }
        auto end = i + 1;
        while (end < text.size() && text[end] != '>') end = text[end] == '"' || text[end] == '\'' ? behind(text.substr(end, 1), end + 1) : end + 1;
        end = std::min(end + 1, text.size());
        visit(text.substr(i, end - i), i);
        i = end;
    }
}

std::string_view name_of_tag(std::string_view text, std::size_t begin) {
    begin += text[begin + 1] == '/' ? 2 : 1;
    return text.substr(begin, std::min(text.find_first_of(" \t\r\n/<>", begin), text.size()) - begin);
}

constexpr std::size_t most_shown = 80; ///< of a name in messages

/// Returns whether `&#...;` is a character that XML allows.
bool is_character(std::string_view digits) {
    const bool hexadecimal = digits.starts_with('x');
    if (hexadecimal) digits.remove_prefix(1);
    std::uint32_t c = 0;
    const auto* const end = digits.data() + digits.size();
    const auto [stop, problem] = std::from_chars(digits.data(), end, c, hexadecimal ? 16 : 10);
    if (problem != std::errc() || stop != end) return false;
    return is_xml_character(c);
}

bool is_known_entity(std::string_view name) { return name == "amp" || name == "lt" || name == "gt" || name == "quot" || name == "apos"; }

/// Checks the reference that begins at the '&', if there is one.
void check_reference(std::string_view text, std::size_t begin, const source_text& source, problem_list& problems) {
    constexpr auto parts = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789#_:.-";
    const auto end = text.find_first_not_of(parts, begin + 1);
    if (end == text.npos || text[end] != ';' || end == begin + 1) return;
    const auto name = text.substr(begin + 1, end - begin - 1);
    if (name[0] == '#' ? is_character(name.substr(1)) : is_known_entity(name)) return;
    if (problems.full()) return problems.add(code::not_xml, {}, {}); // only counted
    const auto written = in_quotes(text.substr(begin, end + 1 - begin));
    if (name[0] == '#') {
        problems.add(code::bad_encoding, source.at(begin), fmt::format("the character {} is not allowed in XML", written), "remove it");
    } else {
        problems.add(code::not_xml, source.at(begin), fmt::format("unknown entity {}", written),
                     "write the character itself, or its number, as in &#228;; write &amp; for '&'");
    }
}

} // namespace

namespace {

constexpr std::string_view spaces = " \t\r\n";

/// Returns whether the parser allows the character in names.
bool is_of_name(char c) { return is_of_word(c) || c == '_' || c == ':' || c == '-' || c == '.'; }
bool begins_name(char c) { return is_of_name(c) && !is_ascii_digit(c) && c != '-' && c != '.'; }

/// Markup that is not a tag. It is skipped from `opening` to `closing`.
struct passage {
    std::string_view opening, closing, what;
};
constexpr passage passages[] = {{"<!--", "-->", "comment"}, {"<![CDATA[", "]]>", "CDATA section"}, {"<?", "?>", "processing instruction"}};

/// Reads the tags in order until the first error.
class tag_check {
public:
    tag_check(const source_text& source, problem_list& problems) : source_(source), text_(source.text()), problems_(problems) {}

    void run() {
        for (at_ = text_.find('<'); at_ < text_.size(); at_ = text_.find('<', at_))
            if (!read_markup()) return;
        if (!open_.empty()) report(likely_open(), fmt::format("<{}> is not closed", element(likely_open())), each_is_closed);
    }

private:
    static constexpr auto each_is_closed = "close each <name> with </name>, the innermost element first; <name/> needs no end tag";
    static constexpr auto attribute_form = "write an attribute as name=\"value\"";

    /// Returns false after an error, or if the rest is not read.
    bool read_markup() {
        const auto rest = text_.substr(at_);
        if (rest.starts_with("<!DOCTYPE")) return open_.clear(), false; // the parser reports it
        for (const auto& p : passages)
            if (rest.starts_with(p.opening)) return pass(p);
        return rest.starts_with("</") ? read_end() : read_start();
    }

    bool pass(const passage& p) {
        const auto inside = at_ + p.opening.size();
        const auto end = text_.find(p.closing, inside);
        const auto next = p.what == "comment" ? text_.substr(0, end).find(p.opening, inside) : text_.npos;
        if (end == text_.npos || next != text_.npos)
            return report(at_, fmt::format("this {} is not closed{}", p.what, next < text_.size() ? " before the next one begins" : ""),
                          fmt::format("close it with {}", p.closing));
        at_ = end + p.closing.size();
        return true;
    }

    bool read_start() {
        const auto begin = at_++;
        unclosed_value_ = text_.npos;
        if (read_name().empty())
            return report(begin, "this '<' does not begin an element",
                          "write the element's name directly after '<', or write &lt; for this character");
        while (true) {
            const bool spaced = skip_spaces();
            if (ends_here()) return unclosed_tag(begin);
            if (text_[at_] == '>') return ++at_, open_.push_back(begin), true;
            if (text_.substr(at_).starts_with("/>")) return at_ += 2, true;
            if (!spaced) return malformed(at_, "this attribute has no space before it", attribute_form);
            if (!read_attribute(begin)) return false;
        }
    }

    bool read_attribute(std::size_t tag) {
        const auto begin = at_;
        const auto name = read_name().substr(0, most_shown);
        if (name.empty()) return malformed(begin, "no attribute can begin here", attribute_form);
        skip_spaces();
        if (ends_here()) return unclosed_tag(tag);
        if (text_[at_] != '=') return malformed(begin, fmt::format("the attribute \"{}\" has no value", name), attribute_form);
        ++at_;
        skip_spaces();
        if (ends_here()) return unclosed_tag(tag);
        const char quote = text_[at_];
        if (quote != '"' && quote != '\'') return malformed(at_, fmt::format("the value of \"{}\" is not in quotes", name), attribute_form);
        const auto end = text_.find(quote, at_ + 1);
        if (end == text_.npos) return unclosed_value_ = std::min(unclosed_value_, at_), malformed(at_, {}, {});
        const auto value = text_.substr(at_ + 1, end - at_ - 1);
        if (unclosed_value_ == text_.npos && (value.find('<') != value.npos || value.ends_with('='))) unclosed_value_ = at_;
        at_ = end + 1;
        return true;
    }

    bool read_end() {
        const auto begin = at_;
        at_ += 2;
        unclosed_value_ = text_.npos;
        if (read_name().empty()) return report(begin, "this end tag has no name", each_is_closed);
        skip_spaces();
        if (ends_here()) return unclosed_tag(begin);
        if (text_[at_++] != '>') return report(begin, fmt::format("the end tag </{}> contains more than its name", element(begin)), each_is_closed);
        return close(begin);
    }

    bool close(std::size_t tag) {
        if (open_.empty()) return report(tag, fmt::format("</{}> closes no element", element(tag)), each_is_closed);
        if (is_same(open_.back(), tag)) {
            if (likely_ == text_.npos && indentation(tag) < indentation(open_.back())) likely_ = open_.back();
            return open_.pop_back(), true;
        }
        if (std::ranges::any_of(open_, [&](std::size_t o) { return is_same(o, tag); }))
            return report(likely_open(), fmt::format("<{}> is not closed before </{}> in line {}", element(likely_open()), element(tag), line(tag)),
                          each_is_closed);
        return report(tag, fmt::format("</{}> does not match <{}> in line {}", element(tag), element(open_.back()), line(open_.back())),
                      each_is_closed);
    }

    /// Returns the element whose end tag is missing: one closed by a less indented end tag, which was meant for an outer element.
    std::size_t likely_open() const { return likely_ == text_.npos ? open_.back() : likely_; }
    /// Returns the indentation of a tag that is the first on its line, otherwise 0.
    std::size_t indentation(std::size_t tag) const {
        const auto before = tag == 0 ? text_.npos : text_.find_last_not_of(" \t", tag - 1);
        const auto first = before == text_.npos ? 0 : before + 1;
        return first == 0 || text_[before] == '\n' || text_[before] == '\r' ? tag - first : 0;
    }

    bool is_same(std::size_t tag, std::size_t other) const { return name_of_tag(text_, tag) == name_of_tag(text_, other); }
    std::string_view element(std::size_t tag) const { return name_of_tag(text_, tag).substr(0, most_shown); }
    std::uint32_t line(std::size_t offset) const { return source_.at(offset).line; }

    bool ends_here() const { return at_ >= text_.size() || text_[at_] == '<'; }
    bool skip_spaces() {
        const auto begin = at_;
        at_ = std::min(text_.find_first_not_of(spaces, at_), text_.size());
        return at_ > begin;
    }
    std::string_view read_name() {
        const auto begin = at_;
        if (at_ < text_.size() && begins_name(text_[at_]))
            while (at_ < text_.size() && is_of_name(text_[at_])) ++at_;
        return text_.substr(begin, at_ - begin);
    }

    /// The cause may be an earlier value of the same tag that extends into the following text.
    bool malformed(std::size_t at, std::string problem, std::string hint) {
        if (unclosed_value_ == text_.npos) return report(at, std::move(problem), std::move(hint));
        return report(unclosed_value_, "this value has no quotation mark at its end", attribute_form);
    }
    bool unclosed_tag(std::size_t tag) {
        const auto* const slash = text_[tag + 1] == '/' ? "/" : "";
        return malformed(tag, fmt::format("the tag <{}{} has no '>' at its end", slash, element(tag)), "close the tag with '>' or '/>'");
    }
    bool report(std::size_t at, std::string problem, std::string hint) {
        problems_.add(code::not_xml, source_.at(at), std::move(problem), std::move(hint));
        return false;
    }

    const source_text& source_;
    std::string_view text_;
    problem_list& problems_;
    std::size_t at_ = 0;
    std::vector<std::size_t> open_;                       ///< offsets of their tags
    std::size_t likely_ = std::string_view::npos;         ///< see likely_open
    std::size_t unclosed_value_ = std::string_view::npos; ///< in the current tag, the offset of a value that probably has no closing quote
};

} // namespace

void check_tags(const source_text& source, problem_list& problems) { tag_check(source, problems).run(); }

namespace {

/// Checks the text between tags. A '<' in it begins a comment, a CDATA section or an instruction.
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
    });
}

} // namespace hsm::detail
