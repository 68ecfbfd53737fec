// W3: a leaf in `depth` machines, the outermost of which answers the event, without a transition.

#include "machine.hpp"

namespace {

enum class signal : std::uint8_t { handled };
struct nothing {};

/// Of a chart that is made when the program runs, or of a constant one.
template <class Machine> constexpr void define(Machine& root, unsigned depth) {
    root.on(signal::handled).then([](nothing&) { bench::count(0); });
    auto* inner = &root;
    for (unsigned i = 1; i < depth; ++i) inner = &inner->add_fsm(bench::numbered("level", i));
    inner->add("leaf");
}

template <unsigned Depth> constexpr auto constant_chart = hsm::constant_chart<nothing>([](auto& root) { define(root, Depth); });

auto make_chart(unsigned depth) {
    auto root = hsm::make_fsm<nothing>("level0");
    define(*root, depth);
    return hsm::compile(std::move(root), bench::without_times);
}

/// The leaf's case has what the outermost machine does; another state is there so that there is something to switch on.
template <unsigned Depth> class reference {
public:
    void start() {}
    void process(std::uint8_t event) {
        switch (state_) {
        case Depth:
            switch (event) {
            case 0: return bench::count(0);
            case 1: bench::count(1), state_ = 0; return;
            default: return;
            }
        case 0:
            if (event == 1) bench::count(2), state_ = Depth;
            return;
        default: return;
        }
    }

private:
    std::uint8_t state_ = Depth;
};

template <unsigned Depth> void run(bench::program& program) {
    program.compare(
        {"W3", "depth" + std::to_string(Depth), 0x62b6d32883c49a6a}, [] { return bench::machine<nothing, signal>(make_chart(Depth)); },
        [] { return reference<Depth>(); });
    program.compare(
        {"W3", "depth" + std::to_string(Depth) + ",constant", 0x62b6d32883c49a6a},
        [] { return bench::constant_machine<constant_chart<Depth>, signal>(); }, [] { return reference<Depth>(); });
}

} // namespace

int main(int argc, char** argv) {
    bench::program program(argc, argv);
    run<1>(program);
    run<4>(program);
    run<32>(program);
    return program.status();
}
