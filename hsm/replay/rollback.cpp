#include <hsm/replay/rollback.hpp>

#include <hsm/define/detail/assert.hpp>
#include <hsm/op/detail/format.hpp>
#include <hsm/replay/sync_test.hpp>
#include <hsm/run/error.hpp>

#include <algorithm>

namespace hsm::detail {

frame_ring::frame_ring(std::size_t frames) : frames_(frames) {
    if (frames == 0)
        throw usage_error(
            {code::bad_option, "", "the rollback has no frames", "pass one frame for the current state, and one for each frame to go back"});
}

void frame_ring::add(owned<savable> machine) {
    if (next_ > 0)
        throw usage_error(
            {code::bad_option, "", "the rollback has already recorded frames without this machine", "add all machines before the first frame"});
    std::vector<std::vector<std::byte>> images(frames_);
    for (auto& image : images) image.resize(machine->most_image_size());
    machines_.push_back({std::move(machine), std::move(images), std::vector<std::size_t>(frames_)});
}

bool frame_ring::busy() const {
    return std::ranges::any_of(machines_, [](const images_of& each) { return each.what->is_busy(); });
}

void frame_ring::make_room() { stored_ = std::min<std::uint64_t>(stored_, frames_ - 1); }

void frame_ring::keep() {
    HSM_ASSERT(!busy() && "hsm: a hook cannot record or restore frames");
    const auto slot = next_slot();
    for (auto& each : machines_) {
        auto& image = each.images[slot];
        each.what->gather_mail();
        while ((each.sizes[slot] = each.what->save(image, false)) > image.size()) image.resize(each.sizes[slot]); // the image has grown
    }
    ++next_;
    ++stored_;
}

void frame_ring::back_to(std::uint64_t frame) {
    for (std::size_t i = 0; i < machines_.size(); ++i) machines_[i].what->restore(image(i, slot_of(frame)));
    stored_ -= next_ - 1 - frame;
    next_ = frame + 1;
}

std::span<const std::byte> frame_ring::image(std::size_t machine, std::size_t slot) const {
    const auto& each = machines_[machine];
    return std::span(each.images[slot]).first(each.sizes[slot]);
}

std::size_t frame_ring::bytes() const {
    std::size_t all = 0;
    for (const auto& each : machines_)
        for (const auto& image : each.images) all += image.capacity();
    return all;
}

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
        auto differences = ring.machine(i).difference(before, now);
        if (!differences.empty()) return desync{frame, i, false, std::move(differences)};
    }
    return {};
}

} // namespace hsm::detail

namespace hsm {

std::string desync::to_string() const {
    auto text = fmt::format("frame {} of {} {} differs:\n", frame, in_context ? "context" : "machine", machine);
    for (const auto& each : differences) text += "  " + each.to_string() + '\n';
    return text;
}

} // namespace hsm
