#include <hsm/crowd/crowd_base.hpp>

#include <hsm/crowd/crowd.hpp>
#include <hsm/crowd/detail/crowd_core.hpp>
#include <hsm/op/detail/compiler.hpp>
#include <hsm/run/attachment.hpp>
#include <hsm/run/detail/call.hpp>
#include <hsm/run/detail/followed.hpp>
#include <hsm/run/detail/tracing.hpp>

#include <utility>

namespace hsm {

using namespace detail;

static_assert(std::is_same_v<agent_bits, std::array<std::uint64_t, 64>>);

crowd_base::crowd_base(const chart_base& chart, const agent_kind& kind, const crowd_options& options, void* contexts, std::size_t capacity)
    : core_((require_chart(chart), new crowd_core(chart, kind, options, static_cast<std::byte*>(contexts), capacity))) {}
crowd_base::crowd_base(crowd_base&& other) noexcept : core_(std::move(other.core_)) { followed_moved(&other, this); }
crowd_base& crowd_base::operator=(crowd_base&& other) noexcept {
    if (this == &other) return *this;
    core_ = std::move(other.core_);
    followed_destroyed(this);
    followed_moved(&other, this);
    return *this;
}
crowd_base::~crowd_base() { followed_destroyed(this); }

namespace {

/// A place with its context, for an agent that is to be added. It is given back if a log cannot record the call.
class reserved_position {
public:
    reserved_position(crowd_core& core, std::uint32_t position) : core_(&core), position_(position) {}
    reserved_position(const reserved_position&) = delete;
    ~reserved_position() {
        if (core_) core_->abandon(position_);
    }
    std::uint32_t take() {
        core_ = nullptr;
        return position_;
    }

private:
    crowd_core* core_;
    std::uint32_t position_;
};

} // namespace

bool crowd_base::remove(agent_id id) {
    return make_call(
        core_->inputs, [&](crowd_inputs& to) { to.remove(id); }, [&] { return core_->remove(id); });
}
void crowd_base::clear() {
    make_call(
        core_->inputs, [](crowd_inputs& to) { to.clear(); }, [&] { core_->clear(); });
}
bool crowd_base::has(agent_id id) const { return core_->has(id); }
std::size_t crowd_base::count() const { return core_->count(); }
std::size_t crowd_base::count(const state_query& state) const { return core_->count(core_->selected(state)); }
bool crowd_base::is_in(agent_id id, const state_query& state) const { return core_->is_in(id, core_->selected(state)); }
state_ref crowd_base::current(agent_id id) const { return core_->current(id); }

std::uint32_t crowd_base::number_of(const condition_key& c) const { return core_->number_of(c); }

bool crowd_base::set(agent_id id, const condition_key& c, bool on) { return set({&id, 1}, c, on) == 1; }

namespace {
std::size_t change_each(crowd_core& core, std::span<const agent_id> ids, const condition_key& c, condition_change to) {
    const auto number = core.number_to_set(c);
    const auto change = [&] {
        std::size_t there = 0;
        for (const auto id : ids) {
            if (!core.has(id)) continue;
            core.change(id, number, to);
            ++there;
        }
        return there;
    };
    return make_call(
        core.inputs, [&](crowd_inputs& inputs) { inputs.change(ids, number, to); }, change);
}
} // namespace

std::size_t crowd_base::set(std::span<const agent_id> ids, const condition_key& c, bool on) {
    return change_each(*core_, ids, c, on ? condition_change::on : condition_change::off);
}
std::size_t crowd_base::pulse(std::span<const agent_id> ids, const condition_key& c) { return change_each(*core_, ids, c, condition_change::pulse); }

bool crowd_base::trigger(agent_id id, const condition_key& c) { return set(id, static_cast<int>(require_trigger(core_->layout().core, c))); }

bool crowd_base::pulse(agent_id id, const condition_key& c) { return pulse({&id, 1}, c) == 1; }

bool crowd_base::get(agent_id id, const condition_key& c) const { return core_->get(id, core_->number_of(c)); }
void crowd_base::set_all(const condition_key& c, bool on) {
    const auto number = core_->number_to_set(c);
    make_call(
        core_->inputs, [&](crowd_inputs& to) { to.change_all(number, on); }, [&] { core_->change_all(number, on); });
}

namespace {
result run(crowd_core& core, input_kind kind, time_span elapsed, agent_slot::phase what, const parallel_for* workers) {
    return make_call(
        core.inputs, [&](crowd_inputs& to) { to.frame(kind, elapsed.nanoseconds()); },
        [&] { return core.run(elapsed.nanoseconds(), what, workers); });
}
} // namespace

result crowd_base::tick(time_span elapsed) { return run(*core_, input_kind::tick, elapsed, agent_slot::phase::both, nullptr); }
result crowd_base::tick_by(const parallel_for& workers, time_span elapsed) {
    return run(*core_, input_kind::tick, elapsed, agent_slot::phase::both, &workers);
}
result crowd_base::decide() { return run(*core_, input_kind::decide, {}, agent_slot::phase::decisions, nullptr); }
result crowd_base::update(time_span elapsed) { return run(*core_, input_kind::update, elapsed, agent_slot::phase::hooks, nullptr); }

bool crowd_base::set_decide_every(agent_id id, std::uint16_t ticks) {
    if (!core_->has(id)) return false;
    make_call(
        core_->inputs, [&](crowd_inputs& to) { to.set_rate(id, ticks); }, [&] { core_->set_rate(id, ticks); });
    return true;
}

crowd_mailbox& crowd_base::mailbox() const {
    if (auto* const there = core_->mailbox()) return *there;
    throw usage_error({code::no_mailbox, core_->layout().core.root->path(), "the crowd has no mailbox",
                       "set crowd_options::agent.mailbox to the number of events that are posted to all agents between two ticks"});
}

std::uint64_t crowd_base::lost() const { return atomic_load<order::relaxed>(core_->layout().lost); }
time_span crowd_base::now() const { return time_span::from_nanoseconds(core_->now()); }
std::size_t crowd_base::bytes() const { return core_->bytes(); }
std::size_t crowd_base::hot_bytes() const {
    const auto& layout = core_->layout();
    return layout.row_size + layout.bit_size + (layout.has_dues ? sizeof(std::int64_t) : 0);
}
std::size_t crowd_base::cold_bytes() const { return sizeof(std::uint32_t) + core_->layout().block_size; }
std::uint64_t crowd_base::state_hash() const { return core_->state_hash(); }

std::uint32_t crowd_base::find_position(std::size_t element) { return core_->find_position(element, any_position); }
void* crowd_base::context_at(std::uint32_t position) const { return core_->context(position); }
void* crowd_base::context_of(agent_id id) const {
    core_->require(id);
    return core_->context(id.index);
}
agent_id crowd_base::add_at(std::uint32_t position) {
    reserved_position reserved(*core_, position);
    return make_call(
        core_->inputs, [&](crowd_inputs& to) { to.add(position); }, [&] { return core_->add(reserved.take(), nullptr); });
}
agent_id crowd_base::adopt_at(std::uint32_t position, instance_base& from) {
    reserved_position reserved(*core_, position);
    return make_call(
        core_->inputs, [](crowd_inputs& to) { to.jump(); }, [&] { return core_->add(reserved.take(), &from); });
}
result crowd_base::release_to(agent_id id, instance_base& to) {
    return make_call(
        core_->inputs, [](crowd_inputs& inputs) { inputs.jump(); }, [&] { return core_->release(id, to); });
}
void crowd_base::give_back(std::uint32_t position) { core_->give_back(position); }
agent_slot& crowd_base::load(agent_id id) const {
    if (core_->inputs) [[unlikely]]
        core_->inputs->load(id);
    return core_->load(id);
}
void crowd_base::store(agent_slot& s) const {
    if (!core_->inputs) [[likely]]
        return core_->store(s);
    struct recorded_end {
        crowd_inputs& inputs;
        std::uint32_t position;
        ~recorded_end() { inputs.store(position); }
    } const at_the_end{*core_->inputs, s.where()->first + s.slot()};
    core_->store(s);
}
instance_base& crowd_base::machine_of(agent_slot& s) { return s.machine(); }
result_counts crowd_base::give(const event_ref& event, bool is_posted, const state_query* state) {
    return make_call(
        core_->inputs, [&](crowd_inputs& to) { to.give(event, is_posted, state); }, [&] { return core_->give(event, is_posted, state); });
}
result_counts crowd_base::give(const event_ref& event, bool is_posted, std::span<const agent_id> ids) {
    return make_call(
        core_->inputs, [&](crowd_inputs& to) { to.give(event, is_posted, ids); }, [&] { return core_->give(event, is_posted, ids); });
}
void crowd_base::on_update_of(const state_key& state, owned<batch_hook> f) { core_->add_batch(core_->number_of(state), std::move(f)); }
std::size_t crowd_base::pages() const { return core_->pages(); }

crowd_base::agents_of_page crowd_base::agents_in(std::size_t number, const state_query* state) const {
    const auto& p = core_->page_number(number);
    return state ? core_->agents_in(p, core_->selected(*state)) : core_->agents_of(p);
}
agent_id crowd_base::agent_in(std::size_t number, std::size_t bit) const {
    return core_->id_at(core_->page_number(number).first + static_cast<std::uint32_t>(bit));
}

agent_call_base::~agent_call_base() noexcept(false) {
    try {
        crowd_.store(agent_slot_);
    } catch (...) {
        if (std::uncaught_exceptions() == exceptions_) throw; // otherwise the earlier exception continues
    }
}

void batch_base::set(std::size_t i, std::uint32_t condition, bool on) const {
    crowd_.change(id(i), crowd_.number_to_set(condition), on ? condition_change::on : condition_change::off);
}
bool batch_base::get(std::size_t i, std::uint32_t condition) const { return crowd_.get(id(i), crowd_.number_of(condition)); }
std::uint32_t batch_base::number_of(const condition_key& c) const { return crowd_.number_of(c); }

result crowd_mailbox::put(agent_id to, const event_ref& event) { return queue_.put(event, to.index | std::uint64_t(to.generation) << 32); }

// The observers of agents. An observed agent has a spilled state, which stores its observers, so the loops over many agents do not include it.
namespace detail {

void agent_slot::observe(observer_link* link) {
    hsm::detail::observe(engine_, link, page_->first + slot_, static_cast<std::uint16_t>(page_->generation(slot_)));
}

void crowd_core::attach(agent_id id, observer_link* link) {
    auto& s = load(id);
    try {
        s.observe(link);
    } catch (...) {
        store(s);
        throw;
    }
    store(s);
}

void crowd_core::attach_to_all(observer_link* link) {
    std::erase_if(observers_, [](observer_link* each) { return each->to ? false : (end_use(each), true); });
    observers_.push_back(link);
    begin_use(link);
    for (const auto& p : pages_)
        for (std::uint32_t slot = 0; slot < p->used; ++slot)
            if (const auto id = id_at(p->first + slot)) attach(id, link);
}

void crowd_core::observe_newcomer(agent_slot& s) {
    for (auto* const link : observers_)
        if (link->to) s.observe(link);
}

} // namespace detail

attachment crowd_base::attach(agent_id id, observer& to, record_kinds kinds) {
    attachment handle(to, kinds);
    core_->attach(id, handle.link());
    return handle;
}
attachment crowd_base::attach(agent_id id, observer& to) { return attach(id, to, record_kinds::all()); }

attachment crowd_base::attach(observer& to, record_kinds kinds) {
    attachment handle(to, kinds);
    core_->attach_to_all(handle.link());
    return handle;
}
attachment crowd_base::attach(observer& to) { return attach(to, record_kinds::all()); }

} // namespace hsm
