// For libFuzzer: whatever bytes are loaded, there is a definition or there are errors. What can be loaded is saved, and then loads
// again to the same text; what can be compiled runs, for a bounded time.

#include <hsm/hsm.hpp>
#include <hsm/scxml/scxml.hpp>
#include <hsm/scxml/session.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

void require(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "%s\n", what);
    std::abort();
}

void play(const hsm::chart<hsm::scxml::context>& chart) {
    hsm::scxml::context data({.max_delayed = 20});
    hsm::scxml::session session{chart, data, {.instance = {.internal_queue = 20, .posted_queue = 20, .chain_limit = 50}, .max_macrosteps = 50}};
    try {
        session.start();
        for (const char* event : {"a", "b", "e", "x", "done.state.s"}) {
            session.process(event);
            session.tick(hsm::time_span::from_nanoseconds(1'000'000'000));
        }
        session.stop();
    } catch (const hsm::run_error&) {
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    auto loaded = hsm::try_load_scxml_text(std::string(reinterpret_cast<const char*>(bytes), size));
    if (!loaded) {
        require(!loaded.problems.empty(), "there is neither a definition nor an error");
        return 0;
    }
    const auto saved = hsm::try_save_scxml(*loaded.root);
    require(saved.losses.empty(), "a document cannot be saved as one");
    auto again = hsm::try_load_scxml_text(saved.text);
    if (!again) {
        std::fprintf(stderr, "%s\n%s", saved.text.c_str(), hsm::describe(again.problems).c_str());
        std::abort();
    }
    require(hsm::try_save_scxml(*again.root).text == saved.text, "saved twice, it differs");
    if (const auto compiled = hsm::try_compile(std::move(loaded.root))) play(compiled.chart);
    return 0;
}
