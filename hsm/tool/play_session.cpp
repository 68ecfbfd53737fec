#include <hsm/tool/detail/play_session.hpp>

#include <hsm/observe/explain.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/tool/detail/name_finder.hpp>
#include <hsm/tool/detail/output_file.hpp>
#include <hsm/tool/detail/script.hpp>

#include <algorithm>
#include <utility>

namespace hsm::detail::tool {

namespace {

constexpr std::size_t lines_of_tree_at_first = 40;
constexpr std::size_t lines_of_choices = 12;

} // namespace

play_session::play_session(machine_to_play& what, environment& here, guard_setting guards)
    : what_(what), here_(here), paint_(here.terminal), player_(what) {
    player_.guards_at_first = guards;
    player_.listen(this);
    player_.reset_all();
}

void play_session::greet() {
    const bool shown = is_at_terminal();
    (void)player_.take_thrown();
    if (shown) print(fmt::format("{}: `help` lists the commands, Ctrl-D ends.\n\n", paint_(style::bold, player_.chart().root().name())));
    player_.start();
    if (!here_.terminal.in_is_terminal()) unexpected_ = player_.take_thrown();
    print(text_of_step(player_, paint_));
    print(fmt::format("now {}\n", paint_(style::green, text_of_active(player_))));
    if (!shown) return;
    if (player_.chart().states().size() <= lines_of_tree_at_first) print('\n' + text_of_tree(player_, paint_));
    print("\n");
    print_next();
}

bool play_session::reload() try {
    const auto report = what_.reload(player_.session(), here_);
    if (!report) return false;
    player_.chart_changed();
    done_.clear();
    print_messages(what_.warnings(), here_);
    print(text_of_reload(*report, what_.file()));
    print(fmt::format("now {}\n", paint_(style::green, player_.is_started() ? text_of_active(player_) : "not started")));
    return true;
} catch (...) {
    fail(current_error().messages());
    print("the machine is unchanged\n");
    return true;
}

std::string play_session::prompt() const {
    const auto active = player_.is_started() ? text_of_active(player_) : std::string("not started");
    return paint_(style::bold, active + "> ");
}

void play_session::fail(const std::vector<message>& all) {
    print_messages(all, here_);
    if (!here_.terminal.in_is_terminal()) code_ = exit_code::found;
}

/// Records exceptions in noninteractive sessions. An exception is a failure unless a line expects it before the next input or the end.
void play_session::update_exit_code(const play_command& c) {
    if (unexpected_ && is_input(c.what)) code_ = exit_code::found;
    if (player_.take_thrown()) unexpected_ = true;
    if (c.what == verb::expect && c.expected.kind == expectation::thrown && c.expected.wanted) unexpected_ = false;
}

bool play_session::handle(std::string_view text, const std::string& file, std::uint32_t line) try {
    const auto c = parse_command(split_words(text, file, line), player_);
    const bool goes_on = do_it(c);
    if (!here_.terminal.in_is_terminal()) update_exit_code(c);
    return goes_on;
} catch (...) {
    auto all = current_error().messages();
    for (auto& m : all) {
        if (m.where.line == 0 && m.where.file.empty()) m.where = {file, line, 1};
        if (here_.terminal.in_is_terminal() && m.where.file == file) m.where = {}; // the user sees the line
    }
    fail(all);
    return true;
}

bool play_session::do_it(play_command c) {
    if (is_input(c.what) || is_setting(c.what)) {
        step(std::move(c));
        return true;
    }
    switch (c.what) {
    case verb::quit: return false;
    case verb::undo: undo(); break;
    case verb::save: save(c.name); break;
    case verb::load: load(c.name); break;
    case verb::help: help(c.name); break;
    case verb::history: history(); break;
    case verb::trace: player_.stores_records = c.on; break;
    case verb::test:
        throw command_error({{.text = "`test` is only for scripts", .hint = "remove it; the session continues", .where = c.line.where}},
                            exit_code::found);
    case verb::expect: {
        const auto wrong = play_line(c, player_);
        if (!wrong.empty())
            fail(wrong);
        else if (here_.terminal.out_is_terminal())
            print("as expected\n");
        done_.push_back({std::move(c), {}});
        break;
    }
    default: look(c); break;
    }
    return true;
}

void play_session::step(play_command c) {
    if (c.what == verb::start && player_.is_started()) throw command_error("the machine is already started", "to start again: restart");
    answers_.clear();
    perform(c, player_, &interruptions::none);
    if (interruptions::taken()) {
        print("interrupted\n");
        if (c.what == verb::tick) shorten(c);
    }
    print_step(c);
    if (c.times > 0) done_.push_back({std::move(c), std::move(answers_)});
}

/// Sets the number of ticks that were executed, so a repetition does the same.
void play_session::shorten(play_command& c) const {
    c.times = player_.ticks();
    c.line.text = fmt::format("tick {} x{}", hsm::to_string(c.time), c.times);
}

/// Prints the happenings of the step. If there were none, explains why.
void play_session::print_step(const play_command& c) {
    if (is_setting(c.what)) return;
    const auto effects = text_of_step(player_, paint_);
    print(effects);
    if (player_.has_changed()) {
        print(fmt::format("now {}\n", paint_(style::green, text_of_active(player_))));
        if (const auto more = player_.session().describe(); !more.empty()) print(indented(more, 2));
        if (is_at_terminal()) print_next();
        return;
    }
    const auto outcome = player_.outcome().value_or(result::taken);
    if (outcome == result::queued) print("it applies from the next tick\n");
    const bool does_nothing = outcome == result::guarded || outcome == result::unhandled || outcome == result::inactive || outcome == result::refused;
    if (!does_nothing) return;
    print(fmt::format("nothing happens{}\n", c.what == verb::tick && outcome == result::unhandled ? "" : fmt::format(" ({})", to_string(outcome))));
    const simulation::assumption answers(player_.sim(), false);
    if (c.what == verb::tick) return print(delays_not_due(player_));
    if (c.what != verb::event) return;
    const auto why = explained(player_, c.number, c.name);
    const auto first = why.find('\n');
    if (first != why.npos) print(why.substr(first + 1));
}

/// Prints the possible next inputs if there are few.
void play_session::print_next() {
    if (player_.is_over()) return print("to start again: `restart`\n");
    const auto next = text_of_possible(player_, paint_);
    const auto lines = static_cast<std::size_t>(std::ranges::count(next, '\n'));
    print("possible now:\n" + (lines <= lines_of_choices ? indented(next, 2) : fmt::format("  {} entries: `possible` lists them\n", lines)));
}

void play_session::print_why(const std::string& text) {
    print(text);
    const auto asks = [](const simulated_name& n) { return n.kind == behavior_kind::guard && n.setting == guard_setting::ask; };
    const bool refuses = text.find("returns false") != text.npos;
    if (refuses && std::ranges::any_of(player_.sim().names(), asks)) print("(guards with the setting `ask` are treated as false)\n");
}

bool play_session::is_at_terminal() const { return here_.terminal.in_is_terminal() && here_.terminal.out_is_terminal(); }

void play_session::look(const play_command& c) {
    const simulation::assumption answers(player_.sim(), false);
    switch (c.what) {
    case verb::possible: return print(text_of_possible(player_, paint_));
    case verb::explain: {
        if (c.number == record::no_number && c.name.empty()) return print_why(explained(player_));
        const auto text = explained(player_, c.number, c.name);
        if (text.empty())
            throw command_error("an event with data cannot be explained in advance",
                                fmt::format("process it with `event {}`, then `undo`", quoted_if_needed(player_.chart().event(c.number).name())));
        return print_why(text);
    }
    case verb::why: {
        const auto s = player_.chart().find(c.name);
        if (player_.is_in(s)) return print(fmt::format("{} is active\n", c.name));
        return print_why(why_not_there(player_, s));
    }
    case verb::tree: return c.on ? here_.terminal.write(text_of_whole_tree(player_, here_.terminal)) : print(text_of_tree(player_, paint_));
    case verb::path: return print(text_of_active(player_) + '\n');
    case verb::names: return print(text_of_names(player_, paint_));
    case verb::data: return print(text_of_data(player_, c.name));
    default: return;
    }
}

void play_session::history() {
    std::size_t number = 0;
    for (const auto& e : done_) {
        print(fmt::format("{:3} {}\n", ++number, e.command.line.text));
        for (const auto& a : e.answers) print(fmt::format("      {} was {}\n", a.guard, a.yes));
    }
    if (done_.empty()) print("no commands so far\n");
}

void play_session::again(entry& e) {
    known_.assign(e.answers.begin(), e.answers.end());
    try {
        if (e.command.what != verb::expect) perform(e.command, player_);
    } catch (const std::exception&) { // the first execution threw as well
    }
    known_.clear();
}

/// Repeats all steps but the last on a fresh machine. The result is the same if the machine's own behavior is deterministic.
void play_session::undo() {
    while (!done_.empty() && done_.back().command.what == verb::expect) done_.pop_back();
    if (done_.empty()) throw command_error("nothing to undo");
    const auto text = done_.back().command.line.text;
    done_.pop_back();
    const bool records = player_.stores_records;
    player_.stores_records = false;
    is_repeated_ = true;
    player_.reset_all();
    player_.start();
    for (auto& e : done_) again(e);
    is_repeated_ = false;
    (void)player_.take_thrown();
    player_.stores_records = records;
    print(fmt::format("undone: {}\nnow {}\n", text, paint_(style::green, text_of_active(player_))));
}

void play_session::save(const std::string& path) {
    std::string text = fmt::format("# {}\n", what_.file().empty() ? std::string(player_.chart().root().name()) : what_.file());
    for (const auto& e : done_) {
        for (const auto& a : e.answers) text += fmt::format("guard {} {}\n", quoted_if_needed(a.guard), a.yes);
        if (e.command.what != verb::guard || e.command.setting != guard_setting::ask) text += e.command.line.text + '\n';
    }
    std::string active;
    for (const auto leaf : player_.machine().leaves()) active += ' ' + quoted_if_needed(leaf.path());
    if (!active.empty()) text += "expect in" + active + '\n';
    write_output(path, text, here_);
    if (path != "-") print(fmt::format("wrote the script {}; to run it: {} test FILE {}\n", path, here_.program, quoted_if_needed(path)));
}

/// Executes the lines of a script as if they were typed.
void play_session::load(const std::string& path) {
    const auto s = read_script(read_input(path, here_), path, player_);
    if (!s.before.empty() || s.tests.size() != 1)
        throw command_error(fmt::format("{} contains tests, which begin with fresh machines", path),
                            fmt::format("{} test FILE {}", here_.program, path));
    for (const auto& c : s.tests.front().commands) {
        print(fmt::format("{} {}\n", paint_(style::faint, ">"), c.line.text));
        if (c.what == verb::start && player_.is_started()) continue;
        do_it(c);
    }
}

void play_session::play(const std::string& path) {
    const auto s = read_script(read_input(path, here_), path, player_);
    for (const auto& test : s.tests) {
        if (s.tests.size() > 1) print(paint_(style::bold, fmt::format("test {}", test.name)) + '\n');
        player_.reset_all();
        if (std::exchange(unexpected_, false)) code_ = exit_code::found;
        bool failed = false;
        for (const auto* list : {&s.before, &test.commands})
            for (const auto& c : *list) {
                if (failed) continue;
                print(fmt::format("{} {}\n", paint_(style::faint, ">"), c.line.text));
                const auto wrong = play_line(c, player_, &interruptions::none);
                update_exit_code(c);
                failed = !wrong.empty();
                if (failed) {
                    print_messages(wrong, here_);
                    code_ = exit_code::found;
                } else if (is_input(c.what)) {
                    print_step(c);
                } else if (!is_setting(c.what) && c.what != verb::expect) {
                    look(c);
                }
            }
    }
}

bool play_session::ask(const simulated_name& guard) {
    auto& setting = player_.sim().entry(behavior_kind::guard, guard.name).setting;
    if (is_repeated_) {
        if (known_.empty()) return false;
        const auto a = known_.front();
        known_.pop_front();
        setting = a.after;
        return a.yes;
    }
    if (!interruptions::none()) return false;
    const bool at_terminal = is_at_terminal();
    std::string line;
    while (true) {
        if (at_terminal) print(fmt::format("  {} [y]es [n]o [a]lways ne[v]er: ", paint_(style::yellow, guard.name + '?')));
        here_.terminal.flush();
        if (!here_.terminal.read_line(line)) {
            if (at_terminal) print("\n");
            std::clearerr(here_.terminal.in());
            line = "n";
        }
        const auto first = line.find_first_not_of(" \t");
        const char c = first == line.npos ? '\0' : line[first];
        if (c == 'a') setting = guard_setting::yes;
        if (c == 'v') setting = guard_setting::no;
        if (c == 'y' || c == 'a' || c == 'n' || c == 'v') {
            const bool yes = c == 'y' || c == 'a';
            answers_.push_back({guard.name, yes, setting});
            return yes;
        }
        here_.terminal.complain(fmt::format("  unknown answer: {}\n", line));
        if (!at_terminal) code_ = exit_code::found;
    }
}

void play_session::help(const std::string& about) {
    std::string text;
    if (about == "expect") {
        for (const auto& w : expect_words())
            text += fmt::format("  {:44} {}\n", fmt::format("expect {}{}{}", w.word, w.takes.empty() ? "" : " ", w.takes), w.help);
        text += "\n`expect not …` expects the opposite.\n";
        return print(text);
    }
    for (const auto& w : play_words())
        if (about.empty() || w.word == about)
            text += fmt::format("  {:32} {}\n", fmt::format("{}{}{}", w.word, w.takes.empty() ? "" : " ", w.takes), w.help);
    if (text.empty()) throw command_error(fmt::format("there is no command \"{}\"", about), "`help` lists the commands");
    print(text);
}

} // namespace hsm::detail::tool
