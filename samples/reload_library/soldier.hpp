// The context of the soldiers, and the function that a library with their machine exports.
#pragma once

#include <hsm/hsm.hpp>

struct soldier {
    int steps = 0, salutes = 0;
};
struct whistle {};

extern "C" void make_soldiers(hsm::chart<soldier>& to);
