#include <tests/support/differential/isolated.hpp>

#include <hsm/compile/definition_error.hpp>
#include <tests/support/differential/generate.hpp>
#include <tests/support/differential/play.hpp>
#include <tests/support/differential/print.hpp>

#include <csignal>
#include <new>
#include <stdexcept>

#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

namespace differential {

namespace {

/// Of the processor's time, for one plan, which takes milliseconds; with sanitizers some take more than a second. Counted anew with each call.
void limit_time() {
    const itimerval ten_seconds{{0, 0}, {10, 0}};
    setitimer(ITIMER_VIRTUAL, &ten_seconds, nullptr);
}

bool differs(const plan& p) {
    try {
        return static_cast<bool>(play(p));
    } catch (const hsm::definition_error&) { // while it is made smaller
        return false;
    } catch (const std::logic_error&) { // the same: what is left of a region cannot be one
        return false;
    }
}

/// To die of a signal quietly, not by way of the test framework.
void forget_handlers() {
    for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTERM}) std::signal(signal, SIG_DFL);
}

/// The exit code of `body` in a child; -1 if it died.
template <class Body> int exit_code_of(Body body) {
    const auto child = fork();
    if (child < 0) throw std::runtime_error("no process to play in");
    if (child == 0) {
        forget_handlers();
        _exit(body());
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

} // namespace

verdict play_isolated(const plan& p) {
    const auto code = exit_code_of([&] {
        limit_time();
        close(STDERR_FILENO); // a sanitizer would repeat itself
        return differs(p) ? 1 : 0;
    });
    return code == 0 ? verdict::same : code == 1 ? verdict::differs : verdict::dies;
}

std::uint64_t first_failure(std::uint64_t first, std::uint64_t last, int inputs, players played_by) {
    void* const shared = mmap(nullptr, sizeof(std::uint64_t), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) throw std::bad_alloc();
    auto* const seed = new (shared) std::uint64_t(first);
    const auto code = exit_code_of([&] {
        for (; *seed < last; ++*seed) {
            limit_time();
            auto p = generate(*seed, inputs);
            p.played_by = played_by;
            if (differs(p)) return 1;
        }
        return 0;
    });
    const auto failed = code == 0 ? last : *seed;
    munmap(shared, sizeof(std::uint64_t));
    return failed;
}

std::string report(const plan& p) {
    if (play_isolated(p) == verdict::dies) return print(p) + "// dies, or does not end\n";
    return print(p, play(p));
}

} // namespace differential
