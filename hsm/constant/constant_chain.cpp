#include <hsm/constant/detail/chain.hpp>
#include <hsm/constant/detail/queue.hpp>

#include <hsm/define/event.hpp>
#include <hsm/run/error.hpp>

#include <algorithm>

namespace hsm::detail {

/// Returns the length of the shortest sequence that the end of the trail repeats.
std::uint32_t constant_chain::period() const {
    const auto repeats = [&](std::uint32_t period) {
        for (std::uint32_t i = 1; i <= period; ++i)
            if (back(i) != back(i + period)) return false;
        return true;
    };
    std::uint32_t period = 1;
    while (2 * period <= length && !repeats(period)) ++period;
    return 2 * period > length ? 8 : period;
}

void constant_chain::give_up(std::string_view leaf) const {
    std::string cycle;
    for (auto i = period(); i > 0; --i) cycle += std::string(back(i)) + " -> ";
    cycle += leaf;
    throw chain_error({code::chain, std::string(leaf.substr(0, leaf.find('/'))),
                       "after " + std::to_string(links_) + " transitions in a row, the chain has not ended: " + cycle,
                       "guard one of these transitions"});
}

void throw_lost_event(std::string_view root, const event_type& type, std::int64_t value, std::string_view name) {
    const auto event = !name.empty() ? std::string(name) : type.value ? key_of_value(type, value).name : std::string(type.name);
    throw queue_error({code::lost_event, std::string(root), "the event \"" + event + "\" cannot be deferred: the queue of deferred events is full",
                       "raise the number of deferred events in hsm::queue"});
}

} // namespace hsm::detail
