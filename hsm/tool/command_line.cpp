#include <hsm/tool/detail/command_line.hpp>

#include <hsm/define/detail/lookup.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/tool/detail/command.hpp>
#include <hsm/version.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <map>

namespace hsm::detail::tool {

namespace {

/// Splits "trace show" into its two words. The second word of a one-word command is empty.
std::pair<std::string, std::string> split_name(std::string_view name) {
    const auto space = name.find(' ');
    if (space == name.npos) return {std::string(name), {}};
    return {std::string(name.substr(0, space)), std::string(name.substr(space + 1))};
}

/// Returns an error text if `given` is none of the option's choices, otherwise an empty text.
std::string refusal(const option& o, const std::string& given) {
    if (std::ranges::find(o.choices, given) != o.choices.end()) return {};
    return fmt::format("\"{}\" is not one of {}", given, joined(o.choices, ", "));
}

void bind(CLI::App& app, option& o) {
    auto* const bound = std::visit(
        [&](auto* to) -> CLI::Option* {
            if constexpr (std::is_same_v<decltype(to), bool*>)
                return app.add_flag(o.names, *to);
            else
                return app.add_option(o.names, *to);
        },
        o.to);
    if (!o.value.empty()) bound->type_name(o.value);
    if (o.is_required) bound->required();
    if (std::holds_alternative<std::uint64_t*>(o.to)) // "-1" would be read as a very large number
        bound->check([](const std::string& given) { return given.starts_with('-') ? std::string("pass a number of 0 or more") : std::string(); });
    if (!o.choices.empty()) bound->check([&o](const std::string& given) { return refusal(o, given); });
    if (o.is_repeated() && !o.is_argument()) bound->expected(1)->take_all(); // in `--active a --active b FILE`, FILE is not a value of the option
}

class parser {
public:
    parser(const std::string& program, std::vector<declared_command>& commands) : program_(program), commands_(commands) {
        prepare(app_);
        app_.set_version_flag("-V,--version", fmt::format("hsm {}.{}.{}", HSM_VERSION / 10000, HSM_VERSION / 100 % 100, HSM_VERSION % 100));
        for (auto& c : commands_) add(c);
    }

    parsed_line parse(std::vector<std::string> words) {
        if (words.empty()) return {nullptr, help_of_all(program_, commands_), true};
        std::ranges::reverse(words); // CLI11 takes the words in reverse order
        try {
            app_.parse(std::move(words));
        } catch (const CLI::CallForHelp&) {
            return {nullptr, help(), false};
        } catch (const CLI::CallForVersion& e) {
            return {nullptr, std::string(e.what()) + '\n', false};
        } catch (const CLI::ExtrasError&) {
            refuse_extra();
        } catch (const CLI::ConversionError& e) {
            const std::string problem = e.what(); // "Could not convert: --depth = deep"
            const auto name = problem.find("--"), equals = problem.find(" = ");
            if (name >= equals || equals == problem.npos) throw command_error(lowered(problem), advice());
            throw command_error(fmt::format("{}: \"{}\" is not a number", problem.substr(name, equals - name), problem.substr(equals + 3)), advice());
        } catch (const CLI::ParseError& e) {
            if (has_unknown_option()) refuse_extra(); // an unknown option is reported before a missing argument
            throw command_error(lowered(e.what()), advice());
        }
        auto* const meant = found();
        if (!meant) return {nullptr, help(), true}; // `hsm trace`
        meant->takes.settle();
        return {meant, {}, false};
    }

private:
    void prepare(CLI::App& app) {
        app.set_help_flag("-h,--help");
        app.require_subcommand(0, 1); // further words that equal a command's name are files
    }

    void add(declared_command& c) {
        const auto [first, second] = split_name(c.what->name());
        auto*& outer = firsts_[first];
        if (!outer) prepare(*(outer = app_.add_subcommand(first)));
        auto* app = outer;
        if (!second.empty()) prepare(*(app = outer->add_subcommand(second)));
        apps_.emplace(app, &c);
        for (auto& o : c.takes.all()) bind(*app, o);
    }

    /// Returns the innermost subcommand on the command line, or the program itself.
    CLI::App* named() {
        auto* app = &app_;
        while (!app->get_subcommands().empty()) app = app->get_subcommands().front();
        return app;
    }
    declared_command* found() {
        const auto it = apps_.find(named());
        return it == apps_.end() ? nullptr : it->second;
    }

    std::string help() {
        auto* const app = named();
        if (auto* const c = found()) return help_of(program_, *c);
        return app == &app_ ? help_of_all(program_, commands_) : help_of_group(program_, app->get_name(), commands_);
    }
    std::string advice() {
        auto* const c = found();
        return fmt::format("see {} --help", c ? fmt::format("{} {}", program_, c->what->name()) : program_);
    }

    bool has_unknown_option() const {
        return std::ranges::any_of(app_.remaining(true), [](const std::string& word) { return word.size() > 1 && word.starts_with('-'); });
    }
    [[noreturn]] void refuse_extra() {
        auto* const app = named();
        const auto extras = app_.remaining(true);
        std::string word = extras.empty() ? std::string() : extras.front();
        const bool is_option = word.starts_with('-');
        if (is_option) word = word.substr(0, word.find('='));
        if (found() && !is_option) throw command_error(fmt::format("unexpected argument \"{}\"", word), advice());
        std::vector<std::string> names;
        if (auto* const c = found())
            for (const auto& o : c->takes.all()) collect(o.names, names);
        if (is_option)
            collect(app == &app_ ? "-h,--help,-V,--version" : "-h,--help", names);
        else
            for (const auto* s : app->get_subcommands({})) names.push_back(s->get_name());
        const std::vector<std::string_view> known(names.begin(), names.end());
        guess_budget budget;
        const auto nearest = closest_name(word, known, budget);
        const auto hint = nearest.empty() ? advice() : fmt::format("did you mean {}? Otherwise {}", nearest, advice());
        throw command_error(fmt::format("there is no {} {}", is_option ? "option" : "command", word), hint);
    }
    static void collect(std::string_view names, std::vector<std::string>& to) {
        while (!names.empty()) {
            const auto comma = names.find(',');
            to.emplace_back(names.substr(0, comma));
            names.remove_prefix(comma == names.npos ? names.size() : comma + 1);
        }
    }

    static std::string lowered(std::string text) {
        if (text.size() > 1 && text[0] >= 'A' && text[0] <= 'Z' && text[1] >= 'a') text[0] = static_cast<char>(text[0] - 'A' + 'a');
        return text;
    }

    const std::string& program_;
    std::vector<declared_command>& commands_;
    CLI::App app_;
    std::map<std::string, CLI::App*> firsts_; ///< by the first word of the command's name
    std::map<const CLI::App*, declared_command*> apps_;
};

} // namespace

std::vector<declared_command> declare(std::vector<owned<command>> commands) {
    std::vector<declared_command> all(commands.size());
    for (std::size_t i = 0; i < commands.size(); ++i) {
        all[i].what = std::move(commands[i]);
        all[i].what->declare(all[i].takes);
    }
    return all;
}

parsed_line parse(std::vector<std::string> words, const std::string& program, std::vector<declared_command>& commands) {
    return parser(program, commands).parse(std::move(words));
}

} // namespace hsm::detail::tool
