// W9: 2, 4 and 8 regions side by side, each with two states between which it toggles: an exit, an action, an entry. `one`: each event goes
// to one region, to one after the other. `all`: each event goes to all of them. `idle`, `busy`: ticks, in which each state updates, and
// each region asks a guard whether it toggles: no, or yes. The reference is as many switches.

#include "machine.hpp"

#include <utility>

namespace {

/// The first values are for one region each.
enum class signal : std::uint8_t { all = 8 };
enum light : std::uint8_t { dark, lit };
struct nothing {};

constexpr unsigned slot_of(unsigned region, unsigned what) { return region * 8 + what; }
void entered(unsigned region, light s) { bench::count(slot_of(region, s)); }
void exited(unsigned region, light s) { bench::count(slot_of(region, 2u + s)); }
void toggled(unsigned region, light from) { bench::count(slot_of(region, 4u + from)); }
void updated(unsigned region, light s) { bench::count(slot_of(region, 6u + s)); }

template <unsigned Region, light Of, class State> constexpr void add_hooks(State& s) {
    s.on_enter([](nothing&) { entered(Region, Of); }).on_exit([](nothing&) { exited(Region, Of); });
}

template <unsigned Region, light From, class State> constexpr void connect(State& from, State& to, signal event) {
    from.to(to).on(event).then([](nothing&) { toggled(Region, From); });
}

template <unsigned Region, class Parallel> constexpr void add_region(Parallel& side_by_side) {
    auto& region = side_by_side.add_fsm(bench::numbered("region", Region));
    auto& off = region.add("off");
    auto& on = region.add("on");
    add_hooks<Region, dark>(off);
    add_hooks<Region, lit>(on);
    for (const auto event : {static_cast<signal>(Region), signal::all}) {
        connect<Region, dark>(off, on, event);
        connect<Region, lit>(on, off, event);
    }
}

// Of charts that are made when the program runs, or of constant ones.

template <class Machine, unsigned... Regions> constexpr void define_lights(Machine& root, std::integer_sequence<unsigned, Regions...>) {
    auto& side_by_side = root.add_parallel("side_by_side");
    (add_region<Regions>(side_by_side), ...);
}
template <unsigned Count>
constexpr auto constant_lights = hsm::constant_chart<nothing>([](auto& root) { define_lights(root, std::make_integer_sequence<unsigned, Count>()); });
template <unsigned Count> auto make_chart() {
    auto root = hsm::make_fsm<nothing>("lights");
    define_lights(*root, std::make_integer_sequence<unsigned, Count>());
    return hsm::compile(std::move(root), bench::without_times);
}

struct desk {
    bool toggles = false;
};

template <unsigned Region, light From, class State> constexpr void poll(State& from, State& to) {
    from.on_enter([](desk&) { entered(Region, From); }).on_exit([](desk&) { exited(Region, From); }).on_update([](desk&) { updated(Region, From); });
    from.to(to).when([](const desk& d) { return d.toggles; }).then([](desk&) { toggled(Region, From); });
}

template <class Machine, unsigned... Regions> constexpr void define_polled(Machine& root, std::integer_sequence<unsigned, Regions...>) {
    auto& side_by_side = root.add_parallel("side_by_side");
    const auto add = [&](auto number) {
        auto& region = side_by_side.add_fsm(bench::numbered("region", number));
        auto& off = region.add("off");
        auto& on = region.add("on");
        poll<number, dark>(off, on);
        poll<number, lit>(on, off);
    };
    (add(std::integral_constant<unsigned, Regions>()), ...);
}
template <unsigned Count>
constexpr auto constant_polled = hsm::constant_chart<desk>([](auto& root) { define_polled(root, std::make_integer_sequence<unsigned, Count>()); });
template <unsigned Count> auto make_polled() {
    auto root = hsm::make_fsm<desk>("lights");
    define_polled(*root, std::make_integer_sequence<unsigned, Count>());
    return hsm::compile(std::move(root), bench::without_times);
}

template <class Machine> struct polled : Machine {
    using Machine::Machine;
    void process(std::uint8_t toggles) {
        this->context().toggles = toggles != 0;
        this->agent().tick(hsm::time_span());
    }
};

template <unsigned Count> class reference {
public:
    void tick(bool toggles) {
        each([&](auto region) {
            if (toggles) toggle(region);
            updated(region, states_[region]);
        });
    }
    void start() {
        each([&](auto region) { entered(region, dark); });
    }
    void process(std::uint8_t event) {
        if (static_cast<signal>(event) == signal::all)
            each([&](auto region) { toggle(region); });
        else
            toggle(event);
    }

private:
    template <class Visit> [[gnu::always_inline]] static void each(Visit visit) {
        [&]<unsigned... Regions>(std::integer_sequence<unsigned, Regions...>) { (visit(std::integral_constant<unsigned, Regions>()), ...); }
        (std::make_integer_sequence<unsigned, Count>());
    }
    [[gnu::always_inline]] void toggle(unsigned region) {
        switch (states_[region]) {
        case dark: return go(region, dark, lit);
        case lit: return go(region, lit, dark);
        }
    }
    [[gnu::always_inline]] void go(unsigned region, light from, light to) {
        exited(region, from);
        toggled(region, from);
        states_[region] = to;
        entered(region, to);
    }

    light states_[Count] = {};
};

template <unsigned Count> void events_in_turn() {
    for (std::size_t i = 0; i < bench::event_count; ++i) bench::events[i] = static_cast<std::uint8_t>(i % Count);
}
void event_to_all() { bench::events.fill(static_cast<std::uint8_t>(signal::all)); }

template <unsigned Count> struct polled_reference : reference<Count> {
    void process(std::uint8_t toggles) { this->tick(toggles != 0); }
};

/// After as many toggles, and as many updates in each state, of each region.
template <unsigned Count> std::uint64_t checksum_of(std::uint64_t toggles, std::uint64_t dark_updates = 0, std::uint64_t lit_updates = 0) {
    bench::counters.fill(0);
    for (unsigned region = 0; region < Count; ++region) {
        bench::count(slot_of(region, dark), 1 + toggles / 2);
        for (const auto what : {1u, 2u, 3u, 4u, 5u}) bench::count(slot_of(region, what), toggles / 2);
        bench::count(slot_of(region, 6u + dark), dark_updates);
        bench::count(slot_of(region, 6u + lit), lit_updates);
    }
    return bench::checksum();
}

template <unsigned Count> void compare(bench::program& program) {
    const auto ours = [] { return bench::machine<nothing, signal>(make_chart<Count>()); };
    const auto constant = [] { return bench::constant_machine<constant_lights<Count>, signal>(); };
    const auto theirs = [] { return reference<Count>(); };
    const auto regions = "," + std::to_string(Count);
    program.compare({"W9", "one" + regions, checksum_of<Count>(bench::event_count / Count), events_in_turn<Count>}, ours, theirs);
    program.compare({"W9", "all" + regions, checksum_of<Count>(bench::event_count), event_to_all}, ours, theirs);
    program.compare({"W9", "one" + regions + ",constant", checksum_of<Count>(bench::event_count / Count), events_in_turn<Count>}, constant, theirs);
    program.compare({"W9", "all" + regions + ",constant", checksum_of<Count>(bench::event_count), event_to_all}, constant, theirs);
    const auto polls = [] { return polled<bench::machine<desk, signal>>(make_polled<Count>()); };
    const auto constant_polls = [] { return polled<bench::constant_machine<constant_polled<Count>, signal>>(); };
    const auto by_hand = [] { return polled_reference<Count>(); };
    constexpr auto ticks = bench::event_count;
    const auto idle = checksum_of<Count>(0, ticks), busy = checksum_of<Count>(ticks, ticks / 2, ticks / 2);
    const auto no_toggles = [] { bench::events.fill(0); };
    const auto toggles = [] { bench::events.fill(1); };
    program.compare({"W9", "idle" + regions, idle, no_toggles}, polls, by_hand);
    program.compare({"W9", "busy" + regions, busy, toggles}, polls, by_hand);
    program.compare({"W9", "idle" + regions + ",constant", idle, no_toggles}, constant_polls, by_hand);
    program.compare({"W9", "busy" + regions + ",constant", busy, toggles}, constant_polls, by_hand);
}

} // namespace

int main(int argc, char** argv) {
    bench::program program(argc, argv);
    compare<2>(program);
    compare<4>(program);
    compare<8>(program);
    return program.status();
}
