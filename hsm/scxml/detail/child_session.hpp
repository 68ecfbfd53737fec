/// An invoked session with its context. The context of the outermost session handles its calls to the host.
#pragma once

#include <hsm/scxml/detail/session_core.hpp>

namespace hsm::detail::scxml {

class child_context final : public hsm::scxml::context {
public:
    child_context(const hsm::scxml::limits& most, session_core& parent) : context(most), parent_(parent) {}

    void on_log(std::string_view label, std::string_view text) override { outermost().on_child_log(*self, label, text); }
    void on_error(std::string_view event, std::string_view what) override { outermost().on_child_error(*self, event, what); }
    bool on_send(const hsm::scxml::outgoing& event) override { return outermost().on_send(event); }
    bool knows_processor(std::string_view type) const override { return parent_.outermost().knows_processor(type); }
    owned<hsm::scxml::service> on_invoke(const hsm::scxml::invocation& what) override { return outermost().on_invoke(what); }

    hsm::scxml::session_base* self = nullptr;

private:
    hsm::scxml::context& outermost() { return parent_.outermost(); }

    session_core& parent_;
};

struct child_session {
    using plain = hsm::scxml::session<hsm::scxml::context>;

    /// Makes the protected constructor accessible.
    struct as_child final : plain {
        as_child(const chart<hsm::scxml::context>& of, hsm::scxml::context& data, const instance_options& options, session_core& parent)
            : plain(of, data, options, parent) {}
    };

    child_session(const chart<hsm::scxml::context>& of, session_core& parent)
        : made_of(of), data(parent.most(), parent), face(made_of, data, parent.options.instance, parent) {
        data.self = &face;
    }
    session_core& core() { return core_of(face); }

    chart<hsm::scxml::context> made_of; ///< a reference to the shared chart
    child_context data;
    as_child face;
};

} // namespace hsm::detail::scxml
