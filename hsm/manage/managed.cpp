#include <hsm/manage/managed.hpp>

#include <hsm/manage/detail/machine_pool.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/run/detail/recorded_call.hpp>

namespace hsm {

using namespace detail;

namespace {

void require_startable(const managed_base& m) {
    const auto& machine = *m;
    if (machine.active())
        throw_manager_error(code::machine_running, m.name(), fmt::format("the machine is running already, in \"{}\"", machine.current().path()),
                            "call stop() first, or change_state() to change to another state");
    if (machine.busy()) throw_manager_error(code::machine_running, m.name(), "the machine is starting or ending", "start it afterwards");
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

} // namespace hsm
