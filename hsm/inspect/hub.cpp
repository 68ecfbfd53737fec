#include <hsm/inspect/detail/hub.hpp>

#include <hsm/chart/view.hpp>
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
constexpr std::size_t most_events = 4u << 20;        ///< bytes

double seconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e9; }

std::string event_text(std::string_view event, std::string_view data) { return fmt::format("event: {}\ndata: {}\n\n", event, data); }
std::string dropped_text(std::size_t lane, std::uint64_t total) { return fmt::format(R"({{"lane":{},"total":{}}})", lane, total); }

constexpr refusal unknown_viewer{404, "unknown viewer", "the viewer was removed; load the list again"};
constexpr refusal unknown_machine{404, "unknown machine", "the machine was removed; load the list again"};
constexpr refusal queue_full{429, "too many commands are waiting", "call poll more often in the program's loop"};

/// Returns null if there is no such key.
template <class Map> auto* find_in(Map& map, const typename Map::key_type& key) {
    const auto at = map.find(key);
    return at == map.end() ? nullptr : &at->second;
}

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

/// Applies a message of a lane.
struct hub::receiver {
    hub& to;
    feed& from;
    const message& m;

    listed* find(std::uint32_t id) const { return find_in(to.machines_, id); }

    void operator()(const machine_added& added) const {
        listed now{&from, added.kind, added.parent, added.name, to.learn(added), added.leaves, m.at, added.facts};
        if (const auto* const before = find(added.id)) { // a reload has given it another chart
            now.viewers = before->viewers;
            now.close_at = before->close_at;
        }
        const auto at = to.machines_.insert_or_assign(added.id, std::move(now)).first;
        to.to_all("added", fmt::format(R"({{"machines":[{}]}})", described(added.id, at->second)));
    }
    void operator()(const machine_removed& removed) const {
        if (to.machines_.erase(removed.id) == 0) return;
        for (const auto& v : to.viewers_) v->open.erase(removed.id);
        to.to_all("removed", fmt::format(R"({{"ids":[{}]}})", removed.id));
    }
    void operator()(const leaves_changed& changed) const {
        auto leaf = changed.leaves.begin();
        for (const auto& each : changed.changes) {
            const auto end = leaf + each.count;
            if (auto* const machine = find(each.id)) {
                machine->leaves.assign(leaf, end);
                machine->since = m.at;
                if (!to.viewers_.empty()) {
                    hsm::detail::append_format(to.changes_, "{}[{},[", to.changes_.empty() ? "" : ",", each.id);
                    for (auto s = leaf; s != end; ++s) hsm::detail::append_format(to.changes_, "{}{}", s == leaf ? "" : ",", *s);
                    to.changes_ += "]]";
                }
            }
            leaf = end;
        }
    }
    void operator()(const facts_changed& changed) const {
        auto* const machine = find(changed.id);
        if (!machine) return;
        machine->facts = changed.facts;
        auto out = facts_of(changed.facts);
        out["id"] = changed.id;
        to.to_all("facts", text_of(json({{"machines", json::array({out})}})));
    }
    void operator()(const population& counted) const {
        const json out = {{"id", counted.id}, {"t", seconds(m.at)}, {"counts", counted.counts}, {"inactive", counted.inactive}};
        to.to_all("populations", text_of(out));
    }
    void operator()(const recording_began& began) const {
        auto* const machine = find(began.id);
        if (!machine || !machine->chart) return;
        machine->records = std::make_unique<history>(machine->chart, began.state, to.options_.most.history);
        for (const auto& v : to.viewers_)
            if (auto* const next = find_in(v->open, began.id)) *next = viewer::unsent;
    }
    void operator()(const breakpoint_reached& reached) const {
        const auto* const machine = find(reached.id);
        if (!machine) return;
        const auto* const records = machine->records.get();
        const json at = records && records->end() > records->first() ? json(records->end() - 1) : json();
        to.to_all("stopped", text_of(json({{"id", reached.id}, {"by", reached.by}, {"at", at}})));
    }
    void operator()(const command_done& done) const {
        if (auto* const awaited = find_in(to.awaited_, done.number)) *awaited = done.result;
        to.to_all("said", text_of(json({{"number", done.number},
                                        {"id", done.machine},
                                        {"verb", std::string(verb_names[static_cast<std::size_t>(done.verb)])},
                                        {"outcome", done.result.message.empty() ? done.result.outcome : done.result.message},
                                        {"by", done.viewer}})));
    }
};

hub::hub(const page_options& options) : options_(options), server_(start_server(options, *this)) {
    thread_ = std::thread([this] { run(); });
}

hub::~hub() {
    {
        const std::lock_guard lock(mutex_);
        ends_ = true;
    }
    wake_.notify_all();
    worked_.notify_all();
    thread_.join();
}

feed& hub::new_feed() {
    const std::lock_guard lock(mutex_);
    dropped_.reserve(feeds_.size() + 1);
    auto& made = feeds_.emplace_back(static_cast<std::uint32_t>(feeds_.size()), options_.most.ring, clock_);
    dropped_.push_back(0);
    for (std::size_t i = 0; i < viewers_.size(); ++i) made.add_viewer();
    return made;
}

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
    limit_memory();
    ++rounds_;
    worked_.notify_all();
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
            if (auto* const records = records_of(next.machine)) records->add(next.record);
        }
    };
    for (; t.next_message < t.messages.size(); ++t.next_message) {
        const auto& m = t.messages[t.next_message];
        add_until(m.position);
        std::visit(receiver{*this, *t.from, m}, m.content);
    }
    add_until(UINT64_MAX);
}

void hub::close_unused(std::int64_t now) {
    for (auto& [id, m] : machines_) {
        if (m.close_at == 0 || now < m.close_at) continue;
        if (m.kind == machine_kind::recorded || m.source->push_command({.machine = id, .verb = verb::close})) m.close_at = 0;
    }
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
    if (viewers_.empty()) return;
    events_.push_back(event_text(event, data));
    ++events_end_;
    events_size_ += events_.back().size();
    for (; events_size_ > most_events && events_.size() > 1; events_.pop_front()) events_size_ -= events_.front().size();
}

history* hub::records_of(std::uint32_t machine) const {
    const auto* const m = find_in(machines_, machine);
    return m ? m->records.get() : nullptr;
}

bool hub::has_news(const viewer& who) const {
    if (who.round == rounds_) return false;
    if (who.next_event != events_end_) return true;
    return std::any_of(who.open.begin(), who.open.end(), [&](const auto& open) {
        const auto* const records = records_of(open.first);
        return records && open.second != records->end();
    });
}

std::string hub::news_for(viewer& who) {
    std::string text;
    const auto oldest = events_end_ - events_.size();
    if (who.next_event == viewer::unsent || who.next_event < oldest) {
        std::string all;
        for (const auto& [id, m] : machines_) all += (all.empty() ? "" : ",") + described(id, m);
        text = event_text("hello", greeting(who)) + event_text("machines", fmt::format(R"({{"all":[{}]}})", all));
        for (std::size_t lane = 0; lane < dropped_.size(); ++lane)
            if (dropped_[lane] != 0) text += event_text("dropped", dropped_text(lane, dropped_[lane]));
        for (auto& [id, next] : who.open) next = viewer::unsent;
        who.next_event = events_end_;
    }
    for (; who.next_event < events_end_; ++who.next_event) text += events_[static_cast<std::size_t>(who.next_event - oldest)];
    for (auto& [id, next] : who.open) add_records(text, id, next);
    who.round = rounds_;
    return text;
}

void hub::add_records(std::string& text, std::uint32_t id, std::uint64_t& next) const {
    const auto* const found = records_of(id);
    if (!found) return;
    const auto& records = *found;
    if (next == viewer::unsent || next < records.first() || next > records.end()) {
        const auto state = records.start();
        const json out = {{"id", id},
                          {"first", records.first()},
                          {"clock", state.clock},
                          {"t", seconds(clock_.now())},
                          {"active", state.active},
                          {"conditions", state.conditions},
                          {"timers", state.timers}};
        text += event_text("open", text_of(out));
        next = records.first();
    }
    if (next == records.end()) return;
    const auto end = std::min(records.end(), next + batch);
    auto out = fmt::format(R"({{"id":{},"first":{},"t":{},"r":[)", id, next, seconds(clock_.now()));
    for (; next < end; ++next) {
        const auto& r = records.at(next);
        constexpr std::int64_t exact = std::int64_t(1) << 53; // larger numbers are not exact in JavaScript
        const auto value = static_cast<std::int64_t>(r.value);
        const auto quote = value > exact || value < -exact ? "\"" : "";
        hsm::detail::append_format(out, "{},{},{},{},{}{}{},", static_cast<unsigned>(r.kind), r.what, r.state, r.number, quote, value, quote);
    }
    out.back() = ']';
    text += event_text("records", out + "}");
}

std::shared_ptr<known_chart> hub::learn(const machine_added& added) {
    if (!added.chart && !added.names) return nullptr;
    const auto key = key_of(added);
    if (auto known = find_chart(key)) return known;
    std::erase_if(charts_, [](const auto& each) { return each.second.expired(); });
    auto made = std::make_shared<known_chart>(added);
    charts_.insert_or_assign(key, made);
    return made;
}

std::shared_ptr<known_chart> hub::find_chart(const std::string& key) const {
    const auto* const known = find_in(charts_, key);
    return known ? known->lock() : nullptr;
}

std::string hub::described(std::uint32_t id, const listed& m) {
    auto out = facts_of(m.facts);
    out["id"] = id;
    out["name"] = m.name;
    out["kind"] = std::string(machine_kind_names[static_cast<std::size_t>(m.kind)]);
    out["parent"] = m.parent == no_machine ? json() : json(m.parent);
    out["lane"] = m.source->lane();
    out["chart"] = m.chart ? json(m.chart->key) : json();
    out["leaves"] = m.leaves;
    out["since"] = seconds(m.since);
    return text_of(out);
}

std::string hub::greeting(const viewer& who) const {
    return text_of(json({{"viewer", who.number},
                         {"page", run_},
                         {"may_command", who.may_command},
                         {"t", seconds(clock_.now())},
                         {"title", options_.title.empty() ? std::string(program_invocation_short_name) : options_.title}}));
}

// The server's threads.

std::shared_ptr<viewer> hub::join(bool may_command) {
    const std::lock_guard lock(mutex_);
    if (ends_ || viewers_.size() >= options_.most.viewers) return nullptr;
    auto made = std::make_shared<viewer>(viewer{++last_viewer_, may_command, rounds_});
    viewers_.push_back(made);
    for (auto& each : feeds_) each.add_viewer();
    wake_.notify_all();
    return made;
}

bool hub::take(viewer& who, std::string& text, std::chrono::milliseconds wait) {
    std::unique_lock lock(mutex_);
    worked_.wait_for(lock, wait, [&] { return ends_ || has_news(who); });
    text.clear();
    try {
        if (has_news(who)) text = news_for(who);
    } catch (const std::bad_alloc&) {
        who.next_event = viewer::unsent; // it gets everything again
    }
    return !ends_;
}

void hub::leave(viewer& who) {
    const std::lock_guard lock(mutex_);
    const auto at = find_viewer(who.number);
    if (at == viewers_.end()) return;
    for (const auto& [id, next] : who.open)
        if (auto* const m = find_in(machines_, id)) release(*m);
    for (auto& each : feeds_) each.remove_viewer();
    viewers_.erase(at);
    if (viewers_.empty()) events_.clear(), events_size_ = 0;
}

hub::viewer_list::iterator hub::find_viewer(std::uint32_t number) {
    return std::find_if(viewers_.begin(), viewers_.end(), [&](const auto& each) { return each->number == number; });
}

void hub::release(listed& m) {
    if (--m.viewers == 0) m.close_at = clock_.now() + close_after;
}

refusal hub::show(std::uint32_t who, std::uint32_t machine, bool on) {
    const std::lock_guard lock(mutex_);
    const auto v = find_viewer(who);
    if (v == viewers_.end()) return unknown_viewer;
    auto& open = (*v)->open;
    auto* const m = find_in(machines_, machine);
    if (!on) {
        if (open.erase(machine) == 1 && m) release(*m);
        return {};
    }
    if (!m) return unknown_machine;
    if (open.count(machine)) return {};
    std::map<std::uint32_t, std::uint64_t> added{{machine, viewer::unsent}};
    if (m->viewers == 0 && m->close_at == 0 && m->kind != machine_kind::recorded &&
        !m->source->push_command({.machine = machine, .verb = verb::open}))
        return queue_full;
    m->close_at = 0;
    ++m->viewers;
    open.merge(added);
    return {};
}

refusal hub::send(command& c) {
    const std::lock_guard lock(mutex_);
    const auto* const m = find_in(machines_, c.machine);
    if (!m || m->kind == machine_kind::recorded) return unknown_machine;
    c.number = ++last_command_;
    std::map<std::uint64_t, std::optional<command_result>> awaited{{c.number, std::nullopt}};
    if (!m->source->push_command(command(c))) return queue_full;
    awaited_.merge(awaited);
    return {};
}

std::optional<command_result> hub::result_of(std::uint64_t number, std::chrono::milliseconds wait) {
    std::unique_lock lock(mutex_);
    worked_.wait_for(lock, wait, [&] { return ends_ || awaited_.at(number).has_value(); });
    auto out = std::move(awaited_.at(number));
    awaited_.erase(number);
    return out;
}

std::optional<chart_base> hub::chart(const std::string& key) const {
    const std::lock_guard lock(mutex_);
    const auto known = find_chart(key);
    return known ? known->chart : std::nullopt;
}

std::string hub::dictionary(const std::string& key) {
    std::unique_lock lock(mutex_);
    const auto known = find_chart(key);
    if (!known || !known->dictionary.empty()) return known ? known->dictionary : "";
    lock.unlock();
    auto text = dictionary_of(*known); // takes milliseconds for large charts
    lock.lock();
    return known->dictionary = std::move(text);
}

std::string hub::trace(std::uint32_t machine) const {
    const std::lock_guard lock(mutex_);
    const auto* const m = find_in(machines_, machine);
    return m && m->records ? m->records->trace(m->name) : std::string();
}

} // namespace hsm::inspect::detail
