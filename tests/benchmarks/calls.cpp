// What single calls cost beside the simplest one that does the same.

#include "machine.hpp"

#include <variant>

namespace {

enum class signal : std::uint8_t { go };
struct nothing {};
struct swing {
    int hits = 0;
};

constexpr auto arrived = [](nothing&) { bench::count(0); };
constexpr auto left = [](nothing&) { bench::count(1); };

/// Three levels; two leaves that toggle.
auto make_toggle(bool conditions = false) {
    auto root = hsm::make_fsm<nothing>("root");
    if (conditions) root->condition("IsOpen");
    auto& machine = root->add_fsm("outer").add_fsm("inner");
    auto& a = machine.add("a").on_enter(arrived);
    auto& b = machine.add("b").on_enter(left);
    a.to(b).on(signal::go);
    b.to(a).on(signal::go);
    if (conditions) machine.to(root->add("open")).when(hsm::all("IsOpen", "!IsOpen"));
    return hsm::compile(std::move(root), bench::without_times);
}

/// Both states have a local; the hooks take it, or do not.
auto make_locals(bool taken) {
    auto root = hsm::make_fsm<nothing>("root");
    auto& a = root->add("a").local<swing>();
    auto& b = root->add("b").local<swing>();
    if (taken) {
        a.on_enter([](nothing&, swing& s) { bench::count(0, 1u + static_cast<unsigned>(s.hits)); });
        b.on_enter([](nothing&, swing& s) { bench::count(1, 1u + static_cast<unsigned>(s.hits)); });
    } else {
        a.on_enter(arrived);
        b.on_enter(left);
    }
    a.to(b).on(signal::go);
    b.to(a).on(signal::go);
    return hsm::compile(std::move(root), bench::without_times);
}

using machine = bench::machine<nothing, signal>;

struct toggling : machine {
    toggling() : machine(make_toggle()) {}
};

struct changing : machine {
    changing() : changing(make_toggle()) {}
    explicit changing(hsm::chart<nothing> chart) : machine(chart), a_(chart.find("outer/inner/a")), b_(chart.find("outer/inner/b")) {}
    void process(std::uint8_t) { agent().change_to(++calls_ % 2 ? b_ : a_); }
    hsm::state_ref a_, b_;
    unsigned calls_ = 0;
};

struct asking : machine {
    asking() : asking(make_toggle()) {}
    explicit asking(hsm::chart<nothing> chart) : machine(chart), outer_(chart.find("outer")) {}
    void process(std::uint8_t) { bench::count(2, agent().is_in(outer_)); }
    hsm::state_ref outer_;
};

struct setting : machine {
    setting() : setting(make_toggle(true)) {}
    explicit setting(hsm::chart<nothing> chart) : machine(chart), open_(chart.condition("IsOpen")) {}
    void process(std::uint8_t) {
        agent().set(open_);
        bench::count(2, agent().get(open_));
    }
    hsm::condition open_;
};

/// A bit, set and asked.
class by_hand {
public:
    void start() { arrived(nothing_); }
    void process(std::uint8_t) {
        bits_ |= 2;
        asm volatile("" : : "r"(&bits_) : "memory");
        bench::count(2, bits_ >> 1 & 1);
    }

private:
    nothing nothing_;
    std::uint64_t bits_ = 0;
};

template <bool Taken> struct with_locals : machine {
    with_locals() : machine(make_locals(Taken)) {}
};

struct there {};
struct back {};

auto make_two_events() {
    auto root = hsm::make_fsm<nothing>("root");
    auto& a = root->add("a").on_enter(arrived);
    auto& b = root->add("b").on_enter(left);
    a.to(b).on<there>();
    b.to(a).on<back>();
    return hsm::compile(std::move(root), bench::without_times);
}

/// The two events by turns, each in a variant: given as it is, or visited.
template <bool Visited> struct handing_variants : machine {
    handing_variants() : machine(make_two_events()) {}
    void process(std::uint8_t) {
        const auto& event = events_[calls_++ % 2];
        if constexpr (Visited)
            std::visit([&](const auto& held) { agent().process(held); }, event);
        else
            agent().process(event);
    }
    std::variant<there, back> events_[2] = {there(), back()};
    unsigned calls_ = 0;
};

template <std::uint32_t Mailbox> struct ticking : machine {
    ticking() : machine(make_toggle(), {.internal_queue = 0, .posted_queue = 0, .mailbox = Mailbox}) {}
    void process(std::uint8_t) { agent().tick(); }
};

} // namespace

int main(int argc, char** argv) {
    bench::program program(argc, argv);
    const auto hand = [] { return by_hand(); };
    program.compare(
        {"calls", "change_to", 0x39df171d84f85382}, [] { return changing(); }, [] { return toggling(); });
    program.compare(
        {"calls", "is_in", 0xc8eea17ca7175e5b}, [] { return asking(); }, hand);
    program.compare(
        {"calls", "set_get", 0xc8eea17ca7175e5b}, [] { return setting(); }, hand);
    program.compare(
        {"calls", "local_in_hook", 0x39df171d84f85382}, [] { return with_locals<true>(); }, [] { return with_locals<false>(); });
    program.compare(
        {"calls", "variant", 0x39df171d84f85382}, [] { return handing_variants<false>(); }, [] { return handing_variants<true>(); });
    program.compare(
        {"calls", "empty_mailbox", 0xc44f7b6deba10382}, [] { return ticking<16>(); }, [] { return ticking<0>(); });
    return program.status();
}
