// A character that plays a movie, and a crowd of sheep, with a live page: watched [--frames N] movie.fm2
//
// Runs in real time until Ctrl-C, or for that number of frames. The page is at the URL that the program prints.

#include <samples/character/game.hpp>

#include <hsm/crowd/crowd.hpp>
#include <hsm/hsm.hpp>
#include <hsm/inspect.hpp>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

using namespace std::chrono_literals;

namespace {

volatile std::sig_atomic_t is_interrupted = 0;

struct sheep {};

auto make_sheep() {
    auto root = hsm::make_fsm<sheep>("sheep");
    auto& graze = root->add("graze");
    auto& flee = root->add("flee");
    auto& rest = root->add("rest");
    graze.to(flee).on("wolf");
    flee.to(rest).after(2s);
    rest.to(graze).after(3s);
    return hsm::compile(std::move(root));
}

void run(const fm2::movie& movie, long frames) {
    // [watched]
    game play(movie.frame_nanoseconds());
    auto& hero = play.machine();

    const auto chart = make_sheep();
    hsm::crowd<sheep> herd{chart};
    std::vector<hsm::agent_id> flock;
    for (int i = 0; i < 2000; ++i) flock.push_back(herd.add());

    hsm::inspect::page page{{.title = "watched", .print = false}};
    std::fprintf(stderr, "%s\n", page.url().c_str());
    page.add("hero", hero);
    page.add("herd", herd);

    const std::chrono::nanoseconds frame_time(movie.frame_nanoseconds());
    auto next = std::chrono::steady_clock::now();
    for (long frame = 0, played = 0; frame != frames && !is_interrupted; ++frame) {
        if (page.runs(hero)) play.play(movie.frames[static_cast<std::size_t>(played++) % movie.frames.size()]);
        if (frame % 20 == 0) // the wolf is near 40 sheep
            for (std::size_t i = 0; i < 40; ++i)
                herd[flock[(static_cast<std::size_t>(frame) * 2 + i) % flock.size()]]->process("wolf");
        herd.tick(frame_time);
        page.poll(); // executes the commands of viewers
        std::this_thread::sleep_until(next += frame_time);
    }
    // [/watched]
}

} // namespace

int main(int count, char** arguments) {
    long frames = -1; // no end
    std::string movie;
    for (int i = 1; i < count; ++i) {
        if (std::string_view(arguments[i]) == "--frames" && i + 1 < count)
            frames = std::atol(arguments[++i]);
        else
            movie = arguments[i];
    }
    if (movie.empty()) {
        std::fputs("usage: watched [--frames N] movie.fm2\n", stderr);
        return 2;
    }
    std::signal(SIGINT, [](int) { is_interrupted = 1; });
    try {
        run(fm2::load(movie), frames);
    } catch (const std::exception& e) { // also if the page cannot listen
        std::fprintf(stderr, "%s\n", e.what());
        return 1;
    }
}
