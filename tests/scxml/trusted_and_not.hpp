#pragma once

#include <hsm/scxml/ecmascript.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <string>

/// Returns why scripts cannot run in a separate process here, or nullptr.
inline const char* why_no_process() {
#if defined(HSM_TEST_ADDRESS_SANITIZER) || defined(HSM_TEST_THREAD_SANITIZER)
    return "their process may not do what a sanitizer needs";
#elif !defined(__linux__)
    return "this is not Linux";
#else
    return std::getenv("HSM_EMULATED") ? "an emulator has no seccomp" : nullptr;
#endif
}

/// Calls f with options for scripts in this process, and for scripts in a separate one.
template <class F> void trusted_and_not(F f, hsm::scxml::script_options options) {
    for (const bool untrusted : {false, true}) {
        if (untrusted && why_no_process()) {
            MESSAGE("skipped for untrusted scripts: ", std::string(why_no_process())); // as text, not as an address
            continue;
        }
        CAPTURE(untrusted);
        options.untrusted = untrusted;
        f(options);
    }
}
