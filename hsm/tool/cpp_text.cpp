#include <hsm/tool/detail/cpp_text.hpp>

#include <hsm/op/detail/format.hpp>

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

/// Decodes the first character of UTF-8 text. Returns it with its size in bytes. A byte that is not valid UTF-8 counts as one character.
std::pair<std::uint32_t, std::size_t> character_at(std::string_view text) {
    const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
    const std::size_t size = byte(0) < 0xc0 ? 1 : byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : 4;
    if (size == 1 || size > text.size()) return {byte(0), 1};
    std::uint32_t character = byte(0) & (0xffu >> (size + 1));
    for (std::size_t i = 1; i < size; ++i) {
        if ((byte(i) & 0xc0) != 0x80) return {byte(0), 1};
        character = character << 6 | (byte(i) & 0x3f);
    }
    return {character, size};
}

/// If `spelled`, every replaced character except blanks is written as its number, otherwise only characters beyond ASCII.
std::string identifier_of(std::string_view name, bool spelled) {
    std::string text;
    const auto part = [&](std::string_view more) {
        if (!text.empty() && text.back() != '_') text += '_';
        text += more;
        if (!more.empty()) text += '_';
    };
    while (!name.empty()) {
        const auto [character, size] = character_at(name);
        if (character >= 0x80)
            part(fmt::format("u{:x}", character));
        else if (!is_plain(name.front()))
            part(spelled && character != ' ' ? fmt::format("x{:x}", character) : std::string());
        else if (name.front() == '_')
            part({});
        else
            text += name.front();
        name.remove_prefix(size);
    }
    while (!text.empty() && text.back() == '_') text.pop_back();
    if (text.empty()) return "unnamed";
    if (is_digit(text.front())) text.insert(0, "n_");
    return is_reserved(text) ? text + '_' : text;
}

/// Returns whether `c` changes the direction of text. Compilers warn about these characters, also in literals and comments.
bool turns_direction(std::uint32_t c) { return (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0x200e || c == 0x200f; }

} // namespace

std::string cpp_identifier(std::string_view name) { return is_identifier(name) ? std::string(name) : identifier_of(name, false); }

std::string cpp_string(std::string_view text) {
    std::string literal = "\"";
    char before = 0;
    while (!text.empty()) {
        const auto [character, size] = character_at(text);
        const bool broken = size == 1 && character >= 0x80;
        if (character < 0x20 || character == 0x7f || turns_direction(character) || broken)
            for (const char c : text.substr(0, size)) literal += fmt::format("\\{:03o}", static_cast<unsigned char>(c));
        else if (text.front() == '"' || text.front() == '\\' || (text.front() == '?' && before == '?'))
            (literal += '\\') += text.front();
        else
            literal += text.substr(0, size);
        before = text.front();
        text.remove_prefix(size);
    }
    return literal + '"';
}

std::string cpp_comment(std::string_view text) {
    std::string line;
    while (!text.empty()) {
        const auto [character, size] = character_at(text);
        const bool broken = size == 1 && character >= 0x80;
        if (character < 0x20 || character == 0x7f || character == '\\' || turns_direction(character) || broken)
            line += '?';
        else
            line += text.substr(0, size);
        text.remove_prefix(size);
    }
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
