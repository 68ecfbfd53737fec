/// The implementation of a lane: the list of its objects, samples of their states, and commands.
#pragma once

#include <hsm/inspect/detail/feed.hpp>
#include <hsm/inspect/detail/subject.hpp>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace hsm::inspect::detail {

/// The names and numbers of a page's machines. Any lane can use it.
class listing {
public:
    explicit listing(std::size_t most) : most_(most) {}

    /// Throws inspect_error (HSM-403) if the name is empty or in use.
    void take(std::string_view name);
    void release(const std::string& name);
    /// Counts a machine that is listed. Returns its number; no_machine if too many are listed.
    std::uint32_t enter();
    void leave() { --count_; }

private:
    const std::size_t most_;
    std::mutex mutex_; ///< of the names
    std::unordered_set<std::string> names_;
    std::atomic<std::uint32_t> last_ = no_machine;
    std::atomic<std::size_t> count_ = 0;
};

class lane_core {
public:
    /// `asks` is set while runs() must be called.
    lane_core(listing& all, feed& to, bool& asks) : all_(all), feed_(to), asks_(asks) {}
    lane_core(const lane_core&) = delete;
    lane_core& operator=(const lane_core&) = delete;
    ~lane_core();

    void add(std::string_view name, const watched& what);
    void remove(const void* key);
    void record(const void* key);
    bool runs(const void* key);
    bool needs_poll() const { return feed_.needs_poll(); }
    void poll();

    // For commands.
    /// Lists an agent. Returns its number. Throws inspect_error (HSM-404) if there is no such agent, or too many machines are listed.
    std::uint32_t add_agent(crowd_subject& of, agent_id which);

private:
    static constexpr std::int64_t round_time = 1'000'000'000 / 30;
    static constexpr std::int64_t count_time = 1'000'000'000; ///< counts of an idle crowd cost as much as 4 % of its ticks
    static constexpr std::size_t least_slice = 32;            ///< objects in one poll
    static constexpr std::size_t pages_at_once = 16;          ///< of a crowd

    template <class Kind, class... Args> Kind* list(Args&&... args);
    void execute(const command& c, message_slot&& answer);
    void sample(std::int64_t now);
    void look_at(subject& s, std::int64_t now);
    void look_at(crowd_subject& s, std::int64_t now);
    void look_at(manager_subject& s);
    void report(subject& s);
    void note_leaves(machine_subject& s);
    void send_facts(subject& s);
    void send_changes();
    void attend();
    template <class Keep> void keep_if(Keep keep);

    listing& all_;
    feed& feed_;
    bool& asks_;
    std::vector<std::unique_ptr<subject>> subjects_; ///< an object follows the one that contains it
    std::unordered_map<std::uint32_t, subject*> by_id_;
    std::vector<subject*> attended_; ///< the runners that runs() must find
    std::size_t next_ = 0;           ///< the position of the sample in progress
    std::int64_t round_began_ = 0;
    bool some_ended_ = false; ///< a sample has found an object that was removed
    leaves_changed changes_;
};

} // namespace hsm::inspect::detail
