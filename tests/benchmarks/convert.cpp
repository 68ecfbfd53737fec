// What a trace file costs to convert, beside copying it: a million records of Samek's machine, all kinds, file to file in one directory.
// The best of some rounds, converter and copy by turns. CONVERT lines give ns per record and the ratio to the copy.

#include "samek_chart.hpp"

#include <hsm/observe/convert.hpp>
#include <hsm/observe/trace_writer.hpp>
#include <hsm/run/attachment.hpp>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <functional>
#include <map>

namespace {

namespace fs = std::filesystem;

struct attachable : samek::machine {
    using samek::machine::machine;
    hsm::attachment attach(hsm::observer& to) { return agent().attach(to); }
};

/// 0: there are no more.
std::uint64_t write_trace(const fs::path& path) {
    bench::random_events<9>();
    attachable machine(samek::make_chart(bench::without_times));
    hsm::file_sink file(path.string());
    hsm::trace_writer trace(file);
    const auto seen = machine.attach(trace);
    machine.start();
    bench::pass(machine);
    bench::pass(machine);
    trace.close();
    if (!file.close()) std::abort();
    return fs::file_size(path) / sizeof(hsm::record);
}

void copy_bytes(const fs::path& from, const fs::path& to) {
    hsm::file_source source(from.string());
    hsm::file_sink sink(to.string());
    std::vector<char> buffer(1 << 16);
    while (const auto count = source.read(buffer.data(), buffer.size()))
        if (!sink.write(buffer.data(), count)) std::abort();
}

using converter = void (*)(hsm::trace_reader&, hsm::byte_sink&);

void convert(converter c, const fs::path& from, const fs::path& to) {
    hsm::file_source source(from.string());
    hsm::file_sink sink(to.string());
    hsm::trace_reader trace(source);
    c(trace, sink);
}

double seconds(const std::function<void()>& work) {
    using clock = std::chrono::steady_clock;
    const auto begin = clock::now();
    work();
    return std::chrono::duration<double>(clock::now() - begin).count();
}

} // namespace

int main() {
    constexpr int rounds = 9;
    const auto dir = fs::temp_directory_path() / "hsm_bench_convert";
    fs::create_directories(dir);
    const auto trace = dir / "run.trace", made = dir / "made";
    const auto records = write_trace(trace);
    const std::map<std::string, converter> converters = {
        {"json_lines", hsm::write_json_lines}, {"chrome_trace", hsm::write_chrome_trace}, {"perfetto", hsm::write_perfetto_trace}};
    std::map<std::string, double> best;
    const auto time = [&](const std::string& name, const std::function<void()>& work) {
        fs::remove(made); // made anew each time, as a copy is
        const auto took = seconds(work);
        const auto [at, is_new] = best.try_emplace(name, took);
        at->second = std::min(at->second, took);
    };
    for (int i = 0; i < rounds; ++i) {
        time("copy", [&] { copy_bytes(trace, made); });
        for (const auto& [name, c] : converters) time(name, [&, c = c] { convert(c, trace, made); });
    }
    for (const auto& [name, took] : best)
        std::printf("CONVERT %s ns_per_record=%.1f ratio_to_copy=%.1f\n", name.c_str(), took * 1e9 / static_cast<double>(records),
                    took / best["copy"]);
    fs::remove_all(dir);
}
