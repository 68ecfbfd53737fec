/// The short life of a machine: it is defined, compiled, started, ticked once by half a second, and stopped.
#pragma once

#include <hsm/hsm.hpp>

#include <tests/support/recorder.hpp>

#include <string>
#include <utility>

namespace test {

/// Returns the records of the life of the machine that `define(root)` defines. `Context` is recorder or derives from it.
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

/// The same for a machine with a single state "A"; defines only its hooks.
template <class Context = recorder, class Define> std::string life_of_state(Define define, Context context = {}) {
    return life_of<Context>([&](hsm::fsm<Context>& root) { define(root.add("A")); }, std::move(context));
}

} // namespace test
