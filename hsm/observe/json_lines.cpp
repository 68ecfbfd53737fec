#include <hsm/observe/convert.hpp>

#include <hsm/observe/detail/output.hpp>
#include <hsm/observe/detail/timeline.hpp>
#include <hsm/observe/trace_error.hpp>
#include <hsm/op/result.hpp>

namespace hsm {

using namespace detail;

namespace {

/// The names of a chart as JSON strings.
struct json_names {
    explicit json_names(const chart_names& names)
        : transitions(names.transitions.size()), events(quoted(names.events)), conditions(quoted(names.conditions)), guards(quoted(names.guards)),
          hooks(quoted(names.hooks)), timers(quoted(names.timers)), superstates(superstates_of(names)) {
        for (const auto& s : names.states) states.push_back(json_string(s.path));
        for (std::size_t t = 0; t < transitions.size(); ++t) transitions[t] = json_string(names.transitions[t].text);
    }
    static std::vector<std::string> quoted(const std::vector<std::string>& list) {
        std::vector<std::string> made;
        for (const auto& each : list) made.push_back(json_string(each));
        return made;
    }
    std::vector<std::string> states, transitions, events, conditions, guards, hooks, timers;
    superstate_list superstates;
};

/// The state of one machine's lines.
struct json_machine {
    json_machine(std::uint32_t n, const json_names& its_names) : names(&its_names), active(its_names.superstates), number(n) {}
    const json_names* names;
    followed_states active;
    steady_time time;
    std::uint32_t number;
    std::string front; ///< of each line, until the time changes
    std::int64_t front_time = -1;
    record pending; ///< a configuration of which something is still to come
};

class json_writer {
public:
    explicit json_writer(byte_sink& to) : out_(to) {}

    void write(json_machine& m, const trace_entry& entry);
    bool finish() { return out_.flush(); }

private:
    void begin(json_machine& m, std::string_view kind);
    void add(std::string_view key, std::string_view json) {
        out_.put(",\"");
        out_.put(key);
        out_.put("\":");
        out_.put(json);
    }
    void add_word(std::string_view key, std::string_view word) {
        out_.put(",\"");
        out_.put(key);
        out_.put("\":\"");
        out_.put(word);
        out_.put('"');
    }
    template <class Number> void add_number(std::string_view key, Number n) {
        add(key, "");
        out_.put_number(n);
    }
    void add_name(std::string_view key, const std::vector<std::string>& names, std::uint64_t number) {
        add(key, number < names.size() ? std::string_view(names[number]) : "null");
    }
    void add_contents(const json_machine& m, const trace_entry& entry);
    void add_transition(const json_names& n, const record& r);
    void configure(json_machine& m, const record& r);

    output out_;
};

void json_writer::begin(json_machine& m, std::string_view kind) {
    if (m.front_time != m.time.now()) {
        m.front_time = m.time.now();
        m.front = "{\"machine\":" + std::to_string(m.number) + ",\"time\":" + std::to_string(m.front_time) + ",\"kind\":\"";
    }
    out_.put(m.front);
    out_.put(kind);
    out_.put('"');
}

void json_writer::configure(json_machine& m, const record& r) {
    m.active.apply(r);
    if (r.kind == record_kind::configuration) m.pending = r;
    if (!m.active.known() || m.pending.kind != record_kind::configuration) return;
    begin(m, "configuration");
    add_word("reason", to_string(static_cast<configuration_reason>(m.pending.what)));
    m.pending.kind = record_kind::more;
    out_.put(",\"active\":[");
    bool first = true;
    for (const auto s : m.active.active()) {
        if (!first) out_.put(',');
        first = false;
        out_.put(m.names->states[s]);
    }
    out_.put("]}\n");
}

void json_writer::add_transition(const json_names& n, const record& r) {
    add_name("transition", n.transitions, r.number);
    add_name("from", n.states, r.state);
    add_name("to", n.states, r.value);
    add_word("reason", to_string(static_cast<reason>(r.what)));
}

void json_writer::add_contents(const json_machine& m, const trace_entry& entry) {
    const auto& r = entry.what;
    const auto& n = *m.names;
    switch (r.kind) {
    case record_kind::call: add_word("call", to_string(static_cast<call_kind>(r.what))); break;
    case record_kind::call_end: add_word("result", r.what == record::thrown ? "thrown" : to_string(static_cast<result>(r.what))); break;
    case record_kind::event:
        add_name("event", n.events, r.number);
        add_word("from", to_string(static_cast<event_origin>(r.what)));
        if (!entry.text.empty()) add("text", json_string(entry.text));
        break;
    case record_kind::guard:
        if (r.what < 2)
            add_name("guard", n.guards, r.number);
        else
            add_number("conditions", r.number);
        add_name("transition", n.transitions, r.value);
        add("answer", r.what % 2 == 1 ? "true" : "false");
        break;
    case record_kind::transition: add_transition(n, r); break;
    case record_kind::action: add_name("action", n.hooks, r.number); break;
    case record_kind::held:
    case record_kind::refused:
        add_name("transition", n.transitions, r.number);
        add_name("state", n.states, r.state);
        break;
    case record_kind::deferred:
    case record_kind::recalled: add_name("event", n.events, r.number); break;
    case record_kind::dropped:
        add_name("event", n.events, r.number);
        add_word("reason", to_string(static_cast<drop_reason>(r.what)));
        break;
    case record_kind::armed:
        add_name("timer", n.timers, r.number);
        add_number("due", static_cast<std::int64_t>(r.value));
        break;
    case record_kind::due: add_name("timer", n.timers, r.number); break;
    case record_kind::condition:
        add_name("condition", n.conditions, r.number);
        add("on", r.what == 1 || r.what == 2 ? "true" : "false");
        break;
    case record_kind::error:
        add_word("where", to_string(static_cast<hook_place>(r.what)));
        add_name("state", n.states, r.state);
        break;
    case record_kind::lost: add_number("records", r.value); break;
    default: add_name("state", n.states, r.state); break;
    }
}

void json_writer::write(json_machine& m, const trace_entry& entry) {
    m.time.apply(entry.what);
    if (entry.what.kind == record_kind::configuration || entry.what.kind == record_kind::more) return configure(m, entry.what);
    begin(m, to_string(entry.what.kind));
    add_contents(m, entry);
    out_.put("}\n");
}

} // namespace

void write_json_lines(trace_reader& from, byte_sink& to) {
    json_writer writer(to);
    std::deque<json_names> charts;
    std::deque<json_machine> machines;
    while (const auto* const entry = from.next()) {
        while (machines.size() <= entry->track) {
            const auto number = static_cast<std::uint32_t>(machines.size());
            const auto chart = from.track(number).chart;
            while (charts.size() <= chart) charts.emplace_back(from.chart(static_cast<std::uint32_t>(charts.size())));
            machines.emplace_back(number, charts[chart]);
        }
        writer.write(machines[entry->track], *entry);
    }
    if (!writer.finish())
        throw trace_error(code::unreadable_trace, from.offset(), "what was read cannot be written", "is there room where it goes to?");
}

} // namespace hsm
