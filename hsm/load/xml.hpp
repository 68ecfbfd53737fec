/// Loads machines from XML files and saves them. docs/reference/xml_format.md describes the format, and docs/hsm.xsd is its schema.
///
///     auto root = hsm::load_xml("monster.xml", names); // throws load_error with all errors, each with its position
///     const auto chart = hsm::compile(std::move(root));
///
/// `names` is an hsm::registry<Context>. The result is a definition like that of hsm::make_fsm<Context>. You can extend the definition, and errors of
/// hsm::compile also name the position in the file. The definition does not depend on the registry.
#pragma once

#include <hsm/load/load_error.hpp>
#include <hsm/load/load_options.hpp>
#include <hsm/load/registry.hpp>

namespace hsm {

/// The result of loading a file without exceptions: a definition, or the errors that prevented one.
template <class Context> struct load_result {
    owned<fsm<Context>> root;
    std::vector<load_problem> problems;

    explicit operator bool() const { return static_cast<bool>(root); }
};

namespace detail {
/// These functions fill in a root and return the errors. If there are errors, do not use the root.
std::vector<load_problem> read_xml_file(const std::string& path, const registry_base& names, const load_options& options, state_base& root);
std::vector<load_problem> read_xml_text(std::string text, std::string name, const registry_base& names, const load_options& options,
                                        state_base& root);
[[noreturn]] void throw_problems(std::vector<load_problem> problems);
std::vector<load_problem> nothing_to_save();

template <class Context, class Read> load_result<Context> load_definition(Read read) {
    auto root = make_fsm<Context>("");
    auto problems = read(*root);
    if (!problems.empty()) root = {};
    return {std::move(root), std::move(problems)};
}
template <class Context> owned<fsm<Context>> or_throw(load_result<Context> loaded) {
    if (!loaded) throw_problems(std::move(loaded.problems));
    return std::move(loaded.root);
}
} // namespace detail

/// Returns the definition or the errors of the file. Does not throw for errors in the file.
template <class Context>
[[nodiscard]] load_result<Context> try_load_xml(const std::string& path, const registry<Context>& names, const load_options& options = {}) {
    return detail::load_definition<Context>([&](state_base& root) { return detail::read_xml_file(path, names, options, root); });
}

/// Does the same with a text. Messages use `name` as the name of the file.
template <class Context>
[[nodiscard]] load_result<Context> try_load_xml_text(std::string text, const registry<Context>& names, std::string name = "(text)",
                                                     const load_options& options = {}) {
    return detail::load_definition<Context>(
        [&](state_base& root) { return detail::read_xml_text(std::move(text), std::move(name), names, options, root); });
}

template <class Context>
[[nodiscard]] owned<fsm<Context>> load_xml(const std::string& path, const registry<Context>& names, const load_options& options = {}) {
    return detail::or_throw(try_load_xml(path, names, options));
}

template <class Context>
[[nodiscard]] owned<fsm<Context>> load_xml_text(std::string text, const registry<Context>& names, std::string name = "(text)",
                                                const load_options& options = {}) {
    return detail::or_throw(try_load_xml_text(std::move(text), names, std::move(name), options));
}

/// Returns a definition as the text of a file. All behavior in the definition must have the name of registered behavior, as in a loaded definition.
/// Otherwise throws load_error, which lists all unnamed behavior.
[[nodiscard]] std::string save_xml(const state_base& root);
template <class T> [[nodiscard]] std::string save_xml(const owned<T>& root) {
    if (!root) detail::throw_problems(detail::nothing_to_save());
    return save_xml(*root);
}

/// Does the same, and copies these parts of the original file to the corresponding places: comments, processing instructions, and attributes that
/// loading ignores (xmlns, xsi:, xml:). An original that is not XML is ignored.
[[nodiscard]] std::string save_xml(const state_base& root, std::string_view original);

} // namespace hsm
