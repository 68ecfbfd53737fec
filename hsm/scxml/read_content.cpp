// Reads executable content.

#include <hsm/scxml/detail/reader.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/scxml/detail/runner.hpp>

#include <algorithm>

namespace hsm::detail::scxml {

std::shared_ptr<const block> reader::read_block(const element& e, const state_base& s, extra_markup& extra) {
    if (!e.first_child) return nothing_;
    const inside_of here(*this, extra);
    auto made = std::make_shared<block>();
    read_actions(e, s, *made);
    return made;
}

/// Reads an <onentry> or <onexit>.
void reader::read_hook(const element& e, state_base& s, std::string comments) {
    extra_markup extra;
    extra.before = std::move(comments);
    check_attributes(e, {}, s, extra);
    const auto content = read_block(e, s, extra);
    if (content->empty()) return store_element(e, s, extra);
    add_content(s, e.local() == "onentry" ? hook_kind::enter : hook_kind::exit, content, at(e.at));
    keep(std::move(extra), content.get());
}

void reader::read_actions(const element& e, const state_base& s, block& to) {
    doc_->each_child(e, [&](const element& child) {
        if (!problems_.full()) read_action(child, e, s, to);
    });
}

void reader::add_content(state_base& s, hook_kind kind, const std::shared_ptr<const block>& content, origin at) {
    if (!content->empty()) s.add_hook(kind, hook_for(content, at, {&s, kind, s.hooks(kind).size()}));
}

void reader::add_content(transition_spec& t, const std::shared_ptr<const block>& content, origin at) {
    if (!content->empty()) t.add_action(hook_for(content, at, {&t, hook_kind::enter, t.actions.size()}));
}

bound_op reader::hook_for(const std::shared_ptr<const block>& content, origin at, const document::hook_key& is) {
    const auto* const alone = content->size() == 1 ? std::get_if<foreign_action>(&content->front().what) : nullptr;
    // attributes and a model require the element or the machine, which only content_hook passes
    if (!alone || !alone->behavior || !alone->attributes.empty() || document_->model) return content_hook(content, owner_, at);
    document_->direct.emplace(is, content);
    const auto& b = alone->behavior;
    return {b.call(), b.self(), nullptr, b.needs(), at, new std::string(label_of(*content))};
}

void reader::read_action(const element& e, const element& in, const state_base& s, block& to) {
    if (e.kind == xml_kind::element && !is_scxml(e)) return read_foreign(e, s, to);
    if (e.kind != xml_kind::element) return unknown_element(e, in, s);
    const auto name = e.local();
    action a;
    a.at = at(e.at);
    a.extra.before = take_comments();
    if (name == "raise") {
        check_attributes(e, {"event"}, s, a.extra);
        store_children(e, a.extra);
        const auto* const event = required(e, "event");
        if (!event) return;
        check_event(*event, s);
        a.what = raise_action{std::string(without_blanks(event->value))};
    } else if (name == "log") {
        a.what = read_log(e, s, a.extra);
    } else if (name == "send") {
        a.what = read_send(e, s, a.extra);
    } else if (name == "cancel") {
        a.what = read_cancel(e, s, a.extra);
    } else if (name == "if") {
        a.what = read_choice(e, s, a.extra);
    } else if (name == "assign") {
        a.what = read_assign(e, s, a.extra);
    } else if (name == "foreach") {
        a.what = read_foreach(e, s, a.extra);
    } else if (name == "script") {
        a.what = read_script(e, s, a.extra);
    } else {
        return unknown_element(e, in, s);
    }
    to.push_back(std::move(a));
}

void reader::read_foreign(const element& e, const state_base& s, block& to) {
    foreign_action made;
    add_prefixes(e);
    made.markup = doc_->written(e);
    for (const auto* a = doc_->begin(e); a != doc_->end(e); ++a)
        if (!a->declares_namespace()) made.attributes.emplace_back(a->name, a->value);
    const auto* const names = to_.names;
    const auto* b = names ? names->find(behavior_kind::action, e.local(), to_.nodes.context) : nullptr;
    if (names && (!b || b->event)) b = names->find(behavior_kind::callback, e.local(), to_.nodes.context);
    if (b) {
        names->add_use(problems_.file(), *b);
    } else if (names && names->source() && e.uri == behavior_uri) {
        b = names->source()->supply(
            {.kind = behavior_kind::callback, .name = e.local(), .at = at(e.at), .file = problems_.file(), .over = &to_.nodes, .state = &s});
    }
    if (b) {
        made.behavior = named_copy_of(*b, {});
    } else if (options_.foreign == foreign_markup::refused) {
        problem(code::unknown_behaviour, e.at, fmt::format("nothing is registered as {}", in_quotes(e.local())),
                "register it, or set scxml_options::foreign to ignore it");
    } else if (options_.foreign == foreign_markup::warned) {
        warn(code::unread_markup, s, e.at, fmt::format("<{}> does nothing", e.name.substr(0, 80)),
             fmt::format("register its hook: names.hook({}, ...)", in_quotes(e.local())));
    }
    action a;
    a.at = at(e.at);
    a.extra.before = take_comments();
    a.what = std::move(made);
    to.push_back(std::move(a));
}

choose_action reader::read_choice(const element& e, const state_base& s, extra_markup& extra) {
    check_attributes(e, {"cond"}, s, extra);
    const inside_of here(*this, extra);
    choose_action made;
    const auto branch = [&](const element& of) -> block& {
        auto& b = made.branches.emplace_back();
        if (of.local() == "else") return b.then;
        const auto* const cond = required(of, "cond");
        b.when = cond ? read_condition(*cond, s) : condition{};
        return b.then;
    };
    auto* inside = &branch(e);
    doc_->each_child(e, [&](const element& child) {
        if (!is_branch(child)) return read_action(child, e, s, *inside);
        if (!made.branches.back().when)
            return problem(code::misplaced, child.at, fmt::format("<{}> is after <else>", child.local()),
                           "write <else/> as the last part of an <if>");
        inside = &branch(child);
        auto& branch_markup = made.branches.back().extra;
        branch_markup.before = take_comments();
        if (child.local() == "else")
            check_attributes(child, {}, s, branch_markup);
        else
            check_attributes(child, {"cond"}, s, branch_markup);
        store_children(child, branch_markup);
        doc_->each_child(child, [&](const element& c) {
            if (c.kind == xml_kind::element)
                problem(code::misplaced, c.at, fmt::format("<{}> has content", child.local()), "write the content after this element, in the <if>");
        });
    });
    return made;
}

/// Checks the name of an event to send, which must not be a descriptor.
void reader::check_event(const xml_attribute& a, const state_base& s) {
    const auto name = without_blanks(a.value);
    const bool odd =
        name.empty() || name.find_first_of("* \t\r\n") != name.npos || name.front() == '.' || name.back() == '.' || name.find("..") != name.npos;
    if (odd)
        warn(code::odd_descriptor, s, a.value_at, fmt::format("{} is not an event name", in_quotes(a.value)), "write words with dots between them");
    else
        check_event_name(name, a.value_at, s);
}

log_action reader::read_log(const element& e, const state_base& s, extra_markup& extra) {
    check_attributes(e, {"label", "expr"}, s, extra);
    store_children(e, extra);
    log_action made;
    made.label = std::string(value(e, "label"));
    const auto* const a = attribute(e, "expr");
    if (!a) return made;
    const auto text = without_blanks(a->value);
    if (auto constant = constant_text(text)) {
        made.text.text = std::move(*constant);
    } else if (!restricted_) {
        made.text.computed = expression_of(*a, s);
    } else { // logging has no side effects
        made.text.text = std::string(text);
        warn(code::outside_standard, s, a->value_at, fmt::format("the expression {} is logged as text", in_quotes(text)),
             "pass a data model to evaluate it");
    }
    return made;
}

send_action reader::read_send(const element& e, const state_base& s, extra_markup& extra) {
    check_attributes(e, {"event", "eventexpr", "target", "targetexpr", "type", "typeexpr", "id", "idlocation", "delay", "delayexpr", "namelist"}, s,
                     extra);
    send_action made;
    made.event = read_text(e, s, "event", "eventexpr");
    if (const auto* const a = attribute(e, "event")) check_event(*a, s);
    made.target = read_text(e, s, "target", "targetexpr");
    made.type = read_text(e, s, "type", "typeexpr");
    made.delay = read_text(e, s, "delay", "delayexpr");
    made.data = read_payload(e, s, extra);
    made.id = std::string(value(e, "id"));
    made.id_location = read_id_location(e, s);
    if (made.event.empty() && !made.data.has_content && problems_.empty())
        problem(code::missing_attribute, e.at, "<send> has no \"event\"", "write event=\"...\"");
    if (!made.delay.text.empty()) {
        made.after = time_of_css(made.delay.text);
        if (made.after < 0) {
            const auto* const a = attribute(e, attribute(e, "delay") ? "delay" : "delayexpr");
            problem(code::bad_value, a->value_at, fmt::format("the delay is {}", in_quotes(a->value)), "write a time like \"500ms\" or \"1.5s\"");
        }
    }
    if (const auto* const a = attribute(e, "type"); a && !is_own_processor(without_blanks(a->value)))
        if (std::ranges::find(options_.send_types, without_blanks(a->value)) == options_.send_types.end())
            warn(code::outside_standard, s, a->value_at, fmt::format("the type {} of a <send> is not a standard type", in_quotes(a->value)),
                 "if your program supports it, use scxml_options::send_types and context::knows_processor");
    if (made.target.text == "#_internal" && !made.delay.empty())
        problem(code::bad_value, e.at, "an event for the internal queue has a delay", "remove the delay or the target");
    sends_later_ = sends_later_ || !made.delay.empty();
    return made;
}

expression reader::read_id_location(const element& e, const state_base& s) {
    const auto* const a = attribute(e, "idlocation");
    if (!a || !one_of(e, {"id", "idlocation"}) || !needs_model(a->at, "idlocation")) return {};
    return expression_of(*a, s, script_form::location);
}

cancel_action reader::read_cancel(const element& e, const state_base& s, extra_markup& extra) {
    check_attributes(e, {"sendid", "sendidexpr"}, s, extra);
    store_children(e, extra);
    cancel_action made{read_text(e, s, "sendid", "sendidexpr")};
    if (!attribute(e, "sendid") && !attribute(e, "sendidexpr"))
        problem(code::missing_attribute, e.at, "<cancel> has no \"sendid\"", "write sendid=\"...\"");
    return made;
}

assign_action reader::read_assign(const element& e, const state_base& s, extra_markup& extra) {
    check_attributes(e, {"location", "expr"}, s, extra);
    store_text_comments(e, extra);
    assign_action made;
    const auto* const location = required(e, "location");
    if (!location || !needs_model(e.at, "<assign>")) return made;
    made.location = expression_of(*location, s, script_form::location);
    if (const auto* const expr = attribute(e, "expr")) made.e = expression_of(*expr, s);
    made.content = doc_->inside(e);
    if (made.e && !made.content.empty()) problem(code::bad_value, e.at, "<assign> has an \"expr\" and content", "keep one of them");
    return made;
}

foreach_action reader::read_foreach(const element& e, const state_base& s, extra_markup& extra) {
    check_attributes(e, {"array", "item", "index"}, s, extra);
    const inside_of here(*this, extra);
    foreach_action made;
    const auto* const array = required(e, "array");
    const auto* const item = required(e, "item");
    if (needs_model(e.at, "<foreach>") && array && item) {
        made.loop = {expression_of(*array, s), std::string(item->value), std::string(value(e, "index"))};
        for (const auto* name : {item, attribute(e, "index")})
            if (name) queue_script_check(name->value, at(name->value_at), s, script_form::name);
    }
    read_actions(e, s, made.body);
    return made;
}

script_action reader::read_script(const element& e, const state_base& s, extra_markup& extra) {
    check_attributes(e, {"src"}, s, extra);
    store_text_comments(e, extra);
    script_action made;
    if (!needs_model(e.at, "<script>")) return made;
    if (document_->model && !document_->model->allows_scripts())
        return problem(code::needs_data_model, e.at, fmt::format("the data model {} allows no scripts", in_quotes(language_)), "remove the <script>"),
               made;
    auto text = doc_->script_in(e);
    auto begin = at(doc_->begin_of_text(e));
    if (const auto* const src = attribute(e, "src"))
        if (auto read = read_source(*src, "the script")) text = std::move(*read), begin = {1, 1, document_->files.back().c_str()};
    made.script = expression_of(std::move(text), begin, s, script_form::script);
    return made;
}

parameter reader::read_parameter(const element& e, const state_base& s) {
    parameter made;
    made.extra.before = take_comments();
    check_attributes(e, {"name", "expr", "location"}, s, made.extra);
    store_children(e, made.extra);
    const auto* const name = required(e, "name");
    if (name) made.name = std::string(name->value);
    if (!one_of(e, {"expr", "location"})) return made;
    const auto* const a = attribute(e, attribute(e, "location") ? "location" : "expr");
    if (!a) return problem(code::missing_attribute, e.at, "<param> has no \"expr\"", "write expr=\"...\""), made;
    if (const auto constant = a->name == "expr" ? constant_of(a->value) : std::nullopt)
        made.fixed = *constant;
    else if (needs_model(a->value_at, fmt::format("{} {}", a->name, in_quotes(a->value))))
        made.e = expression_of(*a, s);
    made.is_location = a->name == "location";
    return made;
}

/// Each name is a parameter with the same name.
void reader::read_namelist(const element& e, const state_base& s, std::vector<parameter>& to) {
    const auto* const list = attribute(e, "namelist");
    if (!list || !needs_model(list->at, "namelist")) return;
    each_word(list->value, [&](std::string_view word) {
        const std::string name(word);
        to.push_back({name, expression_of(name, at(list->value_at), s), {}, true});
    });
}

/// Reads a <content> without its expression, which it returns; null if there is none.
const xml_attribute* reader::read_content(const element& e, const state_base& s, payload& to) {
    to.has_content = true;
    to.extra.before = take_comments();
    check_attributes(e, {"expr"}, s, to.extra);
    store_text_comments(e, to.extra);
    to.content = doc_->inside(e);
    const auto* const expr = attribute(e, "expr");
    if (expr && !to.content.empty()) problem(code::bad_value, e.at, "<content> has an \"expr\" and content", "keep one of them");
    return expr;
}

void reader::read_content_expression(const xml_attribute& expr, const state_base& s, payload& to) {
    if (needs_model(expr.value_at, fmt::format("expr {}", in_quotes(expr.value)))) to.computed = expression_of(expr, s);
    to.has_content = static_cast<bool>(to.computed);
}

payload reader::read_payload(const element& e, const state_base& s, extra_markup& extra, bool params_only) {
    payload made;
    bool has_content = false; // also if its expression is refused
    const inside_of here(*this, extra);
    if (!params_only) read_namelist(e, s, made.parameters);
    doc_->each_child(e, [&](const element& child) {
        const bool is_content = is_scxml(child, "content");
        if (!is_content && !is_scxml(child, "param")) return unknown_element(child, e, s);
        if (has_content || (is_content && !made.parameters.empty()))
            problem(code::misplaced, child.at, fmt::format("<{}> has several <content>, or both <content> and <param>", e.local()),
                    "keep one <content>, or the <param>s");
        if (!is_content) return made.parameters.push_back(read_parameter(child, s));
        has_content = true;
        const auto* const expr = read_content(child, s, made);
        if (!expr) return;
        if (auto text = restricted_ ? constant_text(expr->value) : std::nullopt)
            made.content = std::move(*text);
        else
            read_content_expression(*expr, s, made);
    });
    return made;
}

} // namespace hsm::detail::scxml
