/// Creates the event that a viewer sends.
#pragma once

#include <hsm/chart/chart.hpp>
#include <hsm/define/event.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace hsm::detail {
class decoded_event;
}

namespace hsm::inspect::detail {

/// The text is that of event_view::text, or the name of an event. `data` is JSON. Named events can have any data; other events, the data that their
/// `serialize` reads.
class sent_event {
public:
    /// Throws inspect_error (HSM-405) if the event cannot be created, and exceptions of `serialize`. The text must outlive the event.
    sent_event(const chart_base& chart, std::string_view text, const std::optional<std::string>& data);
    sent_event(const sent_event&) = delete;
    sent_event& operator=(const sent_event&) = delete;
    ~sent_event();

    const event_ref& get() const;

private:
    std::optional<hsm::detail::refer_name> named_;
    std::unique_ptr<hsm::detail::decoded_event> typed_;
};

} // namespace hsm::inspect::detail
