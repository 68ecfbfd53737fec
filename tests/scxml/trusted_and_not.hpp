#pragma once

#include <hsm/scxml/ecmascript.hpp>

#include <doctest/doctest.h>

#if defined(HSM_TEST_ADDRESS_SANITIZER) || defined(HSM_TEST_THREAD_SANITIZER)
constexpr bool has_sanitizer = true; // it makes system calls of its own, which a process of scripts may not make
#else
constexpr bool has_sanitizer = false;
#endif

/// Calls with the options of scripts in this process, and of those in one of their own.
template <class F> void trusted_and_not(F f, hsm::scxml::script_options options) {
    for (const bool untrusted : {false, true}) {
        if (untrusted && has_sanitizer) {
            MESSAGE("skipped for untrusted scripts: their process may not do what a sanitizer needs");
            continue;
        }
        CAPTURE(untrusted);
        options.untrusted = untrusted;
        f(options);
    }
}
