// A crowd of N agents and N instances of the same chart do the same in the same order if they get the same inputs. Hooks call other actors,
// remove them, and throw.
//
//     HSM_SEEDS=1000    number of plays of each chart
//     HSM_SEED=17       the first seed

#include <hsm/crowd/crowd.hpp>
#include <tests/support/actors.hpp>
#include <tests/support/random_input.hpp>

#include <doctest/doctest.h>

#include <array>
#include <memory>
#include <string>
#include <vector>

using namespace test;
using namespace test::actors;

namespace {

constexpr int actors_of_a_play = 8;
constexpr int inputs = 80;

/// Gives an actor an event, a condition, ...
template <class Machine> void do_to(Machine& m, const play& p, int what, home& in) {
    const auto note_result = [&](hsm::result r) { in.log += '=' + std::string(to_string(r)) + ' '; };
    const auto conditions = static_cast<int>(p.chart.condition_count());
    switch (what % 16) {
    case 0: return note_result(m.process(event<1>{}));
    case 1: return note_result(m.process(event<2>{}));
    case 2: return note_result(m.process(event<3>{}));
    case 3: return note_result(m.process(letter{"a letter, longer than what a string keeps in itself"}));
    case 4: return note_result(m.post(event<1>{}));
    case 5: return note_result(m.post(letter{"posted"}));
    case 6: return note_result(m.change_to(p.states[static_cast<std::size_t>(what / 16) % p.states.size()]));
    case 7: return note_result(m.finish());
    case 8: return note_result(m.release());
    case 9: return m.paused() ? m.resume() : m.pause();
    case 10: return note_result(m.set_time_scale(0.5 * (what / 16 % 4)));
    case 11: return note_result(m.force_to(p.states[static_cast<std::size_t>(what / 16) % p.states.size()]));
    default:
        if (conditions < 2) return note_result(m.process(event<1>{}));
        if (what % 16 == 15) return m.pulse(1 + what / 16 % (conditions - 1));
        return m.set(1 + what / 16 % (conditions - 1), what % 16 != 14);
    }
}

template <class Give> hsm::result_counts with_event(int what, Give give) {
    switch (what % 4) {
    case 0: return give(event<1>{});
    case 1: return give(event<2>{});
    case 2: return give(event<3>{});
    default: return give(letter{"to everybody"});
    }
}

template <class Machine> void show(const Machine& m, const play& p, std::string& text) {
    text += m.current().path();
    for (const auto leaf : m.leaves()) text += ' ' + std::string(leaf.name());
    text += " q" + std::to_string(m.queued()) + " t" + std::to_string(m.time_in_state().nanoseconds()) + (m.finished() ? " over" : "") +
            (m.paused() ? " paused" : "") + " x" + std::to_string(m.time_scale());
    for (std::size_t i = 0; i < p.chart.condition_count(); ++i) text += m.get(static_cast<int>(i)) ? '1' : '0';
    text += m.can(event<1>{}).outcome == hsm::result::taken ? " can" : "";
    text += '\n';
}

std::array<actor, actors_of_a_play> cast_of(home& in, std::uint64_t seed) {
    std::array<actor, actors_of_a_play> all;
    for (int i = 0; i < actors_of_a_play; ++i) {
        auto& a = all[static_cast<std::size_t>(i)];
        a = {&in, i, (seed * 64 + static_cast<std::uint64_t>(i)) * 0x9e37'79b9'7f4a'7c15 + 1};
    }
    return all;
}

/// Performs the play with one of the two kinds of actors.
class stage : public home {
public:
    stage(const play& p, std::uint64_t seed) : play_(p), cast_(cast_of(*this, seed)) {
        for (auto& a : cast_) a.left.owner = a.right.owner = &a;
    }
    virtual bool has(int i) const = 0;
    virtual void add(int i) = 0;
    virtual void remove(int i) = 0;
    virtual void do_to_one(int i, int what) = 0;
    virtual hsm::result frame(int kind, hsm::time_span t) = 0;
    virtual void show_one(int i, std::string& text) = 0;
    virtual void stop_or_start(int i) = 0;
    virtual hsm::result_counts give_all(int what) = 0; ///< an event for all

    void poke(int target, int what) override {
        if (!has(target)) return;
        ++depth;
        struct leave {
            int& depth;
            ~leave() { --depth; }
        } const at_the_end{depth};
        log += '(';
        if (what == 15 && depth == 1)
            remove(target);
        else
            do_to_one(target, what);
        log += ") ";
    }
    template <class Call> void attempt(Call call) {
        try {
            call();
        } catch (const std::exception& e) {
            log += std::string("! ") + e.what() + ' ';
        }
    }
    void input(std::uint64_t dice) {
        const int i = static_cast<int>((dice >> 8) % actors_of_a_play), what = static_cast<int>(dice >> 16 & 0xfff);
        const int kind = static_cast<int>(dice & 15);
        log += "\n#" + std::to_string(kind) + ' ';
        attempt([&] {
            switch (kind) {
            case 0:
            case 1:
            case 2:
            case 3:
            case 4:
            case 5:
            case 6: log += to_string(frame(kind < 4 ? 0 : kind - 4, hsm::time_span::from_nanoseconds(what * 100'000))); return;
            case 7: return has(i) ? remove(i) : add(i);
            case 8: return has(i) ? stop_or_start(i) : add(i);
            case 9: cast_[static_cast<std::size_t>(i)].go = what % 2; return;
            case 10: cast_[static_cast<std::size_t>(i)].ready = what % 2; return;
            case 11:
            case 12: return note_result(give_all(what));
            default:
                if (has(i)) do_to_one(i, what);
            }
        });
    }
    void note_result(const hsm::result_counts& all) {
        for (const auto c : all.counts) log += std::to_string(c);
    }
    std::string shown() {
        std::string text;
        for (int i = 0; i < actors_of_a_play; ++i)
            if (has(i)) show_one(i, text);
        return text;
    }

protected:
    const play& play_;
    std::array<actor, actors_of_a_play> cast_;
};

class crowd_stage final : public stage {
public:
    crowd_stage(const play& p, std::uint64_t seed) : stage(p, seed), herd_(p.chart, cast_, {.lists = seed % 2 == 0, .vector_code = seed % 4 < 2}) {}
    bool has(int i) const override { return herd_.has(id(i)); }
    void add(int i) override { id(i) = herd_.add_element(static_cast<std::size_t>(i)); }
    void remove(int i) override { herd_.remove(id(i)); }
    void do_to_one(int i, int what) override { do_to(*herd_[id(i)], play_, what, *this); }
    hsm::result frame(int kind, hsm::time_span t) override { return kind == 0 ? herd_.tick(t) : kind == 1 ? herd_.update(t) : herd_.decide(); }
    void show_one(int i, std::string& text) override {
        show(*herd_[id(i)], play_, text);
        for (const auto& s : play_.states) {
            bool found = false;
            herd_.each(s, [&](hsm::agent_id each, const actor&) { found |= each == id(i); });
            REQUIRE(found == herd_.is_in(id(i), s));
            REQUIRE(found == herd_[id(i)]->is_in(s));
        }
    }
    void stop_or_start(int i) override {
        const auto agent = herd_[id(i)];
        agent->active() ? agent->stop() : agent->start();
    }

    hsm::result_counts give_all(int what) override {
        return with_event(what, [&](const auto& e) { return what & 64 ? herd_.process_all(e) : herd_.process(ids_, e); });
    }

private:
    hsm::agent_id& id(int i) { return ids_[static_cast<std::size_t>(i)]; }
    const hsm::agent_id& id(int i) const { return ids_[static_cast<std::size_t>(i)]; }
    hsm::crowd<actor> herd_;
    std::array<hsm::agent_id, actors_of_a_play> ids_;
};

class instances_stage final : public stage {
public:
    using stage::stage;
    bool has(int i) const override { return one(i).machine && !one(i).going && i != adding_; }
    void add(int i) override {
        adding_ = i; // no handle refers to it yet
        one(i).machine = std::make_unique<hsm::instance<actor>>(play_.chart, cast_[static_cast<std::size_t>(i)]);
        try {
            one(i).machine->start();
        } catch (...) {
            one(i).machine.reset();
            adding_ = -1;
            throw;
        }
        adding_ = -1;
        settle(i);
    }
    void remove(int i) override {
        one(i).going = true;
        if (!one(i).machine->busy()) settle(i);
    }
    void do_to_one(int i, int what) override {
        call(i, [&](auto& m) { do_to(m, play_, what, *this); });
    }
    hsm::result frame(int kind, hsm::time_span t) override {
        bool fired = false;
        std::exception_ptr first;
        const auto keep = [&](auto call) {
            try {
                call();
            } catch (...) {
                if (!first) first = std::current_exception();
            }
        };
        for (int i = 0; i < actors_of_a_play; ++i) {
            if (!one(i).machine) continue;
            auto& m = *one(i).machine;
            keep([&] { fired |= (kind == 0 ? m.tick(t) : kind == 1 ? m.update(t) : m.decide()) == hsm::result::taken; });
            keep([&] { settle(i); });
        }
        if (first) std::rethrow_exception(first);
        return fired ? hsm::result::taken : hsm::result::unhandled;
    }
    void show_one(int i, std::string& text) override { show(*one(i).machine, play_, text); }
    void stop_or_start(int i) override {
        call(i, [](auto& m) { m.active() ? m.stop() : m.start(); });
    }

    hsm::result_counts give_all(int what) override {
        hsm::result_counts results;
        std::exception_ptr first;
        std::array<bool, actors_of_a_play> there;
        for (int i = 0; i < actors_of_a_play; ++i) there[static_cast<std::size_t>(i)] = has(i);
        for (int i = 0; i < actors_of_a_play; ++i) {
            if (!there[static_cast<std::size_t>(i)] || !has(i)) continue;
            try {
                call(i, [&](auto& m) {
                    with_event(what, [&](const auto& e) {
                        ++results.counts[static_cast<std::size_t>(m.process(e))];
                        return results;
                    });
                });
            } catch (...) {
                if (!first) first = std::current_exception();
            }
        }
        if (first) std::rethrow_exception(first);
        return results;
    }

private:
    struct role {
        std::unique_ptr<hsm::instance<actor>> machine = {};
        bool going = false; ///< removed by its own hook
    };
    role& one(int i) { return roles_[static_cast<std::size_t>(i)]; }
    const role& one(int i) const { return roles_[static_cast<std::size_t>(i)]; }
    template <class Call> void call(int i, Call f) {
        try {
            f(*one(i).machine);
        } catch (...) {
            try {
                settle(i);
            } catch (...) { // the first exception is rethrown
            }
            throw;
        }
        settle(i);
    }
    /// Removes the actor, if requested, when the outermost call to it is complete.
    void settle(int i) {
        if (!one(i).going || one(i).machine->busy()) return;
        struct gone {
            role& r;
            ~gone() { r.machine.reset(), r.going = false; }
        } const at_the_end{one(i)};
        one(i).machine->destroy();
    }
    std::array<role, actors_of_a_play> roles_;
    int adding_ = -1;
};

/// Returns the first difference; empty if there is none.
std::string difference(const play& p, std::uint64_t seed) {
    crowd_stage agents(p, seed);
    instances_stage instances(p, seed);
    for (int i = 0; i < actors_of_a_play; i += 1 + static_cast<int>(seed % 3)) {
        agents.attempt([&] { agents.add(i); });
        instances.attempt([&] { instances.add(i); });
    }
    std::uint64_t dice = seed * 0xd120'0fd1'5b1b'2e15 + 1;
    for (int n = 0; n < inputs; ++n) {
        dice ^= dice << 13, dice ^= dice >> 7, dice ^= dice << 17;
        agents.input(dice);
        instances.input(dice);
        const auto by_agents = agents.log + '\n' + agents.shown(), by_instances = instances.log + '\n' + instances.shown();
        if (by_agents != by_instances) return "input " + std::to_string(n) + "\nagents:\n" + by_agents + "\ninstances:\n" + by_instances;
        agents.log.clear();
        instances.log.clear();
    }
    return "";
}

} // namespace

TEST_CASE("a crowd behaves like the same number of instances") {
    const auto first = number_from("HSM_SEED", 1), count = number_from("HSM_SEEDS", 30);
    for (const auto& p : all_plays()) {
        int failures = 0;
        for (auto seed = first; seed < first + count && failures < 2; ++seed) {
            const auto found = difference(p, seed);
            if (found.empty()) continue;
            ++failures;
            FAIL_CHECK(p.name << ", seed " << seed << ": " << found);
        }
        CHECK(failures == 0);
    }
}
