#include <hsm/compile/detail/tables.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace hsm::detail {

namespace {

/// The place where the values of a key begin or end. Values up to the highest possible one have no end.
struct cut {
    std::int64_t at;
    std::uint32_t key;
    bool begins;
};

std::vector<cut> cuts_of(const std::vector<event_key>& keys) {
    std::vector<cut> cuts;
    for (std::uint32_t k = 0; k < keys.size(); ++k)
        for (const auto& i : values_of(keys[k])) {
            cuts.push_back({i.first, k, true});
            if (i.last != INT64_MAX) cuts.push_back({i.last + 1, k, false});
        }
    std::ranges::stable_sort(cuts, {}, &cut::at);
    return cuts;
}

/// Returns the name of a key with exactly these values. If there is none: the name of the keys of all other events if only these match; otherwise a
/// name made from the values.
std::string class_name(const std::vector<event_key>& waiting, const event_type& type, const std::vector<event_interval>& values) {
    const event_key* only_others = &waiting.front();
    for (const auto& key : waiting) {
        if (values_of(key) == values) return key.name;
        if (!key.others) only_others = nullptr;
    }
    return only_others ? only_others->name : key_of_intervals(type, values, false).name;
}

void add(std::vector<event_interval>& to, const event_interval& i) {
    if (!to.empty() && to.back().last != INT64_MAX && to.back().last + 1 == i.first)
        to.back().last = i.last;
    else
        to.push_back(i);
}

} // namespace

std::vector<event_interval> values_of(const event_key& key) {
    return key.values.empty() ? std::vector<event_interval>{{key.value, key.value}} : key.values;
}

std::vector<event_key> event_classes(const std::vector<event_key>& waited_for) {
    const auto cuts = cuts_of(waited_for);
    std::map<std::vector<std::uint32_t>, std::vector<event_interval>> classes; // by the keys that match
    std::multiset<std::uint32_t> waiting;                                      // the values of a key may overlap
    for (std::size_t c = 0; c < cuts.size(); ++c) {
        if (cuts[c].begins)
            waiting.insert(cuts[c].key);
        else
            waiting.erase(waiting.find(cuts[c].key));
        const bool more_here = c + 1 < cuts.size() && cuts[c + 1].at == cuts[c].at;
        if (waiting.empty() || more_here) continue;
        std::vector<std::uint32_t> who(waiting.begin(), waiting.end());
        who.erase(std::unique(who.begin(), who.end()), who.end());
        add(classes[who], {cuts[c].at, c + 1 < cuts.size() ? cuts[c + 1].at - 1 : INT64_MAX});
    }
    std::vector<event_key> events;
    for (auto& [who, values] : classes) {
        std::vector<event_key> keys;
        for (const auto k : who) keys.push_back(waited_for[k]);
        const bool one = values.size() == 1 && values.front().first == values.front().last;
        auto name = class_name(keys, *keys.front().type, values);
        const auto first = values.front().first;
        events.push_back({keys.front().type, first, std::move(name), one ? std::vector<event_interval>() : std::move(values), false});
    }
    std::ranges::sort(events, {}, &event_key::value);
    return events;
}

} // namespace hsm::detail
