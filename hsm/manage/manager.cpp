#include <hsm/manage/manager.hpp>

#include <hsm/define/lookup.hpp>
#include <hsm/manage/registry.hpp>

#include <fmt/format.h>

#include <utility>

namespace hsm {

namespace {

constexpr std::size_t names_compared = 1000; ///< for a suggestion
constexpr std::size_t names_listed = 8;

std::string suggested(std::string_view name, const machine_registry& machines) {
    if (machines.count() == 0) return "there is no machine at all";
    std::vector<std::string_view> names;
    for (const auto& [known, p] : machines.names()) {
        names.push_back(known);
        if (names.size() == names_compared) break;
    }
    auto text = suggestion(name, names);
    if (text.starts_with("did you mean") || names.size() <= names_listed) return text;
    return fmt::format("there are {} machines, none of a similar name; find(), has() and all() tell which", machines.count());
}

} // namespace

void throw_manager_error(code number, std::string_view path, std::string problem, std::string hint) {
    throw manager_error({number, std::string(path), std::move(problem), std::move(hint)});
}

machine_walk::machine_walk(machine_registry& owner, const context_kind* only)
    : owner_(owner), only_(only ? &owner.kind_like(*only) : nullptr), last_(owner.last_serial()), at_(owner.first()) {
    owner_.hold();
    skip();
}

machine_walk::~machine_walk() { owner_.let_go(); }

managed_base machine_walk::handle() const { return owner_.handle(at_); }

void machine_walk::next() {
    at_ = at_->after;
    skip();
}

void machine_walk::skip() {
    while (at_ && (at_->is != presence::present || (only_ && at_->home->kind != only_))) at_ = at_->after;
    if (at_ && at_->serial > last_) at_ = nullptr;
}

manager::manager() : registry_(make_owned<machine_registry>()) {}
manager::manager(manager&&) noexcept = default;
manager& manager::operator=(manager&&) noexcept = default;
manager::~manager() = default;

managed_base manager::create_of(const context_kind& kind, std::string_view name, const chart_base& chart, void* context,
                                const instance_options& options) {
    return registry_->handle(&registry_->create(kind, name, chart, context, options));
}

managed_base manager::find(std::string_view name) const { return registry_->handle(registry_->find(name)); }

managed_base manager::get(std::string_view name) const {
    if (const auto found = find(name)) return found;
    throw_manager_error(code::no_machine, name.empty() ? "(no name)" : name, fmt::format("there is no machine \"{}\"", name),
                        suggested(name, *registry_));
}

managed_base manager::get_only(const context_kind& kind) const {
    if (auto* const p = registry_->only(kind)) return registry_->handle(p);
    if (const auto several = registry_->count(kind))
        throw_manager_error(code::several_machines, "(no name)", fmt::format("there are {} machines over a \"{}\"", several, kind.name),
                            "get it by its name");
    throw_manager_error(code::no_machine, "(no name)", fmt::format("there is no machine over a \"{}\"", kind.name),
                        "create it first; has() asks for one");
}

std::size_t manager::count() const { return registry_->count(); }
std::size_t manager::count_of(const context_kind& kind) const { return registry_->count(kind); }

bool manager::remove(std::string_view name) {
    auto* const p = registry_->find(name);
    return p && registry_->remove(*p);
}

bool manager::remove(const managed_base& machine) {
    auto* const p = registry_->at(machine);
    return p && registry_->remove(*p);
}

void manager::shutdown() { registry_->shutdown(); }
void manager::trim() { registry_->trim(); }

result manager::update_for(time_span elapsed, time_span real_elapsed) { return registry_->update(elapsed, real_elapsed); }
time_span manager::elapsed() const { return registry_->elapsed; }
time_span manager::real_elapsed() const { return registry_->real_elapsed; }

answers manager::broadcast_by(result (*call)(instance_base&, const void*), const void* event) { return registry_->broadcast(call, event); }

answers manager::broadcast(std::string_view event_name) {
    const auto call = [](instance_base& machine, const void* name) { return machine.process(*static_cast<const std::string_view*>(name)); };
    return registry_->broadcast(call, &event_name);
}

} // namespace hsm
