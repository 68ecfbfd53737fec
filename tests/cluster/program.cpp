// Runs the agents of world.hpp on the ranks of a job, for run.py:
//
//     program run <agents> <ticks> [workers=N] [save=TICK:FILE] [restore=FILE] [rebalance=TICKS] [place=TICKS] [more=N] [fail] [die=TICK]
//     program calls <folder>
//     program differ chart|build|seed|stream|queue|lists|order|home
//     program shortage <folder>
//
// `run` prints the number of agents and the hash after each tick, on rank 0.

#include "world.hpp"

#include <hsm/crowd/workers.hpp>

#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <mutex>
#include <new>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace {

using world::walker;

constexpr int unlimited = -1;
int allocations_left = unlimited; ///< one that follows fails

void expect(bool holds, const char* what) {
    if (holds) return;
    std::fprintf(stderr, "rank %d: failed: %s\n", world::crowd ? world::crowd->rank() : -1, what);
    std::abort(); // ends the job
}

std::map<std::string, std::string> options_of(int count, char** words, int first) {
    std::map<std::string, std::string> options;
    for (int i = first; i < count; ++i) {
        const std::string word = words[i];
        const auto equals = word.find('=');
        options[word.substr(0, equals)] = equals == std::string::npos ? "yes" : word.substr(equals + 1);
    }
    return options;
}

/// With `spread`, each 8 agents of this rank are in a page of their own, so that workers tick them at the same time.
void add_all(bool spread = false) {
    auto& crowd = *world::crowd;
    hsm::global_id other = std::uint64_t(1) << 40;
    for (std::uint64_t id = 0; id < world::agents; ++id) {
        if (!crowd.is_home(id)) continue;
        crowd.add(id);
        const auto places = crowd.local().count();
        while (spread && places % 4096 % 8 == 0 && crowd.local().count() % 4096 != 0)
            if (crowd.is_home(++other)) crowd.add(other), crowd.remove(other);
    }
}

int run(std::uint64_t agents, std::uint64_t ticks, std::map<std::string, std::string> options) {
    const auto chart = world::make();
    hsm::distributed_crowd crowd{hsm::world(), chart, {.crowd = {.agent = {.posted_queue = 4, .seed = 7}}}};
    world::crowd = &crowd;
    world::agents = agents;
    world::fails = options.contains("fail");
    const auto workers = std::strtoul(options["workers"].c_str(), nullptr, 10);
    if (const auto file = options["restore"]; !file.empty())
        crowd.restore(file);
    else
        add_all(workers > 1);
    hsm::workers threads(workers > 0 ? static_cast<unsigned>(workers) : 1);
    const auto save = options["save"];
    const auto every = std::strtoul(save.c_str(), nullptr, 10);
    const auto rebalance = std::strtoul(options["rebalance"].c_str(), nullptr, 10);
    const auto place = std::strtoul(options["place"].c_str(), nullptr, 10);
    const auto dies_at = std::strtoul(options["die"].c_str(), nullptr, 10);
    try {
        if (const auto more = std::strtoul(options["more"].c_str(), nullptr, 10); more > 0) ticks = crowd.ticks() + more;
        while (crowd.ticks() < ticks) {
            // Each number from 0 to 5 by one of the ranks.
            for (std::uint64_t n = 0; n < 6; ++n)
                if (n % static_cast<std::uint64_t>(crowd.ranks()) == static_cast<std::uint64_t>(crowd.rank()))
                    crowd.post(crowd.ticks() % agents, world::ping{1000 + n}, n);
            if (workers > 0)
                crowd.tick(0.01, threads);
            else
                crowd.tick(0.01);
            const auto count = crowd.count(), hash = crowd.hash();
            if (crowd.rank() == 0)
                std::printf("%llu %llu %016llx\n", static_cast<unsigned long long>(crowd.ticks()), static_cast<unsigned long long>(count),
                            static_cast<unsigned long long>(hash));
            std::fflush(stdout);
            if (rebalance > 0 && crowd.ticks() % rebalance == 0) crowd.rebalance();
            const auto cell = [&](hsm::global_id id, const walker& w) {
                return static_cast<int>((id + w.seen) % static_cast<std::uint64_t>(crowd.ranks()));
            };
            if (place > 0 && crowd.ticks() % place == 0) crowd.place(cell);
            if (every > 0 && crowd.ticks() % every == 0) crowd.save(save.substr(save.find(':') + 1));
            if (dies_at == crowd.ticks() && crowd.rank() == crowd.ranks() - 1) std::raise(SIGKILL);
        }
        const auto lost = crowd.lost(), unknown = crowd.unknown();
        if (crowd.rank() == 0)
            std::printf("lost %llu, unknown %llu\n", static_cast<unsigned long long>(lost), static_cast<unsigned long long>(unknown));
    } catch (const std::exception& e) {
        std::printf("rank %d: %s\n", crowd.rank(), e.what());
    }
    return 0;
}

/// Requires that all ranks throw that code.
template <class F> void expect_code(hsm::code code, const F& f) {
    try {
        f();
    } catch (const hsm::run_error& e) {
        return expect(e.number() == code, e.what());
    }
    expect(false, "no exception");
}

void write(const std::string& file, const std::string& text) {
    if (world::crowd->rank() == 0) {
        auto* const to = std::fopen(file.c_str(), "wb");
        std::fwrite(text.data(), 1, text.size(), to);
        std::fclose(to);
    }
    world::crowd->count(); // all ranks wait
}
std::string content(const std::string& file) {
    std::string text;
    auto* const from = std::fopen(file.c_str(), "rb");
    for (int c; (c = std::fgetc(from)) != EOF;) text += static_cast<char>(c);
    std::fclose(from);
    return text;
}

void check_order(hsm::distributed_crowd<walker>& crowd, const hsm::chart<walker>& chart) {
    const auto before = crowd.hash();
    const auto last = crowd.ranks() - 1;
    // By order, from any rank; of the same rank and order, by call.
    if (crowd.rank() == 0) expect(crowd.post(5, world::ping{3}, 2) == hsm::result::queued, "post");
    if (crowd.rank() == last) crowd.post(5, world::ping{1}, 1), crowd.post(5, world::ping{2}, 1);
    crowd.tick(0.0);
    walker expected;
    hsm::instance alone(chart, expected);
    alone.start();
    for (std::uint64_t n = 1; n <= 3; ++n) alone.post(world::ping{n});
    alone.tick(0.0);
    if (const auto id = crowd.local_id(5)) expect(crowd.local().context(id).seen == expected.seen, "the order of events from outside");
    expect(crowd.hash() != before, "the hash of other states differs");

    // Events from outside first, although they are posted later.
    world::in_turn = [](walker& w) {
        auto me = world::crowd->acting(w);
        if (me.id() == 3) me.post(5, world::ping{5});
    };
    crowd.tick(0.0);
    world::in_turn = nullptr;
    if (crowd.rank() == last) crowd.post(5, world::ping{4}, 100);
    crowd.tick(0.0);
    for (std::uint64_t n = 4; n <= 5; ++n) alone.post(world::ping{n});
    alone.tick(0.0);
    if (const auto id = crowd.local_id(5)) expect(crowd.local().context(id).seen == expected.seen, "events from outside come first");
}

/// Requires that all ranks throw, in any of the ways that a failing rank causes.
template <class F> void expect_cluster_error(const char* what, const F& f) {
    try {
        f();
    } catch (const hsm::cluster_error&) {
        return;
    }
    expect(false, what);
}

/// A hook can call none of the functions that act between ticks.
void check_hooks(hsm::distributed_crowd<walker>& crowd) {
    const auto before = crowd.hash();
    static int calls = 0;
    world::in_turn = [](walker&) {
        auto& c = *world::crowd;
        const auto refused = [](const auto& f) { expect_code(hsm::code::call_in_hook, f); };
        expect(c.tick(0.0) == hsm::result::busy, "tick in a hook");
        refused([&] { c.count(); });
        refused([&] { c.count("rest"); });
        refused([&] { c.populations(); });
        refused([&] { c.owner(1); });
        refused([&] { c.lost(); });
        refused([&] { c.unknown(); });
        refused([&] { c.hash(); });
        refused([&] { c.rebalance(); });
        refused([&] { c.save("never"); });
        refused([&] { c.restore("never"); });
        refused([&] { c.post(1, world::ping{1}); });
        refused([&] { c.post_all("alarm"); });
        refused([&] { c.remove(1); });
        refused([&] { c.migrate(1, 0); });
        refused([&] { c.place([](hsm::global_id, const walker&) { return 0; }); });
        refused([&] { c.add(5000); });
        ++calls;
    };
    crowd.tick(0.0);
    world::in_turn = nullptr;
    expect(crowd.local().count() == 0 || calls > 0, "hooks run");
    crowd.tick(0.0);
    expect(crowd.count() == world::agents && crowd.hash() != before, "the crowd continues");
}

hsm::global_id homeless = 0; ///< has no valid home

/// An agent without a valid home is not added; one that cannot be packed stays until it can.
void check_moves(const hsm::chart<walker>& chart) {
    auto* const outer = world::crowd;
    {
        hsm::distributed_crowd<walker> crowd{
            hsm::world(), chart, {.home = [](hsm::global_id id, int ranks) { return id == homeless ? -1 : static_cast<int>(id) % ranks; }}};
        world::crowd = &crowd;
        const auto all = crowd.ranks();
        homeless = 50;
        expect_code(hsm::code::no_rank, [&] { crowd.add(50); });
        expect(crowd.count() == 0 && !crowd.local_id(50), "an agent that is refused");
        for (hsm::global_id id = 0; id < 10; ++id)
            if (crowd.is_home(id)) crowd.add(id), crowd.migrate(id, (crowd.rank() + 1) % all);
        crowd.tick(0.0);
        homeless = 4;
        if (all > 1) expect_code(crowd.rank() == 4 % all ? hsm::code::no_rank : hsm::code::failed_rank, [&] { crowd.tick(0.0); });
        expect(crowd.count() == 10 && crowd.owner(4) == 4 % all && crowd.owner(5) == 6 % all, "one agent stays");
        homeless = 50;
        crowd.tick(0.0);
        expect(crowd.owner(4) == 5 % all, "it leaves in the next tick");

        crowd.rebalance(); // the measured times decide how many agents this moves, in the next tick
        crowd.tick(0.0);
        for (hsm::global_id id = 0; id < 10; ++id)
            if (crowd.rank() == 0 && crowd.local_id(id)) crowd.migrate(id, 1 % all);
        world::in_turn = [](walker&) {
            static std::atomic<bool> slow{world::crowd->rank() == 0}; // far longer than a busy machine delays another rank
            if (slow.exchange(false)) std::this_thread::sleep_for(std::chrono::milliseconds(800));
        };
        crowd.tick(0.0);
        world::in_turn = nullptr;
        expect(crowd.rebalance() == 0, "rebalance counts only agents that it moves");
    }
    world::crowd = outer;
}

/// Three choices by score, which a crowd computes for many agents together.
struct chooser {
    double values[3] = {3, 2, 1};
};
hsm::chart<chooser> make_chooser() {
    auto root = hsm::make_fsm<chooser>("chooser");
    auto& m = root->add_fsm("m").choose(hsm::best).rechoose();
    for (std::size_t i = 0; i < 3; ++i)
        m.dispatch(m.add("s" + std::to_string(i))).score([i](hsm::scores<chooser>& some) {
            for (std::size_t k = 0; k < some.size(); ++k) some.set(k, some[k].values[i]);
        });
    root->on<world::ping>().then([](chooser& c, const world::ping& p) { c.values[p.number] = 10; });
    return hsm::compile(std::move(root), {.entry_times = false});
}
hsm::chart<chooser> make_updated() {
    auto root = hsm::make_fsm<chooser>("updated");
    auto& a = root->add("a").on_update([](chooser& c) { ++c.values[0]; });
    a.to(root->add("b")).on<world::ping>();
    return hsm::compile(std::move(root), {.entry_times = false});
}
/// An agent handles its events in the tick in which they arrive, also if hooks or scores are called for many agents.
void check_arrival() {
    for (const auto order : {hsm::update_order::by_index, hsm::update_order::by_state})
        for (const auto& [chart, arrived] : {std::pair(make_chooser(), "m/s2"), std::pair(make_updated(), "b")}) {
            hsm::distributed_crowd crowd{hsm::world(), chart, {.crowd = {.update_order = order}}};
            for (std::uint64_t id = 0; id < 600; ++id)
                if (crowd.is_home(id)) crowd.add(id);
            crowd.tick(0.1);
            if (crowd.rank() == 0)
                for (const auto id : {100, 101, 300}) crowd.post(static_cast<std::uint64_t>(id), world::ping{2});
            crowd.tick(0.1);
            expect(crowd.count(arrived) == 3, "all agents have handled their events");
        }
}

struct bag {
    std::string text;
};
bool is_refused = false;
template <class A> void serialize(A& a, bag& b) {
    if (is_refused) throw std::runtime_error("refused");
    a("text", b.text);
}
/// An agent that cannot be packed stays, and its home knows where.
void check_failed_move() {
    auto root = hsm::make_fsm<bag>("bag");
    hsm::serializes<bag>(*root);
    root->add("a").to(root->add("b")).on<world::ping>();
    const auto chart = hsm::compile(std::move(root));
    hsm::distributed_crowd crowd{hsm::world(), chart, {.home = [](hsm::global_id, int) { return 0; }}};
    const auto last = crowd.ranks() - 1;
    if (crowd.rank() == 0) crowd.add(3, bag{"x"}), crowd.migrate(3, last);
    crowd.tick(0.1), crowd.tick(0.1);
    expect(crowd.owner(3) == last, "it has moved");
    if (crowd.rank() == 0) crowd.migrate(3, last > 0 ? last - 1 : 0);
    crowd.tick(0.1);
    is_refused = last > 0;
    try {
        crowd.tick(0.1);
    } catch (const std::exception&) {
    }
    expect(crowd.owner(3) == last, "it has stayed");
    is_refused = false;
    if (crowd.rank() == 0) crowd.post(3, world::ping{1});
    crowd.tick(0.1);
    expect(crowd.count("b") == 1 && crowd.unknown() == 0, "it is found");
    crowd.tick(0.1);
    const auto now = last > 0 ? last - 1 : 0;
    expect(crowd.owner(3) == now, "it moves later");

    // If it is removed instead of moving later, its place is free for another agent, which stays.
    if (crowd.rank() == 0) crowd.migrate(3, last);
    crowd.tick(0.1);
    if (crowd.rank() == 0) crowd.remove(3);
    is_refused = last > 0;
    try {
        crowd.tick(0.1);
    } catch (const std::exception&) {
    }
    is_refused = false;
    expect(crowd.owner(3) == -1, "it is removed");
    if (crowd.rank() == now) crowd.add(5, bag{"y"});
    crowd.tick(0.1), crowd.tick(0.1);
    expect(crowd.owner(5) == 0 && crowd.count() == 1, "another agent in its place goes to its home");
}

/// An agent that throws while it is removed is gone on all ranks.
void check_failed_removal() {
    auto root = hsm::make_fsm<bag>("bag");
    root->on_destroy([](bag&) { throw std::runtime_error("destroyed"); });
    root->add("a");
    const auto chart = hsm::compile(std::move(root));
    hsm::distributed_crowd crowd{hsm::world(), chart};
    if (crowd.is_home(3)) crowd.add(3, bag{"x"});
    if (crowd.rank() == 0) crowd.remove(3);
    try {
        crowd.tick(0.1);
        expect(false, "no exception");
    } catch (const std::exception& e) {
        expect(std::string(e.what()).find("destroyed") != std::string::npos, e.what());
    }
    expect(crowd.count() == 0 && crowd.owner(3) == -1, "an agent whose hook has thrown is removed");
    if (crowd.is_home(3)) crowd.add(3, bag{"y"});
    expect(crowd.count() == 1, "its id is free");
    if (crowd.is_home(3)) crowd.migrate(3, (crowd.rank() + 1) % crowd.ranks());
    crowd.tick(0.1), crowd.tick(0.1);
    expect(crowd.owner(3) == (crowd.home(3) + 1) % crowd.ranks(), "the new agent migrates");
}

/// With workers, events are serialized by several threads at the same time.
std::mutex serializing_mutex;
std::set<std::thread::id> serializing;
void check_workers(const hsm::chart<walker>& chart) {
    auto* const outer = world::crowd;
    {
        hsm::distributed_crowd<walker> crowd{hsm::world(), chart, {.home = [](hsm::global_id id, int) { return static_cast<int>(id >> 32); }}};
        world::crowd = &crowd;
        const auto first = static_cast<hsm::global_id>(crowd.rank()) << 32;
        for (hsm::global_id id = 0; id <= 4096; ++id) crowd.add(first + id); // two pages
        world::in_turn = [](walker& w) {
            auto me = world::crowd->acting(w);
            if (me.id() % 4096 == 0) me.post(me.id() + 1 - 2 * (me.id() % 8192 / 4096), world::letter{"waits"});
        };
        world::in_serialize = [] {
            const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(20);
            for (std::size_t threads = 0; threads < 2 && std::chrono::steady_clock::now() < end;) {
                const std::lock_guard lock(serializing_mutex);
                serializing.insert(std::this_thread::get_id());
                threads = serializing.size();
            }
        };
        const auto threads = [](std::size_t size, const auto& f) {
            std::vector<std::thread> all;
            for (std::size_t n = 0; n < size; ++n) all.emplace_back([&f, n] { f(n); });
            for (auto& each : all) each.join();
        };
        crowd.tick(0.0, threads);
        world::in_serialize = nullptr;
        world::in_turn = nullptr;
        expect(serializing.size() == 2, "two threads serialize events");
        crowd.tick(0.0, threads);
        expect(crowd.count("read") == 2 * static_cast<std::uint64_t>(crowd.ranks()), "both events arrive");
    }
    world::crowd = outer;
}

void check_calls(hsm::distributed_crowd<walker>& crowd, const hsm::chart<walker>& chart, const std::string& folder) {
    const auto all = crowd.ranks();
    expect(crowd.count() == world::agents, "count");
    expect_code(crowd.rank() == 0 ? hsm::code::not_in_chart : hsm::code::failed_rank, [&] { crowd.count(crowd.rank() == 0 ? "nowhere" : "rest"); });
    expect(crowd.count("rest") == world::agents, "count of a state");
    const auto populations = crowd.populations();
    expect(populations.at(0) == world::agents && populations.at(1) == world::agents, "populations");
    check_order(crowd, chart);
    check_hooks(crowd);
    check_moves(chart);
    check_arrival();
    check_failed_move();
    check_failed_removal();
    check_workers(chart);

    expect(crowd.owner(7) == crowd.home(7), "the owner of an agent is its home");
    const auto place = [&](const auto& rank_of) {
        crowd.place([&](hsm::global_id id, const walker&) { return rank_of(id); });
        crowd.tick(0.0);
    };
    place([&](hsm::global_id id) { return static_cast<int>(id * 5) % all; });
    for (hsm::global_id id = 0; id < 20; ++id) expect(crowd.owner(id) == static_cast<int>(id * 5) % all, "the placement of an agent");
    place([&](hsm::global_id id) { return crowd.home(id); });
    if (crowd.rank() == 0) crowd.migrate(6, (crowd.home(6) + 1) % all);
    crowd.tick(0.0);
    for (const auto no_rank : {all, -1})
        if (crowd.local().count() > 0)
            expect_code(hsm::code::no_rank, [&] { crowd.place([&](hsm::global_id id, const walker&) { return id > 10 ? no_rank : 0; }); });
    crowd.tick(0.0);
    expect(crowd.owner(6) == (crowd.home(6) + 1) % all && crowd.owner(5) == crowd.home(5), "after a refused placement, agents migrate as before");
    place([&](hsm::global_id id) { return crowd.home(id); });
    const auto hash = crowd.hash();
    const auto elsewhere = (crowd.home(7) + 1) % all;
    if (crowd.rank() == all - 1) crowd.migrate(7, elsewhere);
    crowd.tick(0.0);
    crowd.tick(0.0);
    expect(crowd.owner(7) == elsewhere, "an agent that has migrated");
    expect(!crowd.local_id(7) == (crowd.rank() != elsewhere), "its handle");
    expect(all == 1 || crowd.hash() != hash, "its turns");
    crowd.post(7, world::letter{"to an agent that is away"});
    crowd.tick(0.0);
    expect(crowd.count("read") == 1, "a post to an agent that has migrated");
    if (crowd.rank() == 0) crowd.migrate(8, (crowd.home(8) + 1) % all);
    crowd.tick(0.0);
    if (const auto id = crowd.local_id(8)) crowd.local()[id]->post(world::letter{"waits while the agent moves"});
    crowd.tick(0.0);
    expect(crowd.owner(8) == (crowd.home(8) + 1) % all && crowd.count("read") == 2, "an agent that migrates with a waiting event");

    if (crowd.rank() == 0) crowd.migrate(9, (crowd.home(9) + 1) % all);
    crowd.tick(0.0);
    crowd.tick(0.0);
    if (crowd.rank() == 0) crowd.post(123456, world::ping{1}), crowd.remove(9);
    crowd.tick(0.0);
    expect(crowd.unknown() == 1, "a post to an unknown id");
    expect(crowd.lost() == 0, "no event is lost");
    for (std::uint64_t n = 0; n < 6 && crowd.rank() == 0; ++n) crowd.post(5, world::ping{n});
    crowd.tick(0.0);
    expect(crowd.lost() == 2, "a full queue");
    expect(crowd.count() == world::agents - 1 && crowd.owner(9) == -1, "a removed agent");
    if (crowd.is_home(9)) crowd.add(9);
    crowd.tick(0.0);
    expect(crowd.count() == world::agents, "an id can be used again");
    if (crowd.rank() == 0)
        expect(crowd.post_all("night") == hsm::result::unhandled && crowd.post_all(world::alarm()) == hsm::result::queued, "post_all");
    crowd.tick(0.0);
    expect(crowd.count("read") == 0, "an event for all agents");

    // An agent that is added elsewhere moves to its home; a second one with its id is an error on all ranks.
    hsm::global_id other = 1000;
    while (crowd.home(other) != 0) ++other;
    if (crowd.rank() == all - 1) crowd.add(other);
    crowd.tick(0.0);
    expect(crowd.owner(other) == 0, "an agent that was added on another rank");
    if (all > 1) {
        if (crowd.rank() == all - 1) crowd.add(other);
        expect_code(crowd.rank() == 0 ? hsm::code::global_id_exists : hsm::code::failed_rank, [&] { crowd.tick(0.0); });
        expect(crowd.count() == world::agents + 1, "the first agent stays");
        expect_code(hsm::code::ranks_differ, [&] { crowd.tick(crowd.rank() == 0 ? 0.0 : 0.1); });
    }
    if (crowd.is_home(4)) expect_code(hsm::code::global_id_exists, [&] { crowd.add(4); });
    expect_code(hsm::code::no_rank, [&] { crowd.migrate(4, all); });

    const auto file = folder + "/calls.hsm";
    const auto refused = [&](hsm::code code) { expect_code(code, [&] { crowd.restore(file); }); };
    expect_code(hsm::code::failed_checkpoint, [&] { crowd.restore(folder + "/missing"); });
    expect_code(hsm::code::failed_checkpoint, [&] { crowd.save(folder + "/missing/file"); });
    const auto other_chart = world::make(true);
    crowd.save(file);
    const auto saved = crowd.hash();
    crowd.restore(file);
    expect(crowd.hash() == saved, "a restored crowd");
    {
        hsm::distributed_crowd<walker> different{hsm::world(), other_chart};
        expect_code(hsm::code::broken_checkpoint, [&] { different.restore(file); });
    }
    const auto text = content(file);
    crowd.count();
    write(file, "no checkpoint");
    refused(hsm::code::broken_checkpoint);
    write(file, text.substr(0, text.size() - 8));
    refused(hsm::code::broken_checkpoint);
    expect(crowd.hash() == saved, "a refused file changes nothing");
    for (std::size_t at = 0; at < text.size(); at += 1 + text.size() / 16) { // each damage is found, by one rank or by all
        auto damaged = text;
        damaged[at] = static_cast<char>(damaged[at] ^ 1);
        write(file, damaged);
        expect_cluster_error("a damaged file", [&] { crowd.restore(file); });
        expect(crowd.hash() == saved, "a damaged file changes nothing");
    }
    write(file, text);
    crowd.restore(file);
    expect(crowd.hash() == saved, "the file again");
    if (crowd.rank() == 0) {
        std::filesystem::remove(file + ".part"); // of a run that run.py repeats
        std::filesystem::create_symlink("/dev/null", file + ".part");
    }
    crowd.count();
    expect_cluster_error("a file that cannot be resized", [&] { crowd.save(file); });
    if (crowd.rank() == 0) expect(content(file) == text, "the previous checkpoint stays");
    expect_code(hsm::code::bad_option, [&] { hsm::distributed_crowd<walker>{hsm::world(), chart, {.crowd = {.decide_every = 2}}}; });
}

int calls(const std::string& folder) {
    const auto chart = world::make();
    hsm::distributed_crowd crowd{hsm::world(), chart, {.crowd = {.agent = {.posted_queue = 4}}}};
    world::crowd = &crowd;
    world::agents = 20;
    world::is_quiet = true;
    add_all();
    check_calls(crowd, chart, folder);
    if (crowd.rank() == 0) std::puts("ok");
    return 0;
}

/// Each allocation fails once on the last rank. All ranks throw, and continue with equal calls.
int shortage(const std::string& folder) {
    const auto chart = world::make();
    hsm::distributed_crowd crowd{hsm::world(), chart};
    world::crowd = &crowd;
    world::agents = 20;
    add_all();
    crowd.tick(0.1);
    const auto hash = crowd.hash();
    const auto fails_until_enough = [&](const auto& call, int least) {
        for (int n = 0;; ++n) {
            bool done = false;
            if (crowd.rank() == crowd.ranks() - 1) allocations_left = n;
            try {
                call();
                done = true;
            } catch (const std::exception&) {
            }
            allocations_left = unlimited;
            expect(crowd.hash() == hash, "a failed call changes nothing");
            if (done) return expect(n >= least, "allocations fail");
        }
    };
    const auto file = folder + "/file";
    fails_until_enough([&] { crowd.save(file); }, 5);
    fails_until_enough([&] { crowd.populations(); }, 1);
    fails_until_enough([&] { crowd.rebalance(); }, 1);
    crowd.restore(file);
    expect(crowd.hash() == hash, "the checkpoint");
    if (crowd.rank() == 0) std::puts("ok");
    return 0;
}

/// The last rank has another chart, another build or another option.
int differ(const std::string& by) {
    bool last = false;
    {
        const auto chart = world::make();
        hsm::distributed_crowd crowd{hsm::world(), chart};
        last = crowd.rank() == crowd.ranks() - 1;
    }
    const auto is = [&](const char* what) { return last && by == what; };
    hsm::distributed_options options{.crowd = {.agent = {.seed = is("seed") ? 1u : 0u, .stream = is("stream") ? 1u : 0u}}};
    if (is("queue")) options.crowd.agent.posted_queue = 3;
    if (is("lists")) options.crowd.lists = true;
    if (is("order")) options.crowd.update_order = hsm::update_order::by_state;
    if (is("home")) options.home = [](hsm::global_id, int) { return 0; };
    const auto chart = world::make(is("chart"), !is("build"));
    try {
        hsm::distributed_crowd crowd{hsm::world(), chart, options};
    } catch (const std::exception& e) {
        std::printf("%s\n", e.what());
    }
    return 0;
}

} // namespace

void* operator new(std::size_t size) {
    if (allocations_left == 0) {
        allocations_left = unlimited;
        throw std::bad_alloc();
    }
    if (allocations_left > 0) --allocations_left;
    if (void* const p = std::malloc(size > 0 ? size : 1)) return p;
    throw std::bad_alloc();
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

int main(int count, char** words) {
    const std::string what = count > 1 ? words[1] : "";
    if (what == "run" && count > 3)
        return run(std::strtoull(words[2], nullptr, 10), std::strtoull(words[3], nullptr, 10), options_of(count, words, 4));
    if (what == "calls" && count > 2) return calls(words[2]);
    if (what == "shortage" && count > 2) return shortage(words[2]);
    if (what == "differ" && count > 2) return differ(words[2]);
    return 2;
}
