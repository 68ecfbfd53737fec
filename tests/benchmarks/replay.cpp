// What a log of inputs costs. BENCH replay lines:
//
//     log       100,000 frames of a character played with a log, beside playing them without; bytes of calls for each frame
//     run       the same log played again, with the comparison at each keyframe, beside playing
//     seek      to 2,000 frames anywhere in it, beside playing as many frames as there are since the keyframe before each; with a budget of 16 MB
//     far       the same with a budget of 64 KB: keyframes are far apart
#include <hsm/hsm.hpp>
#include <hsm/replay/input_log.hpp>
#include <hsm/replay/replay.hpp>
#include <hsm/save/archive.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string_view>
#include <vector>

using namespace std::chrono_literals;

namespace {

constexpr std::uint64_t frames = 100'000;
std::uint64_t ticks = 0; ///< by now

struct pad {
    std::uint32_t held = 0;
    int walked = 0, hits = 0;
    double height = 0;
};
template <class A> void serialize(A& archive, pad& p) { archive("held", p.held)("walked", p.walked)("hits", p.hits)("height", p.height); }

hsm::chart<pad> character() {
    auto root = hsm::make_fsm<pad>("character");
    root->on_update([](pad&) { ++ticks; });
    auto& ground = root->add_fsm("ground");
    auto& idle = ground.add("idle");
    auto& walk = ground.add("walk").on_update([](pad& p) { ++p.walked; });
    auto& attack = root->add_fsm("attack");
    auto& first = attack.add("first").on_enter([](pad& p) { ++p.hits; });
    auto& second = attack.add("second").on_enter([](pad& p) { ++p.hits; });
    auto& air = root->add("air").on_update([](pad& p, float dt) { p.height += static_cast<double>(dt); });
    const auto held = [](std::uint32_t bit) { return [bit](const pad& p) { return (p.held & bit) != 0; }; };
    const auto free = [](std::uint32_t bit) { return [bit](const pad& p) { return (p.held & bit) == 0; }; };
    idle.to(walk).when(held(1));
    walk.to(idle).when(free(1));
    ground.to(attack).on("strike");
    first.to(second).on("strike");
    attack.to(ground).after(250ms);
    ground.to(air).when(held(4));
    air.to(ground).after(400ms);
    return hsm::compile(std::move(root));
}

/// The buttons of each frame: mostly those of the one before.
std::vector<std::uint8_t> buttons() {
    std::minstd_rand random(7);
    std::vector<std::uint8_t> all;
    std::uint8_t now = 0;
    for (std::uint64_t i = 0; i < frames; ++i) {
        if (random() % 8 == 0) now = static_cast<std::uint8_t>(now ^ 1 << random() % 3);
        all.push_back(now);
    }
    return all;
}

struct game {
    hsm::chart<pad> chart = character();
    pad p;
    hsm::instance<pad> agent{chart, p};

    void frame(std::uint8_t now, hsm::input_log* log) {
        if (now != p.held) {
            if (log) log->note(now);
            const bool strikes = (now & 2) && !(p.held & 2);
            p.held = now;
            if (strikes) agent.process("strike");
        }
        agent.tick(16ms);
    }
};

template <class Work> double nanoseconds(const Work& work) {
    using clock = std::chrono::steady_clock;
    const auto begin = clock::now();
    work();
    return std::chrono::duration<double, std::nano>(clock::now() - begin).count();
}

double play(const std::vector<std::uint8_t>& inputs) {
    double best = 1e18;
    for (int i = 0; i < 5; ++i) {
        game g;
        g.agent.start();
        best = std::min(best, nanoseconds([&] {
                            for (const auto now : inputs) g.frame(now, nullptr);
                        }));
    }
    return best;
}

std::vector<std::byte> log_of(const std::vector<std::uint8_t>& inputs, const hsm::input_log_options& how, double& best, std::size_t& call_bytes) {
    std::vector<std::byte> bytes;
    best = 1e18;
    for (int i = 0; i < 5; ++i) {
        game g;
        hsm::input_log log(how);
        log.attach(g.agent, g.p);
        g.agent.start();
        best = std::min(best, nanoseconds([&] {
                            for (const auto now : inputs) g.frame(now, &log);
                        }));
        call_bytes = log.call_bytes();
        bytes = log.bytes();
    }
    return bytes;
}

void take_notes(hsm::replay& again, game& g) {
    again.on_note<std::uint8_t>([&g](std::uint8_t now) { g.p.held = now; });
    again.attach(g.agent, g.p);
}

void bench_seek(const char* name, const std::vector<std::uint8_t>& inputs, const hsm::input_log_options& how, double frame) {
    double unused = 0;
    std::size_t call_bytes = 0;
    const auto bytes = log_of(inputs, how, unused, call_bytes);
    game g;
    hsm::replay again(bytes);
    take_notes(again, g);
    std::minstd_rand random(3);
    double time = 1e18;
    std::vector<std::uint64_t> places;
    for (int i = 0; i < 2'000; ++i) places.push_back(random() % frames);
    double played = 0;
    for (int round = 0; round < 5; ++round) {
        played = 0;
        double all = 0;
        for (const auto place : places) {
            again.seek(0); // nothing of it is near
            const auto before = ticks;
            all += nanoseconds([&] { again.seek_frame(place); });
            played += static_cast<double>(ticks - before);
        }
        time = std::min(time, all);
    }
    std::printf("BENCH replay param=%s us=%.1f ratio_to_playing=%.2f frames_each=%.0f log_bytes=%zu\n", name, time / 2e6, time / (played * frame),
                played / 2e3, bytes.size());
}

/// For tools that count instructions: replay log <label> <passes> plays 65,536 frames in each pass.
int play_passes(bool with_log, int passes) {
    auto inputs = buttons();
    inputs.resize(65'536);
    game g;
    hsm::input_log log;
    if (with_log) log.attach(g.agent, g.p);
    g.agent.start();
    for (int i = 0; i < passes; ++i)
        for (const auto now : inputs) g.frame(now, with_log ? &log : nullptr);
    return 0;
}

} // namespace

int main(int argc, char** argv) {
    if (argc == 5) return play_passes(argv[3] == std::string_view("ours"), std::atoi(argv[4]));
    const auto inputs = buttons();
    const auto alone = play(inputs);
    double logged = 0;
    std::size_t call_bytes = 0;
    const auto bytes = log_of(inputs, {}, logged, call_bytes);
    std::printf("BENCH replay param=log ours_ns=%.1f reference_ns=%.1f ratio=%.2f instructions=- reference_instructions=- bytes_per_frame=%.2f\n",
                logged / frames, alone / frames, logged / alone, static_cast<double>(call_bytes) / frames);
    double run = 1e18;
    for (int i = 0; i < 5; ++i) {
        game g;
        hsm::replay again(bytes);
        take_notes(again, g);
        run = std::min(run, nanoseconds([&] {
                           if (again.run()) std::abort();
                       }));
    }
    std::printf("BENCH replay param=run ns_per_frame=%.1f ratio_to_playing=%.2f\n", run / frames, run / alone);
    bench_seek("seek", inputs, {}, alone / frames);
    bench_seek("far", inputs, {.keyframe_bytes = 64u << 10}, alone / frames);
}
