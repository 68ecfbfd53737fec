// Measures the ticks of a distributed crowd: benchmark <agents of each rank> <percent that post> <per mille that migrate> [<ticks>] [hash].
// Prints medians with their quartiles, for rank 0: the time of a tick, of its own tick and of the exchange, as elapsed time and as processor time.
// Also copies messages of the sizes that ranks exchange, for packing.py.
// With hash, prints the hash after the ticks, which does not depend on the number of ranks if the sum of the agents is equal.

#include <hsm/cluster.hpp>
#include <hsm/hsm.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <vector>

namespace {

struct cell {
    std::uint64_t seen = 0;
    std::uint32_t turns = 0;
    std::uint32_t level = 0;
    std::uint64_t more[6] = {}; ///< a context of 64 bytes
};
struct touch {
    std::uint32_t level;
};

hsm::distributed_crowd<cell>* all = nullptr;
std::uint64_t agents = 0, posting = 0, migrating = 0;

void act(cell& c) {
    auto me = all->acting(c);
    const auto chance = hsm::derived_id(me.id(), ++c.turns);
    c.level += (chance & 1) != 0;
    if (chance % 1000 < posting) me.post((me.id() + (chance >> 32) % 2001 + agents - 1000) % agents, touch{c.level});
    if ((chance >> 20) % 1000 < migrating) me.migrate(me.id(), static_cast<int>((chance >> 40) % static_cast<std::uint64_t>(all->ranks())));
}

auto make() {
    auto root = hsm::make_fsm<cell>("cell");
    auto& calm = root->add("calm");
    auto& busy = root->add("busy");
    root->on_update(&act);
    calm.to(busy).on<touch>().then([](cell& c, const touch& t) { c.seen += t.level; });
    busy.to(calm).on<touch>().then([](cell& c, const touch& t) { c.seen ^= t.level; });
    return hsm::compile(std::move(root), {.entry_times = false});
}

std::byte from[128], to[2][128];
/// Copies a message, without packing anything.
[[gnu::noinline]] void copy_event(std::size_t size) { std::memcpy(to[0], from, size); }
[[gnu::noinline]] void copy_agent(std::size_t size) { std::memcpy(to[1], from, size); }

void print(const char* what, std::vector<double> values) {
    std::sort(values.begin(), values.end());
    const auto at = [&](double share) { return values[static_cast<std::size_t>(share * static_cast<double>(values.size() - 1))]; };
    std::printf("%-20s %8.2f ms (%.2f to %.2f)\n", what, at(0.5), at(0.25), at(0.75));
}

} // namespace

int main(int count, char** words) {
    const auto number = [&](int i, std::uint64_t otherwise) { return count > i ? std::strtoull(words[i], nullptr, 10) : otherwise; };
    const auto chart = make();
    // Neighbors are on the same rank, as in a grid.
    hsm::distributed_crowd crowd{hsm::world(), chart, {.crowd = {.agent = {.posted_queue = 4}}, .home = [](hsm::global_id id, int ranks) {
                                                           return static_cast<int>(
                                                               std::min<std::uint64_t>(id / (agents / static_cast<std::uint64_t>(ranks)),
                                                                                       static_cast<std::uint64_t>(ranks) - 1));
                                                       }}};
    all = &crowd;
    agents = number(1, 100'000) * static_cast<std::uint64_t>(crowd.ranks());
    posting = number(2, 5) * 10;
    migrating = number(3, 0);
    for (hsm::global_id id = 0; id < agents; ++id)
        if (crowd.is_home(id)) crowd.add(id);
    using times = std::vector<double>;
    times ticks, own, outside, own_cpu, outside_cpu;
    const auto clock = [] { return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch()).count(); };
    const auto cpu = [] { return static_cast<double>(std::clock()) * 1000 / CLOCKS_PER_SEC; };
    for (std::uint64_t n = 0; n < number(4, 15) + 3; ++n) {
        double own_time = 0, own_cpu_time = 0;
        const auto begin = clock(), cpu_begin = cpu();
        crowd.tick(0.01, [&](std::size_t size, const auto& f) {
            const auto begun = clock(), cpu_begun = cpu();
            for (std::size_t i = 0; i < size; ++i) f(i);
            own_time = clock() - begun;
            own_cpu_time = cpu() - cpu_begun;
        });
        const auto time = clock() - begin, cpu_time = cpu() - cpu_begin;
        if (n < 3) continue;
        ticks.push_back(time);
        own.push_back(own_time);
        outside.push_back(time - own_time);
        own_cpu.push_back(own_cpu_time);
        outside_cpu.push_back(cpu_time - own_cpu_time);
    }
    for (volatile std::size_t head = 32, n = 0; n < 100; n = n + 1) {
        copy_event(head + 8);                // the event, padded
        copy_agent(sizeof(cell) + head / 2); // with two words of columns
    }
    const auto hash = count > 5 ? crowd.hash() : 0;
    if (crowd.rank() == 0) {
        print("tick", ticks);
        print("own tick", own);
        print("exchange", outside);
        print("own tick, CPU", own_cpu);
        print("exchange, CPU", outside_cpu);
        if (count > 5) std::printf("hash %016llx\n", static_cast<unsigned long long>(hash));
    }
    return 0;
}
