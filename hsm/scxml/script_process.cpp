#include <hsm/scxml/detail/script_process.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/scxml/detail/script_wire.hpp>

#include <system_error>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <ctime>
#include <iterator>

namespace hsm::detail::scxml {

namespace {

#ifdef __x86_64__
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#else
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#endif

constexpr int poll_milliseconds = 10;
constexpr std::int64_t ns_of_ms = 1'000'000;
constexpr auto by_descriptor = static_cast<idtype_t>(3); // P_PIDFD, which older headers lack

std::int64_t time_of(clockid_t clock) {
    timespec t{};
    return ::clock_gettime(clock, &t) == 0 ? t.tv_sec * 1'000 * ns_of_ms + t.tv_nsec : -1;
}

[[noreturn]] void throw_errno(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

/// Restricts the process to using memory, communicating through its sockets, and exiting. All other system calls fail.
bool confine() {
    constexpr unsigned allowed[] = {
        SYS_recvfrom, SYS_sendto,   SYS_read,  SYS_write,      SYS_brk,           SYS_munmap,       SYS_mremap,
        SYS_madvise,  SYS_mprotect, SYS_futex, SYS_exit_group, SYS_clock_gettime, SYS_gettimeofday, SYS_rt_sigreturn,
    };
    sock_filter program[8 + 2 * std::size(allowed) + 4];
    std::size_t n = 0;
    const auto load = [&](std::size_t offset) { program[n++] = BPF_STMT(BPF_LD | BPF_W | BPF_ABS, static_cast<unsigned>(offset)); };
    const auto unless = [&](std::uint32_t equal, std::uint8_t skipped) { program[n++] = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, equal, 0, skipped); };
    const auto answer = [&](std::uint32_t what) { program[n++] = BPF_STMT(BPF_RET | BPF_K, what); };
    load(offsetof(seccomp_data, arch));
    program[n++] = BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, architecture, 1, 0);
    answer(SECCOMP_RET_KILL_PROCESS);
    load(offsetof(seccomp_data, nr));
    for (const auto call : allowed) {
        unless(call, 1);
        answer(SECCOMP_RET_ALLOW);
    }
    // Anonymous memory: mmap without a file.
    unless(SYS_mmap, 3);
    load(offsetof(seccomp_data, args[4]));
    unless(0xffffffff, 1);
    answer(SECCOMP_RET_ALLOW);
    answer(SECCOMP_RET_ERRNO | EPERM);
    const sock_fprog filter{static_cast<unsigned short>(n), program};
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

bool limit(int what, std::size_t most) {
    const rlimit both{most, most};
    return ::setrlimit(static_cast<__rlimit_resource>(what), &both) == 0;
}

std::size_t address_space() {
    std::size_t pages = 0;
    if (auto* file = std::fopen("/proc/self/statm", "r")) {
        if (std::fscanf(file, "%zu", &pages) != 1) pages = 0;
        std::fclose(file);
    }
    return pages * static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

/// Blocks all signals in this thread, so that the new process receives none, including Ctrl-C.
class blocked_signals {
public:
    blocked_signals() {
        sigset_t all;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    blocked_signals(const blocked_signals&) = delete;
    ~blocked_signals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

    /// Called in the new process. Restores the signals that end it after an error or at its time limit.
    static void stay() {
        sigset_t ending;
        ::sigemptyset(&ending);
        for (const int one : {SIGXCPU, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP}) {
            ::signal(one, SIG_DFL);
            ::sigaddset(&ending, one);
        }
        ::pthread_sigmask(SIG_UNBLOCK, &ending, nullptr);
    }

private:
    sigset_t before_;
};

/// Prepares the confinement. Returns false and sets errno on failure.
bool prepare_to_be_confined(int socket, std::size_t memory) {
    blocked_signals::stay();
    ::tzset(); // it reads a file
    const auto space = address_space() + memory;
    return ::dup2(socket, 0) == 0 && ::syscall(SYS_close_range, 1u, ~0u, 0u) == 0 && limit(RLIMIT_AS, space) && limit(RLIMIT_NOFILE, 0) &&
           limit(RLIMIT_FSIZE, 0) && limit(RLIMIT_CORE, 0) && ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0;
}

template <class F> [[noreturn]] void run_child(int socket, std::size_t memory, F serve) {
    const bool confined = prepare_to_be_confined(socket, memory) && confine();
    const auto wrong = static_cast<std::uint32_t>(confined ? 0 : errno);
    if (send_frame(0, (wire_writer(message::reply) << wrong).bytes()) && confined) serve(0);
    ::_exit(0);
}

} // namespace

script_process::script_process(const process_limits& limits, service serve) : limits_(limits) {
    int ends[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) throw_errno("a socket for scripts");
    int why = 0;
    {
        const blocked_signals meanwhile;
        id_ = ::fork();
        if (id_ == 0) run_child(ends[1], limits_.memory, [&](int connection) { serve.run(connection, serve.with); });
        why = errno;
    }
    ::close(ends[1]);
    socket_ = ends[0];
    if (id_ < 0) {
        ::close(socket_);
        throw std::system_error(why, std::generic_category(), "a process for scripts");
    }
    descriptor_ = static_cast<int>(::syscall(SYS_pidfd_open, id_, 0));
    clockid_t clock = 0;
    clock_ = ::clock_getcpuclockid(id_, &clock) == 0 ? clock : CLOCK_MONOTONIC;
    std::uint32_t wrong = EPERM; // used if there is no reply
    try {
        const turn first(*this);
        wire_reader(receive()) >> wrong;
    } catch (const wire_error&) {
    } catch (...) {
        release();
        throw;
    }
    if (wrong == 0) return;
    release();
    throw std::system_error(static_cast<int>(wrong), std::generic_category(), "the process for scripts cannot be confined");
}

script_process::~script_process() { release(); }

void script_process::release() {
    end();
    if (descriptor_ >= 0) ::close(descriptor_);
    ::close(socket_);
}

/// Without a pidfd, checks whether a child of this process has the id. If SIGCHLD is ignored, or other code has waited for the child, the system may
/// have reused the id for another process.
bool script_process::lives() const {
    if (descriptor_ >= 0) {
        pollfd ended{descriptor_, POLLIN, 0};
        return ::poll(&ended, 1, 0) == 0;
    }
    siginfo_t info{};
    return ::waitid(P_PID, static_cast<id_t>(id_), &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == 0;
}

void script_process::end() {
    if (id_ <= 0) return;
    const bool lived = lives();
    if (lived && (descriptor_ < 0 || ::syscall(SYS_pidfd_send_signal, descriptor_, SIGKILL, nullptr, 0) != 0)) ::kill(id_, SIGKILL);
    siginfo_t info{};
    while (::waitid(descriptor_ >= 0 ? by_descriptor : P_PID, static_cast<id_t>(descriptor_ >= 0 ? descriptor_ : id_), &info,
                    lived ? WEXITED : WEXITED | WNOHANG) < 0 &&
           errno == EINTR) {
    }
    id_ = -1;
}

std::int64_t script_process::cpu_used() const {
    const auto used = time_of(clock_);
    return used < 0 ? begin_ : used;
}

script_process::turn::turn(script_process& p) : process_(p), begin_(p.begin_), waited_(p.waited_) {
    p.begin_ = p.cpu_used();
    p.waited_ = 0;
    // Ends the process even if this process is killed.
    const auto seconds = static_cast<std::uint64_t>(p.begin_ / (1'000 * ns_of_ms) + p.limits_.cpu_milliseconds / 1'000 + 2);
    if (seconds <= p.deadline_ || p.id_ <= 0 || !p.lives()) return;
    p.deadline_ = seconds;
    const rlimit both{seconds, RLIM_INFINITY};
    ::prlimit(p.id_, RLIMIT_CPU, &both, nullptr);
}
script_process::turn::~turn() {
    process_.begin_ = begin_ + process_.cpu_used() - process_.begin_;
    process_.waited_ = waited_;
}

/// Waits until bytes can be received or sent. Limits processor time, so that a busy machine does not end innocent scripts. Also limits the total
/// waiting time, because the process could sleep or send single bytes. One wait counts at most the timeout of poll(), so suspending this process has
/// no effect.
void script_process::wait(short what) {
    for (;;) {
        const auto before = time_of(CLOCK_MONOTONIC);
        pollfd on{socket_, what, 0};
        const bool comes = ::poll(&on, 1, poll_milliseconds) > 0;
        waited_ += std::clamp<std::int64_t>(time_of(CLOCK_MONOTONIC) - before, 0, poll_milliseconds * ns_of_ms);
        if (cpu_used() - begin_ > limits_.cpu_milliseconds * ns_of_ms)
            throw wire_error(fmt::format("the script used more than {} ms of processor time, and its process was ended", limits_.cpu_milliseconds));
        if (waited_ > limits_.wait_milliseconds * ns_of_ms) throw wire_error("the process for scripts did not answer and was ended");
        if (comes) return;
    }
}

void script_process::transfer(char* bytes, std::size_t size, bool sends) {
    while (size > 0) {
        wait(sends ? POLLOUT : POLLIN);
        const auto done = sends ? ::send(socket_, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT) : ::recv(socket_, bytes, size, MSG_DONTWAIT);
        if (done < 0 && (errno == EINTR || errno == EAGAIN)) continue;
        if (done <= 0) throw wire_error("the process for scripts has ended");
        bytes += done;
        size -= static_cast<std::size_t>(done);
    }
}

void script_process::send(std::string_view message) {
    auto frame = framed(message);
    transfer(frame.data(), frame.size(), true);
}

std::string script_process::receive() {
    char head[size_of_head];
    transfer(head, sizeof head, false);
    const auto size = size_in(head);
    if (size > limits_.message) throw wire_error("the process for scripts sent too much data and was ended");
    std::string bytes(size, '\0');
    transfer(bytes.data(), size, false);
    return bytes;
}

} // namespace hsm::detail::scxml

#else

namespace hsm::detail::scxml {

script_process::script_process(const process_limits&, service) {
    throw std::system_error(std::make_error_code(std::errc::not_supported), "untrusted scripts need Linux, on x86-64 or ARM64");
}
script_process::~script_process() = default;
void script_process::send(std::string_view) {}
std::string script_process::receive() { return {}; }
void script_process::end() {}
script_process::turn::turn(script_process& p) : process_(p), begin_(0), waited_(0) {}
script_process::turn::~turn() = default;

} // namespace hsm::detail::scxml

#endif
