#include <hsm/scxml/session.hpp>

#include <hsm/define/named_event.hpp>
#include <hsm/run/error.hpp>
#include <hsm/scxml/detail/document.hpp>
#include <hsm/scxml/detail/runner.hpp>

#include <fmt/format.h>

#include <algorithm>

namespace hsm::scxml {

namespace {

std::vector<std::string> names_of(const std::vector<state_ref>& leaves) {
    std::vector<std::string> names;
    for (const auto leaf : leaves) names.emplace_back(leaf.name());
    return names;
}

} // namespace

session_base::session_base(const chart_base& chart, instance_base& machine, context& data, const session_options& options)
    : machine_(machine), data_(data), options_(options), teller_(data) {
    const auto* const root = chart.root().get();
    const auto* const document = root ? hsm::detail::scxml::document_of(*root) : nullptr;
    data.told_ = document && document->model;
    if (data.told_) attached_ = machine.attach(teller_, record_kind::event);
}

std::vector<std::string> session_base::configuration() const { return finished() ? last_ : names_of(machine_.leaves()); }

result session_base::settle(result outcome) {
    for (std::size_t steps = 0; machine_.queued() > 0 && machine_.active() && !machine_.finished(); ++steps) {
        if (steps == options_.max_macrosteps)
            throw chain_error({code::chain, std::string(machine_.current().name()),
                               fmt::format("after {} events that the document has sent to itself there is no end", steps),
                               "let it send the next one with a delay"});
        machine_.drain();
    }
    if (machine_.finished()) {
        last_ = names_of(machine_.leaves());
        end_ = last_.empty() ? std::string() : last_.front();
        machine_.stop();
    }
    return outcome;
}

result session_base::start() {
    end_.clear();
    last_.clear();
    return settle(machine_.start());
}

result session_base::process(std::string_view event) {
    if (data_.model_) return process(incoming{std::string(event), {}, {}, {}, {}, {}});
    return settle(machine_.process(event));
}

result session_base::process(const incoming& event) {
    if (data_.model_)
        data_.called_ =
            hsm::detail::scxml::event_info{event.event, "external", event.sendid, event.origin, event.origintype, event.invokeid, {event.data}};
    const auto outcome = machine_.process(event.event);
    data_.called_.reset();
    return settle(outcome);
}

result session_base::tick(time_span elapsed) {
    if (elapsed < time_span()) return result::refused;
    auto outcome = result::unhandled;
    auto left = elapsed.nanoseconds();
    std::size_t steps = 0;
    while (machine_.active()) {
        const auto next = data_.next_delay();
        const auto part = next ? std::min(left, next->nanoseconds()) : left;
        const bool comes = next && next->nanoseconds() <= left;
        if (comes && ++steps > options_.max_macrosteps)
            throw chain_error({code::chain,
                               {},
                               fmt::format("more than {} delayed events come in one tick", options_.max_macrosteps),
                               "let less time pass at once"});
        if (const auto done = settle(machine_.tick(time_span::from_nanoseconds(part))); done == result::taken) outcome = done;
        left -= part;
        if (!comes) return outcome;
    }
    return outcome;
}

} // namespace hsm::scxml

namespace hsm::detail::scxml {

void event_teller::on_record(const record& r, const moment& when) {
    if (r.kind != record_kind::event || !when.event()) return;
    const auto& event = *when.event();
    const auto* const named = static_cast<const named_event*>(event.object);
    const auto name = named ? named->name() : event.name;
    const auto show_first = [&](auto& queue) {
        if (!queue.empty() && queue.front().name == name) {
            show(std::move(queue.front()));
            queue.pop_front();
        } else { // the machine's own: done.state, or what a condition has failed with
            show({std::string(name), "platform", {}, {}, {}, {}, {named ? to_string(named->data()) : std::string()}});
        }
    };
    switch (static_cast<event_origin>(r.what)) {
    case event_origin::call:
        if (context_.called_) show(std::move(*context_.called_));
        context_.called_.reset();
        return;
    case event_origin::internal: return show_first(context_.internal_);
    case event_origin::posted: return show_first(context_.posted_);
    default: return;
    }
}

} // namespace hsm::detail::scxml
