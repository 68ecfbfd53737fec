#include <hsm/scxml/session_document.hpp>

#include <hsm/define/state_key.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/save/detail/description.hpp>
#include <hsm/save/detail/image_checker.hpp>
#include <hsm/save/detail/image_machine.hpp>
#include <hsm/save/detail/json_value.hpp>
#include <hsm/save/image.hpp>
#include <hsm/scxml/detail/session_core.hpp>
#include <hsm/scxml/detail/session_json.hpp>

#include <algorithm>
#include <deque>
#include <exception>
#include <iterator>
#include <map>
#include <utility>

namespace hsm::detail::scxml {

namespace {

constexpr std::int64_t version = 1;

/// Returns false for a session that has ended, could not be started, or has lost its memory.
bool is_running(const invoked_session& one) { return one.session && one.session->core().running; }

/// Visits a session before the sessions that it invoked.
template <class F> void each_session(session_core& s, F visit) {
    visit(s);
    for (const auto& one : s.invoked)
        if (is_running(*one)) each_session(one->session->core(), visit);
}

const chart_core& chart_of(const session_core& s) { return core_of(instance_access::engine_of(s.machine_)); }

[[noreturn]] void refuse_saving(const session_core& s, std::string what) {
    throw save_error({code::unsaveable, std::string(s.data.session_id()), std::move(what), ""});
}

// --- writing ---

json_value json_of(const event_info& e) {
    auto d = json_value::empty_object();
    d.add("name", json_value::of(e.name));
    d.add("type", json_value::of(e.type));
    const auto some = [&](const char* name, const std::string& text) {
        if (!text.empty()) d.add(name, json_value::of(text));
    };
    some("sendid", e.sendid);
    some("origin", e.origin);
    some("origintype", e.origintype);
    some("invokeid", e.invokeid);
    some("data", e.data.json);
    return d;
}

template <class List, class F> void add_list(json_value& to, const char* name, const List& all, F each) {
    if (all.begin() == all.end()) return;
    auto& list = to.add(name, json_value::empty_list());
    for (const auto& one : all) list.add(each(one));
}

json_value machine_of(const session_core& s) {
    const auto& core = chart_of(s);
    require_saveable(core, saving::document);
    const auto parts = decompose(core, save(s.machine_));
    auto d = json_value::empty_object();
    d.add("fingerprint", json_value::of(image_layout_of(core).chart.to_string()));
    d.add("clock", json_value::of(parts.head.now));
    d.add("states", describe(core, parts));
    return d;
}

} // namespace

/// Accesses the members of a session and its context.
struct session_saver {
    static json_value write(session_core& s) {
        const auto path = [](const state_base* state) { return json_value::of(state->path()); };
        auto& c = s.data;
        auto d = json_value::empty_object();
        d.add("id", json_value::of(c.session_id_));
        if (s.running) d.add("running", json_value::of(true));
        d.add("machine", machine_of(s));
        d.add("now", json_value::of(c.now_));
        d.add("sent", json_value::of(c.sent_));
        d.add("made", json_value::of(s.made_ids));
        if (c.model_ && s.running) {
            auto saved = c.model_->save({});
            if (saved.wrong) refuse_saving(s, std::move(saved.wrong.what));
            for (const auto& name : saved.result.functions) // scripts define functions that are variables again
                if (name.find_first_of(".[") != name.npos) refuse_saving(s, fmt::format("{} cannot be saved: it is a function", name));
            d.add("data", json_value::of(std::move(saved.result.json)));
        }
        add_list(d, "bound", c.bound_, path);
        add_list(d, "to_invoke", s.to_invoke, path);
        add_list(d, "delayed", c.delayed_, [](const auto& e) {
            auto one = json_of({e.event, {}, e.sendid, {}, {}, {}, {e.data}});
            one.add("due", json_value::of(e.due));
            if (!e.target.empty()) one.add("target", json_value::of(e.target));
            if (!e.type.empty()) one.add("processor", json_value::of(e.type));
            return one;
        });
        add_list(d, "queue", s.queue, &json_of);
        add_list(d, "internal", c.internal_, &json_of);
        add_list(d, "posted", c.posted_, &json_of);
        if (!s.end.empty()) {
            d.add("end", json_value::of(s.end));
            add_list(d, "last", s.last, [](const std::string& name) { return json_value::of(name); });
            if (!s.done_data.empty()) d.add("done", json_value::of(s.done_data));
        }
        add_list(d, "invoked", s.invoked, [&](const auto& one) { return write(s, *one); });
        return d;
    }

    static json_value write(session_core& s, const invoked_session& one) {
        if (one.service) refuse_saving(s, fmt::format("the invoked service \"{}\" cannot be saved", one.id));
        auto d = json_value::empty_object();
        d.add("invoke", json_value::of(static_cast<std::int64_t>(one.spec->number)));
        d.add("id", json_value::of(one.id));
        if (!one.spec->document && one.document) {
            d.add("document", json_value::of(one.document->text));
            if (!one.document->folder.empty()) d.add("folder", json_value::of(one.document->folder));
        }
        if (is_running(one)) d.add("session", write(one.session->core()));
        return d;
    }
};

// --- reading ---

namespace {

event_info event_in(const document_node& from) {
    constexpr std::string_view types[] = {"", "external", "internal", "platform"};
    const auto text = [&](const char* name) { return from.has(name) ? from[name].text() : std::string(); };
    const auto type = std::ranges::find(types, std::string_view(from["type"].text()));
    if (type == std::end(types)) from["type"].refuse("this event type does not exist");
    event_data data;
    if (!read_json(text("data"), data)) from["data"].refuse("it is not JSON");
    return {from["name"].text(), *type, text("sendid"), text("origin"), text("origintype"), text("invokeid"), {text("data")}};
}

} // namespace

/// Creates all data of the restored sessions separately.
class session_restorer {
public:
    /// The data of one session. Its image fits the machine.
    struct saved {
        session_core* to = nullptr;
        std::string id, end, done;
        bool running = false;
        std::int64_t now = 0;
        std::uint64_t sent = 0, made = 0;
        owned<data_model> model;
        std::vector<const state_base*> bound, to_invoke;
        std::deque<hsm::scxml::context::delayed_event> delayed;
        fifo<event_info> queue;
        std::deque<event_info> internal, posted;
        std::vector<std::string> last;
        std::vector<owned<invoked_session>> invoked;
        snapshot states;
        std::vector<std::byte> image;
    };

    explicit session_restorer(session_core& root) : root_(root) {}

    void read(const document_node& from) {
        auto all = read_session(from["session"], root_);
        read_turns(from);
        check_ids(from);
        std::map<std::string, session_core*, std::less<>> ids(ids_.begin(), ids_.end());
        root_.host->turns.make_room(turns_.size());
        {
            const host_core::call_scope call(*root_.host);
            auto before = std::move(root_.invoked); // without running hooks
            try {
                commit(all);
            } catch (...) {
                root_.invoked = std::move(before);
                throw;
            }
            root_.host->forget(root_);
        }
        root_.host->by_id.merge(ids);
        for (auto* const s : turns_) root_.host->turns.push(s);
        for (auto* const s : sessions_)
            if (s != &root_) root_.outermost().on_invoked(s->face);
    }

private:
    saved read_session(const document_node& from, session_core& to) {
        from.only({"id", "running", "machine", "now", "sent", "made", "data", "bound", "to_invoke", "delayed", "queue", "internal", "posted", "end",
                   "last", "done", "invoked"});
        sessions_.push_back(&to);
        saved made;
        made.to = &to;
        made.id = from["id"].text();
        made.running = from.flag("running");
        read_machine(from["machine"], made);
        if (made.running == made.states.states.empty()) from.refuse("the session and its machine must both be active, or both inactive");
        made.now = from["now"].integer(0);
        made.sent = static_cast<std::uint64_t>(from["sent"].integer(0));
        made.made = static_cast<std::uint64_t>(from["made"].integer(0));
        from.each_item("bound", [&](const auto& one) { made.bound.push_back(state_in(one, to)); });
        from.each_item("to_invoke", [&](const auto& one) { made.to_invoke.push_back(state_in(one, to)); });
        for (const auto* state : made.to_invoke)
            if (!is_active(made, *state)) from["to_invoke"].refuse("a state is not active");
        from.each_item("delayed", [&](const auto& one) {
            auto e = event_in(one);
            const auto text = [&](const char* name) { return one.has(name) ? one[name].text() : std::string(); };
            const auto due = one["due"].integer(0);
            if (!made.delayed.empty() && due < made.delayed.back().due) one.refuse("events must be in the order of their times");
            made.delayed.push_back({due, std::move(e.name), std::move(e.sendid), std::move(e.data.json), text("target"), text("processor")});
        });
        from.each_item("queue", [&](const auto& one) { made.queue.push(event_in(one)); });
        queued_.push_back(made.queue.size());
        from.each_item("internal", [&](const auto& one) { made.internal.push_back(event_in(one)); });
        from.each_item("posted", [&](const auto& one) { made.posted.push_back(event_in(one)); });
        if (from.has("end")) made.end = from["end"].text();
        if (from.has("done")) made.done = from["done"].text();
        from.each_item("last", [&](const auto& one) { made.last.push_back(one.text()); });
        if (!made.running && (from.has("data") || from.has("invoked") || from.has("queue")))
            from.refuse("the session does not run, but has parts of a running session");
        if (made.running) ids_.emplace_back(made.id, &to);
        if (made.running) read_data(from, to, made);
        from.each_item("invoked", [&](const auto& one) { made.invoked.push_back(read_invoked(one, made)); });
        return made;
    }

    void read_machine(const document_node& from, saved& made) {
        from.only({"fingerprint", "clock", "states"});
        const auto& core = chart_of(*made.to);
        if (from["fingerprint"].text() != image_layout_of(core).chart.to_string())
            throw save_error({code::changed_chart, from.path(), "it belongs to another document", "restore it into a session of the same document"});
        changes changed;
        made.states = decode_snapshot(core, from["states"].value(), from["clock"].integer(0), changed);
        made.image = compose(core, made.states);
        check_image(core, image_layout_of(core), made.image); // checks that the parts are consistent
        if (!changed.notes.empty()) throw save_error(std::move(changed.notes));
    }

    const state_base* state_in(const document_node& from, const session_core& to) {
        const auto& core = chart_of(to);
        const auto found = core.find(state_key(from.text()));
        if (found.state == no_index || found.ambiguous) from.refuse("this state does not exist");
        return core.states[found.state].node;
    }
    static bool is_active(const saved& in, const state_base& s) { return in.states.find(chart_of(*in.to).index_of(s)) != nullptr; }

    void read_data(const document_node& from, session_core& to, saved& made) {
        if (to.of && !to.of->opaque.empty()) from.refuse(to.of->why_not_run());
        const auto* const kind = to.of ? to.of->model : nullptr;
        if (!kind) return from.has("data") ? from["data"].refuse("the document has no data model") : void();
        const auto& text = from["data"].text();
        made.model = kind->make({to.of->name, to.of->expressions}, to.data);
        to.data.document_ = to.of;
        auto& model = *made.model;
        model.set_system(to.data.system_of(*to.of, made.id));
        to.of->each_data([&](const state_base&, const data_element& d) { (void)model.declare(d); });
        const auto restore = [&] {
            if (const auto wrong = model.restore(text)) from["data"].refuse(wrong.what);
        };
        if (to.of->scripts.empty()) return restore();
        restore(); // scripts need the data and change it
        for (const auto& script : to.of->scripts) (void)model.run(script);
        restore();
    }

    owned<invoked_session> read_invoked(const document_node& from, const saved& in) {
        auto& by = *in.to;
        from.only({"invoke", "id", "document", "folder", "session"});
        auto made = make_owned<invoked_session>();
        const auto number = static_cast<std::size_t>(from["invoke"].integer(0));
        if (!by.of || number >= by.of->invocations.size()) from["invoke"].refuse("this <invoke> does not exist");
        made->spec = &by.of->invocations[number];
        if (!in.invoked.empty() && number < in.invoked.back()->spec->number)
            from["invoke"].refuse("invoked sessions must be in the order of the document");
        if (!is_active(in, *made->spec->state)) from["invoke"].refuse("its state is not active");
        made->id = from["id"].text();
        if (!from.has("session")) return made; // it has ended
        if (by.depth() + 1 >= by.host->most.max_depth) from.refuse("sessions are nested too deeply");
        if (sessions_.size() >= by.host->most.max_sessions) from.refuse("too many sessions");
        if (made->spec->document)
            made->document = made->spec->document->get();
        else
            made->document = by.of->store->of_text(from["document"].text(), "(saved)", from.has("folder") ? from["folder"].text() : std::string());
        if (!made->document->machine) from.refuse("its document does not load:\n" + made->document->problem);
        made->session = make_owned<child_session>(*made->document->machine, by);
        auto& child = made->session->core();
        child.invoke_id = made->id;
        const auto all = from["session"];
        if (!all.flag("running")) all.refuse("an invoked session is not running");
        auto read = read_session(all, child);
        commit(read);
        return made;
    }

    void read_turns(const document_node& from) {
        std::vector<std::size_t> counts(sessions_.size());
        from.each_item("turns", [&](const auto& one) {
            const auto number = static_cast<std::size_t>(one.integer(0));
            if (number >= sessions_.size()) one.refuse("this session does not exist");
            ++counts[number];
            turns_.push_back(sessions_[number]);
        });
        if (counts != queued_) from.refuse("\"turns\" does not match the waiting events");
    }

    /// Checks that the ids are unique in the text and in the host.
    void check_ids(const document_node& from) const {
        std::map<std::string_view, int> all;
        for (const auto& [id, session] : ids_) {
            if (++all[id] > 1) from.refuse(fmt::format("two sessions have the id \"{}\"", id));
            const auto* other = root_.host->find(id);
            while (other && other != &root_) other = other->parent;
            if (!other && root_.host->find(id)) from.refuse(fmt::format("another session of this host has the id \"{}\"", id));
        }
    }

    /// Only restoring the machine can throw, which comes first.
    static void commit(saved& from) {
        auto& s = *from.to;
        auto& c = s.data;
        auto& m = instance_access::engine_of(s.machine_);
        restore_machine(m, from.image);
        c.session_id_ = std::move(from.id);
        c.now_ = from.now;
        c.sent_ = from.sent;
        c.used_up_ = false;
        c.delayed_ = std::move(from.delayed);
        c.model_ = std::move(from.model);
        c.machine_ = &m;
        c.internal_ = std::move(from.internal);
        c.posted_ = std::move(from.posted);
        c.bound_ = std::move(from.bound);
        c.shown_name_.clear();
        c.shown_data_.clear();
        s.made_ids = from.made;
        s.end = std::move(from.end);
        s.done_data = std::move(from.done);
        s.last = std::move(from.last);
        s.to_invoke = std::move(from.to_invoke);
        s.queue = std::move(from.queue);
        s.running = from.running;
        s.canceled = false;
        s.invoked = std::move(from.invoked);
    }

    session_core& root_;
    std::vector<session_core*> sessions_; ///< in preorder
    std::vector<std::size_t> queued_;     ///< number of events of each
    std::vector<std::pair<std::string, session_core*>> ids_;
    std::vector<session_core*> turns_;
};

} // namespace hsm::detail::scxml

namespace hsm::scxml {

using namespace hsm::detail;
using namespace hsm::detail::scxml;

std::string save_session(const session_base& session) {
    auto& s = session_core::of_face(const_cast<session_base&>(session)); // is not modified
    if (s.host->in_call || s.machine_.busy()) return {};
    auto all = json_value::empty_object();
    all.add("hsm", json_value::of("session"));
    all.add("version", json_value::of(version));
    all.add("session", session_saver::write(s));
    std::map<const session_core*, std::int64_t> numbers;
    each_session(s, [&](const session_core& one) { numbers.emplace(&one, static_cast<std::int64_t>(numbers.size())); });
    auto turns = json_value::empty_list();
    for (const auto* one : s.host->turns)
        if (const auto found = numbers.find(one); found != numbers.end()) turns.add(json_value::of(found->second));
    if (!turns.items.empty()) all.add("turns", std::move(turns));
    return write_session_json(all);
}

result restore_session(session_base& session, std::string_view text, const session_document_options& how) {
    auto& s = session_core::of_face(session);
    if (s.host->in_call || s.machine_.busy()) return result::busy;
    require_saveable(chart_of(s), saving::document);
    const auto read = read_session_json(text, how.most_bytes);
    const document_node all(read, "");
    if (!all.has("hsm") || all.value().find("hsm")->kind != json_value::text || all["hsm"].text() != "session")
        throw save_error({code::not_a_document, "", "this is not a document of a session", "restore a document that save_session wrote"});
    all.only({"hsm", "version", "session", "turns"});
    if (const auto found = all["version"].integer(1); found > version)
        throw save_error({code::not_a_document, "",
                          fmt::format("the document has version {}, but this library reads up to version {}", found, version),
                          "use a later version of the library"});
    session_restorer(s).read(all);
    return result::taken;
}

} // namespace hsm::scxml
