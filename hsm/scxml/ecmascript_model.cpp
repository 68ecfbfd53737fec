#include <hsm/scxml/detail/ecmascript_model.hpp>

#include <hsm/define/event_data.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/scxml/detail/script_text.hpp>

#include <new>
#include <utility>

namespace hsm::detail::scxml {

namespace {

bool is_system_name(std::string_view name) {
    return name == "_event" || name == "_sessionid" || name == "_name" || name == "_ioprocessors" || name == "_x";
}

} // namespace

ecmascript_model::ecmascript_model(const script_setting& setting, owned<model_callbacks> callbacks)
    : callbacks_(std::move(callbacks)), setting_(setting) {}

script_engine& ecmascript_model::make_engine() {
    std::unique_ptr<script_engine> made(new script_engine(setting_.limits, *this)); // make_unique cannot convert to the private base script_host
    made->add_function("In");
    for (const auto name : setting_.functions) made->add_function(name);
    if (setting_.values)
        for (const auto& [name, json] : *setting_.values)
            if (made->set_constant(name, {json})) throw std::bad_alloc(); // the JSON was checked, so only memory can be missing
    engine_ = std::move(made);
    try {
        show_system();
    } catch (...) {
        engine_.reset();
        throw;
    }
    engine_->share_steps();
    return *engine_;
}

outcome<value> ecmascript_model::call(std::string_view function, const std::vector<value>& arguments) {
    if (function != "In") return callbacks_->call(function, arguments);
    event_data id;
    if (arguments.size() != 1 || !read_json(arguments[0].json, id) || id.kind() != data_kind::text) return {{}, {"In() takes the id of a state"}};
    return {{callbacks_->is_active(id.text()) ? "true" : "false"}, {}};
}

void ecmascript_model::set_system(const system_variables& all) {
    system_ = all;
    event_.reset();
    if (engine_) show_system();
}

void ecmascript_model::show_system() {
    std::string processors = "{";
    for (const auto& p : system_.io_processors)
        processors += fmt::format("{}{}:{{\"location\":{}}}", processors.size() > 1 ? "," : "", json_string(p.type), json_string(p.location));
    // If there is no memory for these, later calls fail and report it.
    (void)engine_->set_constant("_sessionid", {json_string(system_.session_id)});
    (void)engine_->set_constant("_name", {json_string(system_.name)});
    (void)engine_->set_constant("_ioprocessors", {processors + "}"});
    (void)engine_->set_constant("_x", {"{}"});
    (void)engine_->declare_event("_event");
    engine_->event_changes();
}

failure ecmascript_model::declare(const data_element& d) {
    if (is_system_name(d.id)) return {fmt::format("\"{}\" is the name of a system variable", d.id)};
    return engine().declare(d.id);
}

failure ecmascript_model::initialise(const data_element& d) {
    if (engine().is_read_only(d.id)) return {}; // reported by declare()
    if (!engine().has_variable(d.id)) return {fmt::format("\"{}\" has not been declared", d.id)};
    if (d.init) return engine().set(d.id, d.init);
    if (!d.has_content) return {};
    auto content = engine().parse(d.content);
    return content ? engine().set(d.id, content.result) : content.wrong;
}

failure ecmascript_model::initialise(const data_element& d, const value& given) {
    if (engine().is_read_only(d.id)) return {};
    if (!engine().has_variable(d.id)) return {fmt::format("\"{}\" has not been declared", d.id)};
    return engine().set(d.id, given);
}

void ecmascript_model::set_event(const event_info& e) {
    event_ = e;
    if (engine_) engine_->event_changes();
}

std::vector<script_field> ecmascript_model::event() {
    if (!event_) return {};
    using form = script_field::form;
    const auto text = [](std::string_view name, std::string_view content) {
        return script_field{name, std::string(content), content.empty() ? form::none : form::text};
    };
    const auto& e = *event_;
    return {text("name", e.name),
            text("type", e.type),
            text("sendid", e.sendid),
            text("origin", e.origin),
            text("origintype", e.origintype),
            text("invokeid", e.invokeid),
            script_field{"data", e.data.json, e.data ? form::json : form::none}};
}

failure ecmascript_model::assign(const expression& location, const expression& e) { return engine().assign(location, e); }

failure ecmascript_model::assign(const expression& location, std::string_view content) {
    auto parsed = engine().parse(content);
    return parsed ? engine().assign(location, parsed.result) : parsed.wrong;
}

failure ecmascript_model::iterate(const iteration& loop, iterated& body) {
    for (const auto* name : {&loop.item, &loop.index})
        if (is_system_name(*name)) return {fmt::format("\"{}\" is the name of a system variable", *name)};
    script_engine::elements all(engine(), loop.array);
    if (all.wrong()) return all.wrong();
    if (!is_variable_name(loop.item)) return {fmt::format("\"{}\" is not a variable name", loop.item)};
    for (const auto* name : {&loop.item, &loop.index})
        if (!name->empty() && !engine().has_variable(*name))
            if (auto wrong = engine().declare(*name)) return wrong;
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (auto wrong = all.give(i, loop.item)) return wrong;
        if (!loop.index.empty())
            if (auto wrong = engine().set(loop.index, value{std::to_string(i)})) return wrong;
        if (body.run()) break;
    }
    return {};
}

} // namespace hsm::detail::scxml
