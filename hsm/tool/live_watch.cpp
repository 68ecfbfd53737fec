#include <hsm/tool/detail/live_view.hpp>

#include <hsm/draw/detail/lines.hpp>
#include <hsm/inspect/inspect_error.hpp>
#include <hsm/observe/chart_names.hpp>
#include <hsm/observe/detail/trace_format.hpp>
#include <hsm/observe/trace_reader.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/save/detail/json_value.hpp>
#include <hsm/save/save_error.hpp>
#include <hsm/tool/detail/page_client.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <map>

namespace hsm::detail::tool {

namespace {

constexpr std::chrono::milliseconds moment_of_waiting(50);     ///< then Ctrl-C is noticed
constexpr std::chrono::milliseconds quiet_time(200);           ///< without an event: the list is complete
constexpr std::chrono::milliseconds longest_start(400);        ///< if events do not end
constexpr std::chrono::seconds longest_wait(5);                ///< of --once, for the program's poll
constexpr std::size_t most_bytes = 64u << 20, most_depth = 16; ///< of JSON

/// Fields of untrusted JSON. A missing or different field has the value zero.
const json_value& field(const json_value& of, std::string_view name) {
    static const json_value none;
    const auto* const found = of.kind == json_value::object ? of.find(name) : nullptr;
    return found ? *found : none;
}
std::uint32_t number(const json_value& v) { return static_cast<std::uint32_t>(v.kind == json_value::integer ? v.number : 0); }
double real(const json_value& v) {
    return v.kind == json_value::real ? v.fraction : v.kind == json_value::integer ? static_cast<double>(v.number) : 0;
}
bool is_true(const json_value& v) { return v.kind == json_value::boolean && v.number != 0; }
/// A 64-bit number. Numbers beyond 2^53 are sent as text.
std::uint64_t long_number(const json_value& v) {
    if (v.kind == json_value::text) return static_cast<std::uint64_t>(std::strtoll(v.string.c_str(), nullptr, 10));
    return static_cast<std::uint64_t>(v.kind == json_value::integer ? v.number : 0);
}
template <class Number> std::vector<Number> numbers(const json_value& list) {
    std::vector<Number> all;
    for (const auto& each : list.items) all.push_back(static_cast<Number>(number(each)));
    return all;
}

/// Runs a call to the page, and converts its exceptions.
template <class Call> auto from_page(Call call) {
    try {
        return call();
    } catch (const inspect::inspect_error& e) {
        throw command_error({message_of(e.report())}, exit_code::failed);
    } catch (const save_error&) {
        throw command_error({{.text = "the live page sends text that is not JSON",
                              .hint = "use the version of hsm with which the program was built",
                              .code = code::refused_request}},
                            exit_code::failed);
    }
}

json_value parsed(const std::string& text) { return read_json(text, most_bytes, most_depth); }

struct watched_machine {
    std::string name, kind, chart;
    std::uint32_t parent = 0; ///< 0: none
    std::vector<std::uint32_t> leaves;
    std::uint32_t count = 0;
    bool is_finished = false, is_paused = false;
};

/// The machines that the page lists.
class watched_list {
public:
    explicit watched_list(page_source& page) : page_(page) {}

    /// A machine that has changed, for display.
    struct change {
        std::string name;
        std::string state;
    };
    /// Applies an event of the stream. Returns what has changed in the list.
    std::vector<change> apply(const std::string& event, const json_value& data) {
        std::vector<change> changes;
        if (event == "machines") all_.clear(); // the first event, or this viewer was too slow
        if (event == "machines" || event == "added")
            for (const auto& m : field(data, event == "added" ? "machines" : "all").items) changes.push_back(shown(set(m)));
        if (event == "removed")
            for (const auto id : numbers<std::uint32_t>(field(data, "ids"))) remove(id, changes);
        if (event == "states")
            for (const auto& each : field(data, "changes").items) set_leaves(each, changes);
        if (event == "facts")
            for (const auto& m : field(data, "machines").items) set_facts(m, changes);
        return changes;
    }
    std::vector<change> shown_all() {
        std::vector<change> list;
        for (const auto& [id, m] : all_) list.push_back(shown(id));
        return list;
    }

    const std::map<std::uint32_t, watched_machine>& all() const { return all_; }
    /// "guards/wolf" for the machine of a manager.
    std::string name(std::uint32_t id) const {
        const auto& m = all_.at(id);
        const auto parent = all_.find(m.parent);
        return parent == all_.end() || m.parent >= id ? m.name : name(m.parent) + '/' + m.name;
    }
    std::uint32_t find(const std::string& wanted) const {
        const auto found = std::ranges::find_if(all_, [&](const auto& m) { return name(m.first) == wanted; });
        const auto numbered = std::ranges::find_if(all_, [&](const auto& m) { return std::to_string(m.first) == wanted; });
        return found != all_.end() ? found->first : numbered != all_.end() ? numbered->first : 0;
    }

private:
    change shown(std::uint32_t id) { return {name(id), state(id)}; }
    /// Adds or changes a machine. Returns its number.
    std::uint32_t set(const json_value& from) {
        const auto id = number(field(from, "id"));
        auto& m = all_[id];
        for (const auto& [name, value] : from.fields) {
            if (name == "name") m.name = value.string;
            if (name == "kind") m.kind = value.string;
            if (name == "chart") m.chart = value.string;
            if (name == "parent") m.parent = number(value);
            if (name == "leaves") m.leaves = numbers<std::uint32_t>(value);
            if (name == "count") m.count = number(value);
            if (name == "finished") m.is_finished = is_true(value);
            if (name == "paused") m.is_paused = is_true(value);
        }
        return id;
    }
    void remove(std::uint32_t id, std::vector<change>& changes) {
        if (!all_.contains(id)) return;
        changes.push_back({name(id), "removed"});
        all_.erase(id);
    }
    void set_leaves(const json_value& leaves, std::vector<change>& changes) {
        const auto found = leaves.items.size() == 2 ? all_.find(number(leaves.items[0])) : all_.end();
        if (found == all_.end()) return;
        found->second.leaves = numbers<std::uint32_t>(leaves.items[1]);
        changes.push_back(shown(found->first));
    }
    void set_facts(const json_value& facts, std::vector<change>& changes) {
        const auto id = number(field(facts, "id"));
        if (!all_.contains(id)) return;
        const auto before = state(id);
        set(facts);
        if (state(id) != before) changes.push_back(shown(id));
    }
    /// "character/move/ground/idle", "2000 agents"
    std::string state(std::uint32_t id) {
        const auto& m = all_.at(id);
        if (m.kind == "crowd" || m.kind == "manager") return fmt::format("{} {}", m.count, m.kind == "crowd" ? "agents" : "machines");
        std::string text;
        const auto& paths = paths_of(m.chart);
        for (const auto leaf : m.leaves) text += fmt::format("{}{}", text.empty() ? "" : ", ", leaf < paths.size() ? paths[leaf] : std::string("?"));
        if (text.empty()) text = "not active";
        return fmt::format("{}{}{}", text, m.is_finished ? " (finished)" : "", m.is_paused ? " (paused)" : "");
    }

    const std::vector<std::string>& paths_of(const std::string& chart) {
        const auto [at, is_new] = paths_.try_emplace(chart);
        if (is_new && chart.find_first_not_of("0123456789abcdef") == chart.npos) {
            const auto dictionary = from_page([&] { return parsed(page_.get("/api/chart/" + chart)); });
            for (const auto& s : field(dictionary, "states").items) at->second.push_back(field(s, "path").string);
        }
        return at->second;
    }

    page_source& page_;
    std::map<std::uint32_t, watched_machine> all_;
    std::map<std::string, std::vector<std::string>> paths_; ///< of the states of each chart
};

/// The page's stream, and the list that its events describe.
class watched_page {
public:
    explicit watched_page(page_source& page) : machines(page), page_(page) {}

    /// Waits for the next event. Returns false at the end, after this time, or if Ctrl-C was pressed.
    bool next(page_event& e, std::chrono::nanoseconds most = std::chrono::nanoseconds::max()) {
        const auto began = std::chrono::steady_clock::now();
        while (interruptions::none() && std::chrono::steady_clock::now() - began < most) {
            const auto arrived = from_page([&] { return page_.next(e, moment_of_waiting); });
            if (arrived == page_source::arrival::event) return true;
            if (arrived == page_source::arrival::end) return false;
        }
        return false;
    }
    /// Reads the list, and the changes that follow at once: without a viewer, the program does not report the states of its machines.
    void read_list() {
        page_event e;
        bool is_complete = false;
        while (!is_complete && next(e)) {
            apply(e);
            is_complete = e.name == "machines";
        }
        const auto limit = std::chrono::steady_clock::now() + longest_start;
        while (is_complete && std::chrono::steady_clock::now() < limit) {
            is_complete = from_page([&] { return page_.next(e, quiet_time); }) == page_source::arrival::event;
            if (is_complete) apply(e);
        }
    }

    watched_list machines;
    std::uint32_t viewer = 0; ///< the number that the page has assigned

private:
    void apply(const page_event& e) {
        const auto data = from_page([&] { return parsed(e.data); });
        if (e.name == "hello") viewer = number(field(data, "viewer"));
        machines.apply(e.name, data);
    }

    page_source& page_;
};

// The list.

class list_printer {
public:
    explicit list_printer(console& to) : to_(to) {}

    void print_all(const std::vector<watched_list::change>& list) {
        for (const auto& each : list) width_ = std::max(width_, std::min(each.name.size(), longest_column));
        for (const auto& each : list) print({}, each);
        to_.flush();
    }
    /// `time` is a number, or nothing.
    void print_changes(const json_value& time, const std::vector<watched_list::change>& changes) {
        const auto shown = time.kind == json_value::nothing ? std::string(12, ' ') : shown_time(std::llround(real(time) * 1e9));
        for (const auto& each : changes) print(to_.painted(style::faint, shown) + "  ", each);
        to_.flush();
    }

private:
    static constexpr std::size_t longest_column = 40;

    void print(const std::string& before, const watched_list::change& c) {
        to_.print(fmt::format("{}{:<{}}  {}\n", before, legible_line(c.name), width_, to_.painted(style::green, legible_line(c.state))));
    }

    console& to_;
    std::size_t width_ = 0; ///< of the column of names
};

// The log of a machine.

/// The records of one machine, as a trace file that grows.
class recorded_stream final : public byte_source {
public:
    recorded_stream(watched_page& stream, page_source& page, std::uint32_t machine, bool once)
        : stream_(stream), page_(page), machine_(machine), once_(once) {}

    std::size_t read(void* to, std::size_t most) override {
        while (at_ == bytes_.size()) {
            bytes_.clear();
            at_ = 0;
            if (!receive()) return 0;
        }
        const auto count = std::min(most, bytes_.size() - at_);
        std::memcpy(to, bytes_.data() + at_, count);
        at_ += count;
        return count;
    }

private:
    /// Receives an event. Returns false at the end.
    bool receive() {
        if (has_ended_) return false;
        page_event e;
        const std::chrono::nanoseconds wait = once_ ? std::chrono::nanoseconds(longest_wait) : std::chrono::nanoseconds::max();
        if (!stream_.next(e, wait)) {
            if (once_ && !names_ && interruptions::none()) throw command_error("the program records nothing", "its loop must call page.poll()");
            return false;
        }
        if (e.name != "open" && e.name != "records" && e.name != "removed") return true;
        const auto data = from_page([&] { return parsed(e.data); });
        if (e.name == "removed") {
            const auto ids = numbers<std::uint32_t>(field(data, "ids"));
            has_ended_ = std::ranges::find(ids, machine_) != ids.end();
        } else if (number(field(data, "id")) == machine_) {
            e.name == "open" ? begin(data) : add(field(data, "r"));
        }
        return true;
    }
    void begin(const json_value& state) {
        const auto trace = from_page([&] { return page_.get(fmt::format("/api/trace/{}", machine_)); });
        if (once_) {
            names_.emplace();
            bytes_ += trace;
            has_ended_ = true;
            return;
        }
        if (!names_) {
            memory_source whole(trace);
            trace_reader reader(whole);
            (void)reader.next();
            names_ = reader.names_of_track(0);
            bytes_ += trace_head(*names_, reader.track(0).name);
        }
        auto active = numbers<std::uint16_t>(field(state, "active"));
        std::erase_if(active, [&](auto s) { return s >= names_->states.size(); });
        const auto clock = static_cast<std::int64_t>(long_number(field(state, "clock")));
        bytes_ += trace_chunk(configuration_of(superstates_of(*names_), active, clock));
    }
    void add(const json_value& flat) {
        std::vector<record> all;
        for (std::size_t i = 0; names_ && i + 5 <= flat.items.size(); i += 5)
            all.push_back({static_cast<record_kind>(number(flat.items[i])), static_cast<std::uint8_t>(number(flat.items[i + 1])),
                           static_cast<std::uint16_t>(number(flat.items[i + 2])), number(flat.items[i + 3]), long_number(flat.items[i + 4])});
        bytes_ += trace_chunk(all);
    }

    watched_page& stream_;
    page_source& page_;
    const std::uint32_t machine_;
    const bool once_;
    std::optional<chart_names> names_; ///< none: the recording has not begun
    bool has_ended_ = false;
    std::string bytes_;
    std::size_t at_ = 0;
};

exit_code print_log(watched_page& stream, page_source& page, const watch_options& how, environment& here) {
    const auto& machines = stream.machines;
    const auto id = machines.find(how.machine);
    if (id == 0) {
        std::string known;
        for (const auto& [each, m] : machines.all())
            if (known.size() < 200) known += fmt::format("{}{}", known.empty() ? "it lists " : ", ", legible_line(machines.name(each)));
        throw command_error({{.text = fmt::format("the live page lists no machine \"{}\"", how.machine), .hint = known, .code = code::not_listed}},
                            exit_code::failed);
    }
    if (const auto& kind = machines.all().at(id).kind; kind == "crowd" || kind == "manager")
        throw command_error(fmt::format("\"{}\" is a {}, which has no records", how.machine, kind),
                            "watch one of its machines, or open the URL in a browser");
    from_page([&] { page.post("/api/open", fmt::format(R"({{"viewer":{},"id":{}}})", stream.viewer, id)); });
    recorded_stream records(stream, page, id, how.once);
    const auto lines = trace_lines(records, how.machine, how.which);
    for (record_line line; lines->next(line) && here.terminal.flush();) here.terminal.print(shown_line(line, false, here.terminal));
    return exit_code::fine;
}

} // namespace

exit_code watch(page_source& page, const watch_options& how, environment& here) {
    watched_page stream(page);
    stream.read_list();
    if (!how.machine.empty()) return print_log(stream, page, how, here);
    list_printer printer(here.terminal);
    printer.print_all(stream.machines.shown_all());
    page_event e;
    while (!how.once && stream.next(e) && here.terminal.flush()) {
        const auto data = from_page([&] { return parsed(e.data); });
        printer.print_changes(field(data, "t"), stream.machines.apply(e.name, data));
    }
    return exit_code::fine;
}

exit_code watch_page(const watch_options& how, environment& here) {
    const interruptions caught; // before the client's thread, which inherits that SIGINT is blocked
    const auto page = from_page([&] { return make_owned<page_client>(how.url); });
    return watch(*page, how, here);
}

} // namespace hsm::detail::tool
