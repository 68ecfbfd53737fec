#include <hsm/inspect/detail/sent_event.hpp>

#include <hsm/chart/view.hpp>
#include <hsm/inspect/inspect_error.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/replay/detail/machine_calls.hpp>
#include <hsm/save/detail/image_layout.hpp>
#include <hsm/save/detail/json_archive.hpp>
#include <hsm/save/detail/json_value.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace hsm::inspect::detail {

using namespace hsm::detail;

namespace {

constexpr std::size_t most_bytes = 1u << 16, most_depth = 64; ///< of the data

event_view find_event(const chart_view& chart, std::string_view text) {
    event_view by_name;
    for (const auto e : chart.events()) {
        if (e.text() == text) return e;
        if (e.name() == text) by_name = e;
    }
    return by_name;
}

[[noreturn]] void refuse(std::string_view event, std::string_view problem, std::string hint) {
    throw inspect_error(code::not_offered, fmt::format("the event \"{}\" {}", event, problem), std::move(hint));
}

/// Returns the payload as logs store it.
std::vector<std::byte> payload_of(event_view event, const value_layout& shape, const std::optional<std::string>& data) {
    if (shape.form == value_layout::nothing && !data) return {};
    if (shape.form == value_layout::nothing) refuse(event.name(), "carries no data", "send it without data");
    const bool is_value = !shape.codec && shape.type && (shape.type->traits & value_number);
    if (!shape.codec && !is_value)
        refuse(event.name(), "carries data that cannot be created here", "register its serialization in the definition: hsm::serializes<...>(...)");
    auto tree = is_value ? json_value::of(event.values().empty() ? event.value() : event.values().front().first) : json_value::empty_object();
    if (data) tree = hsm::detail::read_json(*data, most_bytes, most_depth);
    std::vector<mismatch> notes;
    try {
        const auto bytes = json_to_value(shape, nullptr, tree, notes);
        const auto length = std::uint64_t(bytes.size());
        const auto* const first = reinterpret_cast<const std::byte*>(&length);
        std::vector<std::byte> made;
        if (shape.form == value_layout::fields) made.assign(first, first + sizeof length);
        made.insert(made.end(), bytes.begin(), bytes.end());
        return made;
    } catch (const mismatch& m) {
        refuse(event.name(), fmt::format("cannot be created: {} {}", m.path, m.problem), "correct the data");
    }
}

std::uint32_t column_of(event_view event, const chart_core& core) {
    for (std::uint32_t c = 1; c < core.column_events.size(); ++c)
        if (core.column_events[c] == event.number()) return c;
    return 0;
}

} // namespace

sent_event::sent_event(const chart_base& chart, std::string_view text, const std::optional<std::string>& data) {
    const auto event = find_event(chart.view(), text);
    if (event && !event.is_name()) {
        const auto& core = chart.core();
        typed_ = std::make_unique<decoded_event>(core, 0, column_of(event, core),
                                                 payload_of(event, image_layout_of(core).events.at(event.number()), data));
        return;
    }
    event_data value;
    if (data && !hsm::read_json(*data, value)) refuse(text, "has data that is not JSON", "pass a JSON object");
    named_.emplace(event ? event.name() : text, std::move(value));
}
sent_event::~sent_event() = default;

const event_ref& sent_event::get() const { return named_ ? static_cast<const event_ref&>(*named_) : typed_->event(); }

} // namespace hsm::inspect::detail
