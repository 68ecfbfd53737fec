#include <hsm/observe/detail/trace_format.hpp>

#include <hsm/observe/chart_names.hpp>
#include <hsm/vm/detail/observed.hpp>

#include <algorithm>

namespace hsm::detail {

namespace {

template <class Number> void put(std::string& out, Number n) {
    n = little_endian(n);
    out.append(reinterpret_cast<const char*>(&n), sizeof(n));
}

void put_text(std::string& out, std::string_view text) {
    put(out, static_cast<std::uint32_t>(text.size()));
    out += text;
}

template <class List, class Put> void put_list(std::string& out, const List& list, Put put_one) {
    put(out, static_cast<std::uint32_t>(list.size()));
    for (const auto& each : list) put_one(each);
}

void put_chunk(std::string& out, chunk_kind kind, std::uint32_t number, std::uint32_t other, std::string_view payload) {
    const auto head = little_endian(chunk_head{static_cast<std::uint32_t>(kind), static_cast<std::uint32_t>(payload.size()), number, other});
    out.append(reinterpret_cast<const char*>(&head), sizeof(head));
    out += payload;
}

std::string payload_of(const chart_names& names) {
    std::string out(reinterpret_cast<const char*>(names.fingerprint.data()), names.fingerprint.size());
    put_list(out, names.states, [&](const chart_names::state& s) {
        put(out, s.superstate);
        put(out, static_cast<std::uint16_t>(s.parallel));
        put_text(out, s.path);
    });
    put_list(out, names.transitions, [&](const chart_names::transition& t) {
        put(out, t.source);
        put(out, t.target);
        put(out, t.event);
        put_text(out, t.text);
    });
    for (const auto* list : {&names.events, &names.conditions, &names.guards, &names.hooks, &names.timers})
        put_list(out, *list, [&](const std::string& text) { put_text(out, text); });
    return out;
}

void put_track(std::string& out, std::uint32_t number, std::uint32_t chart, agent_key who, const std::string& name) {
    std::string payload;
    put(payload, who.number);
    put(payload, std::uint32_t(who.generation));
    put_chunk(out, chunk_kind::track, number, chart, payload + name);
}

} // namespace

std::string trace_head(const chart_names& chart, const std::string& name) {
    std::string out(trace_magic);
    put(out, trace_version);
    put(out, std::uint32_t(0));
    put_chunk(out, chunk_kind::chart, 0, 0, payload_of(chart));
    put_track(out, 0, 0, {}, name);
    return out;
}

std::string trace_chunk(std::span<const record> records) {
    std::vector<record> in_file(records.begin(), records.end());
    make_little_endian(in_file);
    std::string out;
    put_chunk(out, chunk_kind::records, 0, 0, {reinterpret_cast<const char*>(in_file.data()), records.size_bytes()});
    return out;
}

std::string trace_end() {
    std::string out;
    put_chunk(out, chunk_kind::end, 0, 0, {});
    return out;
}

std::vector<std::uint16_t> leaves_of(const superstate_list& superstates, std::span<const std::uint16_t> active) {
    std::vector<std::uint16_t> leaves;
    for (const auto s : active)
        if (std::ranges::none_of(active, [&](auto inner) { return superstates[inner] == s; })) leaves.push_back(s);
    return leaves;
}

std::vector<record> configuration_of(const superstate_list& superstates, std::span<const std::uint16_t> active, std::int64_t clock) {
    auto leaves = leaves_of(superstates, active);
    const auto count = leaves.size();
    std::vector<record> out{{record_kind::configuration, static_cast<std::uint8_t>(configuration_reason::attached),
                             leaves.empty() ? record::no_state : leaves[0], static_cast<std::uint32_t>(count), static_cast<std::uint64_t>(clock)}};
    leaves.resize(count + further_numbers); // further_record reads so many
    for (std::size_t i = 1; i < count; i += further_numbers) out.push_back(further_record(&leaves[i], std::min(further_numbers, count - i)));
    return out;
}

std::string trace_definitions::add_track(const chart_base& c, agent_key who, const std::string& name, std::uint32_t& track) {
    const auto known = std::ranges::find_if(charts_, [&](const chart_base& each) { return &each.core() == &c.core(); });
    const auto chart = static_cast<std::uint32_t>(known - charts_.begin());
    const bool is_new = known == charts_.end();
    const auto number = static_cast<std::uint32_t>(tracks_.size());
    std::string chunks;
    if (is_new) put_chunk(chunks, chunk_kind::chart, chart, 0, payload_of(names_of(c)));
    put_track(chunks, number, chart, who, name);
    tracks_.push_back(chart);
    try {
        if (is_new) charts_.push_back(c);
    } catch (...) {
        tracks_.pop_back();
        throw;
    }
    track = number;
    return chunks;
}

std::string trace_definitions::register_agent(agent_key who, const chart_base& c, const std::string& name) {
    const bool missed_before = std::exchange(missed_, true); // stays so if something is thrown
    whose_.reserve(agents_.size() + 1);
    if (has_no_agents()) whose_.assume(who);
    const auto [place, is_new] = agents_.try_emplace(who, no_track);
    std::string chunks;
    try {
        if (is_new || !is_of(place->second, c)) chunks = add_track(c, who, name, place->second);
    } catch (...) {
        if (is_new) agents_.erase(place);
        throw;
    }
    latest_ = {who, place->second};
    missed_ = missed_before;
    return chunks;
}

std::uint32_t trace_definitions::track_of(std::span<const record> next) {
    for (auto i = next.size(); i > 0; --i) // a call decides to whom the following records belong
        if (next[i - 1].kind == record_kind::call || next[i - 1].kind == record_kind::call_end) {
            whose_.next(next[i - 1]);
            break;
        }
    return agents_.begin()->second;
}

std::uint32_t trace_definitions::track_of(const record& next) {
    const auto who = whose_.next(next);
    if (who == latest_.first) return latest_.second;
    const auto known = agents_.find(who);
    latest_ = {who, known == agents_.end() ? no_track : known->second};
    return latest_.second;
}

} // namespace hsm::detail
