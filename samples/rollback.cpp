// Rollback: two players over a network, each with a character of samples/character. The inputs of the far player arrive
// up to eight frames late. Meanwhile the game assumes that this player's buttons do not change; if they did, it goes
// back and plays these frames again. In the end, the state is the same as without delay.
//
//     rollback MOVIE      one plays the recording from its beginning, the other one from the middle

#include <samples/character/fm2.hpp>
#include <samples/character/game.hpp>
#include <samples/character/machine.hpp>

#include <hsm/hsm.hpp>
#include <hsm/replay/rollback.hpp>
#include <hsm/replay/sync_test.hpp>
#include <hsm/save/hash.hpp>

#include "expect.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

struct inputs_of_frame {
    controls left, right;
};

struct duel {
    hsm::chart<character> chart = hsm::compile(make_character());
    character a, b;
    hsm::instance<character> left{chart, a}, right{chart, b};
    std::vector<inputs_of_frame> inputs;
    hsm::time_span frame_time;

    explicit duel(hsm::time_span time) : frame_time(time) {
        left.start();
        right.start();
    }
    // [play]
    void play(std::uint64_t frame) {
        play(left, a, inputs[frame].left);
        play(right, b, inputs[frame].right);
    }
    void play(hsm::instance<character>& machine, character& hero, const controls& now) const {
        const auto before = std::exchange(hero.held, now);
        now.each_press_since(before, [&](press event) { machine.process(event); });
        machine.tick(frame_time);
    }
    // [/play]
    /// Returns the active states, and hashes of the machines and characters.
    std::string text() const {
        const auto of = [](const auto& machine, const character& hero) {
            return std::string(machine.current().name()) + ' ' +
                   std::to_string(hsm::hash(machine) ^ hsm::hash_of(hero));
        };
        return of(left, a) + ", " + of(right, b);
    }
};

std::vector<inputs_of_frame> inputs_of(const fm2::movie& movie) {
    const auto& frames = movie.frames;
    std::vector<inputs_of_frame> all;
    for (std::size_t i = 0; i < frames.size(); ++i)
        all.push_back({read(frames[i].pads[0]), read(frames[(i + frames.size() / 2) % frames.size()].pads[0])});
    return all;
}

int main(int argc, char** argv) {
    if (argc != 2) return std::fprintf(stderr, "usage: rollback MOVIE\n"), 2;
    const auto movie = fm2::load(argv[1]);
    const auto known = inputs_of(movie);
    const auto frame_time = hsm::time_span::from_nanoseconds(movie.frame_nanoseconds());

    duel timely(frame_time);
    timely.inputs = known;
    for (std::uint64_t frame = 0; frame < known.size(); ++frame) timely.play(frame);

    duel game(frame_time);
    game.inputs.resize(known.size());
    // [frames]
    hsm::rollback<character> frames(10); // room for the present frame, eight with late input, and the one before them
    frames.add(game.left, game.a);
    frames.add(game.right, game.b);
    frames.keep(); // frame 0 is before the first input
    // [/frames]
    std::uint64_t arrived = 0; // inputs received from the far player
    int replayed = 0;
    for (std::uint64_t frame = 0; frame < known.size(); ++frame) {
        game.inputs[frame].left = known[frame].left;
        game.inputs[frame].right = frame > 0 ? game.inputs[frame - 1].right : controls(); // a guess
        game.play(frame);
        frames.keep();
        const auto late = frame * 7 % 9; // 0 to 8 frames
        if (frame + 1 < arrived + late) continue;

        // [late]
        auto wrong = frame + 1; // the first frame that was played with another input
        for (; arrived <= frame - std::min(late, frame); ++arrived) {
            if (game.inputs[arrived].right.bits() != known[arrived].right.bits()) wrong = std::min(wrong, arrived);
            game.inputs[arrived].right = known[arrived].right;
        }
        if (wrong <= frame) {
            for (auto i = arrived; i <= frame; ++i) game.inputs[i].right = game.inputs[i - 1].right; // other guesses
            frames.back_to(wrong); // frame n is stored before input n
            for (auto again = wrong; again <= frame; ++again) {
                game.play(again);
                frames.keep();
                ++replayed;
            }
        }
        // [/late]
    }
    while (arrived < known.size()) { // the last inputs
        if (game.inputs[arrived].right.bits() != known[arrived].right.bits()) {
            const auto wrong = arrived;
            for (; arrived < known.size(); ++arrived) game.inputs[arrived] = known[arrived];
            frames.back_to(wrong);
            for (auto again = wrong; again < known.size(); ++again) game.play(again), frames.keep();
        } else {
            ++arrived;
        }
    }
    expect("without delay", timely.text(), game.text());
    std::printf("%-28s %d of %zu\n", "frames played again", replayed, known.size());

    // [sync]
    const auto found = hsm::sync_test(frames, 8, [&](std::uint64_t frame) { game.play(frame - 1); });
    // [/sync]
    expect("played again", found ? found->to_string() : "the same", "the same");

    int forgotten = 0; // state that affects the game and that is not stored
    const auto flawed = hsm::sync_test(frames, 8, [&](std::uint64_t frame) {
        game.play(frame - 1);
        if (++forgotten == 3) game.b.hurt(1);
    });
    expect("difference",
           flawed ? std::to_string(flawed->differences.size()) + " field, " + flawed->differences[0].path : "none",
           "1 field, damage");
}
