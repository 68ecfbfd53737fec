#include <hsm/tool/detail/machine_to_play.hpp>

#include <hsm/op/detail/format.hpp>

namespace hsm::detail::tool {

machine_to_play::machine_to_play(const std::string& what, const file_options& how, surroundings& here) {
    if (const auto* const known = how.over.empty() ? find_machine(what, here) : nullptr) {
        known_ = known;
        chart_ = known->chart();
        return;
    }
    file_.emplace(what, how, unknown_names::simulated, here);
    known_ = file_->over();
    chart_ = file_->compiled();
}

owned<hsm::tool::session> machine_to_play::fresh() const {
    if (!known_) return file_->format().play(*chart_, world());
    auto made = known_->play(*chart_);
    if (!made)
        throw command_error(fmt::format("the context of \"{}\" cannot be created", known_->name()),
                            "set a session in the program: hsm::tool::machine::played_by");
    return made;
}

} // namespace hsm::detail::tool
