// Writes what `hsm generate` generates for the XML files of random definitions of the differential test: hooks, registry and definition of each, and
// code that plays them.
//
//     emit_generated <file> <first seed> <charts>

#include <hsm/load/xml.hpp>
#include <hsm/tool/detail/program_text.hpp>
#include <tests/support/differential/build.hpp>
#include <tests/support/differential/generate.hpp>
#include <tests/support/naming.hpp>
#include <tests/support/open_xml.hpp>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace {

using namespace differential;
using namespace hsm::detail::tool;

constexpr std::size_t most_states = 16;

std::string saved(std::uint64_t seed) {
    auto root = define(as_can_be_saved(generate(seed, 1)));
    hsm::registry<test_context> names;
    test::naming(names).name(*root);
    return hsm::save_xml(root);
}

/// Removes the includes, which are at the top of the file.
std::string without_includes(const std::string& text) {
    std::istringstream in(text);
    std::string out, line;
    while (std::getline(in, line))
        if (!line.starts_with("#include") && line != "#pragma once") out += line + '\n';
    return out;
}

void flips(const program_names& names, std::ostream& out) {
    out << "void flip(context& c, std::uint32_t bits) {\n    (void)c, (void)bits;\n";
    std::size_t bit = 0;
    for (const auto& c : names.contexts()) {
        std::string way = "c.";
        for (std::size_t n = 1; n <= c.parts.size(); ++n)
            way += names.context({c.parts.begin(), c.parts.begin() + static_cast<std::ptrdiff_t>(n)}).member + ".";
        for (const auto& g : c.names)
            if (g.group == cpp_group::guards)
                out << "    if (bits >> " << bit++ % 32 << " & 1) " << way << g.identifier << " = !" << way << g.identifier << ";\n";
    }
    out << "}\n";
}

void processes(const program_names& names, std::ostream& out) {
    out << "hsm::result give(hsm::instance<context>& a, std::uint32_t n) {\n    switch (n % " << names.events().size() + 1 << ") {\n";
    std::size_t number = 0;
    for (const auto& e : names.events()) {
        const auto event = names.events_are_names() ? cpp_string(e.name) : "events::" + e.identifier + "{}";
        out << "    case " << number++ << ": return a.process(" << event << ");\n";
    }
    out << "    default: return a.tick(hsm::time_span::from_nanoseconds(n % 64));\n    }\n}\n";
}

/// Returns false if the chart is too large.
bool emit(std::uint64_t seed, std::ostream& out, std::ostream& played) {
    const auto xml = saved(seed);
    simulation test_context;
    const auto machine = test::load_open_xml(xml, "random.xml", test_context);
    if (!machine.root) {
        std::fprintf(stderr, "seed %ju: %s\n", std::uintmax_t(seed), hsm::describe(machine.problems).c_str());
        std::exit(1);
    }
    std::size_t states = 0;
    for (std::size_t at = 0; (at = xml.find("<state ", at)) != xml.npos; ++at) ++states;
    if (states > most_states) return false;
    const program_names names(machine.names, "random.xml", *machine.root);
    const program_options options{.file = "random.xml", .space = "chart" + std::to_string(seed), .hooks = {}, .output = {}};
    const program_source source{*machine.root, names, options};
    out << without_includes(hooks_text(source)) << without_includes(definition_text(source)) << without_includes(registry_text(source, false));
    out << "\nnamespace " << options.space << " {\n\n";
    flips(names, out);
    processes(names, out);
    out << "\n} // namespace " << options.space << "\n\n";
    out << "const char* const xml" << seed << " = R\"__(" << xml << ")__\";\n\n";
    played << "    compare<" << options.space << "::context>(" << seed << ", xml" << seed << ", " << options.space << "::make_definition);\n";
    return true;
}

} // namespace

int main(int, char** argv) {
    std::ofstream out(argv[1]);
    auto seed = std::strtoull(argv[2], nullptr, 10);
    out << "#include <tests/tool/generated_charts.hpp>\n\n";
    std::ostringstream played;
    for (auto left = std::atoi(argv[3]); left > 0; ++seed) left -= emit(seed, out, played);
    out << "TEST_CASE(\"what is generated from a file does what the file does\") {\n" << played.str() << "}\n";
}
