#include <hsm/tool/detail/cpp_text.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/tool/detail/cpp_names.hpp>

#include <algorithm>

namespace hsm::detail::tool {

cpp_text& cpp_text::operator<<(std::string_view text) {
    count_ += static_cast<std::size_t>(std::ranges::count(text, '\n'));
    text_ += text;
    return *this;
}

void cpp_text::end_line() {
    if (!text_.empty() && text_.back() != '\n') *this << "\n";
}

cpp_text& cpp_text::at(const origin& where) {
    if (!lines_ || !where) return *this;
    end_line();
    *this << fmt::format("#line {} {}\n", where.line, cpp_string(file_));
    if (where.column > 1) *this << std::string(where.column - 1, ' ');
    elsewhere_ = true;
    return *this;
}

cpp_text& cpp_text::here() {
    end_line();
    if (elsewhere_) *this << fmt::format("#line {} {}\n", count_ + 2, cpp_string(self_));
    elsewhere_ = false;
    return *this;
}

cpp_text& cpp_text::statement(const origin& where) {
    if (lines_ && where) return at(where);
    here();
    return *this << std::string(indent_, ' ');
}

} // namespace hsm::detail::tool
