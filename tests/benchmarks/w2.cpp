// W2: Samek's machine, random events. W2p: the same 64 events over and over, so that hardly a branch is mispredicted.

#include "samek_chart.hpp"

int main(int argc, char** argv) {
    bench::program program(argc, argv);
    const auto ours = [] { return samek::machine(samek::make_chart(bench::without_times)); };
    const auto ours_by_default = [] { return samek::machine(samek::make_chart({}), {}); };
    const auto constant = [] { return samek::constant_machine(); };
    const auto theirs = [] { return samek::reference(); };
    program.compare({"W2", "rand9", samek::random_checksum, bench::random_events<9>}, ours, theirs);
    program.compare({"W2", "default", samek::random_checksum, bench::random_events<9>}, ours_by_default, theirs);
    program.compare({"W2", "rand9,constant", samek::random_checksum, bench::random_events<9>}, constant, theirs);
    program.compare({"W2p", "period64", samek::periodic_checksum, bench::periodic_events<9>}, ours, theirs);
    program.compare({"W2p", "period64,constant", samek::periodic_checksum, bench::periodic_events<9>}, constant, theirs);
    return program.status();
}
