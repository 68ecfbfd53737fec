// Tests that an untrusted process can only compute and communicate, and that its parent continues whatever it does.

#include <hsm/hsm.hpp>
#include <hsm/scxml/detail/script_process.hpp>
#include <hsm/scxml/detail/script_wire.hpp>
#include <hsm/scxml/ecmascript.hpp>
#include <hsm/scxml/scxml.hpp>
#include <hsm/scxml/session.hpp>

#include <tests/support/scxml_documents.hpp>

#include <doctest/doctest.h>

#if defined(__linux__) && !defined(HSM_TEST_ADDRESS_SANITIZER) && !defined(HSM_TEST_THREAD_SANITIZER)
#include <fcntl.h>
#include <linux/filter.h>
#include <linux/futex.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdlib>
#include <ctime>
#include <new>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

using namespace hsm::detail::scxml;

namespace {

constexpr process_limits small{.memory = 64 << 20, .message = 1000, .cpu_milliseconds = 100};
constexpr process_limits impatient{.message = 1000, .wait_milliseconds = 4000}; // long enough for the start on a busy machine

/// Returns the error after a request.
template <class F> std::string error_of(F serve, std::size_t question = 1, const process_limits& limits = small) {
    script_process other(limits, serve);
    const script_process::turn turn(other);
    try {
        other.send(std::string(question, 'q'));
        for (;;) (void)other.receive();
    } catch (const wire_error& e) {
        return e.what();
    }
}

/// Computes forever.
constexpr auto spin = [](int) {
    for (volatile unsigned i = 0;;) i = i + 1;
};
constexpr auto doze = [](int) {
    for (pollfd none{};;) ::poll(&none, 0, -1); // poll is not permitted and fails
};
/// Sleeps, which is permitted: waits for a futex that is never woken.
void sleep_milliseconds(long count) {
    std::uint32_t never = 0;
    const timespec span{0, count * 1'000'000};
    ::syscall(SYS_futex, &never, FUTEX_WAIT_PRIVATE, 0, &span, nullptr, 0);
}

} // namespace

TEST_SUITE_BEGIN("processes of scripts" * doctest::skip(std::getenv("HSM_EMULATED") != nullptr)); // an emulator has no seccomp

TEST_CASE("a process answers, and its processor time is counted per request") {
    script_process other(small, [](int connection) {
        for (std::string message; receive_frame(connection, message);) {
            const auto until = std::clock() + CLOCKS_PER_SEC / 40;
            while (std::clock() < until) {
            }
            send_frame(connection, message + message);
        }
    });
    const auto ask = [&](std::string_view question) {
        const script_process::turn turn(other);
        other.send(question);
        return other.receive();
    };
    for (int i = 0; i < 5; ++i) CHECK(ask("ab") == "abab"); // 125 ms together
    {
        const script_process::turn outer(other);
        const auto again = [&] { return other.send("x"), other.receive(); };
        CHECK(again() == "xx");
        for (int i = 0; i < 4; ++i) CHECK(ask("y") == "yy"); // not counted for the outer turn
        CHECK(again() == "xx");
        CHECK_THROWS_AS(for (int i = 0; i < 4; ++i) again(), wire_error);
    }
    other.end();
}

TEST_CASE("a process that exceeds its time, closes the connection, or sends an invalid message is ended") {
    const std::string took = "the script used more than 100 ms of processor time, and its process was ended";
    const std::string sleeps = "the process for scripts did not answer and was ended";
    CHECK(error_of(spin) == took);
    CHECK(error_of([](int connection) {
              send_frame(connection, "first");
              ::send(connection, "\5\0\0\0ha", 6, 0);
              spin(0);
          }) == took);
    CHECK(error_of([](int connection) {
              while (send_frame(connection, "again")) {
              }
          }) == took);
    const auto read_on = [](int connection) {
        std::string none;
        while (receive_frame(connection, none)) {
        }
    };
    const auto half = [&](int connection) {
        ::send(connection, "\5\0", 2, 0);
        read_on(connection);
    };
    CHECK(error_of(half, 1, impatient) == sleeps);
    CHECK(error_of(spin, 10'000'000) == took); // it does not read either
    CHECK(error_of([](int) {}) == "the process for scripts has ended");
    CHECK(error_of([](int) { std::abort(); }) == "the process for scripts has ended");
    CHECK(error_of([&](int connection) {
              send_frame(connection, std::string(1001, 'x'));
              read_on(connection); // if it ended, the host could notice that first
          }) == "the process for scripts sent too much data and was ended");
    CHECK(error_of(doze) == took); // it cannot sleep with poll
}

TEST_CASE("a process that sends single bytes slowly is ended") {
    const auto dribble = [](int connection) {
        for (int i = 0; i < 1000; ++i) { // 8 s
            ::send(connection, i == 0 ? "\xe8" : i == 1 ? "\3" : "\0", 1, MSG_NOSIGNAL);
            sleep_milliseconds(8);
        }
    };
    CHECK(error_of(dribble, 1, impatient) == "the process for scripts did not answer and was ended");
}

namespace {

struct throwing_callbacks final : model_callbacks {
    bool is_active(std::string_view) override { throw std::bad_alloc(); }
    outcome<value> call(std::string_view, const std::vector<value>&) override { return {{"1"}, {}}; }
    std::int64_t* steps() override { return nullptr; }
};

} // namespace

TEST_CASE("an exception during an exchange ends the process, and later expressions fail at once") {
    const script_setting setting{{}, nullptr, {"one"}};
    const auto model = make_process_model(setting, 1000, hsm::owned<model_callbacks>(new throwing_callbacks));
    const auto evaluate = [&](const char* text) { return model->evaluate(expression{text, {}, 0}); };
    CHECK(evaluate("one()").result.json == "1");
    CHECK_THROWS_AS((void)evaluate("In('s')"), std::bad_alloc);
    for (const auto* text : {"1", "In('s')"})
        CHECK(evaluate(text).wrong.what ==
              "an exception in this program interrupted the exchange with the process for scripts; the process was ended");
}

TEST_CASE("the process opens no file and no connection, starts nothing, and affects no other process") {
    script_process other(small, [](int connection) {
        std::string done;
        const auto tried = [&](const char* what, long result) {
            if (result >= 0) done += std::string(what) + ' ';
        };
        tried("open", ::open("/etc/passwd", O_RDONLY));
        tried("create", ::open("/tmp/hsm_script_process", O_RDWR | O_CREAT, 0600));
        tried("unlink", ::unlink("/tmp/hsm_script_process"));
        tried("socket", ::socket(AF_INET, SOCK_STREAM, 0));
        tried("fork", ::syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
        tried("execute", ::execl("/bin/true", "true", nullptr));
        tried("kill", ::kill(::getppid(), 0));
        tried("who", ::syscall(SYS_getuid));
        tried("watch", ::syscall(SYS_ptrace, 16, 1, 0, 0));
        tried("connection 1", ::write(1, "x", 1));
        tried("connection 2", ::write(2, "x", 1));
        tried("map a file", ::mmap(nullptr, 4096, PROT_READ, MAP_SHARED, 0, 0) == MAP_FAILED ? -1 : 0);
        tried("much memory", ::mmap(nullptr, std::size_t(1) << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED ? -1 : 0);
        tried("signal", ::syscall(SYS_rt_sigaction, SIGTERM, 0, 0, 8));
        send_frame(connection, "done: " + done);
    });
    const script_process::turn turn(other);
    CHECK(other.receive() == "done: ");
}

TEST_CASE("SIGINT and SIGTERM do not end the script process") {
    script_process other(small, [](int connection) {
        for (std::string message; receive_frame(connection, message);) send_frame(connection, message);
    });
    const script_process::turn turn(other);
    CHECK(::kill(other.id(), SIGINT) == 0);
    CHECK(::kill(other.id(), SIGTERM) == 0);
    other.send("still here");
    CHECK(other.receive() == "still here");
}

namespace {

/// Forbids a system call in this process (with this argument, unless it is -1).
bool forbid(std::uint32_t call, std::int64_t argument, std::uint32_t instead = SECCOMP_RET_ERRNO | EAGAIN) {
    sock_filter program[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, args[0])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, static_cast<std::uint32_t>(argument), 0, static_cast<std::uint8_t>(argument < 0 ? 0 : 1)),
        BPF_STMT(BPF_RET | BPF_K, instead),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    const sock_fprog filter{sizeof program / sizeof program[0], program};
    return ::prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && ::prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

/// Returns the exit status of f in a process in which a system call is forbidden.
template <class F> int status_where_forbidden(std::uint32_t call, std::int64_t argument, F f) {
    const auto id = ::fork();
    if (id == 0) ::_exit(forbid(call, argument) ? f() : 2);
    int status = -1;
    ::waitpid(id, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int status_where_forbidden(std::uint32_t call, std::int64_t argument, const char* message) {
    return status_where_forbidden(call, argument, [&] { // 0 if the exception has this message
        try {
            script_process other(small, [](int connection) { send_frame(connection, "here"); });
            return 3;
        } catch (const std::system_error& e) {
            return std::string_view(e.what()).starts_with(message) ? 0 : 4;
        }
    });
}

/// Returns 0 if the start of a session reports it.
int status_of_session() {
    const hsm::scxml::ecmascript scripts({.untrusted = true});
    const auto chart = hsm::compile(
        hsm::load_scxml_text(hsm::test::ecmascript_document("<script>1</script><state id=\"s\"/>"), "d", hsm::test::options_with(scripts)));
    hsm::scxml::context data;
    hsm::scxml::session session(chart, data);
    try {
        session.start();
        return 3;
    } catch (const std::system_error&) {
        return session.configuration().empty() && !session.finished() ? 0 : 4;
    }
}

} // namespace

TEST_CASE("scripts do not run if a confined process cannot be created") {
    CHECK(status_where_forbidden(SYS_clone, -1, status_of_session) == 0);
    CHECK(status_where_forbidden(SYS_prctl, PR_SET_SECCOMP, status_of_session) == 0);
    CHECK(status_where_forbidden(SYS_clone, -1, "a process for scripts: ") == 0);
    CHECK(status_where_forbidden(SYS_socketpair, -1, "a socket for scripts: ") == 0);
    CHECK(status_where_forbidden(SYS_prctl, PR_SET_SECCOMP, "the process for scripts cannot be confined: ") == 0);
    CHECK(status_where_forbidden(SYS_prlimit64, -1, "the process for scripts cannot be confined: ") == 0);
    CHECK(status_where_forbidden(SYS_close_range, -1, "the process for scripts cannot be confined: ") == 0);
}

TEST_CASE("an ended process is neither killed nor limited by its pid, which may be reused") {
    const auto play = [] {
        ::signal(SIGCHLD, SIG_IGN); // the system reaps children automatically
        script_process other(small, [](int) {});
        const auto number = other.id();
        while (::waitpid(number, nullptr, 0) >= 0 || errno != ECHILD) {
        }
        if (!forbid(SYS_kill, -1, SECCOMP_RET_KILL_PROCESS) || !forbid(SYS_prlimit64, -1, SECCOMP_RET_KILL_PROCESS)) return 3;
        const script_process::turn turn(other);
        other.end();
        return other.id() < 0 ? 0 : 4;
    };
    CHECK(status_where_forbidden(SYS_ptrace, -1, play) == 0);     // ptrace is not used, so nothing is forbidden
    CHECK(status_where_forbidden(SYS_pidfd_open, -1, play) == 0); // the process id is used instead
}

TEST_CASE("a process is ended and reaped with and without a pidfd") {
    const auto play = [] {
        int number = 0;
        {
            script_process other(small, spin);
            number = other.id();
        }
        return ::waitpid(number, nullptr, WNOHANG) < 0 && errno == ECHILD && ::kill(number, 0) < 0 && errno == ESRCH ? 0 : 3;
    };
    CHECK(status_where_forbidden(SYS_ptrace, -1, play) == 0);
    CHECK(status_where_forbidden(SYS_pidfd_open, -1, play) == 0);
    CHECK(status_where_forbidden(SYS_pidfd_send_signal, -1, play) == 0);
}

TEST_SUITE_END();

#else

TEST_CASE("processes run untrusted scripts") { MESSAGE("skipped: their process may not do what a sanitizer needs, and there are none but on Linux"); }

#endif
