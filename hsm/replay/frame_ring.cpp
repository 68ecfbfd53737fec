#include <hsm/replay/rollback.hpp>

#include <hsm/define/detail/assert.hpp>
#include <hsm/run/error.hpp>

#include <algorithm>

namespace hsm::detail {

frame_ring::frame_ring(std::size_t frames) : frames_(frames) {
    if (frames == 0)
        throw usage_error({code::bad_option, "", "the rollback has no frames", "pass one frame for the present and one for each frame to go back"});
}

std::size_t frame_ring::add(savable_machine machine) {
    if (next_ > 0)
        throw usage_error({code::bad_option, "", "the rollback has already recorded frames without this machine", "add all machines first"});
    std::vector<std::vector<std::byte>> images(frames_);
    for (auto& image : images) image.resize(machine.most_size(machine.self));
    machines_.push_back({machine, std::move(images), std::vector<std::size_t>(frames_)});
    return machines_.size() - 1;
}

bool frame_ring::busy() const {
    return std::ranges::any_of(machines_, [](const images_of& each) { return each.what.busy(each.what.self); });
}

void frame_ring::make_room() { stored_ = std::min<std::uint64_t>(stored_, frames_ - 1); }

void frame_ring::keep() {
    make_room();
    HSM_ASSERT(!busy() && "hsm: a hook cannot record or restore frames");
    const auto slot = next_slot();
    for (auto& each : machines_) {
        auto& image = each.images[slot];
        each.what.gather_mail(each.what.self);
        while ((each.sizes[slot] = each.what.save(each.what.self, image)) > image.size()) image.resize(each.sizes[slot]); // the image has grown
    }
    ++next_;
    ++stored_;
}

void frame_ring::back_to(std::uint64_t frame) {
    for (std::size_t i = 0; i < machines_.size(); ++i) machines_[i].what.restore(machines_[i].what.self, image(i, slot_of(frame)));
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

} // namespace hsm::detail
