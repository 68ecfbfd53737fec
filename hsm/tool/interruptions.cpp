#include <hsm/tool/detail/play_session.hpp>

#include <csignal>

namespace hsm::detail::tool {

namespace {

volatile std::sig_atomic_t interrupted = 0;
struct sigaction before;

} // namespace

interruptions::interruptions() {
    struct sigaction how {};
    how.sa_handler = [](int) { interrupted = 1; }; // without SA_RESTART: reading a line ends
    sigemptyset(&how.sa_mask);
    interrupted = 0;
    sigaction(SIGINT, &how, &before);
}

interruptions::~interruptions() { sigaction(SIGINT, &before, nullptr); }

bool interruptions::none() { return interrupted == 0; }

bool interruptions::taken() {
    const bool was = interrupted != 0;
    interrupted = 0;
    return was;
}

} // namespace hsm::detail::tool
