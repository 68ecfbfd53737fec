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
    void add_child(outbox& to, global_id id, global_id creator, const void* context);
    result post(outbox& to, message_head head, const event_ref& event);
    outbox& outbox_of(const void* context, global_id& sender);
    outbox& outside() { return outside_; }
    std::uint64_t outside_sequence() { return std::uint64_t(net.rank()) << 40 | outside_.count++; }
    void require_rank(int rank) const; ///< throws cluster_error (HSM-463)
    int home(global_id id) const;
    int owner(global_id id);
    agent_id local(global_id id) const { return here_.find(id); }
    global_id global(std::uint32_t position) const { return ids_[position]; }
    std::uint64_t hash();
    std::uint64_t rebalance();

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
        std::uint32_t rank = 0; ///< plus 1
        bool is_new = false;    ///< the home does not know the agent
        explicit operator bool() const { return rank != 0; }
    };

    void check_ranks();
    const chart_core& chart() const { return crowd_->layout().core; }
    [[noreturn]] void refuse_duplicate(global_id id) const;
    bool is_known(global_id id) const { return here_.find(id) || away_.find(id); }
    std::uint32_t reserve_place();
    void place(global_id id, agent_id local);
    void drop(global_id id);
    void update_pages();
    /// Calls f(slot) while the agent is loaded.
    template <class F> void with_machine(agent_id local, const F& f) {
        auto& s = crowd_->load(local);
        try {
            f(s);
        } catch (...) {
            crowd_->store(s);
            throw;
        }
        crowd_->store(s);
    }

    void exchange(bool with_events);
    void pack(std::span<const std::byte> messages);
    void pack_agents();
    void pack_agent(global_id id, leave where);
    void append_agent(std::vector<std::byte>& to, global_id id, message_kind kind);
    int route(global_id to) const;
    void take_round(const transport::buffers& from, first_exception& first);
    void forward(const transport::buffers& from);
    void keep(message each, const message_head& head);
    void take_agent(const message_head& head, std::span<const std::byte> payload);
    void take_child(const message_head& head, std::span<const std::byte> payload);
    void make_context(std::uint32_t position, std::span<const std::byte> value);
    void deliver(first_exception& first);
    void deliver(const message_head& head, std::span<const std::byte> payload);

    std::vector<std::byte> saved_messages();
    void load_messages(std::span<const std::byte> bytes);

    std::string path_; ///< for messages
    const chart_base chart_;
    const saved_context kind_;
    const distributed_options options_;
    crowd_core* crowd_ = nullptr;
    std::optional<crowd_image_layout> layout_;

    /// Agents and waiting messages that restore replaces.
    struct population {
        id_table<agent_id> here;
        id_table<std::uint32_t> away;
        id_table<leave> leaving;
        outbox outside;
        std::vector<outbox> outboxes;
        std::int64_t now;
        std::uint64_t ticks;
    };
    void swap_with(population& other);

    id_table<agent_id> here_;
    std::vector<global_id> ids_;   ///< by the place in the crowd
    id_table<std::uint32_t> away_; ///< of agents whose home is this rank: the other rank that owns them, plus 1
    id_table<leave> leaving_;
    id_table<leave> left_; ///< in the exchange in progress

    /// Hooks of different pages can run at the same time, so each page has an outbox.
    std::deque<outbox> outboxes_; // acting agents refer to them
    struct contexts_of_page {
        const std::byte* begin;
        std::uint32_t number;
    };
    std::vector<contexts_of_page> pages_; ///< by address
    outbox outside_;
    transport::buffers out_, in_, forwarded_;
    struct ordered_message {
        message_kind kind;
        std::uint64_t from, sequence;
        message at;
        friend bool operator<(const ordered_message& a, const ordered_message& b) {
            if (a.kind != b.kind) return a.kind < b.kind;
            return a.from != b.from ? a.from < b.from : a.sequence < b.sequence;
        }
    };
    std::vector<ordered_message> commands_, events_; ///< for agents of this rank, in the exchange in progress
    std::size_t image_size_ = 0;                     ///< of the last packed agent: images of one chart often have equal sizes

    bool is_ticking_ = false;
    first_exception failure_; ///< of the exchange of the tick in progress
    std::chrono::steady_clock::time_point began_;
    std::chrono::steady_clock::duration cost_{}; ///< of the ticks since the last rebalance
};

} // namespace hsm::detail
