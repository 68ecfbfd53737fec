// Handles as values.

#include <tests/support/crowd.hpp>

#include <doctest/doctest.h>

#include <map>
#include <unordered_map>

using namespace test;

TEST_CASE("handles are keys of maps and sets, by order and by hash") {
    animals m(3);
    const auto stale = m.ids[1];
    m.herd.remove(stale);
    m.add();
    REQUIRE(m.ids[3].index == stale.index);
    std::map<hsm::agent_id, int> ordered;
    std::unordered_map<hsm::agent_id, int> hashed;
    for (int i = 0; i < 4; ++i) ordered[m.ids[std::size_t(i)]] = hashed[m.ids[std::size_t(i)]] = i;
    CHECK(ordered.size() == 4);
    CHECK(hashed.size() == 4);
    CHECK(ordered.at(stale) == 1);
    CHECK(hashed.at(m.ids[3]) == 3);
    CHECK(ordered.begin()->second == 0); // the first place
}
