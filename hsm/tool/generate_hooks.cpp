// Generates the programmer's part of a program: a context, for each name in the file a stub that compiles, and the registrations.

#include <hsm/tool/detail/program_text.hpp>

#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <iterator>

namespace hsm::detail::tool {

namespace {

constexpr std::size_t most_sites = 8;

class code_writer {
protected:
    template <class... A> void add(fmt::format_string<A...> words, A&&... arguments) { append_format(text_, words, std::forward<A>(arguments)...); }

    std::string text_;
};

class hooks_writer : code_writer {
public:
    /// `registers`: the text is not a header, but the beginning of a source file with the registrations.
    hooks_writer(const program_source& source, bool registers)
        : names_(source.names), options_(source.options), short_file_(source.options.short_file()), registers_(registers) {}

    std::string run() {
        begin();
        if (!names_.events_are_names()) write_list(names_.events(), cpp_group::events);
        write_identifiers();
        write_context({});
        add("}} // namespace {}\n", options_.space);
        return std::move(text_);
    }

private:
    bool has(cpp_group group) const {
        return std::ranges::any_of(names_.contexts(), [&](const program_context& c) {
            return std::ranges::any_of(c.names, [&](const program_name& n) { return n.group == group; });
        });
    }

    void begin() {
        add("// The context and functions that {} names. `hsm generate` created this file once and does not\n"
            "// overwrite it: edit it. Functions can have the parameters of hooks in any definition.\n{}\n",
            cpp_comment(short_file_), registers_ ? "" : "#pragma once\n");
        std::string includes = registers_ ? "#include <hsm/load/registry.hpp>\n" : "";
        if (has(cpp_group::done_data)) includes += "#include <hsm/define/event_data.hpp>\n";
        if (has(cpp_group::classes)) includes += "#include <hsm/define/fsm.hpp>\n";
        if (has(cpp_group::changes)) includes += "#include <hsm/define/state_ref.hpp>\n";
        if (has(cpp_group::delays)) includes += "#include <hsm/define/time_span.hpp>\n";
        if (has(cpp_group::changes)) includes += "#include <hsm/op/result.hpp>\n";
        if (!includes.empty()) text_ += includes + '\n';
        add("namespace {} {{\n\n", options_.space);
    }

    void write_sites(const program_name& n, std::string_view indent) {
        std::size_t count = 0;
        for (const auto& p : n.sites) {
            if (count++ == most_sites) {
                add("{}/// ... and {} more\n", indent, n.sites.size() - most_sites);
                return;
            }
            auto where = p.state.empty() ? std::string("declared") : fmt::format("{} of {}", p.role, p.state);
            if (!p.event.empty()) where += fmt::format(", on {}", p.event);
            add("{}/// {}\n", indent, cpp_comment(fmt::format("{}:{}: {}", short_file_, p.at.line, where)));
        }
    }

    /// Writes the namespace of a group if it has any names.
    void write_list(const std::vector<program_name>& list, cpp_group group) {
        bool begun = false;
        for (const auto& n : list) {
            if (n.group != group) continue;
            if (!begun) add("namespace {} {{\n\n", to_string(group));
            begun = true;
            write_sites(n, "");
            write_one(n);
            text_ += '\n';
        }
        if (begun) add("}} // namespace {}\n\n", to_string(group));
    }

    void write_one(const program_name& n) {
        const auto& id = n.identifier;
        switch (n.group) {
        case cpp_group::guards: return add("inline bool {}(const context& c) {{ return c.{}; }}\n", id, id);
        case cpp_group::hooks:
            if (n.kind == behavior_kind::update) return add("inline void {}(context&, float /*seconds*/) {{}}\n", id);
            return add("inline void {}(context&) {{}}\n", id);
        case cpp_group::changes: return add("inline void {}(context&, hsm::state_ref /*from*/, hsm::state_ref /*to*/, hsm::reason) {{}}\n", id);
        case cpp_group::delays: return add("inline hsm::time_span {}(const context&) {{ return hsm::time_span::from_seconds(1); }}\n", id);
        case cpp_group::scores: return add("inline double {}(const context&) {{ return 1; }}\n", id);
        case cpp_group::done_data: return add("inline hsm::event_data {}(const context&) {{ return {{}}; }}\n", id);
        case cpp_group::locals:
            return add("struct {} {{\n"
                       "    // void enter(context&); void update(context&, float seconds); void exit(context&); bool finished() const;\n}};\n",
                       id);
        case cpp_group::classes:
            return add("class {} : public hsm::{}<context> {{\npublic:\n    {}() : {}({}) {{}}\n}};\n", id, n.contains_states ? "fsm" : "state", id,
                       n.contains_states ? "fsm" : "state", cpp_string(n.name));
        case cpp_group::events: return add("struct {} {{}};\n", id);
        case cpp_group::parts:
        case cpp_group::identifiers: return;
        }
    }

    void write_identifiers() {
        if (names_.identifiers().empty()) return;
        text_ += "enum class identifiers {\n";
        for (const auto& n : names_.identifiers()) {
            write_sites(n, "    ");
            add("    {},\n", n.identifier);
        }
        text_ += "};\n\n";
    }

    /// Inner contexts come first because they are members.
    void write_context(const std::vector<std::string>& parts) {
        const auto& c = names_.context(parts);
        if (!c.space.empty()) add("namespace {} {{\n\n", c.space);
        for (const auto& inner : names_.contexts())
            if (is_inside(inner, parts)) write_context(inner.parts);
        write_members(c);
        for (const auto group : {cpp_group::guards, cpp_group::hooks, cpp_group::changes, cpp_group::delays, cpp_group::scores, cpp_group::done_data,
                                 cpp_group::locals, cpp_group::classes})
            write_list(c.names, group);
        write_parts(c);
        if (!c.space.empty()) add("}} // namespace {}\n\n", c.space);
    }

    static bool is_inside(const program_context& inner, const std::vector<std::string>& parts) {
        return inner.parts.size() == parts.size() + 1 && std::equal(parts.begin(), parts.end(), inner.parts.begin());
    }

    void write_members(const program_context& c) {
        text_ += "struct context {\n";
        bool asked = false;
        for (const auto& n : c.names) {
            if (n.group != cpp_group::guards) continue;
            if (!asked) text_ += "    // Results of guards, until you write them.\n";
            asked = true;
            add("    bool {} = false;\n", n.identifier);
        }
        for (const auto& inner : names_.contexts())
            if (is_inside(inner, c.parts)) add("    {}::context {};\n", inner.space, inner.member);
        text_ += "};\n\n";
    }

    void write_parts(const program_context& c) {
        bool begun = false;
        for (const auto& inner : names_.contexts()) {
            if (!is_inside(inner, c.parts)) continue;
            if (!begun) text_ += "namespace parts {\n\n";
            begun = true;
            const auto& n =
                *std::ranges::find_if(c.names, [&](const program_name& p) { return p.group == cpp_group::parts && p.name == inner.parts.back(); });
            write_sites(n, "");
            add("inline {}::context& {}(context& c) {{ return c.{}; }}\n\n", inner.space, n.identifier, inner.member);
        }
        if (begun) text_ += "} // namespace parts\n\n";
    }

    const program_names& names_;
    const program_options& options_;
    const std::string short_file_;
    const bool registers_;
};

class registry_writer : code_writer {
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
    bool is_empty() const {
        return names_.contexts().front().names.empty() && names_.identifiers().empty() && names_.events().empty() && names_.bits().empty();
    }

    /// `names` is the registrar's name for that context.
    void write_context(const std::vector<std::string>& parts, const std::string& names) {
        const auto& c = names_.context(parts);
        for (const auto& n : c.names)
            if (n.group != cpp_group::parts) write_one(n, c, names);
        for (const auto& n : c.names)
            if (n.group == cpp_group::parts) write_part(n, c, names);
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

    void write_part(const program_name& n, const program_context& c, const std::string& names) {
        auto inner_parts = c.parts;
        inner_parts.push_back(n.name);
        const auto& inner = names_.context(inner_parts);
        const auto call = fmt::format("{}.part<{}context>({}, {}parts::{})", names, inner.scope, cpp_string(n.name), c.scope, n.identifier);
        if (inner.names.empty()) return add("    {};\n", call);
        const auto variable = fmt::format("names_{}", ++parts_);
        add("    auto {} = {};\n", variable, call);
        write_context(inner_parts, variable);
    }

    const program_names& names_;
    std::size_t parts_ = 0;
};

} // namespace

std::string hooks_text(const program_source& source) { return hooks_writer(source, false).run(); }

std::string registry_text(const program_source& source, bool with_hooks) {
    const auto& options = source.options;
    const auto before = with_hooks
                            ? hooks_writer(source, true).run() + '\n'
                            : made_from(options, "registry") + fmt::format("#include \"{}\"\n\n#include <hsm/load/registry.hpp>\n\n", options.hooks);
    return before + fmt::format("namespace {0} {{\n\nnamespace {{\n\n{1}\n}} // namespace\n\n}} // namespace {0}\n", options.space,
                                registry_writer(source).run());
}

} // namespace hsm::detail::tool
