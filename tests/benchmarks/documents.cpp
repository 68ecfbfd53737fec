// What documents cost. BENCH documents lines: an instance with regions, locals, timers and waiting events; a crowd of 1,000; each saved, and
// restored, beside the same with images.
#include <tests/save/fighter.hpp>

#include <hsm/crowd/crowd.hpp>
#include <hsm/save/crowd_document.hpp>
#include <hsm/save/document.hpp>
#include <hsm/save/image.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>

using namespace std::chrono_literals;

namespace {

template <class Work> double microseconds(int times, const Work& work) {
    using clock = std::chrono::steady_clock;
    double best = 1e18;
    for (int round = 0; round < 5; ++round) {
        const auto begin = clock::now();
        for (int i = 0; i < times; ++i) work();
        best = std::min(best, std::chrono::duration<double, std::micro>(clock::now() - begin).count() / times);
    }
    return best;
}

template <class Machine> void bench(const char* name, Machine& machine, int times) {
    const auto text = hsm::save_document(machine);
    const auto image = hsm::save(machine);
    const auto save = microseconds(times, [&] { static_cast<void>(hsm::save_document(machine)); });
    const auto restore = microseconds(times, [&] { hsm::restore_document(machine, text); });
    const auto save_image = microseconds(times, [&] { static_cast<void>(hsm::save(machine)); });
    const auto restore_image = microseconds(times, [&] { hsm::restore(machine, image); });
    std::printf("BENCH documents param=%s save_us=%.1f restore_us=%.1f save_to_image=%.1f restore_to_image=%.1f characters=%zu image=%zu\n", name,
                save, restore, save / save_image, restore / restore_image, text.size(), image.size());
}

} // namespace

int main() {
    const auto chart = test::fighter_chart();
    test::fighter f;
    hsm::instance agent(chart, f);
    agent.start();
    agent.process(test::shout{"kept"});
    agent.process(test::hit{1});
    agent.process(test::hit{2});
    agent.tick(16ms);
    agent.post(test::shout{"posted"});
    bench("instance", agent, 1000);

    std::vector<test::fighter> fighters(1000);
    hsm::crowd<test::fighter> herd(chart, fighters);
    for (std::size_t i = 0; i < fighters.size(); ++i) {
        const auto id = herd.add_element(i);
        herd[id]->process(test::hit{1});
        if (i % 2) herd[id]->process(test::hit{2});
    }
    herd.tick(16ms);
    bench("crowd", herd, 3);
}
