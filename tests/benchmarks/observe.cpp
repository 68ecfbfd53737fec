// W2 observed: Samek's machine, random events, unobserved, with a recorder and with a trace file. What an event costs; OBSERVE lines say
// how many records it tells, so that a record's instructions are the difference divided by them.

#include "samek_chart.hpp"

#include <hsm/observe/recorder.hpp>
#include <hsm/run/attachment.hpp>

#include <cstdio>
#include <memory>
#include <utility>

namespace {

enum class how { nobody, transitions, everything };

/// Samek's machine, and who looks on.
class observed {
public:
    explicit observed(how looks) : machine_(samek::make_chart(bench::without_times)), looks_(looks) {}

    void start() {
        if (looks_ != how::nobody) seen_ = machine_.attach(recorder_, kinds());
        machine_.start();
    }
    void process(std::uint8_t event) { machine_.process(event); }
    std::size_t bytes() const { return machine_.bytes(); }
    std::uint64_t records() const { return recorder_.size() + recorder_.lost(); }

private:
    hsm::record_kinds kinds() const { return looks_ == how::everything ? hsm::record_kinds::all() : hsm::record_kinds(hsm::record_kind::transition); }

    struct attachable : samek::machine {
        using samek::machine::machine;
        hsm::attachment attach(hsm::observer& to, hsm::record_kinds kinds) { return agent().attach(to, kinds); }
    };
    attachable machine_;
    hsm::recorder recorder_{4096};
    hsm::attachment seen_;
    how looks_;
};

double records_per_event(how looks) {
    bench::random_events<9>();
    observed machine(looks);
    machine.start();
    const auto before = machine.records();
    bench::pass(machine);
    return static_cast<double>(machine.records() - before) / bench::event_count;
}

} // namespace

int main(int argc, char** argv) {
    bench::program program(argc, argv);
    const auto measure = [&](const char* param, how looks) {
        program.measure({"W2observed", param, samek::random_checksum, bench::random_events<9>}, [=] { return observed(looks); });
        if (argc == 1) std::printf("OBSERVE %s records_per_event=%.2f\n", param, records_per_event(looks));
    };
    measure("nobody", how::nobody);
    measure("recorder,transitions", how::transitions);
    measure("recorder,all", how::everything);
    return program.status();
}
