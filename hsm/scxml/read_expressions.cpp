// Reads expressions that are equal in all data models: constants and In().

#include <hsm/scxml/detail/reader.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/scxml/detail/runner.hpp>
#include <hsm/scxml/detail/script_text.hpp>

#include <algorithm>
#include <cstdlib>

namespace hsm::detail::scxml {

expression reader::expression_of(const xml_attribute& a, const state_base& s, script_form form) {
    return expression_of(std::string(without_blanks(a.value)), at(a.value_at), s, form);
}

expression reader::expression_of(std::string text, origin where, const state_base& s, script_form form) {
    expression made{std::move(text), where, document_->expressions++};
    queue_script_check(made.text, where, s, form);
    return made;
}

void reader::queue_script_check(std::string_view text, origin where, const state_base& s, script_form form) {
    if (!options_.check_scripts || text.empty()) return;
    scripts_.push_back({{std::string(text), where}, form});
    states_of_them_.push_back(&s);
}

void reader::check_scripts() {
    if (scripts_.empty() || !document_->model || !problems_.empty()) return;
    constexpr std::string_view words[] = {"expression", "script", "location", "name"};
    const auto found = document_->model->check(scripts_);
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (!found[i]) continue;
        const auto& [text, form] = scripts_[i];
        const auto quoted = form == script_form::script ? std::string() : ' ' + in_quotes(text.text);
        file_ = text.at.file;
        warn(code::unreadable_script, *states_of_them_[i], text.at,
             fmt::format("the {}{} cannot be read: {}", words[static_cast<std::size_t>(form)], quoted, found[i].what),
             "correct it; the document runs, but raises error.execution each time");
    }
}

std::string reader::model_hint() const {
    return fmt::format("{}pass one in scxml_options::data_models", language_ == "null" ? "write datamodel=\"ecmascript\"; " : "");
}

bool reader::needs_model(origin where, std::string_view what) {
    if (!restricted_) return true;
    problem(code::needs_data_model, where,
            fmt::format("{} needs a data model, but {}", what,
                        language_ == "null" ? "the null model has no data" : fmt::format("none is registered for {}", in_quotes(language_))),
            model_hint());
    return false;
}

namespace {

bool is_number(std::string_view text) {
    if (text.empty() || text.find_first_not_of("0123456789.-eE+") != text.npos || text.find_first_of("0123456789") == text.npos) return false;
    const std::string whole(text);
    char* end = nullptr;
    std::strtod(whole.c_str(), &end);
    return end == whole.c_str() + whole.size() && text.front() != '.' && text.front() != '+' && text.back() != '.';
}

/// Parses 'a text' or "a text" without escapes.
std::optional<std::string> string_of(std::string_view text) {
    if (text.size() < 2 || (text.front() != '\'' && text.front() != '"') || text.back() != text.front()) return {};
    const auto inside = text.substr(1, text.size() - 2);
    if (inside.find(text.front()) != inside.npos || inside.find('\\') != inside.npos) return {};
    return std::string(inside);
}

} // namespace

std::optional<value> reader::constant_of(std::string_view text) const {
    if (!document_->opaque.empty()) return {};
    text = without_blanks(text);
    if (const auto s = string_of(text)) return hsm::detail::scxml::value{json_string(*s)};
    if (text == "true" || text == "false" || text == "null" || is_number(text)) return hsm::detail::scxml::value{std::string(text)};
    return {};
}

std::optional<std::string> reader::constant_text(std::string_view text) const {
    const auto constant = constant_of(text);
    if (!constant) return {};
    return string_of(without_blanks(text)).value_or(constant->json);
}

text_value reader::read_text(const element& e, const state_base& s, std::string_view literal, std::string_view computed) {
    text_value made;
    if (!one_of(e, {literal, computed})) return made;
    made.text = std::string(value(e, literal));
    const auto* const a = attribute(e, computed);
    if (!a) return made;
    const auto text = without_blanks(a->value);
    if (auto constant = constant_text(text))
        made.text = std::move(*constant);
    else if (needs_model(a->value_at, fmt::format("{} {}", a->name, in_quotes(text))))
        made.computed = expression_of(*a, s);
    return made;
}

const state_base* reader::state_of(std::string_view id) const {
    const auto found = states_.find(id);
    return found == states_.end() ? nullptr : found->second.state;
}

namespace {

/// Parses conditions of constants, In(), !, && and ||.
class condition_parser {
public:
    using find_state = const state_base* (*)(const void* in, std::string_view id);
    condition_parser(std::string_view text, bool quotes_ids, const void* in, find_state find)
        : rest_(text), quotes_ids_(quotes_ids), in_(in), find_(find) {}

    std::optional<condition> run() {
        auto c = either(0);
        skip();
        if (!rest_.empty()) good_ = false;
        if (!good_) return {};
        return c;
    }
    std::string_view unknown() const { return unknown_; } ///< an id that no state has

private:
    void skip() { rest_ = rest_.substr(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size())); }
    bool accept(std::string_view word) {
        skip();
        if (!rest_.starts_with(word)) return false;
        rest_.remove_prefix(word.size());
        return true;
    }
    condition list(condition first, condition::form form, std::string_view word, condition (condition_parser::*next)(int), int depth) {
        if (!accept(word)) return first;
        condition all;
        all.asks = form;
        all.parts.push_back(std::move(first));
        do all.parts.push_back((this->*next)(depth));
        while (good_ && accept(word));
        return all;
    }
    condition either(int depth) { return list(both(depth), condition::form::any, "||", &condition_parser::both, depth); }
    condition both(int depth) { return list(single(depth), condition::form::all, "&&", &condition_parser::single, depth); }

    condition single(int depth) {
        condition c;
        if (depth > 50) return good_ = false, c;
        if (accept("!")) {
            if (rest_.starts_with('=')) good_ = false;
            c.asks = condition::form::negation;
            c.parts.push_back(single(depth + 1));
            return c;
        }
        if (accept("(")) {
            c = either(depth + 1);
            if (!accept(")")) good_ = false;
            return c;
        }
        if (rest_.starts_with("In")) return state();
        return constant();
    }

    condition state() {
        condition c;
        c.asks = condition::form::in;
        const auto begin = rest_;
        rest_.remove_prefix(2);
        if (!accept("(")) return good_ = false, c;
        const auto end = rest_.find(')');
        if (end == rest_.npos) return good_ = false, c;
        const auto argument = without_blanks(rest_.substr(0, end));
        const auto text = string_of(argument);
        const bool plain = !quotes_ids_ && !argument.empty() && argument.find_first_of("\"' +,()\\") == argument.npos;
        if (!text && !plain) return good_ = false, c;
        rest_.remove_prefix(end + 1);
        const std::string id = text ? *text : std::string(argument);
        c.state = find_(in_, id);
        if (!c.state) unknown_ = argument;
        c.e.text = std::string(begin.substr(0, begin.size() - rest_.size()));
        return c;
    }

    condition constant() {
        skip();
        condition c;
        const auto word = [&](std::string_view text, bool holds) {
            if (!accept(text)) return false;
            c.holds = holds;
            c.e.text = std::string(text);
            return true;
        };
        if (word("true", true) || word("false", false)) {
            const bool ends = rest_.empty() || std::string_view(" \t\r\n)&|").find(rest_.front()) != std::string_view::npos;
            good_ = good_ && ends;
            return c;
        }
        if (!rest_.empty() && (rest_.front() == '\'' || rest_.front() == '"')) {
            const auto end = rest_.find(rest_.front(), 1);
            const auto text = end == rest_.npos ? std::nullopt : string_of(rest_.substr(0, end + 1));
            if (!text) return good_ = false, c;
            c.holds = !text->empty();
            c.e.text = std::string(rest_.substr(0, end + 1));
            rest_.remove_prefix(end + 1);
            return c;
        }
        const auto end = std::min(rest_.find_first_not_of("0123456789."), rest_.size());
        if (!is_number(rest_.substr(0, end))) return good_ = false, c;
        c.holds = rest_.substr(0, end).find_first_not_of("0.") < end;
        c.e.text = std::string(rest_.substr(0, end));
        rest_.remove_prefix(end);
        return c;
    }

    std::string_view rest_;
    bool quotes_ids_;
    const void* in_;
    find_state find_;
    std::string_view unknown_;
    bool good_ = true;
};

} // namespace

condition reader::read_condition(const xml_attribute& a, const state_base& s) {
    const auto text = without_blanks(a.value);
    condition_parser parser(text, quotes_ids_, this,
                            [](const void* in, std::string_view id) { return static_cast<const reader*>(in)->state_of(id); });
    if (auto c = document_->opaque.empty() ? parser.run() : std::nullopt) {
        if (!parser.unknown().empty())
            warn(code::never_enabled, s, a.value_at, fmt::format("In() names {}, but this state does not exist", in_quotes(parser.unknown())),
                 "correct the id; an unknown state is never active");
        c->e.at = at(a.value_at);
        return std::move(*c);
    }
    condition c;
    c.asks = condition::form::computed;
    if (restricted_) {
        problem(code::needs_data_model, a.value_at, fmt::format("the condition {} needs a data model", in_quotes(text)),
                fmt::format("{}; without one, use only {}, constants, !, && and ||", model_hint(), quotes_ids_ ? "In('id')" : "In(id)"));
    } else {
        c.e = expression_of(a, s);
    }
    return c;
}

} // namespace hsm::detail::scxml
