// A tick in which every polled transition refuses: what it costs by the number of guards on the active path, which are
// spread evenly over its states, and by its length.

#include "machine.hpp"

#include <chrono>

using namespace std::chrono_literals;

namespace {

struct world {
    bool ready = false;
};

auto make_chart(int depth, int guards) {
    auto root = hsm::make_fsm<world>("root");
    std::vector<hsm::state<world>*> path, others;
    auto* machine = root.get();
    for (int i = 1; i <= depth; ++i) {
        const auto number = std::to_string(i);
        auto* const inner = i < depth ? &machine->add_fsm("level" + number) : nullptr;
        path.push_back(inner ? inner : &machine->add("leaf"));
        others.push_back(&machine->add("other" + number));
        if (inner) machine = inner;
    }
    const auto ready = [](const world& w) {
        bench::count(0);
        return w.ready;
    };
    for (int i = 0; i < guards; ++i) {
        const auto level = static_cast<std::size_t>(i % depth);
        path[level]->to(*others[level]).when(ready);
    }
    return hsm::compile(std::move(root), bench::without_times);
}

/// A state that holds, and leaves after a time that does not come.
auto make_waiting_chart() {
    auto root = hsm::make_fsm<world>("root");
    auto& stagger = root->add("stagger").min_duration(1000h).hold_until([](const world& w) { return w.ready; });
    stagger.to(root->add("idle")).after(2000h);
    return hsm::compile(std::move(root), bench::without_times);
}

/// A character's animations, in none of which anything is asked for; every one has a way out by two conditions.
auto make_bits_chart() {
    auto root = hsm::make_fsm<world>("root");
    auto& body = root->add_fsm("body");
    auto& idle = body.add("idle");
    auto& run = body.add("run");
    auto& jump = body.add("jump");
    idle.to(run).when(hsm::all("IsRun", "!IsTired"));
    idle.to(jump).when(hsm::any("IsJump", "IsThrown"));
    run.to(idle).when("!IsRun");
    run.to(jump).when("IsJump");
    jump.to(idle).when(hsm::is_over);
    body.to(root->add("dead")).when("IsDead");
    return hsm::compile(std::move(root), bench::without_times);
}

struct ticking : bench::machine<world, int> {
    using machine::machine;
    void process(std::uint8_t) { agent().tick(); }
};

/// The time is not known when it is compiled.
struct ticking_for : bench::machine<world, int> {
    using machine::machine;
    void process(std::uint8_t ns) { agent().tick(hsm::time_span::from_nanoseconds(ns)); }
};

} // namespace

int main(int argc, char** argv) {
    bench::program program(argc, argv);
    for (const int depth : {1, 4, 16})
        for (const int guards : {0, 4, 16, 64})
            program.measure({"idle_tick", "depth" + std::to_string(depth) + "_guards" + std::to_string(guards),
                             bench::checksum_of(bench::event_count * static_cast<std::uint64_t>(guards))},
                            [&] { return ticking(make_chart(depth, guards)); });
    program.measure({"idle_tick", "holding_until_after", bench::checksum_of(0)}, [] { return ticking(make_waiting_chart()); });
    program.measure({"idle_tick", "bits", bench::checksum_of(0)}, [] { return ticking_for(make_bits_chart()); });
    return program.status();
}
