#include <tests/support/json.hpp>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>

namespace json {

namespace {

class parser {
public:
    explicit parser(std::string_view text) : rest_(text) {}

    value run() {
        auto v = parse();
        skip();
        if (!rest_.empty()) fail("something follows");
        return v;
    }

private:
    [[noreturn]] void fail(const std::string& what) const { throw std::runtime_error(what + " before \"" + std::string(rest_.substr(0, 20)) + '"'); }

    void skip() {
        while (!rest_.empty() && std::isspace(static_cast<unsigned char>(rest_.front()))) rest_.remove_prefix(1);
    }
    bool accept(char c) {
        skip();
        if (!rest_.starts_with(c)) return false;
        rest_.remove_prefix(1);
        return true;
    }
    void expect(char c) {
        if (!accept(c)) fail("a character is missing");
    }
    char take() {
        if (rest_.empty()) fail("it ends");
        const char c = rest_.front();
        rest_.remove_prefix(1);
        return c;
    }

    value parse() {
        value v;
        if (accept('{'))
            parse_members(v);
        else if (accept('['))
            parse_items(v);
        else if (accept('"'))
            v.text = string();
        else
            v.text = word();
        return v;
    }

    void parse_members(value& v) {
        if (accept('}')) return;
        do {
            expect('"');
            const auto name = string();
            expect(':');
            v.members[name] = parse();
        } while (accept(','));
        expect('}');
    }

    void parse_items(value& v) {
        if (accept(']')) return;
        do v.items.push_back(parse());
        while (accept(','));
        expect(']');
    }

    std::string string() {
        std::string text;
        for (char c = take(); c != '"'; c = take()) text += c == '\\' ? escaped() : c;
        return text;
    }

    char escaped() {
        const char c = take();
        if (c == 'n') return '\n';
        if (c == 't') return '\t';
        if (c != 'u') return c;
        for (int i = 0; i < 4; ++i) take();
        return '?'; // such texts are not compared
    }

    /// A number, true, false, null.
    std::string word() {
        const auto end = std::min(rest_.find_first_of(",]} \t\r\n"), rest_.size());
        const std::string text(rest_.substr(0, end));
        if (text.empty()) fail("a value is missing");
        rest_.remove_prefix(end);
        return text;
    }

    std::string_view rest_;
};

} // namespace

const value& value::operator[](const std::string& name) const {
    static const value empty;
    const auto found = members.find(name);
    return found == members.end() ? empty : found->second;
}

std::vector<std::string> value::texts() const {
    std::vector<std::string> all;
    for (const auto& item : items) all.push_back(item.text);
    return all;
}

value load(const std::filesystem::path& file) {
    std::ifstream in(file);
    if (!in) throw std::runtime_error("there is no " + file.string());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    try {
        return parser(text).run();
    } catch (const std::runtime_error& e) {
        throw std::runtime_error(file.string() + ": " + e.what());
    }
}

} // namespace json
