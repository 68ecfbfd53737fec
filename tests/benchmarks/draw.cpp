// What drawing takes before a renderer sees it: 1,000 states with 3,000 transitions, and the character of the samples. Beside it what compiling
// the same definition takes.

#include <hsm/draw/dot.hpp>
#include <hsm/draw/mermaid.hpp>
#include <hsm/draw/plantuml.hpp>
#include <hsm/draw/text.hpp>
#include <hsm/hsm.hpp>
#include <samples/character/machine.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

namespace {

enum class signal : std::uint16_t {};
struct nothing {};

constexpr unsigned machines = 9, leaves = 110; // 1 + 9 * (1 + 110) = 1,000 states

auto define_states() {
    auto root = hsm::make_fsm<nothing>("root");
    for (unsigned i = 0; i < machines; ++i) {
        auto& machine = root->add_fsm("machine" + std::to_string(i));
        std::vector<hsm::state<nothing>*> all;
        for (unsigned j = 0; j < leaves; ++j) all.push_back(&machine.add("leaf" + std::to_string(j)));
        for (unsigned j = 0; j < leaves; ++j)
            for (unsigned k = 1; k <= 3; ++k) all[j]->to(*all[(j + k) % leaves]).on(signal(j * 3 + k));
    }
    return root;
}

double now() {
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now().time_since_epoch();
    return passed.count();
}

template <class Action> double seconds_of(Action action) {
    double least = 1e9;
    for (int round = 0; round < 5; ++round) {
        const auto begin = now();
        action();
        least = std::min(least, now() - begin);
    }
    return least;
}

using writer = hsm::draw::drawing (*)(const hsm::chart_view&, const hsm::draw::options&);

template <class Define> bool measure(const char* what, std::size_t states, Define define) {
    const auto compiling = seconds_of([&] { static_cast<void>(hsm::compile(define())); });
    const auto chart = hsm::compile(define());
    bool all = chart.state_count() == states || states == 0;
    for (const auto& [language, draw] : {std::pair<const char*, writer>{"dot", hsm::draw::dot},
                                         {"mermaid", hsm::draw::mermaid},
                                         {"plantuml", hsm::draw::plantuml},
                                         {"text", hsm::draw::text}}) {
        std::string text;
        const auto drawing = seconds_of([&] { text = draw(chart.view(), {}).text; });
        bool correct = true;
        for (const auto s : chart.view().states()) correct &= text.find(s.name()) != text.npos;
        std::printf("BENCH draw param=%s,%s seconds=%.5f compile_seconds=%.5f ratio=%.1f characters=%zu checksum=%s\n", what, language, drawing,
                    compiling, drawing / compiling, text.size(), correct ? "ok" : "wrong");
        all &= correct;
    }
    return all;
}

} // namespace

int main() {
    const bool large = measure("states_1000", 1000, define_states);
    return measure("character", 0, [] { return make_character(); }) && large ? 0 : 1;
}
