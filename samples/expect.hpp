/// Checks for samples: if a line differs from the expected one, it is reported, and the program fails.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string_view>

inline void expect(std::string_view what, std::string_view got, std::string_view wanted) {
    std::printf("%-28.*s %.*s\n", int(what.size()), what.data(), int(got.size()), got.data());
    if (got == wanted) return;
    std::printf("%-28s %.*s   <- expected\n", "", int(wanted.size()), wanted.data());
    std::exit(1);
}
