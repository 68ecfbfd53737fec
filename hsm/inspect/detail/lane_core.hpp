/// The implementation of a lane: the list of its objects, samples of their states, and commands.
#pragma once

#include <hsm/inspect/detail/feed.hpp>
#include <hsm/inspect/detail/subject.hpp>
#include <hsm/inspect/lane.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace hsm::inspect::detail {

class lane_core final : public lane {
public:
    lane_core(listing& all, feed& to) : all_(all), feed_(to) {}
    ~lane_core() override;

    void poll() override {
        if (feed_.needs_poll()) poll_now();
    }
    bool asks() const { return asks_; }

private:
    static constexpr std::int64_t round_time = 1'000'000'000 / 30;
    static constexpr std::int64_t count_time = 1'000'000'000; ///< counts of an idle crowd cost as much as 4 % of its ticks
    static constexpr std::size_t least_slice = 32;            ///< objects in one poll
    static constexpr std::size_t pages_at_once = 16;          ///< of a crowd

    void add_watched(std::string_view name, const watched& machine) override;
    void remove_at(const void* key) override;
    void record_at(const void* key) override;
    bool runs_at(const void* key) override;
    void poll_now();

    /// Creates a subject, and sends it to the server. Returns null if the page lists too many machines. If it throws, nothing is listed.
    subject* list(std::string name, const watched& object, subject* around = nullptr, agent_id agent = {}, const managed_base& machine = {});
    void execute(const command& c, message_slot&& answer);
    void sample(std::int64_t now);
    void look_at(subject& s, std::int64_t now);
    void count(subject& herd, std::int64_t now);
    void list_new(subject& machines);
    void report(subject& s);
    void note_leaves(subject& s);
    void send_changes();
    void attend();
    template <class Keep> void keep_if(Keep keep);

    // Commands: commands.cpp.
    /// Executes a command. Errors, and exceptions of hooks, are part of the result. null: the machine is not listed.
    command_result run(subject* s, const command& c);
    command_result dispatch(subject& s, const command& c);
    command_result run_for_all(subject& herd, const command& c);
    /// Lists an agent. Returns its number. Throws inspect_error (HSM-404) if there is no such agent, or too many machines are listed.
    std::uint32_t add_agent(subject& of, agent_id which);

    listing& all_;
    feed& feed_;
    std::vector<std::unique_ptr<subject>> subjects_; ///< an object follows the one that contains it
    std::unordered_map<std::uint32_t, subject*> by_id_;
    std::vector<subject*> attended_; ///< the runners that runs() must find
    std::size_t next_ = 0;           ///< the position of the sample in progress
    std::int64_t round_began_ = 0;
    bool some_ended_ = false; ///< a sample has found an object that was removed
    leaves_changed changes_;
};

} // namespace hsm::inspect::detail
