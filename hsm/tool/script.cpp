#include <hsm/tool/detail/script.hpp>

#include <hsm/op/detail/format.hpp>

namespace hsm::detail::tool {

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
        auto command = understand_line(split_words(text, made_.file, line), names_);
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

std::vector<message> with_place(std::vector<message> all, const play_command& c) {
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
    return with_place(e.messages(), c);
} catch (const std::exception& e) {
    return {at(c, e.what())};
}

std::vector<message> run_test(const script& s, const script_test& test, player& p) {
    p.begin_anew();
    for (const auto* list : {&s.before, &test.commands})
        for (const auto& c : *list)
            if (auto wrong = play_line(c, p); !wrong.empty()) return wrong;
    return {};
}

} // namespace hsm::detail::tool
