/// Miro Samek's test machine (Practical UML Statecharts in C/C++, 2nd edition, chapter 2), counting: what its states
/// and actions are, and the switch that it comes down to. Events are A ... I, 0 ... 8.
#pragma once

#include "bench.hpp"

namespace samek {

enum class key : std::uint8_t { A, B, C, D, E, F, G, H, I };
enum state : std::uint8_t { s, s1, s11, s2, s21, s211 };
enum action : std::uint8_t {
    s_E,
    s_I,
    s1_A,
    s1_B,
    s1_C,
    s1_D,
    s1_F,
    s1_I,
    s11_D,
    s11_G,
    s11_H,
    s2_C,
    s2_F,
    s2_I,
    s21_A,
    s21_B,
    s21_G,
    s211_D,
    s211_H,
};

inline void entered(state s) { bench::count(s); }
inline void exited(state s) { bench::count(8u + s); }
inline void chosen(state s) { bench::count(16u + s); } ///< the state's initial transition
inline void acted(action a) { bench::count(24u + a); }

inline constexpr std::uint64_t random_checksum = 0xac2090d3258d8532;
inline constexpr std::uint64_t periodic_checksum = 0x05f14a04eddbfa76;

/// Flattened by hand: a case for each leaf and event.
class reference {
public:
    void start() {
        entered(s);
        enter_s2(true);
        leaf_ = s211;
    }
    void process(std::uint8_t event) {
        if (leaf_ == s11)
            in_s11(static_cast<key>(event));
        else
            in_s211(static_cast<key>(event));
    }

private:
    static void exit_s1() { exited(s11), exited(s1); }
    static void exit_s21() { exited(s211), exited(s21); }
    static void exit_s2() { exit_s21(), exited(s2); }
    static void enter_s1(bool choose) {
        entered(s1);
        if (choose) chosen(s1);
        entered(s11);
    }
    static void enter_s2(bool choose) {
        entered(s2);
        if (choose) chosen(s2);
        entered(s21), entered(s211);
    }

    [[gnu::always_inline]] void in_s11(key event) {
        switch (event) {
        case key::A: acted(s1_A), exit_s1(), enter_s1(true); return;
        case key::B: acted(s1_B), exited(s11), entered(s11); return;
        case key::C: acted(s1_C), exit_s1(), enter_s2(true), leaf_ = s211; return;
        case key::D:
            if (foo_) {
                foo_ = false;
                acted(s11_D), exited(s11), chosen(s1), entered(s11);
            } else {
                foo_ = true;
                acted(s1_D), exit_s1(), chosen(s), enter_s1(false);
            }
            return;
        case key::E: acted(s_E), exit_s1(), enter_s1(false); return;
        case key::F: acted(s1_F), exit_s1(), enter_s2(false), leaf_ = s211; return;
        case key::G: acted(s11_G), exit_s1(), enter_s2(false), leaf_ = s211; return;
        case key::H: acted(s11_H), exit_s1(), chosen(s), enter_s1(false); return;
        case key::I: acted(s1_I); return;
        }
    }

    [[gnu::always_inline]] void in_s211(key event) {
        switch (event) {
        case key::A: acted(s21_A), exit_s21(), entered(s21), chosen(s21), entered(s211); return;
        case key::B: acted(s21_B), exited(s211), entered(s211); return;
        case key::C: acted(s2_C), exit_s2(), enter_s1(true), leaf_ = s11; return;
        case key::D: acted(s211_D), exited(s211), chosen(s21), entered(s211); return;
        case key::E: acted(s_E), exit_s2(), enter_s1(false), leaf_ = s11; return;
        case key::F: acted(s2_F), exit_s2(), enter_s1(false), leaf_ = s11; return;
        case key::G: acted(s21_G), exit_s2(), enter_s1(true), leaf_ = s11; return;
        case key::H: acted(s211_H), exit_s2(), chosen(s), enter_s1(false), leaf_ = s11; return;
        case key::I:
            acted(foo_ ? s_I : s2_I);
            foo_ = !foo_;
            return;
        }
    }

    state leaf_ = s211;
    bool foo_ = false;
};

} // namespace samek
