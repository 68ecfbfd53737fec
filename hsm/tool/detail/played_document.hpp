/// The context of SCXML documents without a program: reports the effects of a document other than state changes. Every <send> succeeds.
#pragma once

#include <hsm/scxml/context.hpp>
#include <hsm/tool/detail/simulation.hpp>

#include <string_view>

namespace hsm::detail::tool {

class played_document final : public hsm::scxml::context {
public:
    explicit played_document(simulation& world) : world_(&world) {}

    void on_log(std::string_view label, std::string_view text) override {
        if (auto* const listener = world_->listener()) listener->logged(label, text);
    }
    void on_error(std::string_view event, std::string_view what) override {
        if (auto* const listener = world_->listener()) listener->failed(event, what);
    }
    bool on_send(const hsm::scxml::outgoing& event) override {
        if (auto* const listener = world_->listener()) listener->sent(event.event, event.target.empty() ? event.type : event.target, event.data);
        return true;
    }
    bool knows_processor(std::string_view) const override { return true; }

private:
    simulation* world_;
};

} // namespace hsm::detail::tool
