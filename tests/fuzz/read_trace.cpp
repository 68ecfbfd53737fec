// For libFuzzer: whatever bytes are read as a trace, they are refused, or converted into each form; and in JSON lines no time is below 0.

#include <tests/fuzz/fighters.hpp>

#include <hsm/observe/convert.hpp>
#include <hsm/observe/trace_error.hpp>
#include <hsm/observe/trace_writer.hpp>

using namespace fuzz;

namespace {

void write_seeds() {
    for (const bool late : {false, true}) {
        std::string bytes;
        hsm::string_sink sink(bytes);
        {
            one_fighter one;
            many_fighters many;
            hsm::trace_writer writer(sink, {.describe_events = true, .name = "fighters"});
            hsm::trace_writer::track first(writer, "one"), others(writer, "many");
            const auto observed = one.agent.attach(first), all_observed = many.herd.attach(others);
            one.begin();
            many.begin();
            if (late) {
                tick_to_end(one.agent);
                tick_to_end(many.herd);
                one.agent.reset();
            }
            writer.close();
        }
        write_seed(late ? "late" : "early", 0, std::as_bytes(std::span(bytes)));
    }
}

std::string converted(void (*convert)(hsm::trace_reader&, hsm::byte_sink&), const std::string& bytes) {
    hsm::memory_source source(bytes);
    hsm::trace_reader trace(source);
    std::string made;
    hsm::string_sink sink(made);
    convert(trace, sink);
    return made;
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    write_seeds();
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const std::string bytes(reinterpret_cast<const char*>(data + 1), size - 1);
    try {
        converted(hsm::write_chrome_trace, bytes);
        converted(hsm::write_perfetto_trace, bytes);
        require(converted(hsm::write_json_lines, bytes).find(",\"time\":-") == std::string::npos);
    } catch (const hsm::trace_error&) {
    }
    return 0;
}
