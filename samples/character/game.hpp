/// A character, its machine and its timeline, played frame by frame.
#pragma once

#include <samples/character/character.hpp>
#include <samples/character/fm2.hpp>
#include <samples/character/timeline.hpp>

#include <hsm/chart/chart.hpp>
#include <hsm/observe/coverage.hpp>
#include <hsm/observe/statistics.hpp>
#include <hsm/replay/input_log.hpp>
#include <hsm/replay/replay.hpp>
#include <hsm/run/instance.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

/// Returns the character's chart with the hooks of a timeline, which must outlive it.
hsm::chart<character> character_chart(timeline& log);

/// Optional observers. They must outlive the game.
struct spectators {
    hsm::coverage* coverage = nullptr; ///< of a chart from character_chart
    hsm::statistics* statistics = nullptr;
    hsm::observer* observer = nullptr;
    hsm::record_kinds kinds = hsm::record_kinds::all(); ///< of the records for the observer
    hsm::input_log* inputs = nullptr;                   ///< records the player's inputs
};

/// Converts a pad to controls.
controls read(fm2::pad pad);

class game {
public:
    explicit game(std::int64_t frame_nanoseconds, const spectators& all = {});
    /// Creates a game that is not started, for restoring or replaying. Frames are as long as on an NTSC console.
    game();

    void play(const fm2::frame& frame);
    void play(const controls& now); ///< without commands
    void stop();                    ///< exits all states and completes the timeline

    /// Replays a log of inputs to its end. Call it instead of the functions above. Returns the first difference; empty
    /// if there is none.
    std::optional<hsm::log_difference> replay(std::span<const std::byte> noted);
    void close() { log_.close(); } ///< completes the timeline after the log has stopped the machine

    const character& hero() const { return hero_; }
    const timeline& log() const { return log_; }
    const hsm::instance<character>& machine() const { return machine_; }
    // For restoring.
    character& hero() { return hero_; }
    hsm::instance<character>& machine() { return machine_; }

private:
    void hold(const controls& now);

    const hsm::time_span frame_time_;
    timeline log_;
    const hsm::chart<character> chart_;
    character hero_;
    hsm::instance<character> machine_;
    std::vector<hsm::attachment> watched_;
    hsm::input_log* inputs_ = nullptr;
};

/// Plays all frames.
void play(game& g, const fm2::movie& movie);
