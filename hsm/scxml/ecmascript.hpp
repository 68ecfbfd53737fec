/// ECMAScript as the language of SCXML documents: what `<scxml datamodel="ecmascript">` asks for.
///
///     hsm::scxml::ecmascript scripts;
///     scripts.add("damage_of", [](std::string weapon) { return weapon == "axe" ? 9 : 4; });
///     hsm::scxml_options options;
///     options.data_models = {&scripts};
///
/// Scripts run in a heap of their session's own, and have the time and the memory that is said here; beyond it they end in an
/// error.execution of their document. They reach no files, no network, nothing of the process but the functions that were added.
/// It has to outlive the documents that it was given for. It is not changed once one of them has been loaded, and may then be used by
/// all threads, as far as the functions may.
#pragma once

#include <hsm/define/owned.hpp>
#include <hsm/scxml/detail/data_model.hpp>
#include <hsm/scxml/detail/script_function.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace hsm::scxml {

struct script_options {
    std::size_t memory = std::size_t(8) << 20;  ///< bytes of a session's heap, all that Duktape keeps there
    std::int64_t steps = 5'000'000;             ///< of one expression or script; 2 to 400 ns each
    std::size_t stack = std::size_t(256) << 10; ///< bytes of the native stack
    std::uint64_t seed = 1;                     ///< of Math.random() in each session
    /// The scripts of each session run in a process that can do nothing but talk to this one (Linux; elsewhere making a session throws
    /// std::system_error). It also ends what counts no steps, and keeps from the host what a mistake in the engine would let through.
    bool untrusted = false;
    std::int64_t cpu_milliseconds = 1000; ///< of that process, for one expression or script
};

class ecmascript final : public hsm::detail::scxml::data_model_kind {
public:
    explicit ecmascript(const script_options& options = {}) : options_(options) {}

    /// A function for scripts: a lambda or function whose parameters are numbers, bool, std::string or json_text, and that returns one of
    /// these, or nothing. What it throws is an Error in the script.
    template <class F> ecmascript& add(std::string name, F function) {
        if constexpr (std::is_pointer_v<F>)
            functions_.push_back({std::move(name), hsm::detail::scxml::function_of(function, function)});
        else
            functions_.push_back({std::move(name), hsm::detail::scxml::function_of(std::move(function), &F::operator())});
        return *this;
    }
    /// A value that scripts can read, as JSON. If it is none, that throws std::invalid_argument.
    ecmascript& add_value(std::string name, std::string json);

    std::string_view name() const override { return "ecmascript"; }
    bool allows_scripts() const override { return true; }
    owned<hsm::detail::scxml::data_model> make(const hsm::detail::scxml::model_document& document,
                                               hsm::detail::scxml::data_model_host& host) const override;
    /// In this process; so nothing is told of those that are not trusted.
    std::vector<hsm::detail::scxml::failure> check(const std::vector<hsm::detail::scxml::written_script>& all) const override;

private:
    script_options options_;
    std::vector<hsm::detail::scxml::named_function> functions_;
    std::vector<std::pair<std::string, std::string>> values_;
};

} // namespace hsm::scxml
