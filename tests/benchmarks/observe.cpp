// W2 observed: Samek's machine, random events, unobserved, with a recorder and with a trace file. What an event costs; OBSERVE lines say
// how many records it tells, so that a record's instructions are the difference divided by them.

#include "samek_chart.hpp"

#include <hsm/observe/recorder.hpp>
#include <hsm/observe/trace_writer.hpp>
#include <hsm/run/attachment.hpp>

#include <cstdio>
#include <memory>
#include <utility>

namespace {

enum class how { unobserved, transitions, everything, file };

/// A file that is replaced when it is large.
class endless_file final : public hsm::byte_sink {
public:
    endless_file() : file_(std::tmpfile()) { std::setvbuf(file_, nullptr, _IONBF, 0); }
    ~endless_file() override { std::fclose(file_); }
    bool write(const void* bytes, std::size_t count) override {
        size_ += count;
        if (size_ > most) {
            std::rewind(file_);
            size_ = count;
        }
        return std::fwrite(bytes, 1, count, file_) == count;
    }

private:
    static constexpr std::size_t most = 256 << 20;
    std::FILE* file_;
    std::size_t size_ = 0;
};

/// Samek's machine, and who looks on.
class observed {
public:
    explicit observed(how looks) : machine_(samek::make_chart(bench::without_times)), looks_(looks) {}

    void start() {
        if (looks_ == how::file)
            seen_ = machine_.attach(files_->trace, kinds());
        else if (looks_ != how::unobserved)
            seen_ = machine_.attach(recorder_, kinds());
        machine_.start();
    }
    void process(std::uint8_t event) { machine_.process(event); }
    std::size_t bytes() const { return machine_.bytes(); }
    std::uint64_t records() const { return recorder_.size() + recorder_.lost(); }

private:
    hsm::record_kinds kinds() const {
        return looks_ != how::transitions ? hsm::record_kinds::all() : hsm::record_kinds(hsm::record_kind::transition);
    }

    struct attachable : samek::machine {
        using samek::machine::machine;
        hsm::attachment attach(hsm::observer& to, hsm::record_kinds kinds) { return agent().attach(to, kinds); }
    };
    attachable machine_;
    hsm::recorder recorder_{4096};
    struct files {
        endless_file file;
        hsm::trace_writer trace{file};
    };
    std::unique_ptr<files> files_ = std::make_unique<files>();
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
    measure("unobserved", how::unobserved);
    measure("recorder,transitions", how::transitions);
    measure("recorder,all", how::everything);
    measure("file,all", how::file);
    return program.status();
}
