#include <hsm/define/detail/limbo.hpp>

namespace hsm::detail {

namespace {
struct nobody : state_base {
    nobody() : state_base("(not in a chart)", state_kind::leaf) {}
};
} // namespace

state_base& limbo::substitute() {
    auto made = make_owned<nobody>();
    auto& s = *made;
    keep(std::move(made));
    return s;
}

void limbo::keep(owned<state_base> s) {
    const std::lock_guard lock(keeping_);
    kept_.push_back(std::move(s));
}

} // namespace hsm::detail
