#include <hsm/cluster/distributed_base.hpp>

#include <hsm/cluster/cluster_error.hpp>
#include <hsm/cluster/detail/cluster_core.hpp>
#include <hsm/replay/detail/machine_calls.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/save/detail/description.hpp>
#include <hsm/save/detail/image_layout.hpp>
#include <hsm/version.hpp>
#include <hsm/vm/detail/choosing.hpp>

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <numeric>
#include <sstream>
#include <utility>

namespace hsm::detail {

cluster_core::cluster_core(const communicator& ranks, const chart_base& chart, const saved_context& kind, const distributed_options& options)
    : net(ranks), chart_(chart), kind_(kind), options_(options) {
    check_ranks();
    net.together("", [&] {
        const auto& core = require_chart(chart);
        path_ = core.root->path();
        require_saveable(core, saving::image);
        require_saveable_context(core, layout_of_context(kind));
        if (options.crowd.decide_every != 1)
            throw usage_error({code::bad_option, core.root->path(), "decide_every must be 1: the agents of a distributed crowd decide in every tick",
                               "leave crowd_options::decide_every at 1"});
        if (net.ranks() > UINT16_MAX + 1)
            throw usage_error({code::bad_option, core.root->path(), fmt::format("a distributed crowd has at most 65536 ranks, not {}", net.ranks()),
                               "start fewer processes, each with more workers"});
    });
}

void cluster_core::check_ranks() {
    std::string facts;
    net.together("", [&] {
        const auto& layout = image_layout_of(require_chart(chart_));
        const auto context = layout_of_context(kind_);
        const auto& o = options_.crowd;
        facts = fmt::format("version of hsm: {}\nchart: {}\nbuild: {}\ncontext: {}, {} bytes, form {}\n"
                            "queues: {}, {}, {}\nchain limit: {}\nmailbox: {}\nseed: {}\nstream: {}\n"
                            "start: {}\ndecide_every: {}\nlists: {}\nupdate_order: {}\nhome function: {}\n",
                            HSM_VERSION, layout.chart.to_string(), layout.layout.to_string(), kind_.type.name, context.size, int(context.form),
                            o.agent.internal_queue, o.agent.posted_queue, o.agent.deferred_queue, o.agent.chain_limit, o.agent.mailbox, o.agent.seed,
                            o.agent.stream, o.start, o.decide_every, o.lists, int(o.update_order), options_.home ? "yes" : "no");
    });
    const auto all = net.all(facts);
    net.together("", [&] { // all ranks have the same exception
        for (std::size_t rank = 1; rank < all.size(); ++rank) {
            std::istringstream lines(all[0]), others(all[rank]);
            for (std::string line, other; std::getline(lines, line) && std::getline(others, other);)
                if (line != other)
                    throw cluster_error({code::ranks_differ, chart_.root().path(),
                                         fmt::format("rank 0 has \"{}\", but rank {} has \"{}\"", line, rank, other),
                                         "start the same program with the same chart and options on all ranks"});
        }
    });
}

void cluster_core::attach(crowd_core& local) {
    net.agreed = false;
    crowd_ = &local;
    layout_.emplace(crowd_access(local), kind_);
    out_.resize(static_cast<std::size_t>(net.ranks()));
}

int cluster_core::home(global_id id) const {
    if (!options_.home) return static_cast<int>(derived_id(id, 0) % static_cast<std::uint64_t>(net.ranks()));
    const auto rank = options_.home(id, net.ranks());
    require_rank(rank);
    return rank;
}

void cluster_core::require_rank(int rank) const {
    if (rank >= 0 && rank < net.ranks()) return;
    throw cluster_error({code::no_rank, path_, fmt::format("there is no rank {}", rank), fmt::format("ranks are 0 to {}", net.ranks() - 1)});
}
void cluster_core::refuse_duplicate(global_id id) const {
    throw cluster_error({code::global_id_exists, path_, fmt::format("an agent with the global id {} exists already", id), "add it with another id"});
}

void cluster_core::refuse_in_hooks() const {
    if (!crowd_access(*crowd_).is_busy()) return;
    throw cluster_error({code::call_in_hook, path_, "a hook calls a function of its distributed crowd, but this function works only outside of hooks",
                         "call it after the tick, or use the functions of acting(context)"});
}

/// Requires a valid home, so that `start` cannot fail after the agent exists.
std::uint32_t cluster_core::reserve(global_id id) {
    net.agreed = false;
    require_rank(home(id));
    if (is_known(id)) refuse_duplicate(id);
    return reserve_place();
}

/// Allocates all that adding an agent needs outside of the crowd.
std::uint32_t cluster_core::reserve_place() {
    agents_.reserve();
    if (leaving_.size() == leaving_.capacity()) leaving_.reserve(leaving_.size() * 2 + 1);
    if (moving_.size() == moving_.capacity()) moving_.reserve(moving_.size() * 2 + 1);
    constexpr auto any = std::size_t(-1);
    const auto position = crowd_->find_position(any, any);
    try {
        if (position >= ids_.size()) ids_.resize(std::max<std::size_t>(position + 1, ids_.size() * 2));
        if (crowd_->pages() != pages_.size()) update_pages();
    } catch (...) {
        crowd_->give_back(position);
        throw;
    }
    return position;
}

void cluster_core::update_pages() {
    outboxes_.resize(crowd_->pages());
    pages_.clear();
    pages_.reserve(crowd_->pages());
    for (std::size_t n = 0; n < crowd_->pages(); ++n)
        pages_.emplace_back(static_cast<const std::byte*>(crowd_->page_number(n).context(0)), static_cast<std::uint32_t>(n));
    std::ranges::sort(pages_);
}

/// Requires a reserved position with a context.
void cluster_core::start(global_id id, std::uint32_t position, bool is_new) {
    const auto local = add_agent(id, position, [&](agent_slot& s) {
        const auto& agent = options_.crowd.agent;
        prepare_chance(instance_access::engine_of(s.machine()), chart(), agent.seed, agent.stream + id);
        if (options_.crowd.start) s.machine().start();
    });
    if (is_new && home(id) != net.rank()) leaving_.push_back({local, home(id), true});
}
void cluster_core::place(global_id id, agent_id local) {
    agents_.set(id, local);
    ids_[local.index] = id;
}

outbox& cluster_core::outside() {
    refuse_in_hooks();
    net.agreed = false;
    return outside_;
}
void cluster_core::send(outbox& to, message_head head, std::span<const std::byte> payload) const {
    head.sequence = (&to == &outside_ ? static_cast<std::uint64_t>(net.rank()) << 40 : 0) | to.count++;
    append_message(to.bytes, head, payload);
}
void cluster_core::migrate(outbox& to, global_id sender, global_id id, int rank) const {
    require_rank(rank);
    send(to, {.to = id, .from = sender, .column = static_cast<std::uint16_t>(rank), .kind = message_kind::migration});
}
void cluster_core::add_child(outbox& to, global_id id, global_id creator, const void* context) const {
    to.scratch.clear();
    append_value(to.scratch, layout_->context, context);
    send(to, {.to = id, .from = creator, .kind = message_kind::child}, to.scratch);
}
result cluster_core::post(outbox& to, message_head head, const event_ref& event) const {
    const auto column = encode_event(chart(), event, to.scratch);
    if (column == 0) return result::unhandled;
    head.column = static_cast<std::uint16_t>(column);
    send(to, head, to.scratch);
    return result::queued;
}

/// Returns the outbox of the page that contains the context.
outbox& cluster_core::outbox_of(const void* context, global_id& sender) {
    const auto* const at = static_cast<const std::byte*>(context);
    const auto after = std::ranges::upper_bound(pages_, at, std::less(), &decltype(pages_)::value_type::first);
    const auto [contexts, number] = *(after - 1);
    sender = ids_[number * page_agents + static_cast<std::size_t>(at - contexts) / crowd_->layout().context_stride];
    return outboxes_[number];
}

int cluster_core::owner(global_id id) {
    refuse_in_hooks();
    std::int64_t known[] = {agents_.find(id) ? net.rank() : -1};
    net.most(known);
    return static_cast<int>(known[0]);
}

std::uint64_t cluster_core::hash() {
    return sum_of([&] {
        std::uint64_t sum = 0;
        const crowd_access access(*crowd_);
        require_known_crowd(chart(), *layout_, saving::hash);
        crowd_reader agents(access, *layout_);
        agents.each([&](std::uint64_t place, page& p, std::uint32_t slot) {
            const auto machine = hash_of_image(chart(), agents.image_of(p, slot));
            const auto context = hsm::detail::hash_of(context_json(layout_->context, p.context(slot)));
            sum += derived_id(derived_id(ids_[place], machine), context);
        });
        return sum;
    });
}

void cluster_core::place(placement& rank_of, const void* self) {
    refuse_in_hooks();
    net.agreed = false;
    std::vector<leave> all; // new agents must go home first
    std::ranges::copy_if(leaving_, std::back_inserter(all), &leave::is_new);
    for (std::size_t n = 0; n < crowd_->pages() * page_agents; ++n) {
        const auto local = crowd_->id_at(static_cast<std::uint32_t>(n));
        if (!local) continue;
        const auto rank = rank_of(self, ids_[n], crowd_->context(local.index));
        require_rank(rank);
        if (rank != net.rank()) all.push_back({local, rank, false});
    }
    leaving_ = std::move(all);
}

/// A rank that takes longer than the mean gives agents to each rank that takes less time, in proportion.
std::uint64_t cluster_core::rebalance() {
    refuse_in_hooks();
    const auto own = static_cast<std::size_t>(net.rank()), count = static_cast<std::size_t>(net.ranks());
    std::vector<std::uint64_t> all;
    net.together(path_, [&] { all.resize(count); });
    all[own] = static_cast<std::uint64_t>(std::chrono::nanoseconds(std::exchange(cost_, {})).count());
    net.sum(all);
    const auto time = all[own], mean = std::accumulate(all.begin(), all.end(), std::uint64_t(0)) / count;
    for (auto& each : all) each = mean - std::min(mean, each); // the time that the rank can take over
    std::inclusive_scan(all.begin(), all.end(), all.begin());
    return sum_of([&] {
        const auto before = leaving_.size();
        if (time <= mean || all.back() == 0) return std::size_t(0);
        const auto agents = std::floor(static_cast<double>(crowd_->count()) * static_cast<double>(time - mean) / static_cast<double>(time));
        id_table<bool> leaving;
        for (const auto& each : leaving_) leaving.set(each.agent.index, true);
        agents_.each([&](global_id, agent_id local) {
            const auto share = static_cast<double>(leaving_.size() - before) / agents; // not a number if there are none
            if (!local || !(share < 1) || leaving.find(local.index)) return;
            const auto to = std::ranges::upper_bound(all, static_cast<std::uint64_t>(share * static_cast<double>(all.back()))) - all.begin();
            leaving_.push_back({local, static_cast<int>(to), false});
        });
        return leaving_.size() - before;
    });
}

} // namespace hsm::detail

namespace hsm {

using namespace detail;

acting_agent_base::acting_agent_base(cluster_core& core, const void* context) : core_(core), outbox_(&core.outbox_of(context, id_)) {}
void acting_agent_base::put_child(global_id id, const void* context) { core_.add_child(*outbox_, id, id_, context); }
result acting_agent_base::put(global_id to, bool to_all, const event_ref& event) {
    return core_.post(*outbox_, {.to = to, .from = id_, .kind = message_kind::posted, .to_all = to_all}, event);
}
void acting_agent_base::remove(global_id id) { core_.send(*outbox_, {.to = id, .from = id_, .kind = message_kind::removal}); }
void acting_agent_base::migrate(global_id id, int rank) { core_.migrate(*outbox_, id_, id, rank); }

distributed_base::distributed_base(const communicator& ranks, const chart_base& chart, const saved_context& kind, const distributed_options& options)
    : core_(new cluster_core(ranks, chart, kind, options)) {}
distributed_base::~distributed_base() = default;
crowd_options distributed_base::local_options(crowd_options options) {
    options.start = false; // an agent starts when its stream is known
    return options;
}
void distributed_base::attach(crowd_base& local) { core_->attach(crowd_access::core_of(local)); }

int distributed_base::rank() const { return core_->net.rank(); }
int distributed_base::ranks() const { return core_->net.ranks(); }
int distributed_base::home(global_id id) const { return core_->home(id); }
agent_id distributed_base::local_id(global_id id) const { return core_->local(id); }
global_id distributed_base::global(agent_id id) const {
    core_->crowd().require(id);
    return core_->global(id.index);
}

result distributed_base::put(global_id to, bool to_all, std::uint64_t order, const event_ref& event) {
    return core_->post(core_->outside(), {.to = to, .from = order, .kind = message_kind::outside, .to_all = to_all}, event);
}
void distributed_base::remove(global_id id) { core_->send(core_->outside(), {.to = id, .kind = message_kind::removal}); }
void distributed_base::migrate(global_id id, int rank) { core_->migrate(core_->outside(), 0, id, rank); }

std::uint64_t distributed_base::count() {
    return core_->sum_of([&] { return core_->crowd().count(); });
}
std::uint64_t distributed_base::count(const state_query& state) {
    auto& crowd = core_->crowd();
    return core_->sum_of([&] { return crowd.count(crowd.selected(state)); });
}
std::vector<std::uint64_t> distributed_base::populations() {
    core_->refuse_in_hooks();
    auto& crowd = core_->crowd();
    std::vector<std::uint64_t> all;
    core_->net.together(core_->path(), [&] {
        all.resize(crowd.layout().core.states.size());
        for (std::uint32_t s = 0; s < all.size(); ++s) all[s] = crowd.count(s);
    });
    core_->net.sum(all);
    return all;
}
int distributed_base::owner(global_id id) { return core_->owner(id); }
std::uint64_t distributed_base::lost() {
    return core_->sum_of([&] { return atomic_load<order::relaxed>(core_->crowd().layout().lost); });
}
std::uint64_t distributed_base::unknown() {
    return core_->sum_of([&] { return core_->unknown; });
}
std::uint64_t distributed_base::hash() { return core_->hash(); }
std::uint64_t distributed_base::rebalance() { return core_->rebalance(); }
void distributed_base::save(const std::string& path) { core_->save(path); }
void distributed_base::restore(const std::string& path) { core_->restore(path); }
time_span distributed_base::now() const { return time_span::from_nanoseconds(core_->crowd().now()); }
std::uint64_t distributed_base::ticks() const { return core_->ticks; }

void distributed_base::place(int (*rank_of)(const void*, global_id, const void*), const void* self) { core_->place(*rank_of, self); }
std::uint32_t distributed_base::reserve(global_id id) {
    core_->refuse_in_hooks();
    return core_->reserve(id);
}
void* distributed_base::context_at(std::uint32_t position) const { return core_->crowd().context(position); }
void distributed_base::give_back(std::uint32_t position) { core_->crowd().give_back(position); }
void distributed_base::start(global_id id, std::uint32_t position) { core_->start(id, position, true); }
bool distributed_base::begin_tick() { return core_->begin_tick(); }
result distributed_base::end_tick(result outcome, std::exception_ptr thrown) { return core_->end_tick(outcome, thrown); }

} // namespace hsm
