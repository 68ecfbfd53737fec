#include <hsm/tool/detail/play_session.hpp>

#include <csignal>

namespace hsm::detail::tool {

namespace {

volatile std::sig_atomic_t interrupted = 0;
struct sigaction action_before;
sigset_t mask_before;

sigset_t only_this() {
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, SIGINT);
    return set;
}

bool is_pending() {
    sigset_t pending;
    return sigpending(&pending) == 0 && sigismember(&pending, SIGINT) == 1;
}

} // namespace

interruptions::interruptions() {
    struct sigaction how {};
    how.sa_handler = [](int) { interrupted = 1; };
    sigemptyset(&how.sa_mask);
    interrupted = 0;
    // SIGINT is only delivered while console::read_line waits, and polled at all other times. So none is lost between a check and the wait.
    const auto this_one = only_this();
    pthread_sigmask(SIG_BLOCK, &this_one, &mask_before);
    sigaction(SIGINT, &how, &action_before);
}

interruptions::~interruptions() {
    taken();
    sigaction(SIGINT, &action_before, nullptr);
    pthread_sigmask(SIG_SETMASK, &mask_before, nullptr);
}

bool interruptions::none() { return interrupted == 0 && !is_pending(); }

bool interruptions::taken() {
    bool was = interrupted != 0;
    interrupted = 0;
    if (is_pending()) {
        const auto this_one = only_this();
        int which = 0;
        was |= sigwait(&this_one, &which) == 0;
    }
    return was;
}

} // namespace hsm::detail::tool
