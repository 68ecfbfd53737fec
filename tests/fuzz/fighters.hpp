/// Machines for the fuzzers of what is saved: an instance, a crowd and a manager that have been through something, and the same anew.
#pragma once

#include <tests/save/fighter.hpp>

#include <hsm/crowd/crowd.hpp>
#include <hsm/hsm.hpp>
#include <hsm/save/machine_factory.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <span>
#include <string>
#include <vector>

namespace fuzz {

using namespace std::chrono_literals;

/// A bug is a crash.
inline void require(bool holds) {
    if (!holds) std::abort();
}

inline const hsm::chart<test::fighter>& chart() {
    static const auto made = test::fighter_chart();
    return made;
}

struct one_fighter {
    test::fighter context;
    hsm::instance<test::fighter> agent{chart(), context, {.mailbox = 4}};

    void begin() {
        agent.start();
        agent.process(test::shout{"early"});
        agent.process(test::hit{3});
        agent.set("CanWalk");
        agent.process(test::stance::high);
        agent.process(test::hit{4});
        agent.tick(70ms);
        test::combo_of(agent, context).marks = {1, 2, 3};
        agent.process(test::shout{"pending"});
        agent.post(test::shout{"posted"});
        agent.mailbox().post(test::hit{7});
        agent.pulse("CanWalk");
    }
};

struct many_fighters {
    std::vector<test::fighter> contexts = std::vector<test::fighter>(8);
    hsm::crowd<test::fighter> herd{chart(), contexts, {.agent = {.mailbox = 4}}};

    void begin() {
        for (const std::size_t i : {0u, 1u, 2u, 5u}) {
            const auto id = herd.add_element(i);
            herd[id]->process(test::shout{"early"});
            if (i > 0) herd[id]->process(test::hit{3});
            if (i > 1) herd[id]->process(test::hit{4});
            herd.tick(30ms);
            herd[id]->post(test::shout{"posted"});
            herd.mailbox().post(id, test::hit{7});
        }
    }
};

struct named_fighters {
    std::vector<test::fighter> contexts = std::vector<test::fighter>(16);
    hsm::machine_factory kinds;
    hsm::manager machines;

    named_fighters() {
        kinds.add(
            "fighter", chart(),
            [this](std::string_view name) -> test::fighter& { return contexts[(name.empty() ? 0u : static_cast<unsigned char>(name[0])) % 16u]; },
            {.agent = {.mailbox = 4}, .saves_contexts = false});
    }
    void begin() {
        for (const char* const name : {"a", "b", "c"}) {
            machines.create(name, chart(), contexts[static_cast<std::size_t>(name[0] % 16)], {.mailbox = 4}).start();
            machines.broadcast(test::hit{2});
            machines.update(40ms, 10ms);
        }
        machines.get("b").use_real_time();
        machines.get("c")->post(test::shout{"posted"});
    }
};

/// Its clock is at the end then.
template <class Machine> void tick_to_end(Machine& machine) {
    try {
        machine.tick(hsm::time_span::from_nanoseconds(INT64_MAX));
    } catch (const std::exception&) { // chains that do not end
    }
}

/// Whatever they are now, they can go on.
template <class Machine> void play(Machine& machine) {
    try {
        for (int i = 0; i < 3; ++i) {
            machine.tick(10ms);
            machine.process(test::hit{i});
            machine.process(test::shout{"later"});
        }
        machine.stop();
    } catch (const std::exception&) { // chains that do not end
    }
}

/// For libFuzzer to begin with: into the folder that HSM_FUZZ_SEEDS names.
inline void write_seed(const std::string& name, std::uint8_t kind, std::span<const std::byte> bytes) {
    const char* const folder = std::getenv("HSM_FUZZ_SEEDS");
    if (!folder) return;
    std::ofstream to(std::string(folder) + '/' + name, std::ios::binary);
    to.put(static_cast<char>(kind));
    to.write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
}

} // namespace fuzz
