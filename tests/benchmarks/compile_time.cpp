// How long it takes to make a chart of the 1,000 states of many_states.py. How long the compiler took for them,
// report.py finds out.

#include "bench.hpp"
#include "many_states.hpp"

int main() {
    using clock = std::chrono::steady_clock;
    double best_ms = 1e9;
    bool correct = true;
    for (int i = 0; i < 10; ++i) {
        auto root = make_many_states();
        const auto begin = clock::now();
        const auto chart = hsm::compile(std::move(root));
        const std::chrono::duration<double, std::milli> elapsed = clock::now() - begin;
        best_ms = std::min(best_ms, elapsed.count());

        world context;
        hsm::instance agent(chart, context);
        agent.start(); // leaf 1
        agent.tick();  // leaf 2
        correct = correct && chart.state_count() == 1001 && context.value == 2;
    }
    std::printf("BENCH compile_time param=1000_states seconds=- chart_ms=%.1f checksum=%s\n", best_ms, correct ? "ok" : "wrong");
    return correct ? 0 : 1;
}
