#include <hsm/scxml/detail/run_content.hpp>

#include <hsm/define/detail/erased.hpp>
#include <hsm/define/step.hpp>
#include <hsm/op/detail/compiler.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/scxml/detail/runner.hpp>

#include <algorithm>
#include <iterator>
#include <utility>

namespace hsm::detail::scxml {

namespace {

struct content_op {
    std::shared_ptr<const block> content;
    content_owner owner;
};
struct condition_op {
    condition c;
    content_owner owner;
};
struct event_op {
    content_owner owner;
    bool holds;
};
struct done_data_op {
    const payload* data;
    const state_base* state;
    content_owner owner;
};
struct state_op {
    const state_base* state;
    content_owner owner;
};

/// All ops use the context of the machine.
runner runner_of(const content_owner& owner, machine& m) { return {owner.find(m.context), m}; }

/// The op of a hook: calls `run` with its object.
template <class T, void (*run)(const T&, machine&)> const op* run_hook(const op* at, machine& m) {
    m.at = at;
    run(*static_cast<const T*>(at->self), m);
    at = next(at);
    HSM_PROCEED(at);
}

HSM_NOINLINE void run_block(const content_op& o, machine& m) { runner_of(o.owner, m).run(*o.content); }
void begin_document(const content_owner& owner, machine& m) { runner_of(owner, m).begin(*owner.of); }
void bind_data(const state_op& o, machine& m) { runner_of(o.owner, m).bind_late(*o.owner.of, *o.state); }
HSM_NOINLINE void raise_done_with_data(const done_data_op& o, machine& m) {
    if (!o.state->superstate()->superstate()) return; // the data of the whole machine are computed after all exits
    m.chart->host->raise_done(m, data_of(runner_of(o.owner, m).done_data(*o.data)));
}
template <void (runner::*call)()> void call_runner(const content_owner& owner, machine& m) { (runner_of(owner, m).*call)(); }
template <void (runner::*call)(const state_base&)> void call_with_state(const state_op& o, machine& m) { (runner_of(o.owner, m).*call)(*o.state); }

constexpr op_function run_content = &run_hook<content_op, &run_block>;
constexpr op_function run_done_data = &run_hook<done_data_op, &raise_done_with_data>;
constexpr op_function run_bind = &run_hook<state_op, &bind_data>;
constexpr op_function run_begin = &run_hook<content_owner, &begin_document>;
constexpr op_function run_end = &run_hook<content_owner, &call_runner<&runner::end>>;
constexpr op_function run_end_of_macrostep = &run_hook<content_owner, &call_runner<&runner::end_macrostep>>;
constexpr op_function run_delivery = &run_hook<content_owner, &call_runner<&runner::deliver>>;
constexpr op_function run_invoking = &run_hook<content_owner, &call_runner<&runner::invoke_all>>;
constexpr op_function run_invoke = &run_hook<state_op, &call_with_state<&runner::will_invoke>>;
constexpr op_function run_cancel = &run_hook<state_op, &call_with_state<&runner::cancel_invoked>>;

HSM_NOINLINE bool holds(const condition_op& o, machine& m) { return runner_of(o.owner, m).holds(o.c); }

const op* run_condition(const op* at, machine& m) {
    m.at = at;
    if (holds(*static_cast<const condition_op*>(at->self), m)) HSM_PROCEED(at + 2);
    HSM_PROCEED(at[1].target);
}

/// A shortcut for the most frequent condition: one state or its negation, without a data model.
const op* run_in(const op* at, machine& m) {
    const auto& c = static_cast<const condition_op*>(at->self)->c;
    m.at = at;
    if (c.state && m.chart->host->is_in_state(m, *c.state)) HSM_PROCEED(at + 2);
    HSM_PROCEED(at[1].target);
}

HSM_NOINLINE void show_event(const event_op& o, machine& m) { runner_of(o.owner, m).show(event_of<named_event>(m)); }

const op* run_event(const op* at, machine& m) {
    const auto& o = *static_cast<const event_op*>(at->self);
    m.at = at;
    show_event(o, m);
    if (o.holds) HSM_PROCEED(at + 2);
    HSM_PROCEED(at[1].target);
}

template <class T> void delete_op(const void* self) noexcept { delete static_cast<const T*>(self); }

/// The label of hooks that the loader adds.
std::string of_loader() { return std::string(mark_of_loader); }

/// Builds a hook that can use everything of the step.
template <class T> bound_op parts_of(op_function call, T object, origin at, std::string label) {
    hook_needs needs;
    needs.hook_context = true;
    needs.step = true;
    auto self = make_owned<T>(std::move(object));
    const auto* const shown = label.empty() ? nullptr : new std::string(std::move(label));
    return {call, self.release(), &delete_op<T>, needs, at, shown};
}

} // namespace

bound_op content_hook(std::shared_ptr<const block> content, content_owner owner, origin at) {
    auto label = label_of(*content);
    return parts_of(run_content, content_op{std::move(content), owner}, at, std::move(label));
}

guard condition_guard(condition c, content_owner owner, origin at) {
    auto label = to_string(c);
    const auto call = c.asks == condition::form::in ? &run_in : &run_condition;
    auto parts = parts_of(call, condition_op{std::move(c), owner}, at, std::move(label));
    parts.needs.step = false;
    return guard(parts);
}

guard event_guard(content_owner owner, bool holds) {
    auto parts = parts_of(&run_event, event_op{owner, holds}, {}, of_loader());
    parts.needs.step = false;
    parts.needs.event = true;
    return guard(parts);
}

bound_op done_data_hook(const payload& data, const state_base& s, content_owner owner) {
    return parts_of(run_done_data, done_data_op{&data, &s, owner}, {}, "data");
}
bound_op begin_hook(content_owner owner) { return parts_of(run_begin, owner, {}, of_loader()); }
bound_op end_hook(content_owner owner) { return parts_of(run_end, owner, {}, of_loader()); }
bound_op delivery_hook(content_owner owner) { return parts_of(run_delivery, owner, {}, of_loader()); }

bound_op bind_hook(const state_base& s, content_owner owner) { return parts_of(run_bind, state_op{&s, owner}, {}, of_loader()); }

bound_op invoke_hook(const state_base& s, content_owner owner, std::string label) {
    return parts_of(run_invoke, state_op{&s, owner}, {}, std::move(label));
}
bound_op cancel_hook(const state_base& s, content_owner owner) { return parts_of(run_cancel, state_op{&s, owner}, {}, "cancel"); }
bound_op macrostep_hook(content_owner owner) { return parts_of(run_end_of_macrostep, owner, {}, of_loader()); }
bound_op invoking_hook(content_owner owner) { return parts_of(run_invoking, owner, {}, of_loader()); }

const block* content_of(const hook& h) { return h.call() == run_content ? static_cast<const content_op*>(h.self())->content.get() : nullptr; }
const condition* condition_of(const guard& g) {
    return g.call() == &run_condition || g.call() == &run_in ? &static_cast<const condition_op*>(g.self())->c : nullptr;
}
bool is_event_guard(const guard& g) { return g.call() == &run_event; }
bool is_of_document(const hook& h) {
    constexpr op_function known[] = {
        run_done_data, run_bind, run_begin, run_end, run_delivery, run_invoke, run_cancel, run_invoking, run_end_of_macrostep,
    };
    return std::ranges::find(known, h.call()) != std::end(known);
}

// --- texts ---

namespace {

std::string text_of(const condition& c, bool whole) {
    using form = condition::form;
    switch (c.asks) {
    case form::constant: return c.e ? c.e.text : c.holds ? "true" : "false";
    case form::in: return c.e.text;
    case form::computed: return c.e.text;
    case form::negation: return '!' + text_of(c.parts.front(), false);
    case form::all:
    case form::any: break;
    }
    std::string text;
    for (const auto& part : c.parts) text += (text.empty() ? "" : c.asks == form::all ? " && " : " || ") + text_of(part, false);
    return whole ? text : '(' + text + ')';
}

std::string text_of(const text_value& t) { return t.computed ? t.computed.text : t.text; }

struct labels {
    std::string operator()(const raise_action& a) const { return "raise " + a.event; }
    std::string operator()(const log_action& a) const { return "log " + (a.label.empty() ? text_of(a.text) : a.label); }
    std::string operator()(const assign_action& a) const { return a.location.text + " = " + (a.e ? a.e.text : a.content); }
    std::string operator()(const script_action& a) const { return a.script.text; }
    std::string operator()(const send_action& a) const {
        auto text = "send " + text_of(a.event);
        if (const auto to = text_of(a.target); !to.empty()) text += " to " + to;
        if (const auto after = text_of(a.delay); !after.empty()) text += " after " + after;
        return text;
    }
    std::string operator()(const cancel_action& a) const { return "cancel " + text_of(a.sendid); }
    std::string operator()(const choose_action& a) const {
        std::string text;
        for (const auto& branch : a.branches) {
            text += text.empty() ? "if " : " else ";
            if (branch.when) text += to_string(*branch.when) + ": ";
            text += label_of(branch.then);
        }
        return text;
    }
    std::string operator()(const foreach_action& a) const { return "for each " + a.loop.item + ": " + label_of(a.body); }
    std::string operator()(const foreign_action& a) const { return std::string(a.behavior.name().empty() ? a.markup : a.behavior.name()); }
};

} // namespace

std::string to_string(const condition& c) { return text_of(c, true); }

std::string label_of(const block& content) {
    std::string text;
    for (const auto& a : content) text += (text.empty() ? "" : "; ") + std::visit(labels(), a.what);
    return text;
}

} // namespace hsm::detail::scxml
