// The agents of the tests: they post to lower and higher ids, migrate, add agents, choose by chance, and wait for time.
#pragma once

#include <hsm/cluster.hpp>
#include <hsm/hsm.hpp>
#include <hsm/save/archive.hpp>

#include <cstdint>
#include <stdexcept>
#include <string>

namespace world {

struct walker {
    std::uint64_t seen = 0; ///< depends on the order of the events
    std::uint32_t turns = 0;
    std::uint32_t choices = 0;
    std::uint32_t children = 0;
    std::uint32_t generation = 0;
};
struct ping {
    std::uint64_t number;
};
struct letter {
    std::string text;
};
inline void (*in_serialize)() = nullptr;
template <class A> void serialize(A& a, letter& l) {
    if (in_serialize) in_serialize();
    a("text", l.text);
}
struct alarm {};

inline hsm::distributed_crowd<walker>* crowd = nullptr;
inline std::uint64_t agents = 0;
inline bool fails = false; ///< agent 3 throws in its 5th turn

inline bool is_quiet = false;              ///< agents post nothing
inline void (*in_turn)(walker&) = nullptr; ///< each agent calls it in each turn

inline void mix(walker& w, std::uint64_t what) { w.seen = hsm::derived_id(w.seen, what); }

inline void act(walker& w) {
    ++w.turns;
    if (in_turn) in_turn(w);
    if (is_quiet) return;
    auto me = crowd->acting(w);
    if (fails && me.id() == 3 && w.turns == 5) throw std::runtime_error("agent 3 fails");
    const auto chance = hsm::derived_id(me.id() + 1'000'003, w.turns);
    const auto other = (me.id() + agents + (chance >> 32) % 41 - 20) % agents;
    if (chance % 20 == 0) {
        me.post(other, ping{w.turns});
        me.post((other + 1) % agents, letter{"from " + std::to_string(me.id())});
    }
    if (chance % 100 == 1) me.migrate(other, static_cast<int>((chance >> 16) % static_cast<std::uint64_t>(crowd->ranks())));
    if (chance % 2000 == 2) me.post_all(alarm{});
    if (chance % 500 == 3 && w.generation < 3) me.add(hsm::derived_id(me.id(), ++w.children), {.generation = w.generation + 1});
    if (chance % 400 == 4 && w.generation > 0) me.remove(me.id());
}

inline auto make(bool other = false, bool entry_times = true) {
    auto root = hsm::make_fsm<walker>("walker");
    hsm::serializes<letter>(*root);
    auto& rest = root->add("rest");
    auto& play = root->add_fsm("play");
    auto& read = root->add("read");
    if (other) root->add("swim");
    play.choose(hsm::random);
    for (const auto* game : {"chess", "go", "cards"}) {
        auto& g = play.add(game);
        play.dispatch(g);
        g.on_enter([](walker& w) { mix(w, ++w.choices); });
    }
    root->on_update(&act);
    rest.to(play).on<ping>().then([](walker& w, const ping& p) { mix(w, p.number + 1); });
    rest.to(read).on<letter>().then([](walker& w, const letter& l) { mix(w, l.text.size()); });
    const auto hears = [](auto& state) {
        state.template on<ping>().then([](walker& w, const ping& p) { mix(w, p.number); });
        state.template on<letter>().then([](walker& w, const letter& l) { mix(w, static_cast<std::uint64_t>(l.text.back())); });
    };
    hears(play);
    hears(read);
    play.to(rest).after(0.3);
    read.to(rest).after(0.2);
    read.to(play).on<alarm>();
    return hsm::compile(std::move(root), {.entry_times = entry_times});
}

} // namespace world
