// W4: a ring of n states; the event leads to the next one, with an action that knows its state. `any`: the root has a transition to each state, on an
// event of its own.

#include "machine.hpp"

namespace {

enum class signal : std::uint8_t { next };
struct nothing {};

void acted(std::uint64_t state) {
    bench::count(0);
    bench::count(1, state);
}

auto make_chart(unsigned n) {
    auto root = hsm::make_fsm<nothing>("ring");
    std::vector<hsm::state<nothing>*> states;
    for (unsigned i = 0; i < n; ++i) states.push_back(&root->add("state" + std::to_string(i)));
    for (unsigned i = 0; i < n; ++i) states[i]->to(*states[(i + 1) % n]).on<signal::next>().then([i](nothing&) { acted(i); });
    return hsm::compile(std::move(root), bench::without_times);
}

enum class place : std::uint16_t {};

auto make_any_state(unsigned n) {
    auto root = hsm::make_fsm<nothing>("root");
    for (unsigned i = 0; i < n; ++i) root->to(root->add("state" + std::to_string(i))).on(place(i)).then([i](nothing&) { acted(i); });
    return hsm::compile(std::move(root), bench::without_times);
}

constexpr unsigned step = 7919; ///< no divisor of n, so that all states are visited

template <unsigned N> struct jumping : bench::machine<nothing, place> {
    jumping() : machine(make_any_state(N)) {}
    void process(std::uint8_t) { agent().process(place(at_ = (at_ + step) % N)); }
    unsigned at_ = 0;
};

template <unsigned N> void jump(bench::program& program) {
    bench::counters.fill(0);
    for (unsigned i = 0, at = 0; i < bench::event_count; ++i) acted(at = (at + step) % N);
    program.measure({"W4", "any" + std::to_string(N), bench::checksum()}, [] { return jumping<N>(); });
}

/// Each action is a function of its own.
template <unsigned State> constexpr auto acts = [](nothing&) { acted(State); };

template <unsigned N>
constexpr auto constant_chart = hsm::constant_chart<nothing>([](auto& root) {
    hsm::constant_state<nothing>* states[N];
    for (unsigned i = 0; i < N; ++i) states[i] = &root.add(bench::numbered("state", i));
    [&]<unsigned... I>(std::integer_sequence<unsigned, I...>) { (states[I]->to(*states[(I + 1) % N]).on(signal::next).then(acts<I>), ...); }
    (std::make_integer_sequence<unsigned, N>());
});

#define CASE(i)                                                                                                                                      \
    case i:                                                                                                                                          \
        if (event == 0) acted(i), state_ = ((i) + 1) % n;                                                                                            \
        return;
#define CASES_10(i) CASE(i) CASE(i + 1) CASE(i + 2) CASE(i + 3) CASE(i + 4) CASE(i + 5) CASE(i + 6) CASE(i + 7) CASE(i + 8) CASE(i + 9)
#define CASES_100(i)                                                                                                                                 \
    CASES_10(i)                                                                                                                                      \
    CASES_10(i + 10)                                                                                                                                 \
    CASES_10(i + 20) CASES_10(i + 30) CASES_10(i + 40) CASES_10(i + 50) CASES_10(i + 60) CASES_10(i + 70) CASES_10(i + 80) CASES_10(i + 90)
#define CASES_1000(i)                                                                                                                                \
    CASES_100(i)                                                                                                                                     \
    CASES_100(i + 100)                                                                                                                               \
    CASES_100(i + 200)                                                                                                                               \
    CASES_100(i + 300) CASES_100(i + 400) CASES_100(i + 500) CASES_100(i + 600) CASES_100(i + 700) CASES_100(i + 800) CASES_100(i + 900)

/// One case for each state.
template <class Integer> class reference_base {
public:
    void start() {}

protected:
    Integer state_ = 0;
};

#define REFERENCE(count, integer)                                                                                                                    \
    struct reference_##count : reference_base<integer> {                                                                                             \
        static constexpr integer n = count;                                                                                                          \
        void process(std::uint8_t event) {                                                                                                           \
            switch (state_) { CASES_##count(0) default : return; }                                                                                   \
        }                                                                                                                                            \
    };
REFERENCE(10, std::uint8_t)
REFERENCE(100, std::uint8_t)
REFERENCE(1000, std::uint16_t)

template <class Reference> void run(bench::program& program, std::uint64_t checksum) {
    program.compare(
        {"W4", "n" + std::to_string(Reference::n), checksum}, [] { return bench::machine<nothing, signal>(make_chart(Reference::n)); },
        [] { return Reference(); });
    program.compare(
        {"W4", "n" + std::to_string(Reference::n) + ",constant", checksum},
        [] { return bench::constant_machine<constant_chart<Reference::n>, signal>(); }, [] { return Reference(); });
}

} // namespace

int main(int argc, char** argv) {
    bench::program program(argc, argv);
    run<reference_10>(program, 0xe3e131f3df7798e3);
    run<reference_100>(program, 0x1be9dc100f8d0f7e);
    run<reference_1000>(program, 0xeeaf1867932fd4b2);
    jump<100>(program);
    jump<10000>(program);
    return program.status();
}
