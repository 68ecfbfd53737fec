/// Sets `_event` in a data model before its machine handles an event.
#pragma once

#include <hsm/op/observer.hpp>
#include <hsm/scxml/context.hpp>

namespace hsm::detail::scxml {

/// The context has the additional fields of the events in the machine's queues, in the same order.
class event_setter final : public observer {
public:
    explicit event_setter(hsm::scxml::context& c) : context_(c) {}
    void on_record(const record& r, const moment& when) override;

private:
    void show(event_info&& e) {
        if (context_.model_) context_.model_->set_event(e);
    }

    hsm::scxml::context& context_;
};

} // namespace hsm::detail::scxml
