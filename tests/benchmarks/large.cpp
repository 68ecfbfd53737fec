// A definition larger than most: 10,000 states in 99 machines, 1,000 events, of which the root answers one, and each
// other state three. What is told of memory is the most that was in use at any time, above what the definition itself
// takes.

#include "machine.hpp"

#include <cstring>

namespace {

enum class signal : std::uint16_t {};
struct nothing {};

constexpr unsigned machines = 99, leaves = 100, events = 1000; // 1 + 99 * (1 + 100) = 10,000 states

using siblings = std::vector<hsm::state<nothing>*>;

/// From each of them to the next three, by events between 1 and 999.
void connect(const siblings& states, unsigned first) {
    for (unsigned i = 0; i < states.size(); ++i)
        for (unsigned k = 1; k <= 3; ++k) states[i]->to(*states[(i + k) % states.size()]).on(signal(1 + (first + i * 7 + k * 97) % (events - 1)));
}

auto define() {
    auto root = hsm::make_fsm<nothing>("root");
    root->on(signal(0)).then([](nothing&) { bench::count(0); });
    siblings all_machines;
    for (unsigned i = 0; i < machines; ++i) {
        auto& machine = root->add_fsm("machine" + std::to_string(i));
        all_machines.push_back(&machine);
        siblings all_leaves;
        for (unsigned j = 0; j < leaves; ++j) all_leaves.push_back(&machine.add("leaf" + std::to_string(j)));
        connect(all_leaves, i * 331);
    }
    connect(all_machines, 500);
    return root;
}

/// A line of /proc/self/status, in MB; 0 where there is none.
double memory(const char* what) {
    double kilobytes = 0;
    if (auto* const file = std::fopen("/proc/self/status", "r")) {
        char line[256];
        while (std::fgets(line, sizeof line, file))
            if (std::strncmp(line, what, std::strlen(what)) == 0) kilobytes = std::atof(line + std::strlen(what));
        std::fclose(file);
    }
    return kilobytes / 1024;
}

double seconds() {
    const std::chrono::duration<double> now = std::chrono::steady_clock::now().time_since_epoch();
    return now.count();
}

/// Most of what is to be checked is that it compiles at all.
bool works(const hsm::chart<nothing>& chart) {
    nothing context;
    hsm::instance agent(chart, context, bench::without_queues);
    agent.start();
    return chart.state_count() == 10000 && agent.process(signal(0)) == hsm::result::internal && agent.process(signal(98)) == hsm::result::taken &&
           agent.current() == chart.find("machine0/leaf1");
}

} // namespace

int main() {
    const auto begin = seconds();
    auto root = define();
    const auto defined = seconds();
    const auto before = memory("VmRSS:");
    const auto chart = hsm::compile(std::move(root));
    const auto compiled = seconds();
    const bool correct = works(chart);
    std::printf("BENCH large param=10000_states_1000_events compile_seconds=%.2f compile_peak_mb=%.0f chart_mb=%.0f "
                "define_seconds=%.2f "
                "define_mb=%.0f checksum=%s\n",
                compiled - defined, memory("VmHWM:") - before, memory("VmRSS:") - before, defined - begin, before, correct ? "ok" : "wrong");
    return correct ? 0 : 1;
}
