// Generates definition calls that build the same tree as a file, for both kinds of charts.

#include <hsm/define/detail/hook_kinds.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/tool/detail/machine_writer.hpp>

#include <algorithm>

namespace hsm::detail::tool {

namespace {

/// Checks a file for everything that a constant chart does not support. Reports each case with its position.
class constant_limits {
public:
    constant_limits(const state_base& root, problem_list& problems) : problems_(problems), has_regions_(contains_parallel(root)) { check(root); }

private:
    void check(const state_base& s) {
        check_kind(s);
        check_state(s);
        for (const auto* list : {&s.transitions(), &s.choices(), &s.initials()})
            for (const auto& t : *list)
                if (!t->of_class) check(*t, list != std::addressof(s.transitions()));
        for (const auto& sub : s.substates())
            if (!sub->of_class()) check(*sub);
    }
    void refuse(const origin& where, std::string what, std::string hint) {
        problems_.add(code::not_constant, where, fmt::format("a constant chart has {}", what), std::move(hint));
    }

    void check_kind(const state_base& s) {
        const auto at = s.origin();
        if (s.notes() && !s.notes()->class_name.empty()) refuse(at, "no classes of states", "write the states of the class into the file");
    }

    static bool contains_parallel(const state_base& s) {
        return s.kind() == state_kind::parallel || std::ranges::any_of(s.substates(), [](const auto& sub) { return contains_parallel(*sub); });
    }
    static bool tests_over(const guard_operand& part) {
        return (part.form == guard_form::bit && part.literal.condition->index == 0) || std::ranges::any_of(part.parts, tests_over);
    }
    void check_state(const state_base& s) {
        const auto at = s.origin();
        for (const auto& row : hook_kind_table) {
            if (row.instead.empty()) continue;
            for (const auto& h : s.hooks(row.kind)) refuse(h.where() ? h.where() : at, fmt::format("no <{}>", row.name), std::string(row.instead));
        }
        for (const auto& g : s.predicates()) {
            if (const auto* const all = composition_of(g); all && has_regions_ && tests_over(*all))
                refuse(g.where() ? g.where() : at, "no bit 0 in <finished>, in a machine with a parallel state", instead);
        }
    }

    void check(const transition_spec& t, bool is_entry) {
        const auto at = t.origin ? t.origin : t.source->origin();
        if ((has_regions_ || is_entry) && std::ranges::any_of(t.asked, [](const auto& l) { return l.condition->index == 0; }))
            refuse(at, "no bit 0 and condition in one <any> or <not>, in a machine with a parallel state or in an entry choice",
                   "write a transition for each of them");
        const auto asks_over = [](const auto& g) { return std::ranges::any_of(g.literals, [](const auto& l) { return l.condition->index == 0; }); };
        if (is_entry && t.source->chooses().again && std::ranges::any_of(t.conditions, asks_over))
            refuse(at, "no bit 0 in a candidate of a machine that chooses again", "test it in a transition");
        if (!t.event.names.empty()) refuse(at, "no lists or prefixes of events", "write one transition for each event");
        if (t.event.name.starts_with("done.") || t.event.name.starts_with("error.")) refuse(at, "no events that the machine itself raises", instead);
    }

    static constexpr const char* instead = "generate a definition from the file: hsm generate definition";

    problem_list& problems_;
    bool has_regions_;
};

} // namespace

void check_constant(const program_source& source, problem_list& problems) { constant_limits(source.root, problems); }

namespace {
bool says_finished(const state_base& s) {
    return !s.predicates().empty() || std::ranges::any_of(s.substates(), [](const auto& sub) { return says_finished(*sub); });
}
} // namespace

std::string made_from(const program_options& options, std::string_view word) {
    return fmt::format("// Generated from {} by `hsm generate {}`. Do not edit: change the source and generate again.\n",
                       cpp_comment(options.short_file()), word);
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
    const auto name = fmt::format("there_is_no_such_state_in_{}", cpp_identifier(source.options.short_file()));
    std::vector<known_path> paths;
    collect_paths(source.root, "", paths);
    text.here() << fmt::format("    // Code that names an unknown state is an error here, in the line of the most similar state.\n"
                               "    static void {}() {{}} // not constexpr\n"
                               "    static consteval void lacks(std::string_view path) {{\n"
                               "        constexpr std::string_view paths[] = {{\n",
                               name);
    for (const auto& p : paths) text << fmt::format("            {},{}\n", cpp_string(p.path), p.is_former ? " // former path" : "");
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
