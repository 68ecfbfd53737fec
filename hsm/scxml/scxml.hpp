/// Machines from SCXML documents (W3C Recommendation of 2015). docs/reference/scxml.md describes what is supported.
///
///     const auto chart = hsm::compile(hsm::load_scxml("door.scxml")); // throws load_error with all errors, each with its place
///     hsm::scxml::context door;
///     hsm::scxml::session session{chart, door};
///     session.start();
///     session.process("open");
///
/// The result is an ordinary definition over hsm::scxml::context or a derived class. Whatever the compile options are, its states follow the rules of
/// SCXML for decisions, completion and history. After loading, only the data models of the options must outlive the definition and its charts.
#pragma once

#include <hsm/load/xml.hpp>
#include <hsm/scxml/context.hpp>
#include <hsm/scxml/options.hpp>

#include <type_traits>

namespace hsm {

/// The result of try_load_scxml: a definition, or the errors. hsm::check returns the definition's warnings.
template <class Context> using scxml_result = load_result<Context>;

namespace detail::scxml {

/// The definition to build.
struct target_of_load {
    const node_factory& nodes;
    find_context find;
    const registry_base* names = nullptr; ///< null: no names are registered
};

template <class Context> hsm::scxml::context& context_in(void* context) { return *static_cast<Context*>(context); }

template <class Context> target_of_load target_for(const registry<Context>* names = nullptr) {
    static_assert(std::is_base_of_v<hsm::scxml::context, Context>, "hsm: a machine from SCXML needs a context that derives from hsm::scxml::context");
    return {factory_of<Context>, &context_in<Context>, names};
}

/// These functions fill in a root. If they return problems, do not use the root.
std::vector<load_problem> read_file(const std::string& path, const scxml_options& options, const target_of_load& to, state_base& root);
std::vector<load_problem> read_text(std::string text, std::string name, const scxml_options& options, const target_of_load& to, state_base& root);

} // namespace detail::scxml

/// Returns the definition or the errors of the file. Does not throw for errors in the file. `names` contains the behavior of elements from other
/// namespaces, registered under the elements' names without prefix.
template <class Context = scxml::context>
[[nodiscard]] scxml_result<Context> try_load_scxml(const std::string& path, const scxml_options& options = {},
                                                   const registry<Context>* names = nullptr) {
    const auto to = detail::scxml::target_for<Context>(names);
    return detail::load_definition<Context>([&](state_base& root) { return detail::scxml::read_file(path, options, to, root); });
}
/// Does the same for text in memory. `name` is the file's name in messages.
template <class Context = scxml::context>
[[nodiscard]] scxml_result<Context> try_load_scxml_text(std::string text, std::string name = "(text)", const scxml_options& options = {},
                                                        const registry<Context>* names = nullptr) {
    const auto to = detail::scxml::target_for<Context>(names);
    return detail::load_definition<Context>(
        [&](state_base& root) { return detail::scxml::read_text(std::move(text), std::move(name), options, to, root); });
}

template <class Context = scxml::context>
[[nodiscard]] owned<fsm<Context>> load_scxml(const std::string& path, const scxml_options& options = {}, const registry<Context>* names = nullptr) {
    return detail::or_throw(try_load_scxml<Context>(path, options, names));
}
template <class Context = scxml::context>
[[nodiscard]] owned<fsm<Context>> load_scxml_text(std::string text, std::string name = "(text)", const scxml_options& options = {},
                                                  const registry<Context>* names = nullptr) {
    return detail::or_throw(try_load_scxml_text<Context>(std::move(text), std::move(name), options, names));
}

/// A document, and the losses: the parts of the definition that SCXML cannot express. If there are losses, the document describes a different
/// machine.
struct saved_scxml {
    std::string text;
    std::vector<load_problem> losses;
};
[[nodiscard]] saved_scxml try_save_scxml(const state_base& root);
/// Returns the document. If SCXML cannot express the whole definition, throws load_error with all parts that it cannot express.
[[nodiscard]] std::string save_scxml(const state_base& root);

} // namespace hsm
