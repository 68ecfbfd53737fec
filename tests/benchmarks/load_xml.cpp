// The 10,000 states of large.cpp from an XML file: the cost of loading, compared with the parse of pugixml and with hsm::compile. The
// memory printed is the maximum in use, without the text itself. Each part is measured in a separate process.

#include "machine.hpp"

#include <hsm/load/xml.hpp>

#include <fmt/format.h>
#include <pugixml.hpp>

#include <cstring>
#include <limits>

#include <sys/wait.h>
#include <unistd.h>

namespace {

struct nothing {
    bool ready = false;
};

constexpr unsigned machines = 99, leaves = 100, guards = 500; // 1 + 99 * (1 + 100) = 10,000 states
constexpr int rounds = 5;

/// Each state goes to the next three, each time with a condition and a priority.
void write_state(std::string& to, const std::string& prefix, unsigned i, unsigned count, const std::string& inside) {
    to += fmt::format("<state ID=\"{}{}\" enter=\"enter{}\">\n", prefix, i, i % guards);
    for (unsigned k = 1; k <= 3; ++k)
        to += fmt::format("  <to ID=\"{}{}\"><condition ID=\"guard{}\" Priority=\"{}\"/></to>\n", prefix, (i + k) % count, (i * 7 + k * 97) % guards,
                          k);
    to += inside + "</state>\n";
}

std::string make_text() {
    std::string text = "<Project name=\"large\">\n";
    for (unsigned i = 0; i < machines; ++i) {
        std::string inside;
        for (unsigned j = 0; j < leaves; ++j) write_state(inside, "leaf", j, leaves, "");
        write_state(text, "machine", i, machines, inside);
    }
    return text + "</Project>\n";
}

struct empty_registry : hsm::registry<nothing> {
    empty_registry() {
        for (unsigned i = 0; i < guards; ++i) {
            guard(fmt::format("guard{}", i), &nothing::ready);
            hook(fmt::format("enter{}", i), [](nothing& n) { n.ready = true; });
        }
    }
};

double memory(const char* what) {
    double kilobytes = 0;
    if (auto* const file = std::fopen("/proc/self/status", "r")) {
        char line[256];
        while (std::fgets(line, sizeof line, file))
            if (std::strncmp(line, what, std::strlen(what)) == 0) kilobytes = std::atof(line + std::strlen(what));
        std::fclose(file);
    }
    return kilobytes / 1024;
}

double seconds() {
    const std::chrono::duration<double> now = std::chrono::steady_clock::now().time_since_epoch();
    return now.count();
}

struct figures {
    double seconds;
    double megabytes;
    bool correct;
};

/// The best of some rounds, in a process of its own. Prepare makes what `part` then works on.
template <class Prepare, class Part> figures measure(Prepare prepare, Part part) {
    int ends[2];
    if (pipe(ends) != 0) std::abort();
    const auto child = fork();
    if (child == 0) {
        figures f{std::numeric_limits<double>::max(), 0, true};
        for (int i = 0; i < rounds; ++i) {
            auto prepared = prepare();
            const auto before = memory("VmRSS:");
            const auto begin = seconds();
            const bool correct = part(std::move(prepared));
            f.seconds = std::min(f.seconds, seconds() - begin);
            if (i == 0) f.megabytes = memory("VmHWM:") - before;
            f.correct = f.correct && correct;
        }
        _exit(write(ends[1], &f, sizeof f) == sizeof f ? 0 : 1);
    }
    figures f{};
    if (read(ends[0], &f, sizeof f) != sizeof f) f.correct = false;
    waitpid(child, nullptr, 0);
    close(ends[0]);
    close(ends[1]);
    return f;
}

} // namespace

int main() {
    const auto text = make_text();
    const empty_registry names;
    const auto copy = [&] { return text; };
    const auto parse = measure(copy, [](std::string t) {
        pugi::xml_document document;
        return static_cast<bool>(document.load_buffer_inplace(t.data(), t.size()));
    });
    const auto compile =
        measure([&] { return hsm::load_xml_text(text, names); }, [](auto root) { return hsm::compile(std::move(root)).state_count() == 10000; });
    const auto load = measure(copy, [&](std::string t) { return static_cast<bool>(hsm::load_xml_text(std::move(t), names)); });
    const bool correct = parse.correct && compile.correct && load.correct;
    std::printf(
        "BENCH load_xml param=10000_states_30000_transitions text_mb=%.1f load_seconds=%.3f load_peak_mb=%.0f parse_seconds=%.3f parse_peak_mb=%.0f "
        "compile_seconds=%.3f compile_peak_mb=%.0f ratio=%.2f checksum=%s\n",
        static_cast<double>(text.size()) / (1 << 20), load.seconds, load.megabytes, parse.seconds, parse.megabytes, compile.seconds,
        compile.megabytes, load.seconds / (parse.seconds + compile.seconds), correct ? "ok" : "wrong");
    return correct ? 0 : 1;
}
