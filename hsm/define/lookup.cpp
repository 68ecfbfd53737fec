#include <hsm/define/detail/lookup.hpp>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string_view>
#include <unordered_map>

namespace hsm::detail {

namespace {

/// An empty name finds no state: the check reports states without names.
const state_base* substate_named(const state_base& s, std::string_view name) {
    if (name.empty()) return nullptr;
    const auto found = std::ranges::find(s.substates(), name, [](const auto& sub) { return sub->name(); });
    return found == s.substates().end() ? nullptr : found->get();
}

/// Follows the path "a/b/c" down from `s`.
const state_base* below(const state_base& s, std::string_view path) {
    for (const auto* at = &s;;) {
        const auto slash = path.find('/');
        at = substate_named(*at, path.substr(0, slash));
        if (!at || slash == path.npos) return at;
        path.remove_prefix(slash + 1);
    }
}

const state_base* find_path(const state_base& from, std::string_view path) {
    if (path.empty()) return nullptr;
    for (const auto* base = &from; base; base = base->superstate())
        if (const auto* found = below(*base, path)) return found;
    const auto& root = root_of(from);
    if (path == root.name()) return &root;
    if (path.starts_with(root.name()) && path.substr(root.name().size()).starts_with('/')) return below(root, path.substr(root.name().size() + 1));
    return nullptr;
}

/// Looks at the states exactly `depth` levels below `s`. Returns false if there are none.
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

/// Returns the matching states below `s`, on the shallowest level that has any. Does not allocate, because running machines call it.
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
    return {find_path(from, what.path)};
}

/// A path is hashed to a number: that of the superstate's path times a factor, plus that of the name. So the number of a path below any state is
/// known without a walk. A lookup from a deep state costs the length of the path, plus one probe for each superstate.
struct state_index::table {
    struct entry {
        std::uint64_t path = 0;
        const state_base* node = nullptr;
    };
    static constexpr std::uint64_t factor = 0x9e37'79b9'7f4a'7c15;

    std::vector<entry> entries; ///< by path; the size is a power of two, and at least half of them are free
    std::unordered_map<const state_base*, std::uint64_t> paths;
    const state_base* last = nullptr;    ///< the start of the latest lookup
    std::vector<std::uint64_t> outwards; ///< the numbers of that state and its superstates

    explicit table(const state_base& root) {
        paths.emplace(&root, 1);
        std::vector<const state_base*> all{&root};
        for (std::size_t i = 0; i < all.size(); ++i)
            for (const auto& sub : all[i]->substates()) all.push_back(sub.get());
        std::size_t size = 16;
        while (size < 2 * all.size()) size *= 2;
        entries.resize(size);
        paths.reserve(all.size());
        for (const auto* s : all)
            for (const auto& sub : s->substates()) add(*sub, paths[s]);
    }

    static std::uint64_t number_of(std::string_view name) { return std::hash<std::string_view>()(name) | 1; }
    static std::size_t mixed(std::uint64_t path) { return static_cast<std::size_t>((path ^ path >> 29) * factor >> 17); }

    /// Returns the first entry with that number for which `visit(node)` is true; null if there is none.
    template <class Visit> const entry* first_at(std::uint64_t path, const Visit& visit) const {
        for (auto i = mixed(path);; ++i) {
            const auto& e = entries[i & (entries.size() - 1)];
            if (!e.node) return nullptr;
            if (e.path == path && visit(*e.node)) return &e;
        }
    }

    /// Of states with the same path, only the first is found by it. States below the others are found by paths from there.
    void add(const state_base& s, std::uint64_t above) {
        const auto path = above * factor + number_of(s.name());
        const auto is_same = [&](const state_base& other) { return other.superstate() == s.superstate() && other.name() == s.name(); };
        if (s.name().empty() || first_at(path, is_same)) {
            paths.emplace(&s, mixed(paths.size()) * factor);
            return;
        }
        auto i = mixed(path);
        while (entries[i & (entries.size() - 1)].node) ++i;
        entries[i & (entries.size() - 1)] = {path, &s};
        paths.emplace(&s, path);
    }

    void look_from(const state_base& from) {
        if (last == &from) return;
        last = &from;
        outwards.clear();
        for (const auto* s = &from; s; s = s->superstate()) outwards.push_back(paths.at(s));
    }
};

namespace {
/// Returns whether the path leads from `base` to `s`.
bool leads(const state_base* base, std::string_view path, const state_base* s) {
    for (auto end = path.size();;) {
        const auto slash = end == 0 ? path.npos : path.rfind('/', end - 1);
        const auto begin = slash == path.npos ? 0 : slash + 1;
        if (!s || s->name() != path.substr(begin, end - begin)) return false;
        s = s->superstate();
        if (begin == 0) return s == base;
        end = begin - 1;
    }
}
} // namespace

state_index::state_index(const state_base& root) : table_(make_owned<table>(root)) {}
state_index::~state_index() = default;

const state_base* state_index::find(const state_base& from, std::string_view path) const {
    if (path.empty()) return nullptr;
    auto& t = *table_;
    t.look_from(from);
    std::uint64_t number = 0, power = 1;
    for (std::size_t i = 0; i <= path.size();) {
        const auto end = std::min(path.find('/', i), path.size());
        number = number * t.factor + t.number_of(path.substr(i, end - i));
        power *= t.factor;
        i = end + 1;
    }
    const auto* base = &from;
    for (const auto above : t.outwards) {
        const auto* const found = t.first_at(above * power + number, [&](const state_base& s) { return leads(base, path, &s); });
        if (found) return found->node;
        base = base->superstate();
    }
    const auto& root = root_of(from);
    if (path == root.name()) return &root;
    if (!path.starts_with(root.name()) || !path.substr(root.name().size()).starts_with('/')) return nullptr;
    const auto* at = &root; // follows the path from the root, one name at a time
    for (auto rest = path.substr(root.name().size() + 1); at;) {
        const auto slash = rest.find('/');
        const auto name = rest.substr(0, slash);
        const auto* const found = t.first_at(t.paths.at(at) * t.factor + t.number_of(name), [&](const state_base& s) { return leads(at, name, &s); });
        at = found ? found->node : nullptr;
        if (slash == rest.npos) return at;
        rest.remove_prefix(slash + 1);
    }
    return nullptr;
}

lookup_result state_index::look_up(const state_base& from, const target_spec& what) const {
    if (what.node || what.id || what.by_class) return detail::look_up(from, what);
    return {find(from, what.path)};
}

} // namespace hsm::detail
