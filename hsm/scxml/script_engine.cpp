#include <hsm/scxml/detail/script_engine.hpp>

#include <hsm/scxml/detail/script_context.hpp>
#include <hsm/scxml/detail/script_text.hpp>

#include <duktape.h>

namespace hsm::detail::scxml {

script_engine::script_engine(const script_limits& limits, script_host& host) : context_(std::make_unique<context>(limits, host)) {}
script_engine::~script_engine() = default;

outcome<bool> script_engine::test(const expression& e) {
    auto& self = *context_;
    outcome<bool> answer;
    answer.wrong = self.protect(e.at, [&] {
        self.evaluate(e);
        answer.result = duk_to_boolean(self.c, -1);
    });
    if (answer.wrong) answer.result = false;
    return answer;
}

outcome<value> script_engine::evaluate(const expression& e) {
    auto& self = *context_;
    outcome<value> answer;
    answer.wrong = self.protect(e.at, [&] {
        self.evaluate(e);
        answer.result = pop_value(self.c);
    });
    return answer;
}

outcome<std::string> script_engine::text(const expression& e) {
    auto& self = *context_;
    outcome<std::string> answer;
    answer.wrong = self.protect(e.at, [&] {
        self.evaluate(e);
        if (duk_is_object(self.c, -1) && !duk_is_callable(self.c, -1)) {
            answer.result = pop_value(self.c).json;
        } else {
            duk_to_string(self.c, -1);
            answer.result = text_at(self.c, -1);
        }
    });
    return answer;
}

failure script_engine::run(const expression& script) {
    auto& self = *context_;
    return self.protect(script.at, [&] {
        self.push_function(script, script_form::script);
        duk_call(self.c, 0);
    });
}

failure script_engine::compile(const expression& e, script_form f) {
    if (f == script_form::name) return is_variable_name(e.text) ? failure{} : failure{"no variable can have this name"};
    auto& self = *context_;
    return self.protect(e.at, [&] { self.compile(e, f); });
}

failure script_engine::set(std::string_view variable, const expression& e) {
    auto& self = *context_;
    return self.protect(e.at, [&] {
        self.evaluate(e);
        self.set_global(variable);
    });
}

failure script_engine::set(std::string_view variable, const value& v) {
    auto& self = *context_;
    return self.protect({}, [&] {
        push_value(self.c, v);
        self.set_global(variable);
    });
}

failure script_engine::assign(const expression& location, const expression& e) {
    auto& self = *context_;
    return self.protect(e.at, [&] {
        self.push_function(location, script_form::location);
        self.evaluate(e);
        duk_call(self.c, 1);
    });
}

failure script_engine::assign(const expression& location, const value& v) {
    auto& self = *context_;
    return self.protect(location.at, [&] {
        self.push_function(location, script_form::location);
        push_value(self.c, v);
        duk_call(self.c, 1);
    });
}

outcome<value> script_engine::parse(std::string_view content) {
    auto& self = *context_;
    outcome<value> answer;
    const auto text = stripped(content);
    if (text.empty()) return answer;
    if (!self.protect({}, [&] { push_value(self.c, {std::string(text)}); })) {
        answer.result.json = text;
        return answer;
    }
    bool xml = false;
    if (text.starts_with('<')) {
        answer.wrong = self.protect({}, [&] {
            xml = push_xml(self.c, text);
            if (xml) answer.result = pop_value(self.c);
        });
        if (xml || answer.wrong) return answer;
    }
    answer.result.json = json_string(normalised(text));
    return answer;
}

script_engine::elements::elements(script_engine& engine, const expression& array) : engine_(engine), place_(duk_get_top(engine.context_->c)) {
    auto& self = *engine_.context_;
    wrong_ = self.protect(
        array.at,
        [&] {
            auto* c = self.c;
            self.evaluate(array);
            if (!duk_is_array(c, -1)) duk_error(c, DUK_ERR_TYPE_ERROR, "it is not an array");
            const auto size = duk_get_length(c, -1);
            duk_push_array(c);
            for (duk_size_t i = 0; i < size; ++i) {
                duk_get_prop_index(c, -2, static_cast<duk_uarridx_t>(i));
                duk_put_prop_index(c, -2, static_cast<duk_uarridx_t>(i));
            }
            size_ = size;
        },
        true);
}

script_engine::elements::~elements() {
    if (!wrong_) duk_set_top(engine_.context_->c, place_);
}

failure script_engine::elements::give(std::size_t i, std::string_view variable) {
    auto& self = *engine_.context_;
    return self.protect({}, [&] {
        duk_get_prop_index(self.c, place_, static_cast<duk_uarridx_t>(i));
        self.set_global(variable);
    });
}

outcome<saved_data> script_engine::save(const std::vector<std::string>& without) {
    auto& self = *context_;
    outcome<saved_data> answer;
    answer.wrong = self.protect({}, [&] { answer.result = save_variables(self.c, self.limits.memory, without); });
    return answer;
}

failure script_engine::restore(std::string_view json) {
    auto& self = *context_;
    return self.protect({}, [&] { restore_variables(self.c, json); });
}

void script_engine::share_steps() { context_->shares = true; }
std::int64_t script_engine::steps_used() const { return context_->spent; }

} // namespace hsm::detail::scxml
