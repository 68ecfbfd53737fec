#include <hsm/define/lookup.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>
#include <unordered_map>

namespace hsm {

namespace {

/// A state without a name is a mistake of its own; no path leads there.
const state_base* substate_named(const state_base& s, std::string_view name) {
    if (name.empty()) return nullptr;
    const auto found = std::ranges::find(s.substates(), name, [](const auto& sub) { return sub->name(); });
    return found == s.substates().end() ? nullptr : found->get();
}

/// Walks "a/b/c" down from `s`. Named: finds a substate by its name.
template <class Named> const state_base* below(const state_base& s, std::string_view path, const Named& named) {
    const auto slash = path.find('/');
    const state_base* const sub = named(s, path.substr(0, slash));
    return sub && slash != path.npos ? below(*sub, path.substr(slash + 1), named) : sub;
}

template <class Named> const state_base* find_path(const state_base& from, std::string_view path, const Named& named) {
    if (path.empty()) return nullptr;
    for (const auto* base = &from; base; base = base->superstate())
        if (const auto* found = below(*base, path, named)) return found;
    const auto& root = root_of(from);
    if (path == root.name()) return &root;
    if (path.starts_with(root.name()) && path.substr(root.name().size()).starts_with('/'))
        return below(root, path.substr(root.name().size() + 1), named);
    return nullptr;
}

/// Looks at the states that are exactly so deep below `s`; false if there are none.
bool look_at_depth(const state_base& s, int depth, const target_spec& what, lookup_result& result) {
    bool any = false;
    for (const auto& sub : s.substates()) {
        if (depth > 1) {
            any |= look_at_depth(*sub, depth - 1, what, result);
            continue;
        }
        any = true;
        if (!bears(*sub, what)) continue;
        result.ambiguous = result.found != nullptr;
        if (!result.found) result.found = sub.get();
    }
    return any;
}

/// The states below `s` that are meant, the shallowest level only. Running machines look states up, too: nothing is allocated.
lookup_result find_below(const state_base& s, const target_spec& what) {
    lookup_result result;
    for (int depth = 1; !result.found && look_at_depth(s, depth, what, result);) ++depth;
    return result;
}

lookup_result find_nearest(const state_base& from, const target_spec& what) {
    for (const auto* base = &from; base; base = base->superstate()) {
        if (bears(*base, what)) return {base};
        if (const auto result = find_below(*base, what); result.found) return result;
    }
    return {};
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        auto diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const auto above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] != b[j - 1])});
            diagonal = above;
        }
    }
    return row[b.size()];
}

/// The state below `s`, or `s` itself, whose name or path reads most like `written`.
struct closest_state {
    std::string_view written;
    const state_base* best = nullptr;
    std::size_t distance = std::size_t(-1);

    void consider(const state_base& s) {
        const auto path = s.path();
        const auto d = std::min({edit_distance(written, s.name()), edit_distance(written, path),
                                 edit_distance(written, std::string_view(path).substr(path.find('/') + 1))});
        if (d < distance) {
            best = &s;
            distance = d;
        }
        for (const auto& sub : s.substates()) consider(*sub);
    }
};

std::string listed(const state_base& machine) {
    std::string names;
    for (const auto& sub : machine.substates()) names += fmt::format("{}\"{}\"", names.empty() ? "" : ", ", sub->name());
    return names;
}

} // namespace

const state_base& root_of(const state_base& s) {
    const auto* at = &s;
    while (at->superstate()) at = at->superstate();
    return *at;
}

bool bears(const state_base& s, const target_spec& what) {
    if (what.id) return s.id() == what.id;
    const auto is_meant = [&](const local_prototype& local) { return same_tag(local.type().tag, what.by_class.type); };
    return same_tag(s.class_tag(), what.by_class.type) || std::ranges::any_of(s.locals(), is_meant);
}

lookup_result look_up(const state_base& from, const target_spec& what) {
    if (what.node) return {what.node};
    if (what.id || what.by_class) return find_nearest(from, what);
    return {find_path(from, what.path, substate_named)};
}

namespace {
struct name_in {
    const state_base* superstate;
    std::string_view name;
    friend bool operator==(const name_in&, const name_in&) = default;
};
struct name_hash {
    std::size_t operator()(const name_in& n) const {
        return std::hash<std::string_view>()(n.name) ^ std::hash<const void*>()(n.superstate) * 31;
    }
};
} // namespace

struct state_index::table {
    std::unordered_map<name_in, const state_base*, name_hash> states;

    void add(const state_base& s) {
        for (const auto& sub : s.substates()) {
            if (!sub->name().empty()) states.try_emplace({&s, sub->name()}, sub.get()); // the first of a name
            add(*sub);
        }
    }
};

state_index::state_index(const state_base& root) : table_(make_owned<table>()) { table_->add(root); }
state_index::~state_index() = default;

const state_base* state_index::find(const state_base& from, std::string_view path) const {
    return find_path(from, path, [&](const state_base& s, std::string_view name) -> const state_base* {
        const auto found = table_->states.find({&s, name});
        return found == table_->states.end() ? nullptr : found->second;
    });
}

lookup_result state_index::look_up(const state_base& from, const target_spec& what) const {
    if (what.node || what.id || what.by_class) return hsm::look_up(from, what);
    return {find(from, what.path)};
}

std::string_view closest_name(std::string_view written, const std::vector<std::string_view>& names) {
    const auto distance = [&](std::string_view name) { return edit_distance(written, name); };
    const auto closest = std::ranges::min_element(names, {}, distance);
    return closest != names.end() && distance(*closest) <= 1 + written.size() / 3 ? *closest : std::string_view();
}

std::string suggestion(std::string_view written, const std::vector<std::string_view>& names) {
    const auto closest = closest_name(written, names);
    if (names.empty() || closest == written) return {};
    if (!closest.empty()) return fmt::format("did you mean \"{}\"?", closest);
    std::string list;
    for (const auto name : names) list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", name);
    return fmt::format("there are {}", list);
}

std::string suggestion(const state_base& from, const target_spec& what) {
    if (what.node) return {};
    if (what.id) return fmt::format("add<{}::...>() gives a state that name", what.id.type_name);
    if (what.by_class) return fmt::format("add<{}>(...) makes a state of that class", detail::unqualified(what.by_class.name));
    closest_state closest{what.path};
    closest.consider(root_of(from));
    if (closest.distance <= 1 + what.path.size() / 3) return fmt::format("did you mean \"{}\"?", closest.best->path());
    const auto& machine = from.substates().empty() && from.superstate() ? *from.superstate() : from;
    return fmt::format("\"{}\" has {}", machine.path(), listed(machine));
}

} // namespace hsm
