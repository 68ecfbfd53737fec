#include <hsm/tool/detail/simulation.hpp>

#include <algorithm>
#include <iterator>

namespace hsm::detail::tool {

namespace {
constexpr std::string_view setting_names[] = {"false", "true", "once", "ask"}; ///< by guard_setting
}

std::string_view to_string(guard_setting setting) { return setting_names[static_cast<std::size_t>(setting)]; }

std::optional<guard_setting> guard_setting_of(std::string_view name) {
    const auto* const known = std::ranges::find(setting_names, name);
    if (known == std::end(setting_names)) return {};
    return static_cast<guard_setting>(known - setting_names);
}

simulated_name* simulation::find(behavior_kind kind, std::string_view name) {
    const auto found = std::ranges::find_if(names_, [&](const auto& n) { return n.kind == kind && n.name == name; });
    return found == names_.end() ? nullptr : &*found;
}

simulated_name& simulation::entry(behavior_kind kind, std::string_view name) {
    if (auto* const known = find(kind, name)) return *known;
    return names_.emplace_back(simulated_name{.of = this, .kind = kind, .name = std::string(name)});
}

namespace {

struct placeholder {};
constexpr placeholder prototype;

} // namespace

const local_type& simulation::local(std::string_view name) {
    const auto known = std::ranges::find(locals_, name, &named_local::name);
    if (known != locals_.end()) return known->type;
    auto& made = locals_.emplace_back(named_local{std::string(name), class_record<placeholder>, local_type_of<placeholder>});
    made.tag.name = made.type.name = made.name;
    made.type.release = [](const void*) noexcept {};
    made.type.clone = [](const void* object) { return object; };
    made.type.tag = &made.tag;
    return made.type;
}

local_prototype simulation::local_of(const local_type& type) { return local_prototype::of_type(type, &prototype); }

void simulation::reset(guard_setting guards) {
    for (auto& n : names_) {
        n.setting = guards;
        n.length = simulated_name{}.length;
        n.asked = 0;
    }
}

bool simulation::ask(simulated_name& guard) {
    bool answer = guard.setting == guard_setting::yes || guard.setting == guard_setting::once;
    if (assumed_) return guard.setting == guard_setting::ask ? *assumed_ : answer;
    ++guard.asked;
    if (guard.setting == guard_setting::once) guard.setting = guard_setting::no;
    if (guard.setting == guard_setting::ask && listener_) answer = listener_->ask(guard);
    if (listener_) listener_->answered(guard, answer);
    return answer;
}

void simulation::run(simulated_name& hook) {
    ++hook.asked;
    if (listener_) listener_->ran(hook);
}

time_span simulation::measure(simulated_name& delay) {
    ++delay.asked;
    if (listener_) listener_->measured(delay);
    return delay.length;
}

} // namespace hsm::detail::tool
