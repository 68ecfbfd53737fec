#include <hsm/tool/detail/script.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/text/detail/utf8.hpp>
#include <hsm/tool/detail/message.hpp>

#include <algorithm>

namespace hsm::detail::tool {

namespace {

constexpr std::string_view blanks = " \t\r\v\f";

bool is_blank(char c) { return blanks.find(c) != blanks.npos; }

class splitter {
public:
    splitter(std::string_view text, const std::string& file, std::uint32_t line) : text_(text), file_(file), line_(line) {}

    script_line run() {
        if (!is_text(text_) || text_.find('\n') != text_.npos) fail("this line is not UTF-8 text", "write scripts as UTF-8 text");
        script_line made;
        while (true) {
            while (at_ < text_.size() && is_blank(text_[at_])) ++at_;
            if (at_ == text_.size() || text_[at_] == '#') break;
            made.words.push_back(text_[at_] == '"' ? in_quotes() : plain());
        }
        made.where = {file_, line_, made.words.empty() ? 1 : made.words.front().column};
        const auto first = std::min(text_.find_first_not_of(blanks), at_);
        made.text = text_.substr(first, at_ - first);
        while (!made.text.empty() && is_blank(made.text.back())) made.text.pop_back();
        return made;
    }

private:
    [[noreturn]] void fail(std::string problem, std::string hint) const {
        throw command_error({{.text = std::move(problem), .hint = std::move(hint), .where = {file_, line_, column()}}}, exit_code::found);
    }

    std::uint32_t column() const {
        const auto characters = std::ranges::count_if(text_.substr(0, at_), begins_character);
        return static_cast<std::uint32_t>(characters) + 1;
    }

    script_word plain() {
        script_word w{.text = {}, .column = column()};
        while (at_ < text_.size() && !is_blank(text_[at_])) {
            if (text_[at_] == '"' && begins_value(w.text))
                add_quoted(w.text);
            else
                w.text += text_[at_++];
        }
        return w;
    }

    /// Returns whether a quote after `before` begins a value, as in name="..." or data={"...".
    static bool begins_value(std::string_view before) {
        return before.find('=') != before.npos && std::string_view("={[,:").find(before.back()) != std::string_view::npos;
    }

    /// Copies a quoted text with its quotes, as in JSON.
    void add_quoted(std::string& to) {
        const auto begin = at_;
        for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_)
            if (text_[at_] == '\\') ++at_;
        if (at_ >= text_.size()) {
            at_ = begin;
            fail("this quote is not closed", "add a \" at the end of the value");
        }
        to += text_.substr(begin, ++at_ - begin);
    }

    script_word in_quotes() {
        script_word w{.text = {}, .column = column(), .is_quoted = true};
        const auto end = text_.find('"', at_ + 1);
        if (end == text_.npos) fail("this quote is not closed", "add a \" at the end of the name");
        w.text = text_.substr(at_ + 1, end - at_ - 1);
        at_ = end + 1;
        return w;
    }

    std::string_view text_;
    const std::string& file_;
    std::uint32_t line_;
    std::size_t at_ = 0;
};

} // namespace

script_line split_words(std::string_view text, const std::string& file, std::uint32_t line) { return splitter(text, file, line).run(); }

std::string quoted_if_needed(std::string_view name) {
    const bool plain = !name.empty() && name.front() != '#' && name.front() != '"' && std::ranges::none_of(name, is_blank);
    return plain ? std::string(name) : '"' + std::string(name) + '"';
}

namespace {

constexpr std::size_t most_problems = 100;

/// Scripts have no session to save and no user to ask.
bool is_for_scripts(verb v) { return is_input(v) || is_setting(v) || (v >= verb::expect && v <= verb::names); }

message at(const play_command& c, std::string text, std::string hint = {}) {
    return {.text = std::move(text), .hint = std::move(hint), .where = c.line.where};
}

void require_for_scripts(const play_command& c) {
    std::vector<message> all;
    if (!is_for_scripts(c.what))
        all.push_back(at(c, fmt::format("\"{}\" works only at the prompt of `run`, not in scripts", c.line.words.front().text)));
    else if (c.what == verb::guard && c.setting == guard_setting::ask)
        all.push_back(at(c, "a script cannot ask for a result", "set the guard to true, false or once"));
    if (!all.empty()) throw command_error(std::move(all), exit_code::found);
}

class script_reader {
public:
    script_reader(const std::string& file, const player& names) : names_(names) { made_.file = file; }

    script run(std::string_view text) {
        if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
        for (std::uint32_t line = 1; !text.empty(); ++line) {
            const auto end = text.find('\n');
            read(text.substr(0, end), line);
            text.remove_prefix(end == text.npos ? text.size() : end + 1);
        }
        if (!problems_.empty()) throw command_error(std::move(problems_), exit_code::found);
        if (made_.tests.empty()) {
            const auto& f = made_.file;
            made_.tests.push_back({f.substr(f.rfind('/') + 1), {f, 1, 1}, std::move(made_.before)});
            made_.before.clear();
        }
        return std::move(made_);
    }

private:
    void read(std::string_view text, std::uint32_t line) try {
        if (problems_.size() >= most_problems) return;
        auto command = parse_command(split_words(text, made_.file, line), names_);
        if (command.what == verb::nothing) return;
        require_for_scripts(command);
        if (command.what == verb::test) return begin(command);
        (made_.tests.empty() ? made_.before : made_.tests.back().commands).push_back(std::move(command));
    } catch (const command_error& e) {
        problems_.insert(problems_.end(), e.messages().begin(), e.messages().end());
    }

    void begin(const play_command& c) {
        for (const auto& t : made_.tests)
            if (t.name == c.name)
                throw command_error(
                    {at(c, fmt::format("two tests are named \"{}\"", c.name), fmt::format("rename one; the other test is in line {}", t.where.line))},
                    exit_code::found);
        made_.tests.push_back({c.name, c.line.where, {}});
    }

    const player& names_;
    script made_;
    std::vector<message> problems_;
};

std::vector<message> with_location(std::vector<message> all, const play_command& c) {
    for (auto& m : all)
        if (m.where.line == 0) m.where = c.line.where;
    return all;
}

} // namespace

script read_script(const std::string& text, const std::string& file, const player& names) { return script_reader(file, names).run(text); }

bool needs_start(verb v) {
    const bool may_come_before = is_setting(v) || v == verb::set || v == verb::clear || v == verb::pulse || v == verb::start || v == verb::test;
    return v != verb::nothing && !may_come_before;
}

std::vector<message> play_line(const play_command& c, player& p, bool (*goes_on)()) try {
    if (needs_start(c.what) && !p.is_started()) p.start();
    if (c.what == verb::start && p.is_started()) return {at(c, "the machine is already started", "to start again: restart")};
    if (is_input(c.what) || is_setting(c.what)) perform(c, p, goes_on);
    if (c.what != verb::expect) return {};
    const auto unmet = what_is_unmet(c.expected, p);
    if (unmet.empty()) return {};
    auto lines = unmet.substr(0, unmet.size() - 1);
    for (auto end = lines.find('\n'); end != lines.npos; end = lines.find('\n', end + 1)) lines.insert(end + 1, "    ");
    return {at(c, fmt::format("not as expected: {}", c.line.text), std::move(lines))};
} catch (const command_error& e) {
    return with_location(e.messages(), c);
} catch (const std::exception& e) {
    return {at(c, e.what())};
}

std::vector<message> run_test(const script& s, const script_test& test, player& p) {
    p.reset_all();
    for (const auto* list : {&s.before, &test.commands})
        for (const auto& c : *list)
            if (auto wrong = play_line(c, p); !wrong.empty()) return wrong;
    return {};
}

} // namespace hsm::detail::tool
