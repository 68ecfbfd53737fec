/// The data of a session in ECMAScript, evaluated in this process (SCXML, appendix B.2).
#pragma once

#include <hsm/scxml/detail/data_model.hpp>
#include <hsm/scxml/detail/script_engine.hpp>

#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace hsm::detail::scxml {

/// The settings of a model. They must outlive it.
struct script_setting {
    script_limits limits;
    const std::vector<std::pair<std::string, std::string>>* values = nullptr; ///< names and JSON
    std::vector<std::string_view> functions;                                  ///< names of the functions
};

/// The session, and the host's functions.
class model_callbacks : public data_model_host {
public:
    virtual ~model_callbacks() = default;
    virtual outcome<value> call(std::string_view function, const std::vector<value>& arguments) = 0;
};

class ecmascript_model final : public data_model, private script_host {
public:
    /// The engine is created on first use, so a document without expressions has none.
    ecmascript_model(const script_setting& setting, owned<model_callbacks> callbacks);

    void set_system(const system_variables& all) override;
    failure declare(const data_element& d) override;
    failure initialise(const data_element& d) override;
    failure initialise(const data_element& d, const value& given) override;
    void set_event(const event_info& event) override;
    outcome<bool> test(const expression& condition) override { return engine().test(condition); }
    outcome<value> evaluate(const expression& e) override { return engine().evaluate(e); }
    outcome<std::string> text(const expression& e) override { return engine().text(e); }
    outcome<value> parse(std::string_view content) override { return engine().parse(content); }
    failure assign(const expression& location, const expression& e) override;
    failure assign(const expression& location, std::string_view content) override;
    failure assign(const expression& location, const value& v) override { return engine().assign(location, v); }
    failure run(const expression& script) override { return engine().run(script); }
    failure iterate(const iteration& loop, iterated& body) override;
    outcome<saved_data> save(const std::vector<std::string>& without) override { return engine().save(without); }
    failure restore(std::string_view json) override { return engine().restore(json); }

private:
    outcome<value> call(std::string_view function, const std::vector<value>& arguments) override;
    std::vector<script_field> event() override;
    std::int64_t* steps() override { return callbacks_->steps(); }

    script_engine& engine() { return engine_ ? *engine_ : make_engine(); }
    script_engine& make_engine();
    void show_system();

    owned<model_callbacks> callbacks_;
    script_setting setting_;
    std::unique_ptr<script_engine> engine_;
    system_variables system_;
    std::optional<event_info> event_;
};

/// Creates a model that evaluates in a separate process. Throws std::system_error if no process can be created.
owned<data_model> make_process_model(const script_setting& setting, std::int64_t cpu_milliseconds, owned<model_callbacks> callbacks);

} // namespace hsm::detail::scxml
