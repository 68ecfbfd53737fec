/// A character, its machine, and the timeline of it: fed frame by frame.
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

/// Of the character, with the hooks of a timeline, which must live as long as it runs.
hsm::chart<character> character_chart(timeline& log);

/// Who looks on, if anybody does. They must outlive the game.
struct spectators {
    hsm::coverage* coverage = nullptr; ///< of a chart as above
    hsm::statistics* statistics = nullptr;
    hsm::observer* observer = nullptr;
    hsm::record_kinds kinds = hsm::record_kinds::all(); ///< of records that the observer is told
    hsm::input_log* inputs = nullptr;                   ///< notes what the player does
};

/// What a pad says.
controls read(fm2::pad pad);

class game {
public:
    explicit game(std::int64_t frame_nanoseconds, const spectators& all = {});
    /// Not started: for what is restored, or replayed. Frames take as long as on a console for NTSC.
    game();

    void play(const fm2::frame& frame);
    void play(const controls& now); ///< without commands
    void stop();                    ///< exits all states; the timeline is complete then

    /// In place of all that: what a log of inputs has noted, up to its end. Where it goes another way; empty: nowhere.
    std::optional<hsm::log_difference> replay(std::span<const std::byte> noted);
    void close() { log_.close(); } ///< the timeline is complete: the log has stopped the machine

    const character& hero() const { return hero_; }
    const timeline& log() const { return log_; }
    const hsm::instance<character>& machine() const { return machine_; }
    // To be loaded into.
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

/// From the first frame to the last.
void play(game& g, const fm2::movie& movie);
