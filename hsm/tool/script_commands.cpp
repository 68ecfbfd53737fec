#include <hsm/tool/detail/script.hpp>

#include <hsm/define/detail/lookup.hpp>
#include <hsm/define/detail/shown.hpp>
#include <hsm/load/detail/time_text.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/tool/detail/name_finder.hpp>

#include <algorithm>
#include <charconv>

namespace hsm::detail::tool {

namespace {

constexpr play_word command_table[] = {
    {"event", verb::event, "NAME [FIELD=VALUE]...", "processes an event"},
    {"tick", verb::tick, "[TIME] [xCOUNT]", "runs a tick of this length (default: 16ms), COUNT times"},
    {"set", verb::set, "BIT", "sets a bit"},
    {"clear", verb::clear, "BIT", "clears a bit"},
    {"pulse", verb::pulse, "BIT", "sets a bit until the end of the next tick"},
    {"finish", verb::finish, "[STATE]", "marks a state (default: the innermost) as finished; its completion is handled in the next tick"},
    {"release", verb::release, "[STATE]", "ends the hold of a state (default: the innermost)"},
    {"force", verb::force, "STATE", "changes to this state, even if a state holds"},
    {"start", verb::start, "", "starts the machine"},
    {"restart", verb::restart, "", "stops the machine and starts it again; settings stay"},
    {"guard", verb::guard, "NAME true|false|once|ask", "sets the result of a simulated guard; once: the next result is true, then false"},
    {"delay", verb::delay, "NAME TIME", "sets the length of a simulated delay; it applies from the next entry of its state"},
    {"expect", verb::expect, "...", "checks the machine or the last step: `help expect`"},
    {"test", verb::test, "NAME", "in scripts: begins a test with a fresh machine"},
    {"possible", verb::possible, "", "lists what can happen now"},
    {"explain", verb::explain, "[EVENT]", "explains what the event, or the next tick, would do"},
    {"why", verb::why, "STATE", "explains why this state is not active: each way into it, and what is missing"},
    {"tree", verb::tree, "[full]", "prints all states and marks the active ones; full: with transitions, guards and hooks"},
    {"path", verb::path, "", "prints the active states"},
    {"data", verb::data, "[NAME]", "prints the data of an SCXML document"},
    {"names", verb::names, "", "prints simulated guards and delays, bits and events, with their values"},
    {"history", verb::history, "", "prints the commands so far"},
    {"trace", verb::trace, "on|off", "prints every record of the machine"},
    {"undo", verb::undo, "", "undoes the last step"},
    {"save", verb::save, "FILE", "writes the commands so far as a script; its last line expects the active states"},
    {"load", verb::load, "FILE", "plays a script from the current state"},
    {"help", verb::help, "[COMMAND]", "prints this list, or details of a command"},
    {"quit", verb::quit, "", "ends the session, as Ctrl-D does"},
};

class command_reader : word_reader {
public:
    command_reader(const script_line& line, const player& names) : word_reader(line, names) {}

    play_command run() {
        if (line_.words.empty()) return std::move(command_);
        const auto& word = line_.words.front();
        const auto* const known = std::ranges::find(command_table, word.text, &play_word::word);
        if (known == std::end(command_table) || word.is_quoted) refuse_word(word);
        command_.what = known->what;
        usage_ = fmt::format("write: {}{}{}", word.text, known->takes.empty() ? "" : " ", known->takes);
        read();
        if (command_.what != verb::expect) require_end();
        return std::move(command_);
    }

private:
    [[noreturn]] void refuse_word(const script_word& w) const {
        std::vector<std::string_view> known;
        for (const auto& p : command_table) known.push_back(p.word);
        guess_budget budget;
        std::string hint = "`help` lists the commands";
        const auto events = event_names(names_);
        if (std::ranges::find(events, w.text) != events.end())
            hint = fmt::format("to send the event: event {}", quoted_if_needed(w.text));
        else if (const auto closest = w.text.size() > longest_guessed ? std::string_view() : closest_name(w.text, known, budget); !closest.empty())
            hint = fmt::format("did you mean \"{}\"?", closest);
        find_.fail(w, fmt::format("there is no command \"{}\"", shown(w.text)), hint);
    }

    void read() {
        switch (command_.what) {
        case verb::event: return read_event_and_fields();
        case verb::tick: return read_tick();
        case verb::set:
        case verb::clear:
        case verb::pulse: command_.name = find_.condition(next("the name of a bit")); return;
        case verb::finish:
        case verb::release:
            if (more()) read_state();
            return;
        case verb::force:
        case verb::why: return read_state();
        case verb::guard: return read_guard();
        case verb::delay: {
            command_.name = find_.delay(next("the name of a delay"));
            command_.time = time(next("a time"));
            return;
        }
        case verb::expect: command_.expected = parse_expectation(line_, names_); return;
        case verb::test: return read_test();
        case verb::explain:
            if (more()) read_event(command_.name, command_.number);
            return;
        case verb::tree:
            command_.on = more();
            if (more() && here().text != "full") require_end();
            if (more()) ++at_;
            return;
        case verb::data:
            if (more()) command_.name = find_.data(next(""));
            return;
        case verb::trace: command_.on = on_or_off(next("on or off")); return;
        case verb::save:
        case verb::load: command_.name = next("the name of a file").text; return;
        case verb::help:
            if (more()) command_.name = next("").text;
            return;
        default: return;
        }
    }

    void read_state() { command_.name = names_.chart().state(find_.state(next("the name of a state"))).path(); }

    void read_event_and_fields() {
        read_event(command_.name, command_.number);
        for (; more(); ++at_) {
            const auto& text = here().text;
            const auto equals = text.find('=');
            if (equals == text.npos || equals == 0) find_.fail(here(), "this is not a field of an event", "write a field like damage=3");
            command_.fields.push_back({text.substr(0, equals), text.substr(equals + 1)});
        }
    }

    time_span time(const script_word& w) const {
        const auto read = looks_like_time(w.text) ? time_from_text(w.text) : std::nullopt;
        if (read && *read < time_span()) find_.fail(w, "the time is negative");
        if (read) return *read;
        find_.fail(w, fmt::format("\"{}\" is not a time", shown(w.text)), "write a time like 16ms, 1.5s or 2min");
    }

    void read_tick() {
        command_.time = time_span::from_nanoseconds(16'000'000);
        if (more() && !here().text.starts_with('x')) command_.time = time(line_.words[at_++]);
        if (!more()) return;
        const auto& w = line_.words[at_++];
        const auto* const end = w.text.data() + w.text.size();
        const auto read = std::from_chars(w.text.data() + 1, end, command_.times);
        if (!w.text.starts_with('x') || read.ec != std::errc() || read.ptr != end || command_.times == 0)
            find_.fail(w, fmt::format("\"{}\" is not a number of ticks", shown(w.text)), "write a count like x10");
    }

    void read_guard() {
        command_.name = find_.guard(next("the name of a guard"));
        const auto& w = next("true, false, once or ask");
        const auto known = guard_setting_of(w.text);
        if (!known) find_.fail(w, fmt::format("a guard cannot be \"{}\"", shown(w.text)), "write true, false, once or ask");
        command_.setting = *known;
    }

    bool on_or_off(const script_word& w) const {
        if (w.text != "on" && w.text != "off") find_.fail(w, fmt::format("\"{}\" is neither on nor off", shown(w.text)), usage_);
        return w.text == "on";
    }

    /// Reads the rest of the line unchanged.
    void read_test() {
        next("its name");
        const auto& words = line_.words;
        command_.name = words.size() == 2 ? words[1].text : line_.text.substr(line_.text.find_first_not_of(" \t", words.front().text.size()));
        at_ = words.size();
        if (command_.name.empty()) find_.fail(words[1], "a test needs a name", usage_);
    }

    play_command command_;
};

} // namespace

std::span<const play_word> play_words() { return command_table; }

bool is_input(verb v) { return v >= verb::event && v <= verb::restart; }
bool is_setting(verb v) { return v == verb::guard || v == verb::delay; }

play_command parse_command(script_line line, const player& names) {
    auto made = command_reader(line, names).run();
    made.line = std::move(line);
    return made;
}

void perform(const play_command& c, player& p, bool (*goes_on)()) {
    switch (c.what) {
    case verb::event: return c.name.empty() ? p.event(c.number, c.fields) : p.event(c.name, data_of(c.fields));
    case verb::tick: return p.tick(c.time, c.times, goes_on);
    case verb::set: return p.set(c.name, true);
    case verb::clear: return p.set(c.name, false);
    case verb::pulse: return p.pulse(c.name);
    case verb::finish: return p.finish(c.name);
    case verb::release: return p.release(c.name);
    case verb::force: return p.force(c.name);
    case verb::start: return p.start();
    case verb::restart: return p.restart();
    case verb::guard: p.sim().entry(behavior_kind::guard, c.name).setting = c.setting; return;
    case verb::delay: p.sim().entry(behavior_kind::delay, c.name).length = c.time; return;
    default: return;
    }
}

} // namespace hsm::detail::tool
