#include <hsm/scxml/context.hpp>

#include <hsm/op/detail/machine.hpp>
#include <hsm/run/error.hpp>
#include <hsm/scxml/detail/document.hpp>
#include <hsm/scxml/detail/session_core.hpp>
#include <hsm/vm/detail/block.hpp>

#include <algorithm>

namespace hsm::scxml {

void context::on_log(std::string_view, std::string_view) {}
void context::on_error(std::string_view, std::string_view) {}
bool context::on_send(const outgoing&) { return false; }
bool context::knows_processor(std::string_view) const { return false; }
owned<service> context::on_invoke(const invocation&) { return {}; }
void context::on_invoked(session_base&) {}
void context::on_child_log(const session_base&, std::string_view label, std::string_view text) { on_log(label, text); }
void context::on_child_error(const session_base&, std::string_view event, std::string_view what) { on_error(event, what); }

std::string_view context::attribute(std::string_view name) const {
    if (!element_) return {};
    const auto found = std::ranges::find(*element_, name, &std::pair<std::string, std::string>::first);
    return found == element_->end() ? std::string_view() : std::string_view(found->second);
}

std::optional<time_span> context::next_delay() const {
    if (delayed_.empty()) return {};
    return std::max(time_span{}, time_span::from_nanoseconds(delayed_.front().due) - time_span::from_nanoseconds(now_));
}

/// Ids are unique in a document, so a state is found wherever it is.
bool context::is_active(std::string_view state_id) {
    if (!machine_ || !document_) return false;
    const auto found = document_->states.find(state_id);
    return found != document_->states.end() && machine_->chart->host->is_in_state(*machine_, *found->second);
}

hsm::detail::scxml::step_budget& context::budget() { return session_ ? session_->host->budget : own_budget_; }

hsm::detail::scxml::system_variables context::system_of(const hsm::detail::scxml::document& d, const std::string& id) {
    return {id, d.name, {{"http://www.w3.org/TR/scxml/#SCXMLEventProcessor", "#_scxml_" + id}, {"scxml", "#_scxml_" + id}}};
}

void context::begin_data(const hsm::detail::scxml::document& d) {
    document_ = &d;
    model_->set_system(system_of(d, session_id_));
}

} // namespace hsm::scxml
