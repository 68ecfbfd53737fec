/// hsm: hierarchical state machines. Define a tree of states, compile the tree into a chart, and run the chart in any number of instances.
///
///     auto root = hsm::make_fsm<door>("door");
///     ...
///     const auto chart = hsm::compile(std::move(root));
///     hsm::instance agent{chart, my_door};
#pragma once

#include <hsm/compile/compile.hpp>
#include <hsm/define/fsm.hpp>
#include <hsm/run/actor.hpp>
#include <hsm/run/instance.hpp>
#include <hsm/version.hpp>
