// Generates definition calls that build the same tree as a file.

#include <hsm/tool/detail/machine_writer.hpp>

#include <hsm/op/detail/format.hpp>

#include <algorithm>

namespace hsm::detail::tool {

namespace {
bool says_finished(const state_base& s) {
    return !s.predicates().empty() || std::ranges::any_of(s.substates(), [](const auto& sub) { return says_finished(*sub); });
}
} // namespace

std::string made_from(const program_options& options, std::string_view word) {
    const auto slash = options.file.find_last_of("/\\");
    const auto file = cpp_comment(options.file.substr(slash == std::string::npos ? 0 : slash + 1));
    return fmt::format("// Generated from {} by `hsm generate {}`. Do not edit: change the source and generate again.\n", file, word);
}

std::string definition_text(const program_source& source) {
    const auto& options = source.options;
    cpp_text text(options.file, options.output, options.lines, 4);
    text << made_from(options, "definition") << "#pragma once\n\n"
         << fmt::format("#include \"{}\"\n\n", options.hooks)
         << (says_finished(source.root) ? "#include <hsm/define/detail/finishes_when.hpp>\n" : "")
         << fmt::format("#include <hsm/hsm.hpp>\n\nnamespace {} {{\n\n", options.space)
         << "inline hsm::owned<hsm::fsm<context>> make_definition() {\n"
         << fmt::format("    auto made = hsm::make_fsm<context>({});\n    auto& root = *made;\n", cpp_string(source.root.name()));
    machine_writer(source, text, false).run();
    text.here() << "    return made;\n}\n\n" << fmt::format("}} // namespace {}\n", options.space);
    return text.text();
}

} // namespace hsm::detail::tool
