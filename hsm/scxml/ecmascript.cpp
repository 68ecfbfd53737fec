#include <hsm/scxml/ecmascript.hpp>

#include <hsm/define/event_data.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/scxml/detail/ecmascript_model.hpp>
#include <hsm/scxml/detail/script_text.hpp>

#include <cmath>
#include <cstdlib>
#include <new>
#include <optional>
#include <stdexcept>

namespace hsm::detail::scxml {

namespace {

failure needed(std::string_view what, const std::string& json) {
    return {fmt::format("expected {}, not {}", what, json.empty() ? "undefined" : json)};
}

/// For a session: the host implements In(), the kind has the functions.
class callbacks_of_session final : public model_callbacks {
public:
    callbacks_of_session(data_model_host& host, const std::vector<named_function>& functions) : host_(host), functions_(functions) {}

    bool is_active(std::string_view state_id) override { return host_.is_active(state_id); }
    outcome<value> call(std::string_view name, const std::vector<value>& arguments) override {
        for (const auto& f : functions_)
            if (f.name == name) return f.function->call(arguments);
        return {{}, {"there is no such function"}};
    }
    std::int64_t* steps() override { return host_.steps(); }

private:
    data_model_host& host_;
    const std::vector<named_function>& functions_;
};

} // namespace

outcome<value> script_function::call(const std::vector<value>& arguments) const {
    if (arguments.size() != parameters()) return {{}, {fmt::format("it takes {} arguments", parameters())}};
    try {
        return run(arguments);
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& e) {
        return {{}, {e.what()}};
    }
}

failure from_json(const std::string& json, bool& to) {
    if (json != "true" && json != "false") return needed("true or false", json);
    return to = json == "true", failure{};
}

failure from_json(const std::string& json, double& to) {
    char* end = nullptr;
    to = std::strtod(json.c_str(), &end);
    const bool is_number = !json.empty() && !*end && (json[0] == '-' || (json[0] >= '0' && json[0] <= '9'));
    return is_number ? failure{} : needed("a number", json);
}

failure from_json(const std::string& json, std::string& to) {
    event_data data;
    if (!read_json(json, data) || data.kind() != data_kind::text) return needed("a string", json);
    return to = data.text(), failure{};
}

failure no_whole_number(const std::string& json) { return needed("a whole number", json); }

std::string to_json(bool v) { return v ? "true" : "false"; }
std::string to_json(double v) { return std::isfinite(v) ? fmt::format("{}", v) : "null"; }
std::string to_json(std::string_view v) { return json_string(v); }

} // namespace hsm::detail::scxml

namespace hsm::scxml {

namespace {

/// For an engine that only compiles.
class empty_host final : public hsm::detail::scxml::script_host {
    using value = hsm::detail::scxml::value;

public:
    hsm::detail::scxml::outcome<value> call(std::string_view, const std::vector<value>&) override { return {}; }
    std::vector<hsm::detail::scxml::script_field> event() override { return {}; }
};

hsm::detail::scxml::script_limits limits_of(const script_options& o) { return {o.memory, o.steps, o.stack, o.seed}; }

} // namespace

ecmascript& ecmascript::add_value(std::string name, std::string json) {
    using namespace hsm::detail::scxml;
    empty_host host;
    script_limits roomy;
    roomy.memory += 100 * json.size();
    script_engine trial(roomy, host);
    auto wrong = is_variable_name(name) ? trial.set_constant(name, {json}) : failure{"this is not a variable name"};
    if (wrong) throw std::invalid_argument(fmt::format("the value \"{}\": {}", name, wrong.what));
    values_.emplace_back(std::move(name), std::move(json));
    return *this;
}

owned<hsm::detail::scxml::data_model> ecmascript::make(const hsm::detail::scxml::model_document&, hsm::detail::scxml::data_model_host& host) const {
    using namespace hsm::detail::scxml;
    script_setting setting{limits_of(options_), &values_, {}};
    for (const auto& f : functions_) setting.functions.push_back(f.name);
    owned<model_callbacks> callbacks(new callbacks_of_session(host, functions_));
    if (options_.untrusted) return make_process_model(setting, options_.cpu_milliseconds, std::move(callbacks));
    return owned<data_model>(new ecmascript_model(setting, std::move(callbacks)));
}

std::vector<hsm::detail::scxml::failure> ecmascript::check(const std::vector<hsm::detail::scxml::written_script>& all) const {
    using namespace hsm::detail::scxml;
    if (options_.untrusted) return {};
    empty_host host;
    std::optional<script_engine> trial;
    try {
        trial.emplace(limits_of(options_), host);
    } catch (const std::bad_alloc&) { // with so little memory, sessions cannot run scripts either and report it
        return {};
    }
    std::vector<failure> found;
    for (const auto& each : all) found.push_back(trial->compile(each.text, each.form));
    return found;
}

} // namespace hsm::scxml
