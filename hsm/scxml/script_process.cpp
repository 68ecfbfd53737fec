#include <hsm/scxml/detail/ecmascript_model.hpp>
#include <hsm/scxml/detail/script_wire.hpp>

#include <fmt/format.h>

#include <system_error>

#if defined(__linux__) && (defined(__x86_64__) || defined(__aarch64__))
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <iterator>
#include <utility>

namespace hsm::detail::scxml {

namespace {

#ifdef __x86_64__
constexpr std::uint32_t architecture = AUDIT_ARCH_X86_64;
#else
constexpr std::uint32_t architecture = AUDIT_ARCH_AARCH64;
#endif

/// For its own memory and code besides the heap of the scripts; and for answers on the way.
constexpr std::size_t slack = std::size_t(64) << 20;

constexpr std::int64_t ns_of_ms = 1'000'000;

[[noreturn]] void throw_errno(const char* what) { throw std::system_error(errno, std::generic_category(), what); }

/// From now on the process may use memory, talk through sockets that it has, and end; all else fails.
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
    // Memory of its own: mmap of no file.
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

[[noreturn]] void run_child(int socket, const script_setting& setting) {
    ::tzset(); // it reads a file
    const auto space = address_space() + 2 * setting.limits.memory + slack;
    const bool alone = ::dup2(socket, 0) == 0 && ::syscall(SYS_close_range, 1u, ~0u, 0u) == 0;
    if (alone && limit(RLIMIT_AS, space) && limit(RLIMIT_NOFILE, 0) && limit(RLIMIT_FSIZE, 0) && limit(RLIMIT_CORE, 0) &&
        ::prctl(PR_SET_DUMPABLE, 0, 0, 0, 0) == 0 && confine())
        serve_scripts(0, setting);
    ::_exit(0);
}

/// The model of a session whose scripts run elsewhere. Once their process has ended, everything fails.
class process_model final : public data_model {
public:
    process_model(const script_setting& setting, std::int64_t cpu_milliseconds, owned<model_callbacks> callbacks)
        : callbacks_(std::move(callbacks)), cpu_(cpu_milliseconds), most_(setting.limits.memory + slack) {
        int ends[2];
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) throw_errno("a socket for scripts");
        child_ = ::fork();
        if (child_ == 0) run_child(ends[1], setting);
        ::close(ends[1]);
        socket_ = ends[0];
        if (child_ > 0) return;
        ::close(socket_);
        throw_errno("a process for scripts");
    }
    process_model(const process_model&) = delete;
    ~process_model() override {
        end("");
        ::close(socket_);
    }

    void set_system(const system_variables& all) override { (void)answer<bool>(wire_writer(message::set_system) << all); }
    failure declare(const datum& d) override { return done(wire_writer(message::declare) << d); }
    failure initialise(const datum& d) override { return done(wire_writer(message::initialise) << d); }
    failure initialise(const datum& d, const value& given) override { return done(wire_writer(message::initialise_with) << d << given); }
    void set_event(const event_info& event) override { (void)answer<bool>(wire_writer(message::set_event) << event); }
    outcome<bool> test(const expression& condition) override { return found<bool>(wire_writer(message::test) << condition); }
    outcome<value> evaluate(const expression& e) override { return found<value>(wire_writer(message::evaluate) << e); }
    outcome<std::string> text(const expression& e) override { return found<std::string>(wire_writer(message::text) << e); }
    outcome<value> parse(std::string_view content) override { return found<value>(wire_writer(message::parse) << content); }
    failure assign(const expression& l, const expression& e) override { return done(wire_writer(message::assign) << l << e); }
    failure assign(const expression& l, std::string_view content) override { return done(wire_writer(message::assign_content) << l << content); }
    failure assign(const expression& l, const value& v) override { return done(wire_writer(message::assign_value) << l << v); }
    failure run(const expression& script) override { return done(wire_writer(message::run) << script); }
    failure iterate(const iteration& loop, iterated& body) override {
        auto* const outer = std::exchange(body_, &body);
        auto wrong = done(wire_writer(message::iterate) << loop);
        body_ = outer;
        if (thrown_) std::rethrow_exception(std::exchange(thrown_, nullptr));
        return wrong;
    }
    outcome<std::string> save() override { return found<std::string>(wire_writer(message::save)); }
    failure restore(std::string_view json) override { return done(wire_writer(message::restore) << json); }

private:
    failure done(const wire_writer& out) {
        auto got = answer<failure>(out);
        return got.wrong ? got.wrong : got.result;
    }
    template <class T> outcome<T> found(const wire_writer& out) {
        auto got = answer<outcome<T>>(out);
        return got.wrong ? outcome<T>{{}, got.wrong} : got.result;
    }
    template <class T> outcome<T> answer(const wire_writer& out) {
        outcome<T> got;
        try {
            exchange(out) >> got.result;
        } catch (const wire_error& e) {
            end(e.what());
            got = {{}, {ended_}};
        }
        return got;
    }

    wire_reader exchange(const wire_writer& out) {
        if (child_ <= 0) throw wire_error(ended_);
        if (!send_frame(socket_, out.bytes())) throw wire_error("the process of the scripts has ended");
        for (;;) {
            wait();
            std::string bytes;
            if (!receive_frame(socket_, bytes, most_)) throw wire_error("the process of the scripts has ended");
            wire_reader in(std::move(bytes));
            if (in.kind() == message::reply) return in;
            if (!send_frame(socket_, serve(in).bytes())) throw wire_error("the process of the scripts has ended");
        }
    }

    wire_writer serve(wire_reader& in) {
        wire_writer reply(message::reply);
        if (in.kind() == message::is_active) {
            std::string id;
            in >> id;
            return reply << callbacks_->is_active(id);
        }
        if (in.kind() == message::call) {
            std::string name;
            std::vector<value> arguments;
            in >> name >> arguments;
            return reply << callbacks_->call(name, arguments);
        }
        if (in.kind() == message::run_body && body_) {
            bool ends = true;
            try {
                ends = body_->run();
            } catch (...) { // the process is in the midst of the loop, which ends first
                thrown_ = std::current_exception();
            }
            return reply << ends;
        }
        throw wire_error("the process of the scripts asks what it may not");
    }

    std::int64_t cpu_used() const {
        clockid_t clock;
        timespec t{};
        if (::clock_getcpuclockid(child_, &clock) != 0 || ::clock_gettime(clock, &t) != 0) return 0;
        return t.tv_sec * 1'000 * ns_of_ms + t.tv_nsec;
    }

    /// Until it answers. Processor time counts, so that a busy machine does not end innocent scripts; but it must not sleep, either.
    void wait() {
        const auto begin = cpu_used();
        // If nobody looks after it any more, because this process has been killed, it ends by itself.
        const auto seconds = static_cast<rlim_t>(begin / (1'000 * ns_of_ms) + cpu_ / 1'000 + 2);
        const rlimit both{seconds, RLIM_INFINITY};
        ::prlimit(child_, RLIMIT_CPU, &both, nullptr);
        for (std::int64_t waited = 0;; waited += 10) {
            pollfd on{socket_, POLLIN, 0};
            if (::poll(&on, 1, 10) > 0) return;
            if (cpu_used() - begin > cpu_ * ns_of_ms)
                throw wire_error(fmt::format("the script took more than {} ms of processor time, and its process was ended", cpu_));
            if (waited > 20 * cpu_ + 10'000) throw wire_error("the process of the scripts does not answer, and was ended");
        }
    }

    void end(const char* why) {
        if (child_ <= 0) return;
        ended_ = why;
        ::kill(child_, SIGKILL);
        while (::waitpid(child_, nullptr, 0) < 0 && errno == EINTR) {
        }
        child_ = -1;
    }

    owned<model_callbacks> callbacks_;
    std::int64_t cpu_;
    std::size_t most_;
    int socket_ = -1;
    pid_t child_ = -1;
    iterated* body_ = nullptr;
    std::exception_ptr thrown_; ///< by what is in a loop
    std::string ended_;
};

} // namespace

owned<data_model> make_process_model(const script_setting& setting, std::int64_t cpu_milliseconds, owned<model_callbacks> callbacks) {
    return owned<data_model>(new process_model(setting, cpu_milliseconds, std::move(callbacks)));
}

} // namespace hsm::detail::scxml

#else

namespace hsm::detail::scxml {

owned<data_model> make_process_model(const script_setting&, std::int64_t, owned<model_callbacks>) {
    throw std::system_error(std::make_error_code(std::errc::not_supported), "untrusted scripts need Linux, on x86-64 or ARM64");
}

} // namespace hsm::detail::scxml

#endif
