// Without memory, the calls of a distributed crowd throw, nothing leaks, and the crowd can continue. One rank, without mpirun.
//
// Without memory: cluster/communicator.hpp cluster/distributed_base.hpp cluster/distributed_crowd.hpp

#include "world.hpp"

#include <tests/support/scarce_memory.hpp>
#include <tests/support/temporary_folder.hpp>

#include <doctest/doctest.h>

#include <string>

namespace {

using test::memory::trial;
using test::memory::with_many_shortages;
using world::walker;

/// Calls act(crowd) without memory, for a crowd of 20 agents.
template <class Act> int with_shortages(const Act& act) {
    const auto chart = world::make();
    return with_many_shortages([&](trial& t) {
        hsm::distributed_crowd<walker> crowd{hsm::world(), chart};
        world::crowd = &crowd;
        world::agents = 20;
        for (hsm::global_id id = 0; id < world::agents; ++id) crowd.add(id);
        crowd.tick(0.1);
        const auto before = crowd.hash();
        const bool done = t.attempt([&] { act(crowd); });
        if (!done) CHECK(crowd.count() >= world::agents);
        crowd.tick(0.1);
        CHECK(crowd.hash() != before);
    });
}

} // namespace

TEST_CASE("without memory, no agent is added") {
    CHECK(with_shortages([](auto& crowd) {
              for (hsm::global_id id = 100; id < 150; ++id) crowd.add(id);
          }) > 1);
}

TEST_CASE("without memory, a post throws") {
    CHECK(with_shortages([](auto& crowd) { crowd.post(3, world::letter{"to an agent"}); }) > 1);
}

TEST_CASE("without memory, a tick throws") {
    CHECK(with_shortages([](auto& crowd) {
              for (int n = 0; n < 20; ++n) crowd.tick(0.1);
          }) > 10);
}

TEST_CASE("without memory, a checkpoint is not written, and the crowd stays") {
    const hsm::test::temporary_folder folder("cluster");
    const auto file = (folder.path() / "crowd.hsm").string();
    CHECK(with_shortages([&](auto& crowd) { crowd.save(file); }) > 5);
}

TEST_CASE("without memory, no crowd is created") {
    const auto chart = world::make();
    CHECK(with_many_shortages([&](trial& t) { t.attempt([&] { hsm::distributed_crowd<walker>{hsm::world(), chart}; }); }) > 5);
}
