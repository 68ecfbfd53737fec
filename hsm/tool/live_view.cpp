#include <hsm/tool/detail/live_view.hpp>

#include <hsm/inspect/detail/hub.hpp>
#include <hsm/inspect/detail/trace_feed.hpp>
#include <hsm/inspect/inspect_error.hpp>
#include <hsm/tool/detail/play_session.hpp>
#include <hsm/tool/detail/record_lines.hpp>

#include <chrono>
#include <thread>

namespace hsm::detail::tool {

namespace {

/// Ctrl-C, or the time of --seconds. Create it before other threads: they inherit that SIGINT is blocked.
class end_of_view {
public:
    explicit end_of_view(std::optional<double> seconds) : seconds_(seconds) {}

    bool has_come() const {
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - began_;
        return !interruptions::none() || (seconds_ && passed.count() >= *seconds_);
    }
    void wait() const {
        while (!has_come()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }

private:
    const interruptions caught_;
    const std::optional<double> seconds_;
    const std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
};

inspect::page_options options_of(const view_options& how) {
    inspect::page_options options;
    options.port = static_cast<std::uint16_t>(how.port);
    options.title = how.file;
    options.print = false;
    return options;
}

owned<inspect::detail::hub> hub_with(const inspect::page_options& options, environment& here) {
    try {
        auto made = make_owned<inspect::detail::hub>(options);
        here.terminal.print(made->url() + "\n");
        here.terminal.flush();
        return made;
    } catch (const inspect::inspect_error& e) {
        throw command_error({{.text = e.problem(), .hint = e.hint(), .code = e.number()}}, exit_code::failed);
    }
}

} // namespace

exit_code view_trace(const view_options& how, environment& here) {
    const end_of_view end(how.seconds);
    return with_file(how.file, [&] {
        trace_input trace(how.file, "reading", here);
        auto options = options_of(how);
        options.most.history = 10'000'000;
        options.most.memory = 1u << 30;
        const auto hub = hub_with(options, here);
        std::vector<chart_base> charts;
        for (const auto* const known : here.machines) charts.push_back(known->chart());
        inspect::detail::send_trace(trace.reader(), hub->new_feed(), charts, [&] { return !end.has_come(); });
        end.wait();
        return exit_code::fine;
    });
}

} // namespace hsm::detail::tool
