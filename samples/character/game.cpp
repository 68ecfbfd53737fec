#include <samples/character/game.hpp>

#include <samples/character/machine.hpp>

#include <hsm/compile/compile.hpp>

#include <utility>

hsm::chart<character> character_chart(timeline& log) {
    auto root = make_character();
    log.watch(*root);
    return hsm::compile(std::move(root));
}

controls read(fm2::pad pad) {
    using enum fm2::button;
    return {.right = pad.pressed(right),
            .left = pad.pressed(left),
            .down = pad.pressed(down),
            .up = pad.pressed(up),
            .start = pad.pressed(start),
            .select = pad.pressed(select),
            .attack = pad.pressed(b),
            .jump = pad.pressed(a)};
}

game::game()
    : frame_time_(hsm::time_span::from_nanoseconds(fm2::movie().frame_nanoseconds())), chart_(character_chart(log_)),
      machine_(chart_, hero_) {}

game::game(std::int64_t frame_nanoseconds, const spectators& all)
    : frame_time_(hsm::time_span::from_nanoseconds(frame_nanoseconds)), chart_(character_chart(log_)),
      machine_(chart_, hero_), inputs_(all.inputs) {
    if (inputs_) inputs_->attach(machine_, hero_);
    if (all.coverage) watched_.push_back(all.coverage->watch(machine_));
    if (all.statistics) watched_.push_back(all.statistics->watch(machine_));
    if (all.observer) watched_.push_back(machine_.attach(*all.observer, all.kinds));
    machine_.start();
}

void game::play(const fm2::frame& frame) {
    log_.next_frame();
    if (frame.has(fm2::command::soft_reset) || frame.has(fm2::command::power)) machine_.process(reset{});
    hold(read(frame.pads[0]));
}

void game::play(const controls& now) {
    log_.next_frame();
    hold(now);
}

/// Pressed buttons are events; held buttons are state, for guards.
void game::hold(const controls& now) {
    if (inputs_ && now.bits() != hero_.held.bits()) inputs_->note(now.bits()); // no call to the machine contains it
    const auto before = std::exchange(hero_.held, now);
    now.each_press_since(before, [this](press event) { machine_.process(event); });
    machine_.tick(frame_time_);
}

// [replay]
std::optional<hsm::log_difference> game::replay(std::span<const std::byte> noted) {
    hsm::replay again(noted);
    again.attach(machine_, hero_);
    again.on_note<std::uint8_t>([this](std::uint8_t held) { hero_.held = controls::of(held); });
    for (bool more = true; more; more = again.step()) {
        const bool has_started = again.call() > 0;
        if (has_started && again.frame() == log_.frames() && again.frame() < again.frames()) log_.next_frame();
        if (auto found = again.check()) return found;
    }
    return {};
}
// [/replay]

void game::stop() {
    machine_.stop();
    log_.close();
}

void play(game& g, const fm2::movie& movie) {
    for (const auto& frame : movie.frames) g.play(frame);
}
