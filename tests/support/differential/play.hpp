/// A plan run by both engines, and what can be seen of it from outside.
#pragma once

#include <tests/support/differential/plan.hpp>

#include <string>

namespace differential {

/// The first input after which the engines differ, and what each then shows. Empty: they never do.
struct difference {
    int input = 0; ///< counted from 0; inputs.size(): destroying the instance
    std::string instance, reference;

    explicit operator bool() const { return instance != reference; }
};

difference play(const plan& p);

} // namespace differential
