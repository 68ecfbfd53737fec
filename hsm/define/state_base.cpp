#include <hsm/define/state_base.hpp>

#include <hsm/define/detail/constant_place.hpp>
#include <hsm/define/detail/frozen_sink.hpp>
#include <hsm/define/detail/lookup.hpp>
#include <hsm/define/state_ref.hpp>
#include <hsm/op/detail/format.hpp>

namespace hsm {

using namespace detail;

namespace {

/// make_owned is not the place where a state is defined.
origin unless_passed_on(origin where) { return where.file && std::string_view(where.file).ends_with("hsm/define/owned.hpp") ? origin() : where; }

} // namespace

state_base::state_base(const state_name& name, state_kind kind) : name_(name.text), origin_(unless_passed_on(name.where)), kind_(kind) {}

/// Destroys leaves first, in a loop, so that the depth of the tree is not limited by the stack. Does not allocate.
state_base::~state_base() {
    for (auto* at = this; at != this || !substates_.empty();) {
        auto& inside = at->substates_;
        if (inside.empty())
            at = at->superstate_;
        else if (inside.back()->substates_.empty())
            inside.pop_back();
        else
            at = inside.back().get();
    }
}

const hook delay::none;

std::string state_base::path() const {
    std::size_t length = 0;
    for (const auto* at = this; at; at = at->superstate_) length += at->name_.size() + 1;
    std::string path(length - 1, '/');
    for (const auto* at = this; at; at = at->superstate_) {
        length -= at->name_.size() + 1;
        path.replace(length, at->name_.size(), at->name_);
    }
    return path;
}

void state_base::take_in(owned<state_base> substate) {
    if (substate->is_frozen()) return void(substate.release()); // its chart owns it
    if (is_frozen()) return frozen_sink_->keep(std::move(substate));
    substate->superstate_ = this;
    substates_.push_back(std::move(substate));
}

state_base& state_base::substitute() { return frozen_sink_->substitute(); }

/// Stores the place of the definition call, if the state has none. Loaders can replace it.
state_base& state_base::at_place(hsm::origin where) {
    auto& s = open();
    if (!s.origin_ && where.file) s.origin_ = where;
    return s;
}

// Parts do not own their callable, so a hook or guard is constructed from them before anything else.

void state_base::add_hook(hook_kind kind, const bound_op& h) {
    hook made(h);
    auto& s = at_place(h.where);
    s.hooks_[static_cast<std::size_t>(kind)].push_back(std::move(made));
    s.names_successor_ = s.names_successor_ || h.needs.answers;
}

void state_base::add_predicate(const bound_op& g) { open().predicates_.push_back(guard(g)); }

void state_base::add_hold_predicate(const bound_op& g) {
    guard made(g);
    at_place(g.where).hold_.predicates.push_back(std::move(made));
}

transition_spec& state_base::add_transition(hsm::origin where) { return add_to(&state_base::transitions_, where); }
transition_spec& state_base::add_dispatch(hsm::origin where) { return add_to(&state_base::choices_, where); }
transition_spec& state_base::add_initial(hsm::origin where) { return add_to(&state_base::initials_, where); }
transition_spec& state_base::add_transition(const target_key& to) { return add_to(&state_base::transitions_, to); }
transition_spec& state_base::add_dispatch(const target_key& to) { return add_to(&state_base::choices_, to); }
transition_spec& state_base::add_initial(const target_key& to) { return add_to(&state_base::initials_, to); }

transition_spec& state_base::add_to(std::vector<owned<transition_spec>> state_base::*list, const target_key& to) {
    auto& spec = add_to(list, to.where);
    spec.aim_at(to);
    return spec;
}

transition_spec& state_base::add_to(std::vector<owned<transition_spec>> state_base::*list, hsm::origin where) {
    auto& s = at_place(where);
    auto& specs = s.*list;
    specs.push_back(make_owned<transition_spec>());
    specs.back()->source = &s;
    specs.back()->origin = where;
    return *specs.back();
}

namespace {
const saving_notes no_notes;
const saving_notes& notes_or_none(const owned<saving_notes>& notes) { return notes ? *notes : no_notes; }
} // namespace

const std::vector<std::string>& state_base::former_names() const { return notes_or_none(saving_notes_).former_names; }
const std::vector<former_event>& state_base::former_events() const { return notes_or_none(saving_notes_).former_events; }
const std::vector<former_local>& state_base::former_locals() const { return notes_or_none(saving_notes_).former_locals; }
const std::vector<const value_codec*>& state_base::codecs() const { return notes_or_none(saving_notes_).codecs; }

saving_notes& state_base::own_saving_notes() {
    if (!saving_notes_) saving_notes_ = make_owned<saving_notes>();
    return *saving_notes_;
}

loader_notes& state_base::own_notes() {
    if (!notes_) notes_ = make_owned<loader_notes>();
    return *notes_;
}

file_position position_of(const state_base& s, origin o) {
    if (!o || o.file) return {o.file ? o.file : "", o.line, o.column};
    const auto* at = &s;
    while (at && (!at->notes() || at->notes()->file.empty())) at = at->superstate();
    return {at ? at->notes()->file : std::string(), o.line, o.column};
}

file_position position_of(const state_base& s) {
    const auto* at = &s;
    while (!at->origin() && at->superstate()) at = at->superstate();
    return position_of(*at, at->origin());
}

std::string file_position::to_string() const {
    if (file.empty() || line == 0) return file;
    return column == 0 ? fmt::format("{}:{}", file, line) : fmt::format("{}:{}:{}", file, line, column);
}

std::string file_position::short_text() const { return file_position{file.substr(file.find_last_of("/\\") + 1), line, column}.to_string(); }

transition_spec& transition_spec::add_guard(const bound_op& g) {
    guard made(g);
    auto& spec = open();
    spec.guards.push_back(std::move(made));
    return spec;
}

transition_spec& transition_spec::add_action(const bound_op& a) {
    hook made(a);
    auto& spec = open();
    spec.actions.push_back(std::move(made));
    return spec;
}

transition_spec& transition_spec::set_score(const bound_op& f) {
    auto made = make_owned<hook>(f);
    auto& spec = open();
    if (*made) spec.score = std::move(made);
    return spec;
}

transition_spec& transition_spec::set_weight(double w, hsm::origin at) {
    auto& spec = open();
    spec.weight = w;
    spec.has_weight = true;
    spec.weight_at = at;
    return spec;
}

void transition_spec::aim_at(const state_key& first) {
    target = first;
    has_target = true;
}

std::string target_spec::written() const {
    if (node) return node->path();
    if (id) return detail::written_enumerator(*id.type, id.value);
    return by_class ? std::string(detail::unqualified(by_class.name)) : path;
}

std::string_view state_ref::name() const {
    if (const auto* const constant = detail::constant_place_of(node_)) return constant->name;
    return node_ ? node_->name() : "none";
}

std::string state_ref::path() const {
    if (const auto* const constant = detail::constant_place_of(node_)) return std::string(constant->path);
    return node_ ? node_->path() : "none";
}

} // namespace hsm

namespace hsm::detail {

namespace {
struct no_state_of_a_chart : state_base {
    no_state_of_a_chart() : state_base("(not in a chart)", state_kind::leaf) {}
};
} // namespace

state_base& frozen_sink::substitute() {
    auto made = make_owned<no_state_of_a_chart>();
    auto& s = *made;
    keep(std::move(made));
    return s;
}

void frozen_sink::keep(owned<state_base> s) {
    const std::lock_guard lock(keeping_);
    kept_.push_back(std::move(s));
}

} // namespace hsm::detail
