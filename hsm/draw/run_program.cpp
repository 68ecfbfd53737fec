#include <hsm/draw/detail/run_program.hpp>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <system_error>

#if __has_include(<spawn.h>) // POSIX
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace hsm::detail {

namespace {

/// Owns a file descriptor.
class descriptor {
public:
    descriptor() = default;
    explicit descriptor(int number) : number_(number) {}
    descriptor(const descriptor&) = delete;
    descriptor& operator=(const descriptor&) = delete;
    ~descriptor() { close(); }

    int number() const { return number_; }
    bool is_open() const { return number_ >= 0; }
    void close() {
        if (is_open()) ::close(number_);
        number_ = -1;
    }
    void become(int number) {
        close();
        number_ = number;
    }

private:
    int number_ = -1;
};

/// Two connected ends. Sockets, because writing to a closed one can return an error instead of raising a signal.
struct channel {
    descriptor ours, theirs;

    bool open() {
        int ends[2];
        if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) return false;
        ours.become(ends[0]);
        theirs.become(ends[1]);
        return true;
    }
};

/// Reads the available bytes. Closes the descriptor at its end.
void read_some(descriptor& from, std::string& to) {
    char part[65536];
    const auto got = ::read(from.number(), part, sizeof part);
    if (got > 0)
        to.append(part, static_cast<std::size_t>(got));
    else if (got == 0 || (errno != EINTR && errno != EAGAIN))
        from.close();
}

void write_some(descriptor& to, std::string_view& rest) {
    const auto put = ::send(to.number(), rest.data(), rest.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    if (put >= 0)
        rest.remove_prefix(static_cast<std::size_t>(put));
    else if (errno != EINTR && errno != EAGAIN)
        rest = {}; // the program does not read more
    if (rest.empty()) to.close();
}

/// Writes and reads alternately: a program can write before it has read everything.
void exchange(descriptor& in, descriptor& out, descriptor& err, std::string_view input, program_end& end, int limit_ms) {
    using clock = std::chrono::steady_clock;
    const auto until = clock::now() + std::chrono::milliseconds(limit_ms);
    if (input.empty()) in.close();
    while (out.is_open() || err.is_open()) {
        const auto left = limit_ms < 0 ? -1 : static_cast<int>(std::chrono::ceil<std::chrono::milliseconds>(until - clock::now()).count());
        if (limit_ms >= 0 && left <= 0) {
            end.timed_out = true;
            return;
        }
        pollfd waiting[] = {{in.number(), POLLOUT, 0}, {out.number(), POLLIN, 0}, {err.number(), POLLIN, 0}}; // poll ignores negative descriptors
        if (poll(waiting, 3, left) < 0 && errno != EINTR) return;
        if (waiting[0].revents) write_some(in, input);
        if (waiting[1].revents) read_some(out, end.output);
        if (waiting[2].revents) read_some(err, end.errors);
    }
}

int wait_for(pid_t child) {
    int status = 0;
    while (waitpid(child, &status, 0) < 0)
        if (errno != EINTR) return 0; // other code has waited for it
    return WIFSIGNALED(status) ? -WTERMSIG(status) : WEXITSTATUS(status);
}

} // namespace

program_end run_program(const std::vector<std::string>& command, std::string_view input, int limit_ms) {
    program_end end;
    channel in, out, err;
    if (!in.open() || !out.open() || !err.open()) {
        end.error = errno;
        return end;
    }
    std::vector<char*> arguments;
    for (const auto& word : command) arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);

    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, in.theirs.number(), 0);
    posix_spawn_file_actions_adddup2(&actions, out.theirs.number(), 1);
    posix_spawn_file_actions_adddup2(&actions, err.theirs.number(), 2);
    pid_t child = 0;
    end.error = posix_spawnp(&child, arguments[0], &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    for (auto* c : {&in, &out, &err}) c->theirs.close();
    if (end.error != 0) return end;
    try {
        exchange(in.ours, out.ours, err.ours, input, end, limit_ms);
    } catch (...) { // no memory for the output
        kill(child, SIGKILL);
        wait_for(child);
        throw;
    }
    if (end.timed_out) kill(child, SIGKILL);
    in.ours.close();
    end.status = wait_for(child);
    return end;
}

} // namespace hsm::detail

#else

namespace hsm::detail {

program_end run_program(const std::vector<std::string>&, std::string_view, int) { return {ENOSYS, 0, false, {}, {}}; }

} // namespace hsm::detail

#endif

std::string hsm::detail::system_text(int error) { return std::generic_category().message(error); }
