// W7: two of Samek's machines side by side, in the regions of a parallel. Each event goes to both of them. `turns`: with a third
// region, which does nothing.

#include "samek_chart.hpp"

namespace {

/// One switch after the other.
class two_switches {
public:
    void start() { left_.start(), right_.start(); }
    void process(std::uint8_t event) { left_.process(event), right_.process(event); }

private:
    samek::reference left_;
    samek::reference right_;
};

/// That of W2 with each counter twice as high.
constexpr std::uint64_t checksum = 0x75012fc55351596d;

} // namespace

int main(int argc, char** argv) {
    bench::program program(argc, argv);
    const auto ours = [] { return samek::machine(samek::make_two(bench::without_times)); };
    const auto ours_with_third = [] { return samek::machine(samek::make_two(bench::without_times, true)); };
    const auto theirs = [] { return two_switches(); };
    program.compare({"W7", "rand9", checksum, bench::random_events<9>}, ours, theirs);
    const auto constant = [] { return bench::constant_machine<samek::constant_two, samek::key>(); };
    program.compare({"W7", "rand9,constant", checksum, bench::random_events<9>}, constant, theirs);
    program.compare({"W7", "turns", checksum, bench::random_events<9>}, ours_with_third, theirs);
    return program.status();
}
