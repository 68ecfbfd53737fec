#include <hsm/tool/detail/cpp_text.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/text/detail/utf8.hpp>

#include <algorithm>

namespace hsm::detail::tool {

namespace {

/// Keywords, other names with a special meaning before parentheses, and macros that C headers and compilers define.
constexpr std::string_view reserved[] = {
    "EOF",          "NULL",      "alignas",    "alignof",   "and",          "and_eq",    "asm",      "assert",
    "auto",         "bitand",    "bitor",      "bool",      "break",        "case",      "catch",    "char",
    "char16_t",     "char32_t",  "char8_t",    "class",     "co_await",     "co_return", "co_yield", "compl",
    "concept",      "const",     "const_cast", "consteval", "constexpr",    "constinit", "continue", "decltype",
    "default",      "delete",    "do",         "double",    "dynamic_cast", "else",      "enum",     "errno",
    "explicit",     "export",    "extern",     "false",     "float",        "for",       "friend",   "goto",
    "i386",         "if",        "inline",     "int",       "linux",        "long",      "major",    "minor",
    "mutable",      "namespace", "new",        "noexcept",  "not",          "not_eq",    "nullptr",  "offsetof",
    "operator",     "or",        "or_eq",      "private",   "protected",    "public",    "register", "reinterpret_cast",
    "requires",     "return",    "setjmp",     "short",     "signed",       "sizeof",    "static",   "static_assert",
    "static_cast",  "stderr",    "stdin",      "stdout",    "struct",       "switch",    "template", "this",
    "thread_local", "throw",     "true",       "try",       "typedef",      "typeid",    "typename", "union",
    "unix",         "unsigned",  "using",      "va_arg",    "virtual",      "void",      "volatile", "wchar_t",
    "while",        "xor",       "xor_eq"};

bool is_reserved(std::string_view word) { return std::ranges::find(reserved, word) != std::end(reserved); }

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_plain(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_'; }

bool is_identifier(std::string_view name) {
    return !name.empty() && !is_digit(name.front()) && name.front() != '_' && std::ranges::all_of(name, is_plain) && name.find("__") == name.npos &&
           !is_reserved(name);
}

/// If `spelled`, every replaced character except blanks is written as its number, otherwise only characters beyond ASCII.
std::string identifier_of(std::string_view name, bool spelled) {
    std::string text;
    const auto part = [&](std::string_view more) {
        if (!text.empty() && text.back() != '_') text += '_';
        text += more;
        if (!more.empty()) text += '_';
    };
    each_character(name, [&](std::string_view bytes, char32_t c) {
        if (c == invalid_byte) c = static_cast<unsigned char>(bytes.front());
        if (c >= 0x80)
            part(fmt::format("u{:x}", static_cast<std::uint32_t>(c)));
        else if (!is_plain(bytes.front()))
            part(spelled && c != ' ' ? fmt::format("x{:x}", static_cast<std::uint32_t>(c)) : std::string());
        else if (c == '_')
            part({});
        else
            text += bytes;
    });
    while (!text.empty() && text.back() == '_') text.pop_back();
    if (text.empty()) return "unnamed";
    if (is_digit(text.front())) text.insert(0, "n_");
    return is_reserved(text) ? text + '_' : text;
}

/// Compilers warn about characters that change the direction of text, also in literals and comments.
bool is_safe(char32_t c) {
    const bool turns_direction = (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e || c == 0x200f;
    return c >= 0x20 && c != 0x7f && !turns_direction && c != invalid_byte;
}

} // namespace

std::string cpp_identifier(std::string_view name) { return is_identifier(name) ? std::string(name) : identifier_of(name, false); }

std::string cpp_string(std::string_view text) {
    std::string literal = "\"";
    char before = 0;
    each_character(text, [&](std::string_view bytes, char32_t c) {
        if (!is_safe(c))
            for (const char byte : bytes) literal += fmt::format("\\{:03o}", static_cast<unsigned char>(byte));
        else if (c == '"' || c == '\\' || (c == '?' && before == '?'))
            (literal += '\\') += bytes;
        else
            literal += bytes;
        before = bytes.front();
    });
    return literal + '"';
}

std::string cpp_comment(std::string_view text) {
    std::string line;
    each_character(text, [&](std::string_view bytes, char32_t c) { line += is_safe(c) && c != '\\' ? bytes : "?"; });
    return line;
}

std::string cpp_scope::unused(std::string identifier) {
    auto free = identifier;
    for (int n = 2; taken_.contains(free); ++n) free = fmt::format("{}_{}", identifier, n);
    taken_.insert(free);
    return free;
}

void cpp_scope::settle() {
    std::map<std::string, std::vector<std::string>> groups;
    for (const auto& [name, identifier] : names_) groups[cpp_identifier(name)].push_back(name);
    for (const auto& [identifier, group] : groups) {
        const auto& keeps = group.size() == 1 ? group.front() : identifier;
        if (const auto found = names_.find(keeps); found != names_.end()) found->second = unused(identifier);
    }
    for (auto& [identifier, group] : groups) {
        for (const auto& name : group)
            if (auto& made = names_.find(name)->second; made.empty()) made = unused(identifier_of(name, true));
        if (group.size() > 1) alike_.push_back(std::move(group));
    }
}

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
