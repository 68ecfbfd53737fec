// A plugin that host.cpp loads.

#include <string>

struct clash {
    std::string text = "much larger";
};
struct own {
    std::string text = "only here";
};
#define MODULE "plugin"
#include "in_module.hpp"

extern "C" [[gnu::visibility("default")]] const game::module* plugin() { return &this_one; }
