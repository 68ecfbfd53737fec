#include <hsm/manage/manager.hpp>

#include <hsm/define/detail/lookup.hpp>
#include <hsm/manage/detail/machine_pool.hpp>
#include <hsm/manage/managed.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/run/attachment.hpp>
#include <hsm/run/detail/followed.hpp>

#include <utility>

namespace hsm {

using namespace detail;

namespace {

void require_startable(const managed_base& m) {
    const auto& machine = *m;
    if (machine.active())
        throw_manager_error(code::machine_running, m.name(), fmt::format("the machine is running already, in \"{}\"", machine.current().path()),
                            "call stop() first, or change_state() to change to another state");
    if (machine.busy())
        throw_manager_error(code::machine_running, m.name(), "the machine is starting or ending", "start it when the call in progress is complete");
}

} // namespace

managed_base::operator bool() const { return owner_ && owner_->at(*this); }

machine_slot& managed_base::here() const {
    if (auto* const p = owner_ ? owner_->at(*this) : nullptr) return *p;
    throw_manager_error(code::machine_gone, "(no machine)", owner_ ? "the machine of this handle has been removed" : "the handle is empty",
                        "check the handle first: if (hero) hero->process(hit{});");
}

instance_base& managed_base::operator*() const { return here().machine(); }
std::string_view managed_base::name() const { return here().name; }
bool managed_base::running() const { return here().machine().active(); }
const context_kind& managed_base::kind() const { return *here().home->kind; }

void managed_base::start() const {
    require_startable(*this);
    (*this)->start();
}

void managed_base::start(const state_key& state) const {
    require_startable(*this);
    (*this)->start(state);
}

result managed_base::stop() const { return (*this)->stop(); }
result managed_base::change_state(const state_key& state) const { return (*this)->change_to(state); }

void managed_base::use_real_time(bool yes) const {
    auto& p = here();
    make_call(
        owner_->inputs, [&](manager_inputs& to) { to.use_real_time(p, yes); }, [&] { p.real_time = yes; });
}
bool managed_base::uses_real_time() const { return here().real_time; }

void managed_base::throw_other_context(std::string_view wanted) const {
    throw_manager_error(code::other_context, name(), fmt::format("the context of the machine is a \"{}\", not a \"{}\"", kind().name, wanted),
                        fmt::format("get<{}>(\"{}\")", kind().name, name()));
}

namespace {

constexpr std::size_t names_compared = 1000; ///< at most, for a suggestion
constexpr std::size_t names_listed = 8;

std::string suggested(std::string_view name, const machine_pool& machines) {
    if (machines.count() == 0) return "create the machine first; the manager has no machines";
    std::vector<std::string_view> names;
    for (const auto& [known, p] : machines.names()) {
        names.push_back(known);
        if (names.size() == names_compared) break;
    }
    auto text = suggestion(name, names);
    if (text.starts_with("did you mean") || names.size() <= names_listed) return text;
    return fmt::format("none of the {} machines has a similar name; list them with all()", machines.count());
}

} // namespace

void detail::throw_manager_error(code number, std::string_view path, std::string problem, std::string hint) {
    throw manager_error({number, std::string(path), std::move(problem), std::move(hint)});
}

machine_walk::machine_walk(machine_pool& owner, const context_kind* only)
    : owner_(owner), only_(only ? &owner.kind_like(*only) : nullptr), last_(owner.last_order()), at_(owner.first()) {
    owner_.hold();
    skip();
}

machine_walk::~machine_walk() { owner_.end_walk(); }

managed_base machine_walk::handle() const { return owner_.handle(at_); }

void machine_walk::next() {
    at_ = at_->after;
    skip();
}

void machine_walk::skip() {
    while (at_ && (at_->is != slot_status::present || (only_ && at_->home->kind != only_))) at_ = at_->after;
    if (at_ && at_->order > last_) at_ = nullptr;
}

manager::manager() : machines_(make_owned<machine_pool>()) {}
manager::manager(manager&& other) noexcept : machines_(std::move(other.machines_)) { followed_moved(&other, this); }
manager& manager::operator=(manager&& other) noexcept {
    if (this == &other) return *this;
    machines_ = std::move(other.machines_);
    followed_destroyed(this);
    followed_moved(&other, this);
    return *this;
}
manager::~manager() { followed_destroyed(this); }

managed_base manager::create_of(const context_kind& kind, std::string_view name, const chart_base& chart, void* context,
                                const instance_options& options) {
    return make_call(
        machines_->inputs, [&](manager_inputs& to) { to.create(name, chart, context); },
        [&] { return machines_->handle(&machines_->create(kind, name, chart, context, options)); });
}

managed_base manager::find(std::string_view name) const { return machines_->handle(machines_->find(name)); }

managed_base manager::get(std::string_view name) const {
    if (const auto found = find(name)) return found;
    throw_manager_error(code::no_machine, name.empty() ? "(no name)" : name, fmt::format("there is no machine \"{}\"", name),
                        suggested(name, *machines_));
}

managed_base manager::get_only(const context_kind& kind) const {
    if (auto* const p = machines_->only(kind)) return machines_->handle(p);
    if (const auto several = machines_->count(kind))
        throw_manager_error(code::several_machines, "(no name)", fmt::format("{} machines have a context of type \"{}\"", several, kind.name),
                            "pass the name of the machine");
    throw_manager_error(code::no_machine, "(no name)", fmt::format("no machine has a context of type \"{}\"", kind.name),
                        "create it first; check with has()");
}

std::size_t manager::count() const { return machines_->count(); }
std::size_t manager::count_of(const context_kind& kind) const { return machines_->count(kind); }

bool manager::remove(std::string_view name) { return remove(find(name)); }

bool manager::remove(const managed_base& machine) {
    auto* const p = machines_->at(machine);
    if (!p) return false;
    return make_call(
        machines_->inputs, [&](manager_inputs& to) { to.remove(*p); }, [&] { return machines_->remove(*p); });
}

void manager::shutdown() {
    make_call(
        machines_->inputs, [](manager_inputs& to) { to.shutdown(); }, [&] { machines_->shutdown(); });
}
void manager::trim() { machines_->trim(); }

result manager::update_for(time_span elapsed, time_span real_elapsed) {
    return make_call(
        machines_->inputs, [&](manager_inputs& to) { to.update(elapsed, real_elapsed); }, [&] { return machines_->update(elapsed, real_elapsed); });
}
std::uint64_t manager::lost() const { return machines_->lost(); }
time_span manager::elapsed() const { return machines_->elapsed; }
time_span manager::real_elapsed() const { return machines_->real_elapsed; }

result_counts manager::broadcast_by(result (*call)(instance_base&, const void*), const void* event, const event_ref& reference) {
    return make_call(
        machines_->inputs, [&](manager_inputs& to) { to.broadcast(reference); }, [&] { return machines_->broadcast(call, event); });
}

result_counts manager::broadcast(std::string_view event_name, event_data data) {
    const refer_name named(event_name, std::move(data));
    const event_ref& event = named;
    const auto call = [](instance_base& machine, const void* name) {
        const auto& given = *static_cast<const named_event*>(name);
        return machine.process(given.name(), given.data());
    };
    return broadcast_by(call, event.object, event);
}

attachment manager::attach(observer& to, record_kinds kinds) {
    attachment handle(to, kinds);
    machines_->attach(handle.link());
    return handle;
}
attachment manager::attach(observer& to) { return attach(to, record_kinds::all()); }

} // namespace hsm
