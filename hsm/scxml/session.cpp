#include <hsm/scxml/session.hpp>

#include <hsm/scxml/detail/session_core.hpp>

namespace hsm::scxml {

namespace {

const hsm::detail::scxml::document* document_of_chart(const chart_base& chart) {
    const auto* const root = chart.root().get();
    return root ? hsm::detail::scxml::document_of(*root) : nullptr;
}

} // namespace

session_base::session_base(const chart_base& chart, instance_base& machine, context& data, const session_options& options)
    : core_(make_owned<hsm::detail::scxml::session_core>(*this, machine, data, document_of_chart(chart), options,
                                                         options.host ? options.host->core_.get() : nullptr, nullptr)) {}

session_base::session_base(const chart_base& chart, instance_base& machine, context& data, hsm::detail::scxml::session_core& parent)
    : core_(make_owned<hsm::detail::scxml::session_core>(*this, machine, data, document_of_chart(chart), parent.options, parent.host, &parent)) {}

session_base::~session_base() = default;

result session_base::start(const named_values& values) { return core_->start(values); }

result session_base::process(std::string_view event) { return core_->process(event); }
result session_base::process(const incoming& e) {
    return core_->process({e.event, "external", e.sendid, e.origin, e.origintype, e.invokeid, {e.data}});
}

result session_base::tick(time_span elapsed) { return core_->tick(elapsed.nanoseconds()); }
result session_base::run() { return core_->run(); }
result session_base::stop() { return core_->stop(); }

bool session_base::finished() const { return !core_->end.empty(); }
const std::string& session_base::end() const { return core_->end; }
named_values session_base::values() const {
    named_values all;
    if (!core_->of) return all;
    auto* const model = core_->data.model_.get();
    core_->of->each_data([&](const state_base&, const hsm::detail::scxml::data_element& d) {
        // A separate number, because the model caches compiled expressions by number.
        auto found = model ? model->evaluate({d.id, d.at, core_->of->expressions}) : hsm::detail::scxml::outcome<hsm::detail::scxml::value>();
        all.emplace_back(d.id, found ? std::move(found.result.json) : std::string());
    });
    return all;
}
const std::string& session_base::done_data() const { return core_->done_data; }
std::vector<std::string> session_base::configuration() const { return finished() ? core_->last : core_->leaves(); }
std::size_t session_base::queued() const { return core_->queue.size(); }

std::optional<time_span> session_base::next_delay() const {
    const auto next = core_->next_delay();
    return next ? std::optional(time_span::from_nanoseconds(*next)) : std::nullopt;
}

session_base* session_base::parent() const { return core_->parent ? &core_->parent->face : nullptr; }
const std::string& session_base::invoke_id() const { return core_->invoke_id; }

std::vector<session_base*> session_base::children() const {
    std::vector<session_base*> all;
    for (const auto& one : core_->invoked)
        if (one->session) all.push_back(&one->session->face);
    return all;
}

session_base* session_base::child(std::string_view invoke_id) const {
    const auto* const found = core_->find(invoke_id);
    return found && found->session ? &found->session->face : nullptr;
}

instance_base& session_base::machine() const { return core_->machine_; }
context& session_base::data() const { return core_->data; }

} // namespace hsm::scxml

namespace hsm::detail::scxml {

void event_setter::on_record(const record& r, const moment& when) {
    if (r.kind != record_kind::event || !when.event()) return;
    const auto& event = *when.event();
    const auto* const named = static_cast<const named_event*>(event.object);
    const auto name = named ? named->name() : event.name;
    const auto show_first = [&](auto& queue) {
        if (!queue.empty() && queue.front().name == name) {
            show(std::move(queue.front()));
            queue.pop_front();
        } else { // raised by the machine: done.state, or the error of a condition
            show({std::string(name), "platform", {}, {}, {}, {}, {named ? to_string(named->data()) : std::string()}});
        }
    };
    switch (static_cast<event_origin>(r.what)) {
    case event_origin::internal: return show_first(context_.internal_);
    case event_origin::posted: return show_first(context_.posted_);
    default: return; // the session has set it
    }
}

} // namespace hsm::detail::scxml
