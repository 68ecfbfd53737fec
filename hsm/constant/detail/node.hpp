/// The definition of a constant chart during constant evaluation: nodes and their transitions.
#pragma once

#include <hsm/constant/detail/hook.hpp>
#include <hsm/constant/detail/list.hpp>
#include <hsm/define/choosing.hpp>
#include <hsm/define/event_range.hpp>
#include <hsm/define/state_base.hpp>
#include <hsm/op/detail/compiler.hpp>

namespace hsm::detail {

struct constant_node_base;

/// A type, identified by its record. With -fsanitize=undefined, g++ cannot compare all addresses during constant evaluation; names are then compared.
template <class Once> struct constant_type_id {
    const Once* address = nullptr;
    std::string_view name; ///< empty: no type

    constexpr explicit operator bool() const { return !name.empty(); }
    friend constexpr bool operator==(const constant_type_id& a, const constant_type_id& b) {
        if (std::is_constant_evaluated()) {
            if (!HSM_IS_CONSTANT(a.address == b.address)) return a.name == b.name;
            return a.address == b.address;
        }
        return same_tag(a.address, b.address); // several modules can use one table
    }
};
using constant_tag = constant_type_id<type_identity>;
template <class T> constexpr constant_tag constant_tag_of() { return {tag_of<T>(), type_name<T>()}; }
template <class T> constexpr constant_tag constant_class_of() { return {class_tag_of<T>(), type_name<T>()}; }

/// The name of a state, like state_key.
struct constant_key {
    const constant_node_base* node = nullptr;
    constant_tag id; ///< of an enumerator
    std::int64_t value = 0;
    constant_tag by_class;
    std::string_view path;
};

struct constant_event {
    constant_type_id<event_type> type; ///< none: polled
    std::string_view name;             ///< of one enumerator, if the compiler reports it; of a class
    std::uint32_t size = 0;            ///< of the payload
    std::uint32_t alignment = 1;
    bool has_values = false; ///< each value is an event
    bool others = false;     ///< see event_key

    constexpr explicit operator bool() const { return static_cast<bool>(type); }
};

/// The target of a key. The definition stores it until all states exist.
struct constant_target {
    const constant_node_base* node = nullptr;
    constant_tag id;
    std::int64_t value = 0;
    constant_tag by_class;
    constant_text path;
    constant_target* next = nullptr; ///< in a list

    constexpr constant_target() = default;
    constant_target(const constant_target&) = delete;
    constant_target& operator=(const constant_target&) = delete;
    constexpr ~constant_target() { delete next; }

    constexpr void append(const constant_key& key) {
        auto* last = this;
        while (last->next) last = last->next;
        last->next = new constant_target;
        last->next->name(key);
    }
    constexpr void name(const constant_key& key) {
        node = key.node;
        id = key.id;
        value = key.value;
        by_class = key.by_class;
        path = key.path;
    }
};

struct constant_options {
    int priority = 0;
    bool on_finished = false;
    bool reenter = false;
    bool external = false;
    bool always = false; ///< polled, and also tried after every transition
    bool defers = false; ///< a reaction that defers the event
    bool force = false;  ///< no state holds it
    bool carry_over = false;
    bool has_weight = false;
    double weight = 1;         ///< of a candidate without a score
    std::int64_t cooldown = 0; ///< of a candidate, in nanoseconds

    constexpr bool is_last() const { return priority == INT32_MIN; } ///< `otherwise` of a choice
};

template <class Context> struct constant_spec : constant_target, constant_options {
    bool has_target = false;
    std::uint32_t position = 0; ///< among the transitions of its source
    // The lists after these:
    constant_target further;  ///< targets of a fork, after the first
    constant_target joined;   ///< the transition fires only while all these states are active
    constant_target excluded; ///< the transition does not fire while one of these states is active
    constant_event event;
    constant_list<event_interval> values;          ///< of the event
    constant_list<constant_guard<Context>> guards; ///< the trees; roots are chained by `next`
    std::int32_t first_guard = -1;
    std::int32_t last_guard = -1;
    std::int32_t last_group = -1;                                 ///< of conditions, before the other guards
    std::int32_t all_group = -1;                                  ///< the group of conditions that must all hold
    constant_list<constant_condition_use*>* conditions = nullptr; ///< of the source
    constant_list<constant_hook<Context>> actions;
    constant_score<Context> score;
    constant_delay<Context> after, every; ///< at most one of them
    constant_text label;

    template <class... More> constexpr void aim_at(const constant_key& key, const More&... more) {
        has_target = true;
        name(key);
        (further.append(more), ...);
    }

    template <class Scope, class Event> constexpr void add_guard(const constant_condition<Scope, Event>& g) {
        const auto root = g.append(g.tree, guards);
        if (last_guard >= 0)
            guards[static_cast<std::size_t>(last_guard)].next = root;
        else
            first_guard = root;
        last_guard = root;
        for (const auto& part : g.tree) add_condition(part);
    }
    /// Adds conditions of which one is sufficient, like transition_spec::add_conditions.
    constexpr void add_conditions(const constant_list<constant_guard<Context>>& bits) {
        const bool any = bits.size() > 1;
        const auto group = any || all_group < 0 ? add_group(any) : all_group;
        if (!any) all_group = group;
        for (const auto& bit : bits) {
            const auto part = static_cast<std::int32_t>(guards.size());
            guards.push_back(bit);
            add_condition(bit);
            auto* link = &guards[static_cast<std::size_t>(group)].part;
            while (*link >= 0) link = &guards[static_cast<std::size_t>(*link)].next;
            *link = part;
        }
    }

private:
    constexpr void add_condition(const constant_guard<Context>& g) {
        if (g.kind == g.bit && !g.handle) conditions->push_back(new constant_condition_use(g.used));
    }
    constexpr std::int32_t add_group(bool any) {
        const auto group = static_cast<std::int32_t>(guards.size());
        auto& added = guards.push_back({});
        added.kind = any ? constant_guard<Context>::any : constant_guard<Context>::all;
        added.is_group = true;
        auto& link = last_group < 0 ? first_guard : guards[static_cast<std::size_t>(last_group)].next;
        added.next = link;
        link = group;
        if (last_guard == last_group) last_guard = group;
        last_group = group;
        return group;
    }
};

template <bool Sense, class Context, class G> constexpr void collect_bits(constant_list<constant_guard<Context>>& to, const G& g) {
    if constexpr (names_condition<G>)
        to.push_back(bind_bit<Context>(g, Sense));
    else if constexpr (is_negation<G>)
        collect_bits<!Sense>(to, g.part);
    else
        g.parts.apply([&](const auto&... part) { (collect_bits<Sense>(to, part), ...); });
}

/// Adds the argument of `.when`, like add_guard in when.hpp.
template <class Scope, class Event, bool Sense = true, class G>
constexpr void add_constant_guard(constant_spec<constant_root<Scope>>& spec, const G& g) {
    if constexpr (!asks_conditions<G> && Sense) {
        spec.add_guard(constant_condition<Scope, Event>(g));
    } else if constexpr (is_any_group<G, Sense>) {
        constant_list<constant_guard<constant_root<Scope>>> bits;
        collect_bits<Sense>(bits, g);
        spec.add_conditions(bits);
    } else if constexpr (needs_each<G, Sense>) {
        g.parts.apply([&](const auto&... part) { (add_constant_guard<Scope, Event, Sense>(spec, part), ...); });
    } else if constexpr (is_negation<G>) {
        add_constant_guard<Scope, Event, !Sense>(spec, g.part);
    } else if constexpr (Sense) {
        spec.add_guard(constant_condition<Scope, Event>(g));
    } else {
        spec.add_guard(constant_condition<Scope, Event>(negation<G>{g}));
    }
}

struct constant_node_base {
    constant_text name_;
    state_kind kind_ = state_kind::leaf;
    bool transient_ = false;
    choosing choose_ = choosing::first;
    history_depth history_ = history_depth::none;
    constant_tag id_;
    std::int64_t value_ = 0;
    constant_tag class_tag_;
    constant_node_base* superstate_ = nullptr;
    std::uint32_t number_ = 0; ///< its index in the tables, once it is assigned
};

template <class Target> constexpr constant_key constant_key_of(const Target& target) {
    if constexpr (std::is_base_of_v<constant_node_base, Target>)
        return {&target, {}, 0, {}, {}};
    else if constexpr (std::is_enum_v<Target>)
        return {nullptr, constant_tag_of<Target>(), static_cast<std::int64_t>(target), {}, {}};
    else if constexpr (std::is_same_v<Target, class_id>)
        return {nullptr, {}, 0, {target.type, target.name}, {}};
    else
        return {nullptr, {}, 0, {}, std::string_view(target)};
}

/// The data of a state.
template <class Context> struct constant_node : constant_node_base {
    using spec_type = constant_spec<Context>;

    constexpr constant_node() = default;
    constant_node(const constant_node&) = delete;
    constant_node& operator=(const constant_node&) = delete;
    constexpr ~constant_node() {
        for (auto* sub : substates_) sub->delete_(sub);
        for (auto* t : transitions_) delete t;
        for (auto* t : choices_) delete t;
        for (auto* t : initials_) delete t;
        for (auto* p : predicates_) delete p;
        for (auto* h : hold_until_) delete h;
        for (auto* c : conditions_) delete c;
    }

    // Conditions of the instance, like those of state_base. A handle is valid during the definition.
    constexpr constant_condition_handle condition(std::string_view name, int bit = constant_condition_use::any_index) {
        return use(name.empty() ? "!" : name, bit); // reported
    }
    constexpr constant_condition_handle condition() { return use({}, constant_condition_use::any_index); }
    constexpr constant_condition_handle use(std::string_view name, int bit) {
        return constant_condition_handle(*conditions_.push_back(new constant_condition_use{name, bit}));
    }

    constexpr spec_type& add_to(constant_list<spec_type*>& list) {
        auto& spec = *list.push_back(new spec_type);
        spec.conditions = &conditions_;
        spec.position = static_cast<std::uint32_t>(list.size() - 1);
        return spec;
    }

    /// Adds a guard that finishes the state if it holds after an update.
    template <class Scope> constexpr void add_predicate(const constant_condition<Scope>& g) {
        (predicates_.empty() ? add_to(predicates_) : *predicates_[0]).add_guard(g);
    }

    void (*delete_)(constant_node*) = nullptr; ///< machines over a part of the context have other types
    constant_list<constant_node*> substates_;
    constant_list<constant_hook<Context>> enter_, update_, exit_, init_, destroy_, unhandled_, settled_;
    constant_list<constant_change<Context>> change_;
    constant_list<constant_local> locals_;
    constant_list<spec_type*> transitions_, choices_, initials_;
    constant_list<spec_type*> predicates_;              ///< at most one, with `finished` of its class and its locals as guards
    constant_list<constant_condition_use*> conditions_; ///< in the order of use
    constant_list<std::string_view> tags_;
    bool holds_ = false; ///< until it is released
    constant_list<spec_type*> hold_until_;
    constant_delay<Context> least_; ///< min_duration
    bool rechooses_ = false;
    constant_delay<Context> period_; ///< of rechoose_every
    double stay_bonus_ = 0;
};

} // namespace hsm::detail
