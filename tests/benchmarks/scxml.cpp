// SCXML documents beside charts built in code: what loading 10,000 and 65,000 states takes beside pugixml's own parse and hsm::compile, and what
// an event takes.

#include "samek_scxml_chart.hpp"

#include <hsm/scxml/session.hpp>

#include <pugixml.hpp>

#include <malloc.h>

#include <algorithm>
#include <chrono>

namespace {

/// Instances, by the names of their events.
template <class Context> class named {
public:
    explicit named(hsm::chart<Context> chart, const hsm::instance_options& options = bench::without_queues)
        : chart_(std::move(chart)), agent_(chart_, context_, options) {
        if constexpr (requires { context_.agent; }) context_.agent = &agent_;
    }
    named(const named&) = delete;

    void start() { agent_.start(); }
    void process(std::uint8_t event) { agent_.process(samek::event_names[event]); }
    std::size_t bytes() const { return sizeof agent_ + hsm::instance_memory(chart_, bench::without_queues).size; }

private:
    Context context_;
    hsm::chart<Context> chart_;
    hsm::instance<Context> agent_;
};

class in_session {
public:
    in_session() : chart_(samek::load<hsm::scxml::context>(true)), session_(chart_, context_) {}
    in_session(const in_session&) = delete;

    void start() { session_.start(); }
    void process(std::uint8_t event) { session_.process(samek::event_names[event]); }
    std::size_t bytes() const { return sizeof session_ + hsm::instance_memory(chart_, hsm::scxml::session_options().instance).size; }

private:
    hsm::scxml::context context_;
    hsm::chart<hsm::scxml::context> chart_;
    hsm::scxml::session<> session_;
};

auto loaded() { return named<hsm::scxml::context>(samek::load<hsm::scxml::context>(true)); }
auto built() { return named<samek::in_code>(samek::build(true)); }
auto loaded_bare() { return named<hsm::scxml::context>(samek::load<hsm::scxml::context>(false)); }
auto built_bare() { return named<samek::in_code>(samek::build(false)); }

void events(bench::program& program) {
    program.compare({"W2s", "loaded", samek::scxml_checksum, bench::random_events<9>}, loaded, built);
    program.compare({"W2s", "without_content", bench::checksum_of(0), bench::random_events<9>}, loaded_bare, built_bare);
    program.compare({"W2s", "session", samek::scxml_checksum, bench::random_events<9>}, [] { return in_session(); }, loaded);
}

// --- loading ---

/// machine 0/leaf 0 ...: each state goes to the next three of its machine, by one of 1,000 events, each fourth time under a condition.
std::string large_document(unsigned machines, unsigned leaves) {
    std::string text = "<scxml xmlns=\"http://www.w3.org/2005/07/scxml\" version=\"1.0\" datamodel=\"null\" name=\"large\">\n";
    const auto transitions = [&](const std::string& prefix, unsigned i, unsigned count, unsigned first) {
        for (unsigned k = 1; k <= 3; ++k)
            text += fmt::format("<transition event=\"event.{}\" target=\"{}{}\"{}/>\n", (first + i * 7 + k * 97) % 999, prefix, (i + k) % count,
                                (i + k) % 4 == 0 ? fmt::format(" cond=\"In('{}{}')\"", prefix, i) : "");
        text += "<onentry><log label=\"entered\"/></onentry>\n";
    };
    for (unsigned i = 0; i < machines; ++i) {
        text += fmt::format("<state id=\"m{}\">\n", i);
        transitions("m", i, machines, 500);
        const auto prefix = fmt::format("m{}_", i);
        for (unsigned j = 0; j < leaves; ++j) {
            text += fmt::format("<state id=\"{}{}\">\n", prefix, j);
            transitions(prefix, j, leaves, i * 331);
            text += "</state>\n";
        }
        text += "</state>\n";
    }
    return text + "</scxml>\n";
}

double seconds() {
    const std::chrono::duration<double> now = std::chrono::steady_clock::now().time_since_epoch();
    return now.count();
}

/// The best of some rounds.
template <class Prepare, class Part> double time_of(Prepare prepare, Part part) {
    double best = 1e9;
    for (int round = 0; round < 5; ++round) {
        auto prepared = prepare();
        const auto begin = seconds();
        const auto made = part(std::move(prepared));
        best = std::min(best, seconds() - begin);
    }
    return best;
}

double megabytes_in_use() {
    const auto all = mallinfo2();
    return static_cast<double>(all.uordblks + all.hblkhd) / (1 << 20);
}

bool loading(unsigned machines, unsigned leaves) {
    const auto text = large_document(machines, leaves);
    const auto copy = [&] { return text; };
    const auto load = [](std::string t) { return hsm::load_scxml_text(std::move(t)); };
    const auto parse_seconds = time_of(copy, [](std::string t) {
        auto document = std::make_unique<pugi::xml_document>();
        document->load_buffer(t.data(), t.size());
        return document;
    });
    const auto load_seconds = time_of(copy, load);
    const auto compile_seconds = time_of([&] { return load(text); }, [](auto root) { return hsm::compile(std::move(root)); });
    const auto before = megabytes_in_use();
    auto root = load(text);
    const auto definition_mb = megabytes_in_use() - before;
    const auto chart = hsm::compile(std::move(root));
    const bool correct = chart.state_count() == 1 + machines * (1 + leaves);
    std::printf("BENCH scxml param=%zu_states text_mb=%.1f parse_seconds=%.4f load_seconds=%.4f compile_seconds=%.4f load_to_parse=%.1f "
                "ratio=%.2f definition_mb=%.0f checksum=%s\n",
                chart.state_count(), static_cast<double>(text.size()) / (1 << 20), parse_seconds, load_seconds, compile_seconds,
                load_seconds / parse_seconds, load_seconds / (4 * parse_seconds + compile_seconds), definition_mb, correct ? "ok" : "wrong");
    return correct;
}

} // namespace

int main(int argc, char** argv) {
    bench::program program(argc, argv);
    events(program);
    if (argc > 1) return program.status();
    const bool correct = loading(99, 100) && loading(650, 99);
    return correct ? program.status() : 1;
}
