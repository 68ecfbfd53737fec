/// The definition that many_states.py writes.
#pragma once

#include <hsm/hsm.hpp>

struct world {
    int value = 0;
};

hsm::owned<hsm::fsm<world>> make_many_states();
