#include <hsm/tool/detail/command.hpp>
#include <hsm/tool/detail/machine_file.hpp>
#include <hsm/tool/detail/output_file.hpp>
#include <hsm/tool/detail/program_text.hpp>

#include <hsm/compile/check.hpp>
#include <hsm/op/detail/format.hpp>

#include <filesystem>
#include <system_error>

namespace hsm::detail::tool {

namespace {

/// The common part of the three commands: generates a program for a file, over a header of the programmer or one that is created once.
class generate : public command {
public:
    exit_code run(environment& here) final {
        simulation sim;
        open_names open(sim);
        const auto root = load(open, here);
        complete_options();
        const program_names program(open.names(), options_.file, *root);
        problem_list problems(options_.file);
        const program_source source{*root, program, options_};
        const auto text = make(source, problems);
        if (!problems.empty()) throw command_error(messages_of(problems.take()), exit_code::found);
        print_messages(program.notes(), here);
        write(source, text, here);
        return exit_code::fine;
    }

protected:
    virtual std::string make(const program_source& source, problem_list& problems) = 0;
    virtual std::string_view output_end() const = 0; ///< "_chart.hpp"
    /// Returns whether the hooks have their own header.
    virtual bool has_hooks() const { return true; }
    virtual void before_write(environment&) {}

    void declare_common(option_list& takes, std::string_view hooks_help) {
        takes.argument("FILE", file_, "An XML file with a machine.").required().machine_file();
        takes.value("-o,--output", "FILE", output_, "Output file; \"-\" is stdout.").file();
        takes.value("--hooks", "FILE", hooks_, std::string(hooks_help)).file();
        takes.value("--namespace", "NAME", options_.space, "Namespace of the output, such as \"game::monster\". Default: the name of the file.");
    }
    const std::string& output() const { return output_; }

    std::string file_, output_ = "-", hooks_;
    program_options options_;

private:
    owned<state_base> load(open_names& open, environment& here) {
        (void)format_for(file_); // checks the format before reading
        auto text = read_input(file_, here);
        const auto& format = format_to_read(file_, text);
        if (format.name != "xml")
            throw command_error(fmt::format("{} is not an XML file with a machine", file_), "convert it first: hsm convert", exit_code::failed);
        options_.file = shown_file(file_);
        owned<state_base> root;
        auto problems = messages_of(format.load(std::move(text), options_.file, {.open = &open}, root));
        if (root)
            for (const auto& f : hsm::check(*root))
                if (f.severity() == severity::error) problems.push_back(message_of(f));
        if (!problems.empty()) throw command_error(std::move(problems), exit_code::found);
        return root;
    }

    void complete_options() {
        namespace fs = std::filesystem;
        const auto stem = file_ == "-" ? std::string("machine") : cpp_identifier(fs::path(file_).stem().string());
        if (options_.space.empty()) options_.space = stem == "hsm" || stem == "std" ? stem + "_machine" : stem;
        check_namespace();
        const bool to_stdout = output_ == "-";
        options_.output = to_stdout ? stem + std::string(output_end()) : output_;
        if (!has_hooks()) return;
        makes_hooks_ = !to_stdout || !hooks_.empty();
        if (hooks_.empty()) hooks_ = (fs::path(to_stdout ? "" : output_).parent_path() / (stem + "_hooks.hpp")).string();
        options_.hooks = fs::path(hooks_).filename().string();
        std::error_code none;
        if (hooks_ == output_ || fs::equivalent(hooks_, output_, none))
            throw command_error(fmt::format("{} cannot be both the output and the header that it includes", output_),
                                "choose another name for the header with the hooks");
    }

    void check_namespace() const {
        for (std::string_view rest = options_.space;;) {
            const auto end = rest.find("::");
            const auto part = rest.substr(0, end);
            if (part.empty() || cpp_identifier(part) != part || part == "hsm" || part == "std")
                throw command_error(fmt::format("\"{}\" is not a namespace", options_.space), "write a namespace like game::monster");
            if (end == rest.npos) return;
            rest.remove_prefix(end + 2);
        }
    }

    void write(const program_source& source, const std::string& text, environment& here) {
        before_write(here);
        output_file out(output_, here);
        out.write(text.data(), text.size());
        std::error_code none;
        if (makes_hooks_ && !std::filesystem::exists(std::filesystem::symlink_status(hooks_, none))) {
            write_output(hooks_, hooks_text(source), here);
            print_messages({{.kind = message_kind::note, .text = fmt::format("created {}: edit it by hand; later runs do not overwrite it", hooks_)}},
                           here);
        }
        out.finish();
    }

    bool makes_hooks_ = false;
};

constexpr std::string_view hooks_help = "The header with the context and its functions. Created if it does not exist, and never overwritten.";

class generate_registry final : public generate {
public:
    std::string_view name() const override { return "generate registry"; }
    std::string_view summary() const override { return "write a skeleton of the behavior that a file names, with the code that registers it"; }
    std::string_view description() const override {
        return "The output compiles. It contains a context, a function for each guard, hook and delay, a class for each local, and their "
               "registration. You complete it by hand, so an existing file is not overwritten.\n\n"
               "With --hooks, the functions are in a header of their own, which is created if it does not exist. The output then contains only "
               "the lines that register them. Generate the output again when the file changes.";
    }
    std::vector<example> examples() const override {
        return {
            {"generate registry monster.xml -o monster.cpp", "a source file to complete"},
            {"generate registry monster.xml --hooks monster_hooks.hpp -o monster_registry.cpp", "the code that registers the functions of a header"}};
    }
    void declare(option_list& takes) override {
        declare_common(takes, "The header with the functions. Created if it does not exist, and never overwritten.");
        takes.flag("--force", force_, "Overwrite an existing skeleton.");
    }

private:
    std::string_view output_end() const override { return ".cpp"; }
    bool has_hooks() const override { return !hooks_.empty(); }
    std::string make(const program_source& source, problem_list&) override { return registry_text(source, !has_hooks()); }
    void before_write(environment&) override {
        std::error_code none;
        if (has_hooks() || force_ || output() == "-" || !std::filesystem::is_regular_file(output(), none)) return;
        throw command_error(
            {{.text = "the file already exists, and can contain your changes", .hint = "pass --force to overwrite it", .where = {output(), 0, 0}}},
            exit_code::failed);
    }

    bool force_ = false;
};

class generate_definition final : public generate {
public:
    std::string_view name() const override { return "generate definition"; }
    std::string_view summary() const override { return "write the machine in a file as a definition in code"; }
    std::string_view description() const override {
        return "The output is a header with make_definition(). It returns the same definition as load_xml with the registry of `generate "
               "registry`. The header with the hooks contains the classes of the events and the functions that the definition names.";
    }
    std::vector<example> examples() const override {
        return {{"generate definition monster.xml", "like a definition written by hand"},
                {"generate definition monster.xml -o monster_definition.hpp --lines", "for a build: findings name the lines of the XML file"}};
    }
    void declare(option_list& takes) override {
        declare_common(takes, hooks_help);
        takes.flag("--lines", options_.lines, "Compiler messages and findings name the lines of the machine's file (#line).");
    }

private:
    std::string_view output_end() const override { return "_definition.hpp"; }
    std::string make(const program_source& source, problem_list&) override { return definition_text(source); }
};

class generate_constant final : public generate {
public:
    std::string_view name() const override { return "generate constant"; }
    std::string_view summary() const override { return "write the machine in a file as a constant chart"; }
    std::string_view description() const override {
        return "The output is a header with `chart`. The compiler turns this chart into a switch like one written by hand. The header with the "
               "hooks contains the functions that the chart calls. The compiler reports an error if such a function is missing, or if your code "
               "names a state that the file no longer has. These errors contain the line of the file.\n\n"
               "If the file uses features that a constant chart does not support (classes of states, and more), the command reports "
               "them and writes nothing.";
    }
    std::vector<example> examples() const override {
        return {{"generate constant monster.xml -o monster_chart.hpp", "the chart, and monster_hooks.hpp if it does not exist"},
                {"generate constant monster.xml -o build/monster_chart.hpp --hooks src/monster_hooks.hpp", "for a build"}};
    }
    void declare(option_list& takes) override {
        declare_common(takes, hooks_help);
        takes.flag("--no-lines", without_lines_, "Compiler messages name the lines of the header instead of the lines of the machine's file.");
        takes.choice("--order", "ORDER", order_, {"superstate_first", "substate_first"},
                     "Which transitions hsm tries first: those of the superstate, or those of the substate.");
    }

private:
    std::string_view output_end() const override { return "_chart.hpp"; }
    std::string make(const program_source& source, problem_list& problems) override {
        options_.lines = !without_lines_;
        options_.order = order_ == "substate_first" ? decision_order::substate_first : decision_order::superstate_first;
        return constant_text(source, problems);
    }

    bool without_lines_ = false;
    std::string order_ = "superstate_first";
};

} // namespace

owned<command> generate_registry_command() { return make_owned<generate_registry>(); }
owned<command> generate_definition_command() { return make_owned<generate_definition>(); }
owned<command> generate_constant_command() { return make_owned<generate_constant>(); }

} // namespace hsm::detail::tool
