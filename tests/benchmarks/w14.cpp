// W14: a machine that chooses the best of eight scored states in each frame, and the loop that one would write by hand. `curves`: each score is a
// product of two curves, and the highest one usually stays so for some frames; `plain`: each is a member.

#include "machine.hpp"

#include <hsm/define/score.hpp>

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

template <class Scores, std::size_t... I> hsm::chart<fighter> chart_of(std::index_sequence<I...>) {
    auto root = hsm::make_fsm<fighter>("fighter");
    root->choose(hsm::best).rechoose();
    const auto add = [&](std::size_t number, auto score) {
        auto& s = root->add(std::string(bench::numbered("attack", static_cast<unsigned>(number))));
        s.on_enter([number](fighter&) { bench::count(number); });
        root->dispatch(s).score(score);
    };
    (add(I, [](const fighter& f) { return Scores::template score<I>(f); }), ...);
    root->initial(root->add("rest"));
    return hsm::compile(std::move(root), bench::without_times);
}

template <class Scores> class ours {
public:
    ours() : chart_(chart_of<Scores>(std::make_index_sequence<candidates>())), agent_(chart_, fighter_, bench::without_queues) {}
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

template <class Scores> class reference {
public:
    void start() {}
    void process(std::uint8_t event) {
        frame(fighter_, event);
        choose(std::make_index_sequence<candidates>());
    }

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

template <class Machine> Machine made() { return Machine(); }

template <class Scores> void compare(bench::program& program, std::uint64_t checksum) {
    program.compare({"W14", Scores::name, checksum, bench::random_events<256>}, made<ours<Scores>>, made<reference<Scores>>);
}

} // namespace

int main(int argc, char** argv) {
    bench::program program(argc, argv);
    compare<curves>(program, 0xb2d5c6857e3cd974);
    compare<plain>(program, 0x224c8a8b7838669d);
    return program.status();
}
