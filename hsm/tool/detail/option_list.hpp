/// The options of a command, in one table for the parser, --help, the man page and the completion of shells.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hsm::detail::tool {

/// What a shell offers for a value.
enum class completion : std::uint8_t { nothing, files, machine_files, choices };

struct option {
    std::string names; ///< "-o,--output"; for a positional argument: "FILE"
    std::string value; ///< "FILE"; empty for a flag
    std::string help;  ///< a sentence
    std::variant<bool*, std::string*, std::vector<std::string>*, std::int64_t*, std::uint64_t*, double*> to;
    std::vector<std::string> choices = {};
    completion offers = completion::nothing;
    bool is_required = false;

    bool is_argument() const { return !names.starts_with('-'); }
    bool is_repeated() const { return std::holds_alternative<std::vector<std::string>*>(to); }

    option& required() { return is_required = true, *this; }
    option& file() { return offers = completion::files, *this; }
    option& machine_file() { return offers = completion::machine_files, *this; }
};

class option_list {
public:
    /// `names`: "-q,--quiet".
    option& flag(std::string names, bool& to, std::string help) { return add({std::move(names), {}, std::move(help), &to}); }
    /// Declares an option such as `--depth N`. The current value of `to` is the default. An option for a vector can be repeated.
    template <class T> option& value(std::string names, std::string value, T& to, std::string help) {
        return add({std::move(names), std::move(value), std::move(help), &to});
    }
    /// Declares an option with a fixed set of values.
    option& choice(std::string names, std::string value, std::string& to, std::vector<std::string> choices, std::string help);
    /// Declares a positional argument, in the order of the calls. A vector takes all remaining words, at least one if it is required.
    template <class T> option& argument(std::string name, T& to, std::string help) { return add({std::move(name), {}, std::move(help), &to}); }
    /// Declares `--format text|json`.
    option& format(bool& json);

    const std::deque<option>& all() const { return all_; }
    std::deque<option>& all() { return all_; }
    /// Converts the value of `--format` to its flag. Call it after parsing.
    void settle();

private:
    option& add(option o) { return all_.emplace_back(std::move(o)); }

    std::deque<option> all_;
    std::string format_ = "text";
    bool* json_ = nullptr;
};

} // namespace hsm::detail::tool
