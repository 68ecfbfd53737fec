#include <hsm/define/detail/type_identity.hpp>
#include <hsm/define/event.hpp>

#include <cstddef>
#include <hsm/define/detail/hook_context.hpp>
#include <hsm/define/detail/local.hpp>
#include <utility>

namespace hsm::detail {

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_lower(char c) { return c >= 'a' && c <= 'z'; }

/// Walks through an Itanium C++ ABI name, as far as needed to distinguish its operators from the identifiers in it.
class symbol_walk {
public:
    explicit symbol_walk(std::string_view symbol) : symbol_(symbol) {}

    /// Returns whether it, or one of its arguments, is in a function (Z <function> E <name>).
    bool finds_local_name() {
        if (symbol_.find("'::`") != symbol_.npos) return true; // MSVC
        while (at_ < symbol_.size()) {
            if (symbol_[at_] == 'Z') return true;
            step();
        }
        return false;
    }

private:
    char here(std::size_t ahead = 0) const { return at_ + ahead < symbol_.size() ? symbol_[at_ + ahead] : '\0'; }

    void step() {
        if (is_digit(here()))
            skip_identifier();
        else if (here() == 'S' && !is_lower(here(1)))
            skip_to('_'); // a substitution
        else if (here() == 'A' && is_digit(here(1)))
            skip_to('_'); // an array's length
        else if (here() == 'L' && is_lower(here(1)))
            skip_to('E'); // a number
        else if (symbol_.substr(at_, 3) == "L_Z")
            at_ += 3; // the address of an object or a function
        else
            ++at_;
    }

    void skip_identifier() {
        std::size_t length = 0;
        while (is_digit(here())) length = length * 10 + static_cast<std::size_t>(symbol_[at_++] - '0');
        at_ += length < symbol_.size() ? length : symbol_.size();
    }

    void skip_to(char last) {
        const auto end = symbol_.find(last, at_);
        at_ = end == symbol_.npos ? symbol_.size() : end + 1;
    }

    std::string_view symbol_;
    std::size_t at_ = 0;
};

bool is_local_type(const type_identity& type) { return type.is_local || (type.symbol && symbol_walk(type.symbol()).finds_local_name()); }

/// Returns the index of the first value, or npos: after "{" (g++) or "<" (clang), which follow the last " = "; in MSVC after "pretty_values<", the
/// type and a comma.
std::size_t first_value(std::string_view text) {
    if (const auto sign = text.rfind(" = "); sign != text.npos) return sign + 4;
    constexpr std::string_view function = "pretty_values<";
    auto i = text.find(function);
    if (i == text.npos) return i;
    int depth = 0;
    for (i += function.size(); i < text.size() && (depth > 0 || text[i] != ','); ++i) depth += nesting(text[i]);
    return i < text.size() ? i + 1 : text.npos;
}

} // namespace

std::string_view enumerator_named(const char* pretty, std::int64_t value) {
    if (!pretty || value < 0 || value >= 64) return {};
    const std::string_view text(pretty);
    auto begin = first_value(text);
    if (begin == text.npos) return {};
    int depth = 0;
    std::int64_t number = 0;
    for (auto i = begin; i < text.size(); ++i) {
        if (text[i] == '\'') i = text.find('\'', i + (text.substr(i, 2) == "'\\" ? 3 : 2));
        if (i == text.npos) return {};
        if (depth == 0 && (text[i] == ',' || nesting(text[i]) < 0)) {
            const auto name = unqualified(text.substr(begin, i - begin));
            if (number++ == value) return name.front() == '(' ? std::string_view() : name;
            begin = i + (text.substr(i, 2) == ", " ? 2 : 1);
        }
        depth += nesting(text[i]);
        if (depth < 0) return {};
    }
    return {};
}

std::string written_enumerator(const type_identity& type, std::int64_t value) {
    const auto name = enumerator_named(type.enumerators, value);
    std::string text(unqualified(type.name));
    return name.empty() ? text + '(' + std::to_string(value) + ')' : text + "::" + std::string(name);
}

namespace {

/// Returns the byte as a C++ literal: a printable character, or a hexadecimal number.
std::string written_byte(std::int64_t value) {
    constexpr char digits[] = "0123456789abcdef";
    if (value >= ' ' && value <= '~') return {'\'', static_cast<char>(value), '\''};
    return {'0', 'x', digits[value >> 4 & 15], digits[value & 15]};
}

std::string written_value(const event_type& type, std::int64_t value) {
    if (&type == &event_type_of<unsigned char> || type.name == event_type_of<unsigned char>.name) return written_byte(value);
    const auto name = enumerator_named(type.enumerators, value);
    return name.empty() ? written_enumerator(type, value) : std::string(name);
}

} // namespace

event_key key_of_value(const event_type& type, std::int64_t value) { return {&type, value, written_value(type, value)}; }

event_key key_of_intervals(const event_type& type, std::vector<event_interval> intervals, bool others) {
    std::string name;
    for (const auto& i : intervals) {
        if (!name.empty()) name += ", ";
        name += written_value(type, i.first);
        if (i.last != i.first) name += ".." + written_value(type, i.last);
    }
    if (others) name = "otherwise of " + std::string(same_type(type, event_type_of<unsigned char>) ? "bytes" : unqualified(type.name));
    const auto first = intervals.empty() ? 0 : intervals.front().first;
    return {&type, first, std::move(name), std::move(intervals), others};
}

event_key key_of_names(std::vector<name_pattern> names) {
    std::string written;
    for (const auto& n : names) {
        if (!written.empty()) written += ' ';
        written += n.text;
        if (n.prefix) written += n.text.empty() ? "*" : ".*";
    }
    return {.type = &event_type_of<named_event>, .name = std::move(written), .names = std::move(names)};
}

bool same_between_modules(const type_identity& a, const type_identity& b) {
    return a.size == b.size && a.alignment == b.alignment && a.name == b.name && !is_local_type(a) && !is_local_type(b);
}

const local_slot& slot_of_local(const local_type& type, const local_slot* first) {
    while (!same_type(*first->type, type)) ++first;
    return *first;
}

} // namespace hsm::detail
