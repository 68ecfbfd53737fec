// W8: a polled character. 25 leaves in 5 modes, 30 states in 3 levels; each leaf has a transition to its neighbour on either side, and so
// has each mode: 60 polled transitions, two for each state but the root, so that a tick asks four of them. An event is a frame: what the
// world is like in it, and a tick. `idle`: nothing changes; `busy`: every tenth frame one of them fires.

#include "machine.hpp"

namespace {

constexpr unsigned modes = 5, leaves_of_mode = 5;

/// What a frame brings.
enum frame : std::uint8_t { calm, fast, slow, high, low, kinds };

struct world {
    float speed = 0.5f;  ///< at most 0.1: to the leaf before; at least 0.9: to the one behind
    float height = 0.5f; ///< as that, to modes
};
constexpr float speeds[kinds] = {0.5f, 2.0f, -2.0f, 0.5f, 0.5f};
constexpr float heights[kinds] = {0.5f, 0.5f, 0.5f, 2.0f, -2.0f};
constexpr std::string_view conditions[kinds] = {"", "IsFast", "IsSlow", "IsHigh", "IsLow"};

/// Each guard has a limit of its own, as those of a game do.
constexpr float limit(float base, unsigned number) { return base + 0.001f * static_cast<float>(number); }

constexpr unsigned mode_slot(unsigned mode) { return 100 + mode; }
constexpr unsigned next_of(unsigned i, unsigned count) { return (i + 1) % count; }
constexpr unsigned previous_of(unsigned i, unsigned count) { return (i + count - 1) % count; }

template <unsigned Slot> constexpr auto entered = [](world&) { bench::count(Slot); };
template <unsigned Number> constexpr auto is_fast = [](const world& w) { return w.speed > limit(0.9f, Number); };
template <unsigned Number> constexpr auto is_slow = [](const world& w) { return w.speed < limit(0.1f, Number); };
template <unsigned Number> constexpr auto is_high = [](const world& w) { return w.height > limit(0.9f, Number); };
template <unsigned Number> constexpr auto is_low = [](const world& w) { return w.height < limit(0.1f, Number); };

/// Calls `visit` with 0 .. Count - 1 as constants.
template <unsigned Count, class Visit> constexpr void each(Visit visit) {
    [&]<unsigned... I>(std::integer_sequence<unsigned, I...>) { (visit(std::integral_constant<unsigned, I>()), ...); }
    (std::make_integer_sequence<unsigned, Count>());
}

/// A function of the world, or a condition, which the frame sets.
template <bool Guards, frame When, class Guard> constexpr auto asks(Guard guard) {
    if constexpr (Guards)
        return guard;
    else
        return conditions[When];
}

template <bool Guards, class Machine> constexpr void define(Machine& root) {
    using fsm = std::remove_cvref_t<decltype(root.add_fsm("mode"))>;
    fsm* all[modes]{};
    each<modes>([&](auto mode) {
        constexpr unsigned m = mode;
        all[m] = &root.add_fsm(bench::numbered("mode", m));
        all[m]->on_enter(entered<mode_slot(m)>);
        std::remove_cvref_t<decltype(all[m]->add("leaf"))>* leaves[leaves_of_mode]{};
        each<leaves_of_mode>([&](auto leaf) {
            constexpr unsigned l = leaf;
            leaves[l] = &all[m]->add(bench::numbered("leaf", m * leaves_of_mode + l));
            leaves[l]->on_enter(entered<m * leaves_of_mode + l>);
        });
        each<leaves_of_mode>([&](auto leaf) {
            constexpr unsigned l = leaf, number = m * leaves_of_mode + l;
            auto& next = *leaves[next_of(l, leaves_of_mode)];
            auto& previous = *leaves[previous_of(l, leaves_of_mode)];
            leaves[l]->to(next).when(asks<Guards, fast>(is_fast<number>));
            leaves[l]->to(previous).when(asks<Guards, slow>(is_slow<number>));
        });
    });
    each<modes>([&](auto mode) {
        constexpr unsigned m = mode;
        all[m]->to(*all[next_of(m, modes)]).when(asks<Guards, high>(is_high<m>));
        all[m]->to(*all[previous_of(m, modes)]).when(asks<Guards, low>(is_low<m>));
    });
}

template <bool Guards> auto make_chart(hsm::compile_options options) {
    auto root = hsm::make_fsm<world>("root");
    if constexpr (!Guards)
        for (const auto name : {"IsFast", "IsSlow", "IsHigh", "IsLow"}) root->condition(name);
    define<Guards>(*root);
    return hsm::compile(std::move(root), options);
}

struct by_guards : bench::machine<world, frame> {
    using machine::machine;
    void process(std::uint8_t frame) {
        context().speed = speeds[frame];
        context().height = heights[frame];
        agent().tick();
    }
};

struct by_conditions : bench::machine<world, frame> {
    by_conditions(hsm::chart<world> of, const hsm::instance_options& options) : machine(of, options) {
        for (unsigned f = 1; f < kinds; ++f) pulsed_[f] = of.condition(conditions[f]);
    }
    void process(std::uint8_t frame) {
        if (frame) agent().pulse(pulsed_[frame]);
        agent().tick();
    }

private:
    hsm::condition pulsed_[kinds];
};

constexpr auto constant_chart = hsm::constant_chart<world>([](auto& root) { define<true>(root); });

class constant {
public:
    constant() : agent_(world_) {}
    constant(const constant&) = delete;
    void start() { agent_.start(); }
    void process(std::uint8_t frame) {
        world_.speed = speeds[frame];
        world_.height = heights[frame];
        agent_.tick();
    }
    std::size_t bytes() const { return sizeof(agent_); }

private:
    world world_;
    hsm::constant_instance<constant_chart> agent_;
};

/// A switch over the leaf; in each case the questions of its mode, then its own.
class reference {
public:
    void start() { enter_mode<0>(); }
    void process(std::uint8_t frame) {
        world_.speed = speeds[frame];
        world_.height = heights[frame];
        tick();
    }

private:
    void tick() {
        switch (leaf_) {
        case 0: return tick_in<0>();
        case 1: return tick_in<1>();
        case 2: return tick_in<2>();
        case 3: return tick_in<3>();
        case 4: return tick_in<4>();
        case 5: return tick_in<5>();
        case 6: return tick_in<6>();
        case 7: return tick_in<7>();
        case 8: return tick_in<8>();
        case 9: return tick_in<9>();
        case 10: return tick_in<10>();
        case 11: return tick_in<11>();
        case 12: return tick_in<12>();
        case 13: return tick_in<13>();
        case 14: return tick_in<14>();
        case 15: return tick_in<15>();
        case 16: return tick_in<16>();
        case 17: return tick_in<17>();
        case 18: return tick_in<18>();
        case 19: return tick_in<19>();
        case 20: return tick_in<20>();
        case 21: return tick_in<21>();
        case 22: return tick_in<22>();
        case 23: return tick_in<23>();
        case 24: return tick_in<24>();
        }
    }
    template <unsigned Leaf> [[gnu::always_inline]] void tick_in() {
        constexpr unsigned mode = Leaf / leaves_of_mode, first = mode * leaves_of_mode, leaf = Leaf % leaves_of_mode;
        if (world_.height > limit(0.9f, mode)) return enter_mode<next_of(mode, modes)>();
        if (world_.height < limit(0.1f, mode)) return enter_mode<previous_of(mode, modes)>();
        if (world_.speed > limit(0.9f, Leaf)) return enter<first + next_of(leaf, leaves_of_mode)>();
        if (world_.speed < limit(0.1f, Leaf)) return enter<first + previous_of(leaf, leaves_of_mode)>();
    }
    template <unsigned Mode> [[gnu::always_inline]] void enter_mode() {
        bench::count(mode_slot(Mode));
        enter<Mode * leaves_of_mode>();
    }
    template <unsigned Leaf> [[gnu::always_inline]] void enter() {
        bench::count(Leaf);
        leaf_ = Leaf;
    }

    world world_;
    std::uint8_t leaf_ = 0;
};

void idle() { bench::events.fill(calm); }
void busy() {
    bench::random_events<kinds - 1>();
    for (std::size_t i = 0; i < bench::event_count; ++i)
        bench::events[i] = i % 10 == 9 ? static_cast<std::uint8_t>(bench::events[i] + 1) : std::uint8_t(calm);
}

void run(bench::program& program, const std::string& param, std::uint64_t checksum, void (*prepare)()) {
    const auto theirs = [] { return reference(); };
    const auto compare = [&](const std::string& kind, auto make) { program.compare({"W8", param + kind, checksum, prepare}, make, theirs); };
    compare("_guards", [] { return by_guards(make_chart<true>(bench::without_times), bench::without_queues); });
    compare("_guards_default", [] { return by_guards(make_chart<true>({}), {}); });
    compare("_conditions", [] { return by_conditions(make_chart<false>(bench::without_times), bench::without_queues); });
    compare("_conditions_default", [] { return by_conditions(make_chart<false>({}), {}); });
    compare("_constant", [] { return constant(); });
}

} // namespace

int main(int argc, char** argv) {
    bench::program program(argc, argv);
    run(program, "idle", 0x288e2593c307f703, idle);
    run(program, "busy", 0x5d1fb7addb7ba1df, busy);
    return program.status();
}
