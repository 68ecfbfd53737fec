// W14: a machine that chooses the best of eight scored states in each frame, and the loop that one would write by hand. `curves`: each score is a
// product of two curves, and the highest one usually stays so for some frames; `plain`: each is a member. In the crowds, a call computes the scores
// of 256 agents.

#include "machine.hpp"

#include <hsm/crowd/crowd.hpp>
#include <hsm/define/score.hpp>

#include <array>
#include <utility>

namespace {

constexpr std::size_t candidates = 8;

struct fighter {
    double values[candidates] = {};
};

/// A frame changes one of the values.
void frame(fighter& f, std::uint8_t event) { f.values[event % candidates] = event; }

struct curves {
    static constexpr const char* name = "curves";
    template <std::size_t I> static double score(const fighter& f) {
        return hsm::product_of(hsm::curve::linear(f.values[I], 0, 256), hsm::curve::inverse(f.values[(I + 1) % candidates], 64));
    }
};

struct plain {
    static constexpr const char* name = "plain";
    template <std::size_t I> static double score(const fighter& f) { return f.values[I]; }
};

template <class Scores, bool Many, std::size_t I> auto score_of() {
    if constexpr (Many)
        return [](hsm::scores<fighter>& some) {
            for (std::size_t i = 0; i < some.size(); ++i) some.set(i, Scores::template score<I>(some[i]));
        };
    else
        return [](const fighter& f) { return Scores::template score<I>(f); };
}

template <class Scores, bool Many, std::size_t... I> hsm::chart<fighter> chart_of(std::index_sequence<I...>) {
    auto root = hsm::make_fsm<fighter>("fighter");
    root->choose(hsm::best).rechoose();
    const auto add = [&](std::size_t number, auto score) {
        auto& s = root->add(std::string(bench::numbered("attack", static_cast<unsigned>(number))));
        s.on_enter([number](fighter&) { bench::count(number); });
        root->dispatch(s).score(score);
    };
    (add(I, score_of<Scores, Many, I>()), ...);
    root->initial(root->add("rest"));
    return hsm::compile(std::move(root), bench::without_times);
}

template <class Scores> class ours {
public:
    ours() : chart_(chart_of<Scores, false>(std::make_index_sequence<candidates>())), agent_(chart_, fighter_, bench::without_queues) {}
    ours(const ours&) = delete;
    void start() { agent_.start(); }
    void process(std::uint8_t event) {
        frame(fighter_, event);
        agent_.tick();
    }
    std::size_t bytes() const { return sizeof(agent_) + hsm::instance_memory(chart_, bench::without_queues).size; }

private:
    fighter fighter_;
    hsm::chart<fighter> chart_;
    hsm::instance<fighter> agent_;
};

/// The fighters whose scores one call computes.
constexpr std::size_t fighters = 256;

template <class Scores> class our_crowd {
public:
    our_crowd() : chart_(chart_of<Scores, true>(std::make_index_sequence<candidates>())), herd_(chart_, all_) {}
    our_crowd(const our_crowd&) = delete;
    void start() {
        for (std::uint32_t i = 0; i < fighters; ++i) herd_.add_element(i);
    }
    void feed(const std::uint8_t* events, std::size_t count) {
        for (std::size_t at = 0; at < count; at += fighters) {
            for (std::size_t i = 0; i < fighters; ++i) frame(all_[i], events[at + i]);
            herd_.tick();
        }
    }
    std::size_t bytes() const { return herd_.bytes() / fighters; }

private:
    std::vector<fighter> all_{fighters};
    hsm::chart<fighter> chart_;
    hsm::crowd<fighter> herd_;
};

template <class Scores> class reference {
public:
    void start() {}
    void process(std::uint8_t event) {
        frame(fighter_, event);
        choose();
    }
    fighter& context() { return fighter_; }
    void choose() { choose(std::make_index_sequence<candidates>()); }

private:
    template <std::size_t... I> void choose(std::index_sequence<I...>) {
        double best = 0;
        std::size_t chosen = active_;
        const auto offer = [&](std::size_t number, double score) {
            if (score > best) best = score, chosen = number;
        };
        (offer(I, Scores::template score<I>(fighter_)), ...);
        if (chosen != active_) bench::count(active_ = chosen);
    }

    fighter fighter_;
    std::size_t active_ = candidates;
};

template <class Scores> class reference_crowd {
public:
    void start() {}
    void feed(const std::uint8_t* events, std::size_t count) {
        for (std::size_t at = 0; at < count; at += fighters) {
            for (std::size_t i = 0; i < fighters; ++i) frame(all_[i].context(), events[at + i]);
            for (auto& f : all_) f.choose();
        }
    }

private:
    std::array<reference<Scores>, fighters> all_;
};

template <class Machine> Machine made() { return Machine(); }

template <class Scores> void compare(bench::program& program, std::uint64_t checksum, std::uint64_t of_crowd) {
    program.compare({"W14", Scores::name, checksum, bench::random_events<256>}, made<ours<Scores>>, made<reference<Scores>>);
    program.compare({"W14", "crowd_" + std::string(Scores::name), of_crowd, bench::random_events<256>}, made<our_crowd<Scores>>,
                    made<reference_crowd<Scores>>);
}

} // namespace

int main(int argc, char** argv) {
    bench::program program(argc, argv);
    compare<curves>(program, 0xb2d5c6857e3cd974, 0x50fd6188ba6a7a38);
    compare<plain>(program, 0x224c8a8b7838669d, 0x60e60c755fd82c24);
    return program.status();
}
