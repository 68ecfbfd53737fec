// Generates the registrations that a file needs.

#include <hsm/tool/detail/program_text.hpp>

#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <iterator>

namespace hsm::detail::tool {

namespace {

class registry_writer {
public:
    explicit registry_writer(const program_source& source) : names_(source.names) {}

    std::string run() {
        add("const hsm::registration<context> registered{{[](hsm::registrar<context>& {}) {{\n", is_empty() ? "" : "names");
        write_context({}, "names");
        for (const auto& n : names_.identifiers()) add("    names.identifier({}, identifiers::{});\n", cpp_string(n.name), n.identifier);
        for (const auto& n : names_.events())
            if (names_.events_are_names())
                add("    names.event({});\n", cpp_string(n.name));
            else
                add("    names.event<events::{}>({});\n", n.identifier, cpp_string(n.name));
        for (const auto& b : names_.bits()) add("    names.bit({});\n", cpp_string(b.name));
        add("}}}};\n");
        return std::move(text_);
    }

private:
    template <class... A> void add(fmt::format_string<A...> words, A&&... arguments) {
        fmt::format_to(std::back_inserter(text_), words, std::forward<A>(arguments)...);
    }

    bool is_empty() const {
        return names_.contexts().front().names.empty() && names_.identifiers().empty() && names_.events().empty() && names_.bits().empty();
    }

    /// `names` is the registrar's name for that context.
    void write_context(const std::vector<std::string>& parts, const std::string& names) {
        const auto& c = names_.context(parts);
        for (const auto& n : c.names)
            if (n.group != cpp_group::parts) write_one(n, c, names);
        for (const auto& n : c.names)
            if (n.group == cpp_group::parts) write_operand(n, c, names);
    }

    void write_one(const program_name& n, const program_context& c, const std::string& names) {
        const auto name = cpp_string(n.name), what = c.scope + std::string(to_string(n.group)) + "::" + n.identifier;
        // with the event, the function can take it as a parameter
        const auto event =
            n.event.empty() || names_.events_are_names() ? std::string() : fmt::format("<{}>", names_.qualified(cpp_group::events, n.event, {}));
        switch (n.group) {
        case cpp_group::guards: return add("    {}.guard{}({}, {});\n", names, event, name, what);
        case cpp_group::hooks: {
            const auto* const word = n.kind == behavior_kind::update ? "update" : n.kind == behavior_kind::action ? "action" : "hook";
            return add("    {}.{}{}({}, {});\n", names, word, n.kind == behavior_kind::action ? event : "", name, what);
        }
        case cpp_group::changes: return add("    {}.change({}, {});\n", names, name, what);
        case cpp_group::delays: return add("    {}.delay({}, {});\n", names, name, what);
        case cpp_group::scores: return add("    {}.score({}, {});\n", names, name, what);
        case cpp_group::done_data: return add("    {}.done_data({}, {});\n", names, name, what);
        case cpp_group::locals: return add("    {}.local<{}>({});\n", names, what, name);
        case cpp_group::classes: return add("    {}.state<{}>({});\n", names, what, name);
        case cpp_group::parts:
        case cpp_group::identifiers:
        case cpp_group::events: return;
        }
    }

    void write_operand(const program_name& n, const program_context& c, const std::string& names) {
        auto way = c.parts;
        way.push_back(n.name);
        const auto& inner = names_.context(way);
        const auto call = fmt::format("{}.part<{}context>({}, {}parts::{})", names, inner.scope, cpp_string(n.name), c.scope, n.identifier);
        if (inner.names.empty()) return add("    {};\n", call);
        const auto variable = fmt::format("names_{}", ++parts_);
        add("    auto {} = {};\n", variable, call);
        write_context(way, variable);
    }

    const program_names& names_;
    std::string text_;
    std::size_t parts_ = 0;
};

} // namespace

std::string registry_text(const program_source& source, bool with_hooks) {
    const auto& space = source.options.space;
    std::string text;
    if (with_hooks) {
        text = hooks_text(source);
        const auto once = text.find("#pragma once\n\n");
        text.replace(once, 14, ""); // not needed in a source file
        const auto first = text.find("#include"), place = first == text.npos ? text.find("namespace ") : first;
        text.insert(place, first == text.npos ? "\n#include <hsm/load/registry.hpp>\n\n" : "\n#include <hsm/load/registry.hpp>\n");
    } else {
        text = made_from(source.options, "registry") + fmt::format("#include \"{}\"\n\n#include <hsm/load/registry.hpp>\n\n", source.options.hooks);
    }
    return text + fmt::format("{}namespace {} {{\n\nnamespace {{\n\n{}\n}} // namespace\n\n}} // namespace {}\n", with_hooks ? "\n" : "", space,
                              registry_writer(source).run(), space);
}

} // namespace hsm::detail::tool
