/// The numbers that records use for events, transitions and guards: those of the same chart at run time. That chart has one event for values that no
/// transition distinguishes, and a row for each event of a transition: event_tables.cpp, tables.cpp.
#pragma once

#include <hsm/constant/detail/list.hpp>
#include <hsm/constant/detail/rows.hpp>

#include <cstdint>

namespace hsm::detail {

inline constexpr std::uint32_t no_column = 0xffff'ffff;

template <class Model> class constant_numbers {
public:
    /// `used`: whether they are needed.
    constexpr constant_numbers(const Model& m, bool used) : m_(m) {
        if (!used) return;
        for (const auto& type : m.types) number_events(type);
        guards_.append(m.guards.size(), 0);
        for (std::uint32_t t = 0; t < m.transitions.size(); ++t) number(t);
    }

    constexpr const constant_list<std::uint32_t>& events() const { return events_; } ///< by column
    constexpr std::uint32_t guard(std::uint32_t g) const { return guards_[g]; }
    /// `column`: that of the current event, if the transition waits for one.
    constexpr std::uint32_t transition(std::uint32_t t, std::uint32_t column) const {
        return first_rows_[t] + (column == no_column || m_.transitions[t].event == no_index ? 0 : rows_before(t, events_[column]));
    }

private:
    constexpr void number_events(const constant_event_type& type) {
        constant_list<std::uint64_t> who;
        for (auto c = type.first; c < type.first + type.count; ++c) {
            who.push_back(who_waits(type, c));
            std::size_t same = 0;
            while (who[same] != who.back()) ++same;
            events_.push_back(same + 1 == who.size() ? last_event_++ : events_[type.first + same]);
        }
    }
    /// Returns a hash of the keys that match the column.
    constexpr std::uint64_t who_waits(const constant_event_type& type, std::uint32_t column) const {
        std::uint64_t hash = 14695981039346656037u;
        for (std::uint32_t e = 0; e < m_.events.size(); ++e)
            if (&m_.types[m_.events[e].type] == &type && m_.waits_for(m_.events[e], column)) hash = (hash ^ (e + 1)) * 1099511628211u;
        return hash;
    }
    constexpr void number(std::uint32_t t) {
        first_rows_.push_back(last_row_);
        last_row_ += m_.transitions[t].event == no_index ? 1 : rows_before(t, no_column);
        for (auto g = m_.transitions[t].guard; g >= 0; g = m_.guards[static_cast<std::size_t>(g)].next)
            guards_[static_cast<std::size_t>(g)] = last_guard_++;
    }
    /// Returns the number of its events with lower numbers.
    constexpr std::uint32_t rows_before(std::uint32_t t, std::uint32_t event) const {
        const auto& waited = m_.events[m_.transitions[t].event];
        const auto& type = m_.types[waited.type];
        std::uint32_t rows = 0, next = 0; // events of a type have ascending numbers
        for (auto c = type.first; c < type.first + type.count; ++c)
            if (events_[c] < event && events_[c] >= next && m_.waits_for(waited, c)) ++rows, next = events_[c] + 1;
        return rows;
    }

    const Model& m_;
    constant_list<std::uint32_t> events_;     ///< by column
    constant_list<std::uint32_t> first_rows_; ///< by transition
    constant_list<std::uint32_t> guards_;
    std::uint32_t last_event_ = 0, last_row_ = 0, last_guard_ = 0;
};

} // namespace hsm::detail
