#include <hsm/load/detail/xml_parse.hpp>

#include <hsm/load/detail/xml_text.hpp>
#include <hsm/op/detail/format.hpp>

#include <pugixml.hpp>

#include <algorithm>
#include <new>

namespace hsm::detail {

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
    if (!what.empty() && what.front() >= 'A' && what.front() <= 'Z') what.front() = static_cast<char>(what.front() - 'A' + 'a');
    auto last = document.last_child();
    while (last.last_child().type() == pugi::node_element) last = last.last_child();
    if (last.type() == pugi::node_element) what += fmt::format(", in or after <{}>", std::string_view(last.name()).substr(0, 80));
    problems.add(code::not_xml, source.at(where), fmt::format("this is not XML: {}", what),
                 "this is where the parser stopped; the error can be before this position");
}

} // namespace

bool parse_xml(source_text& source, const load_options& options, unsigned more, std::string_view beginning, problem_list& problems,
               pugi::xml_document& document) {
    auto& text = source.text();
    if (has_too_many_parts(text, options, problems)) return false;
    check_tags(source, problems);
    if (problems.empty()) check_references(source, problems);
    if (!problems.empty()) return false;
    const auto size = text.size();
    // include the terminating zero: otherwise the last character is lost if it is not a '>'
    const auto parsed = document.load_buffer_inplace(text.data(), size + 1, parse_options | more, pugi::encoding_utf8);
    if (parsed.status == pugi::status_out_of_memory) throw std::bad_alloc();
    if (!parsed) return report_parser(parsed, document, source, size, problems), false;
    if (!document.document_element()) {
        problems.add(code::not_xml, {1, 1}, size == 0 ? "the file is empty" : "this is not XML: there is no element",
                     fmt::format("begin the file with {}", beginning));
        return false;
    }
    return true;
}

} // namespace hsm::detail
