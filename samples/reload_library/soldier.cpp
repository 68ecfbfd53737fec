// The machine of the soldiers, in a library. The program loads version 1, and later version 2.

#include "soldier.hpp"

#include <chrono>
#include <utility>

using namespace std::chrono_literals;

// [library]
extern "C" void make_soldiers(hsm::chart<soldier>& to) {
    auto root = hsm::make_fsm<soldier>("soldier");
    auto& wait = root->add("wait");
#if VERSION == 1
    auto& march = root->add("march").on_update([](soldier& s) { ++s.steps; });
#else
    auto& march = root->add("run").was("march").on_update([](soldier& s) { s.steps += 2; });
#endif
    wait.to(march).on<whistle>();
    march.to(wait).after(VERSION * 100ms).then([](soldier& s) { ++s.salutes; });
    to = hsm::compile(std::move(root));
}
// [/library]
