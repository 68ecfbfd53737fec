/// A character, its machine, and the timeline of it: fed frame by frame.
#pragma once

#include <samples/character/character.hpp>
#include <samples/character/fm2.hpp>
#include <samples/character/timeline.hpp>

#include <hsm/chart/chart.hpp>
#include <hsm/observe/coverage.hpp>
#include <hsm/run/instance.hpp>

/// Of the character, with the hooks of a timeline, which must live as long as it runs.
hsm::chart<character> character_chart(timeline& log);

class game {
public:
    /// What happens is counted in `seen`, if there is one; of a chart as above.
    explicit game(std::int64_t frame_nanoseconds, hsm::coverage* seen = nullptr);

    void play(const fm2::frame& frame);
    void play(const controls& now); ///< without commands
    void stop();                    ///< exits all states; the timeline is complete then

    const character& hero() const { return hero_; }
    const timeline& log() const { return log_; }
    const hsm::instance<character>& machine() const { return machine_; }

private:
    const hsm::time_span frame_time_;
    timeline log_;
    const hsm::chart<character> chart_;
    character hero_;
    hsm::instance<character> machine_;
    hsm::attachment counted_;
};

/// From the first frame to the last.
void play(game& g, const fm2::movie& movie);
