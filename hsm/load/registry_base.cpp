#include <hsm/load/detail/registry_base.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <tuple>

namespace hsm::detail {

namespace {

/// Returns null for behavior that does not depend on a context.
type_tag context_of(const behavior& b) { return b.over ? b.over->context : nullptr; }

registered_name listed(const behavior& b) { return {b.kind, b.name, b.over ? std::string(b.over->name) : std::string()}; }

} // namespace

std::string_view to_string(behavior_kind kind) {
    constexpr std::string_view names[] = {"hook",      "update", "action",      "guard", "on_change",  "delay", "score",
                                          "done_data", "local",  "state class", "part",  "identifier", "event", "bit"};
    return names[static_cast<std::size_t>(kind)];
}

struct registry_base::data {
    using key = std::tuple<behavior_kind, std::string, type_tag>;
    using view = std::tuple<behavior_kind, std::string_view, type_tag>;
    struct earlier {
        using is_transparent = void;
        static view seen(const key& k) { return {std::get<0>(k), std::get<1>(k), std::get<2>(k)}; }
        static const view& seen(const view& v) { return v; }
        template <class A, class B> bool operator()(const A& a, const B& b) const {
            const auto left = seen(a), right = seen(b);
            if (std::get<0>(left) != std::get<0>(right)) return std::get<0>(left) < std::get<0>(right);
            if (std::get<1>(left) != std::get<1>(right)) return std::get<1>(left) < std::get<1>(right);
            return std::less<>()(std::get<2>(left), std::get<2>(right));
        }
    };

    const node_factory* context;
    std::map<key, behavior, earlier> behaviors;
    std::vector<registered_name> repeated;
    std::vector<type_tag> known; ///< contexts; if several modules have the same type, its first tag
    std::set<type_tag, std::less<>> contexts;
    std::mutex uses;
    std::map<std::string, std::set<const behavior*>, std::less<>> used; ///< by file
    name_source* source = nullptr;

    /// Returns the tag that represents this type in keys.
    type_tag like(type_tag tag) const {
        const auto found = std::ranges::find_if(known, [&](type_tag k) { return same_tag(k, tag); });
        return found == known.end() ? tag : *found;
    }
    type_tag note(type_tag tag) {
        const auto first = like(tag);
        if (first && std::ranges::find(known, first) == known.end()) known.push_back(first);
        return first;
    }
};

registry_base::registry_base(const node_factory& context) : data_(make_owned<data>()) { data_->context = &context; }
registry_base::registry_base(registry_base&& other) noexcept = default;
registry_base::~registry_base() = default;

bool registry_base::is_new(type_tag context) { return data_->contexts.insert(data_->note(context)).second; }

const node_factory& registry_base::context() const { return *data_->context; }

void registry_base::add(behavior b) {
    auto key = data::key{b.kind, b.name, data_->note(context_of(b))};
    auto name = listed(b);
    b.label = shared_name(b.name);
    if (!data_->behaviors.try_emplace(std::move(key), std::move(b)).second) data_->repeated.push_back(std::move(name));
}

std::vector<registered_name> registry_base::names() const {
    std::vector<registered_name> all;
    for (const auto& [key, b] : data_->behaviors) all.push_back(listed(b));
    return all;
}

std::vector<registered_name> registry_base::used_by(std::string_view file) const {
    const std::lock_guard lock(data_->uses);
    std::vector<registered_name> all;
    const auto found = data_->used.find(file);
    if (found == data_->used.end()) return all;
    for (const auto& [key, b] : data_->behaviors)
        if (found->second.contains(&b)) all.push_back(listed(b));
    return all;
}

std::vector<registered_name> registry_base::unused() const {
    const std::lock_guard lock(data_->uses);
    std::vector<registered_name> all;
    for (const auto& [key, b] : data_->behaviors) {
        bool used = false;
        for (const auto& [file, by_file] : data_->used) used = used || by_file.contains(&b);
        if (!used) all.push_back(listed(b));
    }
    return all;
}

const std::vector<registered_name>& registry_base::repeated() const { return data_->repeated; }

const behavior* registry_base::find(behavior_kind kind, std::string_view name, type_tag context) const {
    auto found = data_->behaviors.find(data::view{kind, name, data_->like(context)});
    if (found == data_->behaviors.end()) found = data_->behaviors.find(data::view{kind, name, nullptr});
    return found == data_->behaviors.end() ? nullptr : &found->second;
}

std::vector<std::string_view> registry_base::names(behavior_kind kind, type_tag context) const {
    std::vector<std::string_view> all;
    for (auto it = data_->behaviors.lower_bound(data::view{kind, "", nullptr}); it != data_->behaviors.end() && it->second.kind == kind; ++it)
        if (!it->second.over || same_tag(it->second.over->context, context)) all.push_back(it->second.name);
    return all;
}

std::vector<const behavior*> registry_base::named(std::string_view name) const {
    std::vector<const behavior*> all;
    for (const auto& [key, b] : data_->behaviors)
        if (b.name == name) all.push_back(&b);
    return all;
}

void registry_base::listen(name_source* source) const { data_->source = source; }

name_source* registry_base::source() const { return data_->source; }

void registry_base::add_use(std::string_view file, const behavior& b) const {
    const std::lock_guard lock(data_->uses);
    auto found = data_->used.find(file);
    if (found == data_->used.end()) found = data_->used.emplace(std::string(file), std::set<const behavior*>()).first;
    found->second.insert(&b);
}

} // namespace hsm::detail
