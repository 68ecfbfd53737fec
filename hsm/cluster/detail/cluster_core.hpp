/// The implementation of a distributed crowd.
///
/// A function of an agent's id determines a rank, the *home*, which knows the owner of the agent. A message goes to the owner if the rank of the
/// sender knows the owner. Otherwise it goes to the home, which forwards it in the second round of the same exchange.
#pragma once

#include <hsm/cluster/detail/id_table.hpp>
#include <hsm/cluster/detail/message.hpp>
#include <hsm/cluster/detail/transport.hpp>
#include <hsm/cluster/distributed_base.hpp>
#include <hsm/crowd/detail/crowd_core.hpp>
#include <hsm/run/detail/first_exception.hpp>
#include <hsm/save/detail/crowd_format.hpp>

#include <chrono>
#include <cstdint>
#include <deque>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace hsm::detail {

class cluster_core {
public:
    /// Throws on all ranks if they differ.
    cluster_core(const communicator& ranks, const chart_base& chart, const saved_context& kind, const distributed_options& options);
    void attach(crowd_core& local);

    // distributed_base.cpp
    crowd_core& crowd() const { return *crowd_; }
    void refuse_in_hooks() const; ///< throws cluster_error (HSM-476)
    const std::string& path() const { return path_; }
    std::uint32_t reserve(global_id id);
    void start(global_id id, std::uint32_t position, bool is_new);
    void add_child(outbox& to, global_id id, global_id creator, const void* context) const;
    void send(outbox& to, message_head head, std::span<const std::byte> payload = {}) const;
    void migrate(outbox& to, global_id sender, global_id id, int rank) const;
    result post(outbox& to, message_head head, const event_ref& event) const;
    outbox& outbox_of(const void* context, global_id& sender);
    outbox& outside();                 ///< throws cluster_error (HSM-476)
    void require_rank(int rank) const; ///< throws cluster_error (HSM-463)
    int home(global_id id) const;
    int owner(global_id id);
    agent_id local(global_id id) const { return agents_.find(id); }
    global_id global(std::uint32_t position) const { return ids_[position]; }
    /// Returns the sum of f() of all ranks.
    template <class F> std::uint64_t sum_of(const F& f) {
        refuse_in_hooks();
        std::uint64_t mine = 0;
        net.together(path_, [&] { mine = f(); });
        net.sum({&mine, 1});
        return mine;
    }
    std::uint64_t hash();
    std::uint64_t rebalance();
    using placement = int(const void* self, global_id id, const void* context);
    void place(placement& rank_of, const void* self);

    // exchange.cpp
    bool begin_tick();
    result end_tick(result outcome, const std::exception_ptr& thrown);

    // checkpoint.cpp
    void save(const std::string& path);
    void restore(const std::string& path);

    transport net;
    std::uint64_t unknown = 0; ///< messages whose agent does not exist
    std::uint64_t ticks = 0;

private:
    struct leave {
        agent_id agent; ///< may be gone
        int rank;
        bool is_new; ///< the home does not know the agent
    };
    struct kept_message {
        agent_id agent; ///< none: for all agents
        message at;
        std::uint32_t position() const { return agent.index; }
    };

    void check_ranks();
    const chart_core& chart() const { return crowd_->layout().core; }
    [[noreturn]] void refuse_duplicate(global_id id) const;
    bool is_known(global_id id) const { return agents_.find(id) != agent_id(); }
    std::uint32_t reserve_place();
    void place(global_id id, agent_id local);
    void drop_all(const id_table<agent_id>& agents);
    void update_pages();
    /// Calls f(slot) while the agent is loaded.
    template <class F> void with_machine(agent_id local, const F& f) {
        auto& s = crowd_->load(local);
        first_exception first;
        first.of([&] { f(s); });
        crowd_->store(s);
        first.rethrow();
    }
    /// Adds an agent, of which f(slot) does the rest.
    template <class F> agent_id add_agent(global_id id, std::uint32_t position, const F& f) {
        const auto local = crowd_->add(position, nullptr);
        place(id, local);
        try {
            with_machine(local, f);
        } catch (...) {
            agents_.erase(id);
            crowd_->drop(local);
            throw;
        }
        return local;
    }

    /// Calls visit(message, head) for each message, also after an exception.
    template <class Visit> void visit(std::span<const std::byte> bytes, const Visit& one) {
        each_message(
            bytes, [&](message each, const message_head& head) { failure_.of([&] { one(each, head); }); },
            [&](const message_head& head) { agents_.prefetch(head.to); });
    }

    void prefetch(std::uint32_t position) const {
        HSM_PREFETCH_TO_WRITE(&ids_[position]);
        crowd_->page_number(position / page_agents).prefetch(position % page_agents);
    }
    void exchange(bool with_events);
    void pack(std::span<const std::byte> messages);
    void pack_agents();
    void pack_agent(const leave& where);
    std::span<const std::byte> image_of(agent_id local); ///< and the context
    int route(global_id id, agent_id known) const;
    void take_round(const transport::buffers& from);
    void forward(std::span<const std::byte> bytes);
    void keep(message each, const message_head& head, agent_id local);
    bool has_columns_only(agent_id local) const;
    void write_columns();
    void read_columns();
    void unpack_columns();
    void take_agent(const message_head& head, std::span<const std::byte> payload);
    void take_child(const message_head& head, std::span<const std::byte> payload);
    void make_context(std::uint32_t position, std::span<const std::byte> value);
    void deliver();
    void sort_by_place(std::vector<kept_message>& list);
    void deliver_by_place();
    void deliver_by_place(page& p, std::span<kept_message> events);
    void deliver(message each);
    void post(agent_slot& to, message event);

    byte_buffer saved_messages();
    void load_messages(std::span<const std::byte> bytes);

    std::string path_; ///< for messages
    const chart_base chart_;
    const saved_context kind_;
    const distributed_options options_;
    crowd_core* crowd_ = nullptr;
    std::optional<crowd_image_layout> layout_;

    /// Agents and waiting messages that restore replaces.
    struct population {
        id_table<agent_id> agents;
        std::vector<leave> leaving;
        outbox outside;
        std::vector<outbox> outboxes;
        std::int64_t now;
        std::uint64_t ticks;
    };
    void swap_with(population& other);

    id_table<agent_id> agents_; ///< those here, and by `away` those that have their homes here
    static agent_id away(int rank) { return {static_cast<std::uint32_t>(rank) + 1, 0}; }
    std::vector<global_id> ids_;  ///< by the place in the crowd
    std::vector<leave> leaving_;  ///< the first of an agent counts
    std::vector<global_id> left_; ///< has other homes, which may send messages to this rank in the exchange in progress

    /// Hooks of different pages can run at the same time, so each page has an outbox.
    std::deque<outbox> outboxes_;                                   // acting agents refer to them
    std::vector<std::pair<const std::byte*, std::uint32_t>> pages_; ///< the contexts and the number of each page, by address
    outbox outside_;
    transport::buffers out_, in_, forwarded_;
    /// A plain agent that leaves or has arrived.
    struct moving_agent {
        agent_id agent;
        int rank;              ///< to which it leaves
        std::size_t at;        ///< of its columns, in the buffer for that rank
        const std::byte* from; ///< its columns, if it has arrived
    };
    std::vector<moving_agent> moving_;
    static bool is_before(const kept_message& a, const kept_message& b);
    // For agents of this rank, in the exchange in progress.
    std::vector<kept_message> removals_, migrations_, events_, sorted_;
    bool some_to_all_ = false; ///< one of the events is for all agents

    /// The events of agents of a page, sorted by place.
    class page_events final : public arriving_events {
    public:
        page_events(cluster_core& core, page& p, std::span<const kept_message> events) : core_(core), page_(p), events_(events) {}
        ~page_events() { page_.arriving = nullptr; }
        void give(agent_slot& loaded) noexcept override;
        void give_rest();
        first_exception failure;

    private:
        cluster_core& core_;
        page& page_;
        std::span<const kept_message> events_;
        std::size_t next_ = 0, given_ = 0;
    };
    std::vector<page_events> arriving_; // pages refer to them
    std::vector<std::byte> scratch_;

    first_exception failure_; ///< of the exchange of the tick in progress
    std::chrono::steady_clock::time_point began_;
    std::chrono::steady_clock::duration cost_{}; ///< of the ticks since the last rebalance
};

} // namespace hsm::detail
