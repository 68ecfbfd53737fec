// An event that no state on the active path handles, at several depths.

#include "machine.hpp"

namespace {

struct nothing {};
enum class signal : std::uint8_t { one, two, three };
enum class rare : std::uint8_t { one };
struct known {};
struct unknown {};

/// A state that is never active handles the events; they are known, as most are that come.
auto make_chart(int depth) {
    auto root = hsm::make_fsm<nothing>("root");
    auto* machine = root.get();
    for (int i = 1; i < depth; ++i) machine = &machine->add_fsm("level" + std::to_string(i));
    auto& leaf = machine->add("leaf");
    auto& other = machine->add("other");
    other.to(leaf).on<signal::one>();
    other.to(leaf).on<signal::two>();
    other.to(leaf).on<signal::three>();
    other.to(leaf).on<rare::one>();
    other.to(leaf).on<known>();
    return hsm::compile(std::move(root), bench::without_times);
}

/// It counts if the event is handled after all.
template <class Event> struct deaf : bench::machine<nothing, signal> {
    using machine::machine;
    void start() {
        machine::start();
        if (agent().process(Event{}) != hsm::result::unhandled) bench::count(0);
    }
    void process(std::uint8_t) { agent().process(Event{}); }
};

template <class Event> void run(bench::program& program, int depth, const char* what) {
    program.measure({"unhandled", "depth" + std::to_string(depth) + "_" + what, bench::checksum_of(0)},
                    [&] { return deaf<Event>(make_chart(depth)); });
}

} // namespace

int main(int argc, char** argv) {
    bench::program program(argc, argv);
    for (const int depth : {1, 8, 32}) {
        run<signal>(program, depth, "enum");
        run<rare>(program, depth, "second_enum");
        run<known>(program, depth, "class");
        run<unknown>(program, depth, "unknown_class");
    }
    return program.status();
}
