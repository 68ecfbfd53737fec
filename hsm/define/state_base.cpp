#include <hsm/define/state_base.hpp>

#include <hsm/define/condition_index.hpp>
#include <hsm/define/state_ref.hpp>

#include <fmt/format.h>

namespace hsm {

state_base::state_base(std::string name, state_kind kind) : name_(std::move(name)), kind_(kind) {}

state_base::~state_base() = default;

const hook delay::none;

std::string state_base::path() const {
    return superstate_ ? superstate_->path() + '/' + name_ : name_;
}

void state_base::adopt(owned<state_base> substate) {
    substate->superstate_ = this;
    substates_.push_back(std::move(substate));
}

transition_spec& state_base::add_to(std::vector<owned<transition_spec>>& list) {
    list.push_back(make_owned<transition_spec>());
    list.back()->source = this;
    return *list.back();
}

loader_notes& state_base::note() {
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
    if (id) return std::string(id.type_name) + '(' + std::to_string(id.value) + ')';
    return by_class ? std::string(detail::unqualified(by_class.name)) : path;
}

std::string_view state_ref::name() const {
    return node_ ? node_->name() : "none";
}

std::string state_ref::path() const {
    return node_ ? node_->path() : "none";
}

} // namespace hsm
