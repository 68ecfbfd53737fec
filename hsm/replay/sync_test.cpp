#include <hsm/replay/sync_test.hpp>

#include <hsm/op/detail/format.hpp>

#include <algorithm>

namespace hsm {

using namespace detail;

played_frames::played_frames(const frame_ring& ring, std::uint64_t first) : first_(first) {
    for (auto frame = first; frame < ring.next(); ++frame) {
        auto& images = images_.emplace_back();
        for (std::size_t i = 0; i < ring.machines(); ++i) {
            const auto image = ring.image(i, ring.slot_of(frame));
            images.emplace_back(image.begin(), image.end());
        }
    }
}

std::optional<desync> played_frames::compare(const frame_ring& ring, std::uint64_t frame) const {
    for (std::size_t i = 0; i < ring.machines(); ++i) {
        const auto& before = images_[static_cast<std::size_t>(frame - first_)][i];
        const auto now = ring.image(i, ring.slot_of(frame));
        if (std::ranges::equal(before, now)) continue;
        auto differences = ring.machine(i).difference(ring.machine(i).self, before, now);
        if (!differences.empty()) return desync{frame, i, false, std::move(differences)};
    }
    return {};
}

std::string desync::to_string() const {
    auto text = fmt::format("frame {} of {} {} differs:\n", frame, in_context ? "context" : "machine", machine);
    for (const auto& each : differences) text += "  " + each.to_string() + '\n';
    return text;
}

} // namespace hsm
