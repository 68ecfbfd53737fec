#include <hsm/save/detail/snapshot_decoder.hpp>

#include <hsm/op/detail/format.hpp>
#include <hsm/op/detail/machine.hpp>
#include <hsm/save/detail/legal_states.hpp>

#include <cmath>

namespace hsm::detail {

void changes::add(code number, const document_position& place, std::string path, std::string what) {
    finding f{number, std::move(path), std::move(what), ""};
    if (place.line > 0) f.where = {"document", place.line, place.column};
    notes.push_back(std::move(f));
}

snapshot decode_snapshot(const chart_core& core, const json_value& d, std::int64_t now, changes& changed) {
    return snapshot_decoder(core, d, now, changed).run();
}

snapshot snapshot_decoder::run() {
    all_.only({"initialized", "paused", "time_scale", "active", "over", "completing", "states", "due", "history", "conditions", "waiting", "pending",
               "deferred", "internal", "posted", "mailbox"});
    read_head();
    read_leaves();
    read_conditions();
    read_states();
    read_history();
    read_waiting();
    return std::move(made_);
}

void snapshot_decoder::read_head() {
    auto& head = made_.head;
    const auto set = [&](auto& bits, const char* name, int bit) {
        if (all_.flag(name)) bits = static_cast<std::uint8_t>(bits | bit);
    };
    set(head.state, "initialized", state_ready);
    set(head.state, "paused", state_paused);
    if (all_.has("time_scale")) {
        const auto scale = all_["time_scale"];
        head.scale = scale.real();
        if (!(head.scale >= 0 && std::isfinite(head.scale))) scale.refuse("it is not a factor");
        if (head.scale != 1.0) head.state |= state_scaled;
    }
    set(head.work, "over", work_over);
    set(head.work, "completing", work_completion);
}

void snapshot_decoder::read_history() {
    made_.records.resize(core_.history_owners.size());
    all_.each_field("history", [&](const std::string& path, const document_node& each) {
        const auto found = names_.find_state(path);
        const auto number = found.is_all ? core_.states[found.state].record : no_index;
        if (number == no_index) return note(each, fmt::format("{} no longer has a history", path));
        read_record(number, found.state, each);
    });
}

void snapshot_decoder::read_record(std::size_t number, index owner, const document_node& from) {
    std::vector<index> leaves;
    bool fits = true;
    from.each_item([&](const document_node& each) {
        const auto found = names_.find_state(each.text());
        fits &= found.is_all;
        leaves.push_back(found.state);
    });
    if (leaves.empty()) from.refuse("a history must name a state");
    snapshot::history_entry record;
    if (fits) fits = make_record(record, owner, leaves);
    if (!fits) return note(from, "the history names a state that no longer exists; the record is dropped");
    made_.records[number] = std::move(record);
}

bool snapshot_decoder::make_record(snapshot::history_entry& record, index owner, const std::vector<index>& leaves) const {
    record.recorded = leaves[0];
    if (!core_.by_regions) return leaves.size() == 1 && may_be_recorded(core_, owner, leaves[0]);
    const auto& inner = core_.states[owner].regions;
    record.regions.assign(inner.count, no_index);
    for (std::size_t i = 1; i < leaves.size(); ++i) {
        const auto r = core_.states[leaves[i]].region;
        const bool is_inside = r >= inner.first && r < inner.first + inner.count;
        if (!is_inside || record.regions[r - inner.first] != no_index || !may_be_remembered(core_, leaves[i], core_.regions[r])) return false;
        record.regions[r - inner.first] = leaves[i];
    }
    return may_be_recorded(core_, owner, leaves[0]) && record_agrees(core_, owner, leaves[0], record.regions);
}

void snapshot_decoder::read_conditions() {
    made_.conditions.resize(words_for(core_.conditions.size()));
    all_.each_field("conditions", [&](const std::string& name, const document_node& each) {
        const auto& how = each.text();
        if (how != "on" && how != "pulse") each.refuse("a condition must be \"on\" or \"pulse\"");
        const auto number = names_.find_condition(name);
        if (number == saved_names::unknown || number == 0) return note(each, "this condition no longer exists");
        auto& word = made_.conditions[number / 64];
        const auto bit = std::uint64_t(1) << number % 64;
        word.bits |= bit;
        if (how == "pulse") word.pulsed |= bit;
    });
}

} // namespace hsm::detail
