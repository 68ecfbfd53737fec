/// A confined child process. It can only compute, use memory up to a limit, and exchange messages with this process.
///
/// It is created with fork and confined before scripts run. It is untrusted: it may not answer, not end, or send anything. Available on Linux on
/// x86-64 and ARM64 only. It belongs to one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hsm::detail::scxml {

struct process_limits {
    std::size_t memory = std::size_t(16) << 20; ///< bytes of address space, in addition to that of this process
    std::size_t message = std::size_t(8) << 20; ///< bytes of one message from it
    std::int64_t cpu_milliseconds = 1000;       ///< of one turn
    std::int64_t wait_milliseconds = 30'000;    ///< the time that this process waits for it in one turn
};

class script_process {
public:
    /// `serve(int connection)` runs in the child with its side of the connection. The child ends when it returns. Throws std::system_error if the
    /// process cannot be created or confined.
    template <class F>
    script_process(const process_limits& limits, const F& serve)
        : script_process(limits, {[](int connection, const void* f) { (*static_cast<const F*>(f))(connection); }, &serve}) {}
    script_process(const script_process&) = delete;
    ~script_process();

    // Both throw wire_error if the process has used up its turn, has ended, or sends too much.
    void send(std::string_view message);
    std::string receive();

    void end();                    ///< Kills the process. Does nothing if it has ended.
    int id() const { return id_; } ///< its process id; negative after it has ended

    /// Limits the processor time during its lifetime. Time of nested turns does not count.
    class turn {
    public:
        explicit turn(script_process& p);
        turn(const turn&) = delete;
        ~turn();

    private:
        script_process& process_;
        std::int64_t begin_, waited_;
    };

private:
    struct service {
        void (*run)(int connection, const void* with);
        const void* with;
    };
    script_process(const process_limits& limits, service serve);

    void release(); ///< frees all resources of the destructor
    bool lives() const;
    std::int64_t cpu_used() const; ///< in nanoseconds
    void wait(short what);
    void transfer(char* bytes, std::size_t size, bool sends);

    process_limits limits_;
    int socket_ = -1, id_ = -1;
    int descriptor_ = -1; ///< A pidfd. Unlike id_ it is never reused for another process; -1 if the system refuses one.
    int clock_ = 0;
    std::int64_t begin_ = 0;     ///< of the turn, in processor time
    std::int64_t waited_ = 0;    ///< nanoseconds that this process has waited in this turn
    std::uint64_t deadline_ = 0; ///< seconds of processor time after which the system kills it
};

} // namespace hsm::detail::scxml
