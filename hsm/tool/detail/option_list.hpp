/// What a command takes on its command line. One table for what reads it, for --help, the man page and the completion of shells.
#pragma once

#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace hsm::detail::tool {

/// What a shell offers in place of a value.
enum class completion : std::uint8_t { nothing, files, machine_files, choices };

struct option {
    std::string names; ///< "-o,--output"; of an argument that stands by itself: "FILE"
    std::string value; ///< "FILE"; empty: it is a flag
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
    /// `--depth N`. What `to` is now is the default. A vector: it may be given several times.
    template <class T> option& value(std::string names, std::string value, T& to, std::string help) {
        return add({std::move(names), std::move(value), std::move(help), &to});
    }
    /// One of few words.
    option& choice(std::string names, std::string value, std::string& to, std::vector<std::string> choices, std::string help);
    /// What stands by itself, in this order. A vector: all the rest, at least one if it is required.
    template <class T> option& argument(std::string name, T& to, std::string help) { return add({std::move(name), {}, std::move(help), &to}); }
    /// `--format text|json`.
    option& format(bool& json);

    const std::deque<option>& all() const { return all_; }
    std::deque<option>& all() { return all_; }
    /// Takes over what has been chosen in place of pointers: behind reading.
    void settle();

private:
    option& add(option o) { return all_.emplace_back(std::move(o)); }

    std::deque<option> all_;
    std::string format_ = "text";
    bool* json_ = nullptr;
};

} // namespace hsm::detail::tool
