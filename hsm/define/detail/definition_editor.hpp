/// Gives loaders write access to the parts of a state, so that they can set the names of registered parts.
#pragma once

#include <hsm/define/state_base.hpp>

namespace hsm::detail {

class definition_editor {
public:
    explicit definition_editor(state_base& s) : s_(s.open()) {}

    std::vector<hook>& hooks(hook_kind kind) const { return s_.hooks_[static_cast<std::size_t>(kind)]; }
    std::vector<guard>& predicates() const { return s_.predicates_; }
    std::vector<local_prototype>& locals() const { return s_.locals_; }
    detail::projection& projection() const { return s_.projection_; }
    hold_spec& hold() const { return s_.hold_; }

private:
    state_base& s_;
};

} // namespace hsm::detail
