/// Names of the states of a constant chart at run time. All lookups are done by the compiler.
#pragma once

#include <hsm/constant/detail/rows.hpp>

namespace hsm::detail {

/// A state of a constant chart, or none.
template <class Chart> class constant_ref {
public:
    constexpr constant_ref() = default;
    constexpr explicit constant_ref(index s) : state_(s) {}

    constexpr explicit operator bool() const { return state_ != no_index; }
    constexpr std::string_view name() const { return *this ? Chart::tables.text(Chart::tables.states[state_].name) : std::string_view(); }
    /// Returns the names from the root, joined by '/'.
    constexpr std::string_view path() const { return *this ? Chart::tables.text(Chart::tables.states[state_].path) : std::string_view(); }
    constexpr constant_ref superstate() const { return constant_ref(Chart::tables.states[state_].superstate); }
    constexpr index number() const { return state_; } ///< in preorder; 0 is the root
    friend constexpr bool operator==(const constant_ref&, const constant_ref&) = default;

private:
    index state_ = no_index;
};

// Not constexpr: a key that names no state, or several, is a compile error.
inline void there_is_no_such_state_in_the_chart() {}
inline void several_states_of_the_chart_are_named_so() {}
inline void there_is_no_such_condition_in_the_chart() {}
inline void this_condition_is_not_a_trigger() {}
inline void no_state_of_the_chart_has_this_tag() {}
inline void no_transition_with_a_time_has_this_label() {}

/// A condition of a constant chart, by name or by the index that the definition gives it.
template <class Chart> struct constant_condition_key {
    consteval constant_condition_key(const char* name) : number(Chart::tables.condition_of(name)) {
        if (number == Chart::size.conditions) there_is_no_such_condition_in_the_chart();
    }
    consteval constant_condition_key(int given) {
        while (number < Chart::size.conditions && Chart::tables.conditions[number].given != given) ++number;
        if (number == Chart::size.conditions) there_is_no_such_condition_in_the_chart();
    }
    std::size_t number = 0;
};
template <class Chart> struct constant_trigger_key : constant_condition_key<Chart> {
    template <class Name> consteval constant_trigger_key(Name name) : constant_condition_key<Chart>(name) {
        if (!Chart::tables.conditions[this->number].trigger) this_condition_is_not_a_trigger();
    }
};

/// The label of transitions with timers.
template <class Chart> struct constant_timer_key {
    consteval constant_timer_key(const char* text) : label(text) {
        if (Chart::tables.label_of(label) == Chart::size.timers) no_transition_with_a_time_has_this_label();
    }
    std::string_view label;
};

/// Like state_key: "attack/slash" from the root, with or without its name, or the end of exactly one state's path; an enumerator; state_of<T>().
template <class Chart> class constant_state_key {
public:
    consteval constant_state_key(const char* path) : state_(find(path)) {
        if (state_ != no_index) return;
        // The definition of a file reports where the name is used there.
        if constexpr (requires { Chart::definition::lacks(path); })
            Chart::definition::lacks(path);
        else
            there_is_no_such_state_in_the_chart();
    }
    constexpr constant_state_key(constant_ref<Chart> s) : state_(s.number()) {}
    template <class E>
        requires std::is_enum_v<E>
    consteval constant_state_key(E e) : id_(constant_tag_of<E>()), value_(static_cast<std::int64_t>(e)) {
        if (!is_known()) there_is_no_such_state_in_the_chart();
    }
    consteval constant_state_key(class_id c) : class_tag_{c.type, c.name} {
        if (!is_known()) there_is_no_such_state_in_the_chart();
    }

    /// The states with a tag.
    consteval constant_state_key(const tag& t) : is_tag_(true) {
        for (const auto& known : Chart::tables.tags)
            if (Chart::tables.text(known) == t.name) tag_ = known.first;
        if (tag_ == no_tag) no_state_of_the_chart_has_this_tag();
    }

    constexpr bool is(index s) const {
        const auto& row = Chart::tables.states[s];
        if (is_tag_) {
            bool has = false;
            for (auto i = row.tags.first; i < row.tags.first + row.tags.count; ++i) has |= Chart::tables.tags[i].first == tag_;
            return has;
        }
        if (id_) return row.id == id_ && row.value == value_;
        return class_tag_ ? row.class_tag == class_tag_ : s == state_;
    }

private:
    static consteval index find(std::string_view path) {
        const auto& t = Chart::tables;
        index whole = no_index, end = no_index;
        bool several = false;
        for (index s = 0; s < t.states.size(); ++s) {
            const auto full = t.text(t.states[s].path);
            if (s > 0 && full.substr(t.states[0].path.count + 1) == path) return s;
            if (full == path) whole = s;
            if (path.empty() || !full.ends_with(path) || full.size() == path.size() || full[full.size() - path.size() - 1] != '/') continue;
            several |= end != no_index;
            end = s;
        }
        if (whole != no_index) return whole;
        if (several) several_states_of_the_chart_are_named_so();
        return end;
    }
    consteval bool is_known() const {
        for (index s = 0; s < Chart::tables.states.size(); ++s)
            if (is(s)) return true;
        return false;
    }

    index state_ = no_index;
    constant_tag id_;
    std::int64_t value_ = 0;
    constant_tag class_tag_;
    static constexpr std::uint32_t no_tag = 0xffff'ffff;
    bool is_tag_ = false;
    std::uint32_t tag_ = no_tag; ///< the first character
};

} // namespace hsm::detail
