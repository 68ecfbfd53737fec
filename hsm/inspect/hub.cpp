#include <hsm/inspect/detail/hub.hpp>

#include <hsm/chart/view.hpp>
#include <hsm/inspect/detail/server.hpp>
#include <hsm/inspect/detail/texts.hpp>
#include <hsm/op/detail/format.hpp>

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cerrno>
#include <iterator>

namespace hsm::inspect::detail {

namespace {

using json = nlohmann::json;

constexpr std::chrono::milliseconds round_time{33};
constexpr std::chrono::milliseconds idle_time{200};
constexpr std::int64_t close_after = 10'000'000'000; ///< nanoseconds: a page that is loaded again finds its records
constexpr std::uint64_t batch = 8192;                ///< records in one event of the stream

double seconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e9; }

std::shared_ptr<const chart_tree> shape_of(const chart_view& chart) {
    auto shape = std::make_shared<chart_tree>();
    for (const auto s : chart.states())
        shape->superstates.push_back(s.superstate() ? static_cast<std::uint16_t>(s.superstate().number()) : record::no_state);
    for (const auto t : chart.timers()) shape->timer_states.push_back(static_cast<std::uint16_t>(t.state().number()));
    return shape;
}

std::string dropped_text(std::size_t lane, std::uint64_t total) { return fmt::format(R"({{"lane":{},"total":{}}})", lane, total); }
std::shared_ptr<const chart_tree> shape_of(const chart_names& names) { return std::make_shared<chart_tree>(chart_tree{superstates_of(names), {}}); }

json facts_of(const machine_facts& f) {
    auto stops = json::array();
    for (const auto& s : f.stops) stops.push_back({{"at", std::string(break_kind_names[static_cast<std::size_t>(s.at)])}, {"number", s.number}});
    return {{"finished", f.finished},
            {"stoppable", f.stoppable},
            {"paused", f.paused},
            {"recording", f.recording},
            {"scale", f.scale ? json(*f.scale) : json()},
            {"count", f.count ? json(*f.count) : json()},
            {"stops", std::move(stops)}};
}

} // namespace

hub::hub(const page_options& options) : options_(options), server_(make_owned<server>(options, *this)) {
    server_->listen();
    thread_ = std::thread([this] { run(); });
}

hub::~hub() {
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
        for (const auto& v : viewers_) v->close();
    }
    wake_.notify_all();
    finished_.notify_all();
    thread_.join();
    owned<server>().swap(server_); // its requests use the hub
}

feed& hub::new_feed() {
    const std::lock_guard lock(mutex_);
    dropped_.reserve(feeds_.size() + 1);
    auto& made = feeds_.emplace_back(static_cast<std::uint32_t>(feeds_.size()), options_.most.ring, clock_);
    dropped_.push_back(0);
    for (std::size_t i = 0; i < viewers_.size(); ++i) made.add_viewer();
    return made;
}

std::string hub::url() const { return server_->url(); }

// The thread.

void hub::run() {
    std::unique_lock lock(mutex_);
    while (!ends_) {
        const bool is_idle =
            viewers_.empty() && std::none_of(machines_.begin(), machines_.end(), [](const auto& m) { return m.second.records != nullptr; });
        wake_.wait_for(lock, is_idle ? idle_time : round_time);
        if (ends_) return;
        try {
            work();
        } catch (const std::bad_alloc&) { // the next round continues there. Viewers can receive an event twice
        }
    }
}

void hub::work() {
    for (auto& each : feeds_) take(each);
    const auto now = clock_.now();
    if (!changes_.empty()) to_all("states", fmt::format(R"({{"t":{},"changes":[{}]}})", seconds(now), changes_));
    changes_.clear();
    close_unused(now);
    forget_unused();
    limit_memory();
    for (const auto& v : viewers_) update(*v);
    finished_.notify_all();
}

void hub::take(feed& from) {
    apply_taken(); // those of a round that had no memory for them
    taken_.messages.clear();
    taken_.records.clear();
    taken_.next_message = taken_.next_record = 0;
    taken_.position = from.take(taken_.messages, taken_.records);
    taken_.from = &from;
    apply_taken();
    if (const auto total = from.dropped(); total != dropped_[from.lane()]) {
        dropped_[from.lane()] = total;
        to_all("dropped", dropped_text(from.lane(), total));
    }
}

void hub::apply_taken() {
    auto& t = taken_;
    const auto add_until = [&](std::uint64_t end) {
        for (; t.next_record < t.records.size() && t.position < end; ++t.next_record, ++t.position) {
            const auto& next = t.records[t.next_record];
            if (const auto m = machines_.find(next.machine); m != machines_.end() && m->second.records) m->second.records->add(next.record);
        }
    };
    for (; t.next_message < t.messages.size(); ++t.next_message) {
        const auto& m = t.messages[t.next_message];
        add_until(m.position);
        apply(*t.from, m);
    }
    add_until(UINT64_MAX);
}

void hub::close_unused(std::int64_t now) {
    for (auto& [id, m] : machines_) {
        if (m.close_at == 0 || now < m.close_at) continue;
        command c;
        c.machine = id;
        c.verb = verb::close;
        if (m.kind == machine_kind::recorded || m.source->push_command(std::move(c))) m.close_at = 0;
    }
}

void hub::forget_unused() {
    if (!removed_) return;
    for (auto& [key, known] : charts_) known.is_used = false;
    for (const auto& [id, m] : machines_)
        if (const auto at = charts_.find(m.chart); at != charts_.end()) at->second.is_used = true;
    std::erase_if(charts_, [](const auto& each) { return !each.second.is_used; });
    removed_ = false;
}

void hub::limit_memory() {
    for (;;) {
        std::size_t bytes = 0;
        history* largest = nullptr;
        for (const auto& [id, m] : machines_) {
            if (!m.records) continue;
            bytes += m.records->bytes();
            if (!largest || m.records->bytes() > largest->bytes()) largest = m.records.get();
        }
        if (bytes <= options_.most.memory || !largest || largest->end() - largest->first() < 2) return;
        largest->halve();
    }
}

void hub::to_all(std::string_view event, const std::string& data) {
    for (const auto& v : viewers_)
        if (v->greeted) v->put(event, data);
}

void hub::update(viewer& who) {
    if (who.fell_behind()) {
        who.greeted = false;
        for (auto& [id, next] : who.open) next = viewer::unsent;
    }
    if (!who.greeted) {
        std::string all;
        for (const auto& [id, m] : machines_) all += (all.empty() ? "" : ",") + described(id, m);
        who.put("machines", fmt::format(R"({{"all":[{}]}})", all));
        who.greeted = true;
        for (std::size_t lane = 0; lane < dropped_.size(); ++lane)
            if (dropped_[lane] != 0) who.put("dropped", dropped_text(lane, dropped_[lane]));
    }
    for (auto& [id, next] : who.open) send_records(who, id, next);
}

void hub::send_records(viewer& who, std::uint32_t id, std::uint64_t& next) {
    const auto found = machines_.find(id);
    if (found == machines_.end() || !found->second.records || !who.has_room()) return;
    const auto& records = *found->second.records;
    if (next == viewer::unsent || next < records.first() || next > records.end()) {
        const auto state = records.start();
        const json out = {{"id", id},
                          {"first", records.first()},
                          {"clock", state.clock},
                          {"t", seconds(clock_.now())},
                          {"active", state.active},
                          {"conditions", state.conditions},
                          {"timers", state.timers}};
        who.put("open", text_of(out));
        next = records.first();
    }
    if (next == records.end()) return;
    const auto end = std::min(records.end(), next + batch);
    auto out = fmt::format(R"({{"id":{},"first":{},"t":{},"r":[)", id, next, seconds(clock_.now()));
    for (auto at = next; at < end; ++at) {
        const auto& r = records.at(at);
        constexpr std::int64_t exact = std::int64_t(1) << 53; // larger numbers are not exact in JavaScript
        const auto value = static_cast<std::int64_t>(r.value);
        const auto quote = value > exact || value < -exact ? "\"" : "";
        fmt::format_to(std::back_inserter(out), "{},{},{},{},{}{}{},", static_cast<unsigned>(r.kind), r.what, r.state, r.number, quote, value, quote);
    }
    out.back() = ']';
    who.put("records", out + "}");
    next = end;
}

// Messages of lanes.

void hub::apply(feed& from, const message& m) {
    std::visit([&](const auto& content) { apply(from, m, content); }, m.content);
}

void hub::apply(feed& from, const message& m, const machine_added& added) {
    listed now{&from, added.kind, added.parent, added.name, learn(added), added.leaves, m.at, added.facts};
    if (const auto before = machines_.find(added.id); before != machines_.end()) { // a reload has given it another chart
        now.viewers = before->second.viewers;
        now.close_at = before->second.close_at;
        removed_ = true; // the old chart
    }
    const auto at = machines_.insert_or_assign(added.id, std::move(now)).first;
    to_all("added", fmt::format(R"({{"machines":[{}]}})", described(added.id, at->second)));
}

void hub::apply(feed&, const message&, const machine_removed& removed) {
    if (machines_.erase(removed.id) == 0) return;
    removed_ = true;
    for (const auto& v : viewers_) v->open.erase(removed.id);
    to_all("removed", fmt::format(R"({{"ids":[{}]}})", removed.id));
}

void hub::apply(feed&, const message& m, const leaves_changed& changed) {
    auto leaf = changed.leaves.begin();
    for (const auto& each : changed.changes) {
        const auto end = leaf + each.count;
        if (const auto found = machines_.find(each.id); found != machines_.end()) {
            found->second.leaves.assign(leaf, end);
            found->second.since = m.at;
            if (!viewers_.empty()) changes_ += fmt::format("{}[{},[{}]]", changes_.empty() ? "" : ",", each.id, fmt::join(found->second.leaves, ","));
        }
        leaf = end;
    }
}

void hub::apply(feed&, const message&, const facts_changed& changed) {
    const auto found = machines_.find(changed.id);
    if (found == machines_.end()) return;
    found->second.facts = changed.facts;
    auto out = facts_of(changed.facts);
    out["id"] = changed.id;
    to_all("facts", text_of(json({{"machines", json::array({out})}})));
}

void hub::apply(feed&, const message& m, const population& counted) {
    to_all("populations", text_of(json({{"id", counted.id}, {"t", seconds(m.at)}, {"counts", counted.counts}, {"inactive", counted.inactive}})));
}

void hub::apply(feed&, const message&, const recording_began& began) {
    const auto found = machines_.find(began.id);
    if (found == machines_.end() || found->second.chart.empty()) return;
    const auto& shape = charts_.at(found->second.chart).shape;
    found->second.records = std::make_unique<history>(shape, began.state, options_.most.history);
    for (const auto& v : viewers_)
        if (const auto at = v->open.find(began.id); at != v->open.end()) at->second = viewer::unsent;
}

void hub::apply(feed&, const message&, const recording_ended&) {} // the records remain until the next recording

void hub::apply(feed&, const message&, const breakpoint_reached& reached) {
    const auto found = machines_.find(reached.id);
    if (found == machines_.end()) return;
    const auto* const records = found->second.records.get();
    const json at = records && records->end() > records->first() ? json(records->end() - 1) : json();
    to_all("stopped", text_of(json({{"id", reached.id}, {"by", reached.by}, {"at", at}})));
}

void hub::apply(feed&, const message&, const command_done& done) {
    if (const auto waits = awaited_.find(done.number); waits != awaited_.end()) waits->second = done.result;
    to_all("said", text_of(json({{"number", done.number},
                                 {"id", done.machine},
                                 {"verb", std::string(verb_names[static_cast<std::size_t>(done.verb)])},
                                 {"outcome", done.result.message.empty() ? done.result.outcome : done.result.message},
                                 {"by", done.viewer}})));
}

std::string hub::learn(const machine_added& added) {
    if (!added.chart && !added.names) return {};
    auto key = added.chart ? added.chart->fingerprint().to_string() : key_of(*added.names);
    if (!charts_.contains(key))
        charts_.emplace(key, known_chart{added.chart, added.names, added.chart ? shape_of(added.chart->view()) : shape_of(*added.names), {}, true});
    return key;
}

std::string hub::described(std::uint32_t id, const listed& m) {
    auto out = facts_of(m.facts);
    out["id"] = id;
    out["name"] = m.name;
    out["kind"] = std::string(machine_kind_names[static_cast<std::size_t>(m.kind)]);
    out["parent"] = m.parent == no_machine ? json() : json(m.parent);
    out["lane"] = m.source->lane();
    out["chart"] = m.chart.empty() ? json() : json(m.chart);
    out["leaves"] = m.leaves;
    out["since"] = seconds(m.since);
    return text_of(out);
}

std::string hub::greeting(const viewer& who) const {
    return text_of(json({{"viewer", who.number()},
                         {"version", server::version()},
                         {"page", server_->run()},
                         {"may_command", who.may_command()},
                         {"t", seconds(clock_.now())},
                         {"title", options_.title.empty() ? std::string(program_invocation_short_name) : options_.title}}));
}

// The server's threads.

std::shared_ptr<viewer> hub::join(bool may_command) {
    const std::lock_guard lock(mutex_);
    if (ends_ || viewers_.size() >= options_.most.viewers) return nullptr;
    auto made = std::make_shared<viewer>(++last_viewer_, may_command);
    made->put("hello", greeting(*made)); // before any other event
    viewers_.push_back(made);
    for (auto& each : feeds_) each.add_viewer();
    wake_.notify_all();
    return made;
}

void hub::leave(viewer& who) {
    const std::lock_guard lock(mutex_);
    const auto at = std::find_if(viewers_.begin(), viewers_.end(), [&](const auto& v) { return v.get() == &who; });
    if (at == viewers_.end()) return;
    for (const auto& [id, next] : who.open)
        if (const auto m = machines_.find(id); m != machines_.end()) release(m->second);
    for (auto& each : feeds_) each.remove_viewer();
    viewers_.erase(at);
}

void hub::release(listed& m) {
    if (--m.viewers == 0) m.close_at = clock_.now() + close_after;
}

hub::answer hub::open(std::uint32_t who, std::uint32_t machine) {
    const std::lock_guard lock(mutex_);
    const auto v = std::find_if(viewers_.begin(), viewers_.end(), [&](const auto& each) { return each->number() == who; });
    if (v == viewers_.end()) return answer::unknown_viewer;
    const auto m = machines_.find(machine);
    if (m == machines_.end()) return answer::unknown_machine;
    auto& opened = m->second;
    if ((*v)->open.count(machine)) return answer::done;
    std::map<std::uint32_t, std::uint64_t> added{{machine, viewer::unsent}};
    if (opened.viewers == 0 && opened.close_at == 0 && opened.kind != machine_kind::recorded) {
        command c;
        c.machine = machine;
        c.verb = verb::open;
        if (!opened.source->push_command(std::move(c))) return answer::full;
    }
    opened.close_at = 0;
    ++opened.viewers;
    (*v)->open.merge(added);
    return answer::done;
}

hub::answer hub::close(std::uint32_t who, std::uint32_t machine) {
    const std::lock_guard lock(mutex_);
    const auto v = std::find_if(viewers_.begin(), viewers_.end(), [&](const auto& each) { return each->number() == who; });
    if (v == viewers_.end()) return answer::unknown_viewer;
    if ((*v)->open.erase(machine) == 0) return answer::done;
    if (const auto m = machines_.find(machine); m != machines_.end()) release(m->second);
    return answer::done;
}

hub::answer hub::send(command& c) {
    const std::lock_guard lock(mutex_);
    const auto m = machines_.find(c.machine);
    if (m == machines_.end() || m->second.kind == machine_kind::recorded) return answer::unknown_machine;
    c.number = ++last_command_;
    auto sent = c;
    std::map<std::uint64_t, std::optional<command_result>> awaited{{c.number, std::nullopt}};
    if (!m->second.source->push_command(std::move(sent))) return answer::full;
    awaited_.merge(awaited);
    return answer::done;
}

std::optional<command_result> hub::result_of(std::uint64_t number, std::chrono::milliseconds wait) {
    std::unique_lock lock(mutex_);
    finished_.wait_for(lock, wait, [&] { return ends_ || awaited_.at(number).has_value(); });
    auto out = std::move(awaited_.at(number));
    awaited_.erase(number);
    return out;
}

std::optional<chart_base> hub::chart(const std::string& key) const {
    const std::lock_guard lock(mutex_);
    const auto at = charts_.find(key);
    return at == charts_.end() ? std::nullopt : at->second.chart;
}

std::string hub::dictionary(const std::string& key) {
    std::optional<chart_base> known;
    std::shared_ptr<const chart_names> names;
    {
        const std::lock_guard lock(mutex_);
        const auto at = charts_.find(key);
        if (at == charts_.end()) return {};
        if (!at->second.dictionary.empty()) return at->second.dictionary;
        known = at->second.chart;
        names = at->second.names;
    }
    auto text = known ? dictionary_of(known->view()) : dictionary_of(*names); // takes milliseconds for large charts
    const std::lock_guard lock(mutex_);
    if (const auto at = charts_.find(key); at != charts_.end()) at->second.dictionary = text;
    return text;
}

std::string hub::trace(std::uint32_t machine) const {
    const std::lock_guard lock(mutex_);
    const auto m = machines_.find(machine);
    if (m == machines_.end() || !m->second.records) return {};
    const auto& known = charts_.at(m->second.chart);
    return trace_of(*m->second.records, known.chart ? names_of(*known.chart) : *known.names, m->second.name);
}

} // namespace hsm::inspect::detail
