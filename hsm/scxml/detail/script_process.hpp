/// A process that can do nothing but talk to this one: it computes, uses memory within a limit, sends and receives.
///
/// It is a copy of this one (fork), confined before anything of it runs. What it sends is trusted in nothing: neither that it comes, nor that it
/// ends, nor what it is. Linux on x86-64 and ARM64; elsewhere there is none to be had. It belongs to one thread at a time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace hsm::detail::scxml {

struct process_limits {
    std::size_t memory = std::size_t(16) << 20; ///< bytes of address space, besides what this process has
    std::size_t message = std::size_t(8) << 20; ///< bytes of one that it sends
    std::int64_t cpu_milliseconds = 1000;       ///< of one turn
    std::int64_t wait_milliseconds = 30'000;    ///< that this process waits for it in one turn, whatever it does meanwhile
};

class script_process {
public:
    /// `serve(int connection)` is what it does, with its end of the connection; when that returns, it ends. Throws std::system_error if no process
    /// can be made, or if it cannot be confined.
    template <class F>
    script_process(const process_limits& limits, const F& serve)
        : script_process(limits, {[](int connection, const void* f) { (*static_cast<const F*>(f))(connection); }, &serve}) {}
    script_process(const script_process&) = delete;
    ~script_process();

    // Both throw wire_error, once the process has used up its turn, has ended, or sends too much.
    void send(std::string_view message);
    std::string receive();

    void end();                    ///< Ends it at once. Does nothing if it has ended.
    int id() const { return id_; } ///< as the system knows it; negative once it has ended

    /// While it lives, the process may use that much processor time; what turns within it use does not count for it.
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

    void release(); ///< all that the destructor gives back
    bool lives() const;
    std::int64_t cpu_used() const; ///< nanoseconds
    void wait(short what);
    void transfer(char* bytes, std::size_t size, bool sends);

    process_limits limits_;
    int socket_ = -1, id_ = -1;
    int descriptor_ = -1; ///< A pidfd. Unlike id_ it never means another process; -1 if the system refuses one.
    int clock_ = 0;
    std::int64_t begin_ = 0;     ///< of the turn, on the processor's clock
    std::int64_t waited_ = 0;    ///< nanoseconds that this process has waited in this turn
    std::uint64_t deadline_ = 0; ///< seconds of processor time after which the system ends it
};

} // namespace hsm::detail::scxml
