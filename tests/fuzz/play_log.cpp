// For libFuzzer: whatever bytes are played as a log, they are refused, or played to an end; and a seek goes to the same state as playing.

#include <tests/fuzz/fighters.hpp>

#include <hsm/replay/input_log.hpp>
#include <hsm/replay/replay.hpp>
#include <hsm/save/hash.hpp>
#include <hsm/save/image.hpp>

using namespace fuzz;

namespace {

void write_seeds() {
    for (const bool checked : {false, true}) {
        one_fighter one;
        hsm::input_log log({.calls_between = 8, .check_calls = checked});
        log.attach(one.agent);
        one.begin();
        for (int i = 0; i < 5; ++i) {
            log.note(i);
            one.agent.tick(16ms);
            one.agent.process(test::hit{i});
            if (i == 2) hsm::restore(one.agent, hsm::save(one.agent));
            if (i == 3) one.agent.set_time_scale(2.0);
        }
        write_seed(checked ? "checked" : "plain", 0, log.bytes());
        for (int i = 0; i < 2; ++i) tick_to_end(one.agent);
        one.agent.stop();
        write_seed(checked ? "late_checked" : "late_plain", 0, log.bytes());
    }
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int*, char***) {
    write_seeds();
    return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    if (size == 0) return 0;
    const auto bytes = std::as_bytes(std::span(data, size)).subspan(1);
    try {
        one_fighter one;
        hsm::replay played(bytes);
        int noted = 0;
        played.on_note<int>([&](int) { ++noted; });
        played.attach(one.agent);
        std::uint64_t steps = 0;
        while (played.step() && ++steps < 500) {
        }
        require(steps <= played.calls());
        const auto middle = steps / 2;
        played.seek(middle);
        const auto image = hsm::save(one.agent);
        one_fighter other;
        hsm::replay again(bytes);
        again.on_note<int>([&](int) { ++noted; });
        again.attach(other.agent);
        again.seek(0);
        for (std::uint64_t i = 0; i < middle && again.step(); ++i) {
        }
        hsm::replay checked(bytes);
        one_fighter third;
        checked.on_note<int>([&](int) { ++noted; });
        checked.attach(third.agent);
        static_cast<void>(checked.run());
        hsm::restore(third.agent, image);
        require(hsm::save(third.agent) == image);
    } catch (const hsm::replay_error&) {
    } catch (const hsm::save_error&) { // of a keyframe
    }
    return 0;
}
