/// The short life of a machine: defined, compiled, started, ticked once by half a second, stopped.
#pragma once

#include <hsm/hsm.hpp>

#include <tests/support/recorder.hpp>

#include <string>
#include <utility>

namespace test {

/// What was noted in the life of the machine that `define(root)` writes. Context is a recorder, or derives from one.
template <class Context = recorder, class Define> std::string life_of(Define define, Context context = {}) {
    auto root = hsm::make_fsm<Context>("R");
    define(*root);
    const auto chart = hsm::compile(std::move(root));
    hsm::instance agent{chart, context};
    agent.start();
    agent.tick(0.5);
    agent.stop();
    return context.take();
}

/// The same, but for the hooks of one state "A", the only one.
template <class Context = recorder, class Define> std::string life_of_state(Define define, Context context = {}) {
    return life_of<Context>([&](hsm::fsm<Context>& root) { define(root.add("A")); }, std::move(context));
}

} // namespace test
