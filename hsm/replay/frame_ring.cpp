#include <hsm/replay/rollback.hpp>

#include <hsm/define/detail/assert.hpp>
#include <hsm/run/detail/instance_access.hpp>
#include <hsm/run/error.hpp>
#include <hsm/save/detail/image_machine.hpp>

#include <algorithm>

namespace hsm::detail {

frame_ring::frame_ring(std::size_t frames) : frames_(frames) {
    if (frames == 0)
        throw usage_error({code::bad_option, "", "a rollback is to have no frames", "it needs one for the present, and one for each to go back"});
}

std::size_t frame_ring::add(instance_base& agent) {
    if (next_ > 0)
        throw usage_error({code::bad_option, "", "a machine is to be added to a rollback that has kept frames without it", "add all of them first"});
    static_cast<void>(image_size(agent)); // or it cannot be saved
    std::vector<std::vector<std::byte>> images(frames_);
    for (auto& image : images) image.resize(most_image_size(agent));
    agents_.push_back({&agent, std::move(images), std::vector<std::size_t>(frames_)});
    return agents_.size() - 1;
}

bool frame_ring::busy() const {
    return std::ranges::any_of(agents_, [](const kept_agent& each) { return each.agent->busy(); });
}

void frame_ring::keep() {
    HSM_ASSERT(!busy() && "hsm: frames are kept between calls");
    const auto place = next_place();
    for (auto& each : agents_) {
        auto& image = each.images[place];
        auto& m = instance_access::engine_of(*each.agent);
        while ((each.sizes[place] = save_machine(m, image, false)) > image.size()) image.resize(each.sizes[place]); // classes with fields have grown
    }
    ++next_;
    kept_ = std::min<std::uint64_t>(kept_ + 1, frames_);
}

void frame_ring::back_to(std::uint64_t frame) {
    for (auto& each : agents_) restore(*each.agent, image(static_cast<std::size_t>(&each - agents_.data()), place_of(frame)));
    kept_ -= next_ - 1 - frame;
    next_ = frame + 1;
}

std::span<const std::byte> frame_ring::image(std::size_t agent, std::size_t place) const {
    const auto& each = agents_[agent];
    return std::span(each.images[place]).first(each.sizes[place]);
}

std::size_t frame_ring::bytes() const {
    std::size_t all = 0;
    for (const auto& each : agents_)
        for (const auto& image : each.images) all += image.capacity();
    return all;
}

} // namespace hsm::detail
