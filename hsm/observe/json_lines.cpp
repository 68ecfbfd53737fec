#include <hsm/observe/convert.hpp>

#include <hsm/observe/detail/output.hpp>
#include <hsm/observe/detail/timeline.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/op/result.hpp>
#include <hsm/text/detail/escape.hpp>

#include <bit>
#include <concepts>

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
    recent_texts recent;
};

/// The state of one machine's lines.
struct json_machine {
    json_machine(std::uint32_t n, json_names& its_names) : names(&its_names), active(its_names.superstates), number(n) {}
    json_names* names;
    followed_states active;
    steady_time time;
    std::uint32_t number;
    std::string front; ///< the front of each line, until the time changes
    std::int64_t front_time = -1;
    record pending; ///< a configuration whose remaining records follow
};

/// Writes the part of a line after the time.
class json_contents {
public:
    json_contents(const json_names& names, std::string& to) : n_(names), to_(to) {}

    void put(const trace_entry& entry);

private:
    void add(std::string_view key, std::string_view json) { (((to_ += ",\"") += key) += "\":") += json; }
    void add_word(std::string_view key, std::string_view word) { ((((to_ += ",\"") += key) += "\":\"") += word) += '"'; }
    void add_number(std::string_view key, std::integral auto n) { add(key, std::to_string(n)); }
    void add_name(std::string_view key, const std::vector<std::string>& names, std::uint64_t number) {
        add(key, number < names.size() ? std::string_view(names[number]) : "null");
    }
    void add_facts(const trace_entry& entry);

    const json_names& n_;
    std::string& to_;
};

void json_contents::put(const trace_entry& entry) {
    (to_ += to_string(entry.what.kind)) += '"';
    add_facts(entry);
    to_ += "}\n";
}

void json_contents::add_facts(const trace_entry& entry) {
    const auto& r = entry.what;
    switch (r.kind) {
    case record_kind::call: return add_word("call", to_string(static_cast<call_kind>(r.what)));
    case record_kind::call_end: return add_word("result", r.what == record::thrown ? "thrown" : to_string(static_cast<result>(r.what)));
    case record_kind::event:
        add_name("event", n_.events, r.number);
        add_word("from", to_string(static_cast<event_origin>(r.what)));
        if (!entry.text.empty()) add("text", json_string(entry.text));
        return;
    case record_kind::guard:
        if (r.what < 2)
            add_name("guard", n_.guards, r.number);
        else
            add_number("conditions", r.number);
        add_name("transition", n_.transitions, r.value);
        return add("answer", r.what % 2 == 1 ? "true" : "false");
    case record_kind::transition:
        add_name("transition", n_.transitions, r.number);
        add_name("from", n_.states, r.state);
        add_name("to", n_.states, r.value);
        return add_word("reason", to_string(static_cast<reason>(r.what)));
    case record_kind::action: return add_name("action", n_.hooks, r.number);
    case record_kind::held:
    case record_kind::leave_requested:
    case record_kind::refused: add_name("transition", n_.transitions, r.number); return add_name("state", n_.states, r.state);
    case record_kind::deferred:
    case record_kind::recalled: return add_name("event", n_.events, r.number);
    case record_kind::dropped: add_name("event", n_.events, r.number); return add_word("reason", to_string(static_cast<drop_reason>(r.what)));
    case record_kind::armed: add_name("timer", n_.timers, r.number); return add_number("due", static_cast<std::int64_t>(r.value));
    case record_kind::due: return add_name("timer", n_.timers, r.number);
    case record_kind::condition: add_name("condition", n_.conditions, r.number); return add("on", r.what == 1 || r.what == 2 ? "true" : "false");
    case record_kind::error: add_word("where", to_string(static_cast<hook_place>(r.what))); return add_name("state", n_.states, r.state);
    case record_kind::lost: return add_number("records", r.value);
    case record_kind::scored:
        add_name("transition", n_.transitions, r.number);
        return add("score", r.what ? fmt::format("{}", std::bit_cast<double>(r.value)) : "null");
    default: return add_name("state", n_.states, r.state);
    }
}

class json_writer {
public:
    explicit json_writer(byte_sink& to) : out_(to) {}

    void write(json_machine& m, const trace_entry& entry);
    void finish(const trace_reader& from) { finish_conversion(out_, from); }

private:
    void begin(json_machine& m);
    void configure(json_machine& m, const record& r);

    output out_;
    std::string line_;
};

void json_writer::begin(json_machine& m) {
    if (m.front_time != m.time.now()) {
        m.front_time = m.time.now();
        m.front = "{\"machine\":" + std::to_string(m.number) + ",\"time\":" + std::to_string(m.front_time) + ",\"kind\":\"";
    }
    out_.put(m.front);
}

void json_writer::configure(json_machine& m, const record& r) {
    m.active.apply(r);
    if (r.kind == record_kind::configuration) m.pending = r;
    if (!m.active.known() || m.pending.kind != record_kind::configuration) return;
    begin(m);
    line_ = "configuration\",\"reason\":\"";
    (line_ += to_string(static_cast<configuration_reason>(m.pending.what))) += "\",\"active\":[";
    m.pending.kind = record_kind::more;
    const char* between = "";
    for (const auto s : m.active.active()) {
        (line_ += between) += m.names->states[s];
        between = ",";
    }
    out_.put(line_ += "]}\n");
}

/// Removes the fields that the record's line does not contain.
record essence_of(record r) {
    const bool is_frame = r.kind == record_kind::call || r.kind == record_kind::call_end;
    if (is_frame) r.number = r.state = 0;
    if (is_frame || r.kind == record_kind::event) r.value = 0;
    return r;
}

void json_writer::write(json_machine& m, const trace_entry& entry) {
    m.time.apply(entry.what);
    if (entry.what.kind == record_kind::configuration || entry.what.kind == record_kind::more) return configure(m, entry.what);
    begin(m);
    const auto put_contents = [&](std::string& to) { json_contents(*m.names, to).put(entry); };
    if (entry.text.empty()) return out_.put(m.names->recent.of(essence_of(entry.what), 0, put_contents));
    line_.clear();
    put_contents(line_);
    out_.put(line_);
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
    writer.finish(from);
}

} // namespace hsm
