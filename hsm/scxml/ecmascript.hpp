/// ECMAScript as the language of SCXML documents, for `<scxml datamodel="ecmascript">`.
///
///     hsm::scxml::ecmascript scripts;
///     scripts.add("damage_of", [](std::string weapon) { return weapon == "axe" ? 9 : 4; });
///     hsm::scxml_options options;
///     options.data_models = {&scripts};
///
/// The scripts of a session run in their own heap, with limited steps and memory. If they exceed a limit, their document gets an error.execution.
/// They have no access to files, the network or the process, except for the added functions. The ecmascript object must outlive the documents that
/// use it. After the first document is loaded, do not call add or add_value any more. Then any number of threads can use the object, if the added
/// functions permit that.
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
    std::size_t memory = std::size_t(8) << 20;  ///< bytes of a session's heap, including Duktape's own data
    std::int64_t steps = 5'000'000;             ///< steps for one expression or script; each step takes 2 to 400 ns
    std::size_t stack = std::size_t(256) << 10; ///< bytes of the native stack
    std::uint64_t seed = 1;                     ///< for Math.random() in each session
    /// Runs the scripts of each session in a confined process that can only exchange messages with this one (Linux; elsewhere creating a session
    /// throws std::system_error). If a script exceeds cpu_milliseconds, it is ended together with its process, even if it uses no steps. The process
    /// also limits the damage of an exploited bug in the engine.
    bool untrusted = false;
    std::int64_t cpu_milliseconds = 1000; ///< processor time of that process, for one expression or script
};

class ecmascript final : public hsm::detail::scxml::data_model_kind {
public:
    explicit ecmascript(const script_options& options = {}) : options_(options) {}

    /// Adds a function or lambda for scripts. Parameters and result are numbers, bool, std::string or json_text; the result can also be void. An
    /// exception becomes an Error in the script, except `std::bad_alloc`, which reaches the caller of the session.
    template <class F> ecmascript& add(std::string name, F function) {
        if constexpr (std::is_pointer_v<F>)
            functions_.push_back({std::move(name), hsm::detail::scxml::function_of(function, function)});
        else
            functions_.push_back({std::move(name), hsm::detail::scxml::function_of(std::move(function), &F::operator())});
        return *this;
    }
    /// Adds a read-only value for scripts. Throws std::invalid_argument if `json` is not valid JSON.
    ecmascript& add_value(std::string name, std::string json);

    std::string_view name() const override { return "ecmascript"; }
    bool allows_scripts() const override { return true; }
    owned<hsm::detail::scxml::data_model> make(const hsm::detail::scxml::model_document& document,
                                               hsm::detail::scxml::data_model_host& host) const override;
    /// Compiles the scripts in this process. Does not check untrusted scripts, because they must not be compiled in this process.
    std::vector<hsm::detail::scxml::failure> check(const std::vector<hsm::detail::scxml::written_script>& all) const override;

private:
    script_options options_;
    std::vector<hsm::detail::scxml::named_function> functions_;
    std::vector<std::pair<std::string, std::string>> values_;
};

} // namespace hsm::scxml
