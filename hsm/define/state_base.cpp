#include <hsm/define/state_base.hpp>

#include <hsm/define/detail/condition_index.hpp>
#include <hsm/define/detail/limbo.hpp>
#include <hsm/define/state_ref.hpp>

#include <fmt/format.h>

namespace hsm {

using namespace detail;

state_base::state_base(std::string name, state_kind kind) : name_(std::move(name)), kind_(kind) {}

/// Leaves first, going down and up again, so that a tree may be as deep as it likes. Takes no memory.
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
    if (is_frozen()) return limbo_->keep(std::move(substate));
    substate->superstate_ = this;
    substates_.push_back(std::move(substate));
}

state_base& state_base::substitute() { return limbo_->substitute(); }

transition_spec& state_base::add_to(std::vector<owned<transition_spec>> state_base::*list) {
    auto& specs = this->*list;
    specs.push_back(make_owned<transition_spec>());
    specs.back()->source = this;
    return *specs.back();
}

loader_notes& state_base::own_notes() {
    if (!notes_) notes_ = make_owned<loader_notes>();
    return *notes_;
}

file_position position_of(const state_base& s, origin o) {
    if (!o) return {};
    const auto* at = &s;
    while (at && (!at->notes() || at->notes()->file.empty())) at = at->superstate();
    return {at ? at->notes()->file : std::string(), o.line, o.column};
}

std::string file_position::to_string() const {
    if (file.empty()) return {};
    return line == 0 ? file : fmt::format("{}:{}:{}", file, line, column);
}

std::string target_spec::written() const {
    if (node) return node->path();
    if (id) return detail::written_enumerator(*id.type, id.value);
    return by_class ? std::string(detail::unqualified(by_class.name)) : path;
}

std::string_view state_ref::name() const { return node_ ? node_->name() : "none"; }

std::string state_ref::path() const { return node_ ? node_->path() : "none"; }

} // namespace hsm
