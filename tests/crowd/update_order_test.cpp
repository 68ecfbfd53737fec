// crowd_options::update_order: agents are ticked by index, or state by state.

#include <tests/support/crowd.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <chrono>
#include <random>
#include <string>
#include <vector>

using namespace test;
using namespace std::chrono_literals;

namespace {

constexpr hsm::crowd_options by_state{.update_order = hsm::update_order::by_state};

/// Moves the agents with odd numbers to b.
void move_odd_ones(animals& m) {
    for (std::size_t i = 1; i < m.ids.size(); i += 2) m.herd[m.ids[i]]->process(push{});
    m.r.take();
}

/// Returns the trace of a tick, in the format of updating_chart.
std::string traced(animals& m, bool update_only) {
    auto trace = m.tick();
    if (update_only) return trace;
    for (auto& c : trace)
        if (c == 'A' || c == 'B') c += 'a' - 'A';
    for (std::size_t at; (at = trace.find("U ")) != std::string::npos;) trace.erase(at, 2);
    return trace;
}

/// What an agent does to another one in its update.
struct deed {
    std::size_t to;
    bool is_push, is_posted;
};

/// The rule as a program: a tick of one page. No agent calls itself.
class by_the_rule {
public:
    explicit by_the_rule(std::size_t count) : state(count, 'a'), posted(count) {}

    std::string tick(const std::vector<std::vector<deed>>& deeds) {
        trace_.clear();
        std::vector<bool> had(state.size());
        for (bool all = false; !all;) {
            for (const char s : {'a', 'b'})
                for (std::size_t i = 0; i < state.size(); ++i) {
                    if (had[i] || state[i] != s) continue;
                    had[i] = true;
                    for (const bool is_push : posted[i]) move(i, is_push);
                    posted[i].clear();
                    note({state[i]}, i);
                    for (const auto& d : deeds[i]) {
                        if (d.is_posted)
                            posted[d.to].push_back(d.is_push);
                        else
                            move(d.to, d.is_push);
                    }
                }
            all = std::ranges::find(had, false) == had.end();
        }
        return trace_;
    }

private:
    void note(const std::string& what, std::size_t i) { trace_ += (trace_.empty() ? "" : ", ") + what + ' ' + std::to_string(i); }
    void move(std::size_t i, bool is_push) {
        if ((state[i] == 'a') != is_push) return;
        note(std::string("X ") + state[i], i);
        state[i] = is_push ? 'b' : 'a';
        note(std::string("E ") + state[i], i);
    }

    std::vector<char> state;
    std::vector<std::vector<bool>> posted;
    std::string trace_;
};

} // namespace

TEST_CASE("by state: random calls in hooks have the effects that the rule defines") {
    std::minstd_rand random(1);
    const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random()) % n; };
    for (const bool update_only : {true, false})
        for (const std::size_t often : {1u, 10u, 100u, 1'000'000u}) { // one agent in `often` calls another
            CAPTURE(update_only);
            CAPTURE(often);
            const std::size_t n = 900;
            animals m(static_cast<int>(n), update_only ? updating_chart() : animal_chart(), by_state);
            by_the_rule rule(n);
            std::vector<std::vector<deed>> deeds(n);
            for (std::size_t i = 0; i < n; ++i)
                m.of(i).does = [&, i](animal&) {
                    for (const auto& d : deeds[i]) {
                        const auto agent = m.herd[m.ids[d.to]];
                        if (d.is_posted)
                            d.is_push ? agent->post(push{}) : agent->post(pull{});
                        else
                            d.is_push ? agent->process(push{}) : agent->process(pull{});
                    }
                };
            for (int t = 0; t < 12; ++t) {
                if (t == 1) // many calls of both kinds
                    for (std::size_t i = 0; i < n; i += 1 + below(3)) deeds[0].push_back({i == 0 ? 1 : i, true, false});
                CHECK(traced(m, update_only) == rule.tick(deeds));
                for (auto& d : deeds) d.clear();
                for (std::size_t i = 0; i < n; ++i)
                    for (auto k = below(often) == 0 ? 1 + below(3) : 0; k > 0; --k) {
                        const auto to = below(n);
                        if (to != i) deeds[i].push_back({to, below(2) == 0, below(4) == 0});
                    }
            }
        }
}

TEST_CASE("by state: page by page, agents run in the order of states, then by index") {
    for (const bool update_only : {true, false}) {
        CAPTURE(update_only);
        const std::string a = update_only ? "a " : "U A ", b = update_only ? "b " : "U B ";
        const int n = 4096 + 5;
        animals m(n, update_only ? updating_chart() : animal_chart(), by_state);
        move_odd_ones(m);
        std::string wanted;
        const auto add = [&](const std::string& state, int first, int end) {
            for (int i = first; i < end; i += 2) wanted += (wanted.empty() ? "" : ", ") + state + std::to_string(i);
        };
        add(a, 0, 4096);
        add(b, 1, 4096);
        add(a, 4096, n);
        add(b, 4097, n);
        CHECK(m.tick() == wanted);
        CHECK(m.update() == wanted);
    }
}

TEST_CASE("by state: an agent that changes before its turn runs once in its new state, in a second pass if that state has run") {
    animals m(8, updating_chart(), by_state);
    move_odd_ones(m);
    m.of(2).does = [&](animal&) {
        m.herd[m.ids[4]]->process(push{}); // to a state that comes later
        m.herd[m.ids[5]]->process(pull{}); // to the current state, at an index that comes later
        m.herd[m.ids[1]]->process(pull{}); // to the current state, at an index that was passed
        m.herd[m.ids[0]]->process(push{}); // has had its turn
    };
    m.of(7).does = [&](animal&) { m.herd[m.ids[6]]->process(push{}); };
    CHECK(m.tick(1s) == "a 0, a 2, X a 4, E b 4, X b 5, E a 5, X b 1, E a 1, X a 0, E b 0, a 5, a 6, b 3, b 4, b 7, X a 6, E b 6, a 1");
    m.of(2).does = m.of(7).does = nullptr;
    CHECK(m.tick(1s) == "a 1, a 2, a 5, b 0, b 3, b 4, b 6, b 7");
}

TEST_CASE("by state: hooks can remove, add, stop, throw, and process events for their own agent") {
    animals m(8, updating_chart(), by_state);
    move_odd_ones(m);
    m.of(0).does = [&](animal&) {
        m.herd.remove(m.ids[2]);
        m.herd.remove(m.ids[3]);
        m.add();
    };
    m.of(1).does = [&](animal& x) {
        m.herd[x.self]->process(pull{});
        throw_at(x);
    };
    m.of(4).does = [&](animal& x) { m.herd.remove(x.self); };
    m.of(6).does = [&](animal& x) {
        x.does = nullptr;
        m.herd[x.self]->process(push{}); // has had its turn: b comes later, but not for this agent
        m.herd[m.ids[7]]->stop();
    };
    CHECK(error_text([&] { m.herd.tick(1s); }) == "1");
    CHECK(m.r.take() == "a 0, X a 2, X b 3, E a 8, a 4, X a 4, a 6, X b 7, X a 6, E b 6, b 1, b 5");
    m.of(0).does = m.of(1).does = nullptr;
    CHECK(m.tick(1s) == "a 0, a 8, X b 1, E a 1, a 1, b 5, b 6"); // remaining work comes first
    CHECK(m.herd.count() == 6);
}

TEST_CASE("by state: an agent has its earlier time before its turn, at any index") {
    animals m(4, updating_chart(), by_state);
    move_odd_ones(m);
    const auto seen = [&] {
        std::string all;
        for (const auto id : m.ids) all += m.herd[id]->now() == 1s ? "1" : "0";
        return all;
    };
    std::string of_two, of_one;
    m.of(2).does = [&](animal&) { of_two = seen(); };
    m.of(1).does = [&](animal&) { of_one = seen(); };
    m.herd.tick(1s);
    CHECK(of_two == "1010");
    CHECK(of_one == "1110");
    CHECK(seen() == "1111");
}

TEST_CASE("by state: an idle agent has had its turn when its state has run") {
    for (const auto order : {hsm::update_order::by_index, hsm::update_order::by_state}) {
        CAPTURE(static_cast<int>(order));
        auto root = hsm::make_fsm<animal>("R");
        auto& a = root->add("A");
        auto& c = root->add("C");
        auto& b = with_trace(root->add("B"));
        a.to(c).when("Go");
        c.on_enter([](animal& x) { x.note("E C"); });
        a.to(b).on<push>();
        animals m(130, hsm::compile(std::move(root)), {.update_order = order});
        m.herd[m.ids[128]]->process(push{});
        m.r.take();
        std::string clocks;
        m.of(128).does = [&](animal&) {
            for (const std::size_t i : {0u, 70u, 127u, 129u}) {
                clocks += m.herd[m.ids[i]]->now() == 1s ? "1" : "0";
                m.herd[m.ids[i]]->set("Go");
            }
        };
        const bool by_index = order == hsm::update_order::by_index; // then the turn of the last one is still to come
        CHECK(m.tick(1s) == (by_index ? "U B 128, E C 129" : "U B 128"));
        CHECK(clocks == (by_index ? "1110" : "1111"));
        m.of(128).does = nullptr;
        CHECK(m.tick(1s) == (by_index ? "E C 0, E C 70, E C 127, U B 128" : "E C 0, E C 70, E C 127, E C 129, U B 128"));
    }
}

TEST_CASE("by state: agents with posts and paused agents run in one loop") {
    animals m(6, updating_chart(), by_state);
    m.herd[m.ids[2]]->post(push{});
    m.herd[m.ids[4]]->pause();
    m.r.take();
    CHECK(m.tick(1s) == "a 0, a 1, X a 2, E b 2, b 2, a 3, a 4, a 5");
    CHECK(m.tick(1s) == "a 0, a 1, a 3, a 4, a 5, b 2");
    CHECK(m.herd[m.ids[3]]->now() == 2s);
    CHECK(m.herd[m.ids[4]]->now() == 0s);
}

TEST_CASE("by state: an agent that decides runs once, even if its new state runs later in the tick") {
    auto root = hsm::make_fsm<animal>("R");
    auto& a = root->add("A");
    auto& b = root->add("B");
    auto& c = root->add("C");
    a.to(b).when([](const animal& x) { return x.number != 1; });
    b.to(c).when([](const animal&) { return true; });
    animals m(3, hsm::compile(std::move(root)), {.update_order = hsm::update_order::by_state});
    m.tick();
    CHECK(m.herd.count("A") == 1);
    CHECK(m.herd.count("B") == 2);
    m.tick();
    CHECK(m.herd.count("C") == 2);
}
