// Generates a constant chart.

#include <hsm/tool/detail/machine_writer.hpp>

#include <hsm/op/detail/format.hpp>

namespace hsm::detail::tool {

namespace {

/// A state, and a name that outdated code may use for it.
struct known_path {
    std::string path; ///< from the root, without its name
    origin at;
    bool is_former = false;
};

void collect_paths(const state_base& s, const std::string& before, std::vector<known_path>& to) {
    for (const auto& sub : s.substates()) {
        const auto path = before + std::string(sub->name());
        to.push_back({path, sub->origin(), false});
        for (const auto& was : sub->former_names()) to.push_back({before + was, sub->origin(), true});
        collect_paths(*sub, path + '/', to);
    }
}

/// Writes the code that the compiler reaches for a name of a missing state. The error is at the most similar state, otherwise at the root.
void write_lacks(const program_source& source, cpp_text& text) {
    const auto& options = source.options;
    const auto slash = options.file.find_last_of("/\\");
    const auto name = fmt::format("there_is_no_such_state_in_{}", cpp_identifier(options.file.substr(slash == std::string::npos ? 0 : slash + 1)));
    std::vector<known_path> paths;
    collect_paths(source.root, "", paths);
    text.here() << fmt::format("    // Code that names an unknown state is an error here, in the line of the most similar state.\n"
                               "    static void {}() {{}} // not constexpr\n"
                               "    static consteval void lacks(std::string_view path) {{\n"
                               "        constexpr std::string_view paths[] = {{\n",
                               name);
    for (const auto& p : paths) text << fmt::format("            {},{}\n", cpp_string(p.path), p.is_former ? " // once" : "");
    text << "        };\n        switch (hsm::detail::nearest_path(path, paths)) {\n";
    std::size_t number = 0;
    for (const auto& p : paths) {
        text.here() << fmt::format("        case {}:\n", number++);
        text.statement(p.at) << name << "();\n";
        text.here() << "            break;\n";
    }
    text.here() << "        default:\n";
    text.statement(source.root.origin()) << name << "();\n";
    text.here() << "        }\n    }\n";
}

} // namespace

std::string constant_text(const program_source& source, problem_list& problems) {
    check_constant(source, problems);
    const auto& options = source.options;
    cpp_text text(options.file, options.output, options.lines, 8);
    const bool by_substates = options.order == decision_order::substate_first;
    text << made_from(options, "constant") << "#pragma once\n\n"
         << fmt::format("#include \"{}\"\n\n", options.hooks)
         << "#include <hsm/constant/constant_instance.hpp>\n#include <hsm/constant/fixed.hpp>\n#include <hsm/constant/detail/nearest_path.hpp>\n\n"
         << fmt::format("#include <string_view>\n\nnamespace {} {{\n\nstruct definition {{\n", options.space)
         << fmt::format("    constexpr void operator()(hsm::constant_fsm<context>& root) const {{\n        root.named({});\n",
                        cpp_string(source.root.name()));
    machine_writer(source, text, true).run();
    text.here() << "    }\n\n";
    write_lacks(source, text);
    text << fmt::format("}};\n\ninline constexpr auto chart = hsm::constant_chart<context{}>(definition{{}});\n\n}} // namespace {}\n",
                        by_substates ? ", hsm::decision_order::substate_first" : "", options.space);
    return text.text();
}

} // namespace hsm::detail::tool
