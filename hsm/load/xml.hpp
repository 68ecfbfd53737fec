/// Machines from XML files, and back. docs/reference/xml_format.md describes the format, docs/hsm.xsd for programs that read schemas.
///
///     auto root = hsm::load_xml("monster.xml", names); // throws load_error with all errors, each with its place
///     const auto chart = hsm::compile(std::move(root));
///
/// `names` is an hsm::registry<Context>, and what is returned is what hsm::make_fsm<Context> returns: it may be added to, and what
/// hsm::compile finds wrong in it tells the place in the file, too. It does not need the registry any more.
#pragma once

#include <hsm/load/load_error.hpp>
#include <hsm/load/load_options.hpp>
#include <hsm/load/registry.hpp>

namespace hsm {

/// What try_load_xml returns: a definition, or the errors in the way of one.
template <class Context> struct load_result {
    owned<fsm<Context>> root;
    std::vector<load_problem> problems;

    explicit operator bool() const { return static_cast<bool>(root); }
};

namespace detail {
/// Fills in a root. What is wrong is returned, and the root is then good for nothing.
std::vector<load_problem> read_xml_file(const std::string& path, const registry_base& names, const load_options& options, state_base& root);
std::vector<load_problem> read_xml_text(std::string text, std::string name, const registry_base& names, const load_options& options,
                                        state_base& root);
void throw_problems(std::vector<load_problem> problems);
std::vector<load_problem> nothing_to_save();
} // namespace detail

/// Never throws for what is in the file.
template <class Context>
[[nodiscard]] load_result<Context> try_load_xml(const std::string& path, const registry<Context>& names, const load_options& options = {}) {
    auto root = make_fsm<Context>("");
    auto problems = detail::read_xml_file(path, names, options, *root);
    if (!problems.empty()) root = {};
    return {std::move(root), std::move(problems)};
}

/// The same from memory. Messages call it by `name`.
template <class Context>
[[nodiscard]] load_result<Context> try_load_xml_text(std::string text, const registry<Context>& names, std::string name = "(text)",
                                                     const load_options& options = {}) {
    auto root = make_fsm<Context>("");
    auto problems = detail::read_xml_text(std::move(text), std::move(name), names, options, *root);
    if (!problems.empty()) root = {};
    return {std::move(root), std::move(problems)};
}

template <class Context>
[[nodiscard]] owned<fsm<Context>> load_xml(const std::string& path, const registry<Context>& names, const load_options& options = {}) {
    auto loaded = try_load_xml(path, names, options);
    if (!loaded) detail::throw_problems(std::move(loaded.problems));
    return std::move(loaded.root);
}

template <class Context>
[[nodiscard]] owned<fsm<Context>> load_xml_text(std::string text, const registry<Context>& names, std::string name = "(text)",
                                                const load_options& options = {}) {
    auto loaded = try_load_xml_text(std::move(text), names, std::move(name), options);
    if (!loaded) detail::throw_problems(std::move(loaded.problems));
    return std::move(loaded.root);
}

/// A definition as a file. Everything in it must have the name of something registered, as what was loaded has; if not, a
/// load_error tells of all that has none.
[[nodiscard]] std::string save_xml(const state_base& root);
template <class T> [[nodiscard]] std::string save_xml(const owned<T>& root) {
    if (!root) detail::throw_problems(detail::nothing_to_save());
    return save_xml(*root);
}

/// The same, with what the file it was loaded from has beside the machine, at the places that correspond: comments, processing instructions,
/// attributes that loading passes over (xmlns, xsi:, xml:). A text that is no XML has none.
[[nodiscard]] std::string save_xml(const state_base& root, std::string_view original);

} // namespace hsm
