#include <hsm/load/detail/xml_output.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/text/detail/escape.hpp>
#include <hsm/text/detail/utf8.hpp>

namespace hsm::detail {

void xml_output::begin(std::string_view element, std::string_view further_attributes) {
    opened();
    append_format(out_, "{:{}}<{}", "", 2 * open_.size(), element);
    open_.push_back({std::string(element), further_attributes});
    inside_ = false;
}

void xml_output::attribute(std::string_view name, std::string_view value) {
    check(value, "attribute ", name);
    append_attribute(out_, name, value);
}

void xml_output::opened() {
    if (!inside_) append_format(out_, "{}>\n", open_.back().further_attributes);
    inside_ = true;
}

void xml_output::line(std::string_view markup) {
    opened();
    out_.append(2 * open_.size(), ' ');
    raw(markup);
}

void xml_output::raw(std::string_view markup) {
    check(markup, "text", {});
    opened();
    out_ += markup;
    out_ += '\n';
}

void xml_output::end() {
    const auto element = std::move(open_.back());
    open_.pop_back();
    if (inside_)
        append_format(out_, "{:{}}</{}>\n", "", 2 * open_.size(), element.name);
    else
        append_format(out_, "{}/>\n", element.further_attributes);
    inside_ = true;
}

void xml_output::check(std::string_view text, std::string_view what, std::string_view name) {
    if (is_text(text)) return;
    problems_.add(code::bad_encoding, {},
                  fmt::format("the {}{} {} <{}>, {}, contains a character that is not allowed in XML", what, name, name.empty() ? "in" : "of",
                              open_.back().name, in_quotes(text)),
                  "use UTF-8 without control characters");
}

} // namespace hsm::detail
