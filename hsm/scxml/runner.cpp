#include <hsm/scxml/detail/runner.hpp>

#include <hsm/define/detail/hook_context.hpp>
#include <hsm/define/state_key.hpp>
#include <hsm/load/detail/time_text.hpp>
#include <hsm/load/detail/xml_document.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/run/error.hpp>
#include <hsm/scxml/detail/script_text.hpp>
#include <hsm/scxml/detail/session_core.hpp>
#include <hsm/text/detail/ascii.hpp>
#include <hsm/vm/detail/block.hpp>

#include <algorithm>
#include <chrono>
#include <span>
#include <stdexcept>
#include <utility>

namespace hsm::detail::scxml {

std::int64_t step_budget::now() {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

bool runner::run(const block& content) {
    session.machine_ = &m; // it changes when the machine is observed
    return std::ranges::all_of(content,
                               [&](const action& a) { return spend() && std::visit([&](const auto& what) { return act(a, what); }, a.what); });
}

outcome<bool> runner::test(const condition& c) {
    using form = condition::form;
    switch (c.asks) {
    case form::constant: return {c.holds};
    case form::in: return {c.state && m.chart->host->is_in_state(m, *c.state)};
    case form::negation: {
        auto part = test(c.parts.front());
        part.result = !part.result;
        return part;
    }
    case form::computed: session.machine_ = &m; return model() ? model()->test(c.e) : outcome<bool>{false, {"there is no data model"}};
    case form::all:
    case form::any: break;
    }
    const bool decides = c.asks == form::any;
    for (const auto& part : c.parts)
        if (auto answer = test(part); !answer || answer.result == decides) return answer;
    return {!decides};
}

// --- steps ---

/// Without a data model nothing marks the end of a macrostep, and there are no loops. So steps are only counted in calls of a session.
bool runner::may_spend() {
    if (!session.model_ && !(session.session_ && session.session_->host->in_call)) return true;
    auto& budget = session.budget();
    if (!budget.begun) budget.begin(session.most_.max_steps, session.most_.max_milliseconds);
    return budget.spend(step_budget::of_content);
}

bool runner::spend() {
    if (session.used_up_) return false;
    return may_spend() || run_out();
}

bool runner::holds(const condition& c) {
    if (!session.model_) return test(c).result;
    // Other hosts than the library's have no queries.
    const bool counts = m.chart->host != &host_calls::of_machines || !is_in_query(m, core_of(m));
    if (counts && session.used_up_) return false;
    outcome<bool> answer;
    if (!counts || may_spend()) answer = test(c);
    if (auto& budget = session.budget(); counts && budget.left <= 0) {
        budget.grant_reserve();
        session.used_up_ = std::exchange(budget.reported, true);
        if (session.used_up_) return false; // the session ends after its macrostep
        answer.wrong.what = text_of_used_up();
    }
    if (answer) return answer.result;
    if (counts) session.on_error("error.execution", answer.wrong.what);
    throw std::runtime_error(answer.wrong.what);
}

std::string runner::text_of_used_up() const {
    return fmt::format("the call used more than {} steps{}", session.most_.max_steps,
                       session.most_.max_milliseconds > 0 ? fmt::format(" or {} ms", session.most_.max_milliseconds) : "");
}

/// Returns false if the session may continue to handle the error event.
bool runner::run_out() {
    auto& budget = session.budget();
    budget.grant_reserve();
    if (!std::exchange(budget.reported, true)) {
        const auto what = text_of_used_up();
        raise("error.execution", {json_string(what)}, "platform");
        session.on_error("error.execution", what);
        return false;
    }
    session.used_up_ = true;
    (void)m.chart->host->stop(m);
    throw_used_up();
}

void runner::throw_used_up() const {
    throw chain_error(
        {code::too_many_steps, {}, text_of_used_up() + " and did not become stable", "if this is intended, raise hsm::scxml::limits::max_steps"});
}

void runner::end_macrostep() {
    if (session.session_ && session.session_->host->in_call) return; // the host counts for all sessions in the whole call
    session.budget().reset();
    if (!session.used_up_) return;
    (void)m.chart->host->stop(m);
    throw_used_up();
}

// --- a session's life ---

void runner::begin(const document& d) {
    session.delayed_.clear();
    session.now_ = 0;
    session.model_ = {};
    session.shown_name_.clear();
    session.shown_data_.clear();
    session.internal_.clear();
    session.posted_.clear();
    session.bound_.clear();
    session.used_up_ = false;
    if (!session.session_) session.own_budget_.reset();
    d.require_runnable();
    if (!d.model) return;
    session.machine_ = &m;
    session.model_ = d.model->make({d.name, d.expressions}, session);
    session.begin_data(d);
    d.each_data([&](const state_base&, const data_element& e) { succeeds(model()->declare(e)); });
    d.each_data([&](const state_base& s, const data_element& e) {
        if (!d.late_binding || !s.superstate()) initialise(e, !s.superstate());
    });
    for (const auto& s : d.scripts)
        if (spend()) succeeds(model()->run(s));
}

/// A value passed at the start replaces the initialization of data of the document itself.
void runner::initialise(const data_element& d, bool of_document) {
    if (!spend()) return;
    const auto* const given = of_document && session.session_ ? session.session_->values : nullptr;
    if (given)
        for (const auto& [name, json] : *given)
            if (name == d.id) return void(succeeds(model()->initialise(d, value{json})));
    succeeds(model()->initialise(d));
}

void runner::end() { session.delayed_.clear(); }

event_data data_of(const value& v) {
    event_data data;
    return read_json(v.json, data) ? data : event_data(v.json);
}

/// Delivers the first due event immediately. The others follow it, and events that it has posted.
void runner::deliver() {
    if (session.session_) return; // the session delivers them
    session.now_ = session.after(m.hook_context().elapsed);
    bool first = true;
    while (!session.delayed_.empty() && session.delayed_.front().due <= session.now_) {
        const auto due = std::move(session.delayed_.front());
        session.delayed_.pop_front();
        const hsm::scxml::outgoing event{due.event, due.target, due.type, due.sendid, due.data, {}};
        if (!is_own(event)) {
            dispatch(event, 0);
            continue;
        }
        if (!std::exchange(first, false)) {
            post(event);
            continue;
        }
        if (queue(session.internal_, external(event), [&] { return m.chart->host->process(m, refer_name(due.event, data_of({due.data}))); }))
            continue;
        throw_lost(due.event);
    }
}

// --- events ---

/// Adds an event to a queue of the machine and, if there is a data model, to `shown`, the details for the data model: to both or to none. Returns
/// false if the queue is full.
template <class Give> bool runner::queue(std::deque<event_info>& shown, event_info&& event, Give give) {
    if (!model()) return give() != result::full;
    shown.push_back(std::move(event));
    auto outcome = result::full;
    try {
        outcome = give();
    } catch (...) {
        shown.pop_back();
        throw;
    }
    if (outcome != result::queued) shown.pop_back();
    return outcome != result::full;
}

/// Skips an event that is already set, because several guards set the same event.
void runner::show(const named_event& event) {
    if (!model() || session.sets_event_) return;
    auto data = to_string(event.data());
    if (session.shown_name_ == event.name() && session.shown_data_ == data) return;
    session.shown_name_ = std::string(event.name());
    session.shown_data_ = data;
    const bool of_platform = event.name().starts_with("error.") || event.name().starts_with("done.");
    model()->set_event({session.shown_name_, of_platform ? "platform" : "external", {}, {}, {}, {}, {std::move(data)}});
}

void runner::raise(std::string_view event, const value& data, std::string_view type, std::string_view sendid) {
    event_info shown{std::string(event), type, std::string(sendid), {}, {}, {}, data};
    if (!queue(session.internal_, std::move(shown), [&] { return m.chart->host->process(m, refer_name(event, data_of(data))); })) throw_lost(event);
}

void runner::post(const hsm::scxml::outgoing& event) {
    if (session.session_) {
        if (!session.session_->post(external(event))) throw_lost(event.event);
        return;
    }
    if (!queue(session.posted_, external(event), [&] { return m.chart->host->post(m, refer_name(event.event, data_of({event.data}))); }))
        throw_lost(event.event);
}

event_info runner::external(const hsm::scxml::outgoing& event) const {
    return {event.event, "external",  event.sendid, "#_scxml_" + session.session_id_, "http://www.w3.org/TR/scxml/#SCXMLEventProcessor",
            {},          {event.data}};
}

void runner::bind_late(const document& d, const state_base& s) {
    if (!model() || std::ranges::find(session.bound_, &s) != session.bound_.end()) return;
    session.bound_.push_back(&s);
    d.each_data([&](const state_base& of, const data_element& e) {
        if (&of == &s && spend()) succeeds(model()->initialise(e));
    });
}

void runner::throw_lost(std::string_view event) const {
    throw queue_error({code::lost_event,
                       {},
                       fmt::format("the event \"{}\" of an SCXML document was lost: the queue is full", event),
                       "increase the queues: instance_options::internal_queue and posted_queue, session_options::max_queued"});
}

bool runner::fail(std::string_view event, std::string_view what, std::string_view sendid) {
    if (session.used_up_) return false;
    if (session.budget().left <= 0) return run_out(); // the error is a consequence of that
    raise(event, {json_string(what)}, "platform", sendid);
    session.on_error(event, what);
    return false;
}

void runner::schedule(const hsm::scxml::outgoing& event, std::int64_t after) {
    auto& list = session.delayed_;
    const auto due = session.after(after);
    const auto later = std::ranges::upper_bound(list, due, {}, &hsm::scxml::context::delayed_event::due);
    list.insert(later, {due, event.event, event.sendid, event.data, event.target, event.type});
}

/// Returns whether the target is the session itself.
bool runner::is_own(const hsm::scxml::outgoing& event) const {
    constexpr std::string_view of_session = "#_scxml_";
    const std::string_view target = event.target;
    return is_own_processor(event.type) &&
           (target.empty() || (target.starts_with(of_session) && target.substr(of_session.size()) == session.session_id()));
}

bool runner::dispatch(hsm::scxml::outgoing event, std::int64_t after) {
    const bool of_scxml = is_own_processor(event.type);
    if (!of_scxml && !session.knows_processor(event.type))
        return fail("error.execution", fmt::format("the type \"{}\" of a <send> is unknown", event.type), event.sendid);
    if (of_scxml && event.target == "#_internal") {
        if (after == 0) return raise(event.event, {event.data}, "internal", event.sendid), true;
        return fail("error.execution", "an event for #_internal cannot have a delay", event.sendid);
    }
    const bool to_self = is_own(event);
    if (of_scxml && !to_self && !event.target.starts_with("#_"))
        return fail("error.execution", fmt::format("\"{}\" is not a target of a <send>", event.target), event.sendid);
    if (after > 0) {
        if (session.delayed_.size() >= session.most_.max_delayed)
            return fail("error.execution", fmt::format("more than {} delayed events are waiting", session.most_.max_delayed), event.sendid);
        return schedule(event, after), true;
    }
    if (to_self) return post(event), true;
    event.origin = "#_scxml_" + session.session_id_;
    if (of_scxml && session.session_ && session.session_->deliver(event, external(event))) return true;
    return session.on_send(event) || fail("error.communication", fmt::format("no session has the address \"{}\"", event.target), event.sendid);
}

// --- invoked sessions ---

void runner::will_invoke(const state_base& s) {
    if (session.session_) return session.session_->will_invoke(s);
    fail("error.execution", "an instance cannot run <invoke>: use hsm::scxml::session");
}
void runner::cancel_invoked(const state_base& s) {
    if (session.session_) session.session_->cancel_invoked(s);
}
void runner::invoke_all() {
    session.machine_ = &m;
    if (session.session_) session.session_->invoke_all(m);
}

// --- values ---

bool runner::find(const text_value& t, std::string& found) {
    found = t.text;
    if (!t.computed) return true;
    if (!model()) return fail("error.execution", "there is no data model");
    auto computed = model()->text(t.computed);
    found = std::move(computed.result);
    return succeeds(computed.wrong);
}

bool runner::find(const expression& e, value& found) {
    if (!model()) return fail("error.execution", "there is no data model");
    auto computed = model()->evaluate(e);
    if (computed) found.json = computed.result ? std::move(computed.result.json) : std::string("null");
    return succeeds(computed.wrong);
}

bool runner::find(std::span<const parameter> all, hsm::scxml::named_values& found) {
    for (const auto& one : all) {
        auto member = one.fixed;
        if (!member && !find(one.e, member)) return false;
        found.emplace_back(one.name, std::move(member.json));
    }
    return true;
}

static std::string object_of(const hsm::scxml::named_values& all) {
    std::string members;
    for (const auto& [name, json] : all) append_format(members, "{}{}:{}", members.empty() ? "" : ",", json_string(name), json);
    return '{' + members + '}';
}

bool runner::find(const payload& p, value& found) {
    if (p.empty()) return true;
    if (p.computed) return find(p.computed, found);
    if (p.has_content) {
        if (!model()) return found.json = json_string(p.content), true;
        auto parsed = model()->parse(p.content);
        if (parsed) found.json = parsed.result ? std::move(parsed.result.json) : std::string("null");
        return succeeds(parsed.wrong);
    }
    hsm::scxml::named_values all;
    if (!find(p.parameters, all)) return false;
    found.json = object_of(all);
    return true;
}

value runner::done_data(const payload& p) {
    value found;
    if (p.parameters.empty()) {
        (void)find(p, found);
        return found;
    }
    hsm::scxml::named_values all;
    for (const auto& one : p.parameters) (void)find(std::span(&one, 1), all);
    if (!all.empty()) found.json = object_of(all);
    return found;
}

/// An empty <finalize> updates the locations of `namelist` and <param> for which the event has values (6.5.2).
void runner::finalize(const invoke_spec& spec, const event_info& event) {
    if (!spec.finalizes || !spec.finalize.empty()) return void(run(spec.finalize));
    event_data data;
    if (!event.data || !read_json(event.data.json, data)) return;
    for (const auto& one : spec.data.parameters)
        if (const auto& member = data[one.name]; one.is_location && member)
            if (!spend() || !assign(one.e, {to_string(member)})) return;
}

bool runner::assign(const expression& location, const value& v) {
    if (!model()) return fail("error.execution", "there is no data model");
    return succeeds(model()->assign(location, v));
}

// --- actions ---

bool runner::act(const action&, const raise_action& what) { return raise(what.event), true; }

bool runner::act(const action&, const log_action& what) {
    std::string text;
    if (!find(what.text, text)) return false;
    session.on_log(what.label, text);
    return true;
}

bool runner::act(const action&, const assign_action& what) {
    if (!model()) return fail("error.execution", "there is no data model");
    return succeeds(what.e ? model()->assign(what.location, what.e) : model()->assign(what.location, std::string_view(what.content)));
}

bool runner::act(const action&, const script_action& what) {
    return model() ? succeeds(model()->run(what.script)) : fail("error.execution", "there is no data model");
}

bool runner::act(const action&, const send_action& what) {
    hsm::scxml::outgoing event;
    value data;
    std::string delay;
    if (!find(what.event, event.event) || !find(what.target, event.target) || !find(what.type, event.type) || !find(what.delay, delay)) return false;
    if (!find(what.data, data)) return false;
    event.type = std::string(without_blanks(event.type));
    event.data = std::move(data.json);
    event.sendid = what.id;
    const auto after = delay.empty() ? what.after : time_of_css(delay);
    if (after < 0) return fail("error.execution", fmt::format("\"{}\" is not a delay", delay));
    if (what.id_location) {
        event.sendid = fmt::format("{}.{}", session.session_id(), ++session.sent_);
        if (!assign(what.id_location, {json_string(event.sendid)})) return false;
    }
    return dispatch(std::move(event), after);
}

bool runner::act(const action&, const cancel_action& what) {
    std::string id;
    if (!find(what.sendid, id)) return false;
    std::erase_if(session.delayed_, [&](const auto& d) { return d.sendid == id; });
    return true;
}

/// A condition that fails counts as false (5.9). Its error ends the block after the <if> (4.9).
bool runner::act(const action&, const choose_action& what) {
    bool good = true;
    for (const auto& branch : what.branches) {
        if (branch.when && !spend()) return false;
        const auto holds = branch.when ? test(*branch.when) : outcome<bool>{true};
        if (!holds) good = succeeds(holds.wrong);
        if (holds && holds.result) return run(branch.then) && good;
    }
    return good;
}

bool runner::act(const action&, const foreach_action& what) {
    struct body final : iterated {
        runner& by;
        const block& content;
        bool ended = false;

        body(runner& r, const block& b) : by(r), content(b) {}
        bool run() override { return ended = !by.spend() || !by.run(content); }
    } each(*this, what.body);
    if (!model()) return fail("error.execution", "there is no data model");
    return succeeds(model()->iterate(what.loop, each)) && !each.ended;
}

namespace {
const op* end_of_foreign(const op*, machine&) { return end_with(code_next); }
} // namespace

/// Runs a single hook as its own program.
bool runner::act(const action&, const foreign_action& what) {
    if (!what.behavior) return true;
    const op* const here = m.at;
    const op program[] = {{what.behavior.call(), {what.behavior.self()}}, {&end_of_foreign, {nullptr}}};
    session.element_ = &what.attributes;
    struct restoring {
        hsm::scxml::context& session;
        machine& m;
        const op* here;
        ~restoring() {
            session.element_ = nullptr;
            m.at = here;
        }
    } const afterwards{session, m, here};
    detail::run(program, m);
    return true;
}

// --- texts ---

bool is_own_processor(std::string_view type) {
    return type.empty() || std::ranges::equal(type, std::string_view("scxml"), {}, ascii_lower) || type == "http://www.w3.org/TR/scxml" ||
           type == "http://www.w3.org/TR/scxml/" || type == "http://www.w3.org/TR/scxml/#SCXMLEventProcessor";
}

std::int64_t time_of_css(std::string_view text) {
    const auto time = without_blanks(text);
    const bool seconds = time.ends_with('s') && !time.ends_with("us") && !time.ends_with("ns");
    if (!looks_like_time(time) || time.front() == '-' || (!seconds && time.find_first_not_of("0.") != time.npos)) return -1;
    const auto found = time_from_text(time.front() == '+' ? time.substr(1) : time);
    return found ? found->nanoseconds() : -1;
}

} // namespace hsm::detail::scxml
