// Rollback: two fighters, one of whom sits far away. What he presses arrives up to eight frames late; meanwhile the
// game guesses that he goes on pressing what he pressed, and when it was something else it goes back and plays these
// frames again. In the end all is as if nothing had been late.

#include <hsm/hsm.hpp>
#include <hsm/replay/rollback.hpp>
#include <hsm/replay/sync_test.hpp>

#include "expect.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

using namespace std::chrono_literals;

enum class button { punch, jump, block };

struct fighter {
    int life = 100;
    double height = 0;
    fighter* other = nullptr;
    bool guards = false;
};
template <class A> void serialize(A& archive, fighter& f) {
    archive("life", f.life)("height", f.height)("guards", f.guards);
}

hsm::chart<fighter> make_fighter() {
    auto root = hsm::make_fsm<fighter>("fighter");
    auto& stand = root->add("stand");
    auto& punch = root->add_fsm("punch");
    auto& swing = punch.add("swing");
    auto& recover = punch.add("recover");
    auto& jump = root->add("jump").on_enter([](fighter& f) { f.height = 2; });
    auto& block =
        root->add("block").on_enter([](fighter& f) { f.guards = true; }).on_exit([](fighter& f) { f.guards = false; });
    stand.to(punch).on(button::punch);
    stand.to(jump).on(button::jump);
    stand.to(block).on(button::block);
    swing.to(recover).after(80ms).then([](fighter& f) {
        if (!f.other->guards && f.other->height < 1) f.other->life -= 3;
    });
    recover.to(stand).after(100ms);
    jump.on_update([](fighter& f, hsm::time_span t) { f.height -= 4 * t.seconds(); });
    jump.to(stand).when([](const fighter& f) { return f.height <= 0; }).then([](fighter& f) { f.height = 0; });
    block.to(stand).after(150ms);
    return hsm::compile(std::move(root));
}

struct inputs_of_frame {
    std::uint8_t left = 0, right = 0; ///< a bit for each button
};

struct duel {
    hsm::chart<fighter> chart = make_fighter();
    fighter a, b;
    hsm::instance<fighter> left{chart, a}, right{chart, b};
    std::vector<inputs_of_frame> inputs;

    duel() {
        a.other = &b;
        b.other = &a;
        left.start();
        right.start();
    }
    // [play]
    void play(std::uint64_t frame) {
        const auto press = [](auto& agent, std::uint8_t bits) {
            for (int i = 0; i < 3; ++i)
                if (bits >> i & 1) agent.process(static_cast<button>(i));
        };
        press(left, inputs[frame].left);
        press(right, inputs[frame].right);
        left.tick(16ms);
        right.tick(16ms);
    }
    // [/play]
    std::string text() const {
        return std::string(left.current().name()) + ' ' + std::to_string(a.life) + ", " +
               std::string(right.current().name()) + ' ' + std::to_string(b.life);
    }
};

std::vector<inputs_of_frame> recorded(std::size_t frames) {
    std::vector<inputs_of_frame> all(frames);
    std::uint32_t x = 2463534242;
    const auto random = [&] { return x ^= x << 13, x ^= x >> 17, x ^= x << 5; };
    for (auto& each : all) {
        if (random() % 5 == 0) each.left = static_cast<std::uint8_t>(1u << random() % 3);
        if (random() % 5 == 0) each.right = static_cast<std::uint8_t>(1u << random() % 3);
    }
    return all;
}

int main() {
    const auto known = recorded(2'000);

    duel timely;
    timely.inputs = known;
    for (std::uint64_t frame = 0; frame < known.size(); ++frame) timely.play(frame);

    duel game;
    game.inputs.resize(known.size());
    // [frames]
    hsm::rollback<fighter> frames(10); // the present, eight late ones, and the one that they begin from
    frames.add(game.left, game.a);
    frames.add(game.right, game.b);
    frames.keep(); // frame 0 is before the first input
    // [/frames]
    std::uint64_t arrived = 0; // inputs of the far player, so far
    int replayed = 0;
    for (std::uint64_t frame = 0; frame < known.size(); ++frame) {
        game.inputs[frame].left = known[frame].left;
        game.play(frame);
        frames.keep();
        const auto late = frame * 7 % 9; // 0 to 8 frames
        if (frame + 1 < arrived + late) continue;

        // [late]
        auto wrong = frame + 1; // the first frame that was played with another input
        for (; arrived <= frame - std::min(late, frame); ++arrived) {
            if (game.inputs[arrived].right != known[arrived].right) wrong = std::min(wrong, arrived);
            game.inputs[arrived].right = known[arrived].right;
        }
        if (wrong <= frame) {
            frames.back_to(wrong); // what is kept as frame n is what was before input n
            for (auto again = wrong; again <= frame; ++again) {
                game.play(again);
                frames.keep();
                ++replayed;
            }
        }
        // [/late]
    }
    while (arrived < known.size()) { // the last ones
        if (game.inputs[arrived].right != known[arrived].right) {
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

    int forgotten = 0; // something that has a say and that nobody keeps
    const auto flawed = hsm::sync_test(frames, 8, [&](std::uint64_t frame) {
        game.play(frame - 1);
        if (++forgotten == 3) game.b.life -= 1;
    });
    expect("a flaw is found",
           flawed ? std::to_string(flawed->differences.size()) + " field, " + flawed->differences[0].path : "none",
           "1 field, life");
}
