// Generates the header for the programmer: a context, and for each name in the file a stub that compiles.

#include <hsm/tool/detail/program_text.hpp>

#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <iterator>

namespace hsm::detail::tool {

namespace {

constexpr std::size_t most_sites = 8;

class hooks_writer {
public:
    explicit hooks_writer(const program_source& source) : names_(source.names), options_(source.options) {
        const auto slash = options_.file.find_last_of("/\\");
        short_file_ = options_.file.substr(slash == std::string::npos ? 0 : slash + 1);
    }

    std::string run() {
        begin();
        if (!names_.events_are_names()) write_list(names_.events(), cpp_group::events);
        write_identifiers();
        write_context({});
        add("}} // namespace {}\n", options_.space);
        return std::move(text_);
    }

private:
    template <class... A> void add(fmt::format_string<A...> words, A&&... arguments) {
        fmt::format_to(std::back_inserter(text_), words, std::forward<A>(arguments)...);
    }

    bool has(cpp_group group) const {
        return std::ranges::any_of(names_.contexts(), [&](const program_context& c) {
            return std::ranges::any_of(c.names, [&](const program_name& n) { return n.group == group; });
        });
    }

    void begin() {
        add("// The context and functions that {} names. `hsm generate` created this file once and does not\n"
            "// overwrite it: edit it. Functions can have the parameters of hooks in any definition.\n#pragma once\n\n",
            cpp_comment(short_file_));
        std::string includes;
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
    std::string short_file_, text_;
};

} // namespace

std::string hooks_text(const program_source& source) { return hooks_writer(source).run(); }

} // namespace hsm::detail::tool
