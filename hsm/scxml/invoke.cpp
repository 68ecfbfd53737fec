// Invocations, and events between sessions.

#include <hsm/scxml/detail/session_core.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/scxml/detail/runner.hpp>
#include <hsm/scxml/detail/script_text.hpp>

#include <algorithm>
#include <utility>

namespace hsm::detail::scxml {

invoked_session::invoked_session() = default;
invoked_session::~invoked_session() = default;

hsm::scxml::context& session_core::outermost() {
    auto* s = this;
    while (s->parent) s = s->parent;
    return s->data;
}

std::size_t session_core::depth() const {
    std::size_t n = 0;
    for (const auto* s = parent; s; s = s->parent) ++n;
    return n;
}

invoked_session* session_core::find(std::string_view id) const {
    const auto found = std::ranges::find(invoked, id, [](const auto& one) { return std::string_view(one->id); });
    return found == invoked.end() ? nullptr : found->get();
}

// --- begin ---

void session_core::will_invoke(const state_base& s) {
    if (std::ranges::find(to_invoke, &s) == to_invoke.end()) to_invoke.push_back(&s);
}

void session_core::invoke_all(machine& m) {
    const auto states = std::exchange(to_invoke, {});
    if (states.empty() || !of) return;
    for (const auto& spec : of->invocations)
        if (std::ranges::find(states, spec.state) != states.end()) invoke(spec, m);
}

void session_core::invoke(const invoke_spec& spec, machine& m) {
    runner r{data, m};
    hsm::scxml::invocation what;
    hsm::scxml::named_values given;
    if (!r.find(spec.type, what.type) || !r.find(spec.source, what.src) || !r.find(spec.data.parameters, given)) return;
    auto made = make_owned<invoked_session>();
    made->spec = &spec;
    made->id = spec.id.empty() ? fmt::format("{}.{}", spec.state->name(), ++made_ids) : spec.id;
    if (spec.id_location && !r.assign(spec.id_location, {json_string(made->id)})) return;
    what.id = made->id;
    if (!is_own_processor(what.type)) {
        what.values = std::move(given);
        begin_service(r, std::move(made), std::move(what));
    } else if (made->document = document_for(spec, r, what.src); made->document) {
        begin_session(r, std::move(made), given);
    }
}

invoked_session& session_core::store_session(owned<invoked_session> made) {
    const auto later = std::ranges::upper_bound(invoked, made->spec->number, {}, [](const auto& one) { return one->spec->number; });
    return **invoked.insert(later, std::move(made));
}

void session_core::begin_session(runner& r, owned<invoked_session> made, const hsm::scxml::named_values& given) {
    if (!made->document->problem.empty()) {
        r.fail("error.execution", "the invoked document cannot run:\n" + made->document->problem);
        return;
    }
    if (depth() + 1 >= host->most.max_depth) {
        r.fail("error.platform", fmt::format("sessions invoke each other more than {} levels deep", host->most.max_depth));
        return;
    }
    if (host->by_id.size() >= host->most.max_sessions) {
        r.fail("error.platform", fmt::format("the host has more than {} sessions", host->most.max_sessions));
        return;
    }
    auto id = made->id;
    made->session = make_owned<child_session>(*made->document->machine, *this);
    auto& child = made->session->core();
    child.invoke_id = std::move(id);
    child.data.set_session_id(fmt::format("{}.{}", data.session_id(), ++made_ids));
    store_session(std::move(made));
    outermost().on_invoked(child.face);
    try {
        child.start(given);
    } catch (const std::exception& e) {
        lose(child, e.what());
    }
}

void session_core::begin_service(runner& r, owned<invoked_session> made, hsm::scxml::invocation what) {
    const auto& spec = *made->spec;
    what.content = spec.data.content;
    if (spec.data.computed) {
        value content;
        if (!r.find(spec.data.computed, content)) return;
        what.content = std::move(content.json);
    }
    made->service = outermost().on_invoke(what);
    if (!made->service) {
        r.fail("error.execution", fmt::format("the type \"{}\" of an <invoke> is unknown", what.type));
        return;
    }
    auto& service = *made->service;
    service.invoker_ = this;
    service.id_ = made->id;
    store_session(std::move(made));
    service.begin();
}

namespace {

/// Returns the value of a <content expr> if it is XML or a text, otherwise an empty text.
std::string markup_of(const value& v) {
    event_data data;
    if (!read_json(v.json, data)) return {};
    if (data.kind() == data_kind::text) return std::string(data.text());
    return std::string(data["#xml"].text());
}

} // namespace

std::shared_ptr<const invoked_document> session_core::document_for(const invoke_spec& spec, runner& r, const std::string& src) {
    const auto wrong = [&](std::string_view event, std::string_view what) {
        r.fail(event, what);
        return nullptr;
    };
    if (spec.document) return spec.document->get();
    if (!src.empty()) {
        std::string problem;
        if (auto found = of->store->of_file(src, of->folder, problem)) return found;
        return wrong("error.communication", fmt::format("the document \"{}\" is not read: {}", src, problem));
    }
    std::string text = spec.data.content;
    if (spec.data.computed) {
        value content;
        if (!r.find(spec.data.computed, content)) return nullptr;
        text = markup_of(content);
    }
    if (text.empty()) return wrong("error.execution", "an <invoke> names no document");
    return of->store->of_text(std::move(text), fmt::format("(invoked by {})", data.session_id()), of->folder);
}

// --- end ---

invoked_session* session_core::find(const session_core& child) const {
    const auto found = std::ranges::find_if(invoked, [&](const auto& one) { return one->session && &one->session->core() == &child; });
    return found == invoked.end() ? nullptr : found->get();
}

void session_core::child_done(session_core& child) {
    auto* const one = find(child);
    if (!one) return; // it was canceled before
    // The child exists until the call ends. Memory for that is allocated first: either the child ends and its event is posted, or nothing happens.
    auto ended = make_owned<invoked_session>();
    const bool posted = post({"done.invoke." + one->id, "external", {}, {}, {}, one->id, {child.done_data}});
    ended->session = std::move(one->session);
    host->destroy_later(std::move(ended));
    if (!posted) data.on_error("error.platform", fmt::format("done.invoke.{} was lost: the queue is full", one->id));
}

void session_core::lose(session_core& child, const char* why) {
    const std::string what = why; // a copy, because `why` may belong to the child
    event_info event{"error.platform", "platform", {}, {}, {}, child.invoke_id, {json_string(what)}};
    auto ended = make_owned<invoked_session>();
    end_child(child);
    outermost().on_child_error(child.face, "error.platform", what);
    auto* const one = find(child);
    if (!one) return; // it was canceled before
    const bool posted = post(std::move(event));
    ended->session = std::move(one->session);
    host->destroy_later(std::move(ended));
    if (!posted) data.on_error("error.platform", "an error.platform was lost: the queue is full");
}

/// Stops the session with its exits. Its parent receives no more events from it.
void session_core::end_child(session_core& child) {
    child.canceled = true;
    try {
        child.stop();
    } catch (const std::exception& e) {
        outermost().on_child_error(child.face, "error.platform", e.what());
    }
}

void session_core::cancel_invoked(const state_base& s) {
    std::erase(to_invoke, &s);
    for (std::size_t i = 0; i < invoked.size();) {
        if (invoked[i]->spec->state != &s) {
            ++i;
            continue;
        }
        auto one = std::move(invoked[i]);
        invoked.erase(invoked.begin() + static_cast<std::ptrdiff_t>(i));
        if (one->service) one->service->invoker_ = nullptr;
        auto* const session = one->session.get();
        host->destroy_later(std::move(one)); // it may be running, and its code may have called this function
        if (session) end_child(session->core());
    }
}

// --- between sessions ---

/// Returns false if the queue is full.
bool session_core::pass_on(invoked_session& to, const event_info& event) {
    if (to.session) return to.session->core().post(event);
    if (to.service && !to.service->ended_)
        to.service->receive({event.name, event.data.json, event.sendid, event.origin, event.origintype, event.invokeid});
    return true;
}

bool session_core::deliver(const hsm::scxml::outgoing& event, event_info info) {
    constexpr std::string_view of_session = "#_scxml_";
    const std::string_view target = event.target;
    session_core* to = nullptr;
    if (target == "#_parent") {
        if (canceled) return true; // its parent ignores it
        to = parent;
    } else if (target.starts_with(of_session)) {
        to = host->find(target.substr(of_session.size()));
    }
    if (to) {
        if (to == parent && canceled) return true;
        if (to == parent) info.invokeid = invoke_id;
        return to->post(std::move(info));
    }
    auto* const one = target.starts_with("#_") ? find(target.substr(2)) : nullptr;
    if (!one || (!one->session && (!one->service || one->service->ended_))) return false;
    return pass_on(*one, info);
}

bool session_core::post_from(const hsm::scxml::service& by, std::string event, std::string json) {
    return post({std::move(event), "external", {}, "#_" + by.id(), {}, by.id(), {std::move(json)}});
}

} // namespace hsm::detail::scxml

namespace hsm::scxml {

void service::begin() {}
void service::receive(const incoming&) {}

bool service::send(std::string event, std::string json) {
    return invoker_ && !ended_ && invoker_->post_from(*this, std::move(event), std::move(json));
}

bool service::done(std::string json) {
    if (!send("done.invoke." + id_, std::move(json))) return false;
    return ended_ = true;
}

} // namespace hsm::scxml
