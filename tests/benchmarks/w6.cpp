// W6: from a leaf, `depth` levels deep in one branch, to the one in the other branch, and back: everything but the root
// is exited and entered.

#include "machine.hpp"

namespace {

enum class signal : std::uint8_t { go };
struct nothing {};

void entered(unsigned branch, unsigned level) { bench::count(branch * 16 + level); }
void exited(unsigned branch, unsigned level) { bench::count(64 + branch * 16 + level); }
void acted(unsigned branch) { bench::count(128 + branch); }

/// Levels 1 .. Depth of a branch, in `outer`; each hook is one of its own.
template <unsigned Branch, unsigned Level, unsigned Depth, class Machine> constexpr auto& add_branch(Machine& outer) {
    const auto counted = [](auto& state) -> auto& {
        state.on_enter([](nothing&) { entered(Branch, Level); }).on_exit([](nothing&) { exited(Branch, Level); });
        return state;
    };
    const bench::numbered name(Branch ? "b" : "a", Level);
    if constexpr (Level == Depth)
        return counted(outer.add(name));
    else
        return add_branch<Branch, Level + 1, Depth>(counted(outer.add_fsm(name)));
}

/// Of a chart that is made when the program runs, or of a constant one.
template <unsigned Depth, class Machine> constexpr void define(Machine& root) {
    auto& a = add_branch<0, 1, Depth>(root);
    auto& b = add_branch<1, 1, Depth>(root);
    a.to(b).on(signal::go).then([](nothing&) { acted(0); });
    b.to(a).on(signal::go).then([](nothing&) { acted(1); });
}

template <unsigned Depth> auto make_chart() {
    auto root = hsm::make_fsm<nothing>("root");
    define<Depth>(*root);
    return hsm::compile(std::move(root), bench::without_times);
}

template <unsigned Depth> constexpr auto constant_chart = hsm::constant_chart<nothing>([](auto& root) { define<Depth>(root); });

template <unsigned Depth> class reference {
public:
    void start() { enter<0, 1>(); }
    void process(std::uint8_t event) {
        switch (branch_) {
        case 0: return event == 0 ? go<0, 1>() : bench::count(200);
        case 1: return event == 0 ? go<1, 0>() : bench::count(201);
        default: return;
        }
    }

private:
    template <unsigned From, unsigned To> [[gnu::always_inline]] void go() {
        exit<From, Depth>();
        acted(From);
        enter<To, 1>();
        branch_ = To;
    }
    template <unsigned Branch, unsigned Level> [[gnu::always_inline]] static void exit() {
        exited(Branch, Level);
        if constexpr (Level > 1) exit<Branch, Level - 1>();
    }
    template <unsigned Branch, unsigned Level> [[gnu::always_inline]] static void enter() {
        entered(Branch, Level);
        if constexpr (Level < Depth) enter<Branch, Level + 1>();
    }

    std::uint8_t branch_ = 0;
};

template <unsigned Depth> void run(bench::program& program, std::uint64_t checksum) {
    program.compare(
        {"W6", "depth" + std::to_string(Depth), checksum}, [] { return bench::machine<nothing, signal>(make_chart<Depth>()); },
        [] { return reference<Depth>(); });
    program.compare(
        {"W6", "depth" + std::to_string(Depth) + ",constant", checksum}, [] { return bench::constant_machine<constant_chart<Depth>, signal>(); },
        [] { return reference<Depth>(); });
}

} // namespace

int main(int argc, char** argv) {
    bench::program program(argc, argv);
    run<2>(program, 0xd6464cb6526ab163);
    run<4>(program, 0x2a963e63a2942b43);
    run<8>(program, 0xc28434681f554a03);
    return program.status();
}
