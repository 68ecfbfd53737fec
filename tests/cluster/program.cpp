// Runs the agents of world.hpp on the ranks of a job, for run.py:
//
//     program run <agents> <ticks> [workers=N] [save=TICK:FILE] [restore=FILE] [rebalance=TICKS] [more=N] [fail] [die=TICK]
//     program calls <folder>
//     program differ chart|seed
//
// `run` prints the number of agents and the hash after each tick, on rank 0.

#include "world.hpp"

#include <hsm/crowd/workers.hpp>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <vector>

namespace {

using world::walker;

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

void add_all() {
    for (std::uint64_t id = 0; id < world::agents; ++id)
        if (world::crowd->is_home(id)) world::crowd->add(id);
}

int run(std::uint64_t agents, std::uint64_t ticks, std::map<std::string, std::string> options) {
    const auto chart = world::make();
    hsm::distributed_crowd crowd{hsm::world(), chart, {.crowd = {.agent = {.posted_queue = 4, .seed = 7}}}};
    world::crowd = &crowd;
    world::agents = agents;
    world::fails = options.contains("fail");
    if (const auto file = options["restore"]; !file.empty())
        crowd.restore(file);
    else
        add_all();
    const auto workers = std::strtoul(options["workers"].c_str(), nullptr, 10);
    hsm::workers threads(workers > 0 ? static_cast<unsigned>(workers) : 1);
    const auto save = options["save"];
    const auto every = std::strtoul(save.c_str(), nullptr, 10);
    const auto rebalance = std::strtoul(options["rebalance"].c_str(), nullptr, 10);
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
}

void check_calls(hsm::distributed_crowd<walker>& crowd, const hsm::chart<walker>& chart, const std::string& folder) {
    const auto all = crowd.ranks();
    expect(crowd.count() == world::agents, "count");
    expect(crowd.count("rest") == world::agents, "count of a state");
    const auto populations = crowd.populations();
    expect(populations.at(0) == world::agents && populations.at(1) == world::agents, "populations");
    check_order(crowd, chart);

    expect(crowd.owner(7) == crowd.home(7), "the owner of an agent is its home");
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

    if (crowd.rank() == 0) crowd.migrate(9, (crowd.home(9) + 1) % all);
    crowd.tick(0.0);
    crowd.tick(0.0);
    if (crowd.rank() == 0) crowd.post(123456, world::ping{1}), crowd.remove(9);
    crowd.tick(0.0);
    expect(crowd.unknown() == 1, "a post to an unknown id");
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
    const auto refused = [&](hsm::code code) { expect_code(crowd.rank() == 0 ? code : hsm::code::failed_rank, [&] { crowd.restore(file); }); };
    expect_code(hsm::code::failed_checkpoint, [&] { crowd.restore(folder + "/missing"); });
    expect_code(hsm::code::failed_checkpoint, [&] { crowd.save(folder + "/missing/file"); });
    const auto other_chart = world::make(true);
    crowd.save(file);
    const auto saved = crowd.hash();
    crowd.restore(file);
    expect(crowd.hash() == saved, "a restored crowd");
    {
        hsm::distributed_crowd<walker> different{hsm::world(), other_chart};
        expect_code(crowd.rank() == 0 ? hsm::code::broken_checkpoint : hsm::code::failed_rank, [&] { different.restore(file); });
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
        bool is_found = false;
        try {
            crowd.restore(file);
        } catch (const hsm::cluster_error&) {
            is_found = true;
        }
        expect(is_found, "a damaged file");
    }
    write(file, text);
    crowd.restore(file);
    expect(crowd.hash() == saved, "the file again");
    expect_code(hsm::code::bad_option, [&] { hsm::distributed_crowd<walker>{hsm::world(), chart, {.crowd = {.decide_every = 2}}}; });
}

int calls(const std::string& folder) {
    const auto chart = world::make();
    hsm::distributed_crowd crowd{hsm::world(), chart};
    world::crowd = &crowd;
    world::agents = 20;
    world::is_quiet = true;
    add_all();
    check_calls(crowd, chart, folder);
    if (crowd.rank() == 0) std::puts("ok");
    return 0;
}

/// The last rank has another chart or another option.
int differ(const std::string& by) {
    int last = 0;
    {
        const auto chart = world::make();
        hsm::distributed_crowd crowd{hsm::world(), chart};
        last = crowd.rank() == crowd.ranks() - 1;
    }
    const auto chart = world::make(last && by == "chart");
    try {
        hsm::distributed_crowd crowd{hsm::world(), chart, {.crowd = {.agent = {.seed = last && by == "seed" ? 1u : 0u}}}};
    } catch (const std::exception& e) {
        std::printf("%s\n", e.what());
    }
    return 0;
}

} // namespace

int main(int count, char** words) {
    const std::string what = count > 1 ? words[1] : "";
    if (what == "run" && count > 3)
        return run(std::strtoull(words[2], nullptr, 10), std::strtoull(words[3], nullptr, 10), options_of(count, words, 4));
    if (what == "calls" && count > 2) return calls(words[2]);
    if (what == "differ" && count > 2) return differ(words[2]);
    return 2;
}
