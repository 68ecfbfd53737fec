// For libFuzzer: whatever stands in a script, there are tests that can be played or mistakes that have their places; and it ends.

#include <hsm/tool/detail/script.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

using namespace hsm::detail::tool;

namespace {

constexpr const char* machine = R"(<Project name="P">
  <event ID="hit"/><bit ID="armed"/>
  <state ID="a" enter="greet" local="wound" hold_until="ready"><to ID="b" event="hit" action="bleed"><condition ID="strong"/></to><defer event="late"/></state>
  <state ID="b" kind="parallel"><state ID="x" kind="machine"><state ID="y" update="move"><to ID="z" after="patience"/></state><state ID="z"/></state>
    <state ID="w"><on every="50ms" action="blink"/></state><to ID="a"><bit ID="armed"/></to></state>
</Project>)";

/// From a file, as everybody's.
struct fixture {
    fixture() : out(std::tmpfile()), terminal(stdin, out, out), here{terminal, "hsm", {}}, path(write()), what(path, {}, here), played(what) {
        std::remove(path.c_str());
    }
    static std::string write() {
        char name[] = "/tmp/hsm_fuzz_XXXXXX.xml";
        const int file = mkstemps(name, 4);
        if (file < 0) std::abort();
        std::ofstream(name) << machine;
        return name;
    }

    std::FILE* out;
    console terminal;
    environment here;
    std::string path;
    machine_to_play what;
    player played;
};

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
    static fixture f;
    try {
        const auto s = read_script(std::string(reinterpret_cast<const char*>(bytes), size), "script", f.played);
        for (const auto& t : s.tests) {
            bool is_long = false;
            for (const auto& c : t.commands) is_long |= c.times > 100;
            for (const auto& c : s.before) is_long |= c.times > 100;
            if (is_long) continue;
            for (const auto& m : run_test(s, t, f.played))
                if (m.where.file != "script" || m.where.line == 0 || m.text.empty()) std::abort();
        }
    } catch (const command_error& e) {
        if (e.messages().empty()) std::abort();
        for (const auto& m : e.messages())
            if (m.where.file != "script" || m.where.line == 0 || m.where.column == 0) std::abort();
    }
    return 0;
}
