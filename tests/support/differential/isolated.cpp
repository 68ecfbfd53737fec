#include <tests/support/differential/isolated.hpp>

#include <hsm/compile/definition_error.hpp>
#include <tests/support/differential/generate.hpp>
#include <tests/support/differential/play.hpp>
#include <tests/support/differential/print.hpp>

#include <csignal>
#include <new>
#include <stdexcept>

#if __has_include(<sys/wait.h>)
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#define HSM_TEST_PROCESSES
#endif

namespace differential {

namespace {

#ifdef HSM_TEST_PROCESSES
/// Limits the processor time for one plan. A plan takes milliseconds, or with sanitizers sometimes more than a second. Each call starts the time
/// again.
void limit_time() {
    const itimerval ten_seconds{{0, 0}, {10, 0}};
    setitimer(ITIMER_VIRTUAL, &ten_seconds, nullptr);
}

/// A number in memory that is shared with child processes.
class shared_number {
public:
    explicit shared_number(std::uint64_t number) : memory_(mmap(nullptr, sizeof number, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)) {
        if (memory_ == MAP_FAILED) throw std::bad_alloc();
        new (memory_) std::uint64_t(number);
    }
    shared_number(const shared_number&) = delete;
    shared_number& operator=(const shared_number&) = delete;
    ~shared_number() { munmap(memory_, sizeof(std::uint64_t)); }
    std::uint64_t& get() const { return *static_cast<std::uint64_t*>(memory_); }

private:
    void* memory_;
};

/// Signals then end the process without a report by the test framework.
void forget_handlers() {
    for (const int signal : {SIGSEGV, SIGABRT, SIGBUS, SIGFPE, SIGILL, SIGTERM}) std::signal(signal, SIG_DFL);
}

/// Returns the exit code of `body` in a child process; -1 if it crashed.
template <class Body> int exit_code_of(Body body) {
    const auto child = fork();
    if (child < 0) throw std::runtime_error("no process to play in");
    if (child == 0) {
        forget_handlers();
        close(STDERR_FILENO); // a sanitizer would repeat its report
        _exit(body());
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
#else
// Without processes, a crash ends the test.
void limit_time() {}
class shared_number {
public:
    explicit shared_number(std::uint64_t number) : number_(number) {}
    std::uint64_t& get() { return number_; }

private:
    std::uint64_t number_;
};
template <class Body> int exit_code_of(Body body) { return body(); }
#endif

bool differs(const plan& p) {
    try {
        return static_cast<bool>(play(p));
    } catch (const hsm::definition_error&) { // while it is shrunk
        return false;
    } catch (const std::logic_error&) { // the same: the rest of a region may be invalid
        return false;
    }
}

} // namespace

verdict play_isolated(const plan& p) {
    const auto code = exit_code_of([&] {
        limit_time();
        return differs(p) ? 1 : 0;
    });
    return code == 0 ? verdict::same : code == 1 ? verdict::differs : verdict::dies;
}

std::uint64_t first_failure(std::uint64_t first, std::uint64_t last, int inputs, players played_by) {
    shared_number shared(first);
    auto& seed = shared.get();
    const auto code = exit_code_of([&] {
        for (; seed < last; ++seed) {
            limit_time();
            auto p = generate(seed, inputs);
            p.played_by = played_by;
            if (differs(p)) return 1;
        }
        return 0;
    });
    return code == 0 ? last : seed;
}

std::string report(const plan& p) {
    if (play_isolated(p) == verdict::dies) return print(p) + "// dies, or does not end\n";
    return print(p, play(p));
}

} // namespace differential
