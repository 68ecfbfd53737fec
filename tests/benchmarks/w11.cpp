// W11: events that wait. Two states, to and fro. `post8`: eight are posted, then drained; `tick8`: then ticked; `post1`: each is drained at
// once; `mailbox8`: through the mailbox; `defer4`: four come while they are deferred, and are handled when the state is left. The reference is a
// ring of 16 and a switch; with `_to_process` it is our own process, without a queue.

#include "machine.hpp"

namespace {

enum class signal : std::uint8_t { go, busy, idle };
struct nothing {};

constexpr auto arrived = [](nothing&) { bench::count(0); };
constexpr auto left = [](nothing&) { bench::count(1); };

auto make_toggle() {
    auto root = hsm::make_fsm<nothing>("root");
    auto& a = root->add("a").on_enter(arrived);
    auto& b = root->add("b").on_enter(left);
    a.to(b).on(signal::go);
    b.to(a).on(signal::go);
    return hsm::compile(std::move(root), bench::without_times);
}

/// In `busy` nothing toggles.
auto make_deferring() {
    auto root = hsm::make_fsm<nothing>("root");
    auto& idle = root->add_fsm("idle");
    auto& a = idle.add("a").on_enter(arrived);
    auto& b = idle.add("b").on_enter(left);
    auto& busy = root->add("busy").defer(signal::go);
    a.to(b).on(signal::go);
    b.to(a).on(signal::go);
    idle.to(busy).on(signal::busy);
    busy.to(idle).on(signal::idle);
    return hsm::compile(std::move(root), bench::without_times);
}

using machine = bench::machine<nothing, signal>;
constexpr hsm::instance_options with_queue{.internal_queue = 0, .posted_queue = 16};
constexpr hsm::instance_options with_mailbox{.internal_queue = 0, .posted_queue = 0, .mailbox = 16};

/// Each event is posted; behind every `Batch` of them they are drained.
template <unsigned Batch> struct posting : machine {
    posting() : machine(make_toggle(), with_queue) {}
    void process(std::uint8_t event) {
        agent().post(static_cast<signal>(event));
        if (++posted_ % Batch == 0) agent().drain();
    }
    unsigned posted_ = 0;
};

struct ticked : machine {
    ticked() : machine(make_toggle(), with_queue) {}
    void process(std::uint8_t event) {
        agent().post(static_cast<signal>(event));
        if (++posted_ % 8 == 0) agent().tick();
    }
    unsigned posted_ = 0;
};

struct mailed : machine {
    mailed() : machine(make_toggle(), with_mailbox) {}
    void process(std::uint8_t event) {
        agent().mailbox().post(static_cast<signal>(event));
        if (++posted_ % 8 == 0) agent().drain();
    }
    unsigned posted_ = 0;
};

struct processing : machine {
    processing() : machine(make_toggle()) {}
};

struct deferring : machine {
    deferring() : machine(make_deferring(), {.internal_queue = 0, .posted_queue = 0, .deferred_queue = 8}) {}
    void process(std::uint8_t event) {
        if (came_++ % 4 == 0) agent().process(signal::busy);
        agent().process(static_cast<signal>(event));
        if (came_ % 4 == 0) agent().process(signal::idle);
    }
    unsigned came_ = 0;
};

class toggle_by_hand {
public:
    void start() { arrived(nothing_); }
    void handle(signal event) {
        switch (in_b_) {
        case 0:
            if (event != signal::go) return;
            in_b_ = 1;
            return left(nothing_);
        case 1:
            if (event != signal::go) return;
            in_b_ = 0;
            return arrived(nothing_);
        }
    }
    void enter_a() { in_b_ = 0, arrived(nothing_); }

private:
    nothing nothing_;
    std::uint8_t in_b_ = 0;
};

/// The events wait in a ring.
template <unsigned Batch> class ring {
public:
    void start() { toggle_.start(); }
    void process(std::uint8_t event) {
        if (end_ - begin_ < 16) waiting_[end_++ % 16] = static_cast<signal>(event);
        if (++posted_ % Batch == 0)
            while (begin_ != end_) toggle_.handle(waiting_[begin_++ % 16]);
    }

private:
    toggle_by_hand toggle_;
    signal waiting_[16]{};
    unsigned begin_ = 0, end_ = 0, posted_ = 0;
};

/// Four events wait until it is no longer busy; then it is in its first state again.
class deferring_by_hand {
public:
    void start() { toggle_.start(); }
    void process(std::uint8_t event) {
        waiting_[came_++ % 4] = static_cast<signal>(event);
        if (came_ % 4 != 0) return;
        toggle_.enter_a();
        for (const auto each : waiting_) toggle_.handle(each);
    }

private:
    toggle_by_hand toggle_;
    signal waiting_[4]{};
    unsigned came_ = 0;
};

} // namespace

int main(int argc, char** argv) {
    bench::program program(argc, argv);
    const std::uint64_t toggled = 0x39df171d84f85382, deferred = 0xa9dd6a05ca8ed9c2;
    const auto theirs = [] { return ring<8>(); };
    const auto process = [] { return processing(); };
    program.compare({"W11", "process", toggled}, process, theirs);
    program.compare(
        {"W11", "post8", toggled}, [] { return posting<8>(); }, theirs);
    program.compare(
        {"W11", "post8_to_process", toggled}, [] { return posting<8>(); }, process);
    program.compare(
        {"W11", "post1", toggled}, [] { return posting<1>(); }, [] { return ring<1>(); });
    program.compare(
        {"W11", "tick8", toggled}, [] { return ticked(); }, theirs);
    program.compare(
        {"W11", "mailbox8", toggled}, [] { return mailed(); }, theirs);
    program.compare(
        {"W11", "defer4", deferred}, [] { return deferring(); }, [] { return deferring_by_hand(); });
    return program.status();
}
