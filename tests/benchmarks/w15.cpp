// W15: a polled character of 60 states: six ways to move with six leaves each, and beside them, in a second region, three weapons with four leaves
// each. In each frame, modes and leaves update and ask their guards, two of which are conditions. Leaves also wait for times, and flying has a
// local. Machines store when states were entered. The reference is a switch over the leaf of each region.

#include "machine.hpp"

#include <chrono>
#include <utility>

namespace {

using std::chrono::milliseconds;

enum class frame : std::uint8_t {};
struct hero {
    std::uint8_t pressed = 0;
};
struct flight {
    std::uint64_t frames = 0;
};

constexpr unsigned modes = 6, gaits = 6, weapons = 3, phases = 4;
constexpr unsigned flying = 1, hurt = 5;                                         ///< modes
constexpr unsigned hurts = 36, heals = 240, arms = 40, disarms = 41, looks = 42; ///< frames
constexpr auto period = milliseconds(16);

/// The modes, their leaves, the weapons, their leaves.
constexpr unsigned mode_number(unsigned m) { return m; }
constexpr unsigned gait_number(unsigned m, unsigned g) { return modes + m * gaits + g; }
constexpr unsigned weapon_number(unsigned w) { return modes * (gaits + 1) + w; }
constexpr unsigned phase_number(unsigned w, unsigned p) { return weapon_number(weapons) + w * phases + p; }
constexpr unsigned flown = 4000; ///< a slot

template <unsigned State> void enters() { bench::count(State * 4); }
template <unsigned State> void updates() { bench::count(State * 4 + 1); }
template <unsigned State> void exits() { bench::count(State * 4 + 2); }
template <unsigned Frame> bool is_pressed(const hero& h) { return h.pressed % 64 == Frame; }
constexpr unsigned next_gait(unsigned g) { return g; }
constexpr unsigned next_mode(unsigned m) { return 8 + m; }
constexpr unsigned next_phase(unsigned w) { return 16 + w; }
constexpr unsigned next_weapon(unsigned w) { return 24 + w; }
constexpr milliseconds limit_of_gait(unsigned g) { return milliseconds(100 * g); }
constexpr milliseconds limit_of_phase(unsigned p) { return milliseconds(50 * p); }
constexpr auto limit_of_hurt = milliseconds(500);

template <unsigned State, class S> constexpr S& counts(S& s) {
    s.on_enter([](hero&) { enters<State>(); }).on_update([](hero&) { updates<State>(); }).on_exit([](hero&) { exits<State>(); });
    return s;
}
template <std::size_t Count, class Visit> constexpr void each(Visit visit) {
    [&]<std::size_t... I>(std::index_sequence<I...>) { (visit(std::integral_constant<unsigned, I>()), ...); }
    (std::make_index_sequence<Count>());
}

template <unsigned M, class Mode> constexpr void define_gaits(Mode& mode) {
    decltype(&mode.add("")) all[gaits]{};
    each<gaits>([&](auto g) { all[g] = &counts<gait_number(M, g)>(mode.add(bench::numbered("gait", g))); });
    each<gaits>([&](auto g) {
        all[g]->to(*all[(g + 1) % gaits]).when(is_pressed<next_gait(g)>);
        if (g > 0) all[g]->to(*all[0]).after(limit_of_gait(g));
    });
}
template <unsigned W, class Weapon> constexpr void define_phases(Weapon& weapon) {
    decltype(&weapon.add("")) all[phases]{};
    each<phases>([&](auto p) { all[p] = &counts<phase_number(W, p)>(weapon.add(bench::numbered("phase", p))); });
    all[0]->to(*all[1]).when(is_pressed<next_phase(W)>);
    each<phases>([&](auto p) {
        if (p > 0) all[p]->to(*all[(p + 1) % phases]).after(limit_of_phase(p));
    });
}

constexpr auto define = [](auto& root) {
    auto& body = root.named("hero").add_parallel("body");
    auto& move = body.add_fsm("move");
    auto& fight = body.add_fsm("fight");
    decltype(&move) all_modes[modes]{}, all_weapons[weapons]{};
    each<modes>([&](auto m) {
        all_modes[m] = &counts<mode_number(m)>(move.add_fsm(bench::numbered("mode", m)));
        if constexpr (m == flying)
            all_modes[m]->template local<flight>().on_update([](hero&, flight& f) { ++f.frames; }).on_exit([](hero&, const flight& f) {
                bench::count(flown, f.frames);
            });
        define_gaits<m>(*all_modes[m]);
    });
    each<modes>([&](auto m) {
        if (m == hurt) return;
        all_modes[m]->to(*all_modes[hurt]).when("IsHurt");
        all_modes[m]->to(*all_modes[(m + 1) % hurt]).when(is_pressed<next_mode(m)>);
    });
    all_modes[hurt]->to(*all_modes[0]).when("!IsHurt").after(limit_of_hurt);
    each<weapons>([&](auto w) {
        all_weapons[w] = &counts<weapon_number(w)>(fight.add_fsm(bench::numbered("weapon", w)));
        define_phases<w>(*all_weapons[w]);
    });
    each<weapons>([&](auto w) { all_weapons[w]->to(*all_weapons[(w + 1) % weapons]).when(hsm::all("IsArmed", is_pressed<next_weapon(w)>)); });
};
constexpr auto constant_chart = hsm::constant_chart<hero, hsm::constant_chart_options{hsm::decision_order::superstate_first, false, true}>(define);

hsm::chart<hero> make_chart() {
    auto root = hsm::make_fsm<hero>("hero");
    define(*root);
    return hsm::compile(std::move(root));
}

/// Of both kinds of instances.
template <class Machine> struct polled : Machine {
    using Machine::Machine;
    void process(std::uint8_t pressed) {
        auto& agent = this->agent();
        this->context().pressed = pressed;
        if (pressed == hurts) agent.set("IsHurt");
        if (pressed >= heals) agent.clear("IsHurt");
        if (pressed == arms) agent.set("IsArmed");
        if (pressed == disarms) agent.clear("IsArmed");
        agent.tick(period);
        if (pressed == looks) bench::count(flown, static_cast<std::uint64_t>(agent.time_in_state("mode1").nanoseconds()));
    }
};

class reference {
public:
    void start() {
        enter_mode<0>();
        enter_weapon<0>();
    }
    void process(std::uint8_t pressed) {
        hero_.pressed = pressed;
        if (pressed == hurts) is_hurt_ = true;
        if (pressed >= heals) is_hurt_ = false;
        if (pressed == arms) is_armed_ = true;
        if (pressed == disarms) is_armed_ = false;
        now_ += std::chrono::nanoseconds(period).count();
        move(std::make_index_sequence<modes * gaits>());
        fight(std::make_index_sequence<weapons * phases>());
        if (pressed == looks && gait_ / gaits == flying) bench::count(flown, static_cast<std::uint64_t>(now_ - mode_since_));
    }

private:
    template <unsigned M, unsigned G> [[gnu::always_inline]] void enter_gait() {
        enters<gait_number(M, G)>();
        gait_ = M * gaits + G;
        gait_since_ = now_;
        if constexpr (G > 0) gait_due_ = due_in(limit_of_gait(G));
    }
    template <unsigned M> [[gnu::always_inline]] void enter_mode() {
        if constexpr (M == flying) flight_ = flight();
        if constexpr (M == hurt) hurt_due_ = due_in(limit_of_hurt);
        mode_since_ = now_;
        enters<mode_number(M)>();
        enter_gait<M, 0>();
    }
    template <unsigned M, unsigned G> [[gnu::always_inline]] void exit_mode() {
        exits<gait_number(M, G)>();
        exits<mode_number(M)>();
        if constexpr (M == flying) bench::count(flown, flight_.frames);
    }
    template <unsigned M> [[gnu::always_inline]] void update_mode() {
        updates<mode_number(M)>();
        if constexpr (M == flying) ++flight_.frames;
    }
    template <unsigned M, unsigned G> [[gnu::always_inline]] void move_in() {
        if constexpr (M == hurt) {
            if (!is_hurt_ && now_ >= hurt_due_) return change_mode<M, G, 0>();
        } else {
            if (is_hurt_) return change_mode<M, G, hurt>();
            if (is_pressed<next_mode(M)>(hero_)) return change_mode<M, G, (M + 1) % hurt>();
        }
        move_on<M, G>();
    }
    template <unsigned M, unsigned G, unsigned To> [[gnu::always_inline]] void change_mode() {
        exit_mode<M, G>();
        enter_mode<To>();
        move_on<To, 0>();
    }
    template <unsigned M, unsigned G> [[gnu::always_inline]] void move_on() {
        update_mode<M>();
        if (is_pressed<next_gait(G)>(hero_)) return change_gait<M, G, (G + 1) % gaits>();
        if constexpr (G > 0)
            if (now_ >= gait_due_) return change_gait<M, G, 0>();
        updates<gait_number(M, G)>();
    }
    template <unsigned M, unsigned G, unsigned To> [[gnu::always_inline]] void change_gait() {
        exits<gait_number(M, G)>();
        enter_gait<M, To>();
        updates<gait_number(M, To)>();
    }
    template <std::size_t... I> [[gnu::always_inline]] void move(std::index_sequence<I...>) {
        (void)((gait_ == I && (move_in<I / gaits, I % gaits>(), true)) || ...);
    }

    template <unsigned W, unsigned P> [[gnu::always_inline]] void enter_phase() {
        enters<phase_number(W, P)>();
        phase_ = W * phases + P;
        phase_since_ = now_;
        if constexpr (P > 0) phase_due_ = due_in(limit_of_phase(P));
    }
    template <unsigned W> [[gnu::always_inline]] void enter_weapon() {
        weapon_since_ = now_;
        enters<weapon_number(W)>();
        enter_phase<W, 0>();
    }
    template <unsigned W, unsigned P> [[gnu::always_inline]] void fight_in() {
        if (is_armed_ && is_pressed<next_weapon(W)>(hero_)) {
            exits<phase_number(W, P)>();
            exits<weapon_number(W)>();
            enter_weapon<(W + 1) % weapons>();
            return fight_on<(W + 1) % weapons, 0>();
        }
        fight_on<W, P>();
    }
    template <unsigned W, unsigned P> [[gnu::always_inline]] void fight_on() {
        updates<weapon_number(W)>();
        if constexpr (P == 0) {
            if (is_pressed<next_phase(W)>(hero_)) return change_phase<W, 0>();
        } else {
            if (now_ >= phase_due_) return change_phase<W, P>();
        }
        updates<phase_number(W, P)>();
    }
    template <unsigned W, unsigned P> [[gnu::always_inline]] void change_phase() {
        exits<phase_number(W, P)>();
        enter_phase<W, (P + 1) % phases>();
        updates<phase_number(W, (P + 1) % phases)>();
    }
    template <std::size_t... I> [[gnu::always_inline]] void fight(std::index_sequence<I...>) {
        (void)((phase_ == I && (fight_in<I / phases, I % phases>(), true)) || ...);
    }

    std::int64_t due_in(milliseconds time) const { return now_ + std::chrono::nanoseconds(time).count(); }

    hero hero_;
    flight flight_;
    std::int64_t now_ = 0, gait_due_ = 0, hurt_due_ = 0, phase_due_ = 0;
    std::int64_t mode_since_ = 0, gait_since_ = 0, weapon_since_ = 0, phase_since_ = 0;
    std::uint8_t gait_ = 0, phase_ = 0;
    bool is_hurt_ = false, is_armed_ = false;
};

} // namespace

int main(int argc, char** argv) {
    bench::program program(argc, argv);
    constexpr std::uint64_t checksum = 0x612ed1671247d660;
    const auto theirs = [] { return reference(); };
    const auto ours = [] { return polled<bench::machine<hero, frame>>(make_chart()); };
    const auto constant = [] { return polled<bench::constant_machine<constant_chart, frame>>(); };
    program.compare({"W15", "rand256", checksum, bench::random_events<256>}, ours, theirs);
    program.compare({"W15", "rand256,constant", checksum, bench::random_events<256>}, constant, theirs);
    return program.status();
}
