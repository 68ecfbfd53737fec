/// A lane without a server: the test takes its messages and sends commands.
#pragma once

#include <hsm/hsm.hpp>
#include <hsm/inspect/detail/lane_core.hpp>
#include <hsm/inspect/inspect_error.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace test {

namespace inspect = hsm::inspect::detail;
using inspect::verb;

struct watched_lane {
    /// With an old clock, the first poll samples the whole list.
    explicit watched_lane(std::size_t most = 1000, const inspect::page_clock& clock = {}) : all(most), feed(0, 1024, clock) {}

    inspect::listing all;
    inspect::feed feed;
    inspect::lane_core lane{all, feed};
    std::vector<inspect::message> messages;
    std::vector<inspect::recorded> records;

    template <class Machine> void add(std::string_view name, Machine& machine) { lane.add(name, machine); }
    template <class Machine> bool runs(const Machine& machine) { return lane.runs(machine); }

    /// Takes the messages and records since the last call.
    void take() {
        messages.clear();
        records.clear();
        feed.take(messages, records);
    }
    /// Polls until a round of samples is complete, and takes all messages of it.
    void sample() {
        messages.clear();
        records.clear();
        for (const auto begin = feed.clock().now(); feed.clock().now() - begin < 80'000'000;) lane.poll();
        feed.take(messages, records);
    }
    template <class T> std::vector<T> all_of() const {
        std::vector<T> found;
        for (const auto& m : messages)
            if (const auto* const one = std::get_if<T>(&m.content)) found.push_back(*one);
        return found;
    }
    template <class T> T only() const {
        const auto found = all_of<T>();
        REQUIRE(found.size() == 1);
        return found.front();
    }
    /// Returns the number of the machine with that name, which was added since the last take.
    std::uint32_t id_of(std::string_view name) const {
        for (const auto& added : all_of<inspect::machine_added>())
            if (added.name == name) return added.id;
        FAIL("not added: " << name);
        return 0;
    }
    inspect::command_result send(inspect::command c) {
        REQUIRE(feed.push_command(std::move(c)));
        lane.poll();
        take();
        const auto done = all_of<inspect::command_done>();
        return done.empty() ? inspect::command_result() : done.front().result;
    }
    inspect::command_result send(std::uint32_t machine, verb v) {
        inspect::command c;
        c.machine = machine;
        c.verb = v;
        return send(std::move(c));
    }
};

} // namespace test
