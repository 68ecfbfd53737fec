// W1: two states, and four events, of which each state ignores one and answers one without a transition.

#include "machine.hpp"

namespace {

enum class signal : std::uint8_t { toggle, on, off, ping };
enum light : std::uint8_t { dark, lit };
enum action : std::uint8_t { toggled, switched_on, switched_off, pinged_dark, pinged_lit };
struct nothing {};

void entered(light s) { bench::count(s); }
void exited(light s) { bench::count(2u + s); }
void acted(action a) { bench::count(8u + a); }

/// Of a chart that is made when the program runs, or of a constant one.
template <class Machine> constexpr void define(Machine& root) {
    auto& off = root.add("off");
    auto& on = root.add("on");
    off.on_enter([](nothing&) { entered(dark); }).on_exit([](nothing&) { exited(dark); });
    on.on_enter([](nothing&) { entered(lit); }).on_exit([](nothing&) { exited(lit); });
    off.to(on).on(signal::toggle).then([](nothing&) { acted(toggled); });
    off.to(on).on(signal::on).then([](nothing&) { acted(switched_on); });
    off.on(signal::ping).then([](nothing&) { acted(pinged_dark); });
    on.to(off).on(signal::toggle).then([](nothing&) { acted(toggled); });
    on.to(off).on(signal::off).then([](nothing&) { acted(switched_off); });
    on.on(signal::ping).then([](nothing&) { acted(pinged_lit); });
}

auto make_chart() {
    auto root = hsm::make_fsm<nothing>("light");
    define(*root);
    return hsm::compile(std::move(root), bench::without_times);
}

constexpr auto constant_chart = hsm::constant_chart<nothing>([](auto& root) { define(root); });

class reference {
public:
    void start() { entered(dark); }
    void process(std::uint8_t event) {
        switch (state_) {
        case dark:
            switch (static_cast<signal>(event)) {
            case signal::toggle: return go(dark, toggled, lit);
            case signal::on: return go(dark, switched_on, lit);
            case signal::ping: return acted(pinged_dark);
            default: return;
            }
        case lit:
            switch (static_cast<signal>(event)) {
            case signal::toggle: return go(lit, toggled, dark);
            case signal::off: return go(lit, switched_off, dark);
            case signal::ping: return acted(pinged_lit);
            default: return;
            }
        }
    }

private:
    [[gnu::always_inline]] void go(light from, action a, light to) {
        exited(from);
        acted(a);
        state_ = to;
        entered(to);
    }

    light state_ = dark;
};

/// The same as a static object, the only one of its kind: g++ puts two of its counters together, and it is slower.
class static_reference {
public:
    void start() { machine_ = reference(), machine_.start(); }
    void process(std::uint8_t event) { machine_.process(event); }

private:
    static inline reference machine_;
};

} // namespace

int main(int argc, char** argv) {
    bench::program program(argc, argv);
    const auto ours = [] { return bench::machine<nothing, signal>(make_chart()); };
    const auto constant = [] { return bench::constant_machine<constant_chart, signal>(); };
    const auto theirs = [] { return reference(); };
    program.compare({"W1", "toggle", 0xfee98b330064939b}, ours, theirs);
    program.compare({"W1", "toggle,static", 0xfee98b330064939b}, ours, [] { return static_reference(); });
    program.compare({"W1", "rand4", 0xd3fe125333294468, bench::random_events<4>}, ours, theirs);
    program.compare({"W1", "toggle,constant", 0xfee98b330064939b}, constant, theirs);
    program.compare({"W1", "rand4,constant", 0xd3fe125333294468, bench::random_events<4>}, constant, theirs);
    return program.status();
}
