#include <hsm/tool/detail/live_view.hpp>

#include <hsm/draw/detail/lines.hpp>
#include <hsm/inspect/detail/hub.hpp>
#include <hsm/inspect/detail/lane_core.hpp>
#include <hsm/inspect/inspect_error.hpp>
#include <hsm/observe/trace_writer.hpp>
#include <hsm/tool/detail/input_replay.hpp>
#include <hsm/tool/detail/play_session.hpp>
#include <hsm/tool/detail/record_lines.hpp>

#include <poll.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <thread>

namespace hsm::detail::tool {

namespace {

using clock = std::chrono::steady_clock;
using inspect::detail::machine_kind;

constexpr std::chrono::milliseconds frame(20); ///< the length of a tick

/// Ctrl-C, or the time of --seconds. Create it before other threads: they inherit that SIGINT is blocked.
class end_of_view {
public:
    explicit end_of_view(std::optional<double> seconds) : seconds_(seconds) {}

    bool has_come() const {
        const std::chrono::duration<double> passed = clock::now() - began_;
        return !interruptions::none() || (seconds_ && passed.count() >= *seconds_);
    }
    void wait() const {
        while (!has_come()) std::this_thread::sleep_for(frame);
    }

private:
    const interruptions caught_;
    const std::optional<double> seconds_;
    const clock::time_point began_ = clock::now();
};

owned<inspect::detail::hub> new_hub(const view_options& how) {
    inspect::page_options options;
    options.port = static_cast<std::uint16_t>(how.port);
    options.title = how.file;
    options.print = false;
    options.most.history = 10'000'000;
    options.most.memory = 1u << 30;
    try {
        return make_owned<inspect::detail::hub>(options);
    } catch (const inspect::inspect_error& e) {
        throw command_error({message_of(e.report())}, exit_code::failed);
    }
}

void print_url(const inspect::detail::hub& page, environment& here) {
    here.terminal.print(page.url() + "\n");
    here.terminal.flush();
}

// Traces and logs.

exit_code view_records(trace_reader& from, const view_options& how, environment& here) {
    const end_of_view end(how.seconds);
    const auto page = new_hub(how);
    print_url(*page, here);
    std::vector<chart_base> charts;
    for (const auto* const known : here.machines) charts.push_back(known->chart());
    send_trace(from, page->new_feed(), charts, [&] { return !end.has_come(); });
    end.wait();
    return exit_code::fine;
}

/// Returns the trace of a replay. Prints the first difference from the log.
std::string trace_of_replay(const view_options& how, environment& here) {
    input_replay inputs(how.file, how.machine, here);
    std::string bytes;
    string_sink sink(bytes);
    trace_writer writer(sink, {.describe_events = true, .name = inputs.known().name()});
    auto traced = inputs.session().machine().attach(writer);
    const auto found = inputs.run(here);
    traced.detach();
    writer.close();
    if (found)
        print_messages({{.kind = message_kind::warning,
                         .text = "the replay differs from the log, and ends there: " + found->to_string(),
                         .where = {shown_file(how.file), 0, 0}}},
                       here);
    return bytes;
}

// Machines that run.

/// The lines of stdin, which are read between frames.
class typed_lines {
public:
    explicit typed_lines(console& from) : from_(from) { std::setvbuf(from.in(), nullptr, _IONBF, 0); } // poll does not see a buffer

    /// Returns whether a line arrived before `limit`.
    bool wait(std::string& line, clock::time_point limit) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(limit - clock::now()).count();
        pollfd input{has_ended_ ? -1 : fileno(from_.in()), POLLIN, 0};
        if (::poll(&input, 1, std::max(0, static_cast<int>(left))) <= 0) return false;
        if (from_.in_is_terminal() && tcgetpgrp(input.fd) != getpgrp()) { // to read in the background would stop the process
            std::this_thread::sleep_until(limit);
            return false;
        }
        has_ended_ = !from_.read_line(line);
        return !has_ended_;
    }

private:
    console& from_;
    bool has_ended_ = false;
};

/// A machine on the page. Lines of stdin are inputs and settings of simulated behavior.
class viewed_machine {
public:
    viewed_machine(machine_to_play& what, const view_options& how, environment& here)
        : here_(here), what_(what), player_(what), page_(new_hub(how)), lane_(list_, page_->new_feed()), lines_(here.terminal) {
        player_.guards_at_first = how.guards;
        player_.reset_all();
        list();
        print_url(*page_, here_);
    }

    void run(const end_of_view& end) {
        step([&] { player_.start(); });
        std::string line;
        for (auto next = clock::now() + frame; !end.has_come(); next = std::max(next + frame, clock::now())) {
            while (lines_.wait(line, next)) play(line);
            reload();
            lane_.poll();
            if (!lane_.runs(player_.machine())) continue;
            step([&] { player_.tick(frame); });
        }
    }

private:
    static const inspect::detail::watched_calls document_calls;

    /// Runs a step of the player, and prints what hooks threw and what documents log.
    template <class Step> result step(Step take) {
        take();
        for (const auto& h : player_.happened()) {
            if (h.kind == happening::thrown) print_messages({{.text = "a hook threw: " + h.text}}, here_);
            if (h.kind == happening::logged) here_.terminal.print(legible_line(text_of_log(h)) + "\n");
        }
        here_.terminal.flush();
        return player_.outcome().value_or(result::inactive);
    }
    void play(const std::string& line) {
        std::vector<message> problems;
        try {
            const auto c = parse_command(split_words(line, "(stdin)", ++line_), player_);
            if (c.what == verb::names)
                here_.terminal.print(text_of_names(player_));
            else if (is_input(c.what) || is_setting(c.what))
                step([&] { problems = play_line(c, player_); });
            else if (c.what != verb::nothing)
                throw command_error(
                    {{.text = "`view` does not accept this line", .hint = "write an input, `guard`, `delay` or `names`", .where = c.line.where}},
                    exit_code::found);
        } catch (...) {
            problems = current_error().messages();
        }
        print_messages(problems, here_);
    }

    void list() {
        const auto file = what_.file();
        const auto name = player_.chart().root().name();
        auto machine = inspect::detail::watch(player_.machine());
        if (player_.takes_any_name()) machine = {.kind = machine_kind::session, .object = machine.object, .calls = &document_calls, .session = this};
        lane_.add(name.empty() ? std::string_view(file) : name, machine);
        lane_.record(player_.machine());
    }
    /// Looks for a new content of the file a few times per second. The page then lists the machine again, with its new chart.
    void reload() {
        if (++frames_ % 10 != 0) return;
        try {
            const auto report = what_.reload(player_.session(), here_);
            if (!report) return;
            player_.chart_changed();
            lane_.remove(player_.machine());
            list();
            print_messages(what_.warnings(), here_);
            here_.terminal.print(text_of_reload(*report, what_.file()));
        } catch (...) {
            print_messages(current_error().messages(), here_);
            here_.terminal.print("the machine is unchanged\n");
        }
        here_.terminal.flush();
    }

    environment& here_;
    machine_to_play& what_;
    player player_;
    const owned<inspect::detail::hub> page_;
    inspect::detail::listing list_{1};
    inspect::detail::lane_core lane_;
    typed_lines lines_;
    std::uint32_t line_ = 0, frames_ = 0;
};

inspect::inspect_error without_documents() {
    return {code::not_offered, "the simulation of an SCXML document cannot be saved or loaded", "use a session in your program"};
}

/// Calls of a document, which runs its machine by its own rules.
constexpr inspect::detail::watched_calls viewed_machine::document_calls{
    [](const void*) -> std::string { throw without_documents(); },
    [](void*, std::string_view) -> restored { throw without_documents(); },
    [](void* self) {
        auto& v = *static_cast<viewed_machine*>(self);
        return v.step([&] { v.player_.start(); });
    },
    [](void* self) {
        auto& v = *static_cast<viewed_machine*>(self);
        return v.step([&] { v.player_.stop(); });
    },
    [](void* self, std::string_view event, const std::string& data) {
        auto& v = *static_cast<viewed_machine*>(self);
        event_data value;
        if (!data.empty() && !read_json(data, value)) throw command_error("the data is not JSON", "pass a JSON object");
        return v.step([&] { v.player_.event(std::string(event), value); });
    },
    [](const void* self) { return static_cast<const viewed_machine*>(self)->player_.is_over(); },
};

} // namespace

exit_code view_file(const view_options& how, environment& here) {
    const bool is_known = how.loading.over.empty() && find_machine(how.file, here);
    const auto kind = how.file == "-" ? recording::trace : is_known ? recording::none : recording_in(how.file);
    if (kind == recording::none) {
        machine_to_play what(how.file, how.loading, here);
        if (what.can_be_reloaded()) what.watch();
        print_messages(what.warnings(), here);
        const end_of_view end(how.seconds);
        viewed_machine(what, how, here).run(end);
        return exit_code::fine;
    }
    return with_file(how.file, [&] {
        if (kind == recording::log) {
            const auto trace = trace_of_replay(how, here);
            memory_source bytes(trace);
            trace_reader reader(bytes);
            return view_records(reader, how, here);
        }
        trace_input trace(how.file, "reading", here);
        return view_records(trace.reader(), how, here);
    });
}

} // namespace hsm::detail::tool
