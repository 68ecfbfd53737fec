#include <hsm/tool/detail/play_command.hpp>

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
    {"event", verb::event, "NAME [FIELD=VALUE]...", "an event comes"},
    {"tick", verb::tick, "[TIME] [xCOUNT]", "time passes (16ms), in so many ticks"},
    {"set", verb::set, "BIT", "a bit is set"},
    {"clear", verb::clear, "BIT", "a bit is no longer set"},
    {"pulse", verb::pulse, "BIT", "a bit is set until the end of the next tick"},
    {"finish", verb::finish, "[STATE]", "a state (the innermost) is over: what waits for its end may go on in the next tick"},
    {"release", verb::release, "[STATE]", "a state (the innermost) no longer holds"},
    {"force", verb::force, "STATE", "goes to that state, whatever stands in the way"},
    {"start", verb::start, "", "starts the machine"},
    {"restart", verb::restart, "", "stops the machine and starts it anew; settings stay"},
    {"guard", verb::guard, "NAME true|false|once|ask", "how a simulated guard answers; once: true to the next question, then false"},
    {"delay", verb::delay, "NAME TIME", "how long a simulated delay is, from the next time on that its state is entered"},
    {"expect", verb::expect, "...", "what must be so now, or must have happened in the last step: `help expect`"},
    {"test", verb::test, "NAME", "in scripts: a test begins, with a fresh machine"},
    {"possible", verb::possible, "", "what could happen now"},
    {"explain", verb::explain, "[EVENT]", "what the event, or the next tick, would do, and why not more"},
    {"why", verb::why, "STATE", "why it is not there: every way into that state, and what is missing"},
    {"tree", verb::tree, "[full]", "all states, active ones are marked; full: with transitions, guards and hooks"},
    {"path", verb::path, "", "what is active"},
    {"data", verb::data, "[NAME]", "the data of an SCXML document, with their values"},
    {"names", verb::names, "", "simulated guards and delays, bits and events, with their values"},
    {"history", verb::history, "", "what was said so far"},
    {"trace", verb::trace, "on|off", "tells every record of the machine"},
    {"undo", verb::undo, "", "takes back the last step"},
    {"save", verb::save, "FILE", "writes what was said so far as a script, which ends with what is active now"},
    {"load", verb::load, "FILE", "plays a script, from here on"},
    {"help", verb::help, "[COMMAND]", "this list, or more about a command"},
    {"quit", verb::quit, "", "ends the session, as Ctrl-D does"},
};

class command_reader {
public:
    command_reader(script_line line, const player& names) : names_(names), find_(names, command_.line) { command_.line = std::move(line); }

    play_command run() {
        if (here().empty()) return std::move(command_);
        const auto* const known = std::ranges::find(command_table, here().front().text, &play_word::word);
        if (known == std::end(command_table) || here().front().is_quoted) refuse_word();
        command_.what = known->what;
        takes_ = known->takes;
        read();
        if (command_.what != verb::expect && at_ < here().size()) find_.fail(here()[at_], "there is too much here", usage());
        return std::move(command_);
    }

private:
    const std::vector<script_word>& here() const { return command_.line.words; }
    bool more() const { return at_ < here().size(); }
    std::string usage() const { return fmt::format("it is: {}{}{}", here().front().text, takes_.empty() ? "" : " ", takes_); }

    [[noreturn]] void refuse_word() const {
        const auto& w = here().front();
        std::vector<std::string_view> known;
        for (const auto& p : command_table) known.push_back(p.word);
        guess_budget budget;
        std::string hint = "help lists all commands";
        const auto events = event_names(names_);
        if (std::ranges::find(events, w.text) != events.end())
            hint = fmt::format("if the event is meant: event {}", quoted_if_needed(w.text));
        else if (const auto closest = w.text.size() > longest_guessed ? std::string_view() : closest_name(w.text, known, budget); !closest.empty())
            hint = fmt::format("did you mean \"{}\"?", closest);
        find_.fail(w, fmt::format("there is no command \"{}\"", shown(w.text)), hint);
    }

    const script_word& next(std::string_view what) {
        if (!more()) find_.fail_at_end(fmt::format("{} is missing", what), usage());
        return here()[at_++];
    }

    void read() {
        switch (command_.what) {
        case verb::event: return read_event();
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
        case verb::expect: command_.expected = understand_expectation(command_.line, names_); return;
        case verb::test: return read_test();
        case verb::explain:
            if (more()) read_event_name();
            return;
        case verb::tree:
            command_.on = more();
            if (more() && here()[at_].text != "full") find_.fail(here()[at_], "there is too much here", usage());
            at_ = here().size() < 3 ? here().size() : at_ + 1;
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

    void read_event_name() {
        const auto& name = next("the name of an event");
        if (names_.takes_any_name() || find_.is_taken_by_its_beginning(name))
            command_.name = find_.event_name(name);
        else
            command_.number = find_.event(name);
    }

    void read_event() {
        read_event_name();
        for (; more(); ++at_) {
            const auto& text = here()[at_].text;
            const auto equals = text.find('=');
            if (equals == text.npos || equals == 0) find_.fail(here()[at_], "this is no field of an event", "a field is written like damage=3");
            command_.fields.push_back({text.substr(0, equals), text.substr(equals + 1)});
        }
    }

    time_span time(const script_word& w) const {
        const auto read = looks_like_time(w.text) ? time_from_text(w.text) : std::nullopt;
        if (read && *read < time_span()) find_.fail(w, "time does not run backwards");
        if (read) return *read;
        find_.fail(w, fmt::format("\"{}\" is no length of time", shown(w.text)), "it is written like 16ms, 1.5s or 2min");
    }

    void read_tick() {
        command_.time = time_span::from_nanoseconds(16'000'000);
        if (more() && !here()[at_].text.starts_with('x')) command_.time = time(here()[at_++]);
        if (!more()) return;
        const auto& w = here()[at_++];
        const auto* const end = w.text.data() + w.text.size();
        const auto read = std::from_chars(w.text.data() + 1, end, command_.times);
        if (!w.text.starts_with('x') || read.ec != std::errc() || read.ptr != end || command_.times == 0)
            find_.fail(w, fmt::format("\"{}\" is no number of ticks", shown(w.text)), "it is written like x10");
    }

    void read_guard() {
        command_.name = find_.guard(next("the name of a guard"));
        const auto& w = next("true, false, once or ask");
        constexpr std::pair<std::string_view, guard_setting> settings[] = {
            {"true", guard_setting::yes}, {"false", guard_setting::no}, {"once", guard_setting::once}, {"ask", guard_setting::ask}};
        const auto* const known = std::ranges::find(settings, w.text, [](const auto& s) { return s.first; });
        if (known == std::end(settings)) find_.fail(w, fmt::format("a guard cannot be \"{}\"", shown(w.text)), "it is true, false, once or ask");
        command_.setting = known->second;
    }

    bool on_or_off(const script_word& w) const {
        if (w.text != "on" && w.text != "off") find_.fail(w, fmt::format("\"{}\" is neither on nor off", shown(w.text)), usage());
        return w.text == "on";
    }

    /// Reads the rest of the line unchanged.
    void read_test() {
        next("its name");
        const bool alone = here().size() == 2;
        command_.name = alone ? here()[1].text : command_.line.text.substr(command_.line.text.find_first_not_of(" \t", here().front().text.size()));
        at_ = here().size();
        if (command_.name.empty()) find_.fail(here()[1], "a test needs a name", usage());
    }

    play_command command_;
    const player& names_;
    name_finder find_;
    std::string_view takes_;
    std::size_t at_ = 1;
};

} // namespace

std::span<const play_word> play_words() { return command_table; }

bool is_input(verb v) { return v >= verb::event && v <= verb::restart; }
bool is_setting(verb v) { return v == verb::guard || v == verb::delay; }

play_command understand_line(script_line line, const player& names) { return command_reader(std::move(line), names).run(); }

void perform(const play_command& c, player& p, bool (*goes_on)()) {
    switch (c.what) {
    case verb::event: return c.name.empty() ? p.event(c.number, c.fields) : p.event(c.name, c.fields);
    case verb::tick: return p.tick(c.time, c.times, goes_on);
    case verb::set: return p.set(c.name, true);
    case verb::clear: return p.set(c.name, false);
    case verb::pulse: return p.pulse(c.name);
    case verb::finish: return p.finish(c.name);
    case verb::release: return p.release(c.name);
    case verb::force: return p.force(c.name);
    case verb::start: return p.start();
    case verb::restart: return p.restart();
    case verb::guard: p.world().entry(behaviour_kind::guard, c.name).setting = c.setting; return;
    case verb::delay: p.world().entry(behaviour_kind::delay, c.name).length = c.time; return;
    default: return;
    }
}

} // namespace hsm::detail::tool
