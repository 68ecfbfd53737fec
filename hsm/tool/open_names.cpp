#include <hsm/tool/detail/open_names.hpp>

#include <hsm/chart/view.hpp>
#include <hsm/load/detail/misspelt.hpp>
#include <hsm/load/registry.hpp>
#include <hsm/op/detail/format.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace hsm::detail::tool {

namespace {

// Callables without parameters fit any context.
struct simulated_guard {
    simulated_name* name;
    bool operator()() const { return name->of->ask(*name); }
};
struct simulated_hook {
    simulated_name* name;
    void operator()() const { name->of->run(*name); }
};
struct simulated_change {
    simulated_name* name;
    void operator()(state_ref, state_ref, reason) const { name->of->run(*name); }
};
struct simulated_delay {
    simulated_name* name;
    time_span operator()() const { return name->of->measure(*name); }
};

/// The data of a named part of a context.
struct open_context {
    std::string name; ///< of the part
    type_identity identity{};
    node_factory factory{};
    std::vector<std::string> parts; ///< that lead to it, from the root on
};

struct open_entry {
    behavior known{};
    std::unique_ptr<open_context> inside; ///< for a part
};

template <class Function, class F> erased<Function> with_state(Function call, F f) {
    return erased<Function>({call, new F(std::move(f)), &delete_callable<F>, {}});
}

void simulate_guard(behavior& b, simulated_name& name) {
    b.ask = &ask_copy<simulated_context, no_event, simulated_guard>;
    b.op = own(&bind_copy<as_guard, simulated_context, no_event, simulated_guard>, simulated_guard{&name});
}

template <class Role> void simulate_hook(behavior& b, simulated_name& name) {
    b.op = own(&bind_copy<Role, simulated_context, no_event, simulated_hook>, simulated_hook{&name});
}

void simulate_change(behavior& b, simulated_name& name) {
    b.op = own(&bind_change_copy<simulated_context, simulated_change>, simulated_change{&name});
}

void simulate_delay(behavior& b, simulated_name& name) {
    b.op = own(&bind_copy<as_delay, simulated_context, no_event, simulated_delay>, simulated_delay{&name});
}

/// Simulated scores are equal.
struct simulated_score {
    double operator()() const { return 1; }
};
void simulate_score(behavior& b) { b.op = own(&bind_copy<as_score, simulated_context, no_event, simulated_score>, simulated_score{}); }

/// Simulated done data is empty.
struct simulated_done_data {
    const simulated_name* name;
    event_data operator()(const simulated_context&) const { return {}; }
};
void simulate_done_data(behavior& b, simulated_name& name) {
    b.op = own(&bind_copy<as_done_data, simulated_context, no_event, simulated_done_data>, simulated_done_data{&name});
}

void simulate_local(behavior& b, simulation& sim) {
    constexpr auto add = [](const void* type, state_base& at) -> state_base* {
        at.add_local(simulation::local_of(**static_cast<const local_type* const*>(type)));
        return &at;
    };
    b.make = with_state<state_base* (*)(const void*, state_base&)>(add, &sim.local(b.name));
}

/// Builds a leaf, or a machine if the file adds states. The states that the real class adds are unknown.
void simulate_class(behavior& b, const name_use& use) {
    struct shape {
        const node_factory* over;
        state_kind kind;
    };
    const auto add = [](const void* self, state_base& at) -> state_base* {
        const auto& s = *static_cast<const shape*>(self);
        auto made = s.over->make(s.kind, history_depth::none, {});
        auto* const node = made.get();
        at.adopt(std::move(made));
        return node;
    };
    b.inner = use.over;
    b.make =
        with_state<state_base* (*)(const void*, state_base&)>(add, shape{use.over, use.contains_states ? state_kind::machine : state_kind::leaf});
}

void simulate_context(open_entry& e, std::vector<std::string> parts) {
    auto& inside = *(e.inside = std::make_unique<open_context>());
    inside.name = e.known.name;
    inside.identity = identity_of<simulated_context>();
    inside.identity.name = inside.name;
    inside.factory = {&inside.identity, inside.name, &make_node<simulated_context>};
    inside.parts = std::move(parts);
    inside.parts.push_back(inside.name);
    e.known.inner = &inside.factory;
    static constexpr auto stay = [](const void*, void* context) { return context; };
    constexpr auto add = [](const void*, state_base& at) { at.set_projection(projection({stay, nullptr, nullptr, {}})); };
    e.known.project = erased<void (*)(const void*, state_base&)>({add, nullptr, nullptr, {}});
}

std::string role_of(const name_use& use) {
    switch (use.kind) {
    case behavior_kind::guard: return use.holds ? "hold_until" : use.finishes ? "finished" : "guard";
    case behavior_kind::callback:
    case behavior_kind::update:
    case behavior_kind::change: return std::string(to_string(use.hook));
    case behavior_kind::state: return "class";
    case behavior_kind::part: return "context";
    default: break;
    }
    return std::string(to_string(use.kind));
}

bool is_earlier(const origin& a, const origin& b) { return std::tie(a.line, a.column) < std::tie(b.line, b.column); }

} // namespace

struct open_names::data {
    using key = std::tuple<behavior_kind, std::string, const void*, bool>;

    simulation& sim;
    std::map<key, open_entry> entries;
    std::map<std::tuple<behavior_kind, std::string, const void*>, used_name> names;
    std::map<const void*, const open_context*> parts; ///< by tag
    bool refuses_undeclared = false;
    std::set<behavior_kind> declared; ///< kinds that the file declares

    used_name& note(const name_use& use) {
        const void* const tag = use.over ? use.over->context : nullptr;
        const bool needs_context = use.kind != behavior_kind::event && use.kind != behavior_kind::bit && use.kind != behavior_kind::identifier;
        auto& n = names[{use.kind, std::string(use.name), needs_context ? tag : nullptr}];
        n.kind = use.kind;
        if (n.name.empty()) n.name = use.name;
        if (needs_context && use.over) n.context = use.over->name;
        if (const auto part = parts.find(tag); needs_context && part != parts.end()) n.parts = part->second->parts;
        n.contains_states |= use.contains_states;
        n.declared |= use.state == nullptr;
        if (n.declared) declared.insert(use.kind);
        if (use.is_bit_index) n.index = use.index;
        const bool waits = use.event && *use.event && !is_any_event(*use.event); // hooks of any_event take no event
        n.sites.push_back({use.at, use.state ? use.state->path() : std::string(), waits ? use.event->name : std::string(), role_of(use)});
        return n;
    }

    open_entry& fill(open_entry& e, const name_use& use) {
        auto& b = e.known;
        b.kind = use.kind;
        b.name = std::string(use.name);
        b.label = shared_name(use.name);
        b.over = use.over;
        auto& simulated = sim.entry(use.kind, use.name);
        switch (use.kind) {
        case behavior_kind::guard: return simulate_guard(b, simulated), e;
        case behavior_kind::callback: return simulate_hook<as_hook>(b, simulated), e;
        case behavior_kind::update: return simulate_hook<as_update>(b, simulated), e;
        case behavior_kind::action: return simulate_hook<as_action>(b, simulated), e;
        case behavior_kind::change: return simulate_change(b, simulated), e;
        case behavior_kind::delay: return simulate_delay(b, simulated), e;
        case behavior_kind::score: return simulate_score(b), e;
        case behavior_kind::done_data: return simulate_done_data(b, simulated), e;
        case behavior_kind::local: return simulate_local(b, sim), e;
        case behavior_kind::state: return simulate_class(b, use), e;
        case behavior_kind::event: return b.key = key_of_name(use.name), e;
        case behavior_kind::identifier:
        case behavior_kind::bit: return e;
        case behavior_kind::part: break;
        }
        const auto outer = parts.find(use.over->context);
        simulate_context(e, outer == parts.end() ? std::vector<std::string>() : outer->second->parts);
        parts[e.inside->factory.context] = e.inside.get();
        return e;
    }
};

open_names::open_names(simulation& sim) : data_(new data{sim, {}, {}, {}, false, {}}) {}
open_names::~open_names() = default;

void open_names::refuse_undeclared() { data_->refuses_undeclared = true; }

const behavior* open_names::supply(const name_use& use) {
    if (data_->refuses_undeclared && data_->declared.contains(use.kind)) return nullptr;
    data_->note(use);
    const auto [at, is_new] =
        data_->entries.try_emplace({use.kind, std::string(use.name), use.over ? use.over->context : nullptr, use.contains_states});
    return &(is_new ? data_->fill(at->second, use) : at->second).known;
}

void open_names::found(const name_use& use, const behavior* registered) { data_->note(use).registered |= registered != nullptr; }

std::vector<used_name> open_names::names() const {
    std::vector<used_name> all;
    for (auto [key, n] : data_->names) {
        std::ranges::stable_sort(n.sites, is_earlier, &use_site::at);
        all.push_back(std::move(n));
    }
    std::ranges::stable_sort(all, is_earlier, [](const used_name& n) { return n.sites.front().at; });
    return all;
}

namespace {

/// Merges kinds of behavior that look the same in a file.
std::string_view group_of(behavior_kind kind) {
    switch (kind) {
    case behavior_kind::callback:
    case behavior_kind::update:
    case behavior_kind::action:
    case behavior_kind::change: return "hook";
    default: return to_string(kind);
    }
}

} // namespace

std::vector<message> misspelt_names(const std::vector<used_name>& names, const std::string& file) {
    struct group {
        std::vector<name_uses> uses;
        std::vector<const used_name*> first;
        std::map<std::string_view, std::size_t> numbers;
    };
    std::map<std::string_view, group> groups;
    for (const auto& n : names) {
        auto& g = groups[group_of(n.kind)];
        const auto [known, is_new] = g.numbers.try_emplace(n.name, g.uses.size());
        if (is_new) g.uses.push_back({n.name, 0, false}), g.first.push_back(&n);
        auto& entry = g.uses[known->second];
        entry.uses += n.sites.size();
        entry.is_known |= n.declared || n.registered;
    }
    std::vector<std::pair<origin, message>> found;
    for (const auto& [kind, g] : groups)
        for (const auto& [name, other] : find_misspelt(g.uses)) {
            const auto& place = g.first[name]->sites.front();
            found.emplace_back(place.at, message{.kind = message_kind::warning,
                                                 .text = problem_of_misspelt(kind, g.uses[name], g.uses[other]),
                                                 .hint = fmt::format("did you mean \"{}\"?", g.uses[other].name),
                                                 .where = {file, place.at.line, place.at.column},
                                                 .code = code::misspelt_name,
                                                 .state = place.state});
        }
    std::ranges::sort(found, is_earlier, &std::pair<origin, message>::first);
    std::vector<message> all;
    for (auto& [at, m] : found) all.push_back(std::move(m));
    return all;
}

} // namespace hsm::detail::tool
